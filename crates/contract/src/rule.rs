//! Contract kinds: Dwyer's specification patterns under the names that policy
//! people use, and what each of them means as a formula (DESIGN section 5).
//!
//! A [`Rule`] is a kind with its slots filled. It guards a set of tools, and a
//! (rule, tool) pair is a *binding*: defects, votes and preflight verdicts are
//! kept per binding, so a rule can be narrowed to some of its tools.

use crate::event::EventKind;
use crate::predicate::{
    Atom, CompareOp, Count, EventPredicate, Formula, Key, Name, Path, Term, ToolEvent, ToolPattern,
};
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// The name of a contract kind.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A condition must hold at each call.
    Precondition,
    /// The call is forbidden, always or under a condition.
    Prohibition,
    /// Something must have happened before.
    Precedence,
    /// The user must have said yes.
    Confirmation,
    /// At most so many successful calls.
    Limit,
    /// At most one successful call for each value of the keys.
    OncePer,
    /// Something must follow.
    Response,
    /// Something must be the very next call.
    ImmediateResponse,
    /// Something must not happen afterwards.
    AbsenceAfter,
    /// Only one of two may ever succeed.
    MutualExclusion,
    /// A formula written by hand.
    Formula,
}

impl Kind {
    /// All kinds in the order the language page lists them.
    pub const ALL: &'static [Kind] = &[
        Kind::Precondition,
        Kind::Prohibition,
        Kind::Precedence,
        Kind::Confirmation,
        Kind::Limit,
        Kind::OncePer,
        Kind::Response,
        Kind::ImmediateResponse,
        Kind::AbsenceAfter,
        Kind::MutualExclusion,
        Kind::Formula,
    ];

    /// Its name in rule files and libraries.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Precondition => "precondition",
            Kind::Prohibition => "prohibition",
            Kind::Precedence => "precedence",
            Kind::Confirmation => "confirmation",
            Kind::Limit => "limit",
            Kind::OncePer => "once-per",
            Kind::Response => "response",
            Kind::ImmediateResponse => "immediate-response",
            Kind::AbsenceAfter => "absence-after",
            Kind::MutualExclusion => "mutual-exclusion",
            Kind::Formula => "formula",
        }
    }

    /// The kind of this name.
    pub fn find(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// What a kind's slots hold, without the guarded tools.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// `G (call(T) -> condition)`.
    Precondition {
        /// What must be known to hold at the call.
        condition: Formula,
    },
    /// `G (call(T) -> !condition)`, or `G !call(T)` without a condition.
    Prohibition {
        /// When the call is forbidden.
        condition: Option<Formula>,
    },
    /// `G (call(T) -> O first)`, or by count where keys tie the two.
    Precedence {
        /// What must have happened.
        first: EventPredicate,
        /// Arguments that must agree between the two.
        keys: Vec<String>,
    },
    /// The last user turn confirms, and nothing was done on that yes so far.
    Confirmation {
        /// Terms the agent must have named before the yes.
        listed: Vec<Term>,
    },
    /// `G (call(T) -> count(ok(T), keys) < at_most)`.
    Limit {
        /// The highest number of successes.
        at_most: u32,
        /// Arguments that tell the counted groups apart.
        keys: Vec<String>,
    },
    /// `G (call(T) -> count(ok(T), keys) == 0)`.
    OncePer {
        /// Arguments that tell the counted groups apart.
        keys: Vec<String>,
    },
    /// `G (trigger -> F call(T))`.
    Response {
        /// What starts the obligation.
        trigger: Formula,
    },
    /// `G (trigger -> X (!call(@any) U call(T)))`, stepping on calls.
    ImmediateResponse {
        /// What starts the obligation.
        trigger: Formula,
    },
    /// `G (trigger -> WX G !call(T))`.
    AbsenceAfter {
        /// What forbids the tools from then on.
        trigger: Formula,
    },
    /// Once a tool of one side has succeeded, the other side is forbidden.
    MutualExclusion {
        /// The other side.
        other: ToolPattern,
    },
    /// ALTLf as written.
    Formula {
        /// What the environment owes; `true` if nothing.
        assumption: Formula,
        /// What the agent owes.
        guarantee: Formula,
    },
}

impl Body {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Body::Precondition { .. } => Kind::Precondition,
            Body::Prohibition { .. } => Kind::Prohibition,
            Body::Precedence { .. } => Kind::Precedence,
            Body::Confirmation { .. } => Kind::Confirmation,
            Body::Limit { .. } => Kind::Limit,
            Body::OncePer { .. } => Kind::OncePer,
            Body::Response { .. } => Kind::Response,
            Body::ImmediateResponse { .. } => Kind::ImmediateResponse,
            Body::AbsenceAfter { .. } => Kind::AbsenceAfter,
            Body::MutualExclusion { .. } => Kind::MutualExclusion,
            Body::Formula { .. } => Kind::Formula,
        }
    }
}

/// A kind with its slots filled and the tools it guards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// The guarded tools; for a response, the tools that answer it.
    pub tools: ToolPattern,
    /// The slots.
    pub body: Body,
    /// Arguments that make it a rule of its own for each of their values, the
    /// outermost first.
    pub for_each: Vec<String>,
}

/// How far one yes reaches (NOMOS, Table V).
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ConfirmationReading {
    /// Each action needs a yes of its own.
    #[default]
    PerAction,
    /// One yes covers all actions until the user speaks again.
    Batch,
}

/// Assumption and guarantee of a contract (ContrAgent, Definition 2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obligation {
    /// What the environment owes.
    pub assumption: Formula,
    /// What the agent owes.
    pub guarantee: Formula,
    /// The arguments for each of whose values both are owed on their own.
    pub for_each: Vec<String>,
}

