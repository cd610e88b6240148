//! The algorithm `k1-top-down`: each record goes down a tree of sets, towards the highest utility
//! for it, as long as k records contain the set.

mod copies;
mod groups;
mod grow;
#[cfg(test)]
mod tests;

use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::{Result, with_sets};

use crate::algorithms::shared::feasible;
use crate::data::{PublishedSets, Witnesses};
use crate::traits::{SetAlgorithm, SetTask};
use copies::Copies;
use grow::{GrownSets, Node, Run};

/// The algorithm `k1-top-down`, an entry of the registry.
pub struct K1TopDown;

static INFO: Info = Info {
    name: "k1-top-down",
    summary: "each record keeps the items worth most to it that k records have together, found \
        down a tree of sets",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-anonymity on large datasets",
        venue: "Master's thesis, Vanderbilt University",
        year: 2011,
    }],
    params: &[ParamSpec::with_default(
        "reach",
        ParamKind::Number { min: 0.5, above: false, max: 1e6 },
        "1",
        "how many records beyond those that share it support a set: more keeps more and costs more",
    )],
    doc: include_str!("k1_top_down.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Supporters)],
        anytime: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SetAlgorithm for K1TopDown {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &SetTask<'_>) -> Result<PublishedSets> {
        let n = feasible::check(task)?;
        task.observer.begin("growing sets", u64::from(n), Unit::Rows);
        let copies = Copies::of(task.sets);
        let found = with_sets!(copies.rows(task.sets), rows =>
            grow_all(task, rows, &copies, params.number("reach")));
        task.observer.end();
        let GrownSets { classes, witnesses } = found?;
        let published = classes.publish(task.sets.len(), task.sets.n_items());
        let witnesses = Witnesses { each: at_least_one(task.k) as usize, records: witnesses };
        Ok(PublishedSets { witnesses: Some(witnesses), ..published })
    }
}

/// The number of supporters that are needed, at least one: a record supports its own set.
fn at_least_one(k: u64) -> u32 {
    u32::try_from(k.max(1)).unwrap_or(u32::MAX)
}

/// Groups of fewer than this part of k owners don't get a node: below that, nodes cost more than
/// they retain.
const PART_OF_K: u32 = 16;
/// The number of supporters of a node for each owner at reach 1.
const PER_OWNER: f64 = 1.2;
/// The number of further supporters of a node, for each of the k that are needed.
const PER_K: f64 = 1.5;
/// The number of further supporters of a node, whatever k is.
const AT_LEAST: f64 = 24.0;

/// The largest number whose logarithm is in a table.
const LOGS: usize = 1 << 16;

fn grow_all<C: Code>(
    task: &SetTask<'_>,
    rows: Sets<'_, C>,
    copies: &Copies,
    reach: f64,
) -> Result<GrownSets> {
    if rows.is_empty() {
        return Ok(GrownSets::default());
    }
    let k = at_least_one(task.k);
    let ids: Vec<u32> = (0..rows.len() as u32).collect();
    let names: Vec<u32> = (0..task.sets.n_items() as u32).collect();
    let counts = copies.counts(task.sets);
    let total = task.sets.len() as u32;
    let run = Run {
        copies,
        utilities: task.utilities,
        k,
        least: k / PART_OF_K,
        per_owner: reach * PER_OWNER,
        at_least: (reach * AT_LEAST.max(PER_K * f64::from(k))) as usize,
        logs: (0..=task.sets.len().min(LOGS)).map(|x| (x as f32).log2()).collect(),
        observer: task.observer,
    };
    let weights = &copies.weights;
    let n_owners = rows.len();
    run.all(Node {
        rows,
        weights,
        total,
        n_owners,
        ids: &ids,
        names: &names,
        counts: &counts,
        set: &[],
    })
}
