//! Splitting a class on one item after the other until what is left can't be split.
//!
//! A class splits into the records with an item and those without; the latter splits again, and so on. The whole run of "without" sides
//! is done here in one pass over inverted lists: each "with" side leaves, is counted, and its counts are taken off. Only a "with"
//! side is ever copied, without the items that can no longer matter to it, so a record is copied once for every item it
//! keeps, not once for every split.

use std::sync::Mutex;

use sfumato_core::column::Code;
use sfumato_core::observer::Observer;
use sfumato_core::sets::Sets;
use sfumato_core::{Error, ErrorKind, Result};

use super::inverted::Inverted;
use super::rule::{Class, Picker, Rule};
use super::weights::Weights;
use crate::sets::shared::classes::Classes;

/// Classes of so many records may be split by several threads.
const PARALLEL: usize = 1 << 14;
/// "With" sides are handed on in lots of at least so many records.
const LOT: usize = 1 << 12;
/// Records that are looked at together, so that the memory fetches them at the same time.
const TOGETHER: usize = 16;

/// What stays the same all the way down.
pub struct Run<'a, R> {
    /// Which items to split on.
    pub rule: &'a R,
    /// Records of a class at least, weights counted.
    pub k: u32,
    /// Who watches.
    pub observer: &'a dyn Observer,
}

/// A class that may be split.
pub struct Node<'a, C, W> {
    /// The items of each record, as numbers local to the class.
    pub rows: Sets<'a, C>,
    /// The records' numbers in the input.
    pub ids: &'a [u32],
    /// The items' codes in the input.
    pub names: &'a [u32],
    /// Codes of the items that all records have and that are no longer in `rows`.
    pub kept: &'a [u32],
    /// What the records stand for.
    pub weights: &'a W,
}

impl<C: Code, W> Clone for Node<'_, C, W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: Code, W> Copy for Node<'_, C, W> {}

/// Memory for one level, used again and again.
struct Level<C: Code, W, R: Rule> {
    offsets: Vec<u64>,
    codes: Vec<C>,
    ids: Vec<u32>,
    names: Vec<u32>,
    kept: Vec<u32>,
    weights: W,
    /// For each item of the class above, its number here.
    renamed: Vec<u32>,
    work: Work<C, R>,
}

/// Memory to split one class with.
struct Work<C: Code, R: Rule> {
    counts: Vec<u32>,
    side: Side,
    inverted: Inverted,
    alive: Vec<u64>,
    splits: Vec<u32>,
    picker: R::Picker<C>,
}

/// A "with" side: its records by their numbers in the class it leaves, and how many have each item.
#[derive(Default)]
struct Side {
    records: Vec<u32>,
    total: u32,
    counts: Vec<u32>,
    /// The items with a count above 0.
    touched: Vec<u32>,
}

impl<C: Code, R: Rule> Default for Work<C, R> {
    fn default() -> Self {
        Work {
            counts: Vec::new(),
            side: Side::default(),
            inverted: Inverted::default(),
            alive: Vec::new(),
            splits: Vec::new(),
            picker: R::Picker::default(),
        }
    }
}

/// Memory for all levels of one task.
struct Levels<C: Code, W, R: Rule>(Vec<Level<C, W, R>>);

impl<C: Code, W: Weights, R: Rule> Levels<C, W, R> {
    fn take(&mut self) -> Level<C, W, R> {
        self.0.pop().unwrap_or_else(|| Level {
            offsets: Vec::new(),
            codes: Vec::new(),
            ids: Vec::new(),
            names: Vec::new(),
            kept: Vec::new(),
            weights: W::default(),
            renamed: Vec::new(),
            work: Work::default(),
        })
    }
}

