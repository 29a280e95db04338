//! Whole tokens in a text, whatever separates their parts.

use std::collections::BTreeSet;

use super::super::letters::{compose, is_combining};
use super::super::words::{invisible, plain};

/// A text in lower case without separators, which remembers where tokens begin and end.
pub(super) struct Squeezed {
    chars: Vec<Squeeze>,
    /// The first two characters of whatever begins here, to tell quickly what does not.
    starts: BTreeSet<(char, Option<char>)>,
    original: Vec<char>,
}

struct Squeeze {
    c: char,
    begins: bool,
    ends: bool,
}

impl Squeezed {
    /// Linear in the text.
    pub(super) fn of(text: &str) -> Self {
        let mut original: Vec<char> = Vec::new();
        for c in text.chars().filter(|c| !invisible(*c)) {
            match original.last_mut() {
                Some(last) if is_combining(c) => *last = compose(*last, c).unwrap_or(*last),
                _ => original.push(plain(c)),
            }
        }
        let at = |i: Option<usize>| i.and_then(|i| original.get(i)).copied().unwrap_or(' ');
        let mut chars = Vec::new();
        for (i, &c) in original.iter().enumerate() {
            if separates(c) {
                continue;
            }
            let (before2, before) = (at(i.checked_sub(2)), at(i.checked_sub(1)));
            let (after, after2) = (at(Some(i + 1)), at(Some(i + 2)));
            let inside = binds(before, c, after);
            let begins = !(inside || both(before, c) || binds(before2, before, c));
            let ends = !(inside || both(c, after) || binds(c, after, after2));
            for c in c.to_lowercase() {
                chars.push(Squeeze { c, begins, ends });
            }
        }
        let second = chars.iter().skip(1).map(|s| Some(s.c)).chain([None]);
        let starts = chars.iter().zip(second);
        let starts = starts.filter(|(first, _)| first.begins);
        Self {
            starts: starts.map(|(first, second)| (first.c, second)).collect(),
            chars,
            original,
        }
    }

    /// The characters of the text, without invisible ones and each in its plain form.
    pub(super) fn original(&self) -> &[char] {
        &self.original
    }

    /// Whether a text has the same characters, whatever separates them.
    pub(super) fn is(&self, text: &str) -> bool {
        let chars = text.chars().filter(|c| !invisible(*c)).map(plain);
        let chars = chars
            .filter(|c| !separates(*c))
            .flat_map(char::to_lowercase);
        chars.eq(self.chars.iter().map(|s| s.c))
    }

    /// Whether the other's characters occur here from the beginning of a token to the end of one.
    /// Knuth, Morris and Pratt's search, since overlapping places must all be looked at.
    pub(super) fn has_tokens(&self, sought: &Squeezed) -> bool {
        let key: Vec<char> = sought.chars.iter().map(|s| s.c).collect();
        if !key.iter().any(|c| c.is_alphanumeric()) {
            return false;
        }
        if let [first, second, ..] = key.as_slice()
            && !self.starts.contains(&(*first, Some(*second)))
        {
            return false;
        }
        let fallback = fallbacks(&key);
        let mut matched = 0;
        for (i, here) in self.chars.iter().enumerate() {
            while matched > 0 && key.get(matched) != Some(&here.c) {
                matched = fallback.get(matched - 1).copied().unwrap_or(0);
            }
            if key.get(matched) == Some(&here.c) {
                matched += 1;
            }
            if matched == key.len() {
                let begins = (i + 1)
                    .checked_sub(matched)
                    .and_then(|start| self.chars.get(start))
                    .is_some_and(|s| s.begins);
                if begins && here.ends {
                    return true;
                }
            }
        }
        false
    }
}

/// What may stand between the parts of a token, or be left out.
fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\u{2014}' | '_' | '#' | '*' | '\\')
}

/// Two characters of one word.
fn both(a: char, b: char) -> bool {
    a.is_alphanumeric() && b.is_alphanumeric()
}

/// A mark inside a token, as in "a@b.example", "12.50" or "10:30".
fn binds(before: char, mark: char, after: char) -> bool {
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    match mark {
        '.' | '@' => both(before, after),
        ',' | ':' | '/' => digits,
        _ => false,
    }
}

fn fallbacks(key: &[char]) -> Vec<usize> {
    let mut table = vec![0; key.len()];
    let mut matched = 0;
    for (i, c) in key.iter().enumerate().skip(1) {
        while matched > 0 && key.get(matched) != Some(c) {
            matched = table.get(matched - 1).copied().unwrap_or(0);
        }
        if key.get(matched) == Some(c) {
            matched += 1;
        }
        if let Some(entry) = table.get_mut(i) {
            *entry = matched;
        }
    }
    table
}
