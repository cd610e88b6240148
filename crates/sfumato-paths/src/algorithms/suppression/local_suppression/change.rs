//! A change of some paths, tried out on the counts before it is made.

use sfumato_core::FastMap;

use super::super::Promise;
use super::counts::{Counts, Less, each_sequence};
use super::paths_now::{PathsNow, seen};
use crate::data::sequences::contains;

/// New paths of some records, and what they do to the counts of every promise.
pub struct Change {
    paths: Vec<(u32, Vec<u32>)>,
    /// For each promise, what goes away of which sequence.
    less: Vec<FastMap<u32, Less>>,
    /// How many sequences aren't violating any more.
    mended: u64,
    /// How many sequences become violating.
    broken: u64,
    /// How many steps are left out.
    steps: u64,
}

impl Change {
    /// What leaving a step of a sequence out of some records would do.
    pub fn try_out(
        (_, promise): (usize, &Promise<'_>),
        sequence: (&[u32], usize),
        records: &[u32],
        promises: &[Promise<'_>],
        counts: &[Counts],
        now: &PathsNow,
    ) -> Change {
        let without = |record: &u32| (*record, now.without(promise, *record, sequence));
        Change::of(records.iter().map(without).collect(), promises, counts, now)
    }

    /// What leaving a step out of all records would do.
    pub fn everywhere(
        (at, promise): (usize, &Promise<'_>),
        step: u32,
        promises: &[Promise<'_>],
        counts: &[Counts],
        now: &PathsNow,
    ) -> Change {
        let without = |record: &u32| (*record, now.without(promise, *record, (&[step], 0)));
        Change::of(now.had(at, step).iter().map(without).collect(), promises, counts, now)
    }

    fn of(
        paths: Vec<(u32, Vec<u32>)>,
        promises: &[Promise<'_>],
        counts: &[Counts],
        now: &PathsNow,
    ) -> Change {
        let mut change = Change { paths, less: Vec::new(), mended: 0, broken: 0, steps: 0 };
        for (promise, counts) in promises.iter().zip(counts) {
            let mut less: FastMap<u32, Less> = FastMap::default();
            for (record, path) in &change.paths {
                let (before, after) =
                    (seen(&promise.view, now.get(*record)), seen(&promise.view, path));
                if before.len() == after.len() {
                    continue;
                }
                let labels = promise.labels.get(*record as usize);
                each_sequence(&before, promise.asked.length, &mut |sequence| {
                    if !contains(&after, sequence)
                        && let Some(place) = counts.place(sequence)
                    {
                        let less = less.entry(place).or_default();
                        less.paths += 1;
                        less.labels.extend_from_slice(labels);
                    }
                });
            }
            for (place, less) in &less {
                let (before, after) = counts.before_and_after(*place, less);
                change.mended += u64::from(before && !after);
                change.broken += u64::from(!before && after);
            }
            change.less.push(less);
        }
        let left_out = |(record, path): &(u32, Vec<u32>)| now.get(*record).len() - path.len();
        change.steps = change.paths.iter().map(left_out).sum::<usize>() as u64;
        change
    }

    /// Whether fewer sequences are violating after it.
    pub fn helps(&self) -> bool {
        self.mended > self.broken
    }

    /// Whether it brings the number of violating sequences down more for each step left out.
    pub fn is_better_than(&self, other: &Change) -> bool {
        let gain = |change: &Change| u128::from(change.mended - change.broken);
        gain(self) * u128::from(other.steps) > gain(other) * u128::from(self.steps)
    }

    /// Make the change.
    pub fn make(self, counts: &mut [Counts], now: &mut PathsNow) {
        for (counts, less) in counts.iter_mut().zip(&self.less) {
            less.iter().for_each(|(place, less)| counts.lessen(*place, less));
        }
        self.paths.into_iter().for_each(|(record, path)| now.set(record, path));
    }
}
