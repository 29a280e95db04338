//! Where a document keeps its tools, and whose they are.

use super::{Catalog, CatalogError, Tool, entry, open_api};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Reads the tools of a document. The given server wins over the one that the
/// document names.
pub(super) fn read(document: &Json, server: Option<&str>) -> Result<Catalog, CatalogError> {
    let own = document.get("server").filter(|it| !it.is_null());
    let own = match own {
        Some(Json::String(name)) => Some(name.as_str()),
        Some(other) => return Err(CatalogError::Server(other.to_string())),
        None => None,
    };
    let server = server.or(own);
    if let Some(name) = server.filter(|name| name.trim().is_empty() || name.contains('/')) {
        return Err(CatalogError::Server(name.to_owned()));
    }
    let (tools, continued) = if open_api::is_document(document) {
        (open_api::read(document, server)?, false)
    } else {
        let (list, continued) = entries(document)?;
        let tools = list.iter().enumerate();
        let tools: Result<Vec<Tool>, _> = tools
            .map(|(index, item)| entry::read(index, item, server))
            .collect();
        (tools?, continued)
    };
    if tools.is_empty() {
        return Err(CatalogError::Empty);
    }
    let mut catalog = Catalog {
        tools: BTreeMap::new(),
        continued: BTreeSet::new(),
        ..Catalog::default()
    };
    if continued {
        catalog
            .continued
            .insert(server.unwrap_or_default().to_owned());
    }
    for tool in tools {
        let id = tool.id.clone();
        if catalog.tools.insert(id.clone(), tool).is_some() {
            return Err(CatalogError::Repeated(id));
        }
    }
    Ok(catalog)
}

/// The entries of a list, and whether the server has more of them.
fn entries(document: &Json) -> Result<(&[Json], bool), CatalogError> {
    if let Json::Array(list) = document {
        return Ok((list, false));
    }
    // An answer to `tools/list` carries the object with the list.
    let holder = match document.get("result") {
        Some(result) if document.get("tools").is_none() => result,
        _ => document,
    };
    let list = holder.get("tools").and_then(Json::as_array);
    let list = list.ok_or(CatalogError::NotAList)?;
    let more = holder.get("nextCursor").and_then(Json::as_str);
    Ok((list, more.is_some_and(|cursor| !cursor.is_empty())))
}
