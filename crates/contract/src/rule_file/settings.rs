//! The settings of a rule file.

use super::Placed;
use super::reader::Reader;
use super::yaml::Node;
use crate::library::{Settings, Unlisted};
use crate::rule::ConfirmationReading;
use crate::time::{Time, Zone};
use std::collections::BTreeSet;

/// The settings that a rule file gives. What it leaves out is for whoever reads
/// it to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenSettings {
    /// How far one yes reaches.
    pub confirmation: Option<ConfirmationReading>,
    /// What happens to tools that the catalog does not have.
    pub unlisted: Option<Unlisted>,
    /// The time that the policy states as the present one.
    pub now: Option<String>,
    /// The zone of times that are written without one.
    pub zone: Option<String>,
    /// The languages in which a yes is understood.
    pub lexicon: Option<Vec<String>>,
}

impl GivenSettings {
    /// These settings, and for what they leave out those of `base`.
    pub fn over(&self, base: &Settings) -> Settings {
        Settings {
            confirmation: self.confirmation.unwrap_or(base.confirmation),
            unlisted: self.unlisted.unwrap_or(base.unlisted),
            now: self.now.clone().or_else(|| base.now.clone()),
            zone: self.zone.clone().or_else(|| base.zone.clone()),
            lexicon: match &self.lexicon {
                Some(lexicon) => lexicon.clone(),
                None => base.lexicon.clone(),
            },
        }
    }
}

impl Reader<'_> {
    /// The settings of the file; what is wrong counts as left out.
    pub(super) fn settings(&mut self, node: Placed<Node>) -> GivenSettings {
        let mut settings = GivenSettings::default();
        let example = "settings: {confirmation: batch}";
        let Some(map) = self.mapping("`settings`", node, None, example) else {
            return settings;
        };
        let known = ["confirmation", "unlisted", "now", "zone", "lexicon"];
        let mut fields = self.fields(map, &known, "`settings`", None);
        if let Some(node) = fields.remove("confirmation") {
            settings.confirmation =
                self.choice("confirmation", node, &["per-action", "batch"], None);
        }
        if let Some(node) = fields.remove("unlisted") {
            settings.unlisted = self.choice("unlisted", node, &["refuse", "pass"], None);
        }
        if let Some(node) = fields.remove("now") {
            settings.now = self.checked("now", node, |text| {
                text.parse::<Time>()
                    .map(drop)
                    .map_err(|error| error.to_string())
            });
        }
        if let Some(node) = fields.remove("zone") {
            settings.zone = self.checked("zone", node, |text| {
                Zone::named(text)
                    .map(drop)
                    .map_err(|error| error.to_string())
            });
        }
        if let Some(node) = fields.remove("lexicon") {
            settings.lexicon = Some(self.lexicon(node));
        }
        settings
    }

    /// A text that passes a test, whose complaint is a sentence with its way out.
    pub(super) fn checked(
        &mut self,
        name: &str,
        node: Placed<Node>,
        test: impl Fn(&str) -> Result<(), String>,
    ) -> Option<String> {
        let text = self.text(name, node, None)?;
        let Err(message) = test(&text.value) else {
            return Some(text.value);
        };
        let (message, help) = message
            .split_once("; ")
            .unwrap_or((&message, "write it otherwise"));
        self.complain(text.range, None, message, help);
        None
    }

    /// The names of languages, each once.
    fn lexicon(&mut self, node: Placed<Node>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for item in self.list("lexicon", node, None) {
            let name = item.value.trim().to_owned();
            if name.is_empty() {
                let message = "a language of `lexicon` has no name";
                self.complain(item.range, None, message, "write `lexicon: [en]`");
            } else if seen.insert(name.clone()) {
                names.push(name);
            } else {
                let message = format!("`lexicon` names `{name}` twice");
                self.complain(item.range, None, message, "remove one of them");
            }
        }
        names
    }
}
