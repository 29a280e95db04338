//! Random contracts over the whole vocabulary.

use super::catalog::Rule;
use super::judge::parsed;
use lictor_contract::language::print_formula;
use lictor_contract::predicate::{Atom, EventPredicate, ToolEvent, ToolPattern};
use lictor_contract::rule::{Body, ConfirmationReading, Rule as Kind};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

type Text = BoxedStrategy<String>;

fn one_of(texts: &[&'static str]) -> Text {
    select(texts.to_vec()).prop_map(str::to_owned).boxed()
}

fn tool() -> impl Strategy<Value = &'static str> {
    select(vec!["look", "act", "act", "pay"])
}

pub fn tools() -> impl Strategy<Value = &'static str> {
    select(vec![
        "look",
        "act",
        "act",
        "act",
        "pay",
        "pay",
        "act | pay",
        "look | act",
        "whois",
        "@any",
    ])
}

fn op() -> impl Strategy<Value = &'static str> {
    select(vec!["==", "!=", "<", "<=", ">", ">="])
}

fn equality() -> impl Strategy<Value = &'static str> {
    select(vec!["==", "!="])
}

/// A bound on a number of events; none that every number meets or misses.
fn bound(most: i32) -> impl Strategy<Value = String> {
    (op(), 0..most).prop_map(|(op, n)| match op {
        "<" | ">=" => format!("{op} {}", n + 1),
        _ => format!("{op} {n}"),
    })
}

/// Where counting starts, and how far back it reaches.
fn reach() -> Text {
    one_of(&[
        "",
        "",
        ", key = arg.key",
        ", key = arg.key",
        ", since = confirms",
        ", since = ok(look)",
        ", since = user_says(/human/)",
        ", within = 30m",
        ", within = 1h",
        ", within = 24h",
        ", key = arg.key, within = 1h",
        ", key = arg.key, since = confirms",
    ])
}

/// Counts and sums.
pub fn counted() -> Text {
    let event = (select(vec!["ok", "ok", "error", "return", "call"]), tools()).boxed();
    let words = one_of(&["user", "agent", "confirms", "user_says(/human|order/)"]);
    let when = one_of(&[
        "",
        ", within = 1h",
        ", since = ok(look)",
        ", since = confirms",
    ]);
    let amount = one_of(&[
        "arg.n",
        "arg.n",
        "result.n",
        "len(arg.list)",
        "2 * arg.n",
        "arg.n - 1",
    ]);
    prop_oneof![
        4 => (event.clone(), reach(), bound(3))
            .prop_map(|((event, tools), more, bound)| {
                format!("count({event}({tools}){more}) {bound}")
            }),
        4 => (event, amount, reach(), op(), -1..5)
            .prop_map(|((event, tools), amount, more, op, n)| {
                format!("sum({event}({tools}), {amount}{more}) {op} {n}")
            }),
        1 => (words, when, bound(3))
            .prop_map(|(event, more, bound)| format!("count({event}{more}) {bound}")),
        1 => (op(), 0..2)
            .prop_map(|(op, n)| format!("count(ok(act)) - count(ok(pay)) {op} {n}")),
        1 => (op(), reach(), 0..4)
            .prop_map(|(op, more, n)| format!("sum(ok(act | pay), arg.n{more}) + arg.n {op} {n}")),
    ]
    .boxed()
}

/// What is looked up, without its path.
fn looked_up() -> Text {
    one_of(&[
        "last(look, key = arg.key)",
        "last(look, key = arg.key)",
        "last(look, key = arg.key)",
        "last(look)",
        "last(look | act, key = arg.key)",
        "last(look | whois, who = arg.who)",
        "last(peek, key = arg.key)",
        "last(whois, who = arg.who)",
        "last(@any)",
        "first(look, key = arg.key)",
        "last(look, key = arg.key, who = arg.who)",
        "last(look, key = last(whois, who = arg.who).key)",
    ])
}

