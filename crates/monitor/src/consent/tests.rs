//! The judgement as a whole, as tables of messages.

use super::*;

mod languages;

const ASKED: &str =
    "I will refund 40.00 EUR for order A12 to the card ending 1111. Shall I go ahead (yes/no)?";

fn judged(user: &str) -> Judgement {
    judge(Lexicon::english(), Some(ASKED), false, user)
}

fn check(expected: Answer, rows: &[&str]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|user| (user, judged(user)))
        .filter(|(_, j)| j.answer != expected)
        .map(|(user, j)| {
            format!(
                "{user:?} is {:?} by {:?} in {:?}",
                j.answer, j.ground, j.words
            )
        })
        .collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{}", wrong.join("\n"));
}

fn check_words(user: &str, ground: Ground, words: &str) {
    let expected = Judgement::of(ground, words);
    assert_eq!(judged(user), expected, "{user}");
}

#[test]
fn replies_seen_in_the_field() {
    check(
        Answer::Yes,
        &[
            "yes",
            "Yes.",
            "yes please, go ahead",
            "I confirm",
            "ok do it",
            "no problem, go ahead",
            "permission granted",
            "YES",
        ],
    );
    check(
        Answer::No,
        &[
            "no",
            "no, don't",
            "yes but make it 30",
            "okay, wait, don't run that",
            "not yet",
            // No assent at all, so there is nothing to be unclear about; blocked all the same.
            "yesterday",
            "thanks",
            "Can you cancel my other order too?",
        ],
    );
    check(
        Answer::Unclear,
        &[
            "sure, but what does that cost me?",
            "no wait - yes",
            "yes or no? I don't know",
            "I guess",
            "don't you dare say no; yes",
            "y",
        ],
    );
}

#[test]
fn plain_assent_in_many_wordings() {
    check(
        Answer::Yes,
        &[
            "yep",
            "Yeah!",
            "yup, thanks",
            "Sure.",
            "sure thing",
            "OK",
            "okay, thank you",
            "alright",
            "Absolutely!",
            "of course",
            "Definitely, please do.",
            "by all means",
            "Affirmative.",
            "Correct.",
            "That's correct",
            "That is right.",
            "Confirmed",
            "I agree.",
            "I approve",
            "I do confirm",
            "I can confirm that",
            "you have my permission",
            "You have my go-ahead",
            "go ahead",
            "Go ahead, please.",
            "Please go ahead and cancel it.",
            "please do",
            "Please do so.",
            "do it",
            "just do it",
            "let's do that",
            "Let's do it",
            "Proceed",
            "please proceed with the cancellation",
            "I'd like to proceed",
            "I would like to go ahead",
            "You can proceed.",
            "sounds good",
            "That sounds good to me",
            "Looks good!",
            "looks great, thanks",
            "that works",
            "That works for me.",
            "works for me",
            "that's fine",
            "That\u{2019}s fine with me",
            "Fine by me",
            "I'm fine with that",
            "I'm okay with the refund to my card",
            "make it happen",
            "good to go",
            "feel free to proceed",
            "Great, go ahead!",
            "Perfect, yes.",
            "Oh yes please",
            "hi, yes",
            "It's a yes",
            "my answer is yes",
            "That would be great",
            "Everything looks correct.",
            "all details are correct",
            "right",
            "I do",
            "please",
            "Why not, go ahead",
            "no objections",
            "I don't mind, go ahead",
            "\u{201C}yes\u{201D}",
            "**Yes**",
            "yes...",
            "And yes, go ahead",
        ],
    );
}

#[test]
fn a_yes_may_restate_the_details_or_turn_to_something_else() {
    check(
        Answer::Yes,
        &[
            "Yes, cancel #W2378156, refund to the gift card",
            "Yes, please go ahead. Also, can you tell me the status of my other order?",
            "Yes, proceed. I don't need insurance.",
            "Yes, that's correct, no insurance please",
            "Yes, return the lamp, not the mug.",
            "Yes, I no longer need it, so please cancel it.",
            "No longer needed. Yes, please cancel it now.",
            "Yes \u{2014} please proceed exactly as outlined:\n- order A12\n- refund to the card\nNo other changes.",
            "Can I keep the box? Yes, go ahead with the refund.",
            "Yes, and let me know if you need anything else.",
            "Yes, please proceed. Let me know once it's done.",
            "Yes, I confirm that I want to proceed.",
            "Yes, and have the refund sent to my card.",
            "Yes. ###STOP###",
            "Yes, if that's okay.",
            "No, that's all. Please go ahead.",
            "No, I don't have anything else. Yes, go ahead.",
            "I'm not happy about the fee, but yes, go ahead.",
            "Actually, yes.",
            "Yes, ship it to 12 Main St. Apt 4.",
            "Thanks for waiting. Yes, please.",
            "Yes please! I can't wait to get it.",
            "Yes, as soon as possible.",
            "Yes, I am sure.",
            "No worries. Yes.",
            "Yes, don't worry about the receipt.",
            "1. yes",
            "Yes, go ahead as outlined. If anything changes, let me know before you charge it.",
            "Yes, please make that change.",
            "Yes, go ahead. I'd rather not share my date of birth here.",
            "Yes, book it. No, I don't need a receipt.",
            "Yes. But also, yes to the other one.",
            "Fine, go ahead then. But I want to make it clear that I'm not happy.",
            "Ugh, fine, let's get this done.",
            "OK, go ahead, but I really wish you could do it faster.",
            "I'd appreciate it if you could tell me the date. Yes, go ahead.",
            "I see. Let's just proceed then.",
            "Yes, and if you could also send me the receipt, please.",
            "Yes. If you need anything else, let me know.",
        ],
    );
}

