//! Random libraries and random sessions.

use lictor_contract::event::Arguments;
use lictor_contract::language::{Mode, parse_formula, print_formula};
use lictor_contract::predicate::{EventPredicate, Formula, ToolEvent, ToolPattern};
use lictor_contract::rule::{Body, ConfirmationReading, Rule};
use lictor_contract::value::Value;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

/// What a user says, and whether the agent asked before it.
#[derive(Clone, Copy, Debug)]
pub enum Saying {
    Yes,
    No,
    Unclear,
    Unasked,
}

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its answer comes at once, before its siblings are proposed where the session is loose.
    AtOnce,
    /// Its answer comes after the calls of its turn, in this order.
    Soon(u8),
    /// Its answer comes with the next step.
    Later(u8),
    /// Its answer is never seen.
    Never,
}

#[derive(Clone, Debug)]
pub struct Proposal {
    pub tool: &'static str,
    pub arguments: Arguments,
    pub fate: Fate,
    pub ok: bool,
    pub result: Value,
}

#[derive(Clone, Debug)]
pub enum Step {
    User(Saying),
    Agent,
    Turn(Vec<Proposal>),
}

/// A contract as assumption and guarantee.
pub type Pair = (String, String);

fn tool() -> impl Strategy<Value = &'static str> {
    select(vec!["look", "act", "act", "pay"])
}

fn tools() -> impl Strategy<Value = &'static str> {
    select(vec![
        "look",
        "act",
        "act",
        "pay",
        "act | pay",
        "look | act",
        "@any",
    ])
}

fn op() -> impl Strategy<Value = &'static str> {
    select(vec!["==", "!=", "<", "<=", ">", ">="])
}

/// A bound on a number of events; none that every number meets or misses.
fn bound(most: i32) -> impl Strategy<Value = String> {
    (op(), 0..most).prop_map(|(op, n)| match op {
        "<" | ">=" => format!("{op} {}", n + 1),
        _ => format!("{op} {n}"),
    })
}

/// A condition at a call.
fn condition() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        3 => (op(), 0..3).prop_map(|(op, n)| format!("arg.n {op} {n}")),
        1 => (op(), 0..3).prop_map(|(op, n)| format!("{n} {op} arg.n")),
        2 => select(vec!["==", "!="]).prop_map(|op| format!("arg.s {op} \"a\"")),
        1 => Just("arg.s in [\"a\", \"b\"]".to_owned()),
        1 => Just("arg.s in [\"a\", 1]".to_owned()),
        1 => select(vec!["arg.n", "arg.s", "last(look, key = arg.key).n"])
            .prop_map(|term| format!("known({term})")),
        1 => (op(), 0..3).prop_map(|(op, n)| format!("(known(arg.n) -> arg.n {op} {n})")),
        3 => (op(), 0..3).prop_map(|(op, n)| format!("last(look, key = arg.key).n {op} {n}")),
        1 => Just("last(look | act, key = arg.key).s == \"a\"".to_owned()),
        1 => op().prop_map(|op| format!("arg.n {op} last(look).n")),
        3 => (select(vec!["ok", "error", "return"]), tools(), bound(3))
            .prop_map(|(event, tools, bound)| {
                format!("count({event}({tools}), key = arg.key) {bound}")
            }),
        2 => (select(vec!["ok", "call"]), tools(), bound(3))
            .prop_map(|(event, tools, bound)| format!("count({event}({tools})) {bound}")),
        2 => (tools(), bound(2))
            .prop_map(|(tools, bound)| format!("count(ok({tools}), since = confirms) {bound}")),
        1 => (op(), 0..2)
            .prop_map(|(op, n)| format!("count(ok(act)) - count(ok(pay)) {op} {n}")),
        1 => (op(), 1..3).prop_map(|(op, n)| format!("turn.calls {op} {n}")),
    ];
    let one = one.boxed();
    prop_oneof![
        4 => one.clone(),
        1 => one.clone().prop_map(|c| format!("!({c})")),
        1 => (one.clone(), one.clone()).prop_map(|(a, b)| format!("(({a}) & ({b}))")),
        1 => (one.clone(), one).prop_map(|(a, b)| format!("(({a}) | ({b}))")),
    ]
}

