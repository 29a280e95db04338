//! Constructors that hide the boxes and keep conjunctions and disjunctions flat.
//!
//! They change the shape, never the meaning; [`crate::simplify`] is the place for rewriting.

use super::Formula;

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $variant:ident;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(operand: Self) -> Self {
            Self::$variant(Box::new(operand))
        })*
    };
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $variant:ident;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(left: Self, right: Self) -> Self {
            Self::$variant(Box::new(left), Box::new(right))
        })*
    };
}

#[expect(
    clippy::should_implement_trait,
    reason = "`Formula::not` builds syntax; an operator overload would hide that"
)]
impl<A> Formula<A> {
    unary! {
        /// `!f`.
        not => Not;
        /// `X f`, strong next.
        next => Next;
        /// `WX f`, weak next.
        weak_next => WeakNext;
        /// `F f`.
        eventually => Eventually;
        /// `G f`.
        always => Always;
        /// `Y f`, strong yesterday.
        yesterday => Yesterday;
        /// `WY f`, weak yesterday.
        weak_yesterday => WeakYesterday;
        /// `O f`.
        once => Once;
        /// `H f`.
        historically => Historically;
    }

    binary! {
        /// `f -> g`.
        implies => Implies;
        /// `f <-> g`.
        iff => Iff;
        /// `f U g`.
        until => Until;
        /// `f R g`.
        release => Release;
        /// `f W g`.
        weak_until => WeakUntil;
        /// `f M g`.
        strong_release => StrongRelease;
        /// `f S g`.
        since => Since;
        /// `f T g`.
        triggered => Triggered;
    }

    /// An atom.
    #[must_use]
    pub fn atom(atom: impl Into<A>) -> Self {
        Self::Atom(atom.into())
    }

    /// The conjunction, with nested conjunctions flattened; of one formula that formula, of none `true`.
    #[must_use]
    pub fn and(all: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for formula in all {
            match formula {
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match (flat.len(), flat.pop()) {
            (_, None) => Self::True,
            (1, Some(only)) => only,
            (_, Some(last)) => {
                flat.push(last);
                Self::And(flat)
            }
        }
    }

    /// The disjunction, with nested disjunctions flattened; of one formula that formula, of none `false`.
    #[must_use]
    pub fn or(all: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for formula in all {
            match formula {
                Self::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match (flat.len(), flat.pop()) {
            (_, None) => Self::False,
            (1, Some(only)) => only,
            (_, Some(last)) => {
                flat.push(last);
                Self::Or(flat)
            }
        }
    }

    /// `true` or `false`.
    #[must_use]
    pub fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunction_is_flat() {
        let a = || Formula::<&str>::atom("a");
        assert_eq!(
            Formula::and([Formula::and([a(), a()]), a()]),
            Formula::And(vec![a(), a(), a()])
        );
        assert_eq!(Formula::and([a()]), a());
        assert_eq!(Formula::<&str>::and([]), Formula::True);
        assert_eq!(Formula::<&str>::or([]), Formula::False);
    }
}
