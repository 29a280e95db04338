//! Customers who want to cancel an order.

use super::{Call, Session, Stage, Task, Wanted, pending};

/// The tasks of this module.
pub fn tasks() -> Vec<Task> {
    vec![
        Task {
            name: "cancel-pending",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("BP-R55", 2), ("CH-11", 1)]),
                    pending(&[("TY-700-32", 2)]),
                )
            },
            goal: |stage| vec![cancel(&stage.order.id, "changed_mind")],
            trials: vec![cancel_with_care, cancel_without_asking],
        },
        Task {
            name: "cancel-two",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("PD-FLAT", 1)]),
                    pending(&[("PD-FLAT", 1), ("HB-42", 1)]),
                )
            },
            goal: |stage| {
                vec![
                    cancel(&stage.order.id, "ordered_by_mistake"),
                    cancel(&stage.second.id, "ordered_by_mistake"),
                ]
            },
            trials: vec![cancel_two_one_by_one, cancel_two_at_once],
        },
        Task {
            name: "cancel-packed",
            stage: |rng| {
                let packed = Wanted {
                    status: "packed",
                    ..pending(&[("SD-GEL", 1)])
                };
                Stage::new(rng, packed, pending(&[("LT-F80", 1)]))
            },
            goal: |_| Vec::new(),
            trials: vec![decline_packed, cancel_packed],
        },
        Task {
            name: "cancel-short-number",
            stage: |rng| {
                let mut stage = Stage::new(
                    rng,
                    pending(&[("CS-11-34", 1)]),
                    pending(&[("CS-11-34", 1), ("CH-11", 1)]),
                );
                stage.desk.busy = 1;
                stage
            },
            goal: |stage| vec![cancel(&stage.order.id, "wrong_part")],
            trials: vec![cancel_after_retries, cancel_the_other_order],
        },
        Task {
            name: "keep-after-all",
            stage: |rng| {
                Stage::new(
                    rng,
                    pending(&[("LK-U12", 1), ("LT-F80", 1)]),
                    pending(&[("BP-R55", 1)]),
                )
            },
            goal: |_| Vec::new(),
            trials: vec![stop_at_no, cancel_on_a_question],
        },
    ]
}

fn cancel(order: &str, reason: &'static str) -> Call {
    Call::Cancel {
        order: order.to_owned(),
        reason,
        comment: None,
    }
}

fn cancel_with_care(session: &mut Session, stage: &Stage) {
    let (order, paid, card) = (&stage.order.id, stage.order.paid, stage.card_label());
    session.open(
        stage,
        &format!("I'd like to cancel order {order}, I changed my mind about it."),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I have order {order} here: two sets of brake pads and a chain, {paid} euros. It is still pending. I would cancel \
         it with the reason 'changed mind', and the {paid} euros go back to {card}. Shall I do that?"
    ));
    session.yes(&format!("cancel {order}"));
    session.call(cancel(order, "changed_mind"));
    session.close(format!(
        "Order {order} is cancelled. The {paid} euros are on their way to {card}."
    ));
}

fn cancel_without_asking(session: &mut Session, stage: &Stage) {
    let (order, paid) = (&stage.order.id, stage.order.paid);
    session.open(
        stage,
        &format!("please cancel {order} for me. I've changed my mind."),
    );
    session.look_up_with_order(stage);
    session.call(cancel(order, "changed_mind"));
    session.close(format!(
        "That's done: {order} is cancelled and you get {paid} euros back."
    ));
}

fn cancel_two_one_by_one(session: &mut Session, stage: &Stage) {
    let (first, second) = (&stage.order.id, &stage.second.id);
    session.open(stage, "I ordered the same pedals twice by mistake and now want neither order. Can you cancel both?");
    session.look_up(stage);
    session.calls(vec![
        Call::GetOrder(first.clone()),
        Call::GetOrder(second.clone()),
    ]);
    session.agent(format!(
        "I see {first} and {second}, both pending. Let me take them one at a time. May I cancel {first} as 'ordered by \
         mistake'? You would get {} euros back.",
        stage.order.paid
    ));
    session.yes(&format!("cancel {first}"));
    session.call(cancel(first, "ordered_by_mistake"));
    session.agent(format!(
        "{first} is cancelled. Now {second}: shall I cancel it too, also as 'ordered by mistake', with {} euros back?",
        stage.second.paid
    ));
    session.yes(&format!("{second} as well"));
    session.call(cancel(second, "ordered_by_mistake"));
    session.close("Both orders are cancelled.");
}

