//! Customers who care about when and where their parcel arrives.

use super::{Address, Call, Money, Session, Stage, Task, Wanted, delivered, pending};

/// What express costs more than standard.
const SURCHARGE: Money = Money(850);

/// The tasks of this module.
pub fn tasks() -> Vec<Task> {
    vec![
        Task {
            name: "express-upgrade",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("TY-700-32", 2), ("LK-U12", 2)]),
                    delivered(&[("CH-11", 1)], 40),
                )
            },
            goal: |stage| vec![express(stage, "quickhorse")],
            trials: vec![upgrade_after_a_question, upgrade_twice],
        },
        Task {
            name: "heavy-new-address",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("WS-PRO", 2), ("LK-U12", 3)]),
                    delivered(&[("BP-R55", 1)], 75),
                )
            },
            goal: |stage| vec![move_heavy(stage)],
            trials: vec![move_heavy_order],
        },
        Task {
            name: "pickup-at-workshop",
            stage: |rng| {
                let in_workshop = Wanted {
                    status: "in_workshop",
                    ..pending(&[("WH-29-C", 1)])
                };
                Stage::new(rng, in_workshop, delivered(&[("HB-42", 1)], 12))
            },
            goal: |stage| vec![pickup(stage, None)],
            trials: vec![pickup_with_carrier],
        },
        Task {
            name: "late-express",
            stage: |rng| {
                let express = Wanted {
                    speed: "express",
                    ..delivered(&[("CS-11-34", 1), ("CH-11", 1)], 1)
                };
                Stage::new(rng, express, pending(&[("PD-FLAT", 1)]))
            },
            goal: |stage| vec![refund_express(stage, SURCHARGE)],
            trials: vec![
                refund_surcharge,
                refund_surcharge_in_a_hurry,
                refund_whole_delivery,
            ],
        },
    ]
}

fn express(stage: &Stage, carrier: &'static str) -> Call {
    Call::ChangeDelivery {
        order: stage.order.id.clone(),
        speed: "express",
        carrier: Some(carrier),
        address: None,
    }
}

fn upgrade_after_a_question(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!(
            "can you send {order} by express? With quickhorse if possible, they know my door."
        ),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I can change {order} to express with quickhorse. Shall I do that?"
    ));
    session.user("Does that cost extra?");
    session.agent(format!(
        "Yes, express is {SURCHARGE} euros more than standard, charged to {}. Shall I change {order} to express with \
         quickhorse?",
        stage.card_label()
    ));
    session.yes("change it to express with quickhorse");
    session.call(express(stage, "quickhorse"));
    session.close(format!("{order} now travels by express with quickhorse."));
}

fn upgrade_twice(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!("I need {order} faster. Express, please, and with quickhorse."),
    );
    session.look_up_with_order(stage);
    session.agent(format!(
        "Express for {order} costs {SURCHARGE} euros more. Shall I change it?"
    ));
    session.yes("change it to express");
    session.call(express(stage, "bikebox"));
    session.agent(format!("Done, {order} goes by express with bikebox."));
    session.user("I said quickhorse, not bikebox. Can you correct that?");
    session.agent(format!(
        "Of course. Shall I change {order} to express with quickhorse?"
    ));
    session.yes("take quickhorse");
    session.call(express(stage, "quickhorse"));
    session.close(format!("Now it is quickhorse for {order}."));
}

fn move_heavy(stage: &Stage) -> Call {
    let address = Address {
        street: "14 Foundry Yard".to_owned(),
        postcode: "28195".to_owned(),
        city: "Bremen".to_owned(),
    };
    let order = stage.order.id.clone();
    Call::ChangeDelivery {
        order,
        speed: "standard",
        carrier: Some("bikebox"),
        address: Some(address),
    }
}

fn move_heavy_order(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!(
            "the work stands in {order} should go to my workshop, 14 Foundry Yard, 28195 Bremen. With bikebox please, \
             they have a lift on the lorry."
        ),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "{order} is pending. I would send it by standard delivery with bikebox to 14 Foundry Yard, 28195 Bremen. Is that \
         right, shall I change it?"
    ));
    session.yes("send it to 14 Foundry Yard with bikebox");
    session.call(move_heavy(stage));
    session.close("The new address and the carrier are set. It will be with you on Thursday.");
}

fn pickup(stage: &Stage, carrier: Option<&'static str>) -> Call {
    Call::ChangeDelivery {
        order: stage.order.id.clone(),
        speed: "pickup",
        carrier,
        address: None,
    }
}

fn pickup_with_carrier(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!(
            "you are building a wheel for me, {order}. I'd rather fetch it myself when it's done."
        ),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!("The wheel is in the workshop now. Shall I change {order} to pickup at the workshop counter?"));
    session.yes("change it to pickup");
    session.call(pickup(stage, Some("parcelway")));
    session.close(format!(
        "{order} is marked for pickup. We write to you when it is ready."
    ));
}

fn refund_express(stage: &Stage, amount: Money) -> Call {
    let (order, method) = (stage.order.id.clone(), stage.card());
    Call::Refund {
        order,
        amount,
        method,
        reason: "late_express",
        comment: None,
    }
}

fn note(stage: &Stage, text: String) -> Call {
    Call::Note {
        order: stage.order.id.clone(),
        text,
        topic: Some("refund"),
    }
}

fn refund_surcharge(session: &mut Session, stage: &Stage) {
    let (order, card) = (&stage.order.id, stage.card_label());
    session.open(
        stage,
        &format!("I paid for express on {order} and it took a week. I want the surcharge back."),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I'm sorry that it came late. The express surcharge was {SURCHARGE} euros. Shall I refund {SURCHARGE} euros for \
         {order} to {card}?"
    ));
    session.yes(&format!(
        "refund the {SURCHARGE} to {}",
        card.replace("your", "my")
    ));
    session.call(refund_express(stage, SURCHARGE));
    session.call(note(
        stage,
        format!("Express arrived late. Surcharge of {SURCHARGE} refunded."),
    ));
    session.close(format!(
        "{SURCHARGE} euros are on their way. It takes three to five working days."
    ));
}

fn refund_surcharge_in_a_hurry(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!(
            "{order} came late although I paid for express. Please give me the surcharge back."
        ),
    );
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "Sorry about that. Shall I refund the {SURCHARGE} euros to the method that you paid with?"
    ));
    session.short_yes();
    session.call(refund_express(stage, SURCHARGE));
    session.close(format!("I refunded {SURCHARGE} euros for {order}."));
}

fn refund_whole_delivery(session: &mut Session, stage: &Stage) {
    let (order, whole) = (&stage.order.id, stage.order.delivery.cost());
    session.open(
        stage,
        &format!("express on {order} was late. I want back what I paid on top for express."),
    );
    session.look_up_with_order(stage);
    session.agent(format!(
        "Shall I refund the express delivery of {order}, {whole} euros, to {}?",
        stage.card_label()
    ));
    session.short_yes();
    session.call(refund_express(stage, whole));
    session.call(note(
        stage,
        format!("Express arrived late. {whole} refunded."),
    ));
    session.close(format!("{whole} euros are on their way to you."));
}
