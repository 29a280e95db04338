//! Each check with planted defects and their sound twins, and the property that
//! the order of the checks does not matter.

use super::*;
use crate::resolve::resolve;
use lictor_contract::draft::RuleText;
use lictor_contract::language::{Mode, print_formula};
use lictor_contract::rule::ConfirmationReading;
use lictor_contract::rule_text::read_rule;
use lictor_contract::source::Lines;
use proptest::prelude::*;

mod elements;

/// The tools of a small desk, classed.
pub(super) const DESK: &str = r#"[
  {"name": "find_customer", "x-write": false, "description": "Returns {\"customer_id\"}.",
   "parameters": {"properties": {"email": {"type": "string"}}, "required": ["email"], "additionalProperties": false}},
  {"name": "verify", "x-write": false,
   "parameters": {"properties": {"customer_id": {"type": "string"}, "word": {"type": "string"}},
     "required": ["customer_id", "word"], "additionalProperties": false}},
  {"name": "get_order", "x-write": false, "description": "Returns {\"order_id\", \"status\", \"total\"}.",
   "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"], "additionalProperties": false}},
  {"name": "cancel", "x-write": true,
   "parameters": {"properties": {"order_id": {"type": "string"}, "reason": {"enum": ["late", "mistake"]},
     "note": {"type": "string"}}, "required": ["order_id", "reason"], "additionalProperties": false}},
  {"name": "refund", "x-write": true,
   "parameters": {"properties": {"order_id": {"type": "string"}, "amount": {"type": "number", "minimum": 0, "maximum": 1000},
     "carrier": {"enum": ["a", "b"]}}, "required": ["order_id", "amount"], "additionalProperties": false}}]"#;

fn origin() -> Origin {
    Origin {
        id: "s1.1.1".into(),
        file: "p.md".into(),
        range: 0..1,
        lines: Lines { first: 1, last: 1 },
        says: String::new(),
        section: 0,
        sample: 0,
    }
}

