//! Consent: does the user's message say yes to what the agent last asked?
//!
//! No model is asked. A message is split into sentences, each sentence is searched for the
//! phrases of a [`Lexicon`], and the sentences are weighed together: a yes counts if nothing in
//! its own sentence refuses, asks, hedges or changes, and if the sentence after it does not open
//! by taking it back. A refusal or a question about something else, elsewhere in the message,
//! does not count against it, because most people who agree go on to restate the details or to
//! ask for the next thing.
//!
//! Where the wording leaves doubt the answer is [`Answer::Unclear`], which blocks and asks again:
//! asking once too often is an annoyance, hearing a yes that was not given is the harm.
//!
//! [`occurs`] is the other half of a confirmation: whether a detail was named in a text at all.

mod date;
mod lexicon;
mod listed;
mod phrases;
mod reading;
mod words;

pub use lexicon::Lexicon;
pub use listed::{occurs, occurs_in};

use reading::{Reading, Span};

/// The longest text, in characters, that is read. A longer message is never taken as a yes.
pub const LONGEST: usize = 16_384;

/// What the user's message answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// A yes to what was asked.
    Yes,
    /// A yes that is hedged, asked about or taken back, or a language that is not supported.
    Unclear,
    /// Anything else: a refusal, a change, another subject, or nothing was asked.
    No,
}

/// Why the message was judged as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// It says yes.
    Assent,
    /// It agrees only in part, under a condition or without conviction.
    Hedge,
    /// It asks about what it agrees to.
    Question,
    /// It takes its yes back, or stops to think.
    Withdrawal,
    /// It refuses and agrees, so that neither can be relied on.
    Contradiction,
    /// It is written in a language that the lexicon does not cover.
    Language,
    /// It is longer than is read.
    TooLong,
    /// It refuses.
    Refusal,
    /// It agrees to something else than was proposed.
    Change,
    /// It neither agrees nor refuses.
    NoAnswer,
    /// The agent had not asked for a yes.
    NotAsked,
}

impl Ground {
    /// The answer that this ground leads to.
    pub fn answer(self) -> Answer {
        match self {
            Self::Assent => Answer::Yes,
            Self::Hedge
            | Self::Question
            | Self::Withdrawal
            | Self::Contradiction
            | Self::Language
            | Self::TooLong => Answer::Unclear,
            Self::Refusal | Self::Change | Self::NoAnswer | Self::NotAsked => Answer::No,
        }
    }

    /// The ground in words that fit after "the user's message is".
    pub fn label(self) -> &'static str {
        match self {
            Self::Assent => "a yes",
            Self::Hedge => "a yes with a reservation",
            Self::Question => "a yes with a question about it",
            Self::Withdrawal => "a yes taken back",
            Self::Contradiction => "both a refusal and a yes",
            Self::Language => "in a language that the lexicon does not cover",
            Self::TooLong => "too long to judge",
            Self::Refusal => "a refusal",
            Self::Change => "a yes to something else",
            Self::NoAnswer => "no answer to what was asked",
            Self::NotAsked => "not an answer, as nothing was asked yet",
        }
    }
}

/// How a message was judged, and on which words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The answer; always that of the ground.
    pub answer: Answer,
    /// Why.
    pub ground: Ground,
    /// The words that decided, as the user wrote them; empty where no single words did.
    pub words: String,
}

impl Judgement {
    fn of(ground: Ground, words: &str) -> Self {
        Self {
            answer: ground.answer(),
            ground,
            words: words.to_owned(),
        }
    }
}

/// Judges a user message as an answer to the agent's last turn.
///
/// `agent_turn` is the text of the last agent turn before the message, if there was one.
/// `detail_listed` says that this turn named a detail of the action, which counts as asking even
/// without a question. Both texts are read up to [`LONGEST`] characters (of the agent's, the end).
pub fn judge(
    lexicon: &Lexicon,
    agent_turn: Option<&str>,
    detail_listed: bool,
    user: &str,
) -> Judgement {
    let asked = agent_turn.is_some_and(|turn| detail_listed || reading::asks(lexicon, tail(turn)));
    if !asked {
        return Judgement::of(Ground::NotAsked, "");
    }
    let text = head(user);
    let (ground, span) = weigh(lexicon, text);
    if ground == Ground::Assent && text.len() < user.len() {
        return Judgement::of(Ground::TooLong, "");
    }
    let words = span.and_then(|s| text.get(s.start..s.end)).unwrap_or("");
    Judgement::of(ground, words)
}

/// The first [`LONGEST`] characters.
fn head(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map(|(at, _)| at);
    end.and_then(|at| text.get(..at)).unwrap_or(text)
}

/// The last [`LONGEST`] characters.
fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(LONGEST).map(|(at, _)| at);
    start.and_then(|at| text.get(at..)).unwrap_or(text)
}

/// The judgement of a whole message from those of its sentences.
fn weigh(lexicon: &Lexicon, text: &str) -> (Ground, Option<Span>) {
    let sentences = words::sentences(&lexicon.spelling, text);
    if !reading::supported(lexicon, text, &sentences) {
        return (Ground::Language, None);
    }
    let readings: Vec<Reading> = sentences.iter().map(|s| Reading::of(lexicon, s)).collect();

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

#[cfg(test)]
mod tests;
