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
//! What the message answers is the [`Invitation`] that stands in all that the agent said since the
//! user last spoke ([`invites`]). [`Said`] is the other half of a confirmation: whether a detail
//! was named in a text at all.
//!
//! Everything that depends on a language is in a [`Lexicon`]; a session reads the [`Languages`]
//! that it selects and no others.
//!
//! ```
//! use lictor_monitor::consent::{Answer, Languages, invites, judge_reply};
//! let languages = Languages::named(["en", "de"]).unwrap();
//! let said = ["I will refund 40 EUR for order A12.", "Soll ich das tun?"];
//! let invitation = invites(&languages, said, []);
//! assert_eq!(judge_reply(&languages, invitation, "Ja, bitte.").answer, Answer::Yes);
//! let judgement = judge_reply(&languages, invitation, "Ja, aber nur 30 EUR");
//! assert_eq!((judgement.answer, judgement.words.as_str()), (Answer::No, "aber nur"));
//! ```

mod clauses;
mod date;
mod findings;
mod invitation;
mod languages;
mod letters;
mod lexicon;
mod listed;
mod phrases;
mod reading;
mod spoken;
mod weighing;
mod words;

pub use invitation::{Invitation, invites};
pub use languages::{LanguageError, Languages};
pub use lexicon::Lexicon;
pub use listed::{Said, occurs, occurs_in, record_names};
pub use spoken::spoken;

/// The longest text, in characters, that is read. A longer message is never taken as a yes.
pub const LONGEST: usize = 16_384;

/// The most characters of deciding words that a [`Judgement`] shows.
const LONGEST_WORDS: usize = 80;

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

/// What a reader would call the message. A refusal for want of a yes names it, since "no" and
/// "unclear" are answered differently, even where both leave `confirms` false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It agrees.
    Yes,
    /// It refuses, or agrees to something else than was proposed.
    No,
    /// It does neither, or it cannot be told which.
    Unclear,
}

impl Class {
    /// The class as a word.
    pub fn label(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }
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
    /// It, or a part of it that matters, is written in a language that is not read; or the agent's
    /// words are, so that what it answers cannot be told.
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

    /// The class that a reader would put a message of this ground in.
    pub fn class(self) -> Class {
        match self {
            Self::Assent => Class::Yes,
            Self::Refusal | Self::Change => Class::No,
            Self::Hedge
            | Self::Question
            | Self::Withdrawal
            | Self::Contradiction
            | Self::Language
            | Self::TooLong
            | Self::NoAnswer
            | Self::NotAsked => Class::Unclear,
        }
    }

    /// The ground in words that fit after "the user's message is", and before the deciding words
    /// in brackets.
    pub fn label(self) -> &'static str {
        match self {
            Self::Assent => "a yes",
            Self::Hedge => "no clear yes",
            Self::Question => "a question along with a yes",
            Self::Withdrawal => "a yes taken back or put off",
            Self::Contradiction => "both a refusal and a yes",
            Self::Language => "in a language that is not understood here",
            Self::TooLong => "too long to judge",
            Self::Refusal => "a refusal",
            Self::Change => "a yes to something other than was proposed",
            Self::NoAnswer => "neither a yes nor a no to what was asked",
            Self::NotAsked => "no answer, as nothing had been asked",
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
    /// The words that decided, as the user wrote them, at most a line of them; empty where no
    /// single words did.
    pub words: String,
}

impl Judgement {
    fn of(ground: Ground, words: &str) -> Self {
        Self {
            answer: ground.answer(),
            ground,
            words: excerpt(words),
        }
    }

    /// What a reader would call the message.
    pub fn class(&self) -> Class {
        self.ground.class()
    }
}

/// Words on one line, cut behind a word if there are too many.
fn excerpt(words: &str) -> String {
    let mut shown = String::new();
    for word in words.split_whitespace() {
        let length = shown.chars().count() + word.chars().count();
        if length > LONGEST_WORDS {
            if shown.is_empty() {
                shown.extend(word.chars().take(LONGEST_WORDS));
            }
            shown.push('\u{2026}');
            break;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(word);
    }
    shown
}

/// Judges a user message as an answer to the agent's last turn, in one language.
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
    let invitation = match agent_turn {
        Some(_) if detail_listed => Invitation::Detail,
        Some(turn) => invitation::of(&[lexicon], &[turn]),
        None => Invitation::Nothing,
    };
    answer(&[lexicon], invitation, user)
}

/// Judges a user message as an answer to what the agent said since the user last spoke.
///
/// The message is read up to [`LONGEST`] characters; linear in it, for given languages.
pub fn judge_reply(languages: &Languages, invitation: Invitation, user: &str) -> Judgement {
    answer(languages.lexicons(), invitation, user)
}

fn answer(lexicons: &[&Lexicon], invitation: Invitation, user: &str) -> Judgement {
    if invitation == Invitation::Nothing {
        return Judgement::of(Ground::NotAsked, "");
    }
    let text = head(user);
    let (ground, span) = weighing::weigh(lexicons, text);
    if ground == Ground::Assent && text.len() < user.len() {
        return Judgement::of(Ground::TooLong, "");
    }
    if ground == Ground::Assent && invitation == Invitation::Unreadable {
        return Judgement::of(Ground::Language, "");
    }
    let words = span.and_then(|s| text.get(s.start..s.end)).unwrap_or("");
    Judgement::of(ground, words)
}

/// The first [`LONGEST`] characters.
fn head(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map(|(at, _)| at);
    end.and_then(|at| text.get(..at)).unwrap_or(text)
}

/// The last characters of a text, at most so many.
fn tail(text: &str, longest: usize) -> &str {
    let Some(back) = longest.checked_sub(1) else {
        return "";
    };
    let start = text.char_indices().rev().nth(back).map(|(at, _)| at);
    start.and_then(|at| text.get(at..)).unwrap_or(text)
}

#[cfg(test)]
mod tests;
