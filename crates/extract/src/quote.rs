//! Finding quoted words in the policy.
//!
//! A model copies words well and signs badly: it joins lines, drops emphasis
//! marks and straightens quotation marks. So both sides are brought to one
//! plain form, in which the words must then stand exactly, whole words at both
//! ends. What is not found so is not in the policy.

use lictor_contract::draft::{Citation, Section};
use lictor_contract::source::Source;
use std::ops::Range;

/// Fewest letters and digits that make a quotation: less is found anywhere.
const SHORTEST: usize = 3;

/// Most places that are weighed for one quotation.
const MOST_PLACES: usize = 200;

/// A policy made ready for finding quotations in it.
#[derive(Debug)]
pub(crate) struct Quotes<'a> {
    policy: &'a Source,
    /// Without and with the signs that begin list items and headings; a
    /// wrapped line may begin with a number that is none.
    forms: [Plain; 2],
}

/// A text in plain form, with the place each of its bytes comes from.
#[derive(Debug, Default)]
struct Plain {
    text: String,
    /// For each byte of `text`, the bytes of the character it comes from.
    from: Vec<Range<usize>>,
}

impl<'a> Quotes<'a> {
    pub(crate) fn new(policy: &'a Source) -> Self {
        let forms = [plain(policy.text(), true), plain(policy.text(), false)];
        Quotes { policy, forms }
    }

    /// Finds a quotation, best in the lines it claims, else in its section,
    /// else anywhere.
    pub(crate) fn find(&self, quote: &str, claimed: &[i64], section: &Section) -> Option<Citation> {
        let quote = quote.trim();
        let section = self.policy.lines(section.lines.first, section.lines.last);
        let claimed = self.claimed(claimed);
        let bare = without_line_numbers(quote);
        for quote in [quote, bare.as_str()] {
            for (form, strip) in self.forms.iter().zip([true, false]) {
                let needle = plain(quote, strip).text;
                let best = form.places(&needle).take(MOST_PLACES).min_by_key(|place| {
                    (
                        !overlaps(place, &section),
                        !overlaps(place, &claimed),
                        place.start,
                    )
                });
                if let Some(range) = best {
                    return Some(self.cite(range, quote));
                }
            }
        }
        None
    }

    fn claimed(&self, lines: &[i64]) -> Range<usize> {
        let line = |index: usize| {
            lines
                .get(index)
                .and_then(|line| usize::try_from(*line).ok())
        };
        match (line(0), line(1).or(line(0))) {
            (Some(first), Some(last)) if first >= 1 => self.policy.lines(first, last),
            _ => 0..0,
        }
    }

    fn cite(&self, mut range: Range<usize>, quote: &str) -> Citation {
        // The mark that ends the quotation was not looked for.
        let next = self
            .policy
            .text()
            .get(range.end..)
            .and_then(|rest| rest.chars().next());
        if next.is_some_and(|next| is_stop(next) && quote.ends_with(next)) {
            range.end += next.map_or(0, char::len_utf8);
        }
        Citation {
            lines: crate::clauses::lines_of(self.policy, &range),
            quote: self
                .policy
                .text()
                .get(range.clone())
                .unwrap_or_default()
                .to_owned(),
            range,
        }
    }
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?')
}

impl Plain {
    /// The places in the source where `needle` stands as whole words.
    fn places<'p>(&'p self, needle: &str) -> impl Iterator<Item = Range<usize>> + 'p {
        let needle = needle
            .trim_end_matches(|c| is_stop(c) || c == ' ')
            .to_owned();
        let long_enough = needle.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST;
        let length = needle.len();
        let mut at = if long_enough { 0 } else { self.text.len() };
        let starts = std::iter::from_fn(move || {
            let found = at
                + self
                    .text
                    .get(at..)?
                    .find(needle.as_str())
                    .filter(|_| !needle.is_empty())?;
            at = found + length;
            Some(found)
        });
        starts.filter_map(move |start| {
            let end = start + length;
            if self.cuts_word(start) || self.cuts_word(end) {
                return None;
            }
            Some(self.from.get(start)?.start..self.from.get(end.checked_sub(1)?)?.end)
        })
    }

    /// Whether a word goes on across this byte.
    fn cuts_word(&self, at: usize) -> bool {
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }
}

