//! Splits a class on one item after the other until the rest can't be split.
//!
//! A class splits into the records with an item and those without; the latter splits again, and so
//! on. The whole run of "without" sides is done here in one pass over inverted lists: each "with"
//! side leaves, is counted, and its counts are taken off. Only a "with" side is ever copied,
//! without the items that can no longer matter to it, so a record is copied once for every item it
//! keeps, not once for every split.

use std::sync::Mutex;

use sfumato_core::column::Code;
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Sets;
use sfumato_core::{Error, ErrorKind, Result};

use super::ahead::Look;
use super::level::{Levels, Work};
use super::rule::{Class, Picker, Rule, may_split};
use super::side::Side;
use super::weights::Weights;
use crate::algorithms::shared::classes::Classes;

/// The number of records from which on several threads may split a class.
const PARALLEL: usize = 1 << 14;
/// The smallest number of records of "with" sides that are passed on together.
const LOT: usize = 1 << 12;

/// What stays the same during all splits.
pub struct Run<'a, R> {
    /// The rule that chooses items to split on.
    pub rule: &'a R,
    /// The smallest number of records of a class, weights counted.
    pub k: u32,
    /// The observer.
    pub observer: &'a dyn Observer,
}

/// A class that may be split.
pub struct Node<'a, C, W> {
    /// The items of each record, with numbers local to the class.
    pub rows: Sets<'a, C>,
    /// The numbers of the records in the input.
    pub ids: &'a [u32],
    /// The codes of the items in the input.
    pub names: &'a [u32],
    /// The codes of items that all records have and that are no longer in `rows`.
    pub kept: &'a [u32],
    /// How many records each record stands for.
    pub weights: &'a W,
}

impl<C: Code, W> Clone for Node<'_, C, W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: Code, W> Copy for Node<'_, C, W> {}

