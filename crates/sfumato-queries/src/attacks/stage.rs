//! A log of hashed terms as an attacker finds it, beside what the attacker and the judge know.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::AttackRequest;
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::ReadOptions;

use super::terms::Terms;
use crate::data;
use crate::forms::{Hashed, RowForm as _, hashed::hashes_of, read_cells};
use crate::job::Job;

/// What attacks on hashed terms look at.
pub struct LogStage {
    /// The hashes of each row of the release.
    pub hashed: Terms,
    /// Whose row each is, in the release.
    pub pseudonyms: Vec<u32>,
    /// The terms of each row of the original: the judge's.
    pub original: Terms,
    /// Whose row each is, in the original.
    pub users: Vec<u32>,
    /// The terms of another log in clear: what the attacker knows.
    pub reference: Option<Terms>,
}

impl LogStage {
    /// Read a release of hashed terms, its original and another log.
    pub fn open(request: &AttackRequest<Job>, observer: &dyn Observer) -> Result<Self> {
        let job = &request.release.job;
        let path = resolve(&job.base, &job.input.path);
        let options = ReadOptions { header: Some(true), ..read_options(&job.input)? };
        let cells = read_cells(path.as_ref(), Hashed.header(), &options, observer)?;
        let mut hashed = Terms::default();
        let mut numbers = data::Numbered::default();
        let mut pseudonyms = Vec::with_capacity(cells.n_rows);
        for row in 0..cells.n_rows {
            hashed.push(hashes_of(cells.cell(row, 1)));
            pseudonyms.push(numbers.number(cells.cell(row, 0)));
        }
        let read = |job: &Job, step: &'static str| {
            let observer = Renamed { step, inner: observer };
            data::read(&job.input, &job.base, job.queries.layout()?, &observer)
        };
        let log = read(request.original()?, "read the original")?;
        if log.entries.len() != cells.n_rows {
            return Err(Error::input("the release has other rows than the original has")
                .in_file(path)
                .hint("name the log that it was made from with --original"));
        }
        let population = request.population.as_ref();
        let reference = population.map(|job| read(job, "read the other log")).transpose()?;
        Ok(LogStage {
            hashed,
            pseudonyms,
            original: Terms::of_log(&log),
            users: log.entries.iter().map(|entry| entry.user).collect(),
            reference: reference.map(|log| Terms::of_log(&log)),
        })
    }
}
