//! Combinations by item: how many of those that are left contain each item, and which items must go
//! so that none is left.
//!
//! A list of combinations for each item takes the place of the MOLE-tree: leaving an item out
//! visits the combinations with it once and lowers the counts of their other items, as following
//! the links of the tree does.

/// Combinations, of which those with a suppressed item are gone.
pub(super) struct Moles {
    /// Where each combination begins among the items, and where the last one ends.
    offsets: Vec<usize>,
    items: Vec<u32>,
    is_left: Vec<bool>,
    /// The combinations with each item.
    with_item: Vec<Vec<u32>>,
    /// How many of these are left.
    left: Vec<u64>,
}

impl Moles {
    /// Gather combinations of any sizes.
    pub fn of<'a>(n_items: usize, all: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut moles = Moles {
            offsets: vec![0],
            items: Vec::new(),
            is_left: Vec::new(),
            with_item: vec![Vec::new(); n_items],
            left: vec![0; n_items],
        };
        for items in all {
            let which = moles.is_left.len() as u32;
            moles.items.extend(items);
            moles.offsets.push(moles.items.len());
            moles.is_left.push(true);
            for item in items {
                moles.with_item[*item as usize].push(which);
                moles.left[*item as usize] += 1;
            }
        }
        moles
    }

    /// How many of the combinations that are left contain an item.
    pub fn left(&self, item: u32) -> u64 {
        self.left[item as usize]
    }

    /// Leave an item out: all combinations with it are gone.
    pub fn suppress(&mut self, item: u32) {
        for which in &self.with_item[item as usize] {
            let which = *which as usize;
            if std::mem::take(&mut self.is_left[which]) {
                let items = &self.items[self.offsets[which]..self.offsets[which + 1]];
                items.iter().for_each(|other| self.left[*other as usize] -= 1);
            }
        }
    }

    /// Whether every combination with an item has another one that is suppressed.
    pub fn is_needless(&self, item: u32, is_suppressed: &[bool]) -> bool {
        self.with_item[item as usize].iter().all(|which| {
            let which = *which as usize;
            let items = &self.items[self.offsets[which]..self.offsets[which + 1]];
            items.iter().any(|other| *other != item && is_suppressed[*other as usize])
        })
    }
}
