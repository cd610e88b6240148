//! Hamming distances of sets: in how many items they differ.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::with_sets;

/// In how many items two ascending sets differ.
#[inline]
pub fn hamming<C: Code>(left: &[C], right: &[C]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        let (a, b) = (left[i], right[j]);
        // Without a branch on which is less: the outcome is as good as random.
        common += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    (left.len() + right.len() - 2 * common) as u32
}

/// The distance of each record of an order from the one before it; 0 for the first.
pub fn gaps(transactions: &Transactions, order: &[u32]) -> Vec<u32> {
    with_sets!(transactions, sets => {
        let gap = |place: usize| match place {
            0 => 0,
            _ => hamming(at(sets, order[place - 1]), at(sets, order[place])),
        };
        (0..order.len()).into_par_iter().with_min_len(1024).map(gap).collect()
    })
}

/// The sum of the distances of neighbours in an order, in which the last is next to the first.
pub fn cyclic_sum(transactions: &Transactions, order: &[u32]) -> u64 {
    let around = match (order.first(), order.last()) {
        (Some(first), Some(last)) => {
            with_sets!(transactions, sets => hamming(at(sets, *last), at(sets, *first)))
        }
        _ => 0,
    };
    u64::from(around) + gaps(transactions, order).iter().map(|gap| u64::from(*gap)).sum::<u64>()
}

#[inline]
fn at<C: Code>(sets: Sets<'_, C>, record: u32) -> &[C] {
    sets.get(record as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn distances_are_those_of_bits(left in 0u32..1 << 12, right in 0u32..1 << 12) {
            let list = |bits: u32| (0..12u8).filter(|bit| bits >> bit & 1 == 1).collect::<Vec<_>>();
            prop_assert_eq!(hamming(&list(left), &list(right)), (left ^ right).count_ones());
        }
    }

    #[test]
    fn the_sum_goes_around() {
        let sets = Transactions::from_sets(4, [vec![], vec![0], vec![0, 1, 2]]);
        assert_eq!(gaps(&sets, &[0, 1, 2]), [0, 1, 2]);
        assert_eq!(cyclic_sum(&sets, &[0, 1, 2]), 6);
        assert_eq!(cyclic_sum(&sets, &[2]), 0);
        assert_eq!(cyclic_sum(&sets, &[]), 0);
    }
}
