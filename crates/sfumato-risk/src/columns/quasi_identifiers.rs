//! Which columns together tell people apart: a search over sets of columns by distinction (how many
//! different combinations of values there are) and separation (how many pairs of people differ).
//!
//! All sets up to a size are examined, exactly. Beyond that size the best set is extended greedily,
//! and its separation is estimated from random pairs with a stated error.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::{Error, Result};

use super::partition::{Apart, Counters, Partition};

/// What a search looks for.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The largest number of columns of a set.
    pub largest: usize,
    /// How many of the best sets of each size are kept.
    pub keep: usize,
    /// A set is a quasi-identifier if it has at least this share of different combinations.
    pub least: f64,
    /// How many pairs are drawn for sets beyond the largest size.
    pub pairs: usize,
    /// Where drawing starts from.
    pub seed: u64,
}

/// A set of columns, and what it tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Set {
    /// The places of the columns, ascending.
    pub columns: Vec<usize>,
    /// How many different combinations of values there are.
    pub distinct: u64,
    /// How many rows agree with no other row.
    pub unique: u64,
    /// How many pairs of rows agree.
    pub alike: u64,
}

/// A set beyond the sizes that were searched, by a sample of pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The places of the columns, in the order in which they were taken.
    pub columns: Vec<usize>,
    /// The share of pairs that differ in some column of the set.
    pub separation: f64,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Search {
    /// How many rows the table has.
    pub n_rows: u64,
    /// The largest size of a set that was searched.
    pub largest: usize,
    /// How many sets of these sizes there are. All of them were examined.
    pub examined: u64,
    /// How many of them had to be counted: of the others it is known that they can't be among the
    /// best. It may differ with the number of threads.
    pub counted: u64,
    /// The best sets of each size, from 1 on.
    pub best: Vec<Vec<Set>>,
    /// Sets that reach the share asked for while no smaller part of them does; at most `keep`
    /// of each size, the best first.
    pub minimal: Vec<Set>,
    /// How many such sets there are.
    pub n_minimal: u64,
    /// The best set extended column by column.
    pub beyond: Vec<Sampled>,
    /// The separation of a sampled set is within this of the true one, each with a chance of 95 %.
    pub error: f64,
}

impl Set {
    /// The share of different combinations.
    pub fn distinction(&self, n_rows: u64) -> f64 {
        self.distinct as f64 / n_rows.max(1) as f64
    }

    /// The share of pairs of rows that differ.
    pub fn separation(&self, n_rows: u64) -> f64 {
        let pairs = n_rows as f64 * (n_rows as f64 - 1.0) / 2.0;
        if pairs > 0.0 { 1.0 - self.alike as f64 / pairs } else { 1.0 }
    }

    fn order(&self, other: &Set) -> std::cmp::Ordering {
        (other.distinct, self.alike)
            .cmp(&(self.distinct, other.alike))
            .then_with(|| self.columns.cmp(&other.columns))
    }
}

/// What one task keeps: the best sets of each size, and those that reach the share asked for.
struct Kept {
    best: Vec<Vec<Set>>,
    reached: Vec<Set>,
    counted: u64,
}

