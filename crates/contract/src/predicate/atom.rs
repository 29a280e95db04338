//! Atoms: the propositions of a contract, and conditions inside them.

use super::Formula;
use super::term::Term;
use super::tool::{EventPredicate, Pattern, ToolPattern};

/// How two terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl CompareOp {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessOrEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterOrEqual => ">=",
        }
    }
}

/// How many elements of a list a condition must hold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `any(list as x, c)`: at least one.
    Any,
    /// `all(list as x, c)`: each.
    All,
}

impl Quantifier {
    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Any => "any",
            Quantifier::All => "all",
        }
    }
}

/// A condition over values alone: a formula without temporal operators and
/// without event predicates, so that it has a truth value for an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition(Box<Formula>);

impl Condition {
    /// The formula as a condition; none if it speaks of time or of events.
    pub fn new(formula: Formula) -> Option<Condition> {
        is_condition(&formula).then(|| Condition(Box::new(formula)))
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.0
    }

    /// The same condition over other atoms, none of which is an event.
    pub fn map_atoms(&self, atom: &mut dyn FnMut(&Atom) -> Atom) -> Condition {
        Condition(Box::new(self.0.map_atoms(atom)))
    }
}

fn is_condition(formula: &Formula) -> bool {
    match formula {
        Formula::True | Formula::False => true,
        Formula::Atom(atom) => !matches!(atom, Atom::Event(_)),
        Formula::Not(inner) => is_condition(inner),
        Formula::And(all) | Formula::Or(all) => all.iter().all(is_condition),
        Formula::Implies(left, right) | Formula::Iff(left, right) => {
            is_condition(left) && is_condition(right)
        }
        _ => false,
    }
}

/// An atomic proposition of a contract.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A predicate over the event.
    Event(EventPredicate),
    /// `a == b` and its kin.
    Compare(CompareOp, Term, Term),
    /// `a in list`.
    In(Term, Term),
    /// `a subset b`, as bags.
    Subset(Term, Term),
    /// `a contains b`: an element of a list, or a part of a text.
    Contains(Term, Term),
    /// `a under b`: a path inside another, by whole segments.
    Under(Term, Term),
    /// `a matches /re/`.
    Matches(Term, Pattern),
    /// `any(list as x, c)` and `all(list as x, c)`.
    Quantified(Quantifier, Term, String, Condition),
    /// `known(t)`: the term has a value. Two-valued.
    Known(Term),
    /// `listed(t)`: the agent named the value before the present yes.
    Listed(Term),
    /// `permitted(name)`: the host granted a permission of this name.
    Permitted(Term),
    /// `from_user(t)`: the user wrote the value.
    FromUser(Term),
    /// `from_tool(t, T…)`: a result of one of the tools holds the value.
    FromTool(Term, ToolPattern),
    /// `untrusted(t)`: the value was introduced by a tool that is not trusted,
    /// and the user never named it.
    Untrusted(Term),
}

impl Atom {
    /// Whether the atom is never unknown (DESIGN section 3): event predicates
    /// but `confirms`, and `known`.
    pub fn is_two_valued(&self) -> bool {
        match self {
            Atom::Event(EventPredicate::Confirms) => false,
            Atom::Event(_) | Atom::Known(_) => true,
            _ => false,
        }
    }

    /// Whether it is written like a function, or as a bare word.
    pub fn is_closed(&self) -> bool {
        !matches!(
            self,
            Atom::Compare(..)
                | Atom::In(..)
                | Atom::Subset(..)
                | Atom::Contains(..)
                | Atom::Under(..)
                | Atom::Matches(..)
        )
    }
}
