//! `unguarded-optional`: a rule reads an argument that a call may leave out,
//! without asking first whether it is there.
//!
//! The value of an absent argument is unknown, and an unknown demand does not
//! hold, so every call without the argument would be refused. The repair makes
//! the clause apply only where the argument is present. A demand that is itself
//! about presence (`known`, `!= ""`, `len(…) > 0`) is left alone: guarded, it
//! would demand nothing any more.

use crate::domain::quantity;
use crate::finding::{Finding, Remedy};
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::{Part, demand};
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Atom, CompareOp, Formula, Path, Term};
use lictor_contract::rule::ConfirmationReading;
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    part.rules()
        .into_iter()
        .flat_map(|(bound, rule)| {
            let demanded = demand(&rule);
            let obligation = rule.obligation(ConfirmationReading::PerAction);
            let mut found: BTreeMap<String, BTreeSet<Term>> = BTreeMap::new();
            for formula in [&obligation.guarantee, &obligation.assumption] {
                for (tool, term) in optional_reads(formula, catalog) {
                    found.entry(tool).or_default().insert(term);
                }
            }
            found.into_iter().map(move |(tool, terms)| {
                finding(bound.filter(|_| demanded.is_some()), &tool, terms)
            })
        })
        .collect()
}

fn finding(bound: Option<&str>, tool: &str, terms: BTreeSet<Term>) -> Finding {
    let names: Vec<String> = terms.iter().map(|term| format!("`{term}`")).collect();
    let names = names.join(", ");
    let message =
        format!("a call of `{tool}` may leave out {names}, and the rule would then refuse it");
    if bound == Some(tool) {
        let remedy = Remedy::Guard(tool.to_owned(), terms);
        return Finding::new(Code::UnguardedOptional, remedy, message, "").with_done(format!(
            "the rule applies to `{tool}` only where {names} is present"
        ));
    }
    let help = "put the part that reads it under `known(…) ->`";
    Finding::new(Code::UnguardedOptional, Remedy::Note, message, help)
}

/// The argument terms that a call may leave out and that nothing guards, with
/// the tool whose call it is.
fn optional_reads(formula: &Formula, catalog: &Catalog) -> Vec<(String, Term)> {
    let Ok(signed) = signed(formula) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for occurrence in occurrences(&signed) {
        if matches!(occurrence.sign.atom, Atom::Known(_)) || asks_for_presence(&occurrence) {
            continue;
        }
        let terms = occurrence.sign.atom.all_terms();
        let paths = terms.iter().filter_map(|term| match term {
            Term::Arg(path) => Some(path),
            _ => None,
        });
        for path in paths {
            for tool in occurrence
                .context
                .argument_tools()
                .filter_map(|name| catalog.get(name))
            {
                if let Some(optional) = optional(tool, path, &occurrence) {
                    found.push((tool.name.clone(), optional));
                }
            }
        }
    }
    found
}

fn optional(tool: &Tool, path: &Path, occurrence: &Occurrence) -> Option<Term> {
    let reached = schema::reach(tool, path);
    let optional = reached.optional.filter(|_| reached.missing.is_none())?;
    // Knowing the value itself, or anything between, is knowing that it is there.
    let guarded = (optional.0.len()..=path.0.len()).any(|length| {
        let prefix = Path(path.0.iter().take(length).cloned().collect());
        occurrence.context.known.contains(&Term::Arg(prefix))
    });
    (!guarded).then_some(Term::Arg(optional))
}

/// Whether the literal demands that there is something.
fn asks_for_presence(occurrence: &Occurrence) -> bool {
    let Atom::Compare(op, ..) = &occurrence.sign.atom else {
        return false;
    };
    let atom = &occurrence.sign.atom;
    let Some(term) = quantity(atom) else {
        return false;
    };
    let constant = atom.terms().into_iter().find_map(|term| match term {
        Term::Constant(value) => Some(value),
        _ => None,
    });
    let positive = occurrence.sign.positive;
    match (term, constant) {
        (Term::Arg(_), Some(Value::Text(text))) => {
            text.is_empty()
                && (*op
                    == if positive {
                        CompareOp::NotEqual
                    } else {
                        CompareOp::Equal
                    })
        }
        (Term::Len(inner), Some(Value::Number(number))) if matches!(**inner, Term::Arg(_)) => {
            let at_least = |op: CompareOp| match op {
                CompareOp::Greater | CompareOp::NotEqual => number.is_zero(),
                CompareOp::GreaterOrEqual => number.is_integer() && !number.is_zero(),
                _ => false,
            };
            let negated = match op {
                CompareOp::Equal => CompareOp::NotEqual,
                CompareOp::LessOrEqual => CompareOp::Greater,
                CompareOp::Less => CompareOp::GreaterOrEqual,
                other => *other,
            };
            at_least(if positive { *op } else { negated })
        }
        _ => false,
    }
}
