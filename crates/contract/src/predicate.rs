//! The closed vocabulary of interaction predicates (DESIGN section 3).
//!
//! A formula is LTLf over [`Atom`]s; an atom is an event predicate or a
//! condition over [`Term`]s. The syntax tree keeps what its author wrote;
//! [`crate::alphabet`] brings atoms to a canonical form for the automata.

use crate::event::EventKind;
use crate::value::Value;
use std::collections::BTreeSet;

/// An LTLf formula over interaction predicates.
pub type Formula = lictor_ltlf::Formula<Atom>;

/// A name that a draft may leave open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A name of the catalog.
    Known(String),
    /// `?words`: the author did not know the exact name; resolve fills it in.
    Placeholder(String),
}

/// One tool, a class of tools, or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolRef {
    /// A tool by name, known or not.
    Tool(Name),
    /// `@read`: every tool that changes nothing.
    Read,
    /// `@write`: every tool that may change something.
    Write,
    /// `@any`: every tool.
    Any,
}

/// Tools joined by `|`; never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolPattern(BTreeSet<ToolRef>);

impl ToolPattern {
    /// A pattern of the given alternatives; none if there are none.
    pub fn new(tools: impl IntoIterator<Item = ToolRef>) -> Option<Self> {
        let tools: BTreeSet<_> = tools.into_iter().collect();
        (!tools.is_empty()).then_some(ToolPattern(tools))
    }

    /// The pattern of one tool.
    pub fn tool(name: impl Into<String>) -> Self {
        ToolPattern(BTreeSet::from([ToolRef::Tool(Name::Known(name.into()))]))
    }

    /// The pattern of several named tools; none if there are none.
    pub fn tools<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Option<Self> {
        Self::new(
            names
                .into_iter()
                .map(|name| ToolRef::Tool(Name::Known(name.into()))),
        )
    }

    /// The alternatives in order.
    pub fn alternatives(&self) -> impl Iterator<Item = &ToolRef> {
        self.0.iter()
    }

    /// The named tools; classes and placeholders are left out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|tool| match tool {
            ToolRef::Tool(Name::Known(name)) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether the pattern names this tool. Classes must be expanded before.
    pub fn names_tool(&self, tool: &str) -> bool {
        self.names().any(|name| name == tool)
    }
}

/// What happened to a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolEvent {
    /// The agent called it.
    Call,
    /// It answered.
    Return,
    /// It answered with success.
    Ok,
    /// It answered with a failure.
    Error,
}

impl ToolEvent {
    /// The word that stands for it in a formula.
    pub fn word(self) -> &'static str {
        match self {
            ToolEvent::Call => "call",
            ToolEvent::Return => "return",
            ToolEvent::Ok => "ok",
            ToolEvent::Error => "error",
        }
    }

    /// The kind of event that carries it.
    pub fn kind(self) -> EventKind {
        match self {
            ToolEvent::Call => EventKind::Call,
            ToolEvent::Return | ToolEvent::Ok | ToolEvent::Error => EventKind::Return,
        }
    }
}

/// A predicate over the current event alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventPredicate {
    /// `call(T)`, `return(T)`, `ok(T)`, `error(T)`.
    Tool(ToolEvent, ToolPattern),
    /// `user`: the user wrote something.
    User,
    /// `agent`: the agent wrote something.
    Agent,
    /// `user_says(/re/)`.
    UserSays(Pattern),
    /// `agent_says(/re/)`.
    AgentSays(Pattern),
    /// `confirms`: the user said yes to what the agent asked. Three-valued.
    Confirms,
}

/// A regular expression of the linear-time engine; ignores case unless it
/// says `(?-i)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(pub String);

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// `.name`.
    Field(Name),
    /// `[n]`; negative counts from the end.
    Index(i64),
    /// `[*]`: every element of an array or every value of an object.
    Every,
}

/// A path into a value (RFC 9535, the part of it that the language has).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Segment>);

impl Path {
    /// The path of known field names.
    pub fn fields<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Path(
            names
                .into_iter()
                .map(|name| Segment::Field(Name::Known(name.into())))
                .collect(),
        )
    }

    /// Its first field, if that is a known name: the argument a path reads.
    pub fn head(&self) -> Option<&str> {
        match self.0.first() {
            Some(Segment::Field(Name::Known(name))) => Some(name),
            _ => None,
        }
    }
}

/// `key = term`: what a looked-up or counted event must carry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Name of the argument of the counted call, or a field of its value.
    pub name: Name,
    /// The value it must have.
    pub value: Term,
}

/// `last(T, key = t, …).path`: the newest successful value among those whose
/// call arguments or value carry all the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lookup {
    /// The tools that supply it.
    pub tools: ToolPattern,
    /// The keys, in order of their names.
    pub keys: Vec<Key>,
    /// The path into the value.
    pub path: Path,
}

/// `count(E, key = t, …, since = E)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count {
    /// What is counted.
    pub event: EventPredicate,
    /// The keys, in order of their names.
    pub keys: Vec<Key>,
    /// Counting starts after the newest of these.
    pub since: Option<EventPredicate>,
}

/// An arithmetic operator; products need a constant on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArithmeticOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
}

