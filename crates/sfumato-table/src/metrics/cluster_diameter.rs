//! Cluster diameter: how far apart the two most different records of a class are, summed over
//! records.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::alike::Alike;

/// The metric `cluster-diameter`, an entry of the registry.
pub struct ClusterDiameter;

/// What it is called.
pub(super) const NAME: &str = "cluster-diameter";

static INFO: Info = Info {
    name: NAME,
    summary: "distance of the two most different records of a class, summed over records",
    papers: &[
        Paper {
            authors: "J.-W. Byun, A. Kamra, E. Bertino, N. Li",
            title: "Efficient k-anonymization using clustering techniques",
            venue: "DASFAA",
            year: 2007,
        },
        Paper {
            authors: "B. Podgursky",
            title: "Practical k-Anonymity on Large Datasets",
            venue: "Vanderbilt University",
            year: 2011,
        },
    ],
    params: &[],
    doc: "\
The sum over classes of their size times the largest distance of two of their records in the \
original. A distance is the sum over quasi
columns: of numbers without a hierarchy the difference over the range of the column, of values of \
a hierarchy the height of their
lowest common ancestor over that of the tree; of words without a hierarchy 1 where they differ. \
Missing is at the distance 1 from any
value, and 0 from itself.

Classes are what a reader sees: records with the same published texts in all quasi columns.

**Range** 0 to records times quasi columns, lower is better. The original has 0. It is a sum, so \
compare it only between releases of one
table. It looks at the two most different records only: a class with one outlier costs as much as \
one whose records all differ.

It asks which record became which row: `compare` and `audit`, which see only a file, have it not, \
and no search minimizes it.

**Suppressed** records cost 1 for each quasi column, the most there can be.

**Cost** pairs of records within classes, times columns. Beyond 2^22 pairs it has no value.
",
    ..Info::DEFAULT
};

/// The most pairs of records of a class that are looked at, so that no report waits for it.
const MOST_PAIRS: u64 = 1 << 22;

impl Metric for ClusterDiameter {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        if view.quasi.is_empty() || view.table.n_rows == 0 {
            return None;
        }
        let alike = Alike::new(view);
        let pairs = alike.sizes.iter().map(|n| n.saturating_mul(n.saturating_sub(1)) / 2);
        if pairs.fold(0, u64::saturating_add) > MOST_PAIRS {
            return None;
        }
        let classes = view.recoding.class_of_row().iter().enumerate();
        let mut members: Vec<(u32, u32)> = classes
            .filter(|(_, class)| **class != SUPPRESSED)
            .map(|(row, class)| (alike.published[*class as usize], row as u32))
            .collect();
        members.par_sort_unstable();
        let classes: Vec<&[(u32, u32)]> = members.chunk_by(|a, b| a.0 == b.0).collect();
        let scales: Vec<Scale<'_>> = view.quasi.iter().map(|column| Scale::of(column)).collect();
        let diameters: Vec<f64> = classes
            .par_iter()
            .map(|members| diameter(&scales, members) * members.len() as f64)
            .collect();
        // In the order of classes, so that the sum is the same for any number of threads.
        let classes: f64 = diameters.iter().sum();
        let suppressed = view.suppressed as f64 * view.quasi.len() as f64;
        Some(Measurement { overall: classes + suppressed, by_column: Vec::new() })
    }

    /// It doesn't follow from parts: differences are over the range of the whole.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    fn objective<'a>(&self, _: &'a Table) -> Option<Objective<'a>> {
        None
    }
}

/// The largest distance of two members, which are rows of one class.
fn diameter(scales: &[Scale<'_>], members: &[(u32, u32)]) -> f64 {
    let record = |row: u32| scales.iter().map(move |scale| scale.column.codes.get(row as usize));
    let mut members: Vec<Vec<u32>> =
        members.iter().map(|(_, row)| record(*row).collect()).collect();
    members.sort_unstable();
    members.dedup();
    let mut most = 0.0f64;
    for (place, a) in members.iter().enumerate() {
        for b in &members[..place] {
            let cells = scales.iter().zip(a.iter().zip(b));
            most = most.max(cells.map(|(scale, (a, b))| scale.distance(*a, *b)).sum());
        }
    }
    most
}

/// How the values of a column are compared.
struct Scale<'a> {
    column: &'a Column,
    /// The range of numbers, where they have no hierarchy.
    range: Option<f64>,
}

