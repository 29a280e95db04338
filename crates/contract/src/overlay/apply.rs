//! Holding an overlay against a catalog.

use super::{EntityPart, Overlay, OverlayError, Word};
use crate::catalog::{Catalog, Effect};
use crate::declared::{Entity, Invalidation};
use crate::language::nearest;
use crate::names::{Resolved, ToolNames};
use std::collections::BTreeMap;

impl Catalog {
    /// Adds what an overlay says; it wins over what the catalog said before.
    ///
    /// # Errors
    /// The first mistake, and then nothing is added: a tool or an argument that
    /// the catalog does not have, a name without a server that two servers have,
    /// a tool described twice, an alias that is another tool's name or alias, or a
    /// read that is said to make records stale.
    pub fn apply(&mut self, overlay: &Overlay) -> Result<(), OverlayError> {
        let mut next = self.clone();
        let names = self.tool_names();
        let mut described: BTreeMap<String, &Word> = BTreeMap::new();
        for (word, part) in &overlay.tools {
            let id = tool_id(&names, word)?;
            if let Some(first) = described.insert(id.to_owned(), word) {
                let message = format!("`{}` is `{id}`, which is described already", word.text);
                let help = format!("join it with `{}` in line {}", first.text, first.at.line);
                return Err(OverlayError::new(word.at, message, help));
            }
            let Some(tool) = next.get_mut(id) else {
                continue;
            };
            if let Some(effect) = part.effect {
                tool.effect = Some(effect);
                tool.hinted = false;
            }
            for alias in &part.aliases {
                tool.aliases.insert(alias.text.clone());
            }
            tool.trusted = part.trusted.unwrap_or(tool.trusted);
            if let Some(results) = &part.results {
                tool.results.clone_from(results);
            }
            if part.shape.is_some() {
                tool.shape.clone_from(&part.shape);
            }
        }
        check_aliases(overlay, &next)?;
        for (name, part) in &overlay.entities {
            let entity = entity(part, &names, &next)?;
            next.entities.insert(name.clone(), entity);
        }
        next.ids.extend(overlay.ids.iter().cloned());
        *self = next;
        Ok(())
    }
}

/// The tool that a name in the overlay means.
fn tool_id<'a>(names: &'a ToolNames, word: &Word) -> Result<&'a str, OverlayError> {
    if let Some(id) = names.id(&word.text) {
        return Ok(id);
    }
    match names.resolve(&word.text) {
        Resolved::Tool(id) => Ok(id),
        Resolved::Ambiguous(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
            let message = format!("`{}` may be {}", word.text, ids.join(" or "));
            Err(OverlayError::new(
                word.at,
                message,
                "name the one that is meant",
            ))
        }
        Resolved::Unknown => {
            let help = match nearest(&word.text, names.known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a tool of the catalog".to_owned(),
            };
            let message = format!("the catalog has no tool `{}`", word.text);
            Err(OverlayError::new(word.at, message, help))
        }
    }
}

/// An alias settles what a name means, so it must not be what another tool is
/// called already.
fn check_aliases(overlay: &Overlay, next: &Catalog) -> Result<(), OverlayError> {
    let names = next.tool_names();
    let aliases = overlay.tools.iter().flat_map(|(_, part)| &part.aliases);
    for alias in aliases {
        if let Resolved::Ambiguous(ids) = names.resolve(&alias.text) {
            let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
            let message = format!("the alias `{}` would be {}", alias.text, ids.join(" and "));
            let help = "give the alias to one tool, and do not use another tool's name";
            return Err(OverlayError::new(alias.at, message, help));
        }
    }
    Ok(())
}

fn entity(part: &EntityPart, names: &ToolNames, next: &Catalog) -> Result<Entity, OverlayError> {
    let mut entity = Entity {
        key: part.key.clone(),
        ..Entity::default()
    };
    for word in &part.returned_by {
        entity.returned_by.insert(tool_id(names, word)?.to_owned());
    }
    for (word, part) in &part.invalidated_by {
        let id = tool_id(names, word)?;
        let Some(tool) = next.get(id) else {
            continue;
        };
        if tool.effect == Some(Effect::Read) {
            let message = format!("`{id}` is a read, so it makes no record stale");
            let help = "remove it here, or give it `effect: write`";
            return Err(OverlayError::new(word.at, message, help));
        }
        if let Some(key) = &part.key
            && !tool.open
            && !tool.parameters.contains_key(&key.text)
        {
            let parameters = tool.parameters.keys().map(String::as_str);
            let help = match nearest(&key.text, parameters) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "name the argument that holds the record's key, or leave `key` out".to_owned()
                }
            };
            let message = format!("`{id}` has no argument `{}`", key.text);
            return Err(OverlayError::new(key.at, message, help));
        }
        let invalidation = Invalidation {
            fields: part.fields.clone(),
            key: part.key.as_ref().map(|key| key.text.clone()),
        };
        if entity
            .invalidated_by
            .insert(id.to_owned(), invalidation)
            .is_some()
        {
            let message = format!("`{}` is `{id}`, which is listed already", word.text);
            return Err(OverlayError::new(word.at, message, "keep one"));
        }
    }
    Ok(entity)
}
