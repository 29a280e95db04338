use super::*;

#[test]
fn reads_both_openai_forms_and_their_effect_marks() {
    let catalog = Catalog::from_json(
        r##"[
          {"type": "function", "x-write": true, "function": {"name": "refund", "parameters":
            {"properties": {"order": {"$ref": "#/$defs/Order"}, "reason": {"enum": ["lost", "late"]}},
             "required": ["order"], "$defs": {"Order": {"type": "string"}}}}},
          {"type": "function", "name": "look_up", "x-tool-type": "read"},
          {"name": "shrug"}]"##,
    )
    .unwrap();
    let refund = catalog.get("refund").unwrap();
    assert!(refund.parameters["order"].required);
    assert_eq!(
        refund.parameters["order"].types(),
        BTreeSet::from(["string"])
    );
    assert_eq!(refund.parameters["reason"].domain().unwrap().len(), 2);
    assert_eq!(refund.effect, Some(Effect::Write));
    assert_eq!(catalog.get("look_up").unwrap().effect, Some(Effect::Read));
    assert_eq!(catalog.get("shrug").unwrap().effect, None);
    assert!(catalog.get("shrug").unwrap().is_write());
}

#[test]
fn field_names_are_learned_from_results() {
    let mut catalog = Catalog::from_json(r#"[{"name": "get_user"}]"#).unwrap();
    let result = r#"{"name": "Ann", "cards": {"card_17": {"brand": "v"}}, "trips": [{"day": 1}]}"#;
    catalog.learn("get_user", &Value::from_json(result).unwrap());
    catalog.learn("unknown", &Value::Null);
    let seen: Vec<&str> = catalog
        .get("get_user")
        .unwrap()
        .seen_fields
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(seen, ["brand", "cards", "day", "name", "trips"]);
}

#[test]
fn what_is_no_catalog_says_why() {
    assert_eq!(Catalog::from_json("[]"), Err(CatalogError::Empty));
    assert_eq!(Catalog::from_json("3"), Err(CatalogError::NotAList));
    assert!(matches!(
        Catalog::from_json("["),
        Err(CatalogError::NotJson(_))
    ));
    assert!(matches!(
        Catalog::from_json(r#"[{"function": {}}]"#),
        Err(CatalogError::NotATool { index: 0, .. })
    ));
    assert_eq!(
        Catalog::from_json(r#"[{"name": "a"}, {"name": "a"}]"#),
        Err(CatalogError::Repeated("a".into()))
    );
    assert_eq!(
        Catalog::from_json(r#"[{"name": "a", "x-write": false, "x-write": true}]"#),
        Err(CatalogError::RepeatedKey("x-write".into()))
    );
}

#[test]
fn a_mark_that_means_nothing_is_no_mark() {
    let unusable = |fields: &str| {
        let text = format!(r#"[{{"name": "t", {fields}}}]"#);
        Catalog::from_json(&text)
            .err()
            .map(|error| error.to_string())
    };
    let check = |fields: &str, key: &str| {
        let error = unusable(fields).unwrap();
        assert!(error.contains("`t`") && error.contains(key), "{error}");
    };
    check(r#""x-write": "yes""#, "x-write");
    check(r#""x-tool-type": "wirte""#, "x-tool-type");
    check(r#""parameters": 5"#, "parameters");
    assert_eq!(unusable(r#""parameters": null"#), None);
    assert_eq!(unusable(r#""x-tool-type": "think""#), None);
}

#[test]
fn a_ring_of_references_ends() {
    let text = r##"[{"name": "t", "parameters": {"properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}}]"##;
    assert!(Catalog::from_json(text).is_ok());
    let fan = vec![r##"{"$ref": "#/$defs/A"}"##; 200].join(", ");
    let text = format!(
        r##"[{{"name": "t", "parameters": {{"properties": {{"a": {{"$ref": "#/$defs/A"}}}},
        "$defs": {{"A": {{"anyOf": [{fan}]}}}}}}}}]"##
    );
    assert!(Catalog::from_json(&text).is_ok());
}

const SCHEMA: &str = r#"{"type": "object", "properties": {"order": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["order", "amount"]}"#;

#[test]
fn every_form_gives_the_same_tool() {
    let forms = [
        r#"[{"type": "function", "function": {"name": "refund", "description": "Pay.", "strict": true, "parameters": SCHEMA}}]"#,
        r#"[{"type": "function", "name": "refund", "description": "Pay.", "parameters": SCHEMA}]"#,
        r#"[{"name": "refund", "description": "Pay.", "input_schema": SCHEMA}]"#,
        r#"[{"name": "refund", "title": "Refund", "description": "Pay.", "inputSchema": SCHEMA}]"#,
        r#"{"tools": [{"name": "refund", "description": "Pay.", "inputSchema": SCHEMA}]}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "refund", "description": "Pay.", "inputSchema": SCHEMA}], "nextCursor": null}}"#,
    ];
    for form in forms {
        let catalog = Catalog::from_json(&form.replace("SCHEMA", SCHEMA)).unwrap();
        let tool = catalog.get("refund").unwrap();
        assert!(tool.parameters["amount"].required, "{form}");
        let types = tool.parameters["amount"].types();
        assert_eq!(types, BTreeSet::from(["integer"]));
        let first = Catalog::from_json(&forms[0].replace("SCHEMA", SCHEMA)).unwrap();
        assert_eq!(tool, first.get("refund").unwrap());
        assert_eq!(catalog.findings(), []);
    }
}

#[test]
fn forms_may_be_mixed_in_one_list() {
    let text = r#"[{"name": "a", "input_schema": {"properties": {"x": {}}}}, {"name": "b", "inputSchema": {"properties": {"y": {}}}},
        {"type": "function", "function": {"name": "c"}}]"#;
    let catalog = Catalog::from_json(text).unwrap();
    assert_eq!(catalog.tool_ids().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert!(catalog.get("b").unwrap().parameters.contains_key("y"));
}

#[test]
fn what_a_server_says_of_itself_is_a_hint() {
    let check = |fields: &str, effect: Option<Effect>, hinted: bool| {
        let text = format!(r#"[{{"name": "t", "inputSchema": {{}}, {fields}}}]"#);
        let catalog = Catalog::from_json(&text).unwrap();
        let tool = catalog.get("t").unwrap();
        assert_eq!((tool.effect, tool.hinted), (effect, hinted), "{fields}");
    };
    let hint = |reads: &str| {
        format!(r#""annotations": {{"readOnlyHint": {reads}, "destructiveHint": true}}"#)
    };
    check(&hint("true"), Some(Effect::Read), true);
    check(&hint("false"), Some(Effect::Write), true);
    check(&hint("null"), None, false);
    check(
        &format!(r#"{}, "x-write": true"#, hint("true")),
        Some(Effect::Write),
        false,
    );
    check(r#""annotations": {}"#, None, false);
}

#[test]
fn an_output_schema_is_the_shape_of_the_value() {
    let text = r##"[{"name": "t", "inputSchema": {}, "outputSchema": {"properties": {"ok": {"$ref": "#/$defs/Yes"}}, "$defs": {"Yes": {"type": "boolean"}}}}]"##;
    let catalog = Catalog::from_json(text).unwrap();
    let shape = catalog.get("t").unwrap().shape.as_ref().unwrap();
    assert_eq!(shape["properties"]["ok"]["type"], "boolean");
}

#[test]
fn servers_keep_tools_of_one_name_apart() {
    let tools = r#"{"server": "corp", "tools": [{"name": "send"}]}"#;
    let mut catalog = Catalog::from_json(tools).unwrap();
    catalog
        .join(Catalog::of_server(tools, Some("news")).unwrap())
        .unwrap();
    catalog
        .join(Catalog::from_json(r#"[{"name": "send"}]"#).unwrap())
        .unwrap();
    let ids: Vec<&str> = catalog.tool_ids().collect();
    assert_eq!(ids, ["corp/send", "news/send", "send"]);
    let tool = catalog.get("news/send").unwrap();
    assert_eq!(
        (tool.server.as_deref(), tool.name.as_str()),
        (Some("news"), "send")
    );
    assert_eq!(
        catalog.join(Catalog::from_json(tools).unwrap()),
        Err(CatalogError::Repeated("corp/send".into()))
    );
    for server in ["", " ", "a/b"] {
        assert!(matches!(
            Catalog::of_server(tools, Some(server)),
            Err(CatalogError::Server(_))
        ));
    }
    let text = r#"{"server": 5, "tools": [{"name": "send"}]}"#;
    assert!(matches!(
        Catalog::from_json(text),
        Err(CatalogError::Server(_))
    ));
}

#[test]
fn what_a_person_should_look_at_is_found() {
    let text = r##"{"result": {"nextCursor": "p2", "tools": [{"name": "a.b"}, {"name": "a_b"},
        {"name": "c", "inputSchema": {"properties": {"where": {"$ref": "#/$defs/Shelf"}}}}]}}"##;
    let findings = Catalog::from_json(text).unwrap().findings();
    let found: Vec<(&str, bool)> = findings
        .iter()
        .map(|it| {
            let words: &[&str] = match it.code.name() {
                "name-collision" => &["`a.b`", "`a_b`", "`a_b` by a host"],
                "dangling-reference" => &["`c`", "`#/$defs/Shelf`"],
                _ => &["nextCursor"],
            };
            (
                it.code.name(),
                words.iter().all(|word| it.message.contains(word)),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("name-collision", true),
            ("dangling-reference", true),
            ("incomplete-catalog", true)
        ]
    );
}

#[test]
fn schemas_that_server_kits_write_are_read() {
    let check = |schema: &str, parameters: &[&str], open: bool| {
        let text = format!(r#"[{{"name": "t", "inputSchema": {schema}}}]"#);
        let catalog = Catalog::from_json(&text).unwrap();
        let tool = catalog.get("t").unwrap();
        let found: Vec<&str> = tool.parameters.keys().map(String::as_str).collect();
        assert_eq!(
            (found.as_slice(), tool.open),
            (parameters, open),
            "{schema}"
        );
    };
    check("{}", &[], false);
    check(r#"{"properties": [], "required": []}"#, &[], false);
    check(r#"{"properties": null}"#, &[], false);
    check(
        r##"{"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": {}}}}}"##,
        &["x"],
        false,
    );
    check(r##"{"$ref": "#/$defs/B"}"##, &[], true);
    check(r#"{"anyOf": [{"properties": {"x": {}}}]}"#, &[], true);
    check(
        r#"{"properties": {"x": true}, "additionalProperties": true}"#,
        &["x"],
        true,
    );
    let refused = |tool: &str| {
        Catalog::from_json(&format!("[{tool}]"))
            .unwrap_err()
            .to_string()
    };
    let check =
        |tool: &str, words: &str| assert!(refused(tool).contains(words), "{}", refused(tool));
    check(
        r#"{"name": "t", "parameters": {"properties": [1]}}"#,
        "`properties`",
    );
    check(
        r#"{"name": "t", "parameters": {}, "input_schema": {}}"#,
        "only schema",
    );
    check(r#"{"name": "t", "inputSchema": "x"}"#, "`inputSchema`");
    check(
        r#"{"name": "t", "annotations": {"readOnlyHint": "yes"}}"#,
        "`readOnlyHint`",
    );
}

const SHOP: &str = r##"{"openapi": "3.1.0", "components": {
      "schemas": {"Order": {"type": "object", "properties": {"id": {"type": "string"}, "total": {"type": "number"}}}},
      "parameters": {"Page": {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}}}},
    "paths": {
      "/orders/{order_id}": {
        "parameters": [{"name": "order_id", "in": "path", "required": true, "description": "Its number.", "schema": {"type": "string"}}],
        "get": {"operationId": "getOrder", "summary": "Read an order.", "parameters": [{"$ref": "#/components/parameters/Page"}],
          "responses": {"404": {}, "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}}},
        "patch": {"operationId": "changeOrder", "requestBody": {"required": true, "content": {"application/json; charset=utf-8": {"schema":
          {"type": "object", "properties": {"status": {"enum": ["open", "sent"]}, "note": {"type": "string"}}, "required": ["status"]}}}}}},
      "/bulk": {"post": {"operationId": "bulk", "requestBody": {"content": {"application/json": {"schema": {"type": "array"}}}}}}}}"##;

#[test]
fn operations_of_an_open_api_document_are_tools() {
    let catalog = Catalog::from_json(SHOP).unwrap();
    let ids: Vec<&str> = catalog.tool_ids().collect();
    assert_eq!(ids, ["bulk", "changeOrder", "getOrder"]);
    let order = catalog.get("getOrder").unwrap();
    assert_eq!((order.effect, order.hinted), (Some(Effect::Read), true));
    assert_eq!(order.description, "Read an order.");
    assert!(order.parameters["order_id"].required);
    assert_eq!(
        order.parameters["order_id"].schema["description"],
        "Its number."
    );
    assert_eq!(order.parameters["page"].default().unwrap(), 1);
    assert_eq!(
        order.shape.as_ref().unwrap()["properties"]["total"]["type"],
        "number"
    );
    let change = catalog.get("changeOrder").unwrap();
    assert_eq!(change.effect, Some(Effect::Write));
    let required = |name: &str| change.parameters[name].required;
    assert_eq!(
        [required("order_id"), required("status"), required("note")],
        [true, true, false]
    );
    assert_eq!(change.parameters["status"].domain().unwrap().len(), 2);
    let bulk = catalog.get("bulk").unwrap();
    assert_eq!(bulk.parameters["body"].types(), BTreeSet::from(["array"]));
    assert_eq!(catalog.findings(), []);
}

#[test]
fn an_open_api_document_that_gives_no_tools_says_why() {
    let check = |text: &str, expected: &str| {
        let error = Catalog::from_json(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(r#"{"swagger": "2.0"}"#, "OpenAPI 3");
    check(r#"{"openapi": "3.0.0"}"#, "no tools");
    check(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}"#,
        "GET /a",
    );
    check(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "x", "parameters": [{}]}}}}"#,
        "parameters",
    );
    check(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "x"}, "post": {"operationId": "x"}}}}"#,
        "twice",
    );
}

/// Every document that has one part of `json` replaced by something else.
fn damaged(json: &Json) -> Vec<Json> {
    let others = [
        Json::Null,
        5.into(),
        "x".into(),
        serde_json::json!([]),
        serde_json::json!({}),
    ];
    let mut all: Vec<Json> = others.to_vec();
    match json {
        Json::Object(fields) => {
            for (name, field) in fields {
                all.extend(damaged(field).into_iter().map(|other| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), other);
                    Json::Object(fields)
                }));
            }
        }
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                all.extend(damaged(item).into_iter().map(|other| {
                    let mut items = items.clone();
                    items[index] = other;
                    Json::Array(items)
                }));
            }
        }
        _ => {}
    }
    all
}

#[test]
fn a_damaged_catalog_never_panics() {
    let mcp = r##"{"server": "s", "result": {"tools": [{"name": "a.b", "description": "d", "annotations": {"readOnlyHint": true},
        "inputSchema": {"properties": {"x": {"$ref": "#/$defs/X"}}, "required": ["x"], "$defs": {"X": {"type": "string"}}},
        "outputSchema": {"type": "object"}}], "nextCursor": "c"}}"##;
    let nested = r#"[{"type": "function", "x-write": true, "function": {"name": "a", "parameters": {"properties": {"x": {"enum": ["y"]}}}}}]"#;
    for text in [SHOP, mcp, nested] {
        let json: Json = serde_json::from_str(text).unwrap();
        let mut read = 0;
        for other in damaged(&json) {
            if let Ok(catalog) = Catalog::from_json(&other.to_string()) {
                let _ = catalog.findings();
                read += 1;
            }
        }
        assert!(read > 0);
    }
}
