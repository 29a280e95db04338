//! Reads the inputs of `tests/cases`: what the events are, which result answers
//! which call, and what is told of damage. Verdicts are no matter of this crate.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

use lictor_contract::event::{Arguments, Event, Outcome};
use lictor_contract::value::Value;
use lictor_replay::{FileReport, Format, Recordings, Run};
use std::path::{Path, PathBuf};

fn path(case: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/cases")
        .join(case)
        .join(file)
}

fn read(path: &Path) -> (Vec<Run>, FileReport) {
    let mut recordings = Recordings::open(&[path.to_path_buf()]).unwrap();
    let runs = recordings.by_ref().map(Result::unwrap).collect();
    (runs, recordings.reports()[0].clone())
}

/// The only run of a file.
fn run(case: &str, file: &str) -> Run {
    let (mut runs, report) = read(&path(case, file));
    assert_eq!((runs.len(), report.beside.len()), (1, 0));
    runs.remove(0)
}

/// Calls as `m1.c0 tool`, returns as `m2.c0 of m1.c0 ok VALUE`.
fn shown(run: &Run) -> Vec<String> {
    let mut places = Vec::new();
    let mut shown = Vec::new();
    for recorded in &run.events {
        let place = format!("m{}.c{}", recorded.message, recorded.position);
        match &recorded.event {
            Event::Call(call) => {
                assert_eq!(call.id.0 as usize, places.len());
                shown.push(format!("{place} {}", call.tool));
                places.push(place);
            }
            Event::Return(answer) => {
                let outcome = match answer.outcome {
                    Outcome::Ok => "ok",
                    Outcome::Error => "error",
                };
                let of = &places[answer.call.0 as usize];
                shown.push(format!("{place} of {of} {outcome} {}", answer.result));
            }
            _ => {}
        }
    }
    shown
}

fn told(run: &Run) -> Vec<String> {
    run.oddities
        .iter()
        .map(|oddity| {
            let line = oddity.line.map_or("-".into(), |line| line.to_string());
            let message = oddity.message.map_or("-".into(), |m| m.to_string());
            format!("line {line} m{message} {}", oddity.text)
        })
        .collect()
}

#[track_caller]
fn check_told(run: &Run, expected: &[&str]) {
    let told = told(run);
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        for part in expected.split(" .. ") {
            assert!(told.contains(part), "`{told}` lacks `{part}`");
        }
    }
}

#[test]
fn ids_that_occur_again_pair_with_the_nearest_call() {
    let run = run("06-call-ids-reused", "transcript.json");
    assert_eq!(
        shown(&run),
        [
            "m1.c0 get_order",
            r#"m2.c0 of m1.c0 ok {"order_id": "K1", "status": "delivered"}"#,
            "m3.c0 refund_order",
            r#"m4.c0 of m3.c0 ok "done""#,
            "m5.c0 get_order",
            r#"m6.c0 of m5.c0 ok {"status": "in transit"}"#,
            "m7.c0 refund_order",
            r#"m8.c0 of m7.c0 ok "done""#,
            "m9.c0 get_order",
            "m9.c1 get_order",
            // Nobody knows which order was delivered, so the result is no fact.
            "m11.c0 refund_order",
            r#"m12.c0 of m11.c0 ok "done""#,
        ]
    );
    check_told(
        &run,
        &[
            "m10 .. cannot be told",
            "m9 .. `get_order` has no result",
            "m9 .. `get_order` has no result",
        ],
    );
}

/// What can be read of the damaged files in front of the damage.
const EXPORTED_AND_DELETED: [&str; 4] = [
    "m1.c0 export_record",
    r#"m2.c0 of m1.c0 ok "exported""#,
    "m3.c0 delete_record",
    r#"m4.c0 of m3.c0 ok "deleted""#,
];

