//! tau-bench results: `traj` (or `messages`) with `task_id`, `trial`, `reward`
//! and `info`. A run that broke off has an empty `traj` and `info.error`.

use super::{About, first_text, name};
use crate::json::{self, Members};

/// Whether an object is a result: a trajectory, or messages with a reward.
pub(super) fn is_result(members: &Members<'_>) -> bool {
    let has_array = |key| {
        members.has(key)
            && members
                .get(key)
                .is_none_or(|text| json::elements(text).is_some())
    };
    has_array("traj") && (members.get("traj").is_some() || members.has("reward"))
        || has_array("messages") && members.has("reward")
}

/// The messages under either key.
pub(super) fn messages<'a>(members: &Members<'a>) -> Option<Vec<&'a str>> {
    members
        .get("traj")
        .or_else(|| members.get("messages"))
        .and_then(json::elements)
}

/// The label and why the run broke off.
pub(super) fn about(members: &Members<'_>) -> About {
    About {
        id: first_text(members, &["id", "run_id"]),
        task: name(members, "task_id"),
        trial: members.integer("trial"),
        reward: members.number("reward"),
        pass: members.number("reward").map(|reward| reward == 1.0),
        error: members.object("info").and_then(|info| info.string("error")),
    }
}
