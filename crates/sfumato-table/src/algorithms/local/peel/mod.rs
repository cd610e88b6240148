//! Peel: local recoding over the generalization lattice. From cheap nodes to expensive ones, every
//! group of records that may be published becomes a class; then a search guided by a lower bound
//! moves records to cheaper classes.
//!
//! It knows nothing about models: the requirements decide, and all classes are published through
//! `shared::clusters`.

mod bound;
mod cells;
mod exchange;
mod improve;
mod ladder;
mod lattice;
mod packed;
mod part;
mod records;
mod rest;
mod search;
#[cfg(test)]
mod tests;
mod walk;

use rayon::prelude::*;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{BoxesBuilder, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params, PerEffort};
use sfumato_core::traits::{Algorithm, Effort, Objective, Task};
use sfumato_core::{Error, Result};

use crate::algorithms::shared::clusters::{Judge, publish};
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Space;
use improve::{Improved, improve};
use lattice::Lattice;
use part::Parts;
use records::Records;
use walk::{Walk, Walked};

/// The algorithm `peel`, an entry of the registry.
pub struct Peel;

static INFO: Info = Info {
    name: "peel",
    summary: "walks the generalization lattice from cheap to costly; groups that may be published \
        leave, a search moves records on",
    papers: &[
        Paper {
            authors: "J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. Fu",
            title: "Utility-based anonymization using local recoding",
            venue: "KDD",
            year: 2006,
        },
        Paper {
            authors: "P. Samarati",
            title: "Protecting respondents' identities in microdata release",
            venue: "IEEE Transactions on Knowledge and Data Engineering 13(6)",
            year: 2001,
        },
    ],
    params: &[
        ParamSpec::optional(
            "quantiles",
            ParamKind::Integer { min: 1, max: 64 },
            "how often a node is entered: first for the groups that cost least; 1 takes a node \
                whole; 3, or 4 at high effort, if not given",
        ),
        ParamSpec::with_default(
            "search",
            ParamKind::Flag,
            "true",
            "move records to cheaper classes after the walk, as long as the effort says",
        ),
    ],
    doc: include_str!("peel.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        fits_sensitive: true,
        // From Adult, cup and generated census rows: a few thousand, more where records differ
        // more.
        nanoseconds_per_cell: Some(PerEffort { low: 3_000.0, normal: 5_000.0, high: 200_000.0 }),
        anytime: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Peel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        if task.table.n_rows >= u32::MAX as usize {
            return Err(Error::unsupported("peel takes at most 4,294,967,294 records"));
        }
        // Where the objective doesn't look at cells, the certainty penalty says which records are
        // near: among equal prices the walk would put strangers together.
        let ncp = Objective::ncp(task.table);
        let near = match task.objective.ignores_cells() {
            true => Task { objective: &ncp, ..*task },
            false => *task,
        };
        let space = Space::new(&near, INFO.name)?;
        if task.table.n_rows == 0 {
            return Ok(Box::new(BoxesBuilder::new(space.n_columns()).finish(Vec::new())));
        }
        let judge = Judge::new(&near);
        let run = Run { task: &near, asked: task.objective, space: &space, judge: &judge, params };
        run.anonymize()
    }
}

/// One run with all of its parameters.
struct Run<'a> {
    task: &'a Task<'a>,
    /// The objective of the job, if the task's own objective only measures distances.
    asked: &'a Objective<'a>,
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    params: &'a Params,
}

impl Run<'_> {
    /// Whether the user asked to stop, or what there is will do.
    fn is_over(&self) -> bool {
        self.task.observer.cancelled() || self.task.observer.enough()
    }
}

/// How much work an effort allows, per record.
struct Work {
    /// The number of records examined by the walk.
    visits: u64,
    /// The number of records examined to find cells, and of members of cells that are kept.
    cells: u64,
    members: usize,
    /// The number of steps towards the bound.
    bound: usize,
    /// The number of steps of the search over cells and of the exchange of rows, times k, since a
    /// step examines about k rows.
    steps: f64,
    exchanges: f64,
    /// The starting temperature of the search, in prices of a class.
    hot: f64,
}

impl Work {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Work {
                visits: 800,
                cells: 0,
                members: 0,
                bound: 0,
                steps: 0.0,
                exchanges: 0.0,
                hot: 0.0,
            },
            Effort::Normal => Work {
                visits: 1_500,
                cells: 100,
                members: 12,
                bound: 10,
                steps: 10.0,
                exchanges: 30.0,
                hot: 0.05,
            },
            Effort::High => Work {
                visits: 20_000,
                cells: 2_000,
                members: 500,
                bound: 180,
                steps: 1_400.0,
                exchanges: 3_800.0,
                hot: 0.26,
            },
        }
    }
}

