//! `lictor compile` on the order desk, from recorded answers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

use crate::support::{Desk, root};

const POLICY: &str = "policies/order-desk.md";
const ANSWERS: &str = "policies/order-desk.samples.jsonl";
const TOOLS: &str = "tool-schemas/order-desk.json";
const RUNS: &str = "tests/transcripts/order-desk.jsonl";
const LIBRARY: &str = "compiled/order-desk.json";

/// The sample's files where the repository has them.
fn desk() -> Desk {
    let desk = Desk::new();
    for file in [POLICY, ANSWERS, TOOLS, RUNS] {
        desk.copy(file, file);
    }
    desk
}

/// The README's main command.
const COMPILE: &[&str] = &[
    "compile",
    POLICY,
    "--tools",
    TOOLS,
    "--transcripts",
    RUNS,
    "--out",
    LIBRARY,
];

/// The committed library and report are what the README's command gives; run
/// with `LICTOR_BLESS=1` to write them anew.
#[test]
fn the_committed_library_is_what_compiling_gives() {
    let desk = desk();
    let run = desk.run(COMPILE);
    assert_eq!(run.code, 1, "{}", run.shown());
    let again = desk.run(COMPILE);
    assert_eq!(run.out, again.out);
    let library = desk.read(LIBRARY);
    for (path, text) in [(LIBRARY, &library), ("docs/order-desk.txt", &run.out)] {
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
    std::fs::remove_file(desk.path(ANSWERS)).unwrap();
    let run = desk.run(COMPILE);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.err.contains("no recorded answers"), "{}", run.shown());
    assert!(!desk.path(LIBRARY).exists());
}

#[test]
fn requests_can_be_answered_elsewhere() {
    let desk = desk();
    std::fs::rename(desk.path(ANSWERS), desk.path("elsewhere.jsonl")).unwrap();
    let with = |more: &[&str]| {
        let mut arguments = COMPILE.to_vec();
        arguments.extend(more);
        desk.run(&arguments)
    };
    let asked = with(&["--write-requests", "requests.jsonl"]);
    assert_eq!(asked.code, 0, "{}", asked.shown());
    assert_eq!(desk.read("requests.jsonl").lines().count(), 45);
    assert!(!desk.path(LIBRARY).exists());
    let answered = with(&["--responses", "elsewhere.jsonl"]);
    assert_eq!(answered.code, 1, "{}", answered.shown());
    let committed = std::fs::read_to_string(root().join(LIBRARY)).unwrap();
    assert_eq!(desk.read(LIBRARY), committed);
}

/// Changes the answer in one line of a samples file.
fn edit(line: &str, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut answer: serde_json::Value = serde_json::from_str(line).unwrap();
    change(&mut answer["response"]["body"]["choices"][0]);
    answer.to_string()
}

#[test]
fn failed_answers_are_counted_and_never_read_as_no_rules() {
    let desk = desk();
    let mut lines: Vec<String> = desk.read(ANSWERS).lines().map(str::to_owned).collect();
    lines[0] = edit(&lines[0], |choice| {
        choice["finish_reason"] = "length".into()
    });
    lines[1] = edit(&lines[1], |choice| {
        choice["message"]["content"] = "{\"ruls\": []}".into()
    });
    lines[2] = edit(&lines[2], |choice| {
        choice["message"]["refusal"] = "I would rather not".into()
    });
    lines[3] = edit(&lines[3], |choice| {
        choice["message"]["content"] = "{\"rules\": [".into()
    });
    lines.push("{\"torn".to_owned());
    desk.write(ANSWERS, &(lines.join("\n") + "\n"));
    let mut arguments = COMPILE.to_vec();
    arguments.extend(["--format", "json"]);
    let report = desk.run(&arguments).json();
    assert_eq!(report["report"]["extract"]["failed"], 4);
    assert_eq!(report["report"]["extract"]["answers"], 41);
    let found = report["diagnostics"].as_array().unwrap();
    let failed = found
        .iter()
        .filter(|diagnostic| diagnostic["name"] == "failed-sample");
    assert_eq!(failed.count(), 4);
}

#[test]
fn packed_answers_hold_no_words_of_the_policy_and_compile_alike() {
    let desk = desk();
    let policy = desk.read(POLICY);
    let repack = |command: &str, from: &str, to: &str| {
        let run = desk.run(&["samples", command, from, "--policy", POLICY, "--out", to]);
        assert_eq!(run.code, 0, "{}", run.shown());
        desk.read(to)
    };
    let packed = repack("pack", ANSWERS, "packed.jsonl");
    for line in policy.lines().filter(|line| line.len() > 60) {
        let words: String = line.chars().skip(4).collect();
        assert!(!packed.contains(words.trim()), "{words}");
    }
    let restored = repack("unpack", "packed.jsonl", "restored.jsonl");
    let answers = |text: &str| -> Vec<serde_json::Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    assert_eq!(answers(&restored), answers(&desk.read(ANSWERS)));

    let other = policy.replace(
        "pending order may be cancelled",
        "packed order may be cancelled",
    );
    desk.write(POLICY, &other);
    let run = desk.run(&[
        "samples",
        "unpack",
        "packed.jsonl",
        "--policy",
        POLICY,
        "--out",
        "x.jsonl",
    ]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.err.contains("the policy"), "{}", run.shown());
}

#[test]
fn settings_beside_the_policy_are_used_and_flags_override_them() {
    let desk = desk();
    let settings =
        "catalog = \"../tool-schemas/order-desk.json\"\nsamples = 5\nconfirmation = \"batch\"\n";
    desk.write("policies/lictor.toml", settings);
    let library = |more: &[&str]| -> serde_json::Value {
        let mut arguments = vec!["compile", POLICY, "--out", "library.json"];
        arguments.extend(more);
        let run = desk.run(&arguments);
        assert_eq!(run.code, 1, "{}", run.shown());
        serde_json::from_str(&desk.read("library.json")).unwrap()
    };
    let batch = library(&[]);
    assert_eq!(batch["settings"]["confirmation"], "batch");
    let confirmation = batch["contracts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|contract| contract["kind"] == "confirmation")
        .unwrap();
    assert!(
        !confirmation["guarantee"]
            .as_str()
            .unwrap()
            .contains("since")
    );
    assert_eq!(library(&["--samples", "1"])["provenance"]["samples"], 1);
}

#[test]
fn a_flagged_binding_can_be_taken_out() {
    let desk = desk();
    desk.run(COMPILE);
    let run = desk.run(&[
        "preflight",
        LIBRARY,
        "--transcripts",
        RUNS,
        "--unbind",
        "--out",
        "kept.json",
    ]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let run = desk.run(&[
        "preflight",
        "kept.json",
        "--transcripts",
        RUNS,
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(run.json()["preflight"]["summary"]["flagged"], 0);
}
