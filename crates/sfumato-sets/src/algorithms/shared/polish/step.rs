//! Finds the best step for one class.

use sfumato_core::column::Code;

use super::search::BetterClasses;
use super::state::{Class, State};

/// A step for a class.
pub struct Step {
    /// The gain of the step, at least.
    pub gain: f64,
    /// For each member, whether it stays.
    pub stays: Vec<bool>,
    /// Whether the members that don't stay become a class of their own. Otherwise each goes to the
    /// class of highest utility.
    pub apart: bool,
    /// Records of other classes that join if possible, and the gain of each.
    pub guests: Vec<(u32, f64)>,
}

/// The gain below which a difference counts as rounding.
const NOTHING: f64 = 1e-9;

/// What is known about an item in a class.
#[derive(Clone, Copy, Default)]
struct With {
    /// How many members have the item, weights counted.
    size: u64,
    /// The gain of those members elsewhere, and how many of them have no other class.
    gains: (f64, u32),
    /// How many guests would gain by the item, weights counted, and how much.
    guests: (u64, f64),
}

/// Finds steps, with buffers that are reused.
pub struct Chooser {
    with: Vec<With>,
    /// The items that members have.
    items: Vec<u32>,
    /// The gain of each member elsewhere. Minus infinity if it has no other class.
    gains: Vec<f64>,
}

impl Chooser {
    /// A chooser for `n_items` items.
    pub fn new(n_items: usize) -> Self {
        Chooser { with: vec![With::default(); n_items], items: Vec::new(), gains: Vec::new() }
    }

    /// The best of these steps: members leave for better classes while k stay; all leave; those
    /// with an item stay and publish it, together with guests that gain by it, and the others leave
    /// or, if they are at least k, become a class of their own.
    pub fn best<C: Code>(
        &mut self,
        state: &State<'_, C>,
        number: usize,
        found: &BetterClasses,
    ) -> Option<Step> {
        let class = &state.classes[number];
        let gain = |record: &u32| match found.elsewhere[*record as usize] {
            Some(to) => (to.worth - class.worth) * state.weight(*record) as f64,
            None => f64::NEG_INFINITY,
        };
        self.gains.clear();
        self.gains.extend(class.members.iter().map(gain));
        let mut best = self.move_some(state, class);
        let all: f64 = self.gains.iter().sum();
        if all > best.as_ref().map_or(NOTHING, |best| best.gain) {
            best = Some(Step {
                gain: all,
                stays: vec![false; class.members.len()],
                apart: false,
                guests: Vec::new(),
            });
        }
        let least = best.as_ref().map_or(NOTHING, |best| best.gain);
        self.stay(state, class, found.guests(number), least).or(best)
    }

    /// The step in which members with an item stay, if that gains more than `least`.
    fn stay<C: Code>(
        &mut self,
        state: &State<'_, C>,
        class: &Class,
        guests: &[u32],
        least: f64,
    ) -> Option<Step> {
        let (utilities, k) = (state.task.utilities, state.task.k);
        let all = self.count_members(state, class);
        self.count_guests(state, class, guests);
        self.items.sort_unstable();
        let mut most = (least, None);
        for item in self.items.drain(..) {
            let with = std::mem::take(&mut self.with[item as usize]);
            let apart = class.size - with.size >= k;
            let mut gain = utilities[item as usize] * with.size as f64 + with.guests.1;
            if !apart {
                gain += all.0 - with.gains.0;
            }
            let possible = (apart || all.1 == with.gains.1) && with.size < class.size;
            if possible && with.size + with.guests.0 >= k && gain > most.0 {
                most = (gain, Some((item, apart)));
            }
        }
        let (item, apart) = most.1?;
        let worth = class.worth + utilities[item as usize];
        let gain = |guest: &u32| (worth - state.own(*guest).worth) * state.weight(*guest) as f64;
        let guests = guests.iter().filter(|guest| state.has(**guest, item));
        Some(Step {
            gain: most.0,
            stays: class.members.iter().map(|record| state.has(*record, item)).collect(),
            apart,
            guests: guests
                .map(|guest| (*guest, gain(guest)))
                .filter(|guest| guest.1 > NOTHING)
                .collect(),
        })
    }

    /// Count the gain elsewhere of the members with each item. Returns the gain of all members.
    fn count_members<C: Code>(&mut self, state: &State<'_, C>, class: &Class) -> (f64, u32) {
        let mut all = (0.0, 0);
        for (record, gain) in class.members.iter().zip(&self.gains) {
            let weight = state.weight(*record);
            let gain = if *gain == f64::NEG_INFINITY { (0.0, 1) } else { (*gain, 0) };
            all = (all.0 + gain.0, all.1 + gain.1);
            for code in state.rows.get(*record as usize) {
                let with = &mut self.with[code.widen() as usize];
                if with.size == 0 {
                    self.items.push(code.widen());
                }
                with.size += weight;
                with.gains = (with.gains.0 + gain.0, with.gains.1 + gain.1);
            }
        }
        all
    }

    /// Count the gain of guests by each item that some members have.
    fn count_guests<C: Code>(&mut self, state: &State<'_, C>, class: &Class, guests: &[u32]) {
        for guest in guests {
            let weight = state.weight(*guest);
            let lost = state.own(*guest).worth - class.worth;
            for code in state.rows.get(*guest as usize) {
                let with = &mut self.with[code.widen() as usize];
                let gain = (state.task.utilities[code.widen() as usize] - lost) * weight as f64;
                if gain > NOTHING && with.size > 0 {
                    with.guests = (with.guests.0 + weight, with.guests.1 + gain);
                }
            }
        }
    }

    /// The step in which the members that gain most elsewhere leave.
    fn move_some<C: Code>(&self, state: &State<'_, C>, class: &Class) -> Option<Step> {
        let mut order: Vec<usize> =
            (0..self.gains.len()).filter(|member| self.gains[*member] > NOTHING).collect();
        order.sort_unstable_by(|a, b| self.gains[*b].total_cmp(&self.gains[*a]).then(a.cmp(b)));
        let mut step = Step {
            gain: 0.0,
            stays: vec![true; class.members.len()],
            apart: false,
            guests: Vec::new(),
        };
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
