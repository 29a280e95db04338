//! Bytes of a file, plain or gzip, and its lines with a limit on their size.

use super::Piece;
use crate::json;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Size of the read buffers.
const BUFFER: usize = 64 << 10;

/// Opens a file; gzip is recognised by its first bytes.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(BUFFER, File::open(path)?);
    if file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        let decoder = MultiGzDecoder::new(file);
        return Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)));
    }
    Ok(Box::new(file))
}

/// What became of one line.
#[derive(Debug)]
enum Content {
    /// Its bytes without surrounding blanks.
    Bytes(Vec<u8>),
    /// Longer than the limit; the bytes up to it.
    TooLong(Vec<u8>),
    /// The file could not be read on.
    Broken(String),
}

/// One line that is not blank.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its 1-based number.
    pub(super) number: u64,
    content: Content,
    /// Whether a line break follows it.
    ended: bool,
}

impl Line {
    pub(super) fn as_bytes(&self) -> &[u8] {
        match &self.content {
            Content::Bytes(bytes) | Content::TooLong(bytes) => bytes,
            Content::Broken(_) => &[],
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = match self.content {
            Content::Bytes(bytes) | Content::TooLong(bytes) => bytes,
            Content::Broken(_) => Vec::new(),
        };
        if self.ended {
            bytes.push(b'\n');
        }
        bytes
    }

    pub(super) fn is_too_long(&self) -> bool {
        matches!(self.content, Content::TooLong(_))
    }

    /// Whether the file could not be read on here.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self.content, Content::Broken(_))
    }

    /// Whether it is a JSON value on its own.
    pub(super) fn is_complete(&self) -> bool {
        matches!(&self.content, Content::Bytes(bytes) if json::is_complete(bytes))
    }

    pub(super) fn is_complete_object(&self) -> bool {
        self.as_bytes().first() == Some(&b'{') && self.is_complete()
    }

    /// Whether it starts like a JSON object or array.
    pub(super) fn opens(&self) -> bool {
        matches!(self.as_bytes().first(), Some(b'{' | b'['))
    }

    pub(super) fn into_piece(self) -> Piece {
        let line = self.number;
        let damage = |text: String| Piece::Damage { line, text };
        match self.content {
            Content::Bytes(bytes) => match String::from_utf8(bytes) {
                Err(_) => damage("the line is not UTF-8 and was passed over".into()),
                Ok(text) if !json::is_complete(text.as_bytes()) => {
                    damage("the line is torn or damaged and was passed over".into())
                }
                Ok(text) => Piece::Text { line, text },
            },
            Content::TooLong(_) => damage("the line is too long and was passed over".into()),
            Content::Broken(reason) => {
                damage(format!("the file cannot be read on from here: {reason}"))
            }
        }
    }
}

/// The lines of a file.
pub(crate) struct Lines<R> {
    input: R,
    number: u64,
    limit: usize,
    broken: bool,
    /// Whether the input stands inside a line that is too long.
    inside: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Lines {
            input,
            number: 0,
            limit,
            broken: false,
            inside: false,
        }
    }

    /// The rest of the input after the lines that were read.
    pub(super) fn into_inner(self) -> R {
        self.input
    }

    /// The next line that is not blank.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        while !self.broken {
            self.number += 1;
            let (content, ended) = match self.read() {
                Ok(None) => return None,
                Ok(Some(read)) => read,
                Err(error) => {
                    self.broken = true;
                    (Content::Broken(error.to_string()), false)
                }
            };
            let line = Line {
                number: self.number,
                content,
                ended,
            };
            if !matches!(&line.content, Content::Bytes(bytes) if bytes.is_empty()) {
                return Some(line);
            }
        }
        None
    }

    /// Reads one line. A line over the limit is left where the limit falls, so
    /// that whoever takes over the input finds the rest of it.
    fn read(&mut self) -> io::Result<Option<(Content, bool)>> {
        if std::mem::take(&mut self.inside) {
            self.input.skip_until(b'\n')?;
        }
        let mut bytes = Vec::new();
        let (mut any, mut ended) = (false, false);
        while !ended && !self.inside {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            any = true;
            let room = self.limit.saturating_sub(bytes.len());
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.unwrap_or(buffer.len());
            self.inside = length > room;
            ended = end.is_some() && !self.inside;
            bytes.extend(buffer.iter().take(length.min(room)));
            let used = length.min(room) + usize::from(ended);
            self.input.consume(used);
        }
        if !any {
            return Ok(None);
        }
        if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let content = if self.inside {
            Content::TooLong(bytes)
        } else {
            Content::Bytes(bytes.trim_ascii().to_vec())
        };
        Ok(Some((content, ended)))
    }
}
