//! The text form of the predicate language: reading and printing.
//!
//! Formulas, conditions and terms are one grammar, because a parenthesis may
//! open any of them; [`parse_formula`] reads it in one pass without going back
//! and decides the sort of each part where it is used. The temporal operators
//! come from the table of `lictor-ltlf`, so the same text never means two
//! things. Every error has the byte range it speaks of and a way out, since
//! both people and models write this text and both slip in the same places.
//!
//! Printing is canonical: what is printed reads back as the same tree.

mod constant;
mod cursor;
mod expression;
mod infix;
mod keys;
mod nearest;
mod operand;
mod path;
mod pattern;
mod print;
mod slip;
mod terms;
mod tools;

pub use nearest::nearest;
pub use pattern::compile_pattern;
pub use print::print_formula;
pub use terms::{Terms, TermsError};

use crate::predicate::{Atom, EventPredicate, Formula, Term, ToolPattern};
use cursor::Cursor;
use std::ops::Range;

/// Deepest nesting that is read, of parentheses and of the tree that comes out.
pub const MAX_NESTING: usize = lictor_ltlf::parse::MAX_NESTING;

/// Longest text that is read, in bytes.
pub const MAX_LENGTH: usize = lictor_ltlf::parse::MAX_LENGTH;

/// Who wrote the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every name must be spelt out.
    Strict,
    /// `?words` may stand for a tool, a field or a key whose name the author
    /// did not know.
    Draft,
}

/// Why a text could not be read, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {help}")]
pub struct SyntaxError {
    /// Byte range of the words at fault; empty at the end of the text.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl SyntaxError {
    fn new(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        SyntaxError {
            range,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// What was read, and where each atom of it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// What was read.
    pub value: T,
    /// Each occurrence of an atom and its byte range, in order of the text.
    pub atoms: Vec<(Atom, Range<usize>)>,
}

/// Every word that has a meaning of its own, in no particular order; the temporal
/// operators are in the table of `lictor-ltlf`.
pub fn words() -> impl Iterator<Item = &'static str> {
    let infix = infix::INFIX_WORDS.into_iter();
    let infix = infix.filter(|words| !words.contains(' '));
    slip::WORDS
        .into_iter()
        .chain(infix)
        .chain(keys::RESERVED_KEYS)
}

/// Reads a formula.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_formula(text: &str, mode: Mode) -> Result<Parsed<Formula>, SyntaxError> {
    parse_formula_with(text, mode, &Terms::default())
}

/// Reads a formula in which some terms have names of their own.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_formula_with(
    text: &str,
    mode: Mode,
    terms: &Terms,
) -> Result<Parsed<Formula>, SyntaxError> {
    let mut cursor = Cursor::new(text, mode, terms)?;
    let value = cursor.formula()?;
    cursor.expect_end("an operator or the end")?;
    Ok(Parsed {
        value,
        atoms: cursor.atoms,
    })
}

/// Reads a term, such as `arg.amount - 5`.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_term(text: &str, mode: Mode) -> Result<Term, SyntaxError> {
    parse_term_with(text, mode, &Terms::default())
}

/// Reads a term in which other terms have names of their own.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_term_with(text: &str, mode: Mode, terms: &Terms) -> Result<Term, SyntaxError> {
    let mut cursor = Cursor::new(text, mode, terms)?;
    let value = cursor.term()?;
    cursor.expect_end("an arithmetic operator or the end")?;
    Ok(value)
}

/// Reads an event predicate, such as `ok(get_order)`.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_event(text: &str, mode: Mode) -> Result<EventPredicate, SyntaxError> {
    let terms = Terms::default();
    let mut cursor = Cursor::new(text, mode, &terms)?;
    let value = cursor.event()?;
    cursor.expect_end("the end")?;
    Ok(value)
}

/// Reads tools joined by `|`, such as `cancel_order|@write`.
///
/// # Errors
/// [`SyntaxError`] for the first thing that does not fit.
pub fn parse_tool_pattern(text: &str, mode: Mode) -> Result<ToolPattern, SyntaxError> {
    let terms = Terms::default();
    let mut cursor = Cursor::new(text, mode, &terms)?;
    let value = cursor.tools()?;
    cursor.expect_end("`|` or the end")?;
    Ok(value)
}

#[cfg(test)]
mod tests;
