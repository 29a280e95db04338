//! Bad input gets one clear message and exit 2, whatever the command.

use crate::support::Desk;

const TOOLS: &str = r#"[{"name": "refund", "x-write": true, "parameters": {"properties": {"amount": {"type": "number"}}}}]"#;

/// Runs the command on a desk with a good catalog, policy, rule file, and the
/// file under test, and expects one line that holds all the words.
#[track_caller]
fn check(file: Option<(&str, &str)>, arguments: &[&str], words: &[&str]) {
    let desk = Desk::with("tools.json", TOOLS);
    desk.write("policy.md", "# Desk\n\nA refund is at most 10.\n");
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, guarantee: 'G !call(refund)'}\n",
    );
    desk.write("folder/keep.md", "x");
    if let Some((name, text)) = file {
        desk.write(name, text);
    }
    let run = desk.run(arguments);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(run.out, "", "{}", run.shown());
    assert!(!run.err.contains("panicked"), "{}", run.shown());
    let error = run.err.lines().next().unwrap_or_default();
    for word in words {
        assert!(error.contains(word), "`{word}` is not in `{error}`");
    }
    // One message: what follows the first line only shows the place.
    assert!(
        run.err
            .lines()
            .filter(|line| line.starts_with("error"))
            .count()
            <= 1,
        "{}",
        run.shown()
    );
}

#[test]
fn a_policy_that_is_none() {
    let compile = |policy| ["compile", policy, "--tools", "tools.json"];
    check(
        None,
        &compile("nowhere.md"),
        &["the policy", "nowhere.md", "does not exist"],
    );
    check(None, &compile("folder"), &["folder", "name a file"]);
    check(
        Some(("empty.md", " \n")),
        &compile("empty.md"),
        &["empty.md", "is empty"],
    );
    check(
        Some(("bare.md", "# Desk\n\n## Refunds\n")),
        &compile("bare.md"),
        &["bare.md", "no clause"],
    );
    check(
        Some(("zero.md", "# Desk\n\nA refund\0is made.\n")),
        &compile("zero.md"),
        &["zero.md:3", "no text file", "zero byte"],
    );
    check(
        None,
        &compile("tools.json"),
        &["tools.json", "JSON data", "Markdown"],
    );
    check(
        Some(("runs.jsonl", "{\"role\": \"user\"}\n{\"role\": \"user\"}\n")),
        &compile("runs.jsonl"),
        &["runs.jsonl", "JSON data"],
    );
    let long = "A refund is at most 10.\n\n".repeat(25_000);
    check(
        Some(("long.md", &long)),
        &compile("long.md"),
        &["long.md", "larger than 512 KB", "parts"],
    );
}

#[test]
fn a_number_of_samples_that_is_none() {
    let compile = ["compile", "policy.md", "--tools", "tools.json", "--samples"];
    for (samples, words) in [("0", "at least one"), ("1000000000000", "at most 100")] {
        check(None, &[&compile[..], &[samples]].concat(), &[words]);
    }
    check(
        Some(("lictor.toml", "samples = 1000000000000\n")),
        &compile[..4],
        &["at most 100"],
    );
}

#[test]
fn a_samples_file_that_is_none() {
    for command in ["pack", "unpack"] {
        let with = |samples| {
            let files = ["--policy", "policy.md", "--out", "packed.jsonl"];
            [&["samples", command, samples], &files[..]].concat()
        };
        check(
            None,
            &with("tools.json"),
            &["tools.json", "no line is an answer"],
        );
        check(
            None,
            &with("policy.md"),
            &["policy.md", "no line is an answer"],
        );
    }
    let answer = r#"{"custom_id": "another", "response": {"status_code": 200, "body": {}}}"#;
    check(
        Some(("policy.samples.jsonl", answer)),
        &["compile", "policy.md", "--tools", "tools.json"],
        &["none of the 1 recorded answers", "no model"],
    );
}

#[test]
fn an_output_that_cannot_be() {
    let check_rules = |out| ["check", "rules.yaml", "--tools", "tools.json", "--out", out];
    check(None, &check_rules("folder"), &["folder", "name a file"]);
    check(
        None,
        &check_rules("policy.md/x.json"),
        &["policy.md/x.json"],
    );
    for input in ["rules.yaml", "./tools.json", "folder/../rules.yaml"] {
        check(None, &check_rules(input), &[input, "would overwrite it"]);
    }
    let compile = ["compile", "policy.md", "--tools", "tools.json"];
    for (flag, input) in [
        ("--out", "policy.md"),
        ("--out", "tools.json"),
        ("--write-requests", "policy.md"),
    ] {
        check(
            None,
            &[&compile[..], &[flag, input]].concat(),
            &[input, "would overwrite it"],
        );
    }
    // The library's name by default is the policy's with another ending.
    check(
        Some(("policy.json", TOOLS)),
        &["compile", "policy.md", "--tools", "policy.json"],
        &["policy.json", "the tool catalog", "would overwrite it"],
    );
}

