//! One message of any chat dialect.
//!
//! OpenAI puts a call's name and arguments under `function` and a result's id
//! under `tool_call_id`; tau2 has them bare, with `requestor`, `error`, and
//! several results under `tool_messages`. All are read wherever they occur.

mod content;

use crate::json::{self, Members};
pub use content::Content;
use lictor_contract::event::{Arguments, Outcome};
use lictor_contract::value::Value;

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
        for key in &members.repeated {
            oddities.push(format!(
                "the key `{key}` is repeated; the last value counts"
            ));
        }
        let role = match members.string("role").as_deref() {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool" | "function") => Role::Tool,
            None if members.has("tool_messages") => Role::Tool,
            Some(other) => {
                return Err(format!(
                    "the role `{other}` is not known; the message was passed over"
                ));
            }
            None => return Err("the message has no role and was passed over".into()),
        };
        let mut message = Message {
            role,
            text: None,
            calls: Vec::new(),
            results: Vec::new(),
            oddities,
        };
        match role {
            Role::System => {}
            Role::Tool => message.read_results(&members),
            Role::User | Role::Assistant => {
                let content = Content::read(members.get("content"), &mut message.oddities);
                message.text = content.text().filter(|text| !text.trim().is_empty());
                message.read_calls(&members);
            }
        }
        Ok(message)
    }

    fn read_calls(&mut self, members: &Members<'_>) {
        if let Some(text) = members.get("tool_calls") {
            match json::elements(text) {
                Some(calls) => {
                    for (position, call) in calls.into_iter().enumerate() {
                        self.read_call(position, call);
                    }
                }
                None => self
                    .oddities
                    .push("`tool_calls` is no list and was passed over".into()),
            }
        }
        // The form before `tool_calls`: one call without an id.
        if let Some(text) = members.get("function_call") {
            self.read_call(self.calls.len(), text);
        }
    }

    fn read_call(&mut self, position: usize, text: &str) {
        let members = Members::of(text).unwrap_or_default();
        let function = members.object("function");
        let named = function.as_ref().unwrap_or(&members);
        let tool = named.string("name").unwrap_or_default();
        if tool.is_empty() {
            self.oddities.push(format!("call {position} names no tool"));
        }
        let arguments = read_arguments(named.get("arguments"));
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
        let flagged = ["error", "is_error"].iter().find_map(|key| {
            let value = members.get(key)?;
            value
                .parse()
                .ok()
                .or_else(|| Some(!json::string(value)?.trim().is_empty()))
        });
        let failed = flagged.unwrap_or_else(|| content.starts_like_an_error());
        let result = content.decode(&mut self.oddities);
        self.results.push(RecordedResult {
            position,
            id: members
                .string("tool_call_id")
                .or_else(|| members.string("id"))
                .unwrap_or_default(),
            tool: members.string("name").filter(|name| !name.is_empty()),
            outcome: if failed { Outcome::Error } else { Outcome::Ok },
            result,
            by_user: members
                .string("requestor")
                .map(|requestor| requestor == "user"),
        });
    }
}

/// Arguments as an object or as JSON text, encoded once or twice. Anything
/// else is unreadable and never an empty object.
fn read_arguments(raw: Option<&str>) -> Arguments {
    let Some(raw) = raw else {
        return Arguments::Unreadable(String::new());
    };
    let unreadable = || Arguments::Unreadable(json::string(raw).unwrap_or_else(|| raw.to_owned()));
    let mut text = raw.to_owned();
    for _ in 0..3 {
        match Value::from_json(&text) {
            Ok(Value::Object(values)) => return Arguments::Read(values),
            Ok(Value::Text(inner)) => text = inner,
            Ok(_) => return unreadable(),
            // Only the outer string may carry half a surrogate pair here.
            Err(_) => match json::string(&text) {
                Some(inner) => text = inner,
                None => return unreadable(),
            },
        }
    }
    unreadable()
}

#[cfg(test)]
mod tests;
