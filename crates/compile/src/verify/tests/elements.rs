//! The checks look into quantifiers, filters and sums.

use super::*;

/// A tool with lists of objects, one of them optional, and two look-ups.
const SHOP: &str = r#"[
  {"name": "order", "x-write": true, "parameters": {"required": ["lines", "customer"], "additionalProperties": false, "properties": {
     "customer": {"type": "string"},
     "lines": {"type": "array", "items": {"type": "object", "required": ["sku", "count"], "properties": {
       "sku": {"type": "string"}, "count": {"type": "integer"}, "gift": {"type": "boolean"},
       "parts": {"type": "array", "items": {"type": "object", "properties": {"weight": {"type": "number"}}}}}}},
     "extras": {"type": "array", "items": {"type": "string"}},
     "limit": {"type": "number"},
     "to": {"type": "object", "properties": {"city": {"type": "string"}, "floor": {"type": "object", "properties": {"door": {"type": "string"}}}}}}}},
  {"name": "pay", "x-write": true, "parameters": {"required": ["customer", "amount"], "additionalProperties": false, "properties": {
     "customer": {"type": "string"}, "amount": {"type": "number"}, "tip": {"type": "number"}, "label": {"type": "string"}}}},
  {"name": "get_customer", "x-write": false, "description": "Returns {\"customer\", \"level\", \"cards\"}.",
   "parameters": {"required": ["customer"], "additionalProperties": false, "properties": {"customer": {"type": "string"}}}}]"#;

/// Demands that a precondition of `order` ends as this condition (none if
/// nothing is left) with these codes.
#[track_caller]
fn check_order(condition: &str, left: Option<&str>, codes: &[&str]) {
    let text = slots("precondition", &["order"], condition);
    let (seen, found) = run(SHOP, &text, &BTreeSet::new());
    let left: Vec<String> = left
        .map(|left| format!("order: G (call(order) -> {left})"))
        .into_iter()
        .collect();
    assert_eq!(seen, left, "{condition}");
    assert_eq!(found, codes.iter().copied().collect(), "{condition}");
}

/// Demands that a sound condition passes as it is.
#[track_caller]
fn sound(condition: &str) {
    check_order(condition, Some(condition), &[]);
}

#[test]
fn sound_conditions_on_elements_pass() {
    for condition in [
        "all(arg.lines as line, line.count <= 5)",
        "all(arg.lines as line, any(line.parts as part, part.weight < 3))",
        "any(last(get_customer, customer = arg.customer).cards as card, card.valid == true)",
        "all(every(get_customer) as who, who.level > 2)",
        "len(arg.lines[?@.gift == true]) <= 2",
        "arg.lines[?@.sku == \"a\"][0].count < 3",
        "sum(ok(pay), arg.amount, customer = arg.customer) < 100",
        "sum(arg.lines[*].count) < 10",
        "since(ok(get_customer)) < 1d",
        "count(ok(pay), customer = arg.customer, within = 7d) < 3",
        "last(get_customer).cards[arg.customer].valid == true",
        "permitted(ordering)",
        "from_user(arg.customer) | from_tool(arg.customer, get_customer)",
        "!untrusted(arg.lines[*].sku)",
        "all(zip(arg.lines[*].sku, arg.lines[*].count) as pair, pair[1] > 0)",
    ] {
        sound(condition);
    }
}

#[test]
fn fields_that_elements_lack_are_found() {
    let found = &["argument-not-in-signature"];
    check_order("all(arg.lines as line, line.price < 3)", None, found);
    check_order(
        "all(arg.lines as l, any(l.parts as p, p.size < 3))",
        None,
        found,
    );
    check_order("len(arg.lines[?@.price < 3]) < 2", None, found);
    check_order("arg.lines[?@.count < 3][0].price < 2", None, found);
    check_order("all(arg.lines as line, line.count < arg.most)", None, found);
    check_order("len(arg.lines[?@.count < arg.most]) < 2", None, found);
    check_order("count(user, customer = arg.customer) < 2", None, found);
}

#[test]
fn what_is_summed_is_read_from_the_counted_tool() {
    let lacking = &["argument-not-in-signature"];
    check_order("sum(ok(pay), arg.limit) < 3", None, lacking);
    check_order("sum(ok(pay | order), arg.amount) < 3", None, lacking);
    check_order("sum(ok(pay), arg.customer) < 3", None, &["type-mismatch"]);
    sound("sum(ok(pay), 2 * arg.amount) < 3");
}

