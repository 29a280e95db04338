//! Samples files without policy text.

use serde_json::Value as Json;

/// Whether an answer is in the packed form.
pub(crate) fn is_packed(answer: &Json) -> bool {
    answer.get("packed").is_some()
}
