//! Whether a detail was named: what makes a yes a yes to *these* arguments.
//!
//! A detail counts as named if it stands in a text as whole tokens, so that `A1` is not found in
//! `A12`. Case does not matter, nor how a reader's eye separates the parts of an id: `card-1111`
//! is found in "card 1111" and `W12` in "#W-12". Numbers compare by value, dates by day, amounts
//! of money by value and currency. An id may also be named by what the record it selects is
//! called, as in "the Visa ending in 7615".

mod number;
mod record;
mod squeezed;

use std::collections::BTreeSet;

use lictor_contract::value::Value;

pub use record::record_names;

use super::Languages;
use super::date::{Atom, Date, atoms};
use super::lexicon::Lexicon;
use number::{Number, has_currency, numbers, with_currency};
use squeezed::Squeezed;

/// Whether `value` is named in `text`, with dates and numbers spelt as in English.
///
/// False for an empty value. See [`Said::names`].
pub fn occurs(value: &str, text: &str) -> bool {
    occurs_in(Lexicon::english(), value, text)
}

/// Whether `value` is named in `text`, with dates and numbers spelt as the lexicon says.
///
/// See [`Said::names`]; to ask for several values, or in several texts, build that once.
pub fn occurs_in(lexicon: &Lexicon, value: &str, text: &str) -> bool {
    Said::of(&[lexicon], [text]).names(value)
}

/// Texts in which details are looked for, made ready once for any number of questions.
///
/// ```
/// use lictor_monitor::consent::{Languages, Said};
/// let said = Said::new(&Languages::default(), ["I will refund $1,250.00 on May 20th."]);
/// assert!(said.names("1250") && said.names("2024-05-20") && !said.names("250"));
/// ```
pub struct Said<'l> {
    lexicons: Vec<&'l Lexicon>,
    texts: Vec<Text>,
}

struct Text {
    squeezed: Squeezed,
    numbers: BTreeSet<Number>,
    atoms: Vec<Atom>,
}

impl Said<'static> {
    /// Makes the texts ready. Linear in them.
    pub fn new<'t>(languages: &Languages, texts: impl IntoIterator<Item = &'t str>) -> Self {
        Said::of(languages.lexicons(), texts)
    }
}

impl<'l> Said<'l> {
    pub(super) fn of<'t>(
        lexicons: &[&'l Lexicon],
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let styles: Vec<_> = lexicons.iter().map(|lexicon| &lexicon.numbers).collect();
        let texts = texts.into_iter().map(|text| {
            let squeezed = Squeezed::of(text);
            Text {
                numbers: numbers(squeezed.original(), &styles),
                atoms: atoms(text),
                squeezed,
            }
        });
        Self {
            texts: texts.collect(),
            lexicons: lexicons.to_vec(),
        }
    }

    /// Whether the value is named in one of the texts.
    ///
    /// A value that is a number compares by value with the numbers of the text ("1,250.00" names
    /// 1250), one with a currency also by that. One of the form `YYYY-MM-DD` compares with the
    /// dates of the text, where a date without a year names that day of any year. Everything else
    /// must occur as whole tokens, ignoring case, blanks, `-`, `_`, `#` and the emphasis marks of
    /// Markdown. An empty value is never named. Linear in the value and the texts, and mostly
    /// much cheaper.
    pub fn names(&self, value: &str) -> bool {
        if let Some(date) = Date::iso(value) {
            let named = |text: &Text| {
                let mut spellings = self.lexicons.iter().map(|lexicon| &lexicon.dates);
                spellings.any(|dates| date.is_named_in(dates, &text.atoms))
            };
            return self.texts.iter().any(named);
        }
        if let Some(number) = Number::read(value) {
            return self.texts.iter().any(|text| text.numbers.contains(&number));
        }
        if let Some((number, currency)) = with_currency(value) {
            let as_amount = self.texts.iter().any(|text| {
                text.numbers.contains(&number) && has_currency(text.squeezed.original(), currency)
            });
            // Three letters before digits are as often the name of a thing.
            return as_amount || self.has_tokens(value);
        }
        self.has_tokens(value)
    }

    /// Whether an id is named, or a record that it selects in one of the results.
    ///
    /// Linear in the texts for each name, and in the results up to the bound of
    /// [`record_names`].
    pub fn names_record<'v>(&self, id: &str, results: impl IntoIterator<Item = &'v Value>) -> bool {
        self.names(id)
            || record_names(id, results)
                .iter()
                .any(|name| self.has_tokens(name))
    }

    fn has_tokens(&self, value: &str) -> bool {
        let sought = Squeezed::of(value);
        self.texts
            .iter()
            .any(|text| text.squeezed.has_tokens(&sought))
    }
}

#[cfg(test)]
mod tests;
