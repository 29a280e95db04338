//! What to say of text that does not fit: the common slips and the way out of each.

use super::SyntaxError;
use super::cursor::Cursor;
use super::infix::INFIX_WORDS;
use super::nearest;
use std::ops::Range;

/// Every word an operand can begin with, for suggestions.
pub(super) const WORDS: [&str; 44] = [
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
    "first",
    "every",
    "count",
    "sum",
    "since",
    "now",
    "turn",
    "tokens",
    "turns",
    "depth",
    "len",
    "lower",
    "zip",
    "urls",
    "emails",
    "numbers",
    "domain",
    "path",
    "any",
    "all",
    "known",
    "listed",
    "permitted",
    "from_user",
    "from_tool",
    "untrusted",
    "in",
    "not",
    "true",
    "false",
    "null",
];

/// Words for units of time, by the letter that stands for each.
const UNITS: [(char, &[&str]); 5] = [
    ('s', &["s", "sec", "secs", "second", "seconds"]),
    ('m', &["m", "min", "mins", "minute", "minutes"]),
    ('h', &["h", "hr", "hrs", "hour", "hours"]),
    ('d', &["d", "day", "days"]),
    ('w', &["w", "week", "weeks"]),
];

impl Cursor<'_> {
    /// What to say of a unit of time that stands apart from its number.
    fn unit(&self) -> Option<String> {
        let word = self.word();
        let (letter, _) = UNITS.iter().find(|(_, words)| words.contains(&word))?;
        let before = self.text.get(..self.at)?.trim_end();
        let digits = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = before.get(digits.len()..).filter(|it| !it.is_empty())?;
        Some(format!("write `{number}{letter}`, without a blank"))
    }

    /// What to say of a word that is a field of the element around it.
    fn element_field(&self, word: &str) -> Option<String> {
        let element = match (self.filters > 0, self.variables.last()) {
            (true, _) => "@",
            (false, Some(name)) => name,
            (false, None) => return None,
        };
        Some(format!(
            "write `{element}.{word}` for a field of the element"
        ))
    }

    /// What to say of a call that lacks its parenthesis.
    pub(super) fn unopened(&self, word: &str) -> SyntaxError {
        let mut error = self.unexpected(&format!("the `(` of `{word}`"));
        if let Some(help) = self.element_field(word) {
            error.help = help;
        }
        error
    }

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
            _ if self.unit().is_some() => self.unit().unwrap_or_default(),
            '=' => "write `==` to compare".to_owned(),
            '\'' | '‘' | '’' | '“' | '”' | '`' => "put text in double quotes".to_owned(),
            '/' => "a regular expression stands behind `matches`; there is no division, so multiply the other side".to_owned(),
            '%' => "write the share as a number, such as `0.1`".to_owned(),
            ',' | ';' => "join conditions with `&`".to_owned(),
            ')' | ']' | '}' => "check that every bracket is opened and closed".to_owned(),
            '"' if expected.contains("operator") => "put an operator between the two".to_owned(),
            '[' | '.' if expected.contains("operator") => {
                "a path stands right behind `arg`, `result`, a look-up or a named term, without a blank; go through any other list with `any` or `all`".to_owned()
            }
            '(' if expected.contains("operator") => "write the word before it alone, without arguments".to_owned(),
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
            "exists" | "some" => "write `any(arg.items as x, x.price < 10)`".to_owned(),
            "forall" | "each" => "write `all(arg.items as x, x.price < 10)`".to_owned(),
            _ if INFIX_WORDS.contains(&word) => {
                format!("write it between its operands, as in `arg.a {word} arg.b`")
            }
            _ if !behind.trim_start().starts_with('(') && self.element_field(word).is_some() => {
                self.element_field(word).unwrap_or_default()
            }
            _ => match nearest(word, WORDS.into_iter().chain(self.terms.names())) {
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

/// Whether a word has a meaning, so that it can name nothing else.
pub(super) fn is_word_of_the_language(word: &str) -> bool {
    WORDS.contains(&word)
        || INFIX_WORDS.contains(&word)
        || ["and", "or", "not", "implies", "iff", "as"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(word))
        || lictor_ltlf::operator::Operator::at_start(word)
            .is_some_and(|(_, length)| length == word.len())
}

/// A name that stands twice where it may stand once.
pub(super) fn repeated(range: Range<usize>, what: &str) -> SyntaxError {
    SyntaxError::new(
        range,
        format!("`{what}` is given twice"),
        "remove one of them",
    )
}
