//! The trade-off: the same data anonymized by several algorithms for several k.
//!
//! Of a table whose cells are generalized, the data are read and encoded once and all is done in
//! memory: nothing is published, so nothing is written and nothing is shuffled; but no figure is
//! given of a recoding that wasn't checked. Every other kind and form goes through the pipeline.

pub(crate) mod check;
mod clock;
mod knee;
mod lattice;
mod ranking;
mod through_pipeline;

pub use knee::knee;
pub use lattice::MOST_NODES;

use sfumato_core::dataset::Table;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Algorithm, ClassSizes, Metric, View};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_report::explore::{Cell, Curve, Exploration, Figures};

use check::{Asked, check};
use clock::cpu_seconds;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::{AnyRelease as _, Entry, Releases};
use sfumato_table::data::check_dependencies::check_dependencies;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::read;
use sfumato_table::forms::buckets::find_generalizing;
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::forms::generalized::anonymize::anonymize;
use sfumato_table::forms::generalized::make_plan::{bind_models, bind_table, make_plan};
use sfumato_table::job::Job;
use sfumato_table::kind::Tables;

/// What to try.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// The values of k.
    pub ks: Vec<u64>,
    /// The algorithms, as `name(param=value)`; those that a user should look at first if none is
    /// named.
    pub algorithms: Vec<String>,
    /// Whether to look at the lattice of full-domain recodings too.
    pub with_lattice: bool,
    /// The k of the lattice: that of the first knee, or else the smallest, if none is named.
    pub lattice_k: Option<u64>,
}

/// Run a grid over data of any kind. The job says what to read, what must hold beside k, and what
/// to keep low; its output isn't looked at.
pub fn explore_any(
    releases: &Releases,
    job: &sfumato_engine::Job,
    grid: &Grid,
    observer: &dyn Observer,
) -> Result<Exploration> {
    let mut asked = job.clone();
    if let Some(algorithm) = grid.algorithms.first() {
        asked.set("recode", "algorithm", algorithm.clone());
    }
    let entry = releases.of_job(&asked)?;
    let in_memory = &Entry { kind: Tables { saved: None }, form: Generalized::default() };
    match (entry.kind(), entry.form()) == (in_memory.kind(), in_memory.form()) {
        true => explore(&job.without_output()?, grid, observer),
        false => through_pipeline::explore(releases, entry, job, grid, observer),
    }
}

/// Run a grid over a table whose cells are generalized, in memory.
pub fn explore(job: &Job, grid: &Grid, observer: &dyn Observer) -> Result<Exploration> {
    check_names(job, grid)?;
    let dataset = read(job, observer)?;
    let encoded = encode(job, dataset)?;
    check_dependencies(job, &encoded.table)?;
    explore_table(job, grid, &encoded.table, None, observer)
}

