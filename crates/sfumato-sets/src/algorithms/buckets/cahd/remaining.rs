//! The records without a group, in an order: as one list, and as one list for each sensitive set.
//!
//! Lists are linked, so that removed records are never visited again. The lists by set avoid
//! visiting a dense stretch of records with the same sensitive item record by record.

use super::super::facts::Facts;

/// The lists. Records are given by their positions in the order.
pub struct Remaining {
    /// The sensitive set at each position.
    sets: Vec<u32>,
    all: Links,
    /// The links between positions with the same set. After the positions there is one end for each
    /// set.
    alike: Links,
    /// For each set, its first position after the last one that was asked for.
    ahead: Vec<u32>,
    n: u32,
}

/// One or several doubly linked lists, each closed to a ring by its end.
struct Links {
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Links {
    fn new(n: usize) -> Self {
        let own: Vec<u32> = (0..n as u32).collect();
        Links { next: own.clone(), previous: own }
    }
    fn insert_before(&mut self, end: u32, node: u32) {
        let last = self.previous[end as usize];
        self.next[last as usize] = node;
        self.previous[node as usize] = last;
        self.next[node as usize] = end;
        self.previous[end as usize] = node;
    }
    /// Remove a node. Its own links stay, so that an iterator that stands on it can continue.
    fn remove(&mut self, node: u32) {
        let (previous, next) = (self.previous[node as usize], self.next[node as usize]);
        self.next[previous as usize] = next;
        self.previous[next as usize] = previous;
    }
}

/// The end of a list, which stands for no record.
pub const END: u32 = u32::MAX;
/// The sensitive set of a position that was taken.
const TAKEN: u32 = u32::MAX;

impl Remaining {
    /// Make lists of all records, in the order.
    pub fn new(order: &[u32], facts: &Facts) -> Self {
        let n = order.len() as u32;
        let sets: Vec<u32> = order.iter().map(|record| facts.of_record(*record)).collect();
        let (mut all, mut alike) =
            (Links::new(order.len() + 1), Links::new(order.len() + facts.n_sets()));
        for (position, set) in (0..n).zip(&sets) {
            all.insert_before(n, position);
            alike.insert_before(n + set, position);
        }
        let ahead = (0..facts.n_sets()).map(|set| alike.next[n as usize + set]).collect();
        Remaining { sets, all, alike, ahead, n }
    }
    /// The sensitive set at a position; `None` if it was taken.
    pub fn set(&self, position: u32) -> Option<u32> {
        Some(self.sets[position as usize]).filter(|set| *set != TAKEN)
    }
    /// The next remaining position, or [`END`].
    #[inline]
    pub fn next(&self, position: u32) -> u32 {
        self.real(self.all.next[position as usize])
    }
    /// The remaining position before, or [`END`].
    #[inline]
    pub fn previous(&self, position: u32) -> u32 {
        self.real(self.all.previous[position as usize])
    }
    /// The next remaining position with the same set, or [`END`].
    pub fn next_alike(&self, position: u32) -> u32 {
        self.real(self.alike.next[position as usize])
    }
    /// The remaining position with the same set before, or [`END`].
    pub fn previous_alike(&self, position: u32) -> u32 {
        self.real(self.alike.previous[position as usize])
    }
    /// The nearest remaining positions with a set before and after a position that has another set.
    /// Positions must be asked for in ascending order.
    pub fn around(&mut self, position: u32, set: u32) -> (u32, u32) {
        let mut ahead = self.ahead[set as usize];
        while ahead < self.n && (ahead <= position || self.sets[ahead as usize] == TAKEN) {
            ahead = self.alike.next[ahead as usize];
        }
        self.ahead[set as usize] = ahead;
        (self.previous_alike(ahead), self.real(ahead))
    }
    /// Remove a position from the lists.
    pub fn take(&mut self, position: u32) {
        self.all.remove(position);
        self.alike.remove(position);
        self.sets[position as usize] = TAKEN;
    }
    #[inline]
    fn real(&self, node: u32) -> u32 {
        if node < self.n { node } else { END }
    }
}
