//! Mondrian (LeFevre, DeWitt and Ramakrishnan): greedy multidimensional partitioning. The rows are
//! split again and again on the column that gains most (or is widest), until no split leaves only
//! parts that may be published; each leaf is a class, published as one region.
//!
//! It knows nothing about models: the requirements decide.

mod block;
mod cells;
mod check;
pub(in crate::algorithms::local) mod choose;
pub(in crate::algorithms::local) mod criteria;
pub(in crate::algorithms::local) mod gain;
pub(in crate::algorithms::local) mod grow;
mod kernel;
mod leaves;
pub(in crate::algorithms::local) mod leftover;
pub(in crate::algorithms::local) mod median;
pub(in crate::algorithms::local) mod price;
pub(in crate::algorithms::local) mod record;
mod regroup;
pub(in crate::algorithms::local) mod sampled;
mod settings;
pub(in crate::algorithms::local) mod shape;
pub(in crate::algorithms::local) mod split;
mod store;
pub(in crate::algorithms::local) mod suppress;

use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Recoding};
use sfumato_core::registry::{
    Capabilities, Info, OutOfCore, Paper, ParamKind, ParamSpec, Params, PerEffort,
};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{Error, ErrorKind, Result};

use crate::algorithms::shared::infeasible::infeasible;
use block::{Block, Working};
use check::Check;
use criteria::Guide;
use grow::{Above, Rules};
use price::Prices;
pub(in crate::algorithms::local) use settings::Settings;
use shape::{Bounds, Shape};

/// The algorithm `mondrian`, an entry of the registry.
pub struct Mondrian;

pub(in crate::algorithms::local) static INFO: Info = Info {
    name: "mondrian",
    summary: "splits the records on the column that gains most until no part could be published \
        alone",
    papers: &[
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Mondrian multidimensional k-anonymity",
            venue: "ICDE",
            year: 2006,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Workload-aware anonymization techniques for large-scale datasets",
            venue: "ACM Transactions on Database Systems 33(3)",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "split",
            ParamKind::Choice(&["widest", "gain"]),
            "gain",
            "split the widest column, or the one whose split lowers the objective most",
        ),
        ParamSpec::with_default(
            "leftovers",
            ParamKind::Choice(&["none", "keep", "lend"]),
            "lend",
            "children of a hierarchy's node that can't be published alone forbid the split, stay \
                together at the node, or also get records of others",
        ),
        ParamSpec::with_default(
            "cuts",
            ParamKind::Choice(&["median", "quantiles"]),
            "quantiles",
            "cut ordered columns beside the median only, or at other quantiles where that isn't \
                allowed",
        ),
        ParamSpec::with_default(
            "relaxed",
            ParamKind::Flag,
            "false",
            "let records with the median value go to both sides, so that halves are even",
        ),
        ParamSpec::with_default(
            "tighten",
            ParamKind::Flag,
            "true",
            "publish the smallest value that covers a class's own cells instead of the region that \
                splitting left it",
        ),
        ParamSpec::with_default(
            "workload",
            ParamKind::Flag,
            "true",
            "choose splits by the job's workload, if it has one",
        ),
        ParamSpec::with_default(
            "significant",
            ParamKind::Flag,
            "true",
            "take a workload's split only where its gain is more than chance, by the length of a \
                description",
        ),
        ParamSpec::with_default(
            "min_gain",
            ParamKind::Number { min: 0.0, above: false, max: 1e9 },
            "0",
            "where the workload gains less per record (bits of entropy; with numbers the share of \
                the error), go on as without it",
        ),
    ],
    doc: include_str!("mondrian.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        uses_workload: true,
        nanoseconds_per_cell: Some(PerEffort::same(20.0)),
        out_of_core: OutOfCore::Divided,
        anytime: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Mondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        Ok(Box::new(below(params, task, None)?))
    }
}

/// The start of a subtree whose root isn't that of the whole tree.
#[derive(Debug, Clone)]
pub(in crate::algorithms::local) struct Start {
    /// The region that the splits above made, in the codes of the table.
    pub region: Vec<Bounds>,
    /// How many rows may be suppressed.
    pub budget: u64,
    /// Whether the table may be published as one class.
    pub holds: bool,
    /// Whether the workload may still gain something.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
}

