//! Random sets: how they are drawn, and whether they agree with the operator that drew them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sfumato_core::Result;
use sfumato_core::facts::Facts;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_engine::random::key;
use sfumato_engine::verify::failed_verification;

use super::plan::RandomPlan;
use crate::algorithms::randomization::RandomTask;
use crate::algorithms::randomization::operator::Operator;
use crate::job::Job;

/// What was decided: the operator, and what it drew for each record.
#[derive(Clone)]
pub struct Drawn {
    /// The operator.
    pub operator: Operator,
    /// The random set of each record.
    pub sets: Transactions,
    /// The key of the order in which records are published.
    pub key: [u8; 32],
}

impl Drawn {
    /// The generator for the order of rows, which says nothing about the sets.
    pub fn order(&self) -> ChaCha20Rng {
        let mut random = ChaCha20Rng::from_seed(self.key);
        random.set_stream(1);
        random
    }
}

/// The amplification of an operator, as the one fact of such a release.
pub(super) struct Stated(pub f64);

impl Facts for Stated {
    fn release(&self) -> &'static str {
        "a release of randomized baskets"
    }
    fn amplification(&self) -> Option<f64> {
        Some(self.0)
    }
}

/// Choose the operator and draw.
pub fn draw(
    job: &Job,
    plan: &RandomPlan,
    sets: &Transactions,
    observer: &dyn Observer,
) -> Result<Drawn> {
    observer.begin("anonymize", sets.len() as u64, Unit::Rows);
    let task = RandomTask { sets, amplification: plan.amplification };
    let operator = plan.algorithm.choose(&plan.params, &task)?;
    operator.check()?;
    let key = key(job.run.seed)?;
    let mut random = ChaCha20Rng::from_seed(key);
    let mut drawn = Builder::new(sets.n_items());
    for record in 0..sets.len() {
        let of = operator.of_size(sets.size(record))?;
        drawn.push(&of.draw(&sets.set(record), operator.n_items, &mut random));
    }
    observer.end();
    Ok(Drawn { operator, sets: drawn.finish(), key })
}

/// How many standard deviations what was drawn may be away from what is expected. A right draw is
/// further away once in 10^11 times.
const FURTHEST: f64 = 7.0;

/// What is expected of many draws, and what was found.
#[derive(Default)]
struct Tally {
    found: f64,
    expected: f64,
    variance: f64,
}

impl Tally {
    fn is_far(&self) -> bool {
        // Half a unit for numbers that can't be met exactly.
        let off = ((self.found - self.expected).abs() - 0.5).max(0.0);
        off > FURTHEST * self.variance.sqrt()
    }
}

/// Refuse sets that the operator can't have drawn from these records: too many or too few items are
/// kept or added, of all records or of those of a size.
pub(super) fn check_drawn(
    operator: &Operator,
    originals: &Transactions,
    drawn: &Transactions,
    order: &[u32],
) -> Result<()> {
    let n_sizes = operator.by_size.len();
    let mut tallies: Vec<[Tally; 2]> = (0..=n_sizes).map(|_| Default::default()).collect();
    for (row, record) in order.iter().enumerate() {
        let (own, published) = (originals.set(*record as usize), drawn.set(row));
        let of = operator.of_size(own.len())?;
        let place = operator.by_size.partition_point(|other| other.size < of.size);
        let kept = own.iter().filter(|item| published.binary_search(item).is_ok()).count();
        let outside = f64::from(operator.n_items) - own.len() as f64;
        let added = (published.len() - kept) as f64;
        for place in [place, n_sizes] {
            let [kept_tally, added_tally] = &mut tallies[place];
            kept_tally.found += kept as f64;
            kept_tally.expected += of.mean_kept();
            kept_tally.variance += of.variance_kept();
            added_tally.found += added;
            added_tally.expected += outside * of.rho;
            added_tally.variance += outside * of.rho * (1.0 - of.rho);
        }
    }
    match tallies.iter().flatten().any(Tally::is_far) {
        false => Ok(()),
        true => Err(failed_verification("what was kept and added isn't what the operator draws")),
    }
}

/// Whether the sizes of rows agree with an operator, where the originals aren't known.
pub(super) fn sizes_agree(operator: &Operator, sizes: &[u32], rows: &Transactions) -> Result<bool> {
    let n_sizes = operator.by_size.len();
    let mut tallies: Vec<Tally> = (0..=n_sizes).map(|_| Tally::default()).collect();
    for (row, size) in sizes.iter().enumerate() {
        let of = operator.of_size(*size as usize)?;
        let place = operator.by_size.partition_point(|other| other.size < of.size);
        let outside = f64::from(operator.n_items) - f64::from(*size);
        for place in [place, n_sizes] {
            let tally = &mut tallies[place];
            tally.found += rows.size(row) as f64;
            tally.expected += of.mean_kept() + outside * of.rho;
            tally.variance += of.variance_kept() + outside * of.rho * (1.0 - of.rho);
        }
    }
    Ok(!tallies.iter().any(Tally::is_far))
}
