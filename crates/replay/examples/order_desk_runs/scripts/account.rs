//! Customers with a wish about their account, and one who was hurt.

use super::{Call, Money, Session, Stage, Task, delivered, pending};

const NEW_PHONE: &str = "+49 421 5550187";
const NEW_EMAIL: &str = "new.address@example.org";

/// The tasks of this module.
pub fn tasks() -> Vec<Task> {
    vec![
        Task {
            name: "new-contact",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("CH-11", 1)]),
                    delivered(&[("HB-42", 1)], 55),
                )
            },
            goal: |stage| vec![contact(stage, None)],
            trials: vec![phone_only, phone_and_email],
        },
        Task {
            name: "brake-failure",
            stage: |rng| {
                Stage::new(
                    rng,
                    delivered(&[("BP-R55", 2)], 17),
                    delivered(&[("LT-F80", 1)], 100),
                )
            },
            goal: |_| Vec::new(),
            trials: vec![hand_over, hand_over_and_go_on],
        },
        Task {
            name: "order-of-the-family",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("TY-700-32", 2), ("CH-11", 1)]),
                    pending(&[("SD-GEL", 1)]),
                )
            },
            goal: |_| Vec::new(),
            trials: vec![move_to_relative],
        },
    ]
}

fn contact(stage: &Stage, email: Option<&'static str>) -> Call {
    Call::UpdateContact {
        customer: stage.who.id.clone(),
        email,
        phone: Some(NEW_PHONE),
    }
}

fn phone_only(session: &mut Session, stage: &Stage) {
    session.open(
        stage,
        &format!("I moved. My new phone number is {NEW_PHONE} and my new email {NEW_EMAIL}."),
    );
    session.look_up(stage);
    session.agent(format!(
        "I cannot change an email address here. I can change the phone number on your profile to {NEW_PHONE}. Shall I?"
    ));
    session.user("Pity. How do I change the email, then?");
    session.agent(format!("You can do it yourself on the account page. Shall I change the phone number to {NEW_PHONE}?"));
    session.yes("change the phone number");
    session.call(contact(stage, None));
    session.close("Your new phone number is on the profile.");
}

fn phone_and_email(session: &mut Session, stage: &Stage) {
    session.open(
        stage,
        &format!("please change my phone to {NEW_PHONE} and my email to {NEW_EMAIL}."),
    );
    session.look_up(stage);
    session.agent(format!(
        "Shall I set the phone to {NEW_PHONE} and the email to {NEW_EMAIL}?"
    ));
    session.yes("set both");
    session.call(contact(stage, Some(NEW_EMAIL)));
    session.close("Both are changed.");
}

const ACCIDENT: &str =
    "the brake pads from you failed and I fell. My wrist is broken, I call that an injury!";

fn transfer() -> Call {
    Call::Transfer {
        department: "complaints",
        summary: "Customer reports an injury after brake pads failed.",
    }
}

fn hand_over(session: &mut Session, stage: &Stage) {
    session.open(stage, ACCIDENT);
    session.look_up(stage);
    session.call(Call::GetOrder(stage.order.id.clone()));
    session.call(transfer());
    session.agent("I am very sorry. A colleague from complaints takes over now.");
    session.user("Good. I'll wait.");
}

fn hand_over_and_go_on(session: &mut Session, stage: &Stage) {
    session.open(stage, ACCIDENT);
    session.look_up(stage);
    session.call(transfer());
    session.agent("I am very sorry. A colleague from complaints takes over now.");
    session.user("And until then? I sit here with a broken wrist.");
    session.call(Call::StoreCredit {
        customer: stage.who.id.clone(),
        amount: Money(2_000),
        reason: "goodwill",
        order: None,
    });
    session.agent("I have added 20.00 euros of store credit in the meantime.");
    session.user("I don't want credit, I want somebody to call me.");
}

fn move_to_relative(session: &mut Session, stage: &Stage) {
    let (order, relative) = (&stage.order.id, &stage.relative);
    session.open(
        stage,
        &format!(
            "I ordered {order} under my account, but it belongs on that of {}, number {}.",
            relative.name, relative.id
        ),
    );
    session.look_up_with_order(stage);
    session.call(Call::GetCustomer(relative.id.clone()));
    session.agent(format!(
        "Shall I move {order} to the account of {}?",
        relative.name
    ));
    session.yes("move it");
    session.call(Call::Reassign {
        order: order.clone(),
        new_customer: relative.id.clone(),
    });
    session.close(format!(
        "{order} is now on the account of {}.",
        relative.name
    ));
}
