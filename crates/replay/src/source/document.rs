//! JSON documents that span lines, walked element by element.
//!
//! Only the outermost structure is followed here: the elements of a top-level
//! array, or those of an object's `simulations`. What an element holds is left
//! to the readers of the formats, so a damaged element costs only itself.

use super::Piece;
use std::io::{self, BufRead};

/// Where the walk stands.
enum State {
    /// Before a document.
    Start,
    /// Between the elements of a top-level array.
    Array,
    /// Between the elements of `simulations`.
    Simulations,
    /// Nothing more to come.
    Done,
}

/// Why an element could not be taken.
enum Stop {
    /// The input ends or breaks inside it.
    Torn(String),
    /// Larger than the limit; it was passed over.
    TooLarge,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Torn(error.to_string())
    }
}

/// Walks the documents of one file.
pub(crate) struct Document<R> {
    input: R,
    line: u64,
    limit: usize,
    state: State,
}

impl<R: BufRead> Document<R> {
    /// Starts before the first byte of a document on the given line.
    pub(super) fn new(input: R, line: u64, limit: usize) -> Self {
        Document {
            input,
            line,
            limit,
            state: State::Start,
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn bump(&mut self, byte: u8) {
        if byte == b'\n' {
            self.line += 1;
        }
        self.input.consume(1);
    }

    /// The next byte that is not blank, not yet consumed.
    fn next_token(&mut self) -> io::Result<Option<u8>> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.bump(byte);
        }
        Ok(None)
    }

    /// Reads one value whose first byte is next. Brackets are balanced, not
    /// matched: whoever parses the text finds what else is wrong with it.
    fn value(&mut self, out: &mut Vec<u8>) -> Result<(), Stop> {
        let (mut depth, mut in_string, mut escaped, mut too_large) = (0u64, false, false, false);
        let mut first = true;
        loop {
            let Some(byte) = self.peek()? else {
                // A number or a word at the very end of the file is whole.
                return if depth == 0 && !in_string && !first {
                    Ok(())
                } else {
                    Err(Stop::Torn("it ends inside a value".into()))
                };
            };
            let mut ends = false;
            if in_string {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => {
                        in_string = false;
                        ends = depth == 0;
                    }
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => in_string = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth > 0 => {
                        depth -= 1;
                        ends = depth == 0;
                    }
                    b',' | b':' | b'}' | b']' if depth == 0 => break,
                    _ if depth == 0 && byte.is_ascii_whitespace() => break,
                    _ => {}
                }
            }
            first = false;
            if out.len() < self.limit {
                out.push(byte);
            } else {
                too_large = true;
            }
            self.bump(byte);
            if ends {
                break;
            }
        }
        if too_large {
            Err(Stop::TooLarge)
        } else {
            Ok(())
        }
    }

    fn damage(&self, line: u64, text: impl Into<String>) -> Piece {
        Piece::Damage {
            line,
            text: text.into(),
        }
    }

    fn end(&mut self, text: &str) -> Piece {
        self.state = State::Done;
        self.damage(
            self.line,
            format!("the file cannot be read on from here: {text}"),
        )
    }

    /// The next element of the array that the walk is in.
    fn element(&mut self) -> io::Result<Option<Piece>> {
        loop {
            match self.next_token()? {
                None => return Ok(Some(self.end("it ends inside an array"))),
                Some(b']') => {
                    self.bump(b']');
                    return Ok(None);
                }
                Some(b',') => self.bump(b','),
                Some(b'}' | b':') => {
                    return Ok(Some(self.end("an array has a bracket or colon astray")));
                }
                Some(_) => {
                    let line = self.line;
                    let mut text = Vec::new();
                    return Ok(Some(match self.value(&mut text) {
                        Ok(()) => self.text(line, text),
                        Err(Stop::TooLarge) => {
                            self.damage(line, "an element is too large and was passed over")
                        }
                        Err(Stop::Torn(reason)) => {
                            self.state = State::Done;
                            self.damage(line, format!("the file is torn from here on: {reason}"))
                        }
                    }));
                }
            }
        }
    }

    fn text(&self, line: u64, bytes: Vec<u8>) -> Piece {
        match String::from_utf8(bytes) {
            Ok(text) => Piece::Text { line, text },
            Err(_) => self.damage(line, "an element is not UTF-8 and was passed over"),
        }
    }

    /// Reads an object up to its end, or up to the elements of `simulations`.
    /// `None` means that the elements come next.
    fn object(&mut self) -> Result<Option<Piece>, Stop> {
        let line = self.line;
        let mut text = Vec::new();
        loop {
            match self.next_token()? {
                Some(b'{') if text.is_empty() => {
                    self.bump(b'{');
                    text.push(b'{');
                }
                Some(b'}') => {
                    self.bump(b'}');
                    text.push(b'}');
                    self.state = State::Start;
                    return Ok(Some(self.text(line, text)));
                }
                Some(b',') => {
                    self.bump(b',');
                    text.push(b',');
                }
                Some(b'"') => {
                    let start = text.len();
                    self.value(&mut text)?;
                    let is_simulations = text.iter().skip(start).eq(b"\"simulations\"".iter());
                    if self.next_token()? != Some(b':') {
                        return Err(Stop::Torn("a key has no colon".into()));
                    }
                    self.bump(b':');
                    text.extend(b": ");
                    let next = self.next_token()?;
                    if is_simulations && next == Some(b'[') {
                        self.bump(b'[');
                        self.state = State::Simulations;
                        return Ok(None);
                    }
                    self.value(&mut text)?;
                }
                Some(_) => {
                    return Err(Stop::Torn("an object has something else than a key".into()));
                }
                None => return Err(Stop::Torn("it ends inside an object".into())),
            }
        }
    }

    /// Passes over the members after `simulations`.
    fn rest_of_object(&mut self) -> Result<(), Stop> {
        loop {
            match self.next_token()? {
                Some(b'}') => {
                    self.bump(b'}');
                    return Ok(());
                }
                Some(byte @ (b',' | b':')) => self.bump(byte),
                Some(b']') => return Err(Stop::Torn("an object has a bracket astray".into())),
                Some(_) => match self.value(&mut Vec::new()) {
                    Ok(()) | Err(Stop::TooLarge) => {}
                    Err(torn) => return Err(torn),
                },
                None => return Err(Stop::Torn("it ends inside an object".into())),
            }
        }
    }

    fn step(&mut self) -> Result<Option<Piece>, Stop> {
        loop {
            match self.state {
                State::Done => return Ok(None),
                State::Start => match self.next_token()? {
                    None => {
                        self.state = State::Done;
                        return Ok(None);
                    }
                    Some(b'[') => {
                        self.bump(b'[');
                        self.state = State::Array;
                    }
                    Some(b'{') => {
                        if let Some(piece) = self.object()? {
                            return Ok(Some(piece));
                        }
                    }
                    Some(_) => {
                        return Err(Stop::Torn(
                            "what follows is neither an object nor an array".into(),
                        ));
                    }
                },
                State::Array => {
                    if let Some(piece) = self.element()? {
                        return Ok(Some(piece));
                    }
                    self.state = State::Start;
                    return Ok(Some(Piece::Boundary));
                }
                State::Simulations => {
                    if let Some(piece) = self.element()? {
                        return Ok(Some(piece));
                    }
                    self.rest_of_object()?;
                    self.state = State::Start;
                    return Ok(Some(Piece::Boundary));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Document<R> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        match self.step() {
            Ok(piece) => piece,
            Err(Stop::Torn(reason)) => Some(self.end(&reason)),
            Err(Stop::TooLarge) => Some(self.end("an object is too large")),
        }
    }
}
