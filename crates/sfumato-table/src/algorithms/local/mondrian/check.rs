//! Checks whether groups of rows may be published, in the cheapest way that decides the
//! requirements.

use std::ops::Range;

use sfumato_core::FastSet;
use sfumato_core::column::Codes;
use sfumato_core::group::{Sampling, Summary, Tally};
use sfumato_core::traits::{Requirements, Task};

use super::block::Block;
use super::cells::Cells;
use super::regroup::{PartsOf, grouped, picked};
use super::split::Split;
use super::store::{Address, Slice, with_cells};

/// What has to be counted to decide the requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The number of rows is enough.
    Rows,
    /// The number of people is enough.
    People,
    /// Counts of rows don't suffice: summaries are needed.
    Summaries,
}

/// The requirements of a run, with the columns they read.
pub struct Check<'a> {
    requirements: &'a Requirements,
    depth: Depth,
    /// The smallest number of rows of a group that can be published.
    pub min_rows: usize,
    /// The sampling, if the rows are a sample: groups are then publishable with high confidence, or
    /// not.
    sampling: Option<Sampling>,
    /// The summary of the whole table, with which classes are compared while the tree grows.
    reference: Summary,
    /// The columns that have to move with the rows besides the quasi columns: sensitive ones, then
    /// the subject.
    payload: Vec<&'a Codes>,
    /// For each sensitive column, its place in the payload and its number of codes, if a model
    /// reads it.
    sensitive: Vec<Option<(usize, usize)>>,
    subject: Option<usize>,
}

impl<'a> Check<'a> {
    /// Prepare the requirements of a task. Its rows may be a sample of those that will be
    /// published.
    pub fn new(task: &'a Task<'_>, sampling: Option<Sampling>) -> Self {
        let tally = task.tally();
        let depth = match (task.requirements.is_count_only(), tally.subject) {
            (true, None) => Depth::Rows,
            // How many people there are is guessed from the people and the records that were drawn.
            (true, Some(_)) if sampling.is_none() => Depth::People,
            _ => Depth::Summaries,
        };
        let mut payload = Vec::new();
        let mut sensitive = vec![None; tally.sensitive.len()];
        if depth == Depth::Summaries {
            for (place, column) in sensitive.iter_mut().zip(&tally.sensitive) {
                if let Some((codes, n_codes)) = *column {
                    *place = Some((payload.len(), n_codes));
                    payload.push(codes);
                }
            }
        }
        let subject = task.table.subject.as_ref().map(|subject| {
            payload.push(subject);
            payload.len() - 1
        });
        let reference = match depth {
            Depth::Summaries => task.whole(),
            Depth::Rows | Depth::People => Summary::of_count(task.table.n_rows as u64),
        };
        let least = task.requirements.min_people();
        let least = sampling.as_ref().map_or(least, |sampling| sampling.needed(least, 2));
        Check {
            requirements: task.requirements,
            depth,
            min_rows: usize::try_from(least).unwrap_or(usize::MAX).max(1),
            sampling,
            reference,
            payload,
            sensitive,
            subject,
        }
    }

    /// The columns that the requirements read, to be moved with the rows.
    pub fn payload(&self) -> &[&'a Codes] {
        &self.payload
    }

    /// Whether a change of the reference changes what may be published.
    pub fn needs_reference(&self) -> bool {
        self.depth == Depth::Summaries
    }

    /// Whether two classes that happen to be published alike satisfy the requirements if each of
    /// them does.
    pub fn merges(&self) -> bool {
        match self.depth {
            Depth::Rows | Depth::People => true,
            Depth::Summaries => self.requirements.is_monotone() && self.subject.is_none(),
        }
    }

    /// Whether the whole table may be published as one class.
    pub fn whole_holds(&self) -> bool {
        match (self.depth, self.subject) {
            (Depth::Rows, _) | (Depth::People, None) => self.reference.rows >= self.min_rows as u64,
            (Depth::People, Some(subject)) => {
                let mut people = FastSet::default();
                self.payload[subject].iter().any(|person| {
                    people.insert(person);
                    people.len() >= self.min_rows
                })
            }
            (Depth::Summaries, _) => self.requirements.holds(&self.reference, &self.reference),
        }
    }

    /// Judge the parts of a split of a node's rows, and return whether all hold. Stops at the first
    /// that doesn't if `all_or_nothing`.
    pub fn judge(
        &self,
        block: &Block<'_>,
        range: Range<usize>,
        by: Address,
        split: &mut Split,
        all_or_nothing: bool,
    ) -> bool {
        let least = self.least_of(split.parts.len());
        for part in &mut split.parts {
            part.holds = part.rows >= least;
        }
        let all = split.parts.iter().all(|part| part.holds);
        if self.depth == Depth::Rows || (!all && all_or_nothing) {
            return all;
        }
        match (self.depth, self.subject) {
            (Depth::People, Some(subject)) => {
                self.judge_people(block, &block.payload()[subject], range, by, split)
            }
            _ => self.judge_summaries(block, range, by, split, all_or_nothing),
        }
        split.parts.iter().all(|part| part.holds)
    }

