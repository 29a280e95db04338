//! Conditions on values: the three-valued truth of what stands inside a
//! quantifier or a filter.

use super::{Moment, Scope};
use crate::truth::Truth;
use lictor_contract::predicate::{Condition, Formula, Quantifier, Term};
use lictor_contract::value::Value;

impl Moment<'_> {
    /// The truth of a formula without temporal operators.
    pub fn formula(&self, formula: &Formula) -> Truth {
        match formula {
            Formula::True => Truth::True,
            Formula::False => Truth::False,
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not(inner) => self.formula(inner).negated(),
            Formula::And(all) => all
                .iter()
                .map(|inner| self.formula(inner))
                .fold(Truth::True, Truth::and),
            Formula::Or(all) => all
                .iter()
                .map(|inner| self.formula(inner))
                .fold(Truth::False, Truth::or),
            Formula::Implies(from, to) => self.formula(from).negated().or(self.formula(to)),
            Formula::Iff(left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                left.and(right).or(left.negated().and(right.negated()))
            }
            // A condition has nothing else; see `Condition::new`.
            _ => Truth::Unknown,
        }
    }

    /// Whether a condition holds for an element, which is `@` in it.
    pub(super) fn holds_for(&self, condition: &Condition, element: &Value) -> Truth {
        let scope = Scope {
            name: None,
            value: element,
            outer: self.scope,
        };
        self.within(&scope).formula(condition.formula())
    }

    /// `any(list as x, c)` and `all(list as x, c)`. Over `every(…)`, which may
    /// not have been read in full, `any` without a witness is unknown.
    pub(super) fn quantified(
        &self,
        quantifier: Quantifier,
        list: &Term,
        name: &str,
        condition: &Condition,
    ) -> Truth {
        let ground = self.term(list);
        let Some(value) = ground.exact() else {
            return Truth::Unknown;
        };
        let Value::List(items) = value.as_ref() else {
            return Truth::Unknown;
        };
        let each = items.iter().map(|item| {
            let scope = Scope {
                name: Some(name),
                value: item,
                outer: self.scope,
            };
            self.within(&scope).formula(condition.formula())
        });
        match quantifier {
            Quantifier::All => each.fold(Truth::True, Truth::and),
            Quantifier::Any => match each.fold(Truth::False, Truth::or) {
                Truth::False if may_have_more(list) => Truth::Unknown,
                truth => truth,
            },
        }
    }
}

/// Whether there may be elements that nobody has read.
fn may_have_more(list: &Term) -> bool {
    matches!(list, Term::Lookup(lookup)
        if lookup.which == lictor_contract::predicate::Occurrence::Every)
}