impl ArithmeticOp {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            ArithmeticOp::Add => "+",
            ArithmeticOp::Subtract => "-",
            ArithmeticOp::Multiply => "*",
        }
    }
}

/// Something that may have a value at an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// `arg.path`: an argument of the call, at a return of its call.
    Arg(Path),
    /// `result.path`: at a return, the value it carries.
    Result(Path),
    /// `ctx.key`: a fact from the host.
    Context(String),
    /// `last(…).path`.
    Last(Lookup),
    /// `count(…)`.
    Count(Box<Count>),
    /// `turn.calls`: admitted calls of this turn, this one included.
    TurnCalls,
    /// `turn.size`: calls in the message, where the door sees it whole.
    TurnSize,
    /// `len(t)`: elements of a list or object, characters of a text.
    Len(Box<Term>),
    /// `lower(t)`.
    Lower(Box<Term>),
    /// A constant.
    Constant(Value),
    /// Linear arithmetic.
    Arithmetic(ArithmeticOp, Box<Term>, Box<Term>),
}

/// How two terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl CompareOp {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessOrEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterOrEqual => ">=",
        }
    }
}

/// An atomic proposition of a contract.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A predicate over the event.
    Event(EventPredicate),
    /// `a == b` and its kin.
    Compare(CompareOp, Term, Term),
    /// `a in list`.
    In(Term, Term),
    /// `a subset b`, as bags.
    Subset(Term, Term),
    /// `a contains b`: an element of a list, or a part of a text.
    Contains(Term, Term),
    /// `a matches /re/`.
    Matches(Term, Pattern),
    /// `known(t)`: the term has a value. Two-valued.
    Known(Term),
    /// `listed(t)`: the agent named the value before the present yes.
    Listed(Term),
}

impl Atom {
    /// Whether the atom is never unknown (DESIGN section 3): event predicates
    /// but `confirms`, and `known`.
    pub fn is_two_valued(&self) -> bool {
        match self {
            Atom::Event(EventPredicate::Confirms) => false,
            Atom::Event(_) | Atom::Known(_) => true,
            _ => false,
        }
    }

    /// The terms directly under the atom.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Atom::Event(_) => Vec::new(),
            Atom::Compare(_, left, right)
            | Atom::In(left, right)
            | Atom::Subset(left, right)
            | Atom::Contains(left, right) => vec![left, right],
            Atom::Matches(term, _) | Atom::Known(term) | Atom::Listed(term) => vec![term],
        }
    }

    /// Every term of the atom, nested ones included, outermost first.
    pub fn all_terms(&self) -> Vec<&Term> {
        let mut all = Vec::new();
        let mut open: Vec<&Term> = self.terms();
        open.reverse();
        while let Some(term) = open.pop() {
            all.push(term);
            let mut inner = term.inner();
            inner.reverse();
            open.extend(inner);
        }
        all
    }
}

impl Term {
    /// The terms directly under this one.
    pub fn inner(&self) -> Vec<&Term> {
        match self {
            Term::Last(lookup) => lookup.keys.iter().map(|key| &key.value).collect(),
            Term::Count(count) => count.keys.iter().map(|key| &key.value).collect(),
            Term::Len(term) | Term::Lower(term) => vec![term],
            Term::Arithmetic(_, left, right) => vec![left, right],
            Term::Arg(_)
            | Term::Result(_)
            | Term::Context(_)
            | Term::TurnCalls
            | Term::TurnSize
            | Term::Constant(_) => Vec::new(),
        }
    }

    /// The tools whose results the term itself (not its inner terms) reads.
    pub fn suppliers(&self) -> Option<&ToolPattern> {
        match self {
            Term::Last(lookup) => Some(&lookup.tools),
            Term::Count(count) => match &count.event {
                EventPredicate::Tool(event, tools) if *event != ToolEvent::Call => Some(tools),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The event kinds that the atoms of a formula observe (DESIGN section 4): a
/// contract steps on these alone. A formula over facts alone observes calls.
pub fn observed_kinds(formula: &Formula) -> BTreeSet<EventKind> {
    let atoms = formula.atoms();
    let mut kinds: BTreeSet<EventKind> = atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Event(predicate) => Some(predicate_kind(predicate)),
            _ => None,
        })
        .collect();
    let mentions = |test: fn(&Term) -> bool| {
        atoms
            .iter()
            .any(|atom| atom.all_terms().iter().any(|term| test(term)))
    };
    if mentions(|term| matches!(term, Term::Result(_))) {
        kinds.insert(EventKind::Return);
    }
    // `arg` beside a return predicate reads the arguments of the return's call
    // and adds no kind of its own.
    if !kinds.contains(&EventKind::Return) && mentions(|term| matches!(term, Term::Arg(_))) {
        kinds.insert(EventKind::Call);
    }
    if kinds.is_empty() {
        kinds.insert(EventKind::Call);
    }
    kinds
}

/// The kind of event a predicate can be true at.
pub fn predicate_kind(predicate: &EventPredicate) -> EventKind {
    match predicate {
        EventPredicate::Tool(event, _) => event.kind(),
        EventPredicate::User | EventPredicate::UserSays(_) | EventPredicate::Confirms => {
            EventKind::User
        }
        EventPredicate::Agent | EventPredicate::AgentSays(_) => EventKind::Agent,
    }
}
