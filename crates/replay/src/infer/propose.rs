//! What was learned, as lines of an overlay with their evidence.

use super::change::{Change, Changes, Source};
use super::effect::words;
use super::print::{Page, list, quoted, shown, word};
use super::record::{Record, free_name};
use super::shape::Shape;
use super::survey::{Survey, ToolSurvey};
use lictor_contract::catalog::{Catalog, Effect};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Fewest values from which a shape is proposed.
const FEWEST_VALUES: u64 = 3;

/// The overlay.
pub(super) fn overlay(
    catalog: &Catalog,
    survey: &Survey<'_>,
    records: &[Record<'_>],
    changes: &Changes<'_>,
) -> String {
    let mut page = Page::default();
    page.comment(
        0,
        &format!(
            "Proposed from {} recorded runs. Each line says what speaks for it; keep what is true.",
            survey.runs
        ),
    );
    page.comment(
        0,
        "Whom to trust no recording tells: add `trusted: true` to tools whose results nobody else writes.",
    );
    remarks(&mut page, survey, changes);
    let mut said = ids(&mut page, catalog, survey);
    said |= tools(&mut page, survey, records, changes);
    said |= entities(&mut page, catalog, survey, records, changes);
    if !said {
        page.comment(0, "Nothing else is known.");
        page.line(0, "{}");
    }
    page.text()
}

/// What is worth knowing but is no line of an overlay.
fn remarks(page: &mut Page, survey: &Survey<'_>, changes: &Changes<'_>) {
    let mut texts = 0;
    for (name, count) in &survey.unknown {
        if name.trim().contains(char::is_whitespace) {
            texts += count;
            continue;
        }
        let lower = name.to_lowercase();
        let near = survey.tools.keys().find(|id| id.to_lowercase() == lower);
        let near = near.map_or_else(String::new, |id| {
            format!("; if it is {}, add it to its `aliases`", shown(id))
        });
        let (name, times) = (shown(name), times(*count));
        let remark = format!("{name} is no tool of the catalog and was called {times}{near}.");
        page.comment(0, &remark);
    }
    if texts > 0 {
        let times = times(texts);
        page.comment(
            0,
            &format!("A text that is no name stood for a tool {times}."),
        );
    }
    let never = survey.tools.iter().filter(|(_, tool)| tool.answers == 0);
    let never: Vec<String> = never.map(|(id, _)| shown(id)).collect();
    if !never.is_empty() {
        page.comment(
            0,
            &format!("Never answered in these runs: {}.", never.join(", ")),
        );
    }
    for (id, tool) in &survey.tools {
        let is_open = tool.tool.effect.is_none() || tool.tool.hinted;
        let suspicious = changes.after_a_read(id);
        if let Some(count) = suspicious.filter(|_| tool.effect() == Some(Effect::Read)) {
            let remark = format!(
                "{} is taken for a read, but {} after it with no write in between: see whether it changes something.",
                shown(id),
                readings_differ(count)
            );
            page.comment(0, &remark);
        } else if is_open && tool.guess.effect.is_none() {
            let evidence = &tool.guess.evidence;
            page.comment(
                0,
                &format!(
                    "{} has no effect class and counts as a write: {evidence}.",
                    shown(id)
                ),
            );
        }
    }
}

/// `once`, `2 times`.
fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// `1 reading differs`, `2 readings differ`.
fn readings_differ(count: u64) -> String {
    match count {
        1 => "1 reading differs".to_owned(),
        count => format!("{count} readings differ"),
    }
}

fn ids(page: &mut Page, catalog: &Catalog, survey: &Survey<'_>) -> bool {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for (name, spelling) in survey.spellings.varied() {
        let all = spelling.same + spelling.other;
        let evidence = format!(
            "{} of {all} arguments differ from the value they name in case, blanks or `#` alone",
            spelling.other
        );
        for field in &spelling.fields {
            let evidence = format!("the field that `{name}` names");
            lines.entry(field.clone()).or_insert(evidence);
        }
        lines.insert(name.to_owned(), evidence);
    }
    lines.retain(|name, _| !catalog.ids.contains(name) && !name.trim().is_empty());
    if !lines.is_empty() {
        page.line(0, "ids:");
        for (name, evidence) in &lines {
            page.because(1, &format!("- {}", word(name)), evidence);
        }
    }
    !lines.is_empty()
}

