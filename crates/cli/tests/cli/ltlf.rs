//! `lictor ltlf` and `lictor explain` through the binary.

use crate::support::Desk;

#[test]
fn the_logic_alone() {
    let desk = Desk::new();
    let mut shown = String::new();
    for arguments in [
        &["ltlf", "parse", "G(a->X[!] b)&&~c"][..],
        &["ltlf", "sat", "F a & G (a -> X b)"],
        &["ltlf", "sat", "F a & G !a"],
        &["ltlf", "equiv", "G (a -> F b)", "!F (a & G !b)"],
        &["ltlf", "equiv", "X a", "WX a"],
        &["ltlf", "dfa", "!call W look"],
        &["ltlf", "parse", "G (a & & b)"],
    ] {
        let run = desk.run(arguments);
        shown.push_str(&format!(
            "$ lictor {}\n{}\n",
            arguments.join(" "),
            run.shown()
        ));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn machine_forms() {
    let desk = Desk::with("f.tsv", "one\tG (a -> F b)\ntwo\tF a & G !a\n");
    let run = desk.run(&["ltlf", "dfa", "--formulas", "f.tsv", "--format", "jsonl"]);
    assert_eq!(run.code, 0);
    let lines: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[0],
        serde_json::json!({"name": "one", "states": 2, "sat": true, "valid": false, "eps": true})
    );
    assert_eq!(lines[1]["sat"], false);
    let equal = desk
        .run(&["ltlf", "equiv", "a", "a & a", "--format", "json"])
        .json();
    assert_eq!(equal["equivalent"], true);
    let different = desk
        .run(&["ltlf", "equiv", "X a", "WX a", "--format", "json"])
        .json();
    assert_eq!(different["trace"], serde_json::json!([[]]));
}

#[test]
fn every_diagnostic_explains_itself() {
    let desk = Desk::new();
    let list = desk.run(&["explain", "--list"]);
    assert_eq!(list.code, 0);
    for line in list.out.lines() {
        let code = line.split_whitespace().next().unwrap();
        let page = desk.run(&["explain", code]);
        assert_eq!(page.code, 0, "{}", page.shown());
        assert!(
            page.out.starts_with(&format!("# {code} ")),
            "{}",
            page.shown()
        );
    }
}

#[test]
fn the_version() {
    let run = Desk::new().run(&["--version"]);
    assert_eq!(
        (run.code, run.out.trim()),
        (0, concat!("lictor ", env!("CARGO_PKG_VERSION")))
    );
}
