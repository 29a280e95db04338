//! One message of any chat dialect.
//!
//! OpenAI puts a call's name and arguments under `function` and a result's id
//! under `tool_call_id`; tau2 has them bare, with `requestor`, `error`, and
//! several results under `tool_messages`; AgentDojo has `function` and `args`,
//! SOPBench a `sender` and no role, Anthropic blocks inside the content. All are
//! read wherever they occur.

mod content;
mod outcome;
mod time;

use super::{agentdojo, anthropic, sopbench};
use crate::json::{self, Members};
pub use content::Content;
use lictor_contract::decode;
use lictor_contract::event::{Arguments, Outcome};
use lictor_contract::value::Value;
pub(super) use time::is_time;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The operator's instructions; no event.
    System,
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// One tool or several.
    Tool,
}

/// A call as the recording has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// 0-based place among the message's calls.
    pub position: usize,
    /// Its id; may be empty.
    pub id: String,
    /// The tool; empty if the recording has none.
    pub tool: String,
    /// Its arguments.
    pub arguments: Arguments,
    /// Whether the user's side made it.
    pub by_user: bool,
}

/// A tool's answer as the recording has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedResult {
    /// 0-based place among the message's results.
    pub position: usize,
    /// Id of its call; may be empty.
    pub id: String,
    /// The tool, where the recording repeats it.
    pub tool: Option<String>,
    /// Whether the call succeeded.
    pub outcome: Outcome,
    /// The decoded result.
    pub result: Value,
    /// Whether the user's side asked for it, where the recording says so.
    pub by_user: Option<bool>,
    /// When it came, as written: RFC 3339, perhaps without a zone.
    pub at: Option<String>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// Its text; none if blank.
    pub text: Option<String>,
    /// Its calls.
    pub calls: Vec<RecordedCall>,
    /// Its results.
    pub results: Vec<RecordedResult>,
    /// When it was written, as written: RFC 3339, perhaps without a zone.
    pub at: Option<String>,
    /// A time stamp that was not understood.
    pub strange_time: Option<String>,
    /// Whether calls and results are blocks of its content, as Anthropic has them.
    pub in_blocks: bool,
    /// What was odd about it.
    pub oddities: Vec<String>,
}

