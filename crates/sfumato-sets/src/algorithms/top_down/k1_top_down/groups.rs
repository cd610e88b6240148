//! Decides with which item each record of a node continues.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

/// The number that stands for no item.
pub const NONE: u32 = u32::MAX;

/// Groups of the records of a node that continue with the same item.
#[derive(Default)]
pub struct Groups {
    /// The item of each owner; `NONE` for owners that stay.
    pub choice: Vec<u32>,
    /// The items, in the order in which they were found.
    pub items: Vec<u32>,
    /// How many owners want or have each item.
    votes: Vec<u32>,
    left: Vec<u32>,
}

/// The best of the items of a record that `open` admits; of equal ones the lowest.
fn best<C: Code>(row: &[C], scores: &[f32], open: impl Fn(u32) -> bool) -> u32 {
    let mut best = (0.0, NONE);
    for code in row {
        let score = scores[code.widen() as usize];
        if score > best.0 && open(code.widen()) {
            best = (score, code.widen());
        }
    }
    best.1
}

impl Groups {
    /// Let every owner take the item with the best score. If that makes a group of fewer than
    /// `least`, it takes the best item of a larger group instead; the remaining owners then share
    /// items as well as possible. A score of 0 means never. Owners are the first rows, as many as
    /// there are weights.
    pub fn find<C: Code>(
        &mut self,
        rows: Sets<'_, C>,
        weights: &[u32],
        scores: &[f32],
        least: u32,
    ) {
        let Groups { choice, items, votes, left } = self;
        votes.clear();
        votes.resize(scores.len(), 0);
        choice.clear();
        left.clear();
        items.clear();
        for (owner, weight) in weights.iter().enumerate() {
            let item = best(rows.get(owner), scores, |_| true);
            choice.push(item);
            if item != NONE {
                votes[item as usize] += weight;
            }
        }
        if least > 1 {
            for (owner, choice) in choice.iter_mut().enumerate() {
                if *choice != NONE && votes[*choice as usize] < least {
                    *choice = best(rows.get(owner), scores, |item| votes[item as usize] >= least);
                    if *choice == NONE {
                        left.push(owner as u32);
                    }
                }
            }
        }
        items.extend((0..votes.len() as u32).filter(|item| votes[*item as usize] >= least.max(1)));
        if left.is_empty() || left.iter().map(|owner| weights[*owner as usize]).sum::<u32>() < least
        {
            return;
        }
        votes.fill(0);
        let count = |owner: u32, votes: &mut [u32], comes: bool| {
            let weight = weights[owner as usize];
            for code in rows.get(owner as usize) {
                let votes = &mut votes[code.widen() as usize];
                *votes = if comes { *votes + weight } else { *votes - weight };
            }
        };
        left.iter().for_each(|owner| count(*owner, votes, true));
        loop {
            let mut most = (0.0, NONE);
            for (item, votes) in votes.iter().enumerate() {
                let score = scores[item] * *votes as f32;
                if *votes >= least && score > most.0 {
                    most = (score, item as u32);
                }
            }
            if most.1 == NONE {
                return;
            }
            items.push(most.1);
            left.retain(|owner| {
                let has = rows.get(*owner as usize).binary_search(&C::narrow(most.1)).is_ok();
                if has {
                    choice[*owner as usize] = most.1;
                    count(*owner, votes, false);
                }
                !has
            });
        }
    }
}
