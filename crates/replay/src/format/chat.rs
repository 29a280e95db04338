//! OpenAI chat messages without a benchmark around them: an array, an object
//! with `messages`, or one message a line.

use super::{About, first_text, name};
use crate::json::{self, Members};

/// Whether an object is a session: it has an array `messages`.
pub(super) fn is_session(members: &Members<'_>) -> bool {
    members
        .get("messages")
        .is_some_and(|text| json::elements(text).is_some())
}

/// A bare session has no label of its own.
pub(super) fn about(members: &Members<'_>) -> About {
    About {
        id: first_text(members, &["id", "run_id", "session_id", "name"]),
        task: name(members, "task_id"),
        trial: members.integer("trial"),
        ..About::default()
    }
}