fn tools(
    page: &mut Page,
    survey: &Survey<'_>,
    records: &[Record<'_>],
    changes: &Changes<'_>,
) -> bool {
    let mut said = false;
    let mut shapes = Shapes::of(survey, records);
    for (id, tool) in &survey.tools {
        let mut own = Page::default();
        effect(&mut own, id, tool, changes);
        results(&mut own, tool);
        shapes.print(&mut own, id, tool);
        let own = own.text();
        if own.is_empty() {
            continue;
        }
        if !said {
            page.line(0, "tools:");
        }
        said = true;
        page.line(1, &format!("{}:", word(id)));
        for line in own.lines() {
            page.line(2, line);
        }
    }
    said
}

fn effect(page: &mut Page, id: &str, tool: &ToolSurvey<'_>, changes: &Changes<'_>) {
    if tool.tool.effect.is_some() && !tool.tool.hinted {
        return;
    }
    let Some(effect) = tool.guess.effect else {
        return;
    };
    let mut evidence = tool.guess.evidence.clone();
    match effect {
        Effect::Read => {
            // A read after which things differ is told as a remark, and stays unclassed.
            if changes.after_a_read(id).is_some() {
                return;
            }
            page.because(0, "effect: read", &evidence);
        }
        Effect::Write => {
            let changed = changes.after(id);
            if changed > 0 {
                evidence.push_str(&format!(", and {} after it", readings_differ(changed)));
            }
            page.because(0, "effect: write", &evidence);
        }
    }
}

fn results(page: &mut Page, tool: &ToolSurvey<'_>) {
    if !tool.tool.results.is_empty() {
        return;
    }
    let forms = tool.results.forms(tool.reads());
    if forms.is_empty() {
        return;
    }
    page.line(0, "results:");
    let unfit = tool.results.unfit(tool.reads());
    if !unfit.is_empty() {
        let unfit = unfit.join(", ");
        page.comment(
            1,
            &format!("fit none of these and so count as errors: {unfit}"),
        );
    }
    for proposed in forms {
        let (ok, value) = (quoted(&proposed.form.ok), quoted(&proposed.form.value));
        let line = format!("- {{ok: {ok}, value: {value}}}");
        page.because(1, &line, &proposed.evidence);
    }
}

/// The shapes of values; tools that return one record share one.
struct Shapes<'a> {
    shared: BTreeMap<&'a str, (String, Shape)>,
    /// What is printed already, and how it is referred to.
    anchors: BTreeMap<String, String>,
}

impl<'a> Shapes<'a> {
    fn of(survey: &Survey<'a>, records: &[Record<'a>]) -> Self {
        let mut shared = BTreeMap::new();
        for record in records.iter().filter(|it| it.returned_by.len() > 1) {
            let mut joined = Shape::default();
            for tool in record.returned_by.keys() {
                if let Some(tool) = survey.tools.get(tool) {
                    joined.merge(&tool.shape);
                }
            }
            for tool in record.returned_by.keys() {
                shared.insert(*tool, (record.name.clone(), joined.clone()));
            }
        }
        Shapes {
            shared,
            anchors: BTreeMap::new(),
        }
    }

    fn print(&mut self, page: &mut Page, id: &str, tool: &ToolSurvey<'_>) {
        if tool.tool.shape.is_some() {
            return;
        }
        if let Some((name, shape)) = self.shared.get(id) {
            if let Some(anchor) = self.anchors.get(name) {
                page.line(0, &format!("shape: *{anchor}"));
                return;
            }
            let anchor = match name.is_ascii() {
                true => name.clone(),
                false => format!("record_{}", self.anchors.len() + 1),
            };
            let evidence = format!("{} values of all tools that return the record", shape.seen);
            page.anchored(0, "shape", &anchor, &shape.schema(), &evidence);
            self.anchors.insert(name.clone(), anchor);
            return;
        }
        let schema = tool.shape.schema();
        let says_little = match schema.get("type") {
            Some(Json::String(only)) => only == "string" || only == "boolean",
            Some(_) => false,
            None => true,
        };
        if !says_little && tool.shape.seen >= FEWEST_VALUES {
            page.data(0, "shape", &schema, &format!("{} values", tool.shape.seen));
        }
    }
}

