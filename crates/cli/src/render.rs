//! From values to the screen. Everything that is printed goes through here, so
//! that a closed pipe is no error and never a panic, and so that no name in a
//! user's file can steer the terminal.

pub mod diagnostics;
pub mod table;

use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};

/// Prints a line.
pub fn line(text: &str) -> anyhow::Result<()> {
    put(&format!("{}\n", harmless(text)))
}

/// Prints text that ends its own lines. Colours may stand in it on a terminal,
/// where the diagnostics' renderer sets them.
pub fn text(text: &str) -> anyhow::Result<()> {
    if diagnostics::is_coloured() {
        return put(&coloured(text));
    }
    put(&harmless(text))
}

/// Harmless text in which colours stay colours.
fn coloured(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut shown = harmless(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let after = piece.strip_prefix('[').unwrap_or_default();
        let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let is_colour = after.starts_with('m');
        shown.push_str(if is_colour { "\u{1b}" } else { "\\u001b" });
        shown.push_str(&harmless(piece));
    }
    shown
}

/// Prints one indented JSON value.
pub fn json(value: &Value) -> anyhow::Result<()> {
    line(&serde_json::to_string_pretty(value)?)
}

/// Prints a line for the person at the terminal, beside the report.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", harmless(text));
}

/// Prints why a command could not do its work.
pub fn error(error: &anyhow::Error) {
    note(&format!("error: {error:#}"));
}

/// Writes to standard output. Where the reader went away, as `head` does, the
/// rest is not for anybody, but the command goes on: its exit code still tells
/// what it found.
fn put(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(anyhow::Error::new(error).context("the report cannot be written")),
        Ok(()) => Ok(()),
    }
}

/// The text with every character that steers a terminal written as `\u001b`,
/// which means the same inside JSON: control characters other than line breaks
/// and tabs, and those that turn the direction of writing.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_steering(c) {
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn is_steering(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    is_control || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        assert_eq!(harmless(text), shown);
    }

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        check("plain\ttext\n", "plain\ttext\n");
        check("مرحبا 👩\u{200d}👧", "مرحبا 👩\u{200d}👧");
        check("\u{1b}[31mred\u{7}", "\\u001b[31mred\\u0007");
        check("a\r\u{9b}\u{7f}", "a\\u000d\\u009b\\u007f");
        check("\u{202e}x\u{2066}", "\\u202ex\\u2066");
    }

    #[test]
    fn of_what_steers_a_terminal_only_colours_stay() {
        let text = "\u{1b}[1m\u{1b}[38;5;9mred\u{1b}[0m \u{1b}[2Jgone \u{1b}]0;title\u{7}";
        assert_eq!(
            coloured(text),
            "\u{1b}[1m\u{1b}[38;5;9mred\u{1b}[0m \\u001b[2Jgone \\u001b]0;title\\u0007"
        );
    }

    #[test]
    fn json_means_the_same() {
        let value = Value::from("\u{1b}\u{9b}\u{202e}é");
        let shown = value.to_string();
        let shown = harmless(&shown);
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
    }
}
