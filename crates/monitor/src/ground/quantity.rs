//! Numbers that are not one number: what is settled, and what calls in flight
//! or an event of unknown truth may still make of it.

use crate::truth::Truth;
use lictor_contract::predicate::{ArithmeticOp, CompareOp};
use rust_decimal::Decimal;

/// Lowest and highest of what a number may be.
pub type Range = (Decimal, Decimal);

/// The readings of a quantity. An event of unknown truth leaves several; in each
/// of them it lies where the settled events have it, or where any of the calls
/// in flight may still move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Over settled events alone, in all readings.
    pub settled: Range,
    /// With any of the calls in flight counted as done, in all readings.
    pub reserved: Range,
    /// What the ranges of all readings have in common: highest low and lowest
    /// high end, the first above the second where they have nothing.
    common: Range,
    /// Calls in flight move it in every reading.
    moved: bool,
    /// What it measures.
    unit: Unit,
}

/// What a quantity measures: how many times the line of instants, and how many
/// times the clock of a zone that nobody declared. A number or a stretch of time
/// is neither, so that the difference of two times is a stretch of time, and an
/// epoch of unknown unit never meets a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unit {
    instants: Decimal,
    clocks: Decimal,
}

impl Unit {
    fn combine(self, op: ArithmeticOp, other: Unit) -> Option<Unit> {
        let each = |a: Decimal, b: Decimal| match op {
            ArithmeticOp::Add => a.checked_add(b),
            ArithmeticOp::Subtract => a.checked_sub(b),
            ArithmeticOp::Multiply => None,
        };
        Some(Unit {
            instants: each(self.instants, other.instants)?,
            clocks: each(self.clocks, other.clocks)?,
        })
    }

    fn scaled(self, factor: Decimal) -> Option<Unit> {
        Some(Unit {
            instants: self.instants.checked_mul(factor)?,
            clocks: self.clocks.checked_mul(factor)?,
        })
    }
}

impl Quantity {
    /// A quantity that is one number.
    pub fn of(number: Decimal) -> Self {
        let range = (number, number);
        Quantity {
            settled: range,
            reserved: range,
            common: range,
            moved: false,
            unit: Unit::default(),
        }
    }