fn parsed(text: &str) -> Formula {
    parse_formula(text, Mode::Strict).unwrap().value
}

fn pattern(text: &str) -> ToolPattern {
    let formula = parsed(&format!("call({text})"));
    let atoms = formula.atoms();
    match atoms.first() {
        Some(lictor_contract::predicate::Atom::Event(EventPredicate::Tool(_, tools))) => {
            tools.clone()
        }
        other => panic!("{other:?}"),
    }
}

/// What starts an obligation.
fn trigger() -> impl Strategy<Value = String> {
    prop_oneof![
        (tools(), condition()).prop_map(|(tools, c)| format!("call({tools}) & ({c})")),
        tools().prop_map(|tools| format!("call({tools})")),
        tools().prop_map(|tools| format!("ok({tools})")),
        (tools(), 0..3).prop_map(|(tools, n)| format!("ok({tools}) & arg.n == {n}")),
        tools().prop_map(|tools| format!("error({tools})")),
        Just("user".to_owned()),
        Just("confirms".to_owned()),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    let keys = || select(vec![Vec::new(), vec!["key".to_owned()]]);
    prop_oneof![
        3 => condition().prop_map(|c| Body::Precondition { condition: parsed(&c) }),
        2 => option::of(condition())
            .prop_map(|c| Body::Prohibition { condition: c.map(|c| parsed(&c)) }),
        2 => (tools(), select(vec![ToolEvent::Ok, ToolEvent::Call]), keys())
            .prop_map(|(tools, event, keys)| Body::Precedence {
                first: EventPredicate::Tool(event, pattern(tools)),
                keys: if event == ToolEvent::Ok { keys } else { Vec::new() },
            }),
        1 => Just(Body::Precedence { first: EventPredicate::Confirms, keys: Vec::new() }),
        3 => Just(Body::Confirmation { listed: Vec::new() }),
        2 => (1..3_u32, keys()).prop_map(|(at_most, keys)| Body::Limit { at_most, keys }),
        2 => keys().prop_map(|keys| Body::OncePer { keys }),
        1 => trigger().prop_map(|t| Body::Response { trigger: parsed(&t) }),
        2 => trigger().prop_map(|t| Body::ImmediateResponse { trigger: parsed(&t) }),
        2 => trigger().prop_map(|t| Body::AbsenceAfter { trigger: parsed(&t) }),
        1 => tool().prop_map(|other| Body::MutualExclusion { other: ToolPattern::tool(other) }),
    ]
}

fn rule() -> impl Strategy<Value = Pair> {
    let reading = select(vec![
        ConfirmationReading::PerAction,
        ConfirmationReading::Batch,
    ]);
    (tools(), body(), reading).prop_map(|(tools, body, reading)| {
        let rule = Rule {
            for_each: Vec::new(),
            tools: pattern(tools),
            body,
        };
        let text = print_formula(&rule.obligation(reading).guarantee);
        ("true".to_owned(), text)
    })
}

fn formula() -> impl Strategy<Value = Pair> {
    let guarantee = prop_oneof![
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("!call({a}) W (call({b}) & ({c}))")),
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("(call({a}) -> {c}) U call({b})")),
        (tools(), tools()).prop_map(|(a, b)| format!("G (call({a}) -> O ok({b}))")),
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("G (call({a}) -> O (call({b}) & ({c})))")),
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("G (call({a}) -> H (call({b}) -> {c}))")),
        (tools(), tools(), 0..3).prop_map(|(a, b, n)| format!(
            "G (call({a}) -> (!error({b}) S (ok({b}) & arg.n == {n})))"
        )),
        (tools(), tools()).prop_map(|(a, b)| format!("G (call({a}) -> WY !call({b}))")),
        (tools(), tools()).prop_map(|(a, b)| format!("G (call({a}) -> Y call({b}) | confirms)")),
        tools().prop_map(|a| format!("G (call({a}) -> (!user S confirms))")),
        tools().prop_map(|a| format!("G (call({a}) -> (confirms T user))")),
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("G (call({a}) & !({c}) -> X (call({b}) & ({c})))")),
        (tools(), condition(), condition())
            .prop_map(|(a, c, d)| format!("G (call({a}) -> {c}) | G (call({a}) -> {d})")),
        (tools(), condition())
            .prop_map(|(a, c)| format!("F (call({a}) & ({c})) & G (user -> WX WX !call({a}))")),
        condition().prop_map(|c| format!("G ({c})")),
    ];
    let assumption = prop_oneof![
        5 => Just("true".to_owned()),
        1 => tools().prop_map(|a| format!("G !error({a})")),
        1 => (tools(), 0..3).prop_map(|(a, n)| format!("G (ok({a}) -> arg.n == {n})")),
        1 => Just("G (confirms -> WX !confirms)".to_owned()),
    ];
    (assumption, guarantee)
}

