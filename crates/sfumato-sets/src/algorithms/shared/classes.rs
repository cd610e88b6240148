//! Classes as they are found, one after the other, and the sets that they publish.

use sfumato_core::transactions::Builder;

use crate::data::PublishedSets;

/// Some classes: their records and the set that each is published as.
#[derive(Debug, Default)]
pub struct Classes {
    /// The records of all classes, one class after the other.
    records: Vec<u32>,
    /// Where the records of each class end.
    ends: Vec<u32>,
    /// The items of all sets, one class after the other.
    items: Vec<u32>,
    /// Where the items of each class end.
    item_ends: Vec<u64>,
}

impl Classes {
    /// Add a class, with items in any order.
    pub fn push(&mut self, records: impl Iterator<Item = u32>, items: impl Iterator<Item = u32>) {
        self.records.extend(records);
        self.ends.push(self.records.len() as u32);
        let begin = self.items.len();
        self.items.extend(items);
        self.items[begin..].sort_unstable();
        self.item_ends.push(self.items.len() as u64);
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether there are no classes.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All classes of several lists, in order.
    pub fn concat(parts: Vec<Classes>) -> Classes {
        let mut all = Classes {
            records: Vec::with_capacity(parts.iter().map(|part| part.records.len()).sum()),
            ends: Vec::with_capacity(parts.iter().map(|part| part.ends.len()).sum()),
            items: Vec::with_capacity(parts.iter().map(|part| part.items.len()).sum()),
            item_ends: Vec::with_capacity(parts.iter().map(|part| part.item_ends.len()).sum()),
        };
        for part in parts {
            let (record, item) = (all.records.len() as u32, all.items.len() as u64);
            all.records.extend(part.records);
            all.ends.extend(part.ends.iter().map(|end| end + record));
            all.items.extend(part.items);
            all.item_ends.extend(part.item_ends.iter().map(|end| end + item));
        }
        all
    }

    /// The published sets for `n_records` records and `n_items` items.
    pub fn publish(self, n_records: usize, n_items: usize) -> PublishedSets {
        let mut sets = Builder::new(n_items);
        let mut of_record = vec![0; n_records];
        let (mut record, mut item) = (0, 0);
        for (class, (end, item_end)) in self.ends.iter().zip(&self.item_ends).enumerate() {
            let (end, item_end) = (*end as usize, *item_end as usize);
            sets.push(&self.items[item..item_end]);
            self.records[record..end]
                .iter()
                .for_each(|record| of_record[*record as usize] = class as u32);
            (record, item) = (end, item_end);
        }
        PublishedSets { of_record, sets: sets.finish(), witnesses: None }
    }
}
