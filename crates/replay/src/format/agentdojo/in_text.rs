//! Calls written in the agent's text, as `<function_call>[f(a = 1), g()]</…>`.
//!
//! Models that call by text write them all there; the recording's `tool_calls`
//! has those that were made. What stands in the text alone was never executed.

use std::collections::BTreeMap;

/// What opens a list of calls.
const OPEN: &str = "<function_call>";
/// What closes it.
const CLOSE: &str = "</function_call>";

/// The names that the text calls and the message did not, in order.
pub(in crate::format) fn calls_only_in_text<'a>(
    text: &str,
    made: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    if !text.contains(OPEN) {
        return Vec::new();
    }
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for name in made {
        *open.entry(name).or_default() += 1;
    }
    let written = text.split(OPEN).skip(1).flat_map(|rest| {
        let inside = rest.split_once(CLOSE).map_or(rest, |(inside, _)| inside);
        names(inside)
    });
    written
        .filter(|name| match open.get_mut(name) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        })
        .map(str::to_owned)
        .collect()
}

/// The elements of a list in Python's way of writing, each by the name before
/// its parenthesis. Brackets and quotes are followed, nothing else is read.
fn names(list: &str) -> Vec<&str> {
    let list = list.trim();
    let list = list.strip_prefix('[').unwrap_or(list);
    let mut names = Vec::new();
    let (mut depth, mut start, mut quote, mut escaped) = (0usize, 0, None, false);
    let mut end = list.len();
    for (place, c) in list.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if depth > 0 => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ']') if depth == 0 => {
                end = place;
                break;
            }
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                names.extend(list.get(start..place));
                start = place + 1;
            }
            _ => {}
        }
    }
    names.extend(list.get(start..end));
    names
        .into_iter()
        .map(|element| element.split('(').next().unwrap_or_default().trim())
        .filter(|name| is_name(name))
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text != "None"
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, made: &[&str], expected: &[&str]) {
        let found = calls_only_in_text(text, made.iter().copied());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_was_made_is_not_told() {
        check("<function_call>[f(a=1)]</function_call>", &["f"], &[]);
        check(
            "<function_call>[f(a=1), g()]</function_call>",
            &["g", "f"],
            &[],
        );
        check("<function_call>[f(), f()]</function_call>", &["f"], &["f"]);
        check("<function_call>[f()]</function_call>", &["g"], &["f"]);
    }

    #[test]
    fn what_stands_in_the_text_alone_is_told() {
        check("<function_call>[f(a=1)]</function_call>", &[], &["f"]);
        check(
            "a <function_call>[\n  f(a=\"x, g(1)]\", b=['(', {'k': 2}]),\n  m.h()\n]</function_call> b",
            &[],
            &["f", "m.h"],
        );
        check("<function_call>[f(a='it\\'s', b=1)]", &[], &["f"]);
        check("<function_call>[f]</function_call>", &[], &["f"]);
        check(
            "<function_call>[f()]</function_call><function_call>[g()]</function_call>",
            &[],
            &["f", "g"],
        );
    }

    #[test]
    fn no_call_is_no_call() {
        for text in [
            "",
            "f(a=1)",
            "<function_call>[]</function_call>",
            "<function_call></function_call>",
            "<function_call>None</function_call>",
            "<function_call>[, ,]</function_call>",
            "<function_call>[no call here]</function_call>",
            "<function_call>",
        ] {
            check(text, &[], &[]);
        }
    }
}
