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
}

/// The value of a contract on a prefix (ContrAgent, Definition 2), in the order
/// fail < active < idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The guarantee is broken beyond repair while the assumption was not.
    Fail,
    /// Neither; obligations may be pending.
    Active,
    /// The assumption is known to be broken beyond repair.
    Idle,
}