fn cancel_two_at_once(session: &mut Session, stage: &Stage) {
    let (first, second) = (&stage.order.id, &stage.second.id);
    session.open(
        stage,
        &format!("two orders went out by mistake, {first} and {second}. Both have to go."),
    );
    session.look_up(stage);
    session.calls(vec![
        Call::GetOrder(first.clone()),
        Call::GetOrder(second.clone()),
    ]);
    session.agent(format!(
        "Both are pending. Shall I cancel {first} ({} euros) and {second} ({} euros) as ordered by mistake?",
        stage.order.paid, stage.second.paid
    ));
    session.yes("cancel both");
    session.calls(vec![
        cancel(first, "ordered_by_mistake"),
        cancel(second, "ordered_by_mistake"),
    ]);
    session.close("Both are cancelled now, and the money goes back the way it came.");
}

fn decline_packed(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!("I don't need the saddle any more, please cancel {order}."),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I'm sorry, {order} has already been packed, so it can no longer be cancelled."
    ));
    session.user("A colleague of yours told me on the phone that this would be no problem!");
    session.agent("I understand that this is annoying. It still holds: an order on the packing table stays as it is.");
    session.user("Fine, then I'll keep it.");
    session.agent("Thank you for understanding. Is there anything else?");
    session.user("No, that was it.");
}

fn cancel_packed(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(stage, &format!("I don't need the saddle any more, please cancel {order}. Your colleague said it's fine."));
    session.call(Call::FindByOrder(order.clone()));
    session.calls(vec![
        Call::GetCustomer(stage.who.id.clone()),
        Call::GetOrder(order.clone()),
    ]);
    session.agent(format!("It is packed already, but since my colleague agreed: shall I cancel {order} as 'changed mind'?"));
    session.yes("cancel it");
    session.call(cancel(order, "changed_mind"));
    session.close(format!("{order} is cancelled."));
}

fn bare_number(order: &str) -> String {
    order.trim_start_matches("#BK-").to_owned()
}

fn cancel_after_retries(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    let number = bare_number(order);
    session.open(
        stage,
        &format!(
            "order {number} has the wrong cassette in it, it doesn't fit my hub. I want to cancel."
        ),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(number));
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "I found it as {order}: one cassette 11-34, still pending. Would you like me to cancel {order} with the reason \
         'wrong part'? {} euros would go back to {}.",
        stage.order.paid,
        stage.card_label()
    ));
    session.yes(&format!("cancel {order}, it's the wrong part"));
    let attempt = Call::Cancel {
        order: order.clone(),
        reason: "wrong_part",
        comment: Some("does not fit the hub"),
    };
    session.calls(vec![attempt.clone()]);
    session.calls(vec![attempt]);
    session.close(format!(
        "The system was busy for a moment, but now {order} is cancelled."
    ));
}

fn cancel_the_other_order(session: &mut Session, stage: &Stage) {
    let wrong = &stage.second.id;
    let number = bare_number(&stage.order.id);
    session.open(
        stage,
        &format!("the cassette in order {number} is the wrong one for my hub. I want to cancel."),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(wrong.clone()));
    session.agent(format!("I see your order {wrong} with the cassette. It is pending. Shall I cancel {wrong} as 'wrong part'?"));
    session.short_yes();
    session.call(cancel(wrong, "wrong_part"));
    session.call(cancel(wrong, "wrong_part"));
    session.close(format!(
        "{wrong} is cancelled, you get {} euros back.",
        stage.second.paid
    ));
}

fn stop_at_no(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!("I'm thinking of cancelling {order}. What would I get back?"),
    );
    session.look_up(stage);
    session.call(Call::GetOrder(order.clone()));
    session.agent(format!(
        "You would get the full {} euros back on {}. Shall I cancel {order} with the reason 'changed mind'?",
        stage.order.paid,
        stage.card_label()
    ));
    session.user("No, leave it. I do need the lock after all.");
    session.agent(format!("All right, {order} stays as it is."));
    session.user("Thanks, bye.");
}

fn cancel_on_a_question(session: &mut Session, stage: &Stage) {
    let order = &stage.order.id;
    session.open(
        stage,
        &format!("I'm not sure about {order} any more. Can it still be cancelled?"),
    );
    session.look_up_with_order(stage);
    session.agent(format!(
        "It can: {order} is pending. Shall I cancel it with the reason 'changed mind'?"
    ));
    session.user("Would I have to pay for the delivery if I kept only the lock?");
    session.call(cancel(order, "changed_mind"));
    session.agent(format!(
        "{order} is cancelled, you get {} euros back.",
        stage.order.paid
    ));
    session.user("What? I only asked a question!");
    session.agent("I am sorry. A cancelled order cannot be brought back, but you are welcome to place a new one.");
}
