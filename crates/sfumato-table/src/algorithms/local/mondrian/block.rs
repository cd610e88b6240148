//! A working copy of a table, whose rows are moved so that every node of the tree is one contiguous
//! range.
//!
//! The table itself is never touched. Blocks are disjoint parts of the working copy that threads
//! own while they grow their subtrees; splitting a block splits every store, and copies nothing.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::column::Codes;

use super::kernel::{self, CHUNK};
use super::leftover::Leaving;
use super::store::{Address, Slice, Store, pack, with_cells};

/// The columns of the working copy, and the row of the table at each place.
#[derive(Debug)]
pub struct Working {
    stores: Vec<Store>,
    addresses: Vec<Address>,
    n_packed: usize,
    rows: Vec<u32>,
}

impl Working {
    /// Copy the quasi columns and the columns that the requirements read, in the order of the
    /// table's rows.
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

    /// The address of each quasi column.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// A buffer for the arrangement of all rows.
    pub fn arrangement(&self) -> Vec<u8> {
        vec![0; self.rows.len()]
    }

    /// Everything as one block.
    pub fn block<'a>(&'a mut self, arrangement: &'a mut [u8]) -> Block<'a> {
        Block {
            stores: self.stores.iter_mut().map(Store::slice).collect(),
            n_packed: self.n_packed,
            rows: &mut self.rows,
            order: arrangement,
        }
    }

    /// The result when the tree is grown: the row of the table at each place, and the payload in
    /// that order.
    pub fn finish(self) -> (Vec<u32>, Vec<Codes>) {
        let payload =
            self.stores.into_iter().skip(self.n_packed).filter_map(Store::into_codes).collect();
        (self.rows, payload)
    }
}

/// Consecutive places of the working copy.
#[derive(Debug)]
pub struct Block<'a> {
    /// The quasi columns, then the payload.
    pub stores: Vec<Slice<'a>>,
    n_packed: usize,
    rows: &'a mut [u32],
    order: &'a mut [u8],
}

impl<'a> Block<'a> {
    /// The number of places.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The columns that the requirements read.
    pub fn payload(&self) -> &[Slice<'a>] {
        &self.stores[self.n_packed..]
    }

    /// Split into two blocks, the first with `place` places.
    pub fn split_at(self, place: usize) -> (Self, Self) {
        let (stores_a, stores_b) =
            self.stores.into_iter().map(|store| store.split_at(place)).unzip();
        let (rows_a, rows_b) = self.rows.split_at_mut(place);
        let (order_a, order_b) = self.order.split_at_mut(place);
        let n_packed = self.n_packed;
        (
            Block { stores: stores_a, n_packed, rows: rows_a, order: order_a },
            Block { stores: stores_b, n_packed, rows: rows_b, order: order_b },
        )
    }
}

/// Where rows are divided: rows with codes below `code` go left, and so do the first `extra` rows
/// with that code.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The column.
    pub by: Address,
    /// The first code that goes right.
    pub code: u32,
    /// How many rows with that code go left nevertheless.
    pub extra: usize,
}

/// The number of rows of a spare side. Larger nodes are partitioned in pieces, so that spare memory
/// doesn't grow with the table.
const SPARE_ROWS: usize = 1 << 21;

/// Moves the rows of a block. It is kept from node to node for its buffers.
#[derive(Debug)]
pub struct Mover {
    lefts: Vec<u16>,
    u8: Room<u8>,
    u16: Room<u16>,
    u32: Room<u32>,
    quad: Room<[u8; 4]>,
    octet: Room<[u8; 8]>,
}

/// Buffers for moving cells of one type: a chunk, and the side of a partition that waits.
#[derive(Debug)]
struct Room<T> {
    chunk: [T; CHUNK],
    spare: Vec<T>,
}

impl<T: Copy> Room<T> {
    fn new(zero: T) -> Self {
        Room { chunk: [zero; CHUNK], spare: Vec::new() }
    }

    /// Grow the buffers for the smaller side of `n_rows` rows.
    fn grow(&mut self, n_rows: usize) {
        let wanted = (n_rows / 2).min(SPARE_ROWS);
        if self.spare.len() < wanted {
            self.spare.resize(wanted, self.chunk[0]);
        }
    }
}

impl Mover {
    /// A mover with empty buffers.
    pub fn new() -> Self {
        Mover {
            lefts: Vec::new(),
            u8: Room::new(0),
            u16: Room::new(0),
            u32: Room::new(0),
            quad: Room::new([0; 4]),
            octet: Room::new([0; 8]),
        }
    }

    /// Divide the rows of a range by a threshold, both sides in their order. Returns how many went
    /// left. Of the packed stores only those in `moved` are moved: a store whose columns are all
    /// constant in the range needn't be.
    pub fn partition(
        &mut self,
        block: &mut Block<'_>,
        range: Range<usize>,
        threshold: Threshold,
        moved: impl Iterator<Item = usize>,
    ) -> usize {
        let Threshold { by, code: first_right, mut extra } = threshold;
        let (order, lefts) = (&mut block.order[range.clone()], &mut self.lefts);
        let store = &block.stores[by.store];
        let n_left = with_cells!(store, by.lane, range.clone(), cells => match extra {
            0 => kernel::arrange(cells, order, lefts, |code| code < first_right),
            _ => kernel::arrange(cells, order, lefts, |code| {
                let lucky = code == first_right && extra > 0;
                extra -= usize::from(lucky);
                lucky || code < first_right
            }),
        });
        self.rearrange(block, range, n_left, moved);
        n_left
    }

    /// Like [`Mover::partition`], but rows whose code in a column leaves go left, except those at
    /// the lent places, which go right.
    pub fn set_apart(
        &mut self,
        block: &mut Block<'_>,
        range: Range<usize>,
        by: Address,
        leaving: &Leaving,
        lent: &[u32],
        moved: impl Iterator<Item = usize>,
    ) -> usize {
        let (order, lefts) = (&mut block.order[range.clone()], &mut self.lefts);
        let (mut place, mut lent) = (0u32, lent.iter().copied().peekable());
        let n_left = with_cells!(&block.stores[by.store], by.lane, range.clone(), cells => {
            kernel::arrange(cells, order, lefts, |code| {
                let stays = lent.next_if_eq(&place).is_some();
                place += 1;
                !stays && leaving.code(code)
            })
        });
        self.rearrange(block, range, n_left, moved);
        n_left
    }

    /// Move the rows of a range as arranged.
    fn rearrange(
        &mut self,
        block: &mut Block<'_>,
        range: Range<usize>,
        n_left: usize,
        moved: impl Iterator<Item = usize>,
    ) {
        let lefts = &self.lefts;
        let order = &block.order[range.clone()];
        macro_rules! rearrange {
            ($cells:expr, $kind:ident) => {{
                let room = &mut self.$kind;
                room.grow(range.len());
                let cells = &mut $cells[range.clone()];
                kernel::rearrange_in_pieces(
                    cells,
                    order,
                    lefts,
                    n_left,
                    &mut room.chunk,
                    &mut room.spare,
                )
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
    }
}
