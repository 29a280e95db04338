use super::*;
use crate::catalog::Catalog;

const TOOLS: &str = r#"[
    {"name": "get_order", "inputSchema": {"properties": {"order_id": {}}, "required": ["order_id"]}, "annotations": {"readOnlyHint": true}},
    {"name": "return_items", "inputSchema": {"properties": {"order_id": {}, "items": {}}}},
    {"name": "purge", "x-write": true},
    {"name": "get.balance", "x-write": false}]"#;

const GOOD: &str = r##"
ids: [order_id, item_id]
tools:
  get_order:
    effect: write
    trusted: true
    shape: {type: object, properties: {total: {type: number, minimum: -1, maximum: 2.5}}, required: [total]}
  get_balance:   # a name as a host writes it
    aliases: [bank.balance]
    results:
      - {ok: "result[0] = true", value: "result[1]"}
      - ok: '!(result matches /^Error/)'
      - {ok: true, value: result}
entities:
  order:
    key: order_id
    returned_by: [get_order]
    invalidated_by:
      return_items: {fields: [status, items], key: order_id}
      purge: {}
"##;

fn catalog() -> Catalog {
    Catalog::from_json(TOOLS).unwrap()
}

fn applied(text: &str) -> Result<Catalog, OverlayError> {
    let mut catalog = catalog();
    catalog.apply(&Overlay::from_text(text)?)?;
    Ok(catalog)
}

#[test]
fn a_good_overlay_is_read_and_applied() {
    let catalog = applied(&GOOD.replace("[0] = true", "[0] == true")).unwrap();
    let order = catalog.get("get_order").unwrap();
    assert_eq!(
        (order.effect, order.hinted, order.trusted),
        (Some(Effect::Write), false, true)
    );
    let shape = order.shape.as_ref().unwrap();
    assert_eq!(shape["properties"]["total"]["maximum"], 2.5);
    assert_eq!(shape["properties"]["total"]["minimum"], -1);
    let balance = catalog.get("get.balance").unwrap();
    let forms: Vec<(&str, &str)> = balance
        .results
        .iter()
        .map(|form| (form.ok.as_str(), form.value.as_str()))
        .collect();
    assert_eq!(
        forms,
        [
            ("result[0] == true", "result[1]"),
            ("!(result matches /^Error/)", "result"),
            ("true", "result")
        ]
    );
    assert_eq!(balance.effect, Some(Effect::Read));
    let order = &catalog.entities["order"];
    assert_eq!(order.returned_by.iter().collect::<Vec<_>>(), ["get_order"]);
    assert_eq!(
        order.invalidated_by["return_items"].key.as_deref(),
        Some("order_id")
    );
    assert!(order.invalidated_by["purge"].fields.is_empty());
    assert!(catalog.ids.contains("item_id"));
}

#[test]
fn json_is_read_the_same_way() {
    let text = r#"{"tools": {"purge": {"effect": "read", "results": [{"value": "result.data"}]}}}"#;
    let catalog = applied(text).unwrap();
    let tool = catalog.get("purge").unwrap();
    assert_eq!(tool.effect, Some(Effect::Read));
    assert_eq!(
        (tool.results[0].ok.as_str(), tool.results[0].value.as_str()),
        ("true", "result.data")
    );
}

/// Expects a mistake in a line, told in these words.
#[track_caller]
fn check(text: &str, line: usize, words: &[&str]) {
    let error = applied(text).unwrap_err();
    assert_eq!(error.position.line, line, "{error}");
    for word in words {
        assert!(
            error.to_string().contains(word),
            "`{word}` is not in `{error}`"
        );
    }
}

#[test]
fn every_mistake_is_told_where_it_stands() {
    check("", 1, &["is empty", "`entities`"]);
    check("[1]", 1, &["a list, not a mapping"]);
    check("ids: [a\n", 1, &["neither YAML nor JSON"]);
    check(
        "ids: [a]\ntolls: {}\n",
        2,
        &["no key `tolls`", "did you mean `tools`"],
    );
    check("ids: [a]\nids: [b]\n", 2, &["`ids` is repeated", "line 1"]);
    check("ids: []\n", 1, &["`ids` is empty"]);
    check("ids:\n", 1, &["`ids` is empty"]);
    check("ids: [a, a]\n", 1, &["`a` twice"]);
    check("ids: [5]\n", 1, &["a number, not a text", "quotes"]);
    check("tools:\n", 1, &["`tools` is empty"]);
    check("tools:\n  purge:\n", 2, &["tool `purge` is empty"]);
    check(
        "tools:\n  purg: {trusted: true}\n",
        2,
        &["no tool `purg`", "did you mean `purge`"],
    );
    check(
        "tools:\n  Purge: {trusted: true}\n",
        2,
        &["no tool `Purge`"],
    );
    check(
        "tools:\n  purge: {efect: read}\n",
        2,
        &["no key `efect`", "`effect`"],
    );
    check(
        "tools:\n  purge: {effect: writes}\n",
        2,
        &["`writes` is no effect", "`write`"],
    );
    check(
        "tools:\n  purge: {trusted: 'yes'}\n",
        2,
        &["`trusted` is a text"],
    );
    check("tools:\n  purge: {shape: [a]}\n", 2, &["`shape` is a list"]);
    check(
        "tools:\n  purge: {shape: {a: 1, a: 2}}\n",
        2,
        &["`a` is repeated"],
    );
    let twice = "tools:\n  get.balance: {effect: read}\n  get_balance: {effect: read}\n";
    check(twice, 3, &["described already", "line 2"]);
}

