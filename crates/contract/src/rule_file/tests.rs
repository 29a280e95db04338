//! Rule files with and without mistakes.

use super::*;
use crate::language::print_formula;
use crate::library::{Settings, Unlisted};
use crate::predicate::Atom;
use crate::rule::{Body, ConfirmationReading};

/// Reads a file and shows each diagnostic as `code id "words": message`.
pub(super) fn findings(text: &str) -> (RuleFile, Vec<String>) {
    let source = Source::new("rules.yaml", text);
    let (file, diagnostics) = read_rule_file(&source).unwrap();
    let shown = diagnostics
        .iter()
        .map(|found| {
            assert!(!found.help.is_empty(), "{found:?}");
            let words = text.get(found.labels[0].range.clone()).unwrap();
            format!(
                "{} {} {words:?}: {}",
                found.code.name(),
                found.contracts.join(","),
                found.message
            )
        })
        .collect();
    (file, shown)
}

/// Demands exactly these findings, by their beginnings.
#[track_caller]
pub(super) fn check(text: &str, expected: &[&str]) {
    let (_, shown) = findings(text);
    assert_eq!(shown.len(), expected.len(), "{shown:#?}");
    for (shown, expected) in shown.iter().zip(expected) {
        assert!(shown.starts_with(expected), "{shown}");
    }
}

const GOOD: &str = r#"
# The order desk.
settings: {confirmation: batch}
contracts:
  - id: ORD-1
    kind: precondition
    tools: [cancel_order]
    condition: last(get_order, order_id = arg.order_id).status == "pending"
    says: Only pending orders are cancelled.
    clause: {lines: [3, 4], text: "Only pending orders."}
  - id: ORD-2
    guarantee: |
      G (call(refund)
         -> O ok(get_order)
            & arg.amount <= 100)
    strategy: escalate
  - {id: ORD-3, kind: confirmation, tools: '@write', listed: null}
"#;

#[test]
fn a_good_file_is_read_whole() {
    let (file, shown) = findings(GOOD);
    assert_eq!(shown, Vec::<String>::new());
    assert_eq!(file.settings.confirmation, Some(ConfirmationReading::Batch));
    assert_eq!((file.given, file.entries.len()), (3, 3));
    let [first, second, third] = file.entries.as_slice() else {
        panic!("not three");
    };
    assert_eq!(first.says, "Only pending orders are cancelled.");
    assert_eq!(
        first.clause.as_ref().unwrap().lines,
        Lines { first: 3, last: 4 }
    );
    assert_eq!(second.strategy, Strategy::Escalate);
    assert_eq!(second.rule.tools.to_string(), "refund");
    assert_eq!(third.rule.body, Body::Confirmation { listed: vec![] });
    let source = Source::new("rules.yaml", GOOD);
    let words = |entry: &RuleEntry| -> Vec<String> {
        let place =
            |(_, place): &(Atom, Place)| GOOD.get(entry.locate(&source, place)).unwrap().to_owned();
        entry.spans.atoms.iter().map(place).collect()
    };
    assert_eq!(
        words(second),
        ["call(refund)", "ok(get_order)", "arg.amount <= 100"]
    );
    assert!(words(first)[0].starts_with("last("));
}

#[test]
fn json_is_read_the_same_way() {
    let text = r#"{"contracts": [{"id": "A", "kind": "precondition", "tools": ["a"], "keys": [], "at_most": null,
        "condition": "arg.x = \"y\""}, {"id": "B", "guarantee": "G (call(a) -> arg.x == \"y\")"}]}"#;
    check(text, &["syntax A \"=\": `=` stands"]);
    let (file, _) = findings(text);
    let Body::Formula { guarantee, .. } = &file.entries[0].rule.body else {
        panic!("no formula");
    };
    assert_eq!(print_formula(guarantee), "G (call(a) -> arg.x == \"y\")");
}