/// One kind of record as it is printed.
struct Entity<'a> {
    name: String,
    key: String,
    returned_by: Vec<(&'a str, String)>,
    invalidated_by: Vec<(&'a str, Change)>,
}

fn entities<'a>(
    page: &mut Page,
    catalog: &Catalog,
    survey: &Survey<'a>,
    records: &[Record<'a>],
    changes: &Changes<'a>,
) -> bool {
    let mut names: BTreeSet<String> = records.iter().map(|it| it.name.clone()).collect();
    let mut entities = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let invalidated_by = changes.of(Source::Record(index));
        if record.returned_by.len() > 1 || !invalidated_by.is_empty() {
            let returned_by = record.returned_by.iter();
            entities.push(Entity {
                name: record.name.clone(),
                key: record.key.clone(),
                returned_by: returned_by
                    .map(|(tool, why)| (*tool, why.clone()))
                    .collect(),
                invalidated_by,
            });
        }
    }
    for id in survey.tools.keys() {
        let invalidated_by = changes.of(Source::Tool(id));
        let Some(key) = best_key(&invalidated_by) else {
            continue;
        };
        let values = survey.tools.get(id).map_or(0, |tool| tool.shape.seen);
        entities.push(Entity {
            name: free_name(subject(id), &mut names),
            returned_by: vec![(*id, format!("{values} values, looked up by `{key}`"))],
            key,
            invalidated_by,
        });
    }
    entities.retain(|entity| !catalog.entities.contains_key(&entity.name));
    if !entities.is_empty() {
        page.line(0, "entities:");
        for entity in &entities {
            print(page, survey, entity);
        }
    }
    !entities.is_empty()
}

fn print(page: &mut Page, survey: &Survey<'_>, entity: &Entity<'_>) {
    page.line(1, &format!("{}:", word(&entity.name)));
    page.line(2, &format!("key: {}", word(&entity.key)));
    page.line(2, "returned_by:");
    for (tool, evidence) in &entity.returned_by {
        page.because(3, &format!("- {}", word(tool)), evidence);
    }
    if entity.invalidated_by.is_empty() {
        return;
    }
    page.line(2, "invalidated_by:");
    for (write, change) in &entity.invalidated_by {
        let mut parts = Vec::new();
        let fields: Vec<&str> = change.usual_fields().collect();
        if !fields.is_empty() {
            parts.push(format!("fields: {}", list(fields)));
        }
        let argument = change.argument(&entity.key);
        let rival =
            argument.and_then(|argument| rival(survey.tools.get(write)?, argument, &entity.key));
        // One key cannot say that two records are stale.
        let argument = argument.filter(|_| rival.is_none());
        parts.extend(
            argument
                .iter()
                .map(|argument| format!("key: {}", word(argument))),
        );
        let line = format!("{}: {{{}}}", word(write), parts.join(", "));
        let all = change.changed + change.same;
        let mut evidence = format!("{} of {all} readings differ after it", change.changed);
        if let Some(rival) = rival {
            let rival = shown(rival);
            evidence.push_str(&format!(
                "; {rival} may name another, so every one is stale"
            ));
        } else if argument.is_none() {
            evidence.push_str("; its arguments do not name the record, so every one is stale");
        }
        page.because(3, &line, &evidence);
    }
}

/// Another argument that by its name may hold the key of such a record, too:
/// `destination_user` beside `user`.
fn rival<'t>(tool: &'t ToolSurvey<'_>, argument: &str, key: &str) -> Option<&'t str> {
    let key: Vec<String> = words(key).collect();
    let names = tool.tool.parameters.keys().map(String::as_str);
    names.filter(|name| *name != argument).find(|name| {
        let name: Vec<String> = words(name).collect();
        name.ends_with(&key)
    })
}

/// The argument that plain values are looked up by and that most writes name.
fn best_key(changes: &[(&str, Change)]) -> Option<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, change) in changes {
        for ((key, _), count) in &change.keys {
            *counts.entry(key).or_default() += count;
        }
    }
    let best = counts
        .into_iter()
        .max_by_key(|(key, count)| (*count, std::cmp::Reverse(*key)));
    best.map(|(key, _)| key.to_owned())
}

/// What a tool reads, by its name without server and verb.
fn subject(id: &str) -> String {
    let name = id.rsplit('/').next().unwrap_or(id);
    let all: Vec<String> = words(name).collect();
    let verb = [
        "get", "read", "show", "view", "fetch", "list", "check", "find", "retrieve", "internal",
    ];
    let subject: Vec<String> = all
        .iter()
        .filter(|word| !verb.contains(&word.as_str()))
        .cloned()
        .collect();
    match subject.is_empty() {
        true => all.join("_"),
        false => subject.join("_"),
    }
}