#[test]
fn an_output_that_fails_leaves_nothing_behind() {
    let desk = desk_with_rules();
    desk.write("folder/keep.md", "x");
    let before = desk.names();
    let run = desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "folder",
    ]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(desk.names(), before);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_stay_what_they_are() {
    let desk = desk_with_rules();
    let seal = |out| ["check", "rules.yaml", "--tools", "tools.json", "--out", out];
    desk.write("real.json", "old");
    std::os::unix::fs::symlink("real.json", desk.path("link.json")).unwrap();
    assert_eq!(desk.run(&seal("link.json")).code, 0);
    assert!(desk.path("link.json").is_symlink());
    assert!(desk.read("real.json").contains("\"lictor\": 2"));

    let pipe = desk.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(desk.run(&seal("pipe")).code, 0);
    assert!(!pipe.is_file());
    assert_eq!(reader.join().unwrap(), desk.read("real.json"));
}

/// A desk whose rules are sound.
fn desk_with_rules() -> Desk {
    let desk = Desk::with("tools.json", TOOLS);
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, guarantee: 'G !call(refund)'}\n",
    );
    desk
}

#[test]
fn a_reader_that_goes_away_changes_no_exit_code() {
    let desk = Desk::with("tools.json", TOOLS);
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, guarantee: 'G !call(nope)'}\n",
    );
    let run = desk.run_unread(&["check", "rules.yaml", "--tools", "tools.json"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert_eq!(run.err, "");
    assert_eq!(desk.run_unread(&["explain", "--list"]).code, 0);
}

#[test]
fn no_name_steers_the_terminal() {
    let desk = desk_with_rules();
    let escape = "\u{1b}[31m";
    let quoted = r"\u001b[31m";
    desk.write(
        "bad.yaml",
        r#"contracts: [{id: "A\e[31m", kind: "x\e]0;t\a", guarantee: "G !call(no)"}]"#,
    );
    desk.write(
        "run.json",
        r#"{"messages": [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a\u001b[31m", "arguments": "{}"}}]}]}"#,
    );
    desk.write(&format!("a{escape}.md"), " ");
    desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "lib.json",
    ]);
    let file = format!("a{escape}.md");
    let commands: [&[&str]; 7] = [
        &["compile", &file, "--tools", "tools.json"],
        &["check", "bad.yaml", "--tools", "tools.json"],
        &[
            "check",
            "rules.yaml",
            "--tools",
            "tools.json",
            "--out",
            &file,
        ],
        &["transcripts", "run.json"],
        &["evaluate", "lib.json", "--transcripts", "run.json"],
        &[
            "evaluate",
            "lib.json",
            "--transcripts",
            "run.json",
            "--format",
            "json",
        ],
        &["explain", escape],
    ];
    for command in commands {
        let run = desk.run(command);
        let shown = run.shown();
        assert!(!shown.contains(['\u{1b}', '\u{7}']), "{command:?}: {shown}");
    }
    let run = desk.run(&["transcripts", "run.json"]);
    assert!(run.out.contains(quoted), "{}", run.shown());
}

#[test]
fn a_catalog_that_is_none() {
    for command in [["compile", "policy.md"], ["check", "rules.yaml"]] {
        let with = |tools| [command[0], command[1], "--tools", tools];
        check(
            None,
            &with("nowhere.json"),
            &["the tool catalog", "does not exist"],
        );
        check(None, &with("folder"), &["folder", "name a file"]);
        check(Some(("empty.json", "")), &with("empty.json"), &["empty"]);
        check(
            Some(("bad.json", "[{")),
            &with("bad.json"),
            &["bad.json", "not JSON", "line 1"],
        );
        check(Some(("none.json", "[]")), &with("none.json"), &["no tools"]);
        check(
            Some(("shape.json", "{\"a\": 1}")),
            &with("shape.json"),
            &["no list of tools"],
        );
        check(
            Some(("tool.json", "[{\"function\": {}}]")),
            &with("tool.json"),
            &["tool 0", "no name"],
        );
        check(
            Some((
                "mark.json",
                "[{\"name\": \"refund\", \"x-write\": \"yes\"}]",
            )),
            &with("mark.json"),
            &["mark.json", "`refund`", "x-write", "true or false"],
        );
    }
}

