//! Finds the maximal frequent sequences of paths: those that enough paths have, and that no longer
//! one with enough paths contains.
//!
//! Frequent sequences are grown step by step over what comes after them (as PrefixSpan does). One
//! is maximal if no frequent one has one step more and contains it: every longer one contains such
//! a one.

use rayon::prelude::*;
use sfumato_core::FastMap;

use super::super::Paths;
use super::projection::{Extensions, Projection, everything};

/// The maximal frequent sequences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frequent {
    /// The sequences, in the order of their steps.
    pub maximal: Vec<Vec<u32>>,
    /// How many paths must have a frequent sequence.
    pub support: u64,
}

/// The maximal frequent sequences, or `None` if more than `most` sequences are frequent.
pub fn maximal_frequent(
    paths: &Paths,
    n_codes: usize,
    support: u64,
    most: usize,
) -> Option<Frequent> {
    let all = everything(paths);
    let mut scratch = Extensions::new(n_codes);
    scratch.look(paths, &all, |_, _| {});
    let is_frequent =
        |step: &u32, scratch: &Extensions| u64::from(scratch.count[*step as usize]) >= support;
    let mut first = scratch.seen.clone();
    first.retain(|step| is_frequent(step, &scratch));
    let projections = scratch.extended(paths, &all, &first);
    let found = std::sync::atomic::AtomicUsize::new(0);
    let branches: Vec<Option<Vec<Vec<u32>>>> = first
        .par_iter()
        .zip(&projections)
        .map_init(
            || Extensions::new(n_codes),
            |scratch, (step, projection)| {
                let mut grown = Vec::new();
                let search = Search { paths, support, most, found: &found };
                search.grow(scratch, &mut vec![*step], projection, &mut grown).then_some(grown)
            },
        )
        .collect();
    let mut frequent: Vec<Vec<u32>> = Vec::new();
    for branch in branches {
        frequent.extend(branch?);
    }
    // What has a frequent sequence with one step more isn't maximal.
    let place: FastMap<&[u32], usize> =
        frequent.iter().enumerate().map(|(place, sequence)| (&sequence[..], place)).collect();
    let mut is_maximal = vec![true; frequent.len()];
    let mut part = Vec::new();
    for sequence in frequent.iter().filter(|sequence| sequence.len() > 1) {
        for without in 0..sequence.len() {
            part.clear();
            part.extend_from_slice(&sequence[..without]);
            part.extend_from_slice(&sequence[without + 1..]);
            if let Some(place) = place.get(&part[..]) {
                is_maximal[*place] = false;
            }
        }
    }
    drop(place);
    let mut keep = is_maximal.into_iter();
    frequent.retain(|_| keep.next().unwrap_or(false));
    Some(Frequent { maximal: frequent, support })
}

struct Search<'a> {
    paths: &'a Paths,
    support: u64,
    most: usize,
    found: &'a std::sync::atomic::AtomicUsize,
}

impl Search<'_> {
    /// Add a sequence and all frequent ones that begin with it. False if there are too many.
    fn grow(
        &self,
        scratch: &mut Extensions,
        sequence: &mut Vec<u32>,
        projection: &Projection,
        grown: &mut Vec<Vec<u32>>,
    ) -> bool {
        // Whether the limit is passed doesn't depend on the order in which threads pass it.
        if self.found.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= self.most {
            return false;
        }
        grown.push(sequence.clone());
        scratch.look(self.paths, projection, |_, _| {});
        let mut steps = scratch.seen.clone();
        steps.retain(|step| u64::from(scratch.count[*step as usize]) >= self.support);
        let projections = scratch.extended(self.paths, projection, &steps);
        steps.iter().zip(&projections).all(|(step, projection)| {
            sequence.push(*step);
            let goes_on = self.grow(scratch, sequence, projection, grown);
            sequence.pop();
            goes_on
        })
    }
}
