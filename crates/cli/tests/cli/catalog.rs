//! Tool catalogs in every form, servers and names, through the binary.

use crate::support::{Desk, Run};

/// Runs `check` over rules with these files of tools.
#[track_caller]
fn check(files: &[(&str, &str)], tools: &[&str], rules: &str) -> Run {
    let desk = Desk::with("rules.yaml", rules);
    for (name, text) in files {
        desk.write(name, text);
    }
    let mut arguments = vec!["check", "rules.yaml", "--out", "library.json"];
    for file in tools {
        arguments.extend(["--tools", file]);
    }
    let run = desk.run(&arguments);
    assert!(!run.err.contains("panicked"), "{}", run.shown());
    run
}

/// Expects an exit code and words in the output.
#[track_caller]
fn says(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, code, "{}", run.shown());
    for word in words {
        let found = run.out.contains(word) || run.err.contains(word);
        assert!(found, "`{word}` is not in {}", run.shown());
    }
}

const REFERENCES: &str = r##"{"tools": [
  {"name": "issue_refund", "inputSchema": {"type": "object", "$defs": {
      "Money": {"type": "object", "properties": {"value": {"type": "number", "minimum": 0}}, "required": ["value"]},
      "Request": {"type": "object", "properties": {"order_id": {"type": "string"},
        "amount": {"$ref": "#/$defs/Money", "description": "what to pay back"}}, "required": ["order_id", "amount"],
        "additionalProperties": false}},
    "properties": {"request": {"$ref": "#/$defs/Request"}}, "required": ["request"]}},
  {"name": "approve_refund", "inputSchema": {"type": "object",
    "definitions": {"OrderId": {"type": "string"}}, "properties": {"order_id": {"$ref": "#/definitions/OrderId"}},
    "required": ["order_id"]}},
  {"name": "archive_order", "inputSchema": {"type": "object", "properties": {"where": {"$ref": "#/$defs/Shelf"}}}}]}"##;

#[test]
fn references_are_followed_and_lost_ones_are_told() {
    let rule = |path: &str| {
        format!(
            "contracts:\n  - id: A\n    kind: precondition\n    tools: [issue_refund]\n    condition: 'arg.{path} <= 200 | count(ok(approve_refund), order_id = arg.request.order_id) > 0'\n"
        )
    };
    let run = |path: &str| check(&[("t.json", REFERENCES)], &["t.json"], &rule(path));
    let lost = ["dangling-reference", "`archive_order`", "`#/$defs/Shelf`"];
    let sound = run("request.amount.value");
    says(&sound, 1, &lost);
    says(&sound, 1, &["1 of 1 rules verified"]);
    let wrong = ["argument-not-in-signature", "no field `worth`"];
    says(&run("request.amount.worth"), 1, &wrong);
}

#[test]
fn a_name_that_a_host_may_give_to_two_tools_is_a_finding() {
    let tools = r#"{"tools": [{"name": "billing.refund.create"}, {"name": "billing.refund_create"}, {"name": "crm.contact.get"}]}"#;
    let rule = "contracts:\n  - {id: A, kind: prohibition, tools: [crm_contact_get]}\n";
    let run = check(&[("t.json", tools)], &["t.json"], rule);
    says(&run, 1, &["1 of 1 rules verified", "name-collision"]);
    let names = [
        "`billing.refund.create`",
        "`billing.refund_create`",
        "`billing_refund_create`",
    ];
    says(&run, 1, &names);
}

const MAIL: &str = r#"{"tools": [{"name": "send_email", "inputSchema": {"properties": {"to": {"type": "string"}}, "required": ["to"]}}, {"name": "list"}]}"#;
const NEWS: &str = r#"{"server": "newsletter", "tools": [{"name": "send_email", "input_schema": {"properties": {"list": {"type": "string"}}}}]}"#;

#[test]
fn two_servers_with_one_name_are_kept_apart() {
    let files = [("mail.json", MAIL), ("news.json", NEWS)];
    let tools = ["corp-mail=mail.json", "news.json"];
    let rule = |name: &str| {
        format!(
            "contracts:\n  - id: A\n    kind: precondition\n    tools: ['{name}']\n    condition: 'arg.to matches /@example\\.org$/'\n"
        )
    };
    let named = check(&files, &tools, &rule("corp-mail/send_email"));
    says(&named, 0, &["1 of 1 rules verified"]);
    let bare = check(&files, &tools, &rule("send_email"));
    let both = [
        "ambiguous-tool",
        "`corp-mail/send_email`",
        "`newsletter/send_email`",
    ];
    says(&bare, 1, &both);
    says(&bare, 1, &["0 of 1 rules verified"]);
    let alone = check(
        &files,
        &tools,
        "contracts:\n  - {id: A, kind: prohibition, tools: [list]}\n",
    );
    says(&alone, 0, &["1 of 1 rules verified"]);
}

