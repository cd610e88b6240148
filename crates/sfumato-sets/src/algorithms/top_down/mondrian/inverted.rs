//! Inverted lists: for each item that a class may be split on, the records that have it.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

/// The mark of an item without a list.
const NONE: u32 = u32::MAX;

/// All lists in one vector.
#[derive(Default)]
pub struct Inverted {
    /// For each item, the number of its list. Empty if the first items have lists in their order.
    list_of: Vec<u32>,
    /// Where each list begins.
    begins: Vec<usize>,
    /// Where each list ends.
    ends: Vec<usize>,
    records: Vec<u32>,
}

impl Inverted {
    /// Build the lists of the first items. No list is longer than its item's count.
    pub fn build<C: Code>(&mut self, rows: Sets<'_, C>, n_lists: usize, counts: &[u32]) {
        let Inverted { list_of, begins, ends, records } = self;
        list_of.clear();
        begins.clear();
        let mut begin = 0;
        for count in &counts[..n_lists] {
            begins.push(begin);
            begin += *count as usize;
        }
        ends.clear();
        ends.extend_from_slice(begins);
        // What is there is overwritten: every place of every list is filled below, up to its end.
        records.resize(begin, 0);
        for (i, row) in rows.iter().enumerate() {
            for code in row {
                if let Some(end) = ends.get_mut(code.widen() as usize) {
                    records[*end] = i as u32;
                    *end += 1;
                }
            }
        }
    }

    /// Build the lists of the items `wanted`, filled by one task per block of records.
    /// `lengths[block][item]` are the lengths within a block.
    pub fn build_in_blocks<C: Code>(
        rows: Sets<'_, C>,
        wanted: &[u32],
        n_items: usize,
        block: usize,
        lengths: &[Vec<u32>],
    ) -> Self {
        let mut inverted = Inverted { list_of: vec![NONE; n_items], ..Inverted::default() };
        let mut begin = 0;
        for (list, item) in wanted.iter().enumerate() {
            inverted.list_of[*item as usize] = list as u32;
            inverted.begins.push(begin);
            begin += lengths.iter().map(|lengths| lengths[*item as usize] as usize).sum::<usize>();
            inverted.ends.push(begin);
        }
        inverted.records = vec![0; begin];
        // Each list falls into one piece per block, so that blocks can be filled at the same time.
        let mut pieces: Vec<Vec<&mut [u32]>> =
            lengths.iter().map(|_| Vec::with_capacity(wanted.len())).collect();
        let mut rest = inverted.records.as_mut_slice();
        for item in wanted {
            for (pieces, lengths) in pieces.iter_mut().zip(lengths) {
                let (piece, after) = rest.split_at_mut(lengths[*item as usize] as usize);
                pieces.push(piece);
                rest = after;
            }
        }
        let list_of = &inverted.list_of;
        rayon::scope(|scope| {
            for (number, mut pieces) in pieces.into_iter().enumerate() {
                scope.spawn(move |_| {
                    let mut next = vec![0u32; pieces.len()];
                    for i in number * block..((number + 1) * block).min(rows.len()) {
                        for code in rows.get(i) {
                            let list = list_of[code.widen() as usize];
                            if list != NONE {
                                let at = &mut next[list as usize];
                                pieces[list as usize][*at as usize] = i as u32;
                                *at += 1;
                            }
                        }
                    }
                });
            }
        });
        inverted
    }

    /// The records that have an item, ascending.
    pub fn of(&self, item: u32) -> &[u32] {
        let list = self.list_of.get(item as usize).map_or(item, |list| *list) as usize;
        &self.records[self.begins[list]..self.ends[list]]
    }
}
