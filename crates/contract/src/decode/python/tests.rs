use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let value = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(value.to_string(), expected, "{text}");
}

#[track_caller]
fn check_refused(text: &str, why: &str) {
    let error = read(text).unwrap_err();
    assert!(error.contains(why), "{text}: {error}");
}

#[test]
fn constructors_of_plain_values() {
    check(
        "{'at': datetime.datetime(2024, 5, 1, 10, 0)}",
        r#"{"at": "2024-05-01T10:00:00"}"#,
    );
    check(
        "datetime.datetime(2024, 5, 1, 10, 0, 1, 250)",
        r#""2024-05-01T10:00:01.000250""#,
    );
    check("datetime.date(2024, 2, 29)", r#""2024-02-29""#);
    check("datetime.time(23, 59)", r#""23:59:00""#);
    check(
        "(datetime.datetime(2024, 5, 1, 10, 0, tzinfo=datetime.timezone.utc),)",
        r#"["2024-05-01T10:00:00+00:00"]"#,
    );
    check(
        "datetime.datetime(2024, 5, 1, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))",
        r#""2024-05-01T00:00:00-05:00""#,
    );
    check("[Decimal('10.50'), Decimal('-1E+2')]", "[10.5, -100]");
    check("[UUID('0b1c')]", r#"["0b1c"]"#);
    check(
        "[set(), frozenset(), frozenset({1}), set([2])]",
        "[[], [], [1], [2]]",
    );
    check(
        "{'s': <Status.OPEN: 'open'>, 'n': <m.Level.LOW: 1>}",
        r#"{"n": 1, "s": "open"}"#,
    );
}

#[test]
fn what_constructs_anything_else_is_refused() {
    check_refused("Foo(x=1)", "`Foo` is no literal");
    check_refused("[Foo(x=1)]", "`Foo` is no literal");
    check_refused("[nan]", "`nan` is no literal");
    check_refused("[true]", "`true` is no literal");
    check_refused("datetime.timedelta(days=1)", "`datetime.timedelta`");
    check_refused("datetime.datetime(2024, 5)", "does not exist");
    check_refused("datetime.date(2023, 2, 29)", "does not exist");
    check_refused("datetime.date(2023, 2, 1, 4)", "too many");
    check_refused("datetime.datetime(2024, 5, 1, 24)", "does not exist");
    check_refused("datetime.datetime(2024, 5, 1, x)", "something else");
    check_refused(
        "datetime.datetime(2024, 5, 1, tzinfo=zoneinfo.ZoneInfo(key='A'))",
        "by name",
    );
    check_refused(
        "datetime.date(2024, 5, 1, tzinfo=datetime.timezone.utc)",
        "too many",
    );
    check_refused(
        &format!("datetime.date({})", "1, ".repeat(1000)),
        "too many",
    );
    check_refused("[Decimal('NaN')]", "no number");
    check_refused("[Decimal('1_0')]", "no number");
    check_refused("[Decimal(1.5)]", "no text");
    check_refused("[set(1)]", "no list");
    check_refused("<p: 1>", "no member");
    check_refused("<a.b: 1", "`>`");
    check_refused("<Foo object at 0x7f>", "no member");
}

/// Where reading is stricter than Python's, since a part would be lost or a kind
/// guessed.
#[test]
fn what_python_reads_and_a_result_does_not_mean() {
    check_refused("[1] # one", "`#` follows");
    check_refused("[1, # one\n 2]", "`#` starts no value");
    check_refused("1, 2", "`,` follows");
    check_refused("'a' 'b'", "follows");
    check_refused("(5)", "in parentheses");
    check_refused("[u'\\N{BULLET}']", "by name");
    check_refused("{'a': 1, 'a': 1}", "repeated");
    check_refused("{1: 'a', '1': 'b'}", "repeated");
    check_refused("{(1, 2): 3}", "key");
    check_refused("['\\ud83d']", "half a character");
    check_refused("['\\udc00']", "no character");
    check_refused("[b'\\xff']", "UTF-8");
    check_refused("[99999999999999999999999999999999999]", "digits");
}

#[test]
fn where_a_literal_may_start() {
    for text in [
        "(",
        "[",
        "{",
        "'",
        "\"",
        "None",
        "True x",
        "b'",
        "Rb\"",
        "datetime.x",
        "set()",
        "<",
    ] {
        assert!(sets_out(text), "{text}");
    }
    for text in [
        "", "1_000", "0xff", "-1", "Nonesuch", "bx'", "hello", "f'x'", "settle(", ".5", "é'",
    ] {
        assert!(!sets_out(text), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [
        ("[", "]"),
        ("(", ",)"),
        ("{1: ", "}"),
        ("{", "}"),
        ("<a.b: ", ">"),
        ("set(", ")"),
    ] {
        let nested = |depth: usize| format!("{}[]{}", open.repeat(depth), close.repeat(depth));
        assert!(read(&nested(MAX_DEPTH)).is_ok(), "{open}");
        check_refused(&nested(MAX_DEPTH + 1), "deeper");
        check_refused(&open.repeat(1_000_000), "deeper");
    }
}

#[test]
fn every_start_of_a_literal_is_refused_or_read() {
    let text = r#"[{'a': (1, -2.5e1), b"x": {1}}, '\u00e9\x41\101', datetime.datetime(2024, 5, 1), <A.b: 'c'>]"#;
    assert!(read(text).is_ok());
    for (end, _) in text.char_indices() {
        assert!(read(text.get(..end).unwrap()).is_err());
    }
}
