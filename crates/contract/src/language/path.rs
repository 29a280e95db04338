//! Paths into values: `.name`, `["odd name"]`, `[0]`, `[*]`, `[?filter]`, `[term]`
//! for a computed key, and `.?words` in drafts.

use super::SyntaxError;
use super::cursor::Cursor;
use crate::predicate::{Condition, Name, Path, Segment};
use lictor_ltlf::operator::LOOSEST;

/// The levels of nesting that a filter or a computed key counts for.
const INSIDE_PATH: usize = 3;

impl Cursor<'_> {
    /// Reads the segments that stand behind a term. White space ends the path,
    /// unless a `.` goes on with it, as long formulas are broken into lines.
    pub(super) fn path(&mut self, nesting: usize) -> Result<Path, SyntaxError> {
        let mut segments = Vec::new();
        loop {
            self.join_lines();
            match self.next_char() {
                Some('.') => segments.push(self.field()?),
                Some('[') => segments.push(self.bracket(nesting)?),
                _ => return Ok(Path(segments)),
            }
        }
    }

    /// Steps over white space in front of a `.` and a name.
    fn join_lines(&mut self) {
        let rest = self.rest();
        let ahead = rest.trim_start();
        let mut ahead_chars = ahead.chars();
        let goes_on = ahead_chars.next() == Some('.')
            && ahead_chars
                .next()
                .is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '"' | '?'));
        if goes_on {
            self.at += rest.len() - ahead.len();
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

    fn bracket(&mut self, nesting: usize) -> Result<Segment, SyntaxError> {
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
            Some('?') => self.filter(nesting)?,
            Some(c) if c.is_alphabetic() || matches!(c, '_' | '@') => {
                // What stands inside a path costs more of the stack than other nesting.
                let (term, _) = self.nested_term(nesting + INSIDE_PATH)?;
                Segment::Computed(term)
            }
            _ => {
                return Err(self.unexpected(
                    "`*`, a position, a field's name in double quotes, a filter or a term",
                ));
            }
        };
        self.expect("]", start)?;
        Ok(segment)
    }

    /// Reads `?condition`, in which `@` is the element looked at.
    fn filter(&mut self, nesting: usize) -> Result<Segment, SyntaxError> {
        self.at += 1;
        self.skip_space();
        let start = self.at;
        self.filters += 1;
        let noted = self.atoms.len();
        let expression = self.expression(LOOSEST, nesting + INSIDE_PATH);
        self.filters -= 1;
        let formula = self.needed_formula(expression?)?;
        // Its atoms are parts of one that stands around it.
        self.atoms.truncate(noted);
        let condition = self.needed_condition(*formula, start)?;
        Ok(Segment::Filter(condition))
    }

    /// A condition over values, without temporal operators and events.
    pub(super) fn needed_condition(
        &self,
        formula: crate::predicate::Formula,
        start: usize,
    ) -> Result<Condition, SyntaxError> {
        Condition::new(formula).ok_or_else(|| {
            SyntaxError::new(
                start..self.at,
                "a condition on an element speaks of events or of time",
                "compare values only, such as `@.price < 10`, and join them with `&`, `|`, `!` or `->`",
            )
        })
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
