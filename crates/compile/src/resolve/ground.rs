//! Grounding of the slots: every name inside a condition becomes the catalog's.

use super::{ambiguous, members, shown, unclassed_notes};
use crate::described;
use crate::finding::{Finding, Remedy};
use crate::names::{Match, find, near};
use crate::part::null_as_absence;
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{
    Atom, Count, EventPredicate, Formula, Key, Lookup, Name, Path, Segment, Term, ToolPattern,
    ToolRef,
};
use lictor_contract::rule::Body;
use std::collections::BTreeSet;

/// What the name of an argument is called in a finding.
const ARGUMENT: &str = "an argument";

/// Grounds the slots of one rule for the tools whose arguments `arg` reads.
pub(super) struct Grounder<'a, 'f> {
    catalog: &'a Catalog,
    tools: Vec<&'a Tool>,
    findings: &'f mut Vec<Finding>,
    failed: bool,
}

impl<'a, 'f> Grounder<'a, 'f> {
    pub(super) fn new(
        catalog: &'a Catalog,
        tools: Vec<&'a Tool>,
        findings: &'f mut Vec<Finding>,
    ) -> Self {
        Grounder {
            catalog,
            tools,
            findings,
            failed: false,
        }
    }

    /// The slots with every name grounded; none if that failed.
    pub(super) fn body(mut self, body: &Body) -> Option<Body> {
        let grounded = match body {
            Body::Precondition { condition } => Body::Precondition {
                condition: self.formula(condition),
            },
            Body::Prohibition { condition } => Body::Prohibition {
                condition: condition.as_ref().map(|condition| self.formula(condition)),
            },
            Body::Precedence { first, keys } => Body::Precedence {
                first: self.event(first),
                keys: self.keys(keys),
            },
            Body::Confirmation { listed } => Body::Confirmation {
                listed: listed.iter().map(|term| self.term(term)).collect(),
            },
            Body::Limit { at_most, keys } => Body::Limit {
                at_most: *at_most,
                keys: self.keys(keys),
            },
            Body::OncePer { keys } => Body::OncePer {
                keys: self.keys(keys),
            },
            Body::Response { trigger } => Body::Response {
                trigger: self.formula(trigger),
            },
            Body::ImmediateResponse { trigger } => Body::ImmediateResponse {
                trigger: self.formula(trigger),
            },
            Body::AbsenceAfter { trigger } => Body::AbsenceAfter {
                trigger: self.formula(trigger),
            },
            Body::MutualExclusion { other } => Body::MutualExclusion {
                other: self.pattern(other),
            },
            Body::Formula {
                assumption,
                guarantee,
            } => Body::Formula {
                assumption: self.formula(assumption),
                guarantee: self.formula(guarantee),
            },
        };
        (!self.failed).then_some(grounded)
    }

    fn formula(&mut self, formula: &Formula) -> Formula {
        let grounded = formula.map_atoms(|atom| self.atom(atom));
        null_as_absence(&grounded)
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        match atom {
            Atom::Event(event) => Atom::Event(self.event(event)),
            Atom::Compare(op, left, right) => Atom::Compare(*op, self.term(left), self.term(right)),
            Atom::In(left, right) => Atom::In(self.term(left), self.term(right)),
            Atom::Subset(left, right) => Atom::Subset(self.term(left), self.term(right)),
            Atom::Contains(left, right) => Atom::Contains(self.term(left), self.term(right)),
            Atom::Matches(term, pattern) => Atom::Matches(self.term(term), pattern.clone()),
            Atom::Known(term) => Atom::Known(self.term(term)),
            Atom::Listed(term) => Atom::Listed(self.term(term)),
        }
    }

    fn event(&mut self, event: &EventPredicate) -> EventPredicate {
        match event {
            EventPredicate::Tool(what, tools) => EventPredicate::Tool(*what, self.pattern(tools)),
            other => other.clone(),
        }
    }

