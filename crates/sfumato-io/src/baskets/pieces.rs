//! Joins the pieces of records that workers read: first the items of the pieces become items of the
//! file, then all codes are translated at once.
//!
//! A piece keeps the codes that its worker gave, in the narrowest width, until the end. Only then
//! is each translated straight to its place, in parallel, and let go: no wide copy of all codes
//! ever exists.

use rayon::prelude::*;
use sfumato_core::column::{Code, Codes, Dictionary};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result, with_codes};

use crate::baskets::item;
use crate::intern::{Index, hash_text};
use crate::weight::Weight;

/// Numbers below this bound are their own codes in a piece.
pub(crate) const SMALL: usize = 1 << 16;
/// The global code for values that are no item.
pub(crate) const NONE: u32 = u32::MAX;

/// The meaning of the codes of a piece.
pub(crate) enum Meaning {
    /// Codes are numbers, and these are the numbers that occur.
    Numbers(Vec<u16>),
    /// Codes are texts. `None` is no item, and no record has its code.
    Texts(Vec<Option<String>>),
    /// Codes are items that [`Pieces::item`] returned.
    Items,
}

/// Some records in file order.
pub(crate) struct Piece {
    /// The items of all records. No item occurs twice in a record.
    pub(crate) codes: Codes,
    /// The number of items of each record.
    pub(crate) lengths: Vec<u32>,
    /// The meaning of the codes.
    pub(crate) meaning: Meaning,
    /// The keys of the records, if they are kept.
    pub(crate) keys: Dictionary,
    /// How many items were repeated within a record.
    pub(crate) repeated: u64,
    /// How many items were missing.
    pub(crate) missing: u64,
}

impl Weight for Piece {
    fn bytes(&self) -> u64 {
        let lengths = self.lengths.capacity() * size_of::<u32>();
        (self.codes.bytes() + lengths + self.keys.bytes()) as u64
    }
}

enum Table {
    Numbers,
    Items,
    Mapped(Vec<u32>),
}

/// The records of a file, piece by piece.
pub(crate) struct Pieces {
    pieces: Vec<(Codes, Vec<u32>, Table)>,
    numbers: Vec<bool>,
    texts: Dictionary,
    index: Index,
    keys: Dictionary,
    n_records: u64,
    repeated: u64,
    missing: u64,
}

/// All records.
pub(crate) struct Joined {
    pub(crate) names: Vec<String>,
    pub(crate) sets: Transactions,
    pub(crate) keys: Dictionary,
    pub(crate) repeated: u64,
    pub(crate) missing: u64,
    /// The code of each item that [`Pieces::item`] returned.
    pub(crate) code_of: Vec<u32>,
}

impl Pieces {
    pub(crate) fn new() -> Self {
        Pieces {
            pieces: Vec::new(),
            numbers: vec![false; SMALL],
            texts: Dictionary::new(),
            index: Index::default(),
            keys: Dictionary::new(),
            n_records: 0,
            repeated: 0,
            missing: 0,
        }
    }

    /// The number of an item. A new item gets the next number.
    pub(crate) fn item(&mut self, name: &str) -> Result<u32> {
        self.index.intern(&mut self.texts, name.as_bytes(), hash_text(name.as_bytes()))
    }

    /// The number of items.
    pub(crate) fn n_items(&self) -> usize {
        self.texts.len()
    }

    /// Add the next records.
    pub(crate) fn add(&mut self, piece: Piece) -> Result<()> {
        self.n_records += piece.lengths.len() as u64;
        if self.n_records > u64::from(u32::MAX) {
            return Err(Error::resources("there are more than 4,294,967,295 records"));
        }
        self.repeated += piece.repeated;
        self.missing += piece.missing;
        piece.keys.iter().for_each(|key| {
            self.keys.push(key);
        });
        let table = match piece.meaning {
            Meaning::Items => Table::Items,
            Meaning::Numbers(seen) => {
                seen.iter().for_each(|number| self.numbers[*number as usize] = true);
                Table::Numbers
            }
            Meaning::Texts(texts) => {
                let item = |text: Option<String>| text.map_or(Ok(NONE), |text| self.item(&text));
                Table::Mapped(texts.into_iter().map(item).collect::<Result<_>>()?)
            }
        };
        self.pieces.push((piece.codes, piece.lengths, table));
        Ok(())
    }

