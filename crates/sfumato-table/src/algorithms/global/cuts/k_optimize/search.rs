//! The search through the set-enumeration tree. A node is a head, the splits that are made, and a
//! tail, those that may still be; its descendants are the sets between.

use sfumato_core::Result;

use crate::algorithms::global::cuts::cut_search::bound::{Bound, bound};
use crate::algorithms::global::cuts::cut_search::budget::Budget;
use crate::algorithms::global::cuts::cut_search::items::{Item, Items};
use crate::algorithms::global::cuts::cut_search::records::Records;
use crate::algorithms::global::cuts::cut_search::reduce::reduce;
use crate::algorithms::global::cuts::cut_search::state::State;
use crate::algorithms::global::cuts::cut_search::{BestCuts, greedy, no_better};

/// A node whose children are being visited.
struct Open {
    head: State,
    /// The splits of the head, and those that are left of the tail.
    finest: Items,
    /// The splits to try next, the last one first.
    order: Vec<Item>,
    /// A lower bound of the cost of all remaining descendants.
    bound: f64,
    fresh: bool,
}

/// Search all sets of splits, as far as the budget allows.
pub fn search(records: &Records<'_>, budget: &mut Budget<'_>) -> Result<BestCuts> {
    let (on, outcome) = greedy::descend(records, budget)?;
    let search = Search {
        records,
        budget,
        left_open: f64::INFINITY,
        best: outcome.is_feasible().then_some((on, outcome.cost)),
    };
    search.run()
}

struct Search<'s, 'a, 'b> {
    records: &'s Records<'a>,
    budget: &'s mut Budget<'b>,
    best: Option<(Items, f64)>,
    /// The least bound of the nodes that were left when the budget was spent.
    left_open: f64,
}

impl Search<'_, '_, '_> {
    fn least(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost)
    }

    fn run(mut self) -> Result<BestCuts> {
        let n_items = self.records.choices.len();
        let root = State::new(self.records, &Items::none(n_items));
        let mut lower_bound = bound(self.records, &root, &Items::all(n_items)).total;
        let mut stack: Vec<Open> = self.open(root, Items::all(n_items))?.into_iter().collect();
        while let Some(node) = stack.last_mut() {
            let Some(item) = node.order.pop() else {
                stack.pop();
                continue;
            };
            if self.budget.is_spent() {
                node.order.push(item);
                break;
            }
            if !node.fresh {
                // Every set with one of the splits tried before has been looked at: the finest set
                // within reach is coarser now.
                node.bound = node.bound.max(bound(self.records, &node.head, &node.finest).total);
                self.budget.spend(self.records.len() as u64)?;
                if no_better(
                    node.bound,
                    self.best.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost),
                ) {
                    stack.pop();
                    continue;
                }
            }
            node.fresh = false;
            let child = node.head.with(self.records, item);
            let finest = node.finest.clone();
            self.records.choices.remove(&mut node.finest, item);
            stack.extend(self.open(child, finest)?);
        }
        let proven = stack.is_empty() && self.left_open == f64::INFINITY;
        let open = stack.iter().filter(|node| !node.order.is_empty()).map(|node| node.bound);
        lower_bound = open
            .fold(self.left_open.min(self.least()), f64::min)
            .max(lower_bound.min(self.least()));
        Ok(BestCuts { lower_bound, proven, visited: self.budget.visited, best: self.best })
    }

    /// Visit a node: keep it if it is the best so far, and remove useless splits from its tail.
    /// `None` if no descendant needs to be visited.
    fn open(&mut self, head: State, mut finest: Items) -> Result<Option<Open>> {
        let records = self.records;
        self.budget.visited += 1;
        let outcome = head.outcome(records);
        if outcome.is_feasible() && !no_better(outcome.cost, self.least()) {
            self.best = Some((head.on.clone(), outcome.cost));
            self.budget.has_found = true;
        }
        self.budget.spend(head.touched)?;
        if head.is_hopeless(records) {
            return Ok(None);
        }
        loop {
            let least = bound(records, &head, &finest);
            self.budget.spend(records.len() as u64)?;
            if no_better(least.total, self.least()) {
                return Ok(None);
            }
            let before = finest.count();
            let best = self.least();
            let mut order = reduce(records, &head, &mut finest, self.budget, |child| {
                no_better(least.total + doomed(records, child, &least), best)
            })?;
            if self.budget.is_spent() {
                self.left_open = self.left_open.min(least.total);
                return Ok(None);
            }
            if finest.count() < before {
                continue;
            }
            // The split that goes through most classes is tried first: without it, little is left
            // to gain.
            order.sort_unstable_by_key(|&(classes, item)| (classes, std::cmp::Reverse(item)));
            let order = order.into_iter().map(|(_, item)| item).collect();
            return Ok(Some(Open { head, finest, order, bound: least.total, fresh: true }));
        }
    }
}

/// By how much the bound rises because of classes that can't be published any more: they cost as
/// suppressed in every descendant.
fn doomed(records: &Records<'_>, state: &State, least: &Bound) -> f64 {
    if least.shares.is_empty() {
        return 0.0;
    }
    let rise = |&point: &u32| {
        let rows = records.weight[point as usize] as f64;
        rows * records.task.objective.suppressed - least.shares[point as usize]
    };
    state.doomed(records).flat_map(|class| &class.points).map(rise).sum()
}
