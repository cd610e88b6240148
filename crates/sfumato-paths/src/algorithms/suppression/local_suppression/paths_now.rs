//! The paths as they are now, while steps are left out, and who has which step.

use super::super::Promise;
use crate::data::sequences::contains;
use crate::data::{Paths, View};
use sfumato_core::sequences::Knows;

/// The paths as they are now.
pub struct PathsNow {
    paths: Vec<Vec<u32>>,
    /// For each promise, the records that had each step at the beginning.
    had: Vec<Vec<Vec<u32>>>,
}

/// A path as somebody sees it.
pub fn seen(view: &View, path: &[u32]) -> Vec<u32> {
    let mut seen: Vec<u32> = path.iter().map(|step| view.of_step[*step as usize]).collect();
    if view.knows == Knows::Times {
        seen.dedup();
    }
    seen
}

impl PathsNow {
    /// The paths at the beginning.
    pub fn new(promises: &[Promise<'_>], paths: &Paths) -> Self {
        let had = |promise: &Promise<'_>| {
            let mut had: Vec<Vec<u32>> = vec![Vec::new(); promise.view.n_codes];
            for (record, path) in (0..).zip(paths.iter()) {
                for step in seen(&promise.view, path) {
                    if had[step as usize].last() != Some(&record) {
                        had[step as usize].push(record);
                    }
                }
            }
            had
        };
        PathsNow {
            paths: paths.iter().map(<[u32]>::to_vec).collect(),
            had: promises.iter().map(had).collect(),
        }
    }

    /// The path of a record.
    pub fn get(&self, record: u32) -> &[u32] {
        &self.paths[record as usize]
    }

    /// Replace the path of a record.
    pub fn set(&mut self, record: u32, path: Vec<u32>) {
        self.paths[record as usize] = path;
    }

    /// The records that had a step of a promise at the beginning; a few may not have it any more.
    pub fn had(&self, promise: usize, step: u32) -> &[u32] {
        &self.had[promise][step as usize]
    }

    /// How many records had a step at the beginning.
    pub fn n_having(&self, promise: usize, step: u32) -> usize {
        self.had(promise, step).len()
    }

    /// The records that have a sequence.
    pub fn having(&self, at: usize, promise: &Promise<'_>, sequence: &[u32]) -> Vec<u32> {
        let rarest = sequence.iter().copied().min_by_key(|step| self.n_having(at, *step));
        let Some(rarest) = rarest else { return Vec::new() };
        let has_it = |record: &&u32| contains(&seen(&promise.view, self.get(**record)), sequence);
        self.had(at, rarest).iter().filter(has_it).copied().collect()
    }

    /// The path of a record without one step of a sequence, so that it hasn't the sequence any
    /// more: the step goes wherever it could stand at its place of the sequence.
    pub fn without(
        &self,
        promise: &Promise<'_>,
        record: u32,
        (sequence, place): (&[u32], usize),
    ) -> Vec<u32> {
        let path = self.get(record);
        let of_step = &promise.view.of_step;
        let step = sequence[place];
        if promise.view.knows == Knows::Times {
            return path.iter().copied().filter(|own| of_step[*own as usize] != step).collect();
        }
        // After the leftmost place of what comes before, and before the rightmost of what follows.
        let mut first = 0;
        for wanted in &sequence[..place] {
            let found = path[first..].iter().position(|own| of_step[*own as usize] == *wanted);
            first += found.map_or(path.len() - first, |found| found + 1);
        }
        let mut end = path.len();
        for wanted in sequence[place + 1..].iter().rev() {
            let found = path[..end].iter().rposition(|own| of_step[*own as usize] == *wanted);
            end = found.unwrap_or(0);
        }
        let stays = |(at, own): &(usize, &u32)| {
            of_step[**own as usize] != step || *at < first || *at >= end
        };
        path.iter().enumerate().filter(stays).map(|(_, own)| *own).collect()
    }

    /// The paths at the end.
    pub fn finish(self) -> Paths {
        self.paths.into_iter().collect()
    }
}
