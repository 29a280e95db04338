//! The sentences of a message weighed together.

use super::Ground;
use super::languages::Script;
use super::lexicon::Lexicon;
use super::reading::{Reading, Span};

/// The judgement of a whole message from those of its sentences.
pub(super) fn weigh(lexicons: &[&Lexicon], text: &str) -> (Ground, Option<Span>) {
    let script = Script::of(lexicons, text);
    if !script.supported {
        return (Ground::Language, None);
    }
    let sentences = script.sentences.iter();
    let readings: Vec<Reading> = sentences
        .map(|(sentence, readers)| Reading::of(readers, sentence))
        .collect();
    let (ground, span) = together(&readings);
    // What cannot be read may well take the yes back, or be the answer.
    let unread = readings.iter().find(|r| r.verdict.is(Ground::Language));
    match unread {
        Some(unread) if matches!(ground, Ground::Assent | Ground::NoAnswer) => {
            (Ground::Language, unread.verdict.span)
        }
        _ => (ground, span),
    }
}

/// What the sentences amount to together.
fn together(readings: &[Reading]) -> (Ground, Option<Span>) {
    let last_yes = readings.iter().rposition(|r| r.verdict.is(Ground::Assent));
    let last_refusal = readings.iter().rposition(|r| r.verdict.is(Ground::Refusal));
    let first_with = |ground: Ground| readings.iter().find(|r| r.verdict.is(ground));

    // A change is never cured by a yes: the yes may well mean the changed proposal.
    if let Some(changed) = first_with(Ground::Change) {
        return (Ground::Change, changed.verdict.span);
    }
    if let (Some(refusal), yes) = (last_refusal, last_yes) {
        let ground = match yes {
            Some(yes) if refusal < yes => Ground::Contradiction,
            _ => Ground::Refusal,
        };
        let span = readings.get(refusal).and_then(|r| r.verdict.span);
        return (ground, span);
    }
    let Some(last_yes) = last_yes else {
        let doubtful = [
            Ground::Contradiction,
            Ground::Withdrawal,
            Ground::Question,
            Ground::Hedge,
        ];
        let found = readings
            .iter()
            .find(|r| doubtful.iter().any(|ground| r.verdict.is(*ground)));
        return found.map_or((Ground::NoAnswer, None), |r| {
            (r.verdict.ground, r.verdict.span)
        });
    };

    // What follows a yes may take it back: at once by how the next sentence opens, or later by
    // words that can mean nothing else.
    for (i, reading) in readings.iter().enumerate() {
        let follows_yes = i
            .checked_sub(1)
            .and_then(|before| readings.get(before))
            .is_some_and(|before| before.verdict.is(Ground::Assent));
        if let Some(opener) = reading.opener
            && follows_yes
            && !reading.verdict.is(Ground::Assent)
        {
            if let Some(change) = reading.change {
                return (Ground::Change, Some(change));
            }
            if i > last_yes {
                return (Ground::Withdrawal, Some(opener));
            }
        }
        if i > last_yes && reading.verdict.is(Ground::Withdrawal) {
            return (Ground::Withdrawal, reading.verdict.span);
        }
        if i == last_yes + 1 && reading.verdict.is(Ground::Hedge) && reading.alone {
            return (Ground::Hedge, reading.verdict.span);
        }
    }
    let yes = first_with(Ground::Assent).and_then(|r| r.verdict.span);
    (Ground::Assent, yes)
}
