//! Which tools supply what: facts that a demand waits for, and values that a
//! required argument can come from.

use crate::described;
use crate::names::words;
use crate::occurrence::{Sign, Signed};
use crate::reads::needed_terms;
use lictor_contract::catalog::{Catalog, Effect, Tool};
use lictor_contract::predicate::{
    Atom, CompareOp, Count, EventPredicate, Occurrence, Term, ToolPattern,
};
use lictor_contract::value::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Whether a demand could be met if only these tools can be called. Where the
/// answer depends on values, it is yes.
pub fn possible(demand: &Signed, callable: &BTreeSet<String>) -> bool {
    match demand {
        Signed::False => false,
        Signed::True => true,
        Signed::And(parts) => parts.iter().all(|part| possible(part, callable)),
        Signed::Or(parts) => parts.iter().any(|part| possible(part, callable)),
        Signed::Atom(sign) => needs(sign)
            .iter()
            .all(|pattern| pattern.names().any(|name| callable.contains(name))),
        // 'Never so far' asks for nothing.
        Signed::Historically(_) | Signed::Always(_) | Signed::Triggered(..) => true,
        // `a S b` and its kin need `b` to have happened.
        Signed::Since(_, right) | Signed::Until(_, right) => possible(right, callable),
        other => {
            let parts = other.children();
            parts.is_empty() || parts.into_iter().any(|part| possible(part, callable))
        }
    }
}

/// The tools that a demand waits for where it cannot be met without them.
pub fn awaited(demand: &Signed, callable: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![demand];
    while let Some(part) = open.pop() {
        if possible(part, callable) {
            continue;
        }
        if let Signed::Atom(sign) = part {
            for pattern in needs(sign) {
                if !pattern.names().any(|name| callable.contains(name)) {
                    found.extend(pattern.names().map(str::to_owned));
                }
            }
        }
        open.extend(part.children());
    }
    found
}

/// The patterns of which the literal needs a call each, before it can hold.
fn needs(sign: &Sign) -> Vec<&ToolPattern> {
    let mut needed = Vec::new();
    if let Atom::Event(EventPredicate::Tool(_, tools)) = &sign.atom {
        if sign.positive {
            needed.push(tools);
        }
        return needed;
    }
    if matches!(sign.atom, Atom::Known(_)) && !sign.positive {
        return needed;
    }
    if let Some((count, op, bound)) = count_bound(&sign.atom) {
        let at_zero = match op {
            CompareOp::Equal => bound == Ordering::Equal,
            CompareOp::NotEqual => bound != Ordering::Equal,
            CompareOp::Less => bound == Ordering::Less,
            CompareOp::LessOrEqual => bound != Ordering::Greater,
            CompareOp::Greater => bound == Ordering::Greater,
            CompareOp::GreaterOrEqual => bound != Ordering::Less,
        };
        if let EventPredicate::Tool(_, tools) = &count.event
            && at_zero != sign.positive
        {
            needed.push(tools);
        }
    }
    if let (Atom::FromTool(_, tools), true) = (&sign.atom, sign.positive) {
        needed.push(tools);
    }
    for term in needed_terms(&sign.atom) {
        match term {
            // Without an answer, `every` is an empty list.
            Term::Lookup(lookup) if lookup.which != Occurrence::Every => needed.push(&lookup.tools),
            Term::Since(EventPredicate::Tool(_, tools)) => needed.push(tools),
            _ => {}
        }
    }
    needed
}

/// A count compared with a constant: the order of zero against the constant.
fn count_bound(atom: &Atom) -> Option<(&Count, CompareOp, Ordering)> {
    let Atom::Compare(op, left, right) = atom else {
        return None;
    };
    let zero = Value::integer(0);
    match (left, right) {
        (Term::Count(count), Term::Constant(bound)) => Some((count, *op, zero.order(bound)?)),
        (Term::Constant(bound), Term::Count(count)) => {
            let mirrored = match op {
                CompareOp::Less => CompareOp::Greater,
                CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
                CompareOp::Greater => CompareOp::Less,
                CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
                same => *same,
            };
            Some((count, mirrored, zero.order(bound)?))
        }
        _ => None,
    }
}

/// The tools from whose results a required argument can be taken, best first:
/// those named after it, then by name. Empty if the user has to say it, as far
/// as descriptions tell.
pub fn sources<'a>(catalog: &'a Catalog, argument: &str) -> Vec<&'a Tool> {
    let wanted: BTreeSet<String> = words(argument)
        .into_iter()
        .filter(|word| !matches!(word.as_str(), "id" | "number" | "no"))
        .collect();
    let required = |tool: &Tool| {
        tool.parameters
            .get(argument)
            .is_some_and(|parameter| parameter.required)
    };
    let named_after = |tool: &Tool| !wanted.is_empty() && words(&tool.name).is_superset(&wanted);
    let mut found: Vec<&Tool> = catalog
        .tools()
        .filter(|tool| !required(tool) && described::fields(catalog, tool).contains(argument))
        .collect();
    found.sort_by_key(|tool| {
        (
            !named_after(tool),
            tool.effect == Some(Effect::Write),
            tool.id.clone(),
        )
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occurrence::signed;
    use lictor_contract::language::{Mode, parse_formula};

    #[track_caller]
    fn check(text: &str, callable: &[&str], expected: &[&str]) {
        let demand = signed(&parse_formula(text, Mode::Strict).unwrap().value).unwrap();
        let callable = callable.iter().map(|name| (*name).to_owned()).collect();
        let awaited: Vec<String> = awaited(&demand, &callable).into_iter().collect();
        assert_eq!(awaited, expected, "{text}");
        assert_eq!(possible(&demand, &callable), expected.is_empty());
    }

    #[test]
    fn a_demand_waits_for_what_it_counts_or_looks_up() {
        check("count(ok(a)) > 0", &[], &["a"]);
        check("0 < count(ok(a))", &[], &["a"]);
        check("count(ok(a)) > 0", &["a"], &[]);
        check("count(ok(a)) == 0", &[], &[]);
        check("count(ok(a)) < 3", &[], &[]);
        check("!(count(ok(a)) < 1)", &[], &["a"]);
        check("count(ok(a|b)) >= 1", &[], &["a", "b"]);
        check("last(a).x == 1 | last(b).x == 2", &["b"], &[]);
        check("last(a).x == 1 & count(ok(b)) > 0", &["b"], &["a"]);
        check("O ok(a)", &[], &["a"]);
        check("!known(last(a).x)", &[], &[]);
        check("!user S confirms", &[], &[]);
        check("since(ok(a)) < 24h", &[], &["a"]);
        check("from_tool(arg.x, a) & !from_tool(arg.x, b)", &[], &["a"]);
        check("any(last(a).x as x, x == last(b).y)", &[], &["a"]);
        check(
            "all(every(a) as x, x.y == 1) & len(every(a)) == 0",
            &[],
            &[],
        );
        check("sum(ok(a), arg.x, k = last(b).y) < 3", &[], &["b"]);
    }
}
