//! What reads as what, and what each slip is told.

use super::*;

/// Reads `text` and demands its canonical form.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parsed = parse_formula(text, Mode::Draft).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(print_formula(&parsed.value), expected);
    let again = parse_formula(expected, Mode::Draft).unwrap();
    assert_eq!(again.value, parsed.value, "{expected} reads back otherwise");
}

/// Demands an error at exactly `words`, with `part` in its message or help.
#[track_caller]
fn check_error(text: &str, words: &str, part: &str) {
    let error = parse_formula(text, Mode::Strict).expect_err(text);
    assert_eq!(text.get(error.range.clone()).unwrap(), words, "{error}");
    assert!(error.to_string().contains(part), "{error}");
    assert!(!error.help.is_empty());
}

#[test]
fn reads_and_prints_the_whole_vocabulary() {
    for text in [
        "call(a)",
        "call(@any) & return(a | b-c.d/e:f | @read) & ok(@write) & error(\"odd name\")",
        "user & agent & confirms",
        "user_says(/cancel|stop/) S agent_says(/a\\/b \"c\"/)",
        "arg.a.b[0].c[-1][*].d[\"odd key\"] == result.x",
        "ctx.caller != ctx[\"odd one\"]",
        "last(a, k = arg.x, n = 3).status == \"open\"",
        "last(a) > 3",
        "count(ok(a)) == 0 & count(call(@write), k = arg.k, since = confirms) < 3",
        "count(ok(a), \"since\" = arg.since, since = ok(b)) == 0",
        "turn.calls <= 1 & turn.size >= 1",
        "len(arg.items) < 5 & lower(arg.name) == \"x\"",
        "arg.a + 2 * arg.b - 3 - (arg.c - -1) == 2 * (arg.d + 1)",
        "arg.a in [\"x\", 1, -2.5, true, null, [], {\"k\": [1]}]",
        "arg.a subset arg.b & arg.a contains \"x\" & arg.a matches /^a\\d+$/",
        "known(arg.a) -> listed(arg.a)",
        "G (call(a) -> !user S confirms & O ok(b))",
        "call(?find_order | ?\"odd words\") & last(?find, ?order_number = arg.?id).?state == 1",
        "true & G false",
        "!(arg.a == 1) U known(arg.b) & X WX F G Y WY O H user",
        "true == arg.a",
        "user R agent W confirms M user T agent <-> user",
    ] {
        check(text, text);
    }
}

#[test]
fn other_spellings_are_read() {
    check("call(a) && ! user || ~agent", "call(a) & !user | !agent");
    check("user AND agent or NOT confirms", "user & agent | !confirms");
    check("call(a) → user ∧ ¬agent", "call(a) -> user & !agent");
    check("user => agent ⇔ confirms", "user -> agent <-> confirms");
    check("user implies not arg.a in [1]", "user -> !(arg.a in [1])");
    check("arg.a not in [1]", "!(arg.a in [1])");
    check("arg.a   not \n in [1]", "!(arg.a in [1])");
    check("arg.a ≤ 3 & arg.b ≠ 1.50e1", "arg.a <= 3 & arg.b != 15");
    check("((arg.a)) == ((1 + 2))", "arg.a == 1 + 2");
    check("(true) & (((user)))", "true & user");
    check("-arg.a == --1", "-1 * arg.a == 1");
    check("arg.a<-5", "arg.a < -5");
    check("arg.a -1 == 2", "arg.a - 1 == 2");
    check("X[!] N G(user)", "X WX G user");
    check("last(t,b=1,a=2).x == 1", "last(t, a = 2, b = 1).x == 1");
    check("arg.\"odd one\" == 1", "arg[\"odd one\"] == 1");
    check("call(b|a|b)", "call(a | b)");
    check("G !arg.x == 1", "G !(arg.x == 1)");
    check(
        "arg.in == arg.G & arg.true in arg.not",
        "arg.in == arg.G & arg.true in arg.not",
    );
}

#[test]
fn atoms_know_where_they_stand() {
    let text = "G (call(a) -> (arg.x  not in [1]) & !known( arg.y ) | arg.z == 1 )";
    let parsed = parse_formula(text, Mode::Strict).unwrap();
    let places: Vec<_> = parsed
        .atoms
        .iter()
        .map(|(_, range)| text.get(range.clone()).unwrap())
        .collect();
    assert_eq!(
        places,
        [
            "call(a)",
            "arg.x  not in [1]",
            "known( arg.y )",
            "arg.z == 1"
        ]
    );
    assert_eq!(parsed.atoms[3].0.to_string(), "arg.z == 1");
    let text = "(arg.a + 1) == (2) & user";
    let parsed = parse_formula(text, Mode::Strict).unwrap();
    assert_eq!(
        text.get(parsed.atoms[0].1.clone()).unwrap(),
        "(arg.a + 1) == (2)"
    );
}

