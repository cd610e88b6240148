//! `nonreciprocal-boxes`: nonreciprocal recoding of tables. Along a cyclic order each record
//! matches the regions of others, each region is the smallest around the k records that match it,
//! and a random draw decides which region stands for which record.
//!
//! The steps, one file each: where records lie beside near ones ([`order`], [`tour`]), who matches
//! whom ([`start`]), cheaper regions by exchanging records ([`gather`], [`exchange`]). The draw is
//! that of baskets ([`extraction`](sfumato_kernels::nonreciprocal::extraction)).

mod exchange;
mod gather;
mod order;
mod start;
#[cfg(test)]
mod tests;
mod tour;

use rayon::prelude::*;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::matches::Matches;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Finding, MatchedBoxes, Recoding, Value};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params, PerEffort};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{Error, Result};

use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Space;
use gather::Gathered;
use sfumato_kernels::nonreciprocal::{RandomStream, extraction};

/// The algorithm `nonreciprocal-boxes`, an entry of the registry.
pub struct NonreciprocalBoxes;

static INFO: Info = Info {
    name: "nonreciprocal-boxes",
    summary: "publishes each record as a region of its own that k records match, in no groups; \
        which region is whose is drawn at random",
    papers: &[
        Paper {
            authors: "W. K. Wong, N. Mamoulis, D. W.-L. Cheung",
            title: "Non-homogeneous generalization in privacy preserving data publishing",
            venue: "SIGMOD",
            year: 2010,
        },
        Paper {
            authors: "M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan",
            title: "Anonymizing set-valued data by nonreciprocal recoding",
            venue: "KDD",
            year: 2012,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "start",
            ParamKind::Choice(&["classes", "ring"]),
            "classes",
            "who matches whom at first: those in a class, which is a ring of its own (of peel \
                where every column has a hierarchy and there are at most 500,000 records, \
                otherwise of mondrian), or neighbours along one ring of all records",
        ),
        ParamSpec::with_default(
            "order",
            ParamKind::Choice(&["tour", "halves"]),
            "tour",
            "the cyclic order: by halving the most varied column again and again, with a shorter \
                tour inside each segment or without",
        ),
        ParamSpec::with_default(
            "exchange",
            ParamKind::Flag,
            "true",
            "let near regions exchange records for smaller regions, as long as the effort says",
        ),
    ],
    doc: include_str!("nonreciprocal_boxes.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Matches)],
        draws: true,
        ignores: &["max_suppression"],
        nanoseconds_per_cell: Some(PerEffort { low: 4_000.0, normal: 8_000.0, high: 60_000.0 }),
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for NonreciprocalBoxes {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check(task)?;
        let ncp = Objective::ncp(task.table);
        let task = match task.objective.ignores_cells() {
            true => Task { objective: &ncp, ..*task },
            false => *task,
        };
        let space = Space::new(&task, INFO.name)?;
        let k = task.requirements.min_people().max(1) as usize;
        if k > task.table.n_rows {
            return Err(infeasible(&task));
        }
        let mut progress = Progress::begin(&task);
        let order = order::order(&space, task.table.n_rows);
        let order = match params.text("order") {
            Some("halves") => order,
            _ => tour::shorten(&space, order),
        };
        progress.reach(task.table.n_rows / 8)?;
        let (order, members) = start::start(params, &task, &space, order, k)?;
        progress.reach(task.table.n_rows / 3)?;
        let mut gathered = Gathered::new(&space, &order, k, members);
        let before = gathered.mean_price();
        if params.flag("exchange") {
            exchange::exchange(&mut gathered, task.effort, &mut |share| {
                progress.reach((task.table.n_rows as f64 * (1.0 + 2.0 * share) / 3.0) as usize)
            })?;
        }
        let after = gathered.mean_price();
        let matches = gathered.matches(&order)?;
        let assignment =
            extraction::draw_along(&matches, &order, &mut RandomStream::from_key(task.key));
        progress.reach(task.table.n_rows)?;
        let findings = vec![
            Finding { name: "matches", value: k as f64 },
            Finding { name: "mean_price_at_first", value: before },
            Finding { name: "mean_price", value: after },
        ];
        let boxes = boxes(&space, &matches, assignment)?.with_findings(findings);
        Ok(Box::new(MatchedBoxes::new(boxes, matches)?))
    }
}

/// Refuse tasks that it can't serve.
fn check(task: &Task<'_>) -> Result<()> {
    let name = INFO.name;
    if task.table.n_rows >= u32::MAX as usize {
        return Err(Error::unsupported(format!("{name} takes at most 4,294,967,294 records")));
    }
    if task.table.subject.is_some() {
        return Err(Error::unsupported(format!(
            "{name} counts records, and a subject column asks \
            for people: two records of one person would hide each other"
        ))
        .hint(
            "bring one record a person, or take mondrian or peel, whose classes serve this \
                model too",
        ));
    }
    match task.requirements.iter().find(|requirement| !requirement.is_count_only()) {
        None => Ok(()),
        Some(other) => Err(Error::unsupported(format!(
            "{name} knows nothing of sensitive values, and {} asks for them",
            other.model()
        ))
        .hint("take mondrian or peel, whose classes serve both")),
    }
}

/// The smallest region around the records that match each class.
fn boxes(space: &Space<'_>, matches: &Matches, assignment: Vec<u32>) -> Result<Boxes> {
    let preimages = matches.preimages();
    let region = |class: usize| -> Vec<Value> { space.values(&space.around(preimages.of(class))) };
    let mut builder = BoxesBuilder::new(space.n_columns());
    // Some at a time: a region as a list of values is larger than what is kept of it.
    const SOME: usize = 1 << 16;
    for first in (0..matches.len()).step_by(SOME) {
        let last = (first + SOME).min(matches.len());
        let regions: Vec<Vec<Value>> = (first..last).into_par_iter().map(region).collect();
        regions.iter().try_for_each(|region| builder.push(region).map(|_| ()))?;
    }
    Ok(builder.finish(assignment))
}
