//! The paper's data sets or their substitutes, and larger ones made from them.

use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_io::{BasketLayout, BasketOptions, ItemKind, read_baskets};

use crate::bench::RandomStream;
use crate::bench::baskets::{read, sample};
use crate::figure::{Settings, Size};

/// How probable it is that a copy has another item instead of one it should have.
const REPLACED: (usize, usize) = (1, 20);

/// The records of the paper's Pumsb: as many are taken of what stands in for it.
const PUMSB_RECORDS: usize = 49_046;

/// A data set.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// What tables call it.
    pub name: &'static str,
    /// Where it is in the data folder.
    pub file: &'static str,
    /// How many items a query of type I and one of type II has.
    pub query_items: [usize; 2],
}

pub const CHESS: Source =
    Source { name: "Chess", file: "setvalued/chess.dat.gz", query_items: [3, 4] };
pub const PUMSB: Source = Source {
    name: "Pumsb, first 4,334 records",
    file: "setvalued/pumsb_first4334.dat.gz",
    query_items: [1, 5],
};
pub const CENSUS: Source = Source {
    name: "Census-Income for Pumsb",
    file: "relational/census-income-kdd_299285.csv.gz",
    query_items: [1, 5],
};

/// The substitute for Pumsb. The smallest runs leave the census out, since reading it takes longer
/// than they may.
pub fn for_pumsb(settings: &Settings<'_>) -> Vec<Source> {
    match settings.size {
        Size::Tiny => vec![PUMSB],
        Size::Quick | Size::Full => vec![PUMSB, CENSUS],
    }
}

/// All data sets of a run, in the order of the figures.
pub fn sources(settings: &Settings<'_>) -> Vec<Source> {
    [for_pumsb(settings), vec![CHESS]].concat()
}

impl Source {
    /// As many random records as an experiment of this size uses.
    pub fn read(&self, settings: &Settings<'_>) -> Result<Transactions> {
        let all =
            if self.file == CENSUS.file { census(settings)? } else { read(self.file, settings)? };
        Ok(sample(all, settings.pick(240, 10_000, PUMSB_RECORDS), settings.seed_of(&[1])))
    }
}

/// Every value of every column an item, as in Pumsb; but the weight of a record, which says nothing
/// of a person.
fn census(settings: &Settings<'_>) -> Result<Transactions> {
    let path = settings.data.join(CENSUS.file).display().to_string();
    let layout =
        BasketLayout::Table { columns: vec![], rest: Some(ItemKind::Categorical), key: None };
    let options = BasketOptions { dropped: vec!["MARSUPWT".into()], ..BasketOptions::default() };
    Ok(read_baskets(&path, &layout, &options, settings.observer)?.sets)
}

/// `times` times the records: once as they are, then copies in which each item is replaced by a
/// random one with a probability of 1 in 20. Sizes of records stay.
pub fn multiplied(sets: &Transactions, times: usize, seed: u64) -> Transactions {
    let mut random = RandomStream::new(seed);
    let n_items = sets.n_items();
    let mut builder = Builder::new(n_items);
    with_sets!(sets, sets => sets.iter().for_each(|set| builder.push(set)));
    for _ in 1..times {
        for record in 0..sets.len() {
            builder.push(&perturbed(sets.set(record), n_items, &mut random));
        }
    }
    builder.finish()
}

fn perturbed(mut set: Vec<u32>, n_items: usize, random: &mut RandomStream) -> Vec<u32> {
    for place in 0..set.len() {
        // A record that has every item has nothing to take instead.
        if random.below(REPLACED.1) < REPLACED.0 && set.len() < n_items {
            set[place] = loop {
                let item = random.below(n_items) as u32;
                if !set.contains(&item) {
                    break item;
                }
            };
        }
    }
    set.sort_unstable();
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_differ_a_little_and_keep_their_sizes() {
        let sets = Transactions::from_sets(
            40,
            (0..200).map(|i| (0..20).map(|item| (item + i) % 40).collect()),
        );
        let more = multiplied(&sets, 4, 1);
        assert_eq!((more.len(), more.n_instances()), (800, 4 * sets.n_instances()));
        let kept = |record: usize| {
            let original = sets.set(record % 200);
            more.set(record).iter().filter(|item| original.contains(item)).count()
        };
        assert!((0..200).all(|record| kept(record) == 20));
        // Of 12,000 items of the copies 600 are replaced on average, with a standard deviation of
        // 24.
        let replaced: usize = (200..800).map(|record| 20 - kept(record)).sum();
        assert!((480..720).contains(&replaced), "{replaced}");
        assert_ne!(more, multiplied(&sets, 4, 2));
        let full = Transactions::from_sets(3, vec![vec![0, 1, 2]; 50]);
        assert_eq!(multiplied(&full, 2, 1), Transactions::from_sets(3, vec![vec![0, 1, 2]; 100]));
    }
}
