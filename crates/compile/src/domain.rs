//! Whether a demand can hold, and whether it can be broken, given the values
//! that arguments and counters can have at all.
//!
//! A condition is a Boolean combination of comparisons of few quantities with
//! constants. Every combination of truth values that the comparisons of one
//! quantity can have is realised by one of finitely many values: the schema's
//! list, or the constants, their neighbours and the points between. So trying
//! those is exact for the comparisons, and everything else (facts compared with
//! each other, temporal parts) is left free, which errs towards 'can happen'.

mod points;

use crate::occurrence::{Sign, Signed, signed};
use crate::schema;
use lictor_contract::catalog::Tool;
use lictor_contract::language::compile_pattern;
use lictor_contract::predicate::{Atom, CompareOp, Formula, Path, Term};
use lictor_contract::value::Value;
use points::{Points, points};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Most assignments that are tried before the answer is 'can happen'.
const MAX_ASSIGNMENTS: usize = 100_000;

/// What the declared domains say about a demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Some call keeps it.
    pub can_hold: bool,
    /// Some call breaks it.
    pub can_break: bool,
    /// Some call would break it if arguments could have any value.
    pub could_break_without_domains: bool,
    /// Comparisons that the declared domain decides by itself, with their truth.
    pub decided: Vec<(Atom, bool)>,
}

/// Judges a demand at the calls of a tool. The values of `ids` have several
/// spellings, so nothing is said of them.
pub fn judge(demand: &Formula, tool: &Tool, ids: &BTreeSet<String>) -> Verdict {
    let negated = Formula::not(demand.clone());
    let (Ok(holds), Ok(breaks)) = (signed(demand), signed(&negated)) else {
        return Verdict {
            can_hold: true,
            can_break: true,
            could_break_without_domains: true,
            decided: Vec::new(),
        };
    };
    Verdict {
        can_hold: Search::new(&holds, Some(tool), ids).satisfiable(&holds),
        can_break: Search::new(&breaks, Some(tool), ids).satisfiable(&breaks)
            || Search::new(&holds, Some(tool), ids).refutable(&holds),
        could_break_without_domains: Search::new(&breaks, None, ids).satisfiable(&breaks),
        decided: decided(demand, tool, ids),
    }
}

/// The quantity that an atom compares, if its values have one spelling each.
fn compared<'a>(atom: &'a Atom, ids: &BTreeSet<String>) -> Option<&'a Term> {
    quantity(atom).filter(|term| !holds_id(term, ids))
}

fn holds_id(term: &Term, ids: &BTreeSet<String>) -> bool {
    let name = term.path().and_then(Path::last_field);
    name.is_some_and(|name| ids.contains(name))
}

/// The comparisons over arguments with a declared domain that have one truth
/// value over all of it.
fn decided(demand: &Formula, tool: &Tool, ids: &BTreeSet<String>) -> Vec<(Atom, bool)> {
    let mut found = Vec::new();
    for atom in demand.atoms() {
        if impossible_member(atom, tool, ids) {
            found.push((atom.clone(), false));
            continue;
        }
        let Some(quantity) = compared(atom, ids) else {
            continue;
        };
        if matches!(atom, Atom::Known(_)) {
            continue;
        }
        let points = points(quantity, BTreeSet::from([atom]), Some(tool));
        if !points.declared {
            continue;
        }
        let truths: BTreeSet<Option<bool>> = points
            .values
            .iter()
            .map(|value| truth(atom, Some(value)))
            .collect();
        // A list of constants that is the schema's own repeats it and is no slip.
        let repeats = |truth: bool| truth && matches!(atom, Atom::In(..));
        // Of an argument that may be absent such a condition demands that it is there.
        let demands = |truth: bool| truth && points.may_be_absent();
        if let (1, Some(Some(truth))) = (truths.len(), truths.first().copied())
            && !repeats(truth)
            && !demands(truth)
        {
            found.push((atom.clone(), truth));
        }
    }
    found
}

