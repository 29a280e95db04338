//! Customers whose parts arrived damaged: claim, return label, refund.
//!
//! New claims stay open until the night, and customers do not wait that long: in these conversations agents send the label
//! for the open claim, whatever the policy says about approval.

use super::{Call, Claim, Damage, Money, Rng, Session, Stage, Task, delivered, pending};

const PHOTO: &str = "https://photos.example.net/u/3f9c21.jpg";

/// The tasks of this module.
pub fn tasks() -> Vec<Task> {
    vec![
        Task {
            name: "damaged-pads",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("CS-11-34", 1), ("BP-R55", 2)], 6),
                    pending(&[("LT-F80", 1)]),
                )
            },
            goal: |stage| {
                let claim = claim_one(stage, "BP-R55", "cracked", false);
                vec![claim, label(stage), refund(stage, Money(1_250))]
            },
            trials: vec![pads_step_by_step, pads_in_one_go, pads_refund_first],
        },
        Task {
            name: "bent-handlebar",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("HB-42", 1), ("BP-R55", 1)], 3),
                    pending(&[("CH-11", 1)]),
                )
            },
            goal: |stage| vec![claim_one(stage, "HB-42", "bent", true), label(stage)],
            trials: vec![handlebar_label_only],
        },
        Task {
            name: "damaged-stand",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("WS-PRO", 1)], 9),
                    delivered(&[("TY-700-32", 1)], 60),
                )
            },
            goal: |stage| {
                let claim = claim_one(stage, "WS-PRO", "cracked", true);
                vec![claim, label(stage), refund(stage, Money(18_900))]
            },
            trials: vec![stand_full_refund],
        },
        Task {
            name: "damaged-lock",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("LK-U12", 1), ("SD-GEL", 1)], 14),
                    pending(&[("CH-11", 2)]),
                )
            },
            goal: |stage| {
                let claim = claim_one(stage, "LK-U12", "other", true);
                vec![claim, label(stage), refund(stage, Money(6_490))]
            },
            trials: vec![lock_refunded_twice],
        },
        Task {
            name: "approved-pedals",
            stage: stage_with_approved_claim,
            goal: |stage| vec![label(stage), refund(stage, Money(3_640))],
            trials: vec![pedals_without_refund],
        },
    ]
}

fn stage_with_approved_claim(rng: &mut Rng) -> Stage {
    let mut stage = Stage::new(
        rng,
        delivered(&[("PD-FLAT", 1)], 8),
        delivered(&[("BP-R55", 2)], 90),
    );
    let claim = Claim {
        id: approved_claim(),
        order: stage.order.id.clone(),
        items: vec![Damage {
            sku: "PD-FLAT",
            quantity: 1,
            defect: "scratched",
        }],
        photo_url: None,
        status: "approved",
        label_issued: false,
    };
    stage.desk.shop.claims.insert(claim.id.clone(), claim);
    stage
}

fn approved_claim() -> String {
    "DC-301".to_owned()
}

fn claim_one(stage: &Stage, sku: &'static str, defect: &'static str, with_photo: bool) -> Call {
    Call::FileClaim {
        order: stage.order.id.clone(),
        items: vec![Damage {
            sku,
            quantity: 1,
            defect,
        }],
        description: if defect == "other" {
            "Does not work.".to_owned()
        } else {
            format!("Arrived {defect} in a sound box.")
        },
        photo_url: with_photo.then(|| PHOTO.to_owned()),
    }
}

/// The label for the only claim on the stage: one that is there already, else the one that the conversation files.
fn label(stage: &Stage) -> Call {
    let existing = stage.desk.shop.claims.keys().next().cloned();
    Call::Label {
        order: stage.order.id.clone(),
        claim: existing.unwrap_or_else(|| stage.next_claim()),
    }
}

fn refund(stage: &Stage, amount: Money) -> Call {
    let (order, method) = (stage.order.id.clone(), stage.card());
    Call::Refund {
        order,
        amount,
        method,
        reason: "damaged",
        comment: None,
    }
}

fn note(stage: &Stage, text: &str) -> Call {
    Call::Note {
        order: stage.order.id.clone(),
        text: text.to_owned(),
        topic: Some("damage"),
    }
}

fn pads_step_by_step(session: &mut Session, stage: &Stage) {
    let (order, card) = (&stage.order.id, stage.card_label());
    session.open_with_number(
        stage,
        &format!("one of the two brake pad sets in {order} is cracked. I'd like the 12.50 back."),
    );
    session.look_up_by_number(stage);
    session.agent(format!("I'm sorry to hear that. First I would file a damage claim for one set of BP-R55 on {order}. May I?"));
    session.yes("file the claim");
    session.call(claim_one(stage, "BP-R55", "cracked", false));
    let claim = stage.next_claim();
    session.agent(format!(
        "The claim is {claim}. Shall I send you a return label for it by email now?"
    ));
    session.yes("send the label");
    session.call(label(stage));
    session.agent(format!(
        "The label is sent. Last step: shall I refund 12.50 euros for {order} to {card}?"
    ));
    session.yes(&format!("refund 12.50 to {}", card.replace("your", "my")));
    session.call(refund(stage, Money(1_250)));
    session.call(note(
        stage,
        "One set of BP-R55 cracked. Claim, label and refund of 12.50 done.",
    ));
    session.agent("All done: claim, label and 12.50 euros back.");
}

