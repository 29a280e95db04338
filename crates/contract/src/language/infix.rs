//! What may stand between two operands, and how tightly it binds.
//!
//! The logical operators are those of `lictor-ltlf`; the comparisons and the
//! arithmetic of this language bind tighter than all of them.

use super::cursor::{Cursor, is_word_char};
use crate::predicate::{ArithmeticOp, CompareOp};
use lictor_ltlf::operator::{Entry, Fixity, Operator, UNARY};

/// The binding of comparisons and the other conditions.
pub(super) const CONDITION: u8 = UNARY + 10;
/// The binding of `+` and `-`.
pub(super) const SUM: u8 = UNARY + 20;
/// The binding of `*`.
pub(super) const PRODUCT: u8 = UNARY + 30;
/// The binding of a sign before a term.
pub(super) const SIGN: u8 = UNARY + 40;

/// An infix operator.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    Logic(&'static Entry),
    Compare(CompareOp),
    In,
    NotIn,
    Subset,
    Contains,
    Under,
    Matches,
    Arithmetic(ArithmeticOp),
}

impl Infix {
    pub(super) fn binding(self) -> u8 {
        match self {
            Infix::Logic(entry) => entry.binding,
            Infix::Arithmetic(ArithmeticOp::Multiply) => PRODUCT,
            Infix::Arithmetic(_) => SUM,
            _ => CONDITION,
        }
    }
}

/// Signs between terms. `<` comes after `<=`, and neither may eat `<->`.
const COMPARISONS: [(&str, CompareOp); 9] = [
    ("==", CompareOp::Equal),
    ("!=", CompareOp::NotEqual),
    ("≠", CompareOp::NotEqual),
    ("<=", CompareOp::LessOrEqual),
    ("≤", CompareOp::LessOrEqual),
    (">=", CompareOp::GreaterOrEqual),
    ("≥", CompareOp::GreaterOrEqual),
    ("<", CompareOp::Less),
    (">", CompareOp::Greater),
];

/// Conditions that are written as words.
const WORDS: [(&str, Infix); 5] = [
    ("in", Infix::In),
    ("subset", Infix::Subset),
    ("contains", Infix::Contains),
    ("under", Infix::Under),
    ("matches", Infix::Matches),
];

/// Spellings of logical operators that this language reads beside those of the
/// table, because people and models write them and they can mean nothing else.
const LOGIC_SIGNS: [(&str, Operator); 8] = [
    ("<=>", Operator::Iff),
    ("→", Operator::Implies),
    ("⇒", Operator::Implies),
    ("=>", Operator::Implies),
    ("↔", Operator::Iff),
    ("⇔", Operator::Iff),
    ("∧", Operator::And),
    ("∨", Operator::Or),
];

/// The same as words, in any case.
const LOGIC_WORDS: [(&str, Operator); 4] = [
    ("and", Operator::And),
    ("or", Operator::Or),
    ("implies", Operator::Implies),
    ("iff", Operator::Iff),
];

/// Every word that may stand between operands, for suggestions.
pub(super) const INFIX_WORDS: [&str; 6] =
    ["in", "not in", "subset", "contains", "under", "matches"];

impl<'a> Cursor<'a> {
    /// The infix operator that comes next and its length; the position is
    /// moved over white space only.
    pub(super) fn peek_infix(&mut self) -> Option<(Infix, usize)> {
        self.skip_space();
        let rest = self.rest();
        if let Some((entry, length)) =
            Operator::at_start(rest).filter(|(entry, _)| entry.fixity != Fixity::Prefix)
        {
            return Some((Infix::Logic(entry), length));
        }
        for (sign, op) in LOGIC_SIGNS {
            if rest.starts_with(sign) {
                return Some((Infix::Logic(op.entry()), sign.len()));
            }
        }
        for (sign, op) in COMPARISONS {
            if rest.starts_with(sign) {
                return Some((Infix::Compare(op), sign.len()));
            }
        }
        for op in [
            ArithmeticOp::Add,
            ArithmeticOp::Subtract,
            ArithmeticOp::Multiply,
        ] {
            if rest.starts_with(op.sign()) {
                return Some((Infix::Arithmetic(op), op.sign().len()));
            }
        }
        let word = self.word();
        for (name, infix) in WORDS {
            if word == name {
                return Some((infix, word.len()));
            }
        }
        for (name, op) in LOGIC_WORDS {
            if word.eq_ignore_ascii_case(name) {
                return Some((Infix::Logic(op.entry()), word.len()));
            }
        }
        if word == "not" {
            let behind = rest.get(word.len()..).unwrap_or_default();
            let spaced = behind.trim_start();
            let tail = spaced.strip_prefix("in")?;
            if !tail.starts_with(is_word_char) {
                return Some((Infix::NotIn, rest.len() - tail.len()));
            }
        }
        None
    }

    /// Steps over a negation, in any spelling, and a prefix operator of the table.
    pub(super) fn eat_prefix(&mut self) -> Option<&'static Entry> {
        let rest = self.rest();
        if let Some((entry, length)) =
            Operator::at_start(rest).filter(|(entry, _)| entry.fixity == Fixity::Prefix)
        {
            self.at += length;
            return Some(entry);
        }
        let word = self.word();
        let length = if word.eq_ignore_ascii_case("not") {
            word.len()
        } else if rest.starts_with('¬') {
            '¬'.len_utf8()
        } else {
            return None;
        };
        self.at += length;
        Some(Operator::Not.entry())
    }
}
