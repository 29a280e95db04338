//! The text form of formulas over bare propositions.
//!
//! A precedence-climbing parser over the table of [`crate::operator`]. Nesting is counted, both of the recursion and of the
//! tree that comes out, so hostile text ends in an error and never in an exhausted stack; a chain of `&` or `|` is a list
//! and may be as long as the input.

use std::fmt;

use crate::formula::Formula;
use crate::operator::{Entry, Fixity, LOOSEST, Operator, UNARY};

/// The deepest nesting that is read.
pub const MAX_NESTING: usize = 200;
/// The longest text that is read, in bytes.
pub const MAX_LENGTH: usize = 1 << 20;

/// Why a text is not a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where, as a byte offset into the text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl ParseError {
    fn new(offset: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} at byte {}; {}",
            self.message, self.offset, self.help
        )
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula over bare propositions: names `[a-z][a-z0-9_]*`, or any text in double quotes.
///
/// # Errors
/// [`ParseError`] with the place of the first thing that does not fit.
pub fn parse(text: &str) -> Result<Formula<String>, ParseError> {
    if text.len() > MAX_LENGTH {
        return Err(ParseError::new(
            MAX_LENGTH,
            format!("the formula is longer than {MAX_LENGTH} bytes"),
            "split it into several formulas",
        ));
    }
    let mut parser = Parser { text, at: 0 };
    let (formula, _) = parser.expression(LOOSEST, 0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok(formula)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// A formula and the depth of its tree.
type Parsed = Result<(Formula<String>, usize), ParseError>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek_infix(&mut self) -> Option<(&'static Entry, usize)> {
        self.skip_space();
        Operator::at_start(self.rest()).filter(|(entry, _)| entry.fixity != Fixity::Prefix)
    }

    /// Reads operators that bind at least as tightly as `loosest`.
    fn expression(&mut self, loosest: u8, nesting: usize) -> Parsed {
        let (mut left, mut depth) = self.operand(nesting)?;
        while let Some((entry, length)) = self.peek_infix() {
            if entry.binding < loosest {
                break;
            }
            let start = self.at;
            self.at += length;
            if entry.fixity == Fixity::InfixRight {
                let (right, right_depth) = self.expression(entry.binding, nesting + 1)?;
                depth = self.deeper(start, depth.max(right_depth))?;
                left = Formula::infixed(entry.operator, left, right)
                    .ok_or_else(|| self.unexpected("a formula"))?;
            } else {
                let mut all = vec![left];
                loop {
                    let (next, next_depth) = self.expression(entry.binding + 1, nesting + 1)?;
                    all.push(next);
                    depth = depth.max(next_depth);
                    match self.peek_infix() {
                        Some((again, length)) if again.operator == entry.operator => {
                            self.at += length;
                        }
                        _ => break,
                    }
                }
                depth = self.deeper(start, depth)?;
                left = if entry.operator == Operator::And {
                    Formula::and(all)
                } else {
                    Formula::or(all)
                };
            }
        }
        Ok((left, depth))
    }

    fn operand(&mut self, nesting: usize) -> Parsed {
        self.skip_space();
        let start = self.at;
        self.check_nesting(start, nesting)?;
        if self.rest().starts_with('(') {
            self.at += 1;
            let inner = self.expression(LOOSEST, nesting + 1)?;
            self.skip_space();
            if !self.rest().starts_with(')') {
                let mut error = self.unexpected("`)`");
                error.help = format!("close the parenthesis opened at byte {start}");
                return Err(error);
            }
            self.at += 1;
            return Ok(inner);
        }
        if let Some((entry, length)) = Operator::at_start(self.rest())
            && entry.fixity == Fixity::Prefix
        {
            self.at += length;
            let (inner, depth) = self.expression(UNARY, nesting + 1)?;
            let depth = self.deeper(start, depth)?;
            let formula = Formula::prefixed(entry.operator, inner)
                .ok_or_else(|| self.unexpected("a formula"))?;
            return Ok((formula, depth));
        }
        if self.rest().starts_with('"') {
            return Ok((Formula::Atom(self.quoted()?), 1));
        }
        let word: &str = self.rest();
        let end = word
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(word.len());
        let word = word.get(..end).unwrap_or_default();
        let plain = word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !plain {
            return Err(self.unexpected("a formula"));
        }
        self.at += word.len();
        let formula = match word {
            "true" => Formula::True,
            "false" => Formula::False,
            name => Formula::Atom(name.to_owned()),
        };
        Ok((formula, 1))
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let start = self.at;
        let mut name = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((index, c)) = characters.next() {
            match c {
                '"' if name.is_empty() => {
                    return Err(ParseError::new(
                        start,
                        "a quoted name is empty",
                        "put a name between the quotes",
                    ));
                }
                '"' => {
                    self.at = start + index + 1;
                    return Ok(name);
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                    _ => {
                        return Err(ParseError::new(
                            start + index,
                            "a backslash in a quoted name stands before neither a quote nor a backslash",
                            "write `\\\\` for a backslash",
                        ));
                    }
                },
                other => name.push(other),
            }
        }
        Err(ParseError::new(
            start,
            "a quoted name does not end",
            "add a closing double quote",
        ))
    }

    fn check_nesting(&self, offset: usize, nesting: usize) -> Result<(), ParseError> {
        if nesting < MAX_NESTING {
            return Ok(());
        }
        Err(ParseError::new(
            offset,
            format!("the formula is nested more than {MAX_NESTING} levels deep"),
            "split it into several formulas",
        ))
    }

    fn deeper(&self, offset: usize, depth: usize) -> Result<usize, ParseError> {
        self.check_nesting(offset, depth)?;
        Ok(depth + 1)
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return ParseError::new(
                self.at,
                format!("the text ends where {expected} should stand"),
                "complete the formula",
            );
        };
        let word: String = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .take(40)
            .collect();
        let found = if word.is_empty() {
            first.to_string()
        } else {
            word.clone()
        };
        let help = if word.is_empty() {
            "an operand is a name, a constant or a formula in parentheses".to_owned()
        } else if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            format!(
                "operators are single words such as `G` or `WX` with a space between two of them; quote `\"{word}\"` if it is a name"
            )
        } else {
            format!("join two formulas with an operator, or quote `\"{word}\"` if it is a name")
        };
        ParseError::new(
            self.at,
            format!("`{found}` stands where {expected} should stand"),
            help,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(input: &str, offset: usize, message: &str) {
        let error = parse(input).unwrap_err();
        assert_eq!(error.offset, offset, "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(!error.help.is_empty());
    }

    #[test]
    fn says_where_and_what() {
        check_error("", 0, "the text ends");
        check_error("a &", 3, "the text ends");
        check_error("a b", 2, "`b`");
        check_error("(a", 2, "`)`");
        check_error("a)", 1, "`)`");
        check_error("Foo", 0, "`Foo`");
        check_error("& a", 0, "`&`");
        check_error("a & é", 4, "`é`");
        check_error("\"a", 0, "does not end");
        check_error("\"\"", 0, "empty");
        check_error("\"a\\n\"", 2, "backslash");
    }

    #[test]
    fn deep_text_is_an_error() {
        for text in [
            "!".repeat(100_000) + "a",
            "(".repeat(100_000),
            vec!["a"; 50_000].join(" U "),
            vec!["a"; 50_000].join("->"),
            vec!["a"; 50_000].join("<->"),
            "a&".repeat(100) + &"(a U b & ".repeat(300),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.message.contains("nested"), "{error}");
        }
        check_error(&" ".repeat(MAX_LENGTH + 1), MAX_LENGTH, "longer");
    }

    #[test]
    fn a_long_chain_is_a_list() {
        let text = vec!["a"; 100_000].join(" & ");
        let Formula::And(all) = parse(&text).unwrap() else {
            panic!("not a list");
        };
        assert_eq!(all.len(), 100_000);
        assert!(parse(&("!".repeat(198) + "a")).is_ok());
    }

    #[test]
    fn binds_as_the_table_says() {
        assert_eq!(parse("F a U b & c"), parse("((F a) U b) & c"));
        assert_eq!(parse("a -> b -> c"), parse("a -> (b -> c)"));
        assert_eq!(parse("a | b & c"), parse("a | (b & c)"));
        assert_eq!(parse("a & (b & c)"), parse("a & b & c"));
    }
}
