//! What a library declares about tools and records, made ready for grounding.
//!
//! A tool's result has forms, records have several suppliers, writes make facts
//! stale, some values are ids, and local times stand in a zone. All of it is
//! read once, when the library is loaded.

use crate::consent::Languages;
use crate::ground::plain_id;
use lictor_contract::declared::{Entity, ParameterRecord, ResultForm};
use lictor_contract::decode;
use lictor_contract::event::{Arguments, Call};
use lictor_contract::language::{Mode, parse_formula, parse_term};
use lictor_contract::library::{Library, ToolRecord};
use lictor_contract::names::{Resolved, ToolNames};
use lictor_contract::predicate::{Formula, Name, Path, Term, ToolPattern, ToolRef};
use lictor_contract::time::Zone;
use lictor_contract::value::{MAX_DEPTH, Value};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What a library declares.
#[derive(Debug)]
pub struct World {
    tools: BTreeMap<String, Tool>,
    names: ToolNames,
    /// The tools whose id no other tool can be called by.
    plain: BTreeSet<String>,
    entities: BTreeMap<String, Entity>,
    ids: BTreeSet<String>,
    zone: Option<Zone>,
    now: Option<Value>,
    languages: Languages,
}

/// What is declared about one tool.
#[derive(Debug)]
struct Tool {
    record: ToolRecord,
    forms: Vec<Form>,
    defaults: BTreeMap<String, Value>,
    /// The kind of record that its value is.
    entity: Option<String>,
}

/// One form of a tool's results.
#[derive(Debug)]
pub struct Form {
    /// Tells the form.
    pub ok: Formula,
    /// From the result to the value that it carries.
    pub value: Path,
}

impl World {
    /// Reads what a library declares.
    ///
    /// # Errors
    /// One sentence about the first thing that cannot be read.
    pub fn new(library: &Library) -> Result<World, String> {
        let mut tools = BTreeMap::new();
        for (id, record) in &library.tools {
            let forms: Result<Vec<Form>, String> = record.results.iter().map(form).collect();
            let forms = forms.map_err(|why| format!("a result form of `{id}` {why}"))?;
            let defaults = record.parameters.iter().filter_map(|(name, parameter)| {
                let default = Value::from_serde(parameter.default.as_ref()?).ok()?;
                (default != Value::Null).then(|| (name.clone(), default))
            });
            let entity = library
                .entities
                .iter()
                .find(|(_, entity)| entity.returned_by.contains(id));
            let tool = Tool {
                forms,
                defaults: defaults.collect(),
                entity: entity.map(|(name, _)| name.clone()),
                record: record.clone(),
            };
            tools.insert(id.clone(), tool);
        }
        let named = library.tools.iter().map(|(id, record)| {
            let server = record.server.as_deref();
            (id.as_str(), server, record.name(id), &record.aliases)
        });
        let names = ToolNames::new(named);
        let plain = library
            .tools
            .keys()
            .filter(|id| names.resolve(id) == Resolved::Tool(id))
            .cloned()
            .collect();
        let zone = library.settings.zone.as_deref().map(Zone::named);
        let lexicon = library.settings.lexicon.iter().map(String::as_str);
        let languages = match library.settings.lexicon.is_empty() {
            true => Languages::default(),
            false => Languages::named(lexicon).map_err(|error| error.to_string())?,
        };
        Ok(World {
            languages,
            tools,
            names,
            plain,
            entities: library.entities.clone(),
            ids: library.ids.clone(),
            zone: zone.transpose().map_err(|error| error.to_string())?,
            now: library.settings.now.clone().map(Value::Text),
        })
    }

    /// The tool that a name stands for.
    pub fn resolve<'w>(&'w self, name: &'w str) -> Resolved<'w> {
        match self.plain.contains(name) {
            true => Resolved::Tool(name),
            false => self.names.resolve(name),
        }
    }

    /// What the library says about a tool.
    pub fn record(&self, tool: &str) -> Option<&ToolRecord> {
        self.tools.get(tool).map(|tool| &tool.record)
    }

    /// Whether arguments and fields of this name are ids, which compare ignoring
    /// case, blanks and a leading `#`.
    pub fn is_id(&self, name: &str) -> bool {
        self.ids.contains(name)
    }

    /// An id in the one form that all its spellings have; other values as they are.
    pub fn canonical(&self, name: &str, value: &Value) -> Value {
        match value {
            Value::Text(text) if self.is_id(name) => Value::Text(plain_id(text)),
            Value::Number(number) => Value::Number(number.normalize()),
            other => other.clone(),
        }
    }

    /// Whether the value of a term is an id, by the name its path ends in.
    pub fn holds_id(&self, term: &Term) -> bool {
        !self.ids.is_empty()
            && term
                .path()
                .and_then(Path::last_field)
                .is_some_and(|name| self.is_id(name))
    }

    /// The languages in which a yes is understood.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// The zone of local times.
    pub fn zone(&self) -> Option<&Zone> {
        self.zone.as_ref()
    }

    /// The present time as the policy states it.
    pub fn now(&self) -> Option<&Value> {
        self.now.as_ref()
    }

    /// Whether values that the tool's results introduce are trusted.
    pub fn trusts(&self, tool: &str) -> bool {
        self.record(tool).is_some_and(|record| record.trusted)
    }

    /// The kind of record that a tool returns, and its name.
    pub fn entity(&self, tool: &str) -> Option<(&str, &Entity)> {
        let name = self.tools.get(tool)?.entity.as_ref()?;
        Some((name, self.entities.get(name)?))
    }

