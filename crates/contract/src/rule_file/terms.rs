//! The terms that a rule file names.

use super::Placed;
use super::reader::Reader;
use super::scalar;
use super::yaml::Node;
use crate::language::{Mode, TermsError};

impl Reader<'_> {
    /// Reads `terms`, a mapping from names to terms. A term may use the names
    /// before it.
    pub(super) fn declare(&mut self, node: Placed<Node>) {
        let example = "terms: {ORDER: 'last(get_order, order_id = arg.order_id)'}";
        let Some(map) = self.mapping("`terms`", node, None, example) else {
            return;
        };
        for (name, node) in map {
            let before = self.diagnostics.len();
            if let Some(text) = self.text(&name.value, node, None) {
                self.declare_one(&name, &text);
            } else if self.diagnostics.len() == before {
                let message = format!("the term `{}` is `null`", name.value);
                let help = "write a term, such as `arg.order_id`";
                self.complain(name.range.clone(), None, message, help);
            }
            if self.diagnostics.len() > before {
                self.broken.insert(name.value);
            }
        }
    }

    fn declare_one(&mut self, name: &Placed<String>, text: &Placed<String>) {
        let Err(error) = self.terms.declare(&name.value, &text.value, Mode::Strict) else {
            return;
        };
        let at_name = name.range.clone();
        let (range, message, help) = match error {
            TermsError::Name(word) => (
                at_name,
                format!("`{word}` cannot name a term"),
                "use a word of letters, digits and `_` that the language does not know, such as `ORDER`".to_owned(),
            ),
            TermsError::Repeated(word) => (
                at_name,
                format!("the term `{word}` is declared twice"),
                "keep one of them".to_owned(),
            ),
            TermsError::TooLarge(word) => (
                at_name,
                format!("the term `{word}` is too large once the names in it are written out"),
                "use fewer names inside it".to_owned(),
            ),
            TermsError::Syntax { error, .. } => {
                let file = self.source.text();
                let range = scalar::locate(file, &text.range, &text.value, &error.range);
                // A name that failed above has been told.
                let words = text.value.get(error.range.clone()).unwrap_or_default();
                if self.broken.contains(words) {
                    self.broken.insert(name.value.clone());
                    return;
                }
                (range, error.message, error.help)
            }
        };
        self.complain(range, None, message, help);
    }
}
