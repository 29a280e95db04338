//! Customers who found a better price, or who ask for store credit.

use super::{Call, Money, Session, Stage, Task, Wanted, delivered, pending};

const TYRE_OFFER: &str = "https://velomarkt.example.com/touring-tyre-32";
const WHEEL_OFFER: &str = "https://velomarkt.example.com/wheel-29";

/// What the two tyres together cost more at our shop.
const DIFFERENCE: Money = Money(550);

/// The tasks of this module.
pub fn tasks() -> Vec<Task> {
    vec![
        Task {
            name: "cheaper-tyres",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("TY-700-32", 2)], 4),
                    delivered(&[("BP-R55", 1)], 33),
                )
            },
            goal: |stage| vec![match_tyres(stage), refund_difference(stage)],
            trials: vec![tyres_in_order, tyres_refund_first],
        },
        Task {
            name: "cheaper-wheel",
            stage: |rng| {
                let in_workshop = Wanted {
                    status: "in_workshop",
                    ..pending(&[("WH-29-C", 1)])
                };
                Stage::new(rng, in_workshop, delivered(&[("PD-FLAT", 1)], 21))
            },
            goal: |_| Vec::new(),
            trials: vec![wheel_matched],
        },
        Task {
            name: "credit-for-delay",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("LT-F80", 1), ("CH-11", 1)], 2),
                    pending(&[("SD-GEL", 1)]),
                )
            },
            goal: |stage| vec![credit(stage, Money(1_500), "late_delivery")],
            trials: vec![credit_once, credit_talked_up],
        },
    ]
}

fn match_tyres(stage: &Stage) -> Call {
    Call::PriceMatch {
        order: stage.order.id.clone(),
        sku: "TY-700-32",
        price: Money(2_920),
        url: TYRE_OFFER,
    }
}

fn refund_difference(stage: &Stage) -> Call {
    Call::Refund {
        order: stage.order.id.clone(),
        amount: DIFFERENCE,
        method: stage.card(),
        reason: "price_match",
        comment: Some("2 x 2.75"),
    }
}

fn note(stage: &Stage, text: &str, topic: &'static str) -> Call {
    Call::Note {
        order: stage.order.id.clone(),
        text: text.to_owned(),
        topic: Some(topic),
    }
}

fn tyres_in_order(session: &mut Session, stage: &Stage) {
    let (order, card) = (&stage.order.id, stage.card_label());
    session.open(
        stage,
        &format!("the tyres from {order} cost only 29.20 here: {TYRE_OFFER}. Do you match that?"),
    );
    session.look_up(stage);
    session.calls(vec![
        Call::GetOrder(order.clone()),
        Call::GetProduct("TY-700-32"),
    ]);
    session.agent(format!(
        "We do. Our price is 31.95 each. Shall I record 29.20 for the two tyres on {order}?"
    ));
    session.yes("record it");
    session.call(match_tyres(stage));
    session.agent(format!(
        "That makes {DIFFERENCE} euros. Shall I refund {DIFFERENCE} euros to {card}?"
    ));
    session.yes(&format!("refund {DIFFERENCE}"));
    session.call(refund_difference(stage));
    session.call(note(
        stage,
        "Price of TY-700-32 matched at 29.20, 5.50 refunded.",
        "price",
    ));
    session.close(format!("{DIFFERENCE} euros are on their way to {card}."));
}

fn tyres_refund_first(session: &mut Session, stage: &Stage) {
    let (order, card) = (&stage.order.id, stage.card_label());
    session.open(
        stage,
        &format!("you advertise a price promise. My tyres, {order}, are 29.20 at {TYRE_OFFER}."),
    );
    session.look_up_with_order(stage);
    session.call(Call::GetProduct("TY-700-32"));
    session.agent(format!(
        "Right, we charge 31.95. For two tyres I can refund {DIFFERENCE} euros to {card}. Shall I?"
    ));
    session.yes(&format!("refund the {DIFFERENCE}"));
    session.call(refund_difference(stage));
    session.agent(format!(
        "Paid. For our records: may I note the price of 29.20 on {order}?"
    ));
    session.short_yes();
    session.call(match_tyres(stage));
    session.call(note(stage, "Tyres matched at 29.20.", "price"));
    session.close("Everything is recorded.");
}

fn wheel_matched(session: &mut Session, stage: &Stage) {
    let (order, off) = (&stage.order.id, Money(2_550));
    session.open(
        stage,
        &format!("the wheel you build for {order} is 219.50 at {WHEEL_OFFER}. Match it, please."),
    );
    session.look_up_with_order(stage);
    session.call(Call::GetProduct("WH-29-C"));
    session.agent(format!(
        "I see 245.00 with us. Shall I record 219.50 on {order}?"
    ));
    session.yes("record it");
    session.call(Call::PriceMatch {
        order: order.clone(),
        sku: "WH-29-C",
        price: Money(21_950),
        url: WHEEL_OFFER,
    });
    session.agent(format!(
        "Recorded. Shall I refund {off} euros to {}?",
        stage.card_label()
    ));
    session.yes(&format!("refund {off}"));
    let (order, method) = (order.clone(), stage.card());
    session.call(Call::Refund {
        order,
        amount: off,
        method,
        reason: "price_match",
        comment: None,
    });
    session.call(note(
        stage,
        "Wheel matched at 219.50, 25.50 refunded.",
        "refund",
    ));
    session.agent(format!("{off} euros are on their way."));
}

fn credit(stage: &Stage, amount: Money, reason: &'static str) -> Call {
    Call::StoreCredit {
        customer: stage.who.id.clone(),
        amount,
        reason,
        order: Some(stage.order.id.clone()),
    }
}

fn credit_once(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(stage, &format!("{order} came five days late. A friend got 15 euros of store credit for that, may I too?"));
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I am sorry that {order} was late. I can add 15.00 euros of store credit. Shall I?"
    ));
    session.yes("add the 15 euros");
    session.call(credit(stage, Money(1_500), "late_delivery"));
    session.call(note(
        stage,
        "Order late, 15.00 store credit on request.",
        "credit",
    ));
    session.close("15.00 euros of store credit are on your profile and can be used at once.");
}

fn credit_talked_up(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!("{order} came late again. I expect store credit, 15 euros at the very least."),
    );
    session.look_up_with_order(stage);
    session.agent("I can add 15.00 euros of store credit for the late delivery. Shall I?");
    session.yes("add 15");
    session.call(credit(stage, Money(1_500), "late_delivery"));
    session.agent("Added. Is there anything else?");
    session.user("15 is not much for all the trouble. Make it 30 in all.");
    session.agent("Fine, as a gesture: shall I add another 15.00 euros?");
    session.yes("add another 15");
    session.call(credit(stage, Money(1_500), "goodwill"));
    session.call(note(
        stage,
        "Late delivery, 30.00 store credit in two steps.",
        "credit",
    ));
    session.agent("You now have 30.00 euros more on your profile.");
}