#[test]
fn refusals_and_changes_block() {
    check(
        Answer::No,
        &[
            "No.",
            "nope",
            "nah",
            "No thanks",
            "no, thank you",
            "no way",
            "Absolutely not",
            "of course not",
            "never",
            "not now",
            "Not today.",
            "stop",
            "Please stop.",
            "never mind",
            "forget it",
            "don't",
            "Do not do that.",
            "please don't cancel it",
            "Don't go ahead",
            "do not proceed",
            "I don't agree",
            "I do not confirm",
            "I can't confirm that",
            "I changed my mind",
            "I've changed my mind, leave it",
            "I'd rather not",
            "I don't want to proceed",
            "I no longer want to proceed",
            "that's not correct",
            "That's wrong.",
            "not correct",
            "It isn't okay",
            "Yes. No, stop.",
            "Yes. Actually no.",
            "ok, don't do it",
            "sure, no",
            "Yes, never mind",
            "okay don't cancel",
            "ok, I won't",
            "I confirm nothing",
            "yes for the address, no for the refund",
            "There is no way I would say yes",
            "No. Cancel nothing.",
            "No, that's okay.",
            "no no no",
            "Yes, please proceed. Never mind, forget it.",
            "yes but use the other card",
            "Yes, but only the first one",
            "ok but change the date to May 21",
            "Yes, except the lamp",
            "Sure, make it 30",
            "Yes, go ahead. But make it 30.",
            "Yes. Instead, use PayPal.",
            "Yes. Make it 30.",
            "yes, with one change: the address",
            "Yes, but with the gift card",
            "Yes, but make it 30, then go ahead",
            "Change of plans: only the lamp. Yes, proceed with that.",
            "I'd like to adjust the plan first. Yes to the lamp.",
        ],
    );
}

#[test]
fn doubt_blocks_and_asks_again() {
    check(
        Answer::Unclear,
        &[
            "Yes, I think so",
            "yes, I guess",
            "Maybe",
            "Probably yes",
            "I suppose so",
            "I'm not sure",
            "not sure, yes?",
            "Yes?",
            "ok?",
            "sure, how much is it",
            "Yes, can you tell me the fee",
            "Yes, what's the fee?",
            "Okay, let me think about it",
            "yes if it is free",
            "Yes, as long as there is no fee",
            "yes, unless it costs extra",
            "Only if it's free, yes",
            "Yes. Wait.",
            "Yes, wait",
            "ok hold on",
            "Yes. Hold on a second.",
            "Yes. However, I have a doubt.",
            "Yes. But I'm worried.",
            "Yes. Actually, what about the fee?",
            "No. Yes.",
            "yes and no",
            "yes/no",
            "k",
            "\u{1F44D}",
            "Perfect",
            "Okay, I understand.",
            "sure, why is that?",
            "yes, but",
            "Yes, although I'm worried",
            "Yes. I guess.",
            "I think that's correct",
            "whatever",
            "if you say so",
            "sure, after you refund my fee",
            "sure, once you confirm the price",
            "yes, later",
            "OK, please explain first",
            "ok so you mean it's free",
            "Before you go ahead, what is the fee?",
            "That sounds great! Can you tell me the total before I decide?",
            "Sounds good. Let me know the price so I can confirm.",
            "Yes. Before you proceed, what is the fee?",
            "Yes. Thanks. On second thought, I need to check.",
            "If you can do that, please go ahead.",
            "Yes, proceed as soon as I have added the new card.",
            "That way we can find the order and proceed.",
            "yes, but hurry",
            "I'm a bit hesitant, but yes.",
        ],
    );
}

#[test]
fn words_that_only_look_like_a_yes_are_none() {
    check(
        Answer::No,
        &[
            "yesteryear",
            "if I confirm, what happens?",
            "Should I go ahead?",
            "My order number is A12.",
            "I want to cancel my order.",
            "Please correct the address.",
            "Make sure the address is in Rome.",
            "The agent said yes",
            "",
            "   ",
            "...",
            "?",
            "Hello",
            "thank you so much",
            "What is the fee?",
            "bookings",
            "I want to confirm the total first.",
            "Here is my zip code so you can proceed.",
            "#yes",
            "I said yes to the other agent",
            "Yes is not my answer",
            "sure is expensive",
            "I agree with you that this is a bad idea",
            "Of course you would say that",
            "not a yes yet",
            "I never said anything.",
            "Please confirm.",
            "If the lamp is broken, can you send a new one?",
            "I'll go ahead and add the card myself.",
        ],
    );
}

