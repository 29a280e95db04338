use super::*;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "lictor-recordings-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CALL: &str = r#"{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}"#;
const RESULT: &str = r#"{"role": "tool", "tool_call_id": "a", "content": "1"}"#;

fn all(path: &Path) -> (Vec<Run>, Vec<FileReport>, Option<String>) {
    let mut recordings = match Recordings::open(&[path.to_path_buf()]) {
        Ok(recordings) => recordings,
        Err(error) => return (Vec::new(), Vec::new(), Some(error.to_string())),
    };
    let (mut runs, mut failure) = (Vec::new(), None);
    for run in recordings.by_ref() {
        match run {
            Ok(run) => runs.push(run),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    let reports = recordings.reports().to_vec();
    (runs, reports, failure)
}

/// Runs as `id format calls events`, then the oddities beside any run.
#[track_caller]
fn check(content: &[u8], expected: &[&str]) {
    let folder = Folder::new();
    let path = folder.file("t.data", content);
    let (runs, reports, failure) = all(&path);
    assert_eq!(failure, None);
    let mut shown: Vec<String> = runs
        .iter()
        .map(|run| {
            format!(
                "{} {} {} {}",
                run.id,
                run.format,
                run.calls().count(),
                run.events.len()
            )
        })
        .collect();
    shown.extend(
        reports[0]
            .beside
            .iter()
            .map(|oddity| format!("line {}", oddity.line.unwrap())),
    );
    assert_eq!(shown, expected, "{:?}", reports[0].beside);
}

#[test]
fn one_session_in_every_form() {
    let array = format!("[{CALL}, {RESULT}]");
    let session = &["t.data#0 chat 1 2"];
    check(array.as_bytes(), session);
    check(format!("[\n{CALL},\n{RESULT}\n]").as_bytes(), session);
    check(format!("{CALL}\n{RESULT}\n").as_bytes(), session);
    check(format!("{{\"messages\": {array}}}").as_bytes(), session);
    check(
        format!("{{\n\"model\": \"m\",\n\"messages\": {array}\n}}\n").as_bytes(),
        session,
    );
    check(
        format!("\u{feff}{CALL}\r\n{RESULT}\r\n\r\n").as_bytes(),
        session,
    );
}

#[test]
fn several_runs_in_every_form() {
    let array = format!("[{CALL}, {RESULT}]");
    let run =
        format!(r#"{{"task_id": 1, "reward": 1.0, "traj": {array}, "trial": 0, "info": {{}}}}"#);
    let runs = &["t.data#0 tau-bench 1 2", "t.data#1 tau-bench 1 2"];
    check(format!("{run}\n{run}\n").as_bytes(), runs);
    check(format!("[{run}, {run}]").as_bytes(), runs);
    check(format!("[\n  {run},\n  {run}\n]").as_bytes(), runs);
    check(
        format!("{array}\n{array}\n").as_bytes(),
        &["t.data#0 chat 1 2", "t.data#1 chat 1 2"],
    );
    check(
        format!("[\n{CALL}\n]\n[\n{CALL}\n]\n").as_bytes(),
        &["t.data#0 chat 1 1", "t.data#1 chat 1 1"],
    );
    let simulation =
        format!(r#"{{"id": "s", "reward_info": {{"reward": 0}}, "messages": {array}}}"#);
    check(
        format!("{{\n\"info\": {{}},\n\"simulations\": [\n{simulation},\n{simulation}]}}")
            .as_bytes(),
        &["s tau2 1 2", "s tau2 1 2"],
    );
    check(
        format!("{{\"simulations\": [{simulation}]}}").as_bytes(),
        &["s tau2 1 2"],
    );
}

#[test]
fn damage_is_told_with_its_line_and_the_rest_is_read() {
    let run = format!(r#"{{"messages": [{CALL}]}}"#);
    let torn = run.split_at(run.len() - 5).0;
    check(
        format!("{run}\n{torn}\n{run}\n").as_bytes(),
        &["t.data#0 chat 1 1", "t.data#2 chat 1 1", "line 2"],
    );
    check(
        format!("{torn}\n{run}\n").as_bytes(),
        &["t.data#1 chat 1 1", "line 1"],
    );
    check(
        format!("{run}\n{{\"note\": 1}}\n{run}\n").as_bytes(),
        &["t.data#0 chat 1 1", "t.data#2 chat 1 1", "line 2"],
    );
    check(
        format!("{run}\n{RESULT}\n").as_bytes(),
        &["t.data#0 chat 1 1", "line 2"],
    );
    check(
        format!("[\n{run},\n{torn}").as_bytes(),
        &["t.data#0 chat 1 1", "line 3"],
    );
}

#[test]
fn a_gap_belongs_to_its_session() {
    let folder = Folder::new();
    let torn = CALL.split_at(60).0;
    let path = folder.file(
        "s.jsonl",
        format!("{CALL}\n{RESULT}\n\0\0\0\n{CALL}\n{torn}").as_bytes(),
    );
    let (runs, reports, _) = all(&path);
    assert_eq!(runs.len(), 1);
    let told: Vec<(Option<u64>, Option<usize>)> = runs[0]
        .oddities
        .iter()
        .map(|oddity| (oddity.line, oddity.message))
        .collect();
    assert_eq!(
        told,
        [(Some(3), Some(2)), (Some(5), Some(4)), (Some(4), Some(3))]
    );
    assert!(runs[0].oddities[0].text.contains("gap"));
    assert_eq!(reports[0].oddities, 3);
    // The message after the gap keeps the place it has in the file.
    assert_eq!(runs[0].events.last().unwrap().message, 3);
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_seen_by_its_bytes() {
    let packed = gzip(format!("{CALL}\n{RESULT}\n").as_bytes());
    check(&packed, &["t.data#0 chat 1 2"]);
    let run = format!(r#"{{"messages": [{CALL}]}}"#);
    let mut cut = gzip(format!("{run}\n").repeat(2000).as_bytes());
    cut.truncate(cut.len() - 20);
    let folder = Folder::new();
    let (runs, reports, failure) = all(&folder.file("cut.jsonl.gz", &cut));
    assert_eq!(failure, None);
    assert!(!runs.is_empty());
    assert!(
        reports[0]
            .beside
            .last()
            .unwrap()
            .text
            .contains("cannot be read on")
    );
}

#[test]
fn folders_are_walked_in_order_and_other_files_passed_over() {
    let folder = Folder::new();
    let run = format!(r#"{{"messages": [{CALL}]}}"#);
    folder.file("b.json", run.as_bytes());
    folder.file("a/z.jsonl", run.as_bytes());
    folder.file("a/tools.json", br#"[{"type": "function"}]"#);
    folder.file("a/empty.json", b"");
    folder.file("c.jsonl.gz", &gzip(run.as_bytes()));
    folder.file("readme.md", b"not json");
    let (runs, reports, failure) = all(&folder.0);
    assert_eq!(failure, None);
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["z.jsonl#0", "b.json#0", "c.jsonl.gz#0"]);
    let counts: Vec<(Option<Format>, u64)> = reports
        .iter()
        .map(|report| (report.format, report.runs))
        .collect();
    let chat = Some(Format::Chat);
    assert_eq!(
        counts,
        [(None, 0), (None, 0), (chat, 1), (chat, 1), (chat, 1)]
    );
    assert_eq!((reports[0].oddities, reports[1].oddities), (1, 1));
}

#[track_caller]
fn check_failure(path: &Path, expected: &str) {
    let (runs, _, failure) = all(path);
    assert!(runs.is_empty());
    let failure = failure.unwrap();
    assert!(failure.contains(expected), "{failure}");
    assert!(
        !failure.ends_with('.') && failure.starts_with(char::is_lowercase),
        "{failure}"
    );
}

#[test]
fn each_bad_path_has_one_clear_message() {
    let folder = Folder::new();
    check_failure(&folder.0.join("none.json"), "there is no file or folder");
    check_failure(&folder.0, "holds no transcripts");
    check_failure(&folder.file("empty.jsonl", b""), "is empty");
    check_failure(&folder.file("blank.jsonl", b"\n \n"), "is empty");
    check_failure(
        &folder.file("tools.json", br#"[{"type": "function"}]"#),
        "no format recognised",
    );
    check_failure(&folder.file("list.json", b"[]"), "no format recognised");
    check_failure(
        &folder.file("list2.json", b"[\n]\n"),
        "no format recognised",
    );
    check_failure(&folder.file("text.json", b"hello"), "no format recognised");
    check_failure(
        &folder.file("torn.json", b"{\"role\": \"us"),
        "no format recognised",
    );
    check_failure(&folder.0, "holds no transcripts");
}

#[test]
fn labels_are_counted_per_file() {
    let folder = Folder::new();
    let line = |reward: &str| {
        format!(
            r#"{{"task_id": 1, "reward": {reward}, "messages": [], "info": {{"error": "lost\nline"}}}}"#
        )
    };
    let path = folder.file(
        "t.jsonl",
        [line("1"), line("0.5"), line("null")].join("\n").as_bytes(),
    );
    let (runs, reports, _) = all(&path);
    let report = &reports[0];
    assert_eq!(
        (report.runs, report.pass, report.fail, report.unlabelled),
        (3, 1, 1, 1)
    );
    assert_eq!(report.oddities, 6);
    assert_eq!(runs[0].oddities[0].text, "the run broke off: lost");
}

#[test]
fn no_damage_makes_it_panic_or_loses_a_file_in_silence() {
    let array = format!("[{CALL}, {RESULT}]");
    let run = format!(r#"{{"id": "x", "reward_info": {{"reward": 1}}, "messages": {array}}}"#);
    let originals = [
        format!("{CALL}\n{RESULT}\n"),
        format!("{run}\n{run}\n"),
        format!("{{\n\"simulations\": [\n{run},\n{run}\n]}}"),
        format!("[\n{CALL},\n{RESULT}]"),
        r#"{"interaction": [{"sender": "user", "content": "hi"}, {"sender": "a assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}, {"tool_call_id": "a", "tool_name": "f", "content": "E: Error: x"}], "evaluation": {"success": true}, "now": "2025-06-01T10:20:30Z", "_run": {"executed": {"m1.c0": "blocked"}, "context": {"k": [1]}}}"#.into(),
        r#"{"user_task_id": "u", "utility": true, "conversations": [{"role": "assistant", "content": "<function_call>[f(a='x'), g(b=[1])]</function_call>", "tool_calls": [{"function": "f", "args": {}, "id": "a"}]}, {"role": "tool", "content": "", "error": "x", "tool_call": {"function": "f"}}]}"#.into(),
        r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}, {"role": "user", "timestamp": "2025-06-01T10:20:30.5+01:00", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "1"}]}, {"type": "text", "text": "so"}]}]"#.into(),
    ];
    let folder = Folder::new();
    for original in originals {
        for place in 0..original.len() {
            let mut flipped = original.clone().into_bytes();
            flipped[place] = b"\0{]\"9\xff\n"[place % 7];
            for damaged in [&original.as_bytes()[..place], &flipped] {
                let path = folder.file("t.jsonl", damaged);
                let (runs, _, failure) = all(&path);
                assert!(
                    !runs.is_empty() || failure.is_some(),
                    "{}",
                    String::from_utf8_lossy(damaged)
                );
            }
        }
    }
}

#[test]
fn a_file_that_is_named_twice_counts_once() {
    let folder = Folder::new();
    let run = format!(r#"{{"messages": [{CALL}, {RESULT}]}}"#);
    let file = folder.file("in/a.jsonl", run.as_bytes());
    let again = folder.0.join("in/../in/a.jsonl");
    let paths = [folder.0.join("in"), file, again];
    let runs = Recordings::open(&paths).unwrap();
    assert_eq!(runs.map(Result::unwrap).count(), 1);
}

#[test]
fn damaged_gzip_is_called_damaged() {
    let folder = Folder::new();
    let (_, _, failure) = all(&folder.file("a.json.gz", b"\x1f\x8bgarbage"));
    let failure = failure.unwrap();
    assert!(failure.contains("cannot be read on"), "{failure}");
}
