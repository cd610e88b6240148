//! Small requirements of every kind that an algorithm can meet: counts, histograms, the release as
//! a reference, and one that isn't monotone.

use sfumato_core::group::Summary;
use sfumato_core::traits::{Direction, Measure, Requirement, Requirements};

/// A requirement of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ask {
    /// At least this many people.
    People(u64),
    /// At least this many distinct values in the first sensitive column.
    Distinct(usize),
    /// No value of the first sensitive column more often than this share.
    Share(f64),
    /// No value's share in a class further from its share in the release.
    Near(f64),
    /// An even number of rows: not monotone in either direction, but for merging.
    Even,
    /// At most this many rows, which may hold for parts but not for the whole.
    AtMost(u64),
}

pub fn requirements(asks: &[Ask]) -> Requirements {
    Requirements::new(asks.iter().map(|&ask| Box::new(ask) as Box<dyn Requirement>).collect())
}

impl Requirement for Ask {
    fn describe(&self) -> String {
        format!("{self:?}")
    }
    fn model(&self) -> &'static str {
        "test"
    }
    fn is_monotone(&self) -> bool {
        !matches!(self, Ask::AtMost(_))
    }
    fn is_absorbing(&self) -> bool {
        matches!(self, Ask::People(_) | Ask::Distinct(_))
    }
    fn histograms(&self) -> Vec<usize> {
        match self {
            Ask::Distinct(_) | Ask::Share(_) | Ask::Near(_) => vec![0],
            _ => Vec::new(),
        }
    }
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        let value = self.measure(group, release)[0];
        match *self {
            Ask::People(k) => value >= k as f64,
            Ask::Distinct(l) => value >= l as f64,
            Ask::Share(share) => value <= share,
            Ask::Near(t) => value <= t + 1e-9,
            Ask::Even => value == 0.0,
            Ask::AtMost(most) => value <= most as f64,
        }
    }
    fn measures(&self) -> Vec<Measure> {
        let (name, required, direction) = match *self {
            Ask::People(k) => ("k", k as f64, Direction::AtLeast),
            Ask::Distinct(l) => ("l", l as f64, Direction::AtLeast),
            Ask::Share(share) => ("alpha", share, Direction::AtMost),
            Ask::Near(t) => ("t", t, Direction::AtMost),
            Ask::Even => ("odd", 0.0, Direction::AtMost),
            Ask::AtMost(most) => ("rows", most as f64, Direction::AtMost),
        };
        vec![Measure { name, required, direction }]
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        let value = match self {
            Ask::People(_) => group.people as f64,
            Ask::Distinct(_) => group.histograms[0].distinct() as f64,
            Ask::Share(_) => {
                group.histograms[0].max_count() as f64 / group.histograms[0].total() as f64
            }
            Ask::Near(_) => {
                let (mine, all) = (&group.histograms[0], &release.histograms[0]);
                let far = |&(code, count): &(u32, u64)| {
                    let share = mine.count(code) as f64 / mine.total() as f64;
                    (share - count as f64 / all.total() as f64).abs()
                };
                all.entries().iter().map(far).fold(0.0, f64::max)
            }
            Ask::Even => (group.rows % 2) as f64,
            Ask::AtMost(_) => group.rows as f64,
        };
        vec![value]
    }
    fn min_people(&self) -> u64 {
        match *self {
            Ask::People(k) => k,
            Ask::Distinct(l) => l as u64,
            _ => 1,
        }
    }
    fn is_count_only(&self) -> bool {
        matches!(self, Ask::People(_))
    }
}
