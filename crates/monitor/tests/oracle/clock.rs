//! Times as the scripts write them, read without any library of times.

use std::cmp::Ordering;

const DAY: f64 = 86_400.0;

/// A time in seconds since 1970, or a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    Instant(f64),
    Local(f64),
    Day(i64),
}

/// Days since 1970 of a day of our calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before: i64 = (1970..year)
        .map(|it| if leap(it) { 366 } else { 365 })
        .sum();
    let months: i64 = lengths[..(month - 1) as usize].iter().sum();
    before + months + i64::from(leap(year) && month > 2) + day - 1
}

/// Seconds that a zone is ahead of UTC.
pub fn offset(text: &str) -> Option<f64> {
    if text == "UTC" || text == "Z" {
        return Some(0.0);
    }
    let sign = match text.get(..1)? {
        "+" => 1.0,
        "-" => -1.0,
        _ => return None,
    };
    let hours: f64 = text.get(1..3)?.parse().ok()?;
    let minutes: f64 = text.get(4..6)?.parse().ok()?;
    Some(sign * (hours * 3600.0 + minutes * 60.0))
}

/// The time a text stands for: `2024-05-01`, `2024-05-01T12:00` with or without `:00` and an offset.
pub fn read(text: &str) -> Option<Time> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    if text.get(4..5)? != "-" || text.get(7..8)? != "-" {
        return None;
    }
    let day = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if text.len() == 10 {
        return Some(Time::Day(day));
    }
    let seconds = day as f64 * DAY + (number(11, 13)? * 3600 + number(14, 16)? * 60) as f64;
    let rest = text.get(16..)?;
    match rest.strip_prefix(":00").unwrap_or(rest) {
        "" => Some(Time::Local(seconds)),
        zone => Some(Time::Instant(seconds - offset(zone)?)),
    }
}

/// Seconds of an instant (or of a clock whose zone nobody knows), and which of the two.
pub fn seconds(time: Time, zone: Option<f64>) -> (f64, bool) {
    let local = match time {
        Time::Instant(at) => return (at, true),
        Time::Local(at) => at,
        Time::Day(day) => day as f64 * DAY,
    };
    match zone {
        Some(ahead) => (local - ahead, true),
        None => (local, false),
    }
}

/// The order of two times: by day where one is a day. None where a zone would tell and there is
/// none.
pub fn order(left: Time, right: Time, zone: Option<f64>) -> Option<Ordering> {
    let day = |time: Time| match time {
        Time::Day(day) => Some(day),
        Time::Local(at) => Some((at / DAY).floor() as i64),
        Time::Instant(at) => Some(((at + zone?) / DAY).floor() as i64),
    };
    if matches!(left, Time::Day(_)) || matches!(right, Time::Day(_)) {
        return Some(day(left)?.cmp(&day(right)?));
    }
    let (left, right) = (seconds(left, zone), seconds(right, zone));
    (left.1 == right.1).then(|| left.0.total_cmp(&right.0))
}

/// How a clock writes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Zulu,
    Ahead,
    Local,
}

/// This many minutes after noon of the first of May 2024, UTC.
pub fn written(minutes: u32, style: Style) -> String {
    let (ahead, zone) = match style {
        Style::Zulu => (0, "Z"),
        Style::Ahead => (120, "+02:00"),
        Style::Local => (0, ""),
    };
    let minutes = minutes + 720 + ahead;
    let (day, hour, minute) = (minutes / 1440 + 1, minutes / 60 % 24, minutes % 60);
    format!("2024-05-{day:02}T{hour:02}:{minute:02}{zone}")
}
