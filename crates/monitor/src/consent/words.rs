//! Text to sentences of words, each word with its place in the original.
//!
//! Consent is judged sentence by sentence and clause by clause, so this is the one place that
//! knows what ends a sentence, what only separates two clauses, and which characters are merely
//! another way to type the same one (curly apostrophes, long dashes, no-break spaces).
//! Splitting is the same for all languages. What is one language's own is done after it, by its
//! [`Spelling`]: contractions are spelt out ("don't" becomes "do not"), both in messages and in
//! the phrases of the lexicon, so that a phrase written one way matches the other.

use std::collections::{BTreeMap, BTreeSet};

use super::letters::{compose, is_combining};

/// A word in comparison form, or the break between two clauses.
///
/// A break has no letters: it is `,` for whatever separates clauses and `:` behind a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Lower-case text, or the mark of a break.
    pub text: String,
    /// Byte offset in the original where the token starts.
    pub start: usize,
    /// Byte offset in the original just past the token.
    pub end: usize,
}

impl Token {
    /// A comma, colon, bracket, dash or row of dots: a new clause starts behind it.
    pub(super) fn is_break(&self) -> bool {
        self.text == "," || self.is_colon()
    }

    /// A colon, which may introduce an answer or the value of a field.
    pub(super) fn is_colon(&self) -> bool {
        self.text == ":"
    }
}

/// One sentence: its tokens and whether it ended in a question mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sentence {
    pub tokens: Vec<Token>,
    pub question: bool,
}

/// How a language spells: contractions, shortened words at the front and at the end of others
/// ("l'" and "n't"), abbreviations that carry a full stop.
#[derive(Debug, Clone, Default)]
pub(super) struct Spelling {
    pub contractions: BTreeMap<String, Vec<String>>,
    pub openings: BTreeMap<String, String>,
    pub endings: BTreeMap<String, String>,
    pub abbreviations: BTreeSet<String>,
}

impl Spelling {
    /// The words that one written word stands for.
    pub(super) fn spell_out(&self, word: &str) -> Vec<String> {
        if let Some(words) = self.contractions.get(word) {
            return words.clone();
        }
        for (opening, meaning) in &self.openings {
            if let Some(rest) = word.strip_prefix(opening.as_str())
                && !rest.is_empty()
            {
                return vec![meaning.clone(), rest.to_owned()];
            }
        }
        for (ending, meaning) in &self.endings {
            if let Some(stem) = word.strip_suffix(ending.as_str())
                && !stem.is_empty()
            {
                return vec![stem.to_owned(), meaning.clone()];
            }
        }
        vec![word.to_owned()]
    }

    /// The sentence with its contractions spelt out.
    pub(super) fn spell(&self, sentence: &Sentence) -> Sentence {
        let tokens = sentence.tokens.iter().flat_map(|token| {
            let words = self.spell_out(&token.text).into_iter();
            words.map(|text| Token { text, ..*token })
        });
        Sentence {
            tokens: tokens.collect(),
            question: sentence.question,
        }
    }
}

