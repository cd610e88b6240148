//! `sfumato cluster release.toml | DATA [flags] --clusters N`: shows whether the clusters of the
//! data survive anonymizing, and whether it helps if the algorithm knows them. With `-o` the best
//! release is published, through the ordinary pipeline.

use std::path::{Path, PathBuf};

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_evaluate::cluster::{Settings, Study, Supplement, release, study};
use sfumato_report::cluster::{ClusterStudy, csv, draw_clusters, words};
use sfumato_table::Job;
use sfumato_table::forms::generalized::check_destinations::check_destinations;

use super::explore::calls;
use super::flags::{self, Flags, table_job};
use super::out_folder::{check_files, write_file};
use super::run::show;
use super::{Context, print, set_threads};

/// Shown below the flags of `cluster --help`.
const FRAMEWORK: &str = "\
The records are clustered on their quasi columns. Each algorithm anonymizes them twice: told which \
cluster each record is in, so that it \
can keep clusters apart, and blind. Each result is checked, clustered again, and compared with the \
clusters of the original. Labels stay in \
memory: no release has them; a --supplement tells them by class, which says more than the release.

With --out DIR the folder gets clusters.json, clusters.csv and clusters.svg. With -o FILE the arm \
with the highest F is released.";

#[derive(Args)]
#[command(after_long_help = FRAMEWORK)]
pub struct Cluster {
    /// A release.toml, or the data as for anonymize.
    #[arg(value_name = "release.toml|DATA")]
    input: String,
    #[command(flatten)]
    flags: Flags<flags::Study>,
    /// How many clusters; several numbers such as 3,5,8 are compared one after the other.
    #[arg(long, value_name = "N,N", required = true, value_delimiter = ',', value_parser =
        clap::value_parser!(u64).range(2..=1_000_000))]
    clusters: Vec<u64>,
    /// The clusterer, such as 'k-means(starts=20)' or 'k-medoids'.
    #[arg(long, value_name = "C", default_value = "k-means")]
    clusterer: String,
    /// The clusterer of the releases, if the recipient will use another one than --clusterer.
    #[arg(long, value_name = "C")]
    recipient: Option<String>,
    /// Write what may be handed out beside the release as JSON: taxonomies, published values, how
    /// similar the clusters are, and the clusters by class. Needs a single number of clusters.
    #[arg(long, value_name = "FILE")]
    supplement: Option<PathBuf>,
    /// An algorithm, tried with labels and blind. May be given again. By default mondrian,
    /// top-down-refinement, and the one that auto chooses without labels.
    #[arg(long, value_name = "A", visible_alias = "algorithms")]
    algorithm: Vec<String>,
    /// A folder for everything that was found; made if it isn't there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Release the arm with the highest F: verified, without labels. Needs a single number of
    /// clusters.
    #[arg(short = 'o', long = "output", alias = "release", value_name = "FILE")]
    release: Option<String>,
    /// The private report of the release: .html or .json.
    #[arg(long, value_name = "FILE", requires = "release")]
    report: Option<String>,
    /// The public report of the release: .html or .json.
    #[arg(long, value_name = "FILE", requires = "release")]
    public_report: Option<String>,
    /// Print everything to standard output as one JSON object instead of the table.
    #[arg(long)]
    json: bool,
}

impl Cluster {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = self.job()?;
        let settings = Settings {
            clusters: self.clusters.clone(),
            clusterer: self.clusterer.clone(),
            recipient: self.recipient.clone(),
            algorithms: calls(&self.algorithm),
            seed: job.run.seed.unwrap_or(0),
        };
        settings.check()?;
        self.check_destinations(&job)?;
        set_threads(context, job.run.threads)?;
        let Study { study, supplements } = study(&job, &settings, &context.progress)?;
        let shown = if self.json { study.to_json() + "\n" } else { words(&study) };
        if !study.is_feasible() {
            print(&shown)?;
            return Err(Error::infeasible("no algorithm can meet the requirements").hint(
                "ask for less, or allow more records to be suppressed; nothing was written",
            ));
        }
        self.write(&study, &supplements)?;
        print(&shown)?;
        if self.release.is_some() {
            let number = &study.numbers[0];
            let best = number.best.and_then(|best| number.arms.get(best));
            let arm = best.ok_or_else(|| Error::internal("a feasible study has a best arm"))?;
            context.say(&format!("releasing  {} ({})", arm.name(), arm.told()));
            let report = release(&job, &settings, number.clusters, arm, &context.progress)?;
            show(&report, false, context)?;
        }
        Ok(0)
    }

    fn job(&self) -> Result<Job> {
        let mut job = table_job(&self.flags, &self.input)?;
        if let Some(path) = &self.release {
            if self.clusters.len() > 1 {
                return Err(Error::params(
                    "a release is made for one number of clusters, and \
                    several are given",
                )
                .hint(
                    "compare first and choose one: releases for several numbers could be compared \
                        to tell people apart",
                ));
            }
            // Paths of the command line start from where it is given, those of a job from its file.
            let absolute = |path: &String| -> Result<String> {
                let found = std::path::absolute(path)
                    .map_err(|e| Error::io(Path::new(path), "find", &e))?;
                Ok(found.display().to_string())
            };
            if path == "-" || self.input == "-" {
                return Err(Error::params(
                    "cluster reads and releases files, not standard input or output",
                )
                .hint("without -o it compares what standard input brings"));
            }
            job.output.path = absolute(path)?;
            if let Some(path) = &self.report {
                job.output.report = Some(absolute(path)?);
            }
            if let Some(path) = &self.public_report {
                job.output.public_report = Some(absolute(path)?);
            }
        }
        Ok(job)
    }

    /// Refuse what can't be written before anything is read.
    fn check_destinations(&self, job: &Job) -> Result<()> {
        if self.release.is_some() {
            check_destinations(job)?;
        }
        if let Some(path) = &self.supplement {
            if self.clusters.len() > 1 {
                return Err(Error::params(
                    "a supplement goes with a release for one number of clusters, and several are \
                        given",
                ));
            }
            if path.exists() {
                return Err(Error::params(format!("{} is there already", path.display()))
                    .hint("name another file for --supplement"));
            }
        }
        check_files(self.out.as_ref(), &FILES, job)
    }

    fn write(&self, study: &ClusterStudy, supplements: &[Supplement]) -> Result<()> {
        if let (Some(path), Some(supplement)) = (&self.supplement, supplements.first()) {
            let text = serde_json::to_string_pretty(supplement)
                .map_err(|error| Error::internal(format!("no JSON of a supplement: {error}")))?;
            sfumato_io::write_text_atomically(path, &(text + "\n"), false)?;
        }
        let Some(folder) = &self.out else { return Ok(()) };
        let texts = [study.to_json() + "\n", csv(study), draw_clusters(study)];
        FILES.iter().zip(texts).try_for_each(|(name, text)| write_file(folder, name, &text))
    }
}

/// The names of the files that are written into the folder.
const FILES: [&str; 3] = ["clusters.json", "clusters.csv", "clusters.svg"];