#[test]
fn forms_of_results_speak_of_the_result_alone() {
    let form = |form: &str| format!("tools:\n  purge:\n    results:\n      - {form}\n");
    check(&form("{}"), 4, &["says nothing"]);
    check(
        &form("{ok: 'result ==', value: result}"),
        4,
        &["`result ==` cannot be read"],
    );
    check(&form("{ok: 'result = 5'}"), 4, &["at `=`", "=="]);
    check(&form("{ok: 'arg.x == 5'}"), 4, &["`arg.x`", "result alone"]);
    check(
        &form("{ok: 'len(last(get_order).x) == 5'}"),
        4,
        &["`last(get_order).x`"],
    );
    check(
        &form("{ok: 'count(call(purge)) > 0'}"),
        4,
        &["`count(call(purge))`"],
    );
    check(&form("{ok: 'ok(purge)'}"), 4, &["`ok(purge)`"]);
    check(&form("{ok: 'F result == 5'}"), 4, &["other events"]);
    check(&form("{ok: false}"), 4, &["a truth value"]);
    check(&form("{ok: !result.x == 5}"), 4, &["for a tag", "quotes"]);
    check(&form("{value: 'result.x + 1'}"), 4, &["no path"]);
    check(&form("{value: 'arg.x'}"), 4, &["no path"]);
    check(&form("{value: 5}"), 4, &["a number"]);
    check(
        "tools:\n  purge: {results: []}\n",
        2,
        &["`results` is empty"],
    );
    check(
        "tools:\n  purge: {results: {ok: 'true'}}\n",
        2,
        &["not a list"],
    );
}

#[test]
fn aliases_belong_to_one_tool() {
    check(
        "tools:\n  purge: {aliases: [get_order]}\n",
        2,
        &["alias `get_order`", "`purge`"],
    );
    let two = "tools:\n  purge: {aliases: [x]}\n  get_order: {aliases: [x]}\n";
    check(two, 2, &["alias `x`", "`get_order` and `purge`"]);
    check(
        "tools:\n  purge: {aliases: []}\n",
        2,
        &["`aliases` is empty"],
    );
}

#[test]
fn entities_name_tools_and_arguments_that_exist() {
    let entity = |rest: &str| format!("entities:\n  order:\n{rest}");
    check("entities:\n  order: {}\n", 2, &["`order` has no `key`"]);
    check(&entity("    key: order_id\n"), 2, &["no `returned_by`"]);
    check(
        &entity("    key: id\n    returned_by: get_ordr\n"),
        4,
        &["`get_ordr`", "`get_order`"],
    );
    let stale = |rest: &str| {
        entity(&format!(
            "    key: order_id\n    returned_by: get_order\n    invalidated_by:\n      {rest}\n"
        ))
    };
    check(
        &stale("retrun_items: {}"),
        6,
        &["`retrun_items`", "`return_items`"],
    );
    check(
        &stale("return_items:"),
        6,
        &["`return_items` of `invalidated_by` is empty"],
    );
    check(
        &stale("return_items: {field: [a]}"),
        6,
        &["no key `field`", "`fields`"],
    );
    check(
        &stale("return_items: {fields: []}"),
        6,
        &["`fields` is empty"],
    );
    check(
        &stale("return_items: {key: oder_id}"),
        6,
        &["no argument `oder_id`", "`order_id`"],
    );
    check(&stale("get_order: {}"), 6, &["`get_order` is a read"]);
    check(
        &stale("return_items: {}\n      return_items: {}"),
        7,
        &["repeated"],
    );
}

#[test]
fn a_failed_overlay_changes_nothing() {
    let mut catalog = catalog();
    let before = catalog.clone();
    let text = "ids: [a]\ntools:\n  purge: {trusted: true}\n  nobody: {trusted: true}\n";
    assert!(catalog.apply(&Overlay::from_text(text).unwrap()).is_err());
    assert_eq!(catalog, before);
}

#[test]
fn a_name_without_a_server_is_found_where_only_one_server_has_it() {
    let of = |server, text| Catalog::of_server(text, Some(server)).unwrap();
    let mut catalog = of("corp", r#"[{"name": "send"}, {"name": "list"}]"#);
    catalog.join(of("news", r#"[{"name": "send"}]"#)).unwrap();
    let mut apply = |text: &str| catalog.apply(&Overlay::from_text(text).unwrap());
    assert_eq!(
        apply("tools:\n  list: {trusted: true}\n  news/send: {trusted: true}\n"),
        Ok(())
    );
    let error = apply("tools:\n  send: {trusted: true}\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("`corp/send` or `news/send`"), "{error}");
    let error = apply("tools:\n  sent: {trusted: true}\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("did you mean `send`"), "{error}");
    assert!(catalog.get("corp/list").unwrap().trusted);
    assert!(catalog.get("news/send").unwrap().trusted);
}

#[test]
fn half_an_overlay_never_panics() {
    for end in 0..GOOD.len() {
        if let Some(text) = GOOD.get(..end) {
            let _ = applied(text);
        }
    }
    let deep = format!("tools: {}", "[".repeat(100_000));
    assert!(Overlay::from_text(&deep).is_err());
}