/// A few contracts.
pub fn library() -> impl Strategy<Value = Vec<Pair>> {
    vec(prop_oneof![3 => rule(), 2 => formula()], 1..4)
}

fn values(
    key: impl Strategy<Value = Option<&'static str>>,
) -> impl Strategy<Value = BTreeMap<String, Value>> {
    let n = option::weighted(0.8, select(vec!["0", "1", "1", "2", "2.0", "3", "\"1\""]));
    let s = option::weighted(0.8, select(vec!["\"a\"", "\"b\"", "\"c\"", "1"]));
    (n, s, key).prop_map(|(n, s, key)| {
        let named = [("n", n), ("s", s), ("key", key)];
        let present = named
            .into_iter()
            .filter_map(|(name, text)| Some((name.to_owned(), Value::from_json(text?).unwrap())));
        present.collect()
    })
}

/// Readable arguments.
pub fn arguments() -> impl Strategy<Value = BTreeMap<String, Value>> {
    values(option::weighted(0.8, select(vec!["1", "2"])))
}

fn proposal() -> impl Strategy<Value = Proposal> {
    let key = || option::weighted(0.8, select(vec!["1", "1", "1.0", "2", "\"1\""]));
    let arguments = prop_oneof![
        12 => values(key()).prop_map(Arguments::Read),
        1 => Just(Arguments::Unreadable("{\"n\": ".to_owned())),
    ];
    let result = prop_oneof![
        8 => values(key()).prop_map(Value::Object),
        1 => Just(Value::text("done")),
    ];
    let fate = prop_oneof![
        3 => Just(Fate::AtOnce),
        3 => (0..8_u8).prop_map(Fate::Soon),
        1 => (0..8_u8).prop_map(Fate::Later),
        1 => Just(Fate::Never),
    ];
    let ok = select(vec![true, true, true, false]);
    (tool(), arguments, fate, ok, result).prop_map(|(tool, arguments, fate, ok, mut result)| {
        // Where both carry the key they agree.
        if let (Some(_), Value::Object(fields)) = (arguments.get("key"), &mut result) {
            fields.remove("key");
        }
        Proposal {
            tool,
            arguments,
            fate,
            ok,
            result,
        }
    })
}

/// What happens in a session.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    let saying = select(vec![
        Saying::Yes,
        Saying::Yes,
        Saying::No,
        Saying::Unclear,
        Saying::Unasked,
    ]);
    let step = prop_oneof![
        2 => saying.prop_map(Step::User),
        1 => Just(Step::Agent),
        5 => vec(proposal(), 1..4).prop_map(Step::Turn),
    ];
    vec(step, 1..7)
}
