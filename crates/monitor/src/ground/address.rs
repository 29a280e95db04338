//! Mail and web addresses, and paths. Whatever could be read in two ways has no
//! value, since these functions guard where things are sent.

use lictor_contract::value::Value;
use url::Url;

/// The mail addresses in a text, in order. None if one of them has a character
/// that cannot be seen, or if a text of nothing but addresses breaks its line,
/// which mail programs read as a further header.
pub fn emails(text: &str) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut other_words = false;
    while let Some(at) = next_at(rest) {
        let (before, behind) = (rest.get(..at)?, rest.get(at + 1..)?);
        let local_start = local_start(before);
        let local = before.get(local_start..)?;
        let end = behind.find(ends_address).unwrap_or(behind.len());
        let domain = behind.get(..end)?.trim_end_matches(['.', '!', '?', ':']);
        other_words |= before
            .get(..local_start)?
            .contains(|c: char| c.is_alphanumeric());
        if !local.is_empty() && !domain.is_empty() {
            if !domain.chars().chain(local.chars()).all(is_visible) {
                return None;
            }
            found.push(Value::text(format!("{local}@{domain}")));
        }
        rest = behind.get(end..)?;
    }
    other_words |= rest.contains(|c: char| c.is_alphanumeric());
    let broken = text.contains(['\n', '\r']) && !other_words && !found.is_empty();
    (!broken).then_some(found)
}

/// The next `@` that is not inside a quoted local part.
fn next_at(text: &str) -> Option<usize> {
    let first = text.find('@')?;
    // `"a@b"@c` has one address, whose local part is in quotes.
    let quoted = text.char_indices().find(|(_, c)| *c == '"');
    if let Some((open, _)) = quoted
        && open < first
        && let Some(close) = text.get(open + 1..)?.find('"').map(|at| open + 1 + at)
        && first < close
        && text.get(close + 1..)?.starts_with('@')
    {
        return Some(close + 1);
    }
    Some(first)
}

/// Where the local part that ends here begins.
fn local_start(before: &str) -> usize {
    if let Some(inner) = before.strip_suffix('"')
        && let Some(open) = inner.rfind('"').or_else(|| inner.find('"'))
    {
        return open;
    }
    before
        .char_indices()
        .rev()
        .take_while(|(_, c)| !ends_address(*c) && *c != ':')
        .last()
        .map_or(before.len(), |(index, _)| index)
}

/// Whether a character ends an address in running text.
fn ends_address(c: char) -> bool {
    (c.is_ascii() && (c.is_ascii_whitespace() || c.is_ascii_control()))
        || matches!(
            c,
            ',' | ';' | '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | '/' | '@'
        )
}

/// Whether a character shows and takes part in a name: no control, no blank of
/// any kind, nothing of zero width.
fn is_visible(c: char) -> bool {
    c.is_alphanumeric() || c.is_ascii_graphic()
}

/// The web addresses in a text, in order, in their normal form. None if one that
/// names its scheme cannot be read.
pub fn urls(text: &str) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`'))
    {
        let word = word.trim_start_matches(['(', '[', '{']);
        let Some(start) = word.find("://").map(|at| scheme_start(word, at)) else {
            if word
                .get(..4)
                .is_some_and(|it| it.eq_ignore_ascii_case("www."))
            {
                found.push(Value::text(web_address(&format!(
                    "https://{}",
                    trimmed(word)
                ))?));
            }
            continue;
        };
        found.push(Value::text(web_address(trimmed(word.get(start..)?))?));
    }
    Some(found)
}

/// Where the scheme before `://` begins.
fn scheme_start(word: &str, at: usize) -> usize {
    let before = word.get(..at).unwrap_or_default();
    before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        .last()
        .map_or(at, |(index, _)| index)
}

/// An address without the punctuation of the sentence around it.
fn trimmed(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}'])
}

fn web_address(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    host(&url)?;
    Some(url.to_string())
}

/// The host of an address; none if its letters were replaced by others that only
/// look alike, or could not be seen.
fn host(url: &Url) -> Option<String> {
    url.host_str().map(str::to_ascii_lowercase)
}

/// The domain of one mail or web address, or of one host, in lower case. Letters
/// of another script are other letters (and come in their ASCII form); a
/// character that normalisation would replace or drop leaves it unknown.
pub fn domain(text: &str) -> Option<String> {
    let host_text = if text.contains("://") {
        let url = Url::parse(text).ok()?;
        if !text.is_ascii() && host(&url)?.split('.').all(|part| !part.starts_with("xn--")) {
            // Something outside ASCII has become plain letters, or stands behind the host.
            let authority = text.split("://").nth(1)?.split(['/', '?', '#']).next()?;
            authority.is_ascii().then_some(())?;
        }
        return host(&url);
    } else if text.contains('@') {
        let mut found = emails(text)?;
        let only = found.pop().filter(|_| found.is_empty())?;
        let Value::Text(only) = only else {
            return None;
        };
        // Anything beside the address would be read by someone else.
        (only == text).then_some(())?;
        only.rsplit_once('@')?.1.to_owned()
    } else {
        text.to_owned()
    };
    let plain = host_text.is_ascii();
    let parsed = url::Host::parse(&host_text).ok()?.to_string();
    let kept_script = plain || parsed.split('.').any(|part| part.starts_with("xn--"));
    let is_host = host_text.contains('.') || text.contains('@');
    (kept_script && is_host).then(|| parsed.to_ascii_lowercase())
}

