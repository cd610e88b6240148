//! The Gray order of sets, without numbers of as many bits as there are items.
//!
//! The first item is the highest bit. The rank of a Gray code word has, at each place, the parity
//! of the word's bits up to that place. Two words agree up to some place, and so do their ranks. At
//! the first place where they differ, one has the bit and one does not: if the bits before are even
//! in number, the word with the bit has the 1 in its rank and is the later one; if odd, the earlier
//! one. The bits before that place are the common beginning of the two ascending lists, so its
//! length decides.

use std::cmp::Ordering;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

/// Compare two ascending sets by their Gray ranks.
#[inline]
pub fn compare<C: Code>(left: &[C], right: &[C]) -> Ordering {
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let left_has_the_bit = match (left.get(common), right.get(common)) {
        (None, None) => return Ordering::Equal,
        (Some(a), Some(b)) => a < b,
        (left, _) => left.is_some(),
    };
    if left_has_the_bit == common.is_multiple_of(2) { Ordering::Greater } else { Ordering::Less }
}

/// The records in Gray order; equal sets in the order of their numbers.
pub fn order(transactions: &Transactions) -> Vec<u32> {
    let mut order: Vec<u32> = (0..transactions.len() as u32).collect();
    with_sets!(transactions, sets => order.par_sort_unstable_by(|a, b| {
        compare(sets.get(*a as usize), sets.get(*b as usize)).then(a.cmp(b))
    }));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number with each Gray code word, found by trying all.
    fn ranks(bits: u32) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; 1 << bits];
        (0..1u32 << bits).for_each(|number| ranks[(number ^ number >> 1) as usize] = number);
        ranks
    }

    #[test]
    fn every_pair_compares_as_its_ranks() {
        for bits in 0..=7 {
            let ranks = ranks(bits);
            let set = |word: u32| {
                (0..bits).filter(|item| word >> (bits - 1 - item) & 1 == 1).collect::<Vec<_>>()
            };
            let sets: Vec<Vec<u32>> = (0..1 << bits).map(set).collect();
            for (a, left) in sets.iter().enumerate() {
                for (b, right) in sets.iter().enumerate() {
                    assert_eq!(compare(left, right), ranks[a].cmp(&ranks[b]), "{left:?} {right:?}");
                }
            }
        }
    }

    #[test]
    fn all_sets_of_ten_items_lie_one_step_apart() {
        let set =
            |word: u32| (0..10).filter(|item| word >> (9 - item) & 1 == 1).collect::<Vec<_>>();
        let sets = Transactions::from_sets(10, (0..1024).map(set));
        let order = order(&sets);
        let gray: Vec<u32> = (0..1024u32).map(|number| number ^ number >> 1).collect();
        assert_eq!(order, gray);
        assert_eq!(super::super::hamming::cyclic_sum(&sets, &order), 1024);
    }
}