    /// The tools that supply what a look-up asks for: those it names, and those
    /// that return the same record.
    pub fn sources<'p>(&self, tools: &'p ToolPattern) -> Cow<'p, ToolPattern> {
        let mut more = tools
            .names()
            .filter_map(|name| self.entity(name))
            .flat_map(|(_, entity)| &entity.returned_by)
            .peekable();
        if more.peek().is_none() {
            return Cow::Borrowed(tools);
        }
        let more = more.map(|name| ToolRef::Tool(Name::Known(name.clone())));
        ToolPattern::new(tools.alternatives().cloned().chain(more))
            .map_or(Cow::Borrowed(tools), Cow::Owned)
    }

    /// The forms of a tool's results; none if every result carries itself.
    pub fn forms(&self, tool: &str) -> &[Form] {
        self.tools
            .get(tool)
            .map(|tool| tool.forms.as_slice())
            .unwrap_or_default()
    }

    /// A result without the nulls that its tool's declared shape forbids, which
    /// stand for nothing.
    pub fn without_absent(&self, tool: &str, value: Value) -> Value {
        match self.record(tool).and_then(|record| record.shape.as_ref()) {
            Some(shape) => pruned(value, shape, 0),
            None => value,
        }
    }

    /// A call to the tool of this id as its parameters say it is to be read: texts that hold the
    /// object or list they stand for are opened, a null that the schema forbids
    /// is absent, and a default stands where nothing does.
    pub fn read<'c>(&self, call: &'c Call, id: &str) -> Cow<'c, Call> {
        if call.tool != id {
            let renamed = Call {
                tool: id.to_owned(),
                ..call.clone()
            };
            return Cow::Owned(self.read(&renamed, id).into_owned());
        }
        let (Some(tool), Arguments::Read(given)) = (self.tools.get(id), &call.arguments) else {
            return Cow::Borrowed(call);
        };
        let is_plain = |name: &String, value: &Value| {
            let parameter = tool.record.parameters.get(name);
            parameter.is_none_or(|parameter| fits(value, parameter))
        };
        let missing = tool.defaults.keys().any(|name| !given.contains_key(name));
        if !missing && given.iter().all(|(name, value)| is_plain(name, value)) {
            return Cow::Borrowed(call);
        }
        let mut arguments: BTreeMap<String, Value> = BTreeMap::new();
        for (name, value) in given {
            match tool.record.parameters.get(name) {
                Some(parameter) if !fits(value, parameter) => {
                    let opened = match value {
                        Value::Null => None,
                        _ => decode::opened(value, &parameter.types),
                    };
                    arguments.extend(opened.map(|it| (name.clone(), it)));
                }
                _ => {
                    arguments.insert(name.clone(), value.clone());
                }
            }
        }
        for (name, default) in &tool.defaults {
            // A text that could not be opened stands for something that nobody knows.
            let absent = given.get(name).is_none_or(|value| *value == Value::Null);
            if absent && !arguments.contains_key(name) {
                arguments.insert(name.clone(), default.clone());
            }
        }
        Cow::Owned(Call {
            arguments: Arguments::Read(arguments),
            ..call.clone()
        })
    }
}

fn form(form: &ResultForm) -> Result<Form, String> {
    let ok = parse_formula(&form.ok, Mode::Strict)
        .map_err(|error| format!("has no condition: `{}`: {error}", form.ok))?;
    let value = parse_term(&form.value, Mode::Strict)
        .map_err(|error| format!("has no path: `{}`: {error}", form.value))?;
    match value {
        Term::Result(value) => Ok(Form {
            ok: ok.value,
            value,
        }),
        _ => Err(format!(
            "has no path: `{}` does not begin at `result`",
            form.value
        )),
    }
}

/// Whether a value is read as it stands: it is no null that the schema forbids,
/// which stands for an absent argument, and no text where only an object or a list
/// is expected.
fn fits(value: &Value, parameter: &ParameterRecord) -> bool {
    let types = &parameter.types;
    let allows = |name: &str| types.contains(name);
    match value {
        Value::Null => types.is_empty() || allows("null"),
        Value::Text(_) => allows("string") || !(allows("object") || allows("array")),
        _ => true,
    }
}

/// The value without nulls where the shape has no null.
fn pruned(value: Value, shape: &Json, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return value;
    }
    match value {
        Value::Object(fields) => {
            let properties = shape.get("properties");
            let others = shape.get("additionalProperties");
            let kept = fields.into_iter().filter_map(|(name, field)| {
                let part = properties.and_then(|it| it.get(&name)).or(others);
                match part {
                    Some(part) if field == Value::Null && !allows_null(part) => None,
                    Some(part) => Some((name, pruned(field, part, depth + 1))),
                    None => Some((name, field)),
                }
            });
            Value::Object(kept.collect())
        }
        Value::List(items) => match shape.get("items") {
            Some(part) => {
                let items = items.into_iter();
                Value::List(items.map(|item| pruned(item, part, depth + 1)).collect())
            }
            None => Value::List(items),
        },
        other => other,
    }
}

/// Whether a schema lets null through; one that gives no type does.
fn allows_null(schema: &Json) -> bool {
    match schema.get("type") {
        Some(Json::String(name)) => name == "null",
        Some(Json::Array(names)) => names.iter().any(|name| name == "null"),
        _ => true,
    }
}
