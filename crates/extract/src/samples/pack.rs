//! Samples files without policy text, for policies that must not be copied.
//!
//! Wherever an answer repeats words of the policy, the packed file has their
//! place and hash instead. A text is packed as a list of parts, literal text
//! and references in turn, so that putting the policy's words back gives the
//! same bytes whatever the model wrote, even where its answer is no JSON.

use crate::clauses::lines_of;
use lictor_contract::catalog::sha256;
use lictor_contract::source::{Lines, Source};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::Range;

/// The key of a packed text.
const KEY: &str = "policy_text";

/// Words in a row that count as a copy of the policy, anywhere.
const COPIED_WORDS: usize = 8;

/// The same inside a quotation, which is a copy by intent.
const QUOTED_WORDS: usize = 2;

/// Most places of the policy that are tried for one run of words.
const MOST_PLACES: usize = 32;

/// Why a samples file cannot be brought to its other form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// Not a line of it is JSON.
    #[error(
        "no line of the samples file is JSON; give a samples file or the output file of a batch"
    )]
    NoSamples,
    /// The policy has changed since.
    #[error(
        "line {line} of the samples file refers to lines {lines} of the policy, which read otherwise now; unpack it with the policy it was packed with"
    )]
    OtherPolicy {
        /// Line of the samples file.
        line: usize,
        /// Lines of the policy.
        lines: Lines,
    },
    /// A packed text has another form.
    #[error("line {line} of the samples file holds a packed text that cannot be read: {reason}")]
    Broken {
        /// Line of the samples file.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// A part of a packed text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Literal(String),
    Reference {
        lines: Lines,
        /// Bytes of the policy.
        range: (usize, usize),
        sha256: String,
    },
}

/// Whether a value stands for a packed text.
pub(crate) fn is_packed(value: &Json) -> bool {
    value
        .as_object()
        .is_some_and(|object| object.len() == 1 && object.contains_key(KEY))
}

/// Whether a samples file has packed texts in it. Inside an answer the mark
/// stands in a string, where its quotes are escaped, so this cannot be mistaken.
pub fn has_packed_texts(samples: &str) -> bool {
    samples.contains(&format!("{{\"{KEY}\":"))
}

/// Takes the policy's words out of a samples file. Lines that cannot be read
/// are left out: they count for nothing, and what they hold cannot be told.
///
/// # Errors
/// [`PackError::NoSamples`].
pub fn pack(samples: &str, policy: &Source) -> Result<String, PackError> {
    let packer = Packer::new(policy);
    each_line(samples, |_, json| Ok(packer.value(json)))
}

/// Puts the policy's words back into a packed samples file and checks that
/// they are the same. A file that is not packed keeps its answers as they are.
///
/// # Errors
/// [`PackError`] says which line does not fit the policy.
pub fn unpack(samples: &str, policy: &Source) -> Result<String, PackError> {
    each_line(samples, |line, json| restore(json, policy, line))
}

/// Rewrites every line that is JSON.
fn each_line(
    samples: &str,
    mut rewrite: impl FnMut(usize, Json) -> Result<Json, PackError>,
) -> Result<String, PackError> {
    let mut out = String::new();
    for (index, line) in samples.lines().enumerate() {
        if let Ok(json) = serde_json::from_str::<Json>(line) {
            out.push_str(&rewrite(index + 1, json)?.to_string());
            out.push('\n');
        }
    }
    match out.is_empty() && !samples.trim().is_empty() {
        true => Err(PackError::NoSamples),
        false => Ok(out),
    }
}

/// Restores every packed text in a value. Values come from the JSON reader,
/// which bounds their depth.
fn restore(value: Json, policy: &Source, line: usize) -> Result<Json, PackError> {
    if is_packed(&value) {
        return restore_text(&value, policy, line).map(Json::String);
    }
    match value {
        Json::Array(items) => items
            .into_iter()
            .map(|item| restore(item, policy, line))
            .collect(),
        Json::Object(fields) => {
            let fields = fields
                .into_iter()
                .map(|(name, field)| Ok((name, restore(field, policy, line)?)));
            fields.collect::<Result<_, _>>().map(Json::Object)
        }
        other => Ok(other),
    }
}

