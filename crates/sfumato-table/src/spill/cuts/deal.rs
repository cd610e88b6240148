//! Which partition each record goes to: a class is in one partition, so that partitions are
//! measured like tables; one that is larger than a partition goes to several of its own, in turn.
//!
//! Classes are told apart by a hash of what is published of them. Two that share one would only lie
//! in the same partition.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::hash::{HASH_START, mix};
use sfumato_io::spill::Batch;

use crate::algorithms::global::cuts::specialise::Search;

/// The partitions of all classes.
pub struct Deal {
    /// For each quasi column the number of the published value of each code.
    blocks: Vec<Vec<u32>>,
    /// The partition of each class that fits into one.
    part_of: FastMap<u64, u32>,
    /// The first partition of each class that doesn't, and how many it has.
    parts_of: FastMap<u64, (u32, u32)>,
    n_parts: usize,
}

/// Deal the classes that a search found out to partitions of at most so many records.
pub fn deal(search: &Search<'_>, partition_rows: u64) -> Deal {
    let tips = search.tips();
    let n_columns = search.columns().len();
    let hash = |leaf: usize| {
        let block = |column: usize| u64::from(tips.blocks(column)[leaf]);
        (0..n_columns).fold(HASH_START, |hash, column| mix(hash, block(column)))
    };
    let sizes = (0..tips.len()).map(|leaf| (hash(leaf), u64::from(tips.rows()[leaf])));
    let mut deal = of_sizes(sizes.collect(), partition_rows);
    deal.blocks = search.blocks_of_codes();
    deal
}

/// Large classes first, each to the emptiest partition.
fn of_sizes(mut sizes: Vec<(u64, u64)>, partition_rows: u64) -> Deal {
    let most = partition_rows.max(1);
    sizes.sort_unstable_by_key(|(hash, rows)| (Reverse(*rows), *hash));
    let mut part_of: FastMap<u64, u32> = FastMap::default();
    let mut parts_of: FastMap<u64, (u32, u32)> = FastMap::default();
    let mut n_parts = 0u32;
    let mut emptiest: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for (hash, rows) in sizes {
        if rows > most {
            let n = rows.div_ceil(most) as u32;
            parts_of.insert(hash, (n_parts, n));
            n_parts += n;
            continue;
        }
        let (load, part) = match emptiest.peek() {
            Some(Reverse((load, part))) if load + rows <= most => {
                let found = (*load, *part);
                emptiest.pop();
                found
            }
            _ => {
                n_parts += 1;
                (0, n_parts - 1)
            }
        };
        emptiest.push(Reverse((load + rows, part)));
        part_of.insert(hash, part);
    }
    Deal { blocks: Vec::new(), part_of, parts_of, n_parts: n_parts as usize }
}

impl Deal {
    /// The number of partitions.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// What sends records to their partitions; `quasi` are the places of the quasi columns.
    pub fn route(&self, quasi: Vec<usize>) -> Route<'_> {
        Route { deal: self, quasi, next: FastMap::default(), hashes: Vec::new() }
    }
}

/// Sends records to their partitions.
pub struct Route<'a> {
    deal: &'a Deal,
    quasi: Vec<usize>,
    /// Whose turn it is in classes that have several partitions.
    next: FastMap<u64, u32>,
    hashes: Vec<u64>,
}

impl Route<'_> {
    /// The partitions of some records.
    pub fn batch(&mut self, batch: &Batch<'_>, parts: &mut Vec<u32>) -> Result<()> {
        self.hashes.clear();
        self.hashes.resize(batch.n_rows, HASH_START);
        for (place, blocks) in self.quasi.iter().zip(&self.deal.blocks) {
            for (hash, &code) in self.hashes.iter_mut().zip(&batch.columns[*place]) {
                *hash = mix(*hash, u64::from(blocks[code as usize]));
            }
        }
        for hash in &self.hashes {
            let part = match self.deal.part_of.get(hash) {
                Some(part) => *part,
                None => {
                    let lost = || Error::internal("a record has no class to go to");
                    let (first, n) = *self.deal.parts_of.get(hash).ok_or_else(lost)?;
                    let turn = self.next.entry(*hash).or_default();
                    let part = first + *turn;
                    *turn = (*turn + 1) % n;
                    part
                }
            };
            parts.push(part);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_stay_together_and_partitions_fit() {
        let sizes: Vec<(u64, u64)> = (0..200).map(|class| (class, class % 7 + 1)).collect();
        let mut with_large = sizes.clone();
        with_large.push((1000, 25));
        let deal = of_sizes(with_large, 10);
        let mut load = vec![0; deal.n_parts()];
        sizes.iter().for_each(|(class, rows)| load[deal.part_of[class] as usize] += rows);
        assert!(load.iter().all(|rows| *rows <= 10));
        let (first, n) = deal.parts_of[&1000];
        assert_eq!(n, 3);
        assert!((first..first + n).all(|part| load[part as usize] == 0));
        // Not much more partitions than there must be.
        let total: u64 = sizes.iter().map(|(_, rows)| rows).sum();
        assert!(deal.n_parts() as u64 <= total.div_ceil(10) * 5 / 4 + 3);
    }
}
