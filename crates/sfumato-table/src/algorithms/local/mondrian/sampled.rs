//! Grows the top of a tree from a sample: a split is made if its parts can be published with high
//! confidence. Wrong splits are undone later, when all records are read.

use sfumato_core::Result;
use sfumato_core::group::Sampling;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Objective, Task};

use super::block::Working;
use super::check::Check;
use super::criteria::Guide;
use super::grow::{self, Rules};
use super::leftover::Leftovers;
use super::price::Prices;
use super::record::Grown;
use super::shape::Shape;
use super::{Settings, Start, root};

/// How the top of a tree is grown.
#[derive(Debug, Clone, Copy)]
pub(in crate::algorithms::local) struct Top {
    /// What the table is a sample of. If the sample is the whole population, it counts as no
    /// sample.
    pub sampling: Sampling,
    /// Nodes of at most this many sampled rows aren't split.
    pub stop_rows: usize,
}

/// Grow the top of a tree from a sample. Nothing is suppressed or lent, and no record may go to
/// both sides of a cut, since tuples are routed by their values.
pub(in crate::algorithms::local) fn grow_top(
    params: &Params,
    task: &Task<'_>,
    start: &Start,
    top: &Top,
) -> Result<Grown> {
    let shapes: Vec<Shape<'_>> =
        task.table.quasi().into_iter().map(Shape::new).collect::<Result<_>>()?;
    let check = Check::new(task, Some(top.sampling).filter(|sampling| !sampling.is_whole()));
    let settings = Settings::new(params, check.merges(), check.counts_rows());
    let stand_in = task.objective.ignores_cells().then(|| Objective::ncp(task.table));
    let prices = Prices::new(stand_in.as_ref().unwrap_or(task.objective), &shapes);
    let guide = match params.flag("workload") {
        true => Guide::new(
            task,
            check.payload().len(),
            params.number("min_gain"),
            params.flag("significant"),
        ),
        false => None,
    };
    let quasi: Vec<_> = shapes.iter().map(|shape| &shape.column.codes).collect();
    let mut payload = check.payload().to_vec();
    payload.extend(guide.iter().flat_map(|guide| guide.columns()));
    let mut working = Working::copy(&quasi, &payload, task.table.n_rows);
    let mut arrangement = working.arrangement();
    let addresses = working.addresses().to_vec();
    let rules = Rules {
        shapes: &shapes,
        addresses: &addresses,
        check: &check,
        prices: &prices,
        guide: guide.as_ref(),
        order: settings.order,
        leftovers: match settings.leftovers {
            Leftovers::Lend => Leftovers::Keep,
            other => other,
        },
        quantiles: settings.quantiles,
        relaxed: false,
        tighten: settings.tighten,
        stop_rows: top.stop_rows,
        record: true,
        observer: &Quiet(task.observer),
    };
    let block = working.block(&mut arrangement);
    let mut above = root(&rules, &block, 0, true);
    above.region.clone_from(&start.region);
    (above.guided, above.depth) = (start.guided, start.depth);
    Grown::of(grow::grow(&rules, block, above)?)
}

/// Sampled records aren't done when the tree is grown: only the wish to stop is passed on. That
/// what there is will do isn't: partitions must be small enough to be loaded.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
