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
    check_error("arg.items[?x] == 1", "x", "write `@.x`");
    check_error("arg.items[?@.a == 1", "[", "closed with `]`");
    check_error(
        "arg.items[?F @.a == 1] == []",
        "F @.a == 1",
        "of events or of time",
    );
    check_error("@.a == 1", "@", "class of tools");
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
    check_error("count(ok(a), within = 3) == 1", "3", "such as `24h`");
    check_error("last(a, within = 3h).y == 1", "within", "has no `within`");
    check_error(
        "since(ok(a)) < 99999999999999999999h",
        "99999999999999999999h",
        "longer",
    );
    check_error(
        "sum(ok(a), ctx.x) < 3",
        "ctx.x",
        "no part of a counted event",
    );
    check_error("any(arg.items as in, in.x == 1)", "in", "cannot name");
    check_error(
        "any(arg.items as x, call(a))",
        "call(a)",
        "of events or of time",
    );
    check_error(
        "any(arg.items, x.a == 1)",
        ",",
        "`any(arg.items as item, …)`",
    );
    check_error("x.a == 1", "x", "means nothing");
    check_error("from_tool(arg.x)", "from_tool(arg.x)", "names no tool");
    check_error("user agent", "agent", "between the two");
    check_error("user &", "", "the text ends");
    check_error("", "", "the text ends");
    check_error("user)", ")", "bracket");
    check_error("arg.a contain 1", "contain", "did you mean `contains`");
    check_error("user → ", "", "the text ends");
}

#[test]
fn slips_about_elements_are_told_what_to_write() {
    check_error("arg.items[?price < 10] == []", "price", "write `@.price`");
    check_error(
        "arg.items[?amount < 10] == []",
        "amount",
        "write `@.amount`",
    );
    check_error("arg.items[?count < 10] == []", "<", "write `@.count`");
    check_error(
        "arg.items[?.price < 10] == []",
        ".",
        "a condition or a value",
    );
    check_error(
        "any(arg.items as x, price < 10)",
        "price",
        "write `x.price`",
    );
    check_error("any(arg.items as x, sum < 10)", "sum", "write `x.sum`");
    check_error(
        "any(arg.items as x, any(x.a as y, b == 1))",
        "b",
        "write `y.b`",
    );
    check_error("all(x in list, x.a == 1)", "x", "write `all(list as x, …)`");
    check_error(
        "any( x in arg.items: x.a == 1)",
        "x",
        "write `any(arg.items as x, …)`",
    );
    check_error("any(x: arg.items, x.a == 1)", "x", "means nothing");
    check_error(
        "any(arg.items as x: x.a == 1)",
        ":",
        "`any(arg.items as x, …)`",
    );
    check_error("any(arg.items as x)", ")", "`any(arg.items as x, …)`");
    check_error("exists(arg.items)", "exists", "write `any(");
    check_error("forall(arg.items)", "forall", "write `all(");
    check_error("any(arg.items as x, F x.a == 1)", "F x.a == 1", "of time");
    check_error("all(arg.items as x, x.a)", "x.a", "write `x.a == true`");
    check_error(
        "arg.items[?@.gift] == []",
        "@.gift",
        "write `@.gift == true`",
    );
    check_error(
        "any(arg.items as @, @.a == 1)",
        "",
        "cannot name an element",
    );
    check_error(
        "known(any(arg.x as y, y == 1))",
        "any(arg.x as y, y == 1)",
        "a condition where a value",
    );
}

#[test]
fn slips_about_time_are_told_what_to_write() {
    check_error("since(ok(a)) < 24 h", "h", "write `24h`");
    check_error("since(ok(a)) < 24 hours & user", "hours", "write `24h`");
    check_error("count(ok(a), within = 7 days) < 3", "7", "such as `24h`");
    check_error("now - arg.t < 90 min", "min", "write `90m`");
    check_error("since(ok(a)) < 24hours", "24hours", "`24h`");
    check_error("since(ok(a)) < 1.5h", "1.5h", "without units");
    check_error("count(ok(a), within = \"24h\") < 3", "\"", "such as `24h`");
    check_error("since(a) < 3h", "a", "call(a)");
    check_error("now() > arg.t", "(", "alone, without arguments");
    check_error("turns() < 3", "(", "alone, without arguments");
}

