//! `docs/catalog.md` shows overlays that are overlays.

use lictor_contract::catalog::Catalog;
use lictor_contract::overlay::Overlay;

const PAGE: &str = include_str!("../../../docs/catalog.md");

/// The tools that the page's examples speak of.
const TOOLS: &str = r#"[{"name": "get_balance"}, {"name": "get_order"}, {"name": "cancel_order"}, {"name": "purge"},
    {"name": "return_items", "parameters": {"properties": {"order_id": {}}}}]"#;

#[test]
fn the_overlay_on_the_page_can_be_applied() {
    let blocks = PAGE.split("```").skip(1).step_by(2);
    let overlays: Vec<&str> = blocks
        .filter_map(|block| block.strip_prefix("yaml\n"))
        .filter(|block| block.starts_with("ids:"))
        .collect();
    assert_eq!(overlays.len(), 1);
    for text in overlays {
        let mut catalog = Catalog::from_json(TOOLS).unwrap();
        catalog.apply(&Overlay::from_text(text).unwrap()).unwrap();
        assert!(catalog.get("get_balance").unwrap().trusted);
        assert_eq!(catalog.entities["order"].invalidated_by.len(), 2);
    }
}

#[test]
fn the_page_names_every_key() {
    for key in [
        "ids",
        "tools",
        "effect",
        "aliases",
        "trusted",
        "results",
        "ok",
        "value",
        "shape",
        "entities",
        "key",
        "returned_by",
        "invalidated_by",
        "fields",
    ] {
        assert!(PAGE.contains(&format!("{key}:")), "{key}");
    }
}
