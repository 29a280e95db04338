//! One sentence read by itself: which phrases it holds, where its clauses start, what it amounts
//! to.
//!
//! The order of phrases within a sentence matters ("no wait, yes" is not "yes, no wait"), so the
//! phrases are collected in order, the longest at each place, and the verdict looks at what
//! stands before and after the first and the last yes.

use super::Ground;
use super::clauses::{edges, light, mask};
use super::findings::{Finding, Kind, find};
use super::lexicon::Lexicon;
use super::phrases::{Edges, Phrases};
use super::words::{Sentence, Token};

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
    /// Without a yes: what it would make of one in the same sentence.
    doubt: Option<Verdict>,
}

impl Reading {
    /// Reads one sentence in the languages that it may be in. Linear in its length, for given
    /// lexicons.
    ///
    /// Where it means different things in them, the more cautious one counts.
    pub(super) fn of(readers: &[&Lexicon], sentence: &Sentence) -> Self {
        let readings = readers.iter().map(|lexicon| Self::by(lexicon, sentence));
        readings.reduce(Self::join).unwrap_or_else(|| Self {
            verdict: Verdict {
                ground: Ground::Language,
                span: span_of(&sentence.tokens, 0, sentence.tokens.len()),
            },
            opener: None,
            change: None,
            alone: false,
            doubt: None,
        })
    }

    fn join(self, other: Self) -> Self {
        let (mild, grave) = if caution(other.verdict.ground) > caution(self.verdict.ground) {
            (self.verdict, other.verdict)
        } else {
            (other.verdict, self.verdict)
        };
        let refuses = grave.is(Ground::Refusal) || grave.is(Ground::Change);
        let verdict = if refuses && mild.is(Ground::Assent) {
            Verdict {
                ground: Ground::Contradiction,
                span: grave.span,
            }
        } else {
            // "Yes, aber nur die erste": what one language agrees to, the other may take back.
            let doubt = self.doubt.or(other.doubt);
            doubt.filter(|_| grave.is(Ground::Assent)).unwrap_or(grave)
        };
        Self {
            verdict,
            doubt: self.doubt.or(other.doubt),
            opener: self.opener.or(other.opener),
            change: self.change.or(other.change),
            alone: self.alone || other.alone,
        }
    }

    fn by(lexicon: &Lexicon, sentence: &Sentence) -> Self {
        let sentence = &lexicon.spelling.spell(sentence);
        let tokens = &sentence.tokens;
        let edges = edges(lexicon, tokens);
        let masked = mask(&lexicon.idioms, tokens, &edges);
        let findings = find(lexicon, tokens, &masked, &edges);
        let span = |f: &Finding| span_of(tokens, f.start, f.end);
        let change = findings
            .iter()
            .find(|f| matches!(f.kind, Kind::Change | Kind::Counter))
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
        let (verdict, alone) = verdict(lexicon, sentence, &findings, &edges, &masked, says_only);
        let doubt = taken_back(sentence, &findings, 0, 0)
            .filter(|_| verdict.is(Ground::NoAnswer))
            .map(|(ground, found)| Verdict {
                ground,
                span: span(&found),
            });
        Self {
            verdict,
            opener,
            change,
            alone,
            doubt,
        }
    }
}

/// Of two readings of one sentence the one with the greater caution counts.
fn caution(ground: Ground) -> u8 {
    match ground {
        Ground::NoAnswer | Ground::NotAsked => 0,
        Ground::Assent => 1,
        Ground::Hedge => 2,
        Ground::Question => 3,
        Ground::Withdrawal => 4,
        Ground::Contradiction => 5,
        Ground::Language | Ground::TooLong => 6,
        Ground::Refusal => 7,
        Ground::Change => 8,
    }
}

fn verdict(
    lexicon: &Lexicon,
    sentence: &Sentence,
    findings: &[Finding],
    edges: &Edges,
    masked: &[bool],
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
        .flatten()
        .filter(|found| !masked.iter().take(found.end).skip(found.start).any(|m| *m));
    let (Some(first_yes), Some(last_yes)) = (
        first(Kind::Yes).or(short_yes),
        last(Kind::Yes).or(short_yes),
    ) else {
        let without_yes = [
            (Kind::Counter, Ground::Change),
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

    let taken_back = taken_back(sentence, findings, first_yes.start, last_yes.start);
    let (ground, found) = taken_back.unwrap_or((Ground::Assent, first_yes));
    as_verdict(ground, found)
}

/// What the rest of a sentence makes of a yes in it, other than a yes.
fn taken_back(
    sentence: &Sentence,
    findings: &[Finding],
    first_yes: usize,
    last_yes: usize,
) -> Option<(Ground, Finding)> {
    let first = |kind: Kind| findings.iter().copied().find(|f| f.kind == kind);
    let last = |kind: Kind| findings.iter().copied().rfind(|f| f.kind == kind);
    if let Some(refusal) = last(Kind::Refusal) {
        let ground = if refusal.start > first_yes {
            Ground::Refusal
        } else {
            Ground::Contradiction
        };
        return Some((ground, refusal));
    }
    let first_of = |one: Kind, other: Kind| {
        let mut found = findings.iter().copied();
        found.find(|f| f.kind == one || f.kind == other)
    };
    let whole = sentence.question.then_some(Finding {
        kind: Kind::Question,
        start: 0,
        end: sentence.tokens.len(),
    });
    // "It is late, but go ahead" agrees; "go ahead, but it is late" has a reservation.
    let reserve = last(Kind::Reserve).filter(|reserve| reserve.start > last_yes);
    let in_order = [
        (Ground::Change, first_of(Kind::Change, Kind::Counter)),
        (Ground::Withdrawal, first(Kind::Withdrawal)),
        (Ground::Question, first(Kind::Question).or(whole)),
        (
            Ground::Hedge,
            first_of(Kind::Hedge, Kind::Proviso).or(reserve),
        ),
    ];
    in_order
        .into_iter()
        .find_map(|(ground, found)| Some((ground, found?)))
}

fn span_of(tokens: &[Token], start: usize, end: usize) -> Option<Span> {
    let first = tokens.get(start)?;
    let last = tokens.get(end.checked_sub(1)?)?;
    Some(Span {
        start: first.start,
        end: last.end,
    })
}
