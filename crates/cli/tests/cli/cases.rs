//! Field situations: what `check` and `evaluate` say must be what each case
//! expects, call by call.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

use crate::support::{Desk, Run, root};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The inputs of a case.
struct Case {
    folder: PathBuf,
    desk: Desk,
}

/// What the library says to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Allow,
    Violated,
    Undecidable,
    UnknownTool,
}

impl Case {
    fn named(name: &str) -> Case {
        let folder = root().join("tests/cases").join(name);
        assert!(folder.is_dir(), "no case {name}");
        Case {
            folder,
            desk: Desk::new(),
        }
    }

    fn path(&self, file: &str) -> String {
        self.folder.join(file).display().to_string()
    }

    fn json(&self, file: &str) -> Json {
        serde_json::from_str(&std::fs::read_to_string(self.folder.join(file)).unwrap()).unwrap()
    }

    /// Checks a rule file and seals it.
    fn check(&self, rules: &str, tools: &[&str]) -> Run {
        let rules = self.path(rules);
        let mut arguments = vec!["check".to_owned(), rules, "--out".into(), "lib.json".into()];
        for tool in tools {
            let named = match tool.split_once('=') {
                Some((server, file)) => format!("{server}={}", self.path(file)),
                None => self.path(tool),
            };
            arguments.extend(["--tools".to_owned(), named]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.desk.run(&arguments)
    }

    /// What is said to every call of the given transcripts, by run and place.
    fn evaluate(&self, transcripts: &str) -> Verdicts {
        let output = self.desk.run(&[
            "evaluate",
            "lib.json",
            "--transcripts",
            transcripts,
            "--format",
            "jsonl",
        ]);
        let mut runs = BTreeMap::new();
        for line in output.out.lines() {
            let record: Json = serde_json::from_str(line).unwrap();
            let run = record["run"].as_str().unwrap().to_owned();
            let mut said = BTreeMap::new();
            for violation in record["violations"].as_array().unwrap() {
                let place = format!("m{}.c{}", violation["message"], violation["position"]);
                let kind = match violation["kind"].as_str().unwrap() {
                    "violated" => Said::Violated,
                    "undecidable" => Said::Undecidable,
                    _ => Said::UnknownTool,
                };
                said.insert(place, kind);
            }
            runs.insert(run, (said, record));
        }
        assert!(!runs.is_empty(), "{}", output.err);
        Verdicts(runs)
    }

    /// Holds what is said to the case's expectations whose place is a call, and
    /// counts them.
    fn hold(&self, verdicts: &Verdicts) -> usize {
        let expected = self.json("expected.json");
        let mut held = 0;
        for check in expected["checks"].as_array().unwrap() {
            let at = check["at"].as_str().unwrap();
            let (run, place) = at
                .rsplit_once(' ')
                .map_or((None, at), |(a, b)| (Some(a), b));
            if !place.starts_with('m') || !place.contains(".c") {
                continue;
            }
            let said = verdicts.said(run, place);
            let fits = match check["expect"].as_str().unwrap() {
                "allow" => said == Said::Allow,
                "block" => said == Said::Violated,
                "undecidable" => said == Said::Undecidable,
                "not-allow" => said != Said::Allow,
                "either" => true,
                other => panic!("unknown expectation {other}"),
            };
            assert!(fits, "{at}: {said:?}, but {check}");
            held += 1;
        }
        held
    }
}

struct Verdicts(BTreeMap<String, (BTreeMap<String, Said>, Json)>);

impl Verdicts {
    /// What is said to a call; with one run, that is the one.
    fn said(&self, run: Option<&str>, place: &str) -> Said {
        let index = run.and_then(|run| run.strip_prefix('t')?.parse::<usize>().ok());
        let mut found = self.0.iter().filter(|(id, _)| match (run, index) {
            (None, _) => true,
            (Some(run), None) => id.as_str() == run,
            (Some(run), Some(index)) => id.as_str() == run || id.ends_with(&format!("#{index}")),
        });
        let (_, (said, _)) = found.next().unwrap_or_else(|| panic!("no run {run:?}"));
        assert!(found.next().is_none(), "two runs {run:?}");
        said.get(place).cloned().unwrap_or(Said::Allow)
    }
}

/// A case whose places are all calls of one transcript file.
#[track_caller]
fn plain(name: &str, tools: &str, transcripts: &str, expected: usize) {
    let case = Case::named(name);
    let checked = case.check("rules.yaml", &[tools]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let verdicts = case.evaluate(&case.path(transcripts));
    assert_eq!(case.hold(&verdicts), expected);
}

#[test]
fn names_that_a_host_rewrites() {
    let case = Case::named("03-names-dots-rewritten");
    let checked = case.check("rules.yaml", &["tools_list.json"]);
    let told = checked.shown();
    for name in [
        "billing.refund.create",
        "billing.refund_create",
        "billing_refund_create",
    ] {
        assert!(told.contains(name), "{told}");
    }
    assert_eq!(checked.code, 1);
    let verdicts = case.evaluate(&case.path("transcript.json"));
    assert_eq!(case.hold(&verdicts), 4);
    assert_eq!(verdicts.said(None, "m7.c0"), Said::UnknownTool);
}

#[test]
fn one_name_on_two_servers() {
    let case = Case::named("04-same-name-two-servers");
    let tools = [
        "corp-mail=tools_list.corp-mail.json",
        "newsletter=tools_list.newsletter.json",
    ];
    let bare = case.check("bare.rules.yaml", &tools);
    assert_eq!(bare.code, 1);
    let told = bare.shown();
    assert!(
        told.contains("corp-mail") && told.contains("newsletter"),
        "{told}"
    );
    let checked = case.check("rules.yaml", &tools);
    assert_eq!(checked.code, 0, "{checked:?}");
    let library: Json =
        serde_json::from_str(&std::fs::read_to_string(case.desk.path("lib.json")).unwrap())
            .unwrap();
    assert_eq!(library["tools"].as_object().unwrap().len(), 2);
    let verdicts = case.evaluate(&case.path("transcript.json"));
    assert_eq!(case.hold(&verdicts), 4);
}

#[test]
fn arguments_encoded_twice() {
    plain("05-args-double-encoded", "tools.json", "transcript.json", 5);
}

#[test]
fn call_ids_that_are_reused() {
    plain("06-call-ids-reused", "tools.json", "transcript.json", 3);
}

#[test]
fn torn_and_damaged_files() {
    let case = Case::named("07-jsonl-torn-and-damaged");
    assert_eq!(case.check("rules.yaml", &["tools.json"]).code, 0);
    let run = |file: &str| {
        let verdicts = case.evaluate(&case.path(file));
        let output = case.desk.run(&["transcripts", &case.path(file)]);
        (verdicts, output.out)
    };
    let (torn, told) = run("session_torn.jsonl");
    assert!(torn.0.values().all(|(said, _)| said.is_empty()));
    assert!(told.contains("session_torn.jsonl:6"), "{told}");
    let (damaged, told) = run("session_nul.jsonl");
    assert!(
        damaged.0.values().all(|(said, _)| !said.is_empty()),
        "no clean pass"
    );
    assert!(
        told.contains("session_nul.jsonl:6") && told.contains("gap"),
        "{told}"
    );
    let (harmless, told) = run("session_bom_crlf.jsonl");
    assert_eq!(harmless.said(None, "m3.c0"), Said::Allow);
    assert!(!told.contains("torn or damaged"), "{told}");
}

#[test]
fn results_in_parts() {
    plain(
        "08-results-as-content-parts",
        "tools.json",
        "transcript.anthropic.json",
        6,
    );
}

#[test]
fn failures_told_as_text() {
    plain(
        "09-failure-told-as-text",
        "tools.json",
        "transcripts.json",
        8,
    );
}

#[test]
fn money_as_text() {
    plain("10-money-as-text", "tools.json", "transcript.json", 16);
}

#[test]
fn dates_in_many_forms() {
    plain("11-dates-many-forms", "tools.json", "transcripts.json", 10);
}

#[test]
fn what_counts_as_a_yes() {
    let case = Case::named("19-consent-english");
    assert_eq!(case.check("rules.yaml", &["tools.json"]).code, 0);
    let proposal = std::fs::read_to_string(case.folder.join("proposal.md")).unwrap();
    let proposal = proposal.trim().trim_start_matches("Agent: ");
    let checks = case.json("expected.json")["checks"]
        .as_array()
        .unwrap()
        .clone();
    let runs: Vec<Json> = checks
        .iter()
        .map(|check| {
            let reply = check["at"].as_str().unwrap().trim_start_matches("reply: ");
            serde_json::json!({"messages": [
                {"role": "user", "content": "Please refund my order."},
                {"role": "assistant", "content": proposal},
                {"role": "user", "content": reply},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
                    "function": {"name": "refund", "arguments": "{\"order_id\": \"A12\", \"amount\": 40}"}}]},
            ]})
        })
        .collect();
    case.desk
        .write("replies.json", &Json::Array(runs).to_string());
    let verdicts = case.evaluate("replies.json");
    for (index, check) in checks.iter().enumerate() {
        let said = verdicts.said(Some(&format!("t{index}")), "m3.c0");
        let fits = match check["expect"].as_str().unwrap() {
            "yes" => said == Said::Allow,
            "no" => said == Said::Violated,
            // Whether it is no yes or perhaps one: the agent is to ask again.
            _ => said != Said::Allow,
        };
        assert!(fits, "{check}: {said:?}");
    }
    // Who did not say yes is asked again, and is told which words decided.
    for (_, record) in verdicts.0.values() {
        for violation in record["violations"].as_array().unwrap() {
            let reason = violation["reason"].as_str().unwrap();
            assert!(reason.contains("ask again"), "{reason}");
        }
    }
}

