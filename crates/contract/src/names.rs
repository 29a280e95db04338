//! From the name an agent used to the tool it means.
//!
//! Servers name tools as they like; hosts put the server's name in front and
//! replace signs that their model does not take. A name is taken for a tool if
//! it is the tool's id or a declared alias, or if a host could have made it
//! from one of these and no other tool's. A name that two tools can have is
//! ambiguous, even where it is the exact id of one of them: which of the two
//! ran cannot be told from the record, and a guarded tool must not vanish
//! behind another of its name. A person settles it by declaring the name as an
//! alias. Nothing matches by case, suffix or part.

mod spelling;

use spelling::{Kind, Spelling, folded};
use std::collections::{BTreeMap, BTreeSet};

/// Most spellings with one folded form whose partly rewritten forms are compared
/// when collisions are looked for; the folded form always is.
const MOST_SPELLINGS: usize = 64;

/// Every name that an agent may use for the tools of a catalog or a library.
#[derive(Clone, Debug, Default)]
pub struct ToolNames {
    ids: Vec<String>,
    /// What hosts make names from, by the form in which all signs are replaced.
    spellings: BTreeMap<String, Vec<(usize, Spelling)>>,
    /// The tools that declare an alias, and those that have it as an id.
    declared: BTreeMap<String, BTreeSet<usize>>,
}

/// What a used name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved<'a> {
    /// The tool of this id.
    Tool(&'a str),
    /// Any of these tools, by id; which one cannot be told.
    Ambiguous(BTreeSet<&'a str>),
    /// No tool.
    Unknown,
}

/// A name that hosts may give to several tools.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Collision<'a> {
    /// The tools, by id.
    pub tools: BTreeSet<&'a str>,
    /// The name.
    pub name: String,
}

impl ToolNames {
    /// Collects the names of tools given by id, server, name on that server and
    /// declared aliases.
    pub fn new<'a>(
        tools: impl IntoIterator<Item = (&'a str, Option<&'a str>, &'a str, &'a BTreeSet<String>)>,
    ) -> ToolNames {
        let mut names = ToolNames::default();
        for (tool, (id, server, name, aliases)) in tools.into_iter().enumerate() {
            names.ids.push(id.to_owned());
            let own = Spelling::of_tool(server, name).into_iter();
            let aliases_too = aliases.iter().map(|alias| Spelling::of_alias(alias));
            for spelling in own.chain(aliases_too) {
                let known = names.spellings.entry(spelling.folded()).or_default();
                known.push((tool, spelling));
            }
            for alias in aliases {
                names
                    .declared
                    .entry(alias.clone())
                    .or_default()
                    .insert(tool);
            }
        }
        for (tool, id) in names.ids.iter().enumerate() {
            if let Some(declaring) = names.declared.get_mut(id) {
                declaring.insert(tool);
            }
        }
        names
    }

    /// The tool that an agent means by a name. Costs a search in the sorted
    /// names and a comparison with each that differs in signs alone.
    pub fn resolve(&self, used: &str) -> Resolved<'_> {
        if let Some(declaring) = self.declared.get(used) {
            return self.one_of(declaring.iter().copied());
        }
        self.one_of(self.fitting(used).map(|(tool, _)| tool))
    }

    /// The id that is spelt exactly so.
    pub fn id(&self, text: &str) -> Option<&str> {
        self.ids.iter().map(String::as_str).find(|id| *id == text)
    }

    /// All ids, and the names of tools on their servers, to look for the nearest.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        let bare = self.spellings.values().flatten();
        let bare = bare.filter_map(|(_, spelling)| spelling.without_server());
        self.ids.iter().map(String::as_str).chain(bare)
    }

    /// The names that hosts may give to several tools, one for each set of
    /// tools. That two servers have a tool of one name is no collision: hosts
    /// tell servers apart, and who names no server is told that it is ambiguous.
    pub fn collisions(&self) -> Vec<Collision<'_>> {
        let mut found: BTreeMap<BTreeSet<&str>, String> = BTreeMap::new();
        for (folded, spellings) in &self.spellings {
            let tools: BTreeSet<usize> = spellings.iter().map(|(tool, _)| *tool).collect();
            if tools.len() < 2 {
                continue;
            }
            let made = spellings.iter().take(MOST_SPELLINGS);
            let made = made.flat_map(|(_, spelling)| spelling.rewritten());
            for name in std::iter::once(folded.clone()).chain(made) {
                if let Resolved::Ambiguous(tools) = self.resolve(&name)
                    && self.is_collision(&name)
                {
                    found.entry(tools).or_insert(name);
                }
            }
        }
        found
            .into_iter()
            .map(|(tools, name)| Collision { tools, name })
            .collect()
    }

    /// Whether the tools with this name differ in more than an unnamed server.
    fn is_collision(&self, name: &str) -> bool {
        let mut servers = BTreeSet::new();
        for (_, spelling) in self.fitting(name) {
            match &spelling.kind {
                Kind::WithoutServer(server) if servers.insert(server) => {}
                _ => return true,
            }
        }
        false
    }

    fn fitting<'a>(&'a self, used: &str) -> impl Iterator<Item = (usize, &'a Spelling)> {
        let known = self.spellings.get(&folded(used));
        known
            .into_iter()
            .flatten()
            .filter(|(_, spelling)| spelling.fits(used))
            .map(|(tool, spelling)| (*tool, spelling))
    }

    fn one_of(&self, tools: impl IntoIterator<Item = usize>) -> Resolved<'_> {
        let ids: BTreeSet<&str> = tools
            .into_iter()
            .filter_map(|tool| self.ids.get(tool).map(String::as_str))
            .collect();
        match (ids.len(), ids.first()) {
            (1, Some(only)) => Resolved::Tool(only),
            (0, _) => Resolved::Unknown,
            _ => Resolved::Ambiguous(ids),
        }
    }
}

#[cfg(test)]
mod tests;
