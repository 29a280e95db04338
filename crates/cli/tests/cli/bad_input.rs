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
}

#[test]
fn an_unknown_code() {
    check(
        None,
        &["explain", "unkown-tool"],
        &["did you mean `unknown-tool`"],
    );
}
