//! Files cut into JSON texts.
//!
//! A file is either a list of lines or one document; which of the two is seen
//! from its first two lines, never from its name. Lines survive damage one by
//! one. A document is walked element by element, so that a results file of any
//! size costs no more memory than its largest run.

mod bytes;
mod document;

use bytes::{Line, Lines};
use document::Document;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Largest line or element that is read.
pub(crate) const MAX_PIECE: usize = 256 << 20;

/// One part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A JSON text that starts at this line; not yet known to be valid.
    Text {
        /// 1-based line.
        line: u64,
        /// The text.
        text: String,
    },
    /// Something that could not be read; what follows comes after a gap.
    Damage {
        /// 1-based line.
        line: u64,
        /// What is wrong.
        text: String,
    },
    /// The end of an array; messages on either side of it are not one session.
    Boundary,
}

/// The parts of one file in order.
pub(crate) enum Pieces {
    /// One JSON text a line.
    Lines {
        /// Lines already read while looking at the form.
        ahead: Vec<Line>,
        /// The rest.
        rest: Lines<Box<dyn BufRead>>,
    },
    /// One or more JSON documents over several lines.
    Document(Box<Document<Box<dyn BufRead>>>),
}

impl Pieces {
    /// Opens a file; gzip is recognised by its first bytes.
    pub(crate) fn open(path: &Path) -> io::Result<Pieces> {
        Pieces::read(bytes::open(path)?, MAX_PIECE)
    }

    /// Looks at the first lines and decides the form.
    fn read(input: Box<dyn BufRead>, limit: usize) -> io::Result<Pieces> {
        let mut lines = Lines::new(input, limit);
        let Some(first) = lines.next_line() else {
            return Ok(Pieces::Lines {
                ahead: Vec::new(),
                rest: lines,
            });
        };
        if first.is_complete() || first.is_broken() {
            return Ok(Pieces::Lines {
                ahead: vec![first],
                rest: lines,
            });
        }
        let second = lines.next_line();
        if looks_torn(&first, second.as_ref()) {
            let ahead = second.into_iter().chain([first]).collect();
            return Ok(Pieces::Lines { ahead, rest: lines });
        }
        let start = first.number;
        let mut head = first.into_bytes();
        let mut next = start + 1;
        if let Some(second) = second {
            // The blank lines between the two count for the line numbers.
            while next < second.number {
                head.push(b'\n');
                next += 1;
            }
            head.extend(second.into_bytes());
        }
        let rest = io::Cursor::new(head).chain(lines.into_inner());
        Ok(Pieces::Document(Box::new(Document::new(
            Box::new(rest),
            start,
            limit,
        ))))
    }
}

/// Whether the first line is a line on its own that was damaged, rather than
/// the beginning of a document. A document's line ends where JSON may break.
fn looks_torn(first: &Line, second: Option<&Line>) -> bool {
    let Some(second) = second else {
        return false;
    };
    match first.as_bytes().last() {
        Some(b'[' | b'{' | b':' | b',') => {
            first.as_bytes().len() > 1
                && first.as_bytes().first() == Some(&b'{')
                && second.is_complete_object()
        }
        _ => !first.is_too_long() && (second.is_complete() || !first.opens()),
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        match self {
            Pieces::Lines { ahead, rest } => ahead
                .pop()
                .or_else(|| rest.next_line())
                .map(Line::into_piece),
            Pieces::Document(document) => document.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each piece as `LINE=TEXT`, `LINE!damage`, or `|` for a boundary.
    #[track_caller]
    fn check(input: &[u8], expected: &[&str]) {
        let pieces = Pieces::read(Box::new(io::Cursor::new(input.to_vec())), 64).unwrap();
        let shown: Vec<String> = pieces
            .map(|piece| match piece {
                Piece::Text { line, text } => format!("{line}={text}"),
                Piece::Damage { line, .. } => format!("{line}!"),
                Piece::Boundary => "|".into(),
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn lines() {
        check(
            b"{\"a\": 1}\n{\"b\": 2}\n",
            &["1={\"a\": 1}", "2={\"b\": 2}"],
        );
        check(b"\xef\xbb\xbf{}\r\n\r\n  \n{}\r\n\n", &["1={}", "4={}"]);
        check(b"", &[]);
        check(b"\n \n", &[]);
        check(b"[1, 2]", &["1=[1, 2]"]);
    }

    #[test]
    fn damaged_lines_hurt_no_other() {
        check(b"{}\n{\"a\": \n{}\n", &["1={}", "2!", "3={}"]);
        check(b"{}\n\0\0\0\n{}\n", &["1={}", "2!", "3={}"]);
        check(b"{}\n{\"a\": \"\xff\"}\n{}", &["1={}", "2!", "3={}"]);
        check(b"{\"role\": \"us\n{}\n", &["1!", "2={}"]);
        check(b"\0\0\n{}\n", &["1!", "2={}"]);
        check(b"{\"role\": 1,\n{\"a\": 1}\n", &["1!", "2={\"a\": 1}"]);
        check(b"{}\n{\"a\": \"b", &["1={}", "2!"]);
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over() {
        let long = format!("{{}}\n[{}]\n{{}}\n", "1,".repeat(100));
        check(long.as_bytes(), &["1={}", "2!", "3={}"]);
    }

    #[test]
    fn documents() {
        check(
            b"[\n {\"a\":\n 1},\n\n 2]\n",
            &["2={\"a\":\n 1}", "5=2", "|"],
        );
        check(b"{\n\"b\": [1]\n}\n", &["1={\"b\": [1]}"]);
        check(b"[\n]", &["|"]);
        check(
            b"{\"a\": \"]\\\"\",\n\"b\": {}}",
            &["1={\"a\": \"]\\\"\",\"b\": {}}"],
        );
        check(b"[\n{}\n]\n[\n1\n]\n", &["2={}", "|", "5=1", "|"]);
    }

    #[test]
    fn the_runs_of_a_results_file_come_one_by_one() {
        check(
            b"{\n\"info\": {},\n\"simulations\": [\n{\"id\": 1},\n{\"id\": 2}\n],\n\"z\": 1}",
            &["4={\"id\": 1}", "5={\"id\": 2}", "|"],
        );
    }

    #[test]
    fn damaged_documents_give_what_is_whole() {
        check(b"[\n{},\n{\"a\": ", &["2={}", "3!"]);
        check(b"[{}, {\"a\"", &["1={}", "1!"]);
        check(b"{\n\"a\": 1", &["2!"]);
        check(b"[\n1\n2\n]", &["2=1", "3=2", "|"]);
        check(b"{\n\"a\" 1}", &["2!"]);
        check(b"hello", &["1!"]);
        let long = format!("[\n[{}],\n{{}}]", "1,".repeat(100));
        check(long.as_bytes(), &["2!", "3={}", "|"]);
    }
}
