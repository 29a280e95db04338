//! What a rule file expects of its own rules: small transcripts in which calls
//! carry the verdict that they should get. They document the rules and test them.

use super::Placed;
use super::reader::Reader;
use super::yaml::Node;
use crate::event::Outcome;
use crate::language::nearest;
use crate::time::Time;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A small transcript with verdicts that its calls should get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What it shows, in words; its number in the file if it has none.
    pub name: String,
    /// Where it stands in the file.
    pub range: Range<usize>,
    /// What happens, in order.
    pub events: Vec<Said>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The time that it is stamped with, in one of the forms of [`Time`].
    pub at: Option<String>,
    /// What it is.
    pub what: Act,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// The host supplies facts.
    Context(BTreeMap<String, Value>),
    /// The user writes something.
    User(String),
    /// The agent writes a message: its text, then its calls, all of one turn.
    Agent(Message),
}

/// One message of the agent; it has a text or a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// What it says.
    pub text: Option<String>,
    /// What it calls. Their answers arrive after all of them.
    pub calls: Vec<ExpectedCall>,
}

/// A call, its answer, and the verdict that it should get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedCall {
    /// The tool, as the agent writes it.
    pub tool: Placed<String>,
    /// The arguments.
    pub arguments: BTreeMap<String, Value>,
    /// What the tool answers; none if no answer comes.
    pub answer: Option<(Outcome, Value)>,
    /// The verdict; none if the call is only there for what it leads to.
    pub verdict: Option<Expected>,
}

/// The verdict that a call should get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The verdict.
    pub verdict: ExpectedVerdict,
    /// The contract that should give it; none: all of them together.
    pub by: Option<String>,
    /// Where the verdict stands in the file.
    pub range: Range<usize>,
}

/// What should become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpectedVerdict {
    /// It is let pass.
    Allow,
    /// It is refused, whatever is not known.
    Refuse,
    /// It is refused for want of something that is not known.
    Undecidable,
}

impl ExpectedVerdict {
    /// Every verdict, in the order that the language page lists them.
    pub const ALL: [ExpectedVerdict; 3] = [
        ExpectedVerdict::Allow,
        ExpectedVerdict::Refuse,
        ExpectedVerdict::Undecidable,
    ];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            ExpectedVerdict::Allow => "allow",
            ExpectedVerdict::Refuse => "refuse",
            ExpectedVerdict::Undecidable => "undecidable",
        }
    }
}

/// What an event can be; each has one of these keys.
const ACTS: [&str; 5] = ["user", "agent", "call", "turn", "context"];
/// What a call has beside its tool.
const OF_CALLS: [&str; 5] = ["args", "result", "error", "expect", "by"];

type Fields = BTreeMap<&'static str, Placed<Node>>;

