//! The different sets with their utilities, and what the members of a growing cluster have in
//! common.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

/// The sum of utilities. The sum of nothing is 0 and not -0, which adding up no numbers would give:
/// the order of bits must be that of numbers.
#[inline]
pub fn total(worth: impl Iterator<Item = f64>) -> f64 {
    worth.fold(0.0, |sum, worth| sum + worth)
}

/// The different sets, and how many records have each.
pub struct Points<'a, C> {
    sets: Sets<'a, C>,
    /// How many records have each set.
    pub copies: &'a [u32],
    /// The utility of an instance of each item.
    pub utilities: &'a [f64],
    /// The utility of each set.
    pub worth: Vec<f64>,
}

impl<'a, C: Code> Points<'a, C> {
    /// Make points from sets, which must differ.
    pub fn new(sets: Sets<'a, C>, copies: &'a [u32], utilities: &'a [f64]) -> Self {
        let worth = sets
            .iter()
            .map(|set| total(set.iter().map(|item| utilities[item.widen() as usize])))
            .collect();
        Points { sets, copies, utilities, worth }
    }
    /// The number of points.
    pub fn len(&self) -> usize {
        self.copies.len()
    }
    /// The items of a point.
    #[inline]
    pub fn set(&self, point: usize) -> &'a [C] {
        self.sets.get(point)
    }
    /// The utility of what a point and a cluster have in common.
    #[inline]
    pub fn common(&self, cluster: &Common, point: usize) -> f64 {
        total(self.sets.get(point).iter().map(|item| cluster.values[item.widen() as usize]))
    }
}

/// What the members of a cluster have in common.
#[derive(Debug, Clone)]
pub struct Common {
    /// The items, ascending.
    pub items: Vec<u32>,
    /// The utility of each item that all members have, and 0 for other items.
    values: Vec<f64>,
}

impl Common {
    /// The structure before any cluster begins.
    pub fn new(n_items: usize) -> Self {
        Common { items: Vec::new(), values: vec![0.0; n_items] }
    }
    /// Begin a new cluster with a set of items.
    pub fn begin<C: Code>(&mut self, set: &[C], utilities: &[f64]) {
        self.items.drain(..).for_each(|item| self.values[item as usize] = 0.0);
        self.items.extend(set.iter().map(|item| item.widen()));
        self.items.iter().for_each(|item| self.values[*item as usize] = utilities[*item as usize]);
    }
    /// Remove the items that a joining point lacks. Returns whether there were any.
    pub fn shrink<C: Code>(&mut self, set: &[C]) -> bool {
        let before = self.items.len();
        let (mut other, values) =
            (set.iter().map(|item| item.widen()).peekable(), &mut self.values);
        self.items.retain(|item| {
            while other.next_if(|next| next < item).is_some() {}
            let stays = other.next_if_eq(item).is_some();
            if !stays {
                values[*item as usize] = 0.0;
            }
            stays
        });
        self.items.len() < before
    }
    /// The utility of an item if all members have it, or else 0.
    pub fn value(&self, item: u32) -> f64 {
        self.values[item as usize]
    }
    /// Whether all members have an item.
    pub fn has(&self, item: u32) -> bool {
        self.items.binary_search(&item).is_ok()
    }
    /// The utility of all common items.
    pub fn worth(&self) -> f64 {
        total(self.items.iter().map(|item| self.values[*item as usize]))
    }
}