/// Run a grid on a table, with another algorithm in place of those of the grid if a test brings one
/// that lies.
fn explore_table(
    job: &Job,
    grid: &Grid,
    table: &Table,
    stand_in: Option<&dyn Algorithm>,
    observer: &dyn Observer,
) -> Result<Exploration> {
    let metric = sfumato_table::metrics::find(&job.recode.metric)?;
    let (ks, left_out) = split_ks(&grid.ks, table.n_rows)?;
    let algorithms = match grid.algorithms.is_empty() {
        true => default_algorithms(&job_at(job, "auto", ks[0]), table)?,
        false => grid.algorithms.clone(),
    };
    let run = Run { job, table, metric, stand_in, observer, n_cells: ks.len() * algorithms.len() };
    let mut curves = Vec::with_capacity(algorithms.len());
    for (place, algorithm) in algorithms.iter().enumerate() {
        curves.push(run.curve(algorithm, &ks, place * ks.len())?);
    }
    let higher_is_better = higher_is_better(metric);
    let max_suppressed = job.privacy.max_suppression.of(table.n_rows);
    let lattice_k = grid.lattice_k.or_else(|| curves.iter().find_map(|c| Some(c.knee.as_ref()?.k)));
    let lattice = match grid.with_lattice {
        true => {
            let k = lattice_k.unwrap_or(ks[0]);
            // No algorithm has a say here, so that models which none can serve are looked at too.
            let cell = job_at(job, "auto", k);
            let requirements = bind_models(&cell.privacy.models, &bind_table(table))?;
            let asked = Asked { requirements: &requirements, max_suppressed };
            Some(lattice::lattice(table, &asked, k, metric, observer)?)
        }
        false => None,
    };
    Ok(Exploration {
        version: env!("CARGO_PKG_VERSION").into(),
        input: job.input.path.clone(),
        kind: "table".into(),
        form: "generalized".into(),
        tried: "k-anonymity".into(),
        rows: table.n_rows as u64,
        quasi: table.quasi().iter().map(|column| column.name.clone()).collect(),
        metric: metric.info().name.into(),
        higher_is_better,
        models: other_models(job),
        max_suppressed,
        ks,
        left_out,
        ranking: ranking::ranking(&curves, higher_is_better),
        curves,
        lattice,
    })
}

/// Check names before a large file is read.
fn check_names(job: &Job, grid: &Grid) -> Result<()> {
    sfumato_table::metrics::find(&job.recode.metric)?;
    for (place, text) in grid.algorithms.iter().enumerate() {
        if grid.algorithms[..place].contains(text) {
            return Err(Error::params(format!("the algorithm {text} is given twice")));
        }
        if text != "auto" {
            let call: Call = text.parse()?;
            Params::check(find_generalizing(&call.name)?.info(), &call.args)?;
        }
    }
    Ok(())
}

/// The values of k from small to large, and those that no table of this size can have.
fn split_ks(ks: &[u64], n_rows: usize) -> Result<(Vec<u64>, Vec<u64>)> {
    let mut sorted = ks.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let (tried, left_out): (Vec<u64>, Vec<u64>) =
        sorted.into_iter().partition(|k| *k <= n_rows as u64);
    match tried.is_empty() {
        true => {
            Err(Error::params(format!("every k is larger than the number of records, {n_rows}"))
                .hint("name smaller ones with --ks"))
        }
        false => Ok((tried, left_out)),
    }
}

/// What must hold beside k-anonymity, whose k is what is tried.
fn other_models(job: &Job) -> Vec<String> {
    let is_k = |model: &&String| model.parse::<Call>().is_ok_and(|call| call.name == "k-anonymity");
    job.privacy.models.iter().filter(|model| !is_k(model)).cloned().collect()
}

/// The job of one cell. Without a seed all cells start from the same one, so that they can be
/// compared.
fn job_at(job: &Job, algorithm: &str, k: u64) -> Job {
    let mut cell = job.clone();
    cell.privacy.models = vec![format!("k-anonymity(k={k})")];
    cell.privacy.models.extend(other_models(job));
    cell.recode.algorithm = algorithm.into();
    cell.run.seed = Some(job.run.seed.unwrap_or(0));
    cell
}

/// What `auto` would choose, and Mondrian to compare with. Where it can choose none, its cells say
/// why.
fn default_algorithms(auto: &Job, table: &Table) -> Result<Vec<String>> {
    let plan = match make_plan(auto, table) {
        Err(error) if error.kind == ErrorKind::Unsupported => return Ok(vec!["auto".into()]),
        plan => plan?,
    };
    let info = plan.algorithm.info();
    let is_plain = Params::check(info, &Default::default()).is_ok_and(|plain| plain == plan.params);
    let chosen = if is_plain { info.name.to_string() } else { plan.params.describe() };
    let mut algorithms = vec![chosen];
    if info.name != "mondrian" {
        algorithms.push("mondrian".into());
    }
    Ok(algorithms)
}

