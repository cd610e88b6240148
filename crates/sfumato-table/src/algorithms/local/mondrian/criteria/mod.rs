//! Split criteria that a workload asks for: which of all allowed splits serves the recipient's
//! tasks best. One file each.
//!
//! A criterion only scores splits. The requirements decide whether a split is allowed, and if no
//! split gains anything, the usual order of splits is used.

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

/// Scores the splits of a node for a target of a workload. There is one implementation per kind of
/// target.
pub trait Criterion: Sync + Send {
    /// The columns it reads, to be moved with the rows.
    fn columns(&self) -> Vec<&Codes>;
    /// How many numbers it stores for a slot.
    fn width(&self) -> usize;
    /// The value of a unit of its impurity.
    fn scale(&self) -> f64;
    /// Count all rows of a node and return their impurity. With 0, no split can gain anything.
    fn whole(&self, own: &[Slice<'_>], range: Range<usize>, whole: &mut Counts) -> f64;
    /// Add the gain of the cut before slot `cuts.start + i` to `gains[i]`.
    fn add_cuts(&self, view: &View<'_>, cuts: Range<usize>, room: &mut Counts, gains: &mut [f64]);
    /// The gain of a split into parts.
    fn of_parts(&self, view: &View<'_>, parts: &Parts<'_>, room: &mut Counts) -> f64;
    /// The share of the impurity that a split into `parts` parts must remove to be more than
    /// chance, if naming the split takes `nats` nats: what is saved in describing the target must
    /// pay for that and for describing the parts.
    fn beyond_chance(&self, whole: &Counts, n_rows: usize, nats: f64, parts: usize) -> f64;
    /// The criterion as the entropy of two classes, if it is just that.
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
    /// The address of the split column.
    pub by: Address,
    /// The codes of the column, in order.
    pub slots: &'a Slots,
    /// The counts of all rows of the node.
    pub whole: &'a Counts,
}

/// The parts of a split into more than two.
pub struct Parts<'a> {
    /// The number of parts.
    pub n: usize,
    /// The part of each slot.
    pub of_slot: &'a [u32],
}

/// Buffers for counting, kept from node to node. Each criterion uses what it needs.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    /// The number of rows by label.
    rows: Vec<u32>,
    /// Rows of one side, by label.
    left: Vec<u32>,
    right: Vec<u32>,
    /// The sums of values by label.
    sums: Vec<Moments>,
    left_sums: Vec<Moments>,
    right_sums: Vec<Moments>,
    /// The impurity before a split.
    impurity: f64,
}

impl Counts {
    /// The rows by label.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }
    /// The impurity of the rows.
    pub fn impurity(&self) -> f64 {
        self.impurity
    }
}
