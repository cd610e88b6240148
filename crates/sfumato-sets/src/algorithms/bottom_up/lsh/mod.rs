//! Locality sensitive hashing of sparse sets: tables in which sets that share items tend to share a
//! bucket. Sets can be removed.

mod hash;

use sfumato_core::column::Code;
use sfumato_core::registry::{ParamKind, ParamSpec, Params};

use self::hash::Hash;
use super::neighbours::Probes;
use super::points::Points;
use sfumato_kernels::seeded::Seeded;

/// The parameter for the number of hash tables.
pub const TABLES: ParamSpec = ParamSpec::with_default(
    "tables",
    ParamKind::Integer { min: 1, max: 64 },
    "5",
    "hash tables of the index",
);
/// The parameter for the number of bits of a key.
pub const BITS: ParamSpec = ParamSpec::optional(
    "bits",
    ParamKind::Integer { min: 1, max: 24 },
    "bits of a hash key; log2(tables x n / queries) if left out, and 5 more with probes=cluster",
);
/// The parameter for the number of neighbours to examine.
pub const QUERIES: ParamSpec = ParamSpec::optional(
    "queries",
    ParamKind::Integer { min: 1, max: 1_000_000 },
    "neighbours that a search should look at; 50 ln(n) if left out",
);

/// The size of an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// The number of hash tables.
    pub tables: usize,
    /// The number of bits of a key.
    pub bits: u32,
    /// The number of neighbours that a search should examine.
    pub queries: usize,
}

impl Size {
    /// The size for `n` sets, from the parameters.
    pub fn of(params: &Params, n: usize, probes: Probes) -> Self {
        let tables = params.integer("tables") as usize;
        let queries = queries(params, n);
        let even = (tables as f64 * n as f64 / queries as f64).log2().round().clamp(1.0, 20.0);
        let usual = even as u32 + probes.more_bits();
        let bits = params.optional_integer("bits").map_or(usual, |bits| bits as u32);
        Size { tables, bits, queries }
    }
}

/// The number of neighbours that a search should examine.
pub fn queries(params: &Params, n: usize) -> usize {
    let usual = (50.0 * (n.max(2) as f64).ln()).round() as usize;
    params.optional_integer("queries").map_or(usual, |queries| queries as usize)
}

struct Table {
    keys: Vec<u32>,
    /// Where each bucket begins, and where the last ends.
    starts: Vec<u32>,
    /// The sets in the buckets. In each bucket, removed sets stand behind the others.
    entries: Vec<u32>,
    /// How many sets of each bucket remain.
    left: Vec<u32>,
    /// The place of each set.
    places: Vec<u32>,
}

impl Table {
    fn new<C: Code>(points: &Points<'_, C>, hash: &Hash, bits: u32) -> Self {
        let n = points.len();
        let keys: Vec<u32> = (0..n)
            .map(|point| hash.key(points.set(point).iter().map(|item| item.widen())))
            .collect();
        let mut starts = vec![0u32; (1 << bits) + 1];
        keys.iter().for_each(|key| starts[*key as usize + 1] += 1);
        let left = starts[1..].to_vec();
        (0..left.len()).for_each(|key| starts[key + 1] += starts[key]);
        let (mut next, mut entries, mut places) = (starts.clone(), vec![0u32; n], vec![0u32; n]);
        for (point, key) in keys.iter().enumerate() {
            let place = &mut next[*key as usize];
            entries[*place as usize] = point as u32;
            places[point] = *place;
            *place += 1;
        }
        Table { keys, starts, entries, left, places }
    }

    fn bucket(&self, key: u32) -> &[u32] {
        let start = self.starts[key as usize] as usize;
        &self.entries[start..start + self.left[key as usize] as usize]
    }

    fn remove(&mut self, point: u32) {
        let key = self.keys[point as usize] as usize;
        let place = self.places[point as usize];
        self.left[key] -= 1;
        let last = self.starts[key] + self.left[key];
        let other = self.entries[last as usize];
        self.entries.swap(place as usize, last as usize);
        self.places[other as usize] = place;
        self.places[point as usize] = last;
    }
}

/// An index of sets.
pub struct Index {
    tables: Vec<Table>,
    bits: u32,
}

impl Index {
    /// Make an index of all points, with random hash functions.
    pub fn new<C: Code>(points: &Points<'_, C>, size: Size, random: &mut Seeded) -> Self {
        let n = points.copies.iter().map(|copies| f64::from(*copies)).sum::<f64>().max(1.0);
        let mut counts = vec![0u64; points.utilities.len()];
        for point in 0..points.len() {
            let copies = u64::from(points.copies[point]);
            points.set(point).iter().for_each(|item| counts[item.widen() as usize] += copies);
        }
        let frequencies: Vec<f64> = counts.iter().map(|count| *count as f64 / n).collect();
        let table =
            |_| Table::new(points, &Hash::random(&frequencies, size.bits, random), size.bits);
        Index { tables: (0..size.tables).map(table).collect(), bits: size.bits }
    }

    /// Remove a point.
    pub fn remove(&mut self, point: usize) {
        self.tables.iter_mut().for_each(|table| table.remove(point as u32));
    }

    /// The buckets of a point, table after table.
    pub fn buckets(&self, point: usize) -> impl Iterator<Item = &[u32]> {
        self.tables.iter().map(move |table| table.bucket(table.keys[point]))
    }

    /// The buckets whose key differs from that of a point in one bit.
    pub fn near_buckets(&self, point: usize) -> impl Iterator<Item = &[u32]> {
        let flipped =
            (0..self.bits).flat_map(move |bit| self.tables.iter().map(move |table| (table, bit)));
        flipped.map(move |(table, bit)| table.bucket(table.keys[point] ^ 1 << bit))
    }
}

#[cfg(test)]
mod tests {
    use crate::data::Collapsed;
    use sfumato_core::transactions::{Sets, Transactions};

    use super::*;

    #[test]
    fn equal_sets_collide_and_sets_leave() {
        let mut random = Seeded::new(5);
        let list = |_| (0..30u32).filter(|_| random.below(4) == 0).collect::<Vec<u32>>();
        let lists: Vec<Vec<u32>> = (0..200).map(list).collect();
        let all = Transactions::from_sets(30, lists);
        let collapsed = Collapsed::of(&all);
        let sfumato_core::column::Codes::U8(codes) = collapsed.sets.parts().1 else {
            panic!("30 items are bytes")
        };
        let sets = Sets { offsets: collapsed.sets.parts().0, codes };
        let points = Points::new(sets, &collapsed.weights, &[1.0; 30]);
        let size = Size { tables: 3, bits: 4, queries: 10 };
        let mut index = Index::new(&points, size, &mut Seeded::new(1));
        for point in 0..points.len() {
            let own = index.buckets(point).filter(|bucket| bucket.contains(&(point as u32)));
            assert_eq!(own.count(), 3);
            assert!(index.near_buckets(point).all(|bucket| !bucket.contains(&(point as u32))));
        }
        for point in (0..points.len()).step_by(2) {
            index.remove(point);
        }
        for point in 0..points.len() {
            assert!(index.buckets(point).flatten().all(|other| other % 2 == 1));
            let own =
                index.buckets(point).filter(|bucket| bucket.contains(&(point as u32))).count();
            assert_eq!(own, if point % 2 == 1 { 3 } else { 0 });
        }
    }
}
