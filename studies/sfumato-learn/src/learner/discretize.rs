//! Supervised discretization: thresholds of a column that tell classes apart, as many as the
//! description length allows.

use crate::Matrix;

/// Thresholds of each column, from the training rows.
///
/// Fayyad and Irani (1993): the threshold that leaves the least entropy is taken if it saves more
/// bits than naming it costs, and both sides are treated in turn. A column that says nothing about
/// the class keeps one bin.
#[derive(Debug, Clone, PartialEq)]
pub struct Discretizer {
    thresholds: Vec<Vec<f64>>,
}

impl Discretizer {
    /// Learn the thresholds of all columns; `y` has a class below `n_classes` for each row.
    pub fn fit(x: &Matrix, y: &[u32], n_classes: usize) -> Self {
        let thresholds =
            (0..x.n_columns()).map(|j| thresholds(x.column(j), y, n_classes)).collect();
        Discretizer { thresholds }
    }

    /// How many bins a column has.
    pub fn n_bins(&self, column: usize) -> usize {
        self.thresholds[column].len() + 1
    }

    /// The bin of a value: how many thresholds lie below it. Values outside the training's range
    /// fall into the outermost bins.
    pub fn bin(&self, column: usize, value: f64) -> u32 {
        self.thresholds[column].partition_point(|threshold| *threshold < value) as u32
    }

    /// The bins of all cells, column by column.
    pub fn bins(&self, x: &Matrix) -> Vec<u32> {
        (0..x.n_columns())
            .flat_map(|j| x.column(j).iter().map(move |value| self.bin(j, *value)))
            .collect()
    }
}

/// The rows of one value.
struct Group {
    value: f64,
    counts: Vec<u32>,
}

fn thresholds(column: &[f64], y: &[u32], n_classes: usize) -> Vec<f64> {
    let mut rows: Vec<(f64, u32)> = column.iter().copied().zip(y.iter().copied()).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut groups: Vec<Group> = Vec::new();
    for (value, class) in rows {
        if groups.last().is_none_or(|group| group.value != value) {
            groups.push(Group { value, counts: vec![0; n_classes] });
        }
        groups.last_mut().expect("one was just pushed").counts[class as usize] += 1;
    }
    let mut found = Vec::new();
    let mut todo = vec![(0, groups.len())];
    while let Some((start, end)) = todo.pop() {
        if let Some(cut) = best_cut(&groups[start..end], n_classes) {
            let (below, above) = (groups[start + cut - 1].value, groups[start + cut].value);
            let middle = below + (above - below) / 2.0;
            found.push(if middle < above { middle } else { below });
            todo.push((start, start + cut));
            todo.push((start + cut, end));
        }
    }
    found.sort_unstable_by(f64::total_cmp);
    found
}

/// Rows, entropy in bits and number of occurring classes.
fn facts(counts: &[u32]) -> (f64, f64, f64) {
    let n = counts.iter().map(|count| f64::from(*count)).sum::<f64>();
    let occurring = counts.iter().filter(|count| **count > 0);
    let entropy = occurring.clone().map(|count| f64::from(*count) / n).map(|p| -p * p.log2()).sum();
    (n, entropy, occurring.count() as f64)
}

/// How many groups go to the left, if a cut pays.
fn best_cut(groups: &[Group], n_classes: usize) -> Option<usize> {
    let mut all = vec![0u32; n_classes];
    for group in groups {
        all.iter_mut().zip(&group.counts).for_each(|(sum, count)| *sum += count);
    }
    let (n, entropy, k) = facts(&all);
    let mut left = vec![0u32; n_classes];
    let mut best: Option<(f64, usize, f64)> = None;
    for cut in 1..groups.len() {
        left.iter_mut().zip(&groups[cut - 1].counts).for_each(|(sum, count)| *sum += count);
        let right: Vec<u32> = all.iter().zip(&left).map(|(all, left)| all - left).collect();
        let ((n1, e1, k1), (n2, e2, k2)) = (facts(&left), facts(&right));
        let rest = (n1 * e1 + n2 * e2) / n;
        if best.is_none_or(|(least, _, _)| rest < least) {
            // log2(3^k - 2), written so that it doesn't overflow for many classes.
            let naming = k * 3f64.log2() + (1.0 - 2.0 * 3f64.powf(-k)).log2();
            let cost = ((n - 1.0).log2() + naming - (k * entropy - k1 * e1 - k2 * e2)) / n;
            best = Some((rest, cut, cost));
        }
    }
    best.filter(|(rest, _, cost)| entropy - rest > *cost).map(|(_, cut, _)| cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomStream;

    fn fit(column: Vec<f64>, y: &[u32], n_classes: usize) -> Discretizer {
        Discretizer::fit(&Matrix::from_columns(y.len(), &[column]).unwrap(), y, n_classes)
    }

    #[test]
    fn finds_the_borders_of_classes_and_nothing_in_noise() {
        let column: Vec<f64> = (0..90).map(f64::from).collect();
        let y: Vec<u32> = (0..90).map(|i| [0, 1, 0][i / 30]).collect();
        let found = fit(column.clone(), &y, 2);
        assert_eq!(found.thresholds, [vec![29.5, 59.5]]);
        assert_eq!(found.n_bins(0), 3);
        assert_eq!([-1e9, 29.0, 29.5, 30.0, 1e9].map(|v| found.bin(0, v)), [0, 0, 0, 1, 2]);
        let mut random = RandomStream::new(1);
        let noise: Vec<u32> = (0..90).map(|_| random.below(2) as u32).collect();
        assert_eq!(fit(column, &noise, 2).n_bins(0), 1);
    }

    #[test]
    fn the_criterion_by_hand() {
        // n rows of class 0, then n of class 1: gain 1, cost (log2(2n - 1) + log2(7) - 2) / 2n. It
        // pays from n = 2 on: n = 1 costs (0 + 2.807 - 2) / 2 = 0.40 as well.
        assert_eq!(fit(vec![1.0, 2.0], &[0, 1], 2).thresholds, [vec![1.5]]);
        // 0 1 0: the best cut leaves 2/3 bit of 0.918, gain 0.2516; cost (1 + 2.807 - (2 * 0.918 -
        // 2 * 1)) / 3 = 1.32.
        assert_eq!(fit(vec![1.0, 2.0, 3.0], &[0, 1, 0], 2).n_bins(0), 1);
    }

    #[test]
    fn bears_degenerate_columns_and_many_classes() {
        assert_eq!(fit(vec![5.0; 4], &[0, 1, 0, 1], 2).n_bins(0), 1);
        assert_eq!(fit(vec![5.0], &[0], 1).n_bins(0), 1);
        let column: Vec<f64> = (0..20_000).map(|i| f64::from(i / 10)).collect();
        let y: Vec<u32> = (0..20_000).map(|i| i / 20).collect();
        assert!(fit(column, &y, 1000).n_bins(0) >= 1);
    }
}
