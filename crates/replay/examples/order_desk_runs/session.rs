//! Records one conversation: what is said, what is called, and what the shop answers.

use super::json::Json;
use super::rng::Rng;
use super::shop::Desk;
use super::stage::Stage;
use super::tools::Call;

/// A conversation in the making. Calls are carried out when they are recorded.
#[derive(Debug)]
pub struct Session {
    /// The shop as the conversation has left it so far.
    pub desk: Desk,
    rng: Rng,
    messages: Vec<Json>,
}

impl Session {
    /// A conversation that starts in the given shop.
    pub fn new(desk: Desk, rng: Rng) -> Self {
        Session {
            desk,
            rng,
            messages: Vec::new(),
        }
    }

    /// The recorded messages, in the form of the OpenAI chat interface.
    pub fn into_messages(self) -> Vec<Json> {
        self.messages
    }

    /// The user writes.
    pub fn user(&mut self, text: impl Into<String>) {
        self.say("user", text.into());
    }

    /// The agent writes.
    pub fn agent(&mut self, text: impl Into<String>) {
        self.say("assistant", text.into());
    }

    fn say(&mut self, role: &'static str, text: String) {
        self.messages.push(Json::Object(vec![
            ("role", Json::text(role)),
            ("content", Json::Text(text)),
        ]));
    }

    /// The agent makes one call.
    pub fn call(&mut self, call: Call) {
        self.calls(vec![call]);
    }

    /// The agent makes several calls in one message.
    pub fn calls(&mut self, calls: Vec<Call>) {
        self.say_and_call(Json::Null, calls);
    }

    fn say_and_call(&mut self, content: Json, calls: Vec<Call>) {
        let mut made = Vec::new();
        let mut answers = Vec::new();
        for call in calls {
            let id = format!("call_{:012x}", self.rng.bits() >> 16);
            made.push(Json::Object(vec![
                ("id", Json::text(&id)),
                ("type", Json::text("function")),
                (
                    "function",
                    Json::Object(vec![
                        ("name", Json::text(call.tool())),
                        ("arguments", Json::text(call.arguments().to_string())),
                    ]),
                ),
            ]));
            let content = match call.run(&mut self.desk) {
                Ok(result) => result.to_string(),
                Err(why) => format!("Error: {why}"),
            };
            answers.push(Json::Object(vec![
                ("role", Json::text("tool")),
                ("tool_call_id", Json::Text(id)),
                ("name", Json::text(call.tool())),
                ("content", Json::Text(content)),
            ]));
        }
        self.messages.push(Json::Object(vec![
            ("role", Json::text("assistant")),
            ("content", content),
            ("tool_calls", Json::List(made)),
        ]));
        self.messages.extend(answers);
    }

    /// The user says who they are and what they want.
    pub fn open(&mut self, stage: &Stage, wish: &str) {
        let hello = self.rng.choose(&["Hi, ", "Hello, ", "Good morning, ", ""]);
        let email = &stage.who.email;
        let tail = match self.rng.between(0, 3) {
            0 => format!("My email is {email}."),
            1 => format!("You have me under {email}."),
            _ => format!("My account is {email}, name {}.", stage.who.name),
        };
        self.user(format!("{hello}{wish} {tail}"));
    }

    /// The user wants something and gives the customer number.
    pub fn open_with_number(&mut self, stage: &Stage, wish: &str) {
        let hello = self.rng.choose(&["Hi, ", "Hello there, ", ""]);
        self.user(format!(
            "{hello}{wish} My customer number is {}.",
            stage.who.id
        ));
    }

    /// The agent reads profile and order together, knowing both numbers.
    pub fn look_up_by_number(&mut self, stage: &Stage) {
        self.calls(vec![
            Call::GetCustomer(stage.who.id.clone()),
            Call::GetOrder(stage.order.id.clone()),
        ]);
    }

    /// The agent finds the customer by email and reads the profile.
    pub fn look_up(&mut self, stage: &Stage) {
        self.call(Call::FindByEmail(stage.who.email.clone()));
        self.call(Call::GetCustomer(stage.who.id.clone()));
    }

    /// The agent finds the customer, then reads profile and order together.
    pub fn look_up_with_order(&mut self, stage: &Stage) {
        self.call(Call::FindByEmail(stage.who.email.clone()));
        let content = match self.rng.between(0, 3) {
            0 => Json::text("One moment, I am looking this up."),
            1 => Json::text(""),
            _ => Json::Null,
        };
        self.say_and_call(
            content,
            vec![
                Call::GetCustomer(stage.who.id.clone()),
                Call::GetOrder(stage.order.id.clone()),
            ],
        );
    }

    /// The user agrees and repeats what they agree to.
    pub fn yes(&mut self, what: &str) {
        let text = match self.rng.between(0, 4) {
            0 => format!("Yes, {what} please."),
            1 => format!("Yes please, {what}."),
            2 => format!("Yes. Go ahead and {what}."),
            _ => format!("Yes, that's right, {what}. Thank you."),
        };
        self.user(text);
    }

    /// The user agrees in a word or two.
    pub fn short_yes(&mut self) {
        let text = self
            .rng
            .choose(&["Yes.", "Yes, please.", "Yes, go ahead.", "yes please"]);
        self.user(text);
    }

    /// The agent reports, and the user takes leave.
    pub fn close(&mut self, report: impl Into<String>) {
        self.agent(report);
        let bye = self.rng.choose(&[
            "Great, that was all.",
            "Thanks, bye.",
            "Perfect, thank you!",
            "Thank you for the help.",
        ]);
        self.user(bye);
    }
}
