//! Global recodings of a table that memory can't hold: top-down specialization and its kin, with
//! the leaves of their partitions on disk.
//!
//! The input becomes points on disk (`collapse.rs`), the search scans them (`store.rs`) and decides
//! as it does in memory, and the records are dealt out so that a class is in one partition wherever
//! it fits (`deal.rs`). From there on partitions are published like all others, each by the same
//! cuts.

mod collapse;
mod deal;
mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Cut, Finding, Value};
use sfumato_core::registry::Call;
use sfumato_core::traits::{Combine, Requirement, Task};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{Batch, Tuples};
use sfumato_io::spill::{SpillDivide, SpillFolder, width_of};

use super::division::Spilled;
use super::larger::Larger;
use super::look::Looked;
use crate::algorithms::global::cuts::specialise::{Recipe, Score, Search, Specialises};
use crate::algorithms::global::cuts::specialising;
use crate::algorithms::global::shared::groups::Groups;
use crate::algorithms::rothko::Above;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use crate::data::tuples::{Cells, Frame};
use crate::forms::generalized::make_plan::Plan;
use crate::job::Job;
use collapse::{Wanted, classes, collapse};
use deal::{Deal, deal};
use store::{PointColumns, PointFiles};

/// Whether a job asks for an algorithm whose points can be on disk, which needs the whole domain of
/// every quasi column.
pub fn asks_for_cuts(job: &Job) -> bool {
    let call: Result<Call> = job.recode.algorithm.parse();
    call.and_then(|call| crate::algorithms::find(&call.name))
        .is_ok_and(|algorithm| specialising(algorithm).is_some())
}

/// What a search on disk found.
pub struct FoundCuts {
    /// The cut of each quasi column.
    pub cuts: Vec<Cut>,
    /// What the search found out on its way.
    pub findings: Vec<Finding>,
    deal: Deal,
}

/// Refuse what can't be searched on disk, by name.
pub fn check_served(looked: &Looked, plan: &Plan) -> Result<()> {
    let name = plan.algorithm.info().name;
    let frame = &looked.layout.frame;
    let mut models = plan.requirements.iter();
    if let Some(model) = models.find(|r| frame.subject.is_some() && !r.is_count_only()) {
        return Err(Error::unsupported(format!(
            "{name} checks {} of people with several records in memory only, and this table \
                doesn't fit into the memory allowed",
            model.model()
        ))
        .hint("raise --memory, leave the subject column out, or use mondrian"));
    }
    let (_, recipe) = recipe_of(frame, plan)?;
    let has_target = target_of(frame).is_some();
    let metric = crate::metrics::find(&plan.metric)?;
    // Without a target what is gained is what cells cost, and some metrics say so only after a look
    // at all records.
    if !has_target && recipe.score == Score::GainPerLoss && metric.combine() == Combine::Whole {
        return Err(Error::unsupported(format!(
            "{name} prices cells by {} in memory only, and this table doesn't fit into the memory \
                allowed",
            plan.metric
        ))
        .hint("raise --memory, or use the metric ncp"));
    }
    let mut held = frame.quasi().into_iter().chain(target_of(frame));
    let too_many = held.find(|place| frame.columns[*place].cells != Cells::Codes);
    if let Some(column) = too_many.map(|place| &frame.columns[place]) {
        return Err(Error::resources(format!(
            "{name} needs all different values of column '{}' in memory, and they don't fit",
            column.column.name
        ))
        .hint("raise --memory, or round the values before"));
    }
    if looked.layout.n_rows > u64::from(u32::MAX) {
        return Err(Error::unsupported(format!("{name} takes at most {} rows", u32::MAX)));
    }
    Ok(())
}

fn target_of(frame: &Frame) -> Option<usize> {
    frame.columns.iter().position(|column| column.column.role == Role::Target)
}

fn recipe_of(frame: &Frame, plan: &Plan) -> Result<(&'static dyn Specialises, Recipe)> {
    let algorithm = specialising(plan.algorithm)
        .ok_or_else(|| Error::internal("an algorithm without points was sent to the disk"))?;
    Ok((algorithm, algorithm.recipe(&plan.params, target_of(frame).is_some())?))
}

/// Find the cuts of a table.
pub fn find_cuts(
    larger: &Larger,
    plan: &Plan,
    input: &dyn Tuples,
    observer: &dyn Observer,
) -> Result<FoundCuts> {
    let (layout, whole) = (&larger.about.layout, &larger.about.whole);
    let (choice, folder) = (&larger.choice, &larger.run.folder);
    let template = layout.template();
    let objective = crate::metrics::find(&plan.metric)?
        .objective(&template)
        .ok_or_else(|| Error::params(format!("the metric {} has no prices", plan.metric)))?;
    let task = Task {
        max_suppressed: plan.max_suppressed,
        reference: Some(whole),
        observer,
        ..Task::new(&template, &plan.requirements, &objective)
    };
    // Leaves and counts beside the buffers of files.
    let room = choice.rows.groups;
    let (algorithm, recipe) = recipe_of(&layout.frame, plan)?;
    algorithm.check_requirements(task.requirements)?;
    let how = (algorithm.info().name, recipe);
    let search = search(&layout.frame, &layout.counts, how, &task, (input, folder), room)?;
    let deal = deal(&search, choice.rows.partition);
    Ok(FoundCuts { cuts: search.cuts(), findings: search.findings(), deal })
}

