//! From values to the screen. Everything that is printed goes through here, so
//! that a closed pipe is an error value and never a panic.

pub mod diagnostics;
pub mod table;

use serde_json::Value;
use std::io::Write as _;

/// Prints a line.
pub fn line(text: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")?;
    Ok(())
}

/// Prints text that ends its own lines.
pub fn text(text: &str) -> anyhow::Result<()> {
    write!(std::io::stdout().lock(), "{text}")?;
    Ok(())
}

/// Prints one indented JSON value.
pub fn json(value: &Value) -> anyhow::Result<()> {
    line(&serde_json::to_string_pretty(value)?)
}

/// Prints a line for the person at the terminal, beside the report.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints why a command could not do its work.
pub fn error(error: &anyhow::Error) {
    note(&format!("error: {error:#}"));
}
