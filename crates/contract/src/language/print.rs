//! The canonical text of formulas, atoms and terms.
//!
//! What is printed reads back as the same tree, with one spelling for each
//! thing and no parentheses that could be left out. The one exception is for
//! the reader's sake: a condition with an infix sign gets them under a prefix
//! operator, since `!a == b` looks like something else.

use super::cursor::{is_word, is_word_char};
use super::infix::{PRODUCT, SUM};
use super::keys::RESERVED_KEYS;
use super::slip::is_word_of_the_language;
use super::tools::is_tool_name;
use crate::predicate::{
    ArithmeticOp, Atom, Condition, Count, EventPredicate, Formula, Key, Name, Path, Pattern,
    Seconds, Segment, Term, ToolPattern, ToolRef,
};
use crate::value::Value;
use lictor_ltlf::operator::UNARY;
use std::fmt::{self, Display, Formatter, Write};

/// The canonical text of a formula.
pub fn print_formula(formula: &Formula) -> String {
    formula.print_with(&mut |atom, context, out| {
        let text = if !atom.is_closed() && context >= UNARY {
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
            Atom::Under(left, right) => write!(f, "{left} under {right}"),
            Atom::Matches(term, pattern) => write!(f, "{term} matches {pattern}"),
            Atom::Quantified(quantifier, list, name, condition) => {
                write!(f, "{}({list} as {name}, {condition})", quantifier.word())
            }
            Atom::Known(term) => write!(f, "known({term})"),
            Atom::Listed(term) => write!(f, "listed({term})"),
            Atom::Permitted(Term::Constant(Value::Text(name)))
                if is_word(name) && !is_word_of_the_language(name) =>
            {
                write!(f, "permitted({name})")
            }
            Atom::Permitted(term) => write!(f, "permitted({term})"),
            Atom::FromUser(term) => write!(f, "from_user({term})"),
            Atom::FromTool(term, tools) => {
                write!(f, "from_tool({term}, ")?;
                write_tools(tools, ", ", f)?;
                f.write_str(")")
            }
            Atom::Untrusted(term) => write!(f, "untrusted({term})"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&print_formula(self.formula()))
    }
}

/// The stretch in the longest unit that measures it in whole numbers; weeks are
/// read and printed as days.
impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let units = Seconds::UNITS.into_iter().skip(1);
        let mut fitting = units.filter(|(_, seconds)| self.0.is_multiple_of(*seconds));
        match fitting.next() {
            Some((unit, seconds)) if self.0 > 0 => write!(f, "{}{unit}", self.0 / seconds),
            _ => write!(f, "{}s", self.0),
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
        write_tools(self, " | ", f)
    }
}

fn write_tools(tools: &ToolPattern, separator: &str, f: &mut Formatter<'_>) -> fmt::Result {
    for (index, tool) in tools.alternatives().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
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
                Segment::Filter(condition) => write!(f, "[?{condition}]")?,
                Segment::Computed(term) => write!(f, "[{term}]")?,
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
        Term::Lookup(lookup) => {
            write!(f, "{}({}", lookup.which.word(), lookup.tools)?;
            write_keys(&lookup.keys, f)?;
            write!(f, "){}", lookup.path)
        }
        Term::Count(count) => {
            write!(f, "count({}", count.event)?;
            write_reach(count, f)
        }
        Term::Total(count, amount) => {
            write!(f, "sum({}, {amount}", count.event)?;
            write_reach(count, f)
        }
        Term::Since(event) => write!(f, "since({event})"),
        Term::Gauge(gauge) => f.write_str(gauge.word()),
        Term::Apply(function, inner) => write!(f, "{}({inner})", function.word()),
        Term::Zip(left, right) => write!(f, "zip({left}, {right})"),
        Term::Variable(name, path) => write!(f, "{name}{path}"),
        Term::Current(path) => write!(f, "@{path}"),
        Term::Constant(value) => write!(f, "{value}"),
        Term::Duration(length) => write!(f, "{length}"),
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

/// The keys of a count, where it starts, and its end.
fn write_reach(count: &Count, f: &mut Formatter<'_>) -> fmt::Result {
    write_keys(&count.keys, f)?;
    if let Some(since) = &count.since {
        write!(f, ", since = {since}")?;
    }
    if let Some(within) = &count.within {
        write!(f, ", within = {within}")?;
    }
    f.write_str(")")
}

fn write_keys(keys: &[Key], f: &mut Formatter<'_>) -> fmt::Result {
    for key in keys {
        write!(f, ", {key}")?;
    }
    Ok(())
}
