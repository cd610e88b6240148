//! The generalization lattice: a node is one level per column. This module orders nodes from cheap
//! to expensive.
//!
//! Small lattices are listed and each node is entered several times, first for its cheap groups
//! only. Large ones are never listed: a heap gives the cheapest node not seen yet, whatever their
//! number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use sfumato_core::traits::Join;

use super::ladder::Ladder;
use super::packed::Packed;
use super::records::Records;

/// A node of the lattice: one level per column.
pub type Levels = Vec<u8>;

/// The largest lattice whose nodes are listed.
const LISTED: u128 = 60_000;
/// The number of records by which the groups of a node are judged.
const SAMPLE: usize = 128;

/// One visit of the walk: a node, and the highest price of a group that is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// The node.
    pub levels: Levels,
    /// The price above which groups wait.
    pub cap: f64,
    /// The rank by which visits are ordered.
    pub rank: f64,
}

/// The lattice of a table.
pub struct Lattice<'a> {
    /// The levels of each column.
    pub ladders: &'a [Ladder],
    /// Its columns, packed for looking up.
    pub packed: Packed,
    /// How the prices of cells are combined.
    pub join: Join,
    /// `average[column][level]`: the mean price over records, or the mean of its logarithm if
    /// prices are multiplied, so that it can be added.
    average: Vec<Vec<f64>>,
    /// `least[column][level]`: the least price of any record, or its logarithm if prices are
    /// multiplied.
    least: Vec<Vec<f64>>,
}

/// The order of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By their mean cost.
    Average,
    /// By their least cost.
    Least,
}

impl<'a> Lattice<'a> {
    /// The lattice over the levels of a table's columns.
    pub fn new(records: &Records, ladders: &'a [Ladder], join: Join) -> Self {
        let total: f64 = records.weight.iter().map(|&w| f64::from(w)).sum::<f64>().max(1.0);
        let average = ladders.iter().enumerate().map(|(place, ladder)| {
            let mean = |rung: &super::ladder::Rung| {
                let term = |(record, &weight): (usize, &u32)| {
                    let price =
                        rung.price[records.codes[record * records.n_columns + place] as usize];
                    let price = match join {
                        Join::Sum => price,
                        Join::Product => price.max(f64::MIN_POSITIVE).ln(),
                    };
                    price * f64::from(weight)
                };
                records.weight.iter().enumerate().map(term).sum::<f64>() / total
            };
            let mut means: Vec<f64> = ladder.rungs.iter().map(mean).collect();
            // An objective that isn't monotone may call a coarser level cheaper; the order of the
            // walk mustn't.
            for level in 1..means.len() {
                means[level] = means[level].max(means[level - 1]);
            }
            means
        });
        let average = average.collect();
        let least = ladders.iter().enumerate().map(|(place, ladder)| {
            let mut seen = vec![false; ladder.rungs[0].key.len()];
            (0..records.len() as u32)
                .for_each(|record| seen[records.codes(record)[place] as usize] = true);
            let least = |rung: &super::ladder::Rung| {
                let prices = rung
                    .price
                    .iter()
                    .zip(&seen)
                    .filter(|(_, seen)| **seen)
                    .map(|(price, _)| *price);
                let least = prices.fold(f64::INFINITY, f64::min);
                match join {
                    Join::Sum => least,
                    Join::Product => least.max(f64::MIN_POSITIVE).ln(),
                }
            };
            // What lies above costs at least as much as the cheapest of what lies above it.
            let mut leasts: Vec<f64> = ladder.rungs.iter().map(least).collect();
            for level in (1..leasts.len()).rev() {
                leasts[level - 1] = leasts[level - 1].min(leasts[level]);
            }
            leasts
        });
        let least = least.collect();
        let packed = Packed::new(records, ladders, join);
        Lattice { ladders, packed, join, average, least }
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> u128 {
        self.ladders.iter().fold(1u128, |n, ladder| n.saturating_mul(ladder.rungs.len() as u128))
    }

    /// Whether its nodes are few enough to be listed.
    pub fn is_listed(&self) -> bool {
        self.n_nodes() <= LISTED
    }

    /// The price of a record at a node.
    #[inline]
    pub fn price(&self, codes: &[u32], levels: &[u8]) -> f64 {
        let cells = self.ladders.iter().zip(codes).zip(levels);
        self.join.all(
            cells
                .map(|((ladder, &code), &level)| ladder.rungs[level as usize].price[code as usize]),
        )
    }

    /// The number of a record's group at a node.
    #[inline]
    pub fn key(&self, codes: &[u32], levels: &[u8]) -> u64 {
        let cells = self.ladders.iter().zip(codes).zip(levels);
        cells.fold(0u64, |sum, ((ladder, &code), &level)| {
            sum.wrapping_add(ladder.rungs[level as usize].key[code as usize])
        })
    }

    fn rank(&self, order: Order, levels: &[u8]) -> f64 {
        let ranks = match order {
            Order::Average => &self.average,
            Order::Least => &self.least,
        };
        ranks.iter().zip(levels).map(|(means, &level)| means[level as usize]).sum()
    }

    /// All nodes, or `None` if there are too many to list.
    fn nodes(&self) -> Option<Vec<Levels>> {
        if !self.is_listed() {
            return None;
        }
        let mut nodes: Vec<Levels> = vec![Vec::new()];
        for ladder in self.ladders {
            nodes = nodes
                .iter()
                .flat_map(|node| {
                    (0..ladder.rungs.len() as u8).map(move |level| {
                        let mut node = node.clone();
                        node.push(level);
                        node
                    })
                })
                .collect();
        }
        Some(nodes)
    }

    /// Visits from cheap to expensive. In a small lattice every node is visited at `quantiles`
    /// quantiles of the prices of its records.
    pub fn visits(&self, records: &Records, quantiles: usize) -> Visits<'_> {
        let Some(nodes) = self.nodes().filter(|_| records.len() > 0) else {
            return Visits::Lazy(Lazy::new(self, Order::Average));
        };
        let step = (records.len() / SAMPLE).max(1);
        let sample: Vec<u32> = (0..records.len() as u32).step_by(step).collect();
        let visits_of = |levels: Levels| -> Vec<Visit> {
            if quantiles <= 1 {
                return vec![Visit {
                    rank: self.rank(Order::Average, &levels),
                    levels,
                    cap: f64::INFINITY,
                }];
            }
            let mut prices: Vec<f64> =
                sample.iter().map(|&record| self.price(records.codes(record), &levels)).collect();
            prices.sort_unstable_by(f64::total_cmp);
            let mut visits: Vec<Visit> = Vec::with_capacity(quantiles);
            for part in 1..=quantiles {
                let rank = prices[(part * prices.len() / quantiles).max(1) - 1];
                if visits.last().is_some_and(|last| rank <= last.rank + 1e-12) {
                    visits.pop();
                }
                let cap = if part == quantiles { f64::INFINITY } else { rank };
                visits.push(Visit { levels: levels.clone(), cap, rank });
            }
            visits
        };
        let mut visits: Vec<Visit> = nodes.into_par_iter().flat_map_iter(visits_of).collect();
        visits.par_sort_by(|a, b| a.rank.total_cmp(&b.rank).then_with(|| a.levels.cmp(&b.levels)));
        Visits::Listed(visits.into_iter())
    }
}

