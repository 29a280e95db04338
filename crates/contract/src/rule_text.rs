//! A rule's slots as text and as trees, in both directions.
//!
//! Rule files and model answers fill the same slots, so both are read here. A
//! slot that the kind does not use is an error, as is one that it needs and
//! lacks: a slip must never switch a part of a rule off. All errors of a rule
//! are found at once.

mod reader;
mod slots;

pub use slots::SLOTS;

use crate::draft::RuleText;
use crate::language::{Mode, Terms, print_formula};
use crate::predicate::{Atom, EventPredicate, Formula, Term, ToolEvent, ToolPattern, ToolRef};
use crate::rule::{Body, Kind, Rule};
use reader::{Reader, Slots};
use std::collections::BTreeSet;
use std::ops::Range;

/// A place in a rule's slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the slot.
    pub slot: &'static str,
    /// Which item, for a slot that is a list.
    pub index: Option<usize>,
    /// Byte range in the slot's text.
    pub range: Range<usize>,
}

/// Why a slot could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in `{slot}`: {message}; {help}")]
pub struct SlotError {
    /// Name of the slot, or `kind`.
    pub slot: &'static str,
    /// Which item, for a slot that is a list.
    pub index: Option<usize>,
    /// Byte range in the slot's text; empty if the slot is missing.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Where the parts of a rule stand in its slots, so that a later finding can
/// point at the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSpans {
    /// Each occurrence of an atom. The event of `first` and each term of
    /// `listed` count as the atoms they become.
    pub atoms: Vec<(Atom, Place)>,
    /// Each tool of `tools` and `other_tools`.
    pub tools: Vec<(ToolRef, Place)>,
    /// Each argument that `keys` and `for_each` name.
    pub names: Vec<(String, Place)>,
}

impl SlotSpans {
    /// Every place, those of atoms first.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let atoms = self.atoms.iter().map(|(_, place)| place);
        let tools = self.tools.iter().map(|(_, place)| place);
        let names = self.names.iter().map(|(_, place)| place);
        atoms.chain(tools).chain(names)
    }

    /// The first place of an atom.
    pub fn of_atom(&self, atom: &Atom) -> Option<&Place> {
        self.atoms
            .iter()
            .find(|(known, _)| known == atom)
            .map(|(_, place)| place)
    }

    /// The first place of a tool in `tools` or `other_tools`.
    pub fn of_tool(&self, tool: &ToolRef) -> Option<&Place> {
        self.tools
            .iter()
            .find(|(known, _)| known == tool)
            .map(|(_, place)| place)
    }
}

/// Reads the slots of a rule. A rule without a kind but with a guarantee is a
/// formula.
///
/// # Errors
/// Everything that is wrong with it: texts that do not parse, slots that the
/// kind does not use, slots that are missing, an unknown kind.
pub fn read_rule(text: &RuleText, mode: Mode) -> Result<(Rule, SlotSpans), Vec<SlotError>> {
    read_rule_with(text, mode, &Terms::default())
}

/// Reads the slots of a rule in which some terms have names of their own.
///
/// # Errors
/// As [`read_rule`].
pub fn read_rule_with(
    text: &RuleText,
    mode: Mode,
    terms: &Terms,
) -> Result<(Rule, SlotSpans), Vec<SlotError>> {
    let mut reader = Reader::new(mode, terms);
    let kind = reader.kind(text);
    let slots = reader.slots(text);
    if let Some(kind) = kind {
        reader.check_use(kind, text);
    }
    let rule = kind.and_then(|kind| rule(kind, slots));
    match (rule, reader.errors.is_empty()) {
        (Some(rule), true) => Ok((rule, reader.spans)),
        (None, true) => {
            // Every slot was read and none is missing, so only a formula that
            // names no tool is left.
            reader.error(
                "guarantee",
                None,
                0..text.guarantee.as_deref().map_or(0, str::len),
                "the formula calls no tool, so it is not clear what it guards",
                "add `tools`, such as `tools: [\"@any\"]`",
            );
            Err(reader.errors)
        }
        _ => Err(reader.errors),
    }
}

