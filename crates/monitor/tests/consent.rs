//! Consent from outside: replies to a proposal, details of a proposal, and what holds of every
//! message.

use lictor_contract::value::Value;
use lictor_monitor::consent::{
    Answer, Class, Invitation, Judgement, LONGEST, Languages, Lexicon, Said, invites, judge,
    judge_reply, occurs,
};
use proptest::prelude::*;

const PROPOSAL: &str = "I will refund 40.00 EUR for order A12 to the card ending 1111. \
                        Shall I go ahead (yes/no)?";

fn reply(languages: &Languages, user: &str) -> Judgement {
    judge_reply(languages, Invitation::Question, user)
}

/// Replies to one proposal, as a reader would class them.
#[test]
fn replies_to_a_proposal() {
    let replies = [
        ("yes", Class::Yes),
        ("Yes.", Class::Yes),
        ("yes please, go ahead", Class::Yes),
        ("I confirm", Class::Yes),
        ("ok do it", Class::Yes),
        ("no", Class::No),
        ("no, don't", Class::No),
        ("yes but make it 30", Class::No),
        ("okay, wait, don't run that", Class::No),
        ("sure, but what does that cost me?", Class::Unclear),
        ("no problem, go ahead", Class::Yes),
        ("no wait - yes", Class::Unclear),
        ("yesterday", Class::Unclear),
        ("yes or no? I don't know", Class::Unclear),
        ("permission granted", Class::Yes),
        ("I guess", Class::Unclear),
        ("not yet", Class::No),
        ("don't you dare say no; yes", Class::Unclear),
        ("thanks", Class::Unclear),
        ("YES", Class::Yes),
        ("y", Class::Unclear),
        ("Can you cancel my other order too?", Class::Unclear),
    ];
    let english = Languages::default();
    let invitation = invites(&english, [PROPOSAL], []);
    assert_eq!(invitation, Invitation::Question);
    for (user, class) in replies {
        let judgement = judge_reply(&english, invitation, user);
        assert_eq!(judgement.class(), class, "{user}: {judgement:?}");
        // Only a yes is consent; what is unclear is never a refusal on the record.
        assert_eq!(
            judgement.answer == Answer::Yes,
            class == Class::Yes,
            "{user}"
        );
        // One language, asked the short way, answers the same.
        let short = judge(Lexicon::english(), Some(PROPOSAL), false, user);
        assert_eq!(short, judgement, "{user}");
    }
}

/// What a proposal named, and so what a yes to it was given for.
#[test]
fn a_yes_is_for_what_was_named() {
    let proposal =
        "I will refund 40.00 EUR for order A12 to card 1111. Is that all right (yes/no)?";
    let english = Languages::default();
    let said = Said::new(&english, [proposal, "yes"]);
    let named = |order: &str, amount: &str, method: &str| {
        let amount = Value::from_json(amount).unwrap();
        let amount = match &amount {
            Value::Text(text) => text.clone(),
            other => other.to_string(),
        };
        [order, amount.as_str(), method]
            .iter()
            .all(|value| said.names(value))
    };
    assert!(named("A12", "40", "card-1111"));
    assert!(named("A12", "\"40.00\"", "card-1111"));
    assert!(!named("A12", "400", "card-1111"));
    assert!(!named("A12", "30", "card-1111"));
    assert!(!named("A13", "40", "card-1111"));
    assert!(!named("A12", "40", "card-9999"));
    // The agent's own yes is no message of the user, and before the question nothing was asked.
    assert_eq!(invites(&english, [], []), Invitation::Nothing);
    assert_eq!(reply(&english, "yes").answer, Answer::Yes);
    let unasked = judge_reply(&english, Invitation::Nothing, "yes");
    assert_eq!(
        (unasked.answer, unasked.class()),
        (Answer::No, Class::Unclear)
    );
    assert!(occurs("card-1111", proposal));
}

