//! 'Did you mean …': the known word that a misspelt one is closest to.

/// The candidate that `word` is most likely a misspelling of, if any is close
/// enough. Case does not count, and the first of several equally close wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    // A third of the letters may be wrong, so short words must nearly fit.
    let allowed = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::osa_distance(&word, &candidate.to_lowercase());
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_else() {
        let words = ["precondition", "prohibition", "limit", "in"];
        assert_eq!(nearest("precondtion", words), Some("precondition"));
        assert_eq!(nearest("LIMIT", words), Some("limit"));
        assert_eq!(nearest("is", words), Some("in"));
        assert_eq!(nearest("response", words), None);
    }
}
