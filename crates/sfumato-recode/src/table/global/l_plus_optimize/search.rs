//! The search through the cut-enumeration tree. A node is a cut, and below it are the coarser cuts that take back some of its
//! splits but none of those it keeps. Cost rises on the way down, so the cheapest node that may be published is the optimum.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use sfumato_core::Result;

use crate::table::global::cut_search::bound::bound;
use crate::table::global::cut_search::budget::Budget;
use crate::table::global::cut_search::choices::Choices;
use crate::table::global::cut_search::items::{Item, Items};
use crate::table::global::cut_search::records::Records;
use crate::table::global::cut_search::reduce::reduce;
use crate::table::global::cut_search::state::State;
use crate::table::global::cut_search::{Found, greedy, no_better};

/// A node of the tree.
#[derive(PartialEq)]
struct Cut {
    /// No cut below it costs less.
    bound: f64,
    /// Earlier ones first among equals.
    number: u64,
    /// The splits of the cut.
    on: Items,
    /// Those that all cuts below it keep.
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

/// Look through all cuts in the order of cost, as far as the budget goes.
pub fn search(records: &Records<'_>, budget: &mut Budget<'_>) -> Result<Found> {
    let (on, outcome) = greedy::descend(records, budget)?;
    let mut best = outcome.is_feasible().then_some((on, outcome.cost));
    let n_items = records.choices.len();
    let mut queue: BinaryHeap<Reverse<Cut>> = BinaryHeap::new();
    let mut number = 0;
    let first = node(records, Items::none(n_items), Items::all(n_items), number, budget)?;
    queue.extend(first.map(Reverse));
    let mut lower_bound = f64::NEG_INFINITY;
    while let Some(Reverse(cut)) = queue.pop() {
        let least = best.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost);
        // All that wait cost at least as much as this one.
        if no_better(cut.bound, least) {
            queue.clear();
            break;
        }
        lower_bound = cut.bound;
        if budget.is_spent() {
            queue.push(Reverse(cut));
            break;
        }
        budget.visited += 1;
        let state = State::new(records, &cut.on);
        budget.spend(state.touched)?;
        let outcome = state.outcome(records);
        if outcome.is_feasible() {
            // Whatever is coarser costs as much or more.
            if !no_better(outcome.cost, least) {
                best = Some((cut.on, outcome.cost));
            }
            continue;
        }
        let mut kept = cut.kept.clone();
        for item in in_order_of_cost(records, &cut, budget)? {
            let mut on = cut.on.clone();
            on.remove(item);
            number += 1;
            let Some(child) = node(records, kept.clone(), on, number, budget)? else {
                // What keeps still more can't be published either.
                break;
            };
            queue.push(Reverse(child));
            records.choices.insert(&mut kept, item);
        }
    }
    let proven = queue.is_empty();
    let cost = best.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost);
    Ok(Found { lower_bound: lower_bound.min(cost), proven, visited: budget.visited, best })
}

/// A node with all splits taken back that can't be made beside those it keeps. `None` if those it keeps can't be published: then
/// nothing below it can.
fn node(
    records: &Records<'_>,
    kept: Items,
    mut on: Items,
    number: u64,
    budget: &mut Budget<'_>,
) -> Result<Option<Cut>> {
    let head = State::new(records, &kept);
    budget.spend(head.touched)?;
    if head.is_hopeless(records) {
        return Ok(None);
    }
    reduce(records, &head, &mut on, budget, |_| false)?;
    budget.spend(records.len() as u64)?;
    let bound = bound(records, &head, &on).total;
    Ok(Some(Cut { bound, number, on, kept }))
}

/// The splits that a cut can take back next, the cheapest first.
fn in_order_of_cost(records: &Records<'_>, cut: &Cut, budget: &mut Budget<'_>) -> Result<Vec<Item>> {
    let mut order: Vec<(f64, Item)> = Vec::new();
    for item in last_splits(&records.choices, &cut.on).filter(|&item| !cut.kept.contains(item)) {
        let mut on = cut.on.clone();
        on.remove(item);
        budget.spend(records.len() as u64)?;
        order.push((records.evaluate(&on).cost, item));
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    Ok(order.into_iter().map(|(_, item)| item).collect())
}

/// The splits that no other one needs.
fn last_splits<'i>(choices: &Choices<'_>, on: &'i Items) -> impl Iterator<Item = Item> + 'i {
    let mut needed = Items::none(choices.len());
    on.iter().filter_map(|item| choices.choice(item).needs).for_each(|item| needed.insert(item));
    on.iter().filter(move |&item| !needed.contains(item))
}