/// Search all sets of columns up to a size.
pub fn search(columns: &[Codes], asked: &Asked) -> Result<Search> {
    let n_rows = columns.first().map_or(0, Codes::len);
    if n_rows >= u32::MAX as usize {
        return Err(Error::unsupported("at most 4,294,967,294 rows can be searched"));
    }
    let largest = asked.largest.min(columns.len());
    // Columns with many values first: what they tell soon rules out what others can't.
    let mut order: Vec<(u64, usize)> = columns
        .iter()
        .enumerate()
        .map(|(at, codes)| (codes.iter().max().map_or(0, |code| u64::from(code) + 1), at))
        .collect();
    order.sort_by_key(|(values, at)| (std::cmp::Reverse(*values), *at));
    let sought = Sought {
        columns,
        order,
        asked,
        largest,
        n_rows: n_rows as u64,
        worst_kept: (0..largest).map(|_| AtomicU64::new(0)).collect(),
    };
    let everybody = Partition::of((0..n_rows as u32).collect());
    let parts: Vec<Kept> =
        (0..columns.len()).into_par_iter().map(|first| sought.from(&everybody, first)).collect();
    let mut best = vec![Vec::new(); largest];
    let (mut reached, mut counted) = (Vec::new(), 0);
    for part in parts {
        counted += part.counted;
        reached.extend(part.reached);
        for (size, sets) in part.best.into_iter().enumerate() {
            best[size].extend(sets);
        }
    }
    for sets in &mut best {
        sets.sort_by(Set::order);
        sets.truncate(asked.keep);
    }
    let all = minimal(reached);
    let n_minimal = all.len() as u64;
    let mut minimal: Vec<Set> = Vec::new();
    for size in 1..=largest {
        let mut of_size: Vec<Set> =
            all.iter().filter(|set| set.columns.len() == size).cloned().collect();
        of_size.sort_by(Set::order);
        minimal.extend(of_size.into_iter().take(asked.keep));
    }
    let start = best.last().and_then(|sets| sets.first()).map(|set| set.columns.clone());
    let (beyond, error) = beyond(columns, n_rows, start.unwrap_or_default(), asked);
    let examined = (1..=largest).map(|size| choose(columns.len(), size)).sum();
    Ok(Search {
        n_rows: n_rows as u64,
        largest,
        examined,
        counted,
        best,
        minimal,
        n_minimal,
        beyond,
        error,
    })
}

/// The number of sets of a size.
fn choose(n: usize, size: usize) -> u64 {
    (0..size as u64).fold(1u64, |all, i| all.saturating_mul(n as u64 - i) / (i + 1))
}

struct Sought<'a> {
    columns: &'a [Codes],
    /// How many values each column has and its place, those with the most values first.
    order: Vec<(u64, usize)>,
    asked: &'a Asked,
    largest: usize,
    n_rows: u64,
    /// By size, how many combinations a set must have to be among the best at all. It only rises,
    /// so that a set that is left out can't be one of the best: threads don't change the result.
    worst_kept: Vec<AtomicU64>,
}

/// A set on the way, with the rows that it doesn't tell apart.
struct Way<'p> {
    partition: &'p Partition,
    /// Rows that are alone already.
    alone: u64,
    /// Whether the set reaches the share asked for, so that no larger one is minimal.
    reaches: bool,
}

