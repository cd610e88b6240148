//! The best thing to do with one class.

use sfumato_core::column::Code;

use super::Elsewhere;
use super::state::{Class, State};

/// What to do with a class.
pub struct Step {
    /// What it gains at least.
    pub gain: f64,
    /// For each member, whether it stays.
    pub stays: Vec<bool>,
    /// Whether those that don't stay are a class of their own; otherwise each goes where it is worth most.
    pub apart: bool,
}

/// Gains below this are rounding.
const NOTHING: f64 = 1e-9;

/// Finds steps; its memory is used again and again.
pub struct Chooser {
    /// For each item, how many members have it, weights counted, and what those members would gain elsewhere.
    with: Vec<(u64, f64)>,
    items: Vec<u32>,
    /// What each member would gain elsewhere.
    gains: Vec<f64>,
}

impl Chooser {
    /// For so many items.
    pub fn new(n_items: usize) -> Self {
        Chooser { with: vec![(0, 0.0); n_items], items: Vec::new(), gains: Vec::new() }
    }

    /// The best of: members leave for better classes while k stay; all leave; those with an item stay and publish it, and the others
    /// leave or, where they are k themselves, are a class of their own.
    pub fn best<C: Code>(
        &mut self,
        state: &State<'_, C>,
        class: &Class,
        elsewhere: &[Option<Elsewhere>],
    ) -> Option<Step> {
        let k = state.task.k;
        let gain = |record: &u32| match elsewhere[*record as usize] {
            Some(to) => (to.worth - class.worth) * state.weight(*record) as f64,
            None => f64::NEG_INFINITY,
        };
        self.gains.clear();
        self.gains.extend(class.members.iter().map(gain));
        let mut best = self.move_some(state, class);
        let all: f64 = self.gains.iter().sum();
        if all > best.as_ref().map_or(NOTHING, |best| best.gain) {
            best = Some(Step { gain: all, stays: vec![false; class.members.len()], apart: false });
        }
        for (record, gain) in class.members.iter().zip(&self.gains) {
            for code in state.rows.get(*record as usize) {
                let with = &mut self.with[code.widen() as usize];
                if with.0 == 0 {
                    self.items.push(code.widen());
                }
                *with = (with.0 + state.weight(*record), with.1 + gain);
            }
        }
        self.items.sort_unstable();
        let mut most = (best.as_ref().map_or(NOTHING, |best| best.gain), None);
        for item in self.items.drain(..) {
            let (size, gains) = std::mem::take(&mut self.with[item as usize]);
            let earned = state.task.utilities[item as usize] * size as f64;
            let apart = class.size - size >= k;
            // Where a member can go nowhere the sum is no number, and nothing is larger than that.
            let gain = if apart { earned } else { earned + (all - gains) };
            if size >= k && size < class.size && gain > most.0 {
                most = (gain, Some((item, apart)));
            }
        }
        match most {
            (gain, Some((item, apart))) => {
                let stays = class.members.iter().map(|record| state.has(*record, item)).collect();
                Some(Step { gain, stays, apart })
            }
            _ => best,
        }
    }

    /// Members that gain most elsewhere leave first.
    fn move_some<C: Code>(&self, state: &State<'_, C>, class: &Class) -> Option<Step> {
        let mut order: Vec<usize> =
            (0..self.gains.len()).filter(|member| self.gains[*member] > NOTHING).collect();
        order.sort_unstable_by(|a, b| self.gains[*b].total_cmp(&self.gains[*a]).then(a.cmp(b)));
        let mut step = Step { gain: 0.0, stays: vec![true; class.members.len()], apart: false };
        let mut size = class.size;
        for member in order {
            let weight = state.weight(class.members[member]);
            if size - weight >= state.task.k {
                size -= weight;
                step.gain += self.gains[member];
                step.stays[member] = false;
            }
        }
        (step.gain > NOTHING).then_some(step)
    }
}