/// Search on disk. `counts` are those of the codes of each column of the frame.
fn search<'a>(
    frame: &Frame,
    counts: &[Vec<u64>],
    (name, recipe): (&str, Recipe),
    task: &Task<'a>,
    (input, folder): (&dyn Tuples, &SpillFolder),
    room: u64,
) -> Result<Search<'a>> {
    let whole = task.whole();
    let holds = |r: &dyn Requirement| whole.people >= r.min_people() && r.holds(&whole, &whole);
    // What is fully generalized is one group for every model; where that fails all else does.
    if !task.requirements.iter().all(holds) {
        return Err(infeasible(task));
    }
    let (wanted, columns) = columns_of(frame, counts, task);
    let (points, marginals) = collapse(input, &wanted, &columns, folder, room)?;
    let store = PointFiles::new(folder, columns, points, task.table.n_rows as u64, room);
    let mut progress = Progress::begin(task);
    let mut search = Search::with_store(name, task, recipe, marginals, Box::new(store))?;
    search.run(&mut progress)?;
    Ok(search)
}

/// Which columns of tuples the search reads, and what the columns of points are.
fn columns_of(frame: &Frame, counts: &[Vec<u64>], task: &Task<'_>) -> (Wanted, PointColumns) {
    let n_codes = |place: usize| frame.columns[place].column.domain.len() + 1;
    let quasi: Vec<usize> = frame.quasi();
    let sensitive = frame.sensitive();
    let needed = task.requirements.needed_histograms(sensitive.len());
    let mut counted = Vec::new();
    let mut place_of = |(place, needed): (&usize, bool)| {
        needed.then(|| {
            counted.push(*place);
            (quasi.len() + counted.len() - 1, n_codes(*place))
        })
    };
    let sensitive = sensitive.iter().zip(needed).map(&mut place_of).collect();
    let all = frame.widths();
    // A person is compared like a value that models count: points of two people aren't one.
    let subject = frame.subject.map(|place| {
        counted.push(place);
        quasi.len() + counted.len() - 1
    });
    let mut widths: Vec<u8> = quasi.iter().chain(&counted).map(|place| all[*place]).collect();
    widths.push(width_of(task.table.n_rows as u64));
    let target = target_of(frame).map(|place| {
        let (number, n_classes) = classes(&counts[place]);
        (place, number, n_classes)
    });
    let columns = PointColumns { sensitive, subject, widths };
    let rows = quasi.iter().map(|place| counts[*place].clone()).collect();
    let quasi = quasi.into_iter().map(|place| (place, n_codes(place))).collect();
    (Wanted { quasi, counted, target, rows }, columns)
}

/// Partitions with what they are.
pub type Dealt = Vec<(Arc<dyn Tuples>, Spilled)>;

/// Deal the records of the input out to partitions that fit.
pub fn deal_out(larger: &Larger, found: &FoundCuts, input: &dyn Tuples) -> Result<Dealt> {
    let frame = &larger.about.layout.frame;
    let (choice, folder) = (&larger.choice, &larger.run.folder);
    let n_parts = found.deal.n_parts();
    if n_parts > choice.rows.parts {
        return Err(Error::resources(format!(
            "the records make {n_parts} partitions, and only {} can be written at once in the \
                memory allowed",
            choice.rows.parts
        ))
        .hint("raise --memory"));
    }
    let quasi = frame.quasi();
    let mut route = found.deal.route(quasi);
    let spill = SpillDivide::new(folder, &frame.widths(), choice.rows.chunk)?.synced();
    let parts = spill.divide_into_files(input, n_parts, &mut |batch: &Batch<'_>, parts| {
        route.batch(batch, parts)
    })?;
    let part = |tuples: sfumato_io::spill::SpillTuples| {
        let n_rows = tuples.n_rows();
        let above = Above { region: Vec::new(), budget: 0, holds: true, guided: false, depth: 0 };
        let spilled = Spilled {
            files: vec![tuples.name()],
            slice: None,
            n_rows,
            above,
            published: true,
            whole_class: None,
        };
        (Arc::new(tuples) as Arc<dyn Tuples>, spilled)
    };
    Ok(parts.into_iter().filter(|tuples| tuples.n_rows() > 0).map(part).collect())
}

/// The values of the codes of each quasi column, as a manifest keeps cuts.
pub fn values_of(cuts: &[Cut]) -> Vec<Vec<Value>> {
    let of_cut = |cut: &Cut| cut.of_code().iter().map(|at| cut.values()[*at as usize]).collect();
    cuts.iter().map(of_cut).collect()
}

/// The cuts that a manifest keeps.
pub fn cuts_of(values: &[Vec<Value>]) -> Vec<Cut> {
    values.iter().map(|values| Cut::new(values.iter().copied())).collect()
}

/// Recode a partition by cuts.
pub fn recode(table: &Table, cuts: &[Cut]) -> Result<Boxes> {
    let quasi = table.quasi();
    let groups = Groups::new(&quasi, cuts, table.n_rows);
    let mut builder = BoxesBuilder::new(quasi.len());
    for example in &groups.example {
        let value = |(column, cut): (&&sfumato_core::dataset::Column, &Cut)| {
            cut.value(column.codes.get(*example as usize))
        };
        let region: Vec<Value> = quasi.iter().zip(cuts).map(value).collect();
        builder.push(&region)?;
    }
    Ok(builder.finish(groups.of_row))
}
