//! Whether a tool changes anything, by the words of its name and description.

use lictor_contract::catalog::Effect;

const READS: &[&str] = &[
    "browse",
    "calculate",
    "check",
    "compare",
    "compute",
    "convert",
    "count",
    "describe",
    "display",
    "estimate",
    "fetch",
    "find",
    "get",
    "has",
    "inspect",
    "is",
    "list",
    "lookup",
    "query",
    "read",
    "retrieve",
    "search",
    "see",
    "show",
    "think",
    "validate",
    "verify",
    "view",
];

const WRITES: &[&str] = &[
    "accept",
    "activate",
    "add",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "buy",
    "cancel",
    "change",
    "clear",
    "close",
    "complete",
    "confirm",
    "create",
    "deactivate",
    "decline",
    "delete",
    "deposit",
    "disable",
    "edit",
    "enable",
    "exchange",
    "grant",
    "insert",
    "invite",
    "modify",
    "move",
    "open",
    "pay",
    "purchase",
    "put",
    "refund",
    "reject",
    "remove",
    "rename",
    "renew",
    "replace",
    "reschedule",
    "reserve",
    "reset",
    "resume",
    "revoke",
    "send",
    "submit",
    "suspend",
    "transfer",
    "update",
    "upload",
    "withdraw",
    "write",
];

/// Words that are as often the name of a thing; as the first word they are verbs.
const FIRST_WRITES: &[&str] = &[
    "book", "charge", "credit", "file", "issue", "order", "place", "post", "return", "schedule",
    "set", "share",
];

/// The words of a description in which its verb is looked for.
const FIRST_WORDS: usize = 4;

/// What a tool's words say of its effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    /// The class; none if nothing tells, or if name and description disagree.
    pub(super) effect: Option<Effect>,
    /// Why, for a person.
    pub(super) evidence: String,
    /// Whether the name itself says that the tool reads.
    pub(super) reads: bool,
}

/// Guesses from the name and the description.
pub(super) fn guess(name: &str, description: &str) -> Guess {
    let named = words(name)
        .enumerate()
        .find_map(|(index, word)| Some((verb(&word, index == 0)?, word)));
    let reads = matches!(named, Some((Effect::Read, _)));
    let described = words(description)
        .take(FIRST_WORDS)
        // 'Returns true if …' tells of an answer, not of goods sent back.
        .take_while(|word| !matches!(word.as_str(), "return" | "returns"))
        .enumerate()
        .find_map(|(index, word)| {
            let stems = stem(&word);
            let effect = stems.iter().find_map(|stem| verb(stem, index == 0))?;
            Some((effect, word))
        });
    let (effect, evidence) = match (named, described) {
        (Some((named, word)), Some((described, other))) if named != described => (
            None,
            format!("the name says `{word}` and the description `{other}`"),
        ),
        (Some((effect, word)), Some((_, other))) => (
            Some(effect),
            format!("the name says `{word}`, the description `{other}`"),
        ),
        (Some((effect, word)), None) => (Some(effect), format!("the name says `{word}`")),
        // Too little to take a tool out of the rules about writes.
        (None, Some((Effect::Read, word))) => (
            None,
            format!("the name does not tell, and the description says `{word}`"),
        ),
        (None, Some((effect, word))) => (Some(effect), format!("the description says `{word}`")),
        (None, None) => (None, "neither name nor description tells".to_owned()),
    };
    Guess {
        effect,
        evidence,
        reads,
    }
}

fn verb(word: &str, is_first: bool) -> Option<Effect> {
    if READS.contains(&word) {
        return Some(Effect::Read);
    }
    let writes = WRITES.contains(&word) || (is_first && FIRST_WRITES.contains(&word));
    writes.then_some(Effect::Write)
}

/// The forms of which a verb in the third person may be: `applies` is `apply`.
fn stem(word: &str) -> Vec<String> {
    let mut stems = vec![word.to_owned()];
    stems.extend(word.strip_suffix("ies").map(|stem| format!("{stem}y")));
    stems.extend(word.strip_suffix("es").map(str::to_owned));
    stems.extend(word.strip_suffix('s').map(str::to_owned));
    stems
}

/// The words of a text in lower case, split at separators and before capitals.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions_tell_the_effect() {
        let check = |name: &str, description: &str, expected: Option<Effect>| {
            let guess = guess(name, description);
            assert_eq!(guess.effect, expected, "{name}: {}", guess.evidence);
        };
        check("get_order", "", Some(Effect::Read));
        check("getOrder", "Returns the order.", Some(Effect::Read));
        check("order.cancel", "Cancels it.", Some(Effect::Write));
        check("billing-refund", "", Some(Effect::Write));
        check(
            "internal_check_user",
            "Returns true if one exists.",
            Some(Effect::Read),
        );
        check("get_loan", "The user applies for a loan.", None);
        check("login", "Logs the user in.", None);
        check("admin_password", "Verifies the password.", None);
        check("return_order", "Return an order.", Some(Effect::Write));
        check("customer_order", "", None);
        check("order_pizza", "", Some(Effect::Write));
        check("", "", None);
    }

    #[test]
    fn a_name_that_asks_is_told_from_a_description_that_does() {
        assert!(guess("check_stock", "").reads);
        assert!(guess("user.is_admin", "").reads);
        assert!(!guess("login", "Verifies the password.").reads);
    }
}
