//! Holds the committed recordings of the order desk to their generator and to the desk's tool catalog.

#[expect(
    dead_code,
    reason = "the test reads the recordings and leaves the example's `main` alone"
)]
#[path = "../examples/order_desk_runs/main.rs"]
mod order_desk_runs;

#[cfg(test)]
mod checks {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::order_desk_runs;

    fn repository_file(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        fs::read_to_string(root.join(path))
            .unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
    }

    fn runs() -> Vec<Value> {
        order_desk_runs::recordings()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn messages(run: &Value) -> &[Value] {
        run["messages"].as_array().unwrap()
    }

    fn calls(message: &Value) -> &[Value] {
        message["tool_calls"].as_array().map_or(&[], Vec::as_slice)
    }

    #[test]
    fn the_committed_recordings_are_what_the_generator_writes() {
        let committed = repository_file("tests/transcripts/order-desk.jsonl");
        assert!(
            committed == order_desk_runs::recordings(),
            "tests/transcripts/order-desk.jsonl is stale; write it anew with `cargo run -p lictor-replay --example order_desk_runs`"
        );
    }

    #[test]
    fn the_set_has_passing_and_failing_runs_of_ordinary_length() {
        let runs = runs();
        let passed = runs
            .iter()
            .filter(|run| run["_run"]["pass"] == true)
            .count();
        assert_eq!((runs.len(), passed), (34, 22));
        for run in &runs {
            let (label, length) = (&run["_run"], messages(run).len());
            assert!(
                (8..=20).contains(&length),
                "{} has {length} messages",
                run["task_id"]
            );
            assert_eq!(run["reward"], u8::from(label["pass"] == true));
            for key in ["task_id", "trial", "reward"] {
                assert_eq!(run[key], label[key]);
            }
        }
    }

    #[test]
    fn every_call_has_one_answer_and_ids_are_unique() {
        let mut seen = BTreeSet::new();
        for run in &runs() {
            let mut open = Vec::new();
            for message in messages(run) {
                if message["role"] == "tool" {
                    let expected: (Value, Value) = open.remove(0);
                    assert_eq!(
                        (message["tool_call_id"].clone(), message["name"].clone()),
                        expected
                    );
                } else {
                    assert!(open.is_empty(), "a call was left without its answer");
                }
                for call in calls(message) {
                    assert!(
                        seen.insert(call["id"].to_string()),
                        "{} is used twice",
                        call["id"]
                    );
                    open.push((call["id"].clone(), call["function"]["name"].clone()));
                }
            }
            assert!(open.is_empty());
        }
    }

    /// Checks the arguments against the parts of JSON Schema that the catalog uses, but `pattern` and `format`: a wrong order
    /// number is among the warts that the recordings keep.
    fn check_against_schema(value: &Value, schema: &Value, place: &str) {
        let fits = match schema["type"].as_str().unwrap() {
            "string" => value.is_string(),
            "number" => value
                .as_f64()
                .is_some_and(|number| number > schema["exclusiveMinimum"].as_f64().unwrap()),
            "integer" => value.as_u64().is_some_and(|number| {
                (schema["minimum"].as_u64().unwrap()..=schema["maximum"].as_u64().unwrap())
                    .contains(&number)
            }),
            "array" => value.as_array().is_some_and(|items| {
                items
                    .iter()
                    .for_each(|item| check_against_schema(item, &schema["items"], place));
                !items.is_empty()
            }),
            "object" => value.as_object().is_some_and(|entries| {
                let required = schema["required"].as_array().unwrap();
                entries.iter().for_each(|(key, entry)| {
                    check_against_schema(entry, &schema["properties"][key], key)
                });
                required
                    .iter()
                    .all(|key| entries.contains_key(key.as_str().unwrap()))
            }),
            other => panic!("{place} has the unexpected type {other}"),
        };
        assert!(fits, "{place}: {value} does not fit {schema}");
        if let Some(allowed) = schema["enum"].as_array() {
            assert!(
                allowed.contains(value),
                "{place}: {value} is not one of {allowed:?}"
            );
        }
    }

    #[test]
    fn every_call_fits_the_catalog_and_every_tool_is_used() {
        let catalog: Value =
            serde_json::from_str(&repository_file("tool-schemas/order-desk.json")).unwrap();
        let tools: BTreeMap<&str, &Value> = catalog
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| (tool["function"]["name"].as_str().unwrap(), tool))
            .collect();
        let mut used = BTreeSet::new();
        for run in &runs() {
            for call in messages(run).iter().flat_map(calls) {
                let name = call["function"]["name"].as_str().unwrap();
                let arguments: Value =
                    serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
                check_against_schema(&arguments, &tools[name]["function"]["parameters"], name);
                used.insert(name.to_owned());
            }
        }
        assert_eq!(used.len(), tools.len(), "only {used:?} are used");
    }

    /// In practice a label is sent while its claim is still open. A literal reading of the policy would refuse all of these
    /// honest calls, and preflight is there to notice that.
    #[test]
    fn labels_in_passing_runs_are_sent_for_open_claims() {
        let mut labels = 0;
        for run in runs().iter().filter(|run| run["_run"]["pass"] == true) {
            let mut status = String::new();
            for message in messages(run) {
                if message["role"] == "tool"
                    && message["content"].as_str().unwrap().contains("\"defect\"")
                {
                    let claim: Value =
                        serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
                    status = claim["status"].as_str().unwrap().to_owned();
                }
                if calls(message)
                    .iter()
                    .any(|call| call["function"]["name"] == "issue_return_label")
                {
                    assert_eq!(status, "open");
                    labels += 1;
                }
            }
        }
        assert_eq!(labels, 5);
    }
}
