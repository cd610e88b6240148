//! The builder `frequency`: groups of neighbouring values with record counts as even as possible.

use sfumato_core::dataset::LevelTable;
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

use crate::groups::from_ends;

/// The builder `frequency`, an entry of the registry.
pub struct Frequency;

static INFO: Info = Info {
    name: "frequency",
    summary: "groups of neighbouring values that hold about equally many records",
    papers: &[],
    params: &[
        ParamSpec::required(
            "groups",
            ParamKind::Integer { min: 2, max: 10_000 },
            "how many groups the first level has",
        ),
        ParamSpec::with_default(
            "levels",
            ParamKind::Integer { min: 1, max: 14 },
            "1",
            "how many levels of groups; each has half as many as the one below",
        ),
    ],
    doc: "\
Takes the distinct values in order (numbers, dates and times by rank, words by text) and cuts them \
into `groups` runs of
neighbours whose record counts are as even as possible: of all such cuts the one with the smallest \
sum of squared
counts, found by dynamic programming. A value is never split, so one that is frequent makes a \
large group. With fewer
distinct values than groups, every value is a group. Each further level joins neighbours of the \
level below into half as
many groups, rounded up, again as even as possible, and stops before a level would have one group.

When values times groups exceed four million, cuts are put at the value nearest to each even share \
instead, which
differs only where counts vary much between neighbours.

Labels name the first and the last value of a group, `[a..c]`. They are made from the data and \
**carry real cells**, and
the bounds tell quantiles of the column. Works for every kind of values.",
    ..Info::DEFAULT
};

/// The largest number of values times groups for which the optimum is computed. Above it, groups
/// get even shares.
const MOST_CELLS: usize = 4_000_000;

impl Builder for Frequency {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let n = input.domain.len();
        if input.counts.len() != n {
            return Err(Error::internal("the counts of a column don't match its values"));
        }
        let mut levels: Vec<Vec<usize>> = Vec::new();
        let mut counts = input.counts.to_vec();
        let mut groups = (params.integer("groups") as usize).min(n);
        for _ in 0..params.integer("levels") {
            if groups < 2 {
                break;
            }
            let ends = even_runs(&counts, groups);
            let mut start = 0;
            counts = ends
                .iter()
                .map(|&end| counts[std::mem::replace(&mut start, end)..end].iter().sum())
                .collect();
            // Ends of a higher level count groups of the one below: translate them to values.
            levels.push(match levels.last() {
                Some(below) => ends.iter().map(|&end| below[end - 1]).collect(),
                None => ends,
            });
            groups = groups.div_ceil(2);
        }
        Ok(from_ends(input.domain, &levels))
    }
    fn is_data_bearing(&self) -> bool {
        true
    }
}

/// The ends of `groups` runs over the counts, none of them empty, as even as possible. `1 <= groups
/// <= counts.len()`.
fn even_runs(counts: &[u64], groups: usize) -> Vec<usize> {
    let mut prefix = vec![0u128];
    let mut total = 0;
    prefix.extend(counts.iter().map(|count| {
        total += u128::from(*count);
        total
    }));
    if counts.len().saturating_mul(groups) > MOST_CELLS {
        nearest_shares(&prefix, groups)
    } else {
        least_squares(&prefix, groups)
    }
}

fn nearest_shares(prefix: &[u128], groups: usize) -> Vec<usize> {
    let n = prefix.len() - 1;
    let mut ends: Vec<usize> = Vec::with_capacity(groups);
    for group in 1..groups {
        // Compare prefix * groups with total * group: no division, no rounding.
        let share = prefix[n] * group as u128;
        let after = prefix.partition_point(|sum| sum * (groups as u128) < share);
        let nearer = after > 0
            && share - prefix[after - 1] * groups as u128 <= prefix[after] * groups as u128 - share;
        let end = if nearer { after - 1 } else { after };
        // Every group before and after needs at least one value.
        let least = ends.last().map_or(1, |last| last + 1);
        ends.push(end.clamp(least, n - (groups - group)));
    }
    ends.push(n);
    ends
}

