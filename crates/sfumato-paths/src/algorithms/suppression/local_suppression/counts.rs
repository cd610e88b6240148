//! How often each sequence of up to l steps occurs, kept up to date while steps are left out.

use sfumato_core::{Error, FastMap, Result};

use super::super::Promise;
use crate::data::Paths;

/// The most different sequences that are counted.
const MOST: usize = 1 << 25;

/// The counts of all sequences, for one promise.
pub struct Counts {
    place_of: FastMap<Box<[u32]>, u32>,
    support: Vec<u32>,
    /// How many paths of each sequence have each sensitive value.
    private: Vec<u32>,
    n_labels: usize,
    required: u64,
    most: sfumato_core::combinations::Share,
}

/// How many paths of a sequence go away, and which sensitive values with them.
#[derive(Debug, Clone, Default)]
pub struct Less {
    /// The number of paths.
    pub paths: u32,
    /// Their sensitive values.
    pub labels: Vec<u32>,
}

impl Counts {
    /// Count all sequences of the paths as the attacker of a promise sees them.
    pub fn of(promise: &Promise<'_>, paths: &Paths) -> Result<Counts> {
        let seen = promise.view.of(paths);
        let mut counts = Counts {
            place_of: FastMap::default(),
            support: Vec::new(),
            private: Vec::new(),
            n_labels: promise.labels.names.len(),
            required: promise.asked.required,
            most: promise.asked.most,
        };
        for (record, path) in seen.iter().enumerate() {
            let labels = promise.labels.get(record);
            each_sequence(path, promise.asked.length, &mut |sequence| {
                counts.add(sequence, labels);
            });
            if counts.support.len().saturating_mul(counts.n_labels + 1) > MOST {
                return Err(Error::resources(
                    "there are too many different sequences to hold a counter for each",
                )
                .hint("take global-suppression, a smaller l, or make places and times coarser"));
            }
        }
        Ok(counts)
    }

    fn add(&mut self, sequence: &[u32], labels: &[u32]) {
        let place = match self.place_of.get(sequence) {
            Some(place) => *place as usize,
            None => {
                let place = self.support.len();
                self.place_of.insert(sequence.into(), place as u32);
                self.support.push(0);
                self.private.resize(self.private.len() + self.n_labels, 0);
                place
            }
        };
        self.support[place] += 1;
        labels.iter().for_each(|label| self.private[place * self.n_labels + *label as usize] += 1);
    }

    /// The place of a sequence that some path had.
    pub fn place(&self, sequence: &[u32]) -> Option<u32> {
        self.place_of.get(sequence).copied()
    }

    fn fails(&self, support: u32, private: impl Iterator<Item = u32>) -> bool {
        let most = u64::from(private.max().unwrap_or(0));
        let support = u64::from(support);
        support > 0 && (support < self.required || self.most.is_exceeded(most, support))
    }

    fn private_of(&self, place: u32) -> &[u32] {
        &self.private[place as usize * self.n_labels..][..self.n_labels]
    }

    fn fails_at(&self, place: u32) -> bool {
        self.fails(self.support[place as usize], self.private_of(place).iter().copied())
    }

    /// Whether a sequence is violating now.
    pub fn is_violating(&self, sequence: &[u32]) -> bool {
        self.place(sequence).is_some_and(|place| self.fails_at(place))
    }

    /// All violating sequences: short ones first, and then in the order of their steps.
    pub fn violating(&self) -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = self
            .place_of
            .iter()
            .filter(|(_, place)| self.fails_at(**place))
            .map(|(sequence, _)| sequence.to_vec())
            .collect();
        all.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        all
    }

    /// Whether a sequence is violating now, and whether it would be with less.
    pub fn before_and_after(&self, place: u32, less: &Less) -> (bool, bool) {
        let support = self.support[place as usize] - less.paths;
        let after = (0..).zip(self.private_of(place)).map(|(label, n): (u32, &u32)| {
            n - less.labels.iter().filter(|gone| **gone == label).count() as u32
        });
        (self.fails_at(place), self.fails(support, after))
    }

    /// Take away paths of a sequence.
    pub fn lessen(&mut self, place: u32, less: &Less) {
        self.support[place as usize] -= less.paths;
        let start = place as usize * self.n_labels;
        less.labels.iter().for_each(|label| self.private[start + *label as usize] -= 1);
    }

    /// Where enough paths have a sequence and only a share is too large: so many of those with the
    /// value that the share is right without them, and enough are left.
    pub fn enough_of(
        &self,
        promise: &Promise<'_>,
        sequence: &[u32],
        having: &[u32],
    ) -> Option<Vec<u32>> {
        let place = self.place(sequence)?;
        let support = u64::from(self.support[place as usize]);
        let private = self.private_of(place);
        let (label, part) = (0..).zip(private).max_by_key(|(_, n)| **n)?;
        let part = u64::from(*part);
        if support < self.required || !self.most.is_exceeded(part, support) {
            return None;
        }
        let is_enough = |gone: &u64| !self.most.is_exceeded(part - gone, support - gone);
        let gone = (1..part).find(is_enough).filter(|gone| support - gone >= self.required)?;
        let has_it = |record: &&u32| promise.labels.get(**record as usize).contains(&label);
        Some(having.iter().filter(has_it).copied().take(gone as usize).collect())
    }
}

/// Every different sequence of 1 to `length` steps that a path has, once.
pub fn each_sequence(path: &[u32], length: usize, each: &mut impl FnMut(&[u32])) {
    fn grow(
        path: &[u32],
        start: usize,
        length: usize,
        sequence: &mut Vec<u32>,
        each: &mut impl FnMut(&[u32]),
    ) {
        for place in start..path.len() {
            // A step is taken where it comes first, so that every sequence is found once.
            if path[start..place].contains(&path[place]) {
                continue;
            }
            sequence.push(path[place]);
            each(sequence);
            if sequence.len() < length {
                grow(path, place + 1, length, sequence, each);
            }
            sequence.pop();
        }
    }
    if length > 0 {
        grow(path, 0, length, &mut Vec::with_capacity(length.min(path.len())), each);
    }
}
