//! Truth values of atoms at an event, and verdicts of contracts on a prefix.

/// What is known of an atom at one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Known to hold.
    True,
    /// Known not to hold.
    False,
    /// Not known; some value would settle it either way.
    Unknown,
    /// A bound that only calls in flight break: neither true nor open, since a
    /// reservation is a fact (DESIGN section 3).
    Reserved,
}

impl Truth {
    /// The truth value of a known fact, or unknown.
    pub fn of(known: Option<bool>) -> Truth {
        match known {
            Some(true) => Truth::True,
            Some(false) => Truth::False,
            None => Truth::Unknown,
        }
    }

    /// The truth of the negation.
    pub fn negated(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            other => other,
        }
    }

    /// Three-valued conjunction. What is reserved is not open, so it outweighs
    /// what is unknown.
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::Reserved, _) | (_, Truth::Reserved) => Truth::Reserved,
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (Truth::True, Truth::True) => Truth::True,
        }
    }

    /// Three-valued disjunction. What is unknown may still make it true, so it
    /// outweighs what is reserved.
    pub fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::True, _) | (_, Truth::True) => Truth::True,
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (Truth::Reserved, _) | (_, Truth::Reserved) => Truth::Reserved,
            (Truth::False, Truth::False) => Truth::False,
        }
    }
}

/// The value of a contract on a prefix (ContrAgent, Definition 2), in the order
/// of their worth: fail is 0, pending and active lie between, satisfied and idle
/// are 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The guarantee is broken beyond repair while the assumption was not.
    Fail,
    /// Neither, and the guarantee is not met if nothing follows.
    Pending,
    /// Neither, and nothing is owed.
    Active,
    /// No continuation can break the guarantee.
    Satisfied,
    /// The assumption is known to be broken beyond repair.
    Idle,
}

impl Verdict {
    /// The three values that a whole run is reported by: what lies between fail
    /// and idle is active.
    pub fn in_brief(self) -> Verdict {
        match self {
            Verdict::Pending | Verdict::Satisfied => Verdict::Active,
            other => other,
        }
    }
}