/// Brings a text to plain form; `strip` drops what begins list items, headings
/// and quotations.
fn plain(text: &str, strip: bool) -> Plain {
    let mut plain = Plain::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = if strip { marker_length(line) } else { 0 };
        for (offset, c) in line.char_indices().filter(|(offset, _)| *offset >= begin) {
            let from = at + offset..at + offset + c.len_utf8();
            match c {
                '*' | '_' | '`' | '\\' => {}
                '|' => plain.space(from),
                c if c.is_whitespace() => plain.space(from),
                '‘' | '’' | '‚' | '′' => plain.push("'", from),
                '“' | '”' | '„' | '«' | '»' | '″' => plain.push("\"", from),
                '‐' | '‑' | '‒' | '–' | '—' | '−' => plain.push("-", from),
                '…' => plain.push("...", from),
                '\u{200b}' | '\u{feff}' | '\u{ad}' => {}
                c => plain.push(c.encode_utf8(&mut [0; 4]), from),
            }
        }
        at += line.len();
    }
    if plain.text.ends_with(' ') {
        plain.text.pop();
        plain.from.pop();
    }
    plain
}

impl Plain {
    fn push(&mut self, text: &str, from: Range<usize>) {
        self.text.push_str(text);
        self.from.extend(std::iter::repeat_n(from, text.len()));
    }

    /// Adds one space, however much white space there is.
    fn space(&mut self, from: Range<usize>) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.push(" ", from);
        }
    }
}

/// The length of the signs with which a line begins a list item, a heading or
/// a quotation.
fn marker_length(line: &str) -> usize {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let after_digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = if let Some(behind) = rest.strip_prefix('>') {
            Some(behind)
        } else if after_digits.len() < rest.len() {
            after_digits
                .strip_prefix(['.', ')'])
                .filter(|behind| behind.starts_with([' ', '\t']))
        } else if rest.starts_with('#') {
            Some(rest.trim_start_matches('#')).filter(|behind| behind.starts_with(' '))
        } else {
            rest.strip_prefix(['-', '*', '+'])
                .filter(|behind| behind.starts_with([' ', '\t']))
        };
        match behind {
            Some(behind) => rest = behind,
            None => return line.len() - rest.len(),
        }
    }
}

/// The quotation without the line numbers that the prompt shows in front.
fn without_line_numbers(quote: &str) -> String {
    let bare = |line: &str| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        match digits.strip_prefix(" |") {
            Some(behind) if digits.len() < line.len() => behind.trim_start().to_owned(),
            _ => line.to_owned(),
        }
    };
    quote.lines().map(bare).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::source::Lines;

    const POLICY: &str = "# Desk\n\n1. Only a **pending** order may be\n   cancelled, says the customer’s “desk”.\n2. Pay later.\n\n## Late\n- Pay later.\n- Take `in_stock` items - and\n30. days pass\n| gold | 2 bags |\n";

    #[track_caller]
    fn check(quote: &str, claimed: &[i64], expected: Option<&str>) {
        let policy = Source::new("p.md", POLICY);
        let section = Section {
            title: "Late".into(),
            lines: Lines { first: 7, last: 11 },
        };
        let found = Quotes::new(&policy).find(quote, claimed, &section);
        let found = found.map(|it| format!("{}: {}", it.lines, it.quote));
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn signs_do_not_matter_and_words_do() {
        let whole =
            "3-4: Only a **pending** order may be\n   cancelled, says the customer’s “desk”.";
        check(
            "Only a pending order may be cancelled, says the customer's \"desk\".",
            &[],
            Some(whole),
        );
        check(
            "1. Only a **pending** order may be\ncancelled, says the customer’s “desk”.",
            &[],
            Some(whole),
        );
        check(
            "3 | 1. Only a pending order may be cancelled",
            &[],
            Some("3-4: Only a **pending** order may be\n   cancelled"),
        );
        check("Only a pending order can be cancelled", &[], None);
        check("only a pending order", &[], None);
        check(
            "in_stock items – and",
            &[],
            Some("9: in_stock` items - and"),
        );
        check(
            "in_stock items - and 30. days",
            &[],
            Some("9-10: in_stock` items - and\n30. days"),
        );
        check("gold | 2 bags", &[], Some("11: gold | 2 bags"));
        check("gold 2 bags.", &[], Some("11: gold | 2 bags"));
    }

    #[test]
    fn the_best_place_is_taken() {
        check("Pay later.", &[], Some("8: Pay later."));
        check("Pay later.", &[5, 5], Some("8: Pay later."));
        check("Pay later", &[8], Some("8: Pay later"));
        check("Only a pending", &[-3, 9], Some("3: Only a **pending"));
    }

    #[test]
    fn parts_of_words_and_nothing_are_not_found() {
        check("ay later", &[], None);
        check("Pay late", &[], None);
        check("", &[], None);
        check("** . **", &[], None);
        check("a", &[], None);
        check("2", &[], None);
    }
}
