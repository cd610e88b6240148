//! Counts how many of the remaining records have each sensitive item, and keeps track of the
//! largest count.

/// The counts. The largest is always known, as it decides whether the remaining records can still
/// be published.
pub struct Histogram {
    counts: Vec<u32>,
    /// How many items have each count.
    with_count: Vec<u32>,
    most: u32,
}

impl Histogram {
    /// Counts for which all records remain.
    pub fn new(counts: &[u32]) -> Self {
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut with_count = vec![0; most as usize + 1];
        counts.iter().for_each(|count| with_count[*count as usize] += 1);
        Histogram { counts: counts.to_vec(), with_count, most }
    }
    /// The count of the most frequent item.
    pub fn most(&self) -> u32 {
        self.most
    }
    /// Count a record with an item as taken.
    pub fn take(&mut self, item: u32) {
        let count = &mut self.counts[item as usize];
        self.with_count[*count as usize] -= 1;
        *count -= 1;
        self.with_count[*count as usize] += 1;
        while self.most > 0 && self.with_count[self.most as usize] == 0 {
            self.most -= 1;
        }
    }
    /// Undo taking a record with an item.
    pub fn give_back(&mut self, item: u32) {
        let count = &mut self.counts[item as usize];
        self.with_count[*count as usize] -= 1;
        *count += 1;
        self.with_count[*count as usize] += 1;
        self.most = self.most.max(*count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_item_is_known() {
        let mut histogram = Histogram::new(&[3, 1, 3]);
        assert_eq!(histogram.most(), 3);
        histogram.take(0);
        assert_eq!(histogram.most(), 3);
        histogram.take(2);
        histogram.take(2);
        assert_eq!((histogram.most(), &histogram.counts[..]), (2, &[2, 1, 1][..]));
        histogram.give_back(2);
        histogram.give_back(2);
        assert_eq!(histogram.most(), 3);
        assert_eq!(Histogram::new(&[]).most(), 0);
    }
}
