//! Stepping contracts on an event.

use super::Falsified;
use super::instances::{InstanceKey, Instances, Reach, State};
use crate::ground::{Moment, Now};
use crate::program::{Monitor, Program};
use crate::reason::{Decisive, reason};
use crate::track::Track;
use crate::truth::Truth;
use lictor_contract::predicate::Atom;

/// What an event would do to one instance of a contract.
pub struct Step {
    pub guarantee: Track,
    pub broken_assumption: Option<Track>,
    pub idle: bool,
    /// The event would break the contract for good.
    pub fails: bool,
}

impl Step {
    /// Where an event leads.
    pub fn of(program: &Program, state: &State, moment: &Moment<'_>) -> Step {
        let (broken_assumption, idle) = match (&program.broken_assumption, &state.broken_assumption)
        {
            (Some(machine), Some(track)) => {
                let next =
                    machine.advance(track, &mut |atom| moment.numbered(machine.atoms(), atom));
                let idle = state.idle || machine.is_safe(next.strong);
                (Some(next), idle)
            }
            _ => (None, false),
        };
        let atoms = program.guarantee.atoms();
        let guarantee = program
            .guarantee
            .advance(&state.guarantee, &mut |atom| moment.numbered(atoms, atom));
        let fails = !idle && program.guarantee.is_dead(guarantee.strong);
        Step {
            guarantee,
            broken_assumption,
            idle,
            fails,
        }
    }

    /// Whether some assignment of what is unknown would keep the event from
    /// breaking the contract: the guarantee holds, or the assumption does not.
    pub fn may_be_kept(&self, program: &Program) -> bool {
        let broken = program.broken_assumption.as_ref();
        let idle = broken.zip(self.broken_assumption.as_ref());
        self.guarantee.is_open(&program.guarantee)
            || idle.is_some_and(|(machine, track)| track.may_be_safe(machine))
    }
}

/// Steps every contract that the event can move, and tells which ones it breaks.
/// With `letters`, every contract that observes the event notes what it sees.
pub fn commit(
    monitor: &Monitor,
    contracts: &mut [Instances],
    moment: &Moment<'_>,
    letters: bool,
) -> Vec<Falsified> {
    if letters {
        for (program, instances) in monitor.programs.iter().zip(contracts.iter_mut()) {
            note(monitor, program, instances, moment);
        }
    }
    for index in monitor.dispatch.owing(&moment.now) {
        if let (Some(program), Some(instances)) =
            (monitor.programs.get(*index), contracts.get_mut(*index))
        {
            begin(monitor, program, instances, moment);
        }
    }
    if let Now::Call(call) = moment.now {
        for index in monitor.dispatch.keyed(&call.tool) {
            // The call was refused; that it took place all the same sticks.
            if let (Some(program), Some(instances)) =
                (monitor.programs.get(*index), contracts.get_mut(*index))
                && let Reach::Unknown(_) = Reach::of(program, &monitor.world, &moment.now)
            {
                instances.fail_root();
            }
        }
    }
    let mut falsified = Vec::new();
    for index in monitor.dispatch.concerned(&moment.now) {
        if let (Some(program), Some(instances)) =
            (monitor.programs.get(*index), contracts.get_mut(*index))
        {
            falsified.extend(advance(monitor, program, instances, moment, letters));
        }
    }
    falsified
}

/// Notes the letter of an event that a contract observes.
pub fn note(monitor: &Monitor, program: &Program, instances: &mut Instances, moment: &Moment<'_>) {
    if !program.steps_on.contains(&moment.now.kind()) {
        return;
    }
    let atoms = program.guarantee.atoms();
    let letter = program
        .guarantee
        .letter(&mut |atom| moment.numbered(atoms, atom));
    if let Reach::Prefix(prefix) = Reach::of(program, &monitor.world, &moment.now) {
        for (_, state) in instances.reached_mut(&prefix) {
            state.letters.push(letter.clone());
        }
    }
}

/// Makes the instance of the values that an event carries, if it is the first
/// of them: it owes what the contract demands for each.
pub fn begin(monitor: &Monitor, program: &Program, instances: &mut Instances, moment: &Moment<'_>) {
    if let Reach::Prefix(prefix) = Reach::of(program, &monitor.world, &moment.now) {
        instances.begin(&prefix);
    }
}

/// Steps one contract. An event that breaks it is in the trace all the same:
/// reported once, it sticks to the run's value, and for deciding the contract
/// goes on from before it. An event whose instance nobody can tell steps none.
pub fn advance(
    monitor: &Monitor,
    program: &Program,
    instances: &mut Instances,
    moment: &Moment<'_>,
    letters: bool,
) -> Option<Falsified> {
    let Reach::Prefix(prefix) = Reach::of(program, &monitor.world, &moment.now) else {
        return None;
    };
    let mut falsified = None;
    for (key, state) in instances.reached_mut(&prefix) {
        let step = Step::of(program, state, moment);
        if step.fails {
            let told = || Falsified {
                contract: program.contract.id.clone(),
                reason: explain(program, state, moment, false) + &instance(program, key),
            };
            falsified.get_or_insert_with(told);
            state.failed = true;
            if letters {
                state.letters.pop();
            }
        } else {
            state.guarantee = step.guarantee;
            state.broken_assumption = step.broken_assumption;
            state.idle = step.idle;
        }
    }
    falsified
}

/// Why the event would break the contract.
pub fn explain(program: &Program, state: &State, moment: &Moment<'_>, undecidable: bool) -> String {
    let atoms = program.guarantee.atoms();
    let truth = &mut |atom| moment.numbered(atoms, atom);
    let asked = program.guarantee.asked(&state.guarantee, truth);
    let mut decisive = |candidate: &dyn Fn(&Atom, Truth) -> bool| {
        program
            .guarantee
            .decisive(&state.guarantee, &asked, truth, candidate)
    };
    let is_condition = |atom: &Atom| !matches!(atom, Atom::Event(_) | Atom::Known(_));
    let open = decisive(&|atom, truth| is_condition(atom) && truth == Truth::Unknown);
    let settled = decisive(&|atom, truth| is_condition(atom) && truth != Truth::Unknown);
    reason(
        program,
        moment,
        &asked,
        Decisive { open, settled },
        undecidable,
    )
}

/// Which instance is meant, in words; empty for a contract without parameters.
pub fn instance(program: &Program, key: &InstanceKey) -> String {
    let named: Vec<String> = program
        .contract
        .for_each
        .iter()
        .zip(key)
        .map(|(name, value)| format!("`{name}` {value}"))
        .collect();
    if named.is_empty() {
        String::new()
    } else {
        format!(" (for {})", named.join(", "))
    }
}