#[test]
fn a_torn_last_line_is_told_and_is_no_data() {
    let run = run("07-jsonl-torn-and-damaged", "session_torn.jsonl");
    assert_eq!(shown(&run), EXPORTED_AND_DELETED);
    check_told(&run, &["line 6 m5 .. torn or damaged .. gap"]);
}

#[test]
fn what_stands_after_damage_comes_after_a_gap() {
    let run = run("07-jsonl-torn-and-damaged", "session_nul.jsonl");
    let shown = shown(&run);
    assert_eq!(shown[..4], EXPORTED_AND_DELETED);
    // The damaged line has the place of one message.
    assert_eq!(
        shown[4..],
        ["m6.c0 delete_record", r#"m7.c0 of m6.c0 ok "deleted""#]
    );
    check_told(&run, &["line 6 m5 .. torn or damaged .. gap"]);
}

#[test]
fn a_byte_order_mark_and_other_line_ends_are_nothing_odd() {
    let run = run("07-jsonl-torn-and-damaged", "session_bom_crlf.jsonl");
    assert_eq!(shown(&run), EXPORTED_AND_DELETED);
    check_told(&run, &[]);
}

#[test]
fn results_are_what_their_text_parts_say() {
    let run = run("08-results-as-content-parts", "transcript.anthropic.json");
    assert_eq!(run.format, Format::Anthropic);
    let lookups: Vec<String> = shown(&run)
        .into_iter()
        .filter(|event| event.contains(" of ") && !event.ends_with(" ok \"ok\""))
        .collect();
    assert_eq!(
        lookups,
        [
            r#"m2.c0 of m1.c0 ok {"booking_id": "B1", "refundable": true}"#,
            "m6.c0 of m5.c0 ok null",
            r#"m10.c0 of m9.c0 ok {"booking_id": "B3", "refundable": true}"#,
            "m14.c0 of m13.c0 ok null",
            "m18.c0 of m17.c0 ok null",
            r#"m22.c0 of m21.c0 ok {"booking_id": "B6", "refundable": true}"#,
        ]
    );
    let calls: Vec<usize> = run
        .events
        .iter()
        .filter(|recorded| matches!(recorded.event, Event::Call(_)))
        .map(|recorded| recorded.message)
        .collect();
    assert_eq!(calls, (1..24).step_by(2).collect::<Vec<_>>());
    check_told(&run, &["m6 .. `image`", "m10 .. `image`", "m14 .. `image`"]);
}

#[test]
fn a_failure_is_what_starts_or_is_marked_as_one() {
    let (runs, _) = read(&path("09-failure-told-as-text", "transcripts.json"));
    let verified: Vec<String> = runs
        .iter()
        .map(|run| {
            let result = shown(run)[1].replace("m2.c0 of m1.c0 ", "");
            format!("{} {result}", run.id)
        })
        .collect();
    assert_eq!(
        verified,
        [
            r#"t0 error "Error: no customer with that e-mail""#,
            r#"t1 ok {"error": null, "verified": true}"#,
            r#"t2 ok {"failed": 0, "status": "ok", "verified": true}"#,
            r#"t3 ok {"verified": false}"#,
            r#"t4 error {"verified": true}"#,
            r#"t5 ok """#,
            r#"t6 ok "Verification failed; the customer asked whether verified: true would appear.""#,
            r#"t7 ok {"verified": "true"}"#,
        ]
    );
    for run in &runs {
        check_told(run, &[]);
    }
}

#[test]
fn the_host_s_time_comes_with_the_run() {
    let (runs, _) = read(&path("11-dates-many-forms", "transcripts.json"));
    assert_eq!(runs.len(), 10);
    for run in runs {
        let Event::Context { key, value } = &run.events[0].event else {
            panic!("{:?}", run.events[0]);
        };
        assert_eq!(
            (key.as_str(), value),
            ("now", &Value::text("2026-04-02T12:00:00Z"))
        );
        check_told(&run, &[]);
    }
}

#[test]
fn an_outcomes_file_fits_into_the_envelope() {
    let case = "21-blocked-calls-in-the-record";
    let text = |file| std::fs::read_to_string(path(case, file)).unwrap();
    let wrapped = format!(
        r#"{{"messages": {}, "_run": {{"pass": true, "executed": {}}}}}"#,
        text("transcript.json"),
        text("outcomes.json")
    );
    let file = std::env::temp_dir().join(format!("lictor-case-21-{}.json", std::process::id()));
    std::fs::write(&file, wrapped).unwrap();
    let (runs, report) = read(&file);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((report.runs, report.calls, report.pass), (1, 11, 1));
    check_told(&runs[0], &[]);
    let executed: Vec<usize> = runs[0]
        .events
        .iter()
        .filter(|recorded| matches!(recorded.event, Event::Call(_)) && recorded.executed)
        .map(|recorded| recorded.message)
        .collect();
    assert_eq!(executed, [17, 19]);
    // A call that was stopped has no result that anybody may rely on.
    let answers: Vec<String> = shown(&runs[0])
        .into_iter()
        .filter(|event| event.contains(" of "))
        .collect();
    assert_eq!(
        answers,
        [
            r#"m18.c0 of m17.c0 ok "approved""#,
            r#"m20.c0 of m19.c0 ok "ok""#
        ]
    );
}

#[test]
fn the_calls_of_one_message_share_their_turn() {
    let (runs, _) = read(&path(
        "22-parallel-calls-in-one-message",
        "transcripts.json",
    ));
    let turns: Vec<String> = runs
        .iter()
        .map(|run| {
            let turns: Vec<String> = run
                .calls()
                .map(|call| format!("{}/{}", call.turn.0, call.turn_size.unwrap()))
                .collect();
            format!("{} {}", run.id, turns.join(" "))
        })
        .collect();
    assert_eq!(
        turns,
        [
            "verify-then-change 2/2 2/2",
            "change-then-verify 2/2 2/2",
            "next-turn 2/1 3/1",
            "unknown-first 2/2 2/2",
            "unknown-last 2/2 2/2",
            "two-in-one 2/1 3/2 3/2",
        ]
    );
}

#[test]
fn every_transcript_is_recognised_and_its_arguments_read() {
    for (case, file, runs, calls) in [
        ("03-names-dots-rewritten", "transcript.json", 1, 4),
        ("04-same-name-two-servers", "transcript.json", 1, 4),
        ("05-args-double-encoded", "transcript.json", 1, 5),
        ("06-call-ids-reused", "transcript.json", 1, 7),
        ("07-jsonl-torn-and-damaged", "session_torn.jsonl", 1, 2),
        ("07-jsonl-torn-and-damaged", "session_nul.jsonl", 1, 3),
        ("07-jsonl-torn-and-damaged", "session_bom_crlf.jsonl", 1, 2),
        (
            "08-results-as-content-parts",
            "transcript.anthropic.json",
            1,
            12,
        ),
        ("09-failure-told-as-text", "transcripts.json", 8, 16),
        ("10-money-as-text", "transcript.json", 1, 16),
        ("11-dates-many-forms", "transcripts.json", 10, 20),
        ("20-consent-bound-to-arguments", "transcripts.json", 11, 12),
        ("21-blocked-calls-in-the-record", "transcript.json", 1, 11),
        (
            "22-parallel-calls-in-one-message",
            "transcripts.json",
            6,
            13,
        ),
        ("23-recipient-look-alikes", "transcript.json", 1, 15),
    ] {
        let (read, report) = read(&path(case, file));
        assert_eq!((report.runs, report.calls), (runs, calls), "{case}/{file}");
        let arguments = read.iter().flat_map(Run::calls).map(|call| &call.arguments);
        for arguments in arguments {
            assert!(matches!(arguments, Arguments::Read(_)), "{case}/{file}");
        }
    }
}
