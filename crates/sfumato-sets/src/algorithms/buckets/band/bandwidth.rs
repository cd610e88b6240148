//! The width of the band that contains the items of all records.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

/// The band of a matrix of records and items, for an order of its rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bandwidth {
    /// How far right of the diagonal an item of a record stands at most: column - row.
    pub upper: u64,
    /// How far left of the diagonal an item of a record stands at most: row - column.
    pub lower: u64,
}

impl Bandwidth {
    /// The number of diagonals, the main one included: U + L + 1.
    pub fn total(self) -> u64 {
        self.upper + self.lower + 1
    }
}

/// The first and the last position of the records of each item. `None` if no record has it.
fn spans(rows: &Transactions, order: &[u32]) -> Vec<Option<(u32, u32)>> {
    let mut spans: Vec<(u32, u32)> = vec![(u32::MAX, 0); rows.n_items()];
    with_sets!(rows, sets => {
        for (position, record) in order.iter().enumerate() {
            for code in sets.get(*record as usize) {
                let span = &mut spans[code.widen() as usize];
                span.0 = span.0.min(position as u32);
                span.1 = position as u32;
            }
        }
    });
    spans.into_iter().map(|(first, last)| (first <= last).then_some((first, last))).collect()
}

/// The items that some record has, ordered by the middle between the first and the last of their
/// records, then by their codes. Such columns follow the diagonal of records in that order.
pub fn columns(rows: &Transactions, order: &[u32]) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = spans(rows, order)
        .into_iter()
        .zip(0u32..)
        .filter_map(|(span, item)| {
            span.map(|(first, last)| (u64::from(first) + u64::from(last), item))
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// The items that some record has, ordered by their codes.
pub fn columns_as_coded(rows: &Transactions) -> Vec<u32> {
    (0u32..).zip(rows.counts()).filter(|(_, count)| *count > 0).map(|(item, _)| item).collect()
}

/// The band of the matrix with its rows and columns in some order (the record of each position, the
/// item of each column). The diagonal is that of the square matrix that empty columns or rows at
/// the end make of it. Items without a column are left out.
pub fn bandwidth(rows: &Transactions, order: &[u32], columns: &[u32]) -> Bandwidth {
    let spans = spans(rows, order);
    let mut band = Bandwidth::default();
    for (column, item) in columns.iter().enumerate() {
        if let Some((first, last)) = spans[*item as usize] {
            band.upper = band.upper.max((column as u64).saturating_sub(u64::from(first)));
            band.lower = band.lower.max(u64::from(last).saturating_sub(column as u64));
        }
    }
    band
}

/// The bandwidth of A x A^T: the largest distance of two records that share an item.
pub fn record_bandwidth(rows: &Transactions, order: &[u32]) -> u64 {
    spans(rows, order)
        .into_iter()
        .flatten()
        .map(|(first, last)| u64::from(last - first))
        .max()
        .unwrap_or(0)
}

/// How many items a record has in common with the next one of an order, on average, which is the
/// purpose of a band. A few frequent items make [`record_bandwidth`] wide, whatever the order.
pub fn shared_by_neighbours(rows: &Transactions, order: &[u32]) -> f64 {
    if order.len() < 2 {
        return 0.0;
    }
    let shared: u64 = with_sets!(rows, sets => order
        .par_windows(2)
        .with_min_len(1 << 14)
        .map(|pair| common(sets.get(pair[0] as usize), sets.get(pair[1] as usize)))
        .sum());
    shared as f64 / (order.len() - 1) as f64
}

/// The number of items that two sets have in common.
fn common<C: Code>(a: &[C], b: &[C]) -> u64 {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        n += u64::from(a[i] == b[j]);
        let (ahead, behind) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(ahead);
        j += usize::from(behind);
    }
    n
}
