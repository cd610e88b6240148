//! `sfumato anonymize DATA -o OUT [flags]`: a release.toml from flags, and its run.

use clap::Args;
use sfumato::Job;
use sfumato_core::{Error, Result};
use sfumato_sets::job::BasketSpec;

use super::basket_flags::BasketFlags;
use super::bucket_flags::BucketFlags;
use super::data_flags::{DataFlags, GoalFlags, PublishFlags};
use super::memory_flags::{MemoryFlags, ResumeFlag};
use super::run::{run_job, set_keys};
use super::{Context, print};

#[derive(Args)]
pub struct Anonymize {
    /// The data: CSV, Parquet, Arrow IPC or JSON lines, or baskets, plain or packed; - for standard
    /// input.
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
    /// What an instance of each item is worth: a file with lines of item,utility.
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
    #[arg(long, value_name = "N", value_parser =
        clap::value_parser!(u64).range(..=i64::MAX as u64))]
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
    /// Set a key of the job: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
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
        let mut job = match self.baskets.spec() {
            Some(spec) => Job::from_kind(&self.set_job(spec)?),
            None => Job::from_kind(&self.table_job()?),
        };
        self.memory.add_to(&mut job)?;
        self.resume.add_to(&mut job);
        set_keys(&mut job, &self.set)?;
        Ok(job)
    }

    fn table_job(&self) -> Result<sfumato_table::Job> {
        let mut job = self.data.job(&self.input)?;
        self.publish.add_to(&mut job)?;
        job.privacy.models.extend(self.k_model());
        self.goal.add_to(&mut job)?;
        job.recode.algorithm = self.algorithm.clone();
        job.output.path = self.output.clone();
        job.output.report = self.report.clone();
        job.output.public_report = self.public_report.clone();
        job.output.recoding = self.save_recoding.clone();
        job.output.keep_order = self.keep_order;
        job.output.buckets = self.buckets.form();
        job.output.group = self.buckets.group();
        job.output.format = self.buckets.format();
        job.run.seed = self.seed;
        Ok(job)
    }

    /// The job of baskets. Flags that only tables have are refused by name.
    fn set_job(&self, spec: BasketSpec) -> Result<sfumato_sets::job::Job> {
        let of_tables = self
            .data
            .first_column_flag()
            .or(self.publish.first_given())
            .or(self.goal.workload_given())
            .or(self.save_recoding.as_ref().map(|_| "save-recoding"))
            .or(self.buckets.format().map(|_| "table-format"));
        if let Some(flag) = of_tables {
            return Err(Error::unsupported(format!(
                "--{flag} is for tables, and these are baskets"
            ))
            .hint(
                "say with the form what columns are, as in table(categories=[sex], key=id), \
                    and roles of items with --sensitive-items and --drop-items",
            ));
        }
        let mut job = sfumato_sets::job::Job {
            input: self.data.input(&self.input)?,
            baskets: BasketSpec { utilities: self.utilities.clone(), ..spec },
            ..Default::default()
        };
        job.privacy.models.extend(self.k_model());
        self.goal.add_common(&mut job.privacy, &mut job.recode)?;
        job.recode.algorithm = self.algorithm.clone();
        job.output.path = self.output.clone();
        job.output.report = self.report.clone();
        job.output.public_report = self.public_report.clone();
        job.output.keep_order = self.keep_order;
        job.output.buckets = self.buckets.form();
        job.output.group = self.buckets.group();
        job.run.seed = self.seed;
        Ok(job)
    }

    fn k_model(&self) -> Option<String> {
        self.k.map(|k| format!("k-anonymity(k={k})"))
    }
}