#[test]
fn a_yes_is_for_its_arguments_and_once() {
    plain(
        "20-consent-bound-to-arguments",
        "tools.json",
        "transcripts.json",
        11,
    );
}

#[test]
fn calls_that_an_earlier_gate_stopped() {
    let case = Case::named("21-blocked-calls-in-the-record");
    assert_eq!(case.check("rules.yaml", &["tools.json"]).code, 0);
    let run = serde_json::json!({
        "_run": {"executed": case.json("outcomes.json")},
        "messages": case.json("transcript.json"),
    });
    case.desk.write("run.json", &run.to_string());
    let verdicts = case.evaluate("run.json");
    assert_eq!(case.hold(&verdicts), 11);
    let (_, record) = verdicts.0.values().next().unwrap();
    let expected = serde_json::json!([{"tool": "refund", "times": 6, "message": 1, "position": 0}]);
    assert_eq!(record["loops"], expected);
    let text = case
        .desk
        .run(&["evaluate", "lib.json", "--transcripts", "run.json"]);
    let text = text.out;
    assert!(
        text.contains("refund was refused 6 times in a row with the same arguments"),
        "{text}"
    );
}

#[test]
fn parallel_calls_in_one_message() {
    plain(
        "22-parallel-calls-in-one-message",
        "tools.json",
        "transcripts.json",
        7,
    );
}

#[test]
fn recipients_that_look_alike() {
    plain(
        "23-recipient-look-alikes",
        "tools.json",
        "transcript.json",
        15,
    );
}
