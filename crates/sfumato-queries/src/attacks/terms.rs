//! A log as an attacker on hashes sees it: the different terms or hashes of each row, and which are
//! in the same row.

use sfumato_core::column::Dictionary;

use crate::data::{Log, Numbered};

/// The terms or hashes of each row of a log.
#[derive(Default)]
pub struct Terms {
    names: Numbered,
    /// The different terms of each row, ascending.
    pub rows: Vec<Vec<u32>>,
}

impl Terms {
    /// The terms of the rows of a log.
    pub fn of_log(log: &Log) -> Self {
        let mut terms = Terms::default();
        log.entries.iter().for_each(|entry| terms.push(log.terms(entry.query)));
        terms
    }
    /// Append a row.
    pub fn push<'a>(&mut self, row: impl Iterator<Item = &'a str>) {
        let mut row: Vec<u32> = row.map(|term| self.names.number(term)).collect();
        row.sort_unstable();
        row.dedup();
        self.rows.push(row);
    }
    /// All different terms.
    pub fn names(&self) -> &Dictionary {
        &self.names.texts
    }
    /// The number of a term.
    pub fn find(&self, term: &str) -> Option<u32> {
        self.names.find(term)
    }
    /// The number of rows that have each term.
    pub fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.names().len()];
        self.rows.iter().flatten().for_each(|term| counts[*term as usize] += 1);
        counts
    }
    /// The most frequent terms, at most `most`, and how often each is there with each: by their
    /// places in the list.
    pub fn frequent(&self, most: usize) -> Frequent {
        let counts = self.counts();
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        order.sort_by_key(|term| (std::cmp::Reverse(counts[*term as usize]), *term));
        order.truncate(most);
        let mut place = vec![None; counts.len()];
        order.iter().zip(0usize..).for_each(|(term, at)| place[*term as usize] = Some(at));
        let n = order.len();
        let mut together = vec![0f32; n * n];
        let mut places: Vec<usize> = Vec::new();
        for row in &self.rows {
            places.clear();
            places.extend(row.iter().filter_map(|term| place[*term as usize]));
            for one in &places {
                places.iter().filter(|other| *other != one).for_each(|other| {
                    together[one * n + other] += 1.0;
                });
            }
        }
        let counts = order.iter().map(|term| counts[*term as usize] as f32).collect();
        Frequent { terms: order, counts, together, rows: self.rows.len() as f32 }
    }
}

/// The most frequent terms of a log.
pub struct Frequent {
    /// The terms, the most frequent first.
    pub terms: Vec<u32>,
    /// The number of rows that have each.
    pub counts: Vec<f32>,
    /// The number of rows that have each two, row by row of a square.
    pub together: Vec<f32>,
    /// The number of all rows.
    pub rows: f32,
}

impl Frequent {
    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
    /// The share of rows that have a term.
    pub fn share(&self, place: usize) -> f32 {
        self.counts[place] / self.rows
    }
    /// How much oftener two terms are in the same row than if they didn't know of each other, as a
    /// share of the rows that have the rarer one.
    pub fn bond(&self, one: usize, other: usize) -> f32 {
        let expected = self.counts[one] * self.counts[other] / self.rows;
        let found = self.together[one * self.len() + other];
        (found - expected) / self.counts[one].min(self.counts[other])
    }
}
