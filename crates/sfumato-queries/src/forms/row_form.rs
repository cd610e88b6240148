//! What a form of logs says about itself: how rows are made, what must be true of them, and what
//! they say.

use sfumato_core::facts::Fact;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage};
use sfumato_engine::lie::Lie;
use sfumato_engine::verify::failed_verification;

use super::cells::{Cells, ReadCells};
use super::rows::Decided;
use super::told::Told;
use crate::algorithms::secret::Secret;
use crate::data::{Entry, Log};
use crate::job::Job;

/// What an algorithm is given.
#[derive(Clone, Copy)]
pub struct RowTask<'a> {
    /// The log.
    pub log: &'a Log,
    /// How many people must have asked what can be read, if anything is promised.
    pub k: Option<u64>,
    /// The key, from the operating system unless the job has a seed.
    pub secret: &'a Secret,
}

/// The rows of a release before they are shuffled, and who asked what in each.
pub struct Published {
    /// The texts.
    pub cells: Cells,
    /// Who asked what.
    pub of: Vec<(u32, u32)>,
}

/// A form of logs: rows of texts.
pub trait RowForm: Sync {
    /// What its algorithms decide.
    type Decision: Clone + 'static;

    /// The name of the form.
    fn name(&self) -> &'static str;
    /// What is published, for messages.
    fn release(&self) -> &'static str;
    /// Its algorithms. The first is the one that is taken if none is named.
    fn algorithms(&self) -> Vec<&'static Info>;
    /// What its releases can state.
    fn states(&self) -> &'static [Fact];
    /// The names of the columns.
    fn header(&self) -> &'static [&'static str];
    /// What nobody should overlook.
    fn warnings(&self) -> &'static [&'static str];
    /// Find an algorithm, or say that there is none of that name.
    fn find(&self, name: &str) -> Result<&'static Info>;
    /// Let the named algorithm decide.
    fn decide(&self, name: &str, params: &Params, task: &RowTask<'_>) -> Result<Self::Decision>;
    /// The rows that a decision stands for.
    fn publish(&self, log: &Log, decided: &Decided<Self::Decision>) -> Result<Published>;
    /// Compare rows as they were read back with the original. `of` says who asked what in each.
    fn check(
        &self,
        log: &Log,
        decided: &Decided<Self::Decision>,
        of: &[(u32, u32)],
        cells: &ReadCells,
    ) -> Result<()>;
    /// What the manifest must say so that the rows can be read.
    fn details(&self, decided: &Decided<Self::Decision>) -> toml::Table;
    /// What rows say, whoever made them.
    fn tell(&self, cells: &ReadCells, details: &toml::Table) -> Result<Told>;
    /// Whether what rows say is true of an original. An error if that can't be said.
    fn is_true(&self, _told: &Told, _original: &Log) -> Result<bool> {
        Err(Error::unsupported(format!(
            "{} can't be compared with its original: nobody knows which pseudonym is whose",
            self.release()
        ))
        .hint("leave the original out: the audit then checks that the file is whole"))
    }
    /// Open a release for attacks. An error if there is none on the form.
    fn stage(&self, _: &AttackRequest<Job>, _: &dyn Observer) -> Result<Box<dyn Stage>> {
        Err(Error::unsupported(format!("there is no attack on {}", self.release())))
    }
    /// Lies that the verifier must see through.
    fn lies(&self) -> Vec<Lie<Log, Decided<Self::Decision>>>;
}

/// Refuse rows that aren't those of the log: each entry once, or each person and query once.
pub(super) fn check_rows(log: &Log, of: &[(u32, u32)], each_once: bool) -> Result<()> {
    let mut expected: Vec<(u32, u32)> =
        log.entries.iter().map(|Entry { user, query, .. }| (*user, *query)).collect();
    expected.sort_unstable();
    if each_once {
        expected.dedup();
    }
    let mut rows = of.to_vec();
    rows.sort_unstable();
    match rows == expected {
        true => Ok(()),
        false => Err(failed_verification("the rows aren't those of the log")),
    }
}

/// Refuse names of which one stands for two, or two for one. `pairs` are what is named and how.
pub(super) fn check_names<'a, T: Ord + Copy>(
    pairs: impl Iterator<Item = (T, &'a str)>,
    what: &str,
) -> Result<()> {
    let mut pairs: Vec<(T, &str)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    let several = pairs.windows(2).any(|pair| pair[0].0 == pair[1].0);
    pairs.sort_unstable_by_key(|(_, name)| *name);
    match several || pairs.windows(2).any(|pair| pair[0].1 == pair[1].1) {
        false => Ok(()),
        true => Err(failed_verification(&format!("{what} has two names, or shares one"))),
    }
}