#[test]
fn unsupported_languages_are_unclear() {
    check(
        Answer::Unclear,
        &[
            "S\u{ED}, por favor",
            "Oui",
            "ja",
            "\u{0434}\u{0430}",
            "\u{662F}\u{7684}\u{FF0C}\u{8BF7}\u{7EE7}\u{7EED}",
            "\u{306F}\u{3044}",
            "Ja, bitte nicht die rote",
            "Yes, aber bitte nicht mit der Karte",
            "yes \u{4F46}\u{8BF7}\u{6539}\u{6210}\u{4E09}\u{5341}",
            "Ok, quiero cancelar el pedido por favor",
        ],
    );
    check(
        Answer::Yes,
        &[
            "Yes, send it to the caf\u{E9} in Z\u{FC}rich",
            "yes, Las Vegas",
        ],
    );
}

#[test]
fn the_deciding_words_are_the_users_own() {
    check_words("Well, YES please!", Ground::Assent, "YES please");
    check_words("Oh, go   ahead.", Ground::Assent, "go   ahead");
    check_words(
        "That\u{2019}s correct, thanks",
        Ground::Assent,
        "That\u{2019}s correct",
    );
    check_words("yes but make it 30", Ground::Change, "but make it");
    check_words(
        "okay, wait, don't run that",
        Ground::Refusal,
        "don't run that",
    );
    check_words("no wait - yes", Ground::Contradiction, "no wait");
    check_words("I guess", Ground::Hedge, "I guess");
    check_words("Not yet.", Ground::Refusal, "Not yet");
    check_words(
        "Please do not go ahead",
        Ground::Refusal,
        "Please do not go ahead",
    );
    check_words("Yes. Hold on!", Ground::Withdrawal, "Hold on");
    check_words("Yes. However, hm.", Ground::Withdrawal, "However");
    check_words("Sure, how much is it", Ground::Question, "how much");
    check_words("Sure, at noon?", Ground::Question, "Sure, at noon");
    check_words("Hello", Ground::NoAnswer, "");
}

#[test]
fn only_an_asking_agent_can_be_answered() {
    let check = |agent: Option<&str>, listed: bool, expected: Ground| {
        let judgement = judge(Lexicon::english(), agent, listed, "yes");
        assert_eq!(judgement.ground, expected, "{agent:?}");
    };
    check(None, false, Ground::NotAsked);
    check(None, true, Ground::NotAsked);
    check(Some("Your order is on its way."), false, Ground::NotAsked);
    check(Some("Your order A12 is on its way."), true, Ground::Assent);
    check(Some("Is that right?"), false, Ground::Assent);
    check(
        Some("Please reply \"yes\" to confirm."),
        false,
        Ground::Assent,
    );
    check(
        Some("Let me know if I should proceed."),
        false,
        Ground::Assent,
    );
    check(
        Some("Done! Is there anything else I can help you with?"),
        false,
        Ground::NotAsked,
    );
    check(Some("How can I help you today?"), false, Ground::NotAsked);
    check(
        Some("Could you please provide your name and zip code?"),
        false,
        Ground::NotAsked,
    );
    check(
        Some("Which card would you like to use?"),
        false,
        Ground::NotAsked,
    );
    check(
        Some("How would you like to proceed?"),
        false,
        Ground::NotAsked,
    );
    check(
        Some("Which card should I use, and shall I proceed?"),
        false,
        Ground::Assent,
    );
    check(
        Some("Shall I proceed, or is there anything else to change?"),
        false,
        Ground::Assent,
    );
}

#[test]
fn long_messages_are_bounded_and_never_a_yes() {
    let padded = format!("Yes, go ahead.{}", " All fine.".repeat(LONGEST));
    assert_eq!(judged(&padded).ground, Ground::TooLong);
    let refused = format!("No.{}", " Never.".repeat(LONGEST));
    assert_eq!(judged(&refused).answer, Answer::No);
    for piece in ["no ", "yes ", "a,", "if ", "\u{1F44D}", "(", "'", "don't "] {
        let _ = judged(&piece.repeat(LONGEST));
    }
    let long_turn = format!("{} Shall I?", "word ".repeat(LONGEST));
    let judgement = judge(Lexicon::english(), Some(&long_turn), false, "yes");
    assert_eq!(judgement.answer, Answer::Yes);
}

#[test]
fn an_empty_lexicon_hears_no_yes() {
    let judgement = judge(&Lexicon::default(), Some(ASKED), true, "yes");
    assert_ne!(judgement.answer, Answer::Yes);
}
