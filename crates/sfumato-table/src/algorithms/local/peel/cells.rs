//! Cells: groups of the whole table that could be classes. A cell is a region with the records in
//! it and the price of being published so; a release chooses some cells and for each record one
//! that covers it.

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::traits::Join;

use super::lattice::{Lattice, Levels, Visit};
use super::records::Records;
use super::walk::Counter;
use crate::algorithms::shared::mix::mix;

/// The number of nodes that are processed together.
const BATCH: usize = 64;

/// Cells with their records.
#[derive(Default)]
pub struct Cells {
    /// The price of a record published as the cell.
    pub price: Vec<f64>,
    starts: Vec<u32>,
    members: Vec<u32>,
    /// The price below which no cell is missing.
    pub complete_below: f64,
}

impl Cells {
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.price.len()
    }
    /// The records of a cell.
    #[inline]
    pub fn members(&self, cell: u32) -> &[u32] {
        &self.members[self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize]
    }
    /// The number of members of all cells.
    pub fn n_members(&self) -> usize {
        self.members.len()
    }

    /// Add a cell.
    pub fn push(&mut self, price: f64, members: &[u32]) -> u32 {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.price.push(price);
        self.members.extend_from_slice(members);
        self.starts.push(self.members.len() as u32);
        self.price.len() as u32 - 1
    }

    /// Some of the cells.
    pub fn some(&self, wanted: &[u32]) -> Cells {
        let mut some = Cells::default();
        wanted.iter().for_each(|&cell| {
            some.push(self.price[cell as usize], self.members(cell));
        });
        some
    }

    /// For each record the cells that cover it, from cheap to expensive.
    pub fn by_record(&self, n_records: usize) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; n_records + 1];
        self.members.iter().for_each(|&record| starts[record as usize + 1] += 1);
        for record in 0..n_records {
            starts[record + 1] += starts[record];
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by(|&a, &b| self.price[a as usize].total_cmp(&self.price[b as usize]));
        let mut next = starts.clone();
        let mut cells = vec![0u32; self.members.len()];
        for cell in order {
            for &record in self.members(cell) {
                cells[next[record as usize] as usize] = cell;
                next[record as usize] += 1;
            }
        }
        (starts, cells)
    }
}

/// A group that was found at a node.
struct Group {
    /// The number of its region.
    key: u64,
    price: f64,
    /// The number of its set of records.
    content: u64,
    records: Vec<u32>,
}

/// Find all cells with at least `min_rows` rows below a price, which is as high as the allowed work
/// permits. Of cells with the same records only the cheapest is kept. The cells of `classes` are
/// added if they weren't found, and returned in the order of the classes.
pub fn find(
    records: &Records,
    lattice: &Lattice<'_>,
    min_rows: u64,
    most_members: usize,
    mut most_work: u64,
    classes: &[Vec<u32>],
) -> (Cells, Vec<u32>) {
    let everybody: Vec<u32> = (0..records.len() as u32).collect();
    let mut cells = Cells::default();
    // By their records: the sum of a random number for each.
    let mut same: FastMap<u64, u32> = FastMap::default();
    // Cells are found by their region.
    let mut at: FastMap<u64, u32> = FastMap::default();
    let mut visits = lattice.by_least_price();
    cells.complete_below = loop {
        let batch: Vec<Visit> = visits.by_ref().take(BATCH).collect();
        let work = (batch.len() * records.len()) as u64;
        let Some(first) = batch.first() else { break f64::INFINITY };
        if cells.n_members() >= most_members || work > most_work {
            break match lattice.join {
                Join::Sum => first.rank,
                Join::Product => first.rank.exp(),
            };
        }
        most_work -= work;
        let found: Vec<Vec<Group>> = batch
            .par_iter()
            .map_init(Counter::default, |counter, visit| {
                if !counter.count(records, lattice, visit, &everybody, min_rows) {
                    return Vec::new();
                }
                let groups = counter.large_groups(records, &everybody, min_rows);
                let describe = |group: Vec<u32>| {
                    let codes = records.codes(group[0]);
                    let content = group
                        .iter()
                        .fold(0u64, |sum, &record| sum.wrapping_add(mix(u64::from(record))));
                    let (key, price) =
                        (lattice.key(codes, &visit.levels), lattice.price(codes, &visit.levels));
                    Group { key, price, content, records: group }
                };
                groups.into_iter().map(describe).collect()
            })
            .collect();
        for Group { key, price, content, records } in found.into_iter().flatten() {
            let cell = match same.get(&content) {
                Some(&cell) => {
                    let known = &mut cells.price[cell as usize];
                    *known = known.min(price);
                    cell
                }
                None => {
                    let cell = cells.push(price, &records);
                    same.insert(content, cell);
                    cell
                }
            };
            at.insert(key, cell);
        }
    };
    let of_class = add_classes(records, lattice, classes, &mut cells, &at);
    (cells, of_class)
}

/// Add the cells of classes that weren't found, with all records they cover.
fn add_classes(
    records: &Records,
    lattice: &Lattice<'_>,
    classes: &[Vec<u32>],
    cells: &mut Cells,
    at: &FastMap<u64, u32>,
) -> Vec<u32> {
    let tight: Vec<(Levels, u64)> = classes
        .par_iter()
        .map(|class| {
            let levels = tight(records, lattice, class);
            let key = lattice.key(records.codes(class[0]), &levels);
            (levels, key)
        })
        .collect();
    let mut missing: FastMap<&Levels, FastMap<u64, Vec<u32>>> = FastMap::default();
    for (levels, key) in tight.iter().filter(|(_, key)| !at.contains_key(key)) {
        missing.entry(levels).or_default().insert(*key, Vec::new());
    }
    let mut nodes: Vec<(&Levels, FastMap<u64, Vec<u32>>)> = missing.into_iter().collect();
    nodes.sort_by_key(|(levels, _)| *levels);
    nodes.par_iter_mut().for_each(|(levels, covered)| {
        let tables = lattice.packed.tables(levels);
        for record in 0..records.len() as u32 {
            let parts = lattice.packed.codes(record).iter().zip(&tables);
            let key =
                parts.fold(0u64, |sum, (&code, table)| sum.wrapping_add(table[code as usize].0));
            if let Some(members) = covered.get_mut(&key) {
                members.push(record);
            }
        }
    });
    let mut added: FastMap<u64, u32> = FastMap::default();
    for (levels, covered) in nodes {
        let mut found: Vec<(u64, Vec<u32>)> = covered.into_iter().collect();
        found.sort_unstable();
        for (key, members) in found {
            let price = lattice.price(records.codes(members[0]), levels);
            added.insert(key, cells.push(price, &members));
        }
    }
    tight.iter().map(|(_, key)| *at.get(key).unwrap_or_else(|| &added[key])).collect()
}

/// The lowest node at which some records are one group.
fn tight(records: &Records, lattice: &Lattice<'_>, members: &[u32]) -> Levels {
    let first = records.codes(members[0]);
    let mut levels = vec![0u8; records.n_columns];
    for (column, level) in levels.iter_mut().enumerate() {
        let rungs = &lattice.ladders[column].rungs;
        let alike = |rung: &super::ladder::Rung| {
            let key = rung.key[first[column] as usize];
            members.iter().all(|&record| rung.key[records.codes(record)[column] as usize] == key)
        };
        *level = rungs.iter().position(alike).unwrap_or(rungs.len() - 1) as u8;
    }
    levels
}
