//! What is a mismatch, and above all what is none.

use super::*;
use crate::language::{Mode, parse_formula};

const CATALOG: &str = r##"[
  {"name": "pay", "parameters": {"properties": {
    "amount": {"type": "number"},
    "order": {"type": "string"},
    "gift": {"type": "boolean"},
    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "speed": {"enum": ["slow", "fast"]},
    "either": {"type": ["string", "integer"]},
    "free": {},
    "tags": {"type": "array", "items": {"type": "string"}},
    "to": {"type": "object", "properties": {"zip": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}}},
    "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}}}},
    "ref": {"type": "array", "items": {"$ref": "#/$defs/X"}}
  }}},
  {"name": "log", "parameters": {"properties": {"amount": {"type": "string"}}}}
]"##;

/// Demands exactly these messages, by their beginnings.
#[track_caller]
fn check_for(tools: &[&str], formula: &str, expected: &[&str]) {
    let catalog = Catalog::from_json(CATALOG).unwrap();
    let formula = parse_formula(formula, Mode::Draft).unwrap().value;
    let found = check_formula(&formula, &catalog, tools);
    assert_eq!(found.len(), expected.len(), "{formula:?}: {found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.message.starts_with(expected), "{}", found.message);
        assert!(!found.help.is_empty());
    }
}

#[track_caller]
fn check(formula: &str, expected: &[&str]) {
    check_for(&["pay"], formula, expected);
}

#[test]
fn kinds_that_never_meet_are_found() {
    check(
        "arg.amount == \"3\"",
        &["`arg.amount` is a number and `\"3\"` is text"],
    );
    check(
        "arg.order != 3",
        &["`arg.order` is text and `3` is a number"],
    );
    check("arg.gift == \"true\"", &["`arg.gift` is a truth value and"]);
    check(
        "arg.order in [null]",
        &["`[null]` holds null and `arg.order` is text"],
    );
    check(
        "arg.gift < true",
        &[
            "`<` orders a number or text, but `arg.gift` is a truth value",
            "`<` orders a number or text, but `true`",
        ],
    );
    check(
        "arg.amount < arg.order",
        &["`arg.amount` is a number and `arg.order` is text"],
    );
    check("arg.note == 1", &["`arg.note` is null or text and"]);
    check("arg.speed == 1", &["`arg.speed` is text and"]);
    check(
        "arg.either == true",
        &["`arg.either` is a number or text and"],
    );
    check("arg.to.zip == 1", &["`arg.to.zip` is text and"]);
    check(
        "arg.items[*].count == [\"a\"]",
        &["`arg.items[*].count` is a list and"],
    );
    check("1 == \"a\"", &["`1` is a number and `\"a\"` is text"]);
    check(
        "count(ok(pay)) == \"a\"",
        &["`count(ok(pay))` is a number and"],
    );
}

#[test]
fn each_condition_asks_for_its_kinds() {
    check(
        "arg.amount matches /a/",
        &["`matches` reads text, but `arg.amount` is a number"],
    );
    check(
        "arg.order in \"abc\"",
        &["`in` looks into a list or an object, but `\"abc\"` is text"],
    );
    check(
        "arg.order in arg.amount",
        &["`in` looks into a list or an object, but `arg.amount` is a number"],
    );
    check(
        "arg.order in [1, 2]",
        &["`[1, 2]` holds a number and `arg.order` is text"],
    );
    check(
        "arg.amount in arg.tags",
        &["`arg.tags` holds text and `arg.amount` is a number"],
    );
    check(
        "arg.order subset arg.tags",
        &["`subset` compares a list, but `arg.order` is text"],
    );
    check(
        "arg.items[*].count subset arg.tags",
        &["`arg.items[*].count` holds a number and `arg.tags` holds text"],
    );
    check(
        "arg.amount contains 1",
        &["`contains` looks into a list or an object or text, but"],
    );
    check(
        "arg.order contains 1",
        &["`contains` looks into a text for text, but `1` is a number"],
    );
    check(
        "arg.tags contains 1",
        &["`arg.tags` holds text and `1` is a number"],
    );
    check(
        "len(arg.amount) > 1",
        &["`len` measures a list or an object or text, but `arg.amount` is a number"],
    );
    check("lower(arg.amount) == \"a\"", &["`lower` reads text"]);
    check(
        "arg.order + 1 > 1",
        &["`+` reckons with a number, but `arg.order` is text"],
    );
    check(
        "arg.amount + arg.order > 1",
        &["`arg.amount + arg.order` is a time and `1` is a number"],
    );
    check(
        "arg.amount * count(ok(pay)) > 1",
        &["`arg.amount * count(ok(pay))` multiplies two terms"],
    );
    check("known(3)", &["`known(3)` asks about a constant"]);
    check("known(2 * 3h)", &["`known(2 * 3h)` asks about a constant"]);
    check(
        "arg.order.zip == 1",
        &["`arg.order.zip` reads a field of what is text"],
    );
    check(
        "arg.to[0] == 1",
        &["`arg.to[0]` reads an element of what is an object"],
    );
    check("known(len(arg.amount))", &["`len` measures"]);
    check("last(pay, k = len(arg.amount)).x == 1", &["`len` measures"]);
}

