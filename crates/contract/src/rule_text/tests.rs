//! Every kind there and back, and every way to fill its slots wrongly.

use super::*;

/// A rule from `slot: text` lines; items of lists are split at commas.
fn text(lines: &str) -> RuleText {
    let mut text = RuleText::default();
    for line in lines.lines() {
        let (slot, value) = line.split_once(": ").unwrap();
        let list = || value.split(", ").map(str::to_owned).collect();
        match slot {
            "kind" => text.kind = value.into(),
            "tools" => text.tools = list(),
            "condition" => text.condition = Some(value.into()),
            "first" => text.first = Some(value.into()),
            "keys" => text.keys = list(),
            "at_most" => text.at_most = value.parse().ok(),
            "trigger" => text.trigger = Some(value.into()),
            "other_tools" => text.other_tools = list(),
            "listed" => text.listed = list(),
            "assumption" => text.assumption = Some(value.into()),
            "guarantee" => text.guarantee = Some(value.into()),
            "for_each" => text.for_each = list(),
            other => panic!("no slot {other}"),
        }
    }
    text
}

#[test]
fn every_kind_is_read_and_written_back() {
    for lines in [
        "kind: precondition\ntools: cancel, refund\ncondition: arg.reason in [\"lost\"]",
        "kind: prohibition\ntools: @write",
        "kind: prohibition\ntools: cancel\ncondition: last(get, id = arg.id).status == \"sent\"",
        "kind: precedence\ntools: cancel\nfirst: ok(get)\nkeys: id",
        "kind: confirmation\ntools: cancel\nlisted: arg.id, lower(arg.reason)",
        "kind: limit\ntools: refund\nat_most: 3\nkeys: id, item",
        "kind: once-per\ntools: refund\nkeys: id",
        "kind: response\ntools: log\ntrigger: ok(refund) & arg.amount > 100",
        "kind: immediate-response\ntools: log\ntrigger: call(refund)",
        "kind: absence-after\ntools: refund\ntrigger: error(refund)",
        "kind: mutual-exclusion\ntools: refund\nother_tools: exchange, \"odd name\"",
        "kind: formula\ntools: log\nassumption: G !error(log)\nguarantee: F call(log)",
        "kind: response\ntools: log\ntrigger: ok(refund)\nfor_each: user_id, order_id",
    ] {
        let given = text(lines);
        let (rule, _) =
            read_rule(&given, Mode::Strict).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(write_rule(&rule), given);
    }
}

#[test]
fn a_formula_needs_neither_kind_nor_tools() {
    let (rule, _) = read_rule(
        &text("guarantee: G (call(a | b) -> O ok(c)) & G !call(@write)"),
        Mode::Strict,
    )
    .unwrap();
    assert_eq!(rule.tools.to_string(), "a | b | @write");
    check(
        "guarantee: G user",
        &["guarantee 0..6: the formula calls no tool"],
    );
}

/// Demands exactly these errors, each as `slot index range: message…`.
#[track_caller]
fn check(lines: &str, expected: &[&str]) {
    let errors = read_rule(&text(lines), Mode::Strict).unwrap_err();
    let shown: Vec<String> = errors
        .iter()
        .map(|error| {
            let index = error
                .index
                .map_or(String::new(), |index| format!("[{index}]"));
            format!("{}{index} {:?}: {}", error.slot, error.range, error.message)
        })
        .collect();
    assert_eq!(shown.len(), expected.len(), "{shown:?}");
    for (shown, expected) in shown.iter().zip(expected) {
        assert!(shown.starts_with(expected), "{shown}");
    }
    assert!(errors.iter().all(|error| !error.help.is_empty()));
}

#[test]
fn all_errors_come_at_once() {
    check(
        "kind: precedence\ntools: a b, *\ncondition: arg.x = 1\nkeys: k, arg.k, ?k",
        &[
            "tools[0] 2..3: `b` stands",
            "tools[1] 0..1: `*` is no tool",
            "condition 6..7: `=` stands",
            "keys[1] 0..5: the key `k` is given twice",
            "keys[2] 0..2: the key `?k` is a placeholder",
            "first 0..0: a precedence needs `first`",
            "condition 0..9: a precedence has no `condition`",
        ],
    );
    check(
        "kind: precondtion\ntools: ?x\ncondition: user &",
        &[
            "kind 0..11: there is no kind `precondtion`",
            "tools[0] 0..2: `?x` is a placeholder",
            "condition 6..6: the text ends",
        ],
    );
    check(
        "kind: prohibition\ntools: a\nfor_each: arg.x, x, ?y, ",
        &[
            "for_each[1] 0..1: the parameter `x` is given twice",
            "for_each[2] 0..2: the parameter `?y` is a placeholder",
            "for_each[3] 0..0: a parameter is empty",
        ],
    );
    check(
        "tools: a",
        &["kind 0..0: the rule has neither a kind nor a guarantee"],
    );
    check(
        "kind: limit\ncondition:  ",
        &[
            "condition 0..1: `condition` is empty",
            "tools 0..0: ",
            "at_most 0..0: ",
        ],
    );
}

#[test]
fn a_model_may_leave_slots_empty_and_names_open() {
    let mut given =
        text("kind: prohibition\ntools: ?cancel_the_order\ncondition: arg.?why == \"x\"");
    given.trigger = Some(String::new());
    let (rule, spans) = read_rule(&given, Mode::Draft).unwrap();
    assert_eq!(rule.tools.to_string(), "?cancel_the_order");
    assert_eq!(spans.atoms[0].1.range, 0..15);
    assert_eq!(
        spans
            .of_tool(rule.tools.alternatives().next().unwrap())
            .unwrap()
            .index,
        Some(0)
    );
    assert!(spans.of_atom(&Atom::Event(EventPredicate::User)).is_none());
}