    /// A plain number: from what is settled, and what calls in flight take away
    /// and add at most.
    pub fn tallied(settled: Range, in_flight: Range) -> Option<Self> {
        let add = |a: Range, b: Range| Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?));
        Some(Quantity {
            settled,
            reserved: add(settled, in_flight)?,
            common: add((settled.1, settled.0), in_flight)?,
            moved: in_flight.0 != in_flight.1,
            unit: Unit::default(),
        })
    }

    /// A time as seconds since 1970, on the line of instants or on the clock of
    /// an undeclared zone.
    pub fn time(seconds: Decimal, is_instant: bool) -> Self {
        let one = |yes: bool| if yes { Decimal::ONE } else { Decimal::ZERO };
        Quantity {
            unit: Unit {
                instants: one(is_instant),
                clocks: one(!is_instant),
            },
            ..Quantity::of(seconds)
        }
    }

    /// The number, if all readings agree and it is one.
    pub fn exact(&self) -> Option<Decimal> {
        let (number, _) = self.settled;
        (*self == Quantity::of(number)).then_some(number)
    }

    /// The readings of both, as if each could be the case.
    pub fn or(self, other: Quantity) -> Quantity {
        let hull = |a: Range, b: Range| (a.0.min(b.0), a.1.max(b.1));
        Quantity {
            settled: hull(self.settled, other.settled),
            reserved: hull(self.reserved, other.reserved),
            common: (
                self.common.0.max(other.common.0),
                self.common.1.min(other.common.1),
            ),
            moved: self.moved && other.moved,
            unit: self.unit,
        }
    }

    /// Linear arithmetic, corner by corner. `None` on overflow, and where the
    /// units do not go together.
    pub fn combine(self, op: ArithmeticOp, other: Quantity) -> Option<Quantity> {
        let apply = |a: Decimal, b: Decimal| match op {
            ArithmeticOp::Add => a.checked_add(b),
            ArithmeticOp::Subtract => a.checked_sub(b),
            ArithmeticOp::Multiply => a.checked_mul(b),
        };
        let unit = match (op, self.exact(), other.exact()) {
            (ArithmeticOp::Multiply, Some(factor), _) => other.unit.scaled(factor)?,
            (ArithmeticOp::Multiply, _, Some(factor)) => self.unit.scaled(factor)?,
            (ArithmeticOp::Multiply, None, None) => {
                let plain = self.unit == Unit::default() && other.unit == Unit::default();
                plain.then(Unit::default)?
            }
            _ => self.unit.combine(op, other.unit)?,
        };
        let range = |a: Range, b: Range| {
            let corners = [
                apply(a.0, b.0)?,
                apply(a.0, b.1)?,
                apply(a.1, b.0)?,
                apply(a.1, b.1)?,
            ];
            Some((corners.into_iter().min()?, corners.into_iter().max()?))
        };
        let (a, b) = (self.common, other.common);
        let common = match (op, self.exact(), other.exact()) {
            (ArithmeticOp::Add, ..) => (apply(a.0, b.0)?, apply(a.1, b.1)?),
            (ArithmeticOp::Subtract, ..) => (apply(a.0, b.1)?, apply(a.1, b.0)?),
            (_, Some(factor), _) if !factor.is_sign_negative() => {
                (apply(factor, b.0)?, apply(factor, b.1)?)
            }
            (_, Some(factor), _) => (apply(factor, b.1)?, apply(factor, b.0)?),
            (_, _, Some(factor)) if !factor.is_sign_negative() => {
                (apply(a.0, factor)?, apply(a.1, factor)?)
            }
            (_, _, Some(factor)) => (apply(a.1, factor)?, apply(a.0, factor)?),
            // Neither is one number: what the readings have in common is not known.
            (_, None, None) => (Decimal::MAX, Decimal::MIN),
        };
        Some(Quantity {
            settled: range(self.settled, other.settled)?,
            reserved: range(self.reserved, other.reserved)?,
            common,
            moved: self.moved || other.moved,
            unit,
        })
    }

    /// Whether `self op other` holds. Where calls in flight make the difference,
    /// whatever the unknown is, the answer is [`Truth::Reserved`]; where something
    /// unknown makes it, it is unknown.
    pub fn compare(self, op: CompareOp, other: Quantity) -> Truth {
        if self.unit != other.unit {
            return Truth::Unknown;
        }
        let whole = |quantity: Quantity| {
            (
                quantity.settled.0.min(quantity.reserved.0),
                quantity.settled.1.max(quantity.reserved.1),
            )
        };
        if let Some(known) = over_ranges(op, whole(self), whole(other)) {
            return Truth::of(Some(known));
        }
        match self.is_open_in_every_reading(op, other) {
            Some(true) => Truth::Reserved,
            _ => Truth::Unknown,
        }
    }

    /// Whether calls in flight can make the comparison hold and fail in each pair
    /// of readings. None on overflow.
    fn is_open_in_every_reading(self, op: CompareOp, other: Quantity) -> Option<bool> {
        let (a, b) = (self.common, other.common);
        let difference = (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?);
        let zero = (Decimal::ZERO, Decimal::ZERO);
        if difference.0 > difference.1 {
            return Some(false);
        }
        Some(match op {
            CompareOp::Equal | CompareOp::NotEqual => {
                let meets = difference.0 <= Decimal::ZERO && difference.1 >= Decimal::ZERO;
                meets && (self.moved || other.moved)
            }
            op => over_ranges(op, difference, zero).is_none(),
        })
    }
}

/// The truth of a comparison if all numbers of two ranges agree on it.
fn over_ranges(op: CompareOp, a: Range, b: Range) -> Option<bool> {
    match op {
        CompareOp::Less => always_or_never(a.1 < b.0, a.0 >= b.1),
        CompareOp::LessOrEqual => always_or_never(a.1 <= b.0, a.0 > b.1),
        CompareOp::Greater => always_or_never(a.0 > b.1, a.1 <= b.0),
        CompareOp::GreaterOrEqual => always_or_never(a.0 >= b.1, a.1 < b.0),
        CompareOp::Equal => always_or_never(
            a.0 == a.1 && b.0 == b.1 && a.0 == b.0,
            a.1 < b.0 || b.1 < a.0,
        ),
        CompareOp::NotEqual => over_ranges(CompareOp::Equal, a, b).map(|equal| !equal),
    }
}

