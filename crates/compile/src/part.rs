//! A part of a rule: one demand, kept apart for each tool it guards.
//!
//! A precondition `A & B` is two preconditions, a prohibition of `A | B` two
//! prohibitions, and a confirmation that wants details named is a confirmation
//! and one demand for each detail. Rules are split so before anything else,
//! because samples word the same clause as one rule or as several, and because
//! a defect in `A` for one tool says nothing about `B`.
//!
//! Each tool has a body of its own, since a repair may concern one tool alone.

use lictor_contract::predicate::{
    Atom, CompareOp, EventPredicate, Formula, Path, Term, ToolEvent, ToolPattern,
};
use lictor_contract::rule::{Body, ConfirmationReading, Rule};
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Most parts that one rule is split into; a longer list stays together.
const MAX_PARTS: usize = 16;

/// The tools that a part guards, each with the slots as they hold for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The part means the conjunction of its bindings.
    Each(BTreeMap<String, Body>),
    /// The part only has a meaning as a whole: a formula, or a response, which
    /// any one of its tools answers.
    Whole(Box<Rule>),
}

/// One demand of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// What it demands, of which tools.
    pub scope: Scope,
    /// Whether the author guarded every tool there is.
    pub wildcard: bool,
    /// Arguments for each of whose values it is a demand of its own.
    pub for_each: Vec<String>,
}

/// Whether a rule of this body means the conjunction of its bindings.
pub fn is_divisible(body: &Body) -> bool {
    !matches!(
        body,
        Body::Formula { .. } | Body::Response { .. } | Body::ImmediateResponse { .. }
    )
}

impl Part {
    /// The rule of each binding; a whole part is one rule without a tool.
    pub fn rules(&self) -> Vec<(Option<&str>, Rule)> {
        let parametric = |rule: Rule| Rule {
            for_each: self.for_each.clone(),
            ..rule
        };
        match &self.scope {
            Scope::Each(bodies) => bodies
                .iter()
                .map(|(tool, body)| (Some(tool.as_str()), parametric(bind(tool, body))))
                .collect(),
            Scope::Whole(rule) => vec![(None, parametric((**rule).clone()))],
        }
    }

    /// The guarded tools in order.
    #[cfg(test)]
    pub fn tools(&self) -> BTreeSet<String> {
        match &self.scope {
            Scope::Each(bodies) => bodies.keys().cloned().collect(),
            Scope::Whole(rule) => rule.tools.names().map(str::to_owned).collect(),
        }
    }

    /// Any one of its bodies; none if it guards nothing.
    pub fn body(&self) -> Option<&Body> {
        match &self.scope {
            Scope::Each(bodies) => bodies.values().next(),
            Scope::Whole(rule) => Some(&rule.body),
        }
    }

    /// Whether anything is left of it.
    pub fn is_empty(&self) -> bool {
        matches!(&self.scope, Scope::Each(bodies) if bodies.is_empty())
    }
}

/// The rule of one binding, parameters left out.
pub fn bind(tool: &str, body: &Body) -> Rule {
    Rule {
        tools: ToolPattern::tool(tool),
        body: body.clone(),
        for_each: Vec::new(),
    }
}

