//! The type checker: terms that are used where another kind of value is needed.
//!
//! Values of different kinds are never equal, never different and never
//! ordered (DESIGN section 3), so such a condition would be unknown at every
//! event and refuse every call. Types come from the JSON Schemas of the tools
//! that a rule guards; where a schema says nothing, nothing is said here, too.

mod schema;
mod shape;
mod term;

use crate::catalog::Catalog;
use crate::diagnostic::Code;
use crate::predicate::{Atom, CompareOp, Condition, Formula, Term};
use crate::time::Time;
use crate::value::{Kind, Value};
use shape::{Measure, Shape};
use std::fmt::Display;

/// A term that is used where another kind of value is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeFinding {
    /// The condition at fault.
    pub atom: Atom,
    /// Whether kinds differ, or only units of time.
    pub code: Code,
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
        tools: bound_tools.to_vec(),
        answer: Shape::unknown(),
        variables: Vec::new(),
        elements: Vec::new(),
        found: Vec::new(),
    };
    let mut findings = Vec::new();
    for atom in formula.atoms() {
        checker.atom(atom);
        let found = std::mem::take(&mut checker.found);
        findings.extend(found.into_iter().map(|(code, message, help)| TypeFinding {
            atom: atom.clone(),
            code,
            message,
            help,
        }));
    }
    findings
}

struct Checker<'a> {
    catalog: &'a Catalog,
    /// The tools whose arguments `arg` reads.
    tools: Vec<&'a str>,
    /// What `result` is. At a return that depends on how it ended, so that it is
    /// only known of what a sum counts.
    answer: Shape<'a>,
    /// What quantifiers around the present condition range over.
    variables: Vec<(&'a str, Shape<'a>)>,
    /// What the `@` of filters around the present condition is.
    elements: Vec<Shape<'a>>,
    /// Codes, messages and helps for the present atom.
    found: Vec<(Code, String, String)>,
}

impl<'a> Checker<'a> {
    fn complain(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        let finding = (code, message.into(), help.into());
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }

    fn mismatch(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.complain(Code::TypeMismatch, message, help);
    }

    fn condition(&mut self, condition: &'a Condition) {
        for atom in condition.formula().atoms() {
            self.atom(atom);
        }
    }

    fn atom(&mut self, atom: &'a Atom) {
        match atom {
            Atom::Event(_) => {}
            Atom::Compare(op, left, right) => self.compare(*op, left, right),
            Atom::In(left, right) => {
                let (item, list) = (self.term(left), self.term(right));
                let kinds = [Kind::List, Kind::Object];
                if self.needs(right, &list, &kinds, "`in` looks into") {
                    self.holds((right, &list), (left, &item));
                }
            }
            Atom::Contains(left, right) => {
                let (whole, part) = (self.term(left), self.term(right));
                let kinds = [Kind::List, Kind::Object, Kind::Text];
                if self.needs(left, &whole, &kinds, "`contains` looks into") {
                    if whole.is_only(Kind::Text) {
                        let verb = "`contains` looks into a text for";
                        self.needs(right, &part, &[Kind::Text], verb);
                    } else {
                        self.holds((left, &whole), (right, &part));
                    }
                }
            }
            Atom::Subset(left, right) => {
                let (part, whole) = (self.term(left), self.term(right));
                let both = self.needs(left, &part, &[Kind::List], "`subset` compares")
                    & self.needs(right, &whole, &[Kind::List], "`subset` compares");
                let (a, b) = (part.item(), whole.item());
                if both && !a.meets(&b) {
                    self.mismatch(
                        format!("`{left}` holds {a} and `{right}` holds {b}, and different kinds are never equal"),
                        "compare lists of one kind",
                    );
                }
            }
            Atom::Under(left, right) => {
                for side in [left, right] {
                    let shape = self.term(side);
                    self.needs(side, &shape, &[Kind::Text], "`under` compares");
                }
            }
            Atom::Matches(term, _) => {
                let shape = self.term(term);
                self.needs(term, &shape, &[Kind::Text], "`matches` reads");
            }
            Atom::Quantified(quantifier, list, name, condition) => {
                let shape = self.term(list);
                let verb = format!("`{}` goes through", quantifier.word());
                self.needs(list, &shape, &[Kind::List], &verb);
                self.variables.push((name, shape.item()));
                self.condition(condition);
                self.variables.pop();
            }
            Atom::Permitted(term) => {
                let shape = self.term(term);
                let verb = "the name of a permission is";
                self.needs(term, &shape, &[Kind::Text], verb);
            }
            Atom::Known(term) => {
                self.term(term);
                if term.is_constant() {
                    self.mismatch(
                        format!(
                            "`{atom}` asks about a constant, so it does not depend on what happens"
                        ),
                        "ask about an argument or a looked-up fact, such as `arg.order_id`",
                    );
                }
            }
            Atom::Listed(term)
            | Atom::FromUser(term)
            | Atom::FromTool(term, _)
            | Atom::Untrusted(term) => {
                self.term(term);
            }
        }
    }

