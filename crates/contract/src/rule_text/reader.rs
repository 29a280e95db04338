//! Reads slot after slot and collects what is wrong, instead of stopping at the first fault.

use super::slots::{SLOTS, Use, example, first_text, is_filled, slot_use};
use super::{Place, SlotError, SlotSpans};
use crate::draft::RuleText;
use crate::language::{
    Mode, SyntaxError, Terms, nearest, parse_event, parse_formula_with, parse_term_with,
    parse_tool_pattern,
};
use crate::predicate::{Atom, EventPredicate, Formula, Term, ToolPattern};
use crate::rule::Kind;
use std::collections::BTreeSet;
use std::ops::Range;

/// The slots as trees; what is absent or did not parse is none.
pub(super) struct Slots {
    pub(super) tools: Option<ToolPattern>,
    pub(super) condition: Option<Formula>,
    pub(super) first: Option<EventPredicate>,
    pub(super) keys: Vec<String>,
    pub(super) at_most: Option<u32>,
    pub(super) trigger: Option<Formula>,
    pub(super) other_tools: Option<ToolPattern>,
    pub(super) listed: Vec<Term>,
    pub(super) assumption: Option<Formula>,
    pub(super) guarantee: Option<Formula>,
    pub(super) for_each: Vec<String>,
}

