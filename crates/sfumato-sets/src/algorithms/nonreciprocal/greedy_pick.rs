//! Matches for l-diversity: each record matches l published records with different labels, as near
//! in the order as possible.
//!
//! As in the paper, round after round gives each record one more match, the nearest along the order
//! (on either side, the one with the smaller Hamming distance first) whose label it doesn't have
//! yet, and the record that held this match in the round picks again. Three things differ: a walk
//! ends at any published record that nobody holds in this round, so that rounds take about n log n
//! picks; if a walk gets long or finds no new published record, the record takes the nearest free
//! one, instead of a second visit; and if none of the free ones has a label that it lacks, earlier
//! matches are exchanged along a shortest chain (`exchange.rs`). Rounds as the paper has them can
//! end in a state that no round can continue (two labels of a third of the records each and l = 3:
//! a record that has neither after two rounds needs both in the last). With exchanges, every set of
//! records that is l-eligible gets its matches.
//!
//! The labels that differ are those the published records have before an assignment is drawn, as in
//! the paper. The drawn assignment moves labels, and some records then match two published ones of
//! the same label: the promise must be checked on the release itself.

use std::collections::BTreeSet;

use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{Error, Result, with_sets};

use super::exchange;
use super::hamming::hamming;
use sfumato_core::matches::Matches;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::extraction::NONE;

/// The number of picks after which a walk takes a free published record. Long walks shift many
/// records by a little; they are rare until few are free.
const LONGEST_WALK: usize = 256;

/// Whether labels allow l-diversity: none may belong to more than one record in l.
pub fn check_eligible(labels: &[u32], l: usize) -> Result<()> {
    if l == 0 {
        return Err(Error::params("each record needs at least one match"));
    }
    let mut sorted = labels.to_vec();
    sorted.sort_unstable();
    let runs = || sorted.chunk_by(|a, b| a == b);
    let most = runs().map(<[u32]>::len).max().unwrap_or(0);
    if most * l <= labels.len() {
        return Ok(());
    }
    let too_frequent = runs().filter(|run| run.len() * l > labels.len()).count();
    let message = format!(
        "{too_frequent} labels are too frequent for l = {l}: the most frequent has {most} of {} \
            records",
        labels.len()
    );
    Err(Error::infeasible(message).hint(format!("l may be at most {}", labels.len() / most.max(1))))
}

/// Matches such that each record has `l` of them with different labels. The first is the record
/// itself, unless an exchange took it.
pub fn greedy_matches(
    transactions: &Transactions,
    order: &[u32],
    labels: &[u32],
    l: usize,
    random: &mut RandomStream,
) -> Result<Matches> {
    let n = transactions.len();
    if order.len() != n || labels.len() != n {
        return Err(Error::params(format!(
            "there are {} places and {} labels for {n} records",
            order.len(),
            labels.len()
        )));
    }
    check_eligible(labels, l)?;
    with_sets!(transactions, sets => {
        let mut picking = Picking::new(sets, order, labels, l);
        for round in 0..l {
            picking.begin(round);
            random.permutation(n).into_iter().try_for_each(|record| picking.match_one(record))?;
        }
        picking.finish()
    })
}

/// The state between picks. Records are numbered by their places in the order.
pub(super) struct Picking<'a, C> {
    sets: Sets<'a, C>,
    order: &'a [u32],
    pub(super) l: usize,
    /// The label of the record at each place.
    pub(super) label: Vec<u32>,
    /// The matches of each record so far, and their number.
    post: Vec<u32>,
    degree: Vec<u32>,
    /// The records that match each published record so far. Before a round, there are as many as
    /// rounds before it.
    pub(super) pre: Vec<u32>,
    round: usize,
    /// The published records that nobody holds in this round.
    pub(super) free: BTreeSet<u32>,
    is_free: Vec<bool>,
    /// For each published record, the last walk that visited it.
    seen: Vec<u32>,
    walk: u32,
}

impl<'a, C: Code> Picking<'a, C> {
    fn new(sets: Sets<'a, C>, order: &'a [u32], labels: &[u32], l: usize) -> Self {
        let n = order.len();
        Picking {
            sets,
            order,
            l,
            label: order.iter().map(|record| labels[*record as usize]).collect(),
            post: vec![NONE; n * l],
            degree: vec![0; n],
            pre: vec![NONE; n * l],
            round: 0,
            free: BTreeSet::new(),
            is_free: vec![true; n],
            seen: vec![0; n],
            walk: 0,
        }
    }

    fn begin(&mut self, round: usize) {
        self.round = round;
        self.free = (0..self.order.len() as u32).collect();
        self.is_free.fill(true);
        self.seen.fill(0);
        self.walk = 0;
    }

