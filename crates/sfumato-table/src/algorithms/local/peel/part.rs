//! Parts of groups: if a group fails because some sensitive values are too frequent in it, the
//! largest balanced part of it may still be published. The other rows stay for a more expensive
//! node.
//!
//! A part takes all rows of a rare value and only some of a frequent one, by one cap for all
//! values: the same number of each, or in proportion to its share of the table. The requirements
//! decide whether a part may be published.

use sfumato_core::column::Codes;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::Task;

use crate::algorithms::shared::clusters::Judge;

/// How often the cap is halved in the search for the largest part.
const HALVINGS: usize = 5;

/// Finds parts with the help of one sensitive column.
pub struct Parts<'a> {
    judge: &'a Judge<'a>,
    codes: &'a Codes,
    column: usize,
    n_sensitive: usize,
    /// The weights by which values are capped.
    scales: [Vec<f64>; 2],
    /// The smallest part that the requirements could allow, by each of the scales.
    least: [usize; 2],
}

impl<'a> Parts<'a> {
    /// Makes parts for a task whose models read one sensitive column and count rows; `None` for
    /// others.
    pub fn new(task: &Task<'a>, judge: &'a Judge<'a>) -> Option<Self> {
        let sensitive = task.table.counted();
        let needed = task.requirements.needed_histograms(sensitive.len());
        let mut columns =
            needed.iter().enumerate().filter(|(_, needed)| **needed).map(|(column, _)| column);
        let (Some(column), None, None) =
            (columns.next(), columns.next(), task.table.subject.as_ref())
        else {
            return None;
        };
        let codes = &sensitive[column].codes;
        let counts = codes.counts(sensitive[column].domain.len() + 1);
        let n_rows = task.table.n_rows as f64;
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / n_rows).collect();
        let alike: Vec<f64> =
            counts.iter().map(|&count| if count > 0 { 1.0 } else { 0.0 }).collect();
        let mut parts = Parts {
            judge,
            codes,
            column,
            n_sensitive: sensitive.len(),
            scales: [shares, alike],
            least: [0, 0],
        };
        let all: Vec<u32> =
            counts.iter().map(|&count| count.min(u64::from(u32::MAX)) as u32).collect();
        for scale in 0..2 {
            let total: f64 = parts.scales[scale].iter().sum();
            let mut wanted = judge.min_rows.max(1);
            // The cap for so many rows of an ideal group; a part smaller than the first that is
            // allowed has little hope.
            while wanted < task.table.n_rows {
                if parts.allowed(&parts.capped(&all, scale, wanted as f64 / total)) {
                    break;
                }
                wanted += (wanted / 16).max(1);
            }
            parts.least[scale] = wanted;
        }
        Some(parts)
    }

    /// The smallest part that could be published.
    pub fn least(&self) -> usize {
        self.least[0].min(self.least[1])
    }

    fn allowed(&self, counts: &[u32]) -> bool {
        let pairs = counts
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(code, &n)| (code as u32, u64::from(n)));
        let mut histograms = vec![Histogram::default(); self.n_sensitive];
        histograms[self.column] = Histogram::from_counts(pairs);
        let rows = histograms[self.column].total();
        self.judge.allows(&Summary::of_histograms(rows, histograms))
    }

    /// The counts under a cap.
    fn capped(&self, counts: &[u32], scale: usize, cap: f64) -> Vec<u32> {
        counts
            .iter()
            .zip(&self.scales[scale])
            .map(|(&count, &weight)| count.min(limit(cap, weight)))
            .collect()
    }

    /// The number of rows under a cap.
    fn n_capped(&self, counts: &[u32], scale: usize, cap: f64) -> usize {
        let capped = counts.iter().zip(&self.scales[scale]);
        capped.map(|(&count, &weight)| count.min(limit(cap, weight)) as usize).sum()
    }

    /// The largest part of some rows that may be published, if there is one.
    pub fn largest(&self, rows: &[u32]) -> Option<Vec<u32>> {
        let mut counts = vec![0u32; self.scales[0].len()];
        rows.iter().for_each(|&row| counts[self.codes.get(row as usize) as usize] += 1);
        let best = (0..2)
            .filter_map(|scale| self.by_scale(&counts, scale))
            .max_by_key(|part| size(part))?;
        let mut room = best;
        let part = rows.iter().copied().filter(|&row| {
            let room = &mut room[self.codes.get(row as usize) as usize];
            let takes = *room > 0;
            *room -= u32::from(takes);
            takes
        });
        Some(part.collect())
    }

    fn by_scale(&self, counts: &[u32], scale: usize) -> Option<Vec<u32>> {
        let scales = &self.scales[scale];
        let highest = counts
            .iter()
            .zip(scales)
            .filter(|(count, _)| **count > 0)
            .map(|(&count, &weight)| f64::from(count) / weight)
            .fold(0.0, f64::max);
        // The lowest cap that leaves enough rows is the most balanced part there is.
        let (mut low, mut high) = (0.0, highest);
        if size(counts) < self.least[scale] {
            return None;
        }
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            if self.n_capped(counts, scale, middle) >= self.least[scale] {
                high = middle;
            } else {
                low = middle;
            }
        }
        let mut best = self.capped(counts, scale, high);
        if !self.allowed(&best) {
            return None;
        }
        let (mut low, mut high) = (high, highest);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            let part = self.capped(counts, scale, middle);
            if self.allowed(&part) {
                low = middle;
                best = part;
            } else {
                high = middle;
            }
        }
        Some(best)
    }
}

/// The largest number of rows of a value under a cap.
fn limit(cap: f64, weight: f64) -> u32 {
    (cap * weight + 0.5) as u32
}

fn size(counts: &[u32]) -> usize {
    counts.iter().map(|&count| count as usize).sum()
}