/// Conditions on facts.
pub fn looked() -> Text {
    let every = || {
        one_of(&[
            "every(look)",
            "every(look, key = arg.key)",
            "every(look | pay)",
        ])
    };
    prop_oneof![
        5 => (looked_up(), op(), 0..3).prop_map(|(it, op, n)| format!("{it}.n {op} {n}")),
        2 => (looked_up(), equality()).prop_map(|(it, op)| format!("{it}.s {op} \"a\"")),
        1 => (looked_up(), op()).prop_map(|(it, op)| format!("arg.n {op} {it}.n")),
        1 => (looked_up(), equality()).prop_map(|(it, op)| format!("{it}.key {op} arg.key")),
        1 => looked_up().prop_map(|it| format!("arg.n in {it}.list")),
        1 => looked_up().prop_map(|it| format!("arg.list subset {it}.list")),
        1 => looked_up().prop_map(|it| format!("{it}.list == arg.list")),
        1 => (looked_up(), op(), 0..3)
            .prop_map(|(it, op, n)| format!("{it}.map[arg.s] {op} {n}")),
        1 => (looked_up(), op(), 0..3)
            .prop_map(|(it, op, n)| format!("{it}.rows[0].p {op} {n}")),
        1 => (looked_up(), op(), 0..4)
            .prop_map(|(it, op, n)| format!("sum({it}.rows[*].p) {op} {n}")),
        1 => (looked_up(), op(), 0..3)
            .prop_map(|(it, op, n)| format!("{it}.rows[?@.q == \"a\"][0].p {op} {n}")),
        1 => (looked_up(), bound(3))
            .prop_map(|(it, bound)| format!("len({it}.rows[?@.q == arg.s & @.p > 0]) {bound}")),
        1 => looked_up().prop_map(|it| format!("any({it}.rows as r, r.p > 1 & r.q == arg.s)")),
        1 => looked_up().prop_map(|it| format!("all({it}.rows as r, r.p < 2 | r.q != \"a\")")),
        1 => looked_up().prop_map(|it| format!("any(zip(arg.list, {it}.list) as z, z[0] > z[1])")),
        2 => looked_up().prop_map(|it| format!("known({it}.n)")),
        1 => looked_up().prop_map(|it| format!("known(len({it}.rows))")),
        1 => looked_up().prop_map(|it| format!("known({it}.n + arg.n)")),
        1 => (looked_up(), op(), 0..3)
            .prop_map(|(it, op, n)| format!("(known({it}.n) -> {it}.n {op} {n})")),
        1 => every().prop_map(|it| format!("any({it} as r, r.s == \"a\")")),
        1 => every().prop_map(|it| format!("all({it} as r, r.n > 0)")),
        1 => (every(), op(), 0..4).prop_map(|(it, op, n)| format!("sum({it}.n) {op} {n}")),
        1 => (every(), bound(3)).prop_map(|(it, bound)| format!("len({it}) {bound}")),
        1 => every().prop_map(|it| format!("arg.n in {it}.rows[*].p")),
    ]
    .boxed()
}

/// Conditions on what a call carries.
pub fn argued() -> Text {
    prop_oneof![
        4 => (op(), 0..3).prop_map(|(op, n)| format!("arg.n {op} {n}")),
        1 => (op(), 0..3).prop_map(|(op, n)| format!("{n} {op} arg.n")),
        2 => equality().prop_map(|op| format!("arg.s {op} \"a\"")),
        1 => equality().prop_map(|op| format!("arg.key {op} \"a1\"")),
        2 => one_of(&[
            "arg.s in [\"a\", \"b\"]",
            "arg.s in [\"a\", 1]",
            "arg.key in [\"A1\", \"C3\"]",
            "arg.list contains arg.n",
            "arg.s contains \"a\"",
            "arg.s matches /^a|b/",
            "lower(arg.key) == \"a1\"",
            "arg.list[0] == 1",
            "arg.list[-1] > arg.n",
            "arg.list[?@ > 1][0] == 2",
            "any(arg.list as x, x > arg.n)",
            "all(arg.list as x, x > 0 & x != arg.n)",
            "all(arg.list as x, count(ok(act), n = x) == 0)",
            "arg.list == [1, 2, 3]",
            "arg.n == null",
        ]),
        1 => select(vec!["arg.n", "arg.s", "arg.list", "sum(arg.list)", "arg.n + 1"])
            .prop_map(|term| format!("known({term})")),
        1 => (op(), 0..3).prop_map(|(op, n)| format!("(known(arg.n) -> arg.n {op} {n})")),
        1 => (op(), 0..4).prop_map(|(op, n)| format!("sum(arg.list) {op} {n}")),
    ]
    .boxed()
}

/// Conditions on what the host says.
pub fn hosted() -> Text {
    prop_oneof![
        (op(), 0..3).prop_map(|(op, n)| format!("ctx.limit {op} {n}")),
        op().prop_map(|op| format!("arg.n {op} ctx.limit")),
        op().prop_map(|op| format!("tokens {op} 1000")),
        bound(2).prop_map(|bound| format!("depth {bound}")),
        one_of(&[
            "permitted(refund)",
            "permitted(arg.s)",
            "ctx.who == arg.who"
        ]),
    ]
    .boxed()
}

/// Conditions on host, time, place and origin.
pub fn told() -> Text {
    prop_oneof![
        5 => hosted(),
        13 => elsewhere(),
    ]
    .boxed()
}

