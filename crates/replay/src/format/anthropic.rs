//! Anthropic's messages: calls and results are blocks among the content.
//!
//! The assistant's calls are its `tool_use` blocks in order, each with `input`.
//! The results come in a message of the user, as `tool_result` blocks with text
//! or content parts of their own, before what the user says. A failed call has
//! `is_error`. A run has no wrapper of its own; it is a chat whose messages are
//! like this.

use crate::json::{self, Members};

/// A content taken apart.
pub(super) struct Blocks<'a> {
    /// The calls in order.
    pub(super) calls: Vec<Members<'a>>,
    /// The results in order.
    pub(super) results: Vec<Members<'a>>,
    /// The other parts, raw. Thinking is not among them: it is said to nobody.
    pub(super) rest: Vec<&'a str>,
}

/// The blocks of a content; none if it has none that only this dialect knows.
pub(super) fn blocks(raw: Option<&str>) -> Option<Blocks<'_>> {
    let elements = json::elements(raw?)?;
    let mut blocks = Blocks {
        calls: Vec::new(),
        results: Vec::new(),
        rest: Vec::new(),
    };
    let all = elements.len();
    for element in elements {
        let members = Members::of(element).unwrap_or_default();
        match members.string("type").as_deref() {
            Some("tool_use") => blocks.calls.push(members),
            Some("tool_result") => blocks.results.push(members),
            Some("thinking" | "redacted_thinking") => {}
            _ => blocks.rest.push(element),
        }
    }
    (blocks.rest.len() < all).then_some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: Option<(usize, usize, usize)>) {
        let found = blocks(Some(raw))
            .map(|blocks| (blocks.calls.len(), blocks.results.len(), blocks.rest.len()));
        assert_eq!(found, expected, "{raw}");
    }

    #[test]
    fn a_content_is_taken_apart() {
        check(
            r#"[{"type": "tool_use"}, {"type": "text"}]"#,
            Some((1, 0, 1)),
        );
        check(
            r#"[{"type": "tool_result"}, {"type": "tool_result"}]"#,
            Some((0, 2, 0)),
        );
        check(
            r#"[{"type": "thinking"}, {"type": "image"}, 7]"#,
            Some((0, 0, 2)),
        );
    }

    #[test]
    fn other_contents_have_no_blocks() {
        check(r#""tool_use""#, None);
        check(r#"[{"type": "text", "text": "tool_use"}]"#, None);
        check(r#"[{"role": "tool_use"}]"#, None);
        check(r#"{"type": "tool_use"}"#, None);
        check("[]", None);
        assert!(blocks(None).is_none());
    }
}
