//! Terms: what may have a value at an event.

use super::atom::Condition;
use super::tool::{EventPredicate, Name, ToolEvent, ToolPattern};
use crate::value::Value;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// `.name`.
    Field(Name),
    /// `[n]`; negative counts from the end.
    Index(i64),
    /// `[*]`: every element of an array or every value of an object.
    Every,
    /// `[?condition]`: every element for which the condition holds. The element
    /// is `@` in it.
    Filter(Condition),
    /// `[term]`: the field or element that the term's value names.
    Computed(Box<Term>),
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

    /// Its last field, if the path names one: what the value is called.
    pub fn last_field(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|segment| match segment {
            Segment::Field(Name::Known(name)) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether it selects a list of values rather than one.
    pub fn is_plural(&self) -> bool {
        self.0
            .iter()
            .any(|segment| matches!(segment, Segment::Every | Segment::Filter(_)))
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

/// Which of several values a look-up means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occurrence {
    /// `last(…)`: the newest.
    Last,
    /// `first(…)`: the oldest.
    First,
    /// `every(…)`: all of them, oldest first, as a list.
    Every,
}

impl Occurrence {
    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        match self {
            Occurrence::Last => "last",
            Occurrence::First => "first",
            Occurrence::Every => "every",
        }
    }
}

/// `last(T, key = t, …).path` and its kin: successful values of T among those
/// whose call arguments or value carry all the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lookup {
    /// Which of them.
    pub which: Occurrence,
    /// The tools that supply it.
    pub tools: ToolPattern,
    /// The keys, in order of their names.
    pub keys: Vec<Key>,
    /// The path into the value.
    pub path: Path,
}

/// `count(E, key = t, …, since = E, within = 24h)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count {
    /// What is counted.
    pub event: EventPredicate,
    /// The keys, in order of their names.
    pub keys: Vec<Key>,
    /// Counting starts after the newest of these.
    pub since: Option<EventPredicate>,
    /// Only what happened in this stretch of time before now counts.
    pub within: Option<Seconds>,
}

/// A stretch of time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds(pub u64);

impl Seconds {
    /// The units by their letter, longest first.
    pub const UNITS: [(char, u64); 5] = [
        ('w', 604_800),
        ('d', 86_400),
        ('h', 3_600),
        ('m', 60),
        ('s', 1),
    ];
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

/// Something that the session itself tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gauge {
    /// `now`: the policy's stated time, else the host's, else the event's.
    Now,
    /// `turn.calls`: admitted calls of this turn, this one included.
    TurnCalls,
    /// `turn.size`: calls in the message, where the door sees it whole.
    TurnSize,
    /// `turn.says`: what the agent wrote in this turn; empty text if nothing.
    TurnSays,
    /// `tokens`: what the session has consumed, as the host reports it.
    Tokens,
    /// `turns`: turns of the agent so far, this one included.
    Turns,
    /// `depth`: how deep delegation between agents is, as the host reports it.
    Depth,
}

impl Gauge {
    /// Every gauge, in order of its words.
    pub const ALL: [Gauge; 7] = [
        Gauge::Depth,
        Gauge::Now,
        Gauge::Tokens,
        Gauge::TurnCalls,
        Gauge::TurnSays,
        Gauge::TurnSize,
        Gauge::Turns,
    ];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Gauge::Now => "now",
            Gauge::TurnCalls => "turn.calls",
            Gauge::TurnSize => "turn.size",
            Gauge::TurnSays => "turn.says",
            Gauge::Tokens => "tokens",
            Gauge::Turns => "turns",
            Gauge::Depth => "depth",
        }
    }

    /// Whether it is a natural number.
    pub fn is_natural(self) -> bool {
        !matches!(self, Gauge::Now | Gauge::TurnSays)
    }
}

/// A function of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// `len(t)`: elements of a list or object, characters of a text.
    Len,
    /// `lower(t)`: a text in lower case.
    Lower,
    /// `sum(t)`: of a list of numbers.
    Sum,
    /// `urls(t)`: the web addresses in a text, or in the texts of a list.
    Urls,
    /// `emails(t)`: the mail addresses in a text, or in the texts of a list.
    Emails,
    /// `numbers(t)`: the numbers in a text, or in the texts of a list.
    Numbers,
    /// `domain(t)`: the domain of a mail or web address, in lower case.
    Domain,
    /// `path(t)`: the path of a web address or file.
    Path,
}

