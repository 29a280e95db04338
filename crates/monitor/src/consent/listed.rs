//! Whether a detail is named in a text.
//!
//! A detail counts as named if it stands there as whole tokens, so that `A1` is not found in
//! `A12`. Case does not matter, nor how a reader's eye separates the parts of an id: `card-1111`
//! is found in "card 1111" and `W12` in "#W-12". Numbers compare by value and dates by day.

use super::Lexicon;
use super::date::Date;
use super::words::{invisible, plain};

/// Whether `value` is named in `text`, with dates spelt as in English.
///
/// False for an empty value. See [`occurs_in`].
pub fn occurs(value: &str, text: &str) -> bool {
    occurs_in(Lexicon::english(), value, text)
}

/// Whether `value` is named in `text`, with dates spelt as the lexicon says.
///
/// A value that is a number is compared by value with the numbers of the text ("1,250.00" names
/// 1250); one of the form `YYYY-MM-DD` with its dates, where a date without a year names that day
/// of any year. Everything else must occur as whole tokens, ignoring case, blanks, `-`, `_`, `#`
/// and the emphasis marks of Markdown. Linear in both texts.
pub fn occurs_in(lexicon: &Lexicon, value: &str, text: &str) -> bool {
    if let Some(date) = Date::iso(value) {
        return date.is_named_in(&lexicon.dates, text);
    }
    let text = Squeezed::of(text);
    if let Some(number) = Number::read(value) {
        return text.numbers().any(|n| n == number);
    }
    text.has_tokens(&Squeezed::of(value))
}

/// A decimal number in its one canonical form.
#[derive(Debug, PartialEq, Eq)]
struct Number {
    negative: bool,
    whole: String,
    fraction: String,
}

impl Number {
    /// Reads a number that stands by itself, with or without a currency sign.
    ///
    /// Digits with a leading zero ("0042") are an id, not a number.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, text) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text = text.strip_prefix(is_currency).unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let id = whole.len() > 1 && whole.starts_with('0');
        if id || (fraction.is_empty() && text.ends_with('.')) {
            return None;
        }
        Self::of(negative, whole, fraction)
    }

    fn of(negative: bool, whole: &str, fraction: &str) -> Option<Self> {
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        let mut groups = whole.split(',');
        let first = groups.next()?;
        let mut rest = groups.peekable();
        if first.is_empty() || !digits(first) || !digits(fraction) {
            return None;
        }
        if rest.peek().is_some() && first.len() > 3 {
            return None;
        }
        let mut joined = first.to_owned();
        for group in rest {
            if group.len() != 3 || !digits(group) {
                return None;
            }
            joined.push_str(group);
        }
        let whole = joined.trim_start_matches('0').to_owned();
        let fraction = fraction.trim_end_matches('0').to_owned();
        Some(Self {
            negative: negative && !(whole.is_empty() && fraction.is_empty()),
            whole,
            fraction,
        })
    }
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '\u{A2}'..='\u{A5}' | '\u{20A0}'..='\u{20CF}')
}

/// Three capitals and no more, as in "40EUR".
fn currency_code(a: char, b: char, c: char, after: char) -> bool {
    [a, b, c].iter().all(char::is_ascii_uppercase) && !after.is_alphanumeric()
}

/// A text in lower case without separators, which remembers where tokens begin and end.
struct Squeezed {
    chars: Vec<Squeeze>,
    original: Vec<char>,
}

struct Squeeze {
    c: char,
    begins: bool,
    ends: bool,
}

impl Squeezed {
    fn of(text: &str) -> Self {
        let original: Vec<char> = text.chars().filter(|c| !invisible(*c)).map(plain).collect();
        let at = |i: Option<usize>| i.and_then(|i| original.get(i)).copied().unwrap_or(' ');
        let mut chars = Vec::new();
        for (i, &c) in original.iter().enumerate() {
            if c.is_whitespace() || matches!(c, '-' | '\u{2014}' | '_' | '#' | '*' | '\\') {
                continue;
            }
            let (before2, before) = (at(i.checked_sub(2)), at(i.checked_sub(1)));
            let (after, after2) = (at(Some(i + 1)), at(Some(i + 2)));
            let inside = binds(before, c, after);
            let begins = !(inside || both(before, c) || binds(before2, before, c));
            let ends = !(inside || both(c, after) || binds(c, after, after2));
            for c in c.to_lowercase() {
                chars.push(Squeeze { c, begins, ends });
            }
        }
        Self { chars, original }
    }

