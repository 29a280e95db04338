//! Phrase patterns: the small language in which the lexicon lists what people say.
//!
//! A phrase is a row of words. `a|b` is a choice (an underscore joins the words of one
//! alternative), a trailing `?` makes a word optional, `*` is any one word, `,` allows a break at
//! that place, a leading `^` demands the start of a clause and a trailing `$` its end. A word with
//! accents also matches itself typed without them, but not the other way round. Matching walks
//! the row with the set of places reached so far, so it needs no regex, never backtracks, and its
//! cost per word of a message is bounded by the lexicon.

use std::collections::{BTreeMap, BTreeSet};

use super::letters::spellings;
use super::words::{Spelling, Token};

/// More words in one phrase than any sensible entry needs.
const MAX_PARTS: usize = 24;

#[derive(Debug, Clone)]
enum Part {
    /// One of these rows of words, or nothing if optional.
    Choice {
        rows: Vec<Vec<Word>>,
        optional: bool,
    },
    MayBreak,
}

/// A word in all its spellings, or any word.
#[derive(Debug, Clone)]
enum Word {
    Any,
    Of(Vec<String>),
}

impl Word {
    fn read(word: &str) -> Self {
        if word == "*" {
            Self::Any
        } else {
            Self::Of(spellings(word))
        }
    }

    fn is(&self, token: &Token) -> bool {
        match self {
            Self::Any => !token.is_break(),
            Self::Of(spellings) => spellings.contains(&token.text),
        }
    }
}

#[derive(Debug, Clone)]
struct Phrase {
    opens: bool,
    closes: bool,
    parts: Vec<Part>,
}

/// Where clauses start and end in one sentence, by token index.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub opens: Vec<bool>,
    pub closes: Vec<bool>,
}

impl Edges {
    pub(super) fn opens_at(&self, i: usize) -> bool {
        self.opens.get(i).copied().unwrap_or(false)
    }

    fn closes_at(&self, i: usize) -> bool {
        self.closes.get(i).copied().unwrap_or(true)
    }
}

/// A set of phrases, indexed by the words they can start with.
#[derive(Debug, Clone, Default)]
pub(super) struct Phrases {
    phrases: Vec<Phrase>,
    by_first: BTreeMap<String, BTreeSet<usize>>,
}

impl Phrases {
    /// Reads a list of phrase patterns.
    ///
    /// # Errors
    /// Names the first pattern that is empty, too long, or can start with no word.
    pub(super) fn parse(spelling: &Spelling, patterns: &[String]) -> Result<Self, String> {
        let mut out = Self::default();
        for pattern in patterns {
            let phrase = read(spelling, pattern)?;
            for word in first_words(pattern, &phrase)? {
                out.by_first
                    .entry(word)
                    .or_default()
                    .insert(out.phrases.len());
            }
            out.phrases.push(phrase);
        }
        Ok(out)
    }

    /// The end of the longest phrase that starts at token `start`.
    pub(super) fn longest_at(
        &self,
        tokens: &[Token],
        edges: &Edges,
        start: usize,
    ) -> Option<usize> {
        let first = tokens.get(start)?;
        self.by_first
            .get(&first.text)?
            .iter()
            .filter_map(|id| self.phrases.get(*id))
            .filter(|phrase| !phrase.opens || edges.opens_at(start))
            .filter_map(|phrase| {
                ends(&phrase.parts, tokens, start)
                    .into_iter()
                    .filter(|end| *end > start && (!phrase.closes || edges.closes_at(*end)))
                    .max()
            })
            .max()
    }
}

/// Every place that the parts can reach from `start`.
fn ends(parts: &[Part], tokens: &[Token], start: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([start]);
    for part in parts {
        let mut next = BTreeSet::new();
        for at in reached {
            match part {
                Part::MayBreak => {
                    next.insert(at + usize::from(tokens.get(at).is_some_and(Token::is_break)));
                }
                Part::Choice { rows, optional } => {
                    if *optional {
                        next.insert(at);
                    }
                    next.extend(rows.iter().filter_map(|row| end_of_row(row, tokens, at)));
                }
            }
        }
        if next.is_empty() {
            return next;
        }
        reached = next;
    }
    reached
}

