//! Ingests the published benchmark recordings, where they are at hand. The
//! numbers were counted by other means than this crate.

use lictor_replay::Recordings;
use std::path::Path;

/// File, runs, agent calls, passed, failed, unlabelled.
const COUNTS: [(&str, u64, u64, u64, u64, u64); 17] = [
    (
        "tau-bench/airline/transcripts.gpt-4o.jsonl.gz",
        116,
        661,
        51,
        65,
        0,
    ),
    (
        "tau-bench/airline/transcripts.qwen2.5-coder-32b-textcalls.jsonl.gz",
        29,
        0,
        0,
        0,
        29,
    ),
    (
        "tau-bench/retail/transcripts.avaljotsingh-0623.jsonl.gz",
        68,
        560,
        47,
        21,
        0,
    ),
    (
        "tau-bench/retail/transcripts.gpt-4.1.jsonl.gz",
        77,
        609,
        71,
        6,
        0,
    ),
    (
        "tau-bench/retail/transcripts.gpt-4o.jsonl.gz",
        77,
        647,
        56,
        21,
        0,
    ),
    (
        "tau-bench/retail/transcripts.qwen2.5-coder-32b-textcalls.jsonl.gz",
        77,
        0,
        0,
        0,
        77,
    ),
    (
        "tau2/airline/transcripts.human-agent.jsonl.gz",
        17,
        96,
        0,
        0,
        17,
    ),
    (
        "tau2/airline/transcripts.small-gpt-4.1-mini.jsonl.gz",
        4,
        5,
        3,
        1,
        0,
    ),
    (
        "tau2/airline/transcripts.toolorchestra.jsonl.gz",
        29,
        290,
        13,
        16,
        0,
    ),
    (
        "tau2/airline/transcripts.whissle.jsonl.gz",
        29,
        157,
        15,
        14,
        0,
    ),
    (
        "tau2/retail/transcripts.gemini-3-flash.jsonl.gz",
        77,
        584,
        60,
        17,
        0,
    ),
    (
        "tau2/retail/transcripts.gpt-4.1-mini.jsonl.gz",
        77,
        604,
        45,
        32,
        0,
    ),
    (
        "tau2/retail/transcripts.gpt-5-mini.jsonl.gz",
        77,
        556,
        43,
        34,
        0,
    ),
    (
        "tau2/retail/transcripts.gpt-5-nano.jsonl.gz",
        77,
        637,
        23,
        54,
        0,
    ),
    (
        "tau2/retail/transcripts.human-agent.jsonl.gz",
        47,
        398,
        0,
        0,
        47,
    ),
    (
        "tau2/retail/transcripts.small-gpt-4.1-mini.jsonl.gz",
        2,
        10,
        2,
        0,
        0,
    ),
    (
        "tau2/retail/transcripts.toolorchestra.jsonl.gz",
        74,
        571,
        63,
        11,
        0,
    ),
];

#[test]
fn the_published_recordings_are_read_in_full() {
    let Ok(root) = std::env::var("LICTOR_FIELD_DATA") else {
        println!("skipped: LICTOR_FIELD_DATA does not name a folder with the recordings");
        return;
    };
    for (file, runs, calls, pass, fail, unlabelled) in COUNTS {
        let mut recordings = Recordings::open(&[Path::new(&root).join("data").join(file)]).unwrap();
        let (mut orphans, mut silent) = (0, 0);
        for run in recordings.by_ref() {
            let run = run.unwrap();
            orphans += run
                .oddities
                .iter()
                .filter(|oddity| oddity.text.contains("answers no open call"))
                .count();
            silent += usize::from(run.calls().next().is_none() && run.oddities.is_empty());
        }
        let report = &recordings.reports()[0];
        assert_eq!(
            (
                report.runs,
                report.calls,
                report.pass,
                report.fail,
                report.unlabelled
            ),
            (runs, calls, pass, fail, unlabelled),
            "{file}"
        );
        assert_eq!((orphans, silent), (0, 0), "{file}");
        println!("{file}: {:?}, {} oddities", report.format, report.oddities);
    }
}
