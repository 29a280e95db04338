//! From a place inside a text to the place in the file where it was written.
//!
//! A scalar of the file is not its text: quotes and escapes are removed, line
//! breaks folded, indentation cut. The two are walked side by side instead of
//! telling the styles apart.

use std::ops::Range;

/// The byte range in `file` of the byte range `inner` of the text that a scalar
/// at `scalar` stands for. Where the two cannot be matched, the scalar's first line.
pub(super) fn locate(
    file: &str,
    scalar: &Range<usize>,
    text: &str,
    inner: &Range<usize>,
) -> Range<usize> {
    let raw = file.get(scalar.clone()).unwrap_or_default();
    let found = plain(raw, text)
        .or_else(|| quoted(raw, text))
        .and_then(|offsets| {
            let at = |offset: usize| offsets.get(offset).copied();
            let start = at(inner.start)?;
            // The end is the end of the last character, not the start of the next
            // one, which may stand on another line.
            let last = text
                .get(..inner.end)?
                .char_indices()
                .next_back()
                .map_or(0, |(at, _)| at);
            let end = if inner.is_empty() { start } else { at(last)? };
            let length = raw.get(end..)?.chars().next().map_or(0, char::len_utf8);
            let end = if inner.is_empty() {
                start
            } else {
                end + length
            };
            Some(scalar.start + start..scalar.start + end)
        });
    found.unwrap_or_else(|| {
        let first = raw.lines().next().unwrap_or_default();
        scalar.start..scalar.start + first.len()
    })
}

/// Notes that the next character of the text stands at `at`.
fn note(offsets: &mut Vec<usize>, character: char, at: usize) {
    offsets.extend(std::iter::repeat_n(at, character.len_utf8()));
}

/// The offset in `raw` of each byte of `text`, and of its end, for a scalar
/// without quotes: equal but for line breaks and indentation.
fn plain(raw: &str, text: &str) -> Option<Vec<usize>> {
    let mut offsets = Vec::with_capacity(text.len() + 1);
    let mut written = raw.char_indices().peekable();
    for wanted in text.chars() {
        loop {
            match written.peek().copied() {
                Some((at, c)) if c == wanted || (wanted == ' ' && c == '\n') => {
                    note(&mut offsets, wanted, at);
                    written.next();
                    break;
                }
                Some((_, c)) if c.is_whitespace() => {
                    written.next();
                }
                // A final line break may be the text's alone.
                None if wanted == '\n' => {
                    note(&mut offsets, wanted, raw.len());
                    break;
                }
                _ => return None,
            }
        }
    }
    offsets.push(written.peek().map_or(raw.len(), |(at, _)| *at));
    written.all(|(_, c)| c.is_whitespace()).then_some(offsets)
}

/// The same for a scalar in quotes of either kind.
fn quoted(raw: &str, text: &str) -> Option<Vec<usize>> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut offsets = Vec::with_capacity(text.len() + 1);
    let mut written = raw.char_indices().skip(1).peekable();
    for wanted in text.chars() {
        loop {
            let (at, c) = written.next()?;
            if c == '\\' && quote == '"' {
                let (_, kind) = written.next()?;
                if kind == '\n' {
                    continue;
                }
                note(&mut offsets, wanted, at);
                let digits = match kind {
                    'x' => 2,
                    // A character beyond the first plane takes two escapes in JSON.
                    'u' if wanted > '\u{ffff}' => 10,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                for _ in 0..digits {
                    written.next()?;
                }
            } else if c == wanted || (wanted == ' ' && c == '\n') {
                note(&mut offsets, wanted, at);
                if c == quote {
                    // In single quotes, two stand for one.
                    written.next()?;
                }
            } else if c.is_whitespace() {
                continue;
            } else {
                return None;
            }
            break;
        }
    }
    offsets.push(written.peek().map_or(raw.len(), |(at, _)| *at));
    Some(offsets)
}

/// The YAML tag before a scalar at `start`, if there is one: a formula that
/// begins with `!` and has no quotes loses its first word to it.
pub(crate) fn tag(file: &str, start: usize, is_null: bool) -> Option<Range<usize>> {
    let before = file.get(..start)?;
    let word_end = before
        .trim_end_matches(' ')
        .trim_end_matches('\n')
        .trim_end_matches(' ')
        .len();
    if word_end == start && !is_null {
        return None;
    }
    let before = before.get(..word_end)?;
    let word_start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = before.get(word_start..)?;
    if word.ends_with([':', ',', '[', '{', '-']) {
        return None;
    }
    let tag = word.trim_start_matches(['[', '{', ',']);
    let tag_start = word_end - tag.len();
    tag.starts_with('!').then_some(tag_start..word_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds `word` of the text and demands that it is found in the scalar, too.
    #[track_caller]
    fn check(raw: &str, text: &str, word: &str, expected: &str) {
        let file = format!("key: {raw}");
        let at = text.find(word).unwrap();
        let found = locate(&file, &(5..file.len()), text, &(at..at + word.len()));
        assert_eq!(file.get(found.clone()).unwrap(), expected, "{found:?}");
    }

    #[test]
    fn words_are_found_in_every_style() {
        check("arg.x = 1", "arg.x = 1", "=", "=");
        check("'it''s = 1'", "it's = 1", "=", "=");
        check("'it''s = 1'", "it's = 1", "s", "s");
        check(
            r#""a \"b\" é\u00e9\ud83d\ude00 = 1""#,
            "a \"b\" éé😀 = 1",
            "=",
            "=",
        );
        check(
            "arg.a == 1\n  & arg.b = 2",
            "arg.a == 1 & arg.b = 2",
            "=",
            "=",
        );
        check(
            "arg.a == 1\n  & arg.b is 2",
            "arg.a == 1 & arg.b is 2",
            "is",
            "is",
        );
        check(
            "G (a\n      -> b\n    is c)\n",
            "G (a\n  -> b\nis c)\n",
            "is",
            "is",
        );
        check("\"a\n   is b\"", "a is b", "is", "is");
        check("'\"x\" is 1'", "\"x\" is 1", "is", "is");
        check("one\ntwo", "something else", "else", "one");
    }

    #[test]
    fn a_tag_before_a_text_is_seen() {
        let check = |file: &str, word: &str, is_null: bool, expected: Option<&str>| {
            let start = file.rfind(word).unwrap();
            let found = tag(file, start, is_null).map(|range| file.get(range).unwrap());
            assert_eq!(found, expected, "{file}");
        };
        check("a: !user S b", "S b", false, Some("!user"));
        check("a: [!user S]", "S", false, Some("!user"));
        check("a: user", "user", false, None);
        check("- user", "user", false, None);
        check("[\"!a\", \"b\"]", "\"b\"", false, None);
        check("{\"a!\":\"b\"}", "\"b\"", false, None);
        check("a: !call(x)\n", "\n", true, Some("!call(x)"));
        check("a:\n", "\n", true, None);
    }
}