impl Sought<'_> {
    /// All sets whose first column, in the order of the search, is given.
    fn from(&self, everybody: &Partition, first: usize) -> Kept {
        let mut kept =
            Kept { best: vec![Vec::new(); self.largest], reached: Vec::new(), counted: 0 };
        if self.largest > 0 {
            let alone = if everybody.is_empty() { self.n_rows } else { 0 };
            let way = Way { partition: everybody, alone, reaches: false };
            self.extend(&way, first, &mut Vec::new(), &mut kept, &mut Counters::default());
        }
        kept
    }

    /// Whether a set of a size with at most so many combinations may be worth counting.
    fn may_matter(&self, size: usize, most: u64, part_reaches: bool) -> bool {
        let reaches = most as f64 >= self.asked.least * self.n_rows as f64;
        (reaches && !part_reaches) || most >= self.worst_kept[size - 1].load(Ordering::Relaxed)
    }

    /// Add a column to a set, and then every column behind it.
    fn extend(
        &self,
        way: &Way<'_>,
        at: usize,
        set: &mut Vec<usize>,
        kept: &mut Kept,
        counters: &mut Counters,
    ) {
        let (_, column) = self.order[at];
        let codes = &self.columns[column];
        set.push(column);
        let apart = way.partition.apart(codes, counters);
        let reaches = self.note(set, way, apart, kept) || way.reaches;
        // How many combinations one column more can make: each group falls into at most as many
        // parts as the column has values.
        let alone = way.alone + apart.alone;
        let (groups, rows) = (apart.groups - apart.alone, self.n_rows - alone);
        let most = |values: u64| alone + rows.min(groups.saturating_mul(values));
        let size = set.len() + 1;
        let matters = |next: &usize| {
            // A set that is no end may matter by what is below it.
            size < self.largest || self.may_matter(size, most(self.order[*next].0), reaches)
        };
        let is_end = set.len() == self.largest;
        if !is_end && (at + 1..self.order.len()).any(|next| matters(&next)) {
            let refined = way.partition.refine(codes, counters, |_| {});
            let way = Way { partition: &refined, alone, reaches };
            for next in at + 1..self.order.len() {
                if matters(&next) {
                    self.extend(&way, next, set, kept, counters);
                }
            }
        }
        set.pop();
    }

    /// Note what a set tells. Whether it reaches the share asked for.
    fn note(&self, columns: &[usize], way: &Way<'_>, apart: Apart, kept: &mut Kept) -> bool {
        kept.counted += 1;
        let distinct = way.alone + apart.groups;
        let reaches = distinct as f64 >= self.asked.least * self.n_rows as f64;
        let size = columns.len();
        let least = self.worst_kept[size - 1].load(Ordering::Relaxed);
        let (is_best, is_first) = (distinct >= least, reaches && !way.reaches);
        if !is_best && !is_first {
            return reaches;
        }
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        let set = Set { columns, distinct, unique: way.alone + apart.alone, alike: apart.pairs };
        if is_best {
            let best = &mut kept.best[size - 1];
            best.push(set.clone());
            if best.len() > 4 * self.asked.keep.max(16) {
                best.sort_by(Set::order);
                best.truncate(self.asked.keep);
                let worst = best.last().map_or(0, |set| set.distinct);
                self.worst_kept[size - 1].fetch_max(worst, Ordering::Relaxed);
            }
        }
        if is_first {
            kept.reached.push(set);
        }
        reaches
    }
}

/// Of some sets, those that hold no other one.
fn minimal(mut sets: Vec<Set>) -> Vec<Set> {
    sets.sort_by(|a, b| {
        a.columns.len().cmp(&b.columns.len()).then_with(|| a.columns.cmp(&b.columns))
    });
    let mut minimal: Vec<Set> = Vec::new();
    for set in sets {
        let holds = |smaller: &Set| smaller.columns.iter().all(|c| set.columns.contains(c));
        if !minimal.iter().any(holds) {
            minimal.push(set);
        }
    }
    minimal
}

/// The chance that a bound on the error is kept.
const CONFIDENCE: f64 = 0.95;

/// Extend a set by the column that separates most of the pairs that it doesn't, until all columns
/// are taken or all pairs differ. The bound on the error is Hoeffding's, for the last step too: it
/// holds for each set by itself.
fn beyond(
    columns: &[Codes],
    n_rows: usize,
    start: Vec<usize>,
    asked: &Asked,
) -> (Vec<Sampled>, f64) {
    if n_rows < 2 || asked.pairs == 0 || start.len() >= columns.len() {
        return (Vec::new(), 0.0);
    }
    let mut draw = Draw(asked.seed ^ 0x9e37_79b9_7f4a_7c15);
    let pairs: Vec<(u32, u32)> = (0..asked.pairs)
        .map(|_| {
            let a = draw.below(n_rows as u64) as u32;
            // The other one of the rest, each equally likely.
            let b = draw.below(n_rows as u64 - 1) as u32;
            (a, if b >= a { b + 1 } else { b })
        })
        .collect();
    let differs = |column: usize, (a, b): (u32, u32)| {
        columns[column].get(a as usize) != columns[column].get(b as usize)
    };
    let mut set = start;
    let is_alike = |pair: &(u32, u32)| !set.iter().any(|column| differs(*column, *pair));
    let mut left: Vec<(u32, u32)> = pairs.iter().copied().filter(is_alike).collect();
    let mut beyond = Vec::new();
    while !left.is_empty() && set.len() < columns.len() {
        let separates =
            |column: &usize| left.iter().filter(|pair| differs(*column, **pair)).count();
        let rest = (0..columns.len()).filter(|column| !set.contains(column));
        // The first of those that separate most.
        let Some(best) = rest.rev().max_by_key(separates) else { break };
        set.push(best);
        left.retain(|pair| !differs(best, *pair));
        let separation = 1.0 - left.len() as f64 / asked.pairs as f64;
        beyond.push(Sampled { columns: set.clone(), separation });
    }
    let error = ((2.0 / (1.0 - CONFIDENCE)).ln() / (2.0 * asked.pairs as f64)).sqrt();
    (beyond, error)
}

