//! Finds a first good set of splits: starting without splits, it always makes the split that gives
//! the cheapest release. An exact search must then find something better.

use rayon::prelude::*;
use sfumato_core::Result;

use super::budget::Budget;
use super::choices::{Choices, Split};
use super::class::SplitsOutcome;
use super::items::{Item, Items};
use super::records::Records;
use super::state::State;

/// The approximate number of splits that are tried inside one interval.
const MOST_IN_INTERVAL: usize = 32;

/// A set of splits that no further split improves, or the last one before the budget was spent.
pub fn descend(records: &Records<'_>, budget: &mut Budget<'_>) -> Result<(Items, SplitsOutcome)> {
    let all = Items::all(records.choices.len());
    let mut state = State::new(records, &Items::none(records.choices.len()));
    let mut outcome = state.outcome(records);
    loop {
        budget.has_found |= outcome.is_feasible();
        if budget.is_spent() {
            break;
        }
        let candidates = thinned(&records.choices, records.choices.available(&state.on, &all));
        let tried: Vec<(SplitsOutcome, u64)> = candidates
            .par_iter()
            .map(|&item| state.with(records, item))
            .map(|next| (next.outcome(records), next.touched))
            .collect();
        budget.spend(tried.iter().map(|(_, touched)| touched).sum())?;
        budget.visited += tried.len() as u64;
        let mut best: Option<(SplitsOutcome, Item)> = None;
        for (&(other, _), &item) in tried.iter().zip(&candidates) {
            if best.as_ref().is_none_or(|(best, _)| other.is_better_than(best)) {
                best = Some((other, item));
            }
        }
        // Equal ones are taken too: they show more at the same cost.
        match best.filter(|(next, _)| !outcome.is_better_than(next)) {
            Some((next, item)) => (outcome, state) = (next, state.with(records, item)),
            None => break,
        }
    }
    Ok((state.on, outcome))
}

/// An evenly spread selection of splits, if a column has very many.
fn thinned(choices: &Choices<'_>, items: Vec<Item>) -> Vec<Item> {
    let inside = |item: Item| {
        let choice = choices.choice(item);
        matches!(choice.split, Split::Behind(_)).then_some(choice.column)
    };
    let mut thin = Vec::new();
    for run in items.chunk_by(|&a, &b| a + 1 == b && inside(a).is_some() && inside(a) == inside(b))
    {
        let step = run.len().div_ceil(MOST_IN_INTERVAL);
        thin.extend(run.iter().skip(step / 2).step_by(step));
    }
    thin
}