#[test]
fn a_rule_file_that_is_none() {
    let with = |rules| ["check", rules, "--tools", "tools.json"];
    check(None, &with("nowhere.yaml"), &["does not exist"]);
    check(None, &with("folder"), &["name a file"]);
    check(Some(("empty.yaml", "")), &with("empty.yaml"), &["empty"]);
    check(
        Some(("bad.json", "{\"contracts\": [")),
        &with("bad.json"),
        &["bad.json"],
    );
    check(
        Some(("text.yaml", "just words")),
        &with("text.yaml"),
        &["text.yaml", "contracts"],
    );
    check(
        Some(("library.json", "{\"lictor\": 1, \"contracts\": []}")),
        &with("library.json"),
        &["library.json:1:2", "compiled library", "evaluate"],
    );
}

#[test]
fn a_library_that_is_none() {
    for command in ["evaluate", "preflight"] {
        let with = |library| [command, library, "--transcripts", "runs.jsonl"];
        check(
            None,
            &with("nowhere.json"),
            &["the library", "does not exist"],
        );
        check(None, &with("folder"), &["name a file"]);
        check(
            Some(("bad.json", "{")),
            &with("bad.json"),
            &["not a library file"],
        );
        check(
            Some(("new.json", "{\"lictor\": 99}")),
            &with("new.json"),
            &["format 99", "update lictor"],
        );
    }
}

#[test]
fn settings_that_are_wrong() {
    let compile = ["compile", "policy.md", "--tools", "tools.json"];
    check(
        Some(("lictor.toml", "samples = 3\nconfirmaton = \"batch\"\n")),
        &compile,
        &["lictor.toml:2", "confirmaton"],
    );
    for (text, words) in [
        ("samples = \"5\"", "expected a whole number"),
        ("catalog = 5", "expected a text in quotes"),
        ("\nunlisted = 1", "lictor.toml:2"),
        ("samples = 1\nsamples = 2", "duplicate key"),
        (
            "samples = 1\nnow = \"today\"",
            "lictor.toml:2: `today` is no time",
        ),
        ("now = 07:32:00", "is no time"),
        ("now = 3", "expected a time"),
        ("zone = \"Mars\"", "lictor.toml:1: `Mars` is no time zone"),
        ("lexicon = \"en\"", "lictor.toml:1"),
    ] {
        check(
            Some(("lictor.toml", text)),
            &compile,
            &["lictor.toml", words],
        );
    }
    check(
        Some(("lictor.toml/keep.md", "x")),
        &compile,
        &["lictor.toml", "cannot be read"],
    );
    check(
        None,
        &["compile", "policy.md"],
        &["no tool catalog is named", "--tools"],
    );
    check(
        None,
        &[
            "compile",
            "policy.md",
            "--tools",
            "tools.json",
            "--no-check",
            "self-bloking",
        ],
        &["did you mean `self-blocking`"],
    );
}

/// A run that cannot be read in full is told of by every command that reads it.
#[test]
fn oddities_of_recordings_are_never_passed_over() {
    let desk = Desk::with("tools.json", TOOLS);
    desk.write(
        "rules.yaml",
        "contracts:\n  - {id: A, guarantee: 'G !call(refund)'}\n",
    );
    desk.write(
        "runs.jsonl",
        "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}\n{\"torn\n",
    );
    desk.run(&[
        "check",
        "rules.yaml",
        "--tools",
        "tools.json",
        "--out",
        "a.json",
    ]);
    for command in ["evaluate", "preflight"] {
        let run = desk.run(&[command, "a.json", "--transcripts", "runs.jsonl"]);
        assert_eq!(run.code, 0, "{}", run.shown());
        assert!(
            run.shown().contains("2 oddities in the recordings"),
            "{}",
            run.shown()
        );
        let json = desk.run(&[
            command,
            "a.json",
            "--transcripts",
            "runs.jsonl",
            "--format",
            "json",
        ]);
        assert_eq!(json.json()["oddities"].as_array().map(Vec::len), Some(2));
    }
}

/// Recordings that are not there are found out before a model is asked.
#[test]
fn a_wrong_path_to_recordings_costs_nothing() {
    check(
        None,
        &[
            "compile",
            "policy.md",
            "--tools",
            "tools.json",
            "--transcripts",
            "nowhere.jsonl",
        ],
        &["nowhere.jsonl"],
    );
}

#[test]
fn a_formula_that_is_none() {
    check(None, &["ltlf", "parse", "G (a &"], &["error"]);
    check(None, &["ltlf", "sat", "((((a"], &["error"]);
    let deep = "(".repeat(100_000);
    check(None, &["ltlf", "sat", &deep], &["error"]);
    check(
        Some(("f.txt", "no tab here\n")),
        &["ltlf", "dfa", "--formulas", "f.txt"],
        &["f.txt:1", "tab"],
    );
    check(
        Some(("f.txt", "# only a comment\n")),
        &["ltlf", "dfa", "--formulas", "f.txt"],
        &["f.txt", "no formula"],
    );
}

#[test]
fn an_unknown_code() {
    check(
        None,
        &["explain", "unkown-tool"],
        &["did you mean `unknown-tool`"],
    );
}
