//! What a message says, where its author wrapped it up.
//!
//! Some agents write their message as JSON text, or with the escapes of JSON in
//! it. People see the words, so the words are what was asked and listed.

use lictor_contract::value::Value;
use std::borrow::Cow;

/// The words of a message: of one that is a JSON object or list, its texts line
/// by line; of another, the text with `\\n` and its kin as the blanks they stand
/// for.
pub fn spoken(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') && !text.trim_start().starts_with(['{', '[']) {
        return Cow::Borrowed(text);
    }
    if let Ok(value @ (Value::Object(_) | Value::List(_))) = Value::from_json(text.trim()) {
        let mut texts = Vec::new();
        collect(&value, &mut texts);
        return Cow::Owned(texts.join("\n"));
    }
    let plain = ["\\r", "\\n", "\\t"]
        .into_iter()
        .fold(text.to_owned(), |text, escape| text.replace(escape, "\n"));
    Cow::Owned(plain.replace("\\\"", "\""))
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Text(text) => texts.push(text.clone()),
        Value::Number(_) => texts.push(value.to_string()),
        Value::List(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(fields) => fields.values().for_each(|item| collect(item, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unwrapped() {
        let check = |text: &str, expected: &str| assert_eq!(spoken(text), expected, "{text}");
        check("Shall I?", "Shall I?");
        check(
            r#"{"message": "To:\n12 Elm Road\nShall I?"}"#,
            "To:\n12 Elm Road\nShall I?",
        );
        check(
            r#"To:\n12 Elm Road, \"home\""#,
            "To:\n12 Elm Road, \"home\"",
        );
        check("{not json", "{not json");
        check(r#"[1, "a"]"#, "1\na");
    }
}