#[test]
fn what_fits_or_is_unknown_is_left_alone() {
    for formula in [
        "arg.amount == 3 & arg.order == \"3\" & arg.gift == true & arg.note == null & arg.note == \"x\"",
        "arg.amount == null & arg.order != null & count(ok(pay)) != null",
        "arg.either == 1 & arg.either == \"a\" & arg.either < 3 & arg.speed in [\"slow\", \"dear\"]",
        "arg.free == 1 & arg.free.x.y == true & arg.free matches /a/ & len(arg.free) > 1",
        "arg.nothing == 1 & arg.?guess == 2 & arg.to.other == 3 & arg.to.?x == 1",
        "arg.ref[0].x == 1 & arg.ref[*].x subset [1] & arg.ref == [3]",
        "result.x < 1 & result.x matches /a/ & ctx.x in [\"abc\"] | last(log).x in last(log).y",
        "arg.order < \"2026-04-03\" & arg.amount < 3 & 2 * (1 + 1) * arg.amount - 3 == -arg.amount",
        "arg.tags == [] & arg.tags contains \"x\" & arg.order contains \"x\" & len(arg.to) == 2",
        "arg.items[*].sku subset arg.tags & arg.items[0].count > 1 & arg.to.lines[-1] == \"x\"",
        "arg.order in arg.items[*].sku & known(arg.order) & listed(arg.amount) & arg.order in []",
        "turn.calls <= 1 & len(arg.tags) + turn.size < 3 & lower(arg.note) == \"x\"",
        "G (call(pay) -> confirms)",
        // Whether a constant was named depends on what happens.
        "listed(\"x\") & from_user(3) & from_tool(\"x\", log) & !untrusted(\"x\")",
        "arg.order in arg.to & arg.to contains \"zip\" & arg.free in arg.free & \"k\" in {\"k\": 1}",
        "any(arg.items as x, x.sku == \"a\" & x.count > 1 & x.other == 1) | all(arg.tags as x, x matches /a/)",
        "any(arg.free as x, x.a == 1 & x == \"b\") | all(last(log).x as x, x > 1) | any([1, 2] as x, x == arg.amount)",
        "any(arg.items as x, any(arg.items as y, x.sku == y.sku & x.count != y.count))",
        "any(arg.items[*].sku as x, x in arg.tags) & all(zip(arg.tags, arg.tags) as x, x[0] == x[1])",
        "arg.items[?@.count > arg.amount & @.sku in arg.tags].sku == [\"a\"] & arg.items[?@.sku == \"a\"][0].count > 1",
        "arg.free[?@.a == \"b\"].c == [1] & arg.tags[?@ == \"b\"] == [] & arg.to.lines[?@ matches /a/] subset arg.tags",
        "arg.to[arg.order] == \"x\" & arg.tags[arg.amount] == \"x\" & arg.free[arg.order].x > 1 & last(log)[arg.free].x == 1",
        "last(log, order = arg.order).total < 3 & first(log).at < now & every(log).total contains 3 & len(every(log)) > 1",
        "sum(ok(pay), arg.amount, order = arg.order) <= 3 & sum(ok(log), result.x) > 1 & sum(call(pay), arg.amount * 2) < 3",
        "sum(arg.items[*].count) < 3 & sum([]) == 0 & sum(last(log).totals) == arg.amount",
        "numbers(arg.order) == [3] & numbers(arg.amount) == [1] & urls(arg.tags) == [] & all(emails(arg.note) as to, domain(to) == \"x.org\")",
        "since(ok(pay)) < 24h & since(user) == 0 & since(ok(pay)) < arg.amount & count(ok(pay), within = 7d) < 3",
        "now < \"2026-04-03T11:00:00Z\" & now - arg.order > 24h & arg.order + 2w > now & arg.order == \"2026-04-03\"",
        "now - 1d < arg.order + 30m & now - last(log).at < 2 * 24h & last(log).at + 5 < arg.free & (now - arg.order) * 2 < 1h",
        "permitted(refunds) & permitted(arg.order) & domain(arg.order) == \"x\" & path(arg.order) under \"/srv\"",
        "turns < 3 & depth <= 1 & tokens < 1000 & turn.says contains \"x\" & lower(turn.says) matches /a/",
    ] {
        check(formula, &[]);
    }
}

