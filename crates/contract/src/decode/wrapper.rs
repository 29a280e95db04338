//! Fixed wrappers that hosts put around a whole result: a Markdown code fence,
//! and the markers of a defence that sets tool output apart.

/// What stands inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inner<'a> {
    /// The text inside, its blanks kept: indentation means something to YAML.
    pub(super) text: &'a str,
    /// Whether the markers occur inside, too, so that first and last may belong
    /// to different parts of a text.
    pub(super) ambiguous: bool,
}

/// Opening and closing markers around untrusted content.
const MARKERS: [(&str, &str); 3] = [("<<", ">>"), ("<‹", "›>"), ("<‹", ">>")];

/// Takes off the wrappers, each at most once, whichever is outside.
pub(super) fn unwrapped(text: &str) -> Inner<'_> {
    let mut inner = Inner {
        text,
        ambiguous: false,
    };
    let (mut fenced, mut marked) = (false, false);
    loop {
        if let Some(text) = fence(inner.text).filter(|_| !fenced) {
            fenced = true;
            inner.text = text;
        } else if let Some(next) = marks(inner.text).filter(|_| !marked) {
            marked = true;
            inner.ambiguous |= next.ambiguous;
            inner.text = next.text;
        } else {
            return inner;
        }
    }
}

/// The text inside a Markdown code fence around all of it.
fn fence(text: &str) -> Option<&str> {
    let (language, inner) = text
        .trim()
        .strip_prefix("```")?
        .strip_suffix("```")?
        .split_once('\n')?;
    let is_name = language
        .trim()
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_'));
    // With a fence inside, the first and the last are two blocks' and not one's.
    let one_block = !inner
        .lines()
        .any(|line| line.trim_start().starts_with("```"));
    // The last end of a line belongs to the fence.
    let inner = inner.strip_suffix('\n').unwrap_or(inner);
    (is_name && one_block).then_some(inner)
}

/// The text between markers.
fn marks(text: &str) -> Option<Inner<'_>> {
    let text = text.trim();
    MARKERS.iter().find_map(|(open, close)| {
        let text = text.strip_prefix(open)?.strip_suffix(close)?;
        Some(Inner {
            text,
            ambiguous: text.contains(open) || text.contains(close),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str, ambiguous: bool) {
        let expected = Inner {
            text: expected,
            ambiguous,
        };
        assert_eq!(unwrapped(text), expected, "{text:?}");
    }

    #[test]
    fn a_fence_around_everything_comes_off() {
        check("```json\n{}\n```", "{}", false);
        check(" ```\n  - a\n  - b\n```\n", "  - a\n  - b", false);
        check("```json\r\n{}\r\n```", "{}\r", false);
        check("```\n```", "", false);
        check("``````", "``````", false);
        check("```no end", "```no end", false);
        check("```one line```", "```one line```", false);
        check("a\n```\nb\n```", "a\n```\nb\n```", false);
        check(
            "```\na\n```\nand\n```\nb\n```",
            "```\na\n```\nand\n```\nb\n```",
            false,
        );
    }

    #[test]
    fn markers_around_everything_come_off() {
        check("<<None>>", "None", false);
        check("\n<<- a\n- b>>\n", "- a\n- b", false);
        check("<‹x›>", "x", false);
        check("<‹x>>", "x", false);
        check("<<a>> and <<b>>", "a>> and <<b", true);
        check("<<>>", "", false);
        check("<<>", "<<>", false);
        check("<x>", "<x>", false);
    }

    #[test]
    fn each_comes_off_once_in_either_order() {
        check("<<```json\n1\n```>>", "1", false);
        check("```\n<<1>>\n```", "1", false);
        check("<<<<1>>>>", "<<1>>", true);
    }
}
