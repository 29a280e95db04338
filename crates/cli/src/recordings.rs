//! Reading recorded runs for a command, so that none of them forgets to tell
//! what was odd about them.

use crate::render;
use lictor_replay::{Oddity, Recordings, Run};
use std::path::PathBuf;

/// Hands the runs over one at a time; gives what was odd in all of them.
pub fn each(
    paths: &[PathBuf],
    mut take: impl FnMut(&Run) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<Oddity>> {
    let mut oddities = Vec::new();
    let mut recordings = Recordings::open(paths)?;
    for run in recordings.by_ref() {
        let mut run = run?;
        oddities.append(&mut run.oddities);
        take(&run)?;
    }
    for report in recordings.reports() {
        oddities.extend(report.beside.iter().cloned());
    }
    Ok(oddities)
}

/// Tells beside the report that there were oddities, if there were any.
pub fn note(oddities: &[Oddity]) {
    if !oddities.is_empty() {
        render::note(&format!("note: {}", told(oddities)));
    }
}

/// How many oddities there were, and how to see them.
pub fn told(oddities: &[Oddity]) -> String {
    let plural = if oddities.len() == 1 { "y" } else { "ies" };
    format!(
        "{} oddit{plural} in the recordings; `lictor transcripts` tells more",
        oddities.len()
    )
}
