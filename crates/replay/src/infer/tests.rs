use super::*;
use crate::specimen;
use lictor_contract::overlay::Overlay;

const SHOP: &str = r#"[
  {"name": "get_order", "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
  {"name": "cancel_order", "parameters": {"properties": {"order_id": {"type": "string"}, "reason": {}}}},
  {"name": "get_balance", "parameters": {"properties": {"user": {"type": "string"}}}},
  {"name": "pay_bill", "parameters": {"properties": {"account": {"type": "string"}, "amount": {}}}},
  {"name": "login", "x-write": true}]"#;

/// What is proposed from these runs, which must be an overlay that the tools take.
#[track_caller]
fn proposal(tools: &str, runs: &[&[&str]]) -> String {
    let catalog = Catalog::from_json(tools).unwrap();
    let runs: Vec<Run> = runs
        .iter()
        .map(|lines| specimen::run("r", None, &[], lines))
        .collect();
    let mut observation = Observation::new(&catalog);
    for run in &runs {
        observation.look(run);
    }
    let learned = observation.learned();
    let mut comparison = learned.compare();
    for run in &runs {
        comparison.follow(run);
    }
    let text = comparison.proposal();
    let overlay = Overlay::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(error) = catalog.clone().apply(&overlay) {
        panic!("{error}\n{text}");
    }
    text
}

/// Expects lines in the proposal from the shop's runs, and others not to be there.
#[track_caller]
fn check(runs: &[&[&str]], expected: &[&str], absent: &[&str]) {
    let text = proposal(SHOP, runs);
    for line in expected {
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
    for line in absent {
        assert!(!text.contains(line), "`{line}` is in\n{text}");
    }
}

#[test]
fn with_no_runs_only_words_speak() {
    check(
        &[],
        &[
            "# Proposed from 0 recorded runs",
            "effect: read  # the name says `get`",
            "effect: write  # the name says `pay`",
            "# Never answered in these runs: ",
        ],
        &["results:", "shape:", "entities:", "ids:", "login:"],
    );
    let nothing = proposal(r#"[{"name": "a", "x-write": true}]"#, &[]);
    assert!(nothing.ends_with("{}\n"), "{nothing}");
}

#[test]
fn forms_of_results_are_seen() {
    let paired: &[&str] = &[
        r#"get_balance {"user": "a"} = [true, 5.5]"#,
        r#"get_balance {"user": "b"} = 7"#,
        r#"get_balance {"user": "c"} = [false, null]"#,
        r#"login {} = true"#,
        r#"login {} = false"#,
    ];
    check(
        &[paired],
        &[
            r#"- {ok: "result[0] == true", value: "result[1]"}  # 1 of 3 results, and 1 with false in front"#,
            r#"- {ok: "result <= 0 | result > 0", value: "result"}  # 1 of 3 results"#,
            r#"- {ok: "result == true", value: "result"}  # 1 of 2 results, and 1 is false"#,
        ],
        &[],
    );
    let flagged: &[&str] = &[
        r#"get_order {"order_id": "1"} = {"success": true, "data": {"order_id": "1", "n": 1}}"#,
        r#"get_order {"order_id": "2"} = {"success": false, "error": "gone"}"#,
    ];
    check(
        &[flagged],
        &[
            r#"- {ok: "result.success == true", value: "result.data"}  # 1 of 2 results, and 1 with `success` false"#,
        ],
        &[],
    );
    let told: &[&str] = &[
        r#"get_order {"order_id": "1"} = {"order_id": "1", "n": 1}"#,
        r#"get_order {"order_id": "2"} = Not found: 2"#,
        r#"get_order {"order_id": "2"} = null"#,
    ];
    check(
        &[told],
        &[
            "# fit none of these and so count as errors: 1 begin like a failure, 1 are null",
            r#"- {ok: "known(result.order_id)", value: "result"}  # 1 of 3 results"#,
        ],
        &[],
    );
}

#[test]
fn results_that_are_their_values_need_no_form() {
    let plain: &[&str] = &[
        r#"get_order {"order_id": "1"} = {"order_id": "1", "ok": "maybe"}"#,
        r#"get_balance {"user": "a"} = 5"#,
        r#"get_balance {"user": "a"} = "five""#,
        r#"pay_bill {"account": "a"} = [1, 2]"#,
        r#"cancel_order {"order_id": "1"} = [true, 2, 3]"#,
    ];
    check(&[plain], &[], &["results:"]);
}

const HISTORY: &[&str] = &[
    r#"get_order {"order_id": "1"} = {"order_id": "1", "status": "open", "n": 1}"#,
    r#"cancel_order {"order_id": "1", "reason": "late"} = {"order_id": "1", "status": "gone", "n": 1}"#,
    r#"get_order {"order_id": "2"} = {"order_id": "2", "status": "open", "n": 2}"#,
    r#"get_order {"order_id": "1"} = {"order_id": "1", "status": "gone", "n": 1}"#,
    r#"cancel_order {"order_id": "2", "reason": "late"} = {"order_id": "2", "status": "gone", "n": 2}"#,
    r#"get_balance {"user": "ann"} = 50"#,
    r#"pay_bill {"account": "ann", "amount": 5} = ok"#,
    r#"get_balance {"user": "ann"} = 45"#,
];

#[test]
fn records_and_what_makes_them_stale_are_seen() {
    check(
        &[HISTORY],
        &[
            "  order:\n    key: order_id\n    returned_by:\n",
            "- cancel_order  # 2 of 2 answers have the `order_id` asked for",
            "- get_order  # 3 of 3 answers have the `order_id` asked for",
            "cancel_order: {fields: [status], key: order_id}  # 2 of 2 readings differ after it",
            "  balance:\n    key: user\n    returned_by:\n      - get_balance",
            "pay_bill: {key: account}  # 1 of 1 readings differ after it",
            "shape: &order  # 5 values of all tools that return the record",
            "shape: *order",
            "effect: write  # the name says `pay`, and 1 reading differs after it",
        ],
        &["late", "gone", "ann"],
    );
}

#[test]
fn a_cause_is_named_only_where_it_is_the_only_one() {
    let two: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"pay_bill {"account": "bob", "amount": 5} = ok"#,
        r#"cancel_order {"order_id": "1"} = ok"#,
        r#"get_balance {"user": "ann"} = 45"#,
    ];
    check(&[two], &[], &["entities:"]);
    let failed: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"pay_bill {"account": "ann", "amount": 5} = Error: timed out"#,
        r#"get_balance {"user": "ann"} = 45"#,
    ];
    check(&[failed], &[], &["entities:"]);
    let named: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"pay_bill {"account": "ann", "amount": 5} = ok"#,
        r#"cancel_order {"order_id": "1"} = ok"#,
        r#"get_balance {"user": "ann"} = 45"#,
    ];
    check(
        &[named],
        &["pay_bill: {key: account}"],
        &["cancel_order: {"],
    );
}

