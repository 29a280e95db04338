//! The canonical printed form: canonical spellings, one space around infix operators, no parenthesis that can be left out.
//!
//! Parsing a printed formula gives the formula back, as long as its conjunctions and disjunctions are flat.

use std::fmt;

use crate::formula::Formula;
use crate::operator::{Fixity, LOOSEST, Operator, UNARY};

impl<A> Formula<A> {
    /// Prints with `atom` writing each atom; it is told how tightly the surrounding operator binds (see
    /// [`crate::operator`]), so that an atom that is itself composed can put parentheses around itself.
    pub fn print_with(&self, atom: &mut dyn FnMut(&A, u8, &mut String)) -> String {
        let mut out = String::new();
        self.print_into(&mut out, LOOSEST, atom);
        out
    }

    /// Appends the printed form for a place where an operator of binding `context` or tighter needs no parentheses.
    pub fn print_into(
        &self,
        out: &mut String,
        context: u8,
        atom: &mut dyn FnMut(&A, u8, &mut String),
    ) {
        match self {
            Self::True => out.push_str("true"),
            Self::False => out.push_str("false"),
            Self::Atom(inner) => atom(inner, context, out),
            Self::And(all) if all.is_empty() => out.push_str("true"),
            Self::Or(all) if all.is_empty() => out.push_str("false"),
            Self::And(all) | Self::Or(all) if all.len() == 1 => {
                for only in all {
                    only.print_into(out, context, atom);
                }
            }
            _ => {
                let Some(operator) = self.operator() else {
                    return;
                };
                let parenthesised = operator.binding() < context;
                if parenthesised {
                    out.push('(');
                }
                self.print_operator(operator, out, atom);
                if parenthesised {
                    out.push(')');
                }
            }
        }
    }

    fn print_operator(
        &self,
        operator: Operator,
        out: &mut String,
        atom: &mut dyn FnMut(&A, u8, &mut String),
    ) {
        let entry = operator.entry();
        let operands = self.children();
        match entry.fixity {
            Fixity::Prefix => {
                out.push_str(entry.canonical);
                if operator != Operator::Not {
                    out.push(' ');
                }
                for operand in operands {
                    operand.print_into(out, UNARY, atom);
                }
            }
            Fixity::InfixRight | Fixity::InfixList => {
                let count = operands.len();
                for (index, operand) in operands.into_iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                        out.push_str(entry.canonical);
                        out.push(' ');
                    }
                    // A chain groups to the right, so only the operands before the last need to bind tighter.
                    let last = index + 1 == count;
                    let is_list = entry.fixity == Fixity::InfixList;
                    let context = entry.binding + u8::from(!last && !is_list);
                    operand.print_into(out, context, atom);
                }
            }
        }
    }
}

/// Writes a proposition: bare if it is a plain name, in double quotes otherwise.
pub fn print_name(name: &str, out: &mut String) {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && name != "true"
        && name != "false";
    if plain {
        out.push_str(name);
        return;
    }
    out.push('"');
    for c in name.chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

impl fmt::Display for Formula<String> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.print_with(&mut |name, _, text| print_name(name, text)))
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse;

    fn check(input: &str, expected: &str) {
        assert_eq!(parse(input).unwrap().to_string(), expected);
    }

    #[test]
    fn prints_no_parenthesis_that_can_be_left_out() {
        check("((a) & (b)) & (!(c))", "a & b & !c");
        check("(a & b) | c -> d -> e", "a & b | c -> d -> e");
        check("(a -> b) -> c", "(a -> b) -> c");
        check("a U (b R c)", "a U b R c");
        check("(a U b) R c", "(a U b) R c");
        check("G (a -> F (b))", "G (a -> F b)");
        check("!(a U b)", "!(a U b)");
        check("(! a) U b", "!a U b");
        check("(a <-> b) <-> c", "(a <-> b) <-> c");
        check("a & (b | c)", "a & (b | c)");
        check("X[!] N ~a && true || false", "X WX !a & true | false");
        check(
            "\"a b\" S \"true\" T \"q\\\"\\\\\"",
            "\"a b\" S \"true\" T \"q\\\"\\\\\"",
        );
    }
}
