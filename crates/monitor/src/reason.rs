//! Why a call was refused, in words the agent and a person can act on.

use crate::consent::Answer;
use crate::ground::{Found, Ground, Moment};
use crate::program::Program;
use crate::truth::Truth;
use lictor_contract::predicate::{Atom, CompareOp, EventPredicate, Term};
use lictor_contract::value::Value;
use std::fmt::Write as _;

/// Longest value that is quoted in a reason, in characters.
const MAX_VALUE: usize = 80;

/// The atoms whose other truth alone would have made the difference.
#[derive(Clone, Copy, Debug)]
pub struct Decisive {
    /// Of what is unknown.
    pub open: Option<(usize, Truth)>,
    /// Of what is known.
    pub settled: Option<(usize, Truth)>,
}

/// The reason a contract refuses an event, from the atoms its machine asked for.
pub fn reason(
    program: &Program,
    moment: &Moment<'_>,
    asked: &[(usize, Truth)],
    decisive: Decisive,
    undecidable: bool,
) -> String {
    let mut text = said(program);
    let atoms = program.guarantee.atoms();
    let conditions: Vec<(&Atom, Truth)> = asked
        .iter()
        .filter_map(|(atom, truth)| Some((atoms.get(*atom)?, *truth)))
        .filter(|(atom, _)| !matches!(atom, Atom::Event(_)))
        .collect();
    let named = |decisive: Option<(usize, Truth)>| {
        let (atom, truth) = decisive?;
        Some((atoms.get(atom)?, truth))
    };
    let mut from_first = conditions.iter().copied();
    let unknown =
        named(decisive.open).or_else(|| from_first.find(|(_, truth)| *truth == Truth::Unknown));
    let mut from_last = conditions.iter().copied().rev();
    let settled =
        named(decisive.settled).or_else(|| from_last.find(|(_, truth)| *truth != Truth::Unknown));
    if program.needs_consent && settled.is_none() && unknown.is_none() {
        text.push_str("; ");
        text.push_str(&consent_reason(moment));
    } else if settled.is_some_and(|(atom, truth)| truth != Truth::True && counts_since_a_yes(atom))
    {
        text.push_str("; the user's yes was used for an earlier call; ask again");
    } else if let (true, Some((atom, _))) = (undecidable, unknown) {
        let _ = write!(
            text,
            "; cannot decide whether `{atom}`{}",
            missing(moment, atom)
        );
    } else if let Some((atom, truth)) = settled {
        text.push_str("; ");
        text.push_str(&state_of(moment, atom, truth));
    }
    text
}

/// What the contract says, else its formula.
fn said(program: &Program) -> String {
    let says = program.contract.says.trim().trim_end_matches('.');
    if says.is_empty() {
        format!("the contract demands `{}`", program.contract.guarantee)
    } else {
        says.to_owned()
    }
}

/// Whether the atom counts what was done on the present yes.
fn counts_since_a_yes(atom: &Atom) -> bool {
    atom.all_terms()
        .into_iter()
        .filter_map(Term::counted)
        .any(|count| count.since == Some(EventPredicate::Confirms))
}

fn consent_reason(moment: &Moment<'_>) -> String {
    match moment.history.last_judgement() {
        None => "the user has not been asked yet; name the details and ask".to_owned(),
        Some(judgement) => {
            let words = if judgement.words.is_empty() {
                String::new()
            } else {
                format!(" (`{}`)", judgement.words)
            };
            if judgement.answer == Answer::Yes {
                "the user's yes was given for something else; ask again".to_owned()
            } else {
                format!(
                    "the user's last message is {}{words}; ask again",
                    judgement.ground.label()
                )
            }
        }
    }
}

/// Which fact is missing and what would supply it.
fn missing(moment: &Moment<'_>, atom: &Atom) -> String {
    absent(moment, atom, 0)
        .unwrap_or_else(|| ": a value it needs is unknown or of another kind".to_owned())
}

/// Deepest nesting of quantifiers and filters that is looked into.
const MAX_DEPTH: usize = 8;

fn absent(moment: &Moment<'_>, atom: &Atom, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Atom::Quantified(_, list, name, condition) = atom {
        let ground = moment.term(list);
        if let Some(Value::List(items)) = ground.exact().as_deref() {
            // The first element for which it is open tells what is missing.
            return items.iter().find_map(|item| {
                moment.with_element(Some(name), item, |inner| {
                    let mut atoms = condition.formula().atoms().into_iter();
                    atoms.find_map(|atom| {
                        let open = inner.atom(atom) == Truth::Unknown;
                        open.then(|| absent(inner, atom, depth + 1))?
                    })
                })
            });
        }
        return unsupplied(moment, list);
    }
    atom.terms()
        .into_iter()
        .find_map(|term| unsupplied(moment, term))
}

/// What is missing for a term to have a value; the deepest cause comes first.
fn unsupplied(moment: &Moment<'_>, term: &Term) -> Option<String> {
    let ground = moment.term(term);
    if let (Ground::Stale, Term::Lookup(lookup)) = (&ground, term) {
        let names: Vec<&str> = lookup.tools.names().collect();
        return Some(format!(
            ": a later write has changed it; call {} again",
            joined(&names)
        ));
    }
    if ground != Ground::Unknown {
        return None;
    }
    let operands = term.inner_outside_filters().into_iter();
    if let Some(deeper) = operands.into_iter().find_map(|it| unsupplied(moment, it)) {
        return Some(deeper);
    }
    match term {
        Term::Lookup(lookup) => {
            let names: Vec<&str> = lookup.tools.names().collect();
            Some(match moment.find(lookup) {
                Found::Fact(_) => {
                    format!(": the result of {} has no such field", joined(&names))
                }
                _ => format!(
                    ": no result of {} tells it; call {} first",
                    joined(&names),
                    joined(&names)
                ),
            })
        }
        Term::Arg(_) => Some(format!(": the call has no `{term}`")),
        Term::Context(_) => Some(format!(": the host gave no `{term}`")),
        _ => None,
    }
}

fn joined(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}

/// The comparison that says the contrary.
fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::Less => CompareOp::GreaterOrEqual,
        CompareOp::LessOrEqual => CompareOp::Greater,
        CompareOp::Greater => CompareOp::LessOrEqual,
        CompareOp::GreaterOrEqual => CompareOp::Less,
    }
}

/// An atom's truth and the values that made it so.
fn state_of(moment: &Moment<'_>, atom: &Atom, truth: Truth) -> String {
    // A canonical comparison that must not hold is named by what should hold.
    if let (Truth::True, Atom::Compare(op, left, right)) = (truth, atom) {
        let other = Atom::Compare(opposite(*op), left.clone(), right.clone());
        return state_of(moment, &other, Truth::False);
    }
    let verb = match truth {
        Truth::True => "holds",
        Truth::Reserved => "depends on a call still in flight",
        Truth::False | Truth::Unknown => "does not hold",
    };
    let mut text = format!("`{atom}` {verb}");
    let values: Vec<String> = atom
        .terms()
        .into_iter()
        .filter(|term| !matches!(term, Term::Constant(_)))
        .filter_map(|term| {
            let value = moment.term(term);
            let value = value.exact()?.to_string();
            let shown: String = value.chars().take(MAX_VALUE).collect();
            let cut = if shown.len() < value.len() { "…" } else { "" };
            Some(format!("`{term}` is {shown}{cut}"))
        })
        .collect();
    if !values.is_empty() {
        let _ = write!(text, " ({})", values.join(", "));
    }
    text
}
