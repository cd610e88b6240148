//! Writes the nodes to a draft, in random order. Nothing here decides anything or makes the file
//! visible.

use sfumato_core::Result;
use sfumato_core::column::Code as _;
use sfumato_core::observer::Observer;
use sfumato_core::with_sets;
use sfumato_engine::draft::Draft;
use sfumato_io::{BasketWriteOptions, write_baskets};

use super::labels::Labels;
use super::tree_of;
use crate::algorithms::generalization::GeneralizedSets;
use crate::data::read::Loaded;
use crate::forms::subsets::publish::{order, write_options};
use crate::job::Job;

/// What is needed to read a draft back.
pub struct Witness {
    /// The options with which it was written.
    pub options: BasketWriteOptions,
    /// Which record each row is made from.
    pub order: Vec<u32>,
}

/// Write the records.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    decided: &GeneralizedSets,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let (tree, baskets) = (tree_of(loaded)?, &loaded.baskets);
    let order = order(job, baskets.quasi.len())?;
    let labels = Labels::of(tree, &baskets.items);
    // Only names that are used: others may be such as can't stand in a file of this layout.
    let mut is_used = vec![false; labels.names.len()];
    with_sets!(&decided.sets, sets =>
        sets.codes.iter().for_each(|node| is_used[node.widen() as usize] = true));
    is_used[tree.n_nodes()..].fill(true);
    let mut codes = vec![0; is_used.len()];
    let mut names: Vec<String> = Vec::new();
    for code in (0..is_used.len()).filter(|code| is_used[*code]) {
        codes[code] = names.len() as u32;
        names.push(labels.names[code].clone());
    }
    let rows = |row: usize, out: &mut Vec<u32>| {
        let record = order[row] as usize;
        with_sets!(&decided.sets, sets => {
            let set = sets.get(decided.of_record[record] as usize);
            out.extend(set.iter().map(|node| codes[node.widen() as usize]));
        });
        if let Some(sensitive) = &baskets.sensitive {
            let code = |item: u32| labels.of_sensitive(item).map(|code| codes[code as usize]);
            out.extend(sensitive.set(record).into_iter().filter_map(code));
        }
    };
    let form = &loaded.release_layout;
    let (mut options, destination) = write_options(job, loaded, form)?;
    // Labels of groups are no numbers.
    options.numeric = false;
    let mut draft = Draft::file(&destination)?;
    draft
        .write(|file| write_baskets(file, form, &names, order.len(), &rows, &options, observer))?;
    Ok((draft, Witness { options, order }))
}