/// The path of a web address, or of a file, in its normal form.
pub fn path(text: &str) -> Option<String> {
    if text.contains("://") {
        return Some(Url::parse(text).ok()?.path().to_owned());
    }
    let (absolute, segments) = segments(text)?;
    let joined = segments.join("/");
    Some(if absolute {
        format!("/{joined}")
    } else {
        joined
    })
}

/// Whether a path or web address lies inside another, or is the same, by whole
/// segments. None if one is relative and the other is not, or if one leads out
/// of its own start.
pub fn is_under(part: &str, whole: &str) -> Option<bool> {
    if part.contains("://") || whole.contains("://") {
        let (part, whole) = (Url::parse(part).ok()?, Url::parse(whole).ok()?);
        if part.origin() != whole.origin() {
            return Some(false);
        }
        return is_under(part.path(), whole.path());
    }
    let (part_absolute, part) = segments(part)?;
    let (whole_absolute, whole) = segments(whole)?;
    (part_absolute == whole_absolute).then(|| part.starts_with(&whole))
}

/// Whether a path is absolute, and its segments without `.` and `..`. None for
/// one that leads above its start, or has backslashes or unseen characters.
fn segments(text: &str) -> Option<(bool, Vec<&str>)> {
    if text.is_empty() || text.contains(['\\', '\0', '\n', '\r']) || text.contains("%2") {
        return None;
    }
    let mut segments = Vec::new();
    for segment in text.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            other => segments.push(other),
        }
    }
    Some((text.starts_with('/'), segments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(find: fn(&str) -> Option<Vec<Value>>, text: &str, expected: Option<&[&str]>) {
        let found = find(text);
        let expected = expected.map(|all| all.iter().map(|one| Value::text(*one)).collect());
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn mail_addresses() {
        finds(emails, "ana@example.org", Some(&["ana@example.org"]));
        finds(
            emails,
            "Write to <ana+x@example.org>, or bob@evil.test.",
            Some(&["ana+x@example.org", "bob@evil.test"]),
        );
        finds(
            emails,
            "\"x@example.org\"@evil.test",
            Some(&["\"x@example.org\"@evil.test"]),
        );
        finds(emails, "a@b.c@evil.test", Some(&["a@b.c"]));
        finds(emails, "ana@example\u{200b}.org", None);
        finds(emails, "ana@example.org\n", None);
        finds(
            emails,
            "Hello,\nask ana@example.org\nBye",
            Some(&["ana@example.org"]),
        );
        finds(emails, "no address @ all, @handle", Some(&[]));
        finds(emails, "mailto:ana@example.org", Some(&["ana@example.org"]));
    }

    #[test]
    fn domains() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(domain(text).as_deref(), expected, "{text:?}");
        };
        check("ana@EXAMPLE.org", Some("example.org"));
        check("ana@sub.example.org", Some("sub.example.org"));
        check("ana@example.org.evil.test", Some("example.org.evil.test"));
        check("\"x@example.org\"@evil.test", Some("evil.test"));
        check("ana@example.org, bob@evil.test", None);
        check("Ana <ana@example.org>", None);
        check("ana@example\u{200b}.org", None);
        check("ana@example.org\n", None);
        // A Cyrillic letter is another letter; a full-width one is a guess.
        check("ana@\u{435}xample.org", Some("xn--xample-2of.org"));
        check("ana@\u{ff45}xample.org", None);
        check("https://Example.org:8080/a", Some("example.org"));
        check("https://\u{ff45}xample.org/", None);
        check("https://example.org/\u{e9}", Some("example.org"));
        check("https://example.org@evil.test/", Some("evil.test"));
        check("example.org", Some("example.org"));
        check("hello", None);
    }

    #[test]
    fn web_addresses() {
        finds(
            urls,
            "See https://a.test/x?y=1, (http://b.test) and www.c.test/z.",
            Some(&[
                "https://a.test/x?y=1",
                "http://b.test/",
                "https://www.c.test/z",
            ]),
        );
        finds(urls, "nothing here", Some(&[]));
        finds(urls, "http://", None);
    }

    #[test]
    fn paths_are_compared_by_segments() {
        let check = |part: &str, whole: &str, expected| {
            assert_eq!(is_under(part, whole), expected, "{part} under {whole}");
        };
        check("/srv/data/x", "/srv/data", Some(true));
        check("/srv/data", "/srv/data/", Some(true));
        check("/srv/database", "/srv/data", Some(false));
        check("/srv/data/../secret", "/srv/data", Some(false));
        check("/srv/./data//x", "/srv/data", Some(true));
        check("data/x", "/srv/data", None);
        check("../x", "data", None);
        check("/srv\\data", "/srv", None);
        check("https://a.test/x/y", "https://a.test/x", Some(true));
        check("https://a.test/x/../y", "https://a.test/x", Some(false));
        check("https://a.test.evil/x", "https://a.test/x", Some(false));
        check("/srv/data%2f..%2fx", "/srv/data", None);
        assert_eq!(path("https://a.test/b/../c?d").as_deref(), Some("/c"));
        assert_eq!(path("/a/./b/").as_deref(), Some("/a/b"));
    }
}
