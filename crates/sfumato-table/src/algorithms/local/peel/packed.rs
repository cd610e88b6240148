//! Looks up several columns at once: columns with few different combinations of values are packed
//! into one code, so that a record's group at a node takes a few look-ups instead of one per
//! column.

use sfumato_core::FastMap;
use sfumato_core::traits::Join;

use super::ladder::Ladder;
use super::records::Records;

/// The largest number of combinations of a pack, such that its table for one node stays in the fast
/// caches.
const MOST_COMBINATIONS: usize = 4096;
/// The largest number of entries of all tables of a pack.
const MOST_ENTRIES: usize = 1 << 20;

/// The contribution of a combination at some levels: to the group's number, and to the price.
pub type LevelPart = (u64, f64);

/// All columns, packed.
pub struct Packed {
    packs: Vec<Pack>,
    /// The combination of each record in each pack, one record after the other.
    codes: Vec<u32>,
}

struct Pack {
    columns: Vec<usize>,
    /// The number of levels of each column.
    n_levels: Vec<usize>,
    /// For each choice of levels, the contributions of all combinations.
    tables: Vec<Vec<LevelPart>>,
}

impl Packed {
    /// Pack the columns of records.
    pub fn new(records: &Records, ladders: &[Ladder], join: Join) -> Self {
        let mut order: Vec<usize> = (0..ladders.len()).collect();
        order.sort_by_key(|&column| (ladders[column].rungs[0].key.len(), column));
        let mut packs: Vec<(Vec<usize>, Vec<u32>, usize)> = Vec::new();
        for column in order {
            let codes: Vec<u32> =
                (0..records.len() as u32).map(|record| records.codes(record)[column]).collect();
            if let Some((columns, combined, _)) = packs.last_mut() {
                let (joined, n) = combine(combined, &codes);
                let n_levels: usize =
                    columns.iter().chain([&column]).map(|&c| ladders[c].rungs.len()).product();
                if n <= MOST_COMBINATIONS && n.saturating_mul(n_levels) <= MOST_ENTRIES {
                    columns.push(column);
                    packs.last_mut().expect("there is one").1 = joined;
                    continue;
                }
            }
            let (alone, n) = combine(&vec![0; codes.len()], &codes);
            packs.push((vec![column], alone, n));
        }
        let mut codes = vec![0u32; records.len() * packs.len()];
        for (place, (_, combined, _)) in packs.iter().enumerate() {
            combined
                .iter()
                .enumerate()
                .for_each(|(record, &code)| codes[record * packs.len() + place] = code);
        }
        let pack = |(columns, combined, _): (Vec<usize>, Vec<u32>, usize)| {
            let n = combined.iter().max().map_or(0, |&most| most as usize + 1);
            let mut example = vec![0u32; n];
            combined.iter().zip(0..).for_each(|(&code, record)| example[code as usize] = record);
            let n_levels: Vec<usize> =
                columns.iter().map(|&column| ladders[column].rungs.len()).collect();
            let table = |choice: usize| -> Vec<LevelPart> {
                let mut rest = choice;
                let levels: Vec<usize> = n_levels
                    .iter()
                    .map(|&n| {
                        let level = rest % n;
                        rest /= n;
                        level
                    })
                    .collect();
                let part = |&record: &u32| {
                    let codes = records.codes(record);
                    let rungs = columns
                        .iter()
                        .zip(&levels)
                        .map(|(&c, &level)| (&ladders[c].rungs[level], codes[c]));
                    let key = rungs
                        .clone()
                        .fold(0u64, |sum, (rung, code)| sum.wrapping_add(rung.key[code as usize]));
                    (key, join.all(rungs.map(|(rung, code)| rung.price[code as usize])))
                };
                example.iter().map(part).collect()
            };
            let tables = (0..n_levels.iter().product()).map(table).collect();
            Pack { columns, n_levels, tables }
        };
        Packed { codes, packs: packs.into_iter().map(pack).collect() }
    }

    /// The tables of a node, one per pack.
    pub fn tables(&self, levels: &[u8]) -> Vec<&[LevelPart]> {
        fn table<'p>(pack: &'p Pack, levels: &[u8]) -> &'p [LevelPart] {
            let mut choice = 0;
            for (&column, &n) in pack.columns.iter().zip(&pack.n_levels).rev() {
                choice = choice * n + levels[column] as usize;
            }
            &pack.tables[choice]
        }
        self.packs.iter().map(|pack| table(pack, levels)).collect()
    }

    /// The combinations of a record, one per pack.
    #[inline]
    pub fn codes(&self, record: u32) -> &[u32] {
        let start = record as usize * self.packs.len();
        &self.codes[start..start + self.packs.len()]
    }
}

/// Number the pairs of two columns in the order of their first appearance.
fn combine(a: &[u32], b: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: FastMap<(u32, u32), u32> = FastMap::default();
    let joined = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| {
            let next = numbers.len() as u32;
            *numbers.entry((a, b)).or_insert(next)
        })
        .collect();
    (joined, numbers.len())
}