#[test]
fn a_library_says_which_server_has_a_tool() {
    let desk = Desk::with("mail.json", MAIL);
    desk.write("news.json", NEWS);
    desk.write(
        "lictor.toml",
        "catalog = ['corp-mail=mail.json', 'news.json']\n",
    );
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, kind: prohibition, tools: [list]}\n",
    );
    let run = desk.run(&["check", "rules.yaml", "--out", "library.json"]);
    says(&run, 0, &[]);
    let library: serde_json::Value = serde_json::from_str(&desk.read("library.json")).unwrap();
    assert_eq!(library["contracts"][0]["bindings"][0], "corp-mail/list");
    let tool = &library["tools"]["newsletter/send_email"];
    assert_eq!(tool["server"], "newsletter");
    assert_eq!(tool["name"], "send_email");
    assert_eq!(tool["parameters"]["list"]["types"][0], "string");
}

#[test]
fn catalogs_that_cannot_be_joined_or_read() {
    let rule = "contracts:\n  - {id: A, kind: prohibition, tools: [list]}\n";
    let files = [
        ("mail.json", MAIL),
        ("news.json", NEWS),
        ("api.json", r#"{"swagger": "2.0"}"#),
    ];
    let refused = |tools: &[&str], words: &[&str]| {
        let run = check(&files, tools, rule);
        says(&run, 2, words);
        assert_eq!(run.out, "", "{}", run.shown());
    };
    refused(
        &["mail.json", "mail.json"],
        &["mail.json", "`list`", "twice", "SERVER=FILE"],
    );
    refused(&["=mail.json"], &["mail.json", "name of a server"]);
    refused(
        &["corp=nowhere.json"],
        &["`nowhere.json`", "does not exist"],
    );
    refused(&["api.json"], &["api.json", "OpenAPI 3"]);
    refused(&["rules.yaml"], &["rules.yaml", "not JSON"]);
}

const SHOP: &str = r#"[{"name": "get_order", "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
  {"name": "cancel_order", "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}]"#;

const OVERLAY: &str = "ids: [order_id]
tools:
  get_order:
    effect: read
    results:
      - {ok: 'known(result.order_id)'}
  cancel_order: {effect: write, aliases: [orders.cancel]}
entities:
  order:
    key: order_id
    returned_by: [get_order]
    invalidated_by:
      cancel_order: {fields: [status], key: order_id}
";

/// A desk with tools, an overlay, rules about writes, and this file besides.
fn shop(file: Option<(&str, &str)>) -> Desk {
    let desk = Desk::with("tools.json", SHOP);
    desk.write("overlay.yaml", OVERLAY);
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, kind: confirmation, tools: ['@write']}\n",
    );
    if let Some((name, text)) = file {
        desk.write(name, text);
    }
    desk
}

#[test]
fn an_overlay_says_what_schemas_do_not() {
    let base = [
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "library.json",
    ];
    let bare = shop(None).run(&base);
    says(
        &bare,
        0,
        &["unclassed-tool", "`cancel_order` and `get_order`"],
    );
    let read = |desk: &Desk| -> serde_json::Value {
        serde_json::from_str(&desk.read("library.json")).unwrap()
    };

    let flagged = shop(None);
    let mut arguments = base.to_vec();
    arguments.extend(["--overlay", "overlay.yaml"]);
    let run = flagged.run(&arguments);
    says(&run, 0, &["1 of 1 rules verified"]);
    assert!(!run.out.contains("unclassed-tool"), "{}", run.shown());
    let library = read(&flagged);
    assert_eq!(
        library["contracts"][0]["bindings"],
        serde_json::json!(["cancel_order"])
    );
    assert_eq!(
        library["tools"]["get_order"]["results"][0]["ok"],
        "known(result.order_id)"
    );
    assert_eq!(
        library["tools"]["cancel_order"]["aliases"][0],
        "orders.cancel"
    );
    let stale = &library["entities"]["order"]["invalidated_by"]["cancel_order"];
    assert_eq!(stale["fields"][0], "status");
    assert_eq!(library["ids"][0], "order_id");

    let settled = shop(Some((
        "lictor.toml",
        "overlay = 'overlay.yaml'\ncatalog = 'tools.json'\n",
    )));
    says(
        &settled.run(&["check", "rules.yaml", "--out", "library.json"]),
        0,
        &[],
    );
    assert_eq!(read(&settled), library);
}

