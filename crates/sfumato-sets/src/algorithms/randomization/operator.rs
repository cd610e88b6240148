//! Select-a-size operators: of a set of m items, j random ones are kept with probability p[j], and
//! every other item is added with probability rho.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::{Error, Result};

/// The operator for sets of one size.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeOperator {
    /// The number of items of such a set.
    pub size: u32,
    /// With which probability an item is added that isn't in the set.
    pub rho: f64,
    /// With which probability so many items are kept: none, one, and so on up to all.
    pub keep: Vec<f64>,
}

/// An operator for sets of all sizes that there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// The number of different items.
    pub n_items: u32,
    /// The operators by size, ascending.
    pub by_size: Vec<SizeOperator>,
}

impl SizeOperator {
    /// Refuse numbers that are no probabilities.
    pub fn check(&self) -> Result<()> {
        let is_share = |p: &f64| (0.0..=1.0).contains(p);
        let sum: f64 = self.keep.iter().sum();
        let fits = self.keep.len() == self.size as usize + 1
            && self.keep.iter().all(is_share)
            && is_share(&self.rho)
            && (sum - 1.0).abs() < 1e-9;
        match fits {
            true => Ok(()),
            false => Err(Error::input(format!(
                "the operator for sets of {} items isn't one: its numbers are no probabilities",
                self.size
            ))),
        }
    }

    /// By which factor one set of this size makes something likelier than another, at most. It is
    /// infinite if something can come of one set and not of another.
    ///
    /// A set that has j items in common with what is published makes it with a probability that is
    /// p[j] / C(m, j) ((1 - rho) / rho)^j times what is the same for all sets of the size.
    pub fn amplification(&self) -> f64 {
        if self.size == 0 {
            return 1.0;
        }
        let odds = ((1.0 - self.rho) / self.rho).ln();
        let mut choose = 0.0f64;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (j, p) in self.keep.iter().enumerate() {
            if j > 0 {
                let (m, j) = (f64::from(self.size), j as f64);
                choose += ((m - j + 1.0) / j).ln();
            }
            let likely = p.ln() - choose + j as f64 * odds;
            // An item that is never added gives the set away, and so does one that is never kept.
            let likely = if likely.is_nan() { return f64::INFINITY } else { likely };
            least = least.min(likely);
            most = most.max(likely);
        }
        (most - least).exp()
    }

    /// The number of items that are kept, on average.
    pub fn mean_kept(&self) -> f64 {
        self.keep.iter().enumerate().map(|(j, p)| j as f64 * p).sum()
    }

    /// The variance of the number of items that are kept.
    pub fn variance_kept(&self) -> f64 {
        let square: f64 = self.keep.iter().enumerate().map(|(j, p)| (j * j) as f64 * p).sum();
        (square - self.mean_kept().powi(2)).max(0.0)
    }

    /// Draw what is published of a set. Items are numbered below `n_items`.
    pub fn draw(&self, set: &[u32], n_items: u32, random: &mut ChaCha20Rng) -> Vec<u32> {
        let mut at = uniform(random);
        let mut kept = self.keep.len() - 1;
        for (j, p) in self.keep.iter().enumerate() {
            if at < *p {
                kept = j;
                break;
            }
            at -= p;
        }
        // The first ones of a shuffled list are a random choice.
        let mut own = set.to_vec();
        for place in 0..kept.min(own.len()) {
            let left = (own.len() - place) as u64;
            let other = place + below(random, left) as usize;
            own.swap(place, other);
        }
        own.truncate(kept);
        own.extend(self.added(set, n_items, random));
        own.sort_unstable();
        own
    }

    /// Items outside of a set, each with the same probability: the gaps between them are drawn.
    fn added(&self, set: &[u32], n_items: u32, random: &mut ChaCha20Rng) -> Vec<u32> {
        let mut added = Vec::new();
        if self.rho <= 0.0 {
            return added;
        }
        let stay = (1.0 - self.rho).ln();
        let mut item = 0u64;
        loop {
            if self.rho < 1.0 {
                // 1 - u is above 0, so that its logarithm is finite.
                let gap = ((1.0 - uniform(random)).ln() / stay).floor();
                item = item.saturating_add(gap.min(1e18) as u64);
            }
            if item >= u64::from(n_items) {
                return added;
            }
            // An item of the set that is hit is passed over: those before and after stay as likely.
            if set.binary_search(&(item as u32)).is_err() {
                added.push(item as u32);
            }
            item += 1;
        }
    }
}

impl Operator {
    /// The operator for sets of a size.
    pub fn of_size(&self, size: usize) -> Result<&SizeOperator> {
        let place = self.by_size.binary_search_by_key(&(size as u64), |of| u64::from(of.size));
        place.map(|place| &self.by_size[place]).map_err(|_| {
            Error::input(format!("nothing says how sets of {size} items were randomized"))
        })
    }
    /// By which factor one set makes something likelier than another of its size, at most.
    pub fn amplification(&self) -> f64 {
        self.by_size.iter().map(SizeOperator::amplification).fold(1.0, f64::max)
    }
    /// Refuse numbers that are no probabilities, and sizes in no order.
    pub fn check(&self) -> Result<()> {
        if self.by_size.windows(2).any(|pair| pair[0].size >= pair[1].size) {
            return Err(Error::input("the sizes of an operator aren't in their order"));
        }
        self.by_size.iter().try_for_each(SizeOperator::check)
    }
}

/// A number from 0 on and below 1.
fn uniform(random: &mut ChaCha20Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A random number below a bound.
fn below(random: &mut ChaCha20Rng, bound: u64) -> u64 {
    let bound = bound.max(1);
    loop {
        let word = random.next_u64();
        // Words at the end that would favour some numbers are drawn again.
        if word < u64::MAX - u64::MAX % bound {
            return word % bound;
        }
    }
}
