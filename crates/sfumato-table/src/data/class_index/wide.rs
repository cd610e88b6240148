//! Keys of classes for releases whose codes don't fit into a packed key: many columns with many
//! values.

use sfumato_engine::hash::HASH_START;
use sfumato_engine::hash::mix;

/// Classes with their full codes. The hash is only used to find them.
#[derive(Debug, Clone)]
pub struct WideKeys {
    n_columns: usize,
    /// Open addressing over classes: 0 is free, otherwise the class plus one.
    slots: Vec<u32>,
    hashes: Vec<u64>,
    /// The codes of each class, one class after the other.
    keys: Vec<u32>,
}

impl WideKeys {
    /// An index without classes.
    pub fn new(n_columns: usize) -> Self {
        WideKeys { n_columns, slots: vec![0; 1024], hashes: Vec::new(), keys: Vec::new() }
    }

    /// The classes given column by column, all different, in their order.
    pub fn from_columns(columns: &[Vec<u32>]) -> Self {
        let mut wide = WideKeys::new(columns.len());
        let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        wide.add(&slices, slices.first().map_or(0, |column| column.len()), &mut |_| {});
        wide
    }

    /// Add rows. `found` is called with the class of each, in order.
    pub fn add(&mut self, columns: &[&[u32]], n_rows: usize, found: &mut impl FnMut(u32)) {
        for (row, hash) in hash_rows(columns, n_rows).into_iter().enumerate() {
            found(self.find_or_insert(hash, columns, row));
        }
    }

    fn find_or_insert(&mut self, hash: u64, columns: &[&[u32]], row: usize) -> u32 {
        if self.hashes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.hashes.push(hash);
                    self.keys.extend(columns.iter().map(|column| column[row]));
                    self.slots[slot] = self.hashes.len() as u32;
                    return self.hashes.len() as u32 - 1;
                }
                taken => {
                    let class = taken as usize - 1;
                    if self.hashes[class] == hash && self.is_key(class, columns, row) {
                        return class as u32;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn is_key(&self, class: usize, columns: &[&[u32]], row: usize) -> bool {
        let key = &self.keys[class * self.n_columns..(class + 1) * self.n_columns];
        key.iter().zip(columns).all(|(code, column)| *code == column[row])
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        self.slots = vec![0; mask + 1];
        for (class, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = class as u32 + 1;
        }
    }

    /// The codes of each class, column by column.
    pub fn columns(&self) -> Vec<Vec<u32>> {
        let n = self.n_columns;
        (0..n)
            .map(|column| self.keys.iter().skip(column).step_by(n.max(1)).copied().collect())
            .collect()
    }
}

/// A hash per row, column by column so that each pass is sequential.
fn hash_rows(columns: &[&[u32]], n_rows: usize) -> Vec<u64> {
    let mut hashes = vec![HASH_START; n_rows];
    for column in columns {
        hashes
            .iter_mut()
            .zip(*column)
            .for_each(|(hash, code)| *hash = mix(*hash, u64::from(*code)));
    }
    hashes
}
