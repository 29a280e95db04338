//! Letters with accents, and the ways in which people type them without.
//!
//! A word may arrive as one character for each letter, as a letter and a combining accent, or
//! without accents at all. The first two are the same text; the third is read as the first where a
//! phrase of a lexicon says so.

/// A letter with its accent, its base, and the combining accent.
const LETTERS: &[(char, char, char)] = &[
    ('à', 'a', '\u{300}'),
    ('á', 'a', '\u{301}'),
    ('â', 'a', '\u{302}'),
    ('ã', 'a', '\u{303}'),
    ('ä', 'a', '\u{308}'),
    ('å', 'a', '\u{30A}'),
    ('ç', 'c', '\u{327}'),
    ('è', 'e', '\u{300}'),
    ('é', 'e', '\u{301}'),
    ('ê', 'e', '\u{302}'),
    ('ë', 'e', '\u{308}'),
    ('ì', 'i', '\u{300}'),
    ('í', 'i', '\u{301}'),
    ('î', 'i', '\u{302}'),
    ('ï', 'i', '\u{308}'),
    ('ñ', 'n', '\u{303}'),
    ('ò', 'o', '\u{300}'),
    ('ó', 'o', '\u{301}'),
    ('ô', 'o', '\u{302}'),
    ('õ', 'o', '\u{303}'),
    ('ö', 'o', '\u{308}'),
    ('ù', 'u', '\u{300}'),
    ('ú', 'u', '\u{301}'),
    ('û', 'u', '\u{302}'),
    ('ü', 'u', '\u{308}'),
    ('ý', 'y', '\u{301}'),
    ('ÿ', 'y', '\u{308}'),
    ('š', 's', '\u{30C}'),
    ('ž', 'z', '\u{30C}'),
    ('č', 'c', '\u{30C}'),
];

/// An accent that belongs to the letter before it.
pub(super) fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}

/// The one character for a letter and an accent, if there is one.
pub(super) fn compose(base: char, accent: char) -> Option<char> {
    let lower = base.to_lowercase().next()?;
    let (letter, _, _) = LETTERS
        .iter()
        .find(|(_, b, a)| *b == lower && *a == accent)?;
    if base == lower {
        Some(*letter)
    } else {
        letter.to_uppercase().next()
    }
}

/// How a word in lower case may be typed: as it is, without accents, and with `ae`, `oe`, `ue`
/// for the umlauts. Distinct, the word itself first.
pub(super) fn spellings(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    if word.is_ascii() {
        return all;
    }
    for umlauts_as_pairs in [false, true] {
        let typed: String = word
            .chars()
            .flat_map(|c| bare(c, umlauts_as_pairs))
            .collect();
        if !all.contains(&typed) {
            all.push(typed);
        }
    }
    all
}

fn bare(c: char, umlauts_as_pairs: bool) -> Vec<char> {
    let pair = match c {
        'ß' => "ss",
        'œ' => "oe",
        'æ' => "ae",
        'ä' if umlauts_as_pairs => "ae",
        'ö' if umlauts_as_pairs => "oe",
        'ü' if umlauts_as_pairs => "ue",
        _ => "",
    };
    if pair.is_empty() {
        let found = LETTERS.iter().find(|(letter, _, _)| *letter == c);
        vec![found.map_or(c, |(_, base, _)| *base)]
    } else {
        pair.chars().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_may_be_typed_apart_or_left_out() {
        assert_eq!(compose('i', '\u{301}'), Some('í'));
        assert_eq!(compose('A', '\u{303}'), Some('Ã'));
        assert_eq!(compose('b', '\u{303}'), None);
        assert_eq!(spellings("yes"), ["yes"]);
        assert_eq!(spellings("sí"), ["sí", "si"]);
        assert_eq!(spellings("für"), ["für", "fur", "fuer"]);
        assert_eq!(spellings("straße"), ["straße", "strasse"]);
    }
}
