//! Sets of item codes in contiguous memory, in the narrowest width that holds every item.
//!
//! They lie in core because the readers and writers of basket files and the kernels that count
//! itemsets use them beside the kind of baskets, and neither of these may see another.

use crate::column::{Code, Codes};
use crate::with_codes;

/// Many sets of items. The codes of a set are ascending and different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transactions {
    /// Where each set begins among the codes, and where the last one ends.
    offsets: Vec<u64>,
    codes: Codes,
    n_items: usize,
}

/// [`Transactions`] with a known width of their codes, for inner loops.
#[derive(Debug, Clone, Copy)]
pub struct Sets<'a, C> {
    /// Where each set begins among the codes, and where the last one ends.
    pub offsets: &'a [u64],
    /// The codes of all sets.
    pub codes: &'a [C],
}

impl<'a, C: Code> Sets<'a, C> {
    /// The number of sets.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }
    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The codes of a set, ascending.
    #[inline]
    pub fn get(&self, i: usize) -> &'a [C] {
        &self.codes[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
    /// All sets.
    pub fn iter(&self) -> impl Iterator<Item = &'a [C]> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// Run an expression over the sets with a known width of their codes: `with_sets!(transactions,
/// sets => f(sets))`.
#[macro_export]
macro_rules! with_sets {
    ($transactions:expr, $sets:ident => $body:expr) => {{
        let transactions: &$crate::transactions::Transactions = $transactions;
        let (offsets, codes) = transactions.parts();
        $crate::with_codes!(codes, codes => {
            let $sets = $crate::transactions::Sets { offsets, codes: codes.as_slice() };
            $body
        })
    }};
}

impl Transactions {
    /// Make sets from offsets and codes. The codes of a set must ascend and differ.
    ///
    /// # Panics
    /// If the offsets don't ascend from 0 to the number of codes.
    pub fn from_parts(offsets: Vec<u64>, codes: Codes, n_items: usize) -> Self {
        assert!(offsets.first() == Some(&0) && offsets.is_sorted());
        assert_eq!(offsets.last().copied(), Some(with_codes!(&codes, codes => codes.len() as u64)));
        debug_assert!(with_codes!(&codes, codes => {
            let sets = Sets { offsets: &offsets, codes: codes.as_slice() };
            sets.iter().all(|set| set.is_sorted_by(|a, b| a < b)
                && set.last().is_none_or(|code| (code.widen() as usize) < n_items))
        }));
        Transactions { offsets, codes, n_items }
    }

    /// Make sets from lists, which are sorted here. An item that occurs twice in a list counts
    /// once.
    pub fn from_sets(n_items: usize, sets: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let mut builder = Builder::new(n_items);
        for mut set in sets {
            set.sort_unstable();
            set.dedup();
            builder.push(&set);
        }
        builder.finish()
    }

    /// The offsets and the codes.
    pub fn parts(&self) -> (&[u64], &Codes) {
        (&self.offsets, &self.codes)
    }
    /// The offsets and the codes, to be changed without a copy.
    pub fn into_parts(self) -> (Vec<u64>, Codes) {
        (self.offsets, self.codes)
    }
    /// The number of sets.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }
    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of possible items. All codes are below it.
    pub fn n_items(&self) -> usize {
        self.n_items
    }
    /// The number of items of all sets together.
    pub fn n_instances(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }
    /// The number of items in a set.
    pub fn size(&self, i: usize) -> usize {
        (self.offsets[i + 1] - self.offsets[i]) as usize
    }
    /// The codes of a set as `u32`, for code where speed doesn't matter.
    pub fn set(&self, i: usize) -> Vec<u32> {
        with_sets!(self, sets => sets.get(i).iter().map(|code| code.widen()).collect())
    }
    /// The number of bytes that codes and offsets take.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * 8) as u64
            + with_codes!(&self.codes, codes => std::mem::size_of_val(codes.as_slice()) as u64)
    }
    /// For each item, the number of sets that contain it.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.n_items];
        with_codes!(&self.codes, codes =>
            codes.iter().for_each(|code| counts[code.widen() as usize] += 1));
        counts
    }
}

/// Makes [`Transactions`] set by set.
#[derive(Debug)]
pub struct Builder {
    offsets: Vec<u64>,
    codes: Codes,
    n_items: usize,
}

impl Builder {
    /// A builder without sets.
    pub fn new(n_items: usize) -> Self {
        Builder { offsets: vec![0], codes: Codes::for_domain(n_items), n_items }
    }
    /// Append a set, whose codes must be ascending and different.
    pub fn push<C: Code>(&mut self, set: &[C]) {
        debug_assert!(set.is_sorted_by(|a, b| a < b));
        match &mut self.codes {
            Codes::U8(codes) => codes.extend(set.iter().map(|code| u8::narrow(code.widen()))),
            Codes::U16(codes) => codes.extend(set.iter().map(|code| u16::narrow(code.widen()))),
            Codes::U32(codes) => codes.extend(set.iter().map(|code| code.widen())),
        }
        self.offsets.push(with_codes!(&self.codes, codes => codes.len() as u64));
    }
    /// The finished sets.
    pub fn finish(self) -> Transactions {
        Transactions { offsets: self.offsets, codes: self.codes, n_items: self.n_items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_back_in_every_width() {
        for n_items in [200, 60_000, 100_000] {
            let last = n_items as u32 - 1;
            let lists = vec![vec![3, 1, 3], vec![], vec![last, 0]];
            let sets = Transactions::from_sets(n_items, lists);
            assert_eq!((sets.len(), sets.n_instances(), sets.size(0)), (3, 4, 2));
            assert_eq!(
                (sets.set(0), sets.set(1), sets.set(2)),
                (vec![1, 3], vec![], vec![0, last])
            );
            let counts = sets.counts();
            assert_eq!((counts[0], counts[1], counts[2], counts[last as usize]), (1, 1, 0, 1));
            let (offsets, codes) = sets.parts();
            assert_eq!(Transactions::from_parts(offsets.to_vec(), codes.clone(), n_items), sets);
        }
    }
}
