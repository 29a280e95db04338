use super::*;

#[track_caller]
fn check(text: &str, form: Form, expected: &str) {
    let decoded = result(text);
    assert_eq!(
        (
            decoded.form,
            decoded.value.to_string().as_str(),
            decoded.note
        ),
        (form, expected, None),
        "{text}"
    );
}

#[test]
fn each_form_is_read() {
    check(r#"{"a": 1.10}"#, Form::Json, r#"{"a": 1.1}"#);
    check("42", Form::Json, "42");
    check(" [1] \n", Form::Json, "[1]");
    check("{'a': 1.10}", Form::Python, r#"{"a": 1.1}"#);
    check("(True, 300)", Form::Python, "[true, 300]");
    check("None", Form::Python, "null");
    check("'text'", Form::Python, r#""text""#);
    check(
        "- amount: 10.0\n  date: '2022-01-01'",
        Form::Yaml,
        r#"[{"amount": 10, "date": "2022-01-01"}]"#,
    );
    check("\n  - a\n  - b\n", Form::Yaml, r#"["a", "b"]"#);
    check("'a': 1\n'b': 2", Form::Yaml, r#"{"a": 1, "b": 2}"#);
}

/// Text stays exactly as it is.
#[track_caller]
fn check_text(text: &str) {
    let decoded = result(text);
    let expected = (Form::Text, Value::text(text), None);
    assert_eq!((decoded.form, decoded.value, decoded.note), expected);
}

#[test]
fn kinds_are_never_guessed() {
    for text in [
        "",
        "  ",
        " two \n",
        "raj_santos_9079",
        "1_000",
        "0x1F",
        "007",
        "1e5x",
        "+5",
        "NaN",
        "nan",
        "yes",
        "2022-01-01",
        "9999999999999999999999999999999999999999",
        "note: see below",
        "Error: order not found",
        "KeyError: 'JPY'",
        "KeyError: 1\nhint: look again",
        "(see below)",
        "(call 555 or write)",
        "'a' said Bob",
        "\"a\" \"b\"",
        "'a' 'b'",
        "<p>text</p>",
        "None of these",
        "True story",
        "-",
        "--",
        "-5 C",
        "Dear all,\nrent: 5\nwater: 6",
        "Status Bar: on\nSpeed: 5",
    ] {
        check_text(text);
    }
}

#[track_caller]
fn check_note(text: &str, why: &str) {
    let decoded = result(text);
    assert_eq!(
        (decoded.form, decoded.value),
        (Form::Text, Value::text(text))
    );
    let note = decoded.note.expect("a note");
    assert!(
        note.starts_with("the result looks like data but was kept as text: "),
        "{note}"
    );
    assert!(note.contains(why), "{note}");
}

#[test]
fn what_sets_out_like_data_and_is_none_is_told() {
    check_note(r#"{"a": 1, "a": 2}"#, "repeated");
    check_note("{'a': 1, 'a': 2}", "repeated");
    check_note(r#"{"a": "#, "not JSON: EOF");
    check_note(
        "{'a': Foo(x=1)}",
        "as a Python literal, `Foo` is no literal",
    );
    check_note("[1, 2] and more", "follows");
    check_note("{a: 1}", "`a` is no literal");
    check_note("(True, Foo(1))", "`Foo`");
    check_note("(1, x)", "`x`");
    check_note("(5)", "one value in parentheses");
    check_note("- a # b", "as YAML, it has a comment");
    check_note("id: 1\nbody: cc: []\nto: x", "as YAML, ");
    check_note(&"[".repeat(1_000_000), "");
    check_note(&format!("{}{}", "[".repeat(100), "]".repeat(100)), "deeper");
    check_note("[1e400]", "digits");
}

#[test]
fn wrappers_come_off() {
    check("```json\n{\"a\": 1}\n```", Form::Json, r#"{"a": 1}"#);
    check("<<None>>", Form::Python, "null");
    check("<<{'a': 'x >> y'}>>", Form::Python, r#"{"a": "x >> y"}"#);
    check("<<- a\n- b>>", Form::Yaml, r#"["a", "b"]"#);
    check("<‹(True, 1)>>", Form::Python, "[true, 1]");
    check("```yaml\n  - a\n  - b\n```", Form::Yaml, r#"["a", "b"]"#);
    check("```\nplain\n```", Form::Text, r#""plain""#);
    check("<<plain>>", Form::Text, r#""plain""#);
    check_text("<<a>> and <<b>>");
    check_text("```\na\n```\nand\n```\nb\n```");
}

#[test]
fn size_is_limited() {
    let text = format!("[{}]", " ".repeat(MAX_LENGTH));
    let decoded = result(&text);
    assert_eq!(decoded.form, Form::Text);
    assert!(decoded.note.unwrap().contains("longer than"));
    assert!(matches!(
        arguments(&format!("{{{}}}", " ".repeat(MAX_LENGTH))),
        Arguments::Unreadable(_)
    ));
}

/// The object, or the text that could not be read.
#[track_caller]
fn check_arguments(raw: &str, expected: Result<&str, &str>) {
    let read = match arguments(raw) {
        Arguments::Read(values) => Ok(Value::Object(values).to_string()),
        Arguments::Unreadable(text) => Err(text),
    };
    assert_eq!(read.as_deref().map_err(String::as_str), expected, "{raw}");
}

#[test]
fn arguments_are_an_object_or_text_encoded_once_or_twice() {
    check_arguments(r#"{"a": 1.10}"#, Ok(r#"{"a": 1.1}"#));
    check_arguments(r#""{\"a\": 1}""#, Ok(r#"{"a": 1}"#));
    check_arguments(r#""\"{\\\"a\\\": 1}\"""#, Ok(r#"{"a": 1}"#));
    check_arguments(r#""{}""#, Ok("{}"));
    check_arguments(r#""{\"a\": \"{}\"}""#, Ok(r#"{"a": "{}"}"#));
    check_arguments(
        r#"{"a": 12345678901234567890.12345}"#,
        Ok(r#"{"a": 12345678901234567890.12345}"#),
    );
}

#[test]
fn what_is_no_object_is_never_an_empty_one() {
    check_arguments("", Err(""));
    check_arguments("null", Err("null"));
    check_arguments("3", Err("3"));
    check_arguments(r#""""#, Err(""));
    check_arguments(r#""{\"a\"""#, Err("{\"a\""));
    check_arguments(r#""[1]""#, Err("[1]"));
    check_arguments("[]", Err("[]"));
    check_arguments(r#""{'a': 1}""#, Err("{'a': 1}"));
    check_arguments(r#""{\"a\": 1, \"a\": 2}""#, Err(r#"{"a": 1, "a": 2}"#));
    check_arguments(r#""\"\\\"{}\\\"\"""#, Err(r#""\"{}\"""#));
    check_arguments(r#""\ud83d{}""#, Err("\u{fffd}\u{fffd}\u{fffd}{}"));
}

#[track_caller]
fn check_opened(value: &str, types: &[&str], expected: Option<&str>) {
    let types = types.iter().map(|name| (*name).to_owned()).collect();
    let opened = opened(&Value::from_json(value).unwrap(), &types);
    assert_eq!(
        opened.map(|value| value.to_string()).as_deref(),
        expected,
        "{value} {types:?}"
    );
}

#[test]
fn the_schema_decides_what_is_opened() {
    check_opened(r#""{\"a\": 1.10}""#, &["object"], Some(r#"{"a": 1.1}"#));
    check_opened(r#""{'a': 1}""#, &["object"], Some(r#"{"a": 1}"#));
    check_opened(r#""[1, 2]""#, &["array"], Some("[1, 2]"));
    check_opened(r#""('a',)""#, &["array", "null"], Some(r#"["a"]"#));
    check_opened(r#""\"[1]\"""#, &["array"], Some("[1]"));
    check_opened(r#"" null ""#, &["array", "null"], Some("null"));
    check_opened(r#""[1]""#, &["array", "string"], Some(r#""[1]""#));
    check_opened(r#""{}""#, &["string"], Some(r#""{}""#));
    check_opened(r#""{}""#, &[], Some(r#""{}""#));
    check_opened(r#""5""#, &["integer"], Some(r#""5""#));
    check_opened(r#""5""#, &["number", "null"], Some(r#""5""#));
    check_opened("5", &["object"], Some("5"));
    check_opened(r#"{"a": "[1]"}"#, &["object"], Some(r#"{"a": "[1]"}"#));
}

#[test]
fn what_cannot_be_opened_is_unknown() {
    check_opened(r#""""#, &["object"], None);
    check_opened(r#""{""#, &["object"], None);
    check_opened(r#""a, b""#, &["array"], None);
    check_opened(r#""[1]""#, &["object"], None);
    check_opened(r#""{}""#, &["array"], None);
    check_opened(r#""5""#, &["array", "integer"], None);
    check_opened(r#""null""#, &["object"], None);
    check_opened(r#""- a\n- b""#, &["array"], None);
    check_opened(r#""\"x\"""#, &["array"], None);
}

#[test]
fn only_the_start_tells_an_exception() {
    for text in [
        "ValueError: bad",
        "KeyError: 'x'",
        "KeyError: None",
        "pkg.mod.KeyError: 'x'",
        "Exception: no",
        "Error: no",
        "my_pkg._Sub2Exception: no",
        "ValueError:",
        "ValueError:\n  detail",
    ] {
        assert!(is_error(text), "{text}");
    }
    for text in [
        "",
        ":",
        "Error",
        "ValueError",
        "no ValueError: here",
        " ValueError: x",
        "ValueError:x",
        "Errors: 3",
        "error: x",
        "An Error: x",
        ".KeyError: x",
        "a..KeyError: x",
        "2.Error: x",
        "{'error': 'ValueError: x'}",
        "Value Error: x",
        "ValueError : x",
        "Valueérror: x",
    ] {
        assert!(!is_error(text), "{text}");
    }
}
