//! `lictor check` through the binary.

use crate::support::Desk;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.copy("tool-schemas/order-desk.json", "tools.json");
    desk
}

const MISTAKES: &str = r#"contracts:
  - id: CANCEL-1
    kind: precondition
    tools: [cancel_order]
    condition: last(get_order, order_id = arg.order_id).status = "pending"
  - id: REFUND-1
    kind: precondition
    tools: [issue_refund]
    condition: arg.amount <= "150"
  - id: CANCEL-2
    kind: limit
    tools: [cancel_ordr]
    at_most: 2
  - id: REFUND-2
    kind: precondition
    tools: [issue_refund, cancel_order]
    condition: arg.method_id != "cash"
"#;

#[test]
fn four_mistakes_give_four_diagnostics() {
    let desk = desk();
    desk.write("rules.yaml", MISTAKES);
    let run = desk.run(&["check", "rules.yaml", "--tools", "tools.json"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    insta::assert_snapshot!(run.shown());
    let json = desk
        .run(&[
            "check",
            "rules.yaml",
            "--tools",
            "tools.json",
            "--format",
            "json",
        ])
        .json();
    let names: Vec<&str> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "syntax",
            "type-mismatch",
            "unknown-tool",
            "argument-not-in-signature"
        ]
    );
    for diagnostic in json["diagnostics"].as_array().unwrap() {
        assert!(
            diagnostic["spans"][0]["line"].as_u64().unwrap() > 1,
            "{diagnostic}"
        );
    }
}

const GOOD: &str = r#"contracts:
  - id: CANCEL-1
    kind: precondition
    tools: [cancel_order]
    condition: last(get_order, order_id = arg.order_id).status == "pending"
    says: Only a pending order may be cancelled.
  - id: NOTE-1
    guarantee: G (ok(issue_refund) -> F call(add_case_note))
    says: After a refund a case note is written.
"#;

#[test]
fn good_rules_are_sealed_and_judge_runs() {
    let desk = desk();
    desk.write("rules.yaml", GOOD);
    desk.copy("tests/transcripts/order-desk.jsonl", "runs.jsonl");
    let run = desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "library.json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let first = std::fs::read_to_string(desk.path("library.json")).unwrap();
    desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "again.json",
    ]);
    assert_eq!(
        std::fs::read_to_string(desk.path("again.json")).unwrap(),
        first
    );

    let run = desk.run(&[
        "evaluate",
        "library.json",
        "--transcripts",
        "runs.jsonl",
        "--format",
        "jsonl",
    ]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let records: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 34);
    let violated = |task: &str, trial: u64| {
        let record = records
            .iter()
            .find(|record| record["task"] == task && record["trial"] == trial)
            .unwrap();
        record["violations"].as_array().unwrap().len()
    };
    assert_eq!(
        violated("cancel-packed", 1),
        1,
        "an order on the packing table is not pending"
    );
    assert_eq!(violated("cancel-pending", 0), 0);
}

#[test]
fn a_library_that_was_changed_is_refused() {
    let desk = desk();
    desk.write("rules.yaml", GOOD);
    desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "library.json",
    ]);
    let text = std::fs::read_to_string(desk.path("library.json")).unwrap();
    desk.write("library.json", &text.replace("pending", "packed"));
    desk.copy("tests/transcripts/order-desk.jsonl", "runs.jsonl");
    let run = desk.run(&["evaluate", "library.json", "--transcripts", "runs.jsonl"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("does not fit its digest") || run.err.contains("digest"),
        "{}",
        run.shown()
    );
}

#[test]
fn the_expectations_of_the_language_page_hold() {
    let page = include_str!("../../../../docs/language.md");
    let mut blocks = page.split("```yaml\n").skip(1);
    let rules = blocks
        .find_map(|block| {
            let block = block.split("```").next()?;
            block.contains("\nexpect:").then_some(block)
        })
        .unwrap();
    let tool = |name: &str, write: bool| {
        format!(
            r#"{{"name": "{name}", "x-write": {write}, "parameters": {{"properties": {{"order_id": {{"type": "string"}}}}, "required": ["order_id"]}}}}"#
        )
    };
    let tools = [tool("get_order", false), tool("cancel_order", true)].join(", ");
    let desk = Desk::new();
    desk.write("tools.json", &format!("[{tools}]"));
    let check = |rules: &str| {
        desk.write("rules.yaml", rules);
        desk.run(&["check", "rules.yaml", "--tools", "tools.json"])
    };
    let run = check(rules);
    assert_eq!(run.code, 0, "{}", run.shown());
    // Each of them is tried: turned round, none holds.
    let verdicts = [
        ("expect: undecidable", "expect: refuse"),
        ("expect: refuse, by: ORD-1", "expect: allow, by: ORD-1"),
        ("expect: allow, by: ORD-2", "expect: refuse, by: ORD-2"),
        ("expect: refuse, by: ORD-2", "expect: allow, by: ORD-2"),
    ];
    for (told, other) in verdicts {
        assert!(rules.contains(told), "{told}");
        let run = check(&rules.replace(told, other));
        assert_eq!(run.code, 1, "{other}: {}", run.shown());
    }
}

#[test]
fn null_is_told_from_other_values_and_from_what_was_never_read() {
    let rules = r#"
terms: {AT: "last(get_order, order_id = arg.order_id).cancelled_at"}
contracts:
  - {id: OPEN, kind: precondition, tools: [issue_refund], condition: AT == null}
  - {id: GONE, kind: precondition, tools: [cancel_order], condition: AT != null}
expect:
  - events:
    - {call: issue_refund, args: {order_id: W}, expect: undecidable, by: OPEN}
    - {call: cancel_order, args: {order_id: W}, expect: undecidable, by: GONE}
    - {call: get_order, args: {order_id: W}, result: {cancelled_at: null}}
    - {call: issue_refund, args: {order_id: W}, expect: allow, by: OPEN}
    - {call: cancel_order, args: {order_id: W}, expect: refuse, by: GONE}
    - {call: get_order, args: {order_id: W}, result: {cancelled_at: "2026-04-03"}}
    - {call: issue_refund, args: {order_id: W}, expect: refuse, by: OPEN}
    - {call: cancel_order, args: {order_id: W}, expect: allow, by: GONE}
"#;
    let desk = desk();
    desk.write("rules.yaml", rules);
    let run = desk.run(&["check", "rules.yaml", "--tools", "tools.json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
