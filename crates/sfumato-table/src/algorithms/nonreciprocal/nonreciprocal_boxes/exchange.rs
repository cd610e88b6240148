//! Lets nearby regions exchange records if that lowers their total cost. Every region keeps its k
//! records, and every record stays in k regions.
//!
//! Regions are processed in parallel blocks, and exchange only within a block; in every second
//! round blocks are shifted by half a block. The result doesn't depend on the number of threads.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::traits::Effort;

use super::gather::{Edge, Gathered, Records};

/// The number of regions in a block.
const BLOCK: usize = 2048;
/// How far along the order regions are tried, for each effort.
const fn reach(effort: Effort) -> usize {
    match effort {
        Effort::Low => 16,
        Effort::Normal => 32,
        Effort::High => 128,
    }
}
/// The largest number of rounds, for each effort.
const fn rounds(effort: Effort) -> u32 {
    match effort {
        Effort::Low => 3,
        Effort::Normal => 8,
        Effort::High => 40,
    }
}
/// How many records of each of two regions are tried with each other: the most promising ones.
const TRIED: usize = 2;
/// The gain below which a difference counts as rounding.
const EPSILON: f64 = 1e-9;
/// The share of the price that a round must gain; otherwise it is the last.
const ENOUGH: f64 = 1e-4;

/// Exchange records until nothing is gained or the effort is spent. `reached` is called with the
/// share of the rounds that is done.
pub fn exchange(
    gathered: &mut Gathered<'_>,
    effort: Effort,
    reached: &mut dyn FnMut(f64) -> Result<()>,
) -> Result<()> {
    let Gathered { records, k, members } = gathered;
    let k = *k;
    // A region around one record has nothing to give.
    if k < 2 {
        return Ok(());
    }
    let total = members.len() / k;
    let mut changed = vec![0; total];
    let mut was_poor = false;
    for round in 2..rounds(effort) + 2 {
        let shift = if round % 2 == 0 { 0 } else { (BLOCK / 2).min(total) };
        let (head, tail) = members.split_at_mut(shift * k);
        let (changed_head, changed_tail) = changed.split_at_mut(shift);
        let mut blocks = vec![(head, changed_head)];
        blocks.extend(tail.chunks_mut(BLOCK * k).zip(changed_tail.chunks_mut(BLOCK)));
        let gains: Vec<(f64, f64)> = blocks
            .into_par_iter()
            .map(|(members, changed)| {
                Block::new(records, k, members, changed).improve(reach(effort), round)
            })
            .collect();
        let (gain, price) =
            gains.iter().fold((0.0, 0.0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
        reached(f64::from(round - 1) / f64::from(rounds(effort)))?;
        // Borders lie elsewhere every second round: two poor rounds say that it is enough.
        let is_poor = gain <= ENOUGH * price;
        if is_poor && was_poor {
            break;
        }
        was_poor = is_poor;
    }
    Ok(())
}

/// Neighbouring regions.
struct Block<'a, 'b> {
    records: &'a Records<'a>,
    k: usize,
    members: &'b mut [u32],
    /// The round in which each region last changed; the first is 2.
    changed: &'b mut [u32],
    edges: Vec<Edge>,
    prices: Vec<f64>,
    /// For each record of each region, the gain if it leaves.
    relief: Vec<f64>,
}

impl<'a, 'b> Block<'a, 'b> {
    fn new(
        records: &'a Records<'a>,
        k: usize,
        members: &'b mut [u32],
        changed: &'b mut [u32],
    ) -> Self {
        let n = members.len() / k;
        let mut block = Block {
            records,
            k,
            edges: vec![Edge::default(); n * records.n_columns()],
            prices: vec![0.0; n],
            relief: vec![0.0; members.len()],
            members,
            changed,
        };
        (0..n).for_each(|region| block.look(region));
        block
    }

    fn edges(&self, region: usize) -> &[Edge] {
        let n = self.records.n_columns();
        &self.edges[region * n..][..n]
    }

    /// Update what is known about a region whose records changed.
    fn look(&mut self, region: usize) {
        let (n, records) = (self.records.n_columns(), self.records);
        let members = &self.members[region * self.k..][..self.k];
        let edges = &mut self.edges[region * n..][..n];
        records.edges(members, edges);
        let price = records.price(edges);
        self.prices[region] = price;
        let relief = &mut self.relief[region * self.k..][..self.k];
        relief
            .iter_mut()
            .zip(members)
            .for_each(|(relief, member)| *relief = price - records.price_without(edges, *member));
    }

    /// Let every region exchange with those after it if that pays. Returns the gain, and the price
    /// before.
    fn improve(mut self, reach: usize, round: u32) -> (f64, f64) {
        let before: f64 = self.prices.iter().sum();
        for region in 0..self.prices.len() {
            for other in region + 1..(region + 1 + reach).min(self.prices.len()) {
                // Two that haven't changed since they were looked at, at the latest the round
                // before last, have nothing new for each other.
                if self.changed[region].max(self.changed[other]) + 2 < round {
                    continue;
                }
                if let Some((slot, other_slot)) = self.best(region, other) {
                    self.members.swap(region * self.k + slot, other * self.k + other_slot);
                    for region in [region, other] {
                        self.look(region);
                        self.changed[region] = round;
                    }
                }
            }
        }
        (before - self.prices.iter().sum::<f64>(), before)
    }

    /// The best exchange of two regions, if one gains.
    fn best(&self, region: usize, other: usize) -> Option<(usize, usize)> {
        let records = self.records;
        let (edges, other_edges) = (self.edges(region), self.edges(other));
        // Of regions that lie apart, neither can take a record of the other without growing over
        // what is between.
        if records.price_of_both(edges, other_edges) > self.prices[region] + self.prices[other] {
            return None;
        }
        let (own, others) = (self.members_of(region), self.members_of(other));
        let mut best = (EPSILON, None);
        for slot in self.promising(region, other) {
            for other_slot in self.promising(other, region) {
                let (leaves, comes) = (own[slot], others[other_slot]);
                let price = records.price_with(edges, leaves, comes);
                let other_price = records.price_with(other_edges, comes, leaves);
                let gain = self.prices[region] + self.prices[other] - price - other_price;
                // A region has a record once.
                if gain > best.0 && !own.contains(&comes) && !others.contains(&leaves) {
                    best = (gain, Some((slot, other_slot)));
                }
            }
        }
        best.1
    }

    fn members_of(&self, region: usize) -> &[u32] {
        &self.members[region * self.k..][..self.k]
    }

    /// The records of a region whose leaving saves most, minus the growth of the other region when
    /// they come.
    fn promising(&self, region: usize, other: usize) -> impl Iterator<Item = usize> + use<> {
        let edges = self.edges(other);
        let mut best = [(f64::NEG_INFINITY, usize::MAX); TRIED];
        for (slot, leaves) in self.members_of(region).iter().enumerate() {
            let grows = self.records.price_and(edges, *leaves) - self.prices[other];
            let promise = self.relief[region * self.k + slot] - grows;
            let place = best.iter().take_while(|(other, _)| *other >= promise).count();
            if place < TRIED {
                best[place..].rotate_right(1);
                best[place] = (promise, slot);
            }
        }
        best.into_iter().map(|(_, slot)| slot).filter(|slot| *slot != usize::MAX)
    }
}
