//! Peel: local recoding over the generalization lattice. From cheap nodes to costly ones, every group of records that may be published
//! leaves as a class; then a search guided by a lower bound moves records to cheaper classes.
//!
//! It knows nothing about models: every question goes to the requirements, and what leaves goes through `shared::clusters`.

mod bound;
mod cells;
mod ladder;
mod lattice;
mod packed;
mod records;
mod search;
mod walk;

use rayon::prelude::*;
use sfumato_core::recoding::{BoxesBuilder, Recoding};
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Effort, Objective, Scope, Task};
use sfumato_core::{Error, Result};

use super::shared::clusters::{Judge, publish};
use super::shared::progress::Progress;
use super::shared::space::Space;
use lattice::Lattice;
use records::Records;
use walk::{Walk, Walked};

/// The algorithm `peel`.
pub struct Peel;

static INFO: Info = Info {
    name: "peel",
    summary: "walks the generalization lattice from cheap to costly; groups that may be published leave, a search moves records on",
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
        ParamSpec::with_default(
            "quantiles",
            ParamKind::Integer { min: 1, max: 64 },
            "4",
            "how often a node is entered: first for the groups that cost least; 1 takes a node whole",
        ),
        ParamSpec::with_default(
            "search",
            ParamKind::Flag,
            "true",
            "move records to cheaper classes after the walk, as long as the effort says",
        ),
        ParamSpec::optional(
            "steps",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "how many steps the search tries, instead of what the effort says",
        ),
    ],
    doc: include_str!("peel.md"),
};

impl Algorithm for Peel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn serves(&self, scope: &Scope) -> bool {
        *scope == Scope::Class
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        if task.table.n_rows >= u32::MAX as usize {
            return Err(Error::unsupported("peel takes at most 4,294,967,294 records"));
        }
        // Where the objective doesn't look at cells, the certainty penalty says which records are near: among equal prices the walk
        // would put strangers together.
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

/// One run with everything looked up.
struct Run<'a> {
    task: &'a Task<'a>,
    /// The objective as asked, where the task's own only says who is near.
    asked: &'a Objective<'a>,
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    params: &'a Params,
}

/// How much work an effort allows, per record.
struct Work {
    /// Records looked at by the walk.
    visits: u64,
    /// Records looked at to find cells, and members of cells that are kept.
    cells: u64,
    members: usize,
    /// Steps towards the bound.
    bound: usize,
    /// Steps of the search.
    steps: f64,
    /// How hot the search begins, in prices of a class.
    hot: f64,
}

impl Work {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Work { visits: 2_000, cells: 0, members: 0, bound: 0, steps: 0.0, hot: 0.0 },
            Effort::Normal => {
                Work { visits: 10_000, cells: 200, members: 25, bound: 20, steps: 6.0, hot: 0.05 }
            }
            Effort::High => {
                Work { visits: 100_000, cells: 2_000, members: 500, bound: 300, steps: 1_000.0, hot: 0.3 }
            }
        }
    }
}

/// How cold the search ends, in prices of a class.
const COLD: f64 = 0.02;
/// What a cell may lack of paying, in prices of a class, to be worth opening, and to be kept as a place to go.
const WORTH_OPENING: f64 = 0.05;
const WORTH_KEEPING: f64 = 0.3;