impl Lattice<'_> {
    /// All nodes, each once, by their least cost: the price of a record at any later node is no
    /// less than `rank` (or its logarithm if prices are multiplied).
    pub fn by_least_price(&self) -> Lazy<'_> {
        Lazy::new(self, Order::Least)
    }
}

/// The visits of a walk, in their order.
pub enum Visits<'a> {
    /// Visits that are known in advance.
    Listed(std::vec::IntoIter<Visit>),
    /// Visits that are found one after the other.
    Lazy(Lazy<'a>),
}

impl Iterator for Visits<'_> {
    type Item = Visit;
    fn next(&mut self) -> Option<Visit> {
        match self {
            Visits::Listed(visits) => visits.next(),
            Visits::Lazy(lazy) => lazy.next(),
        }
    }
}

/// Nodes in the order of their average price, each found once: a node is reached from the one below
/// it in its last column that isn't at the bottom.
pub struct Lazy<'a> {
    lattice: &'a Lattice<'a>,
    order: Order,
    heap: BinaryHeap<Reverse<Entry>>,
}

/// The largest number of nodes that wait in the heap. A node for which there is no room is never
/// visited.
const MOST_WAITING: usize = 1_000_000;

#[derive(PartialEq)]
struct Entry {
    rank: f64,
    levels: Levels,
}

impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank.total_cmp(&other.rank).then_with(|| self.levels.cmp(&other.levels))
    }
}

impl<'a> Lazy<'a> {
    fn new(lattice: &'a Lattice<'a>, order: Order) -> Self {
        let levels = vec![0; lattice.ladders.len()];
        let entry = Entry { rank: lattice.rank(order, &levels), levels };
        Lazy { lattice, order, heap: BinaryHeap::from([Reverse(entry)]) }
    }
}

impl Iterator for Lazy<'_> {
    type Item = Visit;
    fn next(&mut self) -> Option<Visit> {
        let Reverse(Entry { rank, levels }) = self.heap.pop()?;
        let last = levels.iter().rposition(|&level| level > 0).unwrap_or(0);
        for column in last..levels.len() {
            if (levels[column] as usize) + 1 < self.lattice.ladders[column].rungs.len()
                && self.heap.len() < MOST_WAITING
            {
                let mut above = levels.clone();
                above[column] += 1;
                self.heap.push(Reverse(Entry {
                    rank: self.lattice.rank(self.order, &above),
                    levels: above,
                }));
            }
        }
        Some(Visit { levels, cap: f64::INFINITY, rank })
    }
}
