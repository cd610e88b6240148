//! `sfumato evaluate release.toml | DATA [flags]`: how well the recipient's tasks can be done with
//! a release, by algorithm and learner, on rows that were held out. It publishes nothing.

use std::path::PathBuf;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_evaluate::evaluate::measures::Queries;
use sfumato_evaluate::evaluate::{Encoding, Protocol, Settings, evaluate};
use sfumato_report::evaluate::{Evaluation, draw_scores, measures_csv, scores_csv, words};
use sfumato_report::numbers::duration;

use super::explore::calls;
use super::flags::{self, Flags, table_job};
use super::out_folder::{check_files, write_file};
use super::{Context, print, set_threads};

/// Shown below the flags of `evaluate --help`.
const PROTOCOL: &str = "\
Rows are held out; each algorithm decides its recoding on the others only, dictionaries and \
hierarchies built from data included; \
both parts are recoded by it; learners are trained on the one and tested on the other. The same is \
done on the original data, and on \
the original data without its quasi columns. Every recoding is checked before its figures are \
shown, and nothing is published.

With -o DIR the folder gets evaluation.json, scores.csv, measures.csv and scores.svg.";

#[derive(Args)]
#[command(after_long_help = PROTOCOL)]
pub struct Evaluate {
    /// A release.toml, or the data as for anonymize.
    #[arg(value_name = "release.toml|DATA")]
    input: String,
    #[command(flatten)]
    flags: Flags<flags::Study>,
    /// An algorithm, such as 'mondrian(workload=false)', 'auto' or 'auto(workload=false)'. May be
    /// given again. By default both autos and a global recoding.
    #[arg(long, value_name = "A", visible_alias = "algorithms")]
    algorithm: Vec<String>,
    /// A learner, such as 'random-forest(trees=40)'. May be given again. By default four learners
    /// for classes and two for numbers.
    #[arg(long, value_name = "L", visible_alias = "learners")]
    learner: Vec<String>,
    /// How words become numbers for every learner. By default what suits the learner.
    #[arg(long, value_name = "HOW")]
    encoding: Option<EncodingArg>,
    /// Cross-validation with this many folds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser =
        clap::value_parser!(u32).range(2..=1000))]
    folds: u32,
    /// How many rows of a part learners are trained on and tested on at most; 0 for all. Releases
    /// are made from all rows.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    learn_rows: u32,
    /// Hold this share of the rows out once instead of cross-validation, such as 1/3 or 0.25.
    #[arg(long, value_name = "SHARE", conflicts_with = "test")]
    test_share: Option<String>,
    /// Test on the rows of another file with the same columns, and train on all of the data.
    #[arg(long, value_name = "FILE")]
    test: Option<String>,
    /// How many random COUNT queries are estimated.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser =
        clap::value_parser!(u32).range(0..=1_000_000))]
    queries: u32,
    /// How many quasi columns each query restricts.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser =
        clap::value_parser!(u32).range(1..=1000))]
    query_columns: u32,
    /// The share of records that each query should select.
    #[arg(long, value_name = "SHARE", default_value = "5%")]
    query_selectivity: String,
    /// A folder for everything that was found; made if it isn't there.
    #[arg(short, long = "output", alias = "out", value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print everything to standard output as one JSON object instead of the tables.
    #[arg(long)]
    json: bool,
}

/// How words become numbers.
#[derive(Clone, Copy, clap::ValueEnum)]
enum EncodingArg {
    /// By the ends of their region in the tree's order.
    Ends,
    /// By the share of each leaf in the region.
    OneHot,
}

impl Evaluate {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = table_job(&self.flags, &self.input)?;
        let settings = self.settings(job.run.seed)?;
        check_files(self.out.as_ref(), &FILES, &job)?;
        set_threads(context, job.run.threads)?;
        let found = evaluate(&job, &settings, &context.progress)?;
        let shown = if self.json { found.to_json() + "\n" } else { words(&found) };
        if !found.is_feasible() {
            print(&shown)?;
            return Err(Error::infeasible(
                "no algorithm can meet the requirements in every training part",
            )
            .hint("ask for less, or allow more records to be suppressed; nothing was written"));
        }
        self.write(&found)?;
        print(&shown)?;
        if !self.json {
            context.say(&times(&found));
        }
        Ok(0)
    }

    fn settings(&self, seed: Option<u64>) -> Result<Settings> {
        let protocol = match (&self.test, &self.test_share) {
            (Some(path), _) => Protocol::Separate(path.clone()),
            (None, Some(given)) => Protocol::Share(share("test-share", given)?),
            (None, None) => Protocol::Folds(self.folds as usize),
        };
        Ok(Settings {
            algorithms: calls(&self.algorithm),
            learners: calls(&self.learner),
            encoding: self.encoding.map(|given| match given {
                EncodingArg::Ends => Encoding::Ends,
                EncodingArg::OneHot => Encoding::OneHot,
            }),
            protocol,
            queries: Queries {
                count: self.queries as usize,
                columns: self.query_columns as usize,
                selectivity: share("query-selectivity", &self.query_selectivity)?,
            },
            learn_rows: match self.learn_rows {
                0 => usize::MAX,
                n => n as usize,
            },
            seed: seed.unwrap_or(0),
        })
    }

    fn write(&self, found: &Evaluation) -> Result<()> {
        let Some(folder) = &self.out else { return Ok(()) };
        let texts =
            [found.to_json() + "\n", scores_csv(found), measures_csv(found), draw_scores(found)];
        FILES.iter().zip(texts).try_for_each(|(name, text)| write_file(folder, name, &text))
    }
}

/// The names of the files that are written into the folder.
const FILES: [&str; 4] = ["evaluation.json", "scores.csv", "measures.csv", "scores.svg"];

/// Where the time went, for the person at the terminal.
fn times(found: &Evaluation) -> String {
    let timings = &found.timings;
    let mut words = format!(
        "time       read {}, evaluate {}",
        duration(timings.read_seconds * 1e3),
        duration(timings.evaluate_seconds * 1e3)
    );
    for (place, algorithm) in found.algorithms.iter().enumerate() {
        let of = |times: &[f64]| {
            times.get(place).map_or(String::new(), |seconds| duration(seconds * 1e3))
        };
        if algorithm.measures.is_some() {
            words += &format!(
                "; {} {} and learning {} for each part",
                algorithm.label(),
                of(&timings.anonymize_seconds),
                of(&timings.learn_seconds)
            );
        }
    }
    words
}

/// A share such as `1/3`, `0.25` or `25%`.
fn share(flag: &str, given: &str) -> Result<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match (given.split_once('/'), given.strip_suffix('%')) {
        (Some((a, b)), _) => number(a).zip(number(b)).map(|(a, b)| a / b),
        (None, Some(percent)) => number(percent).map(|percent| percent / 100.0),
        (None, None) => number(given),
    };
    share.filter(|share| *share > 0.0 && *share < 1.0).ok_or_else(|| {
        Error::params(format!(
            "--{flag} must be a share between 0 and 1 such as 1/3, 0.25 or 25%, not '{given}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_written_in_three_ways() {
        assert_eq!(share("x", "1/4").unwrap(), 0.25);
        assert_eq!(share("x", "0.25").unwrap(), 0.25);
        assert_eq!(share("x", "25%").unwrap(), 0.25);
        for wrong in ["", "0", "1", "1/0", "100%", "-0.1", "a third", "1/3/2", "nan"] {
            assert!(share("x", wrong).is_err(), "{wrong}");
        }
    }
}
