//! Ingests the published benchmark recordings, where they are at hand, and holds
//! them against the table that came with them. It was counted by other means
//! than this crate.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is not as it should be, and says what it skips"
)]

use lictor_replay::{Format, Recordings};
use std::path::{Path, PathBuf};

/// The folder with the recordings; says so if there is none.
fn data() -> Option<PathBuf> {
    let root = std::env::var_os("LICTOR_FIELD_DATA");
    if root.is_none() {
        println!("skipped: LICTOR_FIELD_DATA does not name a folder with the recordings");
    }
    root.map(|root| Path::new(&root).join("data"))
}

/// One row of the table.
struct Row {
    file: String,
    /// Runs, agent calls, passed, failed, unlabelled.
    counts: [u64; 5],
}

/// The rows `| file | runs | tasks | calls | pass | fail | no label | KiB |`.
fn table(data: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(data.join("README.md")).unwrap();
    text.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let file = cells.get(1).filter(|file| file.ends_with(".jsonl.gz"))?;
            let number = |place: usize| cells.get(place)?.parse().ok();
            Some(Row {
                file: (*file).to_owned(),
                counts: [number(2)?, number(4)?, number(5)?, number(6)?, number(7)?],
            })
        })
        .collect()
}

/// The format that a file's family has.
fn expected(file: &str) -> Option<Format> {
    match file.split('/').next()? {
        "tau-bench" => Some(Format::TauBench),
        "tau2" => Some(Format::Tau2),
        "sopbench" => Some(Format::Sopbench),
        "agentdojo" | "agentdyn" => Some(Format::Agentdojo),
        // R-Judge's actions are free text, not calls.
        _ => None,
    }
}

#[test]
fn the_published_recordings_are_read_in_full() {
    let Some(data) = data() else { return };
    let rows = table(&data);
    assert!(rows.len() >= 79, "{} rows", rows.len());
    let (mut wrong, mut orphans, mut silent) = (Vec::new(), Vec::new(), 0);
    for row in rows {
        let Some(format) = expected(&row.file) else {
            println!("{}: not supported", row.file);
            continue;
        };
        let mut recordings = Recordings::open(&[data.join(&row.file)]).unwrap();
        for run in recordings.by_ref() {
            let run = run.unwrap();
            let lost = run
                .oddities
                .iter()
                .filter(|oddity| {
                    oddity.text.contains("answers no open call")
                        || oddity.text.contains("cannot be told")
                })
                .map(ToString::to_string);
            orphans.extend(lost);
            silent += usize::from(run.calls().next().is_none() && run.oddities.is_empty());
            assert_eq!(run.format, format, "{}", row.file);
        }
        let report = &recordings.reports()[0];
        let found = [
            report.runs,
            report.calls,
            report.pass,
            report.fail,
            report.unlabelled,
        ];
        if found != row.counts || !report.beside.is_empty() {
            wrong.push(format!("{}: {found:?}, not {:?}", row.file, row.counts));
        }
        println!("{}: {format}, {} oddities", row.file, report.oddities);
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!(orphans, [""; 0]);
    assert_eq!(silent, 0);
}

/// Each event of a recording with times has one, and they go forward.
#[test]
fn recorded_times_are_kept() {
    let Some(data) = data() else { return };
    let file = data.join("tau2/airline/transcripts.whissle.jsonl.gz");
    for run in Recordings::open(&[file]).unwrap() {
        let times: Vec<Option<String>> = run.unwrap().events.into_iter().map(|e| e.at).collect();
        assert!(times.iter().all(Option::is_some));
        assert!(times.is_sorted(), "{times:?}");
    }
}

#[test]
fn free_text_actions_are_refused_and_not_taken_for_calls() {
    let Some(data) = data() else { return };
    let mut recordings = Recordings::open(&[data.join("rjudge/records.jsonl.gz")]).unwrap();
    let error = recordings.next().unwrap().unwrap_err().to_string();
    assert!(error.contains("no format recognised"), "{error}");
}
