//! Grading recorded runs: one record a run, and totals over all.

mod loops;
mod record;
mod totals;

pub use loops::Loop;
pub use record::{Falsification, RunRecord, Unmet, Violation};
pub use totals::{ContractTotals, Kinds, LabelTotals, Totals, Verdicts};

use crate::replay::{Mode, Replayed, replay};
use crate::run::Run;
use lictor_monitor::{Monitor, RefusalKind, Verdict};
use serde::Serialize;
use std::borrow::Borrow;

/// A graded set of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// One record for each run, in order.
    pub runs: Vec<RunRecord>,
    /// Totals over them.
    pub totals: Totals,
}

/// Grades runs (DESIGN section 8). To keep no record in memory, use
/// [`evaluate_run`] and [`Totals::add`].
pub fn evaluate<R: Borrow<Run>>(
    monitor: &Monitor,
    runs: impl IntoIterator<Item = R>,
    mode: Mode,
) -> Evaluation {
    let mut totals = Totals::new(monitor, mode);
    let mut records = Vec::new();
    for run in runs {
        let record = evaluate_run(monitor, run.borrow(), mode);
        totals.add(&record);
        records.push(record);
    }
    Evaluation {
        runs: records,
        totals,
    }
}

/// Grades one run.
pub fn evaluate_run(monitor: &Monitor, run: &Run, mode: Mode) -> RunRecord {
    let replayed = replay(monitor, run, mode);
    let violations = violations(monitor, &replayed);
    let falsified: Vec<Falsification> = replayed
        .broken
        .iter()
        .map(|broken| Falsification {
            contract: broken.falsified.contract.clone(),
            message: broken.message,
            event: broken.kind,
        })
        .collect();
    let pending: Vec<Unmet> = replayed
        .pending
        .iter()
        .map(|pending| Unmet {
            contract: pending.contract.clone(),
            reason: pending.reason.clone(),
        })
        .collect();
    // In gate mode a refused call steps nothing, so the states alone do not
    // show that the agent tried it.
    let failed = violations
        .iter()
        .any(|violation| violation.contract.is_some())
        || !falsified.is_empty()
        || !pending.is_empty();
    let writes = replayed
        .calls
        .iter()
        .filter(|judged| monitor.is_write(&judged.call.tool));
    RunRecord {
        run: run.id.clone(),
        task: run.task.clone(),
        trial: run.trial,
        reward: run.reward,
        pass: run.pass,
        env: replayed.env.in_brief(),
        agent: if failed {
            Verdict::Fail
        } else {
            replayed.agent.in_brief()
        },
        calls: replayed.calls.len() as u64,
        writes: writes.count() as u64,
        violations,
        falsified,
        pending,
        loops: loops::loops(&replayed),
        file: run.file.clone(),
    }
}

fn violations(monitor: &Monitor, replayed: &Replayed<'_>) -> Vec<Violation> {
    let mut violations = Vec::new();
    for judged in &replayed.calls {
        let refusals = &judged.decision.refusals;
        let named = refusals
            .iter()
            .position(|refusal| refusal.kind == RefusalKind::Violated)
            .unwrap_or(0);
        let Some(refusal) = refusals.get(named) else {
            continue;
        };
        let others = refusals
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != named);
        violations.push(Violation {
            contract: refusal.contract.clone(),
            kind: refusal.kind,
            message: judged.recorded.message,
            position: judged.recorded.position,
            call_id: judged.recorded.call_id.clone(),
            tool: judged.call.tool.clone(),
            reason: refusal.reason.clone(),
            also: others
                .filter_map(|(_, refusal)| refusal.contract.clone())
                .collect(),
            is_write: monitor.is_write(&judged.call.tool),
            refusals: refusals
                .iter()
                .filter_map(|refusal| Some((refusal.contract.clone()?, refusal.kind)))
                .collect(),
        });
    }
    violations
}

#[cfg(test)]
mod tests;
