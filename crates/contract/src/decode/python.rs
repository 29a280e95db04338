//! Python literals, as `str` and `repr` print values.
//!
//! What `ast.literal_eval` reads and JSON has a place for: `None`, truth values,
//! numbers, texts, lists, and as lists tuples and sets, and dicts. Beside it the
//! few constructors that stand for a plain value (dates and times, `Decimal`,
//! `UUID`, sets, members of an enumeration). Everything else is refused as a
//! whole, since half a result would be a wrong one: names, arithmetic, f-strings,
//! comments.
//!
//! One pass without going back; nesting is bounded.

mod constructor;
mod moment;
mod string;

use super::number;
use crate::value::{MAX_DEPTH, Value};
use std::collections::BTreeMap;
use string::Piece;

/// A value, or the reason why there is none.
type Read<T> = Result<T, String>;

/// Whether a text starts as a literal that [`read`] would take. Numbers do not:
/// where a bare number is none in JSON, such as `1_000`, it is an identifier as
/// well as anything.
pub(super) fn sets_out(text: &str) -> bool {
    let word_end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(word_end).unwrap_or((text, ""));
    if word.is_empty() {
        return rest.starts_with(['(', '[', '{', '\'', '"', '<']);
    }
    matches!(word, "None" | "True" | "False")
        || (string::Prefix::of(word).is_ok() && rest.starts_with(['\'', '"']))
        || (constructor::is_known(word) && rest.starts_with(['.', '(']))
}

