//! Clustering in rounds: the worst clusters are dissolved and their records join better ones, as
//! long as that helps.

mod select;
mod state;

use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::with_sets;

use crate::data::{Collapsed, PublishedSets};
use crate::traits::{SetAlgorithm, SetTask};

use self::select::{Join, Select};
use self::state::State;
use super::clusters::publish;
use super::lsh::{self, Index, Size};
use super::neighbours::Probes;
use super::papers;
use super::points::Points;
use crate::algorithms::shared::feasible;
use sfumato_kernels::seeded::Seeded;

/// The algorithm `set-iterative-cluster`, an entry of the registry.
pub struct SetIterativeCluster;

/// The parameter for what a record looks for.
const JOIN: ParamSpec = ParamSpec::with_default(
    "join",
    ParamKind::Choice(&["growth", "utility"]),
    "growth",
    "which cluster a record joins: the one whose utility grows most, or the one of largest utility \
        with the record, as printed in the thesis",
);

static INFO: Info = Info {
    name: "set-iterative-cluster",
    summary: "breaks up the worst clusters and lets their records join better ones, fewer each \
        time, while utility grows",
    papers: &[papers::PODGURSKY, papers::GIONIS_LSH],
    params: &[
        ParamSpec::with_default(
            "neighbours",
            ParamKind::Choice(&["lsh", "all"]),
            "lsh",
            "where a record looks for its cluster: among those of records in its buckets of an \
                index, or everywhere",
        ),
        ParamSpec::with_default(
            "iterations",
            ParamKind::Integer { min: 2, max: 1000 },
            "4",
            "how many shares of the clusters are broken up: of 4 it is 3/4 of them first, then \
                2/4, then 1/4",
        ),
        JOIN,
        lsh::TABLES,
        lsh::BITS,
        lsh::QUERIES,
    ],
    doc: include_str!("set_iterative_cluster.md"),
    capabilities: Capabilities {
        serves: Fact::OF_COPIES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SetAlgorithm for SetIterativeCluster {
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
    let mut random = Seeded::new(task.seed);
    let index = (params.text("neighbours") != Some("all")).then(|| {
        let size = Size::of(params, points.len(), Probes::Record);
        Index::new(&points, size, &mut random)
    });
    let join = Join::of(params);
    let mut select = Select::new(&points, index.as_ref(), join);
    let mut best = State::empty(&points);
    let mut utility = -1.0;
    let iterations = params.integer("iterations");
    for broken in (1..iterations).rev() {
        loop {
            let mut state = best.clone();
            state.break_up(&points, broken as f64 / iterations as f64);
            state.seed(&points, task.k, &mut random);
            select.assign(&points, &mut state, task)?;
            state.break_small(task.k);
            if state.clusters.is_empty() {
                state.gather_all(&points);
            }
            select.assign(&points, &mut state, task)?;
            let now = state.utility();
            if now <= utility {
                break;
            }
            (best, utility) = (state, now);
        }
    }
    Ok(publish(collapsed, &best.clusters))
}