/// The plain form of characters that people type in several ways.
pub(super) fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{FF07}' | '\u{00B4}' | '`' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{FF0D}' => '-',
        '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2015}' => '\u{2014}',
        '\u{00A0}' | '\u{202F}' | '\u{2007}' | '\u{3000}' => ' ',
        '\u{FF1F}' | '\u{061F}' => '?',
        '\u{FF01}' => '!',
        '\u{3002}' => '.',
        '\u{FF0C}' | '\u{3001}' => ',',
        '\u{2028}' | '\u{2029}' | '\r' => '\n',
        other => other,
    }
}

/// Characters without width or meaning of their own: joiners, variation selectors, skin tones.
pub(super) fn invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Signs that stand for a word, such as a thumb up.
fn pictograph(c: char) -> bool {
    c >= '\u{2190}'
        && !c.is_alphanumeric()
        && !matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}')
}

#[derive(Default)]
struct Splitter {
    done: Vec<Sentence>,
    now: Sentence,
    word: String,
    word_start: usize,
}

impl Splitter {
    fn end_word(&mut self, end: usize) {
        if self.word.is_empty() {
            return;
        }
        self.now.tokens.push(Token {
            text: std::mem::take(&mut self.word),
            start: self.word_start,
            end,
        });
    }

    fn clause_break(&mut self, at: usize, mark: &str) {
        // Breaks at the start of a sentence (list dashes) and doubled breaks separate nothing.
        if self.now.tokens.last().is_some_and(|t| !t.is_break()) {
            self.now.tokens.push(Token {
                text: mark.to_owned(),
                start: at,
                end: at,
            });
        }
    }

    fn end_sentence(&mut self, question: bool) {
        if self.now.tokens.last().is_some_and(Token::is_break) {
            self.now.tokens.pop();
        }
        if self.now.tokens.is_empty() {
            // "?!" and "!?" are one end: the question belongs to the sentence before.
            if question && let Some(last) = self.done.last_mut() {
                last.question = true;
            }
            return;
        }
        let mut sentence = std::mem::take(&mut self.now);
        sentence.question = question;
        self.done.push(sentence);
    }
}

/// Splits a text into sentences; blank ones are dropped. Linear in the text.
///
/// `abbreviated` tells the words whose full stop ends no sentence.
pub(super) fn sentences(abbreviated: &dyn Fn(&str) -> bool, text: &str) -> Vec<Sentence> {
    let mut chars: Vec<(usize, char)> = Vec::new();
    for (at, c) in text.char_indices() {
        match (chars.last_mut(), c) {
            // A line break that arrives escaped, as in JSON text taken for plain text.
            (Some((_, last)), 'n' | 'r' | 't') if *last == '\\' => *last = '\n',
            (Some((_, last)), accent) if is_combining(accent) => {
                *last = compose(*last, accent).unwrap_or(*last);
            }
            (_, c) if invisible(c) => {}
            (_, c) => chars.push((at, plain(c))),
        }
    }
    let char_at = |i: usize| chars.get(i).map_or(' ', |(_, c)| *c);
    let mut out = Splitter::default();
    for (i, &(at, c)) in chars.iter().enumerate() {
        let before = if i == 0 { ' ' } else { char_at(i - 1) };
        let after = char_at(i + 1);
        if c.is_alphanumeric() || inside_word(before, c, after) {
            if out.word.is_empty() {
                out.word_start = at;
            }
            out.word.extend(c.to_lowercase());
            continue;
        }
        let short = out.word.chars().count() == 1 || abbreviated(&out.word);
        let lettered = out.word.chars().all(char::is_alphabetic) && !out.word.is_empty();
        out.end_word(at);
        match c {
            '?' => out.end_sentence(true),
            '!' | ';' | '\n' => out.end_sentence(false),
            '.' if before == '.' || after == '.' => out.clause_break(at, ","),
            ':' => out.clause_break(at, ":"),
            // "St." and the single letters of "e.g." end no sentence, but "I did. Y." is rare
            // enough to be read as one sentence.
            '.' if short && lettered => {}
            '.' => out.end_sentence(false),
            ',' | '(' | ')' | '[' | ']' | '\u{2014}' | '\u{2026}' | '\u{BF}' | '\u{A1}' => {
                out.clause_break(at, ",")
            }
            '-' if !(before.is_alphanumeric() && after.is_alphanumeric()) => {
                out.clause_break(at, ",")
            }
            c if pictograph(c) => {
                out.now.tokens.push(Token {
                    text: c.to_string(),
                    start: at,
                    end: at + c.len_utf8(),
                });
            }
            _ => {}
        }
    }
    out.end_word(text.len());
    out.end_sentence(false);
    out.done
}

/// Punctuation that belongs to the word around it: "don't", "12.50", "1,250", "a@b.example".
fn inside_word(before: char, c: char, after: char) -> bool {
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    let between = before.is_alphanumeric() && after.is_alphanumeric();
    match c {
        '\'' | '_' | '@' => between,
        // "#stop" is a tag or a marker of some tool, not the word.
        '#' => !before.is_alphanumeric() && (after == '#' || after.is_alphanumeric()),
        ',' => digits,
        // "Yes.Please" lacks a space; "shop.example" is one word.
        '.' => between && !(before.is_lowercase() && after.is_uppercase()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let spelling = Spelling {
            contractions: BTreeMap::from([(
                "won't".to_owned(),
                vec!["will".to_owned(), "not".to_owned()],
            )]),
            endings: BTreeMap::from([("n't".to_owned(), "not".to_owned())]),
            openings: BTreeMap::from([("l'".to_owned(), "le".to_owned())]),
            abbreviations: BTreeSet::from(["apt".to_owned()]),
        };
        let abbreviated = |word: &str| spelling.abbreviations.contains(word);
        let shown: Vec<String> = sentences(&abbreviated, text)
            .iter()
            .map(|s| {
                let s = spelling.spell(s);
                let words: Vec<&str> = s.tokens.iter().map(|t| t.text.as_str()).collect();
                format!("{}{}", words.join(" "), if s.question { "?" } else { "" })
            })
            .collect();
        assert_eq!(shown.join(" | "), expected, "{text}");
    }

    #[test]
    fn splits_sentences_clauses_and_words() {
        check("Yes, go-ahead. Thanks!", "yes , go ahead | thanks");
        check("I don\u{2019}t; it won't?!", "i do not | it will not?");
        check("$1,250.75 to a@b.example.", "1,250.75 to a@b.example");
        check("Apt. 4 - now", "apt 4 , now");
        check("yes.Please do", "yes | please do");
        check("well... ok \u{1F44D}\u{1F3FD}", "well , ok \u{1F44D}");
        check("#stop ##x## # y", "#stop ##x y");
        check("- one\n- two", "one | two");
        check("done.\\n\\nOnce: ok", "done | once : ok");
        check(" \u{200B} ", "");
        check("y\u{200B}es", "yes");
        check("si\u{301}, l'option", "s\u{ED} , le option");
        check("s\u{ED} \u{BF}cu\u{E1}nto?", "s\u{ED} , cu\u{E1}nto?");
    }
}
