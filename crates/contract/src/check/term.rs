//! The shape of a term, and what is wrong inside it.

use super::schema::{self, argument};
use super::shape::{Measure, Shape};
use super::{Checker, no_time};
use crate::diagnostic::Code;
use crate::predicate::{
    ArithmeticOp, Count, EventPredicate, Function, Gauge, Name, Occurrence, Segment, Term,
    ToolEvent,
};
use crate::value::Kind;

impl<'a> Checker<'a> {
    /// The shape of a term; complains about what is inside it.
    pub(super) fn term(&mut self, term: &'a Term) -> Shape<'a> {
        match term {
            Term::Arg(path) => match path.0.split_first() {
                Some((Segment::Field(Name::Known(head)), rest)) => {
                    let whole = argument(self.catalog, &self.tools, head);
                    self.walk(whole, rest, term)
                }
                _ => self.walk(Shape::unknown(), &path.0, term),
            },
            Term::Result(path) => self.walk(self.answer.clone(), &path.0, term),
            Term::Lookup(lookup) => {
                for key in &lookup.keys {
                    self.term(&key.value);
                }
                let record = schema::answer(self.catalog, &lookup.tools);
                let one = self.walk(record, &lookup.path.0, term);
                match lookup.which {
                    // The lists that a path selects are joined to one.
                    Occurrence::Every if lookup.path.is_plural() => one,
                    Occurrence::Every => Shape::list_of(one),
                    Occurrence::Last | Occurrence::First => one,
                }
            }
            Term::Count(count) => {
                self.keys(count);
                Shape::of(Kind::Number)
            }
            Term::Total(count, amount) => {
                self.keys(count);
                self.total(count, amount)
            }
            Term::Since(_) | Term::Duration(_) => Shape::stretch(),
            Term::Context(_) => Shape::unknown(),
            Term::Gauge(Gauge::Now) => Shape::time(),
            Term::Gauge(Gauge::TurnSays) => Shape::of(Kind::Text),
            Term::Gauge(_) => Shape::of(Kind::Number),
            Term::Apply(function, inner) => self.applied(*function, inner),
            Term::Zip(left, right) => {
                let sides = [left, right].map(|side| {
                    let shape = self.term(side);
                    self.needs(side, &shape, &[Kind::List], "`zip` pairs");
                    shape.item()
                });
                Shape::list_of(Shape::list_of(Shape::any_of(sides)))
            }
            Term::Variable(name, path) => {
                let mut named = self.variables.iter().rev();
                let element = named.find(|(it, _)| it == name);
                let element = element.map_or_else(Shape::unknown, |(_, shape)| shape.clone());
                self.walk(element, &path.0, term)
            }
            Term::Current(path) => {
                let element = self.elements.last().cloned();
                self.walk(element.unwrap_or_else(Shape::unknown), &path.0, term)
            }
            Term::Constant(value) => Shape::of_value(value),
            Term::Arithmetic(op, left, right) => self.arithmetic(*op, left, right, term),
        }
    }

    /// The shape of what a path selects; complains about steps into values that
    /// have no parts.
    fn walk(&mut self, start: Shape<'a>, path: &'a [Segment], term: &Term) -> Shape<'a> {
        let mut here = start;
        let mut many = false;
        let mut segments = path.iter().peekable();
        while let Some(segment) = segments.next() {
            let (wanted, kinds): (_, &[Kind]) = match segment {
                Segment::Field(_) => ("a field", &[Kind::Object]),
                Segment::Index(_) => ("an element", &[Kind::List]),
                Segment::Every => ("every element", &[Kind::List, Kind::Object]),
                Segment::Filter(_) => ("some elements", &[Kind::List, Kind::Object]),
                Segment::Computed(_) => ("a part", &[Kind::List, Kind::Object]),
            };
            if !here.may_be(kinds) {
                self.mismatch(
                    format!("`{term}` reads {wanted} of what is {here}"),
                    "check the path against the tool's schema",
                );
                here = Shape::unknown();
            }
            here = match segment {
                Segment::Field(Name::Known(name)) => here.field(name),
                Segment::Field(Name::Placeholder(_)) => Shape::unknown(),
                Segment::Index(_) => here.item(),
                Segment::Every => {
                    many = true;
                    here.element()
                }
                Segment::Filter(condition) => {
                    let element = here.element();
                    self.elements.push(element.clone());
                    self.condition(condition);
                    self.elements.pop();
                    // A position right behind a filter takes one of what it keeps.
                    if let Some(Segment::Index(_)) = segments.peek() {
                        segments.next();
                    } else {
                        many = true;
                    }
                    element
                }
                Segment::Computed(key) => {
                    let shape = self.term(key);
                    let kinds: &[Kind] = if here.is_only(Kind::List) {
                        &[Kind::Number]
                    } else if here.is_only(Kind::Object) {
                        &[Kind::Text]
                    } else {
                        &[Kind::Text, Kind::Number]
                    };
                    self.needs(key, &shape, kinds, "a computed key is");
                    here.element()
                }
            };
        }
        if many { Shape::list_of(here) } else { here }
    }

    /// The keys of a count. A count of calls has nothing but their arguments to
    /// compare them with.
    fn keys(&mut self, count: &'a Count) {
        for key in &count.keys {
            let value = self.term(&key.value);
            let (EventPredicate::Tool(ToolEvent::Call, tools), Name::Known(name)) =
                (&count.event, &key.name)
            else {
                continue;
            };
            let counted: Vec<&str> = tools.names().collect();
            let argument = argument(self.catalog, &counted, name);
            if !argument.meets(&value) {
                self.mismatch(
                    format!(
                        "`{name}` of `{}` is {argument} and `{}` is {value}, and different kinds are never equal",
                        count.event, key.value
                    ),
                    "give the key a value of its own kind",
                );
            }
        }
    }

