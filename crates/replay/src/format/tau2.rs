//! tau2-bench simulations: `messages` with `reward_info` and the simulator's
//! own fields, one a line or under `simulations` of a results file.

use super::{About, first_text, name};
use crate::json::{self, Members};

/// Ends that the benchmark counts as regular.
const REGULAR_ENDS: [&str; 2] = ["user_stop", "agent_stop"];

/// The runs of a results file.
pub(super) fn simulations<'a>(members: &Members<'a>) -> Option<Vec<&'a str>> {
    members.get("simulations").and_then(json::elements)
}

/// Whether an object is a simulation.
pub(super) fn is_simulation(members: &Members<'_>) -> bool {
    let marked = members.has("reward_info") || members.has("termination_reason");
    marked
        && members.has("messages")
        && members
            .get("messages")
            .is_none_or(|text| json::elements(text).is_some())
}

/// The label, and the end if it is not a regular one.
pub(super) fn about(members: &Members<'_>) -> About {
    let run_info = members.object("run_info");
    let end = members.string("termination_reason").or_else(|| {
        let info = run_info.as_ref()?;
        info.string("termination_reason")
    });
    let reward = members
        .object("reward_info")
        .and_then(|info| info.number("reward"));
    About {
        id: first_text(members, &["id"]),
        task: name(members, "task_id"),
        trial: members.integer("trial"),
        reward,
        pass: reward.map(|reward| reward == 1.0),
        error: end.filter(|end| !REGULAR_ENDS.contains(&end.as_str())),
    }
}
