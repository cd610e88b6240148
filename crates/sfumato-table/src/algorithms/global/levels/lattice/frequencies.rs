//! A frequency set: the different records of a table at some node of the lattice, with the number
//! of rows that each stands for. The set of any node above follows from it without reading the rows
//! again (roll-up).

use rayon::prelude::*;
use sfumato_core::dataset::Column;

use super::ladder::Ladder;
use super::packed::{Layout, Numbering, Packed, Raiser};
use crate::algorithms::global::shared::groups::Groups;

/// A node of the lattice: one level per column.
pub type Node = Vec<u8>;

/// The different records at a node.
pub struct Frequencies<const W: usize> {
    /// The node.
    pub node: Node,
    /// The records: for each column a number of its level's values.
    pub records: Vec<Packed<W>>,
    /// How many rows each record stands for.
    pub rows: Vec<u32>,
    /// For each counted column, how often its codes occur in each record.
    pub pairs: Vec<Pairs>,
}

/// How often codes occur in records, by record and code: `count[i]` rows of the record `record[i]`
/// have `code[i]`.
#[derive(Default)]
pub struct Pairs {
    /// How many codes the column has.
    pub n_codes: usize,
    /// The record of each pair.
    pub record: Vec<u32>,
    /// The code of each pair.
    pub code: Vec<u32>,
    /// The number of rows of each pair.
    pub count: Vec<u32>,
}

/// The largest table of records times codes that is counted without sorting.
const MOST_DENSE: usize = 1 << 22;

impl<const W: usize> Frequencies<W> {
    /// The records of a table without generalization, with the codes of some columns counted.
    pub fn of_table(
        quasi: &[&Column],
        ladders: &[Ladder],
        layout: &Layout,
        n_rows: usize,
        counted: &[&Column],
    ) -> Self {
        let tables = || {
            quasi.iter().zip(ladders).map(|(column, ladder)| {
                let level = &ladder.levels[0];
                (&column.codes, level.of_code.as_slice(), level.values.len())
            })
        };
        let groups = Groups::of_columns(n_rows, tables());
        let mut records = vec![Packed::ZERO; groups.len()];
        for (place, (codes, table, _)) in tables().enumerate() {
            for (record, &row) in records.iter_mut().zip(&groups.example) {
                layout.set(record, place, table[codes.get(row as usize) as usize]);
            }
        }
        // In this order records that are alike higher up mostly stand near each other, and grouping
        // them stays in the fast caches.
        let mut order: Vec<u32> = (0..records.len() as u32).collect();
        order.par_sort_unstable_by(|&a, &b| {
            records[a as usize].words().cmp(records[b as usize].words())
        });
        let records = order.iter().map(|&group| records[group as usize]).collect();
        let rows = order.iter().map(|&group| groups.rows[group as usize] as u32).collect();
        let mut place_of = vec![0u32; groups.len()];
        order.iter().zip(0..).for_each(|(&group, place)| place_of[group as usize] = place);
        let of_row: Vec<u32> =
            groups.of_row.iter().map(|&group| place_of[group as usize]).collect();
        let pairs = counted.iter().map(|column| {
            let n_codes = column.domain.len() + 1;
            let code: Vec<u32> = column.codes.iter().collect();
            let ones = vec![1u32; n_rows];
            Pairs::add_up(n_codes, groups.len(), &of_row, &code, &ones)
        });
        Frequencies { node: vec![0; quasi.len()], records, rows, pairs: pairs.collect() }
    }

    /// The number of different records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a node is above this one or the same.
    pub fn is_below(&self, node: &[u8]) -> bool {
        self.node.iter().zip(node).all(|(mine, other)| mine <= other)
    }

    fn raiser(&self, ladders: &[Ladder], layout: &Layout, node: &[u8]) -> Raiser {
        let up = |column: usize| {
            let (from, to) = (self.node[column], node[column]);
            (to > from).then(|| raise(&ladders[column], from, to))
        };
        layout.raiser(&(0..node.len()).map(up).collect::<Vec<_>>())
    }

    /// The set of a node above.
    pub fn roll_up(&self, ladders: &[Ladder], layout: &Layout, node: &[u8]) -> Self {
        let raiser = self.raiser(ladders, layout, node);
        let raised = |place: usize| raiser.raise(&self.records[place]);
        let grouped = group(self.len(), raised, &self.rows, !self.pairs.is_empty());
        let Grouped { records, rows, number_of } = grouped;
        let pairs = self.pairs.iter().map(|pairs| {
            let record: Vec<u32> =
                pairs.record.iter().map(|&record| number_of[record as usize]).collect();
            Pairs::add_up(pairs.n_codes, rows.len(), &record, &pairs.code, &pairs.count)
        });
        let pairs = pairs.collect();
        Frequencies { node: node.to_vec(), records, rows, pairs }
    }
}

