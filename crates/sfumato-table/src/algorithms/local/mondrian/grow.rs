//! Grows the tree: measures a node, chooses its split, moves its rows, and continues with its
//! parts.
//!
//! Large subtrees go to threads, each with a block of the working copy of its own. Every decision
//! is made from the rows of one node alone and leaves are collected in depth-first order, so the
//! number of threads changes nothing.

use std::ops::Range;

use sfumato_core::observer::Observer;
use sfumato_core::{Error, ErrorKind, Result};

use super::block::{Block, Mover, Threshold};
use super::check::Check;
use super::criteria::{Counts, Guide, Scratch};
use super::gain::Gain;
use super::leaves::Leaves;
use super::leftover::{Leaving, Leftovers};
use super::median::Counter;
use super::price::Prices;
use super::record::Entry;
use super::shape::{Bounds, Shape};
use super::split::{Split, SplitPart};
use super::store::Address;
use super::suppress;

/// The number of rows above which a subtree is grown by a thread of its own.
const PARALLEL_ROWS: usize = 1 << 16;
/// The number of rows above which a node checks whether the user asked to stop.
const ASK_ROWS: usize = 1 << 14;
/// The approximate number of finished rows that are reported at once.
const REPORT_ROWS: u64 = 1 << 16;

/// What is the same for every node.
pub struct Rules<'a> {
    /// The quasi columns.
    pub shapes: &'a [Shape<'a>],
    /// The address of each of them in the working copy.
    pub addresses: &'a [Address],
    /// The requirements.
    pub check: &'a Check<'a>,
    /// The prices of cells.
    pub prices: &'a Prices<'a>,
    /// How splits are chosen for a workload.
    pub guide: Option<&'a Guide<'a>>,
    /// The order in which columns are tried without a workload, or where the workload gains
    /// nothing.
    pub order: Order,
    /// What happens to children of a hierarchy's node that can't be published.
    pub leftovers: Leftovers,
    /// Whether cuts far from the median are tried if those near it aren't allowed.
    pub quantiles: bool,
    /// Whether rows with the median may go to both sides.
    pub relaxed: bool,
    /// Whether leaves get the interval of their cells instead of the region that the splits made.
    pub tighten: bool,
    /// Nodes of at most this many rows aren't split, because they are processed elsewhere.
    pub stop_rows: usize,
    /// Whether the tree is recorded.
    pub record: bool,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

/// The order in which columns are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The widest column first.
    Widest,
    /// The column first whose split lowers the price of the records most.
    Gain,
}

/// What a node inherits from the nodes above.
#[derive(Debug, Clone)]
pub struct Above {
    /// The quasi columns that had more than one code in the parent, by their addresses.
    pub live: Vec<usize>,
    /// The interval of the cells of every quasi column, valid for those that aren't live.
    pub cells: Vec<Bounds>,
    /// The region that the splits made.
    pub region: Vec<Bounds>,
    /// How many rows may be suppressed.
    pub budget: u64,
    /// Whether the node may be published as it is. Only the root may not.
    pub holds: bool,
    /// Whether the workload may still gain something.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
}

/// Grow the tree of a block. If the root is infeasible, the error has no explanation, which the
/// caller adds.
pub fn grow(rules: &Rules<'_>, block: Block<'_>, above: Above) -> Result<Vec<Leaves>> {
    let n = block.len();
    let Above { budget, holds, guided, depth, .. } = above;
    let mut worker = Worker::new(rules, block, above);
    let node = Node { range: 0..n, live: 0..worker.live.len(), budget, holds, guided, depth };
    if n <= PARALLEL_ROWS {
        worker.grow(node)?;
        return Ok(vec![worker.finish()]);
    }
    worker.ask()?;
    let live = worker.measure(&node);
    let choice = worker.choose(&node, &live)?;
    worker.record(&node, choice.as_ref());
    let Some(split) = choice else {
        worker.leaf(n, true);
        return Ok(vec![worker.finish()]);
    };
    worker.arrange(node.range, &split, &live);

    // The buffers would only wait while the subtrees grow.
    let Worker {
        block: mut rest,
        live: stack,
        cells,
        region: above_region,
        mover,
        counter,
        gain,
        scratch,
        leaves: own,
        ..
    } = worker;
    drop((mover, counter, gain, scratch));
    let mut parts = Vec::with_capacity(split.parts.len());
    let (live, guided, depth) = (stack[live].to_vec(), split.guided, depth + 1);
    for (part, budget) in split.parts.iter().zip(budgets(&split, budget)) {
        let (block, after) = rest.split_at(part.rows);
        rest = after;
        let mut region = above_region.clone();
        region[split.column] = part.region;
        let (live, cells) = (live.clone(), cells.clone());
        let above = Above { live, cells, region, budget, holds: true, guided, depth };
        parts.push((block, above, part.holds));
    }
    let mut leaves = grow_parts(rules, parts)?;
    if rules.record {
        leaves.insert(0, own);
    }
    Ok(leaves)
}

