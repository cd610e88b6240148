//! Where a sequence ends in the paths that have it: what comes after is all that can extend it.
//!
//! The end is that of the leftmost occurrence, so that every longer sequence that a path has is
//! found after it.

use super::super::Paths;

/// The paths that have a sequence, each with the place after its leftmost occurrence.
pub type Projection = Vec<(u32, u32)>;

/// All paths, from their beginning: the projection of the empty sequence.
pub fn everything(paths: &Paths) -> Projection {
    (0..paths.len() as u32).map(|path| (path, 0)).collect()
}

/// Counters for the steps that extend a sequence, used again for each sequence.
pub struct Extensions {
    /// In how many paths a step comes after the sequence.
    pub count: Vec<u32>,
    /// The steps that come in any, ascending after [`Extensions::look`].
    pub seen: Vec<u32>,
    stamp: Vec<u32>,
    round: u32,
    slot_of: Vec<u32>,
}

/// No slot.
const NONE: u32 = u32::MAX;

impl Extensions {
    /// Counters for so many different steps.
    pub fn new(n_codes: usize) -> Self {
        Extensions {
            count: vec![0; n_codes],
            seen: Vec::new(),
            stamp: vec![0; n_codes],
            round: 0,
            slot_of: vec![NONE; n_codes],
        }
    }

    /// Count the steps that come after a sequence. `each` is told of every path and step once.
    pub fn look(&mut self, paths: &Paths, projection: &Projection, mut each: impl FnMut(u32, u32)) {
        for step in self.seen.drain(..) {
            self.count[step as usize] = 0;
        }
        for (path, start) in projection {
            self.next_round();
            for step in &paths.get(*path as usize)[*start as usize..] {
                let at = *step as usize;
                if self.stamp[at] != self.round {
                    self.stamp[at] = self.round;
                    if self.count[at] == 0 {
                        self.seen.push(*step);
                    }
                    self.count[at] += 1;
                    each(*path, *step);
                }
            }
        }
        self.seen.sort_unstable();
    }

    /// The projections of a sequence extended by each of some steps, which must be among those
    /// seen.
    pub fn extended(
        &mut self,
        paths: &Paths,
        projection: &Projection,
        steps: &[u32],
    ) -> Vec<Projection> {
        let mut all: Vec<Projection> = Vec::with_capacity(steps.len());
        for (slot, step) in (0..).zip(steps) {
            self.slot_of[*step as usize] = slot;
            all.push(Vec::with_capacity(self.count[*step as usize] as usize));
        }
        if steps.is_empty() {
            return all;
        }
        for (path, start) in projection {
            self.next_round();
            let rest = &paths.get(*path as usize)[*start as usize..];
            for (place, step) in (start + 1..).zip(rest) {
                let at = *step as usize;
                if self.slot_of[at] != NONE && self.stamp[at] != self.round {
                    self.stamp[at] = self.round;
                    all[self.slot_of[at] as usize].push((*path, place));
                }
            }
        }
        steps.iter().for_each(|step| self.slot_of[*step as usize] = NONE);
        all
    }

    fn next_round(&mut self) {
        if self.round == u32::MAX {
            self.stamp.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }
}