/// Numbers drawn from a seed (splitmix). They protect nothing.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The high half of the product: its bias is below n / 2^64.
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{alike, columns, rows};
    use super::*;

    fn naive(rows: &[Vec<u8>], mask: u32) -> Set {
        let mut keys: Vec<Vec<u8>> = rows
            .iter()
            .map(|row| (0..row.len()).filter(|at| mask >> at & 1 == 1).map(|at| row[at]).collect())
            .collect();
        let sizes: Vec<usize> = (0..rows.len()).map(|row| alike(rows, row, mask)).collect();
        keys.sort();
        keys.dedup();
        Set {
            columns: (0..rows[0].len()).filter(|at| mask >> at & 1 == 1).collect(),
            distinct: keys.len() as u64,
            unique: sizes.iter().filter(|size| **size == 1).count() as u64,
            alike: sizes.iter().map(|size| size - 1).sum::<usize>() as u64 / 2,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]
        #[test]
        fn the_best_and_the_minimal_are_found(
            rows in rows(5), largest in 1usize..6, keep in 1usize..5, least in 0.2f64..1.0,
        ) {
            let n = rows[0].len();
            let asked = Asked { largest, keep, least, pairs: 50, seed: 1 };
            let found = search(&columns(&rows), &asked).unwrap();
            let all: Vec<Set> = (1u32..1 << n)
                .filter(|mask| mask.count_ones() as usize <= largest)
                .map(|mask| naive(&rows, mask)).collect();
            prop_assert_eq!(found.examined as usize, all.len());
            prop_assert!(found.counted <= found.examined);
            for size in 1..=largest.min(n) {
                let mut of_size: Vec<Set> =
                    all.iter().filter(|set| set.columns.len() == size).cloned().collect();
                of_size.sort_by(Set::order);
                of_size.truncate(keep);
                prop_assert_eq!(&found.best[size - 1], &of_size);
            }
            let reaches = |set: &&Set| set.distinct as f64 >= least * rows.len() as f64;
            let is_minimal = |set: &&Set| !all.iter().filter(reaches).any(|other| {
                other.columns.len() < set.columns.len()
                    && other.columns.iter().all(|c| set.columns.contains(c))
            });
            let minimal = all.iter().filter(reaches).filter(is_minimal).count();
            prop_assert_eq!(found.n_minimal as usize, minimal);
            for set in &found.best[0] {
                let n = rows.len() as u64;
                prop_assert!((0.0..=1.0).contains(&set.separation(n)));
                prop_assert!(set.distinction(n) <= 1.0);
            }
        }
    }

    #[test]
    fn beyond_the_sizes_searched_pairs_are_sampled() {
        let mut draw = Draw(7);
        let rows: Vec<Vec<u8>> =
            (0..400).map(|_| (0..6).map(|_| draw.below(2) as u8).collect()).collect();
        let asked = Asked { largest: 2, keep: 3, least: 0.9, pairs: 20_000, seed: 3 };
        let columns = columns(&rows);
        let found = search(&columns, &asked).unwrap();
        assert_eq!(found.beyond.len(), 4, "to the last of six columns");
        assert!(found.error < 0.01, "{}", found.error);
        for sampled in &found.beyond {
            let mask = sampled.columns.iter().map(|column| 1u32 << column).sum();
            let exact = naive(&rows, mask).separation(400);
            assert!((sampled.separation - exact).abs() <= found.error, "{sampled:?} {exact}");
        }
        assert_eq!(search(&columns, &asked).unwrap().beyond, found.beyond);
    }
}
