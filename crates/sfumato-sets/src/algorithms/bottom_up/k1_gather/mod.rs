//! (k,1)-anonymity by gathering: each record looks for k records that have much in common with it.
//! A record can be gathered by many others.

mod grow;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::{Builder, Sets};
use sfumato_core::with_sets;

use crate::data::{Collapsed, PublishedSets, Witnesses};
use crate::traits::{SetAlgorithm, SetTask};

use self::grow::Gatherer;
use super::lsh::{self, Index, Size};
use super::neighbours::{PROBES, Probes};
use super::papers;
use super::points::Points;
use crate::algorithms::shared::feasible;
use sfumato_kernels::seeded::Seeded;

/// The algorithm `k1-gather`, an entry of the registry.
pub struct K1Gather;

static INFO: Info = Info {
    name: "k1-gather",
    summary: "publishes what each record has in common with k - 1 others that it looks for, one by \
        one; for (k,1)-anonymity",
    papers: &[papers::PODGURSKY, papers::GIONIS_K1, papers::GIONIS_LSH],
    params: &[
        ParamSpec::with_default(
            "neighbours",
            ParamKind::Choice(&["lsh", "all"]),
            "lsh",
            "where the other records are looked for: in buckets of an index, or everywhere",
        ),
        PROBES,
        lsh::TABLES,
        lsh::BITS,
        lsh::QUERIES,
    ],
    doc: include_str!("k1_gather.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Supporters)],
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// The number of records after which the algorithm checks whether the user asked to stop.
const PART: usize = 1024;

impl SetAlgorithm for K1Gather {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &SetTask<'_>) -> Result<PublishedSets> {
        feasible::check(task)?;
        let collapsed = Collapsed::of(task.sets);
        with_sets!(&collapsed.sets, sets => run(params, task, &collapsed, sets))
    }
}

fn run<C: Code>(
    params: &Params,
    task: &SetTask<'_>,
    collapsed: &Collapsed,
    sets: Sets<'_, C>,
) -> Result<PublishedSets> {
    let points = Points::new(sets, &collapsed.weights, task.utilities);
    let probes = Probes::of(params);
    let size = Size::of(params, points.len(), probes);
    let index = (params.text("neighbours") != Some("all"))
        .then(|| Index::new(&points, size, &mut Seeded::new(task.seed)));
    let records = Records::of(collapsed);
    let k = task.k.max(1);
    let mut published = Builder::new(task.sets.n_items());
    let mut witnesses = Vec::new();
    let order: Vec<usize> = (0..points.len()).collect();
    for part in order.chunks(PART) {
        task.check_cancelled()?;
        let gathered: Vec<(Vec<u32>, Vec<u32>)> = part
            .par_iter()
            .map_init(
                || Gatherer::new(&points, index.as_ref(), size, probes),
                |gatherer, point| gatherer.gather(*point, k, &records),
            )
            .collect();
        for (set, supporters) in gathered {
            published.push(&set);
            witnesses.extend(supporters);
        }
    }
    let witnesses = Some(Witnesses { each: k as usize, records: witnesses });
    Ok(PublishedSets {
        of_record: collapsed.of_record.clone(),
        sets: published.finish(),
        witnesses,
    })
}

/// The records of each point.
pub struct Records {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Records {
    fn of(collapsed: &Collapsed) -> Self {
        let mut starts = vec![0u32];
        for copies in &collapsed.weights {
            starts.push(starts[starts.len() - 1] + copies);
        }
        let (mut next, mut list) = (starts.clone(), vec![0u32; collapsed.of_record.len()]);
        for (record, point) in collapsed.of_record.iter().enumerate() {
            list[next[*point as usize] as usize] = record as u32;
            next[*point as usize] += 1;
        }
        Records { starts, list }
    }
    /// The records of a point, ascending.
    pub fn of_point(&self, point: usize) -> &[u32] {
        &self.list[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}
