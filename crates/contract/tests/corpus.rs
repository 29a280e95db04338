//! Every text of the fuzzers' corpora, held to what the fuzzers look for.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first thing that is not as it should be"
)]

#[path = "corpus/properties.rs"]
mod properties;

use std::path::Path;

/// Runs a property over a target's corpus; a failure names the file.
fn replay(target: &str, property: fn(&str)) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut files: Vec<_> = std::fs::read_dir(corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 24, "{target} has only {} files", files.len());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let held = std::panic::catch_unwind(|| property(&String::from_utf8_lossy(&bytes)));
        assert!(held.is_ok(), "the property fails on {}", file.display());
    }
}

#[test]
fn results() {
    replay("decode_result", properties::decode_result);
}

#[test]
fn arguments() {
    replay("decode_arguments", properties::decode_arguments);
}

#[test]
fn formulas() {
    replay("parse_formula", properties::parse_and_print_formula);
}