impl<R: Rule> Run<'_, R> {
    /// Split all records, as often as it can be done.
    pub fn split<C: Code, W: Weights>(
        &self,
        root: Node<'_, C, W>,
        counts: Vec<u32>,
        inverted: Inverted,
    ) -> Result<Classes> {
        let mut work: Work<C, R> = Work { counts, inverted, ..Work::default() };
        let total = root.weights.sum(root.ids);
        self.find_splits(&mut work, total);
        let mut classes = Classes::default();
        self.run(root, total, &mut work, &mut Levels(Vec::new()), &mut classes)?;
        Ok(classes)
    }

    /// The items that a class of so many records may be split on.
    fn find_splits<C: Code>(&self, work: &mut Work<C, R>, total: u32) {
        let splits = work.counts.iter().enumerate().filter(|(_, count)| self.may_split(**count, total));
        work.splits.clear();
        work.splits.extend(splits.map(|(item, _)| item as u32));
    }

    fn may_split(&self, count: u32, total: u32) -> bool {
        count >= self.k && total - count >= self.k
    }

    /// Split a class whose counts, lists and possible splits are in `work`.
    fn run<C: Code, W: Weights>(
        &self,
        node: Node<'_, C, W>,
        total: u32,
        work: &mut Work<C, R>,
        levels: &mut Levels<C, W, R>,
        classes: &mut Classes,
    ) -> Result<()> {
        let Work { counts, side, inverted, alive, splits, picker } = work;
        picker.start(self.rule, &Class { rows: node.rows, counts, names: node.names }, splits);
        alive.clear();
        alive.resize(node.rows.len().div_ceil(64), u64::MAX);
        let mut left = total;
        let parts: Mutex<Vec<(usize, Result<Classes>)>> = Mutex::new(Vec::new());
        let mut chain = |mut hand_on: Option<&mut dyn FnMut(Side)>, classes: &mut Classes| -> Result<()> {
            while let Some(item) = picker.next(self.rule, counts, left, self.k) {
                side.records.clear();
                for record in inverted.of(item) {
                    let (word, bit) = (*record as usize / 64, 1u64 << (record % 64));
                    if alive[word] & bit != 0 {
                        alive[word] &= !bit;
                        side.records.push(*record);
                    }
                }
                side.count::<C, W, R>(node, picker);
                side.touched.iter().for_each(|item| counts[*item as usize] -= side.counts[*item as usize]);
                left -= side.total;
                match &mut hand_on {
                    Some(hand_on) => hand_on(side.copy()),
                    None => self.descend(node, side, levels, classes)?,
                }
                side.clear();
            }
            Ok(())
        };
        if node.rows.len() < PARALLEL {
            chain(None, classes)?;
        } else {
            if self.observer.cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "stopped"));
            }
            rayon::scope(|scope| {
                let (mut lot, mut size, mut number) = (Vec::new(), 0, 0);
                let parts = &parts;
                let spawn = |mut lot: Vec<Side>, number: usize| {
                    scope.spawn(move |_| {
                        let mut classes = Classes::default();
                        let mut levels = Levels(Vec::new());
                        let mut done = Ok(());
                        for side in &mut lot {
                            done = done.and_then(|()| self.descend(node, side, &mut levels, &mut classes));
                            *side = Side::default();
                        }
                        parts
                            .lock()
                            .expect("no task panics while it holds it")
                            .push((number, done.map(|()| classes)));
                    });
                };
                let mut hand_on = |side: Side| {
                    size += side.records.len();
                    lot.push(side);
                    if size >= LOT {
                        spawn(std::mem::take(&mut lot), number);
                        (size, number) = (0, number + 1);
                    }
                };
                chain(Some(&mut hand_on), classes)?;
                spawn(lot, number);
                Ok(())
            })?;
            let mut parts = parts.into_inner().expect("no task panics while it holds it");
            parts.sort_unstable_by_key(|(number, _)| *number);
            let parts: Result<Vec<Classes>> = parts.into_iter().map(|(_, part)| part).collect();
            let mut all = vec![std::mem::take(classes)];
            all.extend(parts?);
            *classes = Classes::concat(all);
        }
        // What is left is a class too: its records have what all of them have.
        let common = (0..counts.len()).filter(|item| counts[*item] == left && left > 0);
        let kept = node.kept.iter().copied().chain(common.map(|item| node.names[item]));
        let records = (0..node.rows.len()).filter(|record| alive[record / 64] >> (record % 64) & 1 == 1);
        if left > 0 {
            self.observer.advance(u64::from(left));
            classes.push(records.map(|record| node.ids[record]), kept);
        }
        Ok(())
    }

    /// Make a class of its own of a "with" side, and split it.
    fn descend<C: Code, W: Weights>(
        &self,
        above: Node<'_, C, W>,
        side: &mut Side,
        levels: &mut Levels<C, W, R>,
        classes: &mut Classes,
    ) -> Result<()> {
        let common = |item: &u32| side.counts[*item as usize] == side.total;
        if !side.touched.iter().any(|item| self.may_split(side.counts[*item as usize], side.total)) {
            let kept =
                side.touched.iter().filter(|item| common(item)).map(|item| above.names[*item as usize]);
            self.observer.advance(u64::from(side.total));
            classes.push(
                side.records.iter().map(|record| above.ids[*record as usize]),
                above.kept.iter().copied().chain(kept),
            );
            return Ok(());
        }
        let mut level = levels.take();
        side.touched.sort_unstable();
        level.kept.clear();
        level.kept.extend_from_slice(above.kept);
        level.names.clear();
        level.work.counts.clear();
        level.renamed.resize(above.names.len().max(level.renamed.len()), u32::MAX);
        for item in side.touched.iter() {
            let count = side.counts[*item as usize];
            let name = above.names[*item as usize];
            // Fewer than k records with an item: no class below can have it in common.
            let stays = count >= self.k && count < side.total;
            level.renamed[*item as usize] = if stays { level.names.len() as u32 } else { u32::MAX };
            if stays {
                level.names.push(name);
                level.work.counts.push(count);
            } else if count == side.total {
                level.kept.push(name);
            }
        }
        level.offsets.clear();
        level.offsets.push(0);
        level.codes.clear();
        level.ids.clear();
        above.weights.gather(&side.records, &mut level.weights);
        for some in side.records.chunks(TOGETHER) {
            touch(above.rows, some);
            for record in some {
                level.ids.push(above.ids[*record as usize]);
                let renamed =
                    above.rows.get(*record as usize).iter().map(|code| level.renamed[code.widen() as usize]);
                level.codes.extend(renamed.filter(|item| *item != u32::MAX).map(C::narrow));
                level.offsets.push(level.codes.len() as u64);
            }
        }
        let Level { offsets, codes, ids, names, kept, weights, work, .. } = &mut level;
        self.find_splits(work, side.total);
        let rows = Sets { offsets, codes };
        let Work { inverted, counts, splits, .. } = work;
        inverted.build(rows, splits, counts);
        self.run(Node { rows, ids, names, kept, weights }, side.total, work, levels, classes)?;
        levels.0.push(level);
        Ok(())
    }
}

