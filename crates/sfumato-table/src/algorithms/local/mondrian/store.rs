//! The storage of moved columns. Columns of one byte are packed, up to eight in a record, so that a
//! row is moved by a few copies instead of one per column; wider columns are stored alone.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::column::Codes;

use super::cells::{min_max, min_max_of_lanes};

/// The number of rows that are packed at a time, so that a chunk stays in the cache while its lanes
/// are filled.
const PACK_ROWS: usize = 4096;
/// The largest number of columns of a record.
pub const MAX_LANES: usize = 8;

/// One moved column, or several packed ones.
#[derive(Debug)]
pub enum Store {
    /// One column of one byte.
    U8(Vec<u8>),
    /// One column of two bytes.
    U16(Vec<u16>),
    /// One column of four bytes.
    U32(Vec<u32>),
    /// Up to four columns of one byte.
    Quad(Vec<[u8; 4]>),
    /// Up to eight columns of one byte.
    Octet(Vec<[u8; 8]>),
}

/// Consecutive places of a [`Store`].
#[derive(Debug)]
pub enum Slice<'a> {
    /// One column of one byte.
    U8(&'a mut [u8]),
    /// One column of two bytes.
    U16(&'a mut [u16]),
    /// One column of four bytes.
    U32(&'a mut [u32]),
    /// Up to four columns of one byte.
    Quad(&'a mut [[u8; 4]]),
    /// Up to eight columns of one byte.
    Octet(&'a mut [[u8; 8]]),
}

/// The place of a column in the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// The number of the store.
    pub store: usize,
    /// The byte of its records; 0 if the column is stored alone.
    pub lane: usize,
}

/// Run an expression over the [`Cells`](super::cells::Cells) of a column in a range of places.
macro_rules! with_cells {
    ($slice:expr, $lane:expr, $range:expr, $cells:ident => $body:expr) => {
        match $slice {
            $crate::algorithms::local::mondrian::store::Slice::U8(codes) => {
                let $cells = &codes[$range];
                $body
            }
            $crate::algorithms::local::mondrian::store::Slice::U16(codes) => {
                let $cells = &codes[$range];
                $body
            }
            $crate::algorithms::local::mondrian::store::Slice::U32(codes) => {
                let $cells = &codes[$range];
                $body
            }
            $crate::algorithms::local::mondrian::store::Slice::Quad(records) => {
                let $cells = $crate::algorithms::local::mondrian::cells::Lane {
                    records: &records[$range],
                    lane: $lane,
                };
                $body
            }
            $crate::algorithms::local::mondrian::store::Slice::Octet(records) => {
                let $cells = $crate::algorithms::local::mondrian::cells::Lane {
                    records: &records[$range],
                    lane: $lane,
                };
                $body
            }
        }
    };
}
pub(super) use with_cells;

/// Copy columns: those of one byte packed, then the others. Returns the address of each.
pub fn pack(columns: &[&Codes]) -> (Vec<Store>, Vec<Address>) {
    let mut stores = Vec::new();
    let mut addresses = vec![Address { store: 0, lane: 0 }; columns.len()];
    let bytes: Vec<(usize, &[u8])> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, column)| match column {
            Codes::U8(codes) => Some((i, codes.as_slice())),
            _ => None,
        })
        .collect();
    for group in bytes.chunks(MAX_LANES) {
        for (lane, (column, _)) in group.iter().enumerate() {
            addresses[*column] = Address { store: stores.len(), lane };
        }
        let lanes: Vec<&[u8]> = group.iter().map(|(_, codes)| *codes).collect();
        stores.push(match lanes.as_slice() {
            [alone] => Store::U8(alone.to_vec()),
            lanes if lanes.len() <= 4 => Store::Quad(interleave(lanes)),
            lanes => Store::Octet(interleave(lanes)),
        });
    }
    for (column, address) in columns.iter().zip(&mut addresses) {
        if column.width() > 1 {
            *address = Address { store: stores.len(), lane: 0 };
            stores.push(Store::copy(column));
        }
    }
    (stores, addresses)
}

fn interleave<const N: usize>(lanes: &[&[u8]]) -> Vec<[u8; N]> {
    let n = lanes.first().map_or(0, |lane| lane.len());
    let mut records = vec![[0; N]; n];
    records.par_chunks_mut(PACK_ROWS).enumerate().for_each(|(chunk, records)| {
        let start = chunk * PACK_ROWS;
        for (lane, codes) in lanes.iter().enumerate() {
            for (record, &code) in records.iter_mut().zip(&codes[start..]) {
                record[lane % N] = code;
            }
        }
    });
    records
}

impl Store {
    /// A copy of one column, alone.
    pub fn copy(codes: &Codes) -> Self {
        match codes {
            Codes::U8(codes) => Store::U8(codes.clone()),
            Codes::U16(codes) => Store::U16(codes.clone()),
            Codes::U32(codes) => Store::U32(codes.clone()),
        }
    }

    /// The codes of a column that is stored alone.
    pub fn into_codes(self) -> Option<Codes> {
        match self {
            Store::U8(codes) => Some(Codes::U8(codes)),
            Store::U16(codes) => Some(Codes::U16(codes)),
            Store::U32(codes) => Some(Codes::U32(codes)),
            Store::Quad(_) | Store::Octet(_) => None,
        }
    }

    /// All places.
    pub fn slice(&mut self) -> Slice<'_> {
        match self {
            Store::U8(codes) => Slice::U8(codes),
            Store::U16(codes) => Slice::U16(codes),
            Store::U32(codes) => Slice::U32(codes),
            Store::Quad(records) => Slice::Quad(records),
            Store::Octet(records) => Slice::Octet(records),
        }
    }
}

