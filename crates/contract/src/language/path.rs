//! Paths into values: `.name`, `["odd name"]`, `[0]`, `[*]`, and `.?words` in drafts.

use super::SyntaxError;
use super::cursor::Cursor;
use crate::predicate::{Name, Path, Segment};

impl Cursor<'_> {
    /// Reads the segments that stand right behind a term; white space ends the path.
    pub(super) fn path(&mut self) -> Result<Path, SyntaxError> {
        let mut segments = Vec::new();
        loop {
            match self.next_char() {
                Some('.') => segments.push(self.field()?),
                Some('[') => segments.push(self.bracket()?),
                _ => return Ok(Path(segments)),
            }
        }
    }

    fn field(&mut self) -> Result<Segment, SyntaxError> {
        let start = self.at;
        self.at += 1;
        match self.next_char() {
            Some('?') => return Ok(Segment::Field(Name::Placeholder(self.placeholder()?))),
            Some('"') => return Ok(Segment::Field(Name::Known(self.string()?))),
            Some('*') => {
                return Err(SyntaxError::new(
                    start..self.at + 1,
                    "`.*` is no field",
                    "write `[*]` for every element",
                ));
            }
            Some(c) if c.is_ascii_digit() => {
                let rest = self.rest();
                let end = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                let digits = rest.get(..end).unwrap_or_default();
                return Err(SyntaxError::new(
                    start..self.at + end,
                    format!("`.{digits}` is no field"),
                    format!("write `[{digits}]` for an element of a list"),
                ));
            }
            _ => {}
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.unexpected("the name of a field"));
        }
        self.at += word.len();
        Ok(Segment::Field(Name::Known(word.to_owned())))
    }

    fn bracket(&mut self) -> Result<Segment, SyntaxError> {
        let start = self.at;
        self.at += 1;
        self.skip_space();
        let segment = match self.next_char() {
            Some('*') => {
                self.at += 1;
                Segment::Every
            }
            Some('"') => Segment::Field(Name::Known(self.string()?)),
            Some('-' | '0'..='9') => Segment::Index(self.index()?),
            Some('?') => {
                return Err(SyntaxError::new(
                    start..self.at + 1,
                    "a path has no filters",
                    "write `[*]` for every element, or `[0]` for the first",
                ));
            }
            _ => return Err(self.unexpected("`*`, a position or a field's name in double quotes")),
        };
        self.expect("]", start)?;
        Ok(segment)
    }

    fn index(&mut self) -> Result<i64, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|(index, c)| !(c.is_ascii_digit() || *index == 0))
            .map_or(rest.len(), |(index, _)| index);
        let digits = rest.get(..end).unwrap_or_default();
        let index = digits.parse().map_err(|_| {
            SyntaxError::new(
                start..start + end,
                format!("`{digits}` is no position in a list"),
                "write a whole number, such as `[0]` or `[-1]`",
            )
        })?;
        self.at += end;
        Ok(index)
    }
}