fn grow_parts(rules: &Rules<'_>, mut parts: Vec<(Block<'_>, Above, bool)>) -> Result<Vec<Leaves>> {
    if parts.len() > 1 {
        let last = parts.split_off(parts.len() / 2);
        let (first, last) = rayon::join(|| grow_parts(rules, parts), || grow_parts(rules, last));
        let mut leaves = first?;
        leaves.extend(last?);
        return Ok(leaves);
    }
    match parts.pop() {
        Some((block, above, true)) => grow(rules, block, above),
        Some((block, above, false)) => {
            let rows = block.len();
            let mut worker = Worker::new(rules, block, above);
            worker.leaf(rows, false);
            Ok(vec![worker.finish()])
        }
        None => Ok(Vec::new()),
    }
}

/// The suppression budgets of the parts of a split: what the split itself leaves, divided by their
/// rows.
pub fn budgets(split: &Split, budget: u64) -> impl Iterator<Item = u64> + '_ {
    let rest = budget.saturating_sub(split.dropped() as u64);
    let kept: usize = split.parts.iter().filter(|part| part.holds).map(|part| part.rows).sum();
    let mut before = 0;
    split.parts.iter().map(move |part| {
        if rest == 0 || !part.holds {
            return 0;
        }
        before += part.rows;
        suppress::share(rest, before - part.rows, part.rows, kept)
    })
}

/// A node inside a block.
pub struct Node {
    /// The places of the node.
    pub range: Range<usize>,
    /// Its part of the stack of live columns.
    pub live: Range<usize>,
    /// How many rows may be suppressed.
    pub budget: u64,
    /// Whether it may be published as it is.
    pub holds: bool,
    /// Whether the workload may still gain something.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
}

/// Grows the subtrees of one block, one node after the other.
pub struct Worker<'r, 'b> {
    /// What is the same for every node.
    pub rules: &'r Rules<'r>,
    /// The rows.
    pub block: Block<'b>,
    /// A stack: each node on the way down has its columns with more than one code.
    pub live: Vec<usize>,
    /// The interval of the cells of every quasi column at the current node.
    pub cells: Vec<Bounds>,
    /// The region of the current node.
    pub region: Vec<Bounds>,
    /// The widths of the live columns, while a split is chosen.
    pub scores: Vec<f64>,
    /// A sample to score columns by.
    pub gain: Gain,
    /// Tables to count in.
    pub counter: Counter,
    /// Buffers for scoring splits by a workload.
    pub scratch: Scratch,
    /// The rows of a node counted by each criterion.
    pub wholes: Vec<Counts>,
    mover: Mover,
    leaves: Leaves,
    unreported: u64,
}

impl<'r, 'b> Worker<'r, 'b> {
    fn new(rules: &'r Rules<'r>, block: Block<'b>, above: Above) -> Self {
        Worker {
            rules,
            block,
            live: above.live,
            cells: above.cells,
            region: above.region,
            scores: Vec::new(),
            gain: Gain::new(),
            mover: Mover::new(),
            counter: Counter::new(),
            scratch: Scratch::default(),
            wholes: Vec::new(),
            leaves: Leaves::new(rules.shapes),
            unreported: 0,
        }
    }

    fn finish(self) -> Leaves {
        self.rules.observer.advance(self.unreported);
        self.leaves.finish()
    }

    fn ask(&self) -> Result<()> {
        match self.rules.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }

