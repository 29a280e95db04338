//! Grounding of the slots: every name inside a condition becomes the catalog's.

mod path;

use super::{ambiguous, members, shown, unclassed_notes};
use crate::described;
use crate::finding::{Finding, Remedy};
use crate::names::{Match, find, find_tool, near};
use crate::part::null_as_absence;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{
    Atom, Condition, Count, EventPredicate, Formula, Key, Lookup, Name, Path, Term, ToolPattern,
    ToolRef,
};
use lictor_contract::rule::Body;
use path::Element;
use std::collections::BTreeSet;

/// What the name of an argument is called in a finding.
const ARGUMENT: &str = "an argument";
/// What the name of a result's field is called in a finding.
const RESULT: &str = "a field of the result";

/// Grounds the slots of one rule for the tools whose arguments `arg` reads.
pub(super) struct Grounder<'a, 'f> {
    catalog: &'a Catalog,
    tools: Vec<&'a Tool>,
    /// What quantifiers around the place have given names to.
    variables: Vec<(String, Element)>,
    /// What the `@` of filters around the place is.
    elements: Vec<Element>,
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
            variables: Vec::new(),
            elements: Vec::new(),
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
        null_as_absence(&grounded, &|path| self.is_nullable(path))
    }

    /// Whether a call can give null for the argument and mean it: the schema lets
    /// it through and demands the argument.
    fn is_nullable(&self, path: &Path) -> bool {
        let parameter = |tool: &&Tool| tool.parameters.get(path.head()?).cloned();
        let mut parameters = self.tools.iter().filter_map(parameter);
        path.0.len() > 1 || parameters.any(|it| it.required && it.types().contains("null"))
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        match atom {
            Atom::Event(event) => Atom::Event(self.event(event)),
            Atom::FromTool(term, tools) => Atom::FromTool(self.term(term), self.pattern(tools)),
            Atom::Quantified(quantifier, list, name, condition) => {
                let list = self.term(list);
                let element = self.element(&list);
                self.variables.push((name.clone(), element));
                let condition = self.condition(condition);
                self.variables.pop();
                Atom::Quantified(*quantifier, list, name.clone(), condition)
            }
            other => other.map_terms(&mut |term| self.term(term)),
        }
    }

    /// A condition on an element. What it says of null is left alone: a null in a
    /// list is a value.
    fn condition(&mut self, condition: &Condition) -> Condition {
        condition.map_atoms(&mut |atom| self.atom(atom))
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
                ToolRef::Tool(name) => match find_tool(name, self.catalog) {
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
                    names.extend(members(class, self.catalog).map(|tool| tool.id.clone()));
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
            Term::Arg(path) => {
                Term::Arg(self.steps(&Element::Argument(Path::default()), path, ARGUMENT))
            }
            Term::Variable(name, path) => {
                let element = self.variable(name);
                Term::Variable(
                    name.clone(),
                    self.steps(&element, path, "a field of the element"),
                )
            }
            Term::Current(path) => {
                let element = self.current();
                Term::Current(self.steps(&element, path, "a field of the element"))
            }
            Term::Lookup(lookup) => {
                let tools = self.pattern(&lookup.tools);
                let keys = self.lookup_keys(&lookup.keys, &tools);
                let record = Element::Result(self.described(&tools));
                Term::Lookup(Lookup {
                    which: lookup.which,
                    path: self.steps(&record, &lookup.path, RESULT),
                    keys,
                    tools,
                })
            }
            Term::Count(count) => Term::Count(Box::new(self.count(count))),
            Term::Total(count, amount) => {
                let count = self.count(count);
                let amount = self.amount(&count, amount);
                Term::Total(Box::new(count), Box::new(amount))
            }
            Term::Since(event) => Term::Since(self.event(event)),
            // At a return the result is that of one of the tools spoken of.
            Term::Result(path) => {
                let record = Element::Result(self.answered());
                Term::Result(self.steps(&record, path, RESULT))
            }
            other => other.map_inner(&mut |term| self.term(term)),
        }
    }

    fn count(&mut self, count: &Count) -> Count {
        let event = self.event(&count.event);
        let keys = match &event {
            EventPredicate::Tool(_, tools) => self.lookup_keys(&count.keys, tools),
            // Words carry no keys; the type check says so.
            _ => count.keys.clone(),
        };
        let since = count.since.as_ref().map(|since| self.event(since));
        Count {
            event,
            keys,
            since,
            within: count.within,
        }
    }

    /// What is summed reads the counted call, not the guarded one.
    fn amount(&mut self, count: &Count, amount: &Term) -> Term {
        let EventPredicate::Tool(_, tools) = &count.event else {
            return amount.clone();
        };
        let counted = tools.names().filter_map(|name| self.catalog.get(name));
        let guarded = std::mem::replace(&mut self.tools, counted.collect());
        let amount = self.term(amount);
        self.tools = guarded;
        amount
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
                        &only.id,
                        format!("{message} of `{}`", only.id),
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
                match self.step(&Element::Argument(Path::default()), &name, ARGUMENT) {
                    Name::Known(found) => found,
                    Name::Placeholder(_) => key.clone(),
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

    /// What the descriptions of the tools spoken of say about their results.
    fn answered(&self) -> BTreeSet<String> {
        let tools = self.tools.iter();
        tools
            .flat_map(|tool| described::fields(self.catalog, tool))
            .collect()
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