#[test]
fn an_overlay_with_a_mistake_is_one_message_with_its_line() {
    let refused = |text: &str, words: &[&str]| {
        let desk = shop(Some(("bad.yaml", text)));
        let run = desk.run(&[
            "check",
            "rules.yaml",
            "--tools",
            "tools.json",
            "--overlay",
            "bad.yaml",
        ]);
        says(&run, 2, words);
        assert_eq!(run.out, "", "{}", run.shown());
        assert_eq!(run.err.lines().count(), 1, "{}", run.shown());
    };
    refused(
        "tools:\n  get_oder: {effect: read}\n",
        &["bad.yaml:2:3", "`get_oder`", "did you mean `get_order`"],
    );
    refused(
        "tools:\n  get_order: {efect: read}\n",
        &["bad.yaml:2:15", "`efect`", "did you mean `effect`"],
    );
    refused(
        "tools:\n  get_order: {effect: read, effect: write}\n",
        &["bad.yaml:2", "repeated"],
    );
    refused(
        "tools:\n  get_order:\n    results: [{ok: 'result.x = 1'}]\n",
        &["bad.yaml:3", "`=`"],
    );
    refused("contracts: []\n", &["bad.yaml:1:1", "no key `contracts`"]);
    refused("\n\n", &["bad.yaml", "is empty"]);
    refused("a: [1\n", &["bad.yaml:", "neither YAML nor JSON"]);
}

#[test]
fn an_overlay_is_never_written_over() {
    let desk = shop(None);
    let run = desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--overlay",
        "overlay.yaml",
        "--out",
        "overlay.yaml",
    ]);
    says(
        &run,
        2,
        &["overlay.yaml", "the overlay", "would overwrite it"],
    );
    assert_eq!(desk.read("overlay.yaml"), OVERLAY);
}

/// A desk with the sample catalog, without its marks, and the sample's runs.
fn runs() -> Desk {
    let desk = Desk::new();
    desk.copy("tool-schemas/order-desk.json", "tools.json");
    desk.copy("tests/transcripts/order-desk.jsonl", "runs.jsonl");
    desk
}

const INFER: [&str; 6] = [
    "catalog",
    "infer",
    "--tools",
    "tools.json",
    "--transcripts",
    "runs.jsonl",
];

#[test]
fn an_overlay_is_proposed_from_runs_with_its_evidence() {
    let desk = runs();
    let bare = desk.read("tools.json").replace("\"x-", "\"not-");
    desk.write("tools.json", &bare);
    let run = desk.run(&INFER);
    says(&run, 0, &["# Proposed from 34 recorded runs."]);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn what_is_proposed_is_an_overlay() {
    let desk = runs();
    let mut arguments = INFER.to_vec();
    arguments.extend(["--out", "overlay.yaml"]);
    let run = desk.run(&arguments);
    says(&run, 0, &["the proposal is in overlay.yaml"]);
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, kind: confirmation, tools: [cancel_order]}\n",
    );
    let check = [
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--overlay",
        "overlay.yaml",
        "--out",
        "library.json",
    ];
    says(&desk.run(&check), 0, &["1 of 1 rules verified"]);
    let library: serde_json::Value = serde_json::from_str(&desk.read("library.json")).unwrap();
    let stale = &library["entities"]["order"]["invalidated_by"]["cancel_order"];
    assert_eq!(stale["key"], "order_id", "{library}");

    let mut again = INFER.to_vec();
    again.extend(["--overlay", "overlay.yaml"]);
    let run = desk.run(&again);
    assert!(run.out.ends_with("{}\n"), "{}", run.shown());
}

