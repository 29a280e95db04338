//! Calendar dates in the spellings people use, compared with one given as `YYYY-MM-DD`.

use super::letters::{compose, is_combining};
use super::lexicon::Dates;

/// A day of a year; nothing here needs more of a calendar than that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    /// Reads `YYYY-MM-DD` and nothing else.
    pub(super) fn iso(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let mut part = |width: usize| {
            let part = parts.next()?;
            let plain = part.len() == width && part.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| part.parse::<u32>().ok()).flatten()
        };
        let date = Self {
            year: part(4)?,
            month: part(2)?,
            day: part(2)?,
        };
        (parts.next().is_none() && date.in_range()).then_some(date)
    }

    fn in_range(self) -> bool {
        (1..=12).contains(&self.month) && (1..=31).contains(&self.day)
    }

    /// Whether the text of these atoms names this day, with its year or without one.
    pub(super) fn is_named_in(self, dates: &Dates, atoms: &[Atom]) -> bool {
        (0..atoms.len()).any(|i| {
            let rest = atoms.get(i..).unwrap_or_default();
            self.in_figures(dates, rest)
                || self.month_then_day(dates, rest)
                || self.day_then_month(dates, rest)
        })
    }

    /// 2024-05-20, 2024/05/20, 05/20/2024, 5/20/24, 5/20.
    fn in_figures(self, dates: &Dates, atoms: &[Atom]) -> bool {
        let figure = |i: usize| atoms.get(i).and_then(Atom::number);
        let mark = |i: usize| atoms.get(i).and_then(Atom::mark);
        let (Some(a), Some(first), Some(b)) = (figure(0), mark(1), figure(2)) else {
            return false;
        };
        if !matches!(first, '/' | '-' | '.') {
            return false;
        }
        let third = figure(4).filter(|_| mark(3) == Some(first));
        match third {
            Some(c) if a >= 1000 => (a, b, c) == (self.year, self.month, self.day),
            Some(year) => self.has_year(year) && self.has_month_and_day(dates, a, b),
            // "3-5" is a range and "5.20" an amount: without a year only the slash is a date.
            None => first == '/' && mark(3) != Some('/') && self.has_month_and_day(dates, a, b),
        }
    }

    fn has_month_and_day(self, dates: &Dates, a: u32, b: u32) -> bool {
        let month_first = (a, b) == (self.month, self.day);
        let day_first = (b, a) == (self.month, self.day);
        // The other order counts where the figures allow no other reading.
        let unambiguous = self.day > 12;
        (month_first && (dates.month_first || unambiguous))
            || (day_first && (!dates.month_first || unambiguous))
    }

    fn has_year(self, year: u32) -> bool {
        year == self.year || (year < 100 && year == self.year % 100)
    }

    fn month_then_day(self, dates: &Dates, atoms: &[Atom]) -> bool {
        let Some(rest) = self.after_month(dates, atoms) else {
            return false;
        };
        let rest = skip_words(&dates.between, rest);
        self.after_day(dates, rest)
            .is_some_and(|rest| self.year_fits(dates, rest))
    }

    fn day_then_month(self, dates: &Dates, atoms: &[Atom]) -> bool {
        let Some(rest) = self.after_day(dates, atoms) else {
            return false;
        };
        let rest = skip_words(&dates.between, rest);
        self.after_month(dates, rest)
            .is_some_and(|rest| self.year_fits(dates, rest))
    }

    fn after_month<'a>(self, dates: &Dates, atoms: &'a [Atom]) -> Option<&'a [Atom]> {
        let index = usize::try_from(self.month.checked_sub(1)?).ok()?;
        let names = dates.months.get(index)?;
        let (first, rest) = atoms.split_first()?;
        let name = first.word()?;
        let rest = if rest.first().and_then(Atom::mark) == Some('.') {
            rest.get(1..)?
        } else {
            rest
        };
        names.iter().any(|n| n == name).then_some(rest)
    }

    fn after_day<'a>(self, dates: &Dates, atoms: &'a [Atom]) -> Option<&'a [Atom]> {
        let (first, rest) = atoms.split_first()?;
        let (figures, ending) = first.day()?;
        let rest = match rest {
            // "20. Mai"
            [dot, after, ..] if dot.mark() == Some('.') && after.number().is_none() => {
                rest.get(1..)?
            }
            _ => rest,
        };
        let ordinal = ending.is_empty() || dates.ordinals.iter().any(|o| o == ending);
        // "May 20.50" is no day.
        let amount = rest.first().and_then(Atom::mark) == Some('.')
            && rest.get(1).and_then(Atom::number).is_some();
        (ordinal && !amount && figures == self.day).then_some(rest)
    }

    /// Whether the year that follows, if one does, is this date's.
    fn year_fits(self, dates: &Dates, rest: &[Atom]) -> bool {
        let rest = match rest.first().and_then(Atom::mark) {
            Some(',') => rest.get(1..).unwrap_or_default(),
            _ => skip_words(&dates.between, rest),
        };
        match rest.first().and_then(Atom::number) {
            Some(year) if (1000..=9999).contains(&year) => year == self.year,
            _ => true,
        }
    }
}

fn skip_words<'a>(words: &[String], atoms: &'a [Atom]) -> &'a [Atom] {
    let mut rest = atoms;
    for _ in words {
        match rest.split_first() {
            Some((first, after)) if words.iter().any(|w| first.word() == Some(w)) => rest = after,
            _ => break,
        }
    }
    rest
}

/// A run of letters and digits, or one mark; blanks only separate.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Atom {
    Run(String),
    Mark(char),
}

impl Atom {
    fn word(&self) -> Option<&str> {
        match self {
            Self::Run(run) => Some(run),
            Self::Mark(_) => None,
        }
    }

    fn number(&self) -> Option<u32> {
        self.day()
            .filter(|(_, ending)| ending.is_empty())
            .map(|(n, _)| n)
    }

    /// A number of at most four digits and the letters behind it.
    fn day(&self) -> Option<(u32, &str)> {
        let run = self.word()?;
        let ending = run.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = run.strip_suffix(ending)?;
        (digits.len() <= 4)
            .then(|| digits.parse().ok())
            .flatten()
            .map(|n| (n, ending))
    }

    fn mark(&self) -> Option<char> {
        match self {
            Self::Run(_) => None,
            Self::Mark(mark) => Some(*mark),
        }
    }
}

/// Splits a text. Linear in it.
pub(super) fn atoms(text: &str) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut run = String::new();
    for c in text.chars().filter(|c| !super::words::invisible(*c)) {
        if c.is_alphanumeric() {
            run.extend(c.to_lowercase());
            continue;
        }
        if is_combining(c)
            && let Some(letter) = run.pop()
        {
            run.push(compose(letter, c).unwrap_or(letter));
            continue;
        }
        if !run.is_empty() {
            atoms.push(Atom::Run(std::mem::take(&mut run)));
        }
        // Emphasis marks are typography, not text.
        if !c.is_whitespace() && !matches!(c, '*' | '`') {
            atoms.push(Atom::Mark(super::words::plain(c)));
        }
    }
    if !run.is_empty() {
        atoms.push(Atom::Run(run));
    }
    atoms
}
