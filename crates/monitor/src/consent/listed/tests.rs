//! What names what, as tables.

use super::*;

fn check(value: &str, text: &str, expected: bool) {
    assert_eq!(occurs(value, text), expected, "{value:?} in {text:?}");
}

#[test]
fn ids_and_words_occur_as_whole_tokens() {
    check("A12", "refund order A12 to", true);
    check("A12", "refund order #a-12.", true);
    check("A12", "refund order A123", false);
    check("A12", "refund order BA12", false);
    check("#W2378156", "order W2378156", true);
    check("W2378156", "**#W2378156**", true);
    check("card-1111", "to card 1111. Is", true);
    check("card-9999", "to card 1111. Is", false);
    check("gift_card", "to the gift card", true);
    check("gift_card", "a gift. Card follows", false);
    check("credit_card_7815166", "credit\\_card\\_7815166", true);
    check("no longer needed", "reason: \"No longer needed\"", true);
    check("ana@mail.example", "write to ana@mail.example.", true);
    check("ana@mail.example", "write to juliana@mail.example", false);
    check("ana@mail.example", "write to j.ana@mail.example", false);
    check("mail.example", "write to ana@mail.example", false);
    check("O'Neil", "Sarah O\u{2019}Neil", true);
    check("Sarah", "Sarah's order", true);
    check("aab", "aaab aab", true);
    check("", "anything", false);
    check("  ", "any thing", false);
    check("-", "a - b", false);
    check("A12", "", false);
    check("caf\u{E9}", "the CAF\u{C9}", true);
}

#[test]
fn numbers_compare_by_value() {
    check("12.5", "that is $12.50", true);
    check("1250", "that is 1,250", true);
    check("1,250.00", "that is 1250 EUR", true);
    check("40", "40.00 EUR", true);
    check("40", "40EUR.", true);
    check("40", "for 400", false);
    check("40", "for 40.5", false);
    check("400", "for 40", false);
    check("12", "order W12", false);
    check("12", "item #12", true);
    check("1111", "card-1111", true);
    check("1111", "card_1111", true);
    check("30", "10:30", false);
    check("20", "2024-05-20", false);
    check("5", "3-5 days", false);
    check("-5", "a change of -$5.00", true);
    check("5", "a change of -$5.00", false);
    check("0", "a fee of $0.00", true);
    check("007", "agent 7", false);
    check("007", "agent 007", true);
    check("25", "items 1,25,3", true);
    check("2", "version 1.2.3", false);
    check("250", "1,250", false);
    check("10", "10% off", true);
}

#[test]
fn dates_compare_by_day() {
    for text in [
        "on 2024-05-20",
        "on May 20",
        "on May 20th, 2024.",
        "on MAY 20 2024",
        "on 20 May 2024",
        "on the 20th of May",
        "on the 20th of May, 2024",
        "on 05/20/2024",
        "on 5/20/24",
        "on 5/20",
        "on 20/05/2024",
        "on 2024/05/20",
        "on **May 20**, at noon",
        "May 20, 2 bags",
    ] {
        check("2024-05-20", text, true);
    }
    for text in [
        "on 2024-05-21",
        "on May 21",
        "on May 2",
        "on May 20th, 2023",
        "on June 20",
        "maybe 20",
        "on 05/20/2023",
        "May 20.50",
        "5-20",
        "",
    ] {
        check("2024-05-20", text, false);
    }
    check("2024-09-03", "Sept. 3rd", true);
    check("2024-09-03", "9/3/2024", true);
    check("2024-09-03", "3/9/2024", false);
    check("2024-13-03", "May 3", false);
}

#[test]
fn long_texts_take_linear_time() {
    let text = "a ".repeat(200_000);
    let value = format!("{}b", "a ".repeat(50_000));
    check(&value, &text, false);
    check("2024-05-20", &"5/".repeat(200_000), false);
    check("7", &"1,".repeat(200_000), false);
}