/// Whether an object is a message.
pub(super) fn is_message(members: &Members<'_>) -> bool {
    members.string("role").is_some()
        || members
            .get("tool_messages")
            .is_some_and(|text| json::elements(text).is_some())
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    /// A sentence that says why the text is no message.
    pub fn read(text: &str) -> Result<Message, String> {
        let members =
            Members::of(text).ok_or("the message is no JSON object and was passed over")?;
        let mut oddities = Vec::new();
        tell_repeated(&members, &mut oddities);
        let (at, strange_time) = time::stamp(&members);
        let mut message = Message {
            role: role(&members)?,
            text: None,
            calls: Vec::new(),
            results: Vec::new(),
            at,
            strange_time,
            in_blocks: false,
            oddities,
        };
        match message.role {
            Role::System => {}
            Role::Tool => message.read_results(&members),
            Role::User | Role::Assistant => {
                message.read_content(members.get("content"));
                message.read_calls(&members);
                message.look_into_text();
            }
        }
        Ok(message)
    }

    /// Reads what is said, and the calls and results that stand among it.
    fn read_content(&mut self, raw: Option<&str>) {
        let content = match anthropic::blocks(raw) {
            None => Content::read(raw, &mut self.oddities),
            Some(blocks) => {
                self.in_blocks = true;
                for (position, call) in blocks.calls.iter().enumerate() {
                    self.read_call(position, call);
                }
                for (position, result) in blocks.results.iter().enumerate() {
                    self.read_result(position, result);
                }
                Content::of_parts(&blocks.rest, &mut self.oddities)
            }
        };
        self.text = content.text().filter(|text| !text.trim().is_empty());
    }

    /// What AgentDojo's defences leave in texts: calls that were refused before
    /// they were made, and the refusal as if the user had said it.
    fn look_into_text(&mut self) {
        let Some(text) = &self.text else { return };
        if self.role == Role::User && agentdojo::is_host_report(text) {
            self.text = None;
            self.oddities
                .push("a report of the host stands as the user's words and was passed over".into());
        } else if self.role == Role::Assistant {
            let made = self.calls.iter().map(|call| call.tool.as_str());
            let only_written = agentdojo::calls_only_in_text(text, made);
            if !only_written.is_empty() {
                self.oddities.push(format!(
                    "calls that stand in the text alone were not executed: {}",
                    only_written.join(", ")
                ));
            }
        }
    }

    fn read_calls(&mut self, members: &Members<'_>) {
        if let Some(text) = members.get("tool_calls") {
            match json::elements(text) {
                Some(calls) => {
                    for call in calls {
                        let call = Members::of(call).unwrap_or_default();
                        self.read_call(self.calls.len(), &call);
                    }
                }
                None => self
                    .oddities
                    .push("`tool_calls` is no list and was passed over".into()),
            }
        }
        // The form before `tool_calls`: one call without an id.
        if let Some(text) = members.get("function_call") {
            let call = Members::of(text).unwrap_or_default();
            self.read_call(self.calls.len(), &call);
        }
    }

    fn read_call(&mut self, position: usize, members: &Members<'_>) {
        tell_repeated(members, &mut self.oddities);
        let function = members.object("function");
        let named = function.as_ref().unwrap_or(members);
        let tool = named
            .string("name")
            .or_else(|| named.string("function"))
            .unwrap_or_default();
        if tool.is_empty() {
            self.oddities.push(format!("call {position} names no tool"));
        }
        let arguments = ["arguments", "args", "input"]
            .iter()
            .find_map(|key| named.get(key));
        let arguments = read_arguments(arguments);
        if let Arguments::Unreadable(_) = arguments {
            self.oddities
                .push(format!("the arguments of call {position} (`{tool}`) are no JSON object, so nothing is known of them"));
        }
        let by_user = match members.string("requestor").as_deref() {
            Some("user") => true,
            Some("assistant") => false,
            _ => self.role == Role::User,
        };
        if self.role == Role::User && !by_user {
            self.oddities
                .push(format!("call {position} (`{tool}`) is the agent's but stands in a user message; it was passed over"));
        }
        self.calls.push(RecordedCall {
            position,
            id: members.string("id").unwrap_or_default(),
            tool,
            arguments,
            by_user: by_user || self.role == Role::User,
        });
    }

    fn read_results(&mut self, members: &Members<'_>) {
        let Some(text) = members.get("tool_messages") else {
            self.read_result(0, members);
            return;
        };
        let Some(results) = json::elements(text) else {
            self.oddities
                .push("`tool_messages` is no list and was passed over".into());
            return;
        };
        for (position, result) in results.into_iter().enumerate() {
            match Members::of(result) {
                Some(members) => self.read_result(position, &members),
                None => self.oddities.push(format!(
                    "result {position} is no JSON object and was passed over"
                )),
            }
        }
    }

    fn read_result(&mut self, position: usize, members: &Members<'_>) {
        let content = Content::read(members.get("content"), &mut self.oddities);
        let outcome = outcome::of(members, &content);
        let result = match outcome::told_beside(members, &content) {
            Some(error) => Value::Text(error),
            None => content.decode(&mut self.oddities),
        };
        // AgentDojo repeats the call, and may have the id there alone.
        let call = members.object("tool_call");
        let call = call.as_ref();
        let (at, strange_time) = time::stamp(members);
        self.strange_time = self.strange_time.take().or(strange_time);
        self.results.push(RecordedResult {
            position,
            id: first_of(members, &["tool_call_id", "tool_use_id", "id"])
                .or_else(|| call?.string("id"))
                .unwrap_or_default(),
            tool: first_of(members, &["name", "tool_name"])
                .or_else(|| call?.string("function"))
                .filter(|name| !name.is_empty()),
            outcome,
            result,
            by_user: members
                .string("requestor")
                .map(|requestor| requestor == "user"),
            at: at.or_else(|| self.at.clone()),
        });
    }
}

/// Who wrote a message.
fn role(members: &Members<'_>) -> Result<Role, String> {
    match members.string("role").as_deref() {
        Some("system" | "developer") => Ok(Role::System),
        Some("user") => Ok(Role::User),
        Some("assistant") => Ok(Role::Assistant),
        Some("tool" | "function") => Ok(Role::Tool),
        None if members.has("tool_messages") => Ok(Role::Tool),
        None => sopbench::role(members),
        Some(other) => Err(format!(
            "the role `{other}` is not known; the message was passed over"
        )),
    }
}

/// The first of these members that is a text.
fn first_of(members: &Members<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| members.string(key))
}

fn tell_repeated(members: &Members<'_>, oddities: &mut Vec<String>) {
    for key in &members.repeated {
        oddities.push(format!(
            "the key `{key}` is repeated; the last value counts"
        ));
    }
}

/// Arguments as an object or as JSON text, encoded once or twice. Anything
/// else is unreadable and never an empty object.
fn read_arguments(raw: Option<&str>) -> Arguments {
    raw.map_or_else(|| Arguments::Unreadable(String::new()), decode::arguments)
}

#[cfg(test)]
mod tests;
