//! Polishing: improves a k-anonymous release of baskets without losing anything.
//!
//! Each round finds the best step of every class, given what is published now, and takes the steps
//! that gain most and don't conflict with each other. No step lowers the utility, and every class
//! keeps k records.

mod search;
mod state;
mod step;
mod take;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::observer::Unit;
use sfumato_core::transactions::Sets;
use sfumato_core::{Result, with_sets};

use crate::data::PublishedSets;
use crate::traits::SetTask;

use search::search;
use state::State;
use step::{Chooser, Step};
use take::take;

/// The share of the utility that a round must gain; otherwise it is the last.
const WORTHWHILE: f64 = 1e-3;

/// The smallest number of classes that one task processes.
const TOGETHER: usize = 32;

/// Polish a release in which every published set belongs to at least `task.k` records, weights
/// counted.
pub fn polish(
    task: &SetTask<'_>,
    published: PublishedSets,
    rounds: usize,
) -> Result<PublishedSets> {
    with_sets!(task.sets, rows => run(task, rows, published, rounds))
}

fn run<C: Code>(
    task: &SetTask<'_>,
    rows: Sets<'_, C>,
    published: PublishedSets,
    rounds: usize,
) -> Result<PublishedSets> {
    let mut state = State::new(task, rows, published);
    state.close();
    task.observer.begin("polishing", rounds as u64, Unit::Steps);
    let frequency = task.sets.counts();
    for _ in 0..rounds {
        task.check_cancelled()?;
        if task.observer.enough() {
            break;
        }
        let worth = state.worth();
        let found = search(&state, &frequency);
        let steps: Vec<Option<Step>> = (0..state.classes.len())
            .into_par_iter()
            .with_min_len(TOGETHER)
            .map_init(
                || Chooser::new(task.sets.n_items()),
                |chooser, class| chooser.best(&state, class, &found),
            )
            .collect();
        let gained = take(&mut state, &steps, &found);
        state.close();
        task.observer.advance(1);
        if gained <= worth * WORTHWHILE {
            break;
        }
    }
    task.observer.end();
    Ok(state.publish())
}
