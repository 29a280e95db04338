//! A small library and small runs for the unit tests.

use crate::format::Envelope;
use crate::run::{Format, Run};
use crate::session::Session;
use lictor_contract::catalog::Effect;
use lictor_contract::contract::{Contract, Evidence, Strategy};
use lictor_contract::library::{FORMAT, Library, Provenance, Settings, ToolRecord};
use lictor_contract::rule::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// A library with these contracts (id, tools, guarantee). Tools whose name
/// starts with `get_` read, the others write.
pub(crate) fn library(tools: &[&str], contracts: &[(&str, &[&str], &str)]) -> Library {
    let record = |tool: &str| ToolRecord {
        fingerprint: String::new(),
        effect: Some(if tool.starts_with("get_") {
            Effect::Read
        } else {
            Effect::Write
        }),
        ..ToolRecord::default()
    };
    let contract = |(id, bindings, guarantee): &(&str, &[&str], &str)| Contract {
        id: (*id).to_owned(),
        kind: Kind::Formula,
        clauses: Vec::new(),
        bindings: bindings.iter().map(|tool| (*tool).to_owned()).collect(),
        for_each: Vec::new(),
        assumption: "true".to_owned(),
        guarantee: (*guarantee).to_owned(),
        steps_on: Vec::new(),
        strategy: Strategy::Block,
        says: format!("what {id} says"),
        meaning: String::new(),
        evidence: Evidence::default(),
    };
    Library {
        lictor: FORMAT,
        provenance: Provenance::default(),
        tools: tools
            .iter()
            .map(|tool| ((*tool).to_owned(), record(tool)))
            .collect(),
        entities: BTreeMap::new(),
        ids: BTreeSet::new(),
        settings: Settings::default(),
        contracts: contracts.iter().map(contract).collect(),
        coverage: Vec::new(),
        digest: String::new(),
    }
}

/// A run from lines such as `user yes`, `agent sure?`, `get_order {"id": 1} = {"status": "open"}`;
/// several calls of one message stand on one line, separated by `;`.
pub(crate) fn run(id: &str, pass: Option<bool>, executed: &[(&str, bool)], lines: &[&str]) -> Run {
    let envelope = Envelope {
        pass,
        executed: executed
            .iter()
            .map(|(place, value)| ((*place).to_owned(), *value))
            .collect(),
        ..Envelope::default()
    };
    let mut session = Session::new(id.to_owned(), "f".to_owned(), Format::Chat, envelope, None);
    for line in lines {
        let (first, rest) = line.split_once(' ').unwrap();
        if let "user" | "agent" = first {
            let role = if first == "user" { "user" } else { "assistant" };
            session.message(&serde_json::json!({"role": role, "content": rest}).to_string());
            continue;
        }
        let mut calls = Vec::new();
        let mut results = Vec::new();
        for (index, call) in line.split(';').enumerate() {
            let (call, result) = call.split_once('=').unwrap();
            let (tool, arguments) = call.trim().split_once(' ').unwrap();
            let id = format!("c{index}");
            calls.push(serde_json::json!({"id": id, "function": {"name": tool, "arguments": arguments.trim()}}));
            results.push(
                serde_json::json!({"role": "tool", "tool_call_id": id, "content": result.trim()}),
            );
        }
        session.message(&serde_json::json!({"role": "assistant", "tool_calls": calls}).to_string());
        for result in results {
            session.message(&result.to_string());
        }
    }
    session.finish()
}
