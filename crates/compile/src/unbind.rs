//! Unbind: the same library without some bindings, sealed anew.
//!
//! Preflight flags bindings and not contracts (NOMOS, Table IV), so a contract
//! loses a tool and keeps the others. What is missing from then on is written
//! into the coverage rows: a clause that lost a binding is no longer enforced
//! in full.

use crate::names::quoted;
use crate::seal::meaning_hash;
use lictor_contract::contract::Contract;
use lictor_contract::diagnostic::Code;
use lictor_contract::language::{Mode, SyntaxError, parse_formula, print_formula};
use lictor_contract::library::{Coverage, CoverageRow, Library};
use lictor_contract::predicate::{
    Atom, Count, EventPredicate, Formula, Term, ToolEvent, ToolPattern,
};
use lictor_contract::rule::{Kind, Obligation};
use std::collections::{BTreeMap, BTreeSet};

/// Why bindings cannot be taken out of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnbindError {
    /// A formula of the library cannot be read.
    Unreadable(String, SyntaxError),
    /// Nothing would be left.
    Empty,
}

impl std::fmt::Display for UnbindError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnbindError::Unreadable(contract, error) => {
                write!(out, "the guarantee of {contract} cannot be read: {error}")
            }
            UnbindError::Empty => {
                out.write_str("no contract would be left; look at the flagged bindings one by one")
            }
        }
    }
}

impl std::error::Error for UnbindError {}

/// Removes (contract, tool) bindings. A contract without a tool is dropped, and
/// so is a flagged one that cannot be narrowed: a formula, or a response, which
/// any of its tools answers.
///
/// # Errors
/// [`UnbindError`] if a formula cannot be read or no contract would be left.
pub fn unbind(
    library: &Library,
    bindings: &BTreeSet<(&str, &str)>,
) -> Result<Library, UnbindError> {
    let mut narrowed = library.clone();
    let mut lost: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut contracts = Vec::new();
    for contract in &library.contracts {
        let flagged: BTreeSet<String> = contract
            .bindings
            .iter()
            .filter(|tool| bindings.contains(&(contract.id.as_str(), tool.as_str())))
            .cloned()
            .collect();
        if flagged.is_empty() {
            contracts.push(contract.clone());
            continue;
        }
        contracts.extend(without(contract, &flagged)?);
        lost.insert(contract.id.clone(), flagged);
    }
    if contracts.is_empty() {
        return Err(UnbindError::Empty);
    }
    let left: BTreeSet<&str> = contracts
        .iter()
        .map(|contract| contract.id.as_str())
        .collect();
    narrowed.coverage = library
        .coverage
        .iter()
        .map(|row| reduced(row, &lost, &left))
        .collect();
    narrowed.contracts = contracts;
    Ok(narrowed.with_digest())
}

fn without(
    contract: &Contract,
    flagged: &BTreeSet<String>,
) -> Result<Option<Contract>, UnbindError> {
    let kept = contract
        .bindings
        .iter()
        .filter(|tool| !flagged.contains(*tool));
    let kept: Vec<String> = kept.cloned().collect();
    let fixed = matches!(
        contract.kind,
        Kind::Formula | Kind::Response | Kind::ImmediateResponse
    );
    let (Some(before), Some(after)) = (
        ToolPattern::tools(contract.bindings.iter().cloned()),
        ToolPattern::tools(kept.iter().cloned()),
    ) else {
        return Ok(None);
    };
    if fixed {
        return Ok(None);
    }
    let read = |text: &str| {
        parse_formula(text, Mode::Strict)
            .map(|parsed| parsed.value)
            .map_err(|error| UnbindError::Unreadable(contract.id.clone(), error))
    };
    let obligation = Obligation {
        assumption: read(&contract.assumption)?,
        guarantee: narrow(contract.kind, &read(&contract.guarantee)?, &before, &after),
        for_each: contract.for_each.clone(),
    };
    let mut narrowed = contract.clone();
    narrowed.bindings = kept;
    narrowed.guarantee = print_formula(&obligation.guarantee);
    let (meaning, states) = meaning_hash(&obligation, &narrowed.bindings, &narrowed.strategy);
    narrowed.meaning = meaning;
    narrowed.evidence.states = states;
    narrowed
        .evidence
        .votes
        .retain(|votes| !flagged.contains(&votes.tool));
    narrowed.evidence.repairs.push(format!(
        "{}: the rule no longer guards {}",
        Code::OverBlocking.name(),
        quoted(flagged)
    ));
    Ok(Some(narrowed))
}

/// The guarantee with its guarded tools exchanged. The tools that a condition
/// speaks of on its own account stay, so only kinds that count what they guard
/// are changed behind the guard.
fn narrow(kind: Kind, guarantee: &Formula, before: &ToolPattern, after: &ToolPattern) -> Formula {
    let counts_its_own = matches!(
        kind,
        Kind::Confirmation
            | Kind::Limit
            | Kind::OncePer
            | Kind::MutualExclusion
            | Kind::AbsenceAfter
    );
    match guarantee {
        Formula::Always(inner) if !counts_its_own => Formula::always(match &**inner {
            Formula::Implies(guard, demand) => {
                Formula::implies(exchange(guard, before, after), (**demand).clone())
            }
            other => exchange(other, before, after),
        }),
        other => exchange(other, before, after),
    }
}

