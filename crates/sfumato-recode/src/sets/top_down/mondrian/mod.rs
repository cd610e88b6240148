//! `set-mondrian`: a class of records splits into those with an item and those without, as long as both sides have k records.

mod chain;
mod inverted;
mod rule;
mod weights;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::sets::{Hiding, Published, SetAlgorithm, SetTask, Sets};
use sfumato_core::{Result, with_sets};

use crate::sets::shared::classes::Classes;
use crate::sets::shared::feasible;
use chain::{Node, Run};
use inverted::Inverted;
use rule::{Even, Rule};
use weights::{Ones, Weights};

/// The algorithm `set-mondrian`.
pub struct SetMondrian;

static INFO: Info = Info {
    name: "set-mondrian",
    summary: "splits records into those with an item and those without, again and again, as long as both sides have k records",
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
    params: &[ParamSpec::with_default(
        "split",
        ParamKind::Choice(&["even"]),
        "even",
        "which item a class is split on",
    )],
    doc: include_str!("mondrian.md"),
};

impl SetAlgorithm for SetMondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn gives(&self) -> Hiding {
        Hiding::Copies
    }
    fn takes_weights(&self) -> bool {
        true
    }
    fn anonymize(&self, _params: &Params, task: &SetTask<'_>) -> Result<Published> {
        let n = feasible::check(task)?;
        task.observer.begin("splitting", u64::from(n), Unit::Rows);
        let classes = split(&Even, task)?;
        task.observer.end();
        Ok(classes.publish(task.sets.len(), task.sets.n_items()))
    }
}

/// The classes that a rule leads to.
fn split<R: Rule>(rule: &R, task: &SetTask<'_>) -> Result<Classes> {
    with_sets!(task.sets, sets => match task.weights {
        Some(weights) => split_weighted(rule, task, sets, &weights.to_vec()),
        None => split_weighted(rule, task, sets, &Ones),
    })
}

/// Blocks of records that are counted by one task.
const BLOCKS: usize = 2;

fn split_weighted<R: Rule, C: Code, W: Weights>(
    rule: &R,
    task: &SetTask<'_>,
    rows: Sets<'_, C>,
    weights: &W,
) -> Result<Classes> {
    let n_items = task.sets.n_items();
    let k = u32::try_from(task.k.max(1)).unwrap_or(u32::MAX);
    let ids: Vec<u32> = (0..rows.len() as u32).collect();
    let names: Vec<u32> = (0..n_items as u32).collect();
    let block = rows.len().div_ceil(BLOCKS).max(1);
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
    let splits: Vec<u32> = (0..n_items as u32)
        .filter(|item| counts[*item as usize] >= k && total - counts[*item as usize] >= k)
        .collect();
    let inverted = Inverted::build_in_blocks(rows, &splits, n_items, block, &lengths);
    let run = Run { rule, k, observer: task.observer };
    run.split(Node { rows, ids: &ids, names: &names, kept: &[], weights }, counts, inverted)
}
