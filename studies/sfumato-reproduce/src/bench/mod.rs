//! What experiments share: data sets in memory ([`Sheet`], [`Study`]), training and test parts with
//! their recodings and scores ([`TrainingSplit`]), [`baskets`] and [`buckets`] of them, and random
//! choices by seed.

mod agrawal;
pub mod baskets;
pub mod buckets;
pub mod clock;
mod part;
mod random;
mod sheet;
mod study;

pub use agrawal::{CAR, ELEVEL, QUASI, generated, labelled};
pub use part::{Release, TrainingSplit, View};
pub use random::RandomStream;
pub use sheet::Sheet;
pub use study::{Study, column, tree};

use rayon::prelude::*;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_learn::compare::{Split, stratified_folds};

/// Run the trials of an experiment at once, each by its number, and give what they found in order.
/// `steps` is how often a trial reports progress.
pub fn trials<T: Send>(
    name: &str,
    n: usize,
    steps: usize,
    observer: &dyn Observer,
    trial: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    observer.begin(name, (n * steps) as u64, Unit::Steps);
    let one = |number: usize| match observer.cancelled() {
        true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
        false => trial(number),
    };
    let found = (0..n).into_par_iter().with_max_len(1).map(one).collect();
    observer.end();
    found
}

/// Stratified folds of rows by their labels.
pub fn folds_by(labels: &[u32], n: usize, seed: u64) -> Result<Vec<Split>> {
    let held_out = stratified_folds(labels, n, seed)?;
    Ok(held_out.iter().map(|test| Split::by_test(labels.len(), test)).collect())
}
