//! Assigns new rows to the regions of a saved recoding of boxes.

use rayon::prelude::*;
use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Boxes, BoxesBuilder, SUPPRESSED, Value};
use sfumato_core::traits::Task;
use sfumato_core::{Error, FastMap, Result};

use super::Unseen;
use super::algorithm::SavedRecoding;
use super::balance::{Rows, balance};
use super::satisfy::keep_satisfying;
use crate::recoding_file::box_tree::{BoxTree, Region, interval_of, value_of};

/// Publish the rows of a task in saved regions.
pub fn locate(
    saved: &SavedRecoding<'_>,
    quasi: &[&Column],
    values: &[Vec<Option<Value>>],
    task: &Task<'_>,
) -> Result<Boxes> {
    let regions = saved.regions(quasi, values);
    let tree = BoxTree::new(regions.clone());
    let (tuples, tuple_of_row) = distinct_tuples(quasi, task.table.n_rows);
    let mut class_of: Vec<u32> = tuples
        .par_iter()
        .map(|tuple| tree.smallest_containing(tuple.as_slice(), |_| true))
        .collect();
    let mut boxes: Vec<Vec<(u32, u32)>> = saved.intervals_of_classes(quasi, values);
    saved.place_outside(quasi, &tuples, &tuple_of_row, &tree, &mut class_of, &mut boxes)?;

    let mut class_of_row: Vec<u32> =
        tuple_of_row.iter().map(|tuple| class_of[*tuple as usize]).collect();
    let mut region_of: Vec<Option<&Region>> = vec![None; boxes.len()];
    regions.iter().for_each(|region| region_of[region.class as usize] = Some(region));
    let rows = Rows { tuples: &tuples, tuple_of_row: &tuple_of_row, tree: &tree };
    balance(task, &rows, &region_of, &mut class_of_row);
    let (boxes, class_of_row) = compact(&boxes, class_of_row);
    let kept = keep_satisfying(task, &keys_of(&boxes, quasi.len()), boxes.len(), class_of_row)?;
    let mut builder = BoxesBuilder::new(quasi.len());
    for intervals in &boxes {
        let region: Vec<Value> = quasi
            .iter()
            .zip(intervals)
            .map(|(column, interval)| value_of(column, *interval))
            .collect();
        builder.push(&region)?;
    }
    Ok(builder.finish(kept))
}

/// For each column, a number per class, which is equal if the intervals are.
fn keys_of(boxes: &[Vec<(u32, u32)>], n_columns: usize) -> Vec<Vec<u32>> {
    let keys = |column: usize| {
        let mut numbers: FastMap<(u32, u32), u32> = FastMap::default();
        let number = |intervals: &Vec<(u32, u32)>| {
            let next = numbers.len() as u32;
            *numbers.entry(intervals[column]).or_insert(next)
        };
        boxes.iter().map(number).collect()
    };
    (0..n_columns).map(keys).collect()
}

impl SavedRecoding<'_> {
    fn intervals_of_classes(
        &self,
        quasi: &[&Column],
        values: &[Vec<Option<Value>>],
    ) -> Vec<Vec<(u32, u32)>> {
        let interval = |(c, value): (usize, &u32)| match values[c][*value as usize] {
            Some(value) => interval_of(quasi[c], value),
            None => (0, 0),
        };
        self.file
            .regions
            .iter()
            .map(|region| region.iter().enumerate().map(interval).collect())
            .collect()
    }

    fn regions(&self, quasi: &[&Column], values: &[Vec<Option<Value>>]) -> Vec<Region> {
        let intervals = self.intervals_of_classes(quasi, values);
        intervals
            .into_iter()
            .enumerate()
            .filter(|(_, intervals)| intervals.iter().all(|(lo, hi)| lo < hi))
            .map(|(class, intervals)| Region::new(quasi, class as u32, intervals))
            .collect()
    }

    fn place_outside(
        &self,
        quasi: &[&Column],
        tuples: &[Vec<u32>],
        tuple_of_row: &[u32],
        tree: &BoxTree,
        class_of: &mut [u32],
        boxes: &mut [Vec<(u32, u32)>],
    ) -> Result<()> {
        let outside: Vec<usize> =
            (0..tuples.len()).filter(|t| class_of[*t] == SUPPRESSED).collect();
        if outside.is_empty() || self.unseen == Unseen::Drop {
            return Ok(());
        }
        if self.unseen == Unseen::Refuse {
            let is_outside = |tuple: &u32| class_of[*tuple as usize] == SUPPRESSED;
            let rows = tuple_of_row.iter().filter(|tuple| is_outside(tuple)).count();
            let first =
                tuple_of_row.iter().position(|tuple| is_outside(&tuple.to_owned())).unwrap_or(0);
            return Err(Error::infeasible(format!(
                "{rows} rows lie in no region of the recoding, the first is row {}",
                first + 1
            ))
            .hint(
                "--unseen extend puts them into the region that grows least, --unseen drop \
                    suppresses them",
            ));
        }
        // Each is placed against the saved regions, not against those already grown: the order of
        // rows must not matter.
        let placed: Vec<u32> =
            outside.par_iter().map(|t| tree.least_growth(quasi, tuples[*t].as_slice())).collect();
        for (tuple, class) in outside.into_iter().zip(placed) {
            class_of[tuple] = class;
            if class != SUPPRESSED {
                for ((lo, hi), code) in boxes[class as usize].iter_mut().zip(&tuples[tuple]) {
                    (*lo, *hi) = if lo < hi {
                        ((*lo).min(*code), (*hi).max(code + 1))
                    } else {
                        (*code, code + 1)
                    };
                }
            }
        }
        Ok(())
    }
}

/// Remove regions without rows, and renumber the rest.
fn compact(boxes: &[Vec<(u32, u32)>], class_of_row: Vec<u32>) -> (Vec<Vec<(u32, u32)>>, Vec<u32>) {
    let mut new_of_old = vec![SUPPRESSED; boxes.len()];
    class_of_row
        .iter()
        .filter(|class| **class != SUPPRESSED)
        .for_each(|class| new_of_old[*class as usize] = 0);
    let mut kept = Vec::new();
    for (old, new) in new_of_old.iter_mut().enumerate().filter(|(_, new)| **new == 0) {
        *new = kept.len() as u32;
        kept.push(boxes[old].clone());
    }
    let renumber =
        |class: u32| if class == SUPPRESSED { class } else { new_of_old[class as usize] };
    (kept, class_of_row.into_iter().map(renumber).collect())
}

fn distinct_tuples(quasi: &[&Column], n_rows: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut index: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut tuples = Vec::new();
    let tuple_of_row = (0..n_rows)
        .map(|row| {
            let tuple: Vec<u32> = quasi.iter().map(|column| column.codes.get(row)).collect();
            *index.entry(tuple).or_insert_with_key(|tuple| {
                tuples.push(tuple.clone());
                tuples.len() as u32 - 1
            })
        })
        .collect();
    (tuples, tuple_of_row)
}
