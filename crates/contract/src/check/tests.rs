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
        "arg.order == null",
        &["`arg.order` is text and `null` is null"],
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
        &["`in` looks into a list, but `\"abc\"` is text"],
    );
    check(
        "arg.order in arg.amount",
        &["`in` looks into a list, but `arg.amount` is a number"],
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
        &["`contains` looks into a list or text, but"],
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
        "arg.amount + arg.order > 1",
        &["`+` reckons with a number, but `arg.order` is text"],
    );
    check(
        "arg.amount * count(ok(pay)) > 1",
        &["`arg.amount * count(ok(pay))` multiplies two terms"],
    );
    check(
        "listed(\"x\") & known(3)",
        &[
            "`known(3)` asks about a constant",
            "`listed(\"x\")` asks about a constant",
        ],
    );
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
        "arg.either == 1 & arg.either == \"a\" & arg.either < 3 & arg.speed in [\"slow\", \"dear\"]",
        "arg.free == 1 & arg.free.x.y == true & arg.free matches /a/ & len(arg.free) > 1",
        "arg.nothing == 1 & arg.?guess == 2 & arg.to.other == 3 & arg.to.?x == 1",
        "arg.ref[0].x == 1 & arg.ref[*].x subset [1] & arg.ref == [3]",
        "result.x < 1 & result.x matches /a/ & ctx.x in [\"abc\"] | last(log).x in last(log).y",
        "arg.order < \"b\" & arg.amount < 3 & 2 * (1 + 1) * arg.amount - 3 == -arg.amount",
        "arg.tags == [] & arg.tags contains \"x\" & arg.order contains \"x\" & len(arg.to) == 2",
        "arg.items[*].sku subset arg.tags & arg.items[0].count > 1 & arg.to.lines[-1] == \"x\"",
        "arg.order in arg.items[*].sku & known(arg.order) & listed(arg.amount) & arg.order in []",
        "turn.calls <= 1 & len(arg.tags) + turn.size < 3 & lower(arg.note) == \"x\"",
        "G (call(pay) -> confirms)",
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
        help("arg.order == null"),
        "write `known(arg.order)` to ask whether it is given"
    );
    assert_eq!(
        help("arg.order in \"x\""),
        "write `[\"x\"]`, or `==` for a single value"
    );
}
