//! The search through the cut-enumeration tree. A node is a cut, and below it are the coarser cuts
//! that take back some of its splits but none of those it keeps. The cost increases on the way
//! down, so the cheapest node that may be published is the optimum.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rayon::prelude::*;
use sfumato_core::Result;

use crate::algorithms::global::cuts::cut_search::bound::bound;
use crate::algorithms::global::cuts::cut_search::budget::Budget;
use crate::algorithms::global::cuts::cut_search::choices::Choices;
use crate::algorithms::global::cuts::cut_search::items::{Item, Items};
use crate::algorithms::global::cuts::cut_search::records::Records;
use crate::algorithms::global::cuts::cut_search::reduce::reduce;
use crate::algorithms::global::cuts::cut_search::state::State;
use crate::algorithms::global::cuts::cut_search::{BestCuts, greedy, no_better};

/// A node of the tree.
#[derive(PartialEq)]
struct Cut {
    /// A lower bound of the cost of all cuts below.
    bound: f64,
    /// The number of the node; among equal ones the earlier comes first.
    number: u64,
    /// The splits of the cut.
    on: Items,
    /// The splits that all cuts below it keep.
    kept: Items,
}

impl Eq for Cut {}
impl PartialOrd for Cut {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cut {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(self.number.cmp(&other.number))
    }
}

/// Search all cuts in the order of cost, as far as the budget allows.
pub fn search(records: &Records<'_>, budget: &mut Budget<'_>) -> Result<BestCuts> {
    let (on, outcome) = greedy::descend(records, budget)?;
    let mut best = outcome.is_feasible().then_some((on, outcome.cost));
    let n_items = records.choices.len();
    let mut queue: BinaryHeap<Reverse<Cut>> = BinaryHeap::new();
    let mut number = 0;
    let root = State::new(records, &Items::none(n_items));
    if !root.is_hopeless(records) {
        let all = node(records, &root, Items::all(n_items), number, budget)?;
        queue.extend(candidate(records, all, &mut best, budget)?.map(Reverse));
    }
    let mut lower_bound = f64::NEG_INFINITY;
    while let Some(Reverse(cut)) = queue.pop() {
        // All that wait cost at least as much as this one.
        if no_better(cut.bound, least(&best)) {
            queue.clear();
            break;
        }
        lower_bound = cut.bound;
        if budget.is_spent() {
            queue.push(Reverse(cut));
            break;
        }
        let mut kept = State::new(records, &cut.kept);
        for item in in_order_of_cost(records, &cut, budget) {
            if budget.is_spent() {
                break;
            }
            let mut on = cut.on.clone();
            on.remove(item);
            number += 1;
            let child = node(records, &kept, on, number, budget)?;
            queue.extend(candidate(records, child, &mut best, budget)?.map(Reverse));
            kept = keep(records, kept, item, budget)?;
            if kept.is_hopeless(records) {
                // What keeps still more can't be published either.
                break;
            }
        }
        if budget.is_spent() {
            // Not all below it was looked at.
            queue.push(Reverse(cut));
            break;
        }
    }
    let proven = queue.is_empty();
    let lower_bound = lower_bound.min(least(&best));
    Ok(BestCuts { lower_bound, proven, visited: budget.visited, best })
}

fn least(best: &Option<(Items, f64)>) -> f64 {
    best.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost)
}

/// Visit a node: if its cut may be published, nothing below it costs less. Returns the node if
/// something below it may be better than the best.
fn candidate(
    records: &Records<'_>,
    cut: Cut,
    best: &mut Option<(Items, f64)>,
    budget: &mut Budget<'_>,
) -> Result<Option<Cut>> {
    budget.visited += 1;
    if no_better(cut.bound, least(best)) {
        return Ok(None);
    }
    budget.spend(records.len() as u64)?;
    let outcome = records.evaluate(&cut.on);
    if !outcome.is_feasible() {
        return Ok(Some(cut));
    }
    if !no_better(outcome.cost, least(best)) {
        *best = Some((cut.on, outcome.cost));
        budget.has_found = true;
    }
    Ok(None)
}

/// A node without the splits that can't be made in addition to those it keeps.
fn node(
    records: &Records<'_>,
    kept: &State,
    mut on: Items,
    number: u64,
    budget: &mut Budget<'_>,
) -> Result<Cut> {
    reduce(records, kept, &mut on, budget, |_| false)?;
    budget.spend(records.len() as u64)?;
    let bound = bound(records, kept, &on).total;
    Ok(Cut { bound, number, on, kept: kept.on.clone() })
}

/// Keep one more split, with all that it needs.
fn keep(records: &Records<'_>, kept: State, item: Item, budget: &mut Budget<'_>) -> Result<State> {
    let mut with = kept.on.clone();
    records.choices.insert(&mut with, item);
    let mut state = kept;
    // What is needed has the lower number.
    for item in with.minus(&state.on).iter().collect::<Vec<_>>() {
        state = state.with(records, item);
        budget.spend(state.touched)?;
    }
    Ok(state)
}

/// The splits that a cut can remove next, beginning with the one whose removal costs most: it is
/// kept in all other branches, and few splits can be added to it. `None` if the budget is spent.
fn in_order_of_cost(records: &Records<'_>, cut: &Cut, budget: &mut Budget<'_>) -> Vec<Item> {
    let can: Vec<Item> =
        last_splits(&records.choices, &cut.on).filter(|&item| !cut.kept.contains(item)).collect();
    if !budget.affords(can.len() as u64 * records.len() as u64) {
        return Vec::new();
    }
    let without = |item: Item| {
        let mut on = cut.on.clone();
        on.remove(item);
        records.evaluate(&on).cost
    };
    let mut order: Vec<(f64, Item)> =
        can.into_par_iter().map(|item| (without(item), item)).collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, item)| item).collect()
}

/// The splits that no other one needs.
fn last_splits<'i>(choices: &Choices<'_>, on: &'i Items) -> impl Iterator<Item = Item> + 'i {
    let mut needed = Items::none(choices.len());
    on.iter().filter_map(|item| choices.choice(item).needs).for_each(|item| needed.insert(item));
    on.iter().filter(move |&item| !needed.contains(item))
}
