//! A summary of class sizes: how many classes there are, how large they are, and a histogram with
//! fixed logarithmic buckets.
//!
//! The buckets never depend on the data, so that the histograms before and after line up.

use serde::{Deserialize, Serialize};

/// The classes of a table: records that are alike in the quasi columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Classes {
    /// How many classes there are.
    pub count: u64,
    /// The number of records in the smallest class; 0 if there is none.
    pub min: u64,
    /// The mean number of records per class; 0 if there is none.
    pub mean: f64,
    /// The number of records in the largest class.
    pub max: u64,
    /// The number of classes of a single record.
    pub uniques: u64,
    /// Classes by size, smallest first; empty buckets are left out.
    pub histogram: Vec<Bucket>,
}

/// The classes with `from` to `to` records, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bucket {
    /// The smallest size in this bucket.
    pub from: u64,
    /// The largest size in this bucket.
    pub to: u64,
    /// How many classes have such a size.
    pub classes: u64,
    /// How many records those classes hold.
    pub records: u64,
}

impl Classes {
    /// Make a summary from sizes and how many classes have them, in any order. A size of 0 is no
    /// class and is ignored.
    pub fn from_sizes(sizes: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let bounds = bucket_bounds();
        let mut buckets: Vec<Bucket> =
            bounds.iter().map(|&(from, to)| Bucket { from, to, classes: 0, records: 0 }).collect();
        let (mut count, mut records, mut min, mut max) = (0_u64, 0_u64, u64::MAX, 0);
        for (size, classes) in sizes.into_iter().filter(|&(size, classes)| size > 0 && classes > 0)
        {
            count += classes;
            records += size * classes;
            min = min.min(size);
            max = max.max(size);
            let bucket = &mut buckets[bounds.partition_point(|&(_, to)| to < size)];
            bucket.classes += classes;
            bucket.records += size * classes;
        }
        let uniques = buckets[0].classes;
        buckets.retain(|bucket| bucket.classes > 0);
        let (min, mean) = if count == 0 { (0, 0.0) } else { (min, records as f64 / count as f64) };
        Self { count, min, mean, max, uniques, histogram: buckets }
    }

    /// The number of records in all classes together.
    pub fn records(&self) -> u64 {
        self.histogram.iter().map(|bucket| bucket.records).sum()
    }
}

/// The bounds 1, 2-4, 5-9, 10-19, 20-49, 50-99, ...: each decade is cut at 1, 2 and 5, and the last
/// bucket ends at `u64::MAX`. Single records have a bucket of their own, since readers look for
/// unique records first.
pub(crate) fn bucket_bounds() -> Vec<(u64, u64)> {
    let mut starts = Vec::new();
    let mut decade = 1_u64;
    loop {
        starts.extend([1, 2, 5].iter().filter_map(|&step| decade.checked_mul(step)));
        match decade.checked_mul(10) {
            Some(next) => decade = next,
            None => break,
        }
    }
    let ends = starts.iter().skip(1).map(|&start| start - 1).chain([u64::MAX]);
    starts.iter().copied().zip(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_tile_every_size() {
        let bounds = bucket_bounds();
        assert_eq!(bounds[..5], [(1, 1), (2, 4), (5, 9), (10, 19), (20, 49)]);
        assert_eq!(bounds.last().unwrap().1, u64::MAX);
        assert!(bounds.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
    }

    #[test]
    fn histogram_sums_up() {
        let sizes: Vec<u64> = (0..2000).map(|i| i * i % 977).collect();
        let classes = Classes::from_sizes(sizes.iter().map(|size| (*size, 1)));
        let real: Vec<u64> = sizes.into_iter().filter(|&size| size > 0).collect();
        assert_eq!(classes.count, real.len() as u64);
        assert_eq!(classes.histogram.iter().map(|b| b.classes).sum::<u64>(), classes.count);
        assert_eq!(classes.records(), real.iter().sum::<u64>());
        assert_eq!(
            (classes.min, classes.max),
            (*real.iter().min().unwrap(), *real.iter().max().unwrap())
        );
        assert_eq!(classes.uniques, real.iter().filter(|&&size| size == 1).count() as u64);
        for bucket in &classes.histogram {
            let inside = real.iter().filter(|&&size| bucket.from <= size && size <= bucket.to);
            assert_eq!(bucket.records, inside.sum::<u64>());
        }
    }

    #[test]
    fn no_class_at_all_is_all_zero() {
        assert_eq!(Classes::from_sizes([(0, 1), (0, 2), (3, 0)]), Classes::default());
        assert_eq!(Classes::from_sizes([(u64::MAX, 1)]).max, u64::MAX);
    }
}