    /// What is summed reads the counted call, not the guarded one.
    fn total(&mut self, count: &'a Count, amount: &'a Term) -> Shape<'a> {
        let EventPredicate::Tool(event, tools) = &count.event else {
            return Shape::of(Kind::Number);
        };
        let guarded = std::mem::replace(&mut self.tools, tools.names().collect());
        if *event == ToolEvent::Ok {
            self.answer = schema::answer(self.catalog, tools);
        }
        let shape = self.term(amount);
        self.answer = Shape::unknown();
        self.tools = guarded;
        self.needs(amount, &shape, &[Kind::Number], "`sum` adds up");
        match shape.measure {
            Measure::Stretch => Shape::stretch(),
            _ => Shape::of(Kind::Number),
        }
    }

    /// The shape of a function's value.
    fn applied(&mut self, function: Function, inner: &'a Term) -> Shape<'a> {
        let shape = self.term(inner);
        let text_or_list: &[Kind] = &[Kind::Text, Kind::List];
        let (kinds, verb, value): (&[Kind], _, _) = match function {
            Function::Len => (
                &[Kind::List, Kind::Object, Kind::Text],
                "`len` measures",
                Shape::of(Kind::Number),
            ),
            Function::Lower => (&[Kind::Text], "`lower` reads", Shape::of(Kind::Text)),
            Function::Sum => (&[Kind::List], "`sum` adds up", Shape::of(Kind::Number)),
            Function::Urls => (
                text_or_list,
                "`urls` looks through",
                Shape::list_of(Shape::of(Kind::Text)),
            ),
            Function::Emails => (
                text_or_list,
                "`emails` looks through",
                Shape::list_of(Shape::of(Kind::Text)),
            ),
            Function::Numbers => (
                &[Kind::Text, Kind::List, Kind::Number],
                "`numbers` looks through",
                Shape::list_of(Shape::of(Kind::Number)),
            ),
            Function::Domain => (&[Kind::Text], "an address is", Shape::of(Kind::Text)),
            Function::Path => (&[Kind::Text], "an address is", Shape::of(Kind::Text)),
        };
        if self.needs(inner, &shape, kinds, verb) && shape.is_only(Kind::List) {
            let items: &[Kind] = match function {
                Function::Sum => &[Kind::Number],
                Function::Urls | Function::Emails | Function::Numbers => &[Kind::Text],
                _ => return value,
            };
            let held = shape.item();
            // An empty list has no element of a wrong kind.
            if !held.may_be(items) {
                self.mismatch(
                    format!(
                        "{verb} {}, but `{inner}` holds {held}",
                        super::either(items)
                    ),
                    format!("use a list that holds {}", super::either(items)),
                );
            }
        }
        value
    }

    /// The shape of a sum, a difference or a product. Times are texts: the
    /// difference of two is a stretch of time, and with a stretch more or less a
    /// time is another time.
    fn arithmetic(
        &mut self,
        op: ArithmeticOp,
        left: &'a Term,
        right: &'a Term,
        term: &Term,
    ) -> Shape<'a> {
        let (a, b) = (self.term(left), self.term(right));
        let verb = format!("`{}` reckons with", op.sign());
        let times = op != ArithmeticOp::Multiply;
        let mut fits = true;
        for (side, shape) in [(left, &a), (right, &b)] {
            let kinds: &[Kind] = match times && no_time(side).is_none() {
                true => &[Kind::Number, Kind::Text],
                false => &[Kind::Number],
            };
            fits &= self.needs(side, shape, kinds, &verb);
        }
        if !fits {
            return Shape::unknown();
        }
        if !times {
            if !left.is_constant() && !right.is_constant() {
                self.mismatch(
                    format!("`{term}` multiplies two terms that both vary"),
                    "keep arithmetic linear: one side of `*` must be a number",
                );
            }
            return match [&a, &b].iter().any(|side| side.measure == Measure::Stretch) {
                true => Shape::stretch(),
                false => Shape::of(Kind::Number),
            };
        }
        for ((side, shape), (other, beside)) in
            [((left, &a), (right, &b)), ((right, &b), (left, &a))]
        {
            let Some(number) = super::plain(side, shape) else {
                continue;
            };
            if beside.measure != Measure::Plain {
                self.complain(
                    Code::UnitMismatch,
                    format!("`{term}` reckons with {beside} and a plain number"),
                    format!("say which unit is meant, such as `{number}s` or `{number}d`"),
                );
                return Shape::unknown();
            }
            if beside.is_only(Kind::Text) {
                self.mismatch(
                    format!("{verb} a number, but `{other}` is {beside}"),
                    "use a number; with a time goes a stretch of time, such as `3d`",
                );
                return Shape::unknown();
            }
        }
        match (a.is_only(Kind::Text), b.is_only(Kind::Text)) {
            (true, true) if op == ArithmeticOp::Subtract => Shape::stretch(),
            (true, false) | (false, true) if a.is_settled() && b.is_settled() => Shape::time(),
            (false, false) if a.is_only(Kind::Number) && b.is_only(Kind::Number) => {
                match [&a, &b].iter().any(|side| side.measure == Measure::Stretch) {
                    true => Shape::stretch(),
                    false => Shape::of(Kind::Number),
                }
            }
            // Whether an unknown side is a number or a time makes the difference.
            _ => Shape::any_of([Shape::of(Kind::Number), Shape::time()]),
        }
    }
}
