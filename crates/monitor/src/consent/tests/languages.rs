//! Replies and questions in each language, as tables.

use super::super::*;

mod dutch;
mod french;
mod german;
mod italian;
mod portuguese;
mod spanish;

/// The judgements of one language.
pub(super) struct Table {
    pub name: &'static str,
    /// What the agent said before each of the replies.
    pub asked: &'static str,
    pub yes: &'static [&'static str],
    pub no: &'static [&'static str],
    pub unclear: &'static [&'static str],
    /// Neither a yes nor about what was asked: `confirms` is false, a reader would call it unclear.
    pub no_answer: &'static [&'static str],
    /// Agent turns that leave a yes to be said, and such that do not.
    pub asks: &'static [&'static str],
    pub asks_not: &'static [&'static str],
}

impl Table {
    #[track_caller]
    pub(super) fn check(&self) {
        let languages = Languages::named([self.name]).unwrap();
        let invitation = invites(&languages, [self.asked], []);
        assert_eq!(invitation, Invitation::Question, "{}", self.asked);
        let mut wrong = Vec::new();
        let replies = [
            (Answer::Yes, Class::Yes, self.yes),
            (Answer::No, Class::No, self.no),
            (Answer::Unclear, Class::Unclear, self.unclear),
            (Answer::No, Class::Unclear, self.no_answer),
        ];
        for (answer, class, rows) in replies {
            for user in rows {
                let judgement = judge_reply(&languages, invitation, user);
                if (judgement.answer, judgement.class()) != (answer, class) {
                    let (ground, words) = (judgement.ground, judgement.words);
                    wrong.push(format!(
                        "{user:?} is not {answer:?}, by {ground:?} in {words:?}"
                    ));
                }
            }
        }
        for (open, rows) in [(true, self.asks), (false, self.asks_not)] {
            for agent in rows {
                let invitation = invites(&languages, [*agent], []);
                if (invitation > Invitation::Unreadable) != open {
                    wrong.push(format!("{agent:?} is {invitation:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(self.yes.len() + self.no.len() + self.unclear.len() >= 25);
    }
}
