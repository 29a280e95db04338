//! A verified contract as the library keeps it.

use crate::event::EventKind;
use crate::rule::Kind;
use crate::source::Lines;
use serde::{Deserialize, Serialize};

/// The clause a contract comes from. No transcript value is ever kept here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClauseRef {
    /// Lines of the policy or of the rule file.
    pub lines: Lines,
    /// SHA-256 of the text.
    pub sha256: String,
    /// The text.
    pub text: String,
}

/// What to do instead of the refused call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Strategy {
    /// Refuse, and let the agent plan again.
    #[default]
    Block,
    /// Hand over to a person.
    Escalate,
}

/// Support of one binding among the samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BindingVotes {
    /// The tool.
    pub tool: String,
    /// Samples that gave the rule for this tool.
    pub votes: u32,
}

/// Why a contract is believed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Successful samples of the clause's section; 0 for a rule written by hand.
    pub samples: u32,
    /// Votes of each binding, in order of tools.
    pub votes: Vec<BindingVotes>,
    /// The candidates that were merged into it.
    pub candidates: Vec<String>,
    /// What was repaired, one sentence each.
    pub repairs: Vec<String>,
    /// States of the guarantee's minimal automaton.
    pub states: u32,
    /// A shortest trace that calls a guarded tool and keeps the rule, one
    /// letter a line; empty if none was looked for.
    pub witness: Vec<String>,
    /// A shortest trace that breaks the rule.
    pub counterexample: Vec<String>,
}

/// One rule of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// Its name within the library, such as `ORD-007`.
    pub id: String,
    /// Its kind.
    pub kind: Kind,
    /// The clauses it comes from; the first is quoted in refusals.
    pub clauses: Vec<ClauseRef>,
    /// The tools it guards, in order.
    pub bindings: Vec<String>,
    /// Arguments that make it a contract of its own for each of their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub for_each: Vec<String>,
    /// What the environment owes, as a formula.
    pub assumption: String,
    /// What the agent owes, as a formula.
    pub guarantee: String,
    /// The kinds of event it steps on.
    pub steps_on: Vec<EventKind>,
    /// What to do on a refusal.
    pub strategy: Strategy,
    /// What it says, in words.
    pub says: String,
    /// Hash over its meaning: automata with canonical atoms, bindings, strategy.
    pub meaning: String,
    /// Why it is believed.
    pub evidence: Evidence,
}
