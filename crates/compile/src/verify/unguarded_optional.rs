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
use crate::instances;
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::{Part, demand};
use crate::reads::{Read, reads};
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Atom, CompareOp, EventPredicate, Formula, Function, Path, Term};
use lictor_contract::rule::{ConfirmationReading, Rule};
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
            let reads = found.into_iter().map(move |(tool, terms)| {
                finding(bound.filter(|_| demanded.is_some()), &tool, terms)
            });
            let more = parameters(&rule, catalog).into_iter();
            let sums = summed(&obligation.guarantee, catalog);
            reads.chain(more).chain(sums).collect::<Vec<_>>()
        })
        .collect()
}

/// What is summed although a counted call may leave it out. The sum is then
/// unknown for the rest of the session, and no guard at this call helps.
fn summed(formula: &Formula, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = Vec::new();
    for atom in formula.atoms() {
        for term in atom.all_terms() {
            let Term::Total(count, amount) = term else {
                continue;
            };
            let EventPredicate::Tool(_, tools) = &count.event else {
                continue;
            };
            for read in reads(&Atom::Known((**amount).clone())) {
                for tool in tools.names().filter_map(|name| catalog.get(name)) {
                    let reached = schema::reach(tool, &read.path);
                    let Some(optional) = reached.optional.filter(|_| reached.missing.is_none())
                    else {
                        continue;
                    };
                    findings.push(Finding::new(
                        Code::UnguardedOptional,
                        Remedy::Note,
                        format!(
                            "a call of `{}` may leave out `{}`, and the sum would then be unknown from there on",
                            tool.id,
                            Term::Arg(optional)
                        ),
                        "sum what every call carries, or give the argument a default",
                    ));
                }
            }
        }
    }
    findings
}

/// A call that leaves out a parameter of the rule belongs to an instance that
/// nobody can tell.
fn parameters(rule: &Rule, catalog: &Catalog) -> Vec<Finding> {
    let found = instances::optional(rule, catalog).into_iter();
    let findings = found.map(|(tool, parameter)| {
        Finding::new(
            Code::UnguardedOptional,
            Remedy::Note,
            format!(
                "a call of `{tool}` may leave out `{parameter}`, and the rule, which stands for each, would then refuse it"
            ),
            "name in `for_each` what every call carries",
        )
    });
    findings.collect()
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
        if asks_for_presence(&occurrence) {
            continue;
        }
        let reads = reads(&occurrence.sign.atom).into_iter();
        for read in reads.filter(|read| !read.asked) {
            for tool in occurrence
                .context
                .argument_tools()
                .filter_map(|name| catalog.get(name))
            {
                if let Some(optional) = optional(tool, &read, &occurrence) {
                    found.push((tool.id.clone(), optional));
                }
            }
        }
    }
    found
}

fn optional(tool: &Tool, read: &Read, occurrence: &Occurrence) -> Option<Term> {
    let path = &read.path;
    let reached = schema::reach(tool, path);
    let optional = reached.optional.filter(|_| reached.missing.is_none())?;
    // Knowing the value itself, or anything between, is knowing that it is there.
    let guarded = (optional.0.len()..=path.0.len()).any(|length| {
        let prefix = Term::Arg(Path(path.0.iter().take(length).cloned().collect()));
        occurrence.context.known.contains(&prefix) || read.known.contains(&prefix)
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
        (Term::Apply(Function::Len, inner), Some(Value::Number(number)))
            if matches!(**inner, Term::Arg(_)) =>
        {
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
