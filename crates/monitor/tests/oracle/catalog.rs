//! The tools that scripts use, what is declared about them, and the library made of it.

use super::clock;
use lictor_contract::catalog::Effect;
use lictor_contract::contract::{Contract, Evidence, Strategy as Remedy};
use lictor_contract::declared::{Entity, Invalidation, ParameterRecord, ResultForm};
use lictor_contract::event::Arguments;
use lictor_contract::library::{FORMAT, Library, Provenance, Settings, ToolRecord};
use lictor_contract::rule::Kind;
use lictor_contract::value::Value;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::collections::{BTreeMap, BTreeSet};

/// Every tool; the first three only read.
pub const TOOLS: [&str; 6] = ["look", "peek", "whois", "act", "pay", "touch"];

/// One contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub assumption: String,
    pub guarantee: String,
    pub for_each: Vec<&'static str>,
}

impl Rule {
    pub fn of(guarantee: impl Into<String>) -> Rule {
        Rule {
            assumption: "true".to_owned(),
            guarantee: guarantee.into(),
            for_each: Vec::new(),
        }
    }
}

/// What a write changes of one kind of record.
#[derive(Clone, Debug)]
pub struct Change {
    pub write: &'static str,
    /// None for all of it.
    pub fields: Vec<&'static str>,
    /// The argument with the record's key; none where it may be any record.
    pub key: Option<&'static str>,
}

/// A kind of record.
#[derive(Clone, Debug)]
pub struct Record {
    pub key: &'static str,
    pub returned_by: Vec<&'static str>,
    pub changes: Vec<Change>,
}

/// A parameter's types, and what stands for it where it is absent.
pub type Parameter = (&'static [&'static str], Option<&'static str>);

/// What a library declares.
#[derive(Clone, Debug)]
pub struct Catalog {
    pub records: Vec<Record>,
    pub ids: Vec<&'static str>,
    /// Of `look`: condition and path.
    pub forms: Vec<(&'static str, &'static str)>,
    /// Whether an `s` that is null is no `s`, in what `look` answers.
    pub no_null: bool,
    /// Of `n`, for every tool but `whois`.
    pub amount: Parameter,
    pub trusted: Vec<&'static str>,
    pub zone: Option<&'static str>,
    pub now: Option<&'static str>,
}

/// Where nothing is declared.
pub fn plain() -> Catalog {
    Catalog {
        records: Vec::new(),
        ids: Vec::new(),
        forms: Vec::new(),
        no_null: false,
        amount: (&[], None),
        trusted: Vec::new(),
        zone: None,
        now: None,
    }
}

/// Any catalog.
pub fn catalog() -> impl Strategy<Value = Catalog> {
    let forms = select(vec![
        vec![],
        vec![],
        vec![("true", "result")],
        vec![
            ("result.ok == true", "result.value"),
            ("known(result.n)", "result"),
        ],
        vec![
            ("result[0] == true", "result[1]"),
            ("result.ok == true & result.value.n < 3", "result.value"),
        ],
    ]);
    let amount = select(vec![
        (&[] as &[&str], None),
        (&["number"], None),
        (&["number"], Some("1")),
        (&["number", "null"], Some("2")),
    ]);
    let trusted = select(vec![vec![], vec!["peek"], vec!["look", "whois"]]);
    let ids = select(vec![vec![], vec!["key"], vec!["key"], vec!["key", "s"]]);
    let zone = select(vec![
        None,
        None,
        Some("UTC"),
        Some("+02:00"),
        Some("-05:00"),
    ]);
    let now = select(vec![None, None, None, Some("2024-05-01T13:00:00Z")]);
    let settings = (zone, now);
    (
        records(),
        ids,
        forms,
        any::<bool>(),
        amount,
        trusted,
        settings,
    )
        .prop_map(
            |(records, ids, forms, no_null, amount, trusted, (zone, now))| Catalog {
                records,
                ids,
                forms,
                no_null,
                amount,
                trusted,
                zone,
                now,
            },
        )
}

/// What the items are that `look` returns, and the persons of `whois`.
pub fn records() -> impl Strategy<Value = Vec<Record>> {
    let change = |writes: Vec<&'static str>, key: &'static str| {
        let fields = select(vec![vec![], vec!["n"], vec!["n", "rows"], vec!["s"]]);
        let key = select(vec![Some(key), Some(key), None]);
        (select(writes), fields, key).prop_map(|(write, fields, key)| Change { write, fields, key })
    };
    let others = subsequence(vec!["peek", "pay", "act"], 0..=2);
    let item = (
        others,
        vec(change(vec!["act", "pay", "touch"], "key"), 0..3),
    );
    let person = vec(change(vec!["act", "touch"], "who"), 0..2);
    (item, person).prop_map(|((others, mut changes), persons)| {
        changes.sort_by_key(|change| change.write);
        changes.dedup_by_key(|change| change.write);
        vec![
            Record {
                key: "key",
                returned_by: ["look"].into_iter().chain(others).collect(),
                changes,
            },
            Record {
                key: "who",
                returned_by: vec!["whois"],
                changes: persons,
            },
        ]
    })
}