    /// Join all pieces.
    pub(crate) fn finish(mut self) -> Result<Joined> {
        let mut of_number = vec![NONE; SMALL];
        let seen = std::mem::take(&mut self.numbers);
        for (number, item) in of_number.iter_mut().enumerate().filter(|(number, _)| seen[*number]) {
            *item = self.item(&number.to_string())?;
        }
        let order = item::in_order(&self.texts);
        let mut rank = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(item, code)| rank[*item as usize] = code);
        let names: Vec<String> =
            order.iter().map(|item| self.texts.get(*item).to_owned()).collect();
        let ranked = |item: u32| rank.get(item as usize).copied().unwrap_or(0);
        let of_number: Vec<u32> = of_number.into_iter().map(ranked).collect();
        let pieces: Vec<(Codes, Vec<u32>, Translation<'_>)> = std::mem::take(&mut self.pieces)
            .into_iter()
            .map(|(codes, lengths, table)| {
                let table = match table {
                    Table::Numbers => Translation::Shared(&of_number),
                    Table::Items => Translation::Shared(&rank),
                    Table::Mapped(table) => {
                        Translation::Own(table.into_iter().map(ranked).collect())
                    }
                };
                (codes, lengths, table)
            })
            .collect();
        let (n_records, n_items) = (self.n_records as usize, names.len());
        let (offsets, codes) = match Codes::for_domain(n_items) {
            Codes::U8(_) => map(join(pieces, n_records), Codes::U8),
            Codes::U16(_) => map(join(pieces, n_records), Codes::U16),
            Codes::U32(_) => map(join(pieces, n_records), Codes::U32),
        };
        let sets = Transactions::from_parts(offsets, codes, n_items);
        let Pieces { keys, repeated, missing, .. } = self;
        Ok(Joined { names, sets, keys, repeated, missing, code_of: rank })
    }
}

enum Translation<'a> {
    Shared(&'a [u32]),
    Own(Vec<u32>),
}

fn map<C>(
    (offsets, codes): (Vec<u64>, Vec<C>),
    wrap: impl Fn(Vec<C>) -> Codes,
) -> (Vec<u64>, Codes) {
    (offsets, wrap(codes))
}

/// The offsets and codes of all records. Each piece is translated to its place and then freed.
fn join<C: Code>(
    pieces: Vec<(Codes, Vec<u32>, Translation<'_>)>,
    n_records: usize,
) -> (Vec<u64>, Vec<C>) {
    let total = pieces.iter().map(|(codes, _, _)| codes.len()).sum();
    let mut offsets = vec![0; n_records + 1];
    let mut codes = vec![C::default(); total];
    let (mut free_codes, mut free_offsets) = (codes.as_mut_slice(), &mut offsets[1..]);
    let mut at = 0;
    let mut jobs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (codes, rest) = std::mem::take(&mut free_codes).split_at_mut(piece.0.len());
        free_codes = rest;
        let (offsets, rest) = std::mem::take(&mut free_offsets).split_at_mut(piece.1.len());
        free_offsets = rest;
        let first = at;
        at += codes.len() as u64;
        jobs.push((piece, codes, offsets, first));
    }
    jobs.into_par_iter().for_each(|((local, lengths, table), codes, offsets, first)| {
        let table = match &table {
            Translation::Shared(table) => table,
            Translation::Own(table) => table.as_slice(),
        };
        with_codes!(&local, local => {
            codes.iter_mut().zip(local)
                .for_each(|(code, local)| *code = C::narrow(table[local.widen() as usize]));
        });
        let (mut rest, mut end) = (codes, first);
        for (offset, length) in offsets.iter_mut().zip(&lengths) {
            let (set, after) = rest.split_at_mut(*length as usize);
            if !set.is_sorted() {
                set.sort_unstable();
            }
            rest = after;
            end += u64::from(*length);
            *offset = end;
        }
    });
    (offsets, codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(codes: Codes, lengths: &[u32], meaning: Meaning) -> Piece {
        Piece {
            codes,
            lengths: lengths.to_vec(),
            meaning,
            keys: Dictionary::new(),
            repeated: 0,
            missing: 0,
        }
    }

    #[test]
    fn pieces_of_all_kinds_meet() {
        let texts = |texts: &[Option<&str>]| {
            Meaning::Texts(texts.iter().map(|t| t.map(str::to_owned)).collect())
        };
        let mut pieces = Pieces::new();
        pieces
            .add(piece(Codes::U16(vec![9, 10, 70]), &[2, 0, 1], Meaning::Numbers(vec![9, 10, 70])))
            .unwrap();
        pieces
            .add(piece(Codes::U8(vec![0, 2]), &[2], texts(&[Some("x"), None, Some("9")])))
            .unwrap();
        let item = pieces.item("a").unwrap();
        pieces.add(piece(Codes::U32(vec![item]), &[1], Meaning::Items)).unwrap();
        let joined = pieces.finish().unwrap();
        // With a name among them, numbers are names too.
        assert_eq!(joined.names, ["10", "70", "9", "a", "x"]);
        let sets: Vec<Vec<u32>> = (0..5).map(|i| joined.sets.set(i)).collect();
        assert_eq!(sets, [vec![0, 2], vec![], vec![1], vec![2, 4], vec![3]]);
        assert_eq!(joined.code_of[item as usize], 3);
    }

    #[test]
    fn nothing_at_all() {
        let joined = Pieces::new().finish().unwrap();
        assert!(joined.names.is_empty() && joined.sets.is_empty() && joined.keys.is_empty());
    }
}