/// Grow the tree of a table, or the subtree of a part of a larger tree.
pub(in crate::algorithms::local) fn below(
    params: &Params,
    task: &Task<'_>,
    start: Option<&Start>,
) -> Result<Boxes> {
    let columns = task.table.quasi();
    let n_rows = task.table.n_rows;
    if n_rows >= u32::MAX as usize {
        return Err(Error::unsupported("mondrian takes at most 4,294,967,294 records"));
    }
    let shapes: Vec<Shape<'_>> =
        columns.iter().map(|&column| Shape::new(column)).collect::<Result<_>>()?;
    if n_rows == 0 {
        return Ok(BoxesBuilder::new(shapes.len()).finish(Vec::new()));
    }
    let check = Check::new(task, None);
    let settings = Settings::new(params, check.merges(), check.counts_rows());
    if settings.relaxed && !check.merges() {
        return Err(Error::unsupported(
            "mondrian(relaxed=true) can publish two classes alike, and these models may hold \
                    for each but not for both together",
        )
        .hint("use relaxed=false, which never publishes two classes alike"));
    }
    // An objective that doesn't look at cells says nothing about splits.
    let stand_in = task.objective.ignores_cells().then(|| Objective::ncp(task.table));
    let prices = Prices::new(stand_in.as_ref().unwrap_or(task.objective), &shapes);
    let guide = match params.flag("workload") {
        true => {
            let (min_gain, significant) = (params.number("min_gain"), params.flag("significant"));
            Guide::new(task, check.payload().len(), min_gain, significant)
        }
        false => None,
    };
    let run = Run {
        task,
        guide: guide.as_ref(),
        shapes: &shapes,
        check: &check,
        prices: &prices,
        settings,
        start,
    };
    run.anonymize()
}

/// One run with all of its parameters.
struct Run<'a> {
    task: &'a Task<'a>,
    shapes: &'a [Shape<'a>],
    check: &'a Check<'a>,
    prices: &'a Prices<'a>,
    guide: Option<&'a Guide<'a>>,
    settings: Settings,
    start: Option<&'a Start>,
}

impl Run<'_> {
    fn anonymize(&self) -> Result<Boxes> {
        let holds = self.start.map_or_else(|| self.check.whole_holds(), |start| start.holds);
        let budget = self.start.map_or(self.task.max_suppressed, |start| start.budget);
        match self.observed(budget, holds) {
            // Suppression changed the release that classes are compared with, and too much failed;
            // without it nothing can.
            Err(error) if error.kind == ErrorKind::Infeasible && holds && budget > 0 => {
                self.observed(0, holds)
            }
            Err(error) if error.kind == ErrorKind::Infeasible => Err(infeasible(self.task)),
            result => result,
        }
    }

    fn observed(&self, budget: u64, holds: bool) -> Result<Boxes> {
        self.task.observer.begin("anonymize", self.task.table.n_rows as u64, Unit::Rows);
        let result = self.once(budget, holds);
        self.task.observer.end();
        result
    }

    /// Grow a tree that may suppress `budget` records, and publish its leaves.
    fn once(&self, budget: u64, holds: bool) -> Result<Boxes> {
        let quasi: Vec<_> = self.shapes.iter().map(|shape| &shape.column.codes).collect();
        let mut payload = self.check.payload().to_vec();
        payload.extend(self.guide.iter().flat_map(|guide| guide.columns()));
        let mut working = Working::copy(&quasi, &payload, self.task.table.n_rows);
        let mut arrangement = working.arrangement();
        let addresses = working.addresses().to_vec();
        let rules = Rules {
            shapes: self.shapes,
            addresses: &addresses,
            check: self.check,
            prices: self.prices,
            guide: self.guide,
            order: self.settings.order,
            leftovers: self.settings.leftovers,
            quantiles: self.settings.quantiles,
            relaxed: self.settings.relaxed,
            tighten: self.settings.tighten,
            stop_rows: 0,
            record: false,
            observer: self.task.observer,
        };
        let block = working.block(&mut arrangement);
        let mut above = root(&rules, &block, budget, holds);
        // The root of the whole tree has the region of its own cells.
        if let Some(start) = self.start.filter(|start| start.depth > 0) {
            above.region.clone_from(&start.region);
            (above.guided, above.depth) = (start.guided, start.depth);
        }
        let mut leaves = grow::grow(&rules, block, above)?;

        drop(arrangement);
        let (rows, payload) = working.finish();
        suppress::settle(self.check, &payload, &mut leaves, self.task.max_suppressed)?;
        drop(payload);
        leaves::publish(self.shapes, &leaves, &rows)
    }
}

/// The state of the root, where every column may be split.
fn root(rules: &Rules<'_>, block: &Block<'_>, budget: u64, holds: bool) -> Above {
    let mut live: Vec<usize> = (0..rules.shapes.len()).collect();
    live.sort_by_key(|&column| rules.addresses[column]);
    let cells: Vec<Bounds> = rules
        .addresses
        .iter()
        .map(|address| {
            let (min, max) = block.stores[address.store].min_max(0..block.len())[address.lane];
            Bounds { min, max }
        })
        .collect();
    let region =
        rules.shapes.iter().zip(&cells).map(|(shape, &cells)| shape.everything(cells)).collect();
    Above { live, cells, region, budget, holds, guided: true, depth: 0 }
}
