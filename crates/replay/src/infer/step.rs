//! A run as the steps that inference looks at: calls with their answers.

use crate::run::Run;
use lictor_contract::event::{Arguments, CallId, Event, Outcome};
use lictor_contract::names::{Resolved, ToolNames};
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// A call and its answer, in order of the answers.
#[derive(Debug)]
pub(super) struct Step<'a> {
    /// The tool, by id.
    pub(super) tool: &'a str,
    /// Its arguments; none if they could not be read.
    pub(super) arguments: Option<&'a BTreeMap<String, Value>>,
    /// What it answered; none if the recording marks it as an error.
    pub(super) result: Option<&'a Value>,
}

/// What a run shows, in order.
#[derive(Debug)]
pub(super) enum Seen<'a> {
    /// A call is made. Its arguments may only name what was answered before.
    Called(&'a BTreeMap<String, Value>),
    /// A call is answered.
    Answered(Step<'a>),
    /// A call of a name that is no tool of the catalog.
    Unknown(&'a str),
}

/// The tool and the arguments, if they can be read, of a call without an answer.
type Open<'a> = (&'a str, Option<&'a BTreeMap<String, Value>>);

/// The steps of a run. Calls that were stopped, or never answered, are none.
pub(super) fn steps<'a>(run: &'a Run, names: &'a ToolNames) -> Vec<Seen<'a>> {
    let mut open: BTreeMap<CallId, Open<'_>> = BTreeMap::new();
    let mut steps = Vec::new();
    for recorded in run.events.iter().filter(|recorded| recorded.executed) {
        match &recorded.event {
            Event::Call(call) => {
                let Resolved::Tool(tool) = names.resolve(&call.tool) else {
                    steps.push(Seen::Unknown(&call.tool));
                    continue;
                };
                let arguments = match &call.arguments {
                    Arguments::Read(arguments) => Some(arguments),
                    Arguments::Unreadable(_) => None,
                };
                steps.extend(arguments.map(Seen::Called));
                open.insert(call.id, (tool, arguments));
            }
            Event::Return(answer) => {
                if let Some((tool, arguments)) = open.remove(&answer.call) {
                    steps.push(Seen::Answered(Step {
                        tool,
                        arguments,
                        result: (answer.outcome == Outcome::Ok).then_some(&answer.result),
                    }));
                }
            }
            _ => {}
        }
    }
    steps
}
