//! Dates and times, `datetime.datetime(2024, 5, 1, 10, 0)`, as the ISO 8601 text
//! that their `isoformat` gives. A place in time that does not exist is refused.

use super::{Read, Reader, is_word};
use crate::value::Value;

/// The names of a moment's numbers, in order.
const DATE: [&str; 3] = ["year", "month", "day"];
const TIME: [&str; 4] = ["hour", "minute", "second", "microsecond"];

impl Reader<'_> {
    /// A date, a time or both, past the word `datetime`.
    pub(super) fn moment(&mut self) -> Read<Value> {
        self.expect(".")?;
        let kind = self.take(is_word);
        let (has_date, has_time) = match kind {
            "datetime" => (true, true),
            "date" => (true, false),
            "time" => (false, true),
            other => return Err(format!("`datetime.{}` is no literal", super::short(other))),
        };
        self.expect("(")?;
        let (numbers, zone) = self.parts()?;
        let mut numbers = numbers.into_iter();
        let mut text = String::new();
        if has_date {
            let [year, month, day] = DATE.map(|_| numbers.next());
            text = date(year, month, day).ok_or("a date does not exist")?;
        }
        if has_time {
            if has_date {
                text.push('T');
            }
            let parts = TIME.map(|_| numbers.next().unwrap_or(0));
            text.push_str(&time(parts).ok_or("a time does not exist")?);
        }
        if numbers.next().is_some() || (zone.is_some() && !has_time) {
            return Err(format!("`datetime.{kind}` has too many arguments"));
        }
        text.push_str(&zone.unwrap_or_default());
        Ok(Value::Text(text))
    }

    /// The numbers of a moment and its offset from UTC, up to the parenthesis.
    fn parts(&mut self) -> Read<(Vec<u32>, Option<String>)> {
        let mut numbers = Vec::new();
        loop {
            self.blanks();
            if self.eat(")") {
                return Ok((numbers, None));
            }
            if self.eat("tzinfo=") {
                let zone = self.zone()?;
                self.blanks();
                self.expect(")")?;
                return Ok((numbers, Some(zone)));
            }
            numbers.push(self.natural()?);
            self.blanks();
            if !self.eat(",") {
                self.expect(")")?;
                return Ok((numbers, None));
            }
            if numbers.len() > DATE.len() + TIME.len() {
                return Err("a date has too many arguments".into());
            }
        }
    }

    fn natural(&mut self) -> Read<u32> {
        let digits = self.take(|c| c.is_ascii_digit());
        digits
            .parse()
            .map_err(|_| "a date or time holds something else than numbers".into())
    }

    /// An offset from UTC that is given by itself.
    fn zone(&mut self) -> Read<String> {
        if self.eat("datetime.timezone.utc") {
            return Ok("+00:00".into());
        }
        if !self.eat("datetime.timezone(datetime.timedelta(") {
            return Err("a time zone is given by name".into());
        }
        let mut seconds = 0i64;
        let mut least_unit = i64::MAX;
        loop {
            self.blanks();
            let unit = if self.eat("days=") {
                86_400
            } else if self.eat("seconds=") {
                1
            } else {
                return Err("a time zone has an offset of another kind".into());
            };
            // Days come before seconds and each once.
            if unit >= least_unit {
                return Err("a time zone has an offset of another kind".into());
            }
            least_unit = unit;
            let sign = if self.eat("-") { -1 } else { 1 };
            seconds += sign * unit * i64::from(self.natural()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("))")?;
        let size = seconds.abs();
        if size >= 86_400 || size % 60 != 0 {
            return Err("a time zone's offset does not exist".into());
        }
        let sign = if seconds < 0 { '-' } else { '+' };
        Ok(format!("{sign}{:02}:{:02}", size / 3600, size / 60 % 60))
    }
}

fn date(year: Option<u32>, month: Option<u32>, day: Option<u32>) -> Option<String> {
    let (year, month, day) = (year?, month?, day?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    let exists = (1..=9999).contains(&year) && (1..=days).contains(&day);
    exists.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn time([hour, minute, second, micro]: [u32; 4]) -> Option<String> {
    let exists = hour < 24 && minute < 60 && second < 60 && micro < 1_000_000;
    let whole = format!("{hour:02}:{minute:02}:{second:02}");
    exists.then(|| {
        if micro == 0 {
            whole
        } else {
            format!("{whole}.{micro:06}")
        }
    })
}