impl Run<'_> {
    fn anonymize(&self) -> Result<Box<dyn Recoding>> {
        let mut progress = Progress::begin(self.task);
        let records = Records::new(self.space, self.task.table.n_rows);
        let ladders = records.ladders(self.space);
        let lattice = Lattice::new(&records, &ladders, self.task.objective.join());
        let work = Work::of(self.task.effort);

        let walked = self.walk(&records, &lattice, &work, &mut progress)?;
        let classes = self.settle(&records, walked);
        let clusters = match self.searches(&records, &classes) {
            true => self.search(&records, &lattice, &work, classes)?,
            false => classes.iter().map(|class| records.rows_of(class)).collect(),
        };
        progress.reach(self.task.table.n_rows)?;
        Ok(Box::new(publish(self.task, self.space, clusters)?))
    }

    fn walk(
        &self,
        records: &Records,
        lattice: &Lattice<'_>,
        work: &Work,
        progress: &mut Progress<'_>,
    ) -> Result<Walked> {
        let quantiles = self.params.integer("quantiles") as usize;
        let mut budget = work.visits.saturating_mul(records.len() as u64);
        let everybody: Vec<u32> = (0..records.len() as u32).collect();
        let mut classes = Vec::new();
        let mut start = everybody;
        if self.asked.outsider > 0.0 {
            // First only groups that agree on the target better than the table does.
            let pure = |rows: &[u32]| self.share_of_outsiders(rows) <= 0.5 * self.share_of_outsiders(&[]);
            let walk = Walk { records, lattice, judge: self.judge, admit: Some(&pure) };
            let walked = walk.run(&mut lattice.visits(records, quantiles), start, &mut budget, progress)?;
            classes = walked.classes;
            start = walked.left;
        }
        let walk = Walk { records, lattice, judge: self.judge, admit: None };
        let mut walked = walk.run(&mut lattice.visits(records, quantiles), start, &mut budget, progress)?;
        walked.classes.extend(classes);
        Ok(walked)
    }

    /// The share of rows whose target isn't the most frequent one; of the whole table for no rows.
    fn share_of_outsiders(&self, rows: &[u32]) -> f64 {
        let Some(target) = self.task.table.of_role(sfumato_core::dataset::Role::Target).next() else {
            return 0.0;
        };
        let mut counts = vec![0u64; target.domain.len() + 1];
        let n = match rows {
            [] => {
                target.codes.iter().for_each(|code| counts[code as usize] += 1);
                self.task.table.n_rows
            }
            rows => {
                rows.iter().for_each(|&row| counts[target.codes.get(row as usize) as usize] += 1);
                rows.len()
            }
        };
        1.0 - counts.into_iter().max().unwrap_or(0) as f64 / n.max(1) as f64
    }

    /// Join what is left, if it is little and the number of rows says all, to the classes that grow least. Otherwise it stays outside and
    /// `publish` decides.
    fn settle(&self, records: &Records, walked: Walked) -> Vec<Vec<u32>> {
        let Walked { mut classes, left, .. } = walked;
        if !self.judge.by_rows() || left.len() >= self.judge.min_rows || self.task.max_suppressed > 0 {
            return classes;
        }
        for record in left {
            let own = self.space.of_row(records.rows(record)[0]);
            let growth = |class: &Vec<u32>| {
                let around = self.space.around(&records.rows_of(class));
                let hull: Vec<_> = around.iter().zip(&own).map(|(a, b)| a.hull(*b)).collect();
                let rows: u64 = class.iter().map(|&record| u64::from(records.weight[record as usize])).sum();
                let more = u64::from(records.weight[record as usize]);
                self.space.price(&hull) * (rows + more) as f64 - self.space.price(&around) * rows as f64
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

    /// Whether a search makes sense: it counts rows, and needs everybody to be somewhere.
    fn searches(&self, records: &Records, classes: &[Vec<u32>]) -> bool {
        let placed: usize = classes.iter().map(Vec::len).sum();
        self.params.flag("search")
            && placed == records.len()
            && self.judge.by_rows()
            && !self.asked.ignores_cells()
            && self.judge.min_rows > 1
    }

    fn search(
        &self,
        records: &Records,
        lattice: &Lattice<'_>,
        work: &Work,
        classes: Vec<Vec<u32>>,
    ) -> Result<Vec<Vec<u32>>> {
        let n_rows = self.task.table.n_rows;
        let steps =
            self.params.optional_integer("steps").map_or((work.steps * n_rows as f64) as u64, |n| n as u64);
        if steps == 0 {
            return Ok(classes.iter().map(|class| records.rows_of(class)).collect());
        }
        let k = self.judge.min_rows as u64;
        let cancelled = || self.task.observer.cancelled();
        let (all, of_class) = cells::find(
            records,
            lattice,
            k,
            work.members.saturating_mul(records.len()),
            work.cells.saturating_mul(records.len() as u64),
            &classes,
        );
        let mut paid = vec![0.0; records.len()];
        for (class, &cell) in classes.iter().zip(&of_class) {
            class.iter().for_each(|&record| paid[record as usize] = all.price[cell as usize]);
        }
        let upper: f64 =
            paid.iter().zip(&records.weight).map(|(paid, &weight)| paid * f64::from(weight)).sum();
        let most = all.complete_below;
        let values = bound::find(records, &all, k, paid, upper, most, work.bound, &cancelled);

        let class_price = upper / n_rows as f64 * k as f64;
        let mut open = vec![false; all.len()];
        of_class.iter().for_each(|&cell| open[cell as usize] = true);
        let shortfall: Vec<f64> = {
            (0..all.len() as u32)
                .into_par_iter()
                .map(|cell| bound::shortfall(records, &all, cell, k, &values.value))
                .collect()
        };
        let kept = |cell: u32| open[cell as usize] || shortfall[cell as usize] <= WORTH_KEEPING * class_price;
        let places: Vec<u32> = (0..all.len() as u32).filter(|&cell| kept(cell)).collect();
        let cells = all.filter(kept);
        let worth_opening: Vec<bool> =
            places.iter().map(|&cell| shortfall[cell as usize] <= WORTH_OPENING * class_price).collect();
        let mut renamed = vec![0u32; all.len()];
        places.iter().zip(0..).for_each(|(&cell, new)| renamed[cell as usize] = new);
        let of_class: Vec<u32> = of_class.iter().map(|&cell| renamed[cell as usize]).collect();
        drop(all);
        let schedule = search::Schedule {
            steps,
            hot: work.hot.max(COLD) * class_price,
            cold: COLD * class_price,
            seed: self.task.seed,
        };
        let (clusters, _) = search::search(
            records,
            &cells,
            &worth_opening,
            k as usize,
            &classes,
            &of_class,
            &schedule,
            &cancelled,
        );
        Ok(clusters)
    }
}