#[test]
fn several_tools_allow_what_one_of_them_allows() {
    check_for(
        &["pay", "log"],
        "arg.amount == 3 & arg.amount == \"3\"",
        &[],
    );
    check_for(
        &["pay", "log"],
        "arg.amount == true",
        &["`arg.amount` is a number or text and"],
    );
    check_for(&["log"], "arg.amount == 3", &["`arg.amount` is text and"]);
    check_for(&["gone"], "arg.amount == true", &[]);
    check_for(&[], "arg.amount == true", &[]);
}

#[test]
fn the_help_says_how_to_write_it() {
    let help = |formula: &str| {
        let catalog = Catalog::from_json(CATALOG).unwrap();
        let formula = parse_formula(formula, Mode::Strict).unwrap().value;
        check_formula(&formula, &catalog, &["pay"])[0].help.clone()
    };
    assert_eq!(help("arg.amount == \"3\""), "write `3` without quotes");
    assert_eq!(help("arg.gift == \"true\""), "write `true` without quotes");
    assert_eq!(help("arg.order == 3"), "write `\"3\"` in quotes");
    assert_eq!(
        help("arg.order in \"x\""),
        "write `[\"x\"]`, or `==` for a single value"
    );
}

#[test]
fn elements_have_the_shape_that_the_schema_gives_them() {
    check(
        "any(arg.items as x, x.sku == 1)",
        &["`x.sku` is text and `1` is a number"],
    );
    check(
        "all(arg.tags as tag, tag == 1 & tag.x == 2)",
        &[
            "`tag` is text and `1`",
            "`tag.x` reads a field of what is text",
        ],
    );
    check(
        "any(arg.items[*].count as n, n matches /a/)",
        &["`matches` reads text, but `n` is a number"],
    );
    check(
        "any(arg.order as x, x == 1)",
        &["`any` goes through a list, but `arg.order` is text"],
    );
    check(
        "all(arg.to as x, x == 1)",
        &["`all` goes through a list, but `arg.to` is an object"],
    );
    check(
        "arg.items[?@.sku > 1] == []",
        &["`@.sku` is text and `1` is a number"],
    );
    check(
        "known(arg.items[?any(@.sku as y, y == 1)])",
        &["`any` goes through a list, but `@.sku` is text"],
    );
    check(
        "arg.items[?@.sku == arg.amount].count == []",
        &["`@.sku` is text and `arg.amount` is a number"],
    );
    check(
        "any(zip(arg.tags, arg.tags) as x, x[0] == 1)",
        &["`x[0]` is text and `1` is a number"],
    );
    check(
        "arg.items[?@.sku == \"a\"][0].count == \"b\"",
        &["`arg.items[?@.sku == \"a\"][0].count` is a number and"],
    );
    check(
        "arg.amount[?@ > 1] == []",
        &["`arg.amount[?@ > 1]` reads some elements of what is a number"],
    );
    check("arg.to[arg.amount] == 1", &["a computed key is text, but"]);
    check(
        "arg.tags[arg.order] == 1",
        &[
            "a computed key is a number, but `arg.order` is text",
            "`arg.tags[arg.order]` is text and `1` is a number",
        ],
    );
    check(
        "sum(arg.tags) > 1",
        &["`sum` adds up a number, but `arg.tags` holds text"],
    );
    check(
        "sum(arg.amount) > 1",
        &["`sum` adds up a list, but `arg.amount` is a number"],
    );
    check(
        "urls(arg.items[*].count) == []",
        &["`urls` looks through text, but"],
    );
    check(
        "zip(arg.tags, arg.order) == []",
        &["`zip` pairs a list, but `arg.order` is text"],
    );
    check(
        "permitted(arg.amount)",
        &["the name of a permission is text, but"],
    );
    check("arg.amount under \"/a\"", &["`under` compares text, but"]);
}

#[test]
fn what_is_summed_is_read_from_the_counted_call() {
    check(
        "sum(ok(log), arg.amount) < 3",
        &["`sum` adds up a number, but `arg.amount` is text"],
    );
    check("sum(ok(pay), arg.amount) < 3 & arg.amount < 3", &[]);
    check_for(&["log"], "sum(ok(pay), arg.amount) < 3", &[]);
    check(
        "sum(ok(pay), arg.order) < 3",
        &["`sum` adds up a number, but `arg.order` is text"],
    );
    check("sum(ok(pay), len(arg.gift)) < 3", &["`len` measures"]);
    check(
        "count(call(pay), order = arg.amount) < 3",
        &["`order` of `call(pay)` is text and `arg.amount` is a number"],
    );
    // The answer may carry the key in another form.
    check("count(ok(pay), order = arg.amount) < 3", &[]);
    check(
        "count(ok(pay), order = len(arg.gift)) < 3",
        &["`len` measures"],
    );
}

