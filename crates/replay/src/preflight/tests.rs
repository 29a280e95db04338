use super::*;
use crate::specimen::{library, run};

const OPEN: &str = "G (call(cancel) -> last(get_order, id = arg.id).status == \"open\")";

fn report(runs: &[Run], flag_at: f64) -> Preflight {
    let library = library(
        &["get_order", "cancel", "refund", "close"],
        &[
            ("A", &["cancel", "refund"], OPEN),
            (
                "B",
                &["cancel"],
                "G (call(cancel) -> count(ok(cancel)) < 1)",
            ),
            ("C", &["close"], "G !call(close)"),
        ],
    );
    let monitor = Monitor::new(&library).unwrap();
    preflight(&library, &monitor, runs, flag_at)
}

const READ: &str = r#"get_order {"id": 1} = {"status": "open"}"#;
const CANCEL: &str = r#"cancel {"id": 1} = ok"#;

/// Rows as `contract tool refused/calls refused/calls-in-failed fired verdict`.
#[track_caller]
fn check(runs: &[Run], flag_at: f64, expected: &[&str]) {
    let rows: Vec<String> = report(runs, flag_at)
        .bindings
        .iter()
        .map(|row| {
            format!(
                "{} {} {}/{} {}/{} {} {:?}",
                row.contract,
                row.tool,
                row.passed.of,
                row.passed.among,
                row.failed.of,
                row.failed.among,
                if row.fired { "fired" } else { "silent" },
                row.verdict
            )
        })
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn each_binding_has_its_row() {
    let runs = [
        run("1", Some(true), &[], &[READ, CANCEL]),
        run("2", Some(true), &[], &[CANCEL]),
        run("3", Some(false), &[], &[CANCEL, "close {} = ok"]),
        run("4", None, &[], &["close {} = ok"]),
    ];
    let rows = [
        "A cancel 1/2 1/1 fired Kept",
        "A refund 0/0 0/0 silent NoVerdict",
        "B cancel 0/2 0/1 silent Kept",
        "C close 0/0 1/1 fired NoVerdict",
    ];
    check(&runs, 0.9, &rows);
    let report = report(&runs, 0.9);
    assert_eq!(
        (
            report.passed_runs,
            report.failed_runs,
            report.unlabelled_runs
        ),
        (2, 1, 1)
    );
    let summary = &report.summary;
    assert_eq!(
        (
            summary.bindings,
            summary.supported,
            summary.fired,
            summary.flagged
        ),
        (4, 2, 2, 0)
    );
    let worst = summary.worst.as_ref().unwrap();
    assert_eq!(
        (
            worst.contract.as_str(),
            worst.tool.as_str(),
            worst.refused.of
        ),
        ("A", "cancel", 1)
    );
}

#[test]
fn the_flag_line_is_met_by_its_own_value() {
    let mut runs = vec![run("0", Some(true), &[], &[READ, CANCEL])];
    runs.extend((1..10).map(|index| run(&index.to_string(), Some(true), &[], &[CANCEL])));
    let at = |flag_at| {
        report(&runs, flag_at)
            .flagged()
            .map(|(contract, tool)| format!("{contract} {tool}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(at(0.9), ["A cancel"]);
    assert!(at(0.91).is_empty());
}

#[test]
fn a_refused_call_uses_nothing_up_but_its_answer_is_a_fact() {
    // The first cancel is refused for want of a look-up, so the second is the first.
    let runs = [run("1", Some(true), &[], &[CANCEL, READ, CANCEL])];
    check(
        &runs,
        0.9,
        &[
            "A cancel 1/2 0/0 fired Kept",
            "A refund 0/0 0/0 silent NoVerdict",
            "B cancel 0/2 0/0 silent Kept",
            "C close 0/0 0/0 silent NoVerdict",
        ],
    );
    // A look-up that a rule refuses still tells what it told.
    let library = library(
        &["get_order", "cancel"],
        &[
            ("A", &["cancel"], OPEN),
            ("R", &["get_order"], "G !call(get_order)"),
        ],
    );
    let monitor = Monitor::new(&library).unwrap();
    let report = preflight(
        &library,
        &monitor,
        [run("1", Some(true), &[], &[READ, CANCEL])],
        0.9,
    );
    assert_eq!(report.bindings[0].passed.of, 0);
    assert_eq!(report.flagged().collect::<Vec<_>>(), [("R", "get_order")]);
}

#[test]
fn without_runs_nothing_is_claimed() {
    let report = report(&[], 0.9);
    assert!(
        report
            .bindings
            .iter()
            .all(|row| row.verdict == BindingVerdict::NoVerdict)
    );
    assert_eq!(report.summary.worst, None);
}
