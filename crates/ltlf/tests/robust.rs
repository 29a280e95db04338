//! Large and hostile input: a clear error or an answer, never an exhausted stack or a search without end.

use lictor_ltlf::limits::Bound;
use lictor_ltlf::{
    Axioms, Conjunction, Dfa, Formula, Letter, Limits, Progression, TooLarge, parse, satisfiable,
    satisfiable_all, semantics,
};

fn atom(kind: &str, index: usize) -> Formula<String> {
    Formula::Atom(format!("{kind}_{index:04}"))
}

fn translate(formula: &Formula<String>, limits: &Limits) -> Result<Dfa<String>, TooLarge> {
    Dfa::translate(formula, &Axioms::none(), limits)
}

#[test]
fn thousands_of_atoms_fit_on_the_stack() {
    let wide = Formula::and((0..2000).map(|index| atom("p", index)));
    let dfa = translate(&wide, &Limits::default()).unwrap();
    assert_eq!((dfa.state_count(), dfa.atoms().len()), (3, 2000));
    let eventually = Formula::and((0..2000).map(|index| Formula::eventually(atom("p", index))));
    let limits = Limits {
        max_nodes: 200_000,
        ..Limits::default()
    };
    assert_eq!(
        translate(&eventually, &limits).unwrap_err().bound,
        Bound::Nodes
    );
    let trace = satisfiable(&eventually, &Axioms::none(), &Limits::default()).unwrap();
    assert_eq!(trace.unwrap().len(), 1);
    let wider = Formula::and((0..5000).map(|index| atom("p", index)));
    assert_eq!(
        translate(&wider, &Limits::default()).unwrap_err().bound,
        Bound::Variables
    );
}

#[test]
fn the_deepest_text_is_handled_by_every_function() {
    for (open, close) in [
        ("!X ", ""),
        ("a U (", ")"),
        ("Y (b S ", ")"),
        ("(c <-> WX ", ")"),
    ] {
        let mut deepest = None;
        for depth in 1..200 {
            let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
            match parse(&text) {
                Ok(formula) => deepest = Some(formula),
                Err(_) => break,
            }
        }
        let formula = deepest.unwrap();
        let limits = Limits {
            max_states: 500,
            max_nodes: 100_000,
        };
        let _ = translate(&formula, &limits);
        let _ = satisfiable(&formula, &Axioms::none(), &limits);
        let _ = formula.nnf_plain();
        let _ = formula.simplify();
        assert_eq!(parse(&formula.to_string()).as_ref(), Ok(&formula));
        semantics::holds(&formula, &[0; 50], |_, _| true);
    }
}

#[test]
fn a_formula_that_is_too_deep_is_refused() {
    let mut formula = Formula::Atom("a".to_owned());
    for _ in 0..Limits::MAX_DEPTH {
        formula = Formula::next(formula);
    }
    let error = translate(&formula, &Limits::default()).unwrap_err();
    assert_eq!(error.bound, Bound::Depth);
    assert!(formula.nnf_plain().is_err());
    assert!(Progression::new(&formula, &Limits::default()).is_err());
    assert_eq!(
        error.to_string(),
        "the formula needs more than 500 levels of nesting; split it into smaller formulas or raise the limit"
    );
}

#[test]
fn a_blow_up_meets_the_limit() {
    // Which of twelve things has happened needs 2^12 states.
    let formula = Formula::and((0..12).map(|index| Formula::eventually(atom("p", index))));
    let limits = Limits {
        max_states: 1000,
        ..Limits::default()
    };
    assert_eq!(
        translate(&formula, &limits).unwrap_err().bound,
        Bound::States
    );
    let limits = Limits {
        max_nodes: 1000,
        ..Limits::default()
    };
    assert_eq!(
        translate(&formula, &limits).unwrap_err().bound,
        Bound::Nodes
    );
}

/// A library as it occurs: many tools, one event at a time, known and unknown facts.
#[test]
fn axioms_over_many_tools_cost_little() {
    const TOOLS: usize = 100;
    let mut axioms = Axioms::none();
    let tools = |kind: &str| -> Vec<String> {
        (0..TOOLS)
            .map(|index| format!("{kind}_{index:04}"))
            .collect()
    };
    axioms.at_most_one(tools("call"));
    axioms.at_most_one(tools("return"));
    let mut kinds = vec!["user".to_owned(), "agent".to_owned()];
    kinds.extend(tools("call"));
    kinds.extend(tools("return"));
    axioms.exactly_one(kinds);
    for index in 0..TOOLS {
        let outcome = Formula::or([atom("ok", index), atom("error", index)]);
        axioms
            .require(Formula::implies(outcome, atom("return", index)))
            .unwrap();
    }
    let limits = Limits::default();
    // Calling tool i wants tool i-1 to have succeeded.
    let contracts: Vec<Formula<String>> = (1..TOOLS)
        .map(|index| Formula::weak_until(Formula::not(atom("call", index)), atom("ok", index - 1)))
        .collect();
    let dfa = Dfa::translate(contracts.first().unwrap(), &axioms, &limits).unwrap();
    assert_eq!(dfa.state_count(), 3);
    let mut goal = contracts.clone();
    goal.push(Formula::eventually(atom("call", 3)));
    let trace: Vec<Letter<String>> = satisfiable_all(&goal, &axioms, &limits).unwrap().unwrap();
    assert_eq!(trace.len(), 2);
    assert!(trace.iter().all(|letter| axioms.allow(letter)));
    goal.push(Formula::always(Formula::not(atom("ok", 2))));
    let mut conjunction = Conjunction::new(&goal, &axioms, &limits).unwrap();
    let all: Vec<usize> = (0..goal.len()).collect();
    assert_eq!(conjunction.core(&all), Ok(Some(vec![2, TOOLS - 1, TOOLS])));
}
