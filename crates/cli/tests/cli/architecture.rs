//! The import directions of the workspace, read from the manifests.
//!
//! Two edges are the safety argument and must never appear, not even through
//! another crate: the gate reaches no pass with a model and no compiler, and
//! extraction and compilation meet only in the contract crate.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What each crate may import directly.
const ALLOWED: &[(&str, &[&str])] = &[
    ("lictor-ltlf", &[]),
    ("lictor-contract", &["lictor-ltlf"]),
    ("lictor-monitor", &["lictor-contract", "lictor-ltlf"]),
    ("lictor-compile", &["lictor-contract", "lictor-ltlf"]),
    ("lictor-extract", &["lictor-contract", "lictor-ltlf"]),
    (
        "lictor-replay",
        &["lictor-monitor", "lictor-contract", "lictor-ltlf"],
    ),
    (
        "lictor-gate",
        &["lictor-monitor", "lictor-contract", "lictor-ltlf"],
    ),
    (
        "lictor-review",
        &[
            "lictor-replay",
            "lictor-compile",
            "lictor-monitor",
            "lictor-contract",
            "lictor-ltlf",
        ],
    ),
    (
        "lictor",
        &[
            "lictor-ltlf",
            "lictor-contract",
            "lictor-monitor",
            "lictor-compile",
            "lictor-extract",
            "lictor-replay",
            "lictor-review",
            "lictor-gate",
        ],
    ),
];

/// The crates of the workspace and what each of them imports, tests left out.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut imports = BTreeMap::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let text = std::fs::read_to_string(manifest).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        let own = manifest
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .map(|table| {
                table
                    .keys()
                    .filter(|key| key.starts_with("lictor"))
                    .cloned()
                    .collect()
            })
            .unwrap_or_default();
        imports.insert(name, own);
    }
    imports
}

/// Everything a crate reaches through imports.
fn reach(imports: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for import in imports.get(&next).into_iter().flatten() {
            if reached.insert(import.clone()) {
                open.push(import.clone());
            }
        }
    }
    reached
}

#[test]
fn imports_run_one_way() {
    let imports = imports();
    let names: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names, known,
        "the table of allowed imports lists other crates than the workspace"
    );
    for (name, allowed) in ALLOWED {
        for import in &imports[*name] {
            assert!(
                allowed.contains(&import.as_str()),
                "{name} must not import {import}"
            );
        }
    }
}

#[test]
fn no_model_on_the_enforcement_path() {
    let imports = imports();
    for reached in reach(&imports, "lictor-gate") {
        assert!(
            !["lictor-extract", "lictor-compile"].contains(&reached.as_str()),
            "the gate reaches {reached}"
        );
    }
}

#[test]
fn extraction_and_compilation_meet_only_in_the_contract_crate() {
    let imports = imports();
    assert!(!reach(&imports, "lictor-extract").contains("lictor-compile"));
    assert!(!reach(&imports, "lictor-compile").contains("lictor-extract"));
}
