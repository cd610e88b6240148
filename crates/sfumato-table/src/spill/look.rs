//! The first pass over the input, and what follows from it: what tuples are, the plan, and whether
//! the job can be done out of core at all.

use sfumato_core::dataset::{Role, Table};
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Observer;
use sfumato_core::registry::OutOfCore;
use sfumato_core::{Error, Result};
use sfumato_io::ReadOptions;

use super::choice::asked;
use super::cuts;
use super::layout::{Layout, lay_out};
use super::shares::{Shares, held};
use super::source::sampled_words;
use super::survey::{Room, Survey, sample_rows, survey};
use crate::data::read::options_of;
use crate::data::tuples::Cells;
use crate::forms::generalized::make_plan::{Plan, make_plan_by_sample};
use crate::job::Job;
use sfumato_engine::exec::Secret;

/// The result of the first pass, and what follows from it.
pub struct Looked {
    /// What the first pass found.
    pub survey: Survey,
    /// The columns of the tuples, and what their words mean.
    pub layout: Layout,
    /// Some rows as words.
    pub sample: Vec<Vec<u64>>,
    /// The sampled rows as a table.
    pub sampled: Table,
    /// How to read the input again.
    pub options: ReadOptions,
    /// The shares of memory.
    pub shares: Shares,
    /// The source of random numbers.
    pub secret: Secret,
    /// The path of the input.
    pub path: String,
}

/// Make a first pass over the input. `books` has the limit of memory, and is told what is held.
pub fn look(
    job: &Job,
    limit: u64,
    path: String,
    secret: Secret,
    books: &Accountant,
    observer: &dyn Observer,
) -> Result<Looked> {
    let mut shares = Shares::of(limit)?;
    if let Some(asked) = asked(job, "sample") {
        shares.sample_rows = shares.sample_rows.min(asked.max(1));
    }
    let options = ReadOptions {
        block_bytes: shares.block_bytes,
        batch_rows: shares.batch_rows,
        memory: books.clone(),
        ..options_of(job)?
    };
    let room = Room {
        values: shares.values,
        sample_rows: shares.sample_rows as usize,
        sample_bytes: shares.sample_bytes,
    };
    let mut survey = survey(job, &path, &options, room, secret.number(), observer)?;
    let layout = lay_out(job, &survey)?;
    let read: Vec<usize> =
        (0..survey.header.len()).filter(|place| survey.roles[*place] != Role::Identifier).collect();
    let sample = sampled_words(job, &layout, &read, &survey.sample)?;
    let sampled = layout.frame.table_of(&sample);
    survey.held.values.rebook(held(&layout));
    // Its rows are there as they were read, as words and as codes.
    let words: usize = sample.iter().map(|words| 12 * words.len()).sum();
    survey.held.sample.rebook(survey.held.sample.bytes() + words as u64);
    // Samples that are drawn later have the room of this one.
    let n_columns = layout.frame.columns.len();
    shares.sample_rows = sample_rows(shares.sample_rows, shares.sample_bytes, n_columns);
    // Rows that are decoded together have a word for each column.
    let batch_rows = shares.free() / 64 / (8 * n_columns.max(1) as u64);
    let batch_rows = options.batch_rows.min((batch_rows as usize).max(1 << 10));
    let options = ReadOptions { hash: false, batch_rows, ..options };
    Ok(Looked { survey, layout, sample, sampled, options, shares, secret, path })
}

impl Looked {
    /// The plan of a job for its input.
    pub fn plan(&self, job: &Job) -> Result<Plan> {
        make_plan_by_sample(job, &self.sampled, self.layout.n_rows)
    }

    /// The summary of all records, with which classes are compared.
    pub fn whole(&self) -> Summary {
        let sensitive = self.layout.frame.sensitive();
        let histogram = |place: &usize| {
            Histogram::from_counts((0u32..).zip(self.layout.counts[*place].iter().copied()))
        };
        let histograms = sensitive.iter().map(histogram).collect();
        Summary::estimated(self.layout.n_rows, self.layout.people, histograms)
    }

    /// Refuse what can't be done out of core, before anything is divided.
    pub fn check_served(&self, job: &Job, plan: &Plan) -> Result<()> {
        let too_large = |what: &str| {
            Error::resources(format!("{what}, and this table doesn't fit into the memory allowed"))
                .hint("raise --memory, or leave it out")
        };
        let out_of_core = plan.algorithm.info().capabilities.out_of_core;
        if out_of_core == OutOfCore::ByCuts {
            cuts::check_served(self, plan)?;
        } else if out_of_core == OutOfCore::No {
            return Err(too_large(&format!("{} works in memory only", plan.algorithm.info().name))
                .hint("raise --memory, or use mondrian, which goes on out of core"));
        }
        if job.output.keep_order {
            return Err(too_large("keeping the order of rows needs all of them in memory"));
        }
        if !plan.forms.is_plain() {
            return Err(too_large("statistics of regions are made in memory"));
        }
        let frame = &self.layout.frame;
        let needed = plan.requirements.needed_histograms(frame.sensitive().len());
        for (place, _) in frame.sensitive().iter().zip(needed).filter(|(_, needed)| *needed) {
            let column = &frame.columns[*place];
            if column.cells != Cells::Codes {
                return Err(Error::resources(format!(
                    "column '{}' has more different values than models can count in the memory \
                        allowed",
                    column.column.name
                ))
                .hint("raise --memory"));
            }
        }
        Ok(())
    }
}
