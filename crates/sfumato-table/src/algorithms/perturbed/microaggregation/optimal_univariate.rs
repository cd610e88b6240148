//! Optimal microaggregation of one column: sorted values are cut into groups of k to 2k - 1 so that
//! the sum of squared distances is the smallest that there is.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::aggregate::{DIGITS, K, publish_column, size_of};
use crate::algorithms::perturbed::values::numbers;
use crate::algorithms::perturbed::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `optimal-univariate`, an entry of the registry.
pub struct OptimalUnivariate;

static INFO: Info = Info {
    name: "optimal-univariate",
    summary: "publish each column by the means of groups of its nearest values, the best groups",
    papers: &[Paper {
        authors: "Stephen Lee Hansen, Sumitra Mukherjee",
        title: "A polynomial algorithm for optimal univariate microaggregation",
        venue: "IEEE Transactions on Knowledge and Data Engineering",
        year: 2003,
    }],
    params: &[K, DIGITS],
    doc: "The values of a column are sorted and cut into groups of k to 2k - 1 neighbours. Of all \
          ways to cut, the one with the least sum of squared distances is found, by dynamic \
          programming in n k steps. Missing values stay missing.\n\n\
          Each column is grouped by itself. With one quasi column that is k-anonymity, which is \
          judged on the written bytes. With several it is not (individual ranking): a record may \
          be alone in what its columns say together, and a release that asks for k-anonymity is \
          then refused, unless it happens to hold.",
    capabilities: Capabilities {
        serves: &[Fact::Classes],
        keeps_promises: false,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for OptimalUnivariate {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        _: &mut Draws,
    ) -> Result<Vec<Column>> {
        let k = size_of(params, task)?;
        let publish = |column: &&Column| publish_column(params, column, &groups(column, k));
        Ok(task.columns.iter().map(publish).collect())
    }
    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        let by_column = task.columns.iter().zip(after);
        by_column.filter(|(before, _)| numbers(before).iter().flatten().count() > 0).find_map(
            |(before, after)| super::aggregate::fault_of_known(params, task, (before, after)),
        )
    }
}

/// The best groups of a column. Missing values are a group of their own.
fn groups(column: &Column, k: usize) -> Vec<Vec<u32>> {
    let numbers = numbers(column);
    let (mut order, missing): (Vec<u32>, Vec<u32>) =
        (0..numbers.len() as u32).partition(|row| numbers[*row as usize].is_some());
    let of = |row: &u32| numbers[*row as usize].unwrap_or(0.0);
    order.sort_by(|a, b| of(a).total_cmp(&of(b)).then(a.cmp(b)));
    let sorted: Vec<f64> = order.iter().map(of).collect();
    let mut groups = Vec::new();
    let mut first = 0;
    for end in cuts(&sorted, k) {
        groups.push(order[first..end].to_vec());
        first = end;
    }
    if !missing.is_empty() {
        groups.push(missing);
    }
    groups
}

/// Where the groups of sorted numbers end. Fewer than 2k numbers are one group.
fn cuts(sorted: &[f64], k: usize) -> Vec<usize> {
    let n = sorted.len();
    if n < 2 * k {
        return if n == 0 { Vec::new() } else { vec![n] };
    }
    // Sums of differences from the middle, so that squares don't swallow them.
    let centre = sorted[n / 2];
    let mut sums = vec![(0.0f64, 0.0f64)];
    for x in sorted {
        let (sum, squares) = sums[sums.len() - 1];
        sums.push((sum + (x - centre), squares + (x - centre) * (x - centre)));
    }
    let loss = |from: usize, to: usize| {
        let (sum, squares) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
        (squares - sum * sum / (to - from) as f64).max(0.0)
    };
    let mut best = vec![(f64::INFINITY, 0usize); n + 1];
    best[0] = (0.0, 0);
    for to in k..=n {
        for from in (to + 1).saturating_sub(2 * k)..=to - k {
            let total = best[from].0 + loss(from, to);
            if total < best[to].0 {
                best[to] = (total, from);
            }
        }
    }
    let (mut ends, mut at) = (Vec::new(), n);
    while at > 0 {
        ends.push(at);
        at = best[at].1;
    }
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn loss(sorted: &[f64], ends: &[usize]) -> f64 {
        let mut first = 0;
        let mut total = 0.0;
        for end in ends {
            let group = &sorted[first..*end];
            let mean = group.iter().sum::<f64>() / group.len() as f64;
            total += group.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            first = *end;
        }
        total
    }

    /// Every way to cut numbers in their order into groups of at least k.
    fn all(n: usize, k: usize) -> Vec<Vec<usize>> {
        let mut found = if n >= k { vec![vec![n]] } else { Vec::new() };
        for first in k..n {
            for rest in all(n - first, k) {
                found.push([first].into_iter().chain(rest.iter().map(|end| end + first)).collect());
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// The best is in groups of neighbours: cutting sorted numbers in all ways finds it.
        #[test]
        fn no_cut_is_better(
            numbers in prop::collection::vec(-50i32..50, 2..14),
            k in 2usize..4,
        ) {
            let mut sorted: Vec<f64> = numbers.iter().map(|x| f64::from(*x)).collect();
            sorted.sort_by(f64::total_cmp);
            let found = cuts(&sorted, k);
            let best = all(sorted.len(), k);
            if !best.is_empty() {
                let least = best.iter().map(|ends| loss(&sorted, ends)).fold(f64::MAX, f64::min);
                prop_assert!((loss(&sorted, &found) - least).abs() < 1e-6);
            }
        }
    }
}
