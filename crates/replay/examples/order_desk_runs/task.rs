//! A task, and how a run of it is labelled.
//!
//! The label compares two shops: the one that the conversation left behind, and the one that the task's own list of
//! changes leads to. The policy plays no part in it: a run may pass although the agent broke a rule on the way, and fail
//! although it broke none.

use super::json::Json;
use super::rng::Rng;
use super::session::Session;
use super::stage::Stage;
use super::tools::Call;

/// How one agent went about the task.
pub type Script = fn(&mut Session, &Stage);

/// Something that a customer comes to the desk for.
#[derive(Debug)]
pub struct Task {
    /// Name of the task in the recordings.
    pub name: &'static str,
    /// The shop beforehand.
    pub stage: fn(&mut Rng) -> Stage,
    /// The changes after which the task is done as it should be.
    pub goal: fn(&Stage) -> Vec<Call>,
    /// One script a trial.
    pub trials: Vec<Script>,
}

impl Task {
    /// Plays all trials of the task; each becomes one line of the recordings.
    pub fn play(&self, seed: u64) -> Vec<Json> {
        let numbered = self.trials.iter().enumerate();
        numbered
            .map(|(trial, script)| self.play_trial(seed, trial, *script))
            .collect()
    }

    fn play_trial(&self, seed: u64, trial: usize, script: Script) -> Json {
        // Trials share the stage; only wording and call ids differ by trial.
        let stage = (self.stage)(&mut Rng::new(seed, self.name));
        let mut wanted = stage.desk.clone();
        wanted.busy = 0;
        let goal_reached = (self.goal)(&stage)
            .iter()
            .all(|change| change.run(&mut wanted).is_ok());

        let mut session = Session::new(
            stage.desk.clone(),
            Rng::new(seed, &format!("{}/{trial}", self.name)),
        );
        script(&mut session, &stage);
        let pass = goal_reached && session.desk.shop == wanted.shop;

        let reward = || Json::number(u8::from(pass));
        let label = Json::Object(vec![
            ("set", Json::text("order-desk")),
            ("domain", Json::text("order-desk")),
            ("model", Json::text("simulated")),
            ("task_id", Json::text(self.name)),
            ("trial", Json::number(trial)),
            ("reward", reward()),
            ("pass", Json::Bool(pass)),
        ]);
        Json::Object(vec![
            ("task_id", Json::text(self.name)),
            ("trial", Json::number(trial)),
            ("reward", reward()),
            ("messages", Json::List(session.into_messages())),
            ("_run", label),
        ])
    }
}
