//! Cutting running text into sentences.
//!
//! A full stop ends a sentence only where a reader would stop as well: not in
//! an abbreviation, an amount or an id, and not inside quotation marks or
//! brackets that are closed later on. Where it is in doubt the text stays in
//! one piece: a clause too long is still a clause, half a clause is none.

use std::ops::Range;

/// Abbreviations after which a sentence always goes on.
const NEVER_LAST: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "cf", "vs", "viz", "mr", "mrs", "ms", "dr", "prof", "no", "nos",
    "nr", "art", "sec", "sect", "fig", "para", "par", "ch", "approx", "ca", "incl", "excl", "max",
    "min", "st", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec",
];

/// Abbreviations that may end a sentence; they do before a word of [`OPENERS`].
const SOMETIMES_LAST: &[&str] = &[
    "etc", "inc", "ltd", "co", "corp", "hrs", "hr", "dept", "tel", "ext", "p.m", "a.m",
];

/// Words with which sentences of policies open, and names do not.
const OPENERS: &[&str] = &[
    "a",
    "after",
    "agents",
    "all",
    "always",
    "an",
    "any",
    "ask",
    "at",
    "before",
    "customers",
    "do",
    "each",
    "every",
    "for",
    "he",
    "if",
    "in",
    "it",
    "never",
    "no",
    "on",
    "once",
    "only",
    "otherwise",
    "she",
    "that",
    "the",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "unless",
    "users",
    "we",
    "when",
    "where",
    "you",
];

/// One character with its byte offset.
type At = (usize, char);

/// The byte ranges of the sentences of `text`, without the space around them.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<At> = text.char_indices().collect();
    let shielded = shielded(&chars);
    let mut found = Vec::new();
    let mut start = 0;
    for (index, (_, c)) in chars.iter().enumerate() {
        if !matches!(c, '.' | '!' | '?' | '。' | '！' | '？') || shielded.get(index) == Some(&true)
        {
            continue;
        }
        if let Some(end) = boundary(&chars, start, index) {
            push(text, &chars, start, end, &mut found);
            start = end;
        }
    }
    push(text, &chars, start, chars.len(), &mut found);
    found
}

/// Adds the characters `start..end` as a sentence if there is a word in them.
fn push(text: &str, chars: &[At], start: usize, end: usize, found: &mut Vec<Range<usize>>) {
    let offset = |index: usize| chars.get(index).map_or(text.len(), |(at, _)| *at);
    let range = offset(start)..offset(end);
    let Some(slice) = text.get(range.clone()) else {
        return;
    };
    let trimmed = slice.trim();
    if !trimmed.chars().any(char::is_alphanumeric) {
        return;
    }
    let begin = range.start + (slice.len() - slice.trim_start().len());
    found.push(begin..begin + trimmed.len());
}

/// If the sentence that began at `start` ends with the mark at `index`, the
/// index behind it, closing marks included.
fn boundary(chars: &[At], start: usize, index: usize) -> Option<usize> {
    let at = |index: usize| chars.get(index).map(|(_, c)| *c);
    let mark = at(index)?;
    let mut end = index + 1;
    while at(end).is_some_and(|c| {
        matches!(
            c,
            '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '.' | '!' | '?'
        )
    }) {
        end += 1;
    }
    if at(end).is_none() || matches!(mark, '。' | '！' | '？') {
        return Some(end);
    }
    if !at(end).is_some_and(char::is_whitespace) {
        return None;
    }
    let next = (end..chars.len()).find(|index| at(*index).is_some_and(|c| !c.is_whitespace()));
    let Some(next) = next else { return Some(end) };
    let opening = |c: char| matches!(c, '"' | '\'' | '“' | '‘' | '«' | '(' | '[');
    let first = (next..chars.len()).find_map(|index| at(index).filter(|c| !opening(*c)))?;
    if first.is_lowercase() {
        return None;
    }
    if mark != '.' {
        return Some(end);
    }
    let before: String = (start..index)
        .rev()
        .map_while(at)
        .take_while(|c| !c.is_whitespace())
        .collect();
    let before: String = before.chars().rev().collect();
    let before = before.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_initial = before.chars().count() == 1 && before.chars().all(char::is_uppercase);
    let before = before.to_lowercase();
    if index - start < 10
        && (start..index).all(|index| at(index).is_some_and(|c| c.is_ascii_digit() || c == ' '))
    {
        // The number of a paragraph, as in '3. Refunds'.
        return None;
    }
    let letters = before.chars().filter(|c| c.is_alphabetic()).count();
    let initials = before.contains('.')
        && letters > 0
        && before.split('.').all(|part| part.chars().count() <= 1);
    let word: String = (next..chars.len())
        .filter_map(at)
        .skip_while(|c| opening(*c))
        .take_while(|c| c.is_alphanumeric())
        .collect();
    let opens = OPENERS.contains(&word.to_lowercase().as_str());
    if SOMETIMES_LAST.contains(&before.as_str()) {
        return opens.then_some(end);
    }
    if NEVER_LAST.contains(&before.as_str()) {
        // 'The answer is no. Ask again' against 'No. 12'.
        let is_word = before == "no" && !first.is_ascii_digit();
        return (is_word || before == "min" || before == "max")
            .then_some(end)
            .filter(|_| opens);
    }
    if initials || is_initial {
        // 'U.S. customers', 'J. Smith', but 'sold in the U.S. The desk'.
        return (initials && opens).then_some(end);
    }
    Some(end)
}

