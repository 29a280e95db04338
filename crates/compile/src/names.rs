//! Matching the names of a draft against the names of the catalog.
//!
//! A name is taken as meant only if exactly one known name fits; several fits
//! and misspellings are reported with their alternatives and never guessed.

use lictor_contract::catalog::Catalog;
use lictor_contract::language::nearest;
use lictor_contract::names::Resolved;
use lictor_contract::predicate::Name;
use std::collections::BTreeSet;

/// How a name was found among the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// This one was meant.
    Found(String),
    /// Several fit.
    Ambiguous(Vec<String>),
    /// None fits; the nearest by spelling, if one is near.
    Unknown(Option<String>),
}

/// Finds a name: exactly, else as the only one that differs in case and
/// separators alone, else (a placeholder) by its words.
pub fn find<'a>(name: &Name, known: impl IntoIterator<Item = &'a str>) -> Match {
    let known: BTreeSet<&str> = known.into_iter().collect();
    let (Name::Known(text) | Name::Placeholder(text)) = name;
    if known.contains(text.as_str()) {
        return Match::Found(text.clone());
    }
    let select = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
        let fitting = known.iter().filter(|name| fits(name));
        fitting.map(|name| (*name).to_owned()).collect()
    };
    let folded = fold(text);
    let mut stages = vec![select(&|other| fold(other) == folded)];
    if matches!(name, Name::Placeholder(_)) {
        let wanted = words(text);
        if !wanted.is_empty() {
            stages.push(select(&|other| words(other) == wanted));
            stages.push(select(&|other| words(other).is_superset(&wanted)));
            // 'membership level' may be called `membership`, but 'delivery date'
            // is not just any `date`: the word that tells it apart must stay.
            let first = first_word(text);
            stages.push(select(&|other| {
                let other = words(other);
                first.is_subset(&other) && other.is_subset(&wanted)
            }));
        }
    }
    for fitting in stages {
        match fitting.as_slice() {
            [] => {}
            [only] => return Match::Found(only.clone()),
            _ => return Match::Ambiguous(fitting),
        }
    }
    Match::Unknown(nearest(text, known).map(str::to_owned))
}

/// Finds a tool and gives its id: by what agents may call it, else as [`find`]
/// does among ids and names. An exact id is meant, even where a host may give
/// its name to another tool, too.
pub fn find_tool(name: &Name, catalog: &Catalog) -> Match {
    let (Name::Known(text) | Name::Placeholder(text)) = name;
    if catalog.get(text).is_some() {
        return Match::Found(text.clone());
    }
    if let Name::Known(text) = name {
        match catalog.tool_names().resolve(text) {
            Resolved::Tool(id) => return Match::Found(id.to_owned()),
            Resolved::Ambiguous(ids) => {
                return Match::Ambiguous(ids.into_iter().map(str::to_owned).collect());
            }
            Resolved::Unknown => {}
        }
    }
    let tools = || catalog.tools();
    let known = tools().flat_map(|tool| [tool.id.as_str(), tool.name.as_str()]);
    let several = match find(name, known) {
        Match::Found(found) => vec![found],
        Match::Ambiguous(several) => several,
        unknown => return unknown,
    };
    let ids: BTreeSet<&str> = tools()
        .filter(|tool| several.contains(&tool.id) || several.contains(&tool.name))
        .map(|tool| tool.id.as_str())
        .collect();
    match (ids.len(), ids.first()) {
        (1, Some(only)) => Match::Found((*only).to_owned()),
        _ => Match::Ambiguous(ids.into_iter().map(str::to_owned).collect()),
    }
}

/// The text without case and separators.
fn fold(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The words of a name: split at separators and before capitals, lower case,
/// and without a plural's `s`, so that `orders` and `order` are one word.
pub fn words(name: &str) -> BTreeSet<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words.push(word);
    words
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(|word| match word.strip_suffix('s') {
            Some(stem) if stem.chars().count() > 2 && !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        })
        .collect()
}

/// The first word of a name, as [`words`] has it.
fn first_word(name: &str) -> BTreeSet<String> {
    let first = name
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    words(first.unwrap_or_default())
}

/// ` (near: `x`)`, or nothing.
pub fn near(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map_or_else(String::new, |name| format!(" (near: `{name}`)"))
}

/// The names in back quotes, joined for a sentence.
pub fn quoted<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<String> = names
        .into_iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: [&str; 4] = ["get_order", "cancel_order", "find_customer", "issueRefund"];

    #[track_caller]
    fn check(name: Name, expected: Match) {
        assert_eq!(find(&name, TOOLS), expected);
    }

    #[test]
    fn finds_what_was_meant() {
        let known = |text: &str| Name::Known(text.into());
        let open = |text: &str| Name::Placeholder(text.into());
        check(known("get_order"), Match::Found("get_order".into()));
        check(known("Get-Order"), Match::Found("get_order".into()));
        check(open("refund"), Match::Found("issueRefund".into()));
        check(open("cancel orders"), Match::Found("cancel_order".into()));
        check(
            open("order"),
            Match::Ambiguous(vec!["cancel_order".into(), "get_order".into()]),
        );
        check(known("refund"), Match::Unknown(None));
        check(known("get_oder"), Match::Unknown(Some("get_order".into())));
        check(open("weather"), Match::Unknown(None));
    }

    #[test]
    fn a_tool_of_a_server_is_found_by_its_name_if_no_other_server_has_it() {
        let of = |server, text| Catalog::of_server(text, Some(server)).unwrap();
        let mut catalog = of(
            "corp",
            r#"[{"name": "send_email"}, {"name": "list.folders"}]"#,
        );
        let other = of(
            "news",
            r#"[{"name": "send_email"}, {"name": "subscribe_user"}]"#,
        );
        catalog.join(other).unwrap();
        let found = |id: &str| Match::Found(id.into());
        let both = Match::Ambiguous(vec!["corp/send_email".into(), "news/send_email".into()]);
        let check =
            |name: Name, expected: &Match| assert_eq!(find_tool(&name, &catalog), *expected);
        let known = |text: &str| Name::Known(text.into());
        let open = |text: &str| Name::Placeholder(text.into());
        check(known("corp/send_email"), &found("corp/send_email"));
        check(known("corp__send_email"), &found("corp/send_email"));
        check(known("send_email"), &both);
        check(known("Send-Email"), &both);
        check(open("send email"), &both);
        check(known("list.folders"), &found("corp/list.folders"));
        check(known("list_folders"), &found("corp/list.folders"));
        check(known("ListFolders"), &found("corp/list.folders"));
        check(open("subscribe"), &found("news/subscribe_user"));
        check(open("news subscribe"), &found("news/subscribe_user"));
        check(known("folders"), &Match::Unknown(None));
        check(
            known("subscribe_usr"),
            &Match::Unknown(Some("subscribe_user".into())),
        );
    }

    #[test]
    fn words_split_at_separators_and_capitals() {
        let check = |name: &str, expected: &[&str]| {
            let expected: BTreeSet<String> =
                expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(words(name), expected);
        };
        check("issueRefund", &["issue", "refund"]);
        check("get-order.details", &["detail", "get", "order"]);
        check("address", &["address"]);
        check("", &[]);
    }

    #[test]
    fn names_are_joined_for_a_sentence() {
        assert_eq!(quoted(["a"]), "`a`");
        assert_eq!(quoted(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
