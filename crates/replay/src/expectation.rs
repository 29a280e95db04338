//! What a rule file expects of its rules, tried: small transcripts with the
//! verdict that calls should get.
//!
//! A transcript tells what happened. A call without a verdict took place, whatever
//! the rules say to it, so that one rule can be shown without satisfying all the
//! others on the way; one that should be refused did not take place.

use lictor_contract::event::{Arguments, Call, CallId, Return, Turn};
use lictor_contract::rule_file::{Act, Expectation, Expected, ExpectedVerdict, Message};
use lictor_monitor::{Decision, Monitor, Refusal, RefusalKind, Session};

/// An expectation that the library does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet<'e> {
    /// The expectation that names the call.
    pub expectation: &'e Expectation,
    /// What was expected of the call.
    pub expected: &'e Expected,
    /// The tool that is called.
    pub tool: &'e str,
    /// What the library says instead, in words.
    pub found: String,
}

/// Replays a transcript and tells each call whose verdict is another one.
pub fn unmet<'e>(monitor: &Monitor, expectation: &'e Expectation) -> Vec<Unmet<'e>> {
    let mut session = monitor.session();
    let mut unmet = Vec::new();
    let mut calls = 0;
    for (turn, event) in (0..).map(Turn).zip(&expectation.events) {
        session.clock(event.at.as_deref());
        match &event.what {
            Act::Context(facts) => {
                for (key, value) in facts {
                    session.context(key, value.clone());
                }
            }
            Act::User(text) => {
                session.user_turn(turn, text);
            }
            Act::Agent(message) => {
                for (expected, tool, decision) in decided(&mut session, turn, message, &mut calls) {
                    unmet.extend(mismatch(expected, &decision).map(|found| Unmet {
                        expectation,
                        expected,
                        tool,
                        found,
                    }));
                }
            }
        }
    }
    unmet
}

/// The decisions on the calls of a message that expect one. All its answers come
/// after all its calls.
fn decided<'e>(
    session: &mut Session<'_>,
    turn: Turn,
    message: &'e Message,
    calls: &mut u32,
) -> Vec<(&'e Expected, &'e str, Decision)> {
    if let Some(text) = &message.text {
        session.agent_turn(turn, text);
    }
    let mut decisions = Vec::new();
    let mut answers = Vec::new();
    for expected in &message.calls {
        let call = Call {
            id: CallId(*calls),
            turn,
            tool: expected.tool.value.clone(),
            arguments: Arguments::Read(expected.arguments.clone()),
            turn_size: u32::try_from(message.calls.len()).ok(),
        };
        *calls = calls.saturating_add(1);
        let decision = session.decide(&call);
        let takes_place = expected
            .verdict
            .as_ref()
            .is_none_or(|it| it.verdict == ExpectedVerdict::Allow);
        if takes_place {
            session.admit(&call);
            answers.extend(expected.answer.as_ref().map(|(outcome, result)| Return {
                call: call.id,
                outcome: *outcome,
                result: result.clone(),
            }));
        }
        if let Some(verdict) = &expected.verdict {
            decisions.push((verdict, expected.tool.value.as_str(), decision));
        }
    }
    for answer in &answers {
        session.after_return(answer);
    }
    decisions
}

/// What is said instead of what was expected; none if it is that.
fn mismatch(expected: &Expected, decision: &Decision) -> Option<String> {
    let concerned: Vec<&Refusal> = decision
        .refusals
        .iter()
        .filter(|refusal| match &expected.by {
            // A rule that was split has parts under its name.
            Some(by) => refusal.contract.as_ref().is_some_and(|id| {
                let part = id.strip_prefix(by.as_str());
                part.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }),
            None => true,
        })
        .collect();
    let violated = concerned
        .iter()
        .any(|refusal| refusal.kind != RefusalKind::Undecidable);
    let fits = match expected.verdict {
        ExpectedVerdict::Allow => concerned.is_empty(),
        ExpectedVerdict::Refuse => violated,
        ExpectedVerdict::Undecidable => !concerned.is_empty() && !violated,
    };
    if fits {
        return None;
    }
    let told = |refusal: &&Refusal| {
        let by = refusal.contract.as_deref().unwrap_or("the library");
        let verb = match refusal.kind {
            RefusalKind::Undecidable => "cannot decide it",
            _ => "refuses it",
        };
        format!("{by} {verb}: {}", refusal.reason)
    };
    Some(match (concerned.first(), decision.refusals.first()) {
        (Some(refusal), _) => told(refusal),
        (None, Some(refusal)) => format!("only {}", told(&refusal)),
        (None, None) => "nothing refuses it".to_owned(),
    })
}
