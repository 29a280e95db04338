//! The slots: which kind uses which, and what a rule's text has in them.

use crate::draft::RuleText;
use crate::rule::Kind;

/// The slots of a rule beside its kind, in the order rule files list them.
pub const SLOTS: [&str; 11] = [
    "tools",
    "condition",
    "first",
    "keys",
    "at_most",
    "trigger",
    "other_tools",
    "listed",
    "assumption",
    "guarantee",
    "for_each",
];

/// What a kind does with a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Needed,
    Optional,
    Unused,
}

/// What a kind does with a slot of this name.
pub(super) fn slot_use(kind: Kind, slot: &str) -> Use {
    match (slot, kind) {
        ("tools", Kind::Formula) => Use::Optional,
        ("tools", _)
        | ("condition", Kind::Precondition)
        | ("first", Kind::Precedence)
        | ("at_most", Kind::Limit)
        | ("trigger", Kind::Response | Kind::ImmediateResponse | Kind::AbsenceAfter)
        | ("other_tools", Kind::MutualExclusion)
        | ("guarantee", Kind::Formula) => Use::Needed,
        ("condition", Kind::Prohibition)
        | ("keys", Kind::Precedence | Kind::Limit | Kind::OncePer)
        | ("listed", Kind::Confirmation)
        | ("assumption", Kind::Formula)
        | ("for_each", _) => Use::Optional,
        _ => Use::Unused,
    }
}

/// Whether a slot holds anything but white space.
pub(super) fn is_filled(text: &RuleText, slot: &str) -> bool {
    let filled = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    match slot {
        "tools" => !text.tools.is_empty(),
        "condition" => filled(&text.condition),
        "first" => filled(&text.first),
        "keys" => !text.keys.is_empty(),
        "at_most" => text.at_most.is_some(),
        "trigger" => filled(&text.trigger),
        "other_tools" => !text.other_tools.is_empty(),
        "listed" => !text.listed.is_empty(),
        "assumption" => filled(&text.assumption),
        "guarantee" => filled(&text.guarantee),
        "for_each" => !text.for_each.is_empty(),
        _ => false,
    }
}

/// The first item of a list slot, and the length of the text that stands there.
pub(super) fn first_text(text: &RuleText, slot: &str) -> (Option<usize>, usize) {
    let list = |items: &[String]| {
        (
            items.first().map(|_| 0),
            items.first().map_or(0, String::len),
        )
    };
    let one = |text: &Option<String>| (None, text.as_deref().map_or(0, str::len));
    match slot {
        "tools" => list(&text.tools),
        "keys" => list(&text.keys),
        "other_tools" => list(&text.other_tools),
        "listed" => list(&text.listed),
        "condition" => one(&text.condition),
        "first" => one(&text.first),
        "trigger" => one(&text.trigger),
        "assumption" => one(&text.assumption),
        "guarantee" => one(&text.guarantee),
        _ => (None, 0),
    }
}

/// What could stand in a slot.
pub(super) fn example(slot: &str) -> &'static str {
    match slot {
        "tools" | "other_tools" => "`[\"cancel_order\"]`",
        "first" => "`ok(get_order)`",
        "at_most" => "`3`",
        "trigger" => "`ok(cancel_order)`",
        "guarantee" => "`G (call(cancel_order) -> O user)`",
        _ => "`arg.amount <= 100`",
    }
}
