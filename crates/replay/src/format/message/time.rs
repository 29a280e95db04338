//! When a message was written.

use crate::json::Members;

/// Keys that hold a time stamp, the likeliest first.
const KEYS: [&str; 3] = ["timestamp", "created_at", "time"];

/// The time as written, else a stamp that is none (shortened). What is taken is
/// RFC 3339, or the same without a zone, as Python writes it.
pub(super) fn stamp(members: &Members<'_>) -> (Option<String>, Option<String>) {
    let mut strange = None;
    for key in KEYS {
        let Some(raw) = members.get(key) else {
            continue;
        };
        match members.string(key).filter(|text| is_time(text)) {
            Some(text) => return (Some(text), None),
            None => {
                strange.get_or_insert_with(|| raw.chars().take(40).collect());
            }
        }
    }
    (None, strange)
}

/// Whether a text has the form of a date with a time of day.
pub(in crate::format) fn is_time(text: &str) -> bool {
    let Some((date_and_time, rest)) = text.split_at_checked(19) else {
        return false;
    };
    let fits = date_and_time
        .bytes()
        .zip("dddd-dd-ddTdd:dd:dd".bytes())
        .all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't' | b' '),
            other => byte == other,
        });
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => rest,
    };
    fits && is_zone(zone)
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: Option<&str>, strange: bool) {
        let members = Members::of(text).unwrap();
        let (found, odd) = stamp(&members);
        assert_eq!((found.as_deref(), odd.is_some()), (at, strange), "{text}");
    }

    #[test]
    fn times_are_kept_as_written() {
        for time in [
            "2025-06-01T10:20:30",
            "2025-06-01T10:20:30.123456",
            "2025-06-01 10:20:30Z",
            "2025-06-01t10:20:30.5z",
            "2025-06-01T10:20:30+02:00",
            "2025-06-01T10:20:30.25-11:30",
        ] {
            check(&format!(r#"{{"timestamp": "{time}"}}"#), Some(time), false);
        }
        check(
            r#"{"timestamp": 7, "created_at": "2025-06-01T10:20:30Z"}"#,
            Some("2025-06-01T10:20:30Z"),
            false,
        );
    }

    #[test]
    fn other_stamps_are_told() {
        for stamp in [
            "1700000000",
            "\"\"",
            "\"yesterday\"",
            "\"2025-06-01\"",
            "\"2025-06-01T10:20\"",
            "\"2025-06-01T10:20:30.\"",
            "\"2025-06-01T10:20:30+2\"",
            "\"2025-06-01T10:20:30 CET\"",
            "\"20é5-06-01T10:20:30\"",
            "{}",
        ] {
            check(&format!(r#"{{"time": {stamp}}}"#), None, true);
        }
        check(r#"{"timestamp": null}"#, None, false);
        check("{}", None, false);
    }
}