impl Slice<'_> {
    /// The first places, and the others.
    pub fn split_at(self, place: usize) -> (Self, Self) {
        macro_rules! split {
            ($variant:ident, $cells:expr) => {{
                let (first, others) = $cells.split_at_mut(place);
                (Slice::$variant(first), Slice::$variant(others))
            }};
        }
        match self {
            Slice::U8(codes) => split!(U8, codes),
            Slice::U16(codes) => split!(U16, codes),
            Slice::U32(codes) => split!(U32, codes),
            Slice::Quad(records) => split!(Quad, records),
            Slice::Octet(records) => split!(Octet, records),
        }
    }

    /// The smallest and the largest code of each lane in a range that isn't empty.
    #[inline]
    pub fn min_max(&self, range: Range<usize>) -> [(u32, u32); MAX_LANES] {
        let mut lanes = [(0, 0); MAX_LANES];
        match self {
            Slice::U8(codes) => lanes[0] = min_max(&codes[range]),
            Slice::U16(codes) => lanes[0] = min_max(&codes[range]),
            Slice::U32(codes) => lanes[0] = min_max(&codes[range]),
            Slice::Quad(records) => lanes[..4].copy_from_slice(&min_max_of_lanes(&records[range])),
            Slice::Octet(records) => lanes = min_max_of_lanes(&records[range]),
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::Cells;
    use super::*;

    #[test]
    fn every_column_is_found_where_it_was_packed() {
        for n_bytes in 0..20usize {
            let mut columns: Vec<Codes> = (0..n_bytes)
                .map(|c| Codes::U8((0..10).map(|row| (c * 10 + row) as u8).collect()))
                .collect();
            columns.insert(n_bytes / 2, Codes::U16((0..10).map(|row| 1000 + row).collect()));
            columns.push(Codes::U32((0..10).map(|row| 100_000 + row).collect()));
            let (mut stores, addresses) = pack(&columns.iter().collect::<Vec<_>>());
            let slices: Vec<Slice<'_>> = stores.iter_mut().map(Store::slice).collect();
            for (column, address) in columns.iter().zip(&addresses) {
                let store = &slices[address.store];
                let found: Vec<u32> = with_cells!(store, address.lane, 2..7, cells => {
                    cells.codes().collect()
                });
                assert_eq!(found, (2..7).map(|row| column.get(row)).collect::<Vec<_>>());
                let bounds = slices[address.store].min_max(2..7)[address.lane];
                assert_eq!(bounds, (column.get(2), column.get(6)));
            }
        }
    }
}
