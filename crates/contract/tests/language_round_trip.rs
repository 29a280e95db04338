//! Whatever the tree, its printed text reads back as the same tree.

use lictor_contract::language::{
    Mode, Terms, parse_event, parse_formula, parse_formula_with, parse_term, parse_tool_pattern,
    print_formula,
};
use lictor_contract::predicate::{
    ArithmeticOp, Atom, CompareOp, Condition, Count, EventPredicate, Formula, Function, Gauge, Key,
    Lookup, Name, Occurrence, Path, Pattern, Quantifier, Seconds, Segment, Term, ToolEvent,
    ToolPattern, ToolRef,
};
use lictor_contract::value::Value;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Names of the usual kind, words of the language, and whatever else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z_][a-z0-9_]{0,6}",
        2 => prop::sample::select(vec!["G", "in", "since", "within", "true", "not", "arg", "U", "and"]).prop_map(str::to_owned),
        1 => "[a-z][a-z0-9./:-]{0,6}",
        1 => any::<String>(),
    ]
}

fn some_text() -> impl Strategy<Value = String> {
    text().prop_filter("a name has a letter", |text| !text.is_empty())
}

fn name() -> impl Strategy<Value = Name> {
    prop_oneof![
        4 => text().prop_map(Name::Known),
        1 => some_text().prop_map(Name::Placeholder),
    ]
}

fn tools() -> impl Strategy<Value = ToolPattern> {
    let tool = prop_oneof![
        4 => some_text().prop_map(|text| ToolRef::Tool(Name::Known(text))),
        1 => some_text().prop_map(|text| ToolRef::Tool(Name::Placeholder(text))),
        1 => prop::sample::select(vec![ToolRef::Read, ToolRef::Write, ToolRef::Any]),
    ];
    prop::collection::vec(tool, 1..4).prop_filter_map("no tools", ToolPattern::new)
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let piece = prop::sample::select(vec![
        "a",
        "/",
        "\\\\",
        "\\d+",
        "(b|\"c\")",
        "\\.",
        " ",
        "é",
        "[/]",
        "\\\\/",
        "'",
        "\n",
        "(?-i)",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| Pattern(pieces.concat()))
}

fn event() -> impl Strategy<Value = EventPredicate> {
    let kind = prop::sample::select(vec![
        ToolEvent::Call,
        ToolEvent::Return,
        ToolEvent::Ok,
        ToolEvent::Error,
    ]);
    prop_oneof![
        4 => (kind, tools()).prop_map(|(kind, tools)| EventPredicate::Tool(kind, tools)),
        1 => Just(EventPredicate::User),
        1 => Just(EventPredicate::Agent),
        1 => Just(EventPredicate::Confirms),
        1 => pattern().prop_map(EventPredicate::UserSays),
        1 => pattern().prop_map(EventPredicate::AgentSays),
    ]
}

fn path(least: usize) -> impl Strategy<Value = Path> {
    let segment = prop_oneof![
        4 => name().prop_map(Segment::Field),
        1 => any::<i64>().prop_map(Segment::Index),
        1 => Just(Segment::Every),
    ];
    prop::collection::vec(segment, least..4).prop_map(Path)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (any::<i64>(), 0u32..28).prop_map(|(digits, scale)| {
            Value::Number(rust_decimal::Decimal::from_i128_with_scale(
                digits.into(),
                scale,
            ))
        }),
        any::<String>().prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::List),
            prop::collection::btree_map(any::<String>(), inner, 0..3).prop_map(Value::Object),
        ]
    })
}

fn keys(term: impl Strategy<Value = Term>) -> impl Strategy<Value = Vec<Key>> {
    prop::collection::vec((name(), term), 0..3).prop_map(|keys| {
        let keys: BTreeMap<Name, Term> = keys.into_iter().collect();
        keys.into_iter()
            .map(|(name, value)| Key { name, value })
            .collect()
    })
}

fn tool_event() -> impl Strategy<Value = EventPredicate> {
    let kind = prop::sample::select(vec![ToolEvent::Call, ToolEvent::Ok]);
    (kind, tools()).prop_map(|(kind, tools)| EventPredicate::Tool(kind, tools))
}

fn count(
    event: impl Strategy<Value = EventPredicate>,
    term: impl Strategy<Value = Term>,
) -> impl Strategy<Value = Count> {
    let within = prop::option::of((0..1_000_000u64).prop_map(Seconds));
    (event, keys(term), prop::option::of(self::event()), within).prop_map(
        |(event, keys, since, within)| Count {
            event,
            keys,
            since,
            within,
        },
    )
}

