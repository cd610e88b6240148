//! Mines frequent sets of a sensitive item and quasi items: the true ones, and those that a
//! recipient finds by estimates.
//!
//! Sets of quasi items alone are the same in both. Sets with several sensitive items aren't mined:
//! which sensitive items of a group belong to the same record isn't published.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;
use sfumato_core::with_sets;

use super::reconstruct::{Reconstruction, Suspect};

/// The parameters of the mining.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mining {
    /// The share of all records that must contain a frequent set. Never less than one record.
    pub support: f64,
    /// The largest number of items of a set, the sensitive one included.
    pub most_items: usize,
}

impl Default for Mining {
    fn default() -> Self {
        Mining { support: 0.001, most_items: 4 }
    }
}

/// How many sets were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrequentSets {
    /// The number of frequent sets.
    pub actual: u64,
    /// The number of sets that are frequent by the estimates of the release.
    pub estimated: u64,
    /// The number of sets that are frequent in both ways.
    pub both: u64,
}

impl FrequentSets {
    /// The share of the sets a recipient finds that are frequent. `None` if none is found.
    pub fn precision(&self) -> Option<f64> {
        (self.estimated > 0).then(|| self.both as f64 / self.estimated as f64)
    }
    /// The share of the frequent sets that a recipient finds. `None` if there are none.
    pub fn recall(&self) -> Option<f64> {
        (self.actual > 0).then(|| self.both as f64 / self.actual as f64)
    }
}

/// Mine sets of one sensitive item and at least one quasi item.
///
/// Both kinds of support decrease as a set grows, so one search visits all sets that are frequent
/// in either way, and goes deeper only below those.
pub fn mine(release: &Reconstruction<'_>, mining: &Mining) -> FrequentSets {
    let view = release.view();
    let mut search = Search {
        least: (mining.support * view.quasi.len() as f64).max(1.0),
        most: mining.most_items,
        records: Vec::new(),
        found: FrequentSets::default(),
    };
    for (fact, count) in view.sensitive.counts().into_iter().enumerate() {
        // No set is in more records than the sensitive item itself.
        if search.is_frequent(count as f64) {
            search.records.clear();
            release.suspects(fact as u32, |suspect| search.records.push(suspect));
            let lists = with_sets!(view.quasi, quasi => search.lists(quasi, view.quasi.n_items()));
            search.extend(&lists, 2);
        }
    }
    search.found
}

/// The search for sets with one sensitive item.
struct Search {
    /// The smallest number of records that contain a frequent set.
    least: f64,
    most: usize,
    records: Vec<Suspect>,
    found: FrequentSets,
}

impl Search {
    /// Whether a support is large enough, up to rounding.
    fn is_frequent(&self, support: f64) -> bool {
        support * (1.0 + 1e-9) >= self.least
    }

    /// For every quasi item that is frequent together with the sensitive item, in either way, the
    /// records that have it.
    fn lists<C: Code>(&self, quasi: Sets<'_, C>, n_items: usize) -> Vec<Vec<u32>> {
        let mut supports: Vec<(u32, f64)> = vec![(0, 0.0); n_items];
        for suspect in &self.records {
            for item in quasi.get(suspect.record as usize) {
                let (actual, estimated) = &mut supports[item.widen() as usize];
                *actual += u32::from(suspect.has_it);
                *estimated += suspect.share;
            }
        }
        let mut lists: Vec<Vec<u32>> = Vec::new();
        let mut place = |(actual, estimated): &(u32, f64)| {
            let frequent = self.is_frequent(f64::from(*actual)) || self.is_frequent(*estimated);
            frequent.then(|| {
                lists.push(Vec::new());
                lists.len() - 1
            })
        };
        let places: Vec<Option<usize>> = supports.iter().map(&mut place).collect();
        for (number, suspect) in self.records.iter().enumerate() {
            for item in quasi.get(suspect.record as usize) {
                if let Some(place) = places[item.widen() as usize] {
                    lists[place].push(number as u32);
                }
            }
        }
        lists
    }

    /// Count the sets with one more item, by the lists of their records, and go deeper.
    fn extend(&mut self, lists: &[Vec<u32>], items: usize) {
        if items > self.most {
            return;
        }
        let kept: Vec<&Vec<u32>> = lists.iter().filter(|list| self.counted(list)).collect();
        if items == self.most {
            return;
        }
        for (place, list) in kept.iter().enumerate() {
            let deeper: Vec<Vec<u32>> =
                kept[place + 1..].iter().map(|other| common(list, other)).collect();
            self.extend(&deeper, items + 1);
        }
    }

    /// Count a set if it is frequent in either way.
    fn counted(&mut self, list: &[u32]) -> bool {
        let (mut actual, mut estimated) = (0u32, 0.0);
        for number in list {
            let suspect = &self.records[*number as usize];
            actual += u32::from(suspect.has_it);
            estimated += suspect.share;
        }
        let (actual, estimated) =
            (self.is_frequent(f64::from(actual)), self.is_frequent(estimated));
        self.found.actual += u64::from(actual);
        self.found.estimated += u64::from(estimated);
        self.found.both += u64::from(actual && estimated);
        actual || estimated
    }
}

/// The common entries of two ascending lists.
fn common(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::new();
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    both
}
