//! The algorithm `set-mondrian`: a class of records splits into those with an item and those
//! without, as long as both sides have k records.

mod ahead;
mod bits;
mod chain;
mod entropy;
mod inverted;
mod level;
mod matrix;
mod rule;
mod side;
mod small;
#[cfg(test)]
mod tests;
mod utility;
mod weights;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::{Error, Result, with_sets};

use crate::algorithms::shared::classes::Classes;
use crate::algorithms::shared::feasible;
use crate::algorithms::shared::polish::polish;
use crate::data::PublishedSets;
use crate::traits::{SetAlgorithm, SetTask};
use bits::Bits;
use chain::{Node, Run};
use entropy::{Entropy, MOST_ITEMS};
use inverted::Inverted;
use level::Work;
use rule::{Even, Rule, may_split};
use utility::Utility;
use weights::{Ones, Weights};

/// The algorithm `set-mondrian`, an entry of the registry.
pub struct SetMondrian;

static INFO: Info = Info {
    name: "set-mondrian",
    summary: "splits records into those with an item and those without, again and again, as long \
        as both sides have k records",
    papers: &[
        Paper {
            authors: "B. Podgursky",
            title: "Practical k-anonymity on large datasets",
            venue: "Master's thesis, Vanderbilt University",
            year: 2011,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Mondrian multidimensional k-anonymity",
            venue: "ICDE",
            year: 2006,
        },
        Paper {
            authors: "Y. He, J. F. Naughton",
            title: "Anonymization of set-valued data via top-down, local generalization",
            venue: "Proceedings of the VLDB Endowment 2(1)",
            year: 2009,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "split",
            ParamKind::Choice(&["even", "entropy", "utility"]),
            "even",
            "the item a class is split on: the most frequent, the one that leaves least entropy, \
                the one that earns most utility for a bit",
        ),
        ParamSpec::optional(
            "polish",
            ParamKind::Flag,
            "move records between classes afterwards where that keeps more; if not given, only for \
                split=utility and up to a million records",
        ),
    ],
    doc: include_str!("mondrian.md"),
    capabilities: Capabilities {
        serves: Fact::OF_COPIES,
        takes_weights: true,
        anytime: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// The number of records above which polishing happens only on request: it takes longer than
/// splitting.
const POLISHED_UNASKED: u32 = 1_000_000;
/// The largest number of rounds of polishing. The first gain most, and with many records each takes
/// long.
fn rounds(n: u32) -> usize {
    if n <= 250_000 { 4 } else { 2 }
}
/// How many splits of a small class are tried. With many records, the trials take at most half as
/// long as the rest. The smaller k is, the more items can split a small class.
fn tried(n: u32, k: u64) -> usize {
    match n <= POLISHED_UNASKED {
        true => 4,
        false if k >= 5 => 2,
        false => 1,
    }
}

impl SetAlgorithm for SetMondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &SetTask<'_>) -> Result<PublishedSets> {
        let n = feasible::check(task)?;
        let choice = params.text("split");
        task.observer.begin("splitting", u64::from(n), Unit::Rows);
        let classes = match choice {
            Some("entropy") => split(&Entropy { bits: Bits::new(n) }, task, MOST_ITEMS),
            Some("utility") => {
                let tried = tried(n, task.k);
                split(
                    &Utility { utilities: task.utilities, bits: Bits::new(n), tried },
                    task,
                    usize::MAX,
                )
            }
            _ => split(&Even, task, usize::MAX),
        };
        task.observer.end();
        let published = classes?.publish(task.sets.len(), task.sets.n_items());
        let polished = match params.text("polish") {
            Some(flag) => flag == "true",
            None => choice == Some("utility") && n <= POLISHED_UNASKED,
        };
        if polished { polish(task, published, rounds(n)) } else { Ok(published) }
    }
}

/// The classes that a rule leads to, if at most `most_items` items may split.
fn split<R: Rule>(rule: &R, task: &SetTask<'_>, most_items: usize) -> Result<Classes> {
    with_sets!(task.sets, sets => match task.weights {
        Some(weights) => split_weighted(rule, task, sets, &weights.to_vec(), most_items),
        None => split_weighted(rule, task, sets, &Ones, most_items),
    })
}

/// The smallest number of records that one task counts and lists.
const BLOCK: usize = 1 << 15;
/// The largest number of blocks in which records are counted and listed at the same time.
const BLOCKS: usize = 2;

fn split_weighted<R: Rule, C: Code, W: Weights>(
    rule: &R,
    task: &SetTask<'_>,
    rows: Sets<'_, C>,
    weights: &W,
    most_items: usize,
) -> Result<Classes> {
    let n_items = task.sets.n_items();
    let k = u32::try_from(task.k.max(1)).unwrap_or(u32::MAX);
    let ids: Vec<u32> = (0..rows.len() as u32).collect();
    let names: Vec<u32> = (0..n_items as u32).collect();
    let block = rows.len().div_ceil(BLOCKS).max(BLOCK);
    // Of each block, how many records have each item, and how many records they stand for.
    let counted: Vec<(Vec<u32>, Vec<u32>)> = ids
        .par_chunks(block)
        .map(|records| {
            let (mut lengths, mut counts) = (vec![0u32; n_items], vec![0u32; n_items]);
            for record in records {
                let weight = weights.of(*record);
                for code in rows.get(*record as usize) {
                    lengths[code.widen() as usize] += 1;
                    counts[code.widen() as usize] += weight;
                }
            }
            (lengths, counts)
        })
        .collect();
    let mut counts = vec![0u32; n_items];
    for (_, some) in &counted {
        counts.iter_mut().zip(some).for_each(|(count, more)| *count += more);
    }
    let lengths: Vec<Vec<u32>> = counted.into_iter().map(|(lengths, _)| lengths).collect();
    let total = weights.sum(&ids);
    let splits: Vec<u32> =
        (0..n_items as u32).filter(|item| may_split(counts[*item as usize], total, k)).collect();
    if splits.len() > most_items {
        return Err(Error::resources(format!(
            "{} items may split, and {most_items} is the most",
            splits.len()
        ))
        .hint("take split=even or split=utility, which need no table of pairs"));
    }
    let inverted = Inverted::build_in_blocks(rows, &splits, n_items, block, &lengths);
    let work = Work { counts, inverted, splits, ..Work::default() };
    let run = Run { rule, k, observer: task.observer };
    run.split(Node { rows, ids: &ids, names: &names, kept: &[], weights }, work)
}
