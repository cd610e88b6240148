//! Records and items as a bipartite graph, laid out for searches.
//!
//! Records with items are renumbered by rank: ascending degree, then their own number. Their items
//! are stored in that order, and the list of the records of an item ascends, so a search in
//! ascending order of degrees costs nothing more and reads memory forwards.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

/// The bipartite graph of records and items.
pub struct Graph<C> {
    /// The record of each rank.
    records: Vec<u32>,
    /// Where the items of each rank begin, and where the last ones end.
    row_begins: Vec<u64>,
    codes: Vec<C>,
    /// Where the list of each item begins, and where the last one ends.
    list_begins: Vec<u64>,
    /// The ranks of the records that have each item, ascending.
    lists: Vec<u32>,
}

/// The number of records up to which one task lays them out.
const BLOCK: usize = 1 << 16;

impl<C: Code> Graph<C> {
    /// Make the graph of some records.
    pub fn build(rows: Sets<'_, C>, n_items: usize) -> Self {
        let records = ranked(rows, &supports(rows, n_items));
        let mut row_begins = Vec::with_capacity(records.len() + 1);
        let mut begin = 0u64;
        row_begins.push(begin);
        for record in &records {
            begin += rows.offsets[*record as usize + 1] - rows.offsets[*record as usize];
            row_begins.push(begin);
        }
        let block = records.len().div_ceil(rayon::current_num_threads().clamp(1, 8)).max(BLOCK);
        let (codes, counts) = gather(rows, n_items, &records, &row_begins, block);
        let (list_begins, lists) = invert(&row_begins, &codes, block, &counts);
        Graph { records, row_begins, codes, list_begins, lists }
    }
    /// The number of records with items.
    pub fn n_rows(&self) -> usize {
        self.records.len()
    }
    /// The number of possible items.
    pub fn n_items(&self) -> usize {
        self.list_begins.len() - 1
    }
    /// The record of a rank.
    #[inline]
    pub fn record_of(&self, rank: u32) -> u32 {
        self.records[rank as usize]
    }
    /// The items of a rank.
    #[inline]
    pub fn row(&self, rank: u32) -> &[C] {
        let rank = rank as usize;
        &self.codes[self.row_begins[rank] as usize..self.row_begins[rank + 1] as usize]
    }
    /// The ranks that have an item, ascending.
    #[inline]
    pub fn list(&self, item: usize) -> &[u32] {
        &self.lists[self.list_begins[item] as usize..self.list_begins[item + 1] as usize]
    }
}

/// How many records have each item.
fn supports<C: Code>(rows: Sets<'_, C>, n_items: usize) -> Vec<u32> {
    let block = rows.codes.len().div_ceil(rayon::current_num_threads().max(1)).max(1 << 18);
    let counted: Vec<Vec<u32>> = rows
        .codes
        .par_chunks(block)
        .map(|codes| {
            let mut counts = vec![0u32; n_items];
            codes.iter().for_each(|code| counts[code.widen() as usize] += 1);
            counts
        })
        .collect();
    let mut counts = vec![0u32; n_items];
    for some in counted {
        counts.iter_mut().zip(some).for_each(|(count, more)| *count += more);
    }
    counts
}

/// The records with items, ordered by degree and number.
fn ranked<C: Code>(rows: Sets<'_, C>, supports: &[u32]) -> Vec<u32> {
    let degrees: Vec<u64> = (0..rows.len())
        .into_par_iter()
        .with_min_len(BLOCK)
        .map(|i| {
            rows.get(i).iter().map(|code| u64::from(supports[code.widen() as usize] - 1)).sum()
        })
        .collect();
    let with_items = |i: &usize| rows.offsets[*i] < rows.offsets[*i + 1];
    let most = degrees.par_iter().with_min_len(BLOCK).copied().max().unwrap_or(0);
    // One word to compare where degree and number fit into it.
    if most <= u64::from(u32::MAX) {
        let mut keys: Vec<u64> =
            (0..rows.len()).filter(with_items).map(|i| (degrees[i] << 32) | i as u64).collect();
        drop(degrees);
        keys.par_sort_unstable();
        keys.into_iter().map(|key| key as u32).collect()
    } else {
        let mut keys: Vec<(u64, u32)> =
            (0..rows.len()).filter(with_items).map(|i| (degrees[i], i as u32)).collect();
        drop(degrees);
        keys.par_sort_unstable();
        keys.into_iter().map(|(_, record)| record).collect()
    }
}

/// The items of the records in the order of their ranks, and how often each block of records has
/// each item.
fn gather<C: Code>(
    rows: Sets<'_, C>,
    n_items: usize,
    records: &[u32],
    row_begins: &[u64],
    block: usize,
) -> (Vec<C>, Vec<Vec<u32>>) {
    let mut codes = vec![C::narrow(0); row_begins.last().map_or(0, |end| *end as usize)];
    let mut pieces: Vec<(&[u32], &mut [C])> = Vec::new();
    let mut rest = codes.as_mut_slice();
    for (number, some) in records.chunks(block).enumerate() {
        let first = number * block;
        let length = row_begins[first + some.len()] - row_begins[first];
        let (piece, after) = rest.split_at_mut(length as usize);
        pieces.push((some, piece));
        rest = after;
    }
    let counts = pieces
        .into_par_iter()
        .map(|(some, piece)| {
            let mut counts = vec![0u32; n_items];
            let mut at = 0;
            for record in some {
                for code in rows.get(*record as usize) {
                    piece[at] = *code;
                    at += 1;
                    counts[code.widen() as usize] += 1;
                }
            }
            counts
        })
        .collect();
    (codes, counts)
}

/// The list of each item. A list consists of one piece per block of records, so that blocks can be
/// filled at the same time.
fn invert<C: Code>(
    row_begins: &[u64],
    codes: &[C],
    block: usize,
    counts: &[Vec<u32>],
) -> (Vec<u64>, Vec<u32>) {
    let n_items = counts.first().map_or(0, Vec::len);
    let mut list_begins = vec![0u64; n_items + 1];
    let mut lists = vec![0u32; codes.len()];
    let mut pieces: Vec<Vec<&mut [u32]>> =
        counts.iter().map(|_| Vec::with_capacity(n_items)).collect();
    let mut rest = lists.as_mut_slice();
    for item in 0..n_items {
        list_begins[item + 1] = list_begins[item];
        for (pieces, counts) in pieces.iter_mut().zip(counts) {
            let (piece, after) = rest.split_at_mut(counts[item] as usize);
            list_begins[item + 1] += piece.len() as u64;
            pieces.push(piece);
            rest = after;
        }
    }
    pieces.into_par_iter().enumerate().for_each(|(number, mut pieces)| {
        let mut next = vec![0u32; n_items];
        let last = ((number + 1) * block).min(row_begins.len() - 1);
        for rank in number * block..last {
            for code in &codes[row_begins[rank] as usize..row_begins[rank + 1] as usize] {
                let item = code.widen() as usize;
                pieces[item][next[item] as usize] = rank as u32;
                next[item] += 1;
            }
        }
    });
    (list_begins, lists)
}
