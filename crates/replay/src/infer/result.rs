//! The forms that a tool's results come in.

use super::shape::is_data;
use lictor_contract::declared::ResultForm;
use lictor_contract::value::{Kind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Fields that tell by a truth value whether the tool did what it was asked.
const FLAGS: [&str; 4] = ["ok", "success", "succeeded", "successful"];

/// Fields that hold the value beside such a flag, and those that only comment.
const CARRIERS: [&str; 5] = ["data", "output", "payload", "result", "value"];
const COMMENTS: [&str; 6] = ["code", "detail", "error", "message", "msg", "status"];

/// How texts begin that tell of a failure.
const FAILURES: [&str; 15] = [
    "access denied",
    "cannot",
    "could not",
    "error",
    "exception",
    "failed",
    "failure",
    "forbidden",
    "invalid",
    "not found",
    "permission denied",
    "traceback",
    "unable to",
    "unauthorized",
    "unknown error",
];

/// What a result looks like at first sight.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// `[truth, value]`.
    Pair(bool),
    /// An object with a flag.
    Flagged(&'static str, bool),
    /// A truth value alone.
    Truth(bool),
    Number,
    Text,
    /// A text that begins like a failure.
    Failure,
    List,
    Object,
    /// An object without fields.
    Empty,
    Null,
}

/// The class of a result.
pub(super) fn class(result: &Value) -> Class {
    match result {
        Value::Null => Class::Null,
        Value::Bool(truth) => Class::Truth(*truth),
        Value::Number(_) => Class::Number,
        Value::Text(text) if is_failure(text) => Class::Failure,
        Value::Text(_) => Class::Text,
        Value::List(items) => match items.as_slice() {
            [Value::Bool(truth), _] => Class::Pair(*truth),
            _ => Class::List,
        },
        Value::Object(fields) if fields.is_empty() => Class::Empty,
        Value::Object(fields) => FLAGS
            .into_iter()
            .find_map(|flag| match fields.get(flag) {
                Some(Value::Bool(truth)) => Some(Class::Flagged(flag, *truth)),
                _ => None,
            })
            .unwrap_or(Class::Object),
    }
}

/// Whether a text begins with one of the words for a failure.
fn is_failure(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(24).collect();
    let start = start.to_lowercase();
    FAILURES.into_iter().any(|word| {
        start
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// The value inside a result, as far as its class tells; none if it failed.
pub(super) fn opened<'a>(class: &Class, result: &'a Value) -> Option<&'a Value> {
    match (class, result) {
        (Class::Pair(true), Value::List(items)) => items.get(1),
        (Class::Flagged(flag, true), Value::Object(fields)) => match carrier(fields, flag) {
            Some(carrier) => fields.get(carrier),
            None => Some(result),
        },
        (Class::Pair(false) | Class::Flagged(_, false) | Class::Failure | Class::Null, _) => None,
        _ => Some(result),
    }
}

/// The field that holds the value, if there is nothing else of weight.
fn carrier(fields: &BTreeMap<String, Value>, flag: &str) -> Option<&'static str> {
    let mut others = fields
        .keys()
        .map(String::as_str)
        .filter(|name| *name != flag && !COMMENTS.contains(name));
    let carrier = others.next()?;
    let carrier = CARRIERS.into_iter().find(|it| *it == carrier)?;
    others.next().is_none().then_some(carrier)
}

/// The results of one tool.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// How many were of each class; failures that the format marks apart.
    classes: BTreeMap<Class, u64>,
    /// Kinds of values inside pairs that succeeded.
    inside: BTreeSet<Kind>,
    /// For flagged objects that succeeded: the fields that held the value.
    carriers: BTreeMap<Option<&'static str>, u64>,
    /// Objects without a flag.
    objects: Part,
    /// The first items of lists that are no pairs.
    items: Part,
}

/// Values of one place, to tell them from values of other kinds.
#[derive(Debug, Default)]
struct Part {
    kinds: BTreeMap<Kind, u64>,
    /// Fields of objects, and how many objects had each.
    fields: BTreeMap<String, u64>,
}

impl Part {
    /// Empty objects are passed over: they tell nothing of those with fields.
    fn learn(&mut self, value: &Value) {
        if class(value) == Class::Empty {
            return;
        }
        *self.kinds.entry(value.kind()).or_default() += 1;
        if let Value::Object(fields) = value {
            for name in fields.keys().take(MAX_FIELDS) {
                if self.fields.len() < MAX_FIELDS || self.fields.contains_key(name) {
                    *self.fields.entry(name.clone()).or_default() += 1;
                }
            }
        }
    }

