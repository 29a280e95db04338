//! Rules written by hand for real policies, and what they say to real runs. Reads
//! recorded data that is not part of the repository, and skips without it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first thing that is not as it should be"
)]

use crate::support::{Desk, field_data, root};
use lictor_contract::library::Library;
use lictor_monitor::Monitor;
use lictor_replay::Recordings;
use lictor_replay::evaluate::{Totals, evaluate_run};
use lictor_replay::preflight::Flight;
use lictor_replay::replay::Mode;
use lictor_replay::statistics::Proportion;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The recordings of a folder whose file names begin like this.
fn recordings(data: &Path, folder: &str, prefix: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(data.join("data").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(prefix) && name.ends_with(".jsonl.gz")
        })
        .collect();
    found.sort();
    found
}

/// Checks a rule file with its overlay and its expectations, replays it over all
/// recordings of its domain, and holds the numbers to what is written down.
/// `LICTOR_BLESS=1` writes them down: look at each change first.
#[track_caller]
fn hold(name: &str, tools: &str, folders: &[(&str, &str)], clauses: usize) {
    let Some(data) = field_data() else { return };
    let rules = root()
        .join("tests/field/rules")
        .join(format!("{name}.yaml"));
    let tools = data.join("data").join(tools);
    let desk = Desk::new();
    let checked = desk.run(&[
        "check".as_ref(),
        rules.as_os_str(),
        "--tools".as_ref(),
        tools.as_os_str(),
        "--out".as_ref(),
        "library.json".as_ref(),
    ]);
    assert_eq!(checked.code, 0, "{}", checked.shown());
    let library = Library::from_json(&desk.read("library.json")).unwrap();
    let ids: std::collections::BTreeSet<&str> = library
        .contracts
        .iter()
        .map(|contract| contract.id.split('.').next().unwrap())
        .collect();
    assert!(ids.len() >= clauses, "{} of {clauses} clauses", ids.len());
    let monitor = Monitor::new(&library).unwrap();
    let mut flight = Flight::new(&library, &monitor);
    let mut sets = BTreeMap::new();
    for (folder, prefix) in folders {
        let mut totals = Totals::new(&monitor, Mode::Audit);
        for run in Recordings::open(&recordings(&data, folder, prefix)).unwrap() {
            let run = run.unwrap();
            totals.add(&evaluate_run(&monitor, &run, Mode::Audit));
            flight.add(&run);
        }
        let contracts: BTreeMap<_, _> = totals
            .contracts
            .iter()
            .map(|it| {
                (
                    it.contract.as_str(),
                    json!([
                        it.violated,
                        it.undecidable,
                        it.falsified,
                        it.pending,
                        it.runs
                    ]),
                )
            })
            .collect();
        let set = json!({
            "runs": totals.runs, "calls": totals.calls, "writes": totals.writes,
            "violations": totals.violations,
            "passed": totals.passed, "failed": totals.failed, "unlabelled": totals.unlabelled,
            "violated, undecidable, falsified, pending, runs": contracts,
        });
        sets.insert((*folder).to_owned(), set);
    }
    let share = |it: &Proportion| format!("{}/{}", it.of, it.among);
    let preflight = flight.finish(0.9);
    let bindings: BTreeMap<String, String> = preflight
        .bindings
        .iter()
        .map(|it| {
            let key = format!("{} {}", it.contract, it.tool);
            let refused = format!(
                "passed {}, failed {}, unlabelled {}",
                share(&it.passed),
                share(&it.failed),
                share(&it.unlabelled)
            );
            (key, refused)
        })
        .collect();
    let found = json!({
        "contracts": library.contracts.len(),
        "audit": sets,
        "preflight": preflight.summary,
        "refused calls": bindings,
    });
    let path = root()
        .join("tests/field/rules")
        .join(format!("{name}.expected.json"));
    let text = serde_json::to_string_pretty(&found).unwrap() + "\n";
    if std::env::var_os("LICTOR_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(expected, text);
}

#[test]
fn tau2_airline() {
    let sets = [
        ("tau2/airline", "transcripts."),
        ("tau-bench/airline", "transcripts."),
    ];
    hold("tau2-airline", "tau2/airline/tools.json", &sets, 18);
}

#[test]
fn tau2_retail() {
    let sets = [
        ("tau2/retail", "transcripts."),
        ("tau-bench/retail", "transcripts."),
    ];
    hold("tau2-retail", "tau2/retail/tools.json", &sets, 16);
}

#[test]
fn tau2_telecom() {
    let sets = [("tau2/telecom", "transcripts.")];
    hold("tau2-telecom", "tau2/telecom/tools.json", &sets, 8);
}

#[test]
fn sopbench_bank() {
    let sets = [("sopbench/bank", "runs.")];
    hold("sopbench-bank", "sopbench/bank/tools.json", &sets, 16);
}

#[test]
fn agentdojo_banking() {
    let sets = [("agentdojo/banking", "runs.")];
    hold(
        "agentdojo-banking",
        "agentdojo/banking/tools.json",
        &sets,
        6,
    );
}
