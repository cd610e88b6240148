//! The different sets with what they are worth, and what a growing cluster has in common.

use sfumato_core::column::Code;
use sfumato_core::sets::Sets;

/// The sum of what items are worth. The sum of nothing is 0, not the -0 that adding up no numbers
/// gives: the order of bits must be that of numbers.
#[inline]
pub fn total(worth: impl Iterator<Item = f64>) -> f64 {
    worth.fold(0.0, |sum, worth| sum + worth)
}

/// The different sets, and how many records have each.
pub struct Points<'a, C> {
    sets: Sets<'a, C>,
    /// How many records have each.
    pub copies: &'a [u32],
    /// What an instance of each item is worth.
    pub utilities: &'a [f64],
    /// What each set is worth.
    pub worth: Vec<f64>,
}

impl<'a, C: Code> Points<'a, C> {
    /// Sets that differ.
    pub fn new(sets: Sets<'a, C>, copies: &'a [u32], utilities: &'a [f64]) -> Self {
        let worth = sets
            .iter()
            .map(|set| total(set.iter().map(|item| utilities[item.widen() as usize])))
            .collect();
        Points { sets, copies, utilities, worth }
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.copies.len()
    }
    /// The items of one.
    #[inline]
    pub fn set(&self, point: usize) -> &'a [C] {
        self.sets.get(point)
    }
    /// What a point and a cluster have in common is worth.
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
    /// What each item is worth if it is among them, else 0.
    values: Vec<f64>,
}

impl Common {
    /// Of no cluster yet.
    pub fn new(n_items: usize) -> Self {
        Common { items: Vec::new(), values: vec![0.0; n_items] }
    }
    /// Begin again, with a set of items.
    pub fn begin<C: Code>(&mut self, set: &[C], utilities: &[f64]) {
        self.items.drain(..).for_each(|item| self.values[item as usize] = 0.0);
        self.items.extend(set.iter().map(|item| item.widen()));
        self.items.iter().for_each(|item| self.values[*item as usize] = utilities[*item as usize]);
    }
    /// A point joins. Whether that made it smaller.
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
    /// What an item is worth if it is among them, else 0.
    pub fn value(&self, item: u32) -> f64 {
        self.values[item as usize]
    }
    /// Whether an item is among them.
    pub fn has(&self, item: u32) -> bool {
        self.items.binary_search(&item).is_ok()
    }
    /// What it is worth.
    pub fn worth(&self) -> f64 {
        total(self.items.iter().map(|item| self.values[*item as usize]))
    }
}
