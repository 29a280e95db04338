//! What a compile did, for people and for machines.

use crate::command::preflight::{Rows, table as preflight_table};
use crate::render::diagnostics;
use crate::render::table::Columns;
use lictor_compile::report::{CompileReport, Outcomes};
use lictor_contract::diagnostic::Diagnostic;
use lictor_contract::library::{Coverage, CoverageRow, Library};
use lictor_contract::source::Source;
use lictor_replay::preflight::Preflight;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Longest text of a clause in the coverage table, in characters.
const MAX_CLAUSE: usize = 42;

/// Everything there is to tell.
pub struct Parts<'a> {
    pub policy: &'a Source,
    pub report: &'a CompileReport,
    pub library: Option<&'a Library>,
    pub preflight: Option<&'a Preflight>,
    pub diagnostics: &'a [Diagnostic],
    pub out: Option<&'a PathBuf>,
}

/// The machine form.
pub fn json(parts: &Parts<'_>) -> anyhow::Result<Value> {
    Ok(json!({
        "diagnostics": diagnostics::json(parts.diagnostics, &[parts.policy]),
        "report": serde_json::to_value(parts.report)?,
        "preflight": parts.preflight.map(serde_json::to_value).transpose()?,
        "library": parts.out.map(|path| path.display().to_string()),
        "digest": parts.library.map(|library| library.digest.as_str()),
    }))
}

/// The text form.
pub fn text(parts: &Parts<'_>) -> String {
    let mut text = passes(parts);
    text.push('\n');
    let merged = merge(parts.diagnostics);
    if !merged.is_empty() {
        text.push_str(&diagnostics::text(&merged, &[parts.policy]));
    }
    text.push_str(&outcomes(&parts.report.outcomes));
    text.push('\n');
    if let Some(library) = parts.library {
        text.push_str(&contracts(library));
        text.push('\n');
    }
    text.push_str(&coverage(parts.report));
    if let Some(preflight) = parts.preflight {
        text.push('\n');
        text.push_str(&preflight_table(preflight, Rows::Fired));
    }
    if let (Some(out), Some(library)) = (parts.out, parts.library) {
        let _ = writeln!(
            text,
            "\n{} contracts written to {} ({})",
            library.contracts.len(),
            out.display(),
            library.digest.get(..12).unwrap_or_default()
        );
    }
    text
}

/// The four passes, one line each.
fn passes(parts: &Parts<'_>) -> String {
    let CompileReport {
        extract,
        resolve,
        verify,
        vote,
        ..
    } = parts.report;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "policy   {}: {} sections, {} clauses",
        parts.policy.name(),
        extract.sections,
        extract.clauses
    );
    let _ = writeln!(
        text,
        "extract  {} samples a section: {} answers read, {} failed; {} candidates, {} clauses declared without a rule",
        extract.samples, extract.answers, extract.failed, extract.candidates, extract.unencoded
    );
    let _ = writeln!(
        text,
        "resolve  {} candidates: {} resolved, {} unresolved, {} unreadable; {} demands, {} bindings",
        resolve.candidates,
        resolve.resolved,
        resolve.unresolved,
        resolve.unreadable,
        resolve.demands,
        resolve.bindings
    );
    let _ = writeln!(
        text,
        "verify   {} candidates: {} repaired, {} rejected; {} demands, {} bindings",
        verify.candidates, verify.repaired, verify.rejected, verify.demands, verify.bindings
    );
    let _ = writeln!(
        text,
        "vote     {} ballots: {} kept, {} without a majority; {} contracts",
        vote.ballots, vote.kept, vote.minority, vote.contracts
    );
    text
}

/// The same finding on several samples is told once, with all its candidates.
fn merge(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let same = |other: &&mut Diagnostic| {
            other.code == diagnostic.code
                && other.message == diagnostic.message
                && other.help == diagnostic.help
                && other.labels == diagnostic.labels
        };
        match merged.iter_mut().find(same) {
            Some(other) => other.contracts.extend(diagnostic.contracts.iter().cloned()),
            None => merged.push(diagnostic.clone()),
        }
    }
    for diagnostic in &mut merged {
        if let Some(label) = diagnostic
            .labels
            .first_mut()
            .filter(|label| label.text.is_empty())
        {
            label.text = diagnostic.contracts.join(", ");
        }
    }
    merged
}

/// NOMOS's Table III: each candidate counts once below the repairs.
fn outcomes(outcomes: &Outcomes) -> String {
    let mut table = Columns::new(&["candidates", "#count"]);
    let mut row = |name: &str, count: u32| table.row(&[name, &count.to_string()]);
    row("raw extraction candidates", outcomes.candidates);
    for (check, count) in &outcomes.repaired {
        row(&format!("  repaired: {check}"), *count);
    }
    for (check, count) in &outcomes.rejected {
        row(&format!("  rejected: {check}"), *count);
    }
    row("  without a majority", outcomes.minority);
    row("  merged", outcomes.merged);
    row("  enforced", outcomes.enforced);
    table.render()
}

fn contracts(library: &Library) -> String {
    let mut table = Columns::new(&["contract", "lines", "kind", "votes", "says"]);
    for contract in &library.contracts {
        let mut lines: Vec<String> = contract
            .clauses
            .iter()
            .map(|clause| clause.lines.to_string())
            .collect();
        // Two sentences of one line are two clauses.
        lines.dedup();
        let least = contract
            .evidence
            .votes
            .iter()
            .map(|it| it.votes)
            .min()
            .unwrap_or(0);
        table.row(&[
            contract.id.clone(),
            lines.join(", "),
            contract.kind.name().to_owned(),
            format!("{least}/{}", contract.evidence.samples),
            format!("{} [{}]", contract.says, contract.bindings.join(", ")),
        ]);
    }
    table.render()
}

/// The coverage table: one row a clause, the totals below.
fn coverage(report: &CompileReport) -> String {
    let mut table = Columns::new(&["lines", "coverage", "by", "clause"]);
    for row in &report.coverage {
        let (status, by) = status(row);
        table.row(&[row.lines.to_string(), status.to_owned(), by, cut(&row.text)]);
    }
    let totals = &report.totals;
    format!(
        "{}{} enforced, {} partly enforced, {} not decidable, {} not normative, {} missed, {} not asked\n",
        table.render(),
        totals.enforced,
        totals.partly_enforced,
        totals.not_decidable,
        totals.not_normative,
        totals.missed,
        totals.not_asked
    )
}

fn status(row: &CoverageRow) -> (&'static str, String) {
    match &row.coverage {
        Coverage::Enforced { contracts } => ("enforced", contracts.join(", ")),
        Coverage::PartlyEnforced { contracts, missing } => (
            "partly enforced",
            format!("{}; missing: {missing}", contracts.join(", ")),
        ),
        Coverage::NotDecidable { reason, note } => {
            let reason = serde_json::to_value(reason).ok();
            let reason = reason
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let note = if note.is_empty() {
                reason
            } else {
                format!("{reason}: {note}")
            };
            ("not decidable", note)
        }
        Coverage::NotNormative => ("not normative", String::new()),
        Coverage::Missed { note } => ("missed", note.clone()),
        Coverage::NotAsked => (
            "not asked",
            "no sample of its section could be read".to_owned(),
        ),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CLAUSE {
        return text.to_owned();
    }
    let short: String = text.chars().take(MAX_CLAUSE - 1).collect();
    format!("{}…", short.trim_end())
}
