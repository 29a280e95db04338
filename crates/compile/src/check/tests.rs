//! Rule files with planted mistakes: each is found at its words, and the sound
//! rules survive.

use super::*;
use lictor_contract::contract::Contract;
use lictor_contract::diagnostic::Severity;
use lictor_contract::rule::ConfirmationReading;

/// The tools of a field case: one amount with bounds, one list of tiers.
const REFUNDS: &str = r#"[{"type": "function", "function": {"name": "issue_refund", "parameters": {"type": "object",
  "properties": {"amount": {"type": "number", "minimum": 0, "maximum": 1000},
                 "tier": {"type": "string", "enum": ["basic", "gold"]}},
  "required": ["amount", "tier"]}}}]"#;

fn run(text: &str) -> Checked {
    let catalog = Catalog::from_json(REFUNDS).unwrap();
    check(
        &Source::new("rules.yaml", text),
        &catalog,
        &Settings::default(),
    )
    .unwrap()
}

/// The code, the id and the words under the caret of each finding.
#[track_caller]
fn check_findings(text: &str, expected: &[(&str, &str, &str)], sound: usize) {
    let checked = run(text);
    let seen: Vec<(&str, &str, &str)> = checked
        .diagnostics
        .iter()
        .map(|found| {
            let range = found.labels[0].range.clone();
            let id = found.contracts.first().map_or("", String::as_str);
            (found.code.name(), id, text.get(range).unwrap())
        })
        .collect();
    assert_eq!(seen, expected);
    let contracts = checked.library.map_or(0, |library| library.contracts.len());
    assert_eq!(contracts, sound);
}

#[test]
fn rules_that_never_fire_are_all_found() {
    check_findings(
        r#"contracts:
  - {id: r1, kind: prohibition, tools: [isue_refund], condition: arg.amount > 10}
  - {id: r2, kind: prohibition, tools: [issue_refund], condition: arg.total > 50}
  - {id: r3, kind: prohibition, tools: [issue_refund], condition: 'arg.tier == "platinum"'}
  - {id: r4, kind: prohibition, tools: [issue_refund], condition: arg.amount > 5000}
  - {id: r5, kind: prohibition, tools: [issue_refund], condition: arg.amount > 10 & arg.amount < 5}
  - {id: r6, kind: precedence, tools: [issue_refund], first: ok(check_warranty)}
  - {id: r7, kind: prohibition, tools: [issue_refund], condition: arg.amount > 100}
"#,
        &[
            ("unknown-tool", "r1", "isue_refund"),
            ("argument-not-in-signature", "r2", "total"),
            ("unsatisfiable-domain", "r3", r#"arg.tier == "platinum""#),
            ("unsatisfiable-domain", "r4", "arg.amount > 5000"),
            ("unsatisfiable-domain", "r5", "issue_refund"),
            ("unknown-tool", "r6", "check_warranty"),
        ],
        1,
    );
}

#[test]
fn what_is_wrong_is_an_error_and_what_is_repaired_a_warning() {
    let severities = |text: &str| -> Vec<Severity> {
        run(text)
            .diagnostics
            .iter()
            .map(|found| found.severity)
            .collect()
    };
    let dead =
        "contracts: [{id: a, kind: prohibition, tools: [issue_refund], condition: arg.total > 5}]";
    assert_eq!(severities(dead), [Severity::Error, Severity::Error]);
    let repaired = "contracts: [{id: a, kind: prohibition, tools: [issue_refund, pay], condition: arg.amount > 5}]";
    assert_eq!(severities(repaired), [Severity::Warning]);
}

#[test]
fn a_rule_stays_whole_and_keeps_its_id() {
    let checked = run(
        "contracts: [{id: cap, kind: precondition, tools: [issue_refund], says: At most 9., condition: 'arg.amount <= 9 & turn.size <= 1'}]",
    );
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let library = checked.library.unwrap();
    let contract = &library.contracts[0];
    assert_eq!(
        (contract.id.as_str(), contract.says.as_str()),
        ("cap", "At most 9.")
    );
    assert_eq!(
        contract.guarantee,
        "G (call(issue_refund) -> arg.amount <= 9 & turn.size <= 1)"
    );
    assert_eq!(checked.rules, 1);
    assert_eq!(Library::from_json(&library.to_json()).unwrap(), library);
}

#[test]
fn a_file_without_a_rule_is_an_error() {
    check_findings("contracts: []", &[("empty-library", "", "")], 0);
    let catalog = Catalog::from_json(REFUNDS).unwrap();
    for text in ["", "contract: []", "[", "3"] {
        assert!(check(&Source::new("r.yaml", text), &catalog, &Settings::default()).is_err());
    }
}

#[test]
fn words_are_found_as_words() {
    assert_eq!(whole_word("arg.totals > total", "total"), Some(13));
    assert_eq!(whole_word("subtotal", "total"), None);
    assert_eq!(whole_word("x", ""), None);
}

/// Tools of a case desk, which differ in what their calls carry.
const CASES: &str = r#"[
  {"name": "open_case", "parameters": {"properties": {"user_id": {"type": "string"}}, "required": ["user_id"]}},
  {"name": "edit_case", "parameters": {"properties": {"user_id": {"type": "string"}, "case_id": {"type": "string"}},
   "required": ["user_id", "case_id"]}},
  {"name": "close_case", "parameters": {"properties": {"case_id": {"type": "string"}}, "required": ["case_id"]}}]"#;

