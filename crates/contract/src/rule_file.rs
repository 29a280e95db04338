//! Rule files: contracts written by hand, as YAML or JSON.
//!
//! A file has a list `contracts` and optionally names for `terms`, `settings`, an
//! `overlay` over the tool catalog, and transcripts that it `expect`s verdicts
//! on. Each contract has an `id` and either a `guarantee` or a kind with its
//! slots. Unknown keys and repeated keys are errors, since a typo must never
//! switch a rule off, and as many mistakes as possible are reported at once,
//! each where it stands.

mod entry;
mod expect;
mod reader;
pub(crate) mod scalar;
mod settings;
mod terms;
mod value;
pub(crate) mod yaml;

pub use expect::{Act, Expectation, Expected, ExpectedCall, ExpectedVerdict, Message, Said};
pub use settings::GivenSettings;

use crate::contract::Strategy;
use crate::diagnostic::{Code, Diagnostic};
use crate::draft::RuleText;
use crate::rule::Rule;
use crate::rule_text::{Place, SlotSpans};
use crate::source::{Lines, Source};
use reader::Reader;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use yaml::Node;

/// Something of a rule file and the bytes where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// What it is.
    pub value: T,
    /// Where it stands.
    pub range: Range<usize>,
}

/// A rule file that could be read, at least in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// Choices that change what the contracts mean.
    pub settings: GivenSettings,
    /// The file with the overlay over the tool catalog, as it is written: a path
    /// that starts beside the rule file.
    pub overlay: Option<Placed<String>>,
    /// The contracts without a mistake, in order of the file.
    pub entries: Vec<RuleEntry>,
    /// How many contracts the file lists, those with mistakes included.
    pub given: usize,
    /// The transcripts without a mistake, in order of the file.
    pub expectations: Vec<Expectation>,
}

/// One contract of a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleEntry {
    /// Its name.
    pub id: String,
    /// Where the name stands.
    pub id_range: Range<usize>,
    /// Its slots as written.
    pub text: RuleText,
    /// Its slots as trees.
    pub rule: Rule,
    /// Where atoms and tools stand in the slots; see [`RuleEntry::locate`].
    pub spans: SlotSpans,
    /// What it says, in words; may be empty.
    pub says: String,
    /// What to do on a refusal.
    pub strategy: Strategy,
    /// The clause of the policy that it comes from.
    pub clause: Option<RuleClause>,
    /// The scalar that holds each slot or item of a slot.
    places: BTreeMap<(&'static str, Option<usize>), Range<usize>>,
}

/// The clause of a policy that a contract written by hand comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleClause {
    /// Lines of the policy.
    pub lines: Lines,
    /// The clause's words, if the file quotes them.
    pub text: Option<String>,
}

impl RuleEntry {
    /// The byte range in the rule file of a place in the slots; that of the id
    /// if the slot is not in the file.
    pub fn locate(&self, source: &Source, place: &Place) -> Range<usize> {
        entry::locate(source, &self.places, &self.text, place)
            .unwrap_or_else(|| self.id_range.clone())
    }
}

/// Reads a rule file. The diagnostics say what is wrong with single contracts
/// and settings; those that are well are in the file that is returned.
///
/// # Errors
/// One sentence with line and column if the text is neither YAML nor JSON, or
/// has no list `contracts`.
pub fn read_rule_file(source: &Source) -> Result<(RuleFile, Vec<Diagnostic>), String> {
    let fatal = |at: usize, message: String| {
        let position = source.position(at);
        format!(
            "{}:{}:{}: {message}",
            source.name(),
            position.line,
            position.column
        )
    };
    let root = yaml::read(source).map_err(|(message, at)| {
        // The usual cause is a formula or a class of tools without quotes.
        let help = match message.contains("unexpected character") || message.contains("not allowed")
        {
            true => "; put texts with `@`, `: ` or ` #` in single quotes",
            false => "",
        };
        if message.contains("budget breached") {
            let message = "the rule file is too large or nested too deep, aliases counted wherever they are used; split it";
            return fatal(at, message.to_owned());
        }
        fatal(
            at,
            format!("the rule file is neither YAML nor JSON: {message}{help}"),
        )
    })?;
    let map = match root.value {
        Node::Map(map) => map,
        Node::Null => {
            return Err(fatal(
                0,
                "the rule file is empty; it needs a list `contracts`".to_owned(),
            ));
        }
        other => {
            let message = format!(
                "the rule file is {}; it needs a list `contracts`",
                other.describe()
            );
            return Err(fatal(root.range.start, message));
        }
    };
    if let Some((key, _)) = map.iter().find(|(key, _)| key.value == "lictor") {
        let message = "this is a compiled library and no rule file; give it to `evaluate` or `preflight`, or check the rules it was made from";
        return Err(fatal(key.range.start, message.to_owned()));
    }
    let mut reader = Reader::new(source);
    let known = ["contracts", "terms", "overlay", "settings", "expect"];
    let mut fields = reader.fields(map, &known, "a rule file", None);
    let contracts = match fields.remove("contracts") {
        Some(Placed {
            value: Node::List(list),
            ..
        }) => list,
        Some(other) => {
            let message = format!(
                "`contracts` is {}; it must be a list",
                other.value.describe()
            );
            return Err(fatal(other.range.start, message));
        }
        None => {
            let message = "the rule file has no list `contracts`, so it has no rules".to_owned();
            return Err(fatal(0, message));
        }
    };
    let settings = fields.remove("settings").map(|node| reader.settings(node));
    let overlay = fields
        .remove("overlay")
        .and_then(|node| reader.text("overlay", node, None));
    if let Some(node) = fields.remove("terms") {
        reader.declare(node);
    }
    let given = contracts.len();
    let mut entries: Vec<RuleEntry> = Vec::new();
    let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for (index, node) in contracts.into_iter().enumerate() {
        let (id, entry) = reader.entry(index, node);
        if let Some(id) = id {
            if let Some(first) = seen.get(&id.value) {
                let first = reader.label(first.clone()).saying("first given here");
                let twice = Diagnostic::new(
                    Code::DuplicateId,
                    format!("the id `{}` is given twice", id.value),
                )
                .help("give each contract an id of its own")
                .about(&id.value)
                .at(reader.label(id.range))
                .at(first);
                reader.diagnostics.push(twice);
                continue;
            }
            seen.insert(id.value, id.range);
        }
        entries.extend(entry);
    }
    let expectations = fields.remove("expect").map(|node| {
        let ids: BTreeSet<&str> = seen.keys().map(String::as_str).collect();
        reader.expectations(node, &ids)
    });
    let file = RuleFile {
        settings: settings.unwrap_or_default(),
        overlay,
        entries,
        given,
        expectations: expectations.unwrap_or_default(),
    };
    Ok((file, reader.diagnostics))
}

#[cfg(test)]
mod tests;