/// The least sum of squares by dynamic programming, one layer per group. The best last cut of a
/// prefix never moves left as the prefix grows, so each layer is solved by divide and conquer in n
/// log n. Of equal cuts the leftmost wins.
fn least_squares(prefix: &[u128], groups: usize) -> Vec<usize> {
    let n = prefix.len() - 1;
    let square = |from: usize, to: usize| {
        let sum = prefix[to] - prefix[from];
        sum.saturating_mul(sum)
    };
    let mut cost: Vec<u128> = (0..=n).map(|to| square(0, to)).collect();
    let mut cuts: Vec<Vec<u32>> = Vec::with_capacity(groups);
    for group in 2..=groups {
        let mut next = vec![u128::MAX; n + 1];
        let mut cut = vec![0u32; n + 1];
        // Solve the prefixes lo..=hi, whose best cuts lie in first..=last.
        let mut work = vec![(group, n, group - 1, n - 1)];
        while let Some((lo, hi, first, last)) = work.pop() {
            if lo > hi {
                continue;
            }
            let middle = lo.midpoint(hi);
            let mut best = first;
            let candidates = first..=last.min(middle - 1);
            for (from, before) in candidates.clone().zip(&cost[candidates]) {
                let sum = before.saturating_add(square(from, middle));
                if sum < next[middle] {
                    next[middle] = sum;
                    best = from;
                }
            }
            cut[middle] = best as u32;
            work.push((lo, middle - 1, first, best));
            work.push((middle + 1, hi, best, last));
        }
        cost = next;
        cuts.push(cut);
    }
    let mut ends = vec![n];
    for cut in cuts.iter().rev() {
        ends.push(cut[ends[ends.len() - 1]] as usize);
    }
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::dataset::Domain;

    fn cost(prefix: &[u128], ends: &[usize]) -> u128 {
        let mut start = 0;
        ends.iter()
            .map(|&end| (prefix[end] - prefix[std::mem::replace(&mut start, end)]).pow(2))
            .sum()
    }

    fn prefix(counts: &[u64]) -> Vec<u128> {
        (0..=counts.len()).map(|n| counts[..n].iter().map(|c| u128::from(*c)).sum()).collect()
    }

    /// The least cost over all ways to cut, by trying each of them.
    fn brute(prefix: &[u128], from: usize, groups: usize) -> u128 {
        let n = prefix.len() - 1;
        if groups == 1 {
            return (prefix[n] - prefix[from]).pow(2);
        }
        let rest =
            |end: usize| (prefix[end] - prefix[from]).pow(2) + brute(prefix, end, groups - 1);
        (from + 1..=n - (groups - 1)).map(rest).min().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn no_other_cut_is_more_even(counts in prop::collection::vec(0u64..20, 1..11),
            groups in 1usize..6) {
            let groups = groups.min(counts.len());
            let prefix = prefix(&counts);
            let ends = least_squares(&prefix, groups);
            prop_assert_eq!(ends.len(), groups);
            prop_assert!(ends[0] > 0 && ends.windows(2).all(|w| w[0] < w[1]));
            prop_assert_eq!(cost(&prefix, &ends), brute(&prefix, 0, groups));
        }
        #[test]
        fn shares_are_runs_too(counts in prop::collection::vec(0u64..20, 1..40),
            groups in 1usize..40) {
            let groups = groups.min(counts.len());
            let ends = nearest_shares(&prefix(&counts), groups);
            prop_assert_eq!(ends.len(), groups);
            prop_assert!(ends[0] > 0 && ends.windows(2).all(|w| w[0] < w[1]));
            prop_assert_eq!(*ends.last().unwrap(), counts.len());
        }
    }

    #[test]
    fn both_ways_agree_on_equal_counts() {
        let counts = vec![3u64; 120];
        let expect: Vec<usize> = (1..=8).map(|group| group * 15).collect();
        assert_eq!(least_squares(&prefix(&counts), 8), expect);
        assert_eq!(nearest_shares(&prefix(&counts), 8), expect);
        assert_eq!(even_runs(&vec![u64::MAX / 300_000; 300_000], 20).len(), 20);
    }

    #[test]
    fn levels_halve_and_nest() {
        let call: sfumato_core::registry::Call = "frequency(groups=3, levels=9)".parse().unwrap();
        let domain = Domain::of_texts(["a", "b", "c", "d", "e"]);
        let input = BuildInput {
            domain: &domain,
            counts: &[10, 1, 1, 1, 9],
            read_text: &|_| Ok(String::new()),
        };
        let table = Frequency.build(&Params::check(&INFO, &call.args).unwrap(), &input).unwrap();
        let rows: Vec<_> =
            (0..5).map(|leaf| table.row(leaf).collect::<Vec<_>>().join(" ")).collect();
        let expect =
            ["a a a", "b [b..d] [b..e]", "c [b..d] [b..e]", "d [b..d] [b..e]", "e e [b..e]"];
        assert_eq!(rows, expect);
    }
}