    /// Count distinct people only until every part has enough of them, which mostly takes a few
    /// rows.
    fn judge_people(
        &self,
        block: &Block<'_>,
        subjects: &Slice<'_>,
        range: Range<usize>,
        by: Address,
        split: &mut Split,
    ) {
        let mut people: Vec<FastSet<u32>> = vec![FastSet::default(); split.parts.len()];
        let mut enough = 0;
        let mut parts = PartsOf::new(split);
        with_cells!(&block.stores[by.store], by.lane, range.clone(), codes => {
            with_cells!(subjects, 0, range, subjects => {
                for (code, person) in codes.codes().zip(subjects.codes()) {
                    let people = &mut people[parts.of(code)];
                    if people.len() < self.min_rows && people.insert(person) && people.len()
                        == self.min_rows {
                        enough += 1;
                        if enough == split.parts.len() {
                            break;
                        }
                    }
                }
            });
        });
        for (part, people) in split.parts.iter_mut().zip(people) {
            part.holds = people.len() >= self.min_rows;
        }
    }

    /// Bring the payload into the order of the parts, then summarize each part.
    fn judge_summaries(
        &self,
        block: &Block<'_>,
        range: Range<usize>,
        by: Address,
        split: &mut Split,
        all_or_nothing: bool,
    ) {
        let mut next: Vec<u32> = Vec::with_capacity(split.parts.len());
        let mut rows = 0;
        for part in &split.parts {
            next.push(rows);
            rows += part.rows as u32;
        }
        let mut parts = PartsOf::new(split);
        let store = &block.stores[by.store];
        let places: Vec<u32> = with_cells!(store, by.lane, range.clone(), codes => {
            let place = |code| {
                let place = &mut next[parts.of(code)];
                *place += 1;
                *place - 1
            };
            codes.codes().map(place).collect()
        });
        let grouped: Vec<Codes> = self
            .own(block)
            .iter()
            .filter_map(|column| grouped(column, range.clone(), &places))
            .collect();
        drop(places);
        let tally = self.tally(&grouped);
        let n_parts = split.parts.len();
        let mut start = 0;
        for part in &mut split.parts {
            let end = start + part.rows;
            part.holds = part.holds && self.may_hold(&tally.of_range(start..end), n_parts);
            if all_or_nothing && !part.holds {
                return;
            }
            start = end;
        }
    }

    /// The columns of a block that the requirements read. Other columns may move with the rows too.
    fn own<'b, 's>(&self, block: &'b Block<'s>) -> &'b [Slice<'s>] {
        &block.payload()[..self.payload.len()]
    }

    /// Whether the number of rows decides all requirements.
    pub fn counts_rows(&self) -> bool {
        self.depth == Depth::Rows
    }

    /// Whether some rows may be published together while the tree grows. Places count from `start`.
    pub fn group_holds(&self, block: &Block<'_>, places: &[u32], start: usize) -> bool {
        if self.depth == Depth::Rows || places.len() < self.min_rows {
            return places.len() >= self.min_rows;
        }
        let payload: Vec<Codes> =
            self.own(block).iter().filter_map(|column| picked(column, places, start)).collect();
        self.may_hold(&self.tally(&payload).of_range(0..places.len()), 2)
    }

    /// Whether a group, one of `n_parts` parts, may be published while the tree grows.
    fn may_hold(&self, group: &Summary, n_parts: usize) -> bool {
        match &self.sampling {
            None => self.requirements.holds(group, &self.reference),
            Some(sampling) => self.requirements.likely(group, &self.reference, sampling, n_parts),
        }
    }

    /// The smallest number of rows of one of `n_parts` parts that can be published.
    fn least_of(&self, n_parts: usize) -> usize {
        match &self.sampling {
            Some(sampling) if n_parts > 2 => {
                let needed = sampling.needed(self.requirements.min_people(), n_parts);
                usize::try_from(needed).unwrap_or(usize::MAX).max(1)
            }
            _ => self.min_rows,
        }
    }

    /// Whether a class may be published in a release.
    pub fn holds(&self, class: &Summary, release: &Summary) -> bool {
        self.requirements.holds(class, release)
    }

    /// The tally over a payload in any order.
    pub fn tally<'c>(&self, payload: &'c [Codes]) -> Tally<'c> {
        Tally {
            sensitive: self
                .sensitive
                .iter()
                .map(|s| s.map(|(place, n_codes)| (&payload[place], n_codes)))
                .collect(),
            subject: self.subject.map(|place| &payload[place]),
        }
    }
}
