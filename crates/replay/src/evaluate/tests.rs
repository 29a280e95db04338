use super::*;
use crate::specimen::{library, run};

const TOOLS: [&str; 4] = ["get_order", "refund", "cancel", "close"];
const DELIVERED: &str = "G (call(refund) -> last(get_order, id = arg.id).status == \"delivered\")";

/// The record's JSON without the keys that only repeat the run.
#[track_caller]
fn check(contracts: &[(&str, &[&str], &str)], run: &Run, mode: Mode, expected: &str) {
    let library = library(&TOOLS, contracts);
    let monitor = Monitor::new(&library).unwrap();
    let record = evaluate_run(&monitor, run, mode);
    let violations: Vec<String> = record
        .violations
        .iter()
        .map(|violation| {
            let kind = serde_json::to_value(violation.kind).unwrap();
            format!(
                "m{}.c{} {} {} {}{}",
                violation.message,
                violation.position,
                violation.tool,
                kind.as_str().unwrap(),
                violation.contract.as_deref().unwrap_or("-"),
                violation
                    .also
                    .iter()
                    .map(|id| format!(" +{id}"))
                    .collect::<String>(),
            )
        })
        .collect();
    let shown = format!(
        "{} calls, {} writes | {} | {} | {} | {:?}",
        record.calls,
        record.writes,
        violations.join(", "),
        record
            .falsified
            .iter()
            .map(|it| format!("m{} {}", it.message, it.contract))
            .collect::<String>(),
        record
            .pending
            .iter()
            .map(|it| it.contract.as_str())
            .collect::<String>(),
        record.agent,
    );
    assert_eq!(shown, expected);
}

