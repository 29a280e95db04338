//! The one grammar of formulas, conditions and terms: operator precedence over
//! operands of either sort.
//!
//! Whether a parenthesis holds a formula or a term shows only at its end, so an
//! expression carries its sort and each operator asks for the one it needs.

use super::SyntaxError;
use super::cursor::Cursor;
use super::infix::{CONDITION, Infix, PRODUCT, SIGN, SUM};
use crate::predicate::{ArithmeticOp, Atom, Formula, Term};
use crate::value::Value;
use lictor_ltlf::operator::{Entry, Fixity, LOOSEST, Operator, UNARY};
use std::ops::Range;

/// What an expression turned out to be. Boxed, as every level of nesting keeps
/// some on the stack.
pub(super) enum Node {
    Formula(Box<Formula>),
    Term(Box<Term>),
}

impl Node {
    pub(super) fn formula(formula: Formula) -> Node {
        Node::Formula(Box::new(formula))
    }

    pub(super) fn term(term: Term) -> Node {
        Node::Term(Box::new(term))
    }
}

/// An expression, where it stands, and the height of its tree.
pub(super) struct Expression {
    pub(super) node: Node,
    pub(super) range: Range<usize>,
    pub(super) depth: usize,
}

impl Cursor<'_> {
    /// Reads a formula.
    pub(super) fn formula(&mut self) -> Result<Formula, SyntaxError> {
        let expression = self.expression(LOOSEST, 0)?;
        self.needed_formula(expression).map(|formula| *formula)
    }

    /// Reads a term.
    pub(super) fn term(&mut self) -> Result<Term, SyntaxError> {
        self.nested_term(0).map(|(term, _)| *term)
    }

    /// Reads a term inside something else, and says how high its tree is.
    pub(super) fn nested_term(
        &mut self,
        nesting: usize,
    ) -> Result<(Box<Term>, usize), SyntaxError> {
        let expression = self.expression(LOOSEST, nesting)?;
        let depth = expression.depth;
        Ok((self.needed_term(expression)?, depth))
    }

    /// Reads operators that bind at least as tightly as `loosest`.
    pub(super) fn expression(
        &mut self,
        loosest: u8,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let mut left = self.operand(nesting)?;
        loop {
            let Some((infix, length)) = self.peek_infix() else {
                // Whatever follows can follow no operand, which says more than
                // a complaint about the operand would.
                // `as` ends the list that a quantifier goes through.
                let ends = |next| matches!(next, ')' | ']' | '}' | ',') || self.word() == "as";
                if self.next_char().is_some_and(|next| !ends(next)) {
                    return Err(self.unexpected("an operator"));
                }
                break;
            };
            if infix.binding() < loosest {
                break;
            }
            let sign = self.at..self.at + length;
            self.at = sign.end;
            left = match infix {
                Infix::Logic(entry) => self.logic(entry, left, nesting)?,
                Infix::Arithmetic(op) => self.arithmetic(op, left, nesting)?,
                condition => self.condition(condition, sign, left, nesting)?,
            };
        }
        Ok(left)
    }

    fn logic(
        &mut self,
        entry: &'static Entry,
        left: Expression,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let start = left.range.start;
        let mut end = left.range.end;
        let mut depth = left.depth;
        // A chain of `&` or `|` is one list and costs no nesting.
        let is_list = entry.fixity == Fixity::InfixList;
        let context = entry.binding + u8::from(is_list);
        let mut all = vec![*self.needed_formula(left)?];
        loop {
            let right = self.expression(context, nesting + 1)?;
            end = end.max(right.range.end);
            depth = depth.max(right.depth);
            all.push(*self.needed_formula(right)?);
            match self.peek_infix() {
                Some((Infix::Logic(again), length))
                    if is_list && again.operator == entry.operator =>
                {
                    self.at += length;
                }
                _ => break,
            }
        }
        let node = joined(entry.operator, all).ok_or_else(|| self.unexpected("a formula"))?;
        self.grown(node, start..end, depth)
    }

    fn arithmetic(
        &mut self,
        op: ArithmeticOp,
        left: Expression,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let binding = if op == ArithmeticOp::Multiply {
            PRODUCT
        } else {
            SUM
        };
        let right = self.expression(binding + 1, nesting + 1)?;
        let range = left.range.start..right.range.end;
        let depth = left.depth.max(right.depth);
        let (left, right) = (self.needed_term(left)?, self.needed_term(right)?);
        self.grown(Node::term(Term::Arithmetic(op, left, right)), range, depth)
    }

    fn condition(
        &mut self,
        infix: Infix,
        sign: Range<usize>,
        left: Expression,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        if let Node::Formula(formula) = &left.node
            && let Formula::Atom(Atom::Compare(..)) = **formula
        {
            return Err(SyntaxError::new(
                sign,
                "two comparisons stand in a row",
                "compare twice and join with `&`, as in `a < b & b < c`",
            ));
        }
        let start = left.range.start;
        let depth = left.depth;
        let left = self.needed_term(left)?;
        if let Infix::Matches = infix {
            let atom = Atom::Matches(*left, self.regex("`matches`")?);
            return self.compared(infix, atom, start..self.at, depth);
        }
        let right = self.expression(CONDITION + 1, nesting + 1)?;
        let range = start..right.range.end;
        let depth = depth.max(right.depth);
        let right = self.needed_term(right)?;
        let atom = match infix {
            Infix::Compare(op) => Atom::Compare(op, *left, *right),
            Infix::Subset => Atom::Subset(*left, *right),
            Infix::Contains => Atom::Contains(*left, *right),
            Infix::Under => Atom::Under(*left, *right),
            _ => Atom::In(*left, *right),
        };
        self.compared(infix, atom, range, depth)
    }

    fn compared(
        &mut self,
        infix: Infix,
        atom: Atom,
        range: Range<usize>,
        depth: usize,
    ) -> Result<Expression, SyntaxError> {
        self.atoms.push((atom.clone(), range.clone()));
        let formula = match infix {
            Infix::NotIn => Formula::not(Formula::Atom(atom)),
            _ => Formula::Atom(atom),
        };
        self.grown(Node::formula(formula), range, depth)
    }

    /// Reads a prefix operator's operand.
    pub(super) fn prefixed(
        &mut self,
        entry: &'static Entry,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let operand = self.expression(UNARY, nesting + 1)?;
        let (range, depth) = (start..operand.range.end, operand.depth);
        let operand = *self.needed_formula(operand)?;
        match Formula::prefixed(entry.operator, operand) {
            Some(formula) => self.grown(Node::formula(formula), range, depth),
            None => Err(self.unexpected("a formula")),
        }
    }

    /// Reads what stands behind a minus sign: a negative constant, or a term
    /// times minus one.
    pub(super) fn negated(
        &mut self,
        start: usize,
        nesting: usize,
    ) -> Result<Expression, SyntaxError> {
        let operand = self.expression(SIGN, nesting + 1)?;
        let (range, depth) = (start..operand.range.end, operand.depth);
        let term = self.needed_term(operand)?;
        if let Term::Constant(Value::Number(number)) = *term {
            let constant = Term::Constant(Value::Number(-number));
            return self.grown(Node::term(constant), range, depth.saturating_sub(1));
        }
        let minus_one = Box::new(Term::Constant(Value::integer(-1)));
        let term = Term::Arithmetic(ArithmeticOp::Multiply, minus_one, term);
        self.grown(Node::term(term), range, depth)
    }

    /// An expression one level higher than its highest operand.
    pub(super) fn grown(
        &self,
        node: Node,
        range: Range<usize>,
        depth: usize,
    ) -> Result<Expression, SyntaxError> {
        self.check_nesting(range.start, depth)?;
        Ok(Expression {
            node,
            range,
            depth: depth + 1,
        })
    }

    pub(super) fn needed_formula(
        &self,
        expression: Expression,
    ) -> Result<Box<Formula>, SyntaxError> {
        let term = match expression.node {
            Node::Formula(formula) => return Ok(formula),
            Node::Term(term) => term,
        };
        let text = self.quote(&expression.range);
        let help = match *term {
            Term::Constant(Value::Bool(value)) => return Ok(Box::new(Formula::constant(value))),
            Term::Arg(_)
            | Term::Result(_)
            | Term::Context(_)
            | Term::Lookup(_)
            | Term::Variable(..)
            | Term::Current(_) => {
                format!("write `{text} == true`")
            }
            Term::Constant(_) => "compare it with a term, as in `arg.amount <= 100`".to_owned(),
            _ => format!("compare it, as in `{text} > 0`"),
        };
        Err(SyntaxError::new(
            expression.range,
            format!("`{text}` is a value where a condition is needed"),
            help,
        ))
    }

    pub(super) fn needed_term(&self, expression: Expression) -> Result<Box<Term>, SyntaxError> {
        match expression.node {
            Node::Term(term) => Ok(term),
            Node::Formula(_) => {
                let text = self.quote(&expression.range);
                Err(SyntaxError::new(
                    expression.range,
                    format!("`{text}` is a condition where a value is needed"),
                    "compare values, and join conditions with `&`, `|`, `->` or `<->`",
                ))
            }
        }
    }
}

/// The operands of an infix operator joined by it.
fn joined(operator: Operator, all: Vec<Formula>) -> Option<Node> {
    let formula = match operator {
        Operator::And => Formula::and(all),
        Operator::Or => Formula::or(all),
        _ => {
            let mut operands = all.into_iter();
            let (left, right) = operands.next().zip(operands.next())?;
            Formula::infixed(operator, left, right)?
        }
    };
    Some(Node::formula(formula))
}