    /// The pattern by names. An unknown name is fatal here: a condition that
    /// waits for a tool which nobody can call never lets go.
    fn pattern(&mut self, pattern: &ToolPattern) -> ToolPattern {
        let mut names = BTreeSet::new();
        for tool in pattern.alternatives() {
            match tool {
                ToolRef::Tool(name) => match find(name, self.catalog.names()) {
                    Match::Found(found) => {
                        names.insert(found);
                    }
                    Match::Ambiguous(several) => self.fail(ambiguous(name, &several)),
                    Match::Unknown(nearest) => {
                        let message = format!(
                            "the catalog has no tool `{}`{}",
                            shown(name),
                            near(&nearest)
                        );
                        self.fail(Finding::reject(
                            Code::UnknownTool,
                            message,
                            "the condition reads from it, so name a tool of the catalog",
                        ));
                    }
                },
                class => {
                    unclassed_notes(class, self.catalog, self.findings);
                    names.extend(members(class, self.catalog).map(|tool| tool.name.clone()));
                }
            }
        }
        ToolPattern::tools(names).unwrap_or_else(|| {
            if !self.failed {
                self.fail(Finding::reject(
                    Code::UnknownTool,
                    "a condition speaks of a class of tools that is empty in this catalog",
                    "name tools of the catalog, or give them their effect class",
                ));
            }
            pattern.clone()
        })
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Arg(path) => Term::Arg(self.argument(path)),
            Term::Last(lookup) => {
                let tools = self.pattern(&lookup.tools);
                let keys = self.lookup_keys(&lookup.keys, &tools);
                Term::Last(Lookup {
                    path: {
                        let described = self.described(&tools);
                        self.result(&lookup.path, &described)
                    },
                    keys,
                    tools,
                })
            }
            Term::Count(count) => {
                let event = self.event(&count.event);
                let keys = match &event {
                    EventPredicate::Tool(_, tools) => self.lookup_keys(&count.keys, tools),
                    // Words carry no keys; the type check says so.
                    _ => count.keys.clone(),
                };
                let since = count.since.as_ref().map(|since| self.event(since));
                Term::Count(Box::new(Count { event, keys, since }))
            }
            Term::Len(inner) => Term::Len(Box::new(self.term(inner))),
            Term::Lower(inner) => Term::Lower(Box::new(self.term(inner))),
            Term::Arithmetic(op, left, right) => {
                Term::Arithmetic(*op, Box::new(self.term(left)), Box::new(self.term(right)))
            }
            // At a return the result is that of one of the tools spoken of.
            Term::Result(path) => {
                let tools = self.tools.iter();
                let described = tools
                    .flat_map(|tool| described::fields(self.catalog, tool))
                    .collect();
                Term::Result(self.result(path, &described))
            }
            Term::Context(_) | Term::TurnCalls | Term::TurnSize | Term::Constant(_) => term.clone(),
        }
    }

    /// An argument path, one segment at a time against the schema. A spelt-out
    /// name that does not fit stays: whether it exists is a check of its own.
    fn argument(&mut self, path: &Path) -> Path {
        let mut done = Path::default();
        for segment in &path.0 {
            let Segment::Field(name) = segment else {
                done.0.push(segment.clone());
                continue;
            };
            let names: BTreeSet<&str> = self
                .tools
                .iter()
                .flat_map(|tool| {
                    if done.0.is_empty() {
                        tool.parameters.keys().map(String::as_str).collect()
                    } else {
                        schema::properties(schema::reach(tool, &done).schema)
                    }
                })
                .collect();
            let found = find(name, names.iter().copied());
            let name = self.field(name, found, ARGUMENT);
            done.0.push(Segment::Field(name));
        }
        done
    }

    fn field(&mut self, name: &Name, found: Match, what: &str) -> Name {
        match (found, name) {
            (Match::Found(found), _) => Name::Known(found),
            (Match::Unknown(_), Name::Known(_)) => name.clone(),
            (Match::Ambiguous(several), _) => {
                self.fail(ambiguous(name, &several));
                name.clone()
            }
            (Match::Unknown(nearest), Name::Placeholder(_)) => {
                let message = format!(
                    "`{}` fits no name for {what}{}",
                    shown(name),
                    near(&nearest)
                );
                let finding = match self.tools.as_slice() {
                    // The other tools may have the argument.
                    [only] if what == ARGUMENT => Finding::strip(
                        Code::ArgumentNotInSignature,
                        &only.name,
                        format!("{message} of `{}`", only.name),
                    ),
                    _ => Finding::reject(
                        Code::ArgumentNotInSignature,
                        message,
                        "write the exact name",
                    ),
                };
                self.fail(finding);
                name.clone()
            }
        }
    }

    /// The keys of a kind: arguments of the guarded tool.
    fn keys(&mut self, keys: &[String]) -> Vec<String> {
        keys.iter()
            .map(|key| {
                let name = match key.strip_prefix('?') {
                    Some(words) => Name::Placeholder(words.to_owned()),
                    None => Name::Known(key.clone()),
                };
                match self.argument(&Path(vec![Segment::Field(name)])).head() {
                    Some(found) => found.to_owned(),
                    None => key.clone(),
                }
            })
            .collect()
    }

    fn lookup_keys(&mut self, keys: &[Key], tools: &ToolPattern) -> Vec<Key> {
        let mut grounded: Vec<Key> = keys
            .iter()
            .map(|key| {
                let mut names: BTreeSet<String> = self.described(tools);
                for tool in tools.names().filter_map(|name| self.catalog.get(name)) {
                    names.extend(tool.parameters.keys().cloned());
                }
                let found = find(&key.name, names.iter().map(String::as_str));
                Key {
                    name: self.field(&key.name, found, "a key"),
                    value: self.term(&key.value),
                }
            })
            .collect();
        grounded.sort();
        grounded
    }

    /// A path into a result. Catalogs seldom declare results: a name is matched
    /// against what the descriptions of the tools say, and a placeholder also
    /// against the arguments of all tools, since what a tool sets is a field of
    /// the record that it sets it on.
    fn result(&mut self, path: &Path, described: &BTreeSet<String>) -> Path {
        let segments = path.0.iter().map(|segment| match segment {
            Segment::Field(name) => {
                let mut found = find(name, described.iter().map(String::as_str));
                if let (Match::Unknown(_), Name::Placeholder(_)) = (&found, name) {
                    let arguments = self.catalog.tools().flat_map(|tool| tool.parameters.keys());
                    found = match find(name, arguments.map(String::as_str)) {
                        Match::Unknown(_) => found,
                        other => other,
                    };
                }
                Segment::Field(self.field(name, found, "a field of the result"))
            }
            other => other.clone(),
        });
        Path(segments.collect())
    }

    fn described(&self, tools: &ToolPattern) -> BTreeSet<String> {
        tools
            .names()
            .filter_map(|name| self.catalog.get(name))
            .flat_map(|tool| described::fields(self.catalog, tool))
            .collect()
    }

    fn fail(&mut self, finding: Finding) {
        self.failed = true;
        debug_assert!(finding.remedy != Remedy::Note);
        self.findings.push(finding);
    }
}
