//! Split criteria that a workload asks for: which of all allowed splits serves the recipient's
//! tasks best. One file each.
//!
//! A criterion scores splits, and nothing else: whether one is allowed is asked of the
//! requirements, and where no split gains anything the usual order goes on.

mod choose;
mod features;
mod guide;
mod info_gain;
mod parts;
mod score;
mod selection;
mod slots;
mod squared_error;
mod two_classes;
mod x_log_x;

pub use choose::Guided;
pub use guide::Guide;
pub use info_gain::InfoGain;
pub use parts::Sizes;
pub use score::{ALIKE, Scored, Scratch};

use std::ops::Range;

use sfumato_core::column::Codes;

use super::block::Block;
use super::store::{Address, Slice};
use slots::Slots;
use squared_error::Moments;

/// What a target of a workload says about the splits of a node. One entry per kind of target.
pub trait Criterion: Sync + Send {
    /// The columns it reads, to be moved with the rows.
    fn columns(&self) -> Vec<&Codes>;
    /// How many numbers it keeps for a slot.
    fn width(&self) -> usize;
    /// What a unit of its impurity counts.
    fn scale(&self) -> f64;
    /// Count all rows of a node, and say how impure they are: 0 says that no split can gain
    /// anything.
    fn whole(&self, own: &[Slice<'_>], range: Range<usize>, whole: &mut Counts) -> f64;
    /// Add to `gains[i]` what the cut before slot `cuts.start + i` gains.
    fn add_cuts(&self, view: &View<'_>, cuts: Range<usize>, room: &mut Counts, gains: &mut [f64]);
    /// What a split into parts gains.
    fn of_parts(&self, view: &View<'_>, parts: &Parts<'_>, room: &mut Counts) -> f64;
    /// The share of the impurity that a split into so many parts must take away for it to be more
    /// than chance, if saying which split it is takes so many nats: what is saved in describing the
    /// target must pay for that and for what the parts are like.
    fn beyond_chance(&self, whole: &Counts, n_rows: usize, nats: f64, parts: usize) -> f64;
    /// If it is the entropy of two classes and nothing else.
    fn two_classes(&self) -> Option<&InfoGain> {
        None
    }
}

/// One column at one node, as a criterion sees it.
pub struct View<'a> {
    /// The rows.
    pub block: &'a Block<'a>,
    /// The criterion's own columns.
    pub own: &'a [Slice<'a>],
    /// The places of the node.
    pub range: Range<usize>,
    /// Where the split column lies.
    pub by: Address,
    /// Its codes in their order.
    pub slots: &'a Slots,
    /// All rows of the node counted.
    pub whole: &'a Counts,
}

/// The parts of a split into more than two.
pub struct Parts<'a> {
    /// How many.
    pub n: usize,
    /// The part of each slot.
    pub of_slot: &'a [u32],
}

/// Room to count in, kept from node to node. Each criterion uses what it needs.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    /// Rows by label.
    rows: Vec<u32>,
    /// Those of one side.
    left: Vec<u32>,
    right: Vec<u32>,
    /// Sums by label.
    sums: Vec<Moments>,
    left_sums: Vec<Moments>,
    right_sums: Vec<Moments>,
    /// What there was before a split.
    impurity: f64,
}

impl Counts {
    /// The rows by label.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }
    /// How impure the rows are.
    pub fn impurity(&self) -> f64 {
        self.impurity
    }
}
