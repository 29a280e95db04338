//! Agents that try a refused call again and again.

use crate::replay::{Judged, Replayed};
use serde::Serialize;

/// Fewer equal refusals in a row than this are a retry and no loop.
const LOOP: usize = 3;

/// Equal calls in a row that were all refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loop {
    /// The tool.
    pub tool: String,
    /// How often it was refused.
    pub times: usize,
    /// 0-based index of the first call's message in the source's message array.
    pub message: usize,
    /// 0-based index of the first call in its message.
    pub position: usize,
}

/// The loops of a run, in order.
pub(super) fn loops(replayed: &Replayed<'_>) -> Vec<Loop> {
    let equal = |a: &Judged<'_>, b: &Judged<'_>| {
        let refused = !a.decision.is_allowed() && !b.decision.is_allowed();
        refused && a.call.tool == b.call.tool && a.call.arguments == b.call.arguments
    };
    let stretches = replayed.calls.chunk_by(equal);
    stretches
        .filter(|stretch| stretch.len() >= LOOP)
        .filter_map(|stretch| {
            let first = stretch.first()?;
            Some(Loop {
                tool: first.call.tool.clone(),
                times: stretch.len(),
                message: first.recorded.message,
                position: first.recorded.position,
            })
        })
        .collect()
}
