//! What the agent's words leave to be answered: only what was asked can be confirmed.

use lictor_contract::value::{MAX_DEPTH, Value};

use super::clauses::{edges, mask};
use super::date::Date;
use super::languages::{Languages, Script};
use super::lexicon::Lexicon;
use super::listed::Said;
use super::phrases::Phrases;
use super::words::Sentence;
use super::{LONGEST, tail};

/// Values visited in the search for a listed detail.
const MOST_VALUES: usize = 20_000;
/// A longer value is a text and no detail.
const LONGEST_DETAIL: usize = 64;

/// What a yes to the agent's words would be a yes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invitation {
    /// To nothing: the agent said nothing, told something, asked for information, or offered more
    /// help.
    Nothing,
    /// That cannot be told: the agent wrote in a language that is not read, without a question
    /// mark.
    Unreadable,
    /// To a detail that the agent named without asking, as in "I will refund 40 EUR for A12".
    Detail,
    /// To a request to confirm, as in "please reply yes to proceed".
    Request,
    /// To a question.
    Question,
}

/// What the agent's texts since the user last spoke invite the user to answer.
///
/// `said` are these texts, oldest first, whatever calls stood between them; all of them are
/// answered together. Of all together the last [`LONGEST`] characters are read.
///
/// `details` are values that a call could be about: the arguments and results of the session so
/// far, newest first. They are looked at only where the texts hold neither a question nor a
/// request, and nothing that asks for information or offers more help. A detail is a date, a
/// number of two digits or more, or a text with a digit in it (an id, an amount); of the first
/// 20,000 values one must be named as [`Said::names`] has it.
///
/// ```
/// use lictor_contract::value::Value;
/// use lictor_monitor::consent::{Invitation, Languages, invites};
/// let order = Value::from_json(r#"{"id": "A12", "status": "pending"}"#).unwrap();
/// let said = ["I will cancel order A12."];
/// let english = Languages::default();
/// assert_eq!(invites(&english, said, [&order]), Invitation::Detail);
/// assert_eq!(invites(&english, ["It is pending."], [&order]), Invitation::Nothing);
/// ```
pub fn invites<'t, 'v>(
    languages: &Languages,
    said: impl IntoIterator<Item = &'t str>,
    details: impl IntoIterator<Item = &'v Value>,
) -> Invitation {
    let texts: Vec<&str> = said.into_iter().collect();
    let texts = newest(&texts);
    let (invitation, spoilt) = asked(languages.lexicons(), &texts);
    if invitation <= Invitation::Unreadable && !spoilt {
        let said = Said::new(languages, texts.iter().copied());
        let mut left = MOST_VALUES;
        let mut details = details.into_iter();
        if details.any(|value| names_detail(&said, value, 0, &mut left)) {
            return Invitation::Detail;
        }
    }
    invitation
}

/// As [`invites`], where no details are known.
pub(super) fn of(lexicons: &[&Lexicon], said: &[&str]) -> Invitation {
    asked(lexicons, &newest(said)).0
}

/// The texts, cut at the front so that together they are no longer than is read.
fn newest<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let mut left = LONGEST;
    let mut kept = Vec::new();
    for text in texts.iter().rev() {
        if left == 0 {
            break;
        }
        let text = tail(text, left);
        left -= text.chars().count().min(left);
        kept.push(text);
    }
    kept.reverse();
    kept
}

/// What the words themselves ask, and whether they ask for something else, so that a yes would
/// answer that rather than a detail that happens to be named.
fn asked(lexicons: &[&Lexicon], texts: &[&str]) -> (Invitation, bool) {
    let mut invitation = Invitation::Nothing;
    let mut offered = false;
    let mut spoilt = false;
    for text in texts {
        let script = Script::of(lexicons, text);
        if !script.supported {
            invitation = invitation.max(Invitation::Unreadable);
        }
        for (sentence, readers) in &script.sentences {
            let readings: Vec<Asks> = readers.iter().map(|l| Asks::by(l, sentence)).collect();
            spoilt |= readings.contains(&Asks::Other);
            offered |= readings.contains(&Asks::Offer);
            // A question mark is one in every language.
            let foreign = readings.is_empty() && sentence.question;
            let found = if readings
                .iter()
                .any(|r| matches!(r, Asks::Other | Asks::Open))
            {
                Invitation::Nothing
            } else if foreign || readings.contains(&Asks::Question) {
                Invitation::Question
            } else if readings.contains(&Asks::Request) {
                Invitation::Request
            } else {
                Invitation::Nothing
            };
            invitation = invitation.max(found);
        }
    }
    if offered && !spoilt {
        invitation = invitation.max(Invitation::Request);
    }
    (invitation, spoilt)
}

/// What one sentence of the agent asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Nothing,
    /// How to go on; a yes goes with whatever detail is named beside it.
    Open,
    /// Information, or whether more help is wanted.
    Other,
    /// Nothing outright, but it offers what could be agreed to.
    Offer,
    Request,
    Question,
}

impl Asks {
    fn by(lexicon: &Lexicon, sentence: &Sentence) -> Self {
        let sentence = &lexicon.spelling.spell(sentence);
        let tokens = &sentence.tokens;
        let edges = edges(lexicon, tokens);
        let open = mask(&lexicon.open_questions, tokens, &edges);
        let other = mask(&lexicon.other_questions, tokens, &edges);
        let has = |phrases: &Phrases| {
            let free = other.iter().zip(&open).map(|(other, open)| !other && !open);
            let mut starts = free.enumerate().filter(|(_, free)| *free);
            starts.any(|(start, _)| phrases.longest_at(tokens, &edges, start).is_some())
        };
        let is_other = other.iter().zip(&open).any(|(other, open)| *other && !open);
        if is_other || open.contains(&true) {
            return match (has(&lexicon.asks_still), is_other) {
                (true, _) => Self::Question,
                (false, true) => Self::Other,
                (false, false) => Self::Open,
            };
        }
        if sentence.question {
            Self::Question
        } else if has(&lexicon.asks) {
            Self::Request
        } else if has(&lexicon.offers) {
            Self::Offer
        } else {
            Self::Nothing
        }
    }
}

fn names_detail(said: &Said<'_>, value: &Value, depth: usize, left: &mut usize) -> bool {
    if *left == 0 || depth > MAX_DEPTH {
        return false;
    }
    *left -= 1;
    let named = |text: &str| is_detail(text) && said.names(text);
    match value {
        Value::Text(text) => named(text),
        Value::Number(number) => named(&number.to_string()),
        Value::List(items) => items
            .iter()
            .any(|item| names_detail(said, item, depth + 1, left)),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| named(key) || names_detail(said, value, depth + 1, left)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// A value that tells one action from another, other than by a common word.
fn is_detail(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    text.len() <= LONGEST_DETAIL
        && (Date::iso(text).is_some()
            || (letters.count() > 1 && text.chars().any(|c| c.is_ascii_digit())))
}
