//! Tool patterns: names, classes and placeholders joined by `|`.

use super::SyntaxError;
use super::cursor::Cursor;
use super::nearest;
use crate::predicate::{Name, ToolPattern, ToolRef};

/// The classes by the word behind `@`.
const CLASSES: [(&str, ToolRef); 3] = [
    ("any", ToolRef::Any),
    ("read", ToolRef::Read),
    ("write", ToolRef::Write),
];

/// Whether a tool's name can be written without quotes. Only names and `|`
/// stand in a pattern, so `-`, `.`, `/` and `:` need none.
pub(super) fn is_tool_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && text.chars().all(is_tool_char)
}

fn is_tool_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':')
}

impl Cursor<'_> {
    /// Reads a tool pattern.
    pub(super) fn tools(&mut self) -> Result<ToolPattern, SyntaxError> {
        let mut tools = vec![self.tool()?];
        while self.eat("||") || self.eat("|") {
            tools.push(self.tool()?);
        }
        // There is at least one, so the pattern is never empty.
        ToolPattern::new(tools).ok_or_else(|| self.unexpected("a tool"))
    }

    fn tool(&mut self) -> Result<ToolRef, SyntaxError> {
        self.skip_space();
        let start = self.at;
        match self.next_char() {
            Some('@') => {
                self.at += 1;
                let word = self.word();
                self.at += word.len();
                if let Some((_, class)) = CLASSES.iter().find(|(name, _)| *name == word) {
                    return Ok(class.clone());
                }
                let help = match nearest(word, CLASSES.iter().map(|(name, _)| *name)) {
                    Some(class) => format!("did you mean `@{class}`?"),
                    None => "the classes are `@read`, `@write` and `@any`".to_owned(),
                };
                Err(SyntaxError::new(
                    start..self.at,
                    format!("there is no class of tools `@{word}`"),
                    help,
                ))
            }
            Some('?') => Ok(ToolRef::Tool(Name::Placeholder(self.placeholder()?))),
            Some('"') => {
                let name = self.string()?;
                if name.is_empty() {
                    return Err(SyntaxError::new(
                        start..self.at,
                        "the name of a tool is empty",
                        "put the tool's name between the quotes",
                    ));
                }
                Ok(ToolRef::Tool(Name::Known(name)))
            }
            Some('*') => Err(SyntaxError::new(
                start..start + 1,
                "`*` is no tool",
                "write `@any` for every tool",
            )),
            Some(c) if c.is_alphanumeric() || c == '_' => {
                let rest = self.rest();
                let end = rest.find(|c| !is_tool_char(c)).unwrap_or(rest.len());
                self.at += end;
                let name = rest.get(..end).unwrap_or_default();
                Ok(ToolRef::Tool(Name::Known(name.to_owned())))
            }
            _ => Err(self.unexpected("a tool's name")),
        }
    }
}