#[test]
fn absent_arguments_are_guarded_in_conditions_too() {
    let found = &["unguarded-optional"];
    check_order(
        "all(arg.extras as extra, extra != \"x\")",
        Some("known(arg.extras) -> all(arg.extras as extra, extra != \"x\")"),
        found,
    );
    check_order(
        "all(arg.lines as line, line.count < arg.limit)",
        Some("known(arg.limit) -> all(arg.lines as line, line.count < arg.limit)"),
        found,
    );
    check_order(
        "len(arg.lines[?@.count > arg.limit]) == 0",
        Some("known(arg.limit) -> len(arg.lines[?@.count > arg.limit]) == 0"),
        found,
    );
    check_order(
        "arg.to.floor.door == \"x\"",
        Some("known(arg.to.floor.door) -> arg.to.floor.door == \"x\""),
        found,
    );
    sound("all(arg.lines as line, known(arg.limit) -> line.count < arg.limit)");
    sound("len(arg.lines[?known(arg.limit) & @.count > arg.limit]) == 0");
    sound("all(arg.lines as line, known(line.gift) -> line.gift == true)");
    sound("known(arg.extras) -> all(arg.extras as extra, extra != \"x\")");
    check_order(
        "sum(ok(pay), arg.tip) < 3",
        Some("sum(ok(pay), arg.tip) < 3"),
        found,
    );
}

#[test]
fn arguments_in_conditions_need_their_event() {
    let guarded = |guarantee: &str| {
        let (left, codes) = run(
            SHOP,
            &slots("formula", &["order"], guarantee),
            &BTreeSet::new(),
        );
        (left.len(), codes)
    };
    let unguarded = BTreeSet::from(["unguarded-argument"]);
    assert_eq!(
        guarded("G (user -> all(last(get_customer).cards as c, c.x == arg.customer))"),
        (0, unguarded.clone())
    );
    assert_eq!(
        guarded("G (user -> len(last(get_customer).cards[?@.x == arg.customer]) == 1)"),
        (0, unguarded)
    );
    assert_eq!(
        guarded("G (user -> sum(ok(pay), arg.amount) < 3)"),
        (1, BTreeSet::new())
    );
}

#[test]
fn tools_in_conditions_are_the_catalogs() {
    check_order(
        "from_tool(arg.customer, get_custmer)",
        None,
        &["unknown-tool"],
    );
    check_order(
        "all(arg.lines as line, from_tool(line.sku, get_custmer))",
        None,
        &["unknown-tool"],
    );
    check_order(
        "len(arg.lines[?from_tool(@.sku, cancel)]) == 0",
        None,
        &["unknown-tool"],
    );
    check_order(
        "all(arg.lines as line, from_tool(line.sku, GetCustomer, @read))",
        Some("all(arg.lines as line, from_tool(line.sku, get_customer))"),
        &[],
    );
}

#[test]
fn names_in_conditions_are_grounded() {
    check_order(
        "all(arg.?lines as line, line.?count < 3 & any(line.Parts as p, p.?weight < 1))",
        Some("all(arg.lines as line, line.count < 3 & any(line.parts as p, p.weight < 1))"),
        &[],
    );
    check_order(
        "arg.lines[?@.?sku == \"a\"][0].?count < arg.lines[*].?parts[0].weight",
        None,
        &["type-mismatch"],
    );
    check_order(
        "len(arg.lines[?@.?sku == \"a\"].?parts) < 3",
        Some("len(arg.lines[?@.sku == \"a\"].parts) < 3"),
        &[],
    );
    check_order(
        "any(last(get_customer).?cards as card, card.?level == 1)",
        Some("any(last(get_customer).cards as card, card.level == 1)"),
        &[],
    );
    check_order(
        "all(arg.lines as line, line.?colour == \"red\")",
        None,
        &["argument-not-in-signature"],
    );
    check_order(
        "sum(ok(pay), arg.?amount, ?customer = arg.?customer) < 3",
        Some("sum(ok(pay), arg.amount, customer = arg.customer) < 3"),
        &[],
    );
}

#[test]
fn units_are_a_check_of_their_own() {
    check_order("since(ok(get_customer)) < 24", None, &["unit-mismatch"]);
    let text = slots("precondition", &["order"], "since(ok(get_customer)) < 24");
    let (left, codes) = run(SHOP, &text, &BTreeSet::from([Code::UnitMismatch]));
    assert_eq!((left.len(), codes), (1, BTreeSet::new()));
}

#[test]
fn a_demand_on_elements_blocks_nothing() {
    // No element, no look-up: the demand can be met before any.
    let text = slots(
        "precondition",
        &["get_customer"],
        "all(arg.customer as c, c == last(get_customer).x)",
    );
    let (_, codes) = run(SHOP, &text, &BTreeSet::new());
    assert!(!codes.contains("self-blocking"), "{codes:?}");
    let text = slots(
        "precondition",
        &["get_customer", "pay"],
        "since(ok(get_customer)) < 1h",
    );
    let (left, codes) = run(SHOP, &text, &BTreeSet::new());
    assert_eq!(left, ["pay: G (call(pay) -> since(ok(get_customer)) < 1h)"]);
    assert_eq!(codes, BTreeSet::from(["self-blocking"]));
}
