//! What the record that an id selects is called.
//!
//! An agent rarely says `credit_card_7615`; it says "your Visa ending in 7615". Whether that
//! names the id shows in what was looked up: the id is the key of an object, or the value of its
//! `id` field, and that object says `brand: visa, last_four: 7615`.

use lictor_contract::value::{MAX_DEPTH, Value};

use super::squeezed::Squeezed;

/// Fields that say what a record is called, without regard to case and separators.
const NAMES: &[&str] = &[
    "name",
    "title",
    "label",
    "source",
    "brand",
    "type",
    "kind",
    "displayname",
    "fullname",
    "nickname",
    "productname",
    "itemname",
    // The last digits of a card or an account.
    "lastfour",
    "last4",
    "lastfourdigits",
    "last4digits",
    "lastdigits",
    "cardlastfour",
    "cardlast4",
    "endingin",
];

/// Values visited for one id; what lies beyond is not looked at.
const MOST_VALUES: usize = 100_000;
/// Names kept for one id.
const MOST_NAMES: usize = 64;

/// What the record that `id` selects is called in these results, in the order found.
///
/// The record is an object under the key equal to the id, or one whose field `id` is the id; if
/// there is neither, or it has no name, then an object with a field whose name ends in `id`
/// (`item_id`, `userId`) and whose value is the id. Ids compare ignoring case and separators. The
/// names are brands, sources, titles and last digits, too: look for them as whole tokens, not by
/// value, so that "$7,615" does not name the card 7615 ([`Said::names_record`] does so).
///
/// [`Said::names_record`]: super::super::Said::names_record
///
/// Bounded: of very large results only the first 100,000 values are looked at, so give the newest
/// result first.
pub fn record_names<'v>(id: &str, results: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
    let id = Squeezed::of(id);
    if id.is("") {
        return Vec::new();
    }
    let mut search = Search {
        id: &id,
        left: MOST_VALUES,
        own: Vec::new(),
        other: Vec::new(),
    };
    for result in results {
        search.visit(result, None, 0);
        if search.left == 0 {
            break;
        }
    }
    if search.own.is_empty() {
        search.other
    } else {
        search.own
    }
}

struct Search<'i> {
    id: &'i Squeezed,
    left: usize,
    own: Vec<String>,
    other: Vec<String>,
}

impl Search<'_> {
    fn visit(&mut self, value: &Value, key: Option<&str>, depth: usize) {
        if self.left == 0 || depth > MAX_DEPTH {
            return;
        }
        self.left -= 1;
        match value {
            Value::Object(fields) => {
                let is_id = |value: &Value| scalar(value).is_some_and(|text| self.is_id(&text));
                let own = key.is_some_and(|key| self.is_id(key))
                    || fields
                        .iter()
                        .any(|(key, value)| key.eq_ignore_ascii_case("id") && is_id(value));
                let other = fields
                    .iter()
                    .any(|(key, value)| key.to_lowercase().ends_with("id") && is_id(value));
                if own {
                    collect(fields.iter(), &mut self.own);
                } else if other {
                    collect(fields.iter(), &mut self.other);
                }
                for (key, value) in fields {
                    self.visit(value, Some(key), depth + 1);
                }
            }
            Value::List(items) => {
                for item in items {
                    self.visit(item, None, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
        }
    }

    fn is_id(&self, text: &str) -> bool {
        self.id.is(text)
    }
}

fn collect<'v>(fields: impl Iterator<Item = (&'v String, &'v Value)>, names: &mut Vec<String>) {
    for (key, value) in fields {
        let key: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
        let key = key.to_lowercase();
        if !NAMES.contains(&key.as_str()) || names.len() >= MOST_NAMES {
            continue;
        }
        names.extend(words(value).filter(|name| !names.contains(name)));
    }
}

/// The text of a name; one that is given in parts, as first and last name, is joined.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Object(parts) => {
            let parts: Option<Vec<String>> = parts.values().map(scalar).collect();
            parts.map(|parts| parts.join(" "))
        }
        _ => scalar(value),
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, result: &str, expected: &[&str]) {
        let result = Value::from_json(result).unwrap();
        assert_eq!(record_names(id, [&result]), expected, "{id}");
    }

    #[test]
    fn a_record_is_found_by_its_id() {
        let user = r##"{"user_id": "ana", "name": {"first_name": "Ana", "last_name": "Li"},
            "payment_methods": {
                "credit_card_7615": {"source": "credit_card", "brand": "visa", "last_four": "7615",
                    "id": "credit_card_7615"},
                "gift_card_22": {"source": "gift_card", "balance": 40},
                "paypal_3": {"source": "PayPal"}},
            "history": [{"payment_method_id": "paypal_3", "type": "payment"}],
            "orders": ["#W1"]}"##;
        check("credit_card_7615", user, &["visa", "7615", "credit_card"]);
        check("gift_card_22", user, &["gift_card"]);
        check("paypal_3", user, &["PayPal"]);
        check("ana", user, &["Ana Li"]);
        check("#W1", user, &[]);
        check("unknown", user, &[]);

        let order = r##"{"order_id": "#W1", "items": [
            {"item_id": "838", "name": "Desk Lamp"}, {"itemId": 839, "title": "Mug"}]}"##;
        check("838", order, &["Desk Lamp"]);
        check("839", order, &["Mug"]);
        check("w-1", order, &[]);
        check(
            "7",
            r#"[[{"ID": 7, "Last-4": 1111, "label": ""}]]"#,
            &["1111"],
        );
    }

    #[test]
    fn large_results_are_searched_in_part() {
        let record = Value::from_json(r#"{"id": "a1", "name": "Lamp"}"#).unwrap();
        let mut list = vec![Value::integer(1); MOST_VALUES];
        list.push(record.clone());
        let large = Value::List(list);
        assert_eq!(record_names("a1", [&large]).len(), 0);
        assert_eq!(record_names("a1", [&record, &large]).len(), 1);
        let mut deep = record;
        for _ in 0..1000 {
            deep = Value::List(vec![deep]);
        }
        assert_eq!(record_names("a1", [&deep]).len(), 0);
    }
}
