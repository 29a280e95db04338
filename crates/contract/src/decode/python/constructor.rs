//! The constructors that stand for one plain value. `repr` prints them inside of
//! lists and dicts, where `str` alone would have printed the value.

use super::{Read, Reader, is_word, short};
use crate::decode::number;
use crate::value::Value;

/// Whether a constructor's name starts with this word.
pub(super) fn is_known(word: &str) -> bool {
    matches!(word, "datetime" | "Decimal" | "UUID" | "set" | "frozenset")
}

impl Reader<'_> {
    /// A constructor's value, past the first word of its name.
    pub(super) fn constructor(&mut self, word: &str, depth: usize) -> Read<Value> {
        match word {
            "datetime" => self.moment(),
            "Decimal" => {
                let text = self.one_text(depth)?;
                decimal(&text)
                    .ok_or_else(|| "a `Decimal` holds no number that can be kept exactly".into())
            }
            "UUID" => self.one_text(depth).map(Value::Text),
            "set" | "frozenset" => self.set(depth),
            other => Err(format!("`{}` is no literal", short(other))),
        }
    }

    /// `('text')`
    fn one_text(&mut self, depth: usize) -> Read<String> {
        self.expect("(")?;
        self.blanks();
        let value = self.value(depth + 1)?;
        self.blanks();
        self.expect(")")?;
        match value {
            Value::Text(text) => Ok(text),
            _ => Err("a constructor's argument is no text".into()),
        }
    }

    /// `()` or `({…})`, as `repr` prints sets that braces alone would not tell.
    fn set(&mut self, depth: usize) -> Read<Value> {
        self.expect("(")?;
        self.blanks();
        if self.eat(")") {
            return Ok(Value::List(Vec::new()));
        }
        let value = self.value(depth + 1)?;
        self.blanks();
        self.expect(")")?;
        match value {
            Value::List(items) => Ok(Value::List(items)),
            _ => Err("a set's items are no list".into()),
        }
    }

    /// A member of an enumeration, `<Status.OPEN: 'open'>`, which is its value.
    pub(super) fn member(&mut self, depth: usize) -> Read<Value> {
        self.advance();
        let name = self.take(|c| is_word(c) || c == '.');
        let is_name = name.contains('.')
            && name
                .split('.')
                .all(|part| part.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if !is_name {
            return Err("`<` starts no member of an enumeration".into());
        }
        self.expect(":")?;
        self.blanks();
        let value = self.value(depth + 1)?;
        self.expect(">")?;
        Ok(value)
    }
}

/// The number in a `Decimal`'s text, as `repr` prints it.
fn decimal(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (digits, exponent) = match unsigned.split_once('E') {
        Some((digits, exponent)) => (digits, exponent),
        None => (unsigned, "+0"),
    };
    let exponent = exponent.strip_prefix(['+', '-'])?;
    let all_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if !all_digits(whole) || !all_digits(fraction) || !all_digits(exponent) {
        return None;
    }
    number::decimal(text).ok()
}
