//! The library file: what the gate loads, sealed by a digest.

use crate::catalog::{Effect, sha256};
use crate::contract::Contract;
use crate::draft::NoRule;
use crate::rule::ConfirmationReading;
use crate::source::Lines;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file format that this build writes.
pub const FORMAT: u32 = 1;

/// What a library says about one tool of its catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolRecord {
    /// Hash over name, description and schema.
    pub fingerprint: String,
    /// Its effect class; absent if the catalog has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
}

/// What a gate does with a tool that the library does not know.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Unlisted {
    /// Refuse it.
    #[default]
    Refuse,
    /// Let it pass.
    Pass,
}

/// Choices that change what the contracts mean at run time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How far one yes reaches.
    pub confirmation: ConfirmationReading,
    /// What happens to tools that the catalog does not have.
    pub unlisted: Unlisted,
}

/// What became of one clause of the policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Coverage {
    /// Contracts enforce it.
    Enforced {
        /// Which.
        contracts: Vec<String>,
    },
    /// Contracts enforce a part of it.
    PartlyEnforced {
        /// Which.
        contracts: Vec<String>,
        /// What is missing.
        missing: String,
    },
    /// Tool calls do not decide it.
    NotDecidable {
        /// Why.
        reason: NoRule,
        /// What would be needed.
        note: String,
    },
    /// It demands nothing.
    NotNormative,
    /// No surviving rule and no reason covers it.
    Missed {
        /// What happened to the candidates for it, if there were any.
        note: String,
    },
    /// Its section has no successful sample.
    NotAsked,
}

/// One row of the coverage table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageRow {
    /// Lines of the policy.
    pub lines: Lines,
    /// The clause's words.
    pub text: String,
    /// What became of it.
    pub coverage: Coverage,
}

/// Where the contracts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Name of the policy or rule file, without its folder.
    pub source: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// Model that answered; empty for rules written by hand.
    pub model: String,
    /// Samples asked for per section.
    pub samples: u32,
    /// Requests whose answer could be read.
    pub answers: u32,
    /// Requests whose answer was cut, refused or broke the schema.
    pub failed: u32,
}

/// A sealed set of verified contracts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Version of the file format.
    pub lictor: u32,
    /// Where the contracts come from.
    pub provenance: Provenance,
    /// The catalog they were verified against.
    pub tools: BTreeMap<String, ToolRecord>,
    /// Choices that change what they mean.
    pub settings: Settings,
    /// The contracts in a stable order.
    pub contracts: Vec<Contract>,
    /// What became of each clause.
    pub coverage: Vec<CoverageRow>,
    /// SHA-256 over everything above in canonical form.
    pub digest: String,
}

/// Why a file is no library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// Not JSON, or JSON of another shape.
    #[error("not a library file: {0}")]
    Malformed(String),
    /// Written by a newer version.
    #[error(
        "the library has format {0}, this version reads up to {FORMAT}; update lictor or compile again"
    )]
    Newer(u64),
    /// The content does not fit its digest.
    #[error(
        "the library's content does not fit its digest, so it was changed after it was sealed; compile it again"
    )]
    Tampered,
}

impl Library {
    /// Reads a library file and checks its digest.
    ///
    /// # Errors
    /// [`LibraryError`] says what is wrong.
    pub fn from_json(text: &str) -> Result<Library, LibraryError> {
        let json: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| LibraryError::Malformed(error.to_string()))?;
        match json.get("lictor").and_then(serde_json::Value::as_u64) {
            Some(format) if format > u64::from(FORMAT) => return Err(LibraryError::Newer(format)),
            Some(_) => {}
            None => return Err(LibraryError::Malformed("it has no number `lictor`".into())),
        }
        let library: Library = serde_json::from_str(text)
            .map_err(|error| LibraryError::Malformed(error.to_string()))?;
        if library.digest != library.computed_digest() {
            return Err(LibraryError::Tampered);
        }
        Ok(library)
    }

    /// The same library with the digest that fits it.
    #[must_use]
    pub fn with_digest(mut self) -> Library {
        self.digest = self.computed_digest();
        self
    }

    /// The file's bytes: indented JSON, fields in a fixed order, one final line break.
    pub fn to_json(&self) -> String {
        // Strings, numbers, lists and maps with text keys always serialise.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    fn computed_digest(&self) -> String {
        let mut unsealed = self.clone();
        unsealed.digest = String::new();
        let text = serde_json::to_string(&unsealed).unwrap_or_default();
        sha256(&text)
    }
}