    /// Give a record one more match.
    fn match_one(&mut self, mut record: u32) -> Result<()> {
        self.walk += 1;
        for _ in 0..LONGEST_WALK {
            let Some(published) = self.pick(record) else { break };
            self.seen[published as usize] = self.walk;
            if self.is_free[published as usize] {
                self.take_free(record, published);
                return Ok(());
            }
            let holder = self.pre[published as usize * self.l + self.round];
            self.pass_on(holder, record, published);
            record = holder;
        }
        match self.nearest_free(record, |picking, place| {
            picking.lacks(record, picking.label[place as usize])
        }) {
            Some(published) => {
                self.take_free(record, published);
                Ok(())
            }
            None => exchange::exchange(self, record),
        }
    }

    /// The nearest published record that this walk hasn't visited and whose label the record lacks.
    fn pick(&self, record: u32) -> Option<u32> {
        let n = self.order.len() as u32;
        let matched = self.matched(record);
        let suits = |place: u32| {
            let label = self.label[place as usize];
            self.seen[place as usize] != self.walk
                && matched.iter().all(|other| self.label[*other as usize] != label)
        };
        for step in 0..=n / 2 {
            let (ahead, behind) = ((record + step) % n, (record + n - step) % n);
            match (suits(ahead), suits(behind)) {
                (false, false) => {}
                (true, false) => return Some(ahead),
                (false, true) => return Some(behind),
                (true, true) => {
                    let is_nearer = self.distance(record, behind) < self.distance(record, ahead);
                    return Some(if is_nearer { behind } else { ahead });
                }
            }
        }
        None
    }

    fn distance(&self, a: u32, b: u32) -> u32 {
        let set = |place: u32| self.sets.get(self.order[place as usize] as usize);
        hamming(set(a), set(b))
    }

    /// The nearest free published record along the order among those that suit.
    pub(super) fn nearest_free(
        &self,
        record: u32,
        suits: impl Fn(&Self, u32) -> bool,
    ) -> Option<u32> {
        let n = self.order.len() as u32;
        let mut ahead = self.free.range(record..).chain(self.free.range(..record)).peekable();
        let mut behind =
            self.free.range(..record).rev().chain(self.free.range(record..).rev()).peekable();
        // Both ways together meet every free one; after as many as there are, all have been met.
        for _ in 0..self.free.len() {
            let (next, last) = (**ahead.peek()?, **behind.peek()?);
            let is_ahead = (next + n - record) % n <= (record + n - last) % n;
            let place = if is_ahead { ahead.next() } else { behind.next() };
            if let Some(place) = place.filter(|place| suits(self, **place)) {
                return Some(*place);
            }
        }
        None
    }

    /// The matches of a record so far.
    pub(super) fn matched(&self, record: u32) -> &[u32] {
        &self.post[record as usize * self.l..][..self.degree[record as usize] as usize]
    }
    /// Whether a record has no match of a label.
    pub(super) fn lacks(&self, record: u32, label: u32) -> bool {
        self.matched(record).iter().all(|other| self.label[*other as usize] != label)
    }
    /// The records that match a published record so far.
    pub(super) fn matching(&self, published: u32) -> &[u32] {
        let held = usize::from(!self.is_free[published as usize]);
        &self.pre[published as usize * self.l..][..self.round + held]
    }

    /// Match a record with a published record that no record holds in this round.
    pub(super) fn take_free(&mut self, record: u32, published: u32) {
        self.pre[published as usize * self.l + self.round] = record;
        self.free.remove(&published);
        self.is_free[published as usize] = false;
        self.add(record, published);
    }

    /// Move the match of a published record from one record to another.
    pub(super) fn pass_on(&mut self, from: u32, to: u32, published: u32) {
        let row = &mut self.pre[published as usize * self.l..][..self.l];
        row.iter_mut().filter(|record| **record == from).for_each(|record| *record = to);
        let degree = &mut self.degree[from as usize];
        *degree -= 1;
        let last = *degree as usize;
        let row = &mut self.post[from as usize * self.l..][..=last];
        if let Some(slot) = row.iter().position(|other| *other == published) {
            row[slot..].rotate_left(1);
        }
        self.add(to, published);
    }

    fn add(&mut self, record: u32, published: u32) {
        let degree = &mut self.degree[record as usize];
        self.post[record as usize * self.l + *degree as usize] = published;
        *degree += 1;
    }

    fn finish(self) -> Result<Matches> {
        let mut post = vec![0; self.post.len()];
        for (place, row) in self.post.chunks_exact(self.l).enumerate() {
            let record = self.order[place] as usize;
            post[record * self.l..][..self.l]
                .iter_mut()
                .zip(row)
                .for_each(|(to, from)| *to = self.order[*from as usize]);
        }
        Matches::new(self.l, post)
    }
}