/// Whether more of a metric is better. Precision is the only one that says how much is kept instead
/// of lost.
fn higher_is_better(metric: &dyn Metric) -> bool {
    metric.info().name == "precision"
}

/// What all cells share.
struct Run<'a> {
    job: &'a Job,
    table: &'a Table,
    metric: &'static dyn Metric,
    stand_in: Option<&'a dyn Algorithm>,
    observer: &'a dyn Observer,
    n_cells: usize,
}

impl Run<'_> {
    fn curve(&self, algorithm: &str, ks: &[u64], first: usize) -> Result<Curve> {
        let mut cells = Vec::with_capacity(ks.len());
        for (place, &k) in ks.iter().enumerate() {
            let step = format!("{}/{} k={k}", first + place + 1, self.n_cells);
            cells.push(
                match self.cell(algorithm, k, &Renamed { step: &step, inner: self.observer }) {
                    Ok(figures) => Cell { k, figures: Some(figures), infeasible: None },
                    Err(error)
                        if matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported) =>
                    {
                        Cell { k, figures: None, infeasible: Some(error.message) }
                    }
                    Err(error) => return Err(error),
                },
            );
        }
        let points: Vec<(u64, f64)> =
            cells.iter().filter_map(|cell| Some((cell.k, cell.figures.as_ref()?.loss?))).collect();
        Ok(Curve { algorithm: algorithm.into(), knee: knee(&points), cells })
    }

    fn cell(&self, algorithm: &str, k: u64, observer: &dyn Observer) -> Result<Figures> {
        let plan = make_plan(&job_at(self.job, algorithm, k), self.table)?;
        let (mut clock, cpu) = (Stopwatch::start(), cpu_seconds());
        let recoding =
            anonymize(self.stand_in.unwrap_or(plan.algorithm), &plan, self.table, observer)?;
        let seconds = clock.lap() / 1e3;
        let cpu_seconds = cpu.zip(cpu_seconds()).map(|(before, after)| (after - before).max(0.0));
        let name = self.stand_in.map_or(algorithm, |lying| lying.info().name);
        let asked = Asked { requirements: &plan.requirements, max_suppressed: plan.max_suppressed };
        let keeps_promises =
            self.stand_in.unwrap_or(plan.algorithm).info().capabilities.keeps_promises;
        let people =
            check(self.table, &asked, recoding.as_ref()).map_err(|what| match keeps_promises {
                true => failed_verification(name, k, &what),
                false => Error::infeasible(format!("what {name} found failed its check: {what}")),
            })?;
        let view = View::new(self.table, recoding.as_ref(), plan.k);
        Ok(Figures { seconds, cpu_seconds, ..self.measure(&view, people)? })
    }

    fn measure(&self, view: &View<'_>, people: Vec<u64>) -> Result<Figures> {
        let measured = |name: &str| -> Result<Option<f64>> {
            Ok(sfumato_table::metrics::find(name)?.measure(view).map(|measured| measured.overall))
        };
        let sizes = ClassSizes::from_sizes(people);
        let risk = |name: &str| -> Result<Option<f64>> {
            Ok(sfumato_risk::estimate::find(name)?.estimate(&sizes))
        };
        Ok(Figures {
            loss: self.metric.measure(view).map(|measured| measured.overall),
            ncp: measured("ncp")?,
            discernibility: measured("discernibility")?,
            average_class_size: measured("average-class-size")?,
            classes: sizes.classes(),
            smallest_class: sizes.smallest(),
            suppressed: view.suppressed,
            highest_risk: risk("prosecutor-max")?,
            average_risk: risk("prosecutor-mean")?,
            ..Figures::default()
        })
    }
}

/// An algorithm that decides what doesn't hold is our bug.
fn failed_verification(algorithm: &str, k: u64, what: &str) -> Error {
    Error::internal(format!("{algorithm} at k = {k} failed its verification: {what}"))
        .hint("this is a bug in Sfumato; please report it with the command and the version")
}

#[cfg(test)]
mod tests;