fn elsewhere() -> Text {
    prop_oneof![
        bound(5).prop_map(|bound| format!("turns {bound}")),
        (op(), 1..3).prop_map(|(op, n)| format!("turn.calls {op} {n}")),
        bound(3).prop_map(|bound| format!("turn.size {bound}")),
        one_of(&[
            "turn.says == \"\"",
            "turn.says matches /sorry/",
            "turn.says contains \"see\""
        ]),
        one_of(&["arg.where under \"/srv\"", "arg.where under ctx.home"]),
        one_of(&[
            "from_user(arg.s)",
            "from_user(arg.n)",
            "from_user(arg.key)",
            "from_user(arg.list)"
        ]),
        one_of(&[
            "from_tool(arg.key, look)",
            "from_tool(arg.key, look, peek)",
            "from_tool(arg.s, whois | act)",
            "from_tool(arg.list, look)",
        ]),
        one_of(&[
            "untrusted(arg.key)",
            "untrusted(arg.s)",
            "untrusted(arg.list)"
        ]),
        (
            op(),
            select(vec!["\"2024-05-01T13:00:00Z\"", "\"2024-05-01\"", "arg.at"])
        )
            .prop_map(|(op, time)| format!("now {op} {time}")),
        (op(), looked_up()).prop_map(|(op, it)| format!("arg.at {op} {it}.at")),
        equality().prop_map(|op| format!("arg.at {op} \"2024-05-01\"")),
        (op(), select(vec!["1h", "24h"])).prop_map(|(op, it)| format!("now - arg.at {op} {it}")),
        (
            select(vec![
                "user",
                "confirms",
                "ok(look)",
                "call(act)",
                "agent_says(/sorry/)"
            ]),
            op(),
            select(vec!["30m", "1h", "2d"]),
        )
            .prop_map(|(event, op, length)| format!("since({event}) {op} {length}")),
    ]
    .boxed()
}

/// A condition at a call.
pub fn condition() -> Text {
    let one = prop_oneof![argued(), counted(), looked(), told()].boxed();
    prop_oneof![
        6 => one.clone(),
        1 => one.clone().prop_map(|c| format!("!({c})")),
        1 => (one.clone(), one.clone()).prop_map(|(a, b)| format!("(({a}) & ({b}))")),
        1 => (one.clone(), one).prop_map(|(a, b)| format!("(({a}) | ({b}))")),
    ]
    .boxed()
}

pub fn pattern(text: &str) -> ToolPattern {
    let formula = parsed(&format!("call({text})"));
    let atoms = formula.atoms();
    match atoms.first() {
        Some(Atom::Event(EventPredicate::Tool(_, tools))) => tools.clone(),
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
        (tools(), 0..3).prop_map(|(tools, n)| format!("ok({tools}) & result.n > {n}")),
        tools().prop_map(|tools| format!("error({tools})")),
        Just("user".to_owned()),
        Just("user_says(/human/)".to_owned()),
        Just("confirms".to_owned()),
    ]
}

fn body(condition: Text) -> impl Strategy<Value = Body> {
    let keys = || select(vec![Vec::new(), vec!["key".to_owned()]]);
    let said = condition.clone().prop_map(|c| parsed(&c));
    prop_oneof![
        4 => said.clone().prop_map(|condition| Body::Precondition { condition }),
        3 => option::weighted(0.8, said).prop_map(|condition| Body::Prohibition { condition }),
        2 => (tools(), select(vec![ToolEvent::Ok, ToolEvent::Call]), keys())
            .prop_map(|(tools, event, keys)| Body::Precedence {
                first: EventPredicate::Tool(event, pattern(tools)),
                keys: if event == ToolEvent::Ok { keys } else { Vec::new() },
            }),
        1 => Just(Body::Precedence { first: EventPredicate::Confirms, keys: Vec::new() }),
        2 => Just(Body::Confirmation { listed: Vec::new() }),
        2 => (1..3_u32, keys()).prop_map(|(at_most, keys)| Body::Limit { at_most, keys }),
        2 => keys().prop_map(|keys| Body::OncePer { keys }),
        1 => trigger().prop_map(|t| Body::Response { trigger: parsed(&t) }),
        2 => trigger().prop_map(|t| Body::ImmediateResponse { trigger: parsed(&t) }),
        2 => trigger().prop_map(|t| Body::AbsenceAfter { trigger: parsed(&t) }),
        1 => tool().prop_map(|other| Body::MutualExclusion { other: ToolPattern::tool(other) }),
    ]
}

