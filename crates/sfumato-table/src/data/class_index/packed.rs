//! Keys of classes packed into 128 bits: exact, and compared at once.

use sfumato_engine::hash::HASH_START;
use sfumato_engine::hash::mix;

/// The number of bits of a key.
const KEY_BITS: u32 = 128;
/// The initial number of bits of a column.
const FIRST_BITS: u32 = 4;

/// Classes by packed key. Each column has as many bits as its codes have needed so far; when a code
/// no longer fits, all keys are packed again.
#[derive(Debug, Clone)]
pub struct PackedKeys {
    bits: Vec<u32>,
    /// The key of each class.
    keys: Vec<u128>,
    /// Open addressing over classes: 0 is free, otherwise the class plus one.
    slots: Vec<u32>,
}

impl PackedKeys {
    /// An index without classes. `None` if that many columns never fit.
    pub fn new(n_columns: usize) -> Option<Self> {
        let fits = n_columns as u32 * FIRST_BITS <= KEY_BITS;
        fits.then(|| PackedKeys {
            bits: vec![FIRST_BITS; n_columns],
            keys: Vec::new(),
            slots: vec![0; 1024],
        })
    }

    /// Give every column the bits that its codes need; `false` if a key can't hold them all.
    pub fn make_room(&mut self, columns: &[&[u32]]) -> bool {
        let needed =
            |column: &&[u32]| 32 - column.iter().copied().max().unwrap_or(0).leading_zeros();
        let bits: Vec<u32> =
            columns.iter().zip(&self.bits).map(|(c, old)| needed(c).max(*old)).collect();
        if bits == self.bits {
            return true;
        }
        if bits.iter().sum::<u32>() > KEY_BITS {
            return false;
        }
        let unpacked = self.unpack();
        self.bits = bits;
        let columns: Vec<&[u32]> = unpacked.iter().map(Vec::as_slice).collect();
        self.keys = self.pack(&columns, self.keys.len());
        self.fill_slots(self.slots.len());
        true
    }

    /// Add rows. `found` is called with the class of each, in order.
    pub fn add(&mut self, columns: &[&[u32]], n_rows: usize, found: &mut impl FnMut(u32)) {
        for key in self.pack(columns, n_rows) {
            found(self.find_or_insert(key));
        }
    }

    fn pack(&self, columns: &[&[u32]], n_rows: usize) -> Vec<u128> {
        let mut keys = vec![0u128; n_rows];
        for (column, bits) in columns.iter().zip(&self.bits) {
            // A column of 32 bits alone needs no shift that overflows: bits is at most 32, keys
            // have 128.
            keys.iter_mut()
                .zip(*column)
                .for_each(|(key, code)| *key = *key << bits | u128::from(*code));
        }
        keys
    }

    #[inline]
    fn find_or_insert(&mut self, key: u128) -> u32 {
        if self.keys.len() * 2 >= self.slots.len() {
            self.fill_slots(self.slots.len() * 4);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(key) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.keys.push(key);
                    self.slots[slot] = self.keys.len() as u32;
                    return self.keys.len() as u32 - 1;
                }
                taken if self.keys[taken as usize - 1] == key => return taken - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn fill_slots(&mut self, n_slots: usize) {
        let mask = n_slots - 1;
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        for (class, key) in self.keys.iter().enumerate() {
            let mut slot = hash(*key) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = class as u32 + 1;
        }
    }

    /// The codes of each class, column by column.
    pub fn unpack(&self) -> Vec<Vec<u32>> {
        let mut shift = 0;
        let mut columns: Vec<Vec<u32>> = Vec::with_capacity(self.bits.len());
        for bits in self.bits.iter().rev() {
            let mask = (1u128 << bits) - 1;
            columns.push(self.keys.iter().map(|key| ((key >> shift) & mask) as u32).collect());
            shift += bits;
        }
        columns.reverse();
        columns
    }
}

fn hash(key: u128) -> u64 {
    mix(mix(HASH_START, key as u64), (key >> 64) as u64)
}
