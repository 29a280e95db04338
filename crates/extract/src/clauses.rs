//! Cutting a policy into sections and clauses.
//!
//! A clause is what the coverage table has a row for: a sentence of running
//! text (in a paragraph or a list item), a table row, a block of code. It
//! keeps the headings above it and the words that lead to its list or table,
//! so that '- the user has insurance' still says what it is a condition of.
//! A section is what one request asks about.

mod blocks;
mod sections;
mod sentences;

pub(crate) use blocks::Heading;

use blocks::{Block, Shape, squeeze};
use lictor_contract::draft::{Clause, Section};
use lictor_contract::source::{Lines, Source};
use std::ops::Range;

/// A policy cut into its parts.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// Sections with at least one clause, in order.
    pub(crate) sections: Vec<Section>,
    /// Clauses in order.
    pub(crate) clauses: Vec<Clause>,
    /// All headings in order.
    pub(crate) headings: Vec<Heading>,
}

/// Cuts a policy. A policy without a clause gives no section.
pub(crate) fn cut(policy: &Source) -> Cut {
    let (blocks, headings) = blocks::blocks(policy.text());
    let mut clauses: Vec<Clause> = blocks
        .iter()
        .flat_map(|block| of_block(policy, block))
        .collect();
    let places: Vec<usize> = clauses.iter().map(|clause| clause.range.start).collect();
    let parts = sections::parts(&headings, &places, policy.text().len());
    let mut sections = Vec::new();
    for part in parts {
        for clause in &mut clauses {
            if part.range.contains(&clause.range.start) {
                clause.section = sections.len();
            }
        }
        let title = part.title.unwrap_or_else(|| policy.name().to_owned());
        let lines = trimmed_lines(policy, &part.range);
        sections.push(Section { title, lines });
    }
    Cut {
        sections,
        clauses,
        headings,
    }
}

/// The clauses of one block; their section is set later.
fn of_block(policy: &Source, block: &Block) -> Vec<Clause> {
    let mut ranges: Vec<_> = match block.shape {
        Shape::Whole => std::iter::once(trimmed(&block.text)).collect(),
        Shape::Prose | Shape::Html => sentences::sentences(&block.text),
    };
    if block.ends_in_label {
        ranges.pop();
    }
    let mut clauses = Vec::new();
    for range in ranges {
        let words = block.text.get(range.clone()).unwrap_or_default();
        let text = match block.shape {
            Shape::Html => squeeze(&without_tags(words)),
            _ => squeeze(words),
        };
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        let range = block.source(&range);
        clauses.push(Clause {
            lines: lines_of(policy, &range),
            range,
            text,
            headings: block.context.clone(),
            section: 0,
        });
    }
    clauses
}

fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The lines that a byte range touches.
pub(crate) fn lines_of(policy: &Source, range: &Range<usize>) -> Lines {
    let last = range.end.saturating_sub(1).max(range.start);
    Lines {
        first: policy.position(range.start).line,
        last: policy.position(last).line,
    }
}

/// The lines of a byte range without the blank ones at its ends.
fn trimmed_lines(policy: &Source, range: &Range<usize>) -> Lines {
    let text = policy.text().get(range.clone()).unwrap_or_default();
    let inner = trimmed(text);
    lines_of(
        policy,
        &(range.start + inner.start..range.start + inner.end),
    )
}

/// The words of a piece of HTML: without tags and comment marks.
fn without_tags(html: &str) -> String {
    let html = html.replace("<!--", " ").replace("-->", " ");
    let mut words = String::new();
    let mut rest = html.as_str();
    while let Some((before, behind)) = rest.split_once('<') {
        words.push_str(before);
        let is_tag =
            behind.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        match behind.split_once('>') {
            Some((_, after)) if is_tag => {
                words.push(' ');
                rest = after;
            }
            _ => {
                words.push('<');
                rest = behind;
            }
        }
    }
    words.push_str(rest);
    words
}

#[cfg(test)]
mod tests;
