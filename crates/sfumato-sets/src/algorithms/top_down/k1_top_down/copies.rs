//! Collapses identical records into one with a weight: they look for the same set.

use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::with_sets;

use crate::data::Collapsed;

/// How many records are examined to see whether collapsing identical ones pays.
const LOOKED_AT: usize = 20_000;
/// The share of copies from which on collapsing pays.
const PAYS: f64 = 0.2;

/// The different rows of a table of sets, and the records of each.
pub struct Copies {
    collapsed: Option<Collapsed>,
    /// The records of each row, one row after the other.
    offsets: Vec<u32>,
    records: Vec<u32>,
    /// How many records each row stands for.
    pub weights: Vec<u32>,
}

impl Copies {
    /// Make the rows of some records: collapsed if many are identical, or else as they are.
    pub fn of(sets: &Transactions) -> Self {
        if Collapsed::share_of_copies(sets, LOOKED_AT) < PAYS {
            let n = sets.len() as u32;
            let (offsets, records) = ((0..=n).collect(), (0..n).collect());
            return Copies { collapsed: None, offsets, records, weights: vec![1; sets.len()] };
        }
        let mut collapsed = Collapsed::of(sets);
        let weights = std::mem::take(&mut collapsed.weights);
        let mut offsets = vec![0; weights.len() + 1];
        for (row, weight) in weights.iter().enumerate() {
            offsets[row + 1] = offsets[row] + weight;
        }
        let mut next = offsets.clone();
        let mut records = vec![0; sets.len()];
        for (record, row) in collapsed.of_record.iter().enumerate() {
            records[next[*row as usize] as usize] = record as u32;
            next[*row as usize] += 1;
        }
        Copies { collapsed: Some(collapsed), offsets, records, weights }
    }

    /// The different rows.
    pub fn rows<'a>(&'a self, all: &'a Transactions) -> &'a Transactions {
        self.collapsed.as_ref().map_or(all, |collapsed| &collapsed.sets)
    }

    /// The records of a row.
    pub fn records(&self, row: u32) -> &[u32] {
        &self.records[self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize]
    }

    /// How many records have each item.
    pub fn counts(&self, all: &Transactions) -> Vec<u32> {
        let mut counts = vec![0; all.n_items()];
        with_sets!(self.rows(all), rows => count(rows, &self.weights, &mut counts));
        counts
    }
}

fn count<C: Code>(rows: Sets<'_, C>, weights: &[u32], counts: &mut [u32]) {
    for (row, weight) in rows.iter().zip(weights) {
        row.iter().for_each(|code| counts[code.widen() as usize] += weight);
    }
}
