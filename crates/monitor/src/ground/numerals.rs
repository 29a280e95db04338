//! Numbers inside a text, where they can be read in one way only.

use lictor_contract::value::{Value, number};

/// The numbers in a text, in order. None if one of them has two readings: a
/// comma that groups in one place and marks decimals in another, or digits of
/// another script. Letters and digits in one word are a name and no number.
pub fn numbers(text: &str) -> Option<Vec<Value>> {
    if text.chars().any(|c| c.is_numeric() && !c.is_ascii_digit()) {
        return None;
    }
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | ')' | '"' | '/'))
    {
        let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '+')));
        if !word.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let unsigned = word.trim_start_matches(['+', '-']);
        // A mark of a currency may stand between sign and digits, or in front.
        let bare = unsigned.trim_start_matches(|c: char| !c.is_alphanumeric());
        if bare.contains(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))) {
            // A name, a date, a range: no number.
            continue;
        }
        let negative = word.starts_with('-');
        let read = number(&ungrouped(bare)?).ok()?;
        found.push(Value::Number(if negative { -read } else { read }));
    }
    Some(found)
}

/// The digits without commas between groups of three; none if the commas or
/// points stand elsewhere.
fn ungrouped(digits: &str) -> Option<String> {
    let (whole, decimals) = match digits.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (digits, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let grouped = rest.is_empty() || (first.len() <= 3 && !first.starts_with('0'));
    let fits = grouped
        && is_digits(first)
        && rest
            .iter()
            .all(|group| group.len() == 3 && is_digits(group))
        && decimals.is_none_or(is_digits);
    fits.then(|| digits.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = numbers(text).map(|found| Value::List(found).to_string());
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn plain_numbers_are_read() {
        check("5000", Some("[5000]"));
        check("$1,200.50", Some("[1200.5]"));
        check(" 1200 ", Some("[1200]"));
        check("EUR 1200.50", Some("[1200.5]"));
        check("-5 or +7, then €3.", Some("[-5, 7, 3]"));
        check("-$5", Some("[-5]"));
        check("", Some("[]"));
        check("twelve hundred", Some("[]"));
        check("007", Some("[7]"));
    }

    #[test]
    fn two_readings_are_none() {
        for text in [
            "1.200,50",
            "1,2",
            "１２００",
            "0,500",
            "1,2345",
            "1.2.3",
            "12,34,567",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn names_are_no_numbers() {
        for text in [
            "order A12",
            "1e4",
            "0x7D0",
            "2024-05-01",
            "card_1234",
            "10-20",
        ] {
            check(text, Some("[]"));
        }
        check("order A12 costs 5 EUR", Some("[5]"));
    }
}
