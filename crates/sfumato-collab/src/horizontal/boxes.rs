//! The boxes that rows are in, as every holder knows them.

use crate::holder::StepNote;
use crate::protocol::message::Threshold;

/// The boxes in the end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boxes {
    /// For each box the least and the greatest number in each column.
    pub bounds: Vec<Vec<(i64, i64)>>,
    /// How many splits there were.
    pub splits: u32,
    /// The specialisations, which the leader knows as such.
    pub steps: Vec<StepNote>,
    /// In how many boxes a holder that takes its own rows out sees too few; the leader knows.
    pub exposed: Option<usize>,
}

/// The part of the space that a box was given by splits: what may be asked about it.
#[derive(Debug, Clone)]
pub struct Space {
    /// For each box and column the interval that splits left it.
    pub regions: Vec<Vec<(i64, i64)>>,
}

impl Space {
    /// One box.
    pub fn new(bounds: Vec<(i64, i64)>) -> Self {
        Space { regions: vec![bounds] }
    }

    /// Whether a threshold divides a box, so that it follows from splits that were approved.
    pub fn has(&self, at: &Threshold) -> bool {
        let column = self.regions.get(at.region as usize).and_then(|r| r.get(at.column as usize));
        column.is_some_and(|&(lo, hi)| lo <= at.at && at.at <= hi)
    }

    /// Split boxes: the left half keeps the number, the right half gets the next.
    pub fn split(&mut self, at: &[Threshold]) {
        for Threshold { region, column, at } in at {
            let mut right = self.regions[*region as usize].clone();
            self.regions[*region as usize][*column as usize].1 = *at;
            right[*column as usize].0 = at + 1;
            self.regions.push(right);
        }
    }
}
