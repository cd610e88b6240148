//! Splits small classes with a look ahead: a few splits are tried, and the one whose classes have
//! the highest utility in the end is taken.
//!
//! To evaluate a split, both of its sides are split to the end, each time on the best item by the
//! rule alone. Here a side with an item may give up some of its records, see [`Matrix::narrow`].

use super::bits::Bits;
use super::matrix::{MaskedRecords, Matrix};
use super::rule::may_split;

/// Classes of at most this many times k records are small.
const SMALL: u32 = 16;

/// How small classes are split.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The utility of an instance of each item, by its code.
    pub utilities: &'a [f64],
    /// The table of bits for classes of up to all records.
    pub bits: &'a Bits,
    /// How many splits are tried each time. A single one is taken without a trial.
    pub tried: usize,
}

impl Look<'_> {
    /// Whether a class of `n` records is small.
    pub fn is_small(n: u32, k: u32) -> bool {
        n <= k.saturating_mul(SMALL)
    }
    /// The utility per bit, if a split is possible.
    #[inline]
    pub fn score(&self, worth: f64, count: u32, n: u32, k: u32) -> Option<f64> {
        may_split(count, n, k).then(|| worth * f64::from(count) / self.bits.to_tell(count, n))
    }
}

/// Splits small classes, with buffers that are reused.
#[derive(Default)]
pub struct Ahead {
    /// The class.
    pub matrix: Matrix,
    /// Parts that are still to be split.
    todo: Vec<MaskedRecords>,
    /// Unused parts, to be reused.
    spare: Vec<MaskedRecords>,
    /// The best splits by the rule, the best first.
    tried: Vec<(f64, u32)>,
}

impl Ahead {
    /// Split the class that the matrix holds. `found` is called with the records of each class that
    /// is found.
    pub fn split(&mut self, look: Look<'_>, k: u32, mut found: impl FnMut(&Matrix, &[u64])) {
        let mut whole = self.take();
        self.matrix.whole(&mut whole, k);
        self.todo.push(whole);
        while let Some(part) = self.todo.pop() {
            self.choose(look, k, &part);
            match self.best(look, k, &part) {
                Some([with, without]) => self.todo.extend([without, with]),
                None => found(&self.matrix, &part.mask),
            }
            self.spare.push(part);
        }
    }

    /// The splits to try.
    fn choose(&mut self, look: Look<'_>, k: u32, part: &MaskedRecords) {
        self.tried.clear();
        for (item, count) in &part.items {
            let Some(score) = look.score(self.matrix.worth(*item), *count, part.n, k) else {
                continue;
            };
            if self.tried.len() < look.tried || self.tried.last().is_some_and(|last| score > last.0)
            {
                self.tried.truncate(look.tried - 1);
                let place = self.tried.partition_point(|better| better.0 >= score);
                self.tried.insert(place, (score, *item));
            }
        }
    }

    /// The sides of the split with the highest utility in the end.
    fn best(&mut self, look: Look<'_>, k: u32, part: &MaskedRecords) -> Option<[MaskedRecords; 2]> {
        let mut best: Option<(f64, [MaskedRecords; 2])> = None;
        for number in 0..self.tried.len() {
            let mut wide = self.take();
            self.matrix.with(part, self.tried[number].1, &mut wide);
            let mut narrow = self.take();
            narrow.clone_from(&wide);
            let narrowed = self.matrix.narrow(&mut narrow, k);
            let compared = look.tried > 1;
            for (mut with, possible) in [(wide, compared || !narrowed), (narrow, narrowed)] {
                if !possible {
                    self.spare.push(with);
                    continue;
                }
                let mut without = self.take();
                self.matrix.without(part, k, &mut with, &mut without);
                let worth = if compared {
                    self.worth(look, k, &with) + self.worth(look, k, &without)
                } else {
                    0.0
                };
                let sides = [with, without];
                let worse = match &best {
                    Some((most, _)) if worth <= *most => Some(sides),
                    _ => best.replace((worth, sides)).map(|(_, sides)| sides),
                };
                self.spare.extend(worse.into_iter().flatten());
            }
        }
        best.map(|(_, sides)| sides)
    }

    /// The utility of the classes of a part if each is split on the best item by the rule.
    fn worth(&mut self, look: Look<'_>, k: u32, part: &MaskedRecords) -> f64 {
        let mut best = (f64::NEG_INFINITY, None);
        for (item, count) in &part.items {
            if let Some(score) = look.score(self.matrix.worth(*item), *count, part.n, k)
                && score > best.0
            {
                best = (score, Some(*item));
            }
        }
        let Some(item) = best.1 else { return part.earned };
        let (mut with, mut without) = (self.take(), self.take());
        self.matrix.with(part, item, &mut with);
        self.matrix.narrow(&mut with, k);
        self.matrix.without(part, k, &mut with, &mut without);
        let worth = part.earned + self.worth(look, k, &with) + self.worth(look, k, &without);
        self.spare.extend([with, without]);
        worth
    }

    fn take(&mut self) -> MaskedRecords {
        self.spare.pop().unwrap_or_default()
    }
}