#[test]
fn slips_about_paths_and_functions_are_told_what_to_write() {
    check_error("last(t) [arg.k] == 1", "[", "without a blank");
    check_error("emails(arg.to)[0] == \"a\"", "[", "with `any` or `all`");
    check_error("len(arg.x).y == 1", ".", "with `any` or `all`");
    check_error(
        "contains(arg.x, \"a\")",
        "contains",
        "`arg.a contains arg.b`",
    );
    check_error("under(arg.x, \"/a\")", "under", "`arg.a under arg.b`");
    check_error("arg.x matches \"a\"", "\"a\"", "write `/a/`");
    check_error("zip(arg.x) == []", ")", "the second list of `zip`");
    check_error("sum(ok(a)) < 3", ")", "what is summed");
    check_error("sum(user, arg.x) < 3", "(user, arg.x)", "only what tools");
    check_error("permitted()", ")", "a condition or a value");
    check_error("arg[arg.k][?] == 1", "]", "a condition or a value");
}

#[test]
fn the_new_vocabulary_reads_in_any_spelling() {
    check(
        "any( arg.items  as x ,x.price<10 )",
        "any(arg.items as x, x.price < 10)",
    );
    check(
        "not all(arg.items as x, x.a == 1 and not x.b == 2)",
        "!all(arg.items as x, x.a == 1 & !(x.b == 2))",
    );
    check(
        "arg.items[ ? @.a == 1 ] == []",
        "arg.items[?@.a == 1] == []",
    );
    check(
        "arg.items[?(@.a == 1)][-1].b == 1",
        "arg.items[?@.a == 1][-1].b == 1",
    );
    check("last(T)[arg.k].x == 1", "last(T)[arg.k].x == 1");
    check(
        "arg.a[ last(t, k=1).n ] == 1",
        "arg.a[last(t, k = 1).n] == 1",
    );
    check(
        "since(ok(a)) < 48h & now < arg.t + 90m",
        "since(ok(a)) < 2d & now < arg.t + 90m",
    );
    check("since(ok(a)) <= 2w", "since(ok(a)) <= 14d");
    check(
        "count(ok(a),within=3600s,since=user)==0",
        "count(ok(a), since = user, within = 1h) == 0",
    );
    check(
        "from_tool(arg.x, a | b, @read)",
        "from_tool(arg.x, a, b, @read)",
    );
    check(
        "permitted(refunds) & permitted(\"user\") & permitted(arg.x)",
        "permitted(refunds) & permitted(\"user\") & permitted(arg.x)",
    );
    check(
        "sum(call(a), 2*arg.x, k = arg.k) + sum(arg.y) < 3",
        "sum(call(a), 2 * arg.x, k = arg.k) + sum(arg.y) < 3",
    );
    check(
        "any(arg.x as x, any(x.y as x, x == 1))",
        "any(arg.x as x, any(x.y as x, x == 1))",
    );
    check(
        "arg.x[?@.y[?@ == 1] == []] == []",
        "arg.x[?@.y[?@ == 1] == []] == []",
    );
}

fn named(terms: &[(&str, &str)]) -> Result<Terms, TermsError> {
    let mut named = Terms::default();
    for (name, text) in terms {
        named.declare(name, text, Mode::Strict)?;
    }
    Ok(named)
}