#[test]
fn inference_needs_tools_and_runs_and_writes_over_neither() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let desk = runs();
        let run = desk.run(arguments);
        says(&run, 2, words);
        assert_eq!(run.out, "", "{}", run.shown());
        assert!(!run.err.contains("panicked"), "{}", run.shown());
    };
    let with = |more: &[&'static str]| [INFER.as_slice(), more].concat();
    refused(&["catalog"], &["infer"]);
    refused(
        &["catalog", "infer", "--tools", "tools.json"],
        &["--transcripts"],
    );
    refused(
        &["catalog", "infer", "--transcripts", "runs.jsonl"],
        &["no tool catalog is named"],
    );
    let nowhere = [
        "catalog",
        "infer",
        "--tools",
        "tools.json",
        "--transcripts",
        "nowhere",
    ];
    refused(&nowhere, &["nowhere"]);
    refused(
        &with(&["--out", "tools.json"]),
        &["the tool catalog", "would overwrite"],
    );
    refused(
        &with(&["--out", "runs.jsonl"]),
        &["a recorded run", "would overwrite"],
    );
    refused(
        &with(&["--overlay", "nowhere.yaml"]),
        &["the overlay", "does not exist"],
    );
}

#[test]
fn an_overlay_changes_nothing_that_a_model_is_asked() {
    let desk = runs();
    desk.copy("policies/order-desk.md", "policy.md");
    desk.copy("policies/order-desk.samples.jsonl", "policy.samples.jsonl");
    let overlay = "tools:\n  get_order: {effect: write, trusted: true}\nids: [order_id]\n";
    desk.write("overlay.yaml", overlay);
    let base = [
        "compile",
        "policy.md",
        "--tools",
        "tools.json",
        "--out",
        "library.json",
    ];
    let with = [base.as_slice(), &["--overlay", "overlay.yaml"]].concat();
    let run = desk.run(&with);
    says(&run, 1, &["45 answers read, 0 failed"]);
    let library: serde_json::Value = serde_json::from_str(&desk.read("library.json")).unwrap();
    assert_eq!(library["ids"][0], "order_id");
    assert_eq!(library["tools"]["get_order"]["effect"], "write");
    assert_eq!(library["tools"]["get_order"]["trusted"], true);
}

/// What is proposed from recorded runs of a benchmark, if they are at hand.
fn proposed(tools: &str, sets: &[&str]) -> Option<String> {
    let data = crate::support::field_data()?.join("data");
    let path = |name: &str| data.join(name).display().to_string();
    let desk = Desk::new();
    let mut arguments = ["catalog", "infer", "--tools"].map(str::to_owned).to_vec();
    arguments.push(path(tools));
    arguments.push("--transcripts".to_owned());
    arguments.extend(sets.iter().map(|set| path(set)));
    let run = desk.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.shown());
    Some(run.out)
}

#[test]
fn proposals_from_real_runs_are_what_a_person_would_write() {
    let has = |text: &str, lines: &[&str]| {
        for line in lines {
            assert!(text.contains(line), "`{line}` is not in\n{text}");
        }
    };
    let sets = [
        "tau2/retail/transcripts.toolorchestra.jsonl.gz",
        "tau2/retail/transcripts.gpt-5-mini.jsonl.gz",
        "tau2/retail/transcripts.gpt-4.1-mini.jsonl.gz",
    ];
    if let Some(text) = proposed("tau2/retail/tools.json", &sets) {
        has(
            &text,
            &[
                "  order:\n    key: order_id\n",
                "cancel_pending_order: {fields: [cancel_reason, payment_history, status], key: order_id}",
                "modify_pending_order_address: {fields: [address], key: order_id}",
                "modify_user_address: {fields: [address], key: user_id}",
            ],
        );
    }
    let sets = [
        "sopbench/bank/runs.gpt-4.1.fc.jsonl.gz",
        "sopbench/bank/runs.gpt-4o.fc.jsonl.gz",
        "sopbench/bank/runs.gpt-4o.react.jsonl.gz",
        "sopbench/bank/runs.o4-mini-high.fc.jsonl.gz",
    ];
    if let Some(text) = proposed("sopbench/bank/tools.json", &sets) {
        has(
            &text,
            &[
                "      - {ok: \"result[0] == true\", value: \"result[1]\"}",
                "      - {ok: \"result <= 0 | result > 0\", value: \"result\"}",
                "  login_user:\n    results:\n      - {ok: \"result == true\", value: \"result\"}",
                "# `get_loan` has no effect class and counts as a write: the name says `get` and the description `applies`.",
            ],
        );
    }
}
