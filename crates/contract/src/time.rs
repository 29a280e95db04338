//! Times as tools, people and hosts write them, and the zone they stand in.
//!
//! Three forms are read: RFC 3339 with an offset (an instant), the same without
//! one (local to a zone that only the library can declare), and a bare date. A
//! text in any other form is no time: day-month order, epochs and missing years
//! would have to be guessed, and a guess is right most of the time and silently
//! wrong the rest.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use rust_decimal::Decimal;
use std::cmp::Ordering;

/// A time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// A point in time.
    Instant(Timestamp),
    /// A date and time without a zone.
    Local(DateTime),
    /// A day.
    Day(Date),
}

/// Where local times stand on the line of instants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(TimeZone);

/// A text that names no zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time zone; write a name such as `Europe/Paris`, an offset such as `-05:00`, or `UTC`"
)]
pub struct ZoneError(String);

impl Zone {
    /// Reads a name of the IANA database, an offset, or `UTC`.
    ///
    /// # Errors
    /// [`ZoneError`] if there is no such zone.
    pub fn named(text: &str) -> Result<Zone, ZoneError> {
        let unknown = || ZoneError(text.chars().take(60).collect());
        if matches!(text, "UTC" | "Z") {
            return Ok(Zone(TimeZone::UTC));
        }
        if text.starts_with(['+', '-']) {
            return offset(text)
                .map(|offset| Zone(TimeZone::fixed(offset)))
                .ok_or_else(unknown);
        }
        TimeZone::get(text).map(Zone).map_err(|_| unknown())
    }
}

/// Reads `+hh:mm` or `-hh:mm`.
fn offset(text: &str) -> Option<Offset> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let (hours, minutes) = rest.split_once(':')?;
    if hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let hours: i32 = hours.parse().ok()?;
    let minutes: i32 = minutes.parse().ok().filter(|minutes| *minutes < 60)?;
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time; write it like `2026-04-03T11:00:00-05:00`, or without the offset if a zone is declared"
)]
pub struct TimeError(String);

impl std::str::FromStr for Time {
    type Err = TimeError;

    /// As [`Time::parse`], for texts that are meant to be times.
    fn from_str(text: &str) -> Result<Time, TimeError> {
        Time::parse(text).ok_or_else(|| TimeError(text.chars().take(60).collect()))
    }
}

impl Time {
    /// Reads a time; none if the text has another form or names no real day.
    pub fn parse(text: &str) -> Option<Time> {
        // The shapes are checked first, since the library reads more of them.
        let text = text.trim_matches(' ');
        if !text.is_ascii() {
            return None;
        }
        let (day, rest) = (text.get(..10)?, text.get(10..)?);
        let is_day = day.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        if !is_day {
            return None;
        }
        if rest.is_empty() {
            return day.parse().ok().map(Time::Day);
        }
        let clock = rest.strip_prefix(['T', 't', ' '])?;
        let digits = clock
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')))
            .unwrap_or(clock.len());
        let (clock, zone) = (clock.get(..digits)?, clock.get(digits..)?);
        if !matches!(
            clock.as_bytes(),
            [_, _, b':', _, _] | [_, _, b':', _, _, b':', _, _, ..]
        ) {
            return None;
        }
        let local: DateTime = format!("{day}T{clock}").parse().ok()?;
        match zone.trim_start_matches(' ') {
            "" => Some(Time::Local(local)),
            "Z" | "z" | "UTC" | "GMT" => instant(local, TimeZone::UTC),
            zone => instant(local, TimeZone::fixed(offset(zone)?)),
        }
    }

    /// The instant; none for a local time without a zone.
    fn instant(self, zone: Option<&Zone>) -> Option<Timestamp> {
        match self {
            Time::Instant(at) => Some(at),
            Time::Local(local) => zoned(local, zone?),
            Time::Day(day) => zoned(day.at(0, 0, 0, 0), zone?),
        }
    }

    /// The day; none for an instant without a zone.
    fn day(self, zone: Option<&Zone>) -> Option<Date> {
        match self {
            Time::Instant(at) => Some(zone?.0.to_datetime(at).date()),
            Time::Local(local) => Some(local.date()),
            Time::Day(day) => Some(day),
        }
    }

    /// The order of two times: by day if either is a day, else by instant. None
    /// if that needs a zone and there is none. Two local times need none.
    pub fn order(self, other: Time, zone: Option<&Zone>) -> Option<Ordering> {
        match (self, other) {
            (Time::Day(_), _) | (_, Time::Day(_)) => Some(self.day(zone)?.cmp(&other.day(zone)?)),
            (Time::Local(left), Time::Local(right)) if zone.is_none() => Some(left.cmp(&right)),
            _ => Some(self.instant(zone)?.cmp(&other.instant(zone)?)),
        }
    }

