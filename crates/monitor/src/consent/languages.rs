//! Which languages a session reads, and which of them a text is written in.
//!
//! Words of one language mean something else in another ("no" is a refusal in Spanish and "in
//! the" in Portuguese), so a sentence is read only by the selected lexicons whose language it may
//! be in. A sentence that is in none of them is not read at all, and a message with such a
//! sentence is never a yes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::letters::spellings;
use super::lexicon::Lexicon;
use super::words::{Sentence, Token, invisible, sentences};

/// Texts of fewer words are too short to tell their language by the lack of known words.
const WORDS_TO_TELL: usize = 5;

/// Why lexicons could not be selected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// No lexicon has this name.
    #[error("there is no lexicon `{0}`; write one of {known}", known = Lexicon::supported().join(", "))]
    Unknown(String),
    /// No name was given.
    #[error("no lexicon is named; write at least one of {known}", known = Lexicon::supported().join(", "))]
    Missing,
}

/// The languages in which a session understands consent; English unless others are named.
#[derive(Debug, Clone)]
pub struct Languages {
    lexicons: Vec<&'static Lexicon>,
}

impl Languages {
    /// The built-in lexicons of these names, each once, in the order given.
    ///
    /// # Errors
    /// If a name is none of [`Lexicon::supported`], or if there is none at all.
    ///
    /// ```
    /// use lictor_monitor::consent::Languages;
    /// assert!(Languages::named(["en", "de"]).is_ok());
    /// assert!(Languages::named(["tlh"]).is_err());
    /// ```
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, LanguageError> {
        let mut lexicons: Vec<&'static Lexicon> = Vec::new();
        for name in names {
            let lexicon = Lexicon::named(name)
                .ok_or_else(|| LanguageError::Unknown(name.trim().to_owned()))?;
            if lexicons.iter().all(|known| known.name() != lexicon.name()) {
                lexicons.push(lexicon);
            }
        }
        if lexicons.is_empty() {
            return Err(LanguageError::Missing);
        }
        Ok(Self { lexicons })
    }

    /// The names of the selected lexicons.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lexicons.iter().map(|lexicon| lexicon.name())
    }

    pub(super) fn lexicons(&self) -> &[&'static Lexicon] {
        &self.lexicons
    }
}

impl Default for Languages {
    fn default() -> Self {
        Self {
            lexicons: vec![Lexicon::english()],
        }
    }
}

/// A text split into sentences, and for each of them the lexicons that can read it.
pub(super) struct Script<'l> {
    pub sentences: Vec<(Sentence, Vec<&'l Lexicon>)>,
    /// Whether the text as a whole is in the selected languages, as far as a few words can tell.
    pub supported: bool,
}

impl<'l> Script<'l> {
    /// Splits the text. Linear in it, for given lexicons.
    pub(super) fn of(lexicons: &[&'l Lexicon], text: &str) -> Self {
        let abbreviated = |word: &str| {
            let mut spellings = lexicons.iter().map(|lexicon| &lexicon.spelling);
            spellings.any(|spelling| spelling.abbreviations.contains(word))
        };
        let sentences: Vec<_> = sentences(&abbreviated, text)
            .into_iter()
            .map(|sentence| {
                let readers = readers(lexicons, &sentence);
                (sentence, readers)
            })
            .collect();
        let all = || sentences.iter().flat_map(|(sentence, _)| words(sentence));
        let own = all()
            .filter(|word| lexicons.iter().any(|l| l.language.owns(l, word)))
            .count();
        let known = all().any(|word| lexicons.iter().any(|l| l.language.knows(l, word)));
        let alien = |word: &&Token| lexicons.iter().all(|l| l.language.is_other(l, word));
        let other = all().filter(alien).count();
        let letters = text.chars().filter(|c| !invisible(*c));
        Self {
            supported: is_latin(letters)
                && other <= own
                && (known || all().count() < WORDS_TO_TELL),
            sentences,
        }
    }
}

/// The lexicons that can read a sentence; none if it is in none of their languages.
fn readers<'l>(lexicons: &[&'l Lexicon], sentence: &Sentence) -> Vec<&'l Lexicon> {
    let letters = sentence.tokens.iter().flat_map(|token| token.text.chars());
    if !is_latin(letters) {
        return Vec::new();
    }
    let covers = |lexicon: &&&Lexicon| {
        let language = &lexicon.language;
        let own = words(sentence).filter(|word| language.owns(lexicon, word));
        let other = words(sentence).filter(|word| language.is_other(lexicon, word));
        let shared = words(sentence)
            .filter(|word| language.knows(lexicon, word) && !language.owns(lexicon, word));
        let (own, other) = (own.count(), other.count());
        // A name among the details may happen to be another language's word.
        let telling = words(sentence).count() - shared.count();
        other <= own || other * 2 <= telling
    };
    lexicons.iter().filter(covers).copied().collect()
}

fn words(sentence: &Sentence) -> impl Iterator<Item = &Token> {
    let tokens = sentence.tokens.iter();
    tokens.filter(|token| token.text.chars().any(char::is_alphabetic))
}