#[test]
fn a_call_the_gate_would_refuse_is_a_violation() {
    let contracts: &[(&str, &[&str], &str)] = &[
        ("A", &["refund"], DELIVERED),
        ("B", &["cancel"], "G !call(cancel)"),
    ];
    let honest = run(
        "r",
        None,
        &[],
        &[
            r#"get_order {"id": 1} = {"status": "delivered"}"#,
            r#"refund {"id": 1} = "ok""#,
        ],
    );
    check(
        contracts,
        &honest,
        Mode::Audit,
        "2 calls, 1 writes |  |  |  | Active",
    );
    let early = run("r", None, &[], &[r#"refund {"id": 1} = "ok""#]);
    check(
        contracts,
        &early,
        Mode::Audit,
        "1 calls, 1 writes | m0.c0 refund undecidable A |  |  | Fail",
    );
    let wrong = run(
        "r",
        None,
        &[],
        &[
            r#"get_order {"id": 1} = {"status": "open"}"#,
            r#"refund {"id": 1} = "ok""#,
        ],
    );
    check(
        contracts,
        &wrong,
        Mode::Audit,
        "2 calls, 1 writes | m2.c0 refund violated A |  |  | Fail",
    );
    let parallel = run(
        "r",
        None,
        &[],
        &[r#"get_order {"id": 1} = {"status": "open"}; cancel {} = ok"#],
    );
    check(
        contracts,
        &parallel,
        Mode::Audit,
        "2 calls, 1 writes | m0.c1 cancel violated B |  |  | Fail",
    );
}

#[test]
fn one_entry_a_call_names_the_first_violated_contract() {
    let contracts: &[(&str, &[&str], &str)] = &[
        ("A", &["refund"], DELIVERED),
        ("B", &["refund"], "G !call(refund)"),
        ("C", &["refund"], "G !call(refund | cancel)"),
    ];
    let early = run("r", None, &[], &[r#"refund {"id": 1} = ok"#]);
    check(
        contracts,
        &early,
        Mode::Audit,
        "1 calls, 1 writes | m0.c0 refund violated B +A +C |  |  | Fail",
    );
}

#[test]
fn an_unknown_tool_is_told_and_neither_a_write_nor_a_failure() {
    let run = run("r", None, &[], &["fly {} = ok"]);
    check(
        &[],
        &run,
        Mode::Audit,
        "1 calls, 0 writes | m0.c0 fly unknown-tool - |  |  | Active",
    );
}

#[test]
fn the_modes_differ_in_what_a_refused_call_counts_for() {
    // At most one refund: in audit the refused one used it up, in gate it did not.
    let contracts: &[(&str, &[&str], &str)] = &[
        ("A", &["refund"], DELIVERED),
        (
            "B",
            &["refund"],
            "G (call(refund) -> count(ok(refund)) < 1)",
        ),
    ];
    let run = run(
        "r",
        None,
        &[],
        &[
            r#"refund {"id": 1} = ok"#,
            r#"get_order {"id": 1} = {"status": "delivered"}"#,
            r#"refund {"id": 1} = ok"#,
        ],
    );
    check(
        contracts,
        &run,
        Mode::Audit,
        "3 calls, 2 writes | m0.c0 refund undecidable A, m4.c0 refund violated B |  |  | Fail",
    );
    check(
        contracts,
        &run,
        Mode::Gate,
        "3 calls, 2 writes | m0.c0 refund undecidable A |  |  | Fail",
    );
}

#[test]
fn a_stopped_call_is_judged_and_steps_nothing() {
    let contracts: &[(&str, &[&str], &str)] = &[(
        "B",
        &["refund"],
        "G (call(refund) -> count(call(refund)) < 1)",
    )];
    let lines = &[
        r#"refund {"id": 1} = stopped"#,
        r#"refund {"id": 1} = ok"#,
        r#"refund {"id": 1} = ok"#,
    ];
    let stopped = run("r", None, &[("m0.c0", false)], lines);
    check(
        contracts,
        &stopped,
        Mode::Audit,
        "3 calls, 3 writes | m4.c0 refund violated B |  |  | Fail",
    );
}

#[test]
fn returns_and_open_obligations_are_listed_apart() {
    let contracts: &[(&str, &[&str], &str)] = &[
        ("A", &["get_order"], "G !error(get_order)"),
        ("B", &["close"], "F call(close)"),
    ];
    let run = run("r", None, &[], &[r#"get_order {"id": 1} = Error: none"#]);
    check(
        contracts,
        &run,
        Mode::Audit,
        "1 calls, 0 writes |  | m1 A | B | Fail",
    );
}

#[test]
fn the_record_has_the_keys_of_the_documentation() {
    let library = library(
        &TOOLS,
        &[
            ("A", &["cancel"], "G !call(cancel)"),
            ("B", &["get_order"], "G !error(get_order)"),
        ],
    );
    let monitor = Monitor::new(&library).unwrap();
    let run = run(
        "r7",
        Some(true),
        &[],
        &["cancel {} = ok", "get_order {} = Error"],
    );
    let record = evaluate_run(&monitor, &run, Mode::Audit);
    let mut json = serde_json::to_value(&record).unwrap();
    let reason = json["violations"][0]["reason"].take();
    assert!(reason.as_str().is_some_and(|reason| !reason.is_empty()));
    let expected = serde_json::json!({
        "run": "r7", "task": null, "trial": null, "reward": null, "pass": true,
        "env": json["env"], "agent": "fail", "calls": 2, "writes": 1,
        "violations": [{"contract": "A", "kind": "violated", "message": 0, "position": 0,
            "call_id": "c0", "tool": "cancel", "reason": null}],
        "falsified": [{"contract": "B", "message": 3, "event": "return"}],
        "pending": [],
    });
    assert_eq!(json, expected);
}

#[test]
fn totals_count_calls_once_and_contracts_each() {
    let library = library(
        &TOOLS,
        &[
            ("A", &["refund"], DELIVERED),
            ("B", &["refund"], "G !call(refund)"),
            ("C", &["cancel"], "G !call(cancel)"),
        ],
    );
    let monitor = Monitor::new(&library).unwrap();
    let runs = [
        run(
            "1",
            Some(true),
            &[],
            &[r#"refund {"id": 1} = ok"#, r#"close {} = ok"#],
        ),
        run(
            "2",
            Some(false),
            &[],
            &["cancel {} = ok", "cancel {} = ok", "fly {} = ok"],
        ),
        run("3", None, &[], &["user hello"]),
    ];
    let totals = evaluate(&monitor, &runs, Mode::Audit).totals;
    assert_eq!((totals.runs, totals.calls, totals.writes), (3, 5, 4));
    assert_eq!(
        totals.violations,
        Kinds {
            violated: 3,
            undecidable: 0,
            unknown_tool: 1
        }
    );
    assert_eq!(
        (totals.violated_writes.of, totals.violated_writes.among),
        (3, 4)
    );
    let contracts: Vec<(u64, u64, u64)> = totals
        .contracts
        .iter()
        .map(|it| (it.violated, it.undecidable, it.runs))
        .collect();
    assert_eq!(contracts, [(0, 1, 1), (1, 0, 1), (2, 0, 1)]);
    assert_eq!((totals.agent.fail, totals.agent.active), (2, 1));
    assert_eq!(
        (
            totals.passed.with_violated,
            totals.failed.with_violated,
            totals.unlabelled.runs
        ),
        (1, 1, 1)
    );
}
