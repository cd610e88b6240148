//! Serves sets on demand: for a key, a random subset of the only set that may ever be shown of its
//! record.
//!
//! The union of two answers for one person is again a subset of that person's record, which fewer
//! than k others may share. So each record gets one set with at least k supporters, chosen with a
//! secret, and all answers are subsets of it: however many are collected, their union stays within
//! that set. Answers aren't stored.

mod keys;
mod secret;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use sfumato_core::facts::Hiding;
use sfumato_core::facts::{Fact, Least};
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};

use self::keys::Keys;
pub use self::secret::Secret;

use crate::data::read::load;
use crate::forms::subsets::alike::Alike;
use crate::forms::subsets::facts::least;
use crate::forms::subsets::subset::is_subset;
use crate::forms::subsets::supporters;
use crate::job::{BasketSpec, InputSpec};
use crate::traits::SetTask;

/// The request for a server: data and parameters.
#[derive(Debug, Clone)]
pub struct ServeRequest {
    /// The input.
    pub input: InputSpec,
    /// The layout of the input, and what its items are.
    pub baskets: BasketSpec,
    /// How many records must contain a set before it may be an answer.
    pub k: u64,
    /// The algorithm that finds the sets.
    pub algorithm: String,
    /// The probability that an item of a record's set is in an answer.
    pub keep: f64,
}

/// The sets of all records, ready to be served.
pub struct SetServer {
    names: Vec<String>,
    keys: Keys,
    /// For each record, the index of its set.
    of_record: Vec<u32>,
    sets: Transactions,
    keep: f64,
    /// The utility of the sets as a share of the utility of all records.
    pub utility_retained: f64,
}

impl SetServer {
    /// Read the data and find the set of each record. Sets are checked before anything is served.
    pub fn open(request: &ServeRequest, secret: &Secret, observer: &dyn Observer) -> Result<Self> {
        if !(request.keep > 0.0 && request.keep <= 1.0) {
            return Err(Error::params(format!(
                "keep must be above 0 and at most 1, not {}",
                request.keep
            )));
        }
        let loaded = load(
            &request.input,
            &request.baskets,
            request.baskets.utilities.as_deref(),
            true,
            observer,
        )?;
        if loaded.baskets.sensitive.is_some() {
            return Err(Error::unsupported("sensitive items aren't served")
                .hint("leave them out with drop"));
        }
        let (items, original) = (&loaded.baskets.items, &loaded.baskets.quasi);
        if request.k > original.len() as u64 {
            return Err(Error::infeasible(format!(
                "k is {}, and there are {} records",
                request.k,
                original.len()
            )));
        }
        let keys = Keys::new(loaded.keys, original.len(), &request.input.path)?;
        let call: Call = request.algorithm.parse()?;
        let algorithm = crate::algorithms::find(&call.name)?;
        let params = Params::check(algorithm.info(), &call.args)?;
        // An attacker who knows the data and the algorithm could tell for which of its k candidates
        // a set was made. The secret changes utilities a little, and so which of many sets a record
        // gets.
        let mut random = secret.generator("utilities");
        let factor = |random: &mut ChaCha20Rng| 0.8 + 0.4 * unit(random);
        let utilities: Vec<f64> =
            items.utilities.iter().map(|utility| utility * factor(&mut random)).collect();
        let task = SetTask {
            seed: secret.generator("choices").next_u64(),
            observer,
            ..SetTask::new(original, &utilities, request.k)
        };
        let published = algorithm.anonymize(&params, &task)?;
        let gives_copies = algorithm.info().capabilities.can_serve(Fact::Hiding(Hiding::Copies));
        check(original, &published, request.k, gives_copies)?;
        let after = published.kept();
        let worth = items.worth(&original.counts());
        Ok(SetServer {
            utility_retained: if worth > 0.0 { items.worth(&after.instances) / worth } else { 1.0 },
            names: loaded.baskets.items.names,
            keys,
            of_record: published.of_record,
            sets: published.sets,
            keep: request.keep,
        })
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.of_record.len()
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.of_record.is_empty()
    }

    /// The record of a key.
    pub fn record(&self, key: &str) -> Option<usize> {
        self.keys.find(key)
    }

    /// Answer a request for a record: the codes of a random subset of its set.
    pub fn answer(&self, record: usize, random: &mut ChaCha20Rng) -> Vec<u32> {
        let mut items = self.sets.set(self.of_record[record] as usize);
        items.retain(|_| self.keep >= 1.0 || unit(random) < self.keep);
        items
    }

    /// The number of different items.
    pub fn n_items(&self) -> usize {
        self.names.len()
    }

    /// The name of an item.
    pub fn name(&self, item: u32) -> &str {
        &self.names[item as usize]
    }
}

/// A generator for answers, seeded by the operating system.
pub fn answers_generator() -> Result<ChaCha20Rng> {
    sfumato_engine::random::generator(None)
}

/// A number from 0 to 1, 1 excluded.
fn unit(random: &mut ChaCha20Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Check that every set is a subset of its record's own set and has k supporters, whatever the
/// algorithm says.
fn check(
    original: &Transactions,
    published: &crate::data::PublishedSets,
    k: u64,
    gives_copies: bool,
) -> Result<()> {
    use rayon::prelude::*;
    use sfumato_core::with_sets;
    let failed_verification = |what: &str| {
        Err(Error::internal(format!("the sets failed their check and aren't served: {what}")))
    };
    if published.of_record.len() != original.len() {
        return failed_verification("there isn't one per record");
    }
    let is_true = with_sets!(&published.sets, sets => with_sets!(original, records => {
        (0..records.len()).into_par_iter().all(
            |record| is_subset(sets.get(published.of_record[record] as usize), records.get(record)))
    }));
    if !is_true {
        return failed_verification("one has an item that its record hasn't");
    }
    // The sets themselves, not one per record: equal ones are looked at together.
    let alike = Alike::of(&published.sets);
    let sizes = published.sizes();
    let copies: Vec<u64> = {
        let mut copies = vec![0; alike.len()];
        alike.of_row.iter().zip(&sizes).for_each(|(which, size)| copies[*which as usize] += size);
        copies
    };
    let named = |set: usize| match &published.witnesses {
        Some(witnesses) => witnesses.of(set),
        None => &[],
    };
    let counts = match gives_copies && copies.iter().all(|n| *n >= k) {
        true => copies,
        false => supporters::count(original, &published.sets, &alike, k, false, &named),
    };
    match least(counts.into_iter(), k) {
        Least { violations: 0, .. } => Ok(()),
        Least { least: fewest, violations: n } => failed_verification(&format!(
            "{n} of them are held by fewer than {k} records, one by {fewest}"
        )),
    }
}

#[cfg(test)]
mod tests;
