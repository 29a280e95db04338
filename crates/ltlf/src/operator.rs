//! The one table of operators: how each is written and how tightly it binds.
//!
//! The parser and the printer of this crate read it, and so does any richer language built on these operators, so that the
//! same text can never mean two things.

/// An operator of the logic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `WX`
    WeakNext,
    /// `F`
    Eventually,
    /// `G`
    Always,
    /// `Y`
    Yesterday,
    /// `WY`
    WeakYesterday,
    /// `O`
    Once,
    /// `H`
    Historically,
    /// `U`
    Until,
    /// `R`
    Release,
    /// `W`
    WeakUntil,
    /// `M`
    StrongRelease,
    /// `S`
    Since,
    /// `T`
    Triggered,
    /// `&`
    And,
    /// `|`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
}

/// Where an operator stands and how a chain of it groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixity {
    /// Before its one operand.
    Prefix,
    /// Between two operands; a chain groups to the right.
    InfixRight,
    /// Between operands; a chain is one list.
    InfixList,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The operator.
    pub operator: Operator,
    /// The spelling that is printed.
    pub canonical: &'static str,
    /// Further spellings that are read.
    pub accepted: &'static [&'static str],
    /// How tightly it binds; a higher number binds tighter.
    pub binding: u8,
    /// Where it stands.
    pub fixity: Fixity,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// The binding of the prefix operators, the tightest of all.
pub const UNARY: u8 = 60;
/// The binding of the binary temporal operators.
pub const TEMPORAL: u8 = 50;
/// The context outside of every operator: everything stands there without parentheses.
pub const LOOSEST: u8 = 0;

/// Every operator, tightest first.
pub const TABLE: [Entry; 19] = [
    prefix(Operator::Not, "!", &["~"], "not"),
    prefix(
        Operator::Next,
        "X",
        &["X[!]"],
        "at the next position, which exists",
    ),
    prefix(
        Operator::WeakNext,
        "WX",
        &["N"],
        "at the next position, if there is one",
    ),
    prefix(Operator::Eventually, "F", &[], "now or later"),
    prefix(Operator::Always, "G", &[], "now and always later"),
    prefix(
        Operator::Yesterday,
        "Y",
        &[],
        "at the previous position, which exists",
    ),
    prefix(
        Operator::WeakYesterday,
        "WY",
        &[],
        "at the previous position, if there is one",
    ),
    prefix(Operator::Once, "O", &[], "now or earlier"),
    prefix(Operator::Historically, "H", &[], "now and always earlier"),
    infix(
        Operator::Until,
        "U",
        "the left holds until the right comes, which it does",
    ),
    infix(
        Operator::Release,
        "R",
        "the right holds up to and with the first left, or for good",
    ),
    infix(
        Operator::WeakUntil,
        "W",
        "the left holds until the right comes, or for good",
    ),
    infix(
        Operator::StrongRelease,
        "M",
        "the right holds up to and with the first left, which comes",
    ),
    infix(
        Operator::Since,
        "S",
        "the right held once, and the left ever since",
    ),
    infix(
        Operator::Triggered,
        "T",
        "the right has held since and with the last left, or always",
    ),
    Entry {
        operator: Operator::And,
        canonical: "&",
        accepted: &["&&"],
        binding: 40,
        fixity: Fixity::InfixList,
        meaning: "and",
    },
    Entry {
        operator: Operator::Or,
        canonical: "|",
        accepted: &["||"],
        binding: 30,
        fixity: Fixity::InfixList,
        meaning: "or",
    },
    Entry {
        operator: Operator::Implies,
        canonical: "->",
        accepted: &[],
        binding: 20,
        fixity: Fixity::InfixRight,
        meaning: "if the left, then the right",
    },
    Entry {
        operator: Operator::Iff,
        canonical: "<->",
        accepted: &[],
        binding: 10,
        fixity: Fixity::InfixRight,
        meaning: "both or neither",
    },
];

const fn prefix(
    operator: Operator,
    canonical: &'static str,
    accepted: &'static [&'static str],
    meaning: &'static str,
) -> Entry {
    Entry {
        operator,
        canonical,
        accepted,
        binding: UNARY,
        fixity: Fixity::Prefix,
        meaning,
    }
}

const fn infix(operator: Operator, canonical: &'static str, meaning: &'static str) -> Entry {
    Entry {
        operator,
        canonical,
        accepted: &[],
        binding: TEMPORAL,
        fixity: Fixity::InfixRight,
        meaning,
    }
}