/// Which characters stand inside quotation marks or brackets that are closed.
fn shielded(chars: &[At]) -> Vec<bool> {
    let mut shielded = vec![false; chars.len()];
    let mut index = 0;
    while let Some((_, c)) = chars.get(index) {
        if let Some(close) = closing(chars, index, *c) {
            // The last character before the closing mark stays open to view,
            // so that a quotation can end the sentence it stands in.
            let last = close.saturating_sub(1);
            for flag in shielded.get_mut(index..last).into_iter().flatten() {
                *flag = true;
            }
            index = close;
        }
        index += 1;
    }
    shielded
}

/// The index of the mark that closes the quotation or bracket opened at `index`.
fn closing(chars: &[At], index: usize, open: char) -> Option<usize> {
    let at = |index: usize| chars.get(index).map(|(_, c)| *c);
    let close = match open {
        '"' => '"',
        '“' => '”',
        '«' => '»',
        '(' => ')',
        '[' => ']',
        '\'' => '\'',
        '‘' => '’',
        _ => return None,
    };
    // An apostrophe opens nothing: an opening mark stands before a word and
    // after none, a closing one the other way round.
    let single = matches!(open, '\'' | '‘');
    if single {
        let after_word = index
            .checked_sub(1)
            .and_then(at)
            .is_some_and(char::is_alphanumeric);
        if after_word || !at(index + 1).is_some_and(char::is_alphanumeric) {
            return None;
        }
    }
    (index + 1..chars.len()).take(600).find(|here| {
        at(*here) == Some(close) && (!single || !at(here + 1).is_some_and(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` has a `|` between the sentences.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found: Vec<&str> = sentences(text)
            .into_iter()
            .map(|range| text.get(range).unwrap())
            .collect();
        assert_eq!(found.join("|"), expected);
    }

    #[test]
    fn plain_sentences_are_cut() {
        check("One. Two!  Three? ", "One.|Two!|Three?");
        check("No stop at the end", "No stop at the end");
        check("", "");
        check(" … ", "");
        check("退款需要确认。不得超过。", "退款需要确认。|不得超过。");
    }

    #[test]
    fn abbreviations_amounts_and_ids_do_not_end_a_sentence() {
        check(
            "Ask for proof, e.g. A photo. Then pay.",
            "Ask for proof, e.g. A photo.|Then pay.",
        );
        check(
            "Ship to U.S. Virgin Islands only.",
            "Ship to U.S. Virgin Islands only.",
        );
        check(
            "We sell in the U.S. The desk is open.",
            "We sell in the U.S.|The desk is open.",
        );
        check("Pay $12.50. Never more.", "Pay $12.50.|Never more.");
        check(
            "See No. 12 and order A-1.2. Stop.",
            "See No. 12 and order A-1.2.|Stop.",
        );
        check(
            "The answer is no. Do not ask again.",
            "The answer is no.|Do not ask again.",
        );
        check(
            "Bags, tools, etc. are free. Bags, etc. The end.",
            "Bags, tools, etc. are free.|Bags, etc.|The end.",
        );
        check("1. Read it. 2. Pay.", "1. Read it.|2. Pay.");
        check("At most 5. Then stop.", "At most 5.|Then stop.");
        check("Ask Dr. Smith or J. Doe.", "Ask Dr. Smith or J. Doe.");
        check(
            "Open until 5 p.m. The desk closes then.",
            "Open until 5 p.m.|The desk closes then.",
        );
    }

    #[test]
    fn quotations_and_brackets_stay_whole() {
        check(
            "Send 'PLEASE HOLD. YOU ARE BEING MOVED.' to the user. Stop.",
            "Send 'PLEASE HOLD. YOU ARE BEING MOVED.' to the user.|Stop.",
        );
        check(
            "Say \"Wait. Then go.\" Then stop.",
            "Say \"Wait. Then go.\"|Then stop.",
        );
        check("Say “No. Never.” at once.", "Say “No. Never.” at once.");
        check(
            "Pay (see below. Or above) now. Stop.",
            "Pay (see below. Or above) now.|Stop.",
        );
        check(
            "The customers' orders. The user's bag.",
            "The customers' orders.|The user's bag.",
        );
        check("It isn't open (yet. Stop.", "It isn't open (yet.|Stop.");
    }
}
