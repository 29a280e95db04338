//! Values inside a rule file: what tools are called with and what they answer.

use super::Placed;
use super::reader::Reader;
use super::yaml::Node;
use crate::value::{Value, number};
use std::collections::BTreeMap;

impl Reader<'_> {
    /// The value that a node stands for, its numbers digit by digit.
    pub(super) fn value(&mut self, name: &str, node: Placed<Node>) -> Option<Value> {
        match node.value {
            Node::Null if !node.range.is_empty() => Some(Value::Null),
            Node::Bool(value) => Some(Value::Bool(value)),
            Node::Natural(_) | Node::Number(_) => {
                let digits = self.source.text().get(node.range.clone());
                let value = digits.unwrap_or_default();
                let is_plain = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                match number(value).ok().filter(|_| is_plain) {
                    Some(number) => Some(Value::Number(number)),
                    None => {
                        let message = format!("`{value}` is no number that JSON knows");
                        let help = "write it like `12.50`, or in quotes if it is text";
                        self.complain(node.range, None, message, help);
                        None
                    }
                }
            }
            // `text` knows what YAML does to texts without quotes.
            Node::Text(_) | Node::Null => {
                let text = self.text(name, node, None)?;
                Some(Value::Text(text.value))
            }
            Node::List(items) => {
                let values: Vec<Option<Value>> = items
                    .into_iter()
                    .map(|item| self.value(name, item))
                    .collect();
                values
                    .into_iter()
                    .collect::<Option<Vec<_>>>()
                    .map(Value::List)
            }
            Node::Map(map) => self.object(map).map(Value::Object),
        }
    }

    /// The values of a mapping by their keys.
    pub(super) fn object(
        &mut self,
        map: Vec<(Placed<String>, Placed<Node>)>,
    ) -> Option<BTreeMap<String, Value>> {
        let before = self.diagnostics.len();
        let mut object = BTreeMap::new();
        for (key, node) in map {
            let value = self.value(&key.value, node);
            if object.insert(key.value.clone(), value).is_some() {
                let message = format!("the key `{}` is repeated", key.value);
                self.complain(key.range, None, message, "keep one of them");
            }
        }
        let object = object.into_iter().map(|(key, value)| Some((key, value?)));
        let object = object.collect::<Option<_>>()?;
        (self.diagnostics.len() == before).then_some(object)
    }
}
