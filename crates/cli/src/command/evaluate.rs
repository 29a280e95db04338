//! `lictor evaluate`: recorded runs judged by a library.

use crate::arguments::{Evaluate, EvaluateFormat, Replay};
use crate::exit::Exit;
use crate::render::table::{Columns, proportion};
use crate::{input, recordings, render};
use lictor_monitor::{Monitor, RefusalKind};
use lictor_replay::Oddity;
use lictor_replay::evaluate::{RunRecord, Totals, Verdicts, evaluate_run};
use lictor_replay::replay::Mode;
use serde_json::json;
use std::fmt::Write as _;

/// Most refused calls that the text form tells one by one.
const MAX_SHOWN: usize = 20;

/// Runs the command. Runs are read one at a time, so their number does not matter.
pub fn run(options: &Evaluate) -> anyhow::Result<Exit> {
    let library = input::library(&options.library)?;
    let monitor = Monitor::new(&library)?;
    let mode = match options.replay {
        Replay::Audit => Mode::Audit,
        Replay::Gate => Mode::Gate,
    };
    let mut totals = Totals::new(&monitor, mode);
    let mut records: Vec<RunRecord> = Vec::new();
    let mut shown = Refused::default();
    let mut findings = false;
    let oddities = recordings::each(&options.transcripts, |run| {
        let record = evaluate_run(&monitor, run, mode);
        findings |= !(record.violations.is_empty()
            && record.falsified.is_empty()
            && record.pending.is_empty());
        totals.add(&record);
        match options.format {
            EvaluateFormat::Jsonl => render::line(&serde_json::to_string(&record)?)?,
            EvaluateFormat::Json => records.push(record),
            EvaluateFormat::Text => shown.add(&record),
        }
        Ok(())
    })?;
    match options.format {
        EvaluateFormat::Json => render::json(&json!({
            "diagnostics": [], "totals": totals, "runs": records, "oddities": oddities,
        }))?,
        EvaluateFormat::Text => render::text(&text(&totals, &shown, &oddities))?,
        EvaluateFormat::Jsonl => recordings::note(&oddities),
    }
    Ok(Exit::found(findings))
}

/// The first refused calls, as lines, and how many more there are.
#[derive(Default)]
struct Refused {
    lines: Vec<String>,
    more: usize,
    /// Agents that tried a refused call again and again, as lines.
    loops: Vec<String>,
}

impl Refused {
    fn add(&mut self, record: &RunRecord) {
        self.loops.extend(record.loops.iter().map(|it| {
            format!(
                "{} m{}.c{} {} was refused {} times in a row with the same arguments",
                record.run, it.message, it.position, it.tool, it.times
            )
        }));
        for violation in &record.violations {
            if self.lines.len() == MAX_SHOWN {
                self.more += 1;
                continue;
            }
            let kind = match violation.kind {
                RefusalKind::Violated => "violates",
                RefusalKind::Undecidable => "cannot be decided by",
                RefusalKind::UnknownTool => "is unknown to",
            };
            self.lines.push(format!(
                "{} m{}.c{} {} {kind} {}: {}",
                record.run,
                violation.message,
                violation.position,
                violation.tool,
                violation.contract.as_deref().unwrap_or("the library"),
                violation.reason
            ));
        }
    }
}

fn text(totals: &Totals, refused: &Refused, oddities: &[Oddity]) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} runs replayed in {} mode: {} calls, {} of them writes",
        totals.runs, totals.mode, totals.calls, totals.writes
    );
    let kinds = &totals.violations;
    let _ = writeln!(
        text,
        "calls refused: {} violated, {} undecidable, {} of unknown tools",
        kinds.violated, kinds.undecidable, kinds.unknown_tool
    );
    let _ = writeln!(
        text,
        "writes that violate a contract: {}",
        proportion(&totals.violated_writes)
    );
    let verdicts =
        |it: &Verdicts| format!("{} fail, {} active, {} idle", it.fail, it.active, it.idle);
    let _ = writeln!(
        text,
        "agent: {}; environment: {}",
        verdicts(&totals.agent),
        verdicts(&totals.env)
    );
    let _ = writeln!(
        text,
        "runs with a violation: {} of {} passed, {} of {} failed, {} of {} unlabelled\n",
        totals.passed.with_violated,
        totals.passed.runs,
        totals.failed.with_violated,
        totals.failed.runs,
        totals.unlabelled.with_violated,
        totals.unlabelled.runs
    );
    let mut table = Columns::new(&[
        "contract",
        "#violated",
        "#undecidable",
        "#falsified",
        "#pending",
        "#runs",
    ]);
    for contract in &totals.contracts {
        let numbers = [
            contract.violated,
            contract.undecidable,
            contract.falsified,
            contract.pending,
            contract.runs,
        ];
        let mut row = vec![contract.contract.clone()];
        row.extend(numbers.map(|number| number.to_string()));
        table.row(&row);
    }
    text.push_str(&table.render());
    if !refused.lines.is_empty() {
        text.push('\n');
    }
    for line in &refused.lines {
        text.push_str(line);
        text.push('\n');
    }
    if refused.more > 0 {
        let _ = writeln!(
            text,
            "… and {} more; `--format jsonl` has all",
            refused.more
        );
    }
    for line in refused.loops.iter().take(MAX_SHOWN) {
        let _ = writeln!(text, "{line}");
    }
    let more = refused.loops.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        let _ = writeln!(text, "… and {more} more loops");
    }
    if !oddities.is_empty() {
        let _ = writeln!(text, "\n{}", recordings::told(oddities));
    }
    text
}