fn restore_text(value: &Json, policy: &Source, line: usize) -> Result<String, PackError> {
    let parts = value.get(KEY).unwrap_or(&Json::Null);
    let parts: Vec<Part> =
        serde_json::from_value(parts.clone()).map_err(|error| PackError::Broken {
            line,
            reason: error.to_string(),
        })?;
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal(literal) => text.push_str(&literal),
            Part::Reference {
                lines,
                range: (start, end),
                sha256: hash,
            } => match policy
                .text()
                .get(start..end)
                .filter(|words| sha256(words) == hash)
            {
                Some(words) => text.push_str(words),
                None => return Err(PackError::OtherPolicy { line, lines }),
            },
        }
    }
    Ok(text)
}

struct Packer<'a> {
    policy: &'a Source,
    words: Vec<Range<usize>>,
    copied: Runs<'a>,
    quoted: Runs<'a>,
}

/// Where each run of so many words begins in the policy, as indices of words.
struct Runs<'a> {
    length: usize,
    places: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Packer<'a> {
    fn new(policy: &'a Source) -> Self {
        let words = words(policy.text());
        Packer {
            policy,
            copied: Runs::new(policy.text(), &words, COPIED_WORDS),
            quoted: Runs::new(policy.text(), &words, QUOTED_WORDS),
            words,
        }
    }

    fn value(&self, value: Json) -> Json {
        match value {
            Json::String(text) => self.text(&text).unwrap_or(Json::String(text)),
            Json::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Json::Object(fields) => {
                let fields = fields
                    .into_iter()
                    .map(|(name, field)| (name, self.value(field)));
                Json::Object(fields.collect())
            }
            other => other,
        }
    }

    /// The packed form of a text; none if it repeats nothing.
    fn text(&self, text: &str) -> Option<Json> {
        let quotations = quotations(text);
        let words = words(text);
        let mut parts = Vec::new();
        let mut done = 0;
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let quotation = quotations
                .iter()
                .find(|range| range.start <= word.start && word.end <= range.end);
            let (runs, end) = match quotation {
                Some(range) => (&self.quoted, range.end),
                None => (&self.copied, text.len()),
            };
            let Some((source, count)) = self.longest(runs, text, &words, index, end) else {
                index += 1;
                continue;
            };
            let literal = text.get(done..word.start).unwrap_or_default();
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            }
            done = word.start + source.len();
            parts.push(Part::Reference {
                lines: lines_of(self.policy, &source),
                sha256: sha256(self.policy.text().get(source.clone()).unwrap_or_default()),
                range: (source.start, source.end),
            });
            index += count;
        }
        if parts.is_empty() {
            return None;
        }
        let literal = text.get(done..).unwrap_or_default();
        if !literal.is_empty() {
            parts.push(Part::Literal(literal.to_owned()));
        }
        Some(serde_json::json!({ KEY: parts }))
    }

    /// The longest run of words of the policy that stands at word `index` of
    /// the text and ends by `end`: its bytes in the policy, and its words.
    fn longest(
        &self,
        runs: &Runs<'_>,
        text: &str,
        words: &[Range<usize>],
        index: usize,
        end: usize,
    ) -> Option<(Range<usize>, usize)> {
        let begin = words.get(index)?.start;
        let shortest = words
            .get(index + runs.length - 1)
            .filter(|word| word.end <= end)?;
        let places = runs.places.get(text.get(begin..shortest.end)?)?;
        let policy = self.policy.text();
        let run = |place: &usize| -> Option<(Range<usize>, usize)> {
            let start = self.words.get(*place)?.start;
            let mut count = runs.length;
            let mut stop = self.words.get(place + count - 1)?.end;
            // Longer by a word as long as text and policy agree up to it.
            while let (Some(here), Some(there)) =
                (words.get(index + count), self.words.get(place + count))
            {
                let agrees = here.end <= end
                    && here.end - begin == there.end - start
                    && text.get(begin + (stop - start)..here.end) == policy.get(stop..there.end);
                if !agrees {
                    break;
                }
                stop = there.end;
                count += 1;
            }
            Some((start..stop, count))
        };
        places
            .iter()
            .filter_map(run)
            .max_by_key(|(range, _)| (range.len(), std::cmp::Reverse(range.start)))
    }
}