    /// A condition on what stands at `path` that every value met and that values
    /// of other kinds do not; none if there is none.
    fn condition(&self, path: &str) -> Option<String> {
        let mut kinds = self.kinds.iter();
        let (kind, count) = kinds.next().filter(|_| self.kinds.len() == 1)?;
        Some(match kind {
            Kind::Text => format!("known(lower({path}))"),
            Kind::Number => format!("{path} <= 0 | {path} > 0"),
            Kind::Bool => format!("{path} == true | {path} == false"),
            Kind::Object => {
                let always = self.fields.iter().filter(|(_, had)| *had == count);
                // A key that is data is another one next time.
                let names = always.map(|(name, _)| name).filter(|it| !is_data(it));
                // A name like an id is the least likely to be missing one day.
                let rank = |name: &&String| (name.ends_with("id"), std::cmp::Reverse(name.len()));
                match names.max_by_key(rank) {
                    Some(name) if is_plain(name) => format!("known({path}.{name})"),
                    Some(name) => format!("known({path}[{}])", Value::text(name)),
                    None => format!("len({path}) >= 0 & !known({path}[0]) & !known(lower({path}))"),
                }
            }
            Kind::List | Kind::Null => return None,
        })
    }
}

/// A form and what speaks for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Proposed {
    pub(super) form: ResultForm,
    pub(super) evidence: String,
}

impl Results {
    /// Counts a result.
    pub(super) fn count(&mut self, class: &Class, result: &Value) {
        *self.classes.entry(class.clone()).or_default() += 1;
        match (class, result) {
            (Class::Pair(true), Value::List(items)) => {
                self.inside.extend(items.get(1).map(Value::kind));
            }
            (Class::Flagged(flag, true), Value::Object(fields)) => {
                *self.carriers.entry(carrier(fields, flag)).or_default() += 1;
            }
            (Class::Object | Class::Empty, _) => self.objects.learn(result),
            (Class::List, Value::List(items)) => {
                if let Some(first) = items.first() {
                    self.items.learn(first);
                }
            }
            _ => {}
        }
    }

    fn of(&self, class: &Class) -> u64 {
        self.classes.get(class).copied().unwrap_or_default()
    }

    fn total(&self) -> u64 {
        self.classes.values().sum()
    }

    /// The forms in the order in which they are tried; none where each result
    /// simply is its value. `reads` says that the tool's name reads for something,
    /// so that false is an answer like any other.
    pub(super) fn forms(&self, reads: bool) -> Vec<Proposed> {
        let total = self.total();
        let pairs = self.pairs_are_forms();
        let (yes, no) = (self.of(&Class::Truth(true)), self.of(&Class::Truth(false)));
        let truth_is_value = self.truth_is_value(reads);
        let mut forms = Vec::new();
        let mut propose = |ok: String, value: String, count: u64, note: &str| {
            if count > 0 {
                forms.push(Proposed {
                    form: ResultForm { ok, value },
                    evidence: format!("{count} of {total} results{note}"),
                });
            }
        };
        let itself = || "result".to_owned();
        let mut plain = 0;
        if pairs {
            let failed = match self.of(&Class::Pair(false)) {
                0 => String::new(),
                failed => format!(", and {failed} with false in front"),
            };
            let count = self.of(&Class::Pair(true));
            let value = "result[1]".to_owned();
            propose("result[0] == true".to_owned(), value, count, &failed);
        }
        for flag in FLAGS {
            let (good, bad) = (
                self.of(&Class::Flagged(flag, true)),
                self.of(&Class::Flagged(flag, false)),
            );
            let value = match self.carriers.first_key_value() {
                Some((Some(carrier), _)) if self.carriers.len() == 1 => format!("result.{carrier}"),
                _ => itself(),
            };
            let note = match bad {
                0 => String::new(),
                bad => format!(", and {bad} with `{flag}` false"),
            };
            propose(format!("result.{flag} == true"), value, good, &note);
        }
        if yes + no > 0 {
            let (ok, count) = match truth_is_value {
                true => ("result == true | result == false", yes + no),
                false => ("result == true", yes),
            };
            plain += usize::from(truth_is_value);
            let note = match no {
                1 if !truth_is_value => ", and 1 is false".to_owned(),
                failed if failed > 0 && !truth_is_value => format!(", and {failed} are false"),
                _ => String::new(),
            };
            propose(ok.to_owned(), itself(), count, &note);
        }
        let list = self.of(&Class::List) + if pairs { 0 } else { self.pairs() };
        let empty = self.of(&Class::Empty);
        let objects = match self.empty_fails() {
            true => self.of(&Class::Object),
            false => empty,
        };
        let number = "result <= 0 | result > 0".to_owned();
        let others = [
            (self.of(&Class::Number), Some(number)),
            (objects, self.objects.condition("result")),
            (list, self.list_condition()),
            (self.of(&Class::Text), Some(self.text_condition())),
        ];
        for (count, ok) in others {
            plain += usize::from(count > 0);
            if let Some(ok) = ok {
                propose(ok, itself(), count, "");
            }
        }
        // Where nothing ever failed and nothing is wrapped, there is nothing to say.
        let empty = if self.empty_fails() { empty } else { 0 };
        let failed = self.of(&Class::Failure) + self.of(&Class::Null) + empty;
        let odd_truths = !truth_is_value && yes + no > 0;
        let wrapped = pairs
            || FLAGS
                .iter()
                .any(|flag| self.of(&Class::Flagged(flag, true)) > 0);
        if !wrapped && !odd_truths && (failed == 0 || plain == 0) {
            forms.clear();
        }
        forms
    }

