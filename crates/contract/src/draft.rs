//! What extraction hands to the compiler: the one type on which the pass with
//! a model and the passes without one meet.
//!
//! A draft holds the policy's clauses, what each sample proposed for them, and
//! what became of each sample. Slots are still text: the model *lifts*, and
//! resolve grounds.

use crate::source::Lines;
use serde::{Deserialize, Serialize};

/// The slots of one rule as text, in the predicate language. A rule file and a
/// model's answer have the same slots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// Name of the contract kind.
    pub kind: String,
    /// Guarded tools: names, `@read`, `@write`, `@any` or `?placeholders`.
    pub tools: Vec<String>,
    /// Condition of a precondition or a prohibition.
    pub condition: Option<String>,
    /// Event that must come first, such as `ok(look_up)`.
    pub first: Option<String>,
    /// Arguments that tell groups apart or tie two events together.
    pub keys: Vec<String>,
    /// Bound of a limit.
    pub at_most: Option<u32>,
    /// What starts a response or an absence.
    pub trigger: Option<String>,
    /// The other side of a mutual exclusion.
    pub other_tools: Vec<String>,
    /// Terms that must have been named before the yes.
    pub listed: Vec<String>,
    /// Assumption of a formula.
    pub assumption: Option<String>,
    /// Guarantee of a formula.
    pub guarantee: Option<String>,
    /// Arguments that make it a rule of its own for each of their values. Only
    /// rules written by hand have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub for_each: Vec<String>,
}

/// One normative statement of the policy: a sentence, a bullet, a table row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Where it stands.
    pub lines: Lines,
    /// Byte range in the policy, so that two clauses on a line stay apart.
    pub range: std::ops::Range<usize>,
    /// Its words, white space normalised.
    pub text: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// Index of the section, hence the request, it belongs to.
    pub section: usize,
}

/// One part of the policy that is asked about in one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading, or the document's title for the text above the first one.
    pub title: String,
    /// Its lines.
    pub lines: Lines,
}

/// What a sample quoted to justify a candidate, already found in the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The lines of the quoted words, as found (not as claimed).
    pub lines: Lines,
    /// Byte range of the quoted words in the policy.
    pub range: std::ops::Range<usize>,
    /// The quoted words as the policy has them.
    pub quote: String,
}

/// One rule as one extraction sample gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Name for reports: `s<sample>.<section>.<n>`, all counted from 1.
    pub id: String,
    /// Which sample, from 0.
    pub sample: usize,
    /// Which section, from 0.
    pub section: usize,
    /// What it rests on.
    pub citation: Citation,
    /// Its slots.
    pub rule: RuleText,
    /// What it says, in the model's words.
    pub says: String,
}

/// Why a clause became no rule, as one sample saw it.
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
pub enum NoRule {
    /// It needs a judgement of meaning.
    Semantic,
    /// No tool of the catalog does what it speaks of.
    NoSuchTool,
    /// No tool or message supplies the fact it needs.
    NoSuchFact,
    /// It binds the user or somebody else, not the agent.
    AboutUser,
    /// It describes, explains or heads other clauses.
    NotNormative,
}

/// A clause that a sample declared not encodable, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unencoded {
    /// Which sample, from 0.
    pub sample: usize,
    /// What it is about.
    pub citation: Citation,
    /// Why.
    pub reason: NoRule,
    /// What would be needed, in the model's words; may be empty.
    pub note: String,
}

/// What became of the answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleOutcome {
    /// It was read.
    Read,
    /// It was cut, refused, broke the schema, or never came; says which.
    Failed(String),
}

/// One request's outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleReport {
    /// Which section, from 0.
    pub section: usize,
    /// Which sample, from 0.
    pub sample: usize,
    /// What became of it.
    pub outcome: SampleOutcome,
}

/// Everything extraction learned about a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Sections in document order.
    pub sections: Vec<Section>,
    /// Clauses in document order.
    pub clauses: Vec<Clause>,
    /// Number of samples asked for.
    pub samples: usize,
    /// What became of each request.
    pub reports: Vec<SampleReport>,
    /// Candidates in order of section, sample and place in the answer.
    pub candidates: Vec<Candidate>,
    /// Clauses declared not encodable, in the same order.
    pub unencoded: Vec<Unencoded>,
    /// Name of the model that answered, for provenance; empty if unknown.
    pub model: String,
}