impl<'a> Runs<'a> {
    fn new(text: &'a str, words: &[Range<usize>], length: usize) -> Self {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, run) in words.windows(length).enumerate() {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            if let Some(run) = text.get(first.start..last.end) {
                let places = places.entry(run).or_default();
                if places.len() < MOST_PLACES {
                    places.push(index);
                }
            }
        }
        Runs { length, places }
    }
}

/// The bytes of each word of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                words.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|begin| begin..text.len()));
    words
}

/// The bytes of the quotations in an answer: what stands between the quotation
/// marks behind each `"quote":`.
fn quotations(text: &str) -> Vec<Range<usize>> {
    const NAME: &str = "\"quote\"";
    let mut found = Vec::new();
    for (at, name) in text.match_indices(NAME) {
        let behind = text.get(at + name.len()..).unwrap_or_default();
        let value = behind
            .trim_start()
            .strip_prefix(':')
            .map(str::trim_start)
            .and_then(|it| it.strip_prefix('"'));
        let Some(value) = value else { continue };
        let start = text.len() - value.len();
        let mut escaped = false;
        let length = value.find(|c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        found.push(start..start + length.unwrap_or(value.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POLICY: &str = "# Desk\n\n1. Only a \"pending\" order may be cancelled.\n2. A refund needs the yes of the customer, and the order must have been read before.\n";

    fn policy() -> Source {
        Source::new("p.md", POLICY)
    }

    fn line(content: &str) -> String {
        let message = serde_json::json!({"content": content, "reasoning": content});
        serde_json::json!({"custom_id": "a", "response": {"body": {"choices": [{"message": message}]}}}).to_string() + "\n"
    }

    #[track_caller]
    fn check_lossless(content: &str) -> String {
        let original = line(content);
        let packed = pack(&original, &policy()).unwrap();
        let unpacked = unpack(&packed, &policy()).unwrap();
        let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
        assert_eq!(json(&unpacked), json(&original));
        packed
    }

    #[test]
    fn quotations_are_taken_out_and_put_back() {
        let content = "{ \"rules\": [{\"quote\" : \"Only a \\\"pending\\\" order may be cancelled.\", \"says\": \"Pending only.\"}]}";
        let packed = check_lossless(content);
        assert!(!packed.contains("may be cancelled"), "{packed}");
        assert!(packed.contains("Pending only."));
        assert!(packed.contains("\"lines\":[3,3]"));
    }

    #[test]
    fn long_copies_are_taken_out_anywhere() {
        let packed = check_lossless(
            "It says: A refund needs the yes of the customer, and the order must wait",
        );
        assert!(!packed.contains("yes of the customer"), "{packed}");
        assert!(packed.contains("It says: ") && packed.contains(" wait"));
        let packed = check_lossless("{\"quote\": \"A refund needs the\\n yes of you\"");
        assert!(!packed.contains("refund needs"), "{packed}");
    }

    #[test]
    fn another_policy_is_noticed() {
        let packed = pack(&line("{\"quote\": \"order may be cancelled\"}"), &policy()).unwrap();
        let other = Source::new("p.md", POLICY.replace("cancelled", "postponed"));
        let error = unpack(&packed, &other).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("line 1 of the samples file refers to lines 3"),
            "{error}"
        );
        let broken = r#"{"a": {"policy_text": [3]}}"#;
        assert!(matches!(
            unpack(broken, &policy()),
            Err(PackError::Broken { line: 1, .. })
        ));
        let far =
            r#"{"a": {"policy_text": [{"lines": [1, 1], "range": [5, 99999], "sha256": ""}]}}"#;
        assert!(matches!(
            unpack(far, &policy()),
            Err(PackError::OtherPolicy { .. })
        ));
        assert_eq!(pack("{\n", &policy()), Err(PackError::NoSamples));
        assert_eq!(pack("", &policy()), Ok(String::new()));
        assert_eq!(pack("{}\n{", &policy()), Ok("{}\n".to_owned()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn packing_loses_nothing(pieces in proptest::collection::vec((0usize..160, 0usize..90, "[ -~é\"\\\\\n]{0,9}"), 0..6)) {
            let mut content = String::from("{\"quote\":\"");
            for (start, length, noise) in pieces {
                content.push_str(POLICY.get(start..(start + length).min(POLICY.len())).unwrap_or_default());
                content.push_str(&noise);
            }
            check_lossless(&content);
        }
    }
}