/// `kind tools | slot | key…` as slots.
fn slots(kind: &str, tools: &[&str], slot: &str) -> RuleText {
    let mut text = RuleText {
        kind: kind.into(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..RuleText::default()
    };
    match kind {
        "precondition" | "prohibition" => text.condition = (!slot.is_empty()).then(|| slot.into()),
        "precedence" => text.first = Some(slot.into()),
        "once-per" | "limit" => {
            text.at_most = (kind == "limit").then_some(2);
            text.keys = slot.split_whitespace().map(str::to_owned).collect();
        }
        "confirmation" => text.listed = slot.split_whitespace().map(str::to_owned).collect(),
        "formula" => text.guarantee = Some(slot.into()),
        _ => text.trigger = Some(slot.into()),
    }
    text
}

/// What is left of a rule, one line a part: `tools: formula of the first`, and
/// the codes of everything that was found.
fn run(
    catalog: &str,
    text: &RuleText,
    disabled: &BTreeSet<Code>,
) -> (Vec<String>, BTreeSet<&'static str>) {
    let catalog = Catalog::from_json(catalog).unwrap();
    let (rule, _) = read_rule(text, Mode::Draft).unwrap();
    let mut codes = BTreeSet::new();
    let resolved = match resolve(origin(), &rule, &catalog, crate::part::split) {
        Ok(resolved) => resolved,
        Err(unresolved) => {
            codes.extend(
                unresolved
                    .findings
                    .iter()
                    .map(|finding| finding.code.name()),
            );
            return (Vec::new(), codes);
        }
    };
    codes.extend(resolved.findings.iter().map(|finding| finding.code.name()));
    let mut left = Vec::new();
    for part in &resolved.parts {
        match Verifier::new(&catalog, disabled).verify(&resolved.origin, part) {
            Ok(verified) => {
                codes.extend(verified.findings.iter().map(|finding| finding.code.name()));
                let tools: Vec<String> = verified.part.tools().into_iter().collect();
                let (_, rule) = verified.part.rules().swap_remove(0);
                let guarantee = rule.obligation(ConfirmationReading::PerAction).guarantee;
                left.push(format!(
                    "{}: {}",
                    tools.join(" "),
                    print_formula(&guarantee)
                ));
            }
            Err(rejected) => {
                codes.extend(rejected.findings.iter().map(|finding| finding.code.name()))
            }
        }
    }
    (left, codes)
}

#[track_caller]
fn check(kind: &str, tools: &[&str], slot: &str, left: &[&str], codes: &[&str]) {
    let (seen, found) = run(DESK, &slots(kind, tools, slot), &BTreeSet::new());
    assert_eq!(seen, left, "{kind} {slot}");
    assert_eq!(found, codes.iter().copied().collect(), "{kind} {slot}");
}

const PENDING: &str = r#"last(get_order, order_id = arg.order_id).status == "pending""#;

#[test]
fn sound_rules_pass_untouched() {
    check(
        "precondition",
        &["cancel"],
        PENDING,
        &[
            r#"cancel: G (call(cancel) -> last(get_order, order_id = arg.order_id).status == "pending")"#,
        ],
        &[],
    );
    check(
        "prohibition",
        &["refund"],
        "arg.amount > 150",
        &["refund: G (call(refund) -> !(arg.amount > 150))"],
        &[],
    );
    check(
        "prohibition",
        &["cancel"],
        "",
        &["cancel: G !call(cancel)"],
        &[],
    );
    check(
        "once-per",
        &["refund"],
        "order_id",
        &["refund: G (call(refund) -> count(ok(refund), order_id = arg.order_id) == 0)"],
        &[],
    );
}

#[test]
fn unknown_and_ambiguous_tools() {
    check("prohibition", &["cancle"], "", &[], &["unknown-tool"]);
    check(
        "prohibition",
        &["cancle", "Re-fund"],
        "",
        &["refund: G !call(refund)"],
        &["unknown-tool"],
    );
    check(
        "precondition",
        &["cancel"],
        "count(ok(check_warranty)) > 0",
        &[],
        &["unknown-tool"],
    );
    check(
        "prohibition",
        &["?order"],
        "",
        &["get_order: G !call(get_order)"],
        &[],
    );
    let twice = r#"[{"name": "get_order"}, {"name": "order_get"}, {"name": "order_list"}]"#;
    let (left, codes) = run(
        twice,
        &slots("prohibition", &["?order"], ""),
        &BTreeSet::new(),
    );
    assert_eq!((left, codes), (vec![], BTreeSet::from(["ambiguous-tool"])));
}

#[test]
fn arguments_that_a_tool_lacks_cost_it_the_binding() {
    check(
        "prohibition",
        &["refund", "cancel"],
        "arg.amount > 150",
        &["refund: G (call(refund) -> !(arg.amount > 150))"],
        &["argument-not-in-signature"],
    );
    check(
        "prohibition",
        &["cancel"],
        "arg.amount > 150",
        &[],
        &["argument-not-in-signature"],
    );
    check(
        "once-per",
        &["refund", "verify"],
        "order_id",
        &["refund: G (call(refund) -> count(ok(refund), order_id = arg.order_id) == 0)"],
        &["argument-not-in-signature", "write-overreach"],
    );
    check(
        "prohibition",
        &["refund"],
        "arg.?amounts > 150",
        &["refund: G (call(refund) -> !(arg.amount > 150))"],
        &[],
    );
    check(
        "prohibition",
        &["refund"],
        "arg.?price > 150",
        &[],
        &["argument-not-in-signature"],
    );
    check(
        "precondition",
        &["refund"],
        "count(call(refund), price = 3) == 0",
        &[],
        &["argument-not-in-signature"],
    );
}

#[test]
fn a_defect_in_one_demand_leaves_the_other() {
    check(
        "precondition",
        &["refund", "cancel"],
        &format!("arg.amount <= 150 & {PENDING}"),
        &[
            "refund: G (call(refund) -> arg.amount <= 150)",
            r#"cancel refund: G (call(cancel) -> last(get_order, order_id = arg.order_id).status == "pending")"#,
        ],
        &["argument-not-in-signature"],
    );
}

#[test]
fn arguments_off_their_event() {
    check(
        "formula",
        &["refund"],
        "G (arg.amount <= 150)",
        &[],
        &["unguarded-argument"],
    );
    check(
        "precondition",
        &["refund"],
        "result.ok == true",
        &[],
        &["unguarded-argument"],
    );
    check(
        "absence-after",
        &["cancel"],
        "ok(refund) & arg.amount > 3",
        &["cancel: G (ok(refund) & arg.amount > 3 -> WX G !call(cancel))"],
        &[],
    );
    check(
        "absence-after",
        &["cancel"],
        "arg.amount > 3",
        &[],
        &["unguarded-argument"],
    );
}

#[test]
fn fields_of_results_are_grounded_where_anything_speaks_of_them() {
    check(
        "precondition",
        &["cancel"],
        "last(get_order, ?order = arg.order_id).?status_ == \"open\"",
        &[
            r#"cancel: G (call(cancel) -> last(get_order, order_id = arg.order_id).status == "open")"#,
        ],
        &[],
    );
    check(
        "precondition",
        &["cancel"],
        "last(get_order).?carrier == \"a\"",
        &[r#"cancel: G (call(cancel) -> last(get_order).carrier == "a")"#],
        &[],
    );
    check(
        "precondition",
        &["cancel"],
        "last(get_order).?colour == 1",
        &[],
        &["argument-not-in-signature"],
    );
    check(
        "absence-after",
        &["cancel"],
        "ok(refund) & arg.?amounts > 3",
        &["cancel: G (ok(refund) & arg.amount > 3 -> WX G !call(cancel))"],
        &[],
    );
}

#[test]
fn optional_arguments_are_guarded() {
    check(
        "precondition",
        &["refund"],
        r#"arg.carrier == "a""#,
        &[r#"refund: G (call(refund) -> known(arg.carrier) -> arg.carrier == "a")"#],
        &["unguarded-optional"],
    );
    check(
        "prohibition",
        &["refund"],
        r#"arg.carrier == "b" & arg.amount > 10"#,
        &[
            r#"refund: G (call(refund) -> !(known(arg.carrier) & arg.carrier == "b" & arg.amount > 10))"#,
        ],
        &["unguarded-optional"],
    );
    check(
        "precondition",
        &["refund"],
        r#"known(arg.carrier) & arg.carrier == "a""#,
        &[
            "refund: G (call(refund) -> known(arg.carrier))",
            r#"refund: G (call(refund) -> known(arg.carrier) -> arg.carrier == "a")"#,
        ],
        &[],
    );
    // Asking for presence is the demand itself.
    check(
        "precondition",
        &["cancel"],
        r#"arg.reason == "late" -> arg.note != """#,
        &[r#"cancel: G (call(cancel) -> arg.reason == "late" -> arg.note != "")"#],
        &[],
    );
    check(
        "precondition",
        &["cancel"],
        "arg.note != null",
        &["cancel: G (call(cancel) -> known(arg.note))"],
        &[],
    );
}

#[test]
fn domains_decide() {
    check(
        "prohibition",
        &["cancel"],
        r#"arg.reason == "duplicate""#,
        &[],
        &["unsatisfiable-domain"],
    );
    check(
        "precondition",
        &["cancel"],
        r#"arg.reason != "duplicate""#,
        &[],
        &["unsatisfiable-domain"],
    );
    check(
        "precondition",
        &["cancel"],
        r#"arg.reason == "duplicate""#,
        &[],
        &["unsatisfiable-domain"],
    );
    check(
        "prohibition",
        &["refund"],
        "arg.amount > 5000",
        &[],
        &["unsatisfiable-domain"],
    );
    check(
        "prohibition",
        &["refund"],
        "arg.amount > 10 & arg.amount < 5",
        &[],
        &["unsatisfiable-domain"],
    );
    check(
        "precondition",
        &["cancel"],
        r#"arg.reason in ["late", "mistake"]"#,
        &[r#"cancel: G (call(cancel) -> arg.reason in ["late", "mistake"])"#],
        &["tautology"],
    );
    check(
        "prohibition",
        &["cancel"],
        r#"arg.reason == "late" | arg.reason == "duplicate""#,
        &[r#"cancel: G (call(cancel) -> !(arg.reason == "late"))"#],
        &["unsatisfiable-domain"],
    );
    check(
        "precondition",
        &["refund"],
        r#"arg.amount > 30 -> arg.carrier == "freight""#,
        &[
            r#"refund: G (call(refund) -> known(arg.carrier) -> arg.amount > 30 -> arg.carrier == "freight")"#,
        ],
        &["unguarded-optional", "unsatisfiable-domain"],
    );
}

#[test]
fn kinds_of_values_must_fit() {
    check(
        "precondition",
        &["refund"],
        r#"arg.amount <= "150""#,
        &[],
        &["type-mismatch"],
    );
    check(
        "precondition",
        &["refund", "cancel"],
        r#"arg.order_id == 7"#,
        &[],
        &["type-mismatch"],
    );
    check(
        "precondition",
        &["refund"],
        r#"arg.order_id == "7""#,
        &[r#"refund: G (call(refund) -> arg.order_id == "7")"#],
        &[],
    );
}

#[test]
fn wildcards() {
    check("prohibition", &["@any"], "", &[], &["unscoped-wildcard"]);
    check(
        "precondition",
        &["@any"],
        r#"arg.order_id != "x""#,
        &[],
        &["argument-not-in-signature", "unscoped-wildcard"],
    );
    check(
        "precondition",
        &["@any"],
        "turn.size <= 1",
        &["cancel find_customer get_order refund verify: G (call(cancel) -> turn.size <= 1)"],
        &[],
    );
    check(
        "confirmation",
        &["@any"],
        "",
        &[
            "cancel refund: G (call(cancel) -> !user S confirms & count(ok(cancel), since = confirms) == 0)",
        ],
        &["write-overreach"],
    );
    check(
        "prohibition",
        &["find_customer", "verify", "get_order", "cancel", "refund"],
        "",
        &[],
        &["unscoped-wildcard"],
    );
}

#[test]
fn rules_about_changes_leave_reading_tools_alone() {
    check(
        "confirmation",
        &["get_order", "cancel"],
        "",
        &[
            "cancel: G (call(cancel) -> !user S confirms & count(ok(cancel), since = confirms) == 0)",
        ],
        &["write-overreach"],
    );
    check(
        "confirmation",
        &["get_order"],
        "",
        &[],
        &["write-overreach"],
    );
    check(
        "limit",
        &["get_order", "cancel"],
        "",
        &["cancel: G (call(cancel) -> count(ok(cancel)) < 2)"],
        &["write-overreach"],
    );
    check(
        "limit",
        &["get_order"],
        "",
        &["get_order: G (call(get_order) -> count(ok(get_order)) < 2)"],
        &[],
    );
}

#[test]
fn a_rule_frees_what_it_waits_for() {
    check(
        "precedence",
        &["@any"],
        "ok(verify)",
        &["cancel get_order refund: G (call(cancel) -> count(ok(verify)) > 0)"],
        &["self-blocking"],
    );
    check(
        "precondition",
        &["get_order", "cancel"],
        PENDING,
        &[
            r#"cancel: G (call(cancel) -> last(get_order, order_id = arg.order_id).status == "pending")"#,
        ],
        &["self-blocking"],
    );
    check(
        "precedence",
        &["cancel"],
        "ok(cancel)",
        &[],
        &["self-blocking"],
    );
    check(
        "precedence",
        &["cancel"],
        "ok(get_order)",
        &["cancel: G (call(cancel) -> count(ok(get_order)) > 0)"],
        &[],
    );
    check(
        "precedence",
        &["cancel", "get_order"],
        "ok(get_order|find_customer)",
        &["cancel get_order: G (call(cancel) -> count(ok(find_customer | get_order)) > 0)"],
        &[],
    );
}

#[test]
fn the_deadlock_of_the_field_is_repaired() {
    let tools = r#"[
      {"name": "find_customer", "description": "Returns customer_id.", "parameters": {"properties": {"phone": {"type": "string"}}, "required": ["phone"]}},
      {"name": "verify_identity", "parameters": {"properties": {"customer_id": {"type": "string"}, "word": {"type": "string"}}, "required": ["customer_id", "word"]}},
      {"name": "change_pin", "parameters": {"properties": {"customer_id": {"type": "string"}}, "required": ["customer_id"]}},
      {"name": "get_balance", "parameters": {"properties": {"customer_id": {"type": "string"}}, "required": ["customer_id"]}}]"#;
    for text in [
        slots("precedence", &["@any"], "ok(verify_identity)"),
        slots("precondition", &["@any"], "count(ok(verify_identity)) >= 1"),
        slots(
            "formula",
            &["@any"],
            "G (call(@any) -> O ok(verify_identity))",
        ),
    ] {
        let (left, codes) = run(tools, &text, &BTreeSet::new());
        assert_eq!(codes, BTreeSet::from(["self-blocking"]));
        assert!(left[0].starts_with("change_pin get_balance: "), "{left:?}");
    }
}

#[test]
fn exact_decisions() {
    check(
        "formula",
        &["cancel"],
        "F call(cancel) & G !call(cancel)",
        &[],
        &["inconsistent"],
    );
    check(
        "formula",
        &["cancel"],
        "F call(cancel) | G !call(cancel)",
        &[],
        &["tautology"],
    );
    check(
        "precondition",
        &["cancel"],
        "known(arg.reason)",
        &["cancel: G (call(cancel) -> known(arg.reason))"],
        &["tautology"],
    );
    check(
        "formula",
        &["cancel"],
        "G (ok(refund) -> F call(cancel))",
        &["cancel: G (ok(refund) -> F call(cancel))"],
        &[],
    );
}

#[test]
fn what_one_automaton_cannot_hold_is_unsupported() {
    let later = format!("F (call(cancel) & {}call(refund))", "X ".repeat(14));
    check(
        "formula",
        &["cancel"],
        &later,
        &[],
        &["unsupported-pattern"],
    );
    let many = |count: usize| -> String {
        let each: Vec<String> = (0..count).map(|n| format!("arg.note == \"{n}\"")).collect();
        each.join(" | ")
    };
    check(
        "precondition",
        &["cancel"],
        &many(3000),
        &[],
        &["unsupported-pattern"],
    );
    // Long lists are no trouble.
    let list = |name: &str| {
        let values: Vec<String> = (0..30).map(|n| format!("\"{n}\"")).collect();
        format!("last(get_order).{name} in [{}]", values.join(", "))
    };
    let long = format!("{} | !({}) | {}", list("a"), list("b"), list("c"));
    let (left, codes) = run(
        DESK,
        &slots("precondition", &["cancel"], &long),
        &BTreeSet::new(),
    );
    assert_eq!((left.len(), codes.len()), (1, 0));
}

#[test]
fn a_check_that_is_switched_off_finds_nothing() {
    let text = slots("confirmation", &["get_order"], "");
    let (left, codes) = run(DESK, &text, &BTreeSet::from([Code::WriteOverreach]));
    assert_eq!((left.len(), codes.len()), (1, 0));
}

fn any_rule() -> impl Strategy<Value = RuleText> {
    let kinds = prop::sample::select(vec![
        "precondition",
        "prohibition",
        "precedence",
        "confirmation",
        "limit",
        "once-per",
        "absence-after",
        "response",
    ]);
    let tools = prop::collection::btree_set(
        prop::sample::select(vec![
            "@any",
            "@write",
            "@read",
            "verify",
            "find_customer",
            "get_order",
            "cancel",
            "refund",
            "?orders",
        ]),
        1..4,
    );
    let conditions = prop::sample::select(vec![
        "arg.amount > 150",
        "arg.amount > 5000",
        r#"arg.carrier == "a""#,
        r#"arg.carrier == "zeppelin" | arg.amount < 3"#,
        "count(ok(verify)) > 0",
        "count(ok(verify|get_order)) > 0 & arg.order_id != \"\"",
        "last(get_order, order_id = arg.order_id).total > 10",
        "turn.size <= 1",
        "arg.note != null",
    ]);
    let events = prop::sample::select(vec![
        "ok(verify)",
        "ok(get_order)",
        "call(refund)",
        "ok(@any)",
    ]);
    let keys = prop::sample::select(vec!["order_id", "", "amount order_id", "customer_id"]);
    let listed = prop::sample::select(vec!["", "arg.amount", "arg.carrier arg.order_id"]);
    (kinds, tools, conditions, events, keys, listed).prop_map(
        |(kind, tools, condition, event, keys, listed)| {
            let tools: Vec<&str> = tools.into_iter().collect();
            let slot = match kind {
                "precondition" | "prohibition" => condition,
                "limit" | "once-per" => keys,
                "confirmation" => listed,
                _ => event,
            };
            slots(kind, &tools, slot)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The outcome, findings included, is the same for any order of the checks,
    /// and a part that passed passes again without a further repair.
    #[test]
    fn the_order_of_the_checks_does_not_matter(text in any_rule(), order in Just((0..CHECKS.len()).collect::<Vec<_>>()).prop_shuffle()) {
        let catalog = Catalog::from_json(DESK).unwrap();
        let (rule, _) = read_rule(&text, Mode::Draft).unwrap();
        let shuffled: Vec<(Code, Check)> = order.iter().map(|index| CHECKS[*index]).collect();
        let none = BTreeSet::new();
        let mut straight = Verifier::new(&catalog, &none);
        let mut mixed = Verifier::new(&catalog, &none);
        mixed.checks = &shuffled;
        if let Ok(resolved) = resolve(origin(), &rule, &catalog, crate::part::split) {
            for part in &resolved.parts {
                let verdict = straight.verify(&resolved.origin, part);
                prop_assert_eq!(&verdict, &mixed.verify(&resolved.origin, part));
                if let Ok(verified) = verdict {
                    let again = straight.verify(&resolved.origin, verified.part());
                    prop_assert_eq!(again.as_ref().map(Verified::part), Ok(verified.part()));
                }
            }
        }
    }
}