#[test]
fn units_of_time_are_said() {
    let code = |formula: &str| {
        let catalog = Catalog::from_json(CATALOG).unwrap();
        let formula = parse_formula(formula, Mode::Strict).unwrap().value;
        let found = check_formula(&formula, &catalog, &["pay"]);
        found.first().map(|found| (found.code, found.help.clone()))
    };
    check(
        "since(ok(pay)) < 24",
        &["`since(ok(pay)) < 24` puts a stretch of time beside"],
    );
    check(
        "3 >= 24h - since(ok(pay))",
        &["`3 >= 1d - since(ok(pay))` puts"],
    );
    check(
        "now - arg.order > 2 * 12",
        &["`now - arg.order > 2 * 12` puts"],
    );
    check(
        "now > 24h",
        &["`1d` is a stretch of time and `now` is a time"],
    );
    check(
        "arg.order < 24h",
        &["`1d` is a stretch of time and `arg.order` is text"],
    );
    check(
        "now + 5 > arg.order",
        &["`now + 5` reckons with a time and a plain number"],
    );
    check(
        "since(user) - 5 > 1h",
        &["`since(user) - 5` reckons with a stretch of time and"],
    );
    check("now > 5", &["`now` is a time and `5` is a number"]);
    check(
        "now - arg.order == arg.order",
        &["`now - arg.order` is a stretch of time and"],
    );
    check(
        "now + \"later\" > now",
        &["`+` reckons with a number, but `\"later\"` is text"],
    );
    check(
        "arg.order < \"tomorrow\"",
        &["`<` orders numbers and times, and"],
    );
    check(
        "sum(ok(pay), \"2026-04-03\" - arg.order) < 3",
        &["`sum(ok(pay), \"2026-04-03\" - arg.order) < 3` puts"],
    );
    assert_eq!(
        code("since(ok(pay)) < 24"),
        Some((
            Code::UnitMismatch,
            "say which unit is meant, such as `24s` or `24h`".to_owned()
        ))
    );
    assert_eq!(code("now > 24h").map(|it| it.0), Some(Code::UnitMismatch));
    assert_eq!(code("now > 5").map(|it| it.0), Some(Code::TypeMismatch));
    assert_eq!(
        code("arg.amount < \"3\"").map(|it| it.1),
        Some("write `3` without quotes".to_owned())
    );
}

/// The same with what an overlay declares of two tools.
#[track_caller]
fn check_declared(formula: &str, expected: &[&str]) {
    let overlay = r#"
tools:
  log:
    shape: {type: object, properties: {total: {type: number}, note: {type: [string, "null"]},
            lines: {type: array, items: {type: object, properties: {sku: {type: string}}}}}}
  pay:
    shape: {type: object, properties: {total: {type: string}}}
"#;
    let mut catalog = Catalog::from_json(CATALOG).unwrap();
    let overlay = crate::overlay::Overlay::from_text(overlay).unwrap();
    catalog.apply(&overlay).unwrap();
    let formula = parse_formula(formula, Mode::Strict).unwrap().value;
    let found = check_formula(&formula, &catalog, &["pay"]);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.message.starts_with(expected), "{}", found.message);
    }
}

#[test]
fn declared_answers_are_followed() {
    check_declared("last(log).total == 3 & last(log).other == 3", &[]);
    check_declared("last(log).note == null & last(log).note == \"x\"", &[]);
    check_declared("last(log | pay).total == 3", &[]);
    check_declared("result.total == \"x\"", &[]);
    check_declared(
        "first(log).total == \"3\"",
        &["`first(log).total` is a number and"],
    );
    check_declared(
        "last(log).total.x == 1",
        &["`last(log).total.x` reads a field of what"],
    );
    check_declared(
        "any(last(log).lines as x, x.sku == 1)",
        &["`x.sku` is text and `1` is a number"],
    );
    check_declared(
        "every(log).lines[?@.sku == 1].sku == []",
        &["`@.sku` is text and `1` is a number"],
    );
    check_declared(
        "every(log).lines[*].sku contains 1 | every(log).lines contains 1",
        &[
            "`every(log).lines` holds a list and `1` is a number",
            "`every(log).lines[*].sku` holds text and `1` is a number",
        ],
    );
    check_declared("sum(ok(log), result.total) < 3", &[]);
    check_declared(
        "sum(ok(log), result.note) < 3",
        &["`sum` adds up a number, but"],
    );
    // What a failed call answers is not declared.
    check_declared("sum(return(log), result.note) < 3", &[]);
}
