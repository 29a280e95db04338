//! `lictor compile` on the order desk, from recorded answers.

use crate::support::{Desk, root};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.copy("policies/order-desk.md", "order-desk.md");
    desk.copy(
        "policies/order-desk.samples.jsonl",
        "order-desk.samples.jsonl",
    );
    desk.copy("tool-schemas/order-desk.json", "tools.json");
    desk.copy("tests/transcripts/order-desk.jsonl", "runs.jsonl");
    desk
}

const COMPILE: &[&str] = &[
    "compile",
    "order-desk.md",
    "--tools",
    "tools.json",
    "--transcripts",
    "runs.jsonl",
];

/// The committed library and report are what the command gives; run with
/// `LICTOR_BLESS=1` to write them anew.
#[test]
fn the_committed_library_is_what_compiling_gives() {
    let desk = desk();
    let run = desk.run(COMPILE);
    assert_eq!(run.code, 1, "{}", run.shown());
    let again = desk.run(COMPILE);
    assert_eq!(run.out, again.out);
    let library = std::fs::read_to_string(desk.path("order-desk.json")).unwrap();
    for (path, text) in [
        ("compiled/order-desk.json", &library),
        ("docs/order-desk.txt", &run.out),
    ] {
        let path = root().join(path);
        if std::env::var_os("LICTOR_BLESS").is_some() {
            std::fs::write(&path, text).unwrap();
        }
        assert_eq!(&std::fs::read_to_string(path).unwrap_or_default(), text);
    }
}

#[test]
fn what_a_sample_must_show_is_shown() {
    let report = {
        let desk = desk();
        let mut arguments = COMPILE.to_vec();
        arguments.extend(["--format", "json"]);
        desk.run(&arguments).json()
    };
    let outcomes = &report["report"]["outcomes"];
    let some = |key: &str| {
        outcomes[key]
            .as_object()
            .is_some_and(|counts| !counts.is_empty())
    };
    assert!(some("repaired") && some("rejected"), "{outcomes}");
    assert!(report["preflight"]["summary"]["flagged"].as_u64().unwrap() > 0);
    let total: u64 = ["minority", "merged", "enforced"]
        .iter()
        .map(|key| outcomes[*key].as_u64().unwrap())
        .sum::<u64>()
        + outcomes["rejected"]
            .as_object()
            .unwrap()
            .values()
            .map(|it| it.as_u64().unwrap())
            .sum::<u64>();
    assert_eq!(total, outcomes["candidates"].as_u64().unwrap());
}

#[test]
fn without_answers_and_without_a_model_there_is_no_library() {
    let desk = desk();
    std::fs::remove_file(desk.path("order-desk.samples.jsonl")).unwrap();
    let run = desk.run(COMPILE);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.err.contains("no recorded answers"), "{}", run.shown());
    assert!(!desk.path("order-desk.json").exists());
}

#[test]
fn requests_can_be_answered_elsewhere() {
    let desk = desk();
    std::fs::rename(
        desk.path("order-desk.samples.jsonl"),
        desk.path("elsewhere.jsonl"),
    )
    .unwrap();
    let base = ["compile", "order-desk.md", "--tools", "tools.json"];
    let with = |more: &[&str]| {
        let mut arguments = base.to_vec();
        arguments.extend(more);
        desk.run(&arguments)
    };
    let asked = with(&["--write-requests", "requests.jsonl"]);
    assert_eq!(asked.code, 0, "{}", asked.shown());
    let requests = std::fs::read_to_string(desk.path("requests.jsonl")).unwrap();
    assert_eq!(requests.lines().count(), 45);
    let answered = with(&["--responses", "elsewhere.jsonl", "--out", "there.json"]);
    assert_eq!(answered.code, 1, "{}", answered.shown());
    let there = std::fs::read_to_string(desk.path("there.json")).unwrap();
    assert_eq!(
        there,
        std::fs::read_to_string(root().join("compiled/order-desk.json")).unwrap()
    );
}

#[test]
fn failed_answers_are_counted_and_never_read_as_no_rules() {
    let desk = desk();
    let text = std::fs::read_to_string(desk.path("order-desk.samples.jsonl")).unwrap();
    let cut: String = text
        .lines()
        .enumerate()
        .map(|(index, line)| match index {
            0 => line.replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\""),
            1 => line.replace("\\\"rules\\\"", "\\\"ruls\\\""),
            _ => line.to_owned(),
        } + "\n")
        .collect();
    desk.write("order-desk.samples.jsonl", &cut);
    let mut arguments = COMPILE.to_vec();
    arguments.extend(["--format", "json"]);
    let report = desk.run(&arguments).json();
    assert_eq!(report["report"]["extract"]["failed"], 2);
    let failed = report["diagnostics"].as_array().unwrap();
    assert!(
        failed
            .iter()
            .any(|diagnostic| diagnostic["name"] == "failed-sample")
    );
}

#[test]
fn packed_answers_hold_no_words_of_the_policy_and_compile_alike() {
    let desk = desk();
    let policy = std::fs::read_to_string(desk.path("order-desk.md")).unwrap();
    let pack = |command: &str, from: &str, to: &str| {
        let run = desk.run(&[
            "samples",
            command,
            from,
            "--policy",
            "order-desk.md",
            "--out",
            to,
        ]);
        assert_eq!(run.code, 0, "{}", run.shown());
        std::fs::read_to_string(desk.path(to)).unwrap()
    };
    let packed = pack("pack", "order-desk.samples.jsonl", "packed.jsonl");
    for line in policy.lines().filter(|line| line.len() > 60) {
        let words: String = line.chars().skip(4).collect();
        assert!(!packed.contains(words.trim()), "{words}");
    }
    let original = std::fs::read_to_string(desk.path("order-desk.samples.jsonl")).unwrap();
    let restored = pack("unpack", "packed.jsonl", "restored.jsonl");
    let answers = |text: &str| -> Vec<serde_json::Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    assert_eq!(answers(&restored), answers(&original));
    desk.write(
        "order-desk.md",
        &policy.replace(
            "pending order may be cancelled",
            "packed order may be cancelled",
        ),
    );
    let run = desk.run(&[
        "samples",
        "unpack",
        "packed.jsonl",
        "--policy",
        "order-desk.md",
        "--out",
        "x.jsonl",
    ]);
    assert_eq!(run.code, 2, "{}", run.shown());
}
