//! Whether one set of items is contained in another.

use sfumato_core::column::Code;

/// Whether every item of the first set is in the second. Both must ascend. The sets may have codes
/// of different widths.
#[inline]
pub fn is_subset<A: Code, B: Code>(small: &[A], large: &[B]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large;
    for item in small {
        let item = item.widen();
        loop {
            let Some((next, after)) = rest.split_first() else { return false };
            rest = after;
            match next.widen().cmp(&item) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Greater => return false,
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_what_the_definition_says(
            small in prop::collection::btree_set(0u8..8, 0..5),
            large in prop::collection::btree_set(0u16..8, 0..8),
        ) {
            let (a, b): (Vec<u8>, Vec<u16>) =
                (small.iter().copied().collect(), large.iter().copied().collect());
            prop_assert_eq!(is_subset(&a, &b),
                small.iter().all(|item| large.contains(&u16::from(*item))));
        }
    }
}