fn end_of_row(row: &[Word], tokens: &[Token], start: usize) -> Option<usize> {
    let end = start + row.len();
    let there = tokens.get(start..end)?;
    let same = row.iter().zip(there).all(|(word, token)| word.is(token));
    same.then_some(end)
}

fn read(spelling: &Spelling, pattern: &str) -> Result<Phrase, String> {
    let body = pattern.trim();
    let opens = body.starts_with('^');
    let closes = body.ends_with('$');
    let body = body.trim_start_matches('^').trim_end_matches('$');
    let mut parts = Vec::new();
    for word in body.split_whitespace() {
        if word == "," {
            parts.push(Part::MayBreak);
            continue;
        }
        let bare = word.trim_end_matches('?');
        let mut rows = Vec::new();
        for choice in bare.split('|') {
            if choice.is_empty() || choice.contains(['^', '$', '?', ',']) {
                return Err(format!(
                    "phrase `{pattern}` has the choice `{choice}`; write plain words between `|`, with `^` and `$` only at the ends of the phrase"
                ));
            }
            let spelt = choice.split('_').flat_map(|word| {
                let words = spelling.spell_out(&word.to_lowercase()).into_iter();
                words.map(|word| Word::read(&word))
            });
            rows.push(spelt.collect());
        }
        parts.push(Part::Choice {
            rows,
            optional: bare.len() < word.len(),
        });
    }
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return Err(format!(
            "phrase `{pattern}` has {} words; write 1 to {MAX_PARTS}",
            parts.len()
        ));
    }
    Ok(Phrase {
        opens,
        closes,
        parts,
    })
}

fn first_words(pattern: &str, phrase: &Phrase) -> Result<BTreeSet<String>, String> {
    let mut words = BTreeSet::new();
    for part in &phrase.parts {
        let Part::Choice { rows, optional } = part else {
            break;
        };
        let mut any = false;
        for first in rows.iter().filter_map(|row| row.first()) {
            match first {
                Word::Any => any = true,
                Word::Of(spellings) => words.extend(spellings.iter().cloned()),
            }
        }
        if any {
            break;
        }
        if !optional {
            return Ok(words);
        }
    }
    Err(format!(
        "phrase `{pattern}` must start with a word; write one that is not optional before the first `*` or `,`"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::words::sentences;
    use super::*;

    fn check(pattern: &str, text: &str, expected: Option<usize>) {
        let spelling = Spelling::default();
        let phrases = Phrases::parse(&spelling, &[pattern.to_owned()]).unwrap();
        let sentence = sentences(&|_| false, text).into_iter().next().unwrap();
        let count = sentence.tokens.len();
        let edges = Edges {
            opens: (0..=count).map(|i| i == 0).collect(),
            closes: (0..=count).map(|i| i == count).collect(),
        };
        let found = (0..count).find_map(|i| phrases.longest_at(&sentence.tokens, &edges, i));
        assert_eq!(found, expected, "{pattern} in {text}");
    }

    #[test]
    fn patterns_match_as_described() {
        check("go ahead", "please go ahead now", Some(3));
        check("^go ahead", "please go ahead", None);
        check("go ahead$", "go ahead now", None);
        check("do it|that_one", "do that one", Some(3));
        check("please? do it", "do it", Some(2));
        check("do * it", "do run it", Some(3));
        check("do * it", "do, run it", None);
        check("no , that", "no, that", Some(3));
        check("no , that", "no that", Some(2));
        check("a b", "a", None);
        check("s\u{ED}", "si", Some(1));
        check("si", "s\u{ED}", None);
    }

    #[test]
    fn bad_patterns_are_named() {
        for bad in ["", "* it", "a? *", "a|", "a? , b", "a$|b c"] {
            let error = Phrases::parse(&Spelling::default(), &[bad.to_owned()]).unwrap_err();
            assert!(error.contains(bad), "{error}");
        }
        let huge = "a ".repeat(MAX_PARTS + 1);
        assert!(Phrases::parse(&Spelling::default(), &[huge]).is_err());
    }
}
