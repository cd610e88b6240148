//! The working copy of a table: columns whose rows are moved so that every node of the tree is one contiguous range.
//!
//! The table itself is never touched. Blocks are disjoint parts of the working copy that threads own while they grow
//! their subtrees; splitting a block splits every store and every scratch space, and copies nothing.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::column::Codes;

use super::kernel::{self, CHUNK};
use super::store::{Address, Slice, Store, pack, with_cells};

/// The moved columns, and for each place the row of the table that it holds.
#[derive(Debug)]
pub struct Working {
    stores: Vec<Store>,
    addresses: Vec<Address>,
    n_packed: usize,
    rows: Vec<u32>,
}

impl Working {
    /// Copy the quasi columns and the columns that the requirements read, in the order of the table's rows.
    pub fn copy(quasi: &[&Codes], payload: &[&Codes], n_rows: usize) -> Self {
        let (mut stores, addresses) = pack(quasi);
        let n_packed = stores.len();
        let (copies, rows): (Vec<Store>, _) = rayon::join(
            || payload.par_iter().map(|codes| Store::copy(codes)).collect(),
            || (0..n_rows as u32).collect(),
        );
        stores.extend(copies);
        Working { stores, addresses, n_packed, rows }
    }

    /// Where each quasi column lies.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Scratch space for all rows, for the kinds of stores there are.
    pub fn scratch(&self) -> Scratch {
        let n = self.rows.len();
        let mut scratch = Scratch { order: vec![0; n], u32: vec![0; n / 2], ..Scratch::default() };
        for store in &self.stores {
            match store {
                Store::U8(_) => scratch.u8.resize(n / 2, 0),
                Store::U16(_) => scratch.u16.resize(n / 2, 0),
                Store::U32(_) => {}
                Store::Quad(_) => scratch.quad.resize(n / 2, [0; 4]),
                Store::Octet(_) => scratch.octet.resize(n / 2, [0; 8]),
            }
        }
        scratch
    }

    /// Everything as one block.
    pub fn block<'a>(&'a mut self, scratch: &'a mut Scratch) -> Block<'a> {
        Block {
            stores: self.stores.iter_mut().map(Store::slice).collect(),
            n_packed: self.n_packed,
            rows: &mut self.rows,
            order: &mut scratch.order,
            spare: Spare {
                u8: &mut scratch.u8,
                u16: &mut scratch.u16,
                u32: &mut scratch.u32,
                quad: &mut scratch.quad,
                octet: &mut scratch.octet,
            },
        }
    }

    /// What is left when the tree is grown: the row of the table at each place, and the payload in that order.
    pub fn finish(self) -> (Vec<u32>, Vec<Codes>) {
        let payload = self.stores.into_iter().skip(self.n_packed).filter_map(Store::into_codes).collect();
        (self.rows, payload)
    }
}

/// What partitioning needs beside the columns: a byte per row for the arrangement, and half a store of each kind.
#[derive(Debug, Default)]
pub struct Scratch {
    order: Vec<u8>,
    u8: Vec<u8>,
    u16: Vec<u16>,
    u32: Vec<u32>,
    quad: Vec<[u8; 4]>,
    octet: Vec<[u8; 8]>,
}

/// Room for the side of a partition that waits.
#[derive(Debug)]
struct Spare<'a> {
    u8: &'a mut [u8],
    u16: &'a mut [u16],
    u32: &'a mut [u32],
    quad: &'a mut [[u8; 4]],
    octet: &'a mut [[u8; 8]],
}

impl Spare<'_> {
    fn split_at(self, half: usize) -> (Self, Self) {
        // Kinds that no store has are empty, and stay so.
        fn split<T>(spare: &mut [T], half: usize) -> (&mut [T], &mut [T]) {
            spare.split_at_mut(half.min(spare.len()))
        }
        let (u8_a, u8_b) = split(self.u8, half);
        let (u16_a, u16_b) = split(self.u16, half);
        let (u32_a, u32_b) = split(self.u32, half);
        let (quad_a, quad_b) = split(self.quad, half);
        let (octet_a, octet_b) = split(self.octet, half);
        (
            Spare { u8: u8_a, u16: u16_a, u32: u32_a, quad: quad_a, octet: octet_a },
            Spare { u8: u8_b, u16: u16_b, u32: u32_b, quad: quad_b, octet: octet_b },
        )
    }
}