    fn pairs(&self) -> u64 {
        self.of(&Class::Pair(true)) + self.of(&Class::Pair(false))
    }

    /// Results that no form of [`Results::forms`] fits, by what they look like.
    pub(super) fn unfit(&self, reads: bool) -> Vec<String> {
        let mut counts = vec![
            (self.of(&Class::Failure), "begin like a failure"),
            (self.of(&Class::Null), "are null"),
        ];
        if self.empty_fails() {
            counts.push((self.of(&Class::Empty), "are empty"));
        }
        if self.of(&Class::Truth(true)) == 0 && !self.truth_is_value(reads) {
            counts.push((self.of(&Class::Truth(false)), "are false"));
        }
        counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect()
    }

    /// How results are opened, once all of them have been seen.
    pub(super) fn reading(&self, reads: bool) -> Reading {
        Reading {
            pairs: self.pairs_are_forms(),
            carried: self.carriers.len() <= 1,
            truth_is_value: self.truth_is_value(reads),
            empty_fails: self.empty_fails(),
        }
    }

    /// Whether an empty object stands for a record that was not found.
    fn empty_fails(&self) -> bool {
        self.of(&Class::Object) > 0 || self.inside.contains(&Kind::Object)
    }

    /// Whether a truth value before another is a mark. Beside lists of other
    /// forms it means nothing, unless lists are what stands behind it.
    fn pairs_are_forms(&self) -> bool {
        self.of(&Class::Pair(true)) > 0
            && (self.of(&Class::List) == 0 || self.inside.contains(&Kind::List))
    }

    /// Whether a truth value alone is a value like any other.
    pub(super) fn truth_is_value(&self, reads: bool) -> bool {
        match self.pairs_are_forms() {
            true => self.inside.contains(&Kind::Bool),
            // Where a tool has other values and never says yes, no is a failure.
            false => {
                let yes = self.of(&Class::Truth(true));
                let no = self.of(&Class::Truth(false));
                reads && (yes > 0 || no == self.total())
            }
        }
    }

    /// Whether [`opened`] gave the values that the forms speak of.
    pub(super) fn is_opened(&self) -> bool {
        (self.pairs() == 0 || self.pairs_are_forms()) && self.carriers.len() <= 1
    }

    fn list_condition(&self) -> Option<String> {
        let empty = "len(result) == 0";
        match self.items.condition("result[0]") {
            Some(condition) => Some(format!("{condition} | {empty}")),
            // A pair with false in front would pass, too.
            None if self.pairs_are_forms() && !self.items.kinds.is_empty() => None,
            None if self.pairs_are_forms() => Some(empty.to_owned()),
            None => Some(format!("known(result[0]) | {empty}")),
        }
    }

    fn text_condition(&self) -> String {
        match self.of(&Class::Failure) {
            0 => "known(lower(result))".to_owned(),
            _ => format!(r"!(result matches /^\s*({})\b/)", FAILURES.join("|")),
        }
    }
}

/// How results of one tool are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    pairs: bool,
    carried: bool,
    truth_is_value: bool,
    empty_fails: bool,
}

impl Reading {
    /// The value that a result carries; none if the tool failed.
    pub(super) fn value(self, result: &Value) -> Option<&Value> {
        match class(result) {
            Class::Pair(_) if !self.pairs => Some(result),
            Class::Flagged(_, true) if !self.carried => Some(result),
            Class::Truth(false) if !self.truth_is_value => None,
            Class::Empty if self.empty_fails => None,
            class => opened(&class, result),
        }
    }
}

/// Most names of fields that are counted for one tool.
const MAX_FIELDS: usize = 256;

fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