/// A contract about what the user said.
pub fn consenting() -> impl Strategy<Value = Rule> {
    let condition = prop_oneof![
        one_of(&[
            "(!user S confirms)",
            "O confirms",
            "!(!user S confirms)",
            "(confirms T user)"
        ]),
        one_of(&[
            "count(confirms) > 0",
            "count(confirms) < 2",
            "since(confirms) < 2d"
        ]),
        (select(vec!["ok", "call"]), tools(), bound(2)).prop_map(|(event, tools, bound)| {
            format!("(!user S confirms) & count({event}({tools}), since = confirms) {bound}")
        }),
        (tools(), op(), 0..3).prop_map(|(tools, op, n)| {
            format!("sum(ok({tools}), arg.n, since = confirms) {op} {n}")
        }),
    ];
    (tools(), condition).prop_map(|(tools, c)| Rule::of(format!("G (call({tools}) -> {c})")))
}

/// A contract of one of the kinds, with conditions from this choice.
pub fn kind(condition: Text) -> impl Strategy<Value = Rule> {
    let reading = select(vec![
        ConfirmationReading::PerAction,
        ConfirmationReading::Batch,
    ]);
    (tools(), body(condition), reading).prop_map(|(tools, body, reading)| {
        let rule = Kind {
            tools: pattern(tools),
            body,
            for_each: Vec::new(),
        };
        Rule::of(print_formula(&rule.obligation(reading).guarantee))
    })
}

/// A contract written by hand.
pub fn formula() -> impl Strategy<Value = Rule> {
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
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("G (call({a}) -> ({c}) | F ok({b}))")),
        (tools(), tools()).prop_map(|(a, b)| format!("G (call({a}) -> WY !call({b}))")),
        (tools(), tools()).prop_map(|(a, b)| format!("G (call({a}) -> Y call({b}) | confirms)")),
        tools().prop_map(|a| format!("G (call({a}) -> (!user S confirms))")),
        tools().prop_map(|a| format!("G (call({a}) -> (confirms T user))")),
        tools().prop_map(|a| format!("G (call({a}) -> O user_says(/human|order/))")),
        tools().prop_map(|a| format!("G (agent_says(/sorry/) -> F call({a}))")),
        Just("G (agent_says(/sorry/) -> tokens < 1000 & since(user) < 1h)".to_owned()),
        (tools(), op(), 0..3).prop_map(|(a, op, n)| format!("G (ok({a}) -> result.n {op} {n})")),
        (tools(), condition()).prop_map(|(a, c)| format!("G (ok({a}) -> ({c}))")),
        (tools(), tools(), condition())
            .prop_map(|(a, b, c)| format!("G (call({a}) & !({c}) -> X (call({b}) & ({c})))")),
        (tools(), condition(), condition())
            .prop_map(|(a, c, d)| format!("G (call({a}) -> {c}) | G (call({a}) -> {d})")),
        (tools(), condition())
            .prop_map(|(a, c)| format!("F (call({a}) & ({c})) & G (user -> WX WX !call({a}))")),
        tools().prop_map(|a| format!("F ok({a})")),
        condition().prop_map(|c| format!("G ({c})")),
    ];
    let assumption = prop_oneof![
        4 => Just("true".to_owned()),
        1 => tools().prop_map(|a| format!("G !error({a})")),
        1 => (tools(), 0..3).prop_map(|(a, n)| format!("G (ok({a}) -> arg.n == {n})")),
        1 => (tools(), 0..3).prop_map(|(a, n)| format!("G (ok({a}) -> result.n >= {n})")),
        1 => Just("G !user_says(/human/)".to_owned()),
        1 => Just("G (confirms -> WX !confirms)".to_owned()),
    ];
    (assumption, guarantee).prop_map(|(assumption, guarantee)| Rule {
        assumption,
        guarantee,
        for_each: Vec::new(),
    })
}

pub fn any_rule() -> impl Strategy<Value = Rule> {
    let rule = prop_oneof![3 => kind(condition()), 2 => formula()];
    let parameters = select(vec![
        vec![],
        vec![],
        vec![],
        vec!["key"],
        vec!["who", "key"],
    ]);
    (rule, parameters).prop_map(|(rule, for_each)| Rule { for_each, ..rule })
}

/// A few contracts.
pub fn library() -> impl Strategy<Value = Vec<Rule>> {
    vec(any_rule(), 1..4)
}

/// Whether the order of answers is something a contract may speak of.
pub fn observes_answers(rules: &[Rule]) -> bool {
    let speaks = |text: &String| {
        parsed(text).atoms().iter().any(|atom| {
            matches!(atom, Atom::Event(EventPredicate::Tool(event, _)) if *event != ToolEvent::Call)
        })
    };
    rules
        .iter()
        .any(|rule| speaks(&rule.assumption) || speaks(&rule.guarantee))
}
