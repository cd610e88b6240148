//! How often combinations of items occur together: a level-wise count that stops where a smaller
//! part fails already.
//!
//! A combination occurs at most as often as any part of it. So a level looks only at combinations
//! whose parts of one item less all pass; those that fail are the smallest failing ones, and
//! whatever contains one of them isn't looked at. Combinations with the same first items are looked
//! at together, in the records that have these, so that every occurrence of a combination is met
//! once. Private items are counted beside combinations and are never part of one.

mod miner;
pub mod rare;

use std::sync::atomic::AtomicU64;

use sfumato_core::combinations::{AskedCombinations, CountedCombinations};
use sfumato_core::facts::Least;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result, with_sets};

use miner::Miner;

/// The limits at which counting gives up. Giving up is an error and never an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of occurrences of combinations that may be counted, at all levels
    /// together.
    pub work: u64,
    /// The largest number of combinations of one size that may be in memory at once.
    pub held: u64,
}

impl Default for Limits {
    /// Limits of some minutes on one core, and about a gigabyte.
    fn default() -> Self {
        Limits { work: 10_000_000_000, held: 50_000_000 }
    }
}

/// The records whose combinations are counted.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The items of each record that combinations are made of.
    pub sets: &'a Transactions,
    /// How many records each set stands for. `None` if each stands for one.
    pub weights: Option<&'a [u32]>,
    /// The private items of each record, which are counted beside combinations.
    pub private: Option<&'a Transactions>,
}

/// Which combinations are listed, and not only counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Listed {
    /// Those that fail: the smallest failing ones.
    pub failing: bool,
    /// Those that pass.
    pub passing: bool,
}

/// Combinations of one size, ascending, one after the other. The items of each ascend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Combinations {
    /// The number of items of each.
    pub size: usize,
    /// The items of all.
    pub items: Vec<u32>,
    /// The number of records that have each.
    pub supports: Vec<u64>,
}

impl Combinations {
    /// Each combination with its support. The empty combination is never listed.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.items.chunks_exact(self.size.max(1)).zip(self.supports.iter().copied())
    }
    /// The number of combinations.
    pub fn len(&self) -> usize {
        self.supports.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.supports.is_empty()
    }
}

/// What was counted, and the combinations that were to be listed, by size from 1 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mined {
    /// The answer.
    pub counted: CountedCombinations,
    /// The smallest failing combinations, if they were to be listed.
    pub failing: Vec<Combinations>,
    /// The passing combinations, if they were to be listed.
    pub passing: Vec<Combinations>,
}

/// Count all combinations of at most `asked.size` items that any record has, the empty one
/// included. The result is the same for any number of threads.
pub fn mine(
    records: Records<'_>,
    asked: &AskedCombinations,
    listed: Listed,
    limits: Limits,
) -> Result<Mined> {
    if asked.most.is_some() && records.private.is_none() {
        return Err(Error::internal("private items are asked about, and none are named"));
    }
    let work = AtomicU64::new(0);
    // Whoever doesn't ask about private items needn't have them counted.
    let private = records.private.filter(|_| asked.most.is_some());
    with_sets!(records.sets, sets => {
        let weights = records.weights;
        let miner = Miner { records: sets, weights, private, asked, listed, limits, work };
        miner.run(records.sets.n_items())
    })
}

/// Of all combinations of at most `size` items that any record has, including the empty one: the
/// smallest number of records that have one, and how many of the smallest combinations have fewer
/// than `required`.
pub fn least_support(
    sets: &Transactions,
    weights: Option<&[u32]>,
    size: usize,
    required: u64,
    limits: Limits,
) -> Result<Least> {
    let records = Records { sets, weights, private: None };
    let asked = AskedCombinations { size, required, most: None };
    Ok(mine(records, &asked, Listed::default(), limits)?.counted.support)
}

#[cfg(test)]
mod tests;