impl<'a> Scale<'a> {
    fn of(column: &'a Column) -> Self {
        let n = column.domain.len() as u32;
        let ends = (n > 0).then(|| (column.domain.number(0), column.domain.number(n - 1)));
        let range = match (&column.hierarchy, ends) {
            (None, Some((Some(least), Some(most)))) => Some(most - least),
            _ => None,
        };
        Scale { column, range }
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        let missing = self.column.domain.missing();
        if a == b {
            return 0.0;
        }
        if a == missing || b == missing {
            return 1.0;
        }
        match (self.range, &self.column.hierarchy) {
            (Some(range), _) => {
                let number = |code| self.column.domain.number(code).unwrap_or(0.0);
                (number(a) - number(b)).abs() / range
            }
            (None, Some(tree)) => {
                let cover = tree.smallest_cover(a.min(b), a.max(b) + 1);
                tree.level(cover) as f64 / (tree.n_levels() - 1).max(1) as f64
            }
            (None, None) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::metrics::testing::{self, Sample, close};
    use proptest::prelude::*;

    /// The definition: every pair of records of every class, every column by itself.
    fn naive(sample: &Sample) -> f64 {
        let quasi = sample.table.quasi();
        let mut classes: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        let mut sum = 0.0;
        for (row, values) in sample.published().into_iter().enumerate() {
            match values {
                None => sum += quasi.len() as f64,
                Some(values) => {
                    let texts = values.iter().zip(&quasi).map(|(value, c)| value.render(c));
                    classes.entry(texts.collect()).or_default().push(row);
                }
            }
        }
        let apart = |column: &Column, x: usize, y: usize| {
            let (a, b) = (column.codes.get(x), column.codes.get(y));
            let missing = column.domain.missing();
            if a == b {
                return 0.0;
            }
            if a == missing || b == missing {
                return 1.0;
            }
            let Some(tree) = &column.hierarchy else {
                let number = |code: u32| column.domain.number(code);
                let (Some(a), Some(b)) = (number(a), number(b)) else { return 1.0 };
                let all: Vec<f64> = (0..column.domain.len() as u32).filter_map(number).collect();
                let most = all.iter().copied().fold(f64::MIN, f64::max);
                let least = all.iter().copied().fold(f64::MAX, f64::min);
                return (a - b).abs() / (most - least);
            };
            // The lowest level at which both have the same ancestor.
            let same = |level: &usize| tree.ancestor(a, *level) == tree.ancestor(b, *level);
            let level = (0..tree.n_levels()).find(same).unwrap();
            // A node may stand for several levels.
            tree.level(tree.ancestor(a, level)) as f64 / (tree.n_levels() - 1) as f64
        };
        for rows in classes.values() {
            let mut most = 0.0f64;
            for x in rows {
                for y in rows {
                    most = most.max(quasi.iter().map(|column| apart(column, *x, *y)).sum());
                }
            }
            sum += most * rows.len() as f64;
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = ClusterDiameter.measure(&sample.view(None)).map(|m| m.overall);
            match sample.table.n_rows == 0 || sample.table.quasi().is_empty() {
                true => prop_assert_eq!(measured, None),
                false => prop_assert!(close(measured.unwrap(), naive(&sample))),
            }
        }
    }

    #[test]
    fn outliers_decide() {
        // Engineers and a lawyer: one of two levels apart; 35 and 38 of 30 to 38. Writers and
        // dancers: one of two levels.
        let sample = testing::table_2_4();
        let measured = ClusterDiameter.measure(&sample.view(None)).unwrap();
        assert!(close(measured.overall, 3.0 * (0.5 + 3.0 / 8.0) + 4.0 * 0.5));
        let mut all = testing::table_2_4();
        all.suppress_all();
        assert!(close(ClusterDiameter.measure(&all.view(None)).unwrap().overall, 7.0 * 3.0));
    }
}
