//! Compares what files state about groups with their records.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::{ClassTable, Histogram, Summary, Tally};

use crate::data::class_index::rows_by_class;
use crate::forms::generalized::make_plan::Plan;

/// How often each group has each value: the group's number, the value's code, the count, in this
/// order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted(Vec<(u32, u32, u32)>);

impl Counted {
    pub fn new(mut counts: Vec<(u32, u32, u32)>) -> Self {
        counts.sort_unstable();
        Counted(counts)
    }

    /// The first difference from the original's records, in words.
    pub fn first_difference(&self, original: &Counted) -> Option<String> {
        if let Some(pair) =
            self.0.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1)
        {
            return Some(format!("group {} has a value twice", pair[0].0));
        }
        if self == original {
            return None;
        }
        let both = self.0.iter().zip(&original.0).find(|(mine, theirs)| mine != theirs);
        let group = both.map_or_else(
            || {
                self.0.len().max(original.0.len()).checked_sub(1).map_or(0, |last| {
                    self.0.get(last).or(original.0.get(last)).map_or(0, |(group, _, _)| *group)
                })
            },
            |(mine, theirs)| mine.0.min(theirs.0),
        );
        Some(format!("the values of group {group} aren't those of its records"))
    }

    /// The entries of each group.
    fn by_group(&self) -> impl Iterator<Item = &[(u32, u32, u32)]> {
        self.0.chunk_by(|a, b| a.0 == b.0)
    }

    /// The largest share of a value in a group: its count, and the size of the group.
    pub fn largest_share(&self, sizes: &[u64]) -> (u64, u64) {
        let shares =
            self.0.iter().map(|(group, _, times)| (u64::from(*times), sizes[*group as usize - 1]));
        let larger = |a: (u64, u64), b: (u64, u64)| {
            let (left, right) =
                (u128::from(a.0) * u128::from(b.1), u128::from(b.0) * u128::from(a.1));
            if left >= right { a } else { b }
        };
        shares.reduce(larger).unwrap_or((0, 1))
    }

    /// The mean over all records of the share that a record's own value has in its group: 1 if the
    /// release reveals it, and less the more values share a group.
    pub fn association(&self, sizes: &[u64]) -> f64 {
        let n: u64 = sizes.iter().sum();
        let of_group = |entries: &[(u32, u32, u32)]| {
            let squares: u64 =
                entries.iter().map(|(_, _, times)| u64::from(*times) * u64::from(*times)).sum();
            squares as f64 / sizes[entries[0].0 as usize - 1] as f64
        };
        self.by_group().map(of_group).fold(0.0, |sum, share| sum + share) / n.max(1) as f64
    }
}

/// How often each group has each value, from the group and the value of each row.
pub(super) fn counted_by_row(group_of_row: &[u32], codes: &[u32]) -> Counted {
    let mut pairs: Vec<(u32, u32)> =
        group_of_row.iter().copied().zip(codes.iter().copied()).collect();
    pairs.sort_unstable();
    Counted(
        pairs
            .chunk_by(|a, b| a == b)
            .map(|same| (same[0].0, same[0].1, same.len() as u32))
            .collect(),
    )
}

/// How often each group has each value, from the records of the original.
pub(super) fn counts_of_original(column: &Column, group_of_row: &[u32]) -> Counted {
    let codes: Vec<u32> = (0..group_of_row.len()).map(|row| column.codes.get(row)).collect();
    counted_by_row(group_of_row, &codes)
}

/// The number of records of each group. An error in words if a number is missing.
pub(super) fn group_sizes(group_of_row: &[u32]) -> Result<Vec<u64>, String> {
    let n_groups = group_of_row.iter().max().map_or(0, |largest| *largest as usize);
    if n_groups > group_of_row.len() {
        return Err("there are more groups than records".into());
    }
    let mut sizes = vec![0u64; n_groups];
    group_of_row.iter().for_each(|group| sizes[*group as usize - 1] += 1);
    match sizes.iter().position(|size| *size == 0) {
        Some(empty) => Err(format!("group {} has no records", empty + 1)),
        None => Ok(sizes),
    }
}

/// The groups as models see them: with the counts as read or, if people are counted, with those of
/// the original's records, which were found to be the same.
pub(super) fn class_table(
    plan: &Plan,
    table: &Table,
    group_of_row: &[u32],
    sizes: &[u64],
    sensitive: &[Counted],
) -> ClassTable {
    let keys = vec![(0..sizes.len() as u32).collect()];
    // People and guards are in the original alone.
    if table.subject.is_some() || table.counted().len() > sensitive.len() {
        let places: Vec<u32> = group_of_row.iter().map(|group| group - 1).collect();
        let members = rows_by_class(&places, sizes);
        let tally: Tally<'_> = plan.requirements.tally(table);
        let summaries = members.iter().map(|rows| tally.of_rows(rows)).collect();
        let release = tally.of_range(0..group_of_row.len());
        return ClassTable { keys, summaries, release };
    }
    let mut histograms: Vec<Vec<Histogram>> =
        vec![vec![Histogram::default(); sensitive.len()]; sizes.len()];
    for (place, counted) in sensitive.iter().enumerate() {
        for entries in counted.by_group() {
            let pairs = entries.iter().map(|(_, code, times)| (*code, u64::from(*times)));
            histograms[entries[0].0 as usize - 1][place] = Histogram::from_counts(pairs);
        }
    }
    let summary =
        |(size, histograms): (&u64, Vec<Histogram>)| Summary::of_histograms(*size, histograms);
    ClassTable::new(keys, sizes.iter().zip(histograms).map(summary).collect())
}
