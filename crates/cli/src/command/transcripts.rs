//! `lictor transcripts`: what was recognised in recorded runs.

use crate::arguments::{LinesFormat, Transcripts};
use crate::exit::Exit;
use crate::render::{self, table::Columns};
use lictor_replay::{FileReport, Oddity, Recordings};
use serde_json::json;

/// Most oddities that the text form prints one by one.
const MAX_SHOWN: usize = 20;

/// Runs the command.
pub fn run(options: &Transcripts) -> anyhow::Result<Exit> {
    let mut recordings = Recordings::open(&options.paths)?;
    let mut oddities: Vec<Oddity> = Vec::new();
    for run in recordings.by_ref() {
        oddities.extend(run?.oddities);
    }
    let reports = recordings.reports();
    oddities.extend(
        reports
            .iter()
            .flat_map(|report| report.beside.iter().cloned()),
    );
    match options.format {
        LinesFormat::Jsonl => {
            for report in reports {
                render::line(&serde_json::to_string(report)?)?;
            }
        }
        LinesFormat::Json => {
            render::json(&json!({"diagnostics": [], "files": reports, "oddities": oddities}))?;
        }
        LinesFormat::Text => text(reports, &oddities)?,
    }
    Ok(Exit::Clean)
}

fn text(reports: &[FileReport], oddities: &[Oddity]) -> anyhow::Result<()> {
    let mut table = Columns::new(&[
        "file",
        "format",
        "#runs",
        "#calls",
        "#pass",
        "#fail",
        "#unlabelled",
        "#oddities",
    ])
    .unbroken();
    for report in reports {
        let format = report
            .format
            .map_or_else(|| "not recognised".to_owned(), |format| format.to_string());
        let mut row = vec![report.file.clone(), format];
        let numbers = [
            report.runs,
            report.calls,
            report.pass,
            report.fail,
            report.unlabelled,
            report.oddities,
        ];
        row.extend(numbers.map(|number| number.to_string()));
        table.row(&row);
    }
    render::text(&table.render())?;
    if !oddities.is_empty() {
        render::line("")?;
    }
    for oddity in oddities.iter().take(MAX_SHOWN) {
        render::line(&oddity.to_string())?;
    }
    if oddities.len() > MAX_SHOWN {
        render::line(&format!(
            "… and {} more oddities; `--format json` lists all",
            oddities.len() - MAX_SHOWN
        ))?;
    }
    Ok(())
}