impl Catalog {
    /// The parameters of a tool by their names.
    pub fn parameters(&self, tool: &str) -> BTreeMap<&'static str, Parameter> {
        let mut parameters: BTreeMap<&'static str, Parameter> = BTreeMap::from([
            ("who", (&[] as &[&str], None)),
            ("s", (&["string"], None)),
            ("at", (&["string"], None)),
        ]);
        if tool != "whois" {
            parameters.insert("key", (&[], None));
            parameters.insert("n", self.amount);
            parameters.insert("list", (&["array"], None));
            parameters.insert("where", (&["string"], None));
        }
        parameters
    }

    /// What a call's arguments say; none where they cannot be read.
    pub fn read(&self, tool: &str, arguments: &Arguments) -> Option<BTreeMap<String, Value>> {
        let Arguments::Read(given) = arguments else {
            return None;
        };
        let parameters = self.parameters(tool);
        let mut read = BTreeMap::new();
        for (name, value) in given {
            let types: &[&str] = parameters.get(name.as_str()).map_or(&[], |it| it.0);
            if types.is_empty() {
                read.insert(name.clone(), value.clone());
                continue;
            }
            let declared = |kind: &str| types.contains(&kind);
            match value {
                // A null that may not be is nothing.
                Value::Null if !declared("null") => {}
                Value::Text(text) if declared("array") && !declared("string") => {
                    if let Some(opened) = opened(text) {
                        read.insert(name.clone(), opened);
                    }
                }
                _ => {
                    read.insert(name.clone(), value.clone());
                }
            }
        }
        for (name, (types, default)) in parameters {
            let absent = match given.get(name) {
                None => true,
                Some(value) => *value == Value::Null && !types.contains(&"null"),
            };
            if let (true, Some(default)) = (absent, default) {
                read.insert(name.to_owned(), Value::from_json(default).unwrap());
            }
        }
        Some(read)
    }

    /// A value that `look` carries, without what stands for nothing.
    pub fn pruned(&self, tool: &str, mut value: Value) -> Value {
        if let (true, "look", Value::Object(fields)) = (self.no_null, tool, &mut value) {
            fields.retain(|name, value| name != "s" || *value != Value::Null);
        }
        value
    }

    pub fn record(&self, tool: &str) -> Option<&Record> {
        self.records
            .iter()
            .find(|record| record.returned_by.contains(&tool))
    }

    pub fn is_id(&self, name: &str) -> bool {
        self.ids.contains(&name)
    }

    pub fn ahead(&self) -> Option<f64> {
        clock::offset(self.zone?)
    }

    fn tool(&self, name: &str) -> ToolRecord {
        let forms = if name == "look" {
            self.forms.as_slice()
        } else {
            &[]
        };
        let parameter = |(types, default): Parameter| ParameterRecord {
            types: types.iter().map(|it| (*it).to_owned()).collect(),
            default: default.map(|it| it.parse().unwrap()),
            required: false,
        };
        let reads = ["look", "peek", "whois"].contains(&name);
        let shape = r#"{"type": "object", "properties": {"s": {"type": "string"}}}"#;
        ToolRecord {
            effect: Some(if reads { Effect::Read } else { Effect::Write }),
            trusted: self.trusted.contains(&name),
            results: forms
                .iter()
                .map(|(ok, value)| ResultForm {
                    ok: (*ok).to_owned(),
                    value: (*value).to_owned(),
                })
                .collect(),
            shape: (name == "look" && self.no_null).then(|| shape.parse().unwrap()),
            parameters: self
                .parameters(name)
                .into_iter()
                .map(|(name, it)| (name.to_owned(), parameter(it)))
                .collect(),
            ..ToolRecord::default()
        }
    }

    /// The library of these contracts.
    pub fn library(&self, rules: &[Rule]) -> Library {
        let contract = |(index, rule): (usize, &Rule)| Contract {
            id: format!("C{index}"),
            kind: Kind::Formula,
            clauses: Vec::new(),
            bindings: Vec::new(),
            for_each: rule.for_each.iter().map(|it| (*it).to_owned()).collect(),
            assumption: rule.assumption.clone(),
            guarantee: rule.guarantee.clone(),
            steps_on: Vec::new(),
            strategy: Remedy::Block,
            says: String::new(),
            meaning: String::new(),
            evidence: Evidence::default(),
        };
        let names = |names: &[&str]| -> BTreeSet<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let change = |change: &Change| {
            let what = Invalidation {
                fields: names(&change.fields),
                key: change.key.map(str::to_owned),
            };
            (change.write.to_owned(), what)
        };
        let entity = |record: &Record| {
            let entity = Entity {
                key: record.key.to_owned(),
                returned_by: names(&record.returned_by),
                invalidated_by: record.changes.iter().map(change).collect(),
            };
            (format!("by_{}", record.key), entity)
        };
        Library {
            lictor: FORMAT,
            provenance: Provenance::default(),
            tools: TOOLS
                .iter()
                .map(|name| ((*name).to_owned(), self.tool(name)))
                .collect(),
            entities: self.records.iter().map(entity).collect(),
            ids: names(&self.ids),
            settings: Settings {
                now: self.now.map(str::to_owned),
                zone: self.zone.map(str::to_owned),
                ..Settings::default()
            },
            contracts: rules.iter().enumerate().map(contract).collect(),
            coverage: Vec::new(),
            digest: String::new(),
        }
    }
}

/// A text where only a list is expected, as the list it holds, encoded once or twice.
fn opened(text: &str) -> Option<Value> {
    match Value::from_json(text).ok()? {
        Value::Text(inner) => match Value::from_json(&inner).ok()? {
            list @ Value::List(_) => Some(list),
            _ => None,
        },
        list @ Value::List(_) => Some(list),
        _ => None,
    }
}