#[test]
fn every_mistake_is_reported_where_it_stands() {
    check(
        r#"
contracts:
  - id: A
    kind: precondtion
    tools: [a]
    condition: "arg.x is 1"
  - id: B
    kind: prohibition
    tool: [a]
    conditions: arg.x == 1
    says: 3
  - id: A
    guarantee: G call(a)
  - kind: limit
    at_most: -1
    tools: [a, 7, null, 'b c']
  - just words
  - id: C
    guarantee: !call(a) U user
  - id: D
    id: E
    guarantee: user U call(a) & arg.x == "no #3"
    strategy: retry
    clause: {lines: [4, 3], txt: x}
  - id: F
    kind: prohibition
    tools: [a]
    condition:
settings: {confirmation: batches, other: 1}
rules: {}
"#,
        &[
            "syntax  \"rules\": a rule file has no key `rules`",
            "syntax  \"other\": `settings` has no key `other`",
            "syntax  \"batches\": `batches` is no value of `confirmation`",
            "syntax A \"precondtion\": there is no kind `precondtion`",
            "syntax A \"is\": `is` stands",
            "syntax B \"tool\": a contract has no key `tool`",
            "syntax B \"conditions\": a contract has no key `conditions`",
            "syntax B \"3\": `says` is a number, not a text",
            "syntax B \"B\": a prohibition needs `tools`",
            "duplicate-id A \"A\": the id `A` is given twice",
            "syntax contract 4 \"kind\": contract 4 has no `id`",
            "syntax contract 4 \"7\": `tools` is a number",
            "syntax contract 4 \"null\": an item of `tools` is `null`",
            "syntax contract 4 \"-1\": `at_most` is no whole number",
            "syntax contract 4 \"c\": `c` stands",
            "syntax  \"just words\": contract 5 is a text, not a mapping",
            "syntax C \"!call(a)\": YAML takes `!call(a)` for a tag",
            "syntax D \"id\": the key `id` is repeated",
            "syntax D \"retry\": `retry` is no value of `strategy`",
            "syntax D \"txt\": a clause has no key `txt`",
            "syntax D \"[\": `lines` are no lines",
            "syntax D \"\\\"no\": a text in quotes does not end",
            "syntax F \"\": `condition` is empty",
        ],
    );
}