impl Run<'_> {
    fn anonymize(&self) -> Result<Box<dyn Recoding>> {
        let mut progress = Progress::begin(self.task);
        let parts = if self.judge.by_rows() { None } else { Parts::new(self.task, self.judge) };
        let records = Records::new(self.space, self.task.table.n_rows, parts.is_none());
        let ladders = records.ladders(self.space);
        let lattice = Lattice::new(&records, &ladders, self.task.objective.join());
        let work = Work::of(self.task.effort);

        let walked = self.walk(&records, &lattice, parts.as_ref(), &work, &mut progress)?;
        if walked.cut_short {
            let placed = walked.classes.iter().map(|class| records.rows_of(class)).collect();
            let mut clusters = rest::complete(self, placed, &records.rows_of(&walked.left))?;
            if self.may_search() {
                clusters = rest::exchange_near(self, &records, &work, clusters);
            }
            progress.reach(self.task.table.n_rows)?;
            return Ok(Box::new(publish(self.task, self.space, clusters)?));
        }
        let classes = self.settle(&records, walked);
        if !self.searches(&records, &classes) {
            let clusters = classes.iter().map(|class| records.rows_of(class)).collect();
            progress.reach(self.task.table.n_rows)?;
            return Ok(Box::new(publish(self.task, self.space, clusters)?));
        }
        let Improved { clusters, bound } = improve(self, &records, &lattice, &work, classes);
        progress.reach(self.task.table.n_rows)?;
        let boxes = publish(self.task, self.space, clusters)?;
        // Ranges without a hierarchy may be narrower than any interval of the lattice; where all
        // regions are its nodes, the bound holds for whatever is published. Other objectives are a
        // metric up to a factor and a constant: a reader couldn't compare.
        let comparable = self.task.objective.metric == "ncp";
        let findings = match comparable && self.space.axes.iter().all(|axis| axis.tree.is_some()) {
            true => vec![Finding { name: "lower_bound", value: bound }],
            false => Vec::new(),
        };
        Ok(Box::new(boxes.with_findings(findings)))
    }

    fn walk(
        &self,
        records: &Records,
        lattice: &Lattice<'_>,
        parts: Option<&Parts<'_>>,
        work: &Work,
        progress: &mut Progress<'_>,
    ) -> Result<Walked> {
        // Where groups are judged one by one, a visit costs more than entering a node again brings.
        let quantiles = if self.judge.by_rows() { self.quantiles() } else { 1 };
        let hurry =
            (!self.judge.by_rows() || !lattice.is_listed()) && self.task.effort < Effort::High;
        // Lattices that can be listed end by themselves; with few records that is soon enough to
        // wait for.
        let patience = (8 * 64_000 / records.len().max(1) as u64).clamp(1, 8);
        let visits = if lattice.is_listed() { work.visits * patience } else { work.visits };
        let mut budget = visits.saturating_mul(records.len() as u64);
        let everybody: Vec<u32> = (0..records.len() as u32).collect();
        let mut classes = Vec::new();
        let mut start = everybody;
        if self.asked.outsider > 0.0 {
            // First only groups that agree on the target better than the table does.
            let everybody: Vec<u32> = (0..self.task.table.n_rows as u32).collect();
            let most = 0.5 * self.share_of_outsiders(&everybody);
            let pure = |rows: &[u32]| self.share_of_outsiders(rows) <= most;
            let walk = Walk {
                records,
                lattice,
                judge: self.judge,
                admit: Some(&pure),
                parts: None,
                hurry,
            };
            let walked =
                walk.run(&mut lattice.visits(records, quantiles), start, &mut budget, progress)?;
            classes = walked.classes;
            start = walked.left;
        }
        let walk = Walk { records, lattice, judge: self.judge, admit: None, parts, hurry };
        let mut walked =
            walk.run(&mut lattice.visits(records, quantiles), start, &mut budget, progress)?;
        walked.classes.extend(classes);
        Ok(walked)
    }

    fn quantiles(&self) -> usize {
        let usual = if self.task.effort == Effort::High { 4 } else { 3 };
        self.params.optional_integer("quantiles").map_or(usual, |n| n as usize)
    }

    /// The share of rows whose target isn't the most frequent one.
    fn share_of_outsiders(&self, rows: &[u32]) -> f64 {
        let Some(target) = self.task.table.of_role(sfumato_core::dataset::Role::Target).next()
        else {
            return 0.0;
        };
        let mut counts = vec![0u64; target.domain.len() + 1];
        rows.iter().for_each(|&row| counts[target.codes.get(row as usize) as usize] += 1);
        1.0 - counts.into_iter().max().unwrap_or(0) as f64 / rows.len().max(1) as f64
    }

    /// Join the remaining rows, if they are few and the number of rows decides all requirements, to
    /// the classes that grow least. Otherwise they are left and `publish` decides.
    fn settle(&self, records: &Records, walked: Walked) -> Vec<Vec<u32>> {
        let Walked { mut classes, left, .. } = walked;
        if !self.judge.by_rows()
            || left.len() >= self.judge.min_rows
            || self.task.max_suppressed > 0
        {
            return classes;
        }
        for record in left {
            let own = self.space.of_row(records.rows(record)[0]);
            let growth = |class: &Vec<u32>| {
                let around = self.space.around(&records.rows_of(class));
                let hull: Vec<_> = around.iter().zip(&own).map(|(a, b)| a.hull(*b)).collect();
                let rows: u64 =
                    class.iter().map(|&record| u64::from(records.weight[record as usize])).sum();
                let more = u64::from(records.weight[record as usize]);
                self.space.price(&hull) * (rows + more) as f64
                    - self.space.price(&around) * rows as f64
            };
            let nearest = classes
                .par_iter()
                .enumerate()
                .map(|(place, class)| (growth(class), place))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if let Some((_, place)) = nearest {
                classes[place].push(record);
            }
        }
        classes
    }

    /// Whether a search makes sense, for which every record must be in a class.
    fn searches(&self, records: &Records, classes: &[Vec<u32>]) -> bool {
        let placed: usize = classes.iter().map(Vec::len).sum();
        placed == records.len() && self.may_search()
    }

    /// Whether records may be moved one by one: they are counted, and cells have prices.
    fn may_search(&self) -> bool {
        !self.is_over()
            && self.params.flag("search")
            && self.task.effort > Effort::Low
            && self.judge.by_rows()
            && !self.asked.ignores_cells()
            && self.judge.min_rows > 1
    }
}
