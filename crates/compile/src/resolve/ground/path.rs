//! Grounding of paths: which names the fields of an argument, of a result or of
//! an element can have.

use super::Grounder;
use crate::names::{Match, find};
use crate::reads::selects_elements;
use crate::schema;
use lictor_contract::predicate::{Name, Path, Segment, Term};
use std::collections::BTreeSet;

/// Where an element comes from that has a name of its own, and so which names
/// its fields can have.
#[derive(Clone)]
pub(super) enum Element {
    /// It is a part of an argument.
    Argument(Path),
    /// It is a part of a result; the names that its tools' descriptions speak of.
    Result(BTreeSet<String>),
}

impl Grounder<'_, '_> {
    /// Where the elements of a grounded list come from.
    pub(super) fn element(&self, list: &Term) -> Element {
        let begun = match list {
            Term::Arg(_) => Element::Argument(Path::default()),
            Term::Variable(name, _) => self.variable(name),
            Term::Current(_) => self.current(),
            Term::Result(_) => Element::Result(self.answered()),
            Term::Lookup(lookup) => Element::Result(self.described(&lookup.tools)),
            _ => Element::Result(BTreeSet::new()),
        };
        let (Element::Argument(mut whole), Some(path)) = (begun.clone(), list.path()) else {
            return begun;
        };
        whole.0.extend(path.0.iter().cloned());
        if !selects_elements(path) {
            whole.0.push(Segment::Every);
        }
        Element::Argument(whole)
    }

    pub(super) fn variable(&self, name: &str) -> Element {
        let mut named = self.variables.iter().rev();
        let found = named.find(|(known, _)| known == name);
        found.map_or(Element::Result(BTreeSet::new()), |(_, element)| {
            element.clone()
        })
    }

    pub(super) fn current(&self) -> Element {
        let here = self.elements.last().cloned();
        here.unwrap_or(Element::Result(BTreeSet::new()))
    }

    /// A path, one segment at a time. A spelt-out name that does not fit stays:
    /// whether it exists is a check of its own.
    pub(super) fn steps(&mut self, from: &Element, path: &Path, what: &str) -> Path {
        let mut done = Path::default();
        for segment in &path.0 {
            let here = match from {
                Element::Argument(base) => {
                    let mut here = base.clone();
                    here.0.extend(done.0.iter().cloned());
                    Element::Argument(here)
                }
                result => result.clone(),
            };
            let segment = match segment {
                Segment::Field(name) => Segment::Field(self.step(&here, name, what)),
                Segment::Computed(key) => Segment::Computed(Box::new(self.term(key))),
                Segment::Filter(condition) => {
                    let element = match here {
                        Element::Argument(mut list) => {
                            list.0.push(Segment::Every);
                            Element::Argument(list)
                        }
                        result => result,
                    };
                    self.elements.push(element);
                    let condition = self.condition(condition);
                    self.elements.pop();
                    Segment::Filter(condition)
                }
                Segment::Index(_) | Segment::Every => segment.clone(),
            };
            done.0.push(segment);
        }
        done
    }

    /// The name of a field of what stands here. Catalogs seldom declare results:
    /// there a name is matched against what the descriptions of the tools say, and
    /// a placeholder also against the arguments of all tools, since what a tool
    /// sets is a field of the record that it sets it on.
    pub(super) fn step(&mut self, here: &Element, name: &Name, what: &str) -> Name {
        let found = match here {
            Element::Argument(path) => {
                let names = self.tools.iter().flat_map(|tool| {
                    if path.0.is_empty() {
                        tool.parameters.keys().map(String::as_str).collect()
                    } else {
                        schema::properties(schema::reach(tool, path).schema)
                    }
                });
                find(name, names.collect::<BTreeSet<&str>>())
            }
            Element::Result(described) => {
                match (find(name, described.iter().map(String::as_str)), name) {
                    (Match::Unknown(nearest), Name::Placeholder(_)) => {
                        let tools = self.catalog.tools();
                        let arguments = tools.flat_map(|tool| tool.parameters.keys());
                        match find(name, arguments.map(String::as_str)) {
                            Match::Unknown(_) => Match::Unknown(nearest),
                            other => other,
                        }
                    }
                    (found, _) => found,
                }
            }
        };
        self.field(name, found, what)
    }
}
