//! The lexicon: what people say when they agree, refuse, hedge, ask or change their mind.
//!
//! It is data, so that another language or a desk with its own habits needs no new code. The
//! English one is built in. A lexicon that cannot be read is an error where it is loaded; an
//! empty one hears no yes, so nothing that needs a yes is let through by accident.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::phrases::Phrases;
use super::words::Spelling;

const ENGLISH: &str = include_str!("en.toml");

/// Phrases and words of one language, ready to be matched.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    pub(super) spelling: Spelling,
    pub(super) yes: Phrases,
    pub(super) yes_alone: Phrases,
    pub(super) weak_alone: Phrases,
    pub(super) refusal: Phrases,
    pub(super) hedge: Phrases,
    pub(super) change: Phrases,
    pub(super) withdrawal: Phrases,
    pub(super) reserve: Phrases,
    pub(super) openers: Phrases,
    pub(super) question: Phrases,
    pub(super) labels: Phrases,
    pub(super) idioms: Phrases,
    pub(super) negators: Phrases,
    pub(super) conditions: Phrases,
    pub(super) fillers: Phrases,
    pub(super) courtesies: Phrases,
    pub(super) joiners: BTreeSet<String>,
    pub(super) asks: Phrases,
    pub(super) asks_still: Phrases,
    pub(super) other_questions: Phrases,
    pub(super) language: Language,
    pub(super) dates: Dates,
}

/// Words that tell the supported language from others.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    pub(super) own: BTreeSet<String>,
    pub(super) other: BTreeSet<String>,
}

/// How dates are spelt.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dates {
    /// Twelve lists of names, January first.
    pub(super) months: Vec<Vec<String>>,
    /// Endings of a day number, as in "20th".
    pub(super) ordinals: Vec<String>,
    /// Words that may stand between day and month, as in "20th of May".
    pub(super) between: Vec<String>,
    /// Whether 05/06/2024 has the month first.
    pub(super) month_first: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    spelling: SpellingFile,
    answers: BTreeMap<String, Vec<String>>,
    context: BTreeMap<String, Vec<String>>,
    joiners: BTreeSet<String>,
    agent: BTreeMap<String, Vec<String>>,
    language: Language,
    dates: Dates,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpellingFile {
    contractions: BTreeMap<String, String>,
    endings: BTreeMap<String, String>,
    abbreviations: BTreeSet<String>,
}

impl Lexicon {
    /// The built-in English lexicon.
    pub fn english() -> &'static Lexicon {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        // A test reads the built-in file, so the empty lexicon is only for the type checker; it
        // would hear no yes at all.
        LEXICON.get_or_init(|| Lexicon::parse(ENGLISH).unwrap_or_default())
    }

    /// Reads a lexicon in TOML, in the layout of the built-in English one.
    ///
    /// # Errors
    /// Says which table, list or phrase is missing, unknown or malformed.
    pub fn parse(toml_text: &str) -> Result<Lexicon, String> {
        let file: File = toml::from_str(toml_text)
            .map_err(|e| format!("the consent lexicon cannot be read: {}", e.message()))?;
        let spelling = Spelling {
            contractions: file
                .spelling
                .contractions
                .into_iter()
                .map(|(word, meaning)| {
                    let words = meaning.split_whitespace().map(str::to_owned).collect();
                    (word, words)
                })
                .collect(),
            endings: file.spelling.endings,
            abbreviations: file.spelling.abbreviations,
        };
        if file.dates.months.len() != 12 {
            return Err(format!(
                "the consent lexicon names {} months; `dates.months` needs twelve lists",
                file.dates.months.len()
            ));
        }
        let mut lists = Lists {
            spelling: &spelling,
            tables: [
                ("answers", file.answers),
                ("context", file.context),
                ("agent", file.agent),
            ],
        };
        let lexicon = Lexicon {
            yes: lists.take("answers", "yes")?,
            yes_alone: lists.take("answers", "yes_alone")?,
            weak_alone: lists.take("answers", "weak_alone")?,
            refusal: lists.take("answers", "refusal")?,
            hedge: lists.take("answers", "hedge")?,
            change: lists.take("answers", "change")?,
            withdrawal: lists.take("answers", "withdrawal")?,
            reserve: lists.take("answers", "reserve")?,
            question: lists.take("answers", "question")?,
            openers: lists.take("context", "openers")?,
            labels: lists.take("context", "labels")?,
            idioms: lists.take("context", "idioms")?,
            negators: lists.take("context", "negators")?,
            conditions: lists.take("context", "conditions")?,
            fillers: lists.take("context", "fillers")?,
            courtesies: lists.take("context", "courtesies")?,
            asks: lists.take("agent", "asks")?,
            asks_still: lists.take("agent", "asks_still")?,
            other_questions: lists.take("agent", "other_questions")?,
            joiners: file.joiners,
            language: file.language,
            dates: file.dates,
            spelling: Spelling::default(),
        };
        lists.finish()?;
        Ok(Lexicon {
            spelling,
            ..lexicon
        })
    }
}

/// The phrase lists of the file, handed out by name; what is left over is unknown.
struct Lists<'a> {
    spelling: &'a Spelling,
    tables: [(&'static str, BTreeMap<String, Vec<String>>); 3],
}

impl Lists<'_> {
    fn take(&mut self, table: &str, list: &str) -> Result<Phrases, String> {
        let patterns = self
            .tables
            .iter_mut()
            .find(|(name, _)| *name == table)
            .and_then(|(_, lists)| lists.remove(list))
            .ok_or_else(|| {
                format!(
                    "the consent lexicon lacks the list `{table}.{list}`; add it, if only as `[]`"
                )
            })?;
        Phrases::parse(self.spelling, &patterns)
            .map_err(|e| format!("in the consent lexicon, list `{table}.{list}`: {e}"))
    }

    fn finish(&self) -> Result<(), String> {
        for (table, lists) in &self.tables {
            if let Some(list) = lists.keys().next() {
                return Err(format!(
                    "the consent lexicon has an unknown list `{table}.{list}`; remove it or correct its name"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edit: impl Fn(&str) -> String, expected: &str) {
        let error = Lexicon::parse(&edit(ENGLISH)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn the_built_in_lexicon_reads() {
        Lexicon::parse(ENGLISH).unwrap();
    }

    #[test]
    fn mistakes_are_named() {
        check(|_| "nonsense".to_owned(), "cannot be read");
        check(|t| t.replace("yes_alone =", "yes_alon ="), "yes_alone");
        check(
            |t| t.replace("[agent]", "[agent]\nextra = []"),
            "agent.extra",
        );
        check(
            |t| t.replace("weak_alone = [", "weak_alone = [\"* it\","),
            "`* it`",
        );
        check(
            |t| {
                let (head, tail) = t.split_once("months = [").unwrap();
                let (_, tail) = tail.split_once("],").unwrap();
                format!("{head}months = [{tail}")
            },
            "11 months",
        );
    }
}
