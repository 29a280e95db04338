//! Plain tables: aligned columns, no frames, as wide as the terminal where there
//! is one.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use lictor_replay::statistics::Proportion;
use std::io::IsTerminal as _;

/// Widest table in a pipe or a file.
const WIDTH: u16 = 120;

/// A terminal narrower than this gets lines that are too long instead of
/// columns of single letters.
const NARROWEST: u16 = 60;

/// The width to lay tables out for: the terminal's, or a fixed one where there
/// is none, so that the same report gives the same bytes everywhere.
fn width() -> u16 {
    if !std::io::stdout().is_terminal() {
        return WIDTH;
    }
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.max(NARROWEST))
}

/// A table under construction.
pub struct Columns {
    table: Table,
    numeric: Vec<bool>,
}

impl Columns {
    /// A table with these headings; a heading that starts with `#` stands over
    /// numbers, which are aligned to the right.
    pub fn new(headings: &[&str]) -> Self {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width());
        let numeric: Vec<bool> = headings
            .iter()
            .map(|heading| heading.starts_with('#'))
            .collect();
        let header = headings
            .iter()
            .zip(&numeric)
            .map(|(heading, numeric)| cell(heading.trim_start_matches('#'), *numeric));
        table.set_header(header);
        Columns { table, numeric }
    }

    /// Never breaks a cell, however wide: for names of files.
    pub fn unbroken(mut self) -> Self {
        self.table
            .set_content_arrangement(ContentArrangement::Disabled);
        self
    }

    /// Adds a row.
    pub fn row<S: AsRef<str>>(&mut self, cells: &[S]) {
        let cells = cells.iter().zip(&self.numeric);
        let cells: Vec<Cell> = cells
            .map(|(text, numeric)| cell(text.as_ref(), *numeric))
            .collect();
        self.table.add_row(cells);
    }

    /// The table, lines without trailing blanks, with a final line break.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for line in self.table.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn cell(text: &str, numeric: bool) -> Cell {
    let alignment = if numeric {
        CellAlignment::Right
    } else {
        CellAlignment::Left
    };
    Cell::new(super::harmless(text)).set_alignment(alignment)
}

/// A proportion with its Wilson interval, such as `2/40 5.0% [1.4, 16.5]`.
pub fn proportion(proportion: &Proportion) -> String {
    match (proportion.rate, proportion.low, proportion.high) {
        (Some(rate), Some(low), Some(high)) => format!(
            "{}/{} {:.1}% [{:.1}, {:.1}]",
            proportion.of,
            proportion.among,
            rate * 100.0,
            low * 100.0,
            high * 100.0
        ),
        _ => "no calls".to_owned(),
    }
}
