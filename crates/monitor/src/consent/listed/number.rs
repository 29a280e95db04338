//! Numbers as people write them, compared by value.

use std::collections::BTreeSet;

use super::super::lexicon::Numbers;

/// A decimal number in its one canonical form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    negative: bool,
    whole: String,
    fraction: String,
}

/// Currencies that have a sign of their own.
const SIGNS: &[(char, &str)] = &[
    ('$', "USD"),
    ('\u{20AC}', "EUR"),
    ('\u{A3}', "GBP"),
    ('\u{A5}', "JPY"),
    ('\u{20B9}', "INR"),
];

impl Number {
    /// Reads a number that stands by itself, with or without a currency sign, as a machine or an
    /// English text writes it.
    ///
    /// Digits with a leading zero ("0042") are an id, not a number.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, text) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text = text.strip_prefix(is_currency).unwrap_or(text);
        let whole = text.split('.').next().unwrap_or_default();
        let id = whole.len() > 1 && whole.starts_with('0');
        if id || text.ends_with('.') {
            return None;
        }
        Self::interpret(text, '.', &[','], negative)
    }

    /// Reads digits with one decimal mark at most, and one kind of mark between groups of three.
    fn interpret(run: &str, decimal: char, groups: &[char], negative: bool) -> Option<Self> {
        let (whole, fraction) = run.split_once(decimal).unwrap_or((run, ""));
        let mark = whole.chars().find(|c| groups.contains(c));
        let grouped: Vec<&str> = match mark {
            Some(mark) => whole.split(mark).collect(),
            None => vec![whole],
        };
        let (first, rest) = grouped.split_first()?;
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        let sound = !first.is_empty()
            && (rest.is_empty() || first.len() <= 3)
            && rest.iter().all(|group| group.len() == 3)
            && grouped.iter().all(|group| digits(group))
            && digits(fraction);
        if !sound {
            return None;
        }
        let whole = grouped.concat().trim_start_matches('0').to_owned();
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

/// An amount that names its currency by a code, as in "40.00 EUR".
pub(super) fn with_currency(value: &str) -> Option<(Number, &str)> {
    let value = value.trim();
    let is_code = |code: &str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    let (head, tail) = (value.get(..3)?, value.get(3..)?);
    if is_code(head) {
        return Some((Number::read(tail)?, head));
    }
    let at = value.len().checked_sub(3)?;
    let (head, tail) = (value.get(..at)?, value.get(at..)?);
    is_code(tail).then_some((Number::read(head)?, tail))
}

/// Whether a text names the currency, by its code or by its sign.
pub(super) fn has_currency(text: &[char], code: &str) -> bool {
    let sign = SIGNS.iter().find(|(_, known)| *known == code);
    if sign.is_some_and(|(sign, _)| text.contains(sign)) {
        return true;
    }
    let code: Vec<char> = code.chars().collect();
    text.windows(code.len()).any(|window| window == code)
}

/// The numbers of a text that stand by themselves: no part of a date, a time, a version or a
/// longer id. Where the styles differ, or a style leaves a choice, each reading counts.
pub(super) fn numbers(text: &[char], styles: &[&Numbers]) -> BTreeSet<Number> {
    let at = |i: usize| text.get(i).copied().unwrap_or(' ');
    let styles: Vec<Style> = styles.iter().map(|numbers| Style::of(numbers)).collect();
    let mut found = BTreeSet::new();
    let mut i = 0;
    while i < text.len() {
        if !at(i).is_ascii_digit() {
            i += 1;
            continue;
        }
        let start = i;
        while at(i).is_ascii_digit()
            || (matches!(at(i), '.' | ',') && at(i + 1).is_ascii_digit())
            || (at(i) == '\'' && is_group(text, i + 1))
        {
            i += 1;
        }
        let negative = is_negative(text, start);
        if !is_part_of_more(text, start, i) {
            let run: String = text.get(start..i).unwrap_or_default().iter().collect();
            for style in &styles {
                style.read(&run, negative, &mut found);
            }
        }
        // "1 250,00" is also read as one number where blanks may part the groups.
        if styles.iter().any(|style| style.groups.contains(&' '))
            && let Some((run, end)) = parted_by_blanks(text, start)
            && !is_part_of_more(text, start, end)
        {
            for style in &styles {
                style.read(&run, negative, &mut found);
            }
        }
    }
    found
}

/// Whether exactly three digits stand here.
fn is_group(text: &[char], start: usize) -> bool {
    let digit = |i: usize| text.get(i).is_some_and(char::is_ascii_digit);
    (start..start + 3).all(digit) && !digit(start + 3)
}

/// A number in groups of three with blanks between them, joined, and where it ends.
fn parted_by_blanks(text: &[char], start: usize) -> Option<(String, usize)> {
    let at = |i: usize| text.get(i).copied().unwrap_or(' ');
    let mut end = start;
    while at(end).is_ascii_digit() {
        end += 1;
    }
    let first = end - start;
    // A group of three behind another number and a blank is not where the number begins.
    let begun = start.checked_sub(2).is_some_and(|i| at(i).is_ascii_digit()) && first == 3;
    if first > 3 || begun && at(start - 1) == ' ' {
        return None;
    }
    let mut groups = 0;
    // No amount has more groups than this, and a row of numbers is not read over and over.
    while groups < 6 && at(end) == ' ' && is_group(text, end + 1) {
        end += 4;
        groups += 1;
    }
    if groups == 0 {
        return None;
    }
    if matches!(at(end), '.' | ',') && at(end + 1).is_ascii_digit() {
        end += 1;
        while at(end).is_ascii_digit() {
            end += 1;
        }
    }
    let run = text.get(start..end)?.iter().filter(|c| **c != ' ');
    Some((run.collect(), end))
}

fn is_negative(text: &[char], start: usize) -> bool {
    let back = |n: usize| {
        let i = start.checked_sub(n);
        i.and_then(|i| text.get(i)).copied().unwrap_or(' ')
    };
    let minus = |c: char| matches!(c, '-' | '\u{2212}');
    (minus(back(1)) && !back(2).is_alphanumeric())
        || (is_currency(back(1)) && minus(back(2)) && !back(3).is_alphanumeric())
}

fn is_part_of_more(text: &[char], start: usize, end: usize) -> bool {
    let at = |i: usize| text.get(i).copied().unwrap_or(' ');
    let back = |n: usize| start.checked_sub(n).map_or(' ', at);
    let divides = |c: char| matches!(c, '-' | '/' | ':' | '_' | '\u{2014}');
    let code = (end..end + 3).all(|i| at(i).is_ascii_uppercase()) && !at(end + 3).is_alphanumeric();
    back(1).is_alphabetic()
        || (at(end).is_alphabetic() && !code)
        || (matches!(back(1), '.' | '@') && back(2).is_alphanumeric())
        || (divides(back(1)) && back(2).is_ascii_digit())
        || (divides(at(end)) && at(end + 1).is_ascii_digit())
}

/// How a language marks fractions and groups.
struct Style {
    decimal: char,
    groups: Vec<char>,
}

impl Style {
    fn of(numbers: &Numbers) -> Self {
        Self {
            decimal: numbers.decimal.chars().next().unwrap_or('.'),
            groups: numbers.groups.iter().flat_map(|g| g.chars()).collect(),
        }
    }

    /// The readings of a run of digits and marks.
    fn read(&self, run: &str, negative: bool, found: &mut BTreeSet<Number>) {
        if let Some(own) = Number::interpret(run, self.decimal, &self.groups, negative) {
            found.insert(own);
            return;
        }
        // Not of this style; that of the other decimal mark may fit.
        let (decimal, group) = if self.decimal == '.' {
            (',', '.')
        } else {
            ('.', ',')
        };
        found.extend(Number::interpret(run, decimal, &[group, '\''], negative));
        // "1,25,3" is a row of numbers without blanks.
        if !run.contains(['.', '\'']) {
            let row = run.split(',');
            found.extend(row.filter_map(|n| Number::interpret(n, '.', &[], false)));
        }
    }
}