fn rule(kind: Kind, slots: Slots) -> Option<Rule> {
    let tools = match (&slots.tools, &slots.guarantee) {
        (None, Some(guarantee)) if kind == Kind::Formula => called_tools(guarantee),
        _ => slots.tools.clone(),
    }?;
    let body = match kind {
        Kind::Precondition => Body::Precondition {
            condition: slots.condition?,
        },
        Kind::Prohibition => Body::Prohibition {
            condition: slots.condition,
        },
        Kind::Precedence => Body::Precedence {
            first: slots.first?,
            keys: slots.keys,
        },
        Kind::Confirmation => Body::Confirmation {
            listed: slots.listed,
        },
        Kind::Limit => Body::Limit {
            at_most: slots.at_most?,
            keys: slots.keys,
        },
        Kind::OncePer => Body::OncePer { keys: slots.keys },
        Kind::Response => Body::Response {
            trigger: slots.trigger?,
        },
        Kind::ImmediateResponse => Body::ImmediateResponse {
            trigger: slots.trigger?,
        },
        Kind::AbsenceAfter => Body::AbsenceAfter {
            trigger: slots.trigger?,
        },
        Kind::MutualExclusion => Body::MutualExclusion {
            other: slots.other_tools?,
        },
        Kind::Formula => Body::Formula {
            assumption: slots.assumption.unwrap_or(Formula::True),
            guarantee: slots.guarantee?,
        },
    };
    Some(Rule {
        tools,
        body,
        for_each: slots.for_each,
    })
}

/// The tools whose calls a formula speaks of.
fn called_tools(guarantee: &Formula) -> Option<ToolPattern> {
    let tools = guarantee.atoms().into_iter().filter_map(|atom| match atom {
        Atom::Event(EventPredicate::Tool(ToolEvent::Call, tools)) => {
            Some(tools.alternatives().cloned())
        }
        _ => None,
    });
    ToolPattern::new(tools.flatten().collect::<BTreeSet<_>>())
}

/// The slots of a rule as canonical text; [`read_rule`] reads them back.
pub fn write_rule(rule: &Rule) -> RuleText {
    let mut text = RuleText {
        kind: rule.body.kind().name().to_owned(),
        tools: written_tools(&rule.tools),
        for_each: rule.for_each.clone(),
        ..RuleText::default()
    };
    match &rule.body {
        Body::Precondition { condition } => text.condition = Some(print_formula(condition)),
        Body::Prohibition { condition } => text.condition = condition.as_ref().map(print_formula),
        Body::Precedence { first, keys } => {
            text.first = Some(first.to_string());
            text.keys.clone_from(keys);
        }
        Body::Confirmation { listed } => text.listed = listed.iter().map(Term::to_string).collect(),
        Body::Limit { at_most, keys } => {
            text.at_most = Some(*at_most);
            text.keys.clone_from(keys);
        }
        Body::OncePer { keys } => text.keys.clone_from(keys),
        Body::Response { trigger }
        | Body::ImmediateResponse { trigger }
        | Body::AbsenceAfter { trigger } => {
            text.trigger = Some(print_formula(trigger));
        }
        Body::MutualExclusion { other } => text.other_tools = written_tools(other),
        Body::Formula {
            assumption,
            guarantee,
        } => {
            text.assumption = (*assumption != Formula::True).then(|| print_formula(assumption));
            text.guarantee = Some(print_formula(guarantee));
        }
    }
    text
}

fn written_tools(tools: &ToolPattern) -> Vec<String> {
    let each = tools
        .alternatives()
        .filter_map(|tool| ToolPattern::new([tool.clone()]));
    each.map(|tool| tool.to_string()).collect()
}

#[cfg(test)]
mod tests;
