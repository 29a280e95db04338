//! Numbers that are not one number: what is settled, and what calls in flight
//! or an event of unknown truth may still make of it.

use crate::truth::Truth;
use lictor_contract::predicate::{ArithmeticOp, CompareOp};
use rust_decimal::Decimal;

/// The readings of a quantity: over settled events alone, and with everything
/// in flight counted as done. Each is a range, since an event of unknown truth
/// leaves several readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Lowest and highest reading of what is settled.
    pub settled: (Decimal, Decimal),
    /// Lowest and highest reading with all calls in flight done.
    pub reserved: (Decimal, Decimal),
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
        Quantity::between((number, number), (number, number))
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

    /// A plain number with these readings.
    pub fn between(settled: (Decimal, Decimal), reserved: (Decimal, Decimal)) -> Self {
        Quantity {
            settled,
            reserved,
            unit: Unit::default(),
        }
    }

    /// The number, if all readings agree and it is one.
    pub fn exact(&self) -> Option<Decimal> {
        let (number, _) = self.settled;
        (*self == Quantity::of(number)).then_some(number)
    }

    /// The readings of both, as if each could be the case.
    pub fn or(self, other: Quantity) -> Quantity {
        let hull = |a: (Decimal, Decimal), b: (Decimal, Decimal)| (a.0.min(b.0), a.1.max(b.1));
        Quantity {
            settled: hull(self.settled, other.settled),
            reserved: hull(self.reserved, other.reserved),
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
        let range = |a: (Decimal, Decimal), b: (Decimal, Decimal)| {
            let corners = [
                apply(a.0, b.0)?,
                apply(a.0, b.1)?,
                apply(a.1, b.0)?,
                apply(a.1, b.1)?,
            ];
            Some((corners.into_iter().min()?, corners.into_iter().max()?))
        };
        Some(Quantity {
            settled: range(self.settled, other.settled)?,
            reserved: range(self.reserved, other.reserved)?,
            unit,
        })
    }

    /// Whether `self op other` holds. Where only calls in flight make the
    /// difference the answer is [`Truth::Reserved`], where readings of what is
    /// settled differ it is unknown.
    pub fn compare(self, op: CompareOp, other: Quantity) -> Truth {
        if self.unit != other.unit {
            return Truth::Unknown;
        }
        let hull = |quantity: Quantity| {
            (
                quantity.settled.0.min(quantity.reserved.0),
                quantity.settled.1.max(quantity.reserved.1),
            )
        };
        if let Some(known) = over_ranges(op, hull(self), hull(other)) {
            return Truth::of(Some(known));
        }
        match over_ranges(op, self.settled, other.settled) {
            Some(_) => Truth::Reserved,
            None => Truth::Unknown,
        }
    }
}

/// The truth of a comparison if all numbers of two ranges agree on it.
fn over_ranges(op: CompareOp, a: (Decimal, Decimal), b: (Decimal, Decimal)) -> Option<bool> {
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

    fn quantity(settled: (i64, i64), reserved: (i64, i64)) -> Quantity {
        let range = |(low, high): (i64, i64)| (Decimal::from(low), Decimal::from(high));
        Quantity::between(range(settled), range(reserved))
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
        let one_in_flight = quantity((0, 0), (1, 1));
        check(one_in_flight, CompareOp::Less, 1, Truth::Reserved);
        check(one_in_flight, CompareOp::Less, 2, Truth::True);
        check(one_in_flight, CompareOp::Greater, 0, Truth::Reserved);
        check(one_in_flight, CompareOp::Equal, 0, Truth::Reserved);
    }

    #[test]
    fn readings_that_differ_are_unknown() {
        let open = quantity((0, 2), (0, 2));
        check(open, CompareOp::Equal, 0, Truth::Unknown);
        check(open, CompareOp::Less, 3, Truth::True);
        check(open, CompareOp::Equal, 5, Truth::False);
    }

    #[test]
    fn arithmetic_moves_both_readings() {
        let sum = quantity((1, 1), (2, 2)).combine(ArithmeticOp::Add, Quantity::of(Decimal::ONE));
        assert_eq!(sum, Some(quantity((2, 2), (3, 3))));
        let less = quantity((1, 1), (2, 2))
            .combine(ArithmeticOp::Multiply, Quantity::of(Decimal::from(-1)));
        assert_eq!(less, Some(quantity((-1, -1), (-2, -2))));
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
