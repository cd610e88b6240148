//! The records with an item, as they leave a class: their numbers, and how many of them have each
//! item.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

use super::chain::Node;
use super::rule::{Picker, Rule};
use super::weights::Weights;

/// The number of records that are processed together, so that memory loads them at the same time.
pub const TOGETHER: usize = 16;

/// A "with" side: its records by their numbers in the class that it leaves, and how many of them
/// have each item.
#[derive(Default)]
pub struct Side {
    /// The records, ascending.
    pub records: Vec<u32>,
    /// How many records they stand for.
    pub total: u32,
    /// How many have each item of the class.
    pub counts: Vec<u32>,
    /// The items with a count above 0.
    pub touched: Vec<u32>,
}

/// Load the beginning and the end of some records at the same time.
#[inline]
pub fn touch<C: Code>(rows: Sets<'_, C>, some: &[u32]) {
    let mut sum = 0u32;
    for record in some {
        let (begin, end) =
            (rows.offsets[*record as usize] as usize, rows.offsets[*record as usize + 1] as usize);
        if begin < end {
            sum = sum
                .wrapping_add(rows.codes[begin].widen())
                .wrapping_add(rows.codes[end - 1].widen());
        }
    }
    std::hint::black_box(sum);
}

impl Side {
    /// Count the items of the records, and report to the picker that they leave.
    pub fn count<C: Code, W: Weights, R: Rule>(
        &mut self,
        node: Node<'_, C, W>,
        picker: &mut R::Picker<C>,
    ) {
        self.total = node.weights.sum(&self.records);
        if self.counts.len() < node.names.len() {
            self.counts.resize(node.names.len(), 0);
        }
        let n_items = node.names.len();
        // Where a side is small and the class has many items, going through all items would cost
        // more than the records.
        let instances = self.records.len() * (node.rows.codes.len() / node.rows.len().max(1));
        let few = instances < n_items;
        for some in self.records.chunks(TOGETHER) {
            touch(node.rows, some);
            for record in some {
                let weight = node.weights.of(*record);
                let row = node.rows.get(*record as usize);
                for code in row {
                    let count = &mut self.counts[code.widen() as usize];
                    if few && *count == 0 {
                        self.touched.push(code.widen());
                    }
                    *count += weight;
                }
                if <R::Picker<C> as Picker<C, R>>::WATCHES {
                    picker.leaves(row, weight);
                }
            }
        }
        if !few {
            let counts = &self.counts;
            self.touched.extend((0..n_items as u32).filter(|item| counts[*item as usize] > 0));
        }
    }

    /// A copy that doesn't share memory, for another task.
    pub fn copy(&mut self) -> Side {
        let mut counts = Vec::new();
        if let Some(last) = self.touched.iter().max() {
            counts.extend_from_slice(&self.counts[..=*last as usize]);
        }
        Side {
            records: self.records.clone(),
            total: self.total,
            counts,
            touched: self.touched.clone(),
        }
    }

    /// Reset all counts.
    pub fn clear(&mut self) {
        self.touched.iter().for_each(|item| self.counts[*item as usize] = 0);
        self.touched.clear();
    }
}
