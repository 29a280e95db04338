//! Where the clauses of a sentence start and end, and which of its words carry no content.

use super::lexicon::Lexicon;
use super::phrases::{Edges, Phrases};
use super::words::Token;

/// The tokens that a set of phrases covers.
pub(super) fn mask(phrases: &Phrases, tokens: &[Token], edges: &Edges) -> Vec<bool> {
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
pub(super) fn edges(lexicon: &Lexicon, tokens: &[Token]) -> Edges {
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
pub(super) fn light(lexicon: &Lexicon, tokens: &[Token], edges: &Edges) -> Vec<bool> {
    let fillers = mask(&lexicon.fillers, tokens, edges);
    let courtesies = mask(&lexicon.courtesies, tokens, edges);
    let either = fillers.into_iter().zip(courtesies).map(|(a, b)| a || b);
    let covered = tokens.iter().zip(either);
    covered.map(|(t, light)| light || t.is_break()).collect()
}
