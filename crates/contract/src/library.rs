//! The library file: what the gate loads, sealed by a digest.

use crate::catalog::{Effect, sha256};
use crate::contract::Contract;
use crate::declared::{Entity, ParameterRecord, ResultForm, is_false};
use crate::draft::NoRule;
use crate::names::ToolNames;
use crate::rule::ConfirmationReading;
use crate::source::Lines;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the file format that this build writes.
pub const FORMAT: u32 = 2;

/// What a library says about one tool of its catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolRecord {
    /// Hash over name, description and schema.
    pub fingerprint: String,
    /// Its effect class; absent if the catalog has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The server that offers it, if the catalog names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Its name on that server, if it differs from its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Other names that agents use for it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub aliases: BTreeSet<String>,
    /// Whether values that its results introduce are trusted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub trusted: bool,
    /// The forms its results come in; with none, every result that is no error
    /// carries itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultForm>,
    /// JSON Schema of the value its results carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<serde_json::Value>,
    /// Its parameters by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, ParameterRecord>,
}

impl ToolRecord {
    /// The name on its server of the tool with this id.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.name.as_deref().unwrap_or(id)
    }
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
    /// The time that the policy states as the present one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// The zone of times that are written without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The languages in which a yes is understood; none: English.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lexicon: Vec<String>,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Version of the file format.
    pub lictor: u32,
    /// Where the contracts come from.
    pub provenance: Provenance,
    /// The catalog they were verified against, by tool id: the bare name of a
    /// tool without a server, else `server/name`.
    pub tools: BTreeMap<String, ToolRecord>,
    /// Kinds of records that tools return and writes make stale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub entities: BTreeMap<String, Entity>,
    /// Names of arguments and fields whose values are ids: they compare ignoring
    /// case, blanks and a leading `#`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ids: BTreeSet<String>,
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
    /// Reads a library file and checks its digest. A file of an older format is
    /// checked as it stands and then brought to this one, with a digest of its own.
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
        Ok(if library.lictor == FORMAT {
            library
        } else {
            library.upgraded()
        })
    }

    /// Every field that a newer format added may be absent and is not written
    /// when empty, so that only the number changes.
    fn upgraded(mut self) -> Library {
        self.lictor = FORMAT;
        self.with_digest()
    }

    /// What agents may call the tools. Costs a pass over all of them, so keep it.
    pub fn tool_names(&self) -> ToolNames {
        ToolNames::new(self.tools.iter().map(|(id, record)| {
            let server = record.server.as_deref();
            (id.as_str(), server, record.name(id), &record.aliases)
        }))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A library as format 1 wrote it.
    const FORMAT_1: &str = include_str!("../tests/format-1.library.json");

    #[test]
    fn a_library_of_format_1_is_checked_as_it_stands_and_upgraded() {
        let library = Library::from_json(FORMAT_1).unwrap();
        assert_eq!(library.lictor, FORMAT);
        assert_eq!(library.contracts.len(), 2);
        let old: serde_json::Value = serde_json::from_str(FORMAT_1).unwrap();
        assert_ne!(Some(library.digest.as_str()), old["digest"].as_str());
        assert_eq!(Library::from_json(&library.to_json()).unwrap(), library);
        let changed = FORMAT_1.replacen("\"write\"", "\"read\"", 1);
        assert_ne!(changed, FORMAT_1);
        assert_eq!(Library::from_json(&changed), Err(LibraryError::Tampered));
    }

    #[test]
    fn what_is_declared_is_sealed_with_the_rest() {
        let mut library = Library::from_json(FORMAT_1).unwrap();
        let id = library.tools.keys().next().unwrap().clone();
        let text = r#"{"fingerprint": "f", "server": "shop", "name": "n", "aliases": ["a.b"], "trusted": true,
            "results": [{"ok": "result[0] == true", "value": "result[1]"}], "shape": {"type": "object"},
            "parameters": {"x": {"types": ["string"], "default": "y", "required": true}, "z": {}}}"#;
        library
            .tools
            .insert(id, serde_json::from_str(text).unwrap());
        let text = r#"{"key": "order_id", "returned_by": ["get"], "invalidated_by": {"cancel": {"fields": ["status"], "key": "order_id"}, "purge": {}}}"#;
        library
            .entities
            .insert("order".into(), serde_json::from_str(text).unwrap());
        library.ids.insert("order_id".into());
        let library = library.with_digest();
        let text = library.to_json();
        assert_eq!(Library::from_json(&text).unwrap(), library);
        for word in ["\"a.b\"", "result[1]", "\"y\"", "\"shop\"", "purge"] {
            let changed = text.replacen(word, &word.replace(['a', 'r', 'y', 's', 'p'], "q"), 1);
            assert!(Library::from_json(&changed).is_err(), "{word}");
        }
    }

    #[test]
    fn what_is_no_library_says_why() {
        let check = |text: &str, expected: &str| {
            let error = Library::from_json(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("{", "not a library file");
        check("{}", "no number `lictor`");
        check("{\"lictor\": 9}", "format 9");
        check("{\"lictor\": 2}", "missing field");
        let typo = FORMAT_1.replacen("\"effect\"", "\"efect\"", 1);
        check(&typo, "efect");
    }
}
