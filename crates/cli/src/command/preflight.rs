//! `lictor preflight`: which bindings would refuse legitimate work.

use crate::arguments::{Format, Preflight as Options};
use crate::exit::Exit;
use crate::render::table::{Columns, proportion};
use crate::{input, recordings, render};
use anyhow::bail;
use lictor_contract::diagnostic::{Code, Diagnostic, Label};
use lictor_contract::library::Library;
use lictor_contract::source::Source;
use lictor_monitor::Monitor;
use lictor_replay::preflight::{BindingVerdict, Flight, Preflight};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Runs the command.
pub fn run(options: &Options) -> anyhow::Result<Exit> {
    check_share(options.flag_at)?;
    if let Some(out) = &options.out {
        let runs = options.transcripts.iter();
        input::apart(out, runs.map(|run| (run.as_path(), "a recorded run")))?;
    }
    let library = input::library(&options.library)?;
    let monitor = Monitor::new(&library)?;
    let mut flight = Flight::new(&library, &monitor);
    let oddities = recordings::each(&options.transcripts, |run| {
        flight.add(run);
        Ok(())
    })?;
    let preflight = flight.finish(options.flag_at);
    let diagnostics = diagnostics(&preflight, &library, None);
    if let (true, Some(out)) = (options.unbind, &options.out) {
        let flagged: BTreeSet<(&str, &str)> = preflight.flagged().collect();
        let kept = lictor_compile::unbind(&library, &flagged)?;
        input::write(out, &kept.to_json())?;
    }
    match options.format {
        Format::Json => render::json(&json!({
            "diagnostics": render::diagnostics::json(&diagnostics, &[]), "preflight": preflight,
            "oddities": oddities,
        }))?,
        Format::Text => {
            render::text(&table(&preflight, Rows::All))?;
            if !diagnostics.is_empty() {
                render::line("")?;
                render::text(&render::diagnostics::text(&diagnostics, &[]))?;
            }
        }
    }
    recordings::note(&oddities);
    Ok(Exit::of(&diagnostics))
}

/// A share must be one.
pub fn check_share(share: f64) -> anyhow::Result<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    bail!("--flag-at is {share}; it is a share between 0 and 1")
}

/// A warning for each flagged binding, at the clause it comes from where the
/// policy is at hand.
pub fn diagnostics(
    preflight: &Preflight,
    library: &Library,
    policy: Option<&Source>,
) -> Vec<Diagnostic> {
    let clause = |id: &str| {
        let contract = library
            .contracts
            .iter()
            .find(|contract| contract.id == id)?;
        let lines = contract.clauses.first()?.lines;
        let policy = policy?;
        let range = policy.lines(lines.first, lines.last);
        let blank = policy.text().get(range.clone())?.len()
            - policy.text().get(range.clone())?.trim_start().len();
        Some(Label::new(policy.name(), range.start + blank..range.end))
    };
    let flagged = preflight
        .bindings
        .iter()
        .filter(|it| it.verdict == BindingVerdict::Flagged);
    flagged
        .map(|binding| {
            let diagnostic = Diagnostic::new(
                Code::OverBlocking,
                format!(
                    "`{}` refuses {} of the {} calls of `{}` in runs that passed",
                    binding.contract, binding.passed.of, binding.passed.among, binding.tool
                ),
            )
            .help("ask the policy's owner whether the clause means this; `lictor preflight --unbind` removes the binding")
            .about(binding.contract.clone());
            match clause(&binding.contract) {
                Some(label) => diagnostic.at(label),
                None => diagnostic,
            }
        })
        .collect()
}

/// Which bindings a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All of them.
    All,
    /// Those that refuse a call; the others are counted below.
    Fired,
}

/// NOMOS's Table IX: one row a binding, the summary below.
pub fn table(preflight: &Preflight, rows: Rows) -> String {
    let mut table = Columns::new(&[
        "contract",
        "tool",
        "refused in passed runs",
        "refused in failed runs",
        "verdict",
    ]);
    for binding in preflight
        .bindings
        .iter()
        .filter(|it| rows == Rows::All || it.fired)
    {
        let verdict = match binding.verdict {
            BindingVerdict::Flagged => "flagged",
            BindingVerdict::Kept => "kept",
            BindingVerdict::NoVerdict => "no verdict",
        };
        table.row(&[
            binding.contract.clone(),
            binding.tool.clone(),
            proportion(&binding.passed),
            proportion(&binding.failed),
            verdict.to_owned(),
        ]);
    }
    let mut text = format!(
        "preflight over {} passed, {} failed and {} unlabelled runs, in gate mode\n{}",
        preflight.passed_runs,
        preflight.failed_runs,
        preflight.unlabelled_runs,
        table.render()
    );
    let summary = &preflight.summary;
    let worst = summary.worst.as_ref().map_or_else(String::new, |worst| {
        format!(
            "; worst {} on {} {}",
            worst.contract,
            worst.tool,
            proportion(&worst.refused)
        )
    });
    let _ = writeln!(
        text,
        "{} contracts, {} bindings{}: {} supported, {} fired, {} flagged at {:.0}%{worst}",
        summary.contracts,
        summary.bindings,
        if rows == Rows::Fired {
            " (those that refuse nothing are not shown)"
        } else {
            ""
        },
        summary.supported,
        summary.fired,
        summary.flagged,
        preflight.flag_at * 100.0
    );
    text
}