#[test]
fn what_is_no_rule_file_is_one_sentence() {
    let check = |text: &str, expected: &str| {
        let error = read_rule_file(&Source::new("r.yaml", text)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    };
    check("", "r.yaml:1:1: the rule file is empty");
    check("just text", "r.yaml:1:1: the rule file is a text");
    check("[1]", "r.yaml:1:1: the rule file is a list");
    check(
        "a: [1\nb: 2",
        "r.yaml:2:2: the rule file is neither YAML nor JSON: ",
    );
    check(
        "contracts:\n - tools: [@write]",
        "r.yaml:2:12: the rule file is neither",
    );
    check(
        "a: 1\n---\nb: 2",
        "r.yaml:3:1: the rule file is neither YAML nor JSON: it holds more than one",
    );
    check(
        "settings: {}",
        "r.yaml:1:1: the rule file has no list `contracts`",
    );
    check("contracts: {a: 1}", "r.yaml:1:12: `contracts` is a mapping");
    check("contracts:\n", "r.yaml:1:");
    check(&"[".repeat(100_000), "r.yaml:1:");
    check(&"- ".repeat(100_000), "r.yaml:1:");
    check(&"{\"a\":".repeat(100_000), "r.yaml:1:");
    check("contracts: &a [*a]", "r.yaml:1:");
    check(
        "{\"lictor\": 1, \"contracts\": []}",
        "r.yaml:1:2: this is a compiled library",
    );
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let before = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb += &format!("a{level}: &a{level} [{before}]\n");
    }
    check(
        &bomb,
        "r.yaml:6:20: the rule file is too large or nested too",
    );
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_do_no_harm() {
    let text = "\u{feff}contracts:\r\n  - id: A\r\n    guarantee: |\r\n      G (call(a)\r\n        -> arg.x is 1)\r\n";
    check(text, &["syntax A \"is\": `is` stands"]);
}

#[test]
fn half_a_file_never_panics() {
    for (end, _) in GOOD.char_indices() {
        let _ = read_rule_file(&Source::new("r.yaml", GOOD.get(..end).unwrap()));
    }
}

#[test]
fn named_terms_are_written_out_and_their_mistakes_told_once() {
    let (file, shown) = findings(
        r#"
terms:
  RES: last(get_reservation, id = arg.id)
  CABIN: lower(RES.cabin)
contracts:
  - {id: A, kind: precondition, tools: [change], condition: 'CABIN != "basic" & RES.legs[0].day > now'}
  - {id: B, kind: confirmation, tools: [change], listed: [RES.total]}
  - {id: C, kind: response, tools: [log], trigger: 'ok(change) & RES.vip == true'}
"#,
    );
    assert_eq!(shown, Vec::<String>::new());
    let texts: Vec<String> = file
        .entries
        .iter()
        .map(|entry| match &entry.rule.body {
            Body::Precondition { condition } => print_formula(condition),
            Body::Confirmation { listed } => listed[0].to_string(),
            Body::Response { trigger } => print_formula(trigger),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        texts,
        [
            "lower(last(get_reservation, id = arg.id).cabin) != \"basic\" & last(get_reservation, id = arg.id).legs[0].day > now",
            "last(get_reservation, id = arg.id).total",
            "ok(change) & last(get_reservation, id = arg.id).vip == true",
        ]
    );
    check(
        r#"
terms:
  RES: last(get_reservation, id = args.id)
  DEEP: RES.legs[0]
  call: arg.x
  SUM: "arg.a \"b\" == 1"
  GONE: null
  NONE:
  RES: arg.y
  LEN: len(arg.x)
contracts:
  - {id: A, guarantee: G (call(a) -> DEEP.x == 1 & RES.x == 1)}
  - {id: B, guarantee: G (call(a) -> LEN.x == 1 & RESS.x == 1)}
  - {id: C, guarantee: G (call(a) -> LEN == 1 & RESS.x == 1)}
"#,
        &[
            "syntax  \"args\": `args` means nothing",
            "syntax  \"call\": `call` cannot name a term",
            "syntax  \"\\\\\": `\"` stands where an operator",
            "syntax  \"GONE\": the term `GONE` is `null`",
            "syntax  \"\": `NONE` is empty",
            "syntax B \"LEN.x\": `LEN.x` goes into a term that has no parts",
            "syntax C \"RESS\": `RESS` means nothing here",
        ],
    );
    check(
        "contracts: []\nterms: [a]",
        &["syntax  \"[\": `terms` is a list, not a mapping"],
    );
}

#[test]
fn settings_are_checked_and_win_one_by_one() {
    let text = r#"
settings: {now: 2024-05-15T15:00:00-05:00, zone: -05:00, lexicon: [en, no], unlisted: pass}
overlay: shop/overlay.yaml
contracts: []
"#;
    let (file, shown) = findings(text);
    assert_eq!(shown, Vec::<String>::new());
    let overlay = file.overlay.unwrap();
    assert_eq!(overlay.value, "shop/overlay.yaml");
    assert_eq!(text.get(overlay.range).unwrap(), "shop/overlay.yaml");
    let base = Settings {
        confirmation: ConfirmationReading::Batch,
        zone: Some("UTC".into()),
        ..Settings::default()
    };
    assert_eq!(
        file.settings.over(&base),
        Settings {
            confirmation: ConfirmationReading::Batch,
            unlisted: Unlisted::Pass,
            now: Some("2024-05-15T15:00:00-05:00".into()),
            zone: Some("-05:00".into()),
            lexicon: vec!["en".into(), "no".into()],
        }
    );
    assert_eq!(GivenSettings::default().over(&base), base);
    check(
        r#"
settings: {now: 05/15/2024, zone: Mars, lexicon: [en, en, ""], confirmation: always, zones: x}
overlay: [a]
contracts: []
"#,
        &[
            "syntax  \"zones\": `settings` has no key `zones`",
            "syntax  \"always\": `always` is no value",
            "syntax  \"05/15/2024\": `05/15/2024` is no time",
            "syntax  \"Mars\": `Mars` is no time zone",
            "syntax  \"en\": `lexicon` names `en` twice",
            "syntax  \"\\\"\\\"\": a language of `lexicon` has no name",
            "syntax  \"[\": `overlay` is a list, not a text",
        ],
    );
    check(
        "contracts: []\nsettings: batch",
        &["syntax  \"batch\": `settings` is a text"],
    );
}
