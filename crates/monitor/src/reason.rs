//! Why a call was refused, in words the agent and a person can act on.

use crate::consent::Answer;
use crate::ground::{Ground, Moment};
use crate::program::Program;
use crate::truth::Truth;
use lictor_contract::predicate::{Atom, EventPredicate, Term};
use std::fmt::Write as _;

/// Longest value that is quoted in a reason, in characters.
const MAX_VALUE: usize = 80;

/// The reason a contract refuses an event, from the atoms its machine asked for.
pub fn reason(
    program: &Program,
    moment: &Moment<'_>,
    asked: &[(usize, Truth)],
    undecidable: bool,
) -> String {
    let mut text = said(program);
    let atoms = program.guarantee.atoms();
    let conditions: Vec<(&Atom, Truth)> = asked
        .iter()
        .filter_map(|(atom, truth)| Some((atoms.get(*atom)?, *truth)))
        .filter(|(atom, _)| !matches!(atom, Atom::Event(_)))
        .collect();
    let unknown = conditions
        .iter()
        .find(|(_, truth)| *truth == Truth::Unknown);
    let settled = conditions
        .iter()
        .rev()
        .find(|(_, truth)| *truth != Truth::Unknown);
    if program.needs_consent && settled.is_none() && unknown.is_none() {
        text.push_str("; ");
        text.push_str(&consent_reason(moment));
    } else if settled.is_some_and(|(atom, truth)| *truth != Truth::True && counts_since_a_yes(atom))
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
        text.push_str(&state_of(moment, atom, *truth));
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
    atom.all_terms().iter().any(|term| match term {
        Term::Count(count) => count.since == Some(EventPredicate::Confirms),
        _ => false,
    })
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
    for term in atom.all_terms() {
        if moment.term(term) != Ground::Unknown {
            continue;
        }
        match term {
            Term::Last(lookup) => {
                let names: Vec<&str> = lookup.tools.names().collect();
                let supplied = moment.look_up(lookup).is_some();
                // A key without a value is the deeper cause; it comes later in the list.
                if lookup
                    .keys
                    .iter()
                    .any(|key| moment.term(&key.value) == Ground::Unknown)
                {
                    continue;
                }
                return if supplied {
                    format!(": the result of {} has no such field", joined(&names))
                } else {
                    format!(
                        ": no result of {} tells it; call {} first",
                        joined(&names),
                        joined(&names)
                    )
                };
            }
            Term::Arg(_) => return format!(": the call has no `{term}`"),
            Term::Context(_) => return format!(": the host gave no `{term}`"),
            _ => {}
        }
    }
    ": a value it needs is unknown or of another kind".to_owned()
}

fn joined(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}

/// An atom's truth and the values that made it so.
fn state_of(moment: &Moment<'_>, atom: &Atom, truth: Truth) -> String {
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
