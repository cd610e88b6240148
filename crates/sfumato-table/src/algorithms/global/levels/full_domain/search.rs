//! The search for the best node: from cheap nodes upwards, where results of a node are used for its
//! neighbours.

use sfumato_core::Result;
use sfumato_core::traits::Join;

use super::large::{bound, descend};
use crate::algorithms::global::levels::lattice::{Known, Lattice, Node, NodeOutcome, Upward};
use crate::algorithms::shared::progress::Progress;

/// The best node that was found.
pub struct BestNode {
    /// The node.
    pub node: Node,
    /// The cost of the node.
    pub cost: f64,
    /// A lower bound of the cost of all nodes.
    pub bound: f64,
}

/// A search over a lattice.
pub struct Search<'a> {
    lattice: &'a Lattice<'a>,
    known: Known,
    best: Option<(f64, Node)>,
    /// Whether a node that fails rules out all nodes below.
    monotone: bool,
    /// Whether a node's cost without suppression bounds that of all nodes above.
    bounded: bool,
    /// The allowed work, in records of frequency sets that are read.
    budget: u64,
    /// The price at which chains change from nodes that fail to nodes that hold.
    border: Option<f64>,
}

impl<'a> Search<'a> {
    /// A search over a lattice, with a budget of records of frequency sets to read.
    pub fn new(lattice: &'a Lattice<'a>, budget: u64) -> Self {
        Search {
            known: Known::new(lattice.n_levels()),
            best: None,
            monotone: lattice.is_monotone(),
            bounded: lattice.objective_is_monotone(),
            budget,
            border: None,
            lattice,
        }
    }

    /// Find the best node. `None` if no node was found that may be published.
    pub fn run(mut self, progress: &mut Progress<'_>) -> Result<Option<BestNode>> {
        let top = self.lattice.top();
        if !self.look(&top).feasible && self.monotone {
            return Ok(None);
        }
        let objective = self.lattice.task().objective;
        let additive = self.bounded && !objective.ignores_cells() && objective.join() == Join::Sum;
        let mut upward = Upward::new(self.lattice);
        if !self.known.is_listed() {
            return self.run_large(&upward, additive, progress);
        }
        loop {
            let least = upward.least();
            let done =
                additive && self.best.as_ref().is_some_and(|(cost, _)| !cheaper(least, *cost));
            if done || least == f64::INFINITY {
                let (cost, node) = match self.best {
                    Some(best) => best,
                    None => return Ok(None),
                };
                return Ok(Some(BestNode { node, bound: cost, cost }));
            }
            if self.lattice.records_read() > self.budget {
                return Ok(self.unproven(additive, least));
            }
            progress.reach(0)?;
            let Some(node) = upward.next() else {
                // Nodes that found no room are never looked at.
                return Ok(self.unproven(additive, least));
            };
            if self.is_settled(&node) {
                continue;
            }
            if self.monotone || self.best.is_none() {
                self.climb(node, &upward);
            } else {
                self.look(&node);
            }
        }
    }

    /// The best node so far, when nodes are left. Their cost is bounded by their rank only if ranks
    /// are prices.
    fn unproven(self, additive: bool, least: f64) -> Option<BestNode> {
        let bound = if additive { least } else { f64::NEG_INFINITY };
        self.best.map(|(cost, node)| BestNode { node, bound: bound.min(cost), cost })
    }

    /// Search without listing nodes: on the way up from the bottom, by small steps from the node
    /// found there, and with a bound from blocks of columns.
    fn run_large(
        mut self,
        upward: &Upward,
        additive: bool,
        progress: &mut Progress<'_>,
    ) -> Result<Option<BestNode>> {
        self.climb(self.lattice.bottom(), upward);
        let Some(first) = self.best else { return Ok(None) };
        let (cost, node) = descend(self.lattice, first, self.budget / 2, progress)?;
        let bound = match additive && self.monotone {
            true => bound(self.lattice, self.budget, progress)?,
            false => f64::NEG_INFINITY,
        };
        Ok(Some(BestNode { node, bound: bound.min(cost), cost }))
    }

    /// Whether a node needn't be examined.
    fn is_settled(&self, node: &[u8]) -> bool {
        self.known.is_seen(node)
            || self.known.is_dear(node)
            || (self.monotone && self.known.fails(node))
    }

    /// On the cheapest path up from a node through nodes about which nothing is known, find where
    /// failing nodes end: the higher the last of them, the more nodes below it fail too, and the
    /// first that may be published may be the best.
    fn climb(&mut self, start: Node, upward: &Upward) {
        let chain = self.way_up(start, upward);
        // All chains pass from one to the other at about the same price, so begin where the last
        // one did, and take ever larger steps.
        let begin = match self.border {
            Some(rank) => {
                chain.partition_point(|node| upward.rank(node) <= rank).clamp(1, chain.len()) - 1
            }
            None => chain.len() / 2,
        };
        let (mut fails, mut holds) = (None, chain.len());
        let (mut place, mut step) = (begin, 1);
        loop {
            if self.look(&chain[place]).feasible {
                holds = place;
                if fails.is_some() || place == 0 {
                    break;
                }
                place = place.saturating_sub(step);
            } else {
                fails = Some(place);
                if holds < chain.len() || place + 1 == chain.len() {
                    break;
                }
                place = (place + step).min(chain.len() - 1);
            }
            step *= 2;
        }
        let mut low = fails.map_or(0, |place| place + 1);
        while low < holds {
            let middle = (low + holds) / 2;
            if self.look(&chain[middle]).feasible {
                holds = middle;
            } else {
                low = middle + 1;
            }
        }
        if let Some(last) = low.checked_sub(1) {
            let rank = upward.rank(&chain[last]);
            self.border = Some(self.border.map_or(rank, |before| 0.5 * (before + rank)));
        }
        // The first of the chain may not be seen where nodes that fail rule out nothing.
        if !self.is_settled(&chain[0]) {
            self.look(&chain[0]);
        }
    }

    /// The cheapest path up from a node, through nodes about which nothing is known.
    fn way_up(&self, start: Node, upward: &Upward) -> Vec<Node> {
        let n_levels = self.lattice.n_levels();
        let mut chain = vec![start];
        loop {
            let node = chain.last().expect("it starts with one");
            let above =
                (0..node.len()).filter(|&column| usize::from(node[column]) + 1 < n_levels[column]);
            let next = above
                .map(|column| {
                    let mut above = node.clone();
                    above[column] += 1;
                    (upward.rank(&above), above)
                })
                .filter(|(_, above)| !self.is_settled(above))
                .min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
            match next {
                Some((_, above)) => chain.push(above),
                None => return chain,
            }
        }
    }

    /// Examine a node and store what that implies for others.
    fn look(&mut self, node: &[u8]) -> NodeOutcome {
        let outcome = self.lattice.look(node);
        self.known.see(node);
        if !outcome.feasible && self.monotone {
            self.known.fail(node);
        }
        let better = match &self.best {
            None => outcome.feasible,
            Some((cost, _)) => cheaper(outcome.cost, *cost),
        };
        if outcome.feasible && better {
            self.best = Some((outcome.cost, node.to_vec()));
        }
        if self.bounded && self.best.as_ref().is_some_and(|(cost, _)| cheaper(*cost, outcome.bound))
        {
            self.known.dismiss(node);
        }
        outcome
    }
}

/// Whether one cost is below another by more than rounding.
pub fn cheaper(a: f64, b: f64) -> bool {
    a < b - 1e-9 * b.abs()
}