impl Reader<'_> {
    /// Reads the list `expect`; what has a mistake is left out. `ids` are those
    /// of the file's contracts.
    pub(super) fn expectations(
        &mut self,
        node: Placed<Node>,
        ids: &BTreeSet<&str>,
    ) -> Vec<Expectation> {
        let Node::List(items) = node.value else {
            let message = format!("`expect` is {}, not a list", node.value.describe());
            let help = "give a list of transcripts, each with `events`";
            self.complain(node.range, None, message, help);
            return Vec::new();
        };
        let mut expectations = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            let before = self.diagnostics.len();
            let expectation = self.expectation(index, item, ids);
            if self.diagnostics.len() == before {
                expectations.extend(expectation);
            }
        }
        expectations
    }

    fn expectation(
        &mut self,
        index: usize,
        node: Placed<Node>,
        ids: &BTreeSet<&str>,
    ) -> Option<Expectation> {
        let fallback = format!("expectation {}", index + 1);
        let whole = node.range.clone();
        let example = "{name: …, events: [{call: …, expect: refuse}]}";
        let map = self.mapping(&fallback, node, None, example)?;
        let start = map.first().map_or(whole, |(key, _)| key.range.clone());
        let mut fields = self.sure(map, &["name", "events"], "an expectation")?;
        let name = fields
            .remove("name")
            .and_then(|node| self.text("name", node, None));
        let range = name.as_ref().map_or(start.clone(), |it| it.range.clone());
        let Some(Placed {
            value: Node::List(items),
            ..
        }) = fields.remove("events")
        else {
            let message = format!("{fallback} has no list `events`");
            self.complain(
                start,
                None,
                message,
                "list what happens, such as `- user: Hello.`",
            );
            return None;
        };
        let before = self.diagnostics.len();
        let events: Vec<Said> = items
            .into_iter()
            .filter_map(|item| self.said(item, ids))
            .collect();
        let expects = events.iter().any(|said| match &said.what {
            Act::Agent(message) => message.calls.iter().any(|call| call.verdict.is_some()),
            _ => false,
        });
        if !expects && self.diagnostics.len() == before {
            let message = format!("{fallback} expects nothing, as none of its calls has `expect`");
            let help = "add `expect: allow`, `refuse` or `undecidable` to the calls in question";
            self.complain(range.clone(), None, message, help);
        }
        Some(Expectation {
            name: name.map_or(fallback, |it| it.value),
            range,
            events,
        })
    }

    /// Reads one event.
    fn said(&mut self, node: Placed<Node>, ids: &BTreeSet<&str>) -> Option<Said> {
        let range = node.range.clone();
        let map = self.mapping("an event", node, None, "user: Hello.")?;
        let known: Vec<&'static str> = ACTS.into_iter().chain(OF_CALLS).chain(["at"]).collect();
        let start = map.first().map_or(range, |(key, _)| key.range.clone());
        let mut fields = self.sure(map, &known, "an event")?;
        let at = fields.remove("at").and_then(|node| {
            self.checked("at", node, |text| {
                text.parse::<Time>()
                    .map(drop)
                    .map_err(|error| error.to_string())
            })
        });
        let what = match self.act(&fields, &start)? {
            "user" => Act::User(self.words("user", &mut fields)?),
            "context" => {
                let node = fields.remove("context")?;
                let example = "context: {caller: ana}";
                let map = self.mapping("`context`", node, None, example)?;
                Act::Context(self.object(map)?)
            }
            "turn" => {
                let node = fields.remove("turn")?;
                Act::Agent(self.turn(node, ids)?)
            }
            _ => {
                let mut message = Message::default();
                self.part(&mut fields, &mut message, ids)?;
                Act::Agent(message)
            }
        };
        Some(Said { at, what })
    }

    /// The values by their keys; none if a key is unknown or repeated, so that a
    /// misspelt one is not missed as well.
    fn sure(
        &mut self,
        map: Vec<(Placed<String>, Placed<Node>)>,
        known: &[&'static str],
        whose: &str,
    ) -> Option<Fields> {
        let before = self.diagnostics.len();
        let fields = self.fields(map, known, whose, None);
        (self.diagnostics.len() == before).then_some(fields)
    }

    /// The one key that says what an event is; keys that do not go with it are
    /// complained about.
    fn act(&mut self, fields: &Fields, start: &Range<usize>) -> Option<&'static str> {
        let mut acts = ACTS.into_iter().filter(|act| fields.contains_key(act));
        let Some(act) = acts.next() else {
            let message = "an event says nothing that happens";
            let help = format!("give it one of `{}`", ACTS.join("`, `"));
            self.complain(start.clone(), None, message, help);
            return None;
        };
        if let Some(other) = acts.next() {
            let message = format!("an event is both `{act}` and `{other}`");
            let help = "make two events of it, or list what stands in one message under `turn`";
            self.complain(start.clone(), None, message, help);
            return None;
        }
        if act != "call"
            && let Some(stray) = OF_CALLS.into_iter().find(|key| fields.contains_key(key))
        {
            let range = fields.get(stray).map_or(start, |node| &node.range).clone();
            let message = format!("`{stray}` stands beside `{act}`, and only a call has it");
            self.complain(range, None, message, "put it beside the `call`");
            return None;
        }
        Some(act)
    }

    /// The parts of one message: its text, then its calls.
    fn turn(&mut self, node: Placed<Node>, ids: &BTreeSet<&str>) -> Option<Message> {
        let range = node.range.clone();
        let Node::List(items) = node.value else {
            let message = format!("`turn` is {}, not a list", node.value.describe());
            let help = "list the parts of the message, such as `- call: get_order`";
            self.complain(range, None, message, help);
            return None;
        };
        let mut message = Message::default();
        for item in items {
            let range = item.range.clone();
            let map = self.mapping("a part of a turn", item, None, "call: get_order")?;
            let known: Vec<&'static str> = ["agent", "call"].into_iter().chain(OF_CALLS).collect();
            let start = map.first().map_or(range, |(key, _)| key.range.clone());
            let mut fields = self.sure(map, &known, "a part of a turn")?;
            let act = self.act(&fields, &start)?;
            if act == "agent" && (message.text.is_some() || !message.calls.is_empty()) {
                let help = "put the text first, and once; a further message is a turn of its own";
                let what = "the text of a turn comes after another part of it";
                self.complain(start, None, what, help);
                return None;
            }
            self.part(&mut fields, &mut message, ids)?;
        }
        if message == Message::default() {
            let help = "list the parts of the message, or leave it out";
            self.complain(range, None, "a turn is empty", help);
            return None;
        }
        Some(message)
    }

    /// Adds a text or a call to a message.
    fn part(
        &mut self,
        fields: &mut Fields,
        message: &mut Message,
        ids: &BTreeSet<&str>,
    ) -> Option<()> {
        if fields.contains_key("agent") {
            message.text = Some(self.words("agent", fields)?);
        } else {
            message.calls.push(self.call(fields, ids)?);
        }
        Some(())
    }

    /// What somebody writes; blank text is nothing that happens.
    fn words(&mut self, name: &str, fields: &mut Fields) -> Option<String> {
        let node = fields.remove(name)?;
        self.said_text(name, node).map(|text| text.value)
    }

    fn said_text(&mut self, name: &str, node: Placed<Node>) -> Option<Placed<String>> {
        let range = node.range.clone();
        let before = self.diagnostics.len();
        let text = self.text(name, node, None);
        let blank = text
            .as_ref()
            .is_none_or(|text| text.value.trim().is_empty());
        if blank && self.diagnostics.len() == before {
            let message = format!("`{name}` is empty");
            self.complain(
                range,
                None,
                message,
                "write some words, or leave the event out",
            );
        }
        text.filter(|_| !blank)
    }

    fn call(&mut self, fields: &mut Fields, ids: &BTreeSet<&str>) -> Option<ExpectedCall> {
        let tool = fields.remove("call")?;
        let tool = self.said_text("call", tool)?;
        let arguments = match fields.remove("args") {
            Some(node) => {
                let example = "args: {order_id: W1}";
                let map = self.mapping("`args`", node, None, example)?;
                self.object(map)?
            }
            None => BTreeMap::new(),
        };
        let answer = match (fields.remove("result"), fields.remove("error")) {
            (Some(_), Some(error)) => {
                let message = "a call has both a `result` and an `error`";
                self.complain(error.range, None, message, "keep one of them");
                return None;
            }
            (Some(node), None) => Some((Outcome::Ok, self.value("result", node)?)),
            (None, Some(node)) => Some((Outcome::Error, self.value("error", node)?)),
            (None, None) => None,
        };
        let verdict = self.verdict(fields, ids)?;
        Some(ExpectedCall {
            tool,
            arguments,
            answer,
            verdict,
        })
    }

    /// The expected verdict; none inside if there is none, and none at all if
    /// there is a mistake.
    fn verdict(&mut self, fields: &mut Fields, ids: &BTreeSet<&str>) -> Option<Option<Expected>> {
        let by = match fields.remove("by") {
            None => None,
            Some(node) => {
                let by = self.said_text("by", node)?;
                if !ids.contains(by.value.as_str()) {
                    let help = match nearest(&by.value, ids.iter().copied()) {
                        Some(id) => format!("did you mean `{id}`?"),
                        None => "give the `id` of a contract of this file".to_owned(),
                    };
                    let message = format!("no contract of this file has the id `{}`", by.value);
                    self.complain(by.range, None, message, help);
                    return None;
                }
                Some(by)
            }
        };
        let Some(node) = fields.remove("expect") else {
            let Some(by) = by else { return Some(None) };
            let help = "add `expect: refuse`, `allow` or `undecidable`";
            self.complain(by.range, None, "a call has `by` and no `expect`", help);
            return None;
        };
        let word = self.said_text("expect", node)?;
        let words = ExpectedVerdict::ALL.map(ExpectedVerdict::word);
        let verdicts = ExpectedVerdict::ALL.into_iter();
        let Some(verdict) = verdicts.into_iter().find(|it| it.word() == word.value) else {
            let help = match nearest(&word.value, words) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("write one of `{}`", words.join("`, `")),
            };
            let message = format!("`{}` is no verdict", word.value);
            self.complain(word.range, None, message, help);
            return None;
        };
        Some(Some(Expected {
            verdict,
            by: by.map(|by| by.value),
            range: word.range,
        }))
    }
}

#[cfg(test)]
mod tests;
