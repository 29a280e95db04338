//! What a check has to say about a rule, and where the rule comes from.
//!
//! Findings are plain ordered data. A round of verification collects those of
//! all checks into one set before it applies any, which is why the order of
//! the checks cannot change the outcome.

use crate::names::quoted;
use lictor_contract::diagnostic::{Code, Severity};
use lictor_contract::predicate::Term;
use lictor_contract::source::Lines;
use std::collections::BTreeSet;
use std::ops::Range;

/// Where a rule comes from: a candidate of a draft, or an entry of a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Id of the candidate or of the entry.
    pub id: String,
    /// Name of the policy or of the rule file.
    pub file: String,
    /// The quoted words, or the entry.
    pub range: Range<usize>,
    /// The lines of that.
    pub lines: Lines,
    /// What the rule says, in words.
    pub says: String,
    /// Section of the policy, from 0; 0 for a rule file.
    pub section: usize,
    /// Extraction sample, from 0; 0 for a rule file.
    pub sample: usize,
}

/// What follows from a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// The rule cannot be used.
    Reject,
    /// The rule no longer guards these tools.
    Strip(BTreeSet<String>),
    /// For this tool the rule applies only where these terms have a value.
    Guard(String, BTreeSet<Term>),
    /// Nothing changes.
    Note,
}

/// One thing that a check found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The check.
    pub code: Code,
    /// What follows from it.
    pub remedy: Remedy,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong: one sentence, lower-case start, no final stop.
    pub message: String,
    /// What can be done about it; may be empty.
    pub advice: String,
    /// What was done about it; empty if nothing was.
    pub done: String,
}

impl Finding {
    /// A finding that costs the rule its life.
    pub fn reject(code: Code, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Finding::new(code, Remedy::Reject, message, advice)
    }

    /// A finding that costs the rule one tool.
    pub fn strip(code: Code, tool: &str, message: impl Into<String>) -> Self {
        Finding::strip_all(code, [tool], message)
    }

    /// A finding that costs the rule several tools.
    pub fn strip_all<'a>(
        code: Code,
        tools: impl IntoIterator<Item = &'a str>,
        message: impl Into<String>,
    ) -> Self {
        let tools: BTreeSet<String> = tools.into_iter().map(str::to_owned).collect();
        let done = format!("the rule no longer guards {}", quoted(&tools));
        Finding::new(code, Remedy::Strip(tools), message, "").with_done(done)
    }

    /// The same finding with words for what was done.
    pub fn with_done(mut self, done: impl Into<String>) -> Self {
        self.done = done.into();
        self
    }

    /// The same finding with words for what can be done.
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// What can be done and what was done, as one line.
    pub fn help(&self) -> String {
        let parts = [self.advice.as_str(), self.done.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("; ")
    }

    /// A finding that changes nothing.
    pub fn note(code: Code, message: impl Into<String>, advice: impl Into<String>) -> Self {
        let mut finding = Finding::new(code, Remedy::Note, message, advice);
        finding.severity = Severity::Note;
        finding
    }

    /// A finding with its code's own weight.
    pub fn new(
        code: Code,
        remedy: Remedy,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        // A repaired rule is usable again, so a repair is never an error.
        let severity = match remedy {
            Remedy::Reject => code.severity(),
            _ => code.severity().min(Severity::Warning),
        };
        Finding {
            code,
            remedy,
            severity,
            message: message.into(),
            advice: advice.into(),
            done: String::new(),
        }
    }

    /// The finding where it took the last binding away: as bad as a rejection.
    pub fn fatal(self) -> Self {
        match self.remedy {
            Remedy::Strip(_) => Finding {
                remedy: Remedy::Reject,
                severity: self.code.severity(),
                done: "no binding is left, so the rule is rejected".to_owned(),
                ..self
            },
            _ => self,
        }
    }
}
