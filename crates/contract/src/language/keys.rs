//! The keys of `last` and `count`: what an event must carry to be meant.

use super::SyntaxError;
use super::cursor::Cursor;
use super::slip::repeated;
use crate::predicate::{EventPredicate, Key, Name, Seconds, Term};
use std::collections::BTreeMap;

/// Key names with a meaning of their own; quoted, they are keys like any other.
pub(super) const RESERVED_KEYS: [&str; 2] = ["since", "within"];

/// What stands behind the first argument of `last` and `count`.
#[derive(Default)]
pub(super) struct Keys {
    terms: BTreeMap<Name, Term>,
    /// The event from which counting starts.
    pub(super) since: Option<EventPredicate>,
    /// The stretch of time in which things count.
    pub(super) within: Option<Seconds>,
    /// Height of the highest term.
    pub(super) depth: usize,
}

impl Keys {
    /// The keys in order of their names.
    pub(super) fn keys(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.terms)
            .into_iter()
            .map(|(name, value)| Key { name, value })
            .collect()
    }
}

/// Whether the function counts events, so that it can start somewhere.
fn counts(word: &str) -> bool {
    matches!(word, "count" | "sum")
}

impl Cursor<'_> {
    /// Reads `, key = term, …, since = event, within = 24h)`.
    pub(super) fn keys(&mut self, word: &str, nesting: usize) -> Result<Box<Keys>, SyntaxError> {
        let mut keys = Box::<Keys>::default();
        while self.eat(",") {
            self.skip_space();
            let start = self.at;
            if let Some(name) = self.key_head(word, &mut keys)? {
                let (value, depth) = self.nested_term(nesting + 1)?;
                keys.depth = keys.depth.max(depth);
                self.add_key(&mut keys, name, *value, start)?;
            }
        }
        if self.eat(")") {
            return Ok(keys);
        }
        Err(self.unexpected("`,` or `)`"))
    }

    fn add_key(
        &self,
        keys: &mut Keys,
        name: Name,
        value: Term,
        start: usize,
    ) -> Result<(), SyntaxError> {
        if keys.terms.insert(name, value).is_none() {
            return Ok(());
        }
        let range = start..self.at;
        let text = self.quote(&range);
        Err(repeated(range, &text))
    }

    /// Reads the name of a key and its sign; none if it was `since`, whose
    /// event is read as well.
    fn key_head(&mut self, word: &str, keys: &mut Keys) -> Result<Option<Name>, SyntaxError> {
        let start = self.at;
        let quoted = self.next_char() == Some('"');
        let name = self.key_name(word)?;
        let range = start..self.at;
        self.equals_sign()?;
        let reserved = match &name {
            Name::Known(name) if !quoted => RESERVED_KEYS.iter().find(|it| *it == name),
            _ => None,
        };
        match reserved {
            None => Ok(Some(name)),
            Some(&"within") if counts(word) => {
                self.skip_space();
                let Some(length) = self.duration()? else {
                    return Err(self.unexpected("a stretch of time such as `24h`"));
                };
                if keys.within.replace(length).is_some() {
                    return Err(repeated(range, "within"));
                }
                Ok(None)
            }
            Some(&"since") if counts(word) => {
                if keys.since.replace(self.event()?).is_some() {
                    return Err(repeated(range, "since"));
                }
                Ok(None)
            }
            Some(reserved) => Err(SyntaxError::new(
                range,
                format!("`{word}` has no `{reserved}`"),
                format!("write `\"{reserved}\" = …` if an argument has that name"),
            )),
        }
    }

    fn key_name(&mut self, word: &str) -> Result<Name, SyntaxError> {
        match self.next_char() {
            Some('?') => return Ok(Name::Placeholder(self.placeholder()?)),
            Some('"') => return Ok(Name::Known(self.string()?)),
            _ => {}
        }
        let name = self.word();
        if name.is_empty() {
            return Err(self.unexpected("the name of a key"));
        }
        let start = self.at;
        self.at += name.len();
        if self.rest().starts_with(['.', '(']) {
            return Err(SyntaxError::new(
                start..self.at,
                format!("a key of `{word}` has no name"),
                "write `name = value`, as in `order_id = arg.order_id`",
            ));
        }
        Ok(Name::Known(name.to_owned()))
    }

    fn equals_sign(&mut self) -> Result<(), SyntaxError> {
        self.skip_space();
        if self.rest().starts_with("==") {
            return Err(SyntaxError::new(
                self.at..self.at + 2,
                "a key is given with `=`, not compared with `==`",
                "write one `=`",
            ));
        }
        if self.eat("=") {
            return Ok(());
        }
        Err(self.unexpected("the `=` of a key"))
    }
}