/// Collects what is read and what is wrong.
pub(super) struct Reader<'a> {
    mode: Mode,
    terms: &'a Terms,
    pub(super) spans: SlotSpans,
    pub(super) errors: Vec<SlotError>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(mode: Mode, terms: &'a Terms) -> Self {
        Reader {
            mode,
            terms,
            spans: SlotSpans::default(),
            errors: Vec::new(),
        }
    }

    pub(super) fn error(
        &mut self,
        slot: &'static str,
        index: Option<usize>,
        range: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.errors.push(SlotError {
            slot,
            index,
            range,
            message: message.into(),
            help: help.into(),
        });
    }

    pub(super) fn kind(&mut self, text: &RuleText) -> Option<Kind> {
        let name = text.kind.trim();
        if name.is_empty() && is_filled(text, "guarantee") {
            return Some(Kind::Formula);
        }
        let kind = Kind::find(name);
        if kind.is_none() {
            let names = Kind::ALL.iter().map(|kind| kind.name());
            let all = || names.clone().collect::<Vec<_>>().join("`, `");
            let (message, help) = if name.is_empty() {
                (
                    "the rule has neither a kind nor a guarantee".to_owned(),
                    format!("give a `guarantee`, or one of the kinds `{}`", all()),
                )
            } else {
                (
                    format!("there is no kind `{name}`"),
                    match nearest(name, names.clone()) {
                        Some(kind) => format!("did you mean `{kind}`?"),
                        None => format!("the kinds are `{}`", all()),
                    },
                )
            };
            self.error("kind", None, 0..text.kind.len(), message, help);
        }
        kind
    }

    pub(super) fn slots(&mut self, text: &RuleText) -> Slots {
        Slots {
            tools: self.tools("tools", &text.tools),
            condition: self.formula("condition", text.condition.as_deref()),
            first: self.first(text.first.as_deref()),
            keys: self.names("keys", "key", &text.keys),
            at_most: text.at_most,
            trigger: self.formula("trigger", text.trigger.as_deref()),
            other_tools: self.tools("other_tools", &text.other_tools),
            listed: self.listed(&text.listed),
            assumption: self.formula("assumption", text.assumption.as_deref()),
            guarantee: self.formula("guarantee", text.guarantee.as_deref()),
            for_each: self.names("for_each", "parameter", &text.for_each),
        }
    }

    /// Slots that the kind does not use but has, and slots that it lacks.
    pub(super) fn check_use(&mut self, kind: Kind, text: &RuleText) {
        let mut used = Vec::new();
        let mut unused = Vec::new();
        for slot in SLOTS {
            match (slot_use(kind, slot), is_filled(text, slot)) {
                (Use::Needed, false) => self.error(
                    slot,
                    None,
                    0..0,
                    format!("a {} needs `{slot}`", kind.name()),
                    format!("add `{slot}`, such as {}", example(slot)),
                ),
                (Use::Unused, true) => unused.push(slot),
                _ => {}
            }
            if slot_use(kind, slot) != Use::Unused {
                used.push(slot);
            }
        }
        for slot in unused {
            let (index, length) = first_text(text, slot);
            self.error(
                slot,
                index,
                0..length,
                format!("a {} has no `{slot}`", kind.name()),
                format!(
                    "remove it or choose another kind; this one has `{}`",
                    used.join("`, `")
                ),
            );
        }
    }

    fn syntax(&mut self, slot: &'static str, index: Option<usize>, error: SyntaxError) {
        self.error(slot, index, error.range, error.message, error.help);
    }

    /// Whether there is text to read. A model writes an empty text for nothing;
    /// a person who does so has more likely forgotten something.
    fn has_text(&mut self, slot: &'static str, text: &str) -> bool {
        let blank = text.trim().is_empty();
        if blank && self.mode == Mode::Strict {
            self.error(
                slot,
                None,
                0..text.len(),
                format!("`{slot}` is empty"),
                "fill it or leave it out",
            );
        }
        !blank
    }

    fn formula(&mut self, slot: &'static str, text: Option<&str>) -> Option<Formula> {
        let text = text.filter(|text| self.has_text(slot, text))?;
        match parse_formula_with(text, self.mode, self.terms) {
            Ok(parsed) => {
                let place = |range| Place {
                    slot,
                    index: None,
                    range,
                };
                let atoms = parsed
                    .atoms
                    .into_iter()
                    .map(|(atom, range)| (atom, place(range)));
                self.spans.atoms.extend(atoms);
                Some(parsed.value)
            }
            Err(error) => {
                self.syntax(slot, None, error);
                None
            }
        }
    }

    fn first(&mut self, text: Option<&str>) -> Option<EventPredicate> {
        let text = text.filter(|text| self.has_text("first", text))?;
        match parse_event(text, self.mode) {
            Ok(event) => {
                let place = Place {
                    slot: "first",
                    index: None,
                    range: 0..text.len(),
                };
                self.spans.atoms.push((Atom::Event(event.clone()), place));
                Some(event)
            }
            Err(error) => {
                self.syntax("first", None, error);
                None
            }
        }
    }

    fn tools(&mut self, slot: &'static str, items: &[String]) -> Option<ToolPattern> {
        let mut tools = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            match parse_tool_pattern(item, self.mode) {
                Ok(pattern) => {
                    for tool in pattern.alternatives() {
                        let place = Place {
                            slot,
                            index: Some(index),
                            range: 0..item.len(),
                        };
                        self.spans.tools.push((tool.clone(), place));
                        tools.insert(tool.clone());
                    }
                }
                Err(error) => self.syntax(slot, Some(index), error),
            }
        }
        ToolPattern::new(tools)
    }

    fn listed(&mut self, items: &[String]) -> Vec<Term> {
        let mut terms = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match parse_term_with(item, self.mode, self.terms) {
                Ok(term) => {
                    let place = Place {
                        slot: "listed",
                        index: Some(index),
                        range: 0..item.len(),
                    };
                    self.spans.atoms.push((Atom::Listed(term.clone()), place));
                    terms.push(term);
                }
                Err(error) => self.syntax("listed", Some(index), error),
            }
        }
        terms
    }

    /// Names of arguments, where `arg.name` is read as the name.
    fn names(&mut self, slot: &'static str, what: &str, items: &[String]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let name = item.trim();
            let name = name.strip_prefix("arg.").unwrap_or(name);
            let (message, help) = if name.is_empty() {
                (
                    format!("a {what} is empty"),
                    "name an argument of the tools",
                )
            } else if name.starts_with('?') {
                (
                    format!("the {what} `{name}` is a placeholder"),
                    "name the argument as the tools do",
                )
            } else if names.iter().any(|known| known == name) {
                (
                    format!("the {what} `{name}` is given twice"),
                    "remove one of them",
                )
            } else {
                let place = Place {
                    slot,
                    index: Some(index),
                    range: 0..item.len(),
                };
                self.spans.names.push((name.to_owned(), place));
                names.push(name.to_owned());
                continue;
            };
            self.error(slot, Some(index), 0..item.len(), message, help);
        }
        names
    }
}
