//! One contract of a rule file.

use super::reader::Reader;
use super::scalar;
use super::yaml::Node;
use super::{Placed, RuleClause, RuleEntry};
use crate::contract::Strategy;
use crate::draft::RuleText;
use crate::language::Mode;
use crate::rule_text::{Place, SLOTS, SlotError, read_rule_with};
use crate::source::{Lines, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Keys of a contract beside the slots of its rule.
const KEYS: [&str; 5] = ["id", "kind", "says", "strategy", "clause"];

type Fields = BTreeMap<&'static str, Placed<Node>>;
type Places = BTreeMap<(&'static str, Option<usize>), Range<usize>>;

impl Reader<'_> {
    /// Reads a contract: its id if it has one, and the rest if nothing is wrong.
    pub(super) fn entry(
        &mut self,
        index: usize,
        node: Placed<Node>,
    ) -> (Option<Placed<String>>, Option<RuleEntry>) {
        let before = self.diagnostics.len();
        let fallback = format!("contract {}", index + 1);
        let Node::Map(map) = node.value else {
            let message = format!("{fallback} is {}, not a mapping", node.value.describe());
            self.complain(
                node.range,
                None,
                message,
                "give it an `id` and a `guarantee` or a `kind`",
            );
            return (None, None);
        };
        let start = map.first().map_or(node.range, |(key, _)| key.range.clone());
        // The id is read first, so that complaints about the other keys name it.
        let named = map
            .iter()
            .find(|(key, _)| key.value == "id")
            .map(|(_, value)| value.clone());
        let about = match named.as_ref().map(|node| &node.value) {
            Some(Node::Text(id)) if !id.trim().is_empty() => id.trim().to_owned(),
            _ => fallback.clone(),
        };
        let about = Some(about.as_str());
        let known: Vec<&'static str> = KEYS.into_iter().chain(SLOTS).collect();
        let mut fields = self.fields(map, &known, "a contract", about);
        let id = self.id(&mut fields, &start, about);
        let (text, places, faulty) = self.slots(&mut fields, about);
        let says = self
            .optional_text("says", &mut fields, about)
            .unwrap_or_default();
        let strategy = fields.remove("strategy");
        let strategy =
            strategy.and_then(|node| self.choice("strategy", node, &["block", "escalate"], about));
        let clause = fields
            .remove("clause")
            .and_then(|node| self.clause(node, about));
        let id_range = id.as_ref().map_or(start, |id| id.range.clone());
        let rule = match read_rule_with(&text, Mode::Strict, &self.terms) {
            Ok(rule) => Some(rule),
            Err(errors) => {
                for error in errors {
                    // What was refused above is not missing.
                    let missing = error.range.is_empty();
                    let guarantee = error.slot == "kind" && faulty.contains("guarantee");
                    if missing && (guarantee || faulty.contains(error.slot)) {
                        continue;
                    }
                    // Nor is a name a mistake of this rule, if its term is one.
                    if self.broken.contains(words(&text, &error)) {
                        continue;
                    }
                    self.slot_error(error, &text, &places, &id_range, about);
                }
                None
            }
        };
        let entry = match (&id, rule) {
            (Some(id), Some((rule, spans))) if self.diagnostics.len() == before => {
                Some(RuleEntry {
                    id: id.value.clone(),
                    id_range,
                    text,
                    rule,
                    spans,
                    says,
                    strategy: strategy.unwrap_or(Strategy::Block),
                    clause,
                    places,
                })
            }
            _ => None,
        };
        (id, entry)
    }

    fn id(
        &mut self,
        fields: &mut Fields,
        start: &Range<usize>,
        about: Option<&str>,
    ) -> Option<Placed<String>> {
        let Some(node) = fields.remove("id") else {
            let message = format!("{} has no `id`", about.unwrap_or("a contract"));
            self.complain(
                start.clone(),
                about,
                message,
                "add one, such as `id: ORD-1`",
            );
            return None;
        };
        let mut id = self.text("id", node, about)?;
        id.value = id.value.trim().to_owned();
        if id.value.is_empty() {
            self.complain(
                id.range,
                about,
                "the `id` is empty",
                "give it a name, such as `ORD-1`",
            );
            return None;
        }
        Some(id)
    }

    fn optional_text(
        &mut self,
        name: &'static str,
        fields: &mut Fields,
        about: Option<&str>,
    ) -> Option<String> {
        let node = fields.remove(name)?;
        self.text(name, node, about).map(|text| text.value)
    }

    /// The slots, where each stands, and which were there but refused.
    fn slots(
        &mut self,
        fields: &mut Fields,
        about: Option<&str>,
    ) -> (RuleText, Places, BTreeSet<&'static str>) {
        let mut text = RuleText::default();
        let mut places = Places::new();
        let mut faulty = BTreeSet::new();
        for slot in [
            "kind",
            "condition",
            "first",
            "trigger",
            "assumption",
            "guarantee",
        ] {
            let before = self.diagnostics.len();
            let node = fields.remove(slot);
            let found = node.and_then(|node| self.text(slot, node, about));
            if self.diagnostics.len() > before {
                faulty.insert(slot);
            }
            let Some(found) = found else {
                continue;
            };
            places.insert((slot, None), found.range);
            let target = match slot {
                "condition" => &mut text.condition,
                "first" => &mut text.first,
                "trigger" => &mut text.trigger,
                "assumption" => &mut text.assumption,
                "guarantee" => &mut text.guarantee,
                _ => {
                    text.kind = found.value;
                    continue;
                }
            };
            *target = Some(found.value);
        }
        for slot in ["tools", "keys", "other_tools", "listed", "for_each"] {
            let Some(node) = fields.remove(slot) else {
                continue;
            };
            let before = self.diagnostics.len();
            let items = self.list(slot, node, about);
            if self.diagnostics.len() > before {
                faulty.insert(slot);
            }
            for (index, item) in items.iter().enumerate() {
                places.insert((slot, Some(index)), item.range.clone());
            }
            let items = items.into_iter().map(|item| item.value).collect();
            match slot {
                "tools" => text.tools = items,
                "keys" => text.keys = items,
                "other_tools" => text.other_tools = items,
                "for_each" => text.for_each = items,
                _ => text.listed = items,
            }
        }
        if let Some(node) = fields.remove("at_most") {
            let before = self.diagnostics.len();
            text.at_most = self.natural("at_most", &node, about);
            if self.diagnostics.len() > before {
                faulty.insert("at_most");
            }
            places.insert(("at_most", None), node.range);
        }
        if text.kind.is_empty() && text.guarantee.is_some() {
            text.kind = "formula".to_owned();
        }
        (text, places, faulty)
    }

    fn clause(&mut self, node: Placed<Node>, about: Option<&str>) -> Option<RuleClause> {
        let Node::Map(map) = node.value else {
            let message = format!("`clause` is {}, not a mapping", node.value.describe());
            self.complain(
                node.range,
                about,
                message,
                "write `clause: {lines: [12, 14]}`",
            );
            return None;
        };
        let mut fields = self.fields(map, &["lines", "text"], "a clause", about);
        let text = self.optional_text("text", &mut fields, about);
        let Some(node) = fields.remove("lines") else {
            self.complain(
                node.range,
                about,
                "a clause has no `lines`",
                "write `lines: [12, 14]`",
            );
            return None;
        };
        let numbers: Vec<usize> = match &node.value {
            Node::List(items) => items.iter().filter_map(|item| line(&item.value)).collect(),
            other => line(other).into_iter().collect(),
        };
        let lines = match (&node.value, numbers.as_slice()) {
            (Node::Natural(_), [only]) => Some((*only, *only)),
            (Node::List(items), [first, last]) if items.len() == 2 && first <= last => {
                Some((*first, *last))
            }
            _ => None,
        };
        let Some(lines) = lines else {
            let help = "write the first and the last line, counted from 1, as in `lines: [12, 14]`";
            self.complain(node.range, about, "`lines` are no lines of a policy", help);
            return None;
        };
        Some(RuleClause {
            lines: Lines::from(lines),
            text,
        })
    }

    /// Reports a slot's mistake where its words stand in the file.
    fn slot_error(
        &mut self,
        error: SlotError,
        text: &RuleText,
        places: &Places,
        id_range: &Range<usize>,
        about: Option<&str>,
    ) {
        let place = Place {
            slot: error.slot,
            index: error.index,
            range: error.range,
        };
        let at = locate(self.source, places, text, &place);
        let scalar = places.get(&(place.slot, place.index));
        let help = if scalar.is_some_and(|scalar| is_cut_by_comment(self.source, scalar)) {
            "YAML takes what follows ` #` for a comment; put the whole text in single quotes"
                .to_owned()
        } else {
            error.help
        };
        let range = at.unwrap_or_else(|| id_range.clone());
        self.complain(range, about, error.message, help);
    }
}

/// Whether a comment follows a text without quotes on its line.
fn is_cut_by_comment(source: &Source, scalar: &Range<usize>) -> bool {
    let text = source.text();
    // A comment behind a block of lines is one of its own.
    let quoted = text
        .get(scalar.clone())
        .is_some_and(|raw| raw.starts_with(['"', '\'', '|', '>']) || raw.contains('\n'));
    let behind = text.get(scalar.end..).and_then(|rest| rest.lines().next());
    !quoted && behind.is_some_and(|rest| rest.trim_start().starts_with('#'))
}

fn line(node: &Node) -> Option<usize> {
    match node {
        Node::Natural(number) if *number > 0 => usize::try_from(*number).ok(),
        _ => None,
    }
}

/// The words of a slot at which an error points.
fn words<'a>(text: &'a RuleText, error: &SlotError) -> &'a str {
    let whole = slot_text(text, error.slot, error.index).unwrap_or_default();
    whole.get(error.range.clone()).unwrap_or_default()
}

/// What a slot says, or an item of it.
fn slot_text<'a>(text: &'a RuleText, slot: &str, index: Option<usize>) -> Option<&'a str> {
    let list = |items: &'a [String]| items.get(index.unwrap_or(0)).map(String::as_str);
    match slot {
        "kind" => Some(&text.kind),
        "condition" => text.condition.as_deref(),
        "first" => text.first.as_deref(),
        "trigger" => text.trigger.as_deref(),
        "assumption" => text.assumption.as_deref(),
        "guarantee" => text.guarantee.as_deref(),
        "tools" => list(&text.tools),
        "keys" => list(&text.keys),
        "other_tools" => list(&text.other_tools),
        "listed" => list(&text.listed),
        "for_each" => list(&text.for_each),
        _ => None,
    }
}

/// Where a place in the slots stands in the file, if the slot is there.
pub(super) fn locate(
    source: &Source,
    places: &Places,
    text: &RuleText,
    place: &Place,
) -> Option<Range<usize>> {
    let scalar = places.get(&(place.slot, place.index))?;
    Some(match slot_text(text, place.slot, place.index) {
        Some(value) => scalar::locate(source.text(), scalar, value, &place.range),
        None => scalar.clone(),
    })
}
