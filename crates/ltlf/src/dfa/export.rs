//! An automaton as text: a canonical form to hash, the Hanoi omega-automata format, Graphviz, and a list of transitions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Dfa, StateId, Target};

/// One transition: a cube of letters and the state that all of them lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition<'a, A> {
    /// The state it leaves.
    pub from: StateId,
    /// Atoms with the value they must have; atoms that are not listed do not matter.
    pub cube: Vec<(&'a A, bool)>,
    /// The state it enters.
    pub to: StateId,
}

/// Atoms by index, with the value they must have.
type Cube = Vec<(u32, bool)>;

impl<A> Dfa<A> {
    /// Text that is the same exactly for equal automata (as long as `name` gives different atoms different names).
    pub fn canonical_text(&self, mut name: impl FnMut(&A) -> String) -> String {
        let mut out = String::from("dfa 1\n");
        for atom in &self.atoms {
            let _ = writeln!(out, "atom {:?}", name(atom));
        }
        for node in &self.nodes {
            let _ = writeln!(
                out,
                "ask {} {} {}",
                node.atom,
                label(node.when_false),
                label(node.when_true)
            );
        }
        for (row, accepting) in self.rows.iter().zip(&self.accepting) {
            let verdict = if *accepting { "accept" } else { "reject" };
            let _ = writeln!(out, "{verdict} {}", label(*row));
        }
        out
    }

    /// The transitions of one state, in ascending order of the smallest letter of each cube.
    ///
    /// They are produced one at a time, since a row with shared nodes can have very many paths.
    pub fn transitions_of(&self, state: StateId) -> impl Iterator<Item = Transition<'_, A>> {
        self.cubes_of(state).map(move |(cube, to)| Transition {
            from: state,
            cube: cube
                .into_iter()
                .filter_map(|(atom, value)| Some((self.atoms.get(atom as usize)?, value)))
                .collect(),
            to,
        })
    }

    /// The paths through a row, with atoms as indices.
    fn cubes_of(&self, state: StateId) -> impl Iterator<Item = (Cube, StateId)> {
        let root = self.rows.get(state.index());
        let mut open: Vec<(Target, Cube)> =
            root.map(|root| (*root, Vec::new())).into_iter().collect();
        std::iter::from_fn(move || {
            while let Some((target, cube)) = open.pop() {
                if let Target::State(to) = target {
                    return Some((cube, StateId(to)));
                }
                let node = self.node(target)?;
                for (value, next) in [(true, node.when_true), (false, node.when_false)] {
                    let mut cube = cube.clone();
                    cube.push((node.atom, value));
                    open.push((next, cube));
                }
            }
            None
        })
    }

    /// The transitions of every state.
    pub fn transitions(&self) -> impl Iterator<Item = Transition<'_, A>> {
        self.states().flat_map(|state| self.transitions_of(state))
    }

    /// The automaton in the Hanoi omega-automata format, version 1.
    ///
    /// The format speaks of infinite words; read the states marked `{0}` as those where a finite trace may end.
    pub fn to_hoa(&self, mut name: impl FnMut(&A) -> String) -> String {
        let mut out = String::from(
            "HOA: v1\ntool: \"lictor\"\nname: \"finite traces end in marked states\"\n",
        );
        let _ = writeln!(out, "States: {}\nStart: 0", self.rows.len());
        let _ = write!(out, "AP: {}", self.atoms.len());
        for atom in &self.atoms {
            let quoted = name(atom).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(out, " \"{quoted}\"");
        }
        out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
        out.push_str(
            "properties: trans-labels explicit-labels state-acc deterministic complete\n--BODY--\n",
        );
        for state in self.states() {
            let mark = if self.is_accepting(state) { " {0}" } else { "" };
            let _ = writeln!(out, "State: {}{mark}", state.index());
            for (cube, to) in self.cubes_of(state) {
                let cube = conjunction(&cube, |atom| atom.to_string());
                let cube = if cube.is_empty() { "t" } else { &cube };
                let _ = writeln!(out, "[{cube}] {}", to.index());
            }
        }
        out.push_str("--END--\n");
        out
    }

    /// The automaton as a Graphviz graph; accepting states have a double border.
    pub fn to_dot(&self, mut name: impl FnMut(&A) -> String) -> String {
        let mut out =
            String::from("digraph dfa {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n");
        for state in self.states() {
            let shape = if self.is_accepting(state) {
                "doublecircle"
            } else {
                "circle"
            };
            let _ = writeln!(out, "  {} [shape={shape}];", state.index());
        }
        for state in self.states() {
            let mut labels: BTreeMap<StateId, Vec<String>> = BTreeMap::new();
            for (cube, to) in self.cubes_of(state) {
                let cube = conjunction(&cube, |atom| {
                    self.atoms
                        .get(atom as usize)
                        .map(&mut name)
                        .unwrap_or_default()
                });
                let cube = if cube.is_empty() {
                    "true".to_owned()
                } else {
                    cube
                };
                labels.entry(to).or_default().push(cube);
            }
            for (to, cubes) in labels {
                let text = cubes.join(" | ").replace('\\', "\\\\").replace('"', "\\\"");
                let _ = writeln!(
                    out,
                    "  {} -> {} [label=\"{text}\"];",
                    state.index(),
                    to.index()
                );
            }
        }
        out.push_str("}\n");
        out
    }
}

fn label(target: Target) -> String {
    match target {
        Target::State(state) => format!("s{state}"),
        Target::Node(node) => format!("n{node}"),
    }
}

fn conjunction(cube: &[(u32, bool)], mut name: impl FnMut(u32) -> String) -> String {
    cube.iter()
        .map(|(atom, value)| format!("{}{}", if *value { "" } else { "!" }, name(*atom)))
        .collect::<Vec<_>>()
        .join(" & ")
}

#[cfg(test)]
mod tests {
    use crate::{Axioms, Dfa, Limits, parse};

    fn dfa(text: &str) -> Dfa<String> {
        Dfa::translate(&parse(text).unwrap(), &Axioms::none(), &Limits::default()).unwrap()
    }

    #[test]
    fn canonical_text_names_the_language() {
        assert_eq!(
            dfa("G (a -> WX G !a)").canonical_text(String::clone),
            "dfa 1\natom \"a\"\nask 0 s0 s1\nask 0 s1 s2\naccept n0\naccept n1\nreject s2\n"
        );
        let text = |formula: &str| dfa(formula).canonical_text(String::clone);
        assert_eq!(text("F a | F b"), text("F (b | a)"));
        assert_ne!(text("F a"), text("G a"));
    }

    #[test]
    fn hoa_and_dot() {
        assert_eq!(
            dfa("a U b").to_hoa(String::clone),
            "HOA: v1\ntool: \"lictor\"\nname: \"finite traces end in marked states\"\nStates: 3\nStart: 0\n\
             AP: 2 \"a\" \"b\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
             properties: trans-labels explicit-labels state-acc deterministic complete\n--BODY--\n\
             State: 0\n[!1 & !0] 1\n[!1 & 0] 0\n[1] 2\nState: 1\n[t] 1\nState: 2 {0}\n[t] 2\n--END--\n"
        );
        let dot = dfa("F a").to_dot(String::clone);
        assert!(dot.contains("0 -> 1 [label=\"a\"];"), "{dot}");
        assert!(dot.contains("1 [shape=doublecircle];"), "{dot}");
    }
}
