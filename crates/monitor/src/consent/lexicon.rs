//! The lexicon: what people say when they agree, refuse, hedge, ask or change their mind.
//!
//! It is data, so that another language or a desk with its own habits needs no new code. Several
//! are built in, each read when it is first asked for. A lexicon that cannot be read is an error
//! where it is loaded; an empty one hears no yes, so nothing that needs a yes is let through by
//! accident.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::languages::Language;
use super::letters::spellings;
use super::phrases::Phrases;
use super::words::Spelling;

/// A lexicon that is built in, and its reading once somebody asked for it.
struct BuiltIn {
    name: &'static str,
    text: &'static str,
    read: OnceLock<Lexicon>,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        static BUILT_IN: [BuiltIn; NAMES.len()] = [$(BuiltIn {
            name: $name,
            text: include_str!(concat!("lexicon/", $name, ".toml")),
            read: OnceLock::new(),
        }),*];
        const NAMES: &[&str] = &[$($name),*];
    };
}

built_in!("en", "de", "fr", "es", "pt", "it", "nl");

/// Signs that mean the same in every language, with the lists that they join.
const SIGNS: &[(&str, &[&str])] = &[
    ("yes", &["\u{1F197}"]),
    (
        "refusal",
        &[
            "\u{1F44E}",
            "\u{274C}",
            "\u{1F6AB}",
            "\u{1F645}",
            "\u{26D4}",
            "\u{1F6D1}",
        ],
    ),
    ("hedge", &["\u{1F914}", "\u{1F937}"]),
    (
        "weak_alone",
        &[
            "\u{1F44D}",
            "\u{1F44C}",
            "\u{1F64F}",
            "\u{2705}",
            "\u{2714}",
            "\u{1F64C}",
            "\u{1F642}",
        ],
    ),
    (
        "courtesies",
        &[
            "\u{1F44D}",
            "\u{1F64F}",
            "\u{1F60A}",
            "\u{1F642}",
            "\u{2705}",
        ],
    ),
];

/// Phrases and words of one language, ready to be matched.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    name: String,
    pub(super) spelling: Spelling,
    pub(super) yes: Phrases,
    pub(super) yes_alone: Phrases,
    pub(super) weak_alone: Phrases,
    pub(super) refusal: Phrases,
    pub(super) hedge: Phrases,
    pub(super) provisos: Phrases,
    pub(super) change: Phrases,
    pub(super) counter: Phrases,
    pub(super) withdrawal: Phrases,
    pub(super) reserve: Phrases,
    pub(super) openers: Phrases,
    pub(super) question: Phrases,
    pub(super) labels: Phrases,
    pub(super) idioms: Phrases,
    pub(super) negators: Phrases,
    pub(super) conditions: Phrases,
    pub(super) purposes: Phrases,
    pub(super) fillers: Phrases,
    pub(super) courtesies: Phrases,
    pub(super) joiners: BTreeSet<String>,
    pub(super) asks: Phrases,
    pub(super) offers: Phrases,
    pub(super) asks_still: Phrases,
    pub(super) other_questions: Phrases,
    pub(super) open_questions: Phrases,
    pub(super) language: Language,
    pub(super) dates: Dates,
    pub(super) numbers: Numbers,
}

impl Dates {
    /// With the months also as people type them without accents.
    fn typed(self) -> Self {
        let typed = |names: Vec<String>| names.iter().flat_map(|name| spellings(name)).collect();
        Self {
            months: self.months.into_iter().map(typed).collect(),
            ..self
        }
    }
}

/// How numbers are spelt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbers {
    /// The mark in front of the fraction, `.` or `,`.
    pub(super) decimal: String,
    /// Marks that may stand between groups of three digits.
    pub(super) groups: Vec<String>,
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
    name: String,
    #[serde(default)]
    words: Vec<String>,
    spelling: SpellingFile,
    answers: BTreeMap<String, Vec<String>>,
    context: BTreeMap<String, Vec<String>>,
    joiners: BTreeSet<String>,
    agent: BTreeMap<String, Vec<String>>,
    dates: Dates,
    numbers: Numbers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpellingFile {
    contractions: BTreeMap<String, String>,
    #[serde(default)]
    openings: BTreeMap<String, String>,
    endings: BTreeMap<String, String>,
    abbreviations: BTreeSet<String>,
}

