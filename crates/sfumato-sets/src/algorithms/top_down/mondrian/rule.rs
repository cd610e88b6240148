//! Which item a class is split on: the choices of `set-mondrian`.

use sfumato_core::column::Code;

use super::ahead::Look;

/// A way to choose items to split on.
pub trait Rule: Sync {
    /// What it keeps in mind while a class is split again and again.
    type Picker<C: Code>: Picker<C, Self>;
    /// How small classes are split with a look ahead, if they are.
    fn ahead(&self) -> Option<Look<'_>> {
        None
    }
}

/// Chooses the items of one class, one after the other. After each choice the records with the item
/// leave.
pub trait Picker<C: Code, R: ?Sized>: Default + Send {
    /// A new class; `splits` are the items it may be split on, ascending.
    fn start(&mut self, rule: &R, class: &Class<'_>, splits: &[u32]);
    /// The next item, where so many records are left and have each item. A split must leave `k`
    /// records on both sides.
    fn next(&mut self, rule: &R, counts: &[u32], alive: u32, k: u32) -> Option<u32>;
    /// Whether it wants to see every record of the class, and every record that leaves it.
    const WATCHES: bool = false;
    /// A record of the class.
    fn enters(&mut self, _record: &[C], _weight: u32) {}
    /// A record leaves.
    fn leaves(&mut self, _record: &[C], _weight: u32) {}
}

/// What a picker may look at.
pub struct Class<'a> {
    /// How many records have each item.
    pub counts: &'a [u32],
    /// The codes of the items in the input.
    pub names: &'a [u32],
}

/// Whether a split leaves k records on both sides. Neither side ever grows, so what can't split now
/// never can.
pub fn may_split(count: u32, alive: u32, k: u32) -> bool {
    count >= k && alive - count >= k
}

/// The item that most records have.
pub struct Even;

/// A heap of the items by count. Counts only fall while records leave, so an item whose count is
/// still the one it was put in with is the best.
#[derive(Default)]
pub struct Heap(std::collections::BinaryHeap<u64>);

impl Rule for Even {
    type Picker<C: Code> = Heap;
}

/// More first; of equal ones the lower item.
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