fn always_or_never(always: bool, never: bool) -> Option<bool> {
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is settled, and by how much calls in flight move it at most.
    fn quantity(settled: (i64, i64), in_flight: (i64, i64)) -> Quantity {
        let range = |(low, high): (i64, i64)| (Decimal::from(low), Decimal::from(high));
        Quantity::tallied(range(settled), range(in_flight)).unwrap()
    }

    #[track_caller]
    fn check(quantity: Quantity, op: CompareOp, bound: i64, expected: Truth) {
        assert_eq!(
            quantity.compare(op, Quantity::of(Decimal::from(bound))),
            expected
        );
    }

    #[test]
    fn calls_in_flight_break_a_limit_but_satisfy_no_precondition() {
        let one_in_flight = quantity((0, 0), (0, 1));
        check(one_in_flight, CompareOp::Less, 1, Truth::Reserved);
        check(one_in_flight, CompareOp::Less, 2, Truth::True);
        check(one_in_flight, CompareOp::Greater, 0, Truth::Reserved);
        check(one_in_flight, CompareOp::Equal, 0, Truth::Reserved);
    }

    #[test]
    fn readings_that_differ_are_unknown() {
        let open = quantity((0, 2), (0, 0));
        check(open, CompareOp::Equal, 0, Truth::Unknown);
        check(open, CompareOp::Less, 3, Truth::True);
        check(open, CompareOp::Equal, 5, Truth::False);
    }

    #[test]
    fn several_starts_leave_several_readings() {
        // After one start nothing counts, after another one that is in flight.
        let start = quantity((0, 0), (0, 1)).or(Quantity::of(Decimal::ZERO));
        check(start, CompareOp::Equal, 0, Truth::Unknown);
        let others = quantity((0, 0), (0, 1)).or(quantity((1, 1), (0, 1)));
        check(others, CompareOp::Equal, 1, Truth::Reserved);
        check(others, CompareOp::Less, 2, Truth::Unknown);
    }

    #[test]
    fn any_of_the_calls_in_flight_may_fail() {
        let back_and_forth = quantity((0, 0), (-5, 5));
        check(back_and_forth, CompareOp::Less, 3, Truth::Reserved);
        check(back_and_forth, CompareOp::Less, 6, Truth::True);
        assert_eq!(back_and_forth.exact(), None);
    }

    #[test]
    fn arithmetic_moves_both_readings() {
        let one = quantity((1, 1), (0, 1));
        let sum = one.combine(ArithmeticOp::Add, Quantity::of(Decimal::ONE));
        assert_eq!(sum, Some(quantity((2, 2), (0, 1))));
        let less = one.combine(ArithmeticOp::Multiply, Quantity::of(Decimal::from(-1)));
        assert_eq!(less, Some(quantity((-1, -1), (-1, 0))));
        let none = one.combine(ArithmeticOp::Subtract, one).unwrap();
        check(none, CompareOp::Less, 1, Truth::Reserved);
    }

    #[test]
    fn a_difference_of_times_is_a_stretch_of_time() {
        let time = |seconds: i64| Quantity::time(Decimal::from(seconds), true);
        let gap = time(100).combine(ArithmeticOp::Subtract, time(40)).unwrap();
        assert_eq!(gap, Quantity::of(Decimal::from(60)));
        let later = time(100).combine(ArithmeticOp::Add, Quantity::of(Decimal::ONE));
        assert_eq!(later, Some(time(101)));
        // An epoch of unknown unit is no time, and neither is a clock without a zone.
        let epoch = Quantity::of(Decimal::from(100)).combine(ArithmeticOp::Subtract, time(40));
        let bound = Quantity::of(Decimal::from(86_400));
        assert_eq!(
            epoch.unwrap().compare(CompareOp::Less, bound),
            Truth::Unknown
        );
        let local = Quantity::time(Decimal::from(100), false);
        let mixed = local.combine(ArithmeticOp::Subtract, time(40)).unwrap();
        assert_eq!(mixed.compare(CompareOp::Less, bound), Truth::Unknown);
        let both = local.combine(ArithmeticOp::Subtract, local).unwrap();
        assert_eq!(both.compare(CompareOp::Less, bound), Truth::True);
        assert_eq!(time(3).exact(), None);
    }
}
