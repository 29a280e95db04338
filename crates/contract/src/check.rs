//! The type checker: terms that are used where another kind of value is needed.
//!
//! Values of different kinds are never equal, never different and never
//! ordered (DESIGN section 3), so such a condition would be unknown at every
//! event and refuse every call. Types come from the JSON Schemas of the tools
//! that a rule guards; where a schema says nothing, nothing is said here, too.

mod shape;

use crate::catalog::Catalog;
use crate::predicate::{ArithmeticOp, Atom, CompareOp, Formula, Term};
use crate::value::{Kind, Value};
use shape::{Shape, argument};
use std::fmt::Display;

/// A term that is used where another kind of value is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeFinding {
    /// The condition at fault.
    pub atom: Atom,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Checks every atom of a formula, with the arguments of `bound_tools`. If the
/// tools differ in the type of an argument, each of their types is allowed.
pub fn check_formula(
    formula: &Formula,
    catalog: &Catalog,
    bound_tools: &[&str],
) -> Vec<TypeFinding> {
    let mut checker = Checker {
        catalog,
        tools: bound_tools,
        found: Vec::new(),
    };
    let mut findings = Vec::new();
    for atom in formula.atoms() {
        checker.atom(atom);
        let found = std::mem::take(&mut checker.found);
        findings.extend(found.into_iter().map(|(message, help)| TypeFinding {
            atom: atom.clone(),
            message,
            help,
        }));
    }
    findings
}

struct Checker<'a> {
    catalog: &'a Catalog,
    tools: &'a [&'a str],
    /// Messages and helps for the present atom.
    found: Vec<(String, String)>,
}

impl Checker<'_> {
    fn complain(&mut self, message: impl Into<String>, help: impl Into<String>) {
        let finding = (message.into(), help.into());
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Event(_) => {}
            Atom::Compare(op, left, right) => self.compare(*op, left, right),
            Atom::In(left, right) => {
                let (item, list) = (self.term(left), self.term(right));
                if self.needs(right, &list, &[Kind::List], "`in` looks into") {
                    self.holds((right, &list.item()), (left, &item));
                }
            }
            Atom::Subset(left, right) => {
                let (part, whole) = (self.term(left), self.term(right));
                let both = self.needs(left, &part, &[Kind::List], "`subset` compares")
                    & self.needs(right, &whole, &[Kind::List], "`subset` compares");
                let (a, b) = (part.item(), whole.item());
                if both && !a.meets(&b) {
                    self.complain(
                        format!("`{left}` holds {a} and `{right}` holds {b}, and different kinds are never equal"),
                        "compare lists of one kind",
                    );
                }
            }
            Atom::Contains(left, right) => {
                let (whole, part) = (self.term(left), self.term(right));
                if self.needs(
                    left,
                    &whole,
                    &[Kind::List, Kind::Text],
                    "`contains` looks into",
                ) {
                    if whole.is_only(Kind::Text) {
                        self.needs(
                            right,
                            &part,
                            &[Kind::Text],
                            "`contains` looks into a text for",
                        );
                    } else if whole.is_only(Kind::List) {
                        self.holds((left, &whole.item()), (right, &part));
                    }
                }
            }
            Atom::Matches(term, _) => {
                let shape = self.term(term);
                self.needs(term, &shape, &[Kind::Text], "`matches` reads");
            }
            Atom::Known(term) | Atom::Listed(term) => {
                self.term(term);
                if let Term::Constant(_) = term {
                    self.complain(
                        format!(
                            "`{atom}` asks about a constant, so it does not depend on what happens"
                        ),
                        "ask about an argument or a looked-up fact, such as `arg.order_id`",
                    );
                }
            }
        }
    }

    fn compare(&mut self, op: CompareOp, left: &Term, right: &Term) {
        let (a, b) = (self.term(left), self.term(right));
        if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            let ordered = [Kind::Number, Kind::Text];
            let verb = format!("`{}` orders", op.sign());
            if !(self.needs(left, &a, &ordered, &verb) & self.needs(right, &b, &ordered, &verb)) {
                return;
            }
        }
        self.comparable((left, &a), (right, &b));
    }

    /// Complains if two values are of kinds that never meet.
    fn comparable(&mut self, (left, a): (&Term, &Shape), (right, b): (&Term, &Shape)) {
        if !a.meets(b) {
            let message = format!(
                "`{left}` is {a} and `{right}` is {b}, and different kinds are never equal"
            );
            self.complain(message, remedy((left, a), (right, b)));
        }
    }

    /// Complains if a list of such items never holds such a value.
    fn holds(&mut self, (list, items): (&Term, &Shape), (value, shape): (&Term, &Shape)) {
        if !items.meets(shape) {
            let message = format!(
                "`{list}` holds {items} and `{value}` is {shape}, and different kinds are never equal"
            );
            self.complain(message, remedy((list, items), (value, shape)));
        }
    }

    /// Whether a term may be one of these kinds; complains if not.
    fn needs(&mut self, term: &Term, shape: &Shape, kinds: &[Kind], verb: &str) -> bool {
        let fits = shape.may_be(kinds);
        if !fits {
            let message = format!("{verb} {}, but `{term}` is {shape}", either(kinds));
            let help = match (kinds, term) {
                ([Kind::List], Term::Constant(value)) => {
                    format!("write `[{value}]`, or `==` for a single value")
                }
                ([Kind::List], _) => "name a list, or use `==` for a single value".to_owned(),
                ([Kind::Number], Term::Constant(Value::Text(text)))
                    if crate::value::number(text).is_ok() =>
                {
                    format!("write `{text}` without quotes")
                }
                ([Kind::Number, Kind::Text], _) => {
                    "only numbers and texts have an order; use `==`".to_owned()
                }
                _ => format!("use a term that is {}", either(kinds)),
            };
            self.complain(message, help);
        }
        fits
    }

    /// The shape of a term; complains about what is inside it.
    fn term(&mut self, term: &Term) -> Shape {
        match term {
            Term::Arg(path) => match argument(self.catalog, self.tools, path) {
                Ok(shape) => shape,
                Err(fault) => {
                    self.complain(
                        fault.message(term),
                        "check the path against the tool's schema",
                    );
                    Shape::unknown()
                }
            },
            Term::Result(_) | Term::Context(_) => Shape::unknown(),
            Term::Last(lookup) => {
                for key in &lookup.keys {
                    self.term(&key.value);
                }
                Shape::unknown()
            }
            Term::Count(count) => {
                for key in &count.keys {
                    self.term(&key.value);
                }
                Shape::of(Kind::Number)
            }
            Term::TurnCalls | Term::TurnSize => Shape::of(Kind::Number),
            Term::Len(inner) => {
                let shape = self.term(inner);
                let kinds = [Kind::List, Kind::Object, Kind::Text];
                self.needs(inner, &shape, &kinds, "`len` measures");
                Shape::of(Kind::Number)
            }
            Term::Lower(inner) => {
                let shape = self.term(inner);
                self.needs(inner, &shape, &[Kind::Text], "`lower` reads");
                Shape::of(Kind::Text)
            }
            Term::Constant(value) => Shape::of_value(value),
            Term::Arithmetic(op, left, right) => {
                for side in [left, right] {
                    let shape = self.term(side);
                    self.needs(
                        side,
                        &shape,
                        &[Kind::Number],
                        &format!("`{}` reckons with", op.sign()),
                    );
                }
                if *op == ArithmeticOp::Multiply && !is_constant(left) && !is_constant(right) {
                    self.complain(
                        format!("`{term}` multiplies two terms that both vary"),
                        "keep arithmetic linear: one side of `*` must be a number",
                    );
                }
                Shape::of(Kind::Number)
            }
        }
    }
}

