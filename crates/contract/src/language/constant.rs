//! Constants: text, exact numbers, truth values, null, lists and objects of them.

use super::SyntaxError;
use super::cursor::Cursor;
use super::slip::{WORDS, repeated};
use crate::value::Value;
use std::collections::BTreeMap;

impl Cursor<'_> {
    /// Reads a constant.
    pub(super) fn constant(&mut self, nesting: usize) -> Result<Value, SyntaxError> {
        self.skip_space();
        let start = self.at;
        self.check_nesting(start, nesting)?;
        match self.next_char() {
            Some('"') => self.string().map(Value::Text),
            Some('0'..='9') => self.number().map(Value::Number),
            Some('-') => {
                self.at += 1;
                self.skip_space();
                if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                    return Err(self.unexpected("a number"));
                }
                self.number().map(|number| Value::Number(-number))
            }
            Some('[') => {
                self.at += 1;
                let mut values = Vec::new();
                while !self.eat("]") {
                    if !values.is_empty() {
                        self.comma("]", start)?;
                    }
                    values.push(self.constant(nesting + 1)?);
                }
                Ok(Value::List(values))
            }
            Some('{') => self.object(start, nesting),
            _ => {
                let word = self.word();
                self.at += word.len();
                match word {
                    "true" => Ok(Value::Bool(true)),
                    "false" => Ok(Value::Bool(false)),
                    "null" => Ok(Value::Null),
                    _ => {
                        self.at = start;
                        Err(self.not_constant(word))
                    }
                }
            }
        }
    }

    fn object(&mut self, start: usize, nesting: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        let mut values = BTreeMap::new();
        while !self.eat("}") {
            if !values.is_empty() {
                self.comma("}", start)?;
            }
            self.skip_space();
            let key_start = self.at;
            if self.next_char() != Some('"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key = self.string()?;
            let range = key_start..self.at;
            self.expect(":", start)?;
            let value = self.constant(nesting + 1)?;
            if values.insert(key, value).is_some() {
                let text = self.quote(&range);
                return Err(repeated(range, &text));
            }
        }
        Ok(Value::Object(values))
    }

    fn comma(&mut self, close: &str, opened: usize) -> Result<(), SyntaxError> {
        if self.eat(",") {
            return Ok(());
        }
        if self.next_char().is_none() {
            return self.expect(close, opened);
        }
        Err(self.unexpected(&format!("`,` or `{close}`")))
    }

    fn not_constant(&self, word: &str) -> SyntaxError {
        let known = WORDS.contains(&word);
        match word {
            "True" | "False" | "None" => self.unknown(word, self.at),
            "" => self.unexpected("a constant"),
            _ => SyntaxError::new(
                self.at..self.at + word.len(),
                format!("`{word}` is no constant, and lists and objects hold nothing else"),
                if known {
                    "compare with each value on its own and join with `|`".to_owned()
                } else {
                    format!("write `\"{word}\"` if it is text")
                },
            ),
        }
    }
}
