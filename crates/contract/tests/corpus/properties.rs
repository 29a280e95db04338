//! What holds of every text, however hostile. The fuzz targets look for texts
//! that break it; the corpus test holds the texts found so far to it.

use lictor_contract::decode::{self, Form};
use lictor_contract::event::Arguments;
use lictor_contract::language::{Mode, parse_formula, print_formula};
use lictor_contract::value::{MAX_DEPTH, Value};
use std::collections::BTreeSet;

/// How deep the deepest value stands.
fn depth(value: &Value) -> usize {
    let deepest = match value {
        Value::List(items) => items.iter().map(depth).max(),
        Value::Object(entries) => entries.values().map(depth).max(),
        _ => return 0,
    };
    deepest.map_or(0, |depth| depth + 1)
}

/// A value is bounded, and its printed form is JSON for the same value.
fn check_value(value: &Value) {
    assert!(depth(value) <= MAX_DEPTH, "{} deep", depth(value));
    assert_eq!(Value::from_json(&value.to_string()).as_ref(), Ok(value));
}

/// Every text is decoded, always to the same; JSON is read as JSON; only text
/// stays text; a wrapper changes nothing but where it stands inside a wrapper.
pub fn decode_result(text: &str) {
    let decoded = decode::result(text);
    assert_eq!(decode::result(text), decoded);
    check_value(&decoded.value);
    if let Ok(value) = Value::from_json(text) {
        assert_eq!((decoded.form, &decoded.value), (Form::Json, &value));
    }
    match decoded.form {
        Form::Text => {
            let Value::Text(kept) = &decoded.value else {
                panic!("no text: {}", decoded.value);
            };
            assert!(text.contains(kept.as_str()));
        }
        Form::Json | Form::Python | Form::Yaml => {
            assert_eq!(decoded.note, None);
            assert!(!decode::is_error(text));
            if !text.trim_start().starts_with(['<', '`']) {
                assert_eq!(decode::result(&format!("<<{text}>>")), decoded);
                if !text.contains("```") {
                    assert_eq!(decode::result(&format!("```\n{text}\n```")), decoded);
                }
            }
        }
    }
}

/// Arguments are an object or unreadable, and the same however often they are
/// encoded; opening one gives a declared type or nothing.
pub fn decode_arguments(text: &str) {
    let arguments = decode::arguments(text);
    assert_eq!(decode::arguments(text), arguments);
    if let Arguments::Read(values) = &arguments {
        let object = Value::Object(values.clone());
        check_value(&object);
        let mut raw = object.to_string();
        for _ in 0..3 {
            assert_eq!(decode::arguments(&raw), arguments);
            raw = Value::text(raw).to_string();
        }
        assert!(matches!(decode::arguments(&raw), Arguments::Unreadable(_)));
    }
    let value = Value::text(text);
    for types in [
        &[][..],
        &["string", "object", "array"],
        &["number", "integer", "boolean", "null"],
        &["object"],
        &["array", "null"],
        &["object", "array", "integer"],
    ] {
        let types: BTreeSet<String> = types.iter().map(|&name| name.to_owned()).collect();
        let holds = |name: &str| types.contains(name);
        let opened = decode::opened(&value, &types);
        if holds("string") || !(holds("object") || holds("array")) {
            assert_eq!(opened.as_ref(), Some(&value));
            continue;
        }
        let Some(opened) = opened else {
            continue;
        };
        check_value(&opened);
        assert!(match opened {
            Value::Object(_) => holds("object"),
            Value::List(_) => holds("array"),
            Value::Null => holds("null"),
            _ => false,
        });
        assert_eq!(decode::opened(&opened, &types), Some(opened));
    }
}

/// A text is a formula or an error with a place in it; a formula's printed form
/// reads back as the same formula.
pub fn parse_and_print_formula(text: &str) {
    for mode in [Mode::Strict, Mode::Draft] {
        match parse_formula(text, mode) {
            Ok(parsed) => {
                let printed = print_formula(&parsed.value);
                let again = parse_formula(&printed, mode).map(|parsed| parsed.value);
                assert_eq!(again.as_ref(), Ok(&parsed.value), "{printed}");
                for (atom, range) in &parsed.atoms {
                    assert!(text.get(range.clone()).is_some(), "{atom}");
                }
            }
            Err(error) => {
                assert!(text.get(error.range.clone()).is_some(), "{error}");
                assert!(!error.message.is_empty() && !error.help.is_empty());
            }
        }
    }
}