/// The contracts sealed from one rule, and the code and words of each finding.
fn cases(rule: &str) -> (Vec<Contract>, Vec<(&'static str, String)>) {
    let text = format!("contracts:\n - {{id: a, {rule}}}");
    let catalog = Catalog::from_json(CASES).unwrap();
    let source = Source::new("rules.yaml", text.as_str());
    let checked = check(&source, &catalog, &Settings::default()).unwrap();
    let found = checked.diagnostics.iter().map(|found| {
        let range = found.labels[0].range.clone();
        (found.code.name(), text.get(range).unwrap().to_owned())
    });
    let found = found.collect();
    let contracts = checked.library.map(|library| library.contracts);
    (contracts.unwrap_or_default(), found)
}

#[test]
fn a_rule_for_each_value_is_sealed_with_its_parameters() {
    let both = "kind: formula, guarantee: 'G (call(edit_case) -> O call(open_case))'";
    let (one, found) = cases(&format!("{both}, for_each: [arg.userId, case_id]"));
    assert_eq!(found, []);
    assert_eq!(one[0].for_each, ["user_id", "case_id"]);
    let (other, _) = cases(&format!("{both}, for_each: user_id"));
    let (none, _) = cases(both);
    assert_eq!(none[0].for_each, <[&str; 0]>::default());
    // The same automaton, three meanings.
    assert_eq!(one[0].guarantee, none[0].guarantee);
    assert_ne!(one[0].meaning, other[0].meaning);
    assert_ne!(other[0].meaning, none[0].meaning);
    let (gate, _) = cases("kind: prohibition, tools: [edit_case, open_case], for_each: [user_id]");
    assert_eq!(gate[0].for_each, ["user_id"]);
}

#[test]
fn events_that_find_no_instance_are_told() {
    let (contracts, found) = cases(
        "guarantee: 'G (call(edit_case) -> H !error(close_case))', for_each: [user_id, case_id]",
    );
    assert!(contracts.is_empty());
    assert_eq!(found[0], ("unsupported-pattern", "user_id".to_owned()));
    let (contracts, found) =
        cases("kind: prohibition, tools: [edit_case, close_case], for_each: [user_id, case_id]");
    assert_eq!(contracts[0].bindings, ["edit_case"]);
    assert_eq!(found[0].0, "unsupported-pattern");
    let (_, found) = cases("kind: prohibition, tools: [close_case], for_each: [user]");
    assert_eq!(found[0], ("argument-not-in-signature", "user".to_owned()));
}

#[test]
fn findings_in_named_terms_point_at_the_condition() {
    check_findings(
        r#"
terms: {TOTAL: arg.total, AMOUNT: arg.amount}
contracts:
  - {id: a, kind: prohibition, tools: [issue_refund], condition: 'arg.amount > 10 & TOTAL   > 5'}
  - {id: b, kind: prohibition, tools: [issue_refund], condition: 'AMOUNT>5000 | arg.amount > 1'}
  - {id: c, kind: prohibition, tools: [issue_refund], condition: 'AMOUNT > 50'}
"#,
        &[
            ("argument-not-in-signature", "a", "TOTAL   > 5"),
            ("unsatisfiable-domain", "b", "AMOUNT>5000"),
        ],
        2,
    );
}

#[test]
fn each_setting_of_the_file_wins_over_the_given_one() {
    let catalog = Catalog::from_json(REFUNDS).unwrap();
    let rules = Source::new(
        "rules.yaml",
        "settings: {zone: UTC}\ncontracts: [{id: a, kind: confirmation, tools: [issue_refund]}]\nexpect: [{events: [{call: issue_refund, expect: refuse}]}]",
    );
    let given = Settings {
        confirmation: ConfirmationReading::Batch,
        zone: Some("Mars".into()),
        ..Settings::default()
    };
    let checked = check(&rules, &catalog, &given).unwrap();
    let library = checked.library.unwrap();
    assert_eq!(library.settings.zone.as_deref(), Some("UTC"));
    assert_eq!(library.settings.confirmation, ConfirmationReading::Batch);
    assert!(!library.contracts[0].guarantee.contains("count"));
    assert_eq!(checked.expectations.len(), 1);
}