fn exchange(formula: &Formula, before: &ToolPattern, after: &ToolPattern) -> Formula {
    let pattern = |tools: &ToolPattern| {
        if tools == before {
            after.clone()
        } else {
            tools.clone()
        }
    };
    formula.map_atoms(|atom| match atom {
        Atom::Event(EventPredicate::Tool(ToolEvent::Call, tools)) => {
            Atom::Event(EventPredicate::Tool(ToolEvent::Call, pattern(tools)))
        }
        Atom::Compare(op, Term::Count(count), bound) => {
            let event = match &count.event {
                EventPredicate::Tool(ToolEvent::Ok, tools) => {
                    EventPredicate::Tool(ToolEvent::Ok, pattern(tools))
                }
                other => other.clone(),
            };
            let count = Count {
                event,
                ..(**count).clone()
            };
            Atom::Compare(*op, Term::Count(Box::new(count)), bound.clone())
        }
        other => other.clone(),
    })
}

fn reduced(
    row: &CoverageRow,
    lost: &BTreeMap<String, BTreeSet<String>>,
    left: &BTreeSet<&str>,
) -> CoverageRow {
    let (contracts, missing) = match &row.coverage {
        Coverage::Enforced { contracts } => (contracts, None),
        Coverage::PartlyEnforced { contracts, missing } => (contracts, Some(missing.clone())),
        _ => return row.clone(),
    };
    let gaps = contracts
        .iter()
        .filter_map(|id| Some((id, lost.get(id)?)))
        .map(|(id, tools)| format!("{id} was unbound from {} after a preflight", quoted(tools)));
    let gaps: Vec<String> = missing.into_iter().chain(gaps).collect();
    let contracts: Vec<String> = contracts
        .iter()
        .filter(|id| left.contains(id.as_str()))
        .cloned()
        .collect();
    let coverage = match (contracts.is_empty(), gaps.is_empty()) {
        (true, _) => Coverage::Missed {
            note: gaps.join("; "),
        },
        (false, true) => Coverage::Enforced { contracts },
        (false, false) => Coverage::PartlyEnforced {
            contracts,
            missing: gaps.join("; "),
        },
    };
    CoverageRow {
        coverage,
        ..row.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: Kind, guarantee: &str, expected: &str) {
        let tools = |names: &[&str]| ToolPattern::tools(names.iter().copied()).unwrap();
        let formula = parse_formula(guarantee, Mode::Strict).unwrap().value;
        let narrowed = narrow(kind, &formula, &tools(&["a", "b"]), &tools(&["a"]));
        assert_eq!(print_formula(&narrowed), expected);
    }

    #[test]
    fn the_guard_loses_the_tool_and_the_condition_does_not() {
        check(
            Kind::Precondition,
            "G (call(a|b) -> count(ok(a|b)) == 0)",
            "G (call(a) -> count(ok(a | b)) == 0)",
        );
        check(Kind::Prohibition, "G !call(a|b)", "G !call(a)");
        check(
            Kind::Confirmation,
            "G (call(a|b) -> !user S confirms & count(ok(a|b), since = confirms) == 0)",
            "G (call(a) -> !user S confirms & count(ok(a), since = confirms) == 0)",
        );
        check(
            Kind::AbsenceAfter,
            "G (ok(c) -> WX G !call(a|b))",
            "G (ok(c) -> WX G !call(a))",
        );
    }

    #[test]
    fn coverage_says_what_is_missing() {
        let row = |coverage| CoverageRow {
            lines: lictor_contract::source::Lines { first: 1, last: 1 },
            text: String::new(),
            coverage,
        };
        let lost = BTreeMap::from([("X-001".to_owned(), BTreeSet::from(["b".to_owned()]))]);
        let enforced = |ids: &[&str]| Coverage::Enforced {
            contracts: ids.iter().map(|id| (*id).to_owned()).collect(),
        };
        let note = "X-001 was unbound from `b` after a preflight".to_owned();
        assert_eq!(
            reduced(&row(enforced(&["X-001"])), &lost, &BTreeSet::new()).coverage,
            Coverage::Missed { note: note.clone() }
        );
        assert_eq!(
            reduced(
                &row(enforced(&["X-001", "X-002"])),
                &lost,
                &BTreeSet::from(["X-001", "X-002"])
            )
            .coverage,
            Coverage::PartlyEnforced {
                contracts: vec!["X-001".into(), "X-002".into()],
                missing: note
            }
        );
        assert_eq!(
            reduced(
                &row(enforced(&["X-002"])),
                &lost,
                &BTreeSet::from(["X-002"])
            )
            .coverage,
            enforced(&["X-002"])
        );
    }
}