/// Consecutive places of the working copy, with scratch space of their own.
#[derive(Debug)]
pub struct Block<'a> {
    /// The quasi columns, then the payload.
    pub stores: Vec<Slice<'a>>,
    n_packed: usize,
    rows: &'a mut [u32],
    order: &'a mut [u8],
    spare: Spare<'a>,
}

impl<'a> Block<'a> {
    /// How many places.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The columns that the requirements read.
    pub fn payload(&self) -> &[Slice<'a>] {
        &self.stores[self.n_packed..]
    }

    /// Two blocks, the first with so many places.
    pub fn split_at(self, place: usize) -> (Self, Self) {
        let (stores_a, stores_b) = self.stores.into_iter().map(|store| store.split_at(place)).unzip();
        let (rows_a, rows_b) = self.rows.split_at_mut(place);
        let (order_a, order_b) = self.order.split_at_mut(place);
        let (spare_a, spare_b) = self.spare.split_at(place / 2);
        let n_packed = self.n_packed;
        (
            Block { stores: stores_a, n_packed, rows: rows_a, order: order_a, spare: spare_a },
            Block { stores: stores_b, n_packed, rows: rows_b, order: order_b, spare: spare_b },
        )
    }
}

/// Where rows are divided: rows with codes below `code` go left, and of those with it the first `extra`.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The column.
    pub by: Address,
    /// The first code that goes right.
    pub code: u32,
    /// How many rows with that code go left nevertheless.
    pub extra: usize,
}

/// Moves the rows of a block. Kept from node to node for its buffers.
#[derive(Debug)]
pub struct Mover {
    lefts: Vec<u16>,
    u8: [u8; CHUNK],
    u16: [u16; CHUNK],
    u32: [u32; CHUNK],
    quad: [[u8; 4]; CHUNK],
    octet: [[u8; 8]; CHUNK],
}

impl Mover {
    /// Empty buffers.
    pub fn new() -> Self {
        Mover {
            lefts: Vec::new(),
            u8: [0; CHUNK],
            u16: [0; CHUNK],
            u32: [0; CHUNK],
            quad: [[0; 4]; CHUNK],
            octet: [[0; 8]; CHUNK],
        }
    }

    /// Divide the rows of a range, both sides in their order; returns how many went left. Of the packed stores only
    /// those in `moved` are moved: one whose columns are all constant in the range is as it should be already.
    pub fn partition(
        &mut self,
        block: &mut Block<'_>,
        range: Range<usize>,
        threshold: Threshold,
        moved: impl Iterator<Item = usize>,
    ) -> usize {
        let Threshold { by, code: first_right, mut extra } = threshold;
        let (order, lefts) = (&mut block.order[range.clone()], &mut self.lefts);
        let n_left = with_cells!(&block.stores[by.store], by.lane, range.clone(), cells => match extra {
            0 => kernel::arrange(cells, order, lefts, |code| code < first_right),
            _ => kernel::arrange(cells, order, lefts, |code| {
                let lucky = code == first_right && extra > 0;
                extra -= usize::from(lucky);
                lucky || code < first_right
            }),
        });
        let order = &block.order[range.clone()];
        macro_rules! rearrange {
            ($cells:expr, $kind:ident) => {{
                let cells = &mut $cells[range.clone()];
                kernel::rearrange(cells, order, lefts, n_left, &mut self.$kind, block.spare.$kind)
            }};
        }
        for store in moved.chain(block.n_packed..block.stores.len()) {
            match &mut block.stores[store] {
                Slice::U8(codes) => rearrange!(codes, u8),
                Slice::U16(codes) => rearrange!(codes, u16),
                Slice::U32(codes) => rearrange!(codes, u32),
                Slice::Quad(records) => rearrange!(records, quad),
                Slice::Octet(records) => rearrange!(records, octet),
            }
        }
        rearrange!(block.rows, u32);
        n_left
    }
}