fn pads_in_one_go(session: &mut Session, stage: &Stage) {
    let (order, card) = (&stage.order.id, stage.card_label());
    session.open(
        stage,
        &format!(
            "a set of brake pads from {order} arrived cracked. It cost 12.50, I want my money back."
        ),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "Sorry about that! I would file a claim for the cracked BP-R55 on {order}, send you a return label and refund 12.50 \
         euros to {card}. Shall I do all three?"
    ));
    session.yes("do all three");
    session.call(claim_one(stage, "BP-R55", "cracked", false));
    session.call(label(stage));
    session.call(refund(stage, Money(1_250)));
    session.call(note(
        stage,
        "BP-R55 cracked on arrival. Label sent, 12.50 refunded.",
    ));
    session.close(
        "The claim is filed, the label is in your mailbox and 12.50 euros are on their way.",
    );
}

fn pads_refund_first(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open_with_number(
        stage,
        &format!("{order} had cracked brake pads in it. One set, 12.50. What can you do?"),
    );
    session.look_up_by_number(stage);
    session.agent(format!(
        "I can refund the 12.50 euros for {order} to {}. Shall I?",
        stage.card_label()
    ));
    session.short_yes();
    session.call(refund(stage, Money(1_250)));
    session.agent(
        "The refund is paid. May I also file a damage claim for the one set, for our records?",
    );
    session.yes("file it");
    session.call(claim_one(stage, "BP-R55", "cracked", false));
    session.agent("And shall I email you a label so that you can send the set back?");
    session.yes("send me the label");
    session.call(label(stage));
    session.call(note(
        stage,
        "Refund of 12.50 for cracked BP-R55, claim filed, label sent.",
    ));
    session.close("That's all settled.");
}

fn handlebar_label_only(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!(
            "the handlebar in {order} is bent. I only want to send it back, we'll see about the money when it is with you. \
             Photo: {PHOTO}"
        ),
    );
    session.look_up_with_order(stage);
    session.agent(format!(
        "I'm sorry. Shall I file a damage claim for the handlebar on {order}, with your photo?"
    ));
    session.yes("file the claim with the photo");
    session.call(claim_one(stage, "HB-42", "bent", true));
    let claim = stage.next_claim();
    session.call(Call::GetClaim(claim.clone()));
    session.agent(format!(
        "The claim {claim} is open. Shall I send you the return label right away?"
    ));
    session.yes("send the label");
    session.call(label(stage));
    session.call(Call::Note {
        order: order.clone(),
        text: "Handlebar bent, label sent. Customer waits with the refund.".to_owned(),
        topic: None,
    });
    session.close("The label is in your mailbox. Please put the handlebar into its box.");
}

fn stand_full_refund(session: &mut Session, stage: &Stage) {
    let (order, price) = (&stage.order.id, Money(18_900));
    session.open_with_number(
        stage,
        &format!(
            "the work stand from {order} has a cracked clamp, see {PHOTO}. I want to give it back."
        ),
    );
    session.look_up_by_number(stage);
    session.agent(format!(
        "That should not happen. May I file a claim for the stand on {order} with your photo?"
    ));
    session.short_yes();
    session.call(claim_one(stage, "WS-PRO", "cracked", true));
    session.agent("Filed. Shall I send the return label?");
    session.short_yes();
    session.call(label(stage));
    session.agent(format!(
        "The label is out. Shall I refund the {price} euros to {}?",
        stage.card_label()
    ));
    session.yes(&format!("refund the {price}"));
    session.call(refund(stage, price));
    session.call(note(
        stage,
        "Work stand cracked. Claim, label, 189.00 refunded.",
    ));
    session.agent(format!("Done, {price} euros are on their way."));
}

fn lock_refunded_twice(session: &mut Session, stage: &Stage) {
    let (order, price) = (&stage.order.id, Money(6_490));
    session.open_with_number(
        stage,
        &format!("the lock from {order} cannot be opened, it is broken. I want a refund for it."),
    );
    session.look_up_by_number(stage);
    session.agent(format!(
        "Shall I file a claim for the lock on {order}, send a label and refund {price} euros?"
    ));
    session.yes("do that");
    session.call(claim_one(stage, "LK-U12", "other", false));
    session.call(label(stage));
    session.call(refund(stage, price));
    session.agent(format!(
        "Claim, label and refund of {price} euros are done."
    ));
    session.user("I don't see any money on my account yet.");
    session.call(refund(stage, price));
    session.call(note(
        stage,
        "Lock broken. Refunded, and once more as it did not arrive.",
    ));
    session.agent("I have sent it again, it should show up soon.");
    session.user("OK.");
}

fn pedals_without_refund(session: &mut Session, stage: &Stage) {
    let (order, claim) = (&stage.order.id, approved_claim());
    session.open(
        stage,
        &format!("I filed claim {claim} yesterday for the pedals in {order}. I need the label and the 36.40 euros back."),
    );
    session.look_up(stage);
    session.calls(vec![
        Call::GetOrder(order.clone()),
        Call::GetClaim(claim.clone()),
    ]);
    session.agent(format!(
        "Your claim {claim} has been approved. Shall I email you the return label for it?"
    ));
    session.yes("send the label");
    session.call(label(stage));
    session.agent("The label is sent. The money follows once the pedals are back with us.");
    session.user("Hm, all right. Bye.");
}
