//! The trade-off of any kind and form: each cell is a whole run of the pipeline into a folder that
//! goes away, verified from its bytes like a release.
//!
//! Reads the data again for each cell. What is written is a release that holds, in a folder for its
//! owner only, and none of it stays.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::job::RecodeSpec;
use sfumato_engine::{AnyRelease, Job, Releases};
use sfumato_report::Report;
use sfumato_report::explore::{Cell, Curve, Exploration, Figures};

use super::{Grid, knee, ranking};

/// Run a grid through the pipeline.
pub fn explore(
    releases: &Releases,
    entry: &'static dyn AnyRelease,
    job: &Job,
    grid: &Grid,
    observer: &dyn Observer,
) -> Result<Exploration> {
    let (plural, form) = (entry.plural(), entry.form());
    if grid.with_lattice {
        return Err(Error::unsupported(format!(
            "a lattice is of generalized tables, and these are {plural} published as {form}"
        ))
        .hint("leave --lattice out"));
    }
    let strength = Strength::of(entry, job)?;
    let folder = tempfile::tempdir()
        .map_err(|error| Error::io(&std::env::temp_dir(), "make a folder in", &error))?;
    let run = Run { releases, entry, job, strength, observer, folder: folder.path() };
    let mut ks = grid.ks.clone();
    ks.sort_unstable();
    ks.dedup();
    let first = ks.first().copied().unwrap_or(2);
    // The plan tells how many records there are and whom auto would choose; where there is none
    // the cells say why.
    let named = grid.algorithms.first().map_or("auto", String::as_str);
    let plan = match entry.explain(&run.job_at(named, first)?, observer) {
        Err(error) if is_an_answer(&error) => None,
        plan => Some(plan?),
    };
    let rows = plan.as_ref().map_or(0, |plan| plan.facts.read.records);
    let (ks, left_out): (Vec<u64>, Vec<u64>) =
        ks.into_iter().partition(|k| rows == 0 || *k <= rows);
    if ks.is_empty() {
        return Err(Error::params(format!("every k is larger than the number of records, {rows}"))
            .hint("name smaller ones with --ks"));
    }
    let algorithms = match (grid.algorithms.is_empty(), &plan) {
        (true, Some(plan)) => vec![plan.facts.algorithm.call.clone()],
        (true, None) => vec!["auto".to_string()],
        (false, _) => grid.algorithms.clone(),
    };
    let asked = run.metric()?;
    let mut rows_of_cells: Vec<Vec<Tried>> = Vec::new();
    for (place, algorithm) in algorithms.iter().enumerate() {
        let n_cells = ks.len() * algorithms.len();
        rows_of_cells.push(run.try_all(algorithm, &ks, (place * ks.len(), n_cells))?);
    }
    // A form without a list of metrics still measures something.
    let measured = || {
        let reports = rows_of_cells.iter().flatten().filter_map(|(_, tried)| tried.as_ref().ok());
        reports.flat_map(|report| report.metrics.iter()).map(|(name, _)| name.to_string()).next()
    };
    let metric = asked.or_else(measured).unwrap_or_default();
    let curves: Vec<Curve> = algorithms
        .into_iter()
        .zip(rows_of_cells)
        .map(|(algorithm, cells)| curve(algorithm, cells, &metric))
        .collect();
    let higher_is_better = entry.more_is_better(&metric);
    Ok(Exploration {
        version: env!("CARGO_PKG_VERSION").into(),
        input: job.get("input", "path").and_then(|path| path.as_str()).unwrap_or("").into(),
        kind: entry.kind().into(),
        form: form.into(),
        tried: run.strength.model.clone(),
        rows,
        metric,
        higher_is_better,
        models: run.strength.others.clone(),
        ks,
        left_out,
        ranking: ranking::ranking(&curves, higher_is_better),
        curves,
        ..Exploration::default()
    })
}

/// A k, and the report of its run, or why there is none.
type Tried = (u64, std::result::Result<Report, String>);

/// What is asked for in several strengths, and what beside it.
struct Strength {
    model: String,
    parameter: &'static str,
    /// Its other parameters, as the job has them.
    call: Option<Call>,
    others: Vec<String>,
}

impl Strength {
    /// The first model of the job that has the parameter of the form, or else the form's own.
    fn of(entry: &dyn AnyRelease, job: &Job) -> Result<Strength> {
        let Some((model, parameter)) = entry.strength() else {
            return Err(Error::unsupported(format!(
                "{} published as {} promise nothing that could be asked for more strongly",
                entry.plural(),
                entry.form()
            ))
            .hint("explore compares what k costs: take a form that keeps a model"));
        };
        let models = job.list("privacy", "models");
        let has_it = |text: &String| {
            text.parse::<Call>().is_ok_and(|call| call.args.contains_key(parameter))
        };
        let tried = models.iter().position(has_it);
        let call = tried.map(|place| models[place].parse::<Call>()).transpose()?;
        let others = models
            .iter()
            .enumerate()
            .filter(|(place, _)| Some(*place) != tried)
            .map(|(_, model)| model.clone())
            .collect();
        let model = call.as_ref().map_or(model.to_string(), |call| call.name.clone());
        Ok(Strength { model, parameter, call, others })
    }