/// Whether the atom asks a list of arguments for an element that its schema
/// excludes. Several elements may be in one list, so this is judged atom by
/// atom and not by trying values.
fn impossible_member(atom: &Atom, tool: &Tool, ids: &BTreeSet<String>) -> bool {
    let (list, Term::Constant(constant)) = (match atom {
        Atom::Contains(list, constant) | Atom::In(constant, list) => (list, constant),
        _ => return false,
    }) else {
        return false;
    };
    if points::is_time(constant) || holds_id(list, ids) {
        return false;
    }
    points::element(list, tool)
        .and_then(schema::finite)
        .is_some_and(|domain| !domain.contains(constant))
}

/// The one quantity that an atom compares with constants; none if it does
/// something else.
pub(crate) fn quantity(atom: &Atom) -> Option<&Term> {
    match atom {
        Atom::Compare(_, Term::Constant(_), Term::Constant(_)) => None,
        Atom::Compare(_, term, Term::Constant(_))
        | Atom::Compare(_, Term::Constant(_), term)
        | Atom::In(term, Term::Constant(Value::List(_)))
        | Atom::Matches(term, _)
        | Atom::Known(term) => (!matches!(term, Term::Constant(_))).then_some(term),
        _ => None,
    }
}

/// Truth of an atom when its quantity has this value, or none; unknown where
/// the kinds do not fit.
fn truth(atom: &Atom, value: Option<&Value>) -> Option<bool> {
    if let Atom::Known(_) = atom {
        return Some(value.is_some());
    }
    let value = value?;
    match atom {
        Atom::Compare(op, Term::Constant(constant), _) => compare(*op, constant, value),
        Atom::Compare(op, _, Term::Constant(constant)) => compare(*op, value, constant),
        Atom::In(_, Term::Constant(Value::List(list))) => {
            let equal: Vec<Option<bool>> = list.iter().map(|item| item.equals(value)).collect();
            if equal.contains(&Some(true)) {
                Some(true)
            } else if equal.contains(&None) {
                None
            } else {
                Some(false)
            }
        }
        Atom::Matches(_, pattern) => {
            let Value::Text(text) = value else {
                return None;
            };
            compile_pattern(pattern)
                .ok()
                .map(|regex| regex.is_match(text))
        }
        _ => None,
    }
}

fn compare(op: CompareOp, left: &Value, right: &Value) -> Option<bool> {
    // A rule that writes null out asks whether there is another value.
    if [left, right].contains(&&Value::Null) {
        return match op {
            CompareOp::Equal => Some(left == right),
            CompareOp::NotEqual => Some(left != right),
            _ => None,
        };
    }
    match op {
        CompareOp::Equal => left.equals(right),
        CompareOp::NotEqual => left.equals(right).map(|equal| !equal),
        CompareOp::Less => left.order(right).map(Ordering::is_lt),
        CompareOp::LessOrEqual => left.order(right).map(Ordering::is_le),
        CompareOp::Greater => left.order(right).map(Ordering::is_gt),
        CompareOp::GreaterOrEqual => left.order(right).map(Ordering::is_ge),
    }
}