/// A card is named by what its record says of it.
#[test]
fn an_id_is_named_through_its_record() {
    let user = Value::from_json(
        r#"{"payment_methods": {
            "credit_card_7615": {"source": "credit_card", "brand": "visa", "last_four": "7615"},
            "gift_card_22": {"source": "gift_card", "balance": 40},
            "paypal_3": {"source": "paypal"}}}"#,
    )
    .unwrap();
    let check = |id: &str, text: &str, expected: bool| {
        let said = Said::new(&Languages::default(), [text]);
        assert_eq!(said.names_record(id, [&user]), expected, "{id} in {text}");
    };
    check("credit_card_7615", "to your Visa ending in 7615", true);
    check("credit_card_7615", "to the card ending in 7615", true);
    check("credit_card_7615", "to your VISA", true);
    check("credit_card_7615", "to credit card 7615", true);
    check("credit_card_7615", "a total of $7,615.00", false);
    check("credit_card_7615", "to the card ending in 17615", false);
    check("credit_card_7615", "to your gift card", false);
    check("gift_card_22", "to your gift card", true);
    check("paypal_3", "back to PayPal", true);
    check("paypal_3", "back to your card", false);
    check("unknown_1", "back to PayPal", false);
}

#[test]
fn details_make_an_invitation() {
    let order = Value::from_json(
        r##"{"order_id": "#W12", "total": 1234.5, "ships": "2024-05-20", "status": "pending",
            "lines": [{"quantity": 3, "gift": true, "note": null}]}"##,
    )
    .unwrap();
    let english = Languages::default();
    let check = |said: &[&str], expected: Invitation| {
        let invitation = invites(&english, said.iter().copied(), [&order]);
        assert_eq!(invitation, expected, "{said:?}");
    };
    check(&["I will cancel W12 now."], Invitation::Detail);
    check(
        &["The total of $1,234.50 goes to your card."],
        Invitation::Detail,
    );
    check(&["It ships on May 20th."], Invitation::Detail);
    check(
        &["I will do that for 3 pending lines."],
        Invitation::Nothing,
    );
    check(&["I will cancel W13 now."], Invitation::Nothing);
    check(&[], Invitation::Nothing);
    // Whatever was said since the user last spoke is answered together.
    check(&["Shall I cancel it?", "One moment."], Invitation::Question);
    check(&["Order W12 is cancelled.", "Done."], Invitation::Detail);
    check(&["Please reply yes to proceed."], Invitation::Request);
    check(&["Let me know if that works for you."], Invitation::Request);
    // A yes to these answers something else, whatever they name.
    check(
        &["Order W12 is cancelled. Anything else I can do?"],
        Invitation::Nothing,
    );
    check(
        &["For order W12, could you tell me your zip code?"],
        Invitation::Nothing,
    );
    // How to go on is left open, so that a yes goes with what was named.
    check(
        &["I can cancel W12. How would you like to proceed?"],
        Invitation::Detail,
    );
    check(
        &["If you'd like, I can cancel it. Let me know how you'd like to proceed."],
        Invitation::Request,
    );
    check(
        &["If you'd like, I can look you up. What is your name?"],
        Invitation::Nothing,
    );
    // In a language that is not read a question mark is all that can be told.
    check(&["Soll ich das tun?"], Invitation::Question);
    check(&["Bitte antworten Sie mit Ja."], Invitation::Unreadable);
    let unread = judge_reply(&english, Invitation::Unreadable, "yes");
    assert_eq!(unread.answer, Answer::Unclear);
}