/// Fetch the beginning and the end of some records at the same time.
#[inline]
fn touch<C: Code>(rows: Sets<'_, C>, some: &[u32]) {
    let mut sum = 0u32;
    for record in some {
        let (begin, end) =
            (rows.offsets[*record as usize] as usize, rows.offsets[*record as usize + 1] as usize);
        if begin < end {
            sum = sum.wrapping_add(rows.codes[begin].widen()).wrapping_add(rows.codes[end - 1].widen());
        }
    }
    std::hint::black_box(sum);
}

impl Side {
    /// Count the items of its records, and tell the picker that they leave.
    fn count<C: Code, W: Weights, R: Rule>(&mut self, node: Node<'_, C, W>, picker: &mut R::Picker<C>) {
        self.total = node.weights.sum(&self.records);
        if self.counts.len() < node.names.len() {
            self.counts.resize(node.names.len(), 0);
        }
        let n_items = node.names.len();
        let instances = self.records.len() * (node.rows.codes.len() / node.rows.len().max(1));
        let few = instances < n_items;
        for some in self.records.chunks(TOGETHER) {
            touch(node.rows, some);
            for record in some {
                let weight = node.weights.of(*record);
                let row = node.rows.get(*record as usize);
                for code in row {
                    let count = &mut self.counts[code.widen() as usize];
                    if few && *count == 0 {
                        self.touched.push(code.widen());
                    }
                    *count += weight;
                }
                if <R::Picker<C> as Picker<C, R>>::WATCHES {
                    picker.leaves(row, weight);
                }
            }
        }
        if !few {
            let counts = &self.counts;
            self.touched.extend((0..n_items as u32).filter(|item| counts[*item as usize] > 0));
        }
    }

    /// A copy that doesn't share memory, for another task.
    fn copy(&mut self) -> Side {
        let mut counts = Vec::new();
        if let Some(last) = self.touched.iter().max() {
            counts.extend_from_slice(&self.counts[..=*last as usize]);
        }
        Side { records: self.records.clone(), total: self.total, counts, touched: self.touched.clone() }
    }

    fn clear(&mut self) {
        self.touched.iter().for_each(|item| self.counts[*item as usize] = 0);
        self.touched.clear();
    }
}