/// What a rule demands at each call of its tools, for kinds that demand
/// something there: `c` where the guarantee is `G (call(T) -> c)`.
pub fn demand(rule: &Rule) -> Option<Formula> {
    if matches!(rule.body, Body::Formula { .. }) {
        return None;
    }
    match rule.obligation(ConfirmationReading::PerAction).guarantee {
        Formula::Always(inner) => match *inner {
            Formula::Implies(_, demand) if is_gate(&rule.body) => Some(*demand),
            Formula::Not(_) if is_gate(&rule.body) => Some(Formula::False),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the kind demands something at the call itself.
fn is_gate(body: &Body) -> bool {
    matches!(
        body,
        Body::Precondition { .. }
            | Body::Prohibition { .. }
            | Body::Precedence { .. }
            | Body::Confirmation { .. }
            | Body::Limit { .. }
            | Body::OncePer { .. }
    )
}

/// Splits the slots of one binding into independent demands.
pub fn split(body: &Body) -> Vec<Body> {
    match body {
        Body::Precondition { condition } => {
            let parts = conjuncts(condition);
            each_or_all(parts, condition, |condition| Body::Precondition {
                condition,
            })
        }
        Body::Prohibition {
            condition: Some(condition),
        } => {
            let parts = disjuncts(condition);
            each_or_all(parts, condition, |condition| Body::Prohibition {
                condition: Some(condition),
            })
        }
        Body::Confirmation { listed } if !listed.is_empty() => {
            let named = listed.iter().map(|term| Body::Precondition {
                condition: Formula::Atom(Atom::Listed(term.clone())),
            });
            std::iter::once(Body::Confirmation { listed: Vec::new() })
                .chain(named)
                .collect()
        }
        _ => vec![body.clone()],
    }
}

fn each_or_all(parts: Vec<Formula>, whole: &Formula, wrap: impl Fn(Formula) -> Body) -> Vec<Body> {
    if parts.len() < 2 || parts.len() > MAX_PARTS {
        return vec![wrap(whole.clone())];
    }
    parts.into_iter().map(wrap).collect()
}

/// The formulas whose conjunction the formula is. A part that stands beside
/// `known(t)` keeps that as its premise, so that it says on its own where it
/// applies; the demand `known(t)` itself is another part.
fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::And(parts) => {
            let parts: Vec<Formula> = parts.iter().flat_map(conjuncts).collect();
            under_known(parts, true)
        }
        Formula::Implies(premise, conclusion) => conjuncts(conclusion)
            .into_iter()
            .map(|part| Formula::implies((**premise).clone(), part))
            .collect(),
        Formula::Not(inner) => disjuncts(inner).into_iter().map(negated).collect(),
        _ => vec![formula.clone()],
    }
}

/// The formulas whose disjunction the formula is.
fn disjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Or(parts) => parts.iter().flat_map(disjuncts).collect(),
        Formula::And(parts) => {
            // `p & (a | b)` forbids `p & a` and `p & b`; one alternative at most is spread out.
            // Each operand is taken apart once, so that deep nesting stays cheap.
            let spread = parts
                .iter()
                .map(disjuncts)
                .enumerate()
                .find(|(_, options)| options.len() > 1);
            let Some((at, options)) = spread else {
                return vec![formula.clone()];
            };
            options
                .into_iter()
                .map(|option| {
                    let chosen = parts.iter().enumerate().map(|(index, part)| {
                        if index == at {
                            option.clone()
                        } else {
                            part.clone()
                        }
                    });
                    Formula::and(chosen)
                })
                .collect()
        }
        Formula::Not(inner) => conjuncts(inner).into_iter().map(negated).collect(),
        _ => vec![formula.clone()],
    }
}

fn negated(formula: Formula) -> Formula {
    match formula {
        Formula::Not(inner) => *inner,
        other => Formula::not(other),
    }
}

fn under_known(parts: Vec<Formula>, demanded: bool) -> Vec<Formula> {
    let known: Vec<Term> = parts
        .iter()
        .filter_map(|part| match part {
            Formula::Atom(Atom::Known(term)) if demanded => Some(term.clone()),
            _ => None,
        })
        .collect();
    parts
        .into_iter()
        .map(|part| {
            let premises: Vec<Formula> = known
                .iter()
                .filter(|term| {
                    mentions(&part, term) && part != Formula::Atom(Atom::Known((*term).clone()))
                })
                .map(|term| Formula::Atom(Atom::Known(term.clone())))
                .collect();
            if premises.is_empty() {
                part
            } else {
                Formula::implies(Formula::and(premises), part)
            }
        })
        .collect()
}

/// Whether a formula speaks of a term, or of a part of an argument.
fn mentions(formula: &Formula, term: &Term) -> bool {
    let within = |inner: &Term| match (inner, term) {
        (Term::Arg(inner), Term::Arg(outer)) => inner.0.starts_with(&outer.0),
        _ => inner == term,
    };
    formula
        .atoms()
        .iter()
        .any(|atom| atom.all_terms().into_iter().any(within))
}

