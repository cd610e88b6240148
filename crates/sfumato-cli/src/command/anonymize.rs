//! `sfumato anonymize DATA -o OUT [flags]`: a release.toml from flags, and its run.

use clap::Args;
use sfumato::{Job, Result};

use super::basket_flags::BasketFlags;
use super::bucket_flags::BucketFlags;
use super::data_flags::{DataFlags, GoalFlags, PublishFlags};
use super::memory_flags::{MemoryFlags, ResumeFlag};
use super::{Context, print, run::run_job};

#[derive(Args)]
pub struct Anonymize {
    /// The data: CSV, Parquet, Arrow IPC or JSON lines, or baskets, plain or packed; - for standard input.
    #[arg(value_name = "DATA")]
    input: String,
    /// The release; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: String,
    #[command(flatten)]
    data: DataFlags,
    #[command(flatten)]
    publish: PublishFlags,
    #[command(flatten)]
    baskets: BasketFlags,
    /// What an instance of each item is worth: a file of item,utility.
    #[arg(long, value_name = "FILE", requires = "baskets")]
    utilities: Option<String>,
    /// k-anonymity: every record is published like at least k - 1 others.
    #[arg(short, value_name = "K")]
    k: Option<u64>,
    #[command(flatten)]
    goal: GoalFlags,
    /// The algorithm, such as 'mondrian(relaxed=true)'.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    algorithm: String,
    /// Makes the run repeatable to the byte. Not for release: the shuffle can be replayed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    memory: MemoryFlags,
    #[command(flatten)]
    resume: ResumeFlag,
    #[command(flatten)]
    buckets: BucketFlags,
    /// Leave rows in the order of the input; the report says so.
    #[arg(long)]
    keep_order: bool,
    /// The private report: .html or .json.
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// The public report, to hand out with the release: .html or .json.
    #[arg(long, value_name = "FILE")]
    public_report: Option<String>,
    /// Where to save the recoding, to apply it to new rows.
    #[arg(long, value_name = "FILE")]
    save_recoding: Option<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print the release.toml that these flags stand for, and do nothing else.
    #[arg(long)]
    print_job: bool,
}

impl Anonymize {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = self.job()?;
        if self.print_job {
            print(&job.to_toml())?;
            return Ok(0);
        }
        run_job(&job, self.json, context)
    }

    fn job(&self) -> Result<Job> {
        let mut job = self.data.job(&self.input)?;
        self.publish.add_to(&mut job)?;
        self.baskets.add_to(&mut job, self.utilities.as_ref());
        if let Some(k) = self.k {
            job.privacy.models.push(format!("k-anonymity(k={k})"));
        }
        self.goal.add_to(&mut job)?;
        job.recode.algorithm = self.algorithm.clone();
        job.output.path = self.output.clone();
        job.output.report = self.report.clone();
        job.output.public_report = self.public_report.clone();
        job.output.recoding = self.save_recoding.clone();
        job.output.keep_order = self.keep_order;
        self.buckets.add_to(&mut job);
        job.run.seed = self.seed;
        self.memory.add_to(&mut job)?;
        self.resume.add_to(&mut job);
        Ok(job)
    }
}
