//! The rules of `set-mondrian` for choosing the item on which a class is split.

use sfumato_core::column::Code;

use super::ahead::Look;

/// A rule for choosing items to split on.
pub trait Rule: Sync {
    /// The state of the rule while a class is split again and again.
    type Picker<C: Code>: Picker<C, Self>;
    /// How small classes are split with a look ahead, if they are.
    fn ahead(&self) -> Option<Look<'_>> {
        None
    }
}

/// Chooses the items of one class, one after the other. After each choice the records with the item
/// leave the class.
pub trait Picker<C: Code, R: ?Sized>: Default + Send {
    /// Start with a new class. `splits` are the items on which it may be split, ascending.
    fn start(&mut self, rule: &R, class: &Class<'_>, splits: &[u32]);
    /// The next item, given the counts of all items among the `alive` remaining records. A split
    /// must leave `k` records on both sides.
    fn next(&mut self, rule: &R, counts: &[u32], alive: u32, k: u32) -> Option<u32>;
    /// Whether the picker must see every record of the class, and every record that leaves it.
    const WATCHES: bool = false;
    /// A record enters the class.
    fn enters(&mut self, _record: &[C], _weight: u32) {}
    /// A record leaves the class.
    fn leaves(&mut self, _record: &[C], _weight: u32) {}
}

/// What a picker sees of a class.
pub struct Class<'a> {
    /// How many records have each item.
    pub counts: &'a [u32],
    /// The codes of the items in the input.
    pub names: &'a [u32],
}

/// Whether a split leaves k records on both sides. Neither side ever grows, so an item that can't
/// split now never can.
pub fn may_split(count: u32, alive: u32, k: u32) -> bool {
    count >= k && alive - count >= k
}

/// The rule that chooses the item that most records have.
pub struct Even;

/// A heap of the items by count. Counts only decrease while records leave, so an item whose count
/// hasn't changed since it was added is the best.
#[derive(Default)]
pub struct Heap(std::collections::BinaryHeap<u64>);

impl Rule for Even {
    type Picker<C: Code> = Heap;
}

/// The key of an item in the heap: larger counts first, then lower items.
fn key(count: u32, item: u32) -> u64 {
    u64::from(count) << 32 | u64::from(!item)
}

impl<C: Code> Picker<C, Even> for Heap {
    fn start(&mut self, _: &Even, class: &Class<'_>, splits: &[u32]) {
        let mut keys = std::mem::take(&mut self.0).into_vec();
        keys.clear();
        keys.extend(splits.iter().map(|item| key(class.counts[*item as usize], *item)));
        self.0 = keys.into();
    }

    fn next(&mut self, _: &Even, counts: &[u32], alive: u32, k: u32) -> Option<u32> {
        loop {
            let mut top = self.0.peek_mut()?;
            let item = !(*top as u32);
            let count = counts[item as usize];
            if !may_split(count, alive, k) {
                std::collections::binary_heap::PeekMut::pop(top);
            } else if u64::from(count) < *top >> 32 {
                *top = key(count, item);
            } else {
                std::collections::binary_heap::PeekMut::pop(top);
                return Some(item);
            }
        }
    }
}