#[test]
fn named_terms_stand_for_what_they_name() {
    let terms = named(&[
        ("RES", "last(get, id = arg.id)"),
        ("FIRST", "RES.legs[0]"),
        ("CODES", "[\"a\", \"b\"]"),
    ])
    .unwrap();
    let read = |text: &str| parse_formula_with(text, Mode::Strict, &terms);
    let printed = |text: &str| print_formula(&read(text).unwrap().value);
    assert_eq!(
        printed("FIRST.day == RES.day & any(RES.legs as x, x.code in CODES)"),
        "last(get, id = arg.id).legs[0].day == last(get, id = arg.id).day & any(last(get, id = arg.id).legs as x, x.code in [\"a\", \"b\"])"
    );
    assert_eq!(
        printed("arg.items[?@.id == RES.id].x == [1] & permitted(RES)"),
        "arg.items[?@.id == last(get, id = arg.id).id].x == [1] & permitted(last(get, id = arg.id))"
    );
    let help = |text: &str| read(text).unwrap_err().to_string();
    assert!(help("CODES[0] == \"a\"").contains("has no parts"));
    assert!(help("any(arg.x as RES, RES == 1)").contains("cannot name an element"));
    assert!(help("REZ.x == 1").contains("did you mean `RES`"));
    let taken = named(&[("XX", "arg.x"), ("XX", "arg.y")]);
    assert_eq!(taken, Err(TermsError::Repeated("XX".to_owned())));
    for name in ["now", "as", "G", "not", "", "a b", "9a", "any"] {
        assert_eq!(
            named(&[(name, "arg.x")]),
            Err(TermsError::Name(name.to_owned()))
        );
    }
    assert!(matches!(
        named(&[("XX", "arg.x == 1")]),
        Err(TermsError::Syntax { .. })
    ));
    assert!(matches!(
        named(&[("XX", "YY.z"), ("YY", "arg.x")]),
        Err(TermsError::Syntax { .. })
    ));
}

#[test]
fn named_terms_are_bounded_when_written_out() {
    // Each name doubles the one before it.
    let mut terms = Terms::default();
    let mut last = terms.declare("T0", "arg.x", Mode::Strict);
    for index in 1..40 {
        let text = format!("T{0} + T{0}", index - 1);
        last = terms.declare(&format!("T{index}"), &text, Mode::Strict);
        if last.is_err() {
            break;
        }
    }
    assert!(matches!(last, Err(TermsError::TooLarge(_))), "{last:?}");
    // Names inside filters go deeper than any text does.
    let mut terms = Terms::default();
    let mut last = Ok(());
    terms.declare("T0", "arg.x", Mode::Strict).unwrap();
    for index in 1..40 {
        let not = "!".repeat(180);
        let text = format!("arg.x[?{not} @ == T{}]", index - 1);
        last = terms.declare(&format!("T{index}"), &text, Mode::Strict);
        if last.is_err() {
            break;
        }
    }
    assert!(matches!(last, Err(TermsError::TooLarge(_))), "{last:?}");
    // A long text of names is longer yet once they are written out.
    let list = format!("[{}]", vec!["\"x\""; 10_000].join(", "));
    let terms = named(&[("CODES", &list)]).unwrap();
    let text = vec!["arg.x in CODES"; 40_000].join(" & ");
    let error = parse_formula_with(&text, Mode::Strict, &terms).unwrap_err();
    assert!(
        error.message.contains("once its names are written out"),
        "{error}"
    );
    let deep = format!("{}LOW{}", "lower(".repeat(150), ")".repeat(150));
    let terms = named(&[(
        "LOW",
        &format!("{}arg.x{}", "lower(".repeat(100), ")".repeat(100)),
    )]);
    let error = parse_term_with(&deep, Mode::Strict, &terms.unwrap()).unwrap_err();
    assert!(error.message.contains("nested"), "{error}");
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
        "any(arg.x as x, ".repeat(60_000),
        "any(".repeat(200_000),
        "known(arg.x[?".repeat(70_000),
        "arg.x[".repeat(160_000),
        "arg.x[?@[".repeat(100_000),
        "sum(ok(t), ".repeat(90_000),
        "zip(".repeat(200_000),
        "permitted(".repeat(90_000),
        "from_tool(".repeat(90_000),
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
