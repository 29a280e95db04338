//! Places in the texts that people wrote: a policy, a rule file, a formula.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A text with a name, and the byte offset at which each of its lines begins.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// Wraps `text`; `name` is what diagnostics call it, usually a file name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Source {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// What diagnostics call this text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of lines; a final line break does not start another line.
    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    /// The 1-based line and column (in characters) of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self
            .line_starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let column = self
            .text
            .get(start..offset.min(self.text.len()))
            .map_or(1, |before| before.chars().count() + 1);
        Position { line, column }
    }

    /// The byte range of 1-based lines `first..=last`, without the last line
    /// break. Lines past the end give an empty range at the end.
    pub fn lines(&self, first: usize, last: usize) -> Range<usize> {
        let end_of_text = self.text.len();
        let start = self
            .line_starts
            .get(first.saturating_sub(1))
            .copied()
            .unwrap_or(end_of_text);
        let end = self
            .line_starts
            .get(last)
            .map_or(end_of_text, |next| next.saturating_sub(1));
        start..end.max(start)
    }

    /// The text of 1-based lines `first..=last`.
    pub fn line_text(&self, first: usize, last: usize) -> &str {
        self.text.get(self.lines(first, last)).unwrap_or_default()
    }
}

/// A 1-based place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
}

/// A 1-based, inclusive range of lines in a policy.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(from = "(usize, usize)", into = "(usize, usize)")]
#[schemars(with = "(usize, usize)")]
pub struct Lines {
    /// First line, 1-based.
    pub first: usize,
    /// Last line, inclusive.
    pub last: usize,
}

impl From<(usize, usize)> for Lines {
    fn from((first, last): (usize, usize)) -> Self {
        Lines { first, last }
    }
}

impl From<Lines> for (usize, usize) {
    fn from(lines: Lines) -> Self {
        (lines.first, lines.last)
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("p.md", "éa\nbc\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(2), Position { line: 1, column: 2 });
        assert_eq!(source.position(4), Position { line: 2, column: 1 });
        assert_eq!(source.line_text(2, 2), "bc");
        assert_eq!(source.line_text(1, 2), "éa\nbc");
        assert_eq!(source.line_text(9, 9), "");
        assert_eq!(source.line_count(), 2);
    }
}
