//! Two-phase aggregation: classes drop items until they can merge, then take items back and split
//! where possible.

mod merge;
mod ranked;
mod reach;
mod split;
mod store;
#[cfg(test)]
mod tests;
mod words;

use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::transactions::{Builder, Sets};
use sfumato_core::with_sets;

use super::papers;
use crate::algorithms::shared::feasible;
use crate::data::PublishedSets;
use crate::traits::{SetAlgorithm, SetTask};

/// The algorithm `two-phase`, an entry of the registry.
pub struct TwoPhase;

static INFO: Info = Info {
    name: "two-phase",
    summary: "merges the smallest classes by dropping items until all are large enough, then \
        splits off records that can keep an item more",
    papers: &[papers::PODGURSKY],
    params: &[],
    doc: include_str!("two_phase.md"),
    capabilities: Capabilities {
        serves: Fact::OF_COPIES,
        takes_weights: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SetAlgorithm for TwoPhase {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &SetTask<'_>) -> Result<PublishedSets> {
        feasible::check(task)?;
        with_sets!(task.sets, sets => run(sets, task))
    }
}

fn run<C: Code>(sets: Sets<'_, C>, task: &SetTask<'_>) -> Result<PublishedSets> {
    let task = &SetTask { k: task.k.max(1), ..*task };
    let (ranked, keys) = ranked::Ranked::of(sets, task.weights, task.utilities);
    task.check_cancelled()?;
    let reach = reach::Reach::of(&ranked, &keys);
    drop(keys);
    let words = words::Words::new(ranked.items.len());
    let of_word = merge::merge(&ranked, &reach, &words, task)?;
    drop(reach);
    let mut store = store::Store::new(&ranked, &words, &of_word);
    drop(of_word);
    split::split(&mut store, task)?;

    let mut published = Builder::new(task.sets.n_items());
    let (mut of_word, mut n_sets) = (vec![0u32; ranked.len()], 0);
    for class in store.classes.iter().filter(|class| class.size > 0) {
        let mut set: Vec<u32> = class.set.iter().map(|rank| ranked.items[*rank as usize]).collect();
        set.sort_unstable();
        published.push(&set);
        class.members.iter().for_each(|word| of_word[*word as usize] = n_sets);
        n_sets += 1;
    }
    let of_record = ranked.of_record.iter().map(|word| of_word[*word as usize]).collect();
    Ok(PublishedSets { of_record, sets: published.finish(), witnesses: None })
}
