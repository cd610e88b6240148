//! The records of a table for the search: records that are alike in every relevant column are one
//! point.
//!
//! Nothing here knows what is published; it only saves the search from visiting equal records one
//! by one.

use std::borrow::Cow;

use sfumato_core::column::Codes;
use sfumato_core::traits::Task;

use crate::algorithms::global::shared::groups::Groups;

/// Distinct records with their weights.
pub struct Points<'a> {
    /// For each quasi column the code of each point.
    pub quasi: Vec<Cow<'a, Codes>>,
    /// For each sensitive column that a model counts, the code of each point and the number of
    /// codes.
    pub sensitive: Vec<Option<(Cow<'a, Codes>, usize)>>,
    /// The number of rows of each point. `None` if each has one.
    pub weights: Option<Vec<u32>>,
    n: usize,
}

impl<'a> Points<'a> {
    /// The points of a table. With a subject column every row is a point, since people can't be
    /// added up.
    pub fn new(task: &Task<'a>) -> Self {
        let table = task.table;
        let (quasi, tally) = (table.quasi(), task.tally());
        let rows = Points {
            quasi: quasi.iter().map(|column| Cow::Borrowed(&column.codes)).collect(),
            sensitive: tally
                .sensitive
                .iter()
                .map(|column| column.map(|(codes, n)| (Cow::Borrowed(codes), n)))
                .collect(),
            weights: None,
            n: table.n_rows,
        };
        if table.subject.is_some() {
            return rows;
        }
        let sizes = quasi.iter().map(|column| (&column.codes, column.domain.len() + 1));
        let columns: Vec<(&Codes, usize)> =
            sizes.chain(tally.sensitive.iter().flatten().map(|&(codes, n)| (codes, n))).collect();
        let most = columns.iter().map(|(_, n)| *n).max().unwrap_or(1);
        let same: Vec<u32> = (0..most as u32).collect();
        let groups = Groups::of_columns(
            table.n_rows,
            columns.iter().map(|&(codes, n)| (codes, &same[..n], n)),
        );
        if groups.len() == table.n_rows {
            return rows;
        }
        let of_examples = |codes: &Codes| Cow::Owned(codes.gather(&groups.example));
        Points {
            quasi: quasi.iter().map(|column| of_examples(&column.codes)).collect(),
            sensitive: tally
                .sensitive
                .iter()
                .map(|column| column.map(|(codes, n)| (of_examples(codes), n)))
                .collect(),
            weights: Some(groups.rows.iter().map(|&rows| rows as u32).collect()),
            n: groups.len(),
        }
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.n
    }
    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
    /// The number of rows of a point.
    #[inline]
    pub fn weight(&self, point: usize) -> u32 {
        self.weights.as_ref().map_or(1, |weights| weights[point])
    }
}
