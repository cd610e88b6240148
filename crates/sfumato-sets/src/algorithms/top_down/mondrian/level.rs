//! Buffers for splitting classes: one set for each item on the way down, which are reused.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

use super::chain::Node;
use super::inverted::Inverted;
use super::rule::{Rule, may_split};
use super::side::{Side, TOGETHER, touch};
use super::small::Small;
use super::weights::Weights;

/// A class made of a "with" side.
pub struct Level<C: Code, W, R: Rule> {
    offsets: Vec<u64>,
    codes: Vec<C>,
    ids: Vec<u32>,
    names: Vec<u32>,
    kept: Vec<u32>,
    weights: W,
    /// For each item of the class above, its number here.
    renamed: Vec<u32>,
    /// The buffers for splitting it.
    pub work: Work<C, R>,
}

/// The buffers for splitting one class.
pub struct Work<C: Code, R: Rule> {
    /// How many of the remaining records have each item.
    pub counts: Vec<u32>,
    /// The side that is being removed.
    pub side: Side,
    /// The records that have each item that may split.
    pub inverted: Inverted,
    /// A bit for each remaining record.
    pub alive: Vec<u64>,
    /// The items that may split, ascending.
    pub splits: Vec<u32>,
    /// The picker of items.
    pub picker: R::Picker<C>,
    /// The splitter of small classes.
    pub small: Small,
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
            small: Small::default(),
        }
    }
}

/// The number of an item that is no longer in the records.
const GONE: u32 = u32::MAX;

impl<C: Code, W: Weights, R: Rule> Level<C, W, R> {
    fn new() -> Self {
        Level {
            offsets: Vec::new(),
            codes: Vec::new(),
            ids: Vec::new(),
            names: Vec::new(),
            kept: Vec::new(),
            weights: W::default(),
            renamed: Vec::new(),
            work: Work::default(),
        }
    }

    /// Copy a side. Items that all its records have become kept; items of fewer than k records are
    /// removed, as no class below can have them in common. Items that may split come first, so that
    /// their numbers are those of their lists, which are made if they are `listed`.
    pub fn fill(&mut self, above: Node<'_, C, W>, side: &mut Side, k: u32, listed: bool) {
        side.touched.sort_unstable();
        self.kept.clear();
        self.kept.extend_from_slice(above.kept);
        self.names.clear();
        self.work.counts.clear();
        self.renamed.resize(above.names.len().max(self.renamed.len()), GONE);
        for item in side.touched.iter() {
            let count = side.counts[*item as usize];
            self.renamed[*item as usize] = GONE;
            if count == side.total {
                self.kept.push(above.names[*item as usize]);
            } else if may_split(count, side.total, k) {
                self.stays(above, *item, count);
            }
        }
        self.work.splits.clear();
        self.work.splits.extend(0..self.names.len() as u32);
        for item in side.touched.iter() {
            let count = side.counts[*item as usize];
            if (k..side.total).contains(&count) && !may_split(count, side.total, k) {
                self.stays(above, *item, count);
            }
        }
        self.copy_rows(above, &side.records);
        if !listed {
            return;
        }
        let rows = Sets { offsets: &self.offsets, codes: &self.codes };
        self.work.inverted.build(rows, self.work.splits.len(), &self.work.counts);
    }

    fn stays(&mut self, above: Node<'_, C, W>, item: u32, count: u32) {
        self.renamed[item as usize] = self.names.len() as u32;
        self.names.push(above.names[item as usize]);
        self.work.counts.push(count);
    }

    fn copy_rows(&mut self, above: Node<'_, C, W>, records: &[u32]) {
        let Level { offsets, codes, ids, weights, renamed, .. } = self;
        offsets.clear();
        offsets.push(0);
        codes.clear();
        ids.clear();
        above.weights.gather(records, weights);
        let mut end = 0;
        for some in records.chunks(TOGETHER) {
            touch(above.rows, some);
            for record in some {
                ids.push(above.ids[*record as usize]);
                let row = above.rows.get(*record as usize);
                // Every item is written, and what is gone is overwritten by the next: a branch
                // would be a coin toss.
                codes.resize(end + row.len(), C::default());
                for code in row {
                    let item = renamed[code.widen() as usize];
                    codes[end] = C::narrow(item);
                    end += usize::from(item != GONE);
                }
                offsets.push(end as u64);
            }
        }
        codes.truncate(end);
    }

    /// The class, and the buffers for splitting it.
    pub fn parts(&mut self) -> (Node<'_, C, W>, &mut Work<C, R>) {
        let Level { offsets, codes, ids, names, kept, weights, work, .. } = self;
        (Node { rows: Sets { offsets, codes }, ids, names, kept, weights }, work)
    }
}

/// The buffers of one task.
pub struct Levels<C: Code, W, R: Rule>(Vec<Level<C, W, R>>);

impl<C: Code, W: Weights, R: Rule> Levels<C, W, R> {
    /// An empty stack of buffers.
    pub fn new() -> Self {
        Levels(Vec::new())
    }
    /// Take unused buffers.
    pub fn take(&mut self) -> Level<C, W, R> {
        self.0.pop().unwrap_or_else(Level::new)
    }
    /// Return buffers that are no longer used.
    pub fn give_back(&mut self, level: Level<C, W, R>) {
        self.0.push(level);
    }
}
