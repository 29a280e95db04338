//! What hosts make the name of a tool from, and what they may make of it.

/// The signs that hosts replace by `_`.
const SIGNS: [u8; 3] = *b"./-";

/// One way to write a tool's name before signs are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    text: String,
    /// Where the server's name ends and the tool's begins; both 0 if there is
    /// no server in it.
    join: (usize, usize),
    pub(super) kind: Kind,
}

/// How much a spelling says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Everything: who it is and on which server, if it has one.
    Whole,
    /// The name on this server, which it does not say.
    WithoutServer(String),
}

impl Spelling {
    /// The spellings of a tool's own name.
    pub(super) fn of_tool(server: Option<&str>, name: &str) -> Vec<Spelling> {
        let Some(server) = server else {
            return vec![Spelling::of_alias(name)];
        };
        let joined = |before: &str, between: &str| {
            let end = before.len() + server.len();
            Spelling {
                text: format!("{before}{server}{between}{name}"),
                join: (end, end + between.len()),
                kind: Kind::Whole,
            }
        };
        let bare = Spelling {
            kind: Kind::WithoutServer(server.to_owned()),
            ..Spelling::of_alias(name)
        };
        vec![
            joined("", "/"),
            joined("", "."),
            joined("", "__"),
            joined("mcp__", "__"),
            bare,
        ]
    }

    /// A name that stands for itself.
    pub(super) fn of_alias(name: &str) -> Spelling {
        Spelling {
            text: name.to_owned(),
            join: (0, 0),
            kind: Kind::Whole,
        }
    }

    /// The text, if it leaves the server out.
    pub(super) fn without_server(&self) -> Option<&str> {
        matches!(self.kind, Kind::WithoutServer(_)).then_some(self.text.as_str())
    }

    /// The form in which every sign is replaced.
    pub(super) fn folded(&self) -> String {
        folded(&self.text)
    }

    /// Whether a host could have made `used` of this: it is the same but for
    /// signs, and each sign is replaced everywhere or nowhere, in the server's
    /// name and in the tool's each for itself.
    pub(super) fn fits(&self, used: &str) -> bool {
        if used.len() != self.text.len() {
            return false;
        }
        // Per part and sign: whether it was kept, or replaced, so far.
        let mut seen = [[None; SIGNS.len()]; 2];
        for (at, (own, other)) in self.text.bytes().zip(used.bytes()).enumerate() {
            let sign = SIGNS.iter().position(|sign| *sign == own);
            let replaced = own != other;
            if replaced && (sign.is_none() || other != b'_') {
                return false;
            }
            let part = match at {
                at if at < self.join.0 => 0,
                at if at < self.join.1 => continue,
                _ => 1,
            };
            let slot = sign.and_then(|sign| seen.get_mut(part)?.get_mut(sign));
            if let Some(slot) = slot
                && *slot.get_or_insert(replaced) != replaced
            {
                return false;
            }
        }
        true
    }

    /// The texts in which some signs are replaced, alike in both parts.
    pub(super) fn rewritten(&self) -> impl Iterator<Item = String> {
        (0..1 << SIGNS.len()).map(|chosen: usize| {
            let replaced = |c: char| {
                SIGNS
                    .iter()
                    .enumerate()
                    .any(|(bit, sign)| c == char::from(*sign) && chosen & (1 << bit) != 0)
            };
            self.text.replace(replaced, "_")
        })
    }
}

/// The text with every sign replaced.
pub(super) fn folded(text: &str) -> String {
    text.replace(SIGNS.map(char::from), "_")
}