/// Puts what a binding demands of the terms under the premise that they are
/// known; its other demands stay as they are. Where a kind has no slot for that,
/// it becomes the precondition that it means.
pub fn guarded(tool: &str, body: &Body, terms: &BTreeSet<Term>) -> Body {
    match body {
        Body::Prohibition {
            condition: Some(condition),
        } => {
            let parts = disjuncts(condition);
            let concerned = |part: &Formula| terms.iter().any(|term| mentions(part, term));
            let under = |part: Formula| Formula::and([known(terms), part]);
            let condition = if parts.iter().all(concerned) {
                under(condition.clone())
            } else {
                Formula::or(
                    parts
                        .into_iter()
                        .map(|part| if concerned(&part) { under(part) } else { part }),
                )
            };
            Body::Prohibition {
                condition: Some(condition),
            }
        }
        Body::Precondition { condition } => Body::Precondition {
            condition: demand_under_known(condition, terms),
        },
        _ => match demand(&bind(tool, body)) {
            Some(demand) => Body::Precondition {
                condition: demand_under_known(&demand, terms),
            },
            None => body.clone(),
        },
    }
}

fn demand_under_known(demand: &Formula, terms: &BTreeSet<Term>) -> Formula {
    let concerned = |part: &Formula| terms.iter().any(|term| mentions(part, term));
    let under = |part: Formula| Formula::implies(known(terms), part);
    let parts = conjuncts(demand);
    if parts.iter().all(concerned) {
        return under(demand.clone());
    }
    Formula::and(
        parts
            .into_iter()
            .map(|part| if concerned(&part) { under(part) } else { part }),
    )
}

fn known(terms: &BTreeSet<Term>) -> Formula {
    Formula::and(
        terms
            .iter()
            .map(|term| Formula::Atom(Atom::Known(term.clone()))),
    )
}

/// A formula written by hand that is a precondition in disguise, with the
/// tools it guards: `G (call(T) -> c)`, or `G !call(T)`.
pub fn as_gate(rule: &Rule) -> Option<Rule> {
    let Body::Formula {
        assumption: Formula::True,
        guarantee: Formula::Always(inner),
    } = &rule.body
    else {
        return None;
    };
    let call = |formula: &Formula| match formula {
        Formula::Atom(Atom::Event(EventPredicate::Tool(ToolEvent::Call, tools))) => {
            Some(tools.clone())
        }
        _ => None,
    };
    match &**inner {
        Formula::Implies(premise, condition) => Some(Rule {
            tools: call(premise)?,
            body: Body::Precondition {
                condition: (**condition).clone(),
            },
            for_each: rule.for_each.clone(),
        }),
        Formula::Not(banned) => Some(Rule {
            tools: call(banned)?,
            body: Body::Prohibition { condition: None },
            for_each: rule.for_each.clone(),
        }),
        _ => None,
    }
}

