//! The canonical text of formulas, atoms and terms.
//!
//! What is printed reads back as the same tree, with one spelling for each
//! thing and no parentheses that could be left out. The one exception is for
//! the reader's sake: a condition with an infix sign gets them under a prefix
//! operator, since `!a == b` looks like something else.

use super::cursor::{is_word, is_word_char};
use super::infix::{PRODUCT, SUM};
use super::keys::RESERVED_KEYS;
use super::tools::is_tool_name;
use crate::predicate::{
    ArithmeticOp, Atom, EventPredicate, Formula, Key, Name, Path, Pattern, Segment, Term,
    ToolPattern, ToolRef,
};
use lictor_ltlf::operator::UNARY;
use std::fmt::{self, Display, Formatter, Write};

/// The canonical text of a formula.
pub fn print_formula(formula: &Formula) -> String {
    formula.print_with(&mut |atom, context, out| {
        let infix = !matches!(atom, Atom::Event(_) | Atom::Known(_) | Atom::Listed(_));
        let text = if infix && context >= UNARY {
            format!("({atom})")
        } else {
            atom.to_string()
        };
        out.push_str(&text);
    })
}

/// A JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn placeholder(words: &str) -> String {
    if !words.is_empty() && words.chars().all(is_word_char) {
        format!("?{words}")
    } else {
        format!("?{}", quoted(words))
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Event(event) => write!(f, "{event}"),
            Atom::Compare(op, left, right) => write!(f, "{left} {} {right}", op.sign()),
            Atom::In(left, right) => write!(f, "{left} in {right}"),
            Atom::Subset(left, right) => write!(f, "{left} subset {right}"),
            Atom::Contains(left, right) => write!(f, "{left} contains {right}"),
            Atom::Matches(term, pattern) => write!(f, "{term} matches {pattern}"),
            Atom::Known(term) => write!(f, "known({term})"),
            Atom::Listed(term) => write!(f, "listed({term})"),
        }
    }
}

impl Display for EventPredicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            EventPredicate::Tool(event, tools) => write!(f, "{}({tools})", event.word()),
            EventPredicate::User => f.write_str("user"),
            EventPredicate::Agent => f.write_str("agent"),
            EventPredicate::UserSays(pattern) => write!(f, "user_says({pattern})"),
            EventPredicate::AgentSays(pattern) => write!(f, "agent_says({pattern})"),
            EventPredicate::Confirms => f.write_str("confirms"),
        }
    }
}

impl Display for ToolPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, tool) in self.alternatives().enumerate() {
            if index > 0 {
                f.write_str(" | ")?;
            }
            match tool {
                ToolRef::Tool(Name::Known(name)) if is_tool_name(name) => f.write_str(name)?,
                ToolRef::Tool(Name::Known(name)) => f.write_str(&quoted(name))?,
                ToolRef::Tool(Name::Placeholder(words)) => f.write_str(&placeholder(words))?,
                ToolRef::Read => f.write_str("@read")?,
                ToolRef::Write => f.write_str("@write")?,
                ToolRef::Any => f.write_str("@any")?,
            }
        }
        Ok(())
    }
}

/// The expression between slashes, slashes inside it escaped.
impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('/')?;
        let mut characters = self.0.chars();
        while let Some(c) = characters.next() {
            match c {
                '/' => f.write_str("\\/")?,
                '\\' => {
                    f.write_char('\\')?;
                    if let Some(escaped) = characters.next() {
                        f.write_char(escaped)?;
                    }
                }
                other => f.write_char(other)?,
            }
        }
        f.write_char('/')
    }
}

/// The path as it stands behind its root: `.a["odd name"][0][*]`.
impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for segment in &self.0 {
            match segment {
                Segment::Field(Name::Known(name)) if is_word(name) => write!(f, ".{name}")?,
                Segment::Field(Name::Known(name)) => write!(f, "[{}]", quoted(name))?,
                Segment::Field(Name::Placeholder(words)) => write!(f, ".{}", placeholder(words))?,
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Every => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = match &self.name {
            Name::Known(name) if is_word(name) && !RESERVED_KEYS.contains(&name.as_str()) => {
                name.clone()
            }
            Name::Known(name) => quoted(name),
            Name::Placeholder(words) => placeholder(words),
        };
        write!(f, "{name} = {}", self.value)
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_term(self, 0, f)
    }
}

/// Writes a term for a place where an operator of binding `context` or tighter
/// needs no parentheses.
fn write_term(term: &Term, context: u8, f: &mut Formatter<'_>) -> fmt::Result {
    match term {
        Term::Arg(path) => write!(f, "arg{path}"),
        Term::Result(path) => write!(f, "result{path}"),
        Term::Context(key) if is_word(key) => write!(f, "ctx.{key}"),
        Term::Context(key) => write!(f, "ctx[{}]", quoted(key)),
        Term::Last(lookup) => {
            write!(f, "last({}", lookup.tools)?;
            write_keys(&lookup.keys, f)?;
            write!(f, "){}", lookup.path)
        }
        Term::Count(count) => {
            write!(f, "count({}", count.event)?;
            write_keys(&count.keys, f)?;
            if let Some(since) = &count.since {
                write!(f, ", since = {since}")?;
            }
            f.write_str(")")
        }
        Term::TurnCalls => f.write_str("turn.calls"),
        Term::TurnSize => f.write_str("turn.size"),
        Term::Len(inner) => write!(f, "len({inner})"),
        Term::Lower(inner) => write!(f, "lower({inner})"),
        Term::Constant(value) => write!(f, "{value}"),
        Term::Arithmetic(op, left, right) => {
            let binding = if *op == ArithmeticOp::Multiply {
                PRODUCT
            } else {
                SUM
            };
            let parenthesised = binding < context;
            if parenthesised {
                f.write_str("(")?;
            }
            write_term(left, binding, f)?;
            write!(f, " {} ", op.sign())?;
            write_term(right, binding + 1, f)?;
            if parenthesised {
                f.write_str(")")?;
            }
            Ok(())
        }
    }
}

fn write_keys(keys: &[Key], f: &mut Formatter<'_>) -> fmt::Result {
    for key in keys {
        write!(f, ", {key}")?;
    }
    Ok(())
}
