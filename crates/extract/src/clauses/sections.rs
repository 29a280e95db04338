//! Where one request ends and the next begins.
//!
//! A policy is cut at its headings of level two, which is where most of them
//! change the subject; one without such headings at the outermost level that
//! occurs twice. A part that is still too long for one answer is cut again at
//! the headings inside it.

use super::Heading;
use std::ops::Range;

/// More clauses than this are cut again where there are headings to cut at:
/// answers about more are long enough to be cut by the server instead.
const MOST_CLAUSES: usize = 40;

/// One part of the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its own heading; none for text above the first heading.
    pub(super) title: Option<String>,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

/// The parts that hold at least one clause, in order. `clauses` are the byte
/// offsets at which clauses begin.
pub(super) fn parts(headings: &[Heading], clauses: &[usize], length: usize) -> Vec<Part> {
    let mut open = vec![(0..length, None, cut_level(headings))];
    let mut done = Vec::new();
    while let Some((range, title, level)) = open.pop() {
        let mut pieces = pieces(headings, &range, title, level);
        // A stack gives the last one first.
        pieces.reverse();
        for piece in pieces {
            let held = clauses.iter().filter(|at| piece.range.contains(at)).count();
            let inner = headings
                .iter()
                .filter(|it| {
                    it.range.start > piece.range.start && piece.range.contains(&it.range.start)
                })
                .map(|it| it.level)
                .min();
            match inner {
                Some(inner) if held > MOST_CLAUSES => open.push((piece.range, piece.title, inner)),
                _ if held > 0 => done.push(piece),
                _ => {}
            }
        }
    }
    done.sort_by_key(|part| part.range.start);
    done
}

/// Cuts `range` at each heading of `level` or further out.
fn pieces(
    headings: &[Heading],
    range: &Range<usize>,
    title: Option<String>,
    level: u8,
) -> Vec<Part> {
    let cuts = headings.iter().filter(|it| {
        it.level <= level && it.range.start > range.start && range.contains(&it.range.start)
    });
    let mut pieces = Vec::new();
    // The text above the first cut belongs to the title it stands under.
    let opening = headings
        .iter()
        .find(|it| it.range.start == range.start)
        .map(|it| it.text.clone());
    let mut current = Part {
        title: title.or(opening),
        range: range.start..range.end,
    };
    for heading in cuts {
        let next = Part {
            title: Some(heading.text.clone()),
            range: heading.range.start..range.end,
        };
        current.range.end = heading.range.start;
        pieces.push(std::mem::replace(&mut current, next));
    }
    pieces.push(current);
    pieces
}

fn cut_level(headings: &[Heading]) -> u8 {
    let count = |level: u8| headings.iter().filter(|it| it.level == level).count();
    if count(2) > 0 {
        return 2;
    }
    let repeated = (1..=6).find(|level| count(*level) > 1);
    repeated
        .or_else(|| headings.iter().map(|it| it.level).min())
        .unwrap_or(1)
}
