//! Terms with names of their own, which a rule file may declare.
//!
//! A name stands for its term wherever a formula of the file uses it, and a path
//! may go on behind it: `ORDER.status`. Names are expanded on reading, so that
//! nothing behind the parser knows of them.

use super::cursor::is_word;
use super::slip::is_word_of_the_language;
use super::{Mode, SyntaxError, parse_term_with};
use crate::predicate::{Atom, Formula, Segment, Term};
use std::collections::BTreeMap;

/// Most parts of a named term when the names inside it are written out.
const MAX_PARTS: usize = 256;

/// Named terms. A term may use the names declared before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeMap<String, Named>);

/// A term and the length of its text, which is what each use of its name costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) term: Term,
    pub(super) length: usize,
}

/// A budget of parts. Whoever goes through a term, its conditions included, goes
/// no deeper than it has parts.
struct Budget(usize);

impl Budget {
    /// Whether the term fits into what is left.
    fn takes(&mut self, term: &Term) -> bool {
        self.takes_one()
            && match term {
                Term::Lookup(lookup) => lookup.keys.iter().all(|key| self.takes(&key.value)),
                Term::Count(count) => count.keys.iter().all(|key| self.takes(&key.value)),
                Term::Total(count, amount) => {
                    self.takes(amount) && count.keys.iter().all(|key| self.takes(&key.value))
                }
                Term::Apply(_, inner) => self.takes(inner),
                Term::Zip(left, right) | Term::Arithmetic(_, left, right) => {
                    self.takes(left) && self.takes(right)
                }
                _ => true,
            }
            && term.path().is_none_or(|path| {
                path.0.iter().all(|segment| match segment {
                    Segment::Computed(key) => self.takes(key),
                    Segment::Filter(condition) => self.takes_formula(condition.formula()),
                    Segment::Field(_) | Segment::Index(_) | Segment::Every => true,
                })
            })
    }

    fn takes_formula(&mut self, formula: &Formula) -> bool {
        self.takes_one()
            && match formula {
                Formula::Atom(Atom::Quantified(_, list, _, condition)) => {
                    self.takes(list) && self.takes_formula(condition.formula())
                }
                Formula::Atom(atom) => atom.terms().into_iter().all(|term| self.takes(term)),
                other => other
                    .children()
                    .into_iter()
                    .all(|child| self.takes_formula(child)),
            }
    }

    fn takes_one(&mut self) -> bool {
        let left = self.0.checked_sub(1);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// Why a term cannot have this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// No name, or one with a meaning of its own.
    #[error(
        "`{0}` cannot name a term: use a word of letters, digits and `_` that the language does not know, such as `ORDER`"
    )]
    Name(String),
    /// The name is taken.
    #[error("the term `{0}` is declared twice; remove one of them")]
    Repeated(String),
    /// Written out it is too large, as terms inside terms grow fast.
    #[error(
        "the term `{0}` has more than {MAX_PARTS} parts when written out; use fewer names inside it"
    )]
    TooLarge(String),
    /// The text is no term.
    #[error("the term `{name}` cannot be read: {error}")]
    Syntax {
        /// The name.
        name: String,
        /// Why.
        error: SyntaxError,
    },
}

impl Terms {
    /// Adds a name for the term that a text spells.
    ///
    /// # Errors
    /// [`TermsError`] says what is wrong with the name or with the text.
    pub fn declare(&mut self, name: &str, text: &str, mode: Mode) -> Result<(), TermsError> {
        if !is_word(name) || is_word_of_the_language(name) {
            return Err(TermsError::Name(name.to_owned()));
        }
        if self.0.contains_key(name) {
            return Err(TermsError::Repeated(name.to_owned()));
        }
        let term = parse_term_with(text, mode, self).map_err(|error| TermsError::Syntax {
            name: name.to_owned(),
            error,
        })?;
        if !Budget(MAX_PARTS).takes(&term) {
            return Err(TermsError::TooLarge(name.to_owned()));
        }
        let length = term.to_string().len();
        self.0.insert(name.to_owned(), Named { term, length });
        Ok(())
    }

    /// The term of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Named> {
        self.0.get(name)
    }

    /// The names in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
