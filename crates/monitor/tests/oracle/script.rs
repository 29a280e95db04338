//! Random sessions.

use super::catalog::{Catalog, TOOLS};
use super::clock::Style;
use lictor_contract::event::Arguments;
use lictor_contract::value::Value;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

/// What a user says, and whether the agent asked before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saying {
    Yes,
    No,
    Unclear,
    Unasked,
    /// Says something else.
    Tells(&'static str),
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
    /// Minutes that pass before it.
    pub wait: u32,
    /// Time passes, but the call is not made.
    pub absent: bool,
}

#[derive(Clone, Debug)]
pub enum Step {
    User(Saying),
    Agent(&'static str),
    Context(&'static str, Value),
    /// From now on events have times written so, or none.
    Clock(Option<Style>),
    /// Minutes pass.
    Wait(u32),
    Turn {
        says: Option<&'static str>,
        /// How many calls it has, where the door sees the message whole.
        size: Option<u32>,
        calls: Vec<Proposal>,
    },
}

impl Step {
    fn calls_mut(&mut self) -> &mut [Proposal] {
        match self {
            Step::Turn { calls, .. } => calls,
            _ => &mut [],
        }
    }
}

/// Every proposal of a script in order, to be changed.
pub fn proposals(steps: &mut [Step]) -> impl Iterator<Item = &mut Proposal> {
    steps.iter_mut().flat_map(Step::calls_mut)
}

/// The script without the proposal of this number.
pub fn without(steps: &[Step], number: usize) -> Vec<Step> {
    let mut kept = steps.to_vec();
    proposals(&mut kept).nth(number).unwrap().absent = true;
    kept
}

fn turn(says: Option<&'static str>, whole: bool, calls: Vec<Proposal>) -> Step {
    Step::Turn {
        says,
        size: whole.then_some(calls.len() as u32),
        calls,
    }
}

pub fn value(text: &str) -> Value {
    Value::from_json(text).unwrap()
}

/// Some of these fields, each of which is mostly there.
fn fields(
    key: impl Strategy<Value = Option<&'static str>>,
    more: impl Strategy<Value = Vec<(&'static str, Option<&'static str>)>>,
) -> impl Strategy<Value = BTreeMap<String, Value>> {
    let n = weighted(
        0.85,
        select(vec![
            "0", "1", "1", "2", "2.0", "3", "-1", "0.5", "\"1\"", "null",
        ]),
    );
    let s = weighted(
        0.85,
        select(vec![
            "\"a\"", "\"a\"", "\"b\"", "\"A1\"", "\"#a1\"", "1", "null",
        ]),
    );
    let who = weighted(0.95, select(vec!["\"ann\"", "\"ann\"", "\"bob\""]));
    let list = weighted(
        0.8,
        select(vec![
            "[]",
            "[1]",
            "[2, 1]",
            "[1, 2, 3]",
            "[1, 1]",
            "[\"a\"]",
            "\"[1, 2]\"",
            "\"x\"",
        ]),
    );
    let at = weighted(
        0.7,
        select(vec![
            "\"2024-05-01\"",
            "\"2024-05-02\"",
            "\"2024-05-01T12:30Z\"",
            "\"2024-05-01T15:00+02:00\"",
            "\"2024-05-01T23:30\"",
            "\"soon\"",
        ]),
    );
    (n, s, who, list, at, key, more).prop_map(|(n, s, who, list, at, key, more)| {
        let named = [
            ("n", n),
            ("s", s),
            ("who", who),
            ("list", list),
            ("at", at),
            ("key", key),
        ];
        let all = named.into_iter().chain(more);
        let present = all.filter_map(|(name, text)| Some((name.to_owned(), value(text?))));
        present.collect()
    })
}

fn key(likely: f64) -> impl Strategy<Value = Option<&'static str>> {
    weighted(
        likely,
        select(vec![
            "\"A1\"", "\"A1\"", "\"A1\"", "\"A1\"", "\"A1\"", "\"A1\"", "\"#a1\"", "\"a 1\"",
            "\"B2\"", "\"B2\"", "\"B2\"", "7",
        ]),
    )
}

/// Readable arguments.
pub fn arguments() -> impl Strategy<Value = BTreeMap<String, Value>> {
    let path = weighted(
        0.7,
        select(vec![
            "\"/srv/x\"",
            "\"/srv\"",
            "\"/srvx\"",
            "\"/srv/../etc\"",
            "\"srv/x\"",
        ]),
    );
    fields(key(0.85), path.prop_map(|path| vec![("where", path)]))
}

/// What a tool that succeeds says.
fn record() -> impl Strategy<Value = Value> {
    let rows = weighted(
        0.8,
        select(vec![
            "[]",
            r#"[{"p": 1, "q": "a"}]"#,
            r#"[{"p": 2, "q": "b"}, {"p": 1, "q": "a"}]"#,
            r#"[{"p": 1, "q": "a"}, {"p": 3, "q": "a"}]"#,
            r#"[{"p": 1, "q": "a"}, {"q": "b"}]"#,
            r#"{"x": {"p": 0, "q": "b"}}"#,
        ]),
    );
    let map = weighted(
        0.8,
        select(vec![r#"{"a": 1, "b": 2}"#, r#"{"a": 0}"#, "{}", "[1, 2]"]),
    );
    let more = (rows, map).prop_map(|(rows, map)| vec![("rows", rows), ("map", map)]);
    fields(key(0.6), more).prop_map(Value::Object)
}

fn result() -> impl Strategy<Value = Value> {
    let pair = |name: &str, value| (name.to_owned(), value);
    let wrapped = move |ok: bool, it: Value| {
        Value::Object(BTreeMap::from([
            pair("ok", Value::Bool(ok)),
            pair("value", it),
        ]))
    };
    prop_oneof![
        8 => record(),
        2 => record().prop_map(move |it| wrapped(true, it)),
        1 => record().prop_map(move |it| wrapped(false, it)),
        2 => record().prop_map(|it| Value::List(vec![Value::Bool(true), it])),
        1 => Just(value("[false, \"no\"]")),
        1 => Just(value("\"done with A1\"")),
    ]
}

fn tool() -> impl Strategy<Value = &'static str> {
    let twice = ["look", "look", "act", "act", "act", "pay"];
    select(TOOLS.into_iter().chain(twice).collect::<Vec<_>>())
}

fn minutes() -> impl Strategy<Value = u32> {
    prop_oneof![5 => Just(0), 4 => select(vec![1, 29, 31, 60]), 1 => Just(1500)]
}

pub fn proposal() -> impl Strategy<Value = Proposal> {
    let arguments = prop_oneof![
        14 => arguments().prop_map(Arguments::Read),
        1 => Just(Arguments::Unreadable("{\"n\": ".to_owned())),
    ];
    let fate = prop_oneof![
        3 => Just(Fate::AtOnce),
        3 => (0..8_u8).prop_map(Fate::Soon),
        1 => (0..8_u8).prop_map(Fate::Later),
        1 => Just(Fate::Never),
    ];
    let ok = select(vec![true, true, true, false]);
    (tool(), arguments, fate, ok, result(), minutes()).prop_map(
        |(tool, arguments, fate, ok, result, wait)| Proposal {
            tool,
            arguments,
            fate,
            ok,
            result,
            wait,
            absent: false,
        },
    )
}

/// Calls that are only asked about.
pub fn probes() -> impl Strategy<Value = Vec<Proposal>> {
    vec(prop_oneof![proposal(), tidy_proposal()], 3..6)
}

fn context() -> impl Strategy<Value = Step> {
    select(vec![
        ("limit", "1"),
        ("limit", "2"),
        ("limit", "\"2\""),
        ("home", "\"/srv\""),
        ("who", "\"ann\""),
        ("permissions", r#"["refund", "a"]"#),
        ("permissions", "[]"),
        ("tokens", "100"),
        ("tokens", "5000"),
        ("tokens", "\"many\""),
        ("depth", "1"),
        ("now", "\"2024-05-01T12:20:00Z\""),
    ])
    .prop_map(|(name, text)| Step::Context(name, value(text)))
}

/// What happens in a session.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    let saying = select(vec![
        Saying::Yes,
        Saying::Yes,
        Saying::No,
        Saying::Unclear,
        Saying::Unasked,
        Saying::Tells("It is about order A1 and 2."),
        Saying::Tells("Take b for it, not a."),
        Saying::Tells("I want a human."),
    ]);
    let says = weighted(0.3, select(vec!["Let me see.", "Sorry, I am on it."]));
    let style = select(vec![
        Some(Style::Zulu),
        Some(Style::Ahead),
        Some(Style::Local),
        None,
    ]);
    let calls = vec(proposal(), 1..4);
    let step = prop_oneof![
        3 => saying.prop_map(Step::User),
        1 => select(vec!["I am looking into it.", "Sorry, wait."]).prop_map(Step::Agent),
        2 => context(),
        1 => style.clone().prop_map(Step::Clock),
        1 => minutes().prop_map(Step::Wait),
        8 => (says, any::<bool>(), calls)
            .prop_map(|(says, whole, calls)| turn(says, whole, calls)),
    ];
    let clock = weighted(
        0.8,
        select(vec![Style::Zulu, Style::Zulu, Style::Ahead, Style::Local]),
    );
    (clock, vec(step, 1..8)).prop_map(|(clock, mut steps)| {
        steps.insert(0, Step::Clock(clock));
        steps
    })
}