/// Whether a term has the same value at every event.
fn is_constant(term: &Term) -> bool {
    match term {
        Term::Constant(_) => true,
        Term::Arithmetic(_, left, right) => is_constant(left) && is_constant(right),
        Term::Len(inner) | Term::Lower(inner) => is_constant(inner),
        _ => false,
    }
}

/// What to do about two terms of different kinds.
fn remedy((left, a): (&Term, &Shape), (right, b): (&Term, &Shape)) -> String {
    for (constant, other, shape) in [(right, left, a), (left, right, b)] {
        match constant {
            Term::Constant(Value::Null) => {
                return format!("write `known({other})` to ask whether it is given");
            }
            Term::Constant(Value::Text(text)) if is_written_as(text, shape) => {
                return format!("write `{text}` without quotes");
            }
            Term::Constant(value @ (Value::Number(_) | Value::Bool(_)))
                if shape.may_be(&[Kind::Text]) =>
            {
                return format!("write `\"{value}\"` in quotes");
            }
            _ => {}
        }
    }
    "compare values of one kind".to_owned()
}

/// Whether a text spells a constant of a wanted kind.
fn is_written_as(text: &str, shape: &Shape) -> bool {
    (shape.may_be(&[Kind::Number]) && crate::value::number(text).is_ok())
        || (shape.may_be(&[Kind::Bool]) && matches!(text, "true" | "false"))
}

/// Kinds in words, such as `a list or text`.
fn either<K: Display>(kinds: impl IntoIterator<Item = K>) -> String {
    let words: Vec<String> = kinds.into_iter().map(|kind| kind.to_string()).collect();
    words.join(" or ")
}

#[cfg(test)]
mod tests;
