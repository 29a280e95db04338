//! Every example of the language page is read, and the page leaves nothing out.

use lictor_contract::catalog::Catalog;
use lictor_contract::check::check_formula;
use lictor_contract::language::{Mode, parse_formula, parse_term, print_formula, words};
use lictor_contract::overlay::Overlay;
use lictor_contract::predicate::{Function, Gauge, Seconds};
use lictor_contract::rule::Kind;
use lictor_contract::rule_file::{ExpectedVerdict, read_rule_file};
use lictor_contract::rule_text::SLOTS;
use lictor_contract::source::Source;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../../../docs/language.md");

/// The fenced blocks as mark, first line and text.
fn blocks() -> Vec<(&'static str, usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize, String)> = None;
    for (index, line) in PAGE.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(mark), None) => open = Some((mark, index + 2, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, _, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

/// Demands that a formula stands as it is printed, reads back, and makes sense.
#[track_caller]
fn check_formula_block(line: usize, text: &str, mode: Mode) {
    let parsed = parse_formula(text, mode);
    assert!(parsed.is_ok(), "line {line}: {parsed:?}");
    let Ok(parsed) = parsed else { return };
    let printed = print_formula(&parsed.value);
    assert_eq!(printed, text.trim(), "line {line} is printed otherwise");
    let again = parse_formula(&printed, mode).map(|again| again.value);
    assert_eq!(again, Ok(parsed.value.clone()), "line {line}");
    let found = check_formula(&parsed.value, &Catalog::default(), &[]);
    assert!(found.is_empty(), "line {line}: {found:?}");
}

#[test]
fn every_example_is_read() {
    let mut count = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for (mark, line, text) in blocks() {
        *count.entry(mark).or_insert(0) += 1;
        match mark {
            "formula" => check_formula_block(line, &text, Mode::Strict),
            "draft" => check_formula_block(line, &text, Mode::Draft),
            "term" => {
                let text = text.trim();
                let term = parse_term(text, Mode::Strict);
                let term = term.unwrap_or_else(|error| panic!("line {line}: {error}"));
                assert_eq!(term.to_string(), text, "line {line} is printed otherwise");
                // The term in a formula, so that it is checked in the same way.
                check_formula_block(line, &format!("known({text})"), Mode::Strict);
            }
            "yaml" => {
                let (file, found) = read_rule_file(&Source::new("page", text)).unwrap();
                assert!(found.is_empty(), "line {line}: {found:?}");
                kinds.extend(file.entries.iter().map(|entry| entry.rule.body.kind()));
            }
            "overlay" => {
                let overlay = Overlay::from_text(&text);
                assert!(overlay.is_ok(), "line {line}: {}", overlay.unwrap_err());
            }
            "ebnf" => {}
            other => panic!("line {line}: what is `{other}`?"),
        }
    }
    assert_eq!(kinds, Kind::ALL.iter().copied().collect());
    assert!(count["formula"] > 50 && count["term"] > 30 && count["yaml"] > 4);
}

/// Whether a word stands in a text, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|part| part == word)
}

#[test]
fn the_grammar_has_every_word_of_the_language() {
    let (_, _, grammar) = blocks().into_iter().find(|it| it.0 == "ebnf").unwrap();
    for word in words() {
        assert!(has_word(&grammar, word), "the grammar lacks `{word}`");
    }
}

/// What an entry of the page begins with: `**`call(T)`**`.
fn entries() -> Vec<&'static str> {
    let lines = PAGE.lines().filter_map(|line| line.strip_prefix("**`"));
    lines.filter_map(|line| line.split("`**").next()).collect()
}

#[test]
fn every_word_of_the_language_has_an_entry() {
    let entries = entries();
    // `turn` and `not` stand in `turn.calls` and `a not in b`.
    for word in words() {
        let found = entries.iter().any(|entry| has_word(entry, word));
        assert!(found, "`{word}` has no entry");
    }
    for gauge in Gauge::ALL {
        assert!(entries.contains(&gauge.word()), "{}", gauge.word());
    }
    for function in Function::ALL {
        let entry = format!("{}(t)", function.word());
        assert!(entries.contains(&entry.as_str()), "{entry}");
    }
    for op in ["==", "!=", "<", "<=", ">", ">="] {
        let entry = format!("a {op} b");
        assert!(entries.contains(&entry.as_str()), "{entry}");
    }
    for (unit, _) in Seconds::UNITS {
        assert!(PAGE.contains(&format!("\"{unit}\"")), "{unit}");
    }
    // Each entry says something and is followed by an example.
    let mut lines = PAGE.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("**`") {
            let example = lines.by_ref().find(|line| line.starts_with("```"));
            assert!(example.is_some_and(|mark| mark.len() > 3), "{line}");
        }
    }
}

#[test]
fn the_page_names_every_key_of_a_rule_file() {
    for key in [
        "contracts",
        "terms",
        "settings",
        "overlay",
        "expect",
        "confirmation",
        "unlisted",
        "now",
        "zone",
        "lexicon",
        "for_each",
    ] {
        assert!(PAGE.contains(&format!("`{key}`")), "{key}");
    }
    for verdict in ExpectedVerdict::ALL {
        assert!(PAGE.contains(&format!("`{}`", verdict.word())));
    }
}

#[test]
fn the_page_names_everything_there_is() {
    for entry in &lictor_ltlf::operator::TABLE {
        let shown = [
            format!("**`{} ", entry.canonical),
            format!("**`{}p", entry.canonical),
            format!("p {} q`", entry.canonical),
        ];
        assert!(
            shown.iter().any(|shown| PAGE.contains(shown)),
            "{}",
            entry.canonical
        );
        for spelling in entry.accepted {
            assert!(PAGE.contains(&format!("`{spelling}`")), "{spelling}");
        }
    }
    for kind in Kind::ALL {
        assert!(
            PAGE.contains(&format!("| `{}` |", kind.name())),
            "{}",
            kind.name()
        );
    }
    for slot in SLOTS {
        assert!(PAGE.contains(&format!("`{slot}`")), "{slot}");
    }
}