impl Rule {
    /// The same rule guarding other tools.
    pub fn bound_to(&self, tools: ToolPattern) -> Rule {
        Rule {
            tools,
            ..self.clone()
        }
    }

    /// Whether the rule can be narrowed to some of its tools. A formula written
    /// by hand names its tools itself.
    pub fn is_divisible(&self) -> bool {
        !matches!(self.body, Body::Formula { .. })
    }

    /// What the rule means as assumption and guarantee.
    pub fn obligation(&self, reading: ConfirmationReading) -> Obligation {
        let call = || event(ToolEvent::Call, &self.tools);
        let at_call = |condition: Formula| Formula::always(Formula::implies(call(), condition));
        let guarantee = match &self.body {
            Body::Precondition { condition } => at_call(condition.clone()),
            Body::Prohibition {
                condition: Some(condition),
            } => at_call(Formula::not(condition.clone())),
            Body::Prohibition { condition: None } => Formula::always(Formula::not(call())),
            Body::Precedence { first, keys } if keys.is_empty() => at_call(happened_before(first)),
            Body::Precedence { first, keys } => at_call(compare_count(
                first.clone(),
                keys,
                None,
                CompareOp::Greater,
                0,
            )),
            Body::Confirmation { listed } => {
                let mut parts = vec![Formula::since(
                    Formula::not(Formula::Atom(Atom::Event(EventPredicate::User))),
                    Formula::Atom(Atom::Event(EventPredicate::Confirms)),
                )];
                if reading == ConfirmationReading::PerAction {
                    parts.push(compare_count(
                        EventPredicate::Tool(ToolEvent::Ok, self.tools.clone()),
                        &[],
                        Some(EventPredicate::Confirms),
                        CompareOp::Equal,
                        0,
                    ));
                }
                parts.extend(
                    listed
                        .iter()
                        .map(|term| Formula::Atom(Atom::Listed(term.clone()))),
                );
                at_call(Formula::and(parts))
            }
            Body::Limit { at_most, keys } => at_call(compare_count(
                EventPredicate::Tool(ToolEvent::Ok, self.tools.clone()),
                keys,
                None,
                CompareOp::Less,
                i64::from(*at_most),
            )),
            Body::OncePer { keys } => at_call(compare_count(
                EventPredicate::Tool(ToolEvent::Ok, self.tools.clone()),
                keys,
                None,
                CompareOp::Equal,
                0,
            )),
            Body::Response { trigger } => Formula::always(Formula::implies(
                trigger.clone(),
                Formula::eventually(call()),
            )),
            Body::ImmediateResponse { trigger } => Formula::always(Formula::implies(
                trigger.clone(),
                Formula::next(Formula::until(Formula::not(any_call()), call())),
            )),
            Body::AbsenceAfter { trigger } => Formula::always(Formula::implies(
                trigger.clone(),
                Formula::weak_next(Formula::always(Formula::not(call()))),
            )),
            Body::MutualExclusion { other } => {
                let none_of = |tools: &ToolPattern| {
                    compare_count(
                        EventPredicate::Tool(ToolEvent::Ok, tools.clone()),
                        &[],
                        None,
                        CompareOp::Equal,
                        0,
                    )
                };
                Formula::and(vec![
                    at_call(none_of(other)),
                    Formula::always(Formula::implies(
                        event(ToolEvent::Call, other),
                        none_of(&self.tools),
                    )),
                ])
            }
            Body::Formula {
                assumption,
                guarantee,
            } => {
                return Obligation {
                    assumption: assumption.clone(),
                    guarantee: guarantee.clone(),
                    for_each: self.for_each.clone(),
                };
            }
        };
        Obligation {
            assumption: Formula::True,
            guarantee,
            for_each: self.for_each.clone(),
        }
    }
}

fn event(event: ToolEvent, tools: &ToolPattern) -> Formula {
    Formula::Atom(Atom::Event(EventPredicate::Tool(event, tools.clone())))
}

fn any_call() -> Formula {
    let any = ToolPattern::new([crate::predicate::ToolRef::Any]);
    any.map_or(Formula::False, |any| event(ToolEvent::Call, &any))
}

/// `first` was seen before this call. Tool events are counted, since a count
/// knows which returns a call may already see: a sibling of the same turn
/// satisfies no precondition. Words are events of other turns anyway.
fn happened_before(first: &EventPredicate) -> Formula {
    match first {
        EventPredicate::Tool(..) => compare_count(first.clone(), &[], None, CompareOp::Greater, 0),
        _ => Formula::once(Formula::Atom(Atom::Event(first.clone()))),
    }
}

/// `count(event, key = arg.key, …) op bound`.
fn compare_count(
    event: EventPredicate,
    keys: &[String],
    since: Option<EventPredicate>,
    op: CompareOp,
    bound: i64,
) -> Formula {
    let mut keys: Vec<Key> = keys
        .iter()
        .map(|name| Key {
            name: Name::Known(name.clone()),
            value: Term::Arg(Path::fields([name.clone()])),
        })
        .collect();
    keys.sort();
    let count = Term::Count(Box::new(Count {
        event,
        keys,
        since,
        within: None,
    }));
    Formula::Atom(Atom::Compare(
        op,
        count,
        Term::Constant(Value::integer(bound)),
    ))
}

/// The kinds of event on which either half of an obligation steps.
pub fn steps_on(obligation: &Obligation) -> Vec<EventKind> {
    let mut kinds = crate::predicate::observed_kinds(&obligation.guarantee);
    if obligation.assumption != Formula::True {
        kinds.extend(crate::predicate::observed_kinds(&obligation.assumption));
    }
    kinds.into_iter().collect()
}