/// Comparisons of an argument with null ask whether it is given. Where null is
/// itself a value that a call may give, as `nullable` says, both are asked.
pub fn null_as_absence(formula: &Formula, nullable: &dyn Fn(&Path) -> bool) -> Formula {
    formula.substitute(&mut |atom| {
        let same = || Formula::Atom(atom.clone());
        let (Atom::Compare(op, Term::Constant(Value::Null), term)
        | Atom::Compare(op, term, Term::Constant(Value::Null))) = atom
        else {
            return same();
        };
        let Term::Arg(path) = term else {
            return same();
        };
        let known = Formula::Atom(Atom::Known(term.clone()));
        match (op, nullable(path)) {
            (CompareOp::NotEqual, false) => known,
            (CompareOp::NotEqual, true) => Formula::and([known, same()]),
            (CompareOp::Equal, false) => Formula::not(known),
            (CompareOp::Equal, true) => Formula::or([Formula::not(known), same()]),
            _ => same(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::language::{Mode, parse_formula, print_formula};

    fn formula(text: &str) -> Formula {
        parse_formula(text, Mode::Strict).unwrap().value
    }

    #[track_caller]
    fn check_precondition(text: &str, expected: &[&str]) {
        let body = Body::Precondition {
            condition: formula(text),
        };
        let parts: Vec<String> = split(&body)
            .iter()
            .map(|body| match body {
                Body::Precondition { condition } => print_formula(condition),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn conjunctions_of_a_precondition_come_apart() {
        check_precondition("arg.a == 1", &["arg.a == 1"]);
        check_precondition(
            "arg.a == 1 & (arg.b == 2 & arg.c == 3)",
            &["arg.a == 1", "arg.b == 2", "arg.c == 3"],
        );
        check_precondition(
            "arg.a == 1 -> arg.b == 2 & arg.c == 3",
            &["arg.a == 1 -> arg.b == 2", "arg.a == 1 -> arg.c == 3"],
        );
        check_precondition(
            "!(arg.a == 1 | arg.b == 2)",
            &["!(arg.a == 1)", "!(arg.b == 2)"],
        );
        check_precondition(
            "known(arg.a) & arg.a == 1",
            &["known(arg.a)", "known(arg.a) -> arg.a == 1"],
        );
    }

    #[test]
    fn alternatives_of_a_prohibition_come_apart() {
        let body = Body::Prohibition {
            condition: Some(formula("arg.c == 3 & (arg.a == 1 | arg.b == 2)")),
        };
        let parts = split(&body);
        assert_eq!(
            parts,
            ["arg.c == 3 & arg.a == 1", "arg.c == 3 & arg.b == 2"].map(|text| Body::Prohibition {
                condition: Some(formula(text))
            })
        );
    }

    #[test]
    fn only_an_argument_is_asked_for_instead_of_null() {
        let check = |text: &str, nullable: bool, expected: &str| {
            let read = null_as_absence(&formula(text), &|_| nullable);
            assert_eq!(print_formula(&read), expected);
        };
        check("arg.a != null", false, "known(arg.a)");
        check("null == arg.a & user", false, "!known(arg.a) & user");
        check("arg.a != null", true, "known(arg.a) & arg.a != null");
        check("arg.a == null", true, "!known(arg.a) | arg.a == null");
        // What was never read is not null.
        check("last(t).a == null", false, "last(t).a == null");
    }

    #[test]
    fn a_gate_written_as_a_formula_is_recognised() {
        let rule = |guarantee: &str| Rule {
            tools: ToolPattern::tool("t"),
            body: Body::Formula {
                assumption: Formula::True,
                guarantee: formula(guarantee),
            },
            for_each: Vec::new(),
        };
        assert_eq!(
            as_gate(&rule("G (call(t|u) -> arg.a == 1)")).unwrap().tools,
            ToolPattern::tools(["t", "u"]).unwrap()
        );
        assert_eq!(as_gate(&rule("F call(t)")), None);
    }

    #[test]
    fn only_the_demand_on_the_absent_is_guarded() {
        let terms = |names: &[&str]| -> BTreeSet<Term> {
            names
                .iter()
                .map(|name| Term::Arg(lictor_contract::predicate::Path::fields([*name])))
                .collect()
        };
        let check = |body: Body, expected: &str| {
            let guarded = guarded("t", &body, &terms(&["a"]));
            let demand = demand(&bind("t", &guarded)).unwrap();
            assert_eq!(print_formula(&demand), expected);
        };
        let condition = formula("arg.a == 1 & arg.b == 2");
        check(
            Body::Precondition { condition },
            "(known(arg.a) -> arg.a == 1) & arg.b == 2",
        );
        let condition = Some(formula("arg.a == 1 | arg.b == 2"));
        check(
            Body::Prohibition { condition },
            "!(known(arg.a) & arg.a == 1 | arg.b == 2)",
        );
        check(
            Body::Confirmation {
                listed: terms(&["a", "b"]).into_iter().collect(),
            },
            "!user S confirms & count(ok(t), since = confirms) == 0 & (known(arg.a) -> listed(arg.a)) & listed(arg.b)",
        );
    }

    #[test]
    fn a_limit_with_an_optional_key_becomes_a_precondition() {
        let keys = BTreeSet::from([Term::Arg(lictor_contract::predicate::Path::fields([
            "order_id",
        ]))]);
        let body = Body::OncePer {
            keys: vec!["order_id".into()],
        };
        let Body::Precondition { condition } = guarded("t", &body, &keys) else {
            panic!("no precondition");
        };
        assert_eq!(
            print_formula(&condition),
            "known(arg.order_id) -> count(ok(t), order_id = arg.order_id) == 0"
        );
    }
}
