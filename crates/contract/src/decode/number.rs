//! Exact numbers in the spellings of Python and YAML that JSON does not have.

use crate::value::{Value, ValueError, number};
use rust_decimal::Decimal;

/// A decimal number of digits, at most one point and an exponent, without
/// underscores. The point may stand first or last, which JSON does not allow.
///
/// # Errors
/// [`ValueError::NumberTooLong`] where digits would be lost.
pub(super) fn decimal(text: &str) -> Result<Value, ValueError> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, Some(exponent)),
        None => (text, None),
    };
    let first = if digits.starts_with('.') { "0" } else { "" };
    let digits = digits.strip_suffix('.').unwrap_or(digits);
    let exponent = exponent.map(|exponent| format!("e{exponent}"));
    let exponent = exponent.as_deref().unwrap_or_default();
    number(&format!("{sign}{first}{digits}{exponent}")).map(Value::Number)
}

/// A whole number of digits to the base `radix`, as in `0x1f`.
///
/// # Errors
/// [`ValueError::NumberTooLong`] where it does not fit.
pub(super) fn in_base(digits: &str, radix: u32, negative: bool) -> Result<Value, ValueError> {
    i128::from_str_radix(digits, radix)
        .ok()
        .map(|whole| if negative { -whole } else { whole })
        .and_then(|whole| Decimal::try_from_i128_with_scale(whole, 0).ok())
        .map(Value::Number)
        .ok_or_else(|| ValueError::NumberTooLong(digits.chars().take(40).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(decimal(text).unwrap().to_string(), expected, "{text}");
    }

    #[test]
    fn a_point_may_stand_first_or_last() {
        check("5.", "5");
        check(".5", "0.5");
        check("-.5e1", "-5");
        check("+1.e2", "100");
        check("007", "7");
        check("1e-07", "0.0000001");
    }

    #[test]
    fn digits_are_never_lost() {
        assert!(decimal(&"9".repeat(40)).is_err());
        assert!(decimal("1.00000000000000000000000000000001e0").is_err());
        assert!(decimal("1e-300").is_err());
        assert_eq!(in_base("ff", 16, true).unwrap().to_string(), "-255");
        assert!(in_base(&"f".repeat(30), 16, false).is_err());
        assert!(in_base("", 16, false).is_err());
    }
}
