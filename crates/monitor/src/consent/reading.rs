//! One sentence read by itself: which phrases it holds, where its clauses start, what it amounts
//! to.
//!
//! The order of phrases within a sentence matters ("no wait, yes" is not "yes, no wait"), so the
//! phrases are collected in order, the longest at each place, and the verdict looks at what
//! stands before and after the first and the last yes.

use super::Ground;
use super::lexicon::Lexicon;
use super::phrases::{Edges, Phrases};
use super::words::{Sentence, Token, invisible, sentences};

/// How far back in its clause a yes phrase can be negated, in words.
const NEGATION_REACH: usize = 3;
/// How far back in its clause a yes phrase can be made conditional, in words.
const CONDITION_REACH: usize = 8;
/// Texts of fewer words are too short to tell their language by missing English words.
const WORDS_TO_TELL: usize = 5;
/// How many words ahead to look for an idiom; no phrase is longer.
const LONGEST_PHRASE: usize = 64;

/// A stretch of the original text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

/// What a sentence amounts to, and the words that make it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    pub ground: Ground,
    pub span: Option<Span>,
}

impl Verdict {
    pub(super) fn is(&self, ground: Ground) -> bool {
        self.ground == ground
    }
}

/// A sentence after reading.
#[derive(Debug)]
pub(super) struct Reading {
    pub verdict: Verdict,
    /// The words by which the sentence would put a yes before it in doubt.
    pub opener: Option<Span>,
    /// The words by which it would change the proposal, if it follows a yes.
    pub change: Option<Span>,
    /// Whether the words of the verdict are all that it says.
    pub alone: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Yes,
    Refusal,
    Hedge,
    Change,
    Withdrawal,
    Reserve,
    Question,
}

#[derive(Debug, Clone, Copy)]
struct Finding {
    kind: Kind,
    start: usize,
    end: usize,
}

impl Reading {
    /// Reads one sentence. Linear in its length, for a given lexicon.
    pub(super) fn of(lexicon: &Lexicon, sentence: &Sentence) -> Self {
        let tokens = &sentence.tokens;
        let edges = edges(lexicon, tokens);
        let masked = mask(&lexicon.idioms, tokens, &edges);
        let findings = find(lexicon, tokens, &masked, &edges);
        let span = |f: &Finding| span_of(tokens, f.start, f.end);
        let change = findings
            .iter()
            .find(|f| f.kind == Kind::Change)
            .and_then(span);
        let opener = (0..tokens.len())
            .take_while(|i| edges.opens_at(*i))
            .filter(|i| !masked.get(*i).copied().unwrap_or(false))
            .find_map(|i| {
                let end = lexicon.openers.longest_at(tokens, &edges, i)?;
                span_of(tokens, i, end)
            });
        let light = light(lexicon, tokens, &edges);
        let first_heavy = light.iter().position(|light| !light);
        let last_heavy = light.iter().rposition(|light| !light);
        let says_only = |start: usize, end: usize| {
            first_heavy.is_none_or(|i| i >= start) && last_heavy.is_none_or(|i| i < end)
        };
        let (verdict, alone) = verdict(lexicon, sentence, &findings, &edges, says_only);
        Self {
            verdict,
            opener,
            change,
            alone,
        }
    }
}

