//! Random disjoint assignments from a regular graph: rounds of walks, each of which matches at
//! least one more record.
//!
//! A round begins with nothing assigned. A walk starts from a record that has no published one yet,
//! takes an edge that no earlier round has used, and goes on from the record that holds the
//! published one so far; it ends at a published record that nobody holds. The records on the way
//! change what they hold. What is left of the graph after a round is regular again, so every round
//! succeeds.

use super::random::RandomStream;
use super::{backtracking, closed_walk};
use sfumato_core::matches::Matches;

/// The number that stands for no record.
pub const NONE: u32 = u32::MAX;

/// How a walk goes on when all neighbours were visited before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Walk {
    /// Visit one of them again, by an unused edge, and forget the loop.
    #[default]
    Closed,
    /// Go back one step and try another edge (WMC): the baseline.
    Backtracking,
    /// The same, but what was gone back from may be visited again in the same walk.
    ForgetfulBacktracking,
}

/// Where a walk may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Closing {
    /// At any published record without a holder. With uniform steps, a round takes O(n log n) of
    /// them on average (Goel, Kapralov and Khanna 2010).
    #[default]
    Any,
    /// At the published record of the walk's own start, as in the paper: records that aren't
    /// matched yet hold their own for the time being. Walks are longer, each may match more, and
    /// the total number of steps may grow with the square of the number of records.
    Own,
}

/// Disjoint assignments of a graph, one after the other; an assignment is the published record of
/// each original one.
pub struct Extraction<'a> {
    m: usize,
    /// How many edges of each record no assignment has used. They come first among its postimages.
    pub(super) degree: usize,
    post: Vec<u32>,
    pub(super) random: &'a mut RandomStream,
    walk: Walk,
    closing: Closing,
    /// The record that holds each published record in this round.
    pub(super) holder: Vec<u32>,
    /// The published record to which each record of this walk went last.
    pub(super) choice: Vec<u32>,
    /// The last walk that visited each published record.
    pub(super) seen: Vec<u32>,
    /// The number of this walk in its round, from 1.
    pub(super) number: u32,
    /// The last walk that visited each record, and how many of the record's edges it hasn't used.
    pub(super) left: Vec<(u32, u32)>,
    /// The number of steps of all walks.
    pub(super) steps: u64,
}

impl<'a> Extraction<'a> {
    /// An extraction that has extracted nothing yet.
    pub fn new(
        matches: &Matches,
        walk: Walk,
        closing: Closing,
        random: &'a mut RandomStream,
    ) -> Self {
        let n = matches.len();
        Extraction {
            m: matches.m(),
            degree: matches.m(),
            post: matches.all().to_vec(),
            random,
            walk,
            closing,
            holder: vec![NONE; n],
            choice: vec![NONE; n],
            seen: vec![0; n],
            number: 0,
            left: vec![(0, 0); n],
            steps: 0,
        }
    }

    /// The number of steps of all walks so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The edges of a record that no earlier round has used.
    #[inline]
    pub(super) fn unused(&mut self, record: u32) -> &mut [u32] {
        &mut self.post[record as usize * self.m..][..self.degree]
    }

    /// One of the first `among` of these edges, at random among those to published records that
    /// this walk hasn't visited.
    #[inline]
    pub(super) fn fresh(&mut self, record: u32, among: usize) -> Option<usize> {
        let edges = &self.post[record as usize * self.m..][..among];
        let is_fresh = |published: &u32| self.seen[*published as usize] != self.number;
        let count = edges.iter().filter(|published| is_fresh(published)).count();
        if count == 0 {
            return None;
        }
        let nth = self.random.below(count);
        (0..among).filter(|slot| is_fresh(&edges[*slot])).nth(nth)
    }

    /// Whether a walk ends at a published record.
    #[inline]
    pub(super) fn ends(&self, start: u32, published: u32) -> bool {
        self.holder[published as usize] == NONE
            || self.closing == Closing::Own && published == start
    }

    /// Let the records on the walk from `start` hold the published records to which they went last:
    /// the walk without its loops.
    fn apply(&mut self, start: u32, assigned: &mut [bool]) {
        let mut record = start;
        loop {
            let published = self.choice[record as usize];
            assigned[record as usize] = true;
            let is_last = self.ends(start, published);
            let next = std::mem::replace(&mut self.holder[published as usize], record);
            if is_last {
                return;
            }
            record = next;
        }
    }
}

impl Iterator for Extraction<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        if self.degree == 0 {
            return None;
        }
        let n = self.holder.len();
        match self.closing {
            Closing::Any => self.holder.fill(NONE),
            Closing::Own => {
                self.holder.iter_mut().zip(0..).for_each(|(holder, record)| *holder = record)
            }
        }
        self.seen.fill(0);
        self.left.fill((0, 0));
        self.number = 0;
        let mut assigned = vec![false; n];
        for start in self.random.permutation(n) {
            if assigned[start as usize] {
                continue;
            }
            self.number += 1;
            match self.walk {
                Walk::Closed => closed_walk::walk(self, start),
                Walk::Backtracking => backtracking::walk(self, start),
                Walk::ForgetfulBacktracking => backtracking::forgetful_walk(self, start),
            }
            self.apply(start, &mut assigned);
        }
        let mut assignment = vec![NONE; n];
        self.holder
            .iter()
            .zip(0..)
            .for_each(|(record, published)| assignment[*record as usize] = published);
        let last = self.degree - 1;
        for (record, published) in (0u32..).zip(&assignment) {
            let unused = self.unused(record);
            let slot = unused.iter().position(|other| other == published);
            unused.swap(slot.expect("assignments use edges that are left"), last);
        }
        self.degree = last;
        Some(assignment)
    }
}

/// One of the assignments, each with the same probability, whatever the graph. All of them together
/// use each edge once.
pub fn draw(matches: &Matches, random: &mut RandomStream) -> Vec<u32> {
    let number = random.below(matches.m());
    let mut extraction = Extraction::new(matches, Walk::Closed, Closing::Any, random);
    extraction.nth(number).expect("there are as many assignments as matches of a record")
}

/// One of the assignments, each with the same probability, given an order in which matches are
/// close together. A walk then stays close to memory that was just read, however many records there
/// are.
pub fn draw_along(matches: &Matches, order: &[u32], random: &mut RandomStream) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(record, at)| place[*record as usize] = at);
    let along = matches.reordered(order).renumbered(&place);
    let mut assignment = vec![NONE; order.len()];
    for (record, at) in order.iter().zip(draw(&along, random)) {
        assignment[*record as usize] = order[at as usize];
    }
    assignment
}
