//! The phrases of a sentence in order, the longest at each place.

use super::lexicon::Lexicon;
use super::phrases::{Edges, Phrases};
use super::words::Token;

/// How far back in its clause a yes phrase can be negated, in words.
const NEGATION_REACH: usize = 3;
/// How far back in its clause a yes phrase can be made conditional, in words.
const CONDITION_REACH: usize = 8;
/// How far back, in the same and in joined clauses, a yes phrase can be made a purpose, in words.
const PURPOSE_REACH: usize = 16;
/// How many words ahead to look for an idiom; no phrase is longer.
const LONGEST_PHRASE: usize = 64;

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Yes,
    Refusal,
    Hedge,
    /// A condition, which says nothing without a yes.
    Proviso,
    Change,
    /// A change that stands by itself: the proposal is no longer what is talked about.
    Counter,
    Withdrawal,
    Reserve,
    Question,
}

/// A phrase found in a sentence, by token index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finding {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Finds the phrases of a sentence, of which `masked` tells the words that idioms use up.
pub(super) fn find(
    lexicon: &Lexicon,
    tokens: &[Token],
    masked: &[bool],
    edges: &Edges,
) -> Vec<Finding> {
    // At equal length the earlier kind wins: the more cautious reading.
    let kinds = [
        (Kind::Refusal, &lexicon.refusal),
        (Kind::Change, &lexicon.change),
        (Kind::Counter, &lexicon.counter),
        (Kind::Withdrawal, &lexicon.withdrawal),
        (Kind::Hedge, &lexicon.hedge),
        (Kind::Proviso, &lexicon.provisos),
        (Kind::Question, &lexicon.question),
        (Kind::Yes, &lexicon.yes),
        (Kind::Reserve, &lexicon.reserve),
    ];
    let mut findings = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut best: Option<Finding> = None;
        // Phrases reach up to the next idiom and not into it.
        let idiom = masked.iter().skip(at).take(LONGEST_PHRASE).position(|m| *m);
        let before_idiom = match idiom {
            Some(free) => tokens.get(..at + free).unwrap_or_default(),
            None => tokens,
        };
        for (kind, phrases) in kinds {
            if let Some(end) = phrases.longest_at(before_idiom, edges, at)
                && best.is_none_or(|b| end > b.end)
            {
                best = Some(Finding {
                    kind,
                    start: at,
                    end,
                });
            }
        }
        let Some(found) = best else {
            at += 1;
            continue;
        };
        at = found.end.max(at + 1);
        findings.push(if found.kind == Kind::Yes {
            asserted(lexicon, tokens, masked, edges, found)
        } else {
            found
        });
    }
    findings
}

/// A yes phrase as it stands in its clause: asserted, negated ("do not go ahead") or conditional
/// ("before you go ahead").
fn asserted(
    lexicon: &Lexicon,
    tokens: &[Token],
    masked: &[bool],
    edges: &Edges,
    yes: Finding,
) -> Finding {
    let parts = |t: &Token| t.is_break() || lexicon.joiners.contains(&t.text);
    let behind = |reach: usize, ends: &dyn Fn(&Token) -> bool| {
        // "Not cheap but yes": what stands before the joiner is another clause.
        if tokens.get(yes.start).is_some_and(parts) {
            return yes.start;
        }
        let farthest = yes.start.saturating_sub(reach);
        let mut back = (farthest..yes.start).rev();
        let end = back.find(|i| tokens.get(*i).is_some_and(ends));
        end.map_or(farthest, |i| i + 1)
    };
    let in_clause = |reach: usize| behind(reach, &parts);
    let in_joined = |reach: usize| behind(reach, &Token::is_break);
    let within = |phrases: &Phrases, from: usize| {
        (from..yes.start).find(|i| {
            !masked.get(*i).copied().unwrap_or(false)
                && phrases
                    .longest_at(tokens, edges, *i)
                    .is_some_and(|end| end <= yes.start)
        })
    };
    let (kind, start) = if let Some(start) = within(&lexicon.negators, in_clause(NEGATION_REACH)) {
        (Kind::Refusal, start)
    } else if let Some(start) = within(&lexicon.conditions, in_clause(CONDITION_REACH)) {
        (Kind::Hedge, start)
    } else if let Some(start) = within(&lexicon.purposes, in_joined(PURPOSE_REACH)) {
        (Kind::Hedge, start)
    } else {
        (Kind::Yes, yes.start)
    };
    Finding { kind, start, ..yes }
}