    fn grow(&mut self, node: Node) -> Result<()> {
        if node.range.len() > ASK_ROWS {
            self.ask()?;
        }
        let live = self.measure(&node);
        // A node that may be published needn't be split.
        let choice = match node.holds && self.rules.observer.enough() {
            true => None,
            false => self.choose(&node, &live)?,
        };
        self.record(&node, choice.as_ref());
        match choice {
            None => self.leaf(node.range.len(), true),
            Some(split) => {
                self.arrange(node.range.clone(), &split, &live);
                let outer = self.region[split.column];
                let mut start = node.range.start;
                for (part, budget) in split.parts.iter().zip(budgets(&split, node.budget)) {
                    let range = start..start + part.rows;
                    start = range.end;
                    self.region[split.column] = part.region;
                    match part.holds {
                        true => {
                            let (guided, depth) = (split.guided, node.depth + 1);
                            let live = live.clone();
                            self.grow(Node { range, live, budget, holds: true, guided, depth })?;
                        }
                        false => self.leaf(part.rows, false),
                    }
                }
                self.region[split.column] = outer;
            }
        }
        self.live.truncate(live.start);
        Ok(())
    }

    fn record(&mut self, node: &Node, split: Option<&Split>) {
        if self.rules.record {
            self.leaves.entries.push(Entry::new(node.range.len(), node.guided, node.depth, split));
        }
    }

    fn leaf(&mut self, rows: usize, published: bool) {
        let bounds = if self.rules.tighten { &self.cells } else { &self.region };
        self.leaves.push(rows, published, bounds);
        self.unreported += rows as u64;
        if self.unreported >= REPORT_ROWS {
            self.rules.observer.advance(std::mem::take(&mut self.unreported));
        }
    }

    /// Find the interval of the cells of each column that isn't constant already, and put those
    /// that still vary on the stack.
    fn measure(&mut self, node: &Node) -> Range<usize> {
        let start = self.live.len();
        let mut i = node.live.start;
        while i < node.live.end {
            let store = self.rules.addresses[self.live[i]].store;
            let lanes = self.block.stores[store].min_max(node.range.clone());
            // Live columns are sorted by address: those of one store follow each other.
            while i < node.live.end {
                let column = self.live[i];
                let address = self.rules.addresses[column];
                if address.store != store {
                    break;
                }
                let (min, max) = lanes[address.lane];
                self.cells[column] = Bounds { min, max };
                if min < max {
                    self.live.push(column);
                }
                i += 1;
            }
        }
        start..self.live.len()
    }

    /// Bring the rows of a node into the order of the parts of a split: first those that leave, if
    /// some stay.
    fn arrange(&mut self, range: Range<usize>, split: &Split, live: &Range<usize>) {
        let Some((kept, (_, leaving))) = split.kept.as_ref().zip(split.parts.split_last()) else {
            return self.partition(range, split, &split.parts, live);
        };
        let addresses = self.rules.addresses;
        let moved = stores(&self.live[live.clone()], addresses);
        let (by, codes) = (addresses[split.column], Leaving::new(leaving));
        let n_left =
            self.mover.set_apart(&mut self.block, range.clone(), by, &codes, &kept.lent, moved);
        self.partition(range.start..range.start + n_left, split, leaving, live);
    }

    /// Bring the rows of a range into the order of some parts of a split: halve the parts until one
    /// is left.
    fn partition(
        &mut self,
        range: Range<usize>,
        split: &Split,
        parts: &[SplitPart],
        live: &Range<usize>,
    ) {
        let half = parts.len() / 2;
        if half == 0 {
            return;
        }
        let addresses = self.rules.addresses;
        let moved = stores(&self.live[live.clone()], addresses);
        let threshold = Threshold {
            by: addresses[split.column],
            code: parts[half].region.min,
            extra: split.extra,
        };
        let n_left = self.mover.partition(&mut self.block, range.clone(), threshold, moved);
        let middle = range.start + n_left;
        self.partition(range.start..middle, split, &parts[..half], live);
        self.partition(middle..range.end, split, &parts[half..], live);
    }
}

/// The stores of some columns that are sorted by address, each once.
fn stores<'a>(columns: &'a [usize], addresses: &'a [Address]) -> impl Iterator<Item = usize> + 'a {
    let mut last = None;
    columns
        .iter()
        .map(|&column| addresses[column].store)
        .filter(move |&store| last.replace(store) != Some(store))
}
