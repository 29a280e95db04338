//! Writing YAML with comments.

use serde_json::{Map, Value as Json};

/// Longest line of flow style, in characters.
const MAX_FLOW: usize = 90;

/// Longest name that a comment repeats, in characters.
const MAX_NAME: usize = 60;

/// A text that grows by lines.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    /// Adds a line at a depth.
    pub(super) fn line(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line with what speaks for it.
    pub(super) fn because(&mut self, depth: usize, line: &str, evidence: &str) {
        self.line(depth, &format!("{line}  # {}", one_line(evidence)));
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, depth: usize, comment: &str) {
        self.line(depth, &format!("# {}", one_line(comment)));
    }

    /// Adds data under a key, in one line if it is short.
    pub(super) fn data(&mut self, depth: usize, key: &str, data: &Json, evidence: &str) {
        self.marked(depth, &format!("{}:", word(key)), data, evidence);
    }

    /// The same, with a name by which it can be referred to as `*anchor`.
    pub(super) fn anchored(
        &mut self,
        depth: usize,
        key: &str,
        anchor: &str,
        data: &Json,
        evidence: &str,
    ) {
        self.marked(depth, &format!("{}: &{anchor}", word(key)), data, evidence);
    }

    fn marked(&mut self, depth: usize, start: &str, data: &Json, evidence: &str) {
        let told = |page: &mut Page, line: &str| match evidence.is_empty() {
            true => page.line(depth, line),
            false => page.because(depth, line, evidence),
        };
        let short = flow(data);
        match data {
            Json::Object(fields) if short.chars().count() > MAX_FLOW => {
                told(self, start);
                for (name, field) in in_order(fields) {
                    self.data(depth + 1, name, field, "");
                }
            }
            _ => told(self, &format!("{start} {short}")),
        }
    }

    /// The text.
    pub(super) fn text(self) -> String {
        self.text
    }
}

/// The fields, `type` first: that is what a reader looks for in a schema.
fn in_order(fields: &Map<String, Json>) -> impl Iterator<Item = (&String, &Json)> {
    let kind = fields.iter().filter(|(name, _)| *name == "type");
    kind.chain(fields.iter().filter(|(name, _)| *name != "type"))
}

/// Data in flow style.
pub(super) fn flow(data: &Json) -> String {
    match data {
        Json::Object(fields) => {
            let fields: Vec<String> = in_order(fields)
                .map(|(name, field)| format!("{}: {}", word(name), flow(field)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Json::String(text) => word(text),
        other => other.to_string(),
    }
}

/// A list of names in flow style.
pub(super) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| word(name.as_ref())).collect();
    format!("[{}]", names.join(", "))
}

/// A name as YAML reads it back: as it is where that is safe, else in quotes.
pub(super) fn word(text: &str) -> String {
    let mut letters = text.chars();
    let plain = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !is_taken(text);
    match plain {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let json = Json::from(text).to_string();
    // JSON leaves some signs bare that YAML takes for the end of a line.
    json.chars()
        .map(|c| match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                format!("\\u{:04x}", u32::from(c))
            }
            c => c.to_string(),
        })
        .collect()
}

/// Whether YAML reads the word as something else than a text.
fn is_taken(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
    ]
    .contains(&lower.as_str())
}

/// A name for a comment: short, and without signs that could end the line.
pub(super) fn shown(name: &str) -> String {
    let short: String = name.chars().take(MAX_NAME).collect();
    let more = match name.chars().count() > MAX_NAME {
        true => "…",
        false => "",
    };
    format!("`{}{more}`", one_line(&short))
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => ' ',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_yaml_would_take_them_otherwise() {
        let check = |text: &str, expected: &str| assert_eq!(word(text), expected);
        check("order_id", "order_id");
        check("corp/send.email", "corp/send.email");
        check("yes", "\"yes\"");
        check("12", "\"12\"");
        check("a b", "\"a b\"");
        check("a\"\n", "\"a\\\"\\n\"");
        check("", "\"\"");
        check("\u{85}", "\"\\u0085\"");
    }

    #[test]
    fn comments_stay_on_their_line() {
        let mut page = Page::default();
        page.because(1, "a: b", "x\ny\u{2028}z");
        assert_eq!(page.text(), "  a: b  # x y z\n");
        assert_eq!(shown("a\nb"), "`a b`");
        assert_eq!(shown(&"x".repeat(100)).chars().count(), MAX_NAME + 3);
    }
}