/// Whether the letters are those of the supported languages, but for a name or two.
fn is_latin(text: impl Iterator<Item = char>) -> bool {
    let latin = |c: char| c < '\u{0250}' || ('\u{1E00}'..'\u{1F00}').contains(&c);
    let letters = text.filter(|c| c.is_alphabetic());
    let (own, other) = letters.fold((0usize, 0usize), |(own, other), c| {
        if latin(c) {
            (own + 1, other)
        } else {
            (own, other + 1)
        }
    });
    // A third, not a half: a syllable or a whole word may be one letter in other scripts.
    other * 2 <= own
}

/// Words that tell a language from others.
#[derive(Debug, Clone, Default)]
pub(super) struct Language {
    /// Of no other language.
    own: BTreeSet<String>,
    /// Of others only.
    other: BTreeSet<String>,
    /// Its own, and those that it shares.
    known: BTreeSet<String>,
}

impl Language {
    /// What tells the language of this name, which also has these words, from all others.
    pub(super) fn of(name: &str, words: &[String]) -> Self {
        let table = Table::built_in();
        let listed = table.words.get(name).into_iter().flatten();
        let exact: BTreeSet<String> = listed.chain(words).cloned().collect();
        let others = table.words.iter().filter(|(other, _)| *other != name);
        let foreign: BTreeSet<&String> = others
            .flat_map(|(_, words)| words)
            .chain(&table.foreign)
            .collect();
        let neutral = typed(&table.neutral);
        // "já" may be typed "ja", but that is rather another language's word.
        let known: BTreeSet<String> = typed(&exact)
            .into_iter()
            .filter(|word| exact.contains(word) || !foreign.contains(word))
            .collect();
        let telling = known.iter().filter(|word| !foreign.contains(word));
        let own = telling.filter(|word| !neutral.contains(*word));
        // Only as they are spelt: without its accents many a word is a name, or a code.
        let other = foreign
            .iter()
            .filter(|word| !known.contains(**word) && !neutral.contains(**word));
        Self {
            own: own.cloned().collect(),
            other: other.map(|word| (*word).clone()).collect(),
            known,
        }
    }

    /// Whether the word is this language's alone.
    fn owns(&self, lexicon: &Lexicon, word: &Token) -> bool {
        Self::has(&self.own, lexicon, word)
    }

    /// Whether the word is one of this language, and perhaps of others too.
    fn knows(&self, lexicon: &Lexicon, word: &Token) -> bool {
        Self::has(&self.known, lexicon, word)
    }

    fn is_other(&self, lexicon: &Lexicon, word: &Token) -> bool {
        self.other.contains(&word.text) && !self.knows(lexicon, word)
    }

    fn has(words: &BTreeSet<String>, lexicon: &Lexicon, word: &Token) -> bool {
        words.contains(&word.text)
            || lexicon
                .spelling
                .spell_out(&word.text)
                .iter()
                .any(|part| words.contains(part))
    }
}

fn typed<'w>(words: impl IntoIterator<Item = &'w String>) -> BTreeSet<String> {
    words.into_iter().flat_map(|word| spellings(word)).collect()
}

/// The built-in table of words that tell languages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    neutral: Vec<String>,
    foreign: Vec<String>,
    words: BTreeMap<String, Vec<String>>,
}

impl Table {
    fn built_in() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        // A test reads the built-in file. Without it no word would tell a language, so that no
        // text of five words or more could be a yes.
        TABLE.get_or_init(|| {
            toml::from_str(include_str!("lexicon/languages.toml")).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_names_the_built_in_lexicons() {
        let table: Table = toml::from_str(include_str!("lexicon/languages.toml")).unwrap();
        let mut named: Vec<&str> = Lexicon::supported().to_vec();
        named.sort_unstable();
        assert_eq!(table.words.keys().collect::<Vec<_>>(), named);
    }

    #[test]
    fn selections_are_checked() {
        let names = |names: &[&str]| {
            let languages = Languages::named(names.iter().copied());
            languages.map(|l| l.names().map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(names(&["de", "en", "de"]).unwrap(), ["de", "en"]);
        assert_eq!(names(&[]), Err(LanguageError::Missing));
        let error = names(&["en", "xx"]).unwrap_err().to_string();
        assert!(
            error.contains("`xx`") && error.contains("en, de"),
            "{error}"
        );
    }

    #[track_caller]
    fn check(selected: &[&str], text: &str, expected: &[&str]) {
        let languages = Languages::named(selected.iter().copied()).unwrap();
        let script = Script::of(languages.lexicons(), text);
        let readers: Vec<String> = script
            .sentences
            .iter()
            .map(|(_, readers)| {
                let names: Vec<&str> = readers.iter().map(|l| l.name()).collect();
                names.join("+")
            })
            .collect();
        assert_eq!(readers, expected, "{text}");
    }

    #[test]
    fn each_sentence_is_read_in_its_language() {
        check(&["en"], "Yes, please. Bitte nicht.", &["en", ""]);
        check(&["en", "de"], "Yes, please. Bitte nicht.", &["en", "de"]);
        check(&["en", "de"], "OK.", &["en+de"]);
        check(&["en"], "S\u{ED}", &[""]);
        check(&["es"], "S\u{ED}", &["es"]);
        check(&["en"], "no", &["en"]);
        check(&["en", "es", "pt"], "no", &["en+es+pt"]);
        check(&["en"], "Send it to Rua de S\u{E3}o Paulo.", &["en"]);
        check(&["en"], "\u{4F46}\u{8BF7}\u{6539}", &[""]);
    }
}
