//! Takes steps that don't conflict with each other.

use sfumato_core::column::Code;

use super::search::BetterClasses;
use super::state::State;
use super::step::Step;

/// What has changed since the steps were found.
struct Since {
    /// Classes that took their step. They publish something else now, so no record joins or leaves
    /// them any more.
    changed: Vec<bool>,
    /// Classes that took in or gave away records. Their own steps are no longer valid.
    stirred: Vec<bool>,
    /// How many records each class has now.
    sizes: Vec<u64>,
    /// Records that left their class.
    gone: Vec<bool>,
}

/// Take the steps that gain most, one after the other, if they are still possible. Returns the
/// total gain.
pub fn take<C: Code>(
    state: &mut State<'_, C>,
    steps: &[Option<Step>],
    found: &BetterClasses,
) -> f64 {
    let mut order: Vec<(usize, &Step)> = steps
        .iter()
        .enumerate()
        .filter_map(|(class, step)| Some((class, step.as_ref()?)))
        .collect();
    order.sort_unstable_by(|a, b| b.1.gain.total_cmp(&a.1.gain).then(a.0.cmp(&b.0)));
    let n = state.classes.len();
    let mut since = Since {
        changed: vec![false; n],
        stirred: vec![false; n],
        sizes: state.classes.iter().map(|class| class.size).collect(),
        gone: vec![false; state.rows.len()],
    };
    let gained = order.iter().map(|(class, step)| since.take_one(state, *class, step, found)).sum();
    for class in (0..n).filter(|class| since.stirred[*class]) {
        let left = |record: &u32| {
            since.gone[*record as usize] && state.of_record[*record as usize] as usize == class
        };
        state.classes[class].members.retain(|record| !left(record));
    }
    gained
}

impl Since {
    /// Take a step if it is possible. Returns its gain.
    fn take_one<C: Code>(
        &mut self,
        state: &mut State<'_, C>,
        class: usize,
        step: &Step,
        found: &BetterClasses,
    ) -> f64 {
        let goes_to = |record: u32| found.elsewhere[record as usize].map(|to| to.class as usize);
        let members = &state.classes[class].members;
        let leaving = members.iter().zip(&step.stays).filter(|(_, stays)| !**stays);
        let leaving: Vec<u32> = leaving.map(|(record, _)| *record).collect();
        let open = |record: &u32| goes_to(*record).is_some_and(|to| !self.changed[to]);
        if self.stirred[class] || !(step.apart || leaving.iter().all(open)) {
            return 0.0;
        }
        let (guests, lost) = self.invite(state, step);
        let weight =
            |records: &[u32]| -> u64 { records.iter().map(|record| state.weight(*record)).sum() };
        let size = self.sizes[class] - weight(&leaving) + weight(&guests);
        let gain = step.gain - lost;
        if (1..state.task.k).contains(&size) || gain <= 0.0 {
            guests.iter().for_each(|guest| {
                self.sizes[state.of_record[*guest as usize] as usize] += state.weight(*guest)
            });
            return 0.0;
        }
        self.sizes[class] = size;
        self.changed[class] = true;
        let mut stays = step.stays.iter();
        state.classes[class].members.retain(|_| stays.next() == Some(&true));
        for guest in guests {
            self.gone[guest as usize] = true;
            self.stirred[state.of_record[guest as usize] as usize] = true;
            state.classes[class].members.push(guest);
        }
        if step.apart {
            state.add(leaving);
            return gain;
        }
        for record in leaving {
            if let Some(to) = goes_to(record) {
                self.sizes[to] += state.weight(record);
                self.stirred[to] = true;
                state.classes[to].members.push(record);
            }
        }
        gain
    }

    /// The guests of a step that can still join, removed from the sizes of their classes, and the
    /// gain that the others would have had.
    fn invite<C: Code>(&mut self, state: &State<'_, C>, step: &Step) -> (Vec<u32>, f64) {
        let (mut guests, mut lost) = (Vec::new(), 0.0);
        for (guest, gain) in &step.guests {
            let from = state.of_record[*guest as usize] as usize;
            let left = self.sizes[from].saturating_sub(state.weight(*guest));
            if self.gone[*guest as usize] || self.changed[from] || left < state.task.k {
                lost += gain;
            } else {
                self.sizes[from] = left;
                guests.push(*guest);
            }
        }
        (guests, lost)
    }
}
