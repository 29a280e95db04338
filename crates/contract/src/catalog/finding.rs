//! What a catalog has that a person should look at before relying on it.

use super::Catalog;
use crate::diagnostic::{Code, Diagnostic};

/// Most collisions that are told one by one.
const MOST_COLLISIONS: usize = 20;

impl Catalog {
    /// Tools that a host may give one name, schemas with references that lead
    /// nowhere, and lists that go on elsewhere. None of them stops the other
    /// tools.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let names = self.tool_names();
        let collisions = names.collisions();
        let more = collisions.len().saturating_sub(MOST_COLLISIONS);
        for collision in collisions.into_iter().take(MOST_COLLISIONS) {
            let tools: Vec<String> = collision.tools.iter().map(|it| format!("`{it}`")).collect();
            let rest = match more {
                0 => String::new(),
                more => format!(" ({more} more such names are not shown)"),
            };
            let message = format!(
                "{} can all be called `{}` by a host that rewrites names, and such a call cannot be decided{rest}",
                tools.join(", "),
                collision.name,
            );
            let help = format!(
                "rename one of them, or give the tool that your host means by `{}` that name under `aliases` in an overlay file",
                collision.name
            );
            found.push(Diagnostic::new(Code::NameCollision, message).help(help));
        }
        for tool in self.tools() {
            for reference in &tool.dangling {
                let message = format!(
                    "the schema of `{}` refers to `{reference}`, which is not found, so nothing is known of what stands there",
                    tool.id
                );
                found
                    .push(Diagnostic::new(Code::DanglingReference, message).help(
                        "add the definition to the tool's own schema, or mend the reference",
                    ));
            }
        }
        for server in &self.continued {
            let whose = match server.as_str() {
                "" => String::new(),
                server => format!(" of the server `{server}`"),
            };
            let message = format!(
                "the list of tools{whose} has a `nextCursor`, so it is not complete, and tools that are missing here are unknown"
            );
            found.push(
                Diagnostic::new(Code::IncompleteCatalog, message)
                    .help("ask the server for the next pages too, and join their `tools`"),
            );
        }
        found
    }
}
