//! Amounts in euros, kept in whole cents so that no rounding can creep into an outcome.

use std::fmt::{self, Display, Formatter};
use std::ops::{Add, Mul, Sub};

/// An amount in cents. It prints with two decimals, as the shop's systems print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Money(pub u64);

impl Money {
    /// The amount as an agent types it into an argument: whole euros without decimals, all else with two.
    pub fn typed(self) -> String {
        if self.0.is_multiple_of(100) {
            (self.0 / 100).to_string()
        } else {
            self.to_string()
        }
    }
}

impl Display for Money {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Money;
    fn sub(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Money {
    type Output = Money;
    fn mul(self, times: u64) -> Money {
        Money(self.0 * times)
    }
}
