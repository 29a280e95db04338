//! Texts and bytes in quotes: prefixes, escapes, three quotes.

use super::{Read, Reader};
use crate::value::Value;

/// What the letters before the quotes say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefix {
    raw: bool,
    bytes: bool,
}

impl Prefix {
    /// Reads the letters.
    ///
    /// # Errors
    /// They are no prefix, or that of a text with expressions in it.
    pub(super) fn of(word: &str) -> Read<Prefix> {
        let (raw, bytes) = match word.to_ascii_lowercase().as_str() {
            "" | "u" => (false, false),
            "r" => (true, false),
            "b" => (false, true),
            "br" | "rb" => (true, true),
            "f" | "fr" | "rf" => return Err("an f-string is no literal".into()),
            _ => return Err(format!("`{}` is no literal", super::short(word))),
        };
        Ok(Prefix { raw, bytes })
    }
}

/// What stands between two quotes.
#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    Bytes(Vec<u8>),
}

impl Piece {
    fn empty(prefix: Prefix) -> Piece {
        if prefix.bytes {
            Piece::Bytes(Vec::new())
        } else {
            Piece::Text(String::new())
        }
    }

    /// Adds a character as it stands.
    fn push(&mut self, c: char) -> Read<()> {
        match self {
            Piece::Text(text) => text.push(c),
            Piece::Bytes(bytes) if c.is_ascii() => bytes.extend(u8::try_from(c)),
            Piece::Bytes(_) => return Err(format!("bytes hold `{c}`")),
        }
        Ok(())
    }

    /// Adds the character or byte that an escape gives by number.
    fn push_code(&mut self, code: u32) -> Read<()> {
        let pushed = match self {
            Piece::Text(text) => char::from_u32(code).map(|c| text.push(c)),
            Piece::Bytes(bytes) => u8::try_from(code).ok().map(|byte| bytes.push(byte)),
        };
        pushed.ok_or_else(|| "an escape gives no character".into())
    }

    /// Bytes that are UTF-8 are text; no others have a place in a value.
    pub(super) fn into_value(self) -> Read<Value> {
        match self {
            Piece::Text(text) => Ok(Value::Text(text)),
            Piece::Bytes(bytes) => String::from_utf8(bytes)
                .map(Value::Text)
                .map_err(|_| "bytes are no UTF-8 text".into()),
        }
    }
}

impl Reader<'_> {
    /// A text or bytes from the opening quote to the closing one.
    pub(super) fn string(&mut self, prefix: Prefix) -> Read<Piece> {
        let quote = match self.peek() {
            Some(c @ ('\'' | '"')) => c,
            _ => return Err("quotes were expected".into()),
        };
        let close = ["'''", "\"\"\""]
            .into_iter()
            .find(|three| three.starts_with(quote) && self.rest.starts_with(three))
            .unwrap_or(if quote == '\'' { "'" } else { "\"" });
        self.eat(close);
        let mut piece = Piece::empty(prefix);
        loop {
            if self.eat(close) {
                return Ok(piece);
            }
            match self.advance() {
                None => return Err("it ends inside quotes".into()),
                Some('\\') if prefix.raw => {
                    piece.push('\\')?;
                    if let Some(escaped) = self.advance() {
                        piece.push(escaped)?;
                    }
                }
                Some('\\') => self.escape(&mut piece)?,
                Some('\n' | '\r') if close.len() == 1 => {
                    return Err("a line ends inside quotes".into());
                }
                Some('\r') => {
                    // Python reads every end of a line as one character.
                    self.eat("\n");
                    piece.push('\n')?;
                }
                Some(c) => piece.push(c)?,
            }
        }
    }

    /// An escape, past its backslash.
    fn escape(&mut self, piece: &mut Piece) -> Read<()> {
        let Some(c) = self.advance() else {
            return Err("it ends inside quotes".into());
        };
        let is_text = matches!(piece, Piece::Text(_));
        match c {
            '\n' => Ok(()),
            '\r' => {
                self.eat("\n");
                Ok(())
            }
            '\\' | '\'' | '"' => piece.push(c),
            'a' => piece.push('\u{7}'),
            'b' => piece.push('\u{8}'),
            'f' => piece.push('\u{c}'),
            'n' => piece.push('\n'),
            'r' => piece.push('\r'),
            't' => piece.push('\t'),
            'v' => piece.push('\u{b}'),
            'x' => {
                let code = self.hexadecimal(2)?;
                piece.push_code(code)
            }
            'u' if is_text => {
                let code = self.hexadecimal(4)?;
                let code = self.paired(code)?;
                piece.push_code(code)
            }
            'U' if is_text => {
                let code = self.hexadecimal(8)?;
                piece.push_code(code)
            }
            'N' if is_text => Err("a character is given by name".into()),
            '0'..='7' => {
                let mut code = c.to_digit(8).unwrap_or_default();
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    self.advance();
                    code = code * 8 + digit;
                }
                piece.push_code(code)
            }
            // Python keeps the backslash before anything else.
            other => {
                piece.push('\\')?;
                piece.push(other)
            }
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Read<u32> {
        let mut code = 0u32;
        for _ in 0..digits {
            let digit = self.peek().and_then(|c| c.to_digit(16));
            let digit = digit.ok_or("an escape has too few digits")?;
            self.advance();
            code = code.wrapping_mul(16).wrapping_add(digit);
        }
        Ok(code)
    }

    /// The character of a surrogate pair, whose second half follows; another
    /// code is itself.
    fn paired(&mut self, code: u32) -> Read<u32> {
        if !(0xd800..0xdc00).contains(&code) {
            return Ok(code);
        }
        let low = if self.eat("\\u") {
            self.hexadecimal(4)?
        } else {
            0
        };
        if (0xdc00..0xe000).contains(&low) {
            Ok(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00))
        } else {
            Err("an escape gives half a character".into())
        }
    }
}
