//! A cache of frequency sets: a node's set is made from the smallest one below it, and kept if it
//! is much smaller than that.
//!
//! Successive nodes of a search are high in the lattice, and few of them are above each other. So
//! on the way from a large set there are intermediate nodes at which only the columns are
//! generalized that merge most records. Nodes that agree on those columns share them.

use super::examine::{Examiner, NodeOutcome};
use super::frequencies::{Frequencies, Node};
use sfumato_core::FastSet;

/// The number of sets that are kept, with about as many records together as eight base sets.
const MOST_KEPT: usize = 512;
const MOST_RECORDS: usize = 1_000_000;
/// The number of records up to which a set needs no intermediate nodes above it.
const SMALL: usize = 2048;
/// The number of bits between one intermediate node and the next.
const NEXT_STOP: f64 = 3.0;

/// Examines nodes, whatever the size of a packed record.
pub trait Sets {
    /// Examine a node. Returns also how many records were read for it.
    fn look(&mut self, examiner: &Examiner<'_>, node: &[u8]) -> (NodeOutcome, u64);
}

/// Kept frequency sets, each with the time of its last use. The first is the base and stays.
struct Kept<const W: usize> {
    sets: Vec<(u64, Frequencies<W>)>,
    /// Intermediate nodes at which nearly all records are still different.
    useless: FastSet<Node>,
    clock: u64,
    records: usize,
    read: u64,
}

/// The sets of an examiner's table. `None` if records are too wide.
pub fn sets(examiner: &Examiner<'_>) -> Option<Box<dyn Sets>> {
    Some(match examiner.layout.words {
        1 => Box::new(Kept::<1>::new(examiner)),
        2 => Box::new(Kept::<2>::new(examiner)),
        3..=4 => Box::new(Kept::<4>::new(examiner)),
        5..=8 => Box::new(Kept::<8>::new(examiner)),
        9..=16 => Box::new(Kept::<16>::new(examiner)),
        _ => return None,
    })
}

impl<const W: usize> Kept<W> {
    fn new(examiner: &Examiner<'_>) -> Self {
        Kept {
            sets: vec![(0, examiner.base())],
            useless: FastSet::default(),
            clock: 0,
            records: 0,
            read: 0,
        }
    }

    /// The smallest set below a node.
    fn source(&mut self, node: &[u8]) -> usize {
        let below = self.sets.iter().enumerate().filter(|(_, (_, set))| set.is_below(node));
        let place = below.min_by_key(|(_, (_, set))| set.len()).map_or(0, |(place, _)| place);
        self.sets[place].0 = self.clock;
        place
    }

    /// Make the intermediate sets on the way to a node if that will pay.
    fn stop_on_the_way(&mut self, examiner: &Examiner<'_>, node: &[u8]) {
        let mut stop: Node = vec![0; node.len()];
        let mut bits: f64 = examiner.bits.iter().map(|bits| bits[0]).sum();
        // Records are as many as their bits allow; a stop pays where that is below the number of
        // records at the bottom.
        let mut wanted = (self.sets[0].1.len() as f64).log2();
        for &column in examiner.layout.order() {
            stop[column] = node[column];
            bits -= examiner.bits[column][0] - examiner.bits[column][node[column] as usize];
            if bits > wanted {
                continue;
            }
            wanted = bits - NEXT_STOP;
            let place = self.source(&stop);
            let source = &self.sets[place].1;
            if source.len() <= SMALL
                || source.node == stop
                || stop == node
                || self.useless.contains(&stop)
            {
                continue;
            }
            let set = source.roll_up(&examiner.ladders, &examiner.layout, &stop);
            self.read += source.len() as u64;
            if set.len() * 4 <= source.len() * 3 {
                self.keep(set);
            } else {
                self.useless.insert(stop.clone());
            }
        }
    }

    fn keep(&mut self, set: Frequencies<W>) {
        self.records += set.len();
        self.sets.push((self.clock, set));
        let room = 8 * self.sets[0].1.len() + MOST_RECORDS;
        while self.sets.len() > 2 && (self.sets.len() > MOST_KEPT || self.records > room) {
            let oldest =
                (1..self.sets.len() - 1).min_by_key(|&place| self.sets[place].0).unwrap_or(1);
            self.records -= self.sets[oldest].1.len();
            self.sets.swap_remove(oldest);
        }
    }
}

impl<const W: usize> Sets for Kept<W> {
    fn look(&mut self, examiner: &Examiner<'_>, node: &[u8]) -> (NodeOutcome, u64) {
        self.clock += 1;
        let before = self.read;
        let mut place = self.source(node);
        if self.sets[place].1.len() > SMALL {
            self.stop_on_the_way(examiner, node);
            place = self.source(node);
        }
        let source = &self.sets[place].1;
        self.read += source.len() as u64;
        let read = self.read - before;
        if source.node == node {
            return (examiner.examine(source), read);
        }
        let set = source.roll_up(&examiner.ladders, &examiner.layout, node);
        let outcome = examiner.examine(&set);
        if set.len() * 2 <= source.len() {
            self.keep(set);
        }
        (outcome, read)
    }
}
