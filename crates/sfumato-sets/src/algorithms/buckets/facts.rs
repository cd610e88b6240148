//! The sensitive items of the records, numbered without gaps, and the different sets of these
//! items.

use sfumato_core::FastMap;
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result, with_sets};

use crate::data::check_frequencies;
use crate::traits::BucketTask;

/// The different sensitive sets of some records. Set 0 is the empty one.
pub struct Facts {
    /// The set of each record.
    of_record: Vec<u32>,
    /// Where each set begins, and where the last one ends.
    begins: Vec<usize>,
    /// The numbers of the items of all sets. Only items that occur have a number.
    items: Vec<u32>,
    /// How many records have each item.
    counts: Vec<u32>,
}

impl Facts {
    /// The sensitive sets of a task. Refuses a task that no grouping can satisfy.
    pub fn of(task: &BucketTask<'_>) -> Result<Self> {
        let n = task.sensitive.len();
        if n != task.quasi.len() {
            return Err(Error::params("the two parts have different numbers of records"));
        }
        if u32::try_from(n).is_err() {
            return Err(Error::resources(format!("{n} records are more than {}", u32::MAX)));
        }
        check_frequencies(task.sensitive, task.p)?;
        Ok(Facts::new(task.sensitive))
    }

    fn new(sensitive: &Transactions) -> Self {
        let mut numbers = vec![u32::MAX; sensitive.n_items()];
        let mut counts = Vec::new();
        for (item, count) in
            sensitive.counts().into_iter().enumerate().filter(|(_, count)| *count > 0)
        {
            numbers[item] = counts.len() as u32;
            counts.push(count as u32);
        }
        let (mut begins, mut items) = (vec![0, 0], Vec::new());
        let mut of_record = Vec::with_capacity(sensitive.len());
        let mut seen: FastMap<Vec<u32>, u32> = FastMap::default();
        let mut set: Vec<u32> = Vec::new();
        with_sets!(sensitive, sets => for row in sets.iter() {
            if row.is_empty() {
                of_record.push(0);
                continue;
            }
            set.clear();
            set.extend(row.iter().map(|code| numbers[code.widen() as usize]));
            let number = seen.get(&set).copied().unwrap_or_else(|| {
                let number = begins.len() as u32 - 1;
                items.extend_from_slice(&set);
                begins.push(items.len());
                seen.insert(set.clone(), number);
                number
            });
            of_record.push(number);
        });
        Facts { of_record, begins, items, counts }
    }

    /// The number of records.
    pub fn n_records(&self) -> usize {
        self.of_record.len()
    }
    /// The number of the set of a record; 0 is the empty set.
    #[inline]
    pub fn of_record(&self, record: u32) -> u32 {
        self.of_record[record as usize]
    }
    /// The number of different sets, including the empty one.
    pub fn n_sets(&self) -> usize {
        self.begins.len() - 1
    }
    /// The items of a set.
    #[inline]
    pub fn set(&self, number: u32) -> &[u32] {
        &self.items[self.begins[number as usize]..self.begins[number as usize + 1]]
    }
    /// How many records have each item.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
}