    fn models(&self, k: u64) -> Vec<String> {
        let named = Call { name: self.model.clone(), args: Default::default() };
        let mut call = self.call.clone().unwrap_or(named);
        call.args.insert(self.parameter.into(), Argument::Word(k.to_string()));
        [vec![call.to_string()], self.others.clone()].concat()
    }
}

/// Whether an error is a normal answer of a cell.
fn is_an_answer(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported)
}

/// What all cells share.
struct Run<'a> {
    releases: &'a Releases,
    entry: &'static dyn AnyRelease,
    job: &'a Job,
    strength: Strength,
    observer: &'a dyn Observer,
    folder: &'a std::path::Path,
}

impl Run<'_> {
    /// The metric of the curves: that of the job, or the form's first where the job only has the
    /// default of all jobs.
    fn metric(&self) -> Result<Option<String>> {
        let known: Vec<&str> = self.entry.metrics().iter().map(|info| info.name).collect();
        let asked = self.job.get("recode", "metric").and_then(|metric| metric.as_str());
        match asked {
            Some(asked) if known.contains(&asked) => Ok(Some(asked.into())),
            Some(asked) if asked != RecodeSpec::default().metric => Err(Error::params(format!(
                "there is no metric '{asked}' of {} published as {}",
                self.entry.plural(),
                self.entry.form()
            ))
            .hint(format!("its metrics are {}", known.join(", ")))),
            _ => Ok(known.first().map(|first| (*first).to_string())),
        }
    }

    /// The job of one cell. Without a seed all cells start from the same one, so that they can be
    /// compared.
    fn job_at(&self, algorithm: &str, k: u64) -> Result<Job> {
        let mut cell = self.job.clone();
        cell.set("privacy", "models", self.strength.models(k));
        cell.set("recode", "algorithm", algorithm);
        if cell.get("run", "seed").is_none() {
            cell.set("run", "seed", 0);
        }
        ["report", "public_report", "recoding"].iter().for_each(|key| cell.unset("output", key));
        let name = self.name(self.entry.is_folder(&cell)?);
        cell.set("output", "path", self.folder.join(name).display().to_string());
        Ok(cell)
    }

    /// A release is written as its input is: the endings say how. A folder has none.
    fn name(&self, is_folder: bool) -> String {
        if is_folder {
            return "release".into();
        }
        let path = self.job.input_path();
        let name = std::path::Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
        match name.split_once('.') {
            Some((_, endings)) => format!("release.{endings}"),
            None => "release".into(),
        }
    }

    /// One algorithm over all k.
    fn try_all(
        &self,
        algorithm: &str,
        ks: &[u64],
        (first, n_cells): (usize, usize),
    ) -> Result<Vec<Tried>> {
        let mut cells = Vec::with_capacity(ks.len());
        for (place, &k) in ks.iter().enumerate() {
            let step = format!("{}/{n_cells} k={k}", first + place + 1);
            let observer = Renamed { step: &step, inner: self.observer };
            cells.push(match self.cell(algorithm, k, &observer) {
                Ok(report) => (k, Ok(report)),
                Err(error) if is_an_answer(&error) => (k, Err(error.message)),
                Err(error) => return Err(error),
            });
        }
        Ok(cells)
    }

    fn cell(&self, algorithm: &str, k: u64, observer: &dyn Observer) -> Result<Report> {
        let job = self.job_at(algorithm, k)?;
        let entry = self.releases.of_job(&job)?;
        if (entry.kind(), entry.form()) != (self.entry.kind(), self.entry.form()) {
            return Err(Error::unsupported(format!(
                "{algorithm} publishes {}, and the others {}",
                entry.form(),
                self.entry.form()
            )));
        }
        entry.run(&job, observer)
    }
}

/// The curve of one algorithm, with a metric as its loss.
fn curve(algorithm: String, tried: Vec<Tried>, metric: &str) -> Curve {
    let cell = |(k, tried): Tried| match tried {
        Ok(report) => Cell { k, figures: Some(figures(&report, metric)), infeasible: None },
        Err(why) => Cell { k, figures: None, infeasible: Some(why) },
    };
    let cells: Vec<Cell> = tried.into_iter().map(cell).collect();
    let points: Vec<(u64, f64)> =
        cells.iter().filter_map(|cell| Some((cell.k, cell.figures.as_ref()?.loss?))).collect();
    Curve { algorithm, knee: knee(&points), cells }
}

/// What the report of a run says that the grid shows.
fn figures(report: &Report, metric: &str) -> Figures {
    let measured = |name: &str| report.metrics.get(name).copied().flatten();
    let risk = |name: &str| report.risks.get(name).and_then(|change| change.after);
    let classes = report.classes.as_ref();
    Figures {
        loss: measured(metric),
        ncp: measured("ncp"),
        discernibility: measured("discernibility"),
        average_class_size: measured("average-class-size"),
        classes: classes.map_or(0, |classes| classes.count),
        smallest_class: classes.map(|classes| classes.min).filter(|min| *min > 0),
        suppressed: report.suppressed.records,
        highest_risk: risk("prosecutor-max"),
        average_risk: risk("prosecutor-mean"),
        seconds: report.timings_ms.anonymize / 1e3,
        cpu_seconds: None,
    }
}
