use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert!(sets_out(text), "{text}");
    let value = read(text).unwrap().expect("data");
    assert_eq!(value.to_string(), expected, "{text}");
}

#[test]
fn dumps_of_records() {
    check(
        "- amount: 10.0\n  date: '2022-01-01'\n  id: 1\n  recurring: false\n  note: null\n",
        r#"[{"amount": 10, "date": "2022-01-01", "id": 1, "note": null, "recurring": false}]"#,
    );
    check(
        "- general\n- random\n- '7'\n- 7",
        r#"["general", "random", "7", 7]"#,
    );
    check("- only", r#"["only"]"#);
    check("-\n  a: 1\n-\n  a: 2", r#"[{"a": 1}, {"a": 2}]"#);
    check("- - 1\n  - 2\n- []", "[[1, 2], []]");
    check(
        "attachments: []\nbody: 'Hi,\n\n\n  it''s me'\nmeta: {}\nsent: 2024-05-15 11:00:00\nto:\n- a@b.c\n- d@e.f\n",
        r#"{"attachments": [], "body": "Hi,\n\nit's me", "meta": {}, "sent": "2024-05-15 11:00:00", "to": ["a@b.c", "d@e.f"]}"#,
    );
    check("a: 1\nb: \"x\\n\\\n  \\ y\"", r#"{"a": 1, "b": "x\n y"}"#);
    check(
        "a: |\n  one\n  two\nb: >-\n  three\n  four\n",
        r#"{"a": "one\ntwo\n", "b": "three four"}"#,
    );
    check("---\na: 1\nb: 2\n...\n", r#"{"a": 1, "b": 2}"#);
    check(
        "items:\n  1: x\n  two words: y",
        r#"{"items": {"1": "x", "two words": "y"}}"#,
    );
    check("'a': 1\n\"b\": 2", r#"{"a": 1, "b": 2}"#);
    check("  - a\n  - b\n", r#"["a", "b"]"#);
    check("a: 1\r\nb:\r\n- 2\r\n", r#"{"a": 1, "b": [2]}"#);
    check("a: [1, {b: 2}]", r#"{"a": [1, {"b": 2}]}"#);
    check("a:\nb: 1", r#"{"a": null, "b": 1}"#);
    check("true: 1\nnull: 2", r#"{"null": 2, "true": 1}"#);
}

/// Not YAML's to read, and nothing to tell about it.
#[track_caller]
fn check_prose(text: &str) {
    let left_alone = !sets_out(text)
        || match read(text) {
            Ok(value) => value.is_none(),
            Err(_) => !looks_like_data(text),
        };
    assert!(left_alone, "{text}");
}

#[test]
fn prose_is_not_read() {
    check_prose("plain");
    check_prose("");
    check_prose("---");
    check_prose("-");
    check_prose("-\n-\n");
    check_prose("-5");
    check_prose("note: see below");
    check_prose("total: 5");
    check_prose("Status Bar: full");
    check_prose("Status: on\nStatus Bar: full");
    check_prose("Dear tenant,\nrent: 5");
    check_prose("http://a.b/c");
    check_prose("12:30");
    check_prose("{a: 1}");
    check_prose("[a]");
    check_prose("--- a");
    check_prose("'it': she said\nand left");
}

#[track_caller]
fn check_refused(text: &str, why: &str) {
    assert!(sets_out(text) && looks_like_data(text), "{text}");
    let error = read(text).unwrap_err();
    assert!(error.contains(why), "{text}: {error}");
}

#[test]
fn what_dumps_do_not_have_is_refused() {
    check_refused("- a # b", "comment");
    check_refused("- order: #W12", "comment");
    check_refused("- &a 1\n- *a", "anchor");
    check_refused("- &a [1]", "anchor");
    check_refused("- !!str 1", "tag");
    check_refused("- !x [1]", "tag");
    check_refused("a: 1\na: 2", "repeated");
    check_refused("a: 1\nb: 2\n---\nc: 3\nd: 4", "several documents");
    check_refused("- ? [1]\n  : 2", "key");
    check_refused("- {[1]: 2}", "key");
    check_refused("a: 1\n: 2\nb: 3", "key");
    check_refused("- body: cc: []", "");
    check_refused("- a\nb", "");
    check_refused("- **bold**", "");
    check_refused("- 99999999999999999999999999999999999999", "digits");
}

#[test]
fn nesting_is_bounded() {
    for open in ["- ", "[", "{a: "] {
        let text = format!("- x\n- {}", open.repeat(100_000));
        assert!(read(&text).is_err(), "{open}");
    }
    let nested = |depth: usize| "- ".repeat(depth) + "x";
    assert!(read(&nested(MAX_DEPTH)).unwrap().is_some());
    assert!(read(&nested(MAX_DEPTH + 1)).is_err());
    let flow = |depth: usize| format!("- {}x{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&flow(MAX_DEPTH - 1)).unwrap().is_some());
    assert!(read(&flow(MAX_DEPTH)).is_err());
}