#[test]
fn dates_and_numbers_are_spelt_as_the_language_has_it() {
    let check = |name: &str, value: &str, text: &str, expected: bool| {
        let languages = Languages::named([name]).unwrap();
        let said = Said::new(&languages, [text]);
        assert_eq!(said.names(value), expected, "{name}: {value} in {text}");
    };
    for (name, text) in [
        ("en", "on May 20th, 2024"),
        ("de", "am 20. Mai 2024"),
        ("de", "am 20.05.2024"),
        ("fr", "le 20 mai 2024"),
        ("es", "el 20 de mayo de 2024"),
        ("pt", "em 20 de maio de 2024"),
        ("pt", "em 20/05/2024"),
        ("it", "il 20 maggio 2024"),
        ("nl", "op 20 mei 2024"),
    ] {
        check(name, "2024-05-20", text, true);
        check(name, "2024-05-21", text, false);
        check(name, "2023-05-20", text, false);
    }
    check("fr", "2024-02-01", "le 1er f\u{E9}vrier", true);
    check("fr", "2024-02-01", "le 1er fevrier", true);
    check("de", "2024-03-03", "am 3. M\u{E4}rz", true);
    check("de", "2024-03-03", "am 3. Maerz", true);
    check("en", "2024-05-20", "am 20. Mai 2024", false);
    check("pt", "2024-03-01", "em 1\u{BA} de mar\u{E7}o", true);
    check("de", "2024-06-05", "am 05.06.2024", true);
    check("en", "2024-06-05", "on 05/06/2024", false);

    check("de", "1234.5", "1.234,50 \u{20AC}", true);
    check("de", "1234.5", "1'234.50 CHF", true);
    check("fr", "1234.5", "1\u{202F}234,50 \u{20AC}", true);
    check("fr", "1234.5", "1 234,50 EUR", true);
    check("fr", "12", "12 345 EUR", true);
    check("fr", "12345", "12 345 EUR", true);
    check("es", "1234567", "1.234.567", true);
    check("it", "40", "40,00 EUR", true);
    check("it", "40", "40.00 EUR", true);
    check("nl", "1.5", "1,5 kg", true);
    check("en", "1234.5", "1.234,50", true);
    check("en", "1.5", "1,500", false);
    check("en", "1500", "1,500", true);
    check("de", "1500", "1.500", true);
    check("de", "1.5", "1.500", false);
    check("en", "40 EUR", "\u{20AC}40.00", true);
    check("en", "40.00 EUR", "40 EUR", true);
    check("en", "USD 1,250.00", "$1250", true);
    check("en", "40 EUR", "$40", false);
    check("en", "41 EUR", "40 EUR", false);
}

#[test]
fn a_session_may_read_several_languages() {
    let two = Languages::named(["en", "de"]).unwrap();
    let check = |languages: &Languages, user: &str, expected: Answer| {
        let judgement = reply(languages, user);
        assert_eq!(judgement.answer, expected, "{user}: {judgement:?}");
    };
    for (user, expected) in [
        ("Yes, go ahead.", Answer::Yes),
        ("Ja, machen Sie das.", Answer::Yes),
        ("OK", Answer::Yes),
        ("Ja, go ahead", Answer::Yes),
        ("Yes, aber nur die H\u{E4}lfte", Answer::No),
        ("Yes. Nein, doch nicht.", Answer::No),
        (
            "Yes, go ahead. Moment, wie viel kostet das?",
            Answer::Unclear,
        ),
        ("S\u{ED}, adelante", Answer::Unclear),
        ("\u{434}\u{430}", Answer::Unclear),
    ] {
        check(&two, user, expected);
    }
    // What a selected language does not say, no other is asked for.
    let english = Languages::default();
    check(&english, "Ja, machen Sie das.", Answer::Unclear);
    check(
        &english,
        "Yes, go ahead. Aber bitte nicht heute.",
        Answer::Unclear,
    );
    check(&english, "Yes, go ahead. Merci bien!", Answer::Yes);
    check(
        &Languages::named(["pt"]).unwrap(),
        "no cart\u{E3}o",
        Answer::No,
    );
    check(&Languages::named(["es"]).unwrap(), "si", Answer::Yes);
    check(&Languages::named(["fr"]).unwrap(), "si", Answer::Unclear);
    let all = Languages::named(Lexicon::supported().iter().copied()).unwrap();
    for yes in [
        "yes",
        "ja",
        "oui",
        "s\u{ED}",
        "sim",
        "s\u{EC}",
        "Ja, ga maar door",
    ] {
        check(&all, yes, Answer::Yes);
    }
    for no in [
        "no",
        "nein",
        "non",
        "n\u{E3}o",
        "nee",
        "Yes, but make it 30",
    ] {
        check(&all, no, Answer::No);
    }
}

#[test]
fn deciding_words_fit_on_a_line() {
    let english = Languages::default();
    let long = format!("Sure, {}?", "at noon or maybe later ".repeat(40));
    let judgement = reply(&english, &long);
    assert_eq!(judgement.answer, Answer::Unclear);
    assert!(judgement.words.chars().count() <= 81, "{}", judgement.words);
    let unread = reply(
        &english,
        "Yes, please go ahead with it.\nAber\nbitte nicht.",
    );
    assert_eq!(unread.words, "Aber");
}

