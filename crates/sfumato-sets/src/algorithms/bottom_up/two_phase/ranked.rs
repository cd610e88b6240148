//! The different records as words: items are ranked by what dropping them would lose, a record is
//! the list of its ranks, the worthiest first, and records stand like words in a dictionary.
//!
//! The first phase always drops the last letter of a word. So each set that it makes is a prefix of
//! a record's word, and the dictionary shows which sets can become equal.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

use crate::algorithms::bottom_up::blocks::blocks;

/// The different records.
pub struct Ranked<C> {
    /// Where each word begins among the codes, and where the last ends.
    pub offsets: Vec<u64>,
    /// The words: ranks, ascending.
    pub codes: Vec<C>,
    /// How many records have each word.
    pub sizes: Vec<u64>,
    /// For each record of the input, the number of its word.
    pub of_record: Vec<u32>,
    /// The item of each rank.
    pub items: Vec<u32>,
    /// The utility of an instance of the item of each rank.
    pub utilities: Vec<f64>,
}

/// The first letters of each word packed into a number: a sorted list that is searched instead of
/// the words.
pub struct Keys {
    keys: Vec<u64>,
    /// The number of bits of a letter, which is a rank plus 1, or 0 after the end of a word.
    bits: u32,
    /// The number of letters in a key.
    letters: usize,
}

impl<C: Code> Ranked<C> {
    /// The number of different records.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }
    /// The word with a number.
    #[inline]
    pub fn word(&self, i: usize) -> &[C] {
        &self.codes[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
    /// The letter at a depth: the rank plus 1, or 0 after the end of the word.
    #[inline]
    pub fn letter(&self, keys: &Keys, i: usize, depth: usize) -> u64 {
        if depth < keys.letters {
            let shift = keys.bits as usize * (keys.letters - 1 - depth);
            return keys.keys[i] >> shift & (u64::MAX >> (64 - keys.bits));
        }
        self.word(i).get(depth).map_or(0, |rank| u64::from(rank.widen()) + 1)
    }

    /// Find the different records of the input. Items are ranked by the utility of all their
    /// instances, the highest first, then by code.
    pub fn of(sets: Sets<'_, C>, weights: Option<&[u32]>, utilities: &[f64]) -> (Self, Keys) {
        let counts = counts(sets, weights, utilities.len());
        let worth = |item: u32| utilities[item as usize] * counts[item as usize] as f64;
        let mut items: Vec<u32> = (0..utilities.len() as u32).collect();
        items.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)).then(a.cmp(b)));
        let mut ranks = vec![C::default(); items.len()];
        items
            .iter()
            .enumerate()
            .for_each(|(rank, item)| ranks[*item as usize] = C::narrow(rank as u32));

        let mut coded = vec![C::default(); sets.codes.len()];
        blocks(&mut coded, sets.offsets).into_par_iter().for_each(|(records, piece)| {
            let mut rest = piece;
            for record in records {
                let set = sets.get(record);
                let (word, after) = rest.split_at_mut(set.len());
                word.iter_mut().zip(set).for_each(|(to, item)| *to = ranks[item.widen() as usize]);
                word.sort_unstable();
                rest = after;
            }
        });
        let utilities = items.iter().map(|item| utilities[*item as usize]).collect();
        sorted(Sets { offsets: sets.offsets, codes: &coded }, weights, items, utilities)
    }
}

/// The number of records with each item.
fn counts<C: Code>(sets: Sets<'_, C>, weights: Option<&[u32]>, n_items: usize) -> Vec<u64> {
    let mut counts = vec![0u64; n_items];
    match weights {
        None => sets.codes.iter().for_each(|item| counts[item.widen() as usize] += 1),
        Some(weights) => {
            for (set, weight) in sets.iter().zip(weights) {
                set.iter().for_each(|item| counts[item.widen() as usize] += u64::from(*weight));
            }
        }
    }
    counts
}

/// Sort words that are in the order of the records, and keep one of each.
fn sorted<C: Code>(
    words: Sets<'_, C>,
    weights: Option<&[u32]>,
    items: Vec<u32>,
    utilities: Vec<f64>,
) -> (Ranked<C>, Keys) {
    let bits = (usize::BITS - items.len().leading_zeros()).max(1);
    let letters = (64 / bits) as usize;
    let key = |word: &[C]| {
        let letter = |depth: usize| word.get(depth).map_or(0, |rank| u64::from(rank.widen()) + 1);
        (0..letters).fold(0, |key, depth| key << bits | letter(depth))
    };
    let rest = |record: u32| {
        let word = words.get(record as usize);
        &word[word.len().min(letters)..]
    };
    let numbered = |record: usize| (key(words.get(record)), record as u32);
    let mut order: Vec<(u64, u32)> = (0..words.len()).into_par_iter().map(numbered).collect();
    order.par_sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))).then(a.1.cmp(&b.1))
    });
    let same = |a: (u64, u32), b: (u64, u32)| a.0 == b.0 && rest(a.1) == rest(b.1);
    let copies: Vec<bool> =
        (0..order.len()).into_par_iter().map(|i| i > 0 && same(order[i - 1], order[i])).collect();

    let n = copies.iter().filter(|copy| !**copy).count();
    let (mut offsets, mut keys, mut firsts) =
        (Vec::with_capacity(n + 1), Vec::with_capacity(n), Vec::with_capacity(n));
    let (mut sizes, mut of_record): (Vec<u64>, Vec<u32>) =
        (Vec::with_capacity(n), vec![0; order.len()]);
    offsets.push(0u64);
    for (&(key, record), copy) in order.iter().zip(copies) {
        let weight = weights.map_or(1, |weights| u64::from(weights[record as usize]));
        if !copy {
            offsets.push(offsets[keys.len()] + words.get(record as usize).len() as u64);
            keys.push(key);
            firsts.push(record);
            sizes.push(0);
        }
        sizes[keys.len() - 1] += weight;
        of_record[record as usize] = keys.len() as u32 - 1;
    }
    drop(order);
    let mut codes = vec![C::default(); offsets[keys.len()] as usize];
    blocks(&mut codes, &offsets).into_par_iter().for_each(|(range, piece)| {
        let mut rest = piece;
        for record in &firsts[range] {
            let word = words.get(*record as usize);
            let (to, after) = rest.split_at_mut(word.len());
            to.copy_from_slice(word);
            rest = after;
        }
    });
    (Ranked { offsets, codes, sizes, of_record, items, utilities }, Keys { keys, bits, letters })
}
