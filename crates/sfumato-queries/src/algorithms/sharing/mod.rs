//! Algorithms that share the text of a query among the people who asked it.

pub mod additive;
mod encode;
mod gf256;
pub mod shamir;

pub use encode::{decode, encode};

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::registry::{self, Info, Params};
use sfumato_core::{Error, Result};

use super::secret::Secret;
use crate::data::Log;

sfumato_core::registry! {
    /// The algorithms that share secrets.
    dyn SharingAlgorithm:
    threshold_sharing::ThresholdSharing,
    secret_sharing::SecretSharing,
}

/// How a secret is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// All k shares together are the secret: each of k buckets has one.
    Additive,
    /// Any k of up to 255 shares give the secret.
    Threshold,
}

impl Scheme {
    /// The word for it in a manifest.
    pub fn word(self) -> &'static str {
        match self {
            Scheme::Additive => "additive",
            Scheme::Threshold => "threshold",
        }
    }
    /// The scheme of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Scheme::Additive, Scheme::Threshold].into_iter().find(|scheme| scheme.word() == word)
    }
    /// The number of different shares that there can be of a secret.
    pub fn n_shares(self, k: u8) -> u8 {
        match self {
            Scheme::Additive => k,
            Scheme::Threshold => u8::MAX,
        }
    }
    /// The first `n` shares of a secret, of which k are needed.
    pub fn shares(
        self,
        secret: &[u8],
        k: u8,
        n: usize,
        random: &mut ChaCha20Rng,
    ) -> Result<Vec<Vec<u8>>> {
        match self {
            Scheme::Additive => additive::shares(secret, k, random),
            Scheme::Threshold => Ok(shamir::shares(secret, k, n, random)),
        }
    }
    /// Put a secret together from shares with their numbers, from 1, each number once. None if
    /// these aren't enough.
    pub fn recover(self, k: u8, shares: &[(u8, Vec<u8>)]) -> Result<Option<Vec<u8>>> {
        match self {
            Scheme::Additive => additive::recover(k, shares),
            Scheme::Threshold => shamir::recover(k, shares),
        }
    }
}

/// Who gets which share of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareRow {
    /// Who asked.
    pub user: u32,
    /// The query.
    pub query: u32,
    /// The number of the share, from 1.
    pub share: u8,
}

/// What an algorithm that shares secrets decided.
#[derive(Clone)]
pub struct Shares {
    /// How secrets are shared.
    pub scheme: Scheme,
    /// How many shares are needed.
    pub k: u8,
    /// Texts are filled up to multiples of so many bytes.
    pub block: usize,
    /// The key from which shares and tags follow.
    pub secret: Secret,
    /// One row for each person and query of that person.
    pub rows: Vec<ShareRow>,
}

impl Shares {
    /// The tag of a query, which says nothing of it without the key.
    pub fn tag(&self, text: &str) -> String {
        self.secret.tag("query", text, 16)
    }
    /// The first `n` shares of a query.
    pub fn shares_of(&self, text: &str, n: usize) -> Result<Vec<Vec<u8>>> {
        let mut random = self.secret.generator("shares", text);
        self.scheme.shares(&encode(text, self.block), self.k, n, &mut random)
    }
}

/// What an algorithm that shares secrets is given.
#[derive(Clone, Copy)]
pub struct SharingTask<'a> {
    /// The log.
    pub log: &'a Log,
    /// How many people must have asked a query before it can be read.
    pub k: u8,
    /// The key of tags and shares.
    pub secret: &'a Secret,
}

/// An algorithm that shares secrets: an entry of the registry.
pub trait SharingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Decide who gets which share of what.
    fn share(&self, params: &Params, task: &SharingTask<'_>) -> Result<Shares>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SharingAlgorithm> {
    registry::find("query-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// The number of a job's k as that of shares.
pub fn of_k(k: u64) -> Result<u8> {
    u8::try_from(k).map_err(|_| Error::params("a query has at most 255 different shares"))
}

/// Give the people who asked a query shares with different numbers, as far as there are any. Who
/// gets which is random, so that no number says who asked first.
pub(crate) fn deal(task: &SharingTask<'_>, n_shares: u8) -> Vec<ShareRow> {
    let mut rows = Vec::new();
    for (query, mut users) in (0..).zip(task.log.askers()) {
        let mut random = task.secret.generator("deal", task.log.texts.get(query));
        sfumato_engine::random::shuffle(&mut users, &mut random);
        // Later people get a number that somebody has: it is random, too, which.
        for (place, user) in users.into_iter().enumerate() {
            let share = match place < usize::from(n_shares) {
                true => place as u8 + 1,
                false => below(&mut random, n_shares) + 1,
            };
            rows.push(ShareRow { user, query, share });
        }
    }
    rows
}

/// A random number below a bound.
fn below(random: &mut ChaCha20Rng, bound: u8) -> u8 {
    let bound = u32::from(bound.max(1));
    loop {
        let word = random.next_u32();
        // Words at the end that would favour some numbers are drawn again.
        if word < u32::MAX - u32::MAX % bound {
            return (word % bound) as u8;
        }
    }
}

#[cfg(test)]
mod tests;