/// A call that carries all that it should, and whose answer is mostly the record asked for.
pub fn tidy_proposal() -> impl Strategy<Value = Proposal> {
    let n = select(vec!["0", "1", "1", "2", "3", "-1", "-2"]).prop_map(|it| Some(value(it)));
    let n = prop_oneof![6 => n, 1 => Just(None)].boxed();
    let key = select(vec!["A1", "A1", "A1", "#a1", "B2"])
        .prop_map(Value::text)
        .boxed();
    let rows = select(vec![
        "[]",
        r#"[{"p": 2, "q": "a"}]"#,
        r#"[{"p": 1, "q": "b"}]"#,
    ]);
    let s = select(vec!["a", "b"]).prop_map(Value::text);
    let who = select(vec!["ann", "ann", "ann", "bob"]).prop_map(Value::text);
    let list = select(vec!["[1]", "[2, 1]"]);
    let fields = (n, s, who, key, list, rows)
        .prop_map(|(n, s, who, key, list, rows)| {
            let named = [
                ("s", Some(s)),
                ("who", Some(who)),
                ("key", Some(key)),
                ("list", Some(value(list))),
                ("rows", Some(value(rows))),
                ("n", n),
            ];
            let present = named
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?)));
            present.collect::<BTreeMap<String, Value>>()
        })
        .boxed();
    let tools = vec![
        "look", "look", "look", "peek", "whois", "act", "act", "pay", "touch",
    ];
    let fate = prop_oneof![
        5 => Just(Fate::AtOnce),
        3 => (0..8_u8).prop_map(Fate::Soon),
        1 => (0..8_u8).prop_map(Fate::Later),
        1 => Just(Fate::Never),
    ];
    let call = (
        select(tools),
        fields.clone(),
        fields,
        fate,
        any::<bool>(),
        minutes(),
    );
    (call, 0..8_u8).prop_map(|((tool, arguments, mut result, fate, echo, wait), luck)| {
        if echo || luck > 3 {
            // The record is the one that was asked for.
            for name in ["key", "who"] {
                result.insert(name.to_owned(), arguments[name].clone());
            }
        }
        Proposal {
            tool,
            arguments: Arguments::Read(arguments),
            fate,
            ok: luck % 4 > 0,
            result: Value::Object(result),
            wait,
            absent: false,
        }
    })
}

/// A session in which most is said and answered as it should be, so that facts come about.
pub fn tidy() -> impl Strategy<Value = Vec<Step>> {
    let call = tidy_proposal();
    let saying = select(vec![
        Saying::Yes,
        Saying::No,
        Saying::Unclear,
        Saying::Unclear,
        Saying::Tells("I want a human."),
        Saying::Tells("It is about order A1 and 2."),
    ]);
    let step = prop_oneof![
        2 => saying.prop_map(Step::User),
        6 => (any::<bool>(), vec(call, 1..4))
            .prop_map(|(whole, calls)| turn(None, whole, calls)),
    ];
    let clock = weighted(0.8, Just(Style::Zulu));
    (clock, vec(context(), 0..4), vec(step, 2..8)).prop_map(|(clock, told, steps)| {
        let begin = [Step::Clock(clock)].into_iter().chain(told);
        begin.chain(steps).collect()
    })
}

/// A catalog with a session under it.
pub fn session() -> impl Strategy<Value = (Catalog, Vec<Step>)> {
    (super::catalog::catalog(), script())
}