    /// Whether the other's characters occur here from the beginning of a token to the end of one.
    /// Knuth, Morris and Pratt's search, since overlapping places must all be looked at.
    fn has_tokens(&self, sought: &Squeezed) -> bool {
        let key: Vec<char> = sought.chars.iter().map(|s| s.c).collect();
        if !key.iter().any(|c| c.is_alphanumeric()) {
            return false;
        }
        let fallback = fallbacks(&key);
        let mut matched = 0;
        for (i, here) in self.chars.iter().enumerate() {
            while matched > 0 && key.get(matched) != Some(&here.c) {
                matched = fallback.get(matched - 1).copied().unwrap_or(0);
            }
            if key.get(matched) == Some(&here.c) {
                matched += 1;
            }
            if matched == key.len() {
                let begins = (i + 1)
                    .checked_sub(matched)
                    .and_then(|start| self.chars.get(start))
                    .is_some_and(|s| s.begins);
                if begins && here.ends {
                    return true;
                }
            }
        }
        false
    }

    /// The numbers that stand by themselves: no part of a date, a time, a version or a longer id.
    fn numbers(&self) -> impl Iterator<Item = Number> {
        let chars = &self.original;
        let at = |i: usize| chars.get(i).copied().unwrap_or(' ');
        let mut found = Vec::new();
        let mut i = 0;
        while i < chars.len() {
            if !at(i).is_ascii_digit() {
                i += 1;
                continue;
            }
            let start = i;
            while at(i).is_ascii_digit()
                || (matches!(at(i), '.' | ',') && at(i + 1).is_ascii_digit())
            {
                i += 1;
            }
            let run: String = chars.get(start..i).unwrap_or_default().iter().collect();
            let before = start.checked_sub(1).map_or(' ', at);
            let before2 = start.checked_sub(2).map_or(' ', at);
            let before3 = start.checked_sub(3).map_or(' ', at);
            let divides = |c: char| matches!(c, '-' | '/' | ':' | '_' | '\u{2014}');
            let part_of_more = before.is_alphabetic()
                || (at(i).is_alphabetic()
                    && !currency_code(at(i), at(i + 1), at(i + 2), at(i + 3)))
                || (matches!(before, '.' | '@') && before2.is_alphanumeric())
                || (divides(before) && before2.is_ascii_digit())
                || (divides(at(i)) && at(i + 1).is_ascii_digit());
            if part_of_more {
                continue;
            }
            let negative = (matches!(before, '-' | '\u{2212}') && !before2.is_alphanumeric())
                || (is_currency(before)
                    && matches!(before2, '-' | '\u{2212}')
                    && !before3.is_alphanumeric());
            let (whole, fraction) = run.split_once('.').unwrap_or((&run, ""));
            match Number::of(negative, whole, fraction) {
                Some(number) => found.push(number),
                // "1,25,3" is a row of numbers without blanks.
                None if !run.contains('.') => {
                    found.extend(run.split(',').filter_map(|n| Number::of(false, n, "")));
                }
                None => {}
            }
        }
        found.into_iter()
    }
}

/// Two characters of one word.
fn both(a: char, b: char) -> bool {
    a.is_alphanumeric() && b.is_alphanumeric()
}

/// A mark inside a token, as in "a@b.example", "12.50" or "10:30".
fn binds(before: char, mark: char, after: char) -> bool {
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    match mark {
        '.' | '@' => both(before, after),
        ',' | ':' | '/' => digits,
        _ => false,
    }
}