/// The variables of one formula and their choices.
struct Search<'a> {
    quantities: Vec<(&'a Term, Points)>,
    /// Atoms and temporal parts that may be either.
    free: Vec<Free<'a>>,
    tool: Option<&'a Tool>,
    ids: &'a BTreeSet<String>,
    exact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Free<'a> {
    Atom(&'a Atom),
    Temporal(&'a Signed),
}

impl<'a> Search<'a> {
    fn new(formula: &'a Signed, tool: Option<&'a Tool>, ids: &'a BTreeSet<String>) -> Self {
        let mut by_quantity: BTreeMap<&Term, BTreeSet<&Atom>> = BTreeMap::new();
        let mut free = BTreeSet::new();
        let mut open = vec![formula];
        while let Some(part) = open.pop() {
            match part {
                Signed::True | Signed::False => {}
                Signed::And(parts) | Signed::Or(parts) => open.extend(parts),
                Signed::Atom(Sign { atom, .. }) => match compared(atom, ids) {
                    Some(term) => {
                        by_quantity.entry(term).or_default().insert(atom);
                    }
                    None => {
                        free.insert(Free::Atom(atom));
                    }
                },
                temporal => {
                    free.insert(Free::Temporal(temporal));
                }
            }
        }
        let mut quantities = Vec::new();
        for (term, atoms) in by_quantity {
            let points = points(term, atoms.clone(), tool);
            if points.usable {
                quantities.push((term, points));
            } else {
                free.extend(atoms.into_iter().map(Free::Atom));
            }
        }
        let mut count: usize = 1;
        for (_, points) in &quantities {
            count = count.saturating_mul(points.choices());
        }
        for _ in &free {
            count = count.saturating_mul(2);
        }
        Search {
            quantities,
            free: free.into_iter().collect(),
            tool,
            ids,
            exact: count <= MAX_ASSIGNMENTS,
        }
    }

    /// Whether some assignment makes the formula hold; true if there are too
    /// many to try.
    fn satisfiable(&self, formula: &Signed) -> bool {
        self.some(formula, true)
    }

    /// Whether under some assignment the formula is not known to hold, which
    /// refuses a call; true if there are too many to try.
    fn refutable(&self, formula: &Signed) -> bool {
        self.some(formula, false)
    }

    fn some(&self, formula: &Signed, wanted: bool) -> bool {
        if !self.exact {
            return true;
        }
        let sizes: Vec<usize> = self
            .quantities
            .iter()
            .map(|(_, points)| points.choices())
            .chain(self.free.iter().map(|_| 2))
            .collect();
        let mut choice = vec![0; sizes.len()];
        loop {
            if self.holds(formula, &choice) == wanted {
                return true;
            }
            // Count up, the first place fastest.
            let mut carried = true;
            for (digit, size) in choice.iter_mut().zip(&sizes) {
                *digit += 1;
                if *digit < *size {
                    carried = false;
                    break;
                }
                *digit = 0;
            }
            if carried {
                return false;
            }
        }
    }

    fn holds(&self, formula: &Signed, choice: &[usize]) -> bool {
        match formula {
            Signed::True => true,
            Signed::False => false,
            Signed::And(parts) => parts.iter().all(|part| self.holds(part, choice)),
            Signed::Or(parts) => parts.iter().any(|part| self.holds(part, choice)),
            Signed::Atom(Sign { atom, positive }) => self.literal(atom, choice) == Some(*positive),
            temporal => self.chosen(Free::Temporal(temporal), choice),
        }
    }

    fn literal(&self, atom: &Atom, choice: &[usize]) -> Option<bool> {
        let place = compared(atom, self.ids)
            .and_then(|term| self.quantities.iter().position(|(other, _)| *other == term));
        match place {
            Some(place) => {
                let (_, points) = self.quantities.get(place)?;
                let value = points.value(*choice.get(place)?);
                truth(atom, value)
            }
            None if self
                .tool
                .is_some_and(|tool| impossible_member(atom, tool, self.ids)) =>
            {
                Some(false)
            }
            None => Some(self.chosen(Free::Atom(atom), choice)),
        }
    }

    fn chosen(&self, wanted: Free<'_>, choice: &[usize]) -> bool {
        let place = self.free.iter().position(|free| match (free, wanted) {
            (Free::Atom(a), Free::Atom(b)) => **a == *b,
            (Free::Temporal(a), Free::Temporal(b)) => **a == *b,
            _ => false,
        });
        place.and_then(|place| choice.get(self.quantities.len() + place)) == Some(&1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::catalog::Catalog;
    use lictor_contract::language::{Mode, parse_formula};

    fn catalog() -> Catalog {
        Catalog::from_json(
            r#"[{"name": "refund", "parameters": {"properties": {
                "amount": {"type": "number", "minimum": 0, "maximum": 1000},
                "pieces": {"type": "integer"},
                "tier": {"enum": ["basic", "gold"]},
                "rush": {"type": "boolean"},
                "note": {"type": "string"},
                "carrier": {"enum": ["a", "b"]},
                "code": {"enum": ["A 1", "B2"]},
                "day": {"enum": ["2026-04-03", "2026-04-04"]},
                "approver": {"type": "string", "minLength": 1},
                "items": {"type": "array", "maxItems": 5, "items": {"enum": ["x", "y"]}}},
              "required": ["amount", "tier", "rush", "note", "pieces", "items"]}}]"#,
        )
        .unwrap()
    }

    /// `can_hold`, `can_break`, `could_break_without_domains` as three letters.
    #[track_caller]
    fn check(text: &str, expected: &str, decided: usize) {
        let catalog = catalog();
        let demand = parse_formula(text, Mode::Strict).unwrap().value;
        let ids = BTreeSet::from(["code".to_owned()]);
        let verdict = judge(&demand, catalog.get("refund").unwrap(), &ids);
        let letter = |truth: bool| if truth { 'y' } else { 'n' };
        let letters: String = [
            verdict.can_hold,
            verdict.can_break,
            verdict.could_break_without_domains,
        ]
        .map(letter)
        .iter()
        .collect();
        assert_eq!(letters, expected, "{text}");
        assert_eq!(verdict.decided.len(), decided, "{text}");
    }

    #[test]
    fn enumerations_decide() {
        check(r#"arg.tier == "gold""#, "yyy", 0);
        check(r#"arg.tier == "platinum""#, "nyy", 1);
        check(r#"arg.tier != "platinum""#, "yny", 1);
        check(r#"arg.tier in ["basic", "gold"]"#, "yny", 0);
        check(r#"arg.tier == "basic" | arg.tier == "gold""#, "yny", 0);
        check(r#"arg.tier == "basic" & arg.tier == "gold""#, "nyy", 0);
        check("arg.rush == true | arg.rush == false", "ynn", 0);
        check(r#"arg.tier matches /plat/"#, "nyy", 1);
    }

    #[test]
    fn bounds_decide() {
        check("arg.amount <= 5000", "yny", 1);
        check("arg.amount > 1000", "nyy", 1);
        check("arg.amount >= 1000", "yyy", 0);
        check("!(arg.amount > 10 & arg.amount < 5)", "ynn", 0);
        check("arg.pieces > 4 & arg.pieces < 5", "nyy", 0);
        check("arg.amount > 4 & arg.amount < 5", "yyy", 0);
        check("len(arg.items) <= 5", "yny", 1);
        check("len(arg.items) < 5", "yyy", 0);
        check("count(ok(refund)) < 0", "nyy", 0);
        check("turn.calls < 1", "nyy", 0);
    }

    #[test]
    fn absent_arguments_and_facts_stay_possible() {
        check(r#"arg.carrier == "c""#, "nyy", 1);
        check(r#"known(arg.carrier) -> arg.carrier == "c""#, "yyy", 1);
        check("!known(arg.carrier)", "yyy", 0);
        check("known(arg.tier)", "yny", 0);
        check("last(refund).x == 1 | arg.amount < 0", "yyy", 1);
        check(r#"arg.note == "a" & arg.note == "b""#, "nyy", 0);
        check(r#"arg.note != "a""#, "yyy", 0);
    }

    #[test]
    fn times_are_left_to_the_session() {
        check(r#"arg.day == "2026-04-03T00:00:00""#, "yyy", 0);
        check(
            r#"arg.note < "2026-04-03T10:00:00-05:00" & arg.note > "2026-04-03T12:00:00Z""#,
            "yyy",
            0,
        );
        check(
            r#"arg.note == "2026-04-03" & arg.note == "2026-04-03T08:00""#,
            "yyy",
            0,
        );
    }

    #[test]
    fn null_differs_from_every_other_value() {
        check("last(refund).x == null", "yyy", 0);
        check("last(refund).x != null", "yyy", 0);
    }

    #[test]
    fn ids_have_several_spellings() {
        check(r#"arg.code == "A1""#, "yyy", 0);
        check(r#"arg.code == "b2" & arg.code == "B 2""#, "yyy", 0);
    }

    #[test]
    fn elements_of_lists_have_domains_too() {
        check(r#"arg.items contains "z""#, "nyy", 1);
        check(r#"!(arg.items contains "x")"#, "yyy", 0);
        check(
            r#"arg.items contains "x" & arg.items contains "y""#,
            "yyy",
            0,
        );
    }

    #[test]
    fn a_condition_on_an_argument_that_may_be_absent_demands_it() {
        // Whoever leaves the argument out does not meet it, whatever its schema.
        check("len(arg.approver) > 0", "yyy", 0);
        check("len(arg.approver) < 1", "nyy", 1);
    }
}
