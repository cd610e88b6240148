//! `sfumato apply RECODING DATA -o OUT`: publish new rows in the regions of an earlier release.

use clap::{Args, ValueEnum};
use sfumato::recoding_file::{self, Unseen};
use sfumato::{Job, Result};

use super::run::{refuse_two_on_stdout, show};
use super::{Context, set_threads};

#[derive(Args)]
pub struct Apply {
    /// The recoding, as saved by --save-recoding.
    #[arg(value_name = "RECODING")]
    recoding: String,
    /// The new rows.
    #[arg(value_name = "DATA")]
    input: String,
    /// The release of the new rows; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: String,
    /// What happens to rows that no region contains.
    #[arg(long, value_enum, default_value = "refuse")]
    unseen: OnUnseen,
    /// How many rows may be suppressed: 5% or 150.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    max_suppression: String,
    /// Makes the run repeatable to the byte. Not for release.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// The private report: .html or .json.
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnUnseen {
    /// Stop and say how many there are.
    Refuse,
    /// Put them into the region that grows least.
    Extend,
    /// Suppress them, within --max-suppression.
    Drop,
}

impl Apply {
    pub fn run(self, context: &Context) -> Result<u8> {
        let file = recoding_file::load(&self.recoding)?;
        let mut job: Job = file.job.clone();
        job.input.path = self.input;
        job.output = Default::default();
        job.output.path = self.output;
        job.output.report = self.report;
        job.privacy.max_suppression = self.max_suppression.parse()?;
        job.run.seed = self.seed;
        job.may_lack_identifiers = true;
        refuse_two_on_stdout(&job, self.json)?;
        set_threads(context, job.run.threads)?;
        let unseen = match self.unseen {
            OnUnseen::Refuse => Unseen::Refuse,
            OnUnseen::Extend => Unseen::Extend,
            OnUnseen::Drop => Unseen::Drop,
        };
        let report = sfumato::apply_saved(&file, unseen, &job, &context.progress)?;
        show(&report, self.json, context)?;
        Ok(0)
    }
}
