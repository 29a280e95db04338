//! Python literals against what Python itself makes of them.
//!
//! Each line of `decoding/python.jsonl` is a text and what Python's
//! `ast.literal_eval` and `json.dumps` gave for it (tuples and sets as lists,
//! bytes as text), or null where Python refuses it.

use lictor_contract::decode::{Form, result};
use lictor_contract::value::Value;

#[test]
fn literals_are_what_python_reads() {
    let mut cases = 0;
    for line in include_str!("decoding/python.jsonl").lines() {
        let Ok(Value::List(pair)) = Value::from_json(line) else {
            panic!("no case: {line}");
        };
        let [Value::Text(text), expected] = pair.as_slice() else {
            panic!("no case: {line}");
        };
        let decoded = result(text);
        match expected {
            Value::Text(json) => {
                assert_ne!(decoded.form, Form::Text, "{text}: {:?}", decoded.note);
                assert_eq!(Ok(decoded.value), Value::from_json(json), "{text}");
            }
            _ => assert_eq!(decoded.form, Form::Text, "{text}"),
        }
        cases += 1;
    }
    assert!(cases > 80, "only {cases} cases");
}

/// A reader that went back over what it has read would take minutes here.
#[test]
fn hostile_texts_take_linear_time() {
    let open = |part: &str| part.repeat(200_000);
    for text in [
        open("["),
        open("- "),
        open("-\n"),
        open("{'a': "),
        format!("['{}", open("\\")),
        format!("[{}", open("'a' ")),
        format!("[{}", open("1_")),
        format!("[-{}", open("1.")),
        format!("- a\n{}", open("? ")),
        format!("- a\n- {}", open("&a ")),
        format!("- a\n- {}", open("a: ")),
        format!("- a\n- \"{}", open("\\\n")),
        format!("- a\n- |\n{}", open(" \n")),
        format!("- a\n- {}", open("x\n\n  ")),
        format!("- a\n- [{}", open("a,")),
        format!("- a\n- [{}", open("[")),
        format!("- a\n- {{{}", open("? ")),
        format!("a: 1\nb: 2\n{}", open("'")),
        format!("a: 1\n{}", open("b")),
        format!("a: 1\n{}: 2", open("b")),
        format!("a: 1\n{}", open("b: 1\n")),
        format!("- a\n{}", open("# x\n")),
        format!("- !{}", open("a")),
        format!("<<{}", open(">>")),
        format!("```\n{}", open("```\n")),
        open("Error."),
        format!("datetime.datetime({}", open("1,")),
    ] {
        let start: String = text.chars().take(20).collect();
        let clock = std::time::Instant::now();
        result(&text);
        assert!(clock.elapsed().as_secs() < 20, "{start}");
    }
}
