//! Applies the recoding of a training part to any row: in which region it is published.

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Cut, Recoding, SUPPRESSED, Value};

use super::cells::{Cells, Extent};
use sfumato_table::recoding_file::box_tree::{BoxTree, Region, interval_of};

/// Maps rows to published regions.
pub struct Assigner<'a> {
    quasi: Vec<&'a Column>,
    recoding: &'a dyn Recoding,
    tree: Option<BoxTree>,
}

impl<'a> Assigner<'a> {
    /// The function of a recoding of a table.
    pub fn new(table: &'a Table, recoding: &'a dyn Recoding) -> Self {
        let quasi = table.quasi();
        let tree = recoding.cuts().is_none().then(|| {
            let mut has_rows = vec![false; recoding.n_classes()];
            let kept = recoding.class_of_row().iter().filter(|class| **class != SUPPRESSED);
            kept.for_each(|class| has_rows[*class as usize] = true);
            let region = |class: u32| {
                let interval = |(place, column): (usize, &&Column)| {
                    interval_of(column, recoding.value(class, place))
                };
                Region::new(&quasi, class, quasi.iter().enumerate().map(interval).collect())
            };
            let classes = (0..has_rows.len() as u32).filter(|class| has_rows[*class as usize]);
            BoxTree::new(classes.map(region).collect())
        });
        Assigner { quasi, recoding, tree }
    }

    /// The published cells of rows. `spans[column][code]` says for each raw code of a quasi column
    /// which codes a region must have, `codes[column][row]` which raw code each row has.
    pub fn assign(&self, spans: &[Vec<Option<(u32, u32)>>], codes: &[Vec<u32>]) -> Vec<Cells> {
        match self.recoding.cuts() {
            Some(cuts) => {
                self.quasi.iter().zip(cuts).zip(spans.iter().zip(codes)).map(by_cut).collect()
            }
            None => self.by_boxes(spans, codes),
        }
    }

    fn by_boxes(&self, spans: &[Vec<Option<(u32, u32)>>], codes: &[Vec<u32>]) -> Vec<Cells> {
        let n_rows = codes.first().map_or(0, Vec::len);
        let mut index: FastMap<Vec<Option<(u32, u32)>>, u32> = FastMap::default();
        let mut tuples = Vec::new();
        let tuple_of_row: Vec<u32> = (0..n_rows)
            .map(|row| {
                let tuple: Vec<_> = spans
                    .iter()
                    .zip(codes)
                    .map(|(spans, codes)| spans[codes[row] as usize])
                    .collect();
                *index.entry(tuple).or_insert_with_key(|tuple| {
                    tuples.push(tuple.clone());
                    tuples.len() as u32 - 1
                })
            })
            .collect();
        let class_of: Vec<u32> = tuples.par_iter().map(|tuple| self.class_of(tuple)).collect();
        let cells = |(place, column): (usize, &&Column)| {
            let recoded = self.recoding.column(place);
            let mut extents: Vec<Extent> =
                recoded.values.iter().map(|value| Extent::of_value(column, *value)).collect();
            let any = extents.len() as u32;
            extents.push(Extent::Any);
            let of_tuple: Vec<u32> = class_of
                .iter()
                .zip(&tuples)
                .map(|(class, tuple)| match (*class, tuple[place]) {
                    (SUPPRESSED, _) | (_, None) => any,
                    (class, Some(_)) => recoded.of_class[class as usize],
                })
                .collect();
            Cells {
                extents,
                of_row: tuple_of_row.iter().map(|tuple| of_tuple[*tuple as usize]).collect(),
            }
        };
        self.quasi.iter().enumerate().map(cells).collect()
    }

    /// The class of the smallest region that contains a row, or else of the one that grows least by
    /// taking it in.
    fn class_of(&self, tuple: &[Option<(u32, u32)>]) -> u32 {
        let Some(tree) = &self.tree else { return SUPPRESSED };
        match tree.smallest_containing(tuple, |_| true) {
            SUPPRESSED => tree.least_growth(&self.quasi, tuple),
            class => class,
        }
    }
}

type CutAndCodes<'a> = ((&'a &'a Column, &'a Cut), (&'a Vec<Option<(u32, u32)>>, &'a Vec<u32>));

/// A cut publishes each column by itself, whatever stands in the others.
fn by_cut(((column, cut), (spans, codes)): CutAndCodes<'_>) -> Cells {
    let extent = |span: &Option<(u32, u32)>| match span {
        None => Extent::Any,
        Some((lo, hi)) => {
            let values = (*lo..*hi).map(|code| cut.value(code));
            Extent::of_value(column, values.reduce(|a, b| both(column, a, b)).unwrap_or(Value::Any))
        }
    };
    Cells { extents: spans.iter().map(extent).collect(), of_row: codes.clone() }
}

/// The smallest value that covers two.
fn both(column: &Column, a: Value, b: Value) -> Value {
    match (a, b) {
        (a, b) if a == b => a,
        (Value::Any, _) | (_, Value::Any) => Value::Any,
        (Value::Missing, _) | (_, Value::Missing) => Value::Any,
        (a, b) => {
            let (a, b) = (a.codes(column), b.codes(column));
            Value::covering(column, a.start.min(b.start), a.end.max(b.end), false)
        }
    }
}
