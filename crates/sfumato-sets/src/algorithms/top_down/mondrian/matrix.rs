//! A small class as bits: for each item a row of words with a bit for each record.

/// The records of a class that have each item.
#[derive(Default)]
pub struct Matrix {
    /// The number of records, weights counted.
    n: u32,
    words: usize,
    rows: Vec<u64>,
    /// The utility of an instance of each item.
    worth: Vec<f64>,
}

/// Some records of the class.
#[derive(Clone, Default)]
pub struct MaskedRecords {
    /// The records as bits.
    pub mask: Vec<u64>,
    /// The number of records.
    pub n: u32,
    /// Items with the number of records that have them: items of at least k but not all of the
    /// records. Empty if no split is possible.
    pub items: Vec<(u32, u32)>,
    /// The utility, for all records, of the items that all of the records have but not all of the
    /// part above.
    pub earned: f64,
}

/// A record that leaves a side loses what the side publishes, but may keep something on the other
/// side: this is the share of it that counts as lost.
const LOST: f64 = 0.4;

impl Matrix {
    /// Begin a class of `n` records with items of the given utilities, in which no record has an
    /// item yet.
    pub fn clear(&mut self, n: u32, worth: impl Iterator<Item = f64>) {
        self.n = n;
        self.words = (n as usize).div_ceil(64);
        self.worth.clear();
        self.worth.extend(worth);
        self.rows.clear();
        self.rows.resize(self.words * self.worth.len(), 0);
    }

    /// Record that a record has an item.
    #[inline]
    pub fn set(&mut self, record: u32, item: u32) {
        self.rows[item as usize * self.words + record as usize / 64] |= 1 << (record % 64);
    }

    /// The utility of an instance of an item.
    #[inline]
    pub fn worth(&self, item: u32) -> f64 {
        self.worth[item as usize]
    }

    /// The records that have an item.
    #[inline]
    fn row(&self, item: u32) -> &[u64] {
        &self.rows[item as usize * self.words..][..self.words]
    }

    /// The items that all of some records have.
    pub fn common(&self, mask: &[u64]) -> impl Iterator<Item = u32> {
        let all_have =
            move |item: &u32| self.row(*item).iter().zip(mask).all(|(row, mask)| mask & !row == 0);
        (0..self.worth.len() as u32).filter(all_have)
    }

    /// Make the part of all records.
    pub fn whole(&self, part: &mut MaskedRecords, k: u32) {
        part.mask.clear();
        part.mask.resize(self.words, u64::MAX);
        if !self.n.is_multiple_of(64)
            && let Some(last) = part.mask.last_mut()
        {
            *last = (1 << (self.n % 64)) - 1;
        }
        part.n = self.n;
        part.items.clear();
        part.items.extend((0..self.worth.len() as u32).map(|item| (item, self.n)));
        self.count(part);
        self.settle(part, k);
    }

    /// The records of a part that have an item, with the counts of all items of the part, for
    /// [`Matrix::narrow`] and [`Matrix::without`].
    pub fn with(&self, part: &MaskedRecords, item: u32, with: &mut MaskedRecords) {
        with.clone_from(part);
        self.keep(with, item);
    }

    /// Of the records with some items keep only those with one more item, if that pays and fewer
    /// than k leave: these couldn't be a class, but may join the records that lack the first items.
    /// Returns whether any leave.
    pub fn narrow(&self, with: &mut MaskedRecords, k: u32) -> bool {
        let mut narrowed = false;
        while let Some(item) = self.narrower(with, k) {
            self.keep(with, item);
            narrowed = true;
        }
        narrowed
    }

    fn narrower(&self, with: &MaskedRecords, k: u32) -> Option<u32> {
        if with.n <= k {
            return None;
        }
        let common = with.items.iter().filter(|(_, count)| *count == with.n);
        let lost: f64 = LOST * common.map(|(item, _)| self.worth(*item)).sum::<f64>();
        let mut best = (0.0, None);
        for (item, count) in &with.items {
            let leaving = with.n - count;
            if *count >= k && leaving > 0 && leaving < k {
                let gain = self.worth(*item) * f64::from(*count) - lost * f64::from(leaving);
                if gain > best.0 {
                    best = (gain, Some(*item));
                }
            }
        }
        best.1
    }

    /// The other records of a part. This also settles the records with the item.
    pub fn without(
        &self,
        part: &MaskedRecords,
        k: u32,
        with: &mut MaskedRecords,
        without: &mut MaskedRecords,
    ) {
        without.mask.clear();
        without.mask.extend(part.mask.iter().zip(&with.mask).map(|(all, with)| all & !with));
        without.n = part.n - with.n;
        without.items.clear();
        let counts = part.items.iter().zip(&with.items);
        without.items.extend(counts.map(|((item, all), (_, with))| (*item, all - with)));
        self.settle(with, k);
        self.settle(without, k);
    }

    /// Keep only records with an item, and count again.
    fn keep(&self, part: &mut MaskedRecords, item: u32) {
        part.mask.iter_mut().zip(self.row(item)).for_each(|(mask, row)| *mask &= row);
        part.n = part.mask.iter().map(|word| word.count_ones()).sum();
        self.count(part);
    }

    /// Count the items again.
    fn count(&self, part: &mut MaskedRecords) {
        // Most small classes are one word, and a loop over one word takes longer than the word.
        if let [mask] = part.mask[..] {
            part.items.iter_mut().for_each(|(item, count)| {
                *count = (mask & self.rows[*item as usize]).count_ones();
            });
            return;
        }
        for (item, count) in part.items.iter_mut().filter(|(_, count)| *count > 0) {
            let both = part.mask.iter().zip(self.row(*item)).map(|(mask, row)| mask & row);
            *count = both.map(u64::count_ones).sum();
        }
    }

    /// Earn the items that all records have, and remove those that no longer matter.
    fn settle(&self, part: &mut MaskedRecords, k: u32) {
        let n = part.n;
        let splits = n >= k.saturating_mul(2);
        let mut common = 0.0;
        part.items.retain(|(item, count)| {
            if *count == n {
                common += self.worth(*item);
            }
            splits && *count >= k && *count < n
        });
        part.earned = common * f64::from(n);
    }
}
