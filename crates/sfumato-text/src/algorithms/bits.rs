//! A set of small numbers, one bit each.

/// A set of numbers below a bound that is the same for all sets that meet. The first 64 numbers
/// need no memory of their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    first: u64,
    rest: Vec<u64>,
}

impl Bits {
    /// No number below `bound`.
    pub fn empty(bound: usize) -> Bits {
        Bits { first: 0, rest: vec![0; bound.div_ceil(64).saturating_sub(1)] }
    }
    /// All numbers below `bound`.
    pub fn full(bound: usize) -> Bits {
        let mut all = Bits::empty(bound);
        (0..bound).for_each(|at| all.insert(at));
        all
    }
    /// A set of its words, each of 64 numbers.
    pub fn of_words(words: &[u64]) -> Bits {
        match words.split_first() {
            Some((first, rest)) => Bits { first: *first, rest: rest.to_vec() },
            None => Bits { first: 0, rest: Vec::new() },
        }
    }
    fn word(&mut self, at: usize) -> &mut u64 {
        match at / 64 {
            0 => &mut self.first,
            place => &mut self.rest[place - 1],
        }
    }
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
    fn with(&self, other: &Bits, join: impl Fn(u64, u64) -> u64) -> Bits {
        let rest = self.rest.iter().zip(&other.rest).map(|(one, other)| join(*one, *other));
        Bits { first: join(self.first, other.first), rest: rest.collect() }
    }
    /// Put a number in.
    pub fn insert(&mut self, at: usize) {
        *self.word(at) |= 1 << (at % 64);
    }
    /// Take a number out.
    pub fn remove(&mut self, at: usize) {
        *self.word(at) &= !(1 << (at % 64));
    }
    /// Whether a number is in it.
    pub fn has(&self, at: usize) -> bool {
        let word = if at < 64 { self.first } else { self.rest[at / 64 - 1] };
        word >> (at % 64) & 1 == 1
    }
    /// How many numbers are in it.
    pub fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.words().all(|word| word == 0)
    }
    /// What is in both.
    pub fn and(&self, other: &Bits) -> Bits {
        self.with(other, |one, other| one & other)
    }
    /// What is in it and not in another.
    pub fn without(&self, other: &Bits) -> Bits {
        self.with(other, |one, other| one & !other)
    }
    /// Whether a number is in both.
    pub fn meets(&self, other: &Bits) -> bool {
        self.words().zip(other.words()).any(|(one, other)| one & other != 0)
    }
    /// How many numbers are in both.
    pub fn shared(&self, other: &Bits) -> usize {
        self.words()
            .zip(other.words())
            .map(|(one, other)| (one & other).count_ones() as usize)
            .sum()
    }
    /// Whether all of it is in another.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.words().zip(other.words()).all(|(one, other)| one & !other == 0)
    }
    /// Whether what is both in it and in `part` is in another.
    pub fn part_is_within(&self, part: &Bits, other: &Bits) -> bool {
        let words = self.words().zip(part.words()).zip(other.words());
        words.into_iter().all(|((one, part), other)| one & part & !other == 0)
    }
    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().enumerate().flat_map(|(place, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let at = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(place * 64 + at)
            })
        })
    }
}
