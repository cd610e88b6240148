//! Tables in parts, for tests: each part has whole classes, and columns of numbers that know no
//! more than their part does.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Table};
use sfumato_core::recoding::{Boxes, Recoding, SUPPRESSED, Value};

use crate::metrics::alike::Alike;
use crate::metrics::testing::Sample;

impl Sample {
    /// The records in parts. Classes that are published alike stay together, and suppressed records
    /// may be in any part.
    pub fn parts(&self, n_parts: usize) -> Vec<Sample> {
        let view = self.view(None);
        let alike = Alike::new(&view);
        let part_of = |(row, class): (usize, &u32)| match *class {
            SUPPRESSED => row % n_parts,
            class => alike.published[class as usize] as usize % n_parts,
        };
        let part_of_row: Vec<usize> =
            self.boxes.class_of_row().iter().enumerate().map(part_of).collect();
        (0..n_parts)
            .map(|part| {
                let rows: Vec<u32> = (0..)
                    .zip(&part_of_row)
                    .filter(|(_, of)| **of == part)
                    .map(|(row, _)| row)
                    .collect();
                self.part(&rows)
            })
            .collect()
    }

    fn part(&self, rows: &[u32]) -> Sample {
        let class_of_row: Vec<u32> =
            rows.iter().map(|row| self.boxes.class_of_row()[*row as usize]).collect();
        let n_quasi = self.table.quasi().len();
        let mut regions: Vec<Vec<Value>> = (0..self.boxes.n_classes() as u32)
            .map(|class| (0..n_quasi).map(|quasi| self.boxes.value(class, quasi)).collect())
            .collect();
        let mut columns: Vec<Column> = self.table.columns.clone();
        columns.iter_mut().for_each(|column| column.codes = column.codes.gather(rows));
        for (quasi, column) in columns.iter_mut().take(n_quasi).enumerate() {
            if column.hierarchy.is_none() {
                let values = regions.iter_mut().enumerate().map(|(class, region)| {
                    (class_of_row.contains(&(class as u32)), &mut region[quasi])
                });
                localize(column, values.collect());
            }
        }
        let boxes = Boxes::new(n_quasi, regions.into_iter(), class_of_row).unwrap();
        Sample { table: Table { n_rows: rows.len(), columns, subject: None }, boxes }
    }
}

/// A domain of the values that occur, ends of published ranges, and the least and the largest of
/// the whole.
fn localize(column: &mut Column, values: Vec<(bool, &mut Value)>) {
    let n = column.domain.len() as u32;
    let mut known: Vec<u32> = column.codes.iter().filter(|code| *code < n).collect();
    known.extend((n > 0).then_some(0));
    known.extend(n.checked_sub(1));
    for (is_here, value) in &values {
        if let (true, Value::Range { lo, hi }) = (is_here, value) {
            known.extend([*lo, *hi - 1]);
        }
    }
    known.sort_unstable();
    known.dedup();
    let rank =
        |code: u32| known.binary_search(&code).map_or(known.len() as u32, |rank| rank as u32);
    for (is_here, value) in values {
        match value {
            Value::Range { lo, hi } if is_here => {
                *value = Value::Range { lo: rank(*lo), hi: rank(*hi - 1) + 1 };
            }
            // Nobody is published with it.
            Value::Range { .. } => *value = Value::Any,
            _ => {}
        }
    }
    let old = column.codes.clone();
    column.codes = Codes::from_iter(known.len() + 1, old.iter().map(rank));
    column.domain = Domain {
        kind: column.domain.kind,
        labels: known.iter().map(|code| column.domain.label(*code)).collect(),
        keys: known.iter().filter_map(|code| column.domain.key(*code)).collect(),
    };
}
