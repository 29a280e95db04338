//! Diagnostics as text with the user's own line and a caret, and as JSON.

use super::harmless;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use lictor_contract::diagnostic::{Diagnostic, Label, Severity};
use lictor_contract::source::Source;
use serde_json::{Value, json};
use std::io::IsTerminal as _;
use std::ops::Range;

/// Longest line of a source that is shown whole, in bytes; a policy's line may
/// be a whole paragraph.
const MAX_SHOWN: usize = 160;

/// Whether reports are coloured: on a terminal whose user did not object.
pub fn is_coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// The text form: each diagnostic with the place it speaks of.
pub fn text(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let renderer = if is_coloured() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&renderer.render(&[group(diagnostic, sources)]));
        text.push_str("\n\n");
    }
    text
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a [&Source]) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let id = format!("{} {}", diagnostic.code.number(), diagnostic.code.name());
    let mut group = level
        .primary_title(harmless(&diagnostic.message))
        .id(id)
        .elements(None::<Snippet<'_, annotate_snippets::Annotation<'_>>>);
    for (index, label) in diagnostic.labels.iter().enumerate() {
        if let Some(source) = sources.iter().find(|source| source.name() == label.file) {
            group = group.element(snippet(source, label, index == 0));
        }
    }
    if !diagnostic.help.is_empty() {
        group = group.element(Level::HELP.message(harmless(&diagnostic.help)));
    }
    group
}

fn snippet<'a>(
    source: &'a Source,
    label: &'a Label,
    primary: bool,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let kind = if primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let (shown, line, span) = excerpt(source, &label.range);
    let mut annotation = kind.span(span);
    if !label.text.is_empty() {
        annotation = annotation.label(harmless(&label.text));
    }
    Snippet::source(shown)
        .line_start(line)
        .path(harmless(source.name()))
        .annotation(annotation)
}

/// The lines a range touches, or a piece of them where they are very long, with
/// the range inside that piece.
fn excerpt<'a>(source: &'a Source, range: &Range<usize>) -> (&'a str, usize, Range<usize>) {
    let text = source.text();
    let first = source.position(range.start).line;
    let last = source.position(range.end.max(range.start)).line;
    let mut shown = source.lines(first, last);
    if shown.len() > MAX_SHOWN {
        let start = floor(
            text,
            range.start.saturating_sub(MAX_SHOWN / 4).max(shown.start),
        );
        let end = floor(text, (start + MAX_SHOWN).max(range.end).min(shown.end));
        shown = start..end;
    }
    let inside = |offset: usize| floor(text, offset).clamp(shown.start, shown.end) - shown.start;
    let span = inside(range.start)..inside(range.end.max(range.start));
    let line = source.position(shown.start).line;
    (text.get(shown).unwrap_or_default(), line, span)
}

/// The nearest character boundary at or below an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The machine form (DESIGN section 8).
pub fn json(diagnostics: &[Diagnostic], sources: &[&Source]) -> Value {
    let span = |label: &Label| {
        let source = sources.iter().find(|source| source.name() == label.file);
        let position = source.map(|source| source.position(label.range.start));
        json!({
            "file": label.file,
            "line": position.map(|it| it.line),
            "column": position.map(|it| it.column),
        })
    };
    diagnostics
        .iter()
        .map(|diagnostic| {
            json!({
                "code": diagnostic.code.number(),
                "name": diagnostic.code.name(),
                "severity": diagnostic.severity,
                "message": diagnostic.message,
                "help": diagnostic.help,
                "contracts": diagnostic.contracts,
                "spans": diagnostic.labels.iter().map(span).collect::<Vec<_>>(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_words() {
        let long = format!("{}needle{}", "é".repeat(300), " x".repeat(300));
        let source = Source::new("p.md", format!("one\n{long}\n"));
        let at = source.text().find("needle").unwrap();
        let (shown, line, span) = excerpt(&source, &(at..at + 6));
        assert_eq!(line, 2);
        assert_eq!(shown.get(span), Some("needle"));
        assert!(shown.len() <= MAX_SHOWN);
    }

    #[test]
    fn a_range_past_the_end_points_at_the_end() {
        let source = Source::new("p.md", "one");
        assert_eq!(excerpt(&source, &(90..99)), ("one", 1, 3..3));
    }
}
