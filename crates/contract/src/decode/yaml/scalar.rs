//! What a scalar without quotes stands for.

use crate::decode::number;
use crate::value::Value;

/// A plain scalar by the core schema of YAML 1.2.
///
/// Numbers are those that YAML 1.1 sees as well. Dumpers of the older version,
/// which most recordings come from, leave text without quotes where only the
/// newer one would take it for a number: `0071` and `12e5` are ids.
///
/// # Errors
/// A number has more digits than can be kept.
pub(super) fn plain(text: &str) -> Result<Value, String> {
    let value = match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => {
            let told = |error: crate::value::ValueError| error.to_string();
            if let Some(digits) = hexadecimal(text) {
                number::in_base(digits, 16, false).map_err(told)?
            } else if is_decimal(text) {
                number::decimal(text).map_err(told)?
            } else {
                Value::text(text)
            }
        }
    };
    Ok(value)
}

fn hexadecimal(text: &str) -> Option<&str> {
    text.strip_prefix("0x")
        .filter(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit()))
}

/// Whether both versions read a decimal number: no zero before other digits, a
/// point before an exponent, a sign in the exponent.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if !digits(whole) || leading_zero {
        return false;
    }
    let Some(fraction) = fraction else {
        return !whole.is_empty();
    };
    let (fraction, exponent) = match fraction.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent)),
        None => (fraction, None),
    };
    let has_digit = !whole.is_empty() || !fraction.is_empty();
    let exponent_fits = exponent.is_none_or(|exponent| {
        exponent
            .strip_prefix(['+', '-'])
            .is_some_and(|rest| !rest.is_empty() && digits(rest))
    });
    has_digit && digits(fraction) && exponent_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(plain(text).unwrap().to_string(), expected, "{text}");
    }

    #[test]
    fn the_core_schema() {
        check("", "null");
        check("~", "null");
        check("NULL", "null");
        check("TRUE", "true");
        check("False", "false");
        check("10.0", "10");
        check("-5", "-5");
        check("+1", "1");
        check("1.0e+20", "100000000000000000000");
        check(".5", "0.5");
        check("5.", "5");
        check("0", "0");
        check("0x1F", "31");
    }

    #[test]
    fn what_only_one_version_takes_for_more_is_text() {
        for text in [
            "yes",
            "on",
            "y",
            "0071",
            "00.5",
            "12e5",
            "1.5e5",
            "1_000",
            "0o17",
            "1:30",
            "0b1",
            "2022-01-01",
            "2024-05-15 11:00:00",
            ".inf",
            ".nan",
            ".",
            "-",
            "+",
            "1.2.3",
            "0x",
            "nUll",
            "1.e",
            "1.0e+",
            "١٢",
        ] {
            assert_eq!(plain(text).unwrap(), Value::text(text));
        }
    }

    #[test]
    fn digits_are_never_lost() {
        assert!(plain(&"9".repeat(40)).is_err());
        assert!(plain("1.0e+400").is_err());
    }
}