#[test]
fn slips_are_told_what_to_write() {
    check_error(
        "call(a) -> arg.insured",
        "arg.insured",
        "write `arg.insured == true`",
    );
    check_error("!last(t).x & user", "last(t).x", "== true");
    check_error("count(ok(a)) & user", "count(ok(a))", "compare it");
    check_error("\"x\" -> user", "\"x\"", "compare it with a term");
    check_error("arg.a == 'x'", "'", "double quotes");
    check_error("arg.a = 1", "=", "write `==`");
    check_error("arg.a is 1", "is", "write `==`");
    check_error("arg.a == True", "True", "write `true`");
    check_error("arg.a == None", "None", "write `null`");
    check_error("arg.a in [True]", "True", "write `true`");
    check_error("arg.a in [arg.b]", "arg", "constant");
    check_error("arg.a in [x]", "x", "`\"x\"`");
    check_error("1 < arg.a < 3", "<", "two comparisons");
    check_error("(user) == 1", "(user)", "a condition where a value");
    check_error("arg == 1", "arg", "without a field");
    check_error("args.x == 1", "args", "write `arg`");
    check_error("calls(a)", "calls", "did you mean `call`");
    check_error("cancel_order -> user", "cancel_order", "call(cancel_order)");
    check_error("@write", "@", "call(@write)");
    check_error("call(*)", "*", "@any");
    check_error("call(@writes)", "@writes", "`@write`");
    check_error("call()", ")", "a tool's name");
    check_error("call(a", "(", "add `)`");
    check_error("call(a b)", "b", "`)`");
    check_error("call(?x)", "?x", "placeholder");
    check_error("arg.?x == 1", "?x", "placeholder");
    check_error("confirms()", "confirms", "no arguments");
    check_error("user(/x/)", "user", "user_says");
    check_error("user_says(\"a/b\")", "\"a/b\"", "/a\\/b/");
    check_error("arg.a matches /(/", "/(/", "unclosed group");
    check_error("arg.a matches /x", "/x", "does not end");
    check_error("arg.a matches x", "x", "a regular expression");
    check_error("arg.a / 2 == 1", "/", "no division");
    check_error("arg.a == 007", "007", "starts with a zero");
    check_error("arg.a == 5kg", "5kg", "without units");
    check_error("arg.a == 1_000", "1_000", "separators");
    check_error("arg.a == 1,000", ",", "operator or the end");
    check_error(
        &format!("arg.a == {}", "9".repeat(40)),
        &"9".repeat(40),
        "exactly",
    );
    check_error("arg.a == \"x", "\"x", "does not end");
    check_error("arg.a == \"\\q\"", "\"\\q\"", "escape");
    check_error("arg.items.0 == 1", ".0", "write `[0]`");
    check_error("arg.items.* == 1", ".*", "write `[*]`");
    check_error("arg.items[?x] == 1", "[?", "no filters");
    check_error(
        "arg.items[99999999999999999999] == 1",
        "99999999999999999999",
        "whole number",
    );
    check_error("ctx.a.b == 1", "ctx.a.b", "no fields");
    check_error("turn.x == 1", "turn.x", "turn.calls");
    check_error("last(a, arg.x).y == 1", "arg", "has no name");
    check_error("last(a, k == 1).y == 1", "==", "write one `=`");
    check_error("last(a, k = 1, k = 2).y == 1", "k = 2", "twice");
    check_error("last(a, since = user).y == 1", "since", "has no `since`");
    check_error("last(ok(a)).y == 1", "(", "`,` or `)`");
    check_error("count(a) == 1", "a", "call(a)");
    check_error("count(ok(a), within = 3) == 1", "within", "has no `within`");
    check_error("user agent", "agent", "between the two");
    check_error("user &", "", "the text ends");
    check_error("", "", "the text ends");
    check_error("user)", ")", "bracket");
    check_error("arg.a contain 1", "contain", "did you mean `contains`");
    check_error("user → ", "", "the text ends");
}

#[test]
fn hostile_text_ends_in_an_error() {
    let nested = [
        "(".repeat(500_000),
        "!".repeat(500_000),
        "-".repeat(500_000),
        "[".repeat(500_000),
        "arg.a in ".to_owned() + &"[".repeat(400_000),
        "len(".repeat(200_000),
        "last(t, k = ".repeat(80_000),
        vec!["user"; 100_000].join(" -> "),
        vec!["user"; 100_000].join(" U "),
        vec!["1"; 100_000].join(" + "),
        "arg.a == ".to_owned() + &vec!["arg.x"; 100_000].join("*"),
    ];
    for text in nested {
        let error = parse_formula(&text, Mode::Strict).unwrap_err();
        assert!(error.message.contains("nested"), "{error}");
        assert!(parse_term(&text, Mode::Strict).is_err());
    }
    let long = " ".repeat(MAX_LENGTH + 1);
    assert!(
        parse_formula(&long, Mode::Strict)
            .unwrap_err()
            .message
            .contains("longer")
    );
    let wide = vec!["user"; 100_000].join(" & ");
    assert_eq!(
        parse_formula(&wide, Mode::Strict).unwrap().atoms.len(),
        100_000
    );
    let deep = "(".repeat(190) + "last(t, k = arg.x).y == 1" + &")".repeat(190);
    assert!(parse_formula(&deep, Mode::Strict).is_ok());
}

#[test]
fn the_other_entry_points_read_the_whole_text() {
    assert_eq!(
        parse_term("arg.a*2", Mode::Strict).unwrap().to_string(),
        "arg.a * 2"
    );
    assert!(parse_term("arg.a == 2", Mode::Strict).is_err());
    assert_eq!(
        parse_event(" ok( b|a ) ", Mode::Strict)
            .unwrap()
            .to_string(),
        "ok(a | b)"
    );
    assert!(parse_event("ok(a) & user", Mode::Strict).is_err());
    assert!(parse_event("arg.x == 1", Mode::Strict).is_err());
    assert_eq!(
        parse_tool_pattern("b | @read|?c", Mode::Draft)
            .unwrap()
            .to_string(),
        "b | ?c | @read"
    );
    assert!(parse_tool_pattern("a b", Mode::Draft).is_err());
    assert!(parse_tool_pattern("", Mode::Draft).is_err());
}
