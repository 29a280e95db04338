//! Words in texts: patterns, and values that a text names, for the few texts that scripts write.

use lictor_contract::value::Value;

/// Whether a text has one of the words of a pattern such as `human|^no`.
pub fn finds(pattern: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    pattern.split('|').any(|word| match word.strip_prefix('^') {
        Some(word) => text.starts_with(word),
        None => text.contains(word),
    })
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether a text names a value: numbers by value, all else as whole tokens, however these are
/// put apart.
pub fn names(leaf: &str, text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-'))
        .collect();
    if let Ok(number) = leaf.parse::<f64>() {
        return words.iter().any(|word| word.parse() == Ok(number));
    }
    let sought: String = tokens(leaf).concat();
    let words = tokens(text);
    !sought.is_empty()
        && (0..words.len())
            .any(|from| (from..words.len()).any(|to| words[from..=to].concat() == sought))
}

/// The scalars inside a value; none where it is empty, or is a truth value, which nobody names.
pub fn leaves(value: &Value) -> Option<Vec<String>> {
    fn collect(value: &Value, leaves: &mut Vec<String>) {
        match value {
            Value::Null => {}
            Value::Text(text) => leaves.push(text.clone()),
            Value::Bool(_) | Value::Number(_) => leaves.push(value.to_string()),
            Value::List(items) => items.iter().for_each(|item| collect(item, leaves)),
            Value::Object(fields) => fields.values().for_each(|item| collect(item, leaves)),
        }
    }
    let mut all = Vec::new();
    if !matches!(value, Value::Bool(_)) {
        collect(value, &mut all);
    }
    let blank = all.iter().any(|leaf| leaf.trim().is_empty());
    (!all.is_empty() && !blank).then_some(all)
}

/// Whether a value, or something in it, is or names the leaf.
pub fn holds(value: &Value, leaf: &str) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Text(text) => text == leaf || names(leaf, text),
        Value::Number(_) => names(leaf, &value.to_string()),
        Value::List(items) => items.iter().any(|item| holds(item, leaf)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, item)| name == leaf || holds(item, leaf)),
    }
}

/// Whether a path lies inside another, by whole segments. None where only one of them is absolute.
pub fn under(part: &str, whole: &str) -> Option<bool> {
    let segments = |text: &str| -> Option<Vec<String>> {
        let mut kept: Vec<String> = Vec::new();
        for segment in text.split('/').filter(|it| !it.is_empty() && *it != ".") {
            if segment == ".." {
                kept.pop()?;
            } else {
                kept.push(segment.to_owned());
            }
        }
        Some(kept)
    };
    let (inner, outer) = (segments(part)?, segments(whole)?);
    (part.starts_with('/') == whole.starts_with('/'))
        .then(|| inner.len() >= outer.len() && inner[..outer.len()] == outer[..])
}