/// Reads a text that is one literal, blanks around it aside.
///
/// # Errors
/// Why it is none, as the end of a sentence.
pub(super) fn read(text: &str) -> Read<Value> {
    let mut reader = Reader { rest: text };
    reader.blanks();
    let value = reader.value(0)?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(c) => Err(format!("`{c}` follows the value")),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The start of a word, for a message.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// A dict's key, which is text in a value.
fn key(value: Value) -> Read<String> {
    match value {
        Value::Text(text) => Ok(text),
        // As Python's own `json` writes such keys.
        Value::Null => Ok("null".into()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(number) => Ok(number.to_string()),
        Value::List(_) | Value::Object(_) => Err("a key is no plain value".into()),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next()?;
        self.rest = characters.as_str();
        Some(next)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: &str) -> Read<()> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(c) => format!("`{wanted}` was expected and not `{c}`"),
            None => format!("it ends where `{wanted}` was expected"),
        })
    }

    fn blanks(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
    }

    /// The longest start whose characters all satisfy `wanted`.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        if depth > MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
        }
        match self.peek() {
            None => Err("it ends where a value was expected".into()),
            Some('(') => self.parenthesised(depth),
            Some('[') => {
                self.advance();
                self.items("]", depth).map(Value::List)
            }
            Some('{') => self.braced(depth),
            Some('\'' | '"') => self.texts(string::Prefix::default(), depth),
            Some('<') => self.member(depth),
            Some('-' | '+' | '.' | '0'..='9') => self.number(),
            Some(c) if is_word(c) => self.named(depth),
            Some(c) => Err(format!("`{c}` starts no value")),
        }
    }

    /// The rest of a list of values up to `close`.
    fn items(&mut self, close: &str, depth: usize) -> Read<Vec<Value>> {
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.eat(close) {
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            if !self.eat(",") {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    /// A tuple, or one value in parentheses.
    fn parenthesised(&mut self, depth: usize) -> Read<Value> {
        self.advance();
        self.blanks();
        if self.eat(")") {
            return Ok(Value::List(Vec::new()));
        }
        let first = self.value(depth + 1)?;
        self.blanks();
        if self.eat(",") {
            let mut items = vec![first];
            items.append(&mut self.items(")", depth)?);
            return Ok(Value::List(items));
        }
        self.expect(")")?;
        // Printers put long texts in parentheses and nothing else, so `(5)` alone
        // is somebody's remark.
        if depth == 0 && !matches!(first, Value::Text(_)) {
            return Err("one value in parentheses is no tuple".into());
        }
        Ok(first)
    }

    /// A dict, or a set.
    fn braced(&mut self, depth: usize) -> Read<Value> {
        self.advance();
        self.blanks();
        if self.eat("}") {
            return Ok(Value::Object(BTreeMap::new()));
        }
        let first = self.value(depth + 1)?;
        self.blanks();
        if !self.eat(":") {
            let mut items = vec![first];
            if self.eat(",") {
                items.append(&mut self.items("}", depth)?);
            } else {
                self.expect("}")?;
            }
            return Ok(Value::List(items));
        }
        let mut object = BTreeMap::new();
        let mut name = key(first)?;
        loop {
            self.blanks();
            let value = self.value(depth + 1)?;
            if object.contains_key(&name) {
                return Err(format!("the key `{}` is repeated", short(&name)));
            }
            object.insert(name, value);
            self.blanks();
            let more = self.eat(",");
            self.blanks();
            if self.eat("}") {
                return Ok(Value::Object(object));
            }
            if !more {
                self.expect("}")?;
            }
            name = key(self.value(depth + 1)?)?;
            self.blanks();
            self.expect(":")?;
        }
    }

    /// A text and those beside it, which Python joins. Outside of brackets two
    /// texts are two texts.
    fn texts(&mut self, prefix: string::Prefix, depth: usize) -> Read<Value> {
        let mut whole = self.string(prefix)?;
        loop {
            if depth > 0 {
                self.blanks();
            }
            let prefix = match self.peek() {
                Some('\'' | '"') if depth > 0 => string::Prefix::default(),
                Some(c) if depth > 0 && is_word(c) => string::Prefix::of(self.take(is_word))?,
                _ => return whole.into_value(),
            };
            let next = self.string(prefix)?;
            whole = match (whole, next) {
                (Piece::Text(mut text), Piece::Text(more)) => {
                    text.push_str(&more);
                    Piece::Text(text)
                }
                (Piece::Bytes(mut bytes), Piece::Bytes(mut more)) => {
                    bytes.append(&mut more);
                    Piece::Bytes(bytes)
                }
                _ => return Err("text and bytes stand side by side".into()),
            };
        }
    }

    /// What starts with a word: a constant, a text with a prefix, a constructor.
    fn named(&mut self, depth: usize) -> Read<Value> {
        let word = self.take(is_word);
        match word {
            "None" => return Ok(Value::Null),
            "True" => return Ok(Value::Bool(true)),
            "False" => return Ok(Value::Bool(false)),
            _ => {}
        }
        if matches!(self.peek(), Some('\'' | '"')) {
            return self.texts(string::Prefix::of(word)?, depth);
        }
        self.constructor(word, depth)
    }

    fn number(&mut self) -> Read<Value> {
        let negative = match self.peek() {
            Some(sign @ ('-' | '+')) => {
                self.advance();
                self.blanks();
                sign == '-'
            }
            _ => false,
        };
        let told = |error: crate::value::ValueError| error.to_string();
        let value = if let Some(radix) = self.radix() {
            let digits = self.digits(radix)?;
            number::in_base(&digits, radix, negative).map_err(told)?
        } else {
            let digits = self.decimal_digits()?;
            let sign = if negative { "-" } else { "" };
            number::decimal(&format!("{sign}{digits}")).map_err(told)?
        };
        match self.peek() {
            Some(c) if is_word(c) => Err(format!("`{c}` stands behind a number")),
            _ => Ok(value),
        }
    }

    /// The base that a number's prefix gives, past the prefix.
    fn radix(&mut self) -> Option<u32> {
        [
            ("0x", 16),
            ("0X", 16),
            ("0o", 8),
            ("0O", 8),
            ("0b", 2),
            ("0B", 2),
        ]
        .into_iter()
        .find_map(|(prefix, radix)| self.eat(prefix).then_some(radix))
        .inspect(|_| {
            // An underscore may follow the prefix.
            self.eat("_");
        })
    }

    /// One or more digits; an underscore may stand between two.
    fn digits(&mut self, radix: u32) -> Read<String> {
        let written = self.take(|c| c == '_' || c.is_digit(radix));
        let whole = !written.is_empty() && written.split('_').all(|part| !part.is_empty());
        if whole {
            Ok(written.replace('_', ""))
        } else {
            Err("a number has no digit where one was expected".into())
        }
    }

    /// The digits of a decimal number, its point and its exponent.
    fn decimal_digits(&mut self) -> Read<String> {
        let mut number = String::new();
        if self.peek() != Some('.') {
            number = self.digits(10)?;
        }
        let is_real = matches!(self.peek(), Some('.' | 'e' | 'E'));
        if !is_real && number.starts_with('0') && number.chars().any(|c| c != '0') {
            return Err("a whole number starts with zero".into());
        }
        if self.eat(".") {
            let has_digit = self.peek().is_some_and(|c| c.is_ascii_digit());
            if number.is_empty() && !has_digit {
                return Err("a number has no digit where one was expected".into());
            }
            number.push('.');
            if has_digit {
                number.push_str(&self.digits(10)?);
            }
        }
        if self.eat("e") || self.eat("E") {
            number.push('e');
            if self.eat("-") {
                number.push('-');
            } else {
                self.eat("+");
            }
            number.push_str(&self.digits(10)?);
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests;
