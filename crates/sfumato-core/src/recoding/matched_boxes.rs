//! Matched boxes: every record is published as a region of its own, and matches regions of others.

use crate::error::{Error, Result};
use crate::matches::Matches;
use crate::recoding::{Boxes, Finding, RecodedColumn, Recoding};

/// A recoding in which each class has one record. The matches say who hides whom: they are the
/// regions that contain an original record.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedBoxes {
    boxes: Boxes,
    matches: Matches,
}

impl MatchedBoxes {
    /// Make matched boxes from boxes with one record each, and for each row of the table the
    /// classes that it matches. Its own class must be among them.
    pub fn new(boxes: Boxes, matches: Matches) -> Result<Self> {
        let n = boxes.class_of_row().len();
        let mut taken = vec![false; n];
        for class in boxes.class_of_row() {
            match taken.get_mut(*class as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return Err(Error::internal("a class of matched boxes must have one record")),
            }
        }
        if matches.len() != n || boxes.n_classes() != n {
            return Err(Error::internal("there must be as many matched boxes as records"));
        }
        Ok(MatchedBoxes { boxes, matches })
    }
}

impl Recoding for MatchedBoxes {
    fn shape(&self) -> &'static str {
        "matched-boxes"
    }
    fn matches(&self) -> Option<&Matches> {
        Some(&self.matches)
    }
    fn n_classes(&self) -> usize {
        self.boxes.n_classes()
    }
    fn class_of_row(&self) -> &[u32] {
        self.boxes.class_of_row()
    }
    fn reorder(&mut self, order: &[u32]) {
        self.boxes.reorder(order);
        self.matches = self.matches.reordered(order);
    }
    fn column(&self, quasi: usize) -> &RecodedColumn {
        self.boxes.column(quasi)
    }
    fn findings(&self) -> &[Finding] {
        self.boxes.findings()
    }
    fn n_columns(&self) -> usize {
        self.boxes.n_columns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recoding::{SUPPRESSED, Value};

    fn boxes(class_of_row: Vec<u32>) -> Boxes {
        Boxes::new(1, (0..3).map(|_| vec![Value::Any]), class_of_row).unwrap()
    }

    #[test]
    fn rows_take_their_matches_along() {
        let matches = Matches::new(2, vec![0, 1, 1, 2, 2, 0]).unwrap();
        let mut recoding = MatchedBoxes::new(boxes(vec![1, 2, 0]), matches).unwrap();
        recoding.reorder(&[2, 0, 1]);
        assert_eq!(recoding.class_of_row(), [0, 1, 2]);
        assert_eq!(recoding.matches().unwrap().all(), [2, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn each_class_has_one_record() {
        let matches = || Matches::new(1, vec![0, 1, 2]).unwrap();
        assert!(MatchedBoxes::new(boxes(vec![1, 1, 0]), matches()).is_err());
        assert!(MatchedBoxes::new(boxes(vec![1, SUPPRESSED, 0]), matches()).is_err());
        assert!(MatchedBoxes::new(boxes(vec![1, 0]), matches()).is_err());
        assert!(
            MatchedBoxes::new(boxes(vec![1, 0, 2]), Matches::new(1, vec![0]).unwrap()).is_err()
        );
    }
}
