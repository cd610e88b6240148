//! Polishing: what a k-anonymous release of baskets can gain without losing anything.
//!
//! Each round looks for the best step of every class, with what is published now, and takes the steps that pay most and don't get in
//! each other's way. No step lowers the utility, and every class keeps k records.

mod state;
mod step;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::observer::Unit;
use sfumato_core::sets::{Published, SetTask, Sets};
use sfumato_core::{Result, with_sets};

use super::trie::{Seeker, Trie};
use state::State;
use step::{Chooser, Step};

/// A round that gains less than this share of the utility is the last.
const WORTHWHILE: f64 = 2e-3;

/// Records that one task looks at, at least.
const TOGETHER: usize = 256;

/// A class worth less than this share of a record's own is no place for it: few steps gain by it, and the search for it takes time.
const NEAR: f64 = 0.5;

/// Polish a release in which every set that is published is published for at least `task.k` records, weights counted.
pub fn polish(task: &SetTask<'_>, published: Published, rounds: usize) -> Result<Published> {
    with_sets!(task.sets, rows => run(task, rows, published, rounds))
}

/// Where a record could go: another class whose set it contains, and what that set is worth.
#[derive(Clone, Copy)]
pub(super) struct Elsewhere {
    class: u32,
    worth: f64,
}

fn run<C: Code>(
    task: &SetTask<'_>,
    rows: Sets<'_, C>,
    published: Published,
    rounds: usize,
) -> Result<Published> {
    let mut state = State::new(task, rows, published);
    state.close();
    task.observer.begin("polishing", rounds as u64, Unit::Steps);
    for _ in 0..rounds {
        task.check_cancelled()?;
        let worth = state.worth();
        let sets = state.classes.iter().map(|class| (class.set.as_slice(), class.worth));
        let trie = Trie::new(task.sets.n_items(), sets);
        let elsewhere: Vec<Option<Elsewhere>> = (0..rows.len())
            .into_par_iter()
            .with_min_len(TOGETHER)
            .map_init(Seeker::default, |seeker, record| {
                let own = state.of_record[record];
                let above = NEAR * state.classes[own as usize].worth;
                let best = trie.best(seeker, rows.get(record), own, above);
                best.map(|(class, worth)| Elsewhere { class, worth })
            })
            .collect();
        let steps: Vec<Option<Step>> = state
            .classes
            .par_iter()
            .with_min_len(TOGETHER / 8)
            .map_init(
                || Chooser::new(task.sets.n_items()),
                |chooser, class| chooser.best(&state, class, &elsewhere),
            )
            .collect();
        let gained = take(&mut state, &steps, &elsewhere);
        state.close();
        task.observer.advance(1);
        if gained <= worth * WORTHWHILE {
            break;
        }
    }
    task.observer.end();
    Ok(state.publish())
}

/// Take the steps that gain most, one after the other. A class that was changed takes in no record, and one that took in a record
/// isn't changed: what was found out about both is no longer true. Returns what was gained.
fn take<C: Code>(state: &mut State<'_, C>, steps: &[Option<Step>], elsewhere: &[Option<Elsewhere>]) -> f64 {
    let mut order: Vec<(usize, &Step)> =
        steps.iter().enumerate().filter_map(|(class, step)| Some((class, step.as_ref()?))).collect();
    order.sort_unstable_by(|a, b| b.1.gain.total_cmp(&a.1.gain).then(a.0.cmp(&b.0)));
    let n = state.classes.len();
    let (mut changed, mut received) = (vec![false; n], vec![false; n]);
    let mut gained = 0.0;
    for (class, step) in order {
        let leaving = |members: &[u32]| -> Vec<u32> {
            members.iter().zip(&step.stays).filter(|(_, stays)| !**stays).map(|(record, _)| *record).collect()
        };
        let leaving = leaving(&state.classes[class].members);
        let goes_to = |record: &u32| elsewhere[*record as usize].map(|to| to.class as usize);
        let open = |record: &u32| goes_to(record).is_some_and(|to| !changed[to]);
        if received[class] || (!step.apart && !leaving.iter().all(open)) {
            continue;
        }
        let mut stays = step.stays.iter();
        state.classes[class].members.retain(|_| stays.next() == Some(&true));
        if step.apart {
            state.add(leaving);
        } else {
            for record in leaving {
                if let Some(to) = goes_to(&record) {
                    state.classes[to].members.push(record);
                    received[to] = true;
                }
            }
        }
        changed[class] = true;
        gained += step.gain;
    }
    gained
}