fn fallbacks(key: &[char]) -> Vec<usize> {
    let mut table = vec![0; key.len()];
    let mut matched = 0;
    for (i, c) in key.iter().enumerate().skip(1) {
        while matched > 0 && key.get(matched) != Some(c) {
            matched = table.get(matched - 1).copied().unwrap_or(0);
        }
        if key.get(matched) == Some(c) {
            matched += 1;
        }
        if let Some(entry) = table.get_mut(i) {
            *entry = matched;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, text: &str, expected: bool) {
        assert_eq!(occurs(value, text), expected, "{value:?} in {text:?}");
    }

    #[test]
    fn ids_and_words_occur_as_whole_tokens() {
        check("A12", "refund order A12 to", true);
        check("A12", "refund order #a-12.", true);
        check("A12", "refund order A123", false);
        check("A12", "refund order BA12", false);
        check("#W2378156", "order W2378156", true);
        check("W2378156", "**#W2378156**", true);
        check("card-1111", "to card 1111. Is", true);
        check("card-9999", "to card 1111. Is", false);
        check("gift_card", "to the gift card", true);
        check("gift_card", "a gift. Card follows", false);
        check("credit_card_7815166", "credit\\_card\\_7815166", true);
        check("no longer needed", "reason: \"No longer needed\"", true);
        check("ana@mail.example", "write to ana@mail.example.", true);
        check("ana@mail.example", "write to juliana@mail.example", false);
        check("ana@mail.example", "write to j.ana@mail.example", false);
        check("mail.example", "write to ana@mail.example", false);
        check("O'Neil", "Sarah O\u{2019}Neil", true);
        check("Sarah", "Sarah's order", true);
        check("aab", "aaab aab", true);
        check("", "anything", false);
        check("  ", "any thing", false);
        check("-", "a - b", false);
        check("A12", "", false);
        check("caf\u{E9}", "the CAF\u{C9}", true);
    }

    #[test]
    fn numbers_compare_by_value() {
        check("12.5", "that is $12.50", true);
        check("1250", "that is 1,250", true);
        check("1,250.00", "that is 1250 EUR", true);
        check("40", "40.00 EUR", true);
        check("40", "40EUR.", true);
        check("40", "for 400", false);
        check("40", "for 40.5", false);
        check("400", "for 40", false);
        check("12", "order W12", false);
        check("12", "item #12", true);
        check("1111", "card-1111", true);
        check("1111", "card_1111", true);
        check("30", "10:30", false);
        check("20", "2024-05-20", false);
        check("5", "3-5 days", false);
        check("-5", "a change of -$5.00", true);
        check("5", "a change of -$5.00", false);
        check("0", "a fee of $0.00", true);
        check("007", "agent 7", false);
        check("007", "agent 007", true);
        check("25", "items 1,25,3", true);
        check("2", "version 1.2.3", false);
        check("250", "1,250", false);
        check("10", "10% off", true);
    }

    #[test]
    fn dates_compare_by_day() {
        for text in [
            "on 2024-05-20",
            "on May 20",
            "on May 20th, 2024.",
            "on MAY 20 2024",
            "on 20 May 2024",
            "on the 20th of May",
            "on the 20th of May, 2024",
            "on 05/20/2024",
            "on 5/20/24",
            "on 5/20",
            "on 20/05/2024",
            "on 2024/05/20",
            "on **May 20**, at noon",
            "May 20, 2 bags",
        ] {
            check("2024-05-20", text, true);
        }
        for text in [
            "on 2024-05-21",
            "on May 21",
            "on May 2",
            "on May 20th, 2023",
            "on June 20",
            "maybe 20",
            "on 05/20/2023",
            "May 20.50",
            "5-20",
            "",
        ] {
            check("2024-05-20", text, false);
        }
        check("2024-09-03", "Sept. 3rd", true);
        check("2024-09-03", "9/3/2024", true);
        check("2024-09-03", "3/9/2024", false);
        check("2024-13-03", "May 3", false);
    }

    #[test]
    fn long_texts_take_linear_time() {
        let text = "a ".repeat(200_000);
        let value = format!("{}b", "a ".repeat(50_000));
        check(&value, &text, false);
        check("2024-05-20", &"5/".repeat(200_000), false);
        check("7", &"1,".repeat(200_000), false);
    }
}