impl<R: Rule> Run<'_, R> {
    /// Split all records as often as possible. `work` has their counts, their lists and the items
    /// that may split.
    pub fn split<C: Code, W: Weights>(
        &self,
        root: Node<'_, C, W>,
        mut work: Work<C, R>,
    ) -> Result<Classes> {
        let mut classes = Classes::default();
        let total = root.weights.sum(root.ids);
        self.run(root, total, &mut work, &mut Levels::new(), &mut classes)?;
        Ok(classes)
    }

    /// Split a class of `n` records.
    fn run<C: Code, W: Weights>(
        &self,
        node: Node<'_, C, W>,
        total: u32,
        work: &mut Work<C, R>,
        levels: &mut Levels<C, W, R>,
        classes: &mut Classes,
    ) -> Result<()> {
        work.alive.clear();
        work.alive.resize(node.rows.len().div_ceil(64), u64::MAX);
        if let Some(look) = self.ahead(total) {
            self.split_small(look, node, total, work, classes);
            return Ok(());
        }
        // A class needn't be split: nothing is taken off where what there is will do.
        let left = if self.observer.enough() {
            total
        } else {
            self.take_off(node, total, work, levels, classes)?
        };
        if left == 0 {
            return Ok(());
        }
        if let Some(look) = self.ahead(left) {
            self.split_small(look, node, left, work, classes);
            return Ok(());
        }
        // What is left is a class too, and publishes what all of it have.
        let common = work.counts.iter().zip(node.names).filter(|(count, _)| **count == left);
        let kept = node.kept.iter().chain(common.map(|(_, name)| name)).copied();
        let records =
            (0..node.rows.len()).filter(|record| work.alive[record / 64] >> (record % 64) & 1 == 1);
        classes.push(records.map(|record| node.ids[record]), kept);
        self.observer.advance(u64::from(left));
        Ok(())
    }

    /// Take off sides of a class. Returns how many records are left.
    fn take_off<C: Code, W: Weights>(
        &self,
        node: Node<'_, C, W>,
        total: u32,
        work: &mut Work<C, R>,
        levels: &mut Levels<C, W, R>,
        classes: &mut Classes,
    ) -> Result<u32> {
        let class = Class { counts: &work.counts, names: node.names };
        work.picker.start(self.rule, &class, &work.splits);
        if <R::Picker<C> as Picker<C, R>>::WATCHES {
            let rows = node.rows.iter().enumerate();
            rows.for_each(|(record, row)| work.picker.enters(row, node.weights.of(record as u32)));
        }
        if node.rows.len() < PARALLEL {
            return self.peel(node, total, work, |side| self.descend(node, side, levels, classes));
        }
        if self.observer.cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
        }
        self.peel_in_tasks(node, total, work, classes)
    }

    /// How a class of so many records is split with a look ahead, if it is.
    fn ahead(&self, n: u32) -> Option<Look<'_>> {
        if Look::is_small(n, self.k) { self.rule.ahead() } else { None }
    }

    /// Split the remaining records with a look ahead.
    fn split_small<C: Code, W: Weights>(
        &self,
        look: Look<'_>,
        node: Node<'_, C, W>,
        left: u32,
        work: &mut Work<C, R>,
        classes: &mut Classes,
    ) {
        let Work { counts, alive, small, .. } = work;
        small.split(look, node, (alive, left), (counts, self.k), classes);
        self.observer.advance(u64::from(left));
    }

    /// Remove one "with" side after the other. Returns how many records are left.
    fn peel<C: Code, W: Weights>(
        &self,
        node: Node<'_, C, W>,
        total: u32,
        work: &mut Work<C, R>,
        mut hand_on: impl FnMut(&mut Side) -> Result<()>,
    ) -> Result<u32> {
        let Work { counts, side, inverted, alive, picker, .. } = work;
        let mut left = total;
        while self.ahead(left).is_none()
            && let Some(item) = picker.next(self.rule, counts, left, self.k)
        {
            side.records.clear();
            for record in inverted.of(item) {
                let (word, bit) = (*record as usize / 64, 1u64 << (record % 64));
                if alive[word] & bit != 0 {
                    alive[word] &= !bit;
                    side.records.push(*record);
                }
            }
            side.count::<C, W, R>(node, picker);
            side.touched
                .iter()
                .for_each(|item| counts[*item as usize] -= side.counts[*item as usize]);
            left -= side.total;
            hand_on(side)?;
            side.clear();
        }
        Ok(left)
    }

    /// Remove one "with" side after the other, and let other tasks split the sides. Classes come in
    /// the order of sides, whichever task is first.
    fn peel_in_tasks<C: Code, W: Weights>(
        &self,
        node: Node<'_, C, W>,
        total: u32,
        work: &mut Work<C, R>,
        classes: &mut Classes,
    ) -> Result<u32> {
        let parts: Mutex<Vec<(usize, Result<Classes>)>> = Mutex::new(Vec::new());
        let left = rayon::scope(|scope| {
            let parts = &parts;
            let spawn = |mut lot: Vec<Side>, number: usize| {
                scope.spawn(move |_| {
                    let (mut classes, mut levels) = (Classes::default(), Levels::new());
                    let mut done = Ok(());
                    for side in &mut lot {
                        done =
                            done.and_then(|()| self.descend(node, side, &mut levels, &mut classes));
                        *side = Side::default();
                    }
                    let part = (number, done.map(|()| classes));
                    parts.lock().expect("nothing that holds it panics").push(part);
                });
            };
            let (mut lot, mut size, mut number) = (Vec::new(), 0, 0);
            let left = self.peel(node, total, work, |side| {
                size += side.records.len();
                lot.push(side.copy());
                if size >= LOT {
                    spawn(std::mem::take(&mut lot), number);
                    (size, number) = (0, number + 1);
                }
                Ok(())
            })?;
            spawn(lot, number);
            Ok(left)
        })?;
        let mut parts = parts.into_inner().expect("nothing that holds it panics");
        parts.sort_unstable_by_key(|(number, _)| *number);
        let mut all = vec![std::mem::take(classes)];
        for (_, part) in parts {
            all.push(part?);
        }
        *classes = Classes::concat(all);
        Ok(left)
    }

    /// Publish a "with" side, or make a class of it and split that.
    fn descend<C: Code, W: Weights>(
        &self,
        above: Node<'_, C, W>,
        side: &mut Side,
        levels: &mut Levels<C, W, R>,
        classes: &mut Classes,
    ) -> Result<()> {
        let total = side.total;
        if side.touched.iter().any(|item| may_split(side.counts[*item as usize], total, self.k)) {
            let mut level = levels.take();
            level.fill(above, side, self.k, self.ahead(total).is_none());
            let (node, work) = level.parts();
            self.run(node, total, work, levels, classes)?;
            levels.give_back(level);
        } else {
            let common = side.touched.iter().filter(|item| side.counts[**item as usize] == total);
            let kept =
                above.kept.iter().copied().chain(common.map(|item| above.names[*item as usize]));
            classes.push(side.records.iter().map(|record| above.ids[*record as usize]), kept);
            self.observer.advance(u64::from(total));
        }
        Ok(())
    }
}
