//! Operands: parentheses, prefixes, constants, event predicates, terms and the
//! conditions that are written like functions.

use super::SyntaxError;
use super::cursor::Cursor;
use super::expression::{Expression, Node};
use super::slip::is_word_of_the_language;
use crate::predicate::{
    Atom, Count, EventPredicate, Formula, Function, Gauge, Lookup, Name, Occurrence, Path,
    Quantifier, Segment, Term, ToolEvent, ToolPattern, ToolRef,
};
use crate::value::Value;
use lictor_ltlf::operator::LOOSEST;

/// The words that events begin with.
const EVENTS: [&str; 9] = [
    "call",
    "return",
    "ok",
    "error",
    "user",
    "agent",
    "user_says",
    "agent_says",
    "confirms",
];

/// Height of the tree of a term.
fn depth(term: &Term) -> usize {
    let inner = term.inner().into_iter();
    inner.map(|term| depth(term) + 1).max().unwrap_or_default()
}

/// How a quantifier is written.
fn quantifier_example(quantifier: Quantifier, name: &str, list: &str) -> String {
    let list: String = list.chars().take(60).collect();
    format!("write `{}({list} as {name}, …)`", quantifier.word())
}

/// A part of a summed amount that a counted event does not carry.
fn stray_in_amount(amount: &Term) -> Option<&Term> {
    match amount {
        Term::Arg(_) | Term::Result(_) | Term::Constant(_) | Term::Duration(_) => None,
        Term::Apply(_, inner) => stray_in_amount(inner),
        Term::Arithmetic(_, left, right) => {
            stray_in_amount(left).or_else(|| stray_in_amount(right))
        }
        other => Some(other),
    }
}

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
            Some('@') if self.filters > 0 => {
                self.at += 1;
                let path = self.path(nesting)?;
                return self.pathed(Term::Current(path), start);
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
            "last" => self.lookup(Occurrence::Last, start, nesting),
            "first" => self.lookup(Occurrence::First, start, nesting),
            "every" => self.lookup(Occurrence::Every, start, nesting),
            "count" => self.count(start, nesting),
            "sum" if self.counts_events() => self.total(start, nesting),
            "zip" => self.zip(start, nesting),
            "any" => self.quantified(Quantifier::Any, start, nesting),
            "all" => self.quantified(Quantifier::All, start, nesting),
            "from_tool" => self.provenance(start, nesting),
            "permitted" => self.permitted(start, nesting),
            "known" | "listed" | "from_user" | "untrusted" => self.function(word, start, nesting),
            _ => match Function::named(word).filter(|_| self.rest().starts_with('(')) {
                Some(_) => self.function(word, start, nesting),
                None => self.simple(word, start, nesting),
            },
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
                if let Some(length) = self.duration()? {
                    return self.grown(Node::term(Term::Duration(length)), start..self.at, 0);
                }
                let value = self.constant(nesting)?;
                self.grown(Node::term(Term::Constant(value)), start..self.at, 0)
            }
        }
    }

    /// An operand that may have terms inside its path.
    fn pathed(&mut self, term: Term, start: usize) -> Result<Expression, SyntaxError> {
        let depth = depth(&term);
        self.grown(Node::term(term), start..self.at, depth)
    }

    fn lookup(
        &mut self,
        which: Occurrence,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        self.open(which.word())?;
        let tools = Box::new(self.tools()?);
        let mut keys = self.keys(which.word(), nesting)?;
        let path = self.path(nesting)?;
        let lookup = Lookup {
            which,
            tools: *tools,
            keys: keys.keys(),
            path,
        };
        self.pathed(Term::Lookup(lookup), start)
    }

    /// Whether what stands in the parenthesis behind `sum` is an event.
    fn counts_events(&self) -> bool {
        let inside = self.rest().strip_prefix('(').unwrap_or_default();
        let word: String = inside
            .trim_start()
            .chars()
            .take_while(|c| super::cursor::is_word_char(*c))
            .collect();
        EVENTS.contains(&word.as_str())
    }

    /// Reads `sum(event, amount, key = t, …)`.
    fn total(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        let opened = self.open("sum")?;
        let event = Box::new(self.event()?);
        if !self.eat(",") {
            return Err(self.unexpected("`,` and what is summed, such as `arg.amount`"));
        }
        self.skip_space();
        let begun = self.at;
        let (amount, depth) = self.nested_term(nesting + 1)?;
        if let Some(stray) = stray_in_amount(&amount) {
            return Err(SyntaxError::new(
                begun..self.at,
                format!("`{stray}` is no part of a counted event"),
                "sum what the event itself carries, such as `arg.amount` or `result.total`",
            ));
        }
        let mut keys = self.keys("sum", nesting)?;
        let count = Box::new(Count {
            event: *event,
            keys: keys.keys(),
            since: keys.since,
            within: keys.within,
        });
        if !matches!(count.event, EventPredicate::Tool(..)) {
            return Err(SyntaxError::new(
                opened..self.at,
                "only what tools are called with and answer can be summed",
                "write `call(…)`, `return(…)`, `ok(…)` or `error(…)` as the event",
            ));
        }
        self.grown(
            Node::term(Term::Total(count, amount)),
            start..self.at,
            keys.depth.max(depth),
        )
    }

    fn zip(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        let opened = self.open("zip")?;
        let (left, one) = self.nested_term(nesting + 1)?;
        if !self.eat(",") {
            return Err(self.unexpected("`,` and the second list of `zip`"));
        }
        let (right, other) = self.nested_term(nesting + 1)?;
        self.expect(")", opened)?;
        self.grown(
            Node::term(Term::Zip(left, right)),
            start..self.at,
            one.max(other),
        )
    }

    /// Reads `any(list as x, condition)`.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let opened = self.open(quantifier.word())?;
        self.skip_space();
        self.check_order(quantifier)?;
        let (list, outer) = self.nested_term(nesting + 1)?;
        self.skip_space();
        let word = self.word();
        if word != "as" {
            let mut error = self.unexpected("`as` and a name for the element");
            error.help = quantifier_example(quantifier, "item", "arg.items");
            return Err(error);
        }
        self.at += word.len();
        self.skip_space();
        let begun = self.at;
        let name = self.word();
        self.at += name.len();
        if name.is_empty() || is_word_of_the_language(name) || self.terms.get(name).is_some() {
            return Err(SyntaxError::new(
                begun..begun + name.len(),
                format!("`{name}` cannot name an element"),
                "use a word that means nothing else, such as `x` or `item`",
            ));
        }
        if !self.eat(",") {
            let mut error = self.unexpected("`,` and a condition on the element");
            error.help = quantifier_example(quantifier, name, "arg.items");
            return Err(error);
        }
        self.skip_space();
        let begun = self.at;
        let noted = self.atoms.len();
        self.variables.push(name);
        let inner = self.expression(LOOSEST, nesting + 1);
        self.variables.pop();
        let inner = inner?;
        let depth = inner.depth.max(outer);
        let formula = self.needed_formula(inner)?;
        self.atoms.truncate(noted);
        let condition = self.needed_condition(*formula, begun)?;
        self.expect(")", opened)?;
        let atom = Atom::Quantified(quantifier, *list, name.to_owned(), condition);
        let node = self.atom(atom, start);
        self.grown(node, start..self.at, depth)
    }

    /// Refuses `any(x in list, …)`, which other languages have.
    fn check_order(&self, quantifier: Quantifier) -> Result<(), SyntaxError> {
        let name = self.word();
        let behind = self.rest().get(name.len()..).unwrap_or_default();
        let list = behind
            .trim_start()
            .strip_prefix("in")
            .filter(|list| list.starts_with(char::is_whitespace))
            .filter(|_| !name.is_empty() && !self.variables.contains(&name));
        let Some(list) = list else {
            return Ok(());
        };
        let list = list
            .split([',', ':', '|'])
            .next()
            .unwrap_or_default()
            .trim();
        Err(SyntaxError::new(
            self.at..self.at + name.len(),
            format!("`{name}` stands where the list should stand"),
            quantifier_example(quantifier, name, list),
        ))
    }

    /// Reads `from_tool(t, T, …)`.
    fn provenance(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        let opened = self.open("from_tool")?;
        let (term, depth) = self.nested_term(nesting + 1)?;
        let mut tools: Vec<ToolRef> = Vec::new();
        while self.eat(",") {
            tools.extend(self.tools()?.alternatives().cloned());
        }
        self.expect(")", opened)?;
        let Some(tools) = ToolPattern::new(tools) else {
            return Err(SyntaxError::new(
                start..self.at,
                "`from_tool` names no tool",
                "name the tools behind the value, as in `from_tool(arg.id, get_order)`",
            ));
        };
        let node = self.atom(Atom::FromTool(*term, tools), start);
        self.grown(node, start..self.at, depth)
    }

    /// Reads `permitted(name)`, in which a bare word is a name.
    fn permitted(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        let opened = self.open("permitted")?;
        self.skip_space();
        let word = self.word();
        let behind = self.rest().get(word.len()..).unwrap_or_default();
        let bare = !word.is_empty() && behind.trim_start().starts_with(')');
        let is_name = bare
            && !is_word_of_the_language(word)
            && !self.variables.contains(&word)
            && self.terms.get(word).is_none();
        let (term, depth) = if is_name {
            self.at += word.len();
            (Box::new(Term::Constant(Value::text(word))), 0)
        } else {
            self.nested_term(nesting + 1)?
        };
        self.expect(")", opened)?;
        let node = self.atom(Atom::Permitted(*term), start);
        self.grown(node, start..self.at, depth)
    }

    fn count(&mut self, start: usize, nesting: usize) -> Result<Expression, SyntaxError> {
        self.open("count")?;
        let event = Box::new(self.event()?);
        let mut keys = self.keys("count", nesting)?;
        let count = Box::new(Count {
            event: *event,
            keys: keys.keys(),
            since: keys.since,
            within: keys.within,
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
        let node = match (word, Function::named(word)) {
            (_, Some(function)) => Node::term(Term::Apply(function, inner)),
            ("known", _) => self.atom(Atom::Known(*inner), start),
            ("from_user", _) => self.atom(Atom::FromUser(*inner), start),
            ("untrusted", _) => self.atom(Atom::Untrusted(*inner), start),
            _ => self.atom(Atom::Listed(*inner), start),
        };
        self.grown(node, start..self.at, depth)
    }

    /// Reads an operand that is one word and perhaps a path, with the position
    /// behind the word.
    fn simple(
        &mut self,
        word: &str,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        if self.variables.contains(&word) {
            let path = self.path(nesting)?;
            return self.pathed(Term::Variable(word.to_owned(), path), start);
        }
        if let Some(named) = self.terms.get(word) {
            self.write_out(named.length, start)?;
            let path = self.path(nesting)?;
            let Some(term) = named.term.clone().further(path) else {
                let text = self.quote(&(start..self.at));
                return Err(SyntaxError::new(
                    start..self.at,
                    format!("`{text}` goes into a term that has no parts"),
                    format!("write `{word}` alone"),
                ));
            };
            return self.pathed(term, start);
        }
        let term = match word {
            "true" => Term::Constant(Value::Bool(true)),
            "false" => Term::Constant(Value::Bool(false)),
            "null" => Term::Constant(Value::Null),
            "arg" => Term::Arg(self.needed_path(word, start, nesting)?),
            // The whole result may be what counts: `result == "done"`.
            "result" => Term::Result(self.path(nesting)?),
            "ctx" => Term::Context(self.context_key(start, nesting)?),
            "turn" => self.turn(start, nesting)?,
            "now" => Term::Gauge(Gauge::Now),
            "tokens" => Term::Gauge(Gauge::Tokens),
            "turns" => Term::Gauge(Gauge::Turns),
            "depth" => Term::Gauge(Gauge::Depth),
            "since" => self.since()?,
            _ => {
                self.at = start;
                let event = self.event()?;
                let node = self.atom(Atom::Event(event), start);
                return self.grown(node, start..self.at, 0);
            }
        };
        self.pathed(term, start)
    }

    /// Reads the event of `since(event)`.
    fn since(&mut self) -> Result<Term, SyntaxError> {
        let opened = self.open("since")?;
        let event = self.event()?;
        self.expect(")", opened)?;
        Ok(Term::Since(event))
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
        Err(self.unopened(word))
    }

    fn needed_path(
        &mut self,
        word: &str,
        start: usize,
        nesting: usize,
    ) -> Result<Path, SyntaxError> {
        let path = self.path(nesting)?;
        if path.0.is_empty() {
            return Err(SyntaxError::new(
                start..self.at,
                format!("`{word}` stands without a field"),
                format!("name what it reads, as in `{word}.status`"),
            ));
        }
        Ok(path)
    }

    fn context_key(&mut self, start: usize, nesting: usize) -> Result<String, SyntaxError> {
        let path = self.needed_path("ctx", start, nesting)?;
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

    fn turn(&mut self, start: usize, nesting: usize) -> Result<Term, SyntaxError> {
        let path = self.path(nesting)?;
        match (path.head(), path.0.len()) {
            (Some("calls"), 1) => Ok(Term::Gauge(Gauge::TurnCalls)),
            (Some("size"), 1) => Ok(Term::Gauge(Gauge::TurnSize)),
            (Some("says"), 1) => Ok(Term::Gauge(Gauge::TurnSays)),
            _ => Err(SyntaxError::new(
                start..self.at,
                format!("`{}` means nothing here", self.quote(&(start..self.at))),
                "write `turn.calls`, `turn.size` or `turn.says`",
            )),
        }
    }
}