/// A path with filters over the element, and with computed keys.
fn deep_path(term: impl Strategy<Value = Term> + Clone) -> impl Strategy<Value = Path> {
    // Constants are written as fields and positions.
    let computed = prop_oneof![
        path(1).prop_map(Term::Arg),
        (tools(), path(0)).prop_map(|(tools, path)| Term::Lookup(Lookup {
            which: Occurrence::Last,
            tools,
            keys: Vec::new(),
            path,
        })),
    ];
    let filter = (path(0), term).prop_filter_map("a condition", |(path, term)| {
        let atom = Atom::Compare(CompareOp::Less, Term::Current(path), term);
        Condition::new(Formula::not(Formula::Atom(atom)))
    });
    let segment = prop_oneof![
        4 => name().prop_map(Segment::Field),
        1 => Just(Segment::Every),
        1 => computed.prop_map(|term| Segment::Computed(Box::new(term))),
        1 => filter.prop_map(Segment::Filter),
    ];
    prop::collection::vec(segment, 0..3).prop_map(Path)
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        path(1).prop_map(Term::Arg),
        path(1).prop_map(Term::Result),
        text().prop_map(Term::Context),
        prop::sample::select(Gauge::ALL.to_vec()).prop_map(Term::Gauge),
        event().prop_map(Term::Since),
        (0..40_000_000u64).prop_map(|length| Term::Duration(Seconds(length))),
        value().prop_map(Term::Constant),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        let op = prop::sample::select(vec![
            ArithmeticOp::Add,
            ArithmeticOp::Subtract,
            ArithmeticOp::Multiply,
        ]);
        prop_oneof![
            (
                prop::sample::select(vec![Occurrence::Last, Occurrence::First, Occurrence::Every]),
                tools(),
                keys(inner.clone()),
                deep_path(inner.clone()),
            )
                .prop_map(|(which, tools, keys, path)| Term::Lookup(Lookup {
                    which,
                    tools,
                    keys,
                    path
                })),
            count(event(), inner.clone()).prop_map(|count| Term::Count(Box::new(count))),
            (count(tool_event(), inner.clone()), path(1))
                .prop_map(|(count, path)| Term::Total(Box::new(count), Box::new(Term::Arg(path)))),
            (prop::sample::select(Function::ALL.to_vec()), inner.clone())
                .prop_map(|(function, term)| Term::Apply(function, Box::new(term))),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Term::Zip(Box::new(left), Box::new(right))),
            (op, inner.clone(), inner).prop_map(|(op, left, right)| Term::Arithmetic(
                op,
                Box::new(left),
                Box::new(right)
            )),
        ]
    })
}

fn atom() -> impl Strategy<Value = Atom> {
    let op = prop::sample::select(vec![
        CompareOp::Equal,
        CompareOp::NotEqual,
        CompareOp::Less,
        CompareOp::LessOrEqual,
        CompareOp::Greater,
        CompareOp::GreaterOrEqual,
    ]);
    prop_oneof![
        3 => event().prop_map(Atom::Event),
        3 => (op, term(), term()).prop_map(|(op, left, right)| Atom::Compare(op, left, right)),
        1 => (term(), term()).prop_map(|(left, right)| Atom::In(left, right)),
        1 => (term(), term()).prop_map(|(left, right)| Atom::Subset(left, right)),
        1 => (term(), term()).prop_map(|(left, right)| Atom::Contains(left, right)),
        1 => (term(), pattern()).prop_map(|(term, pattern)| Atom::Matches(term, pattern)),
        1 => (term(), term()).prop_map(|(left, right)| Atom::Under(left, right)),
        1 => term().prop_map(Atom::Known),
        1 => term().prop_map(Atom::Listed),
        1 => term().prop_map(Atom::Permitted),
        1 => term().prop_map(Atom::FromUser),
        1 => term().prop_map(Atom::Untrusted),
        1 => (term(), tools()).prop_map(|(term, tools)| Atom::FromTool(term, tools)),
        1 => (term(), path(0), term()).prop_filter_map(
            "a condition",
            |(list, path, other)| {
                let atom = Atom::In(Term::Variable("x".to_owned(), path), other);
                let condition = Condition::new(Formula::Atom(atom))?;
                Some(Atom::Quantified(Quantifier::All, list, "x".to_owned(), condition))
            },
        ),
    ]
}

fn formula() -> impl Strategy<Value = Formula> {
    use lictor_ltlf::operator::{Fixity, TABLE};
    let leaf = prop_oneof![
        8 => atom().prop_map(Formula::Atom),
        1 => any::<bool>().prop_map(Formula::constant),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        (prop::sample::select(TABLE.to_vec()), inner.clone(), inner).prop_filter_map(
            "every line of the table builds",
            |(entry, left, right)| match entry.fixity {
                Fixity::Prefix => Formula::prefixed(entry.operator, left),
                _ => Formula::infixed(entry.operator, left, right),
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn formulas_read_back(formula in formula()) {
        let text = print_formula(&formula);
        let parsed = parse_formula(&text, Mode::Draft);
        prop_assert_eq!(parsed.map(|parsed| parsed.value), Ok(formula), "{}", text);
    }

    #[test]
    fn each_noted_place_holds_its_atom(formula in formula()) {
        let text = print_formula(&formula);
        let parsed = parse_formula(&text, Mode::Draft).unwrap();
        for (atom, range) in parsed.atoms {
            let part = parse_formula(text.get(range).unwrap(), Mode::Draft).unwrap();
            prop_assert_eq!(part.value, Formula::Atom(atom));
        }
    }

    #[test]
    fn the_parts_read_back(term in term(), event in event(), tools in tools()) {
        prop_assert_eq!(parse_term(&term.to_string(), Mode::Draft), Ok(term));
        prop_assert_eq!(parse_event(&event.to_string(), Mode::Draft), Ok(event));
        prop_assert_eq!(parse_tool_pattern(&tools.to_string(), Mode::Draft), Ok(tools));
    }

    #[test]
    fn a_name_stands_for_its_term(term in term(), more in path(0)) {
        let mut terms = Terms::default();
        terms.declare("NAMED", &term.to_string(), Mode::Draft).unwrap();
        let text = format!("NAMED{more} in [1]");
        let read = parse_formula_with(&text, Mode::Draft, &terms);
        match term.further(more) {
            Some(term) => {
                let expected = Atom::In(term, Term::Constant(Value::List(vec![Value::integer(1)])));
                prop_assert_eq!(read.map(|it| it.value), Ok(Formula::Atom(expected)), "{}", text);
            }
            None => prop_assert!(read.is_err(), "{}", text),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z GXU()\\[\\]{}\"'/?@.,=<>!&|*+0-9→-]{0,40}", wild in any::<String>()) {
        for text in [text, wild] {
            if let Err(error) = parse_formula(&text, Mode::Draft) {
                prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error);
            }
        }
    }
}
