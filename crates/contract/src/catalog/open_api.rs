//! The operations of an OpenAPI 3 document as tools.
//!
//! An operation's name is its `operationId`; its arguments are its parameters,
//! whatever part of the request carries them, and the fields of its JSON body.
//! A body that is no object is one argument called `body`.

use super::entry::{self, Entry};
use super::reference::References;
use super::{CatalogError, Effect, Tool};
use serde_json::{Map, Value as Json, json};

/// The methods that operations stand under, and whether HTTP promises that
/// they change nothing.
const METHODS: [(&str, bool); 8] = [
    ("get", true),
    ("head", true),
    ("options", true),
    ("trace", true),
    ("put", false),
    ("post", false),
    ("delete", false),
    ("patch", false),
];

/// Whether the document is OpenAPI of any version.
pub(super) fn is_document(document: &Json) -> bool {
    document.get("openapi").is_some() || document.get("swagger").is_some()
}

/// All operations, in order of paths and methods.
pub(super) fn read(document: &Json, server: Option<&str>) -> Result<Vec<Tool>, CatalogError> {
    if document.get("swagger").is_some() {
        return Err(CatalogError::Swagger);
    }
    let mut tools = Vec::new();
    let paths = document.get("paths").and_then(Json::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for (method, reads) in METHODS {
            if let Some(operation) = item.get(method) {
                let hint = if reads { Effect::Read } else { Effect::Write };
                let at = format!("{} {path}", method.to_uppercase());
                tools.push(tool(document, item, operation, hint, &at, server)?);
            }
        }
    }
    Ok(tools)
}

fn tool(
    document: &Json,
    item: &Json,
    operation: &Json,
    hint: Effect,
    at: &str,
    server: Option<&str>,
) -> Result<Tool, CatalogError> {
    let lacks = |missing| CatalogError::NotAnOperation {
        operation: at.to_owned(),
        missing,
    };
    let name = operation
        .get("operationId")
        .and_then(Json::as_str)
        .filter(|name| !name.is_empty())
        .ok_or_else(|| lacks("`operationId`, which is the tool's name"))?;
    let mut arguments = Arguments::default();
    let mut references = References::into_document(document);
    // What an operation says of a parameter wins over what its path says.
    for parameters in [item, operation].map(|it| it.get("parameters").and_then(Json::as_array)) {
        for parameter in parameters.into_iter().flatten() {
            let parameter = references.inline(parameter);
            let name = parameter.get("name").and_then(Json::as_str);
            let name = name.ok_or_else(|| lacks("name for one of its parameters"))?;
            let required = parameter.get("required") == Some(&Json::Bool(true));
            arguments.add(name, described(&parameter), required);
        }
    }
    if let Some(body) = operation.get("requestBody") {
        let body = references.inline(body);
        let required = body.get("required") == Some(&Json::Bool(true));
        arguments.body(json_content(&body), required);
    }
    let output = responses(operation)
        .and_then(|response| json_content(&references.inline(response)).cloned());
    let words = ["description", "summary"];
    let description = words
        .into_iter()
        .find_map(|key| operation.get(key)?.as_str());
    let schema = json!({
        "type": "object",
        "properties": arguments.properties,
        "required": arguments.required,
    });
    let entry = Entry {
        name,
        description: description.unwrap_or_default(),
        schema: &schema,
        output,
        effect: None,
        hint: Some(hint),
    };
    let mut tool = entry::tool(&entry, document, server)?;
    tool.dangling.extend(references.dangling());
    Ok(tool)
}

#[derive(Default)]
struct Arguments {
    properties: Map<String, Json>,
    required: Vec<String>,
}

impl Arguments {
    fn add(&mut self, name: &str, schema: Json, required: bool) {
        self.required.retain(|other| other != name);
        if required {
            self.required.push(name.to_owned());
        }
        self.properties.insert(name.to_owned(), schema);
    }

    fn body(&mut self, schema: Option<&Json>, required: bool) {
        let Some(properties) = schema.and_then(|it| it.get("properties")?.as_object()) else {
            self.add("body", schema.cloned().unwrap_or(json!({})), required);
            return;
        };
        let list = schema.and_then(|it| it.get("required")?.as_array());
        for (name, property) in properties {
            let listed = list.is_some_and(|it| it.iter().any(|it| it.as_str() == Some(name)));
            self.add(name, property.clone(), required && listed);
        }
    }
}

/// The schema of a parameter, with the parameter's own description.
fn described(parameter: &Json) -> Json {
    let mut schema = match parameter.get("schema").or_else(|| json_content(parameter)) {
        Some(Json::Object(schema)) => schema.clone(),
        _ => Map::new(),
    };
    if let Some(description) = parameter.get("description") {
        schema.insert("description".to_owned(), description.clone());
    }
    Json::Object(schema)
}

/// The schema of the JSON form of a body.
fn json_content(body: &Json) -> Option<&Json> {
    let content = body.get("content")?.as_object()?;
    let is_json = |kind: &str| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind == "application/json" || kind.ends_with("+json")
    };
    content
        .iter()
        .find(|(kind, _)| is_json(kind))
        .and_then(|(_, content)| content.get("schema"))
}

/// What the operation answers when it succeeds.
fn responses(operation: &Json) -> Option<&Json> {
    let responses = operation.get("responses")?.as_object()?;
    let (_, response) = responses
        .iter()
        .find(|(status, _)| status.starts_with('2'))?;
    Some(response)
}