#[test]
fn a_write_that_does_not_name_the_record_makes_all_of_them_stale() {
    let purse: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"cancel_order {"order_id": "1"} = ok"#,
        r#"get_balance {"user": "ann"} = 45"#,
        r#"pay_bill {"account": "ann", "amount": 5} = ok"#,
        r#"get_balance {"user": "ann"} = 40"#,
    ];
    check(
        &[purse],
        &[
            "cancel_order: {}  # 1 of 1 readings differ after it; its arguments do not name the record, so every one is stale",
        ],
        &[],
    );
}

#[test]
fn a_write_that_may_name_two_records_makes_all_of_them_stale() {
    let tools = r#"[{"name": "get_balance", "x-write": false, "parameters": {"properties": {"user": {}}}},
        {"name": "transfer", "x-write": true, "parameters": {"properties": {"user": {}, "destination_user": {}}}}]"#;
    let run: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"transfer {"user": "ann", "destination_user": "bob"} = true"#,
        r#"get_balance {"user": "ann"} = 40"#,
    ];
    let text = proposal(tools, &[run]);
    let line = "transfer: {}  # 1 of 1 readings differ after it; `destination_user` may name another, so every one is stale";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_read_after_which_things_differ_is_not_taken_for_one() {
    let tools = r#"[{"name": "get_loan", "parameters": {"properties": {"user": {}}}},
        {"name": "get_balance", "parameters": {"properties": {"user": {}}}}]"#;
    let run: &[&str] = &[
        r#"get_balance {"user": "ann"} = 50"#,
        r#"get_loan {"user": "ann"} = ok"#,
        r#"get_balance {"user": "ann"} = 60"#,
    ];
    let text = proposal(tools, &[run, run]);
    let remark =
        "# `get_loan` is taken for a read, but 2 readings differ after it with no write in between";
    assert!(text.contains(remark), "{text}");
    assert!(!text.contains("get_loan:"), "{text}");
}

#[test]
fn ids_that_are_spelt_otherwise_are_seen() {
    let run: &[&str] = &[
        r##"get_balance {"user": "a"} = {"orders": [{"number": "#W17"}]}"##,
        r#"get_order {"order_id": "w17"} = {"order_id": "W17"}"#,
        r##"get_order {"order_id": "#W17"} = {"order_id": "W17"}"##,
    ];
    check(
        &[run],
        &[
            "- number  # the field that `order_id` names",
            "- order_id  # 1 of 2 arguments differ from the value they name in case, blanks or `#` alone",
        ],
        &["W17"],
    );
}

#[test]
fn what_the_catalog_says_is_not_proposed_again() {
    let mut catalog = Catalog::from_json(SHOP).unwrap();
    let first = proposal(SHOP, &[HISTORY]);
    catalog.apply(&Overlay::from_text(&first).unwrap()).unwrap();
    let mut observation = Observation::new(&catalog);
    let run = specimen::run("r", None, &[], HISTORY);
    observation.look(&run);
    let learned = observation.learned();
    let mut comparison = learned.compare();
    comparison.follow(&run);
    let again = comparison.proposal();
    assert!(again.ends_with("{}\n"), "{again}");
}

#[test]
fn names_that_no_tool_has_are_told() {
    let run: &[&str] = &[
        r#"Get_Order {"order_id": "1"} = x"#,
        r#"fly {} = x"#,
        r#"fly {} = x"#,
    ];
    check(
        &[run],
        &[
            "# `Get_Order` is no tool of the catalog and was called once; if it is `get_order`, add it to its `aliases`.",
            "# `fly` is no tool of the catalog and was called 2 times.",
        ],
        &[],
    );
}

#[test]
fn hostile_names_stay_in_their_place() {
    let tools = r#"[{"name": "get\n: {", "parameters": {"properties": {"a\"b: #c": {}, "no": {}}}},
        {"name": "*set", "x-write": true, "parameters": {"properties": {"no": {}}}}]"#;
    let run: &[&str] = &[
        r##"*set {"no": "1"} = [true, {"no": "1", "a: b": 1, "- x": {"#": 2}}]"##,
        r##"*set {"no": "2"} = [true, {"no": "2", "a: b": 1, "- x": {"#": 2}}]"##,
        r##"*set {"no": "2"} = [true, {"no": "2", "a: b": 2, "- x": {"#": 2}}]"##,
    ];
    let text = proposal(tools, &[run]);
    assert!(text.contains("\"*set\":"), "{text}");
    assert!(text.contains("\"get\\n: {\":"), "{text}");
}