const SENTENCES: &[&str] = &[
    "Yes.",
    "Yes?",
    "No.",
    "OK",
    "Sure, go ahead.",
    "I guess.",
    "But make it 30.",
    "Wait.",
    "However, I have a doubt.",
    "What does it cost?",
    "Thanks!",
    "Order A12, please.",
    "Yes, but only the first",
    "I don't need insurance.",
    "No problem.",
    "Actually, yes.",
    "Change of plans.",
    "if it is free",
    "Don't do that;",
    "please",
    "Let me think.",
    "Perfect",
    "I agree to the refund.",
    "Ja, bitte.",
    "S\u{ED}, adelante.",
    "yes or no",
    "\u{1F44D}",
    "...",
    "- refund: 40 EUR",
    "Oui.",
    "Before you go ahead, tell me the price.",
    "1. yes",
    "not yet",
];

const REFUSALS: &[&str] = &[
    "No.",
    "Don't do it.",
    "No, stop!",
    "I do not agree.",
    "Never mind.",
    "Please don't.",
];

fn message() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(SENTENCES), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_refusal_more_is_never_a_yes_more(
        mut sentences in message(),
        refusal in prop::sample::select(REFUSALS),
        place in any::<prop::sample::Index>(),
    ) {
        let english = Languages::default();
        let before = reply(&english, &sentences.join("\n"));
        sentences.insert(place.index(sentences.len() + 1), refusal);
        let after = reply(&english, &sentences.join("\n"));
        prop_assert!(after.answer != Answer::Yes, "{:?} then {:?} by {}", before, after, sentences.join("\n"));
    }

    #[test]
    fn case_and_decoration_do_not_matter(sentences in message()) {
        let english = Languages::default();
        let text = sentences.join("\n");
        let plain = reply(&english, &text).ground;
        for same in [
            text.to_uppercase(),
            text.to_lowercase(),
            format!("\u{201C}{text}\u{201D}"),
            format!("  **{text}** \n"),
            text.replace('\'', "\u{2019}"),
            text.replace(' ', "  "),
            text.replace('\n', " \n\n"),
            text.replace('.', "!"),
        ] {
            // Dots in a row and list numbers are marks of their own.
            if !(text.contains("...") || text.contains("1.")) || !same.contains('!') {
                prop_assert_eq!(reply(&english, &same).ground, plain, "{}", same);
            }
        }
    }

    #[test]
    fn every_text_has_a_judgement(user in any::<String>(), agent in any::<String>(), value in any::<String>()) {
        let all = Languages::named(Lexicon::supported().iter().copied()).unwrap();
        let details = [Value::text(value.as_str())];
        let invitation = invites(&all, [agent.as_str(), "Shall I?"], &details);
        prop_assert_eq!(invitation, Invitation::Question);
        let _ = invites(&all, [agent.as_str()], &details);
        let judgement = reply(&all, &user);
        prop_assert_eq!(judgement.answer, judgement.ground.answer());
        let said = Said::new(&all, [agent.as_str(), user.as_str()]);
        let _ = said.names(&value);
        let _ = said.names_record(&value, &details);
        // A word that stands by itself is named.
        if value.chars().all(char::is_alphabetic) && !value.is_empty() {
            let text = format!("it is {} indeed", value);
            prop_assert!(occurs(&value, &text));
        }
    }

    #[test]
    fn mixed_words_have_a_judgement(words in prop::collection::vec("[a-zA-Z\u{E9}\u{ED}\u{FC}'0-9]{1,8}|[ ,.?!:;()\u{2014}-]", 0..80)) {
        let text = words.join(" ");
        for name in Lexicon::supported() {
            let languages = Languages::named([*name]).unwrap();
            let judgement = reply(&languages, &text);
            let cut = judgement.words.trim_end_matches('\u{2026}');
            let spaced: Vec<&str> = text.split_whitespace().collect();
            prop_assert!(spaced.join(" ").contains(cut), "{} in {}", cut, text);
        }
    }
}

/// Far longer than is read: bounded, and never a yes.
#[test]
fn very_long_messages_are_bounded() {
    let all = Languages::named(Lexicon::supported().iter().copied()).unwrap();
    for piece in [
        "yes ",
        "si ",
        "no, ",
        "a",
        "\u{1F44D}",
        "(",
        "l'",
        "\u{301}",
        "1 000 ",
        "ja. ",
    ] {
        let text = piece.repeat(LONGEST * 2 / piece.chars().count());
        assert_ne!(reply(&all, &text).answer, Answer::Yes, "{piece}");
        let _ = Said::new(&all, [text.as_str()]).names("1000");
        let _ = invites(&all, [text.as_str(); 3], []);
    }
}