impl Function {
    /// Every function, in order of its name.
    pub const ALL: [Function; 8] = [
        Function::Domain,
        Function::Emails,
        Function::Len,
        Function::Lower,
        Function::Numbers,
        Function::Path,
        Function::Sum,
        Function::Urls,
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Function::Len => "len",
            Function::Lower => "lower",
            Function::Sum => "sum",
            Function::Urls => "urls",
            Function::Emails => "emails",
            Function::Numbers => "numbers",
            Function::Domain => "domain",
            Function::Path => "path",
        }
    }

    /// The function of this name.
    pub fn named(word: &str) -> Option<Function> {
        Function::ALL
            .into_iter()
            .find(|function| function.word() == word)
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
    /// `last(…).path`, `first(…).path`, `every(…).path`.
    Lookup(Lookup),
    /// `count(…)`.
    Count(Box<Count>),
    /// `sum(E, t, …)`: the total of a term over counted events. In it `arg` and
    /// `result` are those of the counted event.
    Total(Box<Count>, Box<Term>),
    /// `since(E)`: the time that has passed since the newest of these.
    Since(EventPredicate),
    /// What the session tells.
    Gauge(Gauge),
    /// A function of one value.
    Apply(Function, Box<Term>),
    /// `zip(a, b)`: the pairs of two lists of one length.
    Zip(Box<Term>, Box<Term>),
    /// `x.path`: what a quantifier ranges over.
    Variable(String, Path),
    /// `@.path`: the element that a filter looks at.
    Current(Path),
    /// A constant.
    Constant(Value),
    /// A constant stretch of time.
    Duration(Seconds),
    /// Linear arithmetic.
    Arithmetic(ArithmeticOp, Box<Term>, Box<Term>),
}

impl Term {
    /// `len(t)`.
    pub fn len_of(term: Term) -> Term {
        Term::Apply(Function::Len, Box::new(term))
    }

    /// The path that the term ends in, if it can have one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Term::Arg(path)
            | Term::Result(path)
            | Term::Variable(_, path)
            | Term::Current(path) => Some(path),
            Term::Lookup(lookup) => Some(&lookup.path),
            _ => None,
        }
    }

    /// The same term with more steps at the end of its path; none if it has no path.
    pub fn further(mut self, more: Path) -> Option<Term> {
        if more.0.is_empty() {
            return Some(self);
        }
        let path = match &mut self {
            Term::Arg(path)
            | Term::Result(path)
            | Term::Variable(_, path)
            | Term::Current(path) => path,
            Term::Lookup(lookup) => &mut lookup.path,
            _ => return None,
        };
        path.0.extend(more.0);
        Some(self)
    }

    /// Whether the term only ever has natural numbers as values.
    pub fn is_natural(&self) -> bool {
        match self {
            Term::Count(_) | Term::Apply(Function::Len, _) => true,
            Term::Gauge(gauge) => gauge.is_natural(),
            _ => false,
        }
    }

    /// Whether the term has the same value at every event.
    pub fn is_constant(&self) -> bool {
        match self {
            Term::Constant(_) | Term::Duration(_) => true,
            Term::Arithmetic(_, left, right) | Term::Zip(left, right) => {
                left.is_constant() && right.is_constant()
            }
            Term::Apply(_, inner) => inner.is_constant(),
            _ => false,
        }
    }

    /// What the term counts, and from when on, if it counts events.
    pub fn counted(&self) -> Option<&Count> {
        match self {
            Term::Count(count) | Term::Total(count, _) => Some(count),
            _ => None,
        }
    }

    /// The event predicates inside the term itself, not inside its inner terms.
    pub fn events(&self) -> Vec<&EventPredicate> {
        match self {
            Term::Count(count) | Term::Total(count, _) => {
                [Some(&count.event), count.since.as_ref()]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Term::Since(event) => vec![event],
            _ => Vec::new(),
        }
    }

    /// The tools whose results the term itself (not its inner terms) reads.
    pub fn suppliers(&self) -> Option<&ToolPattern> {
        match self {
            Term::Lookup(lookup) => Some(&lookup.tools),
            Term::Count(count) | Term::Total(count, _) => match &count.event {
                EventPredicate::Tool(event, tools) if *event != ToolEvent::Call => Some(tools),
                _ => None,
            },
            _ => None,
        }
    }
}