impl Lexicon {
    /// The built-in English lexicon.
    pub fn english() -> &'static Lexicon {
        static NONE: OnceLock<Lexicon> = OnceLock::new();
        // A test reads the built-in files, so the empty lexicon is only for the type checker; it
        // would hear no yes at all.
        Self::named("en").unwrap_or_else(|| NONE.get_or_init(Lexicon::default))
    }

    /// The built-in lexicon of this name, without regard to case; none if there is none.
    ///
    /// ```
    /// use lictor_monitor::consent::Lexicon;
    /// assert!(Lexicon::named("de").is_some());
    /// assert!(Lexicon::named("latin").is_none());
    /// ```
    pub fn named(name: &str) -> Option<&'static Lexicon> {
        let name = name.trim();
        let built_in = BUILT_IN
            .iter()
            .find(|built_in| built_in.name.eq_ignore_ascii_case(name))?;
        let read = || Lexicon::parse(built_in.text).unwrap_or_default();
        Some(built_in.read.get_or_init(read))
    }

    /// The names of the built-in lexicons, English first.
    pub fn supported() -> &'static [&'static str] {
        NAMES
    }

    /// The name of the language, such as `en`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a lexicon in TOML, in the layout of the built-in ones.
    ///
    /// Its `name` stands for its language, of which the words that tell it from others are built
    /// in; a new language lists its own under `words`.
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
            openings: file.spelling.openings,
            endings: file.spelling.endings,
            abbreviations: file.spelling.abbreviations,
        };
        if file.dates.months.len() != 12 {
            return Err(format!(
                "the consent lexicon names {} months; `dates.months` needs twelve lists",
                file.dates.months.len()
            ));
        }
        if !matches!(file.numbers.decimal.as_str(), "." | ",") {
            return Err(format!(
                "the consent lexicon has the decimal mark `{}`; write `.` or `,` for `numbers.decimal`",
                file.numbers.decimal
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
            provisos: lists.take("answers", "provisos")?,
            change: lists.take("answers", "change")?,
            counter: lists.take("answers", "counter")?,
            withdrawal: lists.take("answers", "withdrawal")?,
            reserve: lists.take("answers", "reserve")?,
            question: lists.take("answers", "question")?,
            openers: lists.take("context", "openers")?,
            labels: lists.take("context", "labels")?,
            idioms: lists.take("context", "idioms")?,
            negators: lists.take("context", "negators")?,
            conditions: lists.take("context", "conditions")?,
            purposes: lists.take("context", "purposes")?,
            fillers: lists.take("context", "fillers")?,
            courtesies: lists.take("context", "courtesies")?,
            asks: lists.take("agent", "asks")?,
            offers: lists.take("agent", "offers")?,
            asks_still: lists.take("agent", "asks_still")?,
            other_questions: lists.take("agent", "other_questions")?,
            open_questions: lists.take("agent", "open_questions")?,
            joiners: file.joiners,
            language: Language::of(&file.name, &file.words),
            dates: file.dates.typed(),
            numbers: file.numbers,
            name: file.name,
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
        let mut patterns = self
            .tables
            .iter_mut()
            .find(|(name, _)| *name == table)
            .and_then(|(_, lists)| lists.remove(list))
            .ok_or_else(|| {
                format!(
                    "the consent lexicon lacks the list `{table}.{list}`; add it, if only as `[]`"
                )
            })?;
        let signs = SIGNS.iter().filter(|(joined, _)| *joined == list);
        patterns.extend(signs.flat_map(|(_, signs)| signs.iter().map(|s| (*s).to_owned())));
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

    #[track_caller]
    fn check(edit: impl Fn(&str) -> String, expected: &str) {
        let english = BUILT_IN[0].text;
        let error = Lexicon::parse(&edit(english)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn the_built_in_lexicons_read() {
        for built_in in &BUILT_IN {
            let lexicon = Lexicon::parse(built_in.text)
                .unwrap_or_else(|error| panic!("{}: {error}", built_in.name));
            assert_eq!(lexicon.name(), built_in.name);
        }
    }

    #[test]
    fn lexicons_are_found_by_name() {
        assert_eq!(Lexicon::named(" DE ").map(Lexicon::name), Some("de"));
        assert!(Lexicon::named("").is_none());
        assert_eq!(Lexicon::english().name(), "en");
        assert_eq!(Lexicon::supported().len(), 7);
    }

    #[test]
    fn mistakes_are_named() {
        check(|_| "nonsense".to_owned(), "cannot be read");
        check(|t| t.replace("yes_alone =", "yes_alon ="), "yes_alone");
        check(
            |t| t.replace("decimal = \".\"", "decimal = \"x\""),
            "the decimal mark `x`",
        );
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
