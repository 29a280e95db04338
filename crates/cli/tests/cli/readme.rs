//! What the README shows is what the command prints.

use crate::support::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Each line of the shown output stands in the whole output, in this order; a
/// line `…` stands for what was left out.
#[test]
fn the_shown_output_is_real() {
    let readme = read("README.md");
    let (_, shown) = readme
        .split_once("<!-- output -->\n\n```\n")
        .unwrap_or_default();
    let (shown, _) = shown.split_once("```").unwrap_or_default();
    assert!(shown.lines().count() > 20, "the README shows no output");
    let whole = read("docs/order-desk.txt");
    let mut rest = whole.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(
            rest.any(|real| real == line),
            "not in docs/order-desk.txt, or not in this order: {line}"
        );
    }
}

/// Every file and command that the README names exists.
#[test]
fn what_the_readme_names_exists() {
    let readme = read("README.md");
    for path in [
        "policies/order-desk.md",
        "tool-schemas/order-desk.json",
        "tests/transcripts/order-desk.jsonl",
        "compiled/order-desk.json",
        "docs/order-desk.txt",
        "docs/language.md",
        "docs/transcripts.md",
        "docs/library.schema.json",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    ] {
        assert!(readme.contains(path), "the README does not name {path}");
        assert!(root().join(path).exists(), "{path}");
    }
}
