//! The reading position: white space, words, and the literals of the language.
//!
//! There is no list of tokens, since what a character means depends on where it
//! stands: `-` is part of a tool's name but an operator between terms, and `/`
//! opens a regular expression only where one is expected.

use super::{MAX_LENGTH, MAX_NESTING, Mode, SyntaxError, Terms, compile_pattern};
use crate::predicate::{Atom, Pattern, Seconds};
use crate::value;
use rust_decimal::Decimal;
use std::ops::Range;

/// Whether a name can be written without quotes: a letter or `_`, then letters,
/// digits and `_`.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_word_char)
}

pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Longest stretch of time that is read: about a thousand years.
const MAX_SECONDS: u64 = 1000 * 366 * 86_400;

/// A position in a text that is being read.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) mode: Mode,
    /// Every atom read so far and where it stands.
    pub(super) atoms: Vec<(Atom, Range<usize>)>,
    /// Terms that have a name of their own.
    pub(super) terms: &'a Terms,
    /// Names that quantifiers around the position have given to elements.
    pub(super) variables: Vec<&'a str>,
    /// Number of filters around the position, in which `@` is an element.
    pub(super) filters: usize,
    /// Length of the terms that stand behind the names read so far.
    written_out: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of a text that is not too long.
    pub(super) fn new(text: &'a str, mode: Mode, terms: &'a Terms) -> Result<Self, SyntaxError> {
        if text.len() > MAX_LENGTH {
            return Err(SyntaxError::new(
                0..0,
                format!("the text is longer than {MAX_LENGTH} bytes"),
                "split it into several rules",
            ));
        }
        Ok(Cursor {
            text,
            at: 0,
            mode,
            atoms: Vec::new(),
            terms,
            variables: Vec::new(),
            filters: 0,
            written_out: 0,
        })
    }

    /// Counts a name that stands for a text of this length.
    pub(super) fn write_out(&mut self, length: usize, at: usize) -> Result<(), SyntaxError> {
        self.written_out = self.written_out.saturating_add(length);
        if self.written_out <= MAX_LENGTH {
            return Ok(());
        }
        Err(SyntaxError::new(
            at..self.at,
            format!("the text is longer than {MAX_LENGTH} bytes once its names are written out"),
            "use fewer names, or split it into several rules",
        ))
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn next_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Steps over `sign` if it comes next, after white space.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// The word at the position; empty if there is none.
    pub(super) fn word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        if is_word(word) { word } else { "" }
    }

    /// The text of a range for a message, cut if it is long.
    pub(super) fn quote(&self, range: &Range<usize>) -> String {
        let text = self.text.get(range.clone()).unwrap_or_default().trim();
        let mut short: String = text.chars().take(60).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        short
    }

    /// Refuses nesting that recursion should not follow.
    pub(super) fn check_nesting(&self, at: usize, nesting: usize) -> Result<(), SyntaxError> {
        if nesting < MAX_NESTING {
            return Ok(());
        }
        Err(SyntaxError::new(
            at..at,
            format!("the text is nested more than {MAX_NESTING} levels deep"),
            "split it into several rules",
        ))
    }

    /// Demands a sign, and says what stands there instead.
    pub(super) fn expect(&mut self, sign: &str, opened: usize) -> Result<(), SyntaxError> {
        if self.eat(sign) {
            return Ok(());
        }
        if self.next_char().is_none() {
            return Err(SyntaxError::new(
                opened..opened + 1,
                format!("the text ends before this is closed with `{sign}`"),
                format!("add `{sign}`"),
            ));
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    /// Demands the end of the text.
    pub(super) fn expect_end(&mut self, expected: &str) -> Result<(), SyntaxError> {
        self.skip_space();
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// Reads a JSON string.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        let mut escaped = false;
        let end = self.rest().char_indices().skip(1).find_map(|(index, c)| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes.then_some(start + index + 1)
        });
        let Some(end) = end else {
            return Err(SyntaxError::new(
                start..self.text.len(),
                "a text in quotes does not end",
                "add a closing double quote",
            ));
        };
        let literal = self.text.get(start..end).unwrap_or_default();
        let text = serde_json::from_str(literal).map_err(|_| {
            SyntaxError::new(
                start..end,
                "a text in quotes has an escape or a control character that JSON does not allow",
                "write `\\\\` for a backslash, `\\\"` for a quote and `\\n` for a line break",
            )
        })?;
        self.at = end;
        Ok(text)
    }

    /// Reads a stretch of time, such as `24h`, if one stands here.
    pub(super) fn duration(&mut self) -> Result<Option<Seconds>, SyntaxError> {
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut behind = rest.get(digits..).unwrap_or_default().chars();
        let unit = behind.next().and_then(|letter| {
            let mut units = Seconds::UNITS.into_iter();
            units.find(|(unit, _)| *unit == letter)
        });
        let Some((unit, seconds)) = unit.filter(|_| digits > 0) else {
            return Ok(None);
        };
        if behind.next().is_some_and(is_word_char) {
            return Ok(None);
        }
        let range = self.at..self.at + digits + unit.len_utf8();
        let count: Option<u64> = rest.get(..digits).and_then(|text| text.parse().ok());
        let length = count
            .and_then(|count| count.checked_mul(seconds))
            .filter(|length| *length <= MAX_SECONDS);
        let Some(length) = length else {
            let text = self.quote(&range);
            return Err(SyntaxError::new(
                range,
                format!("`{text}` is longer than any session"),
                "use a stretch of at most a thousand years",
            ));
        };
        self.at = range.end;
        Ok(Some(Seconds(length)))
    }

    /// Reads an unsigned number exactly.
    pub(super) fn number(&mut self) -> Result<Decimal, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        let digits = |from: usize| {
            let tail = rest.get(from..).unwrap_or_default();
            tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len()
        };
        let starts_digit = |at: usize| digits(at) > 0;
        let whole = digits(0);
        let mut end = whole;
        if rest.get(end..).is_some_and(|tail| tail.starts_with('.')) && starts_digit(end + 1) {
            end += 1 + digits(end + 1);
        }
        if rest
            .get(end..)
            .is_some_and(|tail| tail.starts_with(['e', 'E']))
        {
            let signed = rest
                .get(end + 1..)
                .is_some_and(|tail| tail.starts_with(['+', '-']));
            let exponent = end + 1 + usize::from(signed);
            if starts_digit(exponent) {
                end = exponent + digits(exponent);
            }
        }
        let literal = rest.get(..end).unwrap_or_default();
        let range = start..start + end;
        if whole > 1 && literal.starts_with('0') {
            return Err(SyntaxError::new(
                range,
                format!("the number `{literal}` starts with a zero"),
                format!("write `\"{literal}\"` if it is an id, else leave out the zeros"),
            ));
        }
        if rest
            .get(end..)
            .is_some_and(|tail| tail.starts_with(is_word_char))
        {
            let behind = rest.get(end..).unwrap_or_default();
            let word = behind.find(|c| !is_word_char(c)).unwrap_or(behind.len());
            let range = start..start + end + word;
            let found = self.quote(&range);
            return Err(SyntaxError::new(
                range,
                format!("`{found}` is neither a number nor a name"),
                "put text in double quotes, and write numbers without units or separators; `30s`, `15m`, `24h`, `7d` and `2w` are stretches of time",
            ));
        }
        let number = value::number(literal).map_err(|error| {
            SyntaxError::new(
                range,
                error.to_string(),
                "use a number of at most 28 digits",
            )
        })?;
        self.at += end;
        Ok(number)
    }

    /// Reads `/re/`, in which `\/` stands for a slash.
    pub(super) fn regex(&mut self, after: &str) -> Result<Pattern, SyntaxError> {
        self.skip_space();
        let start = self.at;
        if self.next_char() == Some('"') {
            let text = self.string()?;
            return Err(SyntaxError::new(
                start..self.at,
                format!("{after} takes a regular expression between slashes, not a text"),
                format!("write `/{}/`", text.replace('/', "\\/")),
            ));
        }
        if self.next_char() != Some('/') {
            return Err(self.unexpected("a regular expression such as `/refund/`"));
        }
        let mut pattern = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((index, c)) = characters.next() {
            match c {
                '/' => {
                    self.at = start + index + 1;
                    let pattern = Pattern(pattern);
                    compile_pattern(&pattern).map_err(|why| {
                        SyntaxError::new(
                            start..self.at,
                            format!("the regular expression cannot be used: {why}"),
                            "only expressions that can be matched in linear time are supported",
                        )
                    })?;
                    return Ok(pattern);
                }
                '\\' => match characters.next() {
                    Some((_, '/')) => pattern.push('/'),
                    Some((_, escaped)) => pattern.extend(['\\', escaped]),
                    None => break,
                },
                other => pattern.push(other),
            }
        }
        Err(SyntaxError::new(
            start..self.text.len(),
            "a regular expression does not end",
            "close it with `/`, and write `\\/` for a slash inside it",
        ))
    }

    /// Reads `?words`, with the position on the question mark.
    pub(super) fn placeholder(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let words = if self.next_char() == Some('"') {
            self.string()?
        } else {
            let rest = self.rest();
            let end = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
            self.at += end;
            rest.get(..end).unwrap_or_default().to_owned()
        };
        let range = start..self.at;
        if words.is_empty() {
            return Err(SyntaxError::new(
                range,
                "a `?` has no words behind it",
                "name what is meant, such as `?order_number`",
            ));
        }
        if self.mode == Mode::Strict {
            return Err(SyntaxError::new(
                range,
                format!("`?{words}` is a placeholder, which only a draft may hold"),
                "write the exact name from the tool catalog",
            ));
        }
        Ok(words)
    }
}