impl Operator {
    /// The operator that a text starts with, by the longest spelling that fits, and the length of that spelling in bytes.
    ///
    /// A spelling made of letters matches whole words only: `Gx` is not `G`, and `F_` is not `F`.
    #[must_use]
    pub fn at_start(text: &str) -> Option<(&'static Entry, usize)> {
        let mut best: Option<(&'static Entry, usize)> = None;
        for entry in &TABLE {
            let spellings = std::iter::once(&entry.canonical).chain(entry.accepted);
            for spelling in spellings {
                let Some(rest) = text.strip_prefix(spelling) else {
                    continue;
                };
                let is_word = spelling.ends_with(|c: char| c.is_ascii_alphanumeric());
                let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                let longer = best.is_none_or(|(_, length)| spelling.len() > length);
                if longer && !(is_word && goes_on) {
                    best = Some((entry, spelling.len()));
                }
            }
        }
        best
    }

    /// The line of the table for this operator.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        // The table has every operator (a test holds that), so the first line is never the answer to the wrong question.
        let [first, ..] = &TABLE;
        TABLE
            .iter()
            .find(|entry| entry.operator == self)
            .unwrap_or(first)
    }

    /// How tightly it binds.
    #[must_use]
    pub fn binding(self) -> u8 {
        self.entry().binding
    }

    /// The spelling that is printed.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        self.entry().canonical
    }
}

impl<A> crate::Formula<A> {
    /// The operator at the root, if it is not a constant or an atom.
    pub fn operator(&self) -> Option<Operator> {
        Some(match self {
            Self::True | Self::False | Self::Atom(_) => return None,
            Self::Not(_) => Operator::Not,
            Self::And(_) => Operator::And,
            Self::Or(_) => Operator::Or,
            Self::Implies(..) => Operator::Implies,
            Self::Iff(..) => Operator::Iff,
            Self::Next(_) => Operator::Next,
            Self::WeakNext(_) => Operator::WeakNext,
            Self::Eventually(_) => Operator::Eventually,
            Self::Always(_) => Operator::Always,
            Self::Until(..) => Operator::Until,
            Self::Release(..) => Operator::Release,
            Self::WeakUntil(..) => Operator::WeakUntil,
            Self::StrongRelease(..) => Operator::StrongRelease,
            Self::Yesterday(_) => Operator::Yesterday,
            Self::WeakYesterday(_) => Operator::WeakYesterday,
            Self::Once(_) => Operator::Once,
            Self::Historically(_) => Operator::Historically,
            Self::Since(..) => Operator::Since,
            Self::Triggered(..) => Operator::Triggered,
        })
    }

    /// Applies a prefix operator; `None` if `operator` is not one.
    #[must_use]
    pub fn prefixed(operator: Operator, operand: Self) -> Option<Self> {
        Some(match operator {
            Operator::Not => Self::not(operand),
            Operator::Next => Self::next(operand),
            Operator::WeakNext => Self::weak_next(operand),
            Operator::Eventually => Self::eventually(operand),
            Operator::Always => Self::always(operand),
            Operator::Yesterday => Self::yesterday(operand),
            Operator::WeakYesterday => Self::weak_yesterday(operand),
            Operator::Once => Self::once(operand),
            Operator::Historically => Self::historically(operand),
            _ => return None,
        })
    }

    /// Applies an infix operator (lists are kept flat); `None` if `operator` is not one.
    #[must_use]
    pub fn infixed(operator: Operator, left: Self, right: Self) -> Option<Self> {
        Some(match operator {
            Operator::And => Self::and([left, right]),
            Operator::Or => Self::or([left, right]),
            Operator::Implies => Self::implies(left, right),
            Operator::Iff => Self::iff(left, right),
            Operator::Until => Self::until(left, right),
            Operator::Release => Self::release(left, right),
            Operator::WeakUntil => Self::weak_until(left, right),
            Operator::StrongRelease => Self::strong_release(left, right),
            Operator::Since => Self::since(left, right),
            Operator::Triggered => Self::triggered(left, right),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Formula;

    #[test]
    fn every_operator_is_in_the_table_once_and_builds_itself() {
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.operator.entry().canonical, entry.canonical);
            assert_eq!(
                TABLE
                    .iter()
                    .filter(|e| e.operator == entry.operator)
                    .count(),
                1
            );
            assert!(index == 0 || TABLE[index - 1].binding >= entry.binding);
            let atom = || Formula::Atom(0);
            let built = match entry.fixity {
                Fixity::Prefix => Formula::prefixed(entry.operator, atom()),
                _ => Formula::infixed(entry.operator, atom(), atom()),
            };
            assert_eq!(built.unwrap().operator(), Some(entry.operator));
        }
    }

    #[test]
    fn the_longest_spelling_wins_and_words_are_whole() {
        let check = |text: &str, expected: Option<(&str, usize)>| {
            assert_eq!(
                Operator::at_start(text).map(|(entry, length)| (entry.canonical, length)),
                expected
            );
        };
        check("X[!] a", Some(("X", 4)));
        check("X a", Some(("X", 1)));
        check("N(a)", Some(("WX", 1)));
        check("&& b", Some(("&", 2)));
        check("<-> b", Some(("<->", 3)));
        check("Gx", None);
        check("x", None);
    }
}
