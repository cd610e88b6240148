//! A set of splits.

/// The number of a split.
pub type Item = u32;

/// A set of splits, one bit each.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Items(Vec<u64>);

impl Items {
    /// The empty set for `n` splits.
    pub fn none(n: usize) -> Self {
        Items(vec![0; n.div_ceil(64)])
    }
    /// The set of all `n` splits.
    pub fn all(n: usize) -> Self {
        let mut items = Items::none(n);
        (0..n as Item).for_each(|item| items.insert(item));
        items
    }
    /// Whether the set contains a split.
    #[inline]
    pub fn contains(&self, item: Item) -> bool {
        self.0[item as usize / 64] >> (item % 64) & 1 == 1
    }
    /// Add a split.
    pub fn insert(&mut self, item: Item) {
        self.0[item as usize / 64] |= 1 << (item % 64);
    }
    /// Remove a split.
    pub fn remove(&mut self, item: Item) {
        self.0[item as usize / 64] &= !(1 << (item % 64));
    }
    /// The number of splits in the set.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    /// The splits of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = Item> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let place = place as Item * 64;
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| place + rest.trailing_zeros())
        })
    }
    /// The splits of this set that aren't in the other.
    pub fn minus(&self, other: &Items) -> Items {
        Items(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }
}