    /// Exact seconds since 1970 and whether they are those of an instant, or
    /// else of a local time whose zone nobody declared.
    pub fn seconds(self, zone: Option<&Zone>) -> Option<(Decimal, bool)> {
        match (self.instant(zone), self) {
            (Some(at), _) => Some((seconds(at)?, true)),
            (None, Time::Local(local)) if zone.is_none() => {
                Some((seconds(zoned(local, &Zone(TimeZone::UTC))?)?, false))
            }
            (None, Time::Day(day)) if zone.is_none() => {
                let local = day.at(0, 0, 0, 0);
                Some((seconds(zoned(local, &Zone(TimeZone::UTC))?)?, false))
            }
            _ => None,
        }
    }
}

fn instant(local: DateTime, zone: TimeZone) -> Option<Time> {
    zoned(local, &Zone(zone)).map(Time::Instant)
}

/// The instant of a local time. One that a change of the clock skips or repeats
/// is taken as the clock showed it before the change.
fn zoned(local: DateTime, zone: &Zone) -> Option<Timestamp> {
    zone.0.to_ambiguous_timestamp(local).compatible().ok()
}

fn seconds(at: Timestamp) -> Option<Decimal> {
    let nanoseconds = at.as_nanosecond();
    let scaled = Decimal::try_from_i128_with_scale(nanoseconds, 9).ok()?;
    Some(scaled.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn order(left: &str, right: &str, zone: Option<&str>, expected: Option<Ordering>) {
        let zone = zone.map(|zone| Zone::named(zone).unwrap());
        let (a, b) = (Time::parse(left).unwrap(), Time::parse(right).unwrap());
        assert_eq!(a.order(b, zone.as_ref()), expected, "{left} and {right}");
    }

    #[test]
    fn instants_are_compared_with_their_offsets() {
        order(
            "2026-04-03T08:30:00-05:00",
            "2026-04-03T13:30:00Z",
            None,
            Some(Ordering::Equal),
        );
        order(
            "2026-04-03 16:30+05:30",
            "2026-04-03T11:00:00.5Z",
            None,
            Some(Ordering::Less),
        );
    }

    #[test]
    fn local_times_need_a_zone_unless_both_are_local() {
        order("2026-04-03 13:30", "2026-04-03T11:00:00Z", None, None);
        order(
            "2026-04-03 13:30",
            "2026-04-03T11:00:00Z",
            Some("+02:00"),
            Some(Ordering::Greater),
        );
        order(
            "2026-04-03 13:30",
            "2026-04-03T13:29:59",
            None,
            Some(Ordering::Greater),
        );
        order(
            "2026-07-01T12:00:00",
            "2026-07-01T16:00:00Z",
            Some("America/New_York"),
            Some(Ordering::Equal),
        );
    }

    #[test]
    fn a_bare_date_is_compared_by_day() {
        order(
            "2026-04-03",
            "2026-04-03T23:59:59",
            None,
            Some(Ordering::Equal),
        );
        order("2026-04-03", "2026-04-03T23:59:59Z", None, None);
        order(
            "2026-04-03",
            "2026-04-03T23:59:59Z",
            Some("Asia/Tokyo"),
            Some(Ordering::Less),
        );
    }

    #[test]
    fn what_would_have_to_be_guessed_is_no_time() {
        for text in [
            "03/04/2026 11:00Z",
            "April 3rd",
            "2026-02-30T10:00:00Z",
            "Fri, 03 Apr 2026 11:00:00 GMT",
            "1775214000",
            "2026-04-03T25:00:00Z",
            "2026-04-03T11Z",
            "2026-04-03T11:00:00 Mars",
            "2026-4-3",
            "２０２６-04-03",
            "",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_are_exact() {
        let at = Time::parse("1970-01-02T00:00:00.25Z").unwrap();
        let expected = Decimal::from_str_exact("86400.25").unwrap();
        assert_eq!(at.seconds(None), Some((expected, true)));
        let local = Time::parse("1970-01-01 00:01").unwrap();
        assert_eq!(local.seconds(None), Some((Decimal::from(60), false)));
        let zone = Zone::named("+00:01").unwrap();
        assert_eq!(local.seconds(Some(&zone)), Some((Decimal::ZERO, true)));
    }

    #[test]
    fn zones() {
        assert!(Zone::named("Europe/Paris").is_ok());
        assert!(Zone::named("UTC").is_ok());
        for text in ["Mars", "+5", "+05:99", "", "../../etc/passwd"] {
            assert!(Zone::named(text).is_err(), "{text}");
        }
    }
}
