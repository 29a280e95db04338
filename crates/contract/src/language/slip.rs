//! What to say of text that does not fit: the common slips and the way out of each.

use super::SyntaxError;
use super::cursor::Cursor;
use super::infix::INFIX_WORDS;
use super::nearest;
use std::ops::Range;

/// Every word an operand can begin with, for suggestions.
pub(super) const WORDS: [&str; 22] = [
    "call",
    "return",
    "ok",
    "error",
    "user",
    "agent",
    "user_says",
    "agent_says",
    "confirms",
    "arg",
    "result",
    "ctx",
    "last",
    "count",
    "turn",
    "len",
    "lower",
    "known",
    "listed",
    "true",
    "false",
    "null",
];

impl Cursor<'_> {
    /// What to say of something that does not fit here; knows the common slips.
    pub(super) fn unexpected(&self, expected: &str) -> SyntaxError {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return SyntaxError::new(
                self.at..self.at,
                format!("the text ends where {expected} should stand"),
                "complete it",
            );
        };
        let word = self.word();
        let length = if word.is_empty() {
            first.len_utf8()
        } else {
            word.len()
        };
        let range = self.at..self.at + length;
        let found = if word.is_empty() {
            first.to_string()
        } else {
            self.quote(&range)
        };
        let help = match first {
            '=' => "write `==` to compare".to_owned(),
            '\'' | '‘' | '’' | '“' | '”' | '`' => "put text in double quotes".to_owned(),
            '/' => "a regular expression stands behind `matches`; there is no division, so multiply the other side".to_owned(),
            '%' => "write the share as a number, such as `0.1`".to_owned(),
            ',' | ';' => "join conditions with `&`".to_owned(),
            ')' | ']' | '}' => "check that every bracket is opened and closed".to_owned(),
            '"' if expected.contains("operator") => "put an operator between the two".to_owned(),
            _ if word == "is" || word == "equals" => "write `==` to compare".to_owned(),
            _ if !word.is_empty() && expected.contains("operator") => match nearest(word, INFIX_WORDS) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "put an operator such as `&`, `->` or `==` between the two".to_owned(),
            },
            _ => "see the language page for what may stand there".to_owned(),
        };
        SyntaxError::new(
            range,
            format!("`{found}` stands where {expected} should stand"),
            help,
        )
    }

    /// What to say of a word that begins no operand.
    pub(super) fn unknown(&self, word: &str, start: usize) -> SyntaxError {
        if word.is_empty() {
            return self.unexpected("a condition or a value");
        }
        let range = start..start + word.len();
        let behind = self.text.get(range.end..).unwrap_or_default();
        let help = match word {
            "True" => "write `true`".to_owned(),
            "False" => "write `false`".to_owned(),
            "None" | "nil" | "undefined" => "write `null`".to_owned(),
            "args" | "arguments" | "params" => "write `arg`, as in `arg.order_id`".to_owned(),
            "context" => "write `ctx`, as in `ctx.caller`".to_owned(),
            _ => match nearest(word, WORDS) {
                Some(known) => format!("did you mean `{known}`?"),
                None if behind.trim_start().starts_with(['(', '.', '[']) => {
                    "the language page lists every term and condition".to_owned()
                }
                None => {
                    format!("write `call({word})` if it is a tool, or `\"{word}\"` if it is text")
                }
            },
        };
        SyntaxError::new(range, format!("`{word}` means nothing here"), help)
    }
}

/// A name that stands twice where it may stand once.
pub(super) fn repeated(range: Range<usize>, what: &str) -> SyntaxError {
    SyntaxError::new(
        range,
        format!("`{what}` is given twice"),
        "remove one of them",
    )
}
