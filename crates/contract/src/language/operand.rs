//! Operands: parentheses, prefixes, constants, event predicates, terms and the
//! conditions that are written like functions.

use super::SyntaxError;
use super::cursor::Cursor;
use super::expression::{Expression, Node};
use crate::predicate::{
    Atom, Count, EventPredicate, Formula, Lookup, Name, Path, Segment, Term, ToolEvent,
};
use crate::value::Value;
use lictor_ltlf::operator::LOOSEST;

impl Cursor<'_> {
    /// Reads one operand with its prefixes.
    ///
    /// This and what it calls stand on the stack once for each level of
    /// nesting, so everything that is no level of its own is kept out of line.
    pub(super) fn operand(&mut self, nesting: usize) -> Result<Expression, SyntaxError> {
        self.skip_space();
        let start = self.at;
        self.check_nesting(start, nesting)?;
        match self.next_char() {
            Some('(') => return self.parenthesis(nesting),
            Some('-') => {
                self.at += 1;
                return self.negated(start, nesting);
            }
            Some('"' | '[' | '{' | '0'..='9' | '@' | '?') => return self.constant_operand(nesting),
            _ => {}
        }
        if let Some(entry) = self.eat_prefix() {
            return self.prefixed(entry, start, nesting);
        }
        let word = self.word();
        self.at += word.len();
        match word {
            "last" => self.last(start, nesting),
            "count" => self.count(start, nesting),
            "len" | "lower" | "known" | "listed" => self.function(word, start, nesting),
            _ => self.simple(word, start),
        }
    }

    fn parenthesis(&mut self, nesting: usize) -> Result<Expression, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut inner = self.expression(LOOSEST, nesting + 1)?;
        self.expect(")", start)?;
        inner.range = start..self.at;
        Ok(inner)
    }

    fn constant_operand(&mut self, nesting: usize) -> Result<Expression, SyntaxError> {
        let start = self.at;
        match self.next_char() {
            Some('@') => Err(SyntaxError::new(
                start..start + 1,
                "a class of tools stands where a formula should stand",
                "say what happens to the tools, as in `call(@write)`",
            )),
            Some('?') => {
                let name = self.placeholder()?;
                Err(SyntaxError::new(
                    start..self.at,
                    format!("`?{name}` stands alone"),
                    "a placeholder names a tool, a field or a key, as in `call(?tool)` or `arg.?field`",
                ))
            }
            _ => {
                let value = self.constant(nesting)?;
                self.grown(Node::term(Term::Constant(value)), start..self.at, 0)
            }
        }
    }

    fn last(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        self.open("last")?;
        let tools = Box::new(self.tools()?);
        let mut keys = self.keys("last", nesting)?;
        let path = self.path()?;
        let lookup = Lookup {
            tools: *tools,
            keys: keys.keys(),
            path,
        };
        self.grown(Node::term(Term::Last(lookup)), start..self.at, keys.depth)
    }

    fn count(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        self.open("count")?;
        let event = Box::new(self.event()?);
        let mut keys = self.keys("count", nesting)?;
        let count = Box::new(Count {
            event: *event,
            keys: keys.keys(),
            since: keys.since,
        });
        self.grown(Node::term(Term::Count(count)), start..self.at, keys.depth)
    }

    /// Reads a function of one term.
    fn function(
        &mut self,
        word: &str,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let opened = self.open(word)?;
        let (inner, depth) = self.nested_term(nesting + 1)?;
        self.expect(")", opened)?;
        let node = match word {
            "len" => Node::term(Term::Len(inner)),
            "lower" => Node::term(Term::Lower(inner)),
            "known" => self.atom(Atom::Known(*inner), start),
            _ => self.atom(Atom::Listed(*inner), start),
        };
        self.grown(node, start..self.at, depth)
    }

    /// Reads an operand without others inside, with the position behind its word.
    fn simple(&mut self, word: &str, start: usize) -> Result<Expression, SyntaxError> {
        let term = match word {
            "true" => Term::Constant(Value::Bool(true)),
            "false" => Term::Constant(Value::Bool(false)),
            "null" => Term::Constant(Value::Null),
            "arg" => Term::Arg(self.needed_path(word, start)?),
            "result" => Term::Result(self.needed_path(word, start)?),
            "ctx" => Term::Context(self.context_key(start)?),
            "turn" => self.turn(start)?,
            _ => {
                self.at = start;
                let event = self.event()?;
                let node = self.atom(Atom::Event(event), start);
                return self.grown(node, start..self.at, 0);
            }
        };
        self.grown(Node::term(term), start..self.at, 0)
    }

    /// Notes an atom that began at `start` and ends here.
    fn atom(&mut self, atom: Atom, start: usize) -> Node {
        self.atoms.push((atom.clone(), start..self.at));
        Node::formula(Formula::Atom(atom))
    }

    /// Reads an event predicate.
    pub(super) fn event(&mut self) -> Result<EventPredicate, SyntaxError> {
        self.skip_space();
        let start = self.at;
        let word = self.word();
        self.at += word.len();
        let tool_event = match word {
            "call" => ToolEvent::Call,
            "return" => ToolEvent::Return,
            "ok" => ToolEvent::Ok,
            "error" => ToolEvent::Error,
            "user" => return self.bare(EventPredicate::User, start),
            "agent" => return self.bare(EventPredicate::Agent, start),
            "confirms" => return self.bare(EventPredicate::Confirms, start),
            "user_says" | "agent_says" => {
                let opened = self.open(word)?;
                let pattern = self.regex(&format!("`{word}`"))?;
                self.expect(")", opened)?;
                return Ok(match word {
                    "user_says" => EventPredicate::UserSays(pattern),
                    _ => EventPredicate::AgentSays(pattern),
                });
            }
            _ => {
                self.at = start;
                return Err(self.unknown(word, start));
            }
        };
        let opened = self.open(word)?;
        let tools = self.tools()?;
        self.expect(")", opened)?;
        Ok(EventPredicate::Tool(tool_event, tools))
    }

    /// An event that takes no arguments.
    fn bare(&self, event: EventPredicate, start: usize) -> Result<EventPredicate, SyntaxError> {
        if !self.rest().starts_with('(') {
            return Ok(event);
        }
        let word = self.quote(&(start..self.at));
        let help = match event {
            EventPredicate::User => {
                "write `user`, or `user_says(/words/)` for what the user wrote".to_owned()
            }
            EventPredicate::Agent => {
                "write `agent`, or `agent_says(/words/)` for what the agent wrote".to_owned()
            }
            _ => format!("write `{word}` alone"),
        };
        Err(SyntaxError::new(
            start..self.at,
            format!("`{word}` takes no arguments"),
            help,
        ))
    }

    /// Steps over the parenthesis behind a function's name and says where it was.
    fn open(&mut self, word: &str) -> Result<usize, SyntaxError> {
        if self.eat("(") {
            return Ok(self.at - 1);
        }
        Err(self.unexpected(&format!("the `(` of `{word}`")))
    }

    fn needed_path(&mut self, word: &str, start: usize) -> Result<Path, SyntaxError> {
        let path = self.path()?;
        if path.0.is_empty() {
            return Err(SyntaxError::new(
                start..self.at,
                format!("`{word}` stands without a field"),
                format!("name what it reads, as in `{word}.status`"),
            ));
        }
        Ok(path)
    }

    fn context_key(&mut self, start: usize) -> Result<String, SyntaxError> {
        let path = self.needed_path("ctx", start)?;
        let mut segments = path.0.into_iter();
        match (segments.next(), segments.next()) {
            (Some(Segment::Field(Name::Known(key))), None) => Ok(key),
            _ => Err(SyntaxError::new(
                start..self.at,
                "a fact from the host has a plain name and no fields",
                "write `ctx.name`, or `ctx[\"odd name\"]`",
            )),
        }
    }

    fn turn(&mut self, start: usize) -> Result<Term, SyntaxError> {
        let path = self.path()?;
        match (path.head(), path.0.len()) {
            (Some("calls"), 1) => Ok(Term::TurnCalls),
            (Some("size"), 1) => Ok(Term::TurnSize),
            _ => Err(SyntaxError::new(
                start..self.at,
                format!("`{}` means nothing here", self.quote(&(start..self.at))),
                "write `turn.calls` or `turn.size`",
            )),
        }
    }
}
