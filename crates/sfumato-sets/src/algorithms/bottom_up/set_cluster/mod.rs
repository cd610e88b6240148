//! Clustering in one pass: clusters are gathered one after the other, always with the record that
//! leaves most in common.

mod gather;
#[cfg(test)]
mod tests;

use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::with_sets;

use super::clusters::publish;
use super::lsh::{self, Size};
use super::neighbours::{All, Lsh, PROBES, Probes, Sample};
use super::papers;
use super::points::Points;
use crate::algorithms::shared::feasible;
use crate::data::{Collapsed, PublishedSets};
use crate::traits::{SetAlgorithm, SetTask};
use sfumato_kernels::seeded::Seeded;

/// The algorithm `set-cluster`, an entry of the registry.
pub struct SetCluster;

static INFO: Info = Info {
    name: "set-cluster",
    summary: "gathers clusters one by one: a far record, then always the record that leaves most \
        in common, until there are k",
    papers: &[papers::PODGURSKY, papers::BYUN, papers::GIONIS_LSH],
    params: &[
        ParamSpec::with_default(
            "neighbours",
            ParamKind::Choice(&["lsh", "all", "random"]),
            "lsh",
            "where the next record of a cluster is looked for: in buckets of an index, everywhere, \
                or in a random sample",
        ),
        ParamSpec::optional(
            "sample",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "with neighbours=random: how many records are drawn for each choice; as many as \
                'queries' if left out",
        ),
        PROBES,
        lsh::TABLES,
        lsh::BITS,
        lsh::QUERIES,
    ],
    doc: include_str!("set_cluster.md"),
    capabilities: Capabilities {
        serves: Fact::OF_COPIES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SetAlgorithm for SetCluster {
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
    let (n, n_items) = (points.len(), points.utilities.len());
    let clusters = match params.text("neighbours") {
        Some("all") => gather::clusters(&points, &mut All::new(n, n_items), task)?,
        Some("random") => {
            let queries = lsh::queries(params, n);
            let sample =
                params.optional_integer("sample").map_or(queries, |sample| sample as usize);
            let draws = Seeded::new(task.seed ^ 1);
            gather::clusters(&points, &mut Sample::new(n, n_items, sample, draws), task)?
        }
        _ => {
            let probes = Probes::of(params);
            let mut index = Lsh::new(&points, Size::of(params, n, probes), probes, task.seed ^ 1);
            gather::clusters(&points, &mut index, task)?
        }
    };
    Ok(publish(collapsed, &clusters))
}
