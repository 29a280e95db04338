//! Every example of the language page is read, and the page leaves nothing out.

use lictor_contract::language::{Mode, parse_formula, parse_term};
use lictor_contract::rule::Kind;
use lictor_contract::rule_file::read_rule_file;
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

#[test]
fn every_example_is_read() {
    let mut count = BTreeMap::new();
    for (mark, line, text) in blocks() {
        *count.entry(mark).or_insert(0) += 1;
        match mark {
            "formula" => {
                let parsed = parse_formula(&text, Mode::Strict);
                assert!(parsed.is_ok(), "line {line}: {}", parsed.unwrap_err());
            }
            "draft" => {
                let parsed = parse_formula(&text, Mode::Draft);
                assert!(parsed.is_ok(), "line {line}: {}", parsed.unwrap_err());
            }
            "term" => {
                let parsed = parse_term(text.trim(), Mode::Strict);
                assert!(parsed.is_ok(), "line {line}: {}", parsed.unwrap_err());
            }
            "yaml" => {
                let (file, found) = read_rule_file(&Source::new("page", text)).unwrap();
                assert!(found.is_empty(), "line {line}: {found:?}");
                let kinds: BTreeSet<Kind> = file
                    .entries
                    .iter()
                    .map(|entry| entry.rule.body.kind())
                    .collect();
                assert_eq!(kinds, Kind::ALL.iter().copied().collect());
            }
            "ebnf" => {}
            other => panic!("line {line}: what is `{other}`?"),
        }
    }
    assert!(count["formula"] > 40 && count["term"] > 12 && count["yaml"] == 1);
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