/// The result of grouping equal records.
struct Grouped<const W: usize> {
    records: Vec<Packed<W>>,
    rows: Vec<u32>,
    /// The number of each input record, if asked for.
    number_of: Vec<u32>,
}

/// The number of records above which pieces are grouped in parallel, and then the groups of the
/// pieces.
const MOST_AT_ONCE: usize = 1 << 15;
/// The number of pieces, whatever the number of threads.
const PIECES: usize = 8;

/// Group equal records.
fn group<const W: usize>(
    n: usize,
    record: impl Fn(usize) -> Packed<W> + Sync,
    rows: &[u32],
    with_numbers: bool,
) -> Grouped<W> {
    let of_piece = |piece: std::ops::Range<usize>| {
        let mut grouped = Grouped { records: Vec::new(), rows: Vec::new(), number_of: Vec::new() };
        let mut numbering = Numbering::default();
        for place in piece {
            let number = numbering.number(record(place));
            add(&mut grouped.rows, number, rows[place]);
            if with_numbers {
                grouped.number_of.push(number);
            }
        }
        grouped.records = numbering.keys;
        grouped
    };
    if n <= MOST_AT_ONCE {
        return of_piece(0..n);
    }
    let bounds = |piece: usize| piece * n / PIECES..(piece + 1) * n / PIECES;
    let pieces: Vec<Grouped<W>> =
        (0..PIECES).into_par_iter().map(|piece| of_piece(bounds(piece))).collect();
    let mut all = Grouped { records: Vec::new(), rows: Vec::new(), number_of: Vec::new() };
    let mut numbering = Numbering::default();
    for piece in pieces {
        let numbers: Vec<u32> =
            piece.records.iter().map(|record| numbering.number(*record)).collect();
        numbers
            .iter()
            .zip(&piece.rows)
            .for_each(|(&number, &rows)| add(&mut all.rows, number, rows));
        all.number_of.extend(piece.number_of.iter().map(|&number| numbers[number as usize]));
    }
    all.records = numbering.keys;
    all
}

fn add(rows: &mut Vec<u32>, number: u32, more: u32) {
    match rows.get_mut(number as usize) {
        Some(rows) => *rows += more,
        None => rows.push(more),
    }
}

impl Pairs {
    /// Add up counts of equal pairs of record and code.
    fn add_up(
        n_codes: usize,
        n_records: usize,
        record: &[u32],
        code: &[u32],
        count: &[u32],
    ) -> Self {
        let mut pairs = Pairs { n_codes, ..Pairs::default() };
        let mut push = |key: usize, count: u32| {
            pairs.record.push((key / n_codes) as u32);
            pairs.code.push((key % n_codes) as u32);
            pairs.count.push(count);
        };
        let key = |i: usize| record[i] as usize * n_codes + code[i] as usize;
        if n_records * n_codes <= MOST_DENSE.min(16 * record.len()) {
            let mut counts = vec![0u32; n_records * n_codes];
            (0..record.len()).for_each(|i| counts[key(i)] += count[i]);
            counts.iter().enumerate().filter(|(_, n)| **n > 0).for_each(|(key, &n)| push(key, n));
        } else {
            let mut order: Vec<(usize, u32)> =
                (0..record.len()).map(|i| (key(i), count[i])).collect();
            order.sort_unstable();
            for same in order.chunk_by(|a, b| a.0 == b.0) {
                push(same[0].0, same.iter().map(|(_, n)| n).sum());
            }
        }
        pairs
    }

    /// The pairs of code and count of each record, in order. Every record has at least one.
    pub fn by_record(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = (u32, u64)> + Clone + '_> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            let first = *self.record.get(start)?;
            let end =
                start + self.record[start..].iter().take_while(|&&record| record == first).count();
            let part = start..end;
            start = end;
            Some(part.map(|i| (self.code[i], u64::from(self.count[i]))))
        })
    }
}

/// For each value of a level, its value at a higher level.
fn raise(ladder: &Ladder, from: u8, to: u8) -> Vec<u32> {
    let to = &ladder.levels[to as usize];
    ladder.levels[from as usize].example.iter().map(|&code| to.of_code[code as usize]).collect()
}