    fn compare(&mut self, op: CompareOp, left: &'a Term, right: &'a Term) {
        let (a, b) = (self.term(left), self.term(right));
        let is_ordered = !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        if is_ordered {
            let ordered = [Kind::Number, Kind::Text];
            let verb = format!("`{}` orders", op.sign());
            if !(self.needs(left, &a, &ordered, &verb) & self.needs(right, &b, &ordered, &verb)) {
                return;
            }
        }
        if self.mixes_units(
            (left, &a),
            (right, &b),
            &format!("{left} {} {right}", op.sign()),
        ) {
            return;
        }
        // Null asks whether there is another value, of whatever kind.
        let null = Term::Constant(Value::Null);
        if !is_ordered && (*left == null || *right == null) {
            return;
        }
        if !a.meets(&b) {
            let message = format!(
                "`{left}` is {a} and `{right}` is {b}, and different kinds are never equal"
            );
            self.mismatch(message, remedy((left, &a), (right, &b)));
            return;
        }
        if !is_ordered {
            return;
        }
        for side in [left, right] {
            if let Some(text) = no_time(side) {
                let message = format!(
                    "`{}` orders numbers and times, and `{side}` is neither",
                    op.sign()
                );
                let help = match crate::value::number(text) {
                    Ok(_) => format!("write `{text}` without quotes"),
                    Err(_) => {
                        "write a time such as `\"2026-04-03\"`; other texts are only equal or not"
                            .to_owned()
                    }
                };
                self.mismatch(message, help);
                return;
            }
        }
    }

    /// Complains if a stretch of time stands beside a plain number, a time, or a
    /// text that could only be one, and says whether it did.
    fn mixes_units(
        &mut self,
        left: (&Term, &Shape<'a>),
        right: (&Term, &Shape<'a>),
        text: &str,
    ) -> bool {
        for ((term, shape), (other, beside)) in [(left, right), (right, left)] {
            if shape.measure != Measure::Stretch {
                continue;
            }
            if beside.is_only(Kind::Text) {
                self.complain(
                    Code::UnitMismatch,
                    format!("`{term}` is a stretch of time and `{other}` is {beside}"),
                    "take the difference of two times first, as in `now - arg.date > 24h`",
                );
                return true;
            }
            if let Some(number) = plain(other, beside) {
                self.complain(
                    Code::UnitMismatch,
                    format!("`{text}` puts a stretch of time beside a plain number"),
                    format!("say which unit is meant, such as `{number}s` or `{number}h`"),
                );
                return true;
            }
        }
        false
    }

    /// Complains if a list of such items, or an object, never holds such a value.
    fn holds(&mut self, whole: (&Term, &Shape<'a>), value: (&Term, &Shape<'a>)) {
        let ((list, outer), (term, shape)) = (whole, value);
        if outer.is_only(Kind::Object) {
            self.needs(term, shape, &[Kind::Text], "the key of an object is");
        } else if outer.is_only(Kind::List) && !outer.item().meets(shape) {
            let items = outer.item();
            let message = format!(
                "`{list}` holds {items} and `{term}` is {shape}, and different kinds are never equal"
            );
            self.mismatch(message, remedy((list, &items), (term, shape)));
        }
    }

    /// Whether a term may be one of these kinds; complains if not.
    fn needs(&mut self, term: &Term, shape: &Shape<'a>, kinds: &[Kind], verb: &str) -> bool {
        let fits = shape.may_be(kinds);
        if !fits {
            let message = format!("{verb} {}, but `{term}` is {shape}", either(kinds));
            let help = match (kinds, term) {
                ([Kind::List, ..], Term::Constant(value)) => {
                    format!("write `[{value}]`, or `==` for a single value")
                }
                ([Kind::List], _) if shape.is_only(Kind::Object) => {
                    format!("write `{term}[*]` for the values of an object")
                }
                ([Kind::List, ..], _) => "name a list, or use `==` for a single value".to_owned(),
                ([Kind::Number], Term::Constant(Value::Text(text)))
                    if crate::value::number(text).is_ok() =>
                {
                    format!("write `{text}` without quotes")
                }
                ([Kind::Number, Kind::Text], _) => {
                    "only numbers and times have an order; use `==`".to_owned()
                }
                _ => format!("use a term that is {}", either(kinds)),
            };
            self.mismatch(message, help);
        }
        fits
    }
}

/// The text of a constant that spells no time, if it is one.
fn no_time(term: &Term) -> Option<&str> {
    match term {
        Term::Constant(Value::Text(text)) if Time::parse(text).is_none() => Some(text),
        _ => None,
    }
}

/// A number that stands for itself and not for a stretch of time; zero stands for
/// both. In words if it is reckoned.
fn plain(term: &Term, shape: &Shape<'_>) -> Option<String> {
    if !term.is_constant() || shape.measure != Measure::Plain || !shape.is_only(Kind::Number) {
        return None;
    }
    match term {
        Term::Constant(Value::Number(number)) if number.is_zero() => None,
        Term::Constant(Value::Number(number)) => Some(number.abs().to_string()),
        _ => Some("24".to_owned()),
    }
}

/// What to do about two terms of different kinds.
fn remedy((left, a): (&Term, &Shape<'_>), (right, b): (&Term, &Shape<'_>)) -> String {
    for (constant, shape) in [(right, a), (left, b)] {
        match constant {
            Term::Constant(Value::Text(text)) if is_written_as(text, shape) => {
                return format!("write `{text}` without quotes");
            }
            Term::Constant(Value::Number(_)) if shape.measure == Measure::Time => {
                return "write a time such as `\"2026-04-03T11:00:00Z\"`".to_owned();
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
fn is_written_as(text: &str, shape: &Shape<'_>) -> bool {
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