fn verdict(
    lexicon: &Lexicon,
    sentence: &Sentence,
    findings: &[Finding],
    edges: &Edges,
    says_only: impl Fn(usize, usize) -> bool,
) -> (Verdict, bool) {
    let tokens = &sentence.tokens;
    let as_verdict = |ground: Ground, f: Finding| {
        let verdict = Verdict {
            ground,
            span: span_of(tokens, f.start, f.end),
        };
        (verdict, says_only(f.start, f.end))
    };
    let first = |kind: Kind| findings.iter().copied().find(|f| f.kind == kind);
    let last = |kind: Kind| findings.iter().copied().rfind(|f| f.kind == kind);

    let alone = |phrases: &Phrases| {
        (0..tokens.len()).find_map(|start| {
            let end = phrases.longest_at(tokens, edges, start)?;
            says_only(start, end).then_some(Finding {
                kind: Kind::Yes,
                start,
                end,
            })
        })
    };
    // Words such as "right" or "please" are an answer only if nothing else is said.
    let short_yes = findings
        .is_empty()
        .then(|| alone(&lexicon.yes_alone))
        .flatten();
    let (Some(first_yes), Some(last_yes)) = (
        first(Kind::Yes).or(short_yes),
        last(Kind::Yes).or(short_yes),
    ) else {
        let without_yes = [
            (Kind::Refusal, Ground::Refusal),
            (Kind::Withdrawal, Ground::Withdrawal),
            (Kind::Hedge, Ground::Hedge),
        ];
        for (kind, ground) in without_yes {
            // A question such as "could you stop the newsletter?" answers nothing.
            let asked = sentence.question && first(Kind::Question).is_some();
            if let Some(found) = first(kind)
                && (kind == Kind::Withdrawal || !asked)
            {
                return as_verdict(ground, found);
            }
        }
        if let Some(weak) = alone(&lexicon.weak_alone) {
            return as_verdict(Ground::Hedge, weak);
        }
        let nothing = Verdict {
            ground: Ground::NoAnswer,
            span: None,
        };
        return (nothing, false);
    };

    if let Some(refusal) = last(Kind::Refusal) {
        let ground = if refusal.start > first_yes.start {
            Ground::Refusal
        } else {
            Ground::Contradiction
        };
        return as_verdict(ground, refusal);
    }
    if let Some(change) = first(Kind::Change) {
        return as_verdict(Ground::Change, change);
    }
    if let Some(withdrawal) = first(Kind::Withdrawal) {
        return as_verdict(Ground::Withdrawal, withdrawal);
    }
    if let Some(question) = first(Kind::Question) {
        return as_verdict(Ground::Question, question);
    }
    if sentence.question {
        let whole = Finding {
            kind: Kind::Question,
            start: 0,
            end: tokens.len(),
        };
        return as_verdict(Ground::Question, whole);
    }
    if let Some(hedge) = first(Kind::Hedge) {
        return as_verdict(Ground::Hedge, hedge);
    }
    // "It is late, but go ahead" agrees; "go ahead, but it is late" has a reservation.
    if let Some(reserve) = last(Kind::Reserve)
        && reserve.start > last_yes.start
    {
        return as_verdict(Ground::Hedge, reserve);
    }
    as_verdict(Ground::Assent, first_yes)
}

fn span_of(tokens: &[Token], start: usize, end: usize) -> Option<Span> {
    let first = tokens.get(start)?;
    let last = tokens.get(end.checked_sub(1)?)?;
    Some(Span {
        start: first.start,
        end: last.end,
    })
}

/// The tokens that a set of phrases covers.
fn mask(phrases: &Phrases, tokens: &[Token], edges: &Edges) -> Vec<bool> {
    let mut masked = vec![false; tokens.len()];
    for start in 0..tokens.len() {
        if let Some(end) = phrases.longest_at(tokens, edges, start) {
            for inside in masked.iter_mut().take(end).skip(start) {
                *inside = true;
            }
        }
    }
    masked
}

fn is_colon(tokens: &[Token], i: usize) -> bool {
    tokens.get(i).is_some_and(Token::is_colon)
}

fn is_break(tokens: &[Token], i: usize) -> bool {
    tokens.get(i).is_some_and(Token::is_break)
}

/// Where clauses open (also behind fillers, joiners and answer words) and close (also before
/// courtesies and joiners).
fn edges(lexicon: &Lexicon, tokens: &[Token]) -> Edges {
    let count = tokens.len();
    let joins = |i: usize| {
        tokens
            .get(i)
            .is_some_and(|t| lexicon.joiners.contains(&t.text))
    };
    let mut edges = Edges {
        opens: (0..=count)
            .map(|i| {
                i == 0 || (is_break(tokens, i - 1) && !is_colon(tokens, i - 1)) || joins(i - 1)
            })
            .collect(),
        closes: Vec::new(),
    };
    edges.closes = (0..=count)
        .map(|i| {
            i == count
                || is_break(tokens, i)
                || joins(i)
                || lexicon.courtesies.longest_at(tokens, &edges, i).is_some()
        })
        .collect();
    let open = |at: usize, edges: &mut Edges| {
        if let Some(opens) = edges.opens.get_mut(at) {
            *opens = true;
        }
    };
    // In ascending order, so that a chain of fillers carries the opening along.
    for i in 0..count {
        // What stands behind a label such as "Insurance:" is a detail, not an answer.
        if let Some(end) = lexicon.labels.longest_at(tokens, &edges, i)
            && is_colon(tokens, end)
        {
            open(end + 1, &mut edges);
        }
        if !edges.opens_at(i) {
            continue;
        }
        if is_colon(tokens, i) {
            open(i + 1, &mut edges);
        }
        let filler = lexicon.fillers.longest_at(tokens, &edges, i);
        let answers = [&lexicon.yes, &lexicon.refusal, &lexicon.withdrawal];
        let answer = answers
            .iter()
            .filter_map(|phrases| phrases.longest_at(tokens, &edges, i))
            .max();
        for end in [filler, answer].into_iter().flatten() {
            open(end, &mut edges);
        }
    }
    edges
}

