//! One recorded run as a sequence of events, and what was odd about it.

use lictor_contract::event::{Call, Event};
use serde::Serialize;
use std::fmt;

/// A task's name as its source writes it: the benchmarks use both forms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum Name {
    /// A whole number.
    Number(i64),
    /// Text.
    Text(String),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Number(number) => write!(f, "{number}"),
            Name::Text(text) => f.write_str(text),
        }
    }
}

/// The wrapper a run was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// OpenAI chat messages without a benchmark around them.
    Chat,
    /// A tau-bench result: messages with a reward.
    TauBench,
    /// A tau2-bench simulation: messages with a reward record.
    Tau2,
    /// A SOPBench run: an interaction with its evaluation.
    Sopbench,
    /// A run of AgentDojo or of a benchmark built on it.
    Agentdojo,
    /// Anthropic's messages: calls and results are blocks of the content.
    Anthropic,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Chat => "chat",
            Format::TauBench => "tau-bench",
            Format::Tau2 => "tau2",
            Format::Sopbench => "sopbench",
            Format::Agentdojo => "agentdojo",
            Format::Anthropic => "anthropic",
        })
    }
}

/// What a run's source says about its success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The task was done.
    Pass,
    /// It was not.
    Fail,
    /// The source does not say.
    Unlabelled,
}

impl Label {
    /// The label for what the source says.
    pub fn of(pass: Option<bool>) -> Label {
        match pass {
            Some(true) => Label::Pass,
            Some(false) => Label::Fail,
            None => Label::Unlabelled,
        }
    }
}

/// Something in a recording that could not be taken as it stands. Nothing is
/// dropped without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Oddity {
    /// The file, as it was named or found.
    pub file: String,
    /// 1-based line of the file, where one line is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// 0-based index in the source's message array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<usize>,
    /// What is odd and what was done about it, one sentence.
    pub text: String,
}

/// `FILE:LINE: run R: message M: text`, as far as each is known.
impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(run) = &self.run {
            write!(f, "run {run}: ")?;
        }
        if let Some(message) = self.message {
            write!(f, "message {message}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// An event and its place in the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// What happened.
    pub event: Event,
    /// 0-based index in the source's message array.
    pub message: usize,
    /// 0-based index of the call among its message's calls (of the result among
    /// its message's results); 0 for text.
    pub position: usize,
    /// The recorded call id, which may be empty or repeated; empty for text.
    pub call_id: String,
    /// False for a call that an earlier gate stopped (`_run.executed`): it is
    /// judged and reported, but steps nothing, and its result is no event.
    pub executed: bool,
    /// When it happened, as the recording has it: RFC 3339, perhaps without a
    /// zone; none if the recording does not say.
    pub at: Option<String>,
}

/// One recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The source's own run id, else `FILE#INDEX` without folder.
    pub id: String,
    /// The file, as it was named or found.
    pub file: String,
    /// The wrapper it was found in.
    pub format: Format,
    /// The task.
    pub task: Option<Name>,
    /// Number of the trial of that task.
    pub trial: Option<i64>,
    /// The benchmark's reward.
    pub reward: Option<f64>,
    /// Whether it passed; none if the source does not say.
    pub pass: Option<bool>,
    /// Its events in order.
    pub events: Vec<Recorded>,
    /// What was odd about it.
    pub oddities: Vec<Oddity>,
}

impl Run {
    /// The agent's calls, those an earlier gate stopped included.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.events
            .iter()
            .filter_map(|recorded| match &recorded.event {
                Event::Call(call) => Some(call),
                _ => None,
            })
    }

    /// What the source says about its success.
    pub fn label(&self) -> Label {
        Label::of(self.pass)
    }
}
