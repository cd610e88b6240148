//! Converts a small class, or what is left of a larger one, to bits and back.

use sfumato_core::column::Code;

use super::ahead::{Ahead, Look};
use super::chain::Node;
use super::weights::Weights;
use crate::algorithms::shared::classes::Classes;

/// The mark of an item in too few records.
const NONE: u32 = u32::MAX;

/// Splits small classes, with buffers that are reused.
#[derive(Default)]
pub struct Small {
    ahead: Ahead,
    /// For each item of the class, its row in the matrix.
    row_of: Vec<u32>,
    /// For each row of the matrix, the item's code in the input.
    names: Vec<u32>,
    /// For each bit, its record. A record that stands for several has as many bits, which always
    /// stay together.
    records: Vec<u32>,
}

impl Small {
    /// Split the `alive` records of a class. There are `left` of them, and `counts` of them have
    /// each item.
    pub fn split<C: Code, W: Weights>(
        &mut self,
        look: Look<'_>,
        node: Node<'_, C, W>,
        (alive, left): (&[u64], u32),
        (counts, k): (&[u32], u32),
        classes: &mut Classes,
    ) {
        let Small { ahead, row_of, names, records } = self;
        row_of.clear();
        names.clear();
        for (count, name) in counts.iter().zip(node.names) {
            row_of.push(if *count >= k { names.len() as u32 } else { NONE });
            names.extend((*count >= k).then_some(*name));
        }
        ahead.matrix.clear(left, names.iter().map(|name| look.utilities[*name as usize]));
        records.clear();
        for record in ones(alive).take_while(|record| (*record as usize) < node.rows.len()) {
            for _ in 0..node.weights.of(record) {
                for code in node.rows.get(record as usize) {
                    let row = row_of[code.widen() as usize];
                    if row != NONE {
                        ahead.matrix.set(records.len() as u32, row);
                    }
                }
                records.push(record);
            }
        }
        ahead.split(look, k, |matrix, mask| {
            let kept = matrix.common(mask).map(|row| names[row as usize]);
            let mut last = NONE;
            let fresh = |bit: u32| {
                let record = records[bit as usize];
                (std::mem::replace(&mut last, record) != record).then(|| node.ids[record as usize])
            };
            classes.push(ones(mask).filter_map(fresh), node.kept.iter().copied().chain(kept));
        });
    }
}

/// The bits that are set.
pub fn ones(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(|(word, bits)| {
        let mut bits = *bits;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| word as u32 * 64 + bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(bit)
        })
    })
}