/// Tokens that carry no content of their own: breaks, fillers, courtesies.
fn light(lexicon: &Lexicon, tokens: &[Token], edges: &Edges) -> Vec<bool> {
    let fillers = mask(&lexicon.fillers, tokens, edges);
    let courtesies = mask(&lexicon.courtesies, tokens, edges);
    let either = fillers.into_iter().zip(courtesies).map(|(a, b)| a || b);
    let covered = tokens.iter().zip(either);
    covered.map(|(t, light)| light || t.is_break()).collect()
}

fn find(lexicon: &Lexicon, tokens: &[Token], masked: &[bool], edges: &Edges) -> Vec<Finding> {
    // At equal length the earlier kind wins: the more cautious reading.
    let kinds = [
        (Kind::Refusal, &lexicon.refusal),
        (Kind::Change, &lexicon.change),
        (Kind::Withdrawal, &lexicon.withdrawal),
        (Kind::Hedge, &lexicon.hedge),
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
    let farthest = yes.start.saturating_sub(CONDITION_REACH);
    let clause_start = (farthest..yes.start)
        .rev()
        .find(|i| {
            tokens
                .get(*i)
                .is_some_and(|t| t.is_break() || lexicon.joiners.contains(&t.text))
        })
        .map_or(farthest, |i| i + 1);
    let within = |phrases: &Phrases, reach: usize| {
        let from = clause_start.max(yes.start.saturating_sub(reach));
        (from..yes.start).find(|i| {
            !masked.get(*i).copied().unwrap_or(false)
                && phrases
                    .longest_at(tokens, edges, *i)
                    .is_some_and(|end| end <= yes.start)
        })
    };
    let (kind, start) = if let Some(start) = within(&lexicon.negators, NEGATION_REACH) {
        (Kind::Refusal, start)
    } else if let Some(start) = within(&lexicon.conditions, CONDITION_REACH) {
        (Kind::Hedge, start)
    } else {
        (Kind::Yes, yes.start)
    };
    Finding { kind, start, ..yes }
}

/// Whether an agent turn asks for a yes: a question, or a request to confirm, that is more than
/// an offer of further help or a request for information.
pub(super) fn asks(lexicon: &Lexicon, turn: &str) -> bool {
    sentences(&lexicon.spelling, turn).iter().any(|sentence| {
        let tokens = &sentence.tokens;
        let edges = edges(lexicon, tokens);
        let other = mask(&lexicon.other_questions, tokens, &edges);
        let has = |phrases: &Phrases| {
            (0..tokens.len()).any(|i| {
                !other.get(i).copied().unwrap_or(false)
                    && phrases.longest_at(tokens, &edges, i).is_some()
            })
        };
        if other.contains(&true) {
            has(&lexicon.asks_still)
        } else {
            sentence.question || has(&lexicon.asks)
        }
    })
}

/// Whether the text is in the lexicon's language, as far as a few words can tell.
pub(super) fn supported(lexicon: &Lexicon, text: &str, sentences: &[Sentence]) -> bool {
    let latin = |c: char| c < '\u{0250}' || ('\u{1E00}'..'\u{1F00}').contains(&c);
    let letters = text.chars().filter(|c| c.is_alphabetic() && !invisible(*c));
    let (own_script, other_script) = letters.fold((0usize, 0usize), |(own, other), c| {
        if latin(c) {
            (own + 1, other)
        } else {
            (own, other + 1)
        }
    });
    // A third, not a half: a syllable or a whole word may be one letter in other scripts.
    if other_script * 2 > own_script {
        return false;
    }
    let words = || {
        sentences
            .iter()
            .flat_map(|s| &s.tokens)
            .filter(|t| t.text.chars().any(char::is_alphabetic))
    };
    let own = words()
        .filter(|t| lexicon.language.own.contains(&t.text))
        .count();
    let other = words()
        .filter(|t| lexicon.language.other.contains(&t.text))
        .count();
    other <= own && (own > 0 || words().count() < WORDS_TO_TELL)
}
