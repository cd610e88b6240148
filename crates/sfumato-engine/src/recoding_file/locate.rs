//! Puts new rows into the regions of a saved recoding of boxes.

use rayon::prelude::*;
use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Boxes, BoxesBuilder, SUPPRESSED, Value};
use sfumato_core::traits::Task;
use sfumato_core::{Error, FastMap, Result};

use super::algorithm::{SavedRecoding, Unseen};
use super::balance::{Rows, balance};
use super::satisfy::keep_satisfying;

/// A region in codes: one interval per column; missing is the code after the domain.
#[derive(Clone)]
pub struct Region {
    /// Its class.
    pub class: u32,
    intervals: Vec<(u32, u32)>,
    /// What its cells lose.
    pub loss: f64,
}

impl Region {
    /// Whether a tuple lies in it.
    pub fn contains(&self, tuple: &[u32]) -> bool {
        self.intervals.iter().zip(tuple).all(|((lo, hi), code)| lo <= code && code < hi)
    }
}

/// Publish the rows of a task in saved regions.
pub fn locate(
    saved: &SavedRecoding<'_>,
    quasi: &[&Column],
    values: &[Vec<Option<Value>>],
    task: &Task<'_>,
) -> Result<Boxes> {
    let regions = saved.regions(quasi, values);
    let tree = Tree::new(regions.clone());
    let (tuples, tuple_of_row) = distinct_tuples(quasi, task.table.n_rows);
    let mut class_of: Vec<u32> =
        tuples.par_iter().map(|tuple| tree.smallest_containing(tuple, |_| true)).collect();
    let mut boxes: Vec<Vec<(u32, u32)>> = saved.intervals_of_classes(quasi, values);
    saved.place_outside(quasi, &tuples, &tuple_of_row, &tree, &mut class_of, &mut boxes)?;

    let mut class_of_row: Vec<u32> = tuple_of_row.iter().map(|tuple| class_of[*tuple as usize]).collect();
    let mut region_of: Vec<Option<&Region>> = vec![None; boxes.len()];
    regions.iter().for_each(|region| region_of[region.class as usize] = Some(region));
    let rows = Rows { tuples: &tuples, tuple_of_row: &tuple_of_row, tree: &tree };
    balance(task, &rows, &region_of, &mut class_of_row);
    let (boxes, class_of_row) = compact(&boxes, class_of_row);
    let kept = keep_satisfying(task, &keys_of(&boxes, quasi.len()), boxes.len(), class_of_row)?;
    let mut builder = BoxesBuilder::new(quasi.len());
    for intervals in &boxes {
        let region: Vec<Value> =
            quasi.iter().zip(intervals).map(|(column, interval)| value_of(column, *interval)).collect();
        builder.push(&region)?;
    }
    Ok(builder.finish(kept))
}

/// For each column a number per class: equal where the intervals are.
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
    fn intervals_of_classes(&self, quasi: &[&Column], values: &[Vec<Option<Value>>]) -> Vec<Vec<(u32, u32)>> {
        let interval = |(c, value): (usize, &u32)| match values[c][*value as usize] {
            Some(value) => interval_of(quasi[c], value),
            None => (0, 0),
        };
        self.file.regions.iter().map(|region| region.iter().enumerate().map(interval).collect()).collect()
    }

    fn regions(&self, quasi: &[&Column], values: &[Vec<Option<Value>>]) -> Vec<Region> {
        let intervals = self.intervals_of_classes(quasi, values);
        intervals
            .into_iter()
            .enumerate()
            .filter(|(_, intervals)| intervals.iter().all(|(lo, hi)| lo < hi))
            .map(|(class, intervals)| {
                let loss = quasi.iter().zip(&intervals).map(|(c, i)| value_of(c, *i).ncp(c) * c.weight).sum();
                Region { class: class as u32, intervals, loss }
            })
            .collect()
    }

    fn place_outside(
        &self,
        quasi: &[&Column],
        tuples: &[Vec<u32>],
        tuple_of_row: &[u32],
        tree: &Tree,
        class_of: &mut [u32],
        boxes: &mut [Vec<(u32, u32)>],
    ) -> Result<()> {
        let outside: Vec<usize> = (0..tuples.len()).filter(|t| class_of[*t] == SUPPRESSED).collect();
        if outside.is_empty() || self.unseen == Unseen::Drop {
            return Ok(());
        }
        if self.unseen == Unseen::Refuse {
            let is_outside = |tuple: &u32| class_of[*tuple as usize] == SUPPRESSED;
            let rows = tuple_of_row.iter().filter(|tuple| is_outside(tuple)).count();
            let first = tuple_of_row.iter().position(|tuple| is_outside(&tuple.to_owned())).unwrap_or(0);
            return Err(Error::infeasible(format!(
                "{rows} rows lie in no region of the recoding, the first is row {}",
                first + 1
            ))
            .hint(
                "--unseen extend puts them into the region that grows least, --unseen drop suppresses them",
            ));
        }
        // Each is placed against the saved regions, not against those already grown: the order of rows must not
        // matter.
        let placed: Vec<u32> = outside.par_iter().map(|t| tree.least_growth(quasi, &tuples[*t])).collect();
        for (tuple, class) in outside.into_iter().zip(placed) {
            class_of[tuple] = class;
            if class != SUPPRESSED {
                for ((lo, hi), code) in boxes[class as usize].iter_mut().zip(&tuples[tuple]) {
                    (*lo, *hi) =
                        if lo < hi { ((*lo).min(*code), (*hi).max(code + 1)) } else { (*code, code + 1) };
                }
            }
        }
        Ok(())
    }
}

/// The interval of codes of a value, missing included as the code after the domain.
fn interval_of(column: &Column, value: Value) -> (u32, u32) {
    let missing = column.domain.missing();
    match value {
        Value::Any => (0, missing + 1),
        Value::Missing => (missing, missing + 1),
        value => {
            let codes = value.codes(column);
            (codes.start, codes.end)
        }
    }
}

/// The smallest value that covers an interval of codes.
fn value_of(column: &Column, (lo, hi): (u32, u32)) -> Value {
    let missing = column.domain.missing();
    Value::covering(column, lo, hi.min(missing), hi > missing)
}

/// Drop regions without rows, and number the rest.
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
    let renumber = |class: u32| if class == SUPPRESSED { class } else { new_of_old[class as usize] };
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

/// A tree of bounding boxes over the regions: finding the regions of a point looks at few of them.
pub struct Tree {
    root: Option<Node>,
}

struct Node {
    bounds: Vec<(u32, u32)>,
    content: Content,
}

enum Content {
    Leaf(Vec<Region>),
    Inner(Box<Node>, Box<Node>),
}

impl Tree {
    fn new(regions: Vec<Region>) -> Self {
        Tree { root: (!regions.is_empty()).then(|| Node::new(regions)) }
    }

    /// The class of the region with the least loss among those that contain a tuple and are allowed.
    pub fn smallest_containing(&self, tuple: &[u32], allowed: impl Fn(u32) -> bool) -> u32 {
        let mut best: Option<(f64, u32)> = None;
        if let Some(root) = &self.root {
            root.visit(tuple, &mut |region| {
                let candidate = (region.loss, region.class);
                if best.is_none_or(|best| candidate < best) && allowed(region.class) {
                    best = Some(candidate);
                }
            });
        }
        best.map_or(SUPPRESSED, |(_, class)| class)
    }

    /// The class of the region whose loss grows least when it takes a tuple in.
    fn least_growth(&self, quasi: &[&Column], tuple: &[u32]) -> u32 {
        let mut best: Option<(f64, u32)> = None;
        let mut stack: Vec<&Node> = self.root.iter().collect();
        while let Some(node) = stack.pop() {
            match &node.content {
                Content::Inner(left, right) => stack.extend([left.as_ref(), right.as_ref()]),
                Content::Leaf(regions) => {
                    for region in regions {
                        let grown = |((column, (lo, hi)), code): ((&&Column, &(u32, u32)), &u32)| {
                            value_of(column, ((*lo).min(*code), (*hi).max(code + 1))).ncp(column)
                                * column.weight
                        };
                        let loss: f64 = quasi.iter().zip(&region.intervals).zip(tuple).map(grown).sum();
                        let candidate = (loss - region.loss, region.class);
                        if best.is_none_or(|best| candidate < best) {
                            best = Some(candidate);
                        }
                    }
                }
            }
        }
        best.map_or(SUPPRESSED, |(_, class)| class)
    }
}

impl Node {
    fn new(mut regions: Vec<Region>) -> Self {
        let n_columns = regions[0].intervals.len();
        let bounds: Vec<(u32, u32)> = (0..n_columns)
            .map(|c| {
                let lo = regions.iter().map(|r| r.intervals[c].0).min().unwrap_or(0);
                let hi = regions.iter().map(|r| r.intervals[c].1).max().unwrap_or(0);
                (lo, hi)
            })
            .collect();
        if regions.len() <= 8 {
            return Node { bounds, content: Content::Leaf(regions) };
        }
        // Split by the middle of the column in which the regions' centres spread most.
        let centre = |region: &Region, c: usize| region.intervals[c].0 + region.intervals[c].1;
        let spread = |c: usize| {
            let centres = regions.iter().map(|region| centre(region, c));
            centres.clone().max().unwrap_or(0) - centres.min().unwrap_or(0)
        };
        let column = (0..n_columns).max_by_key(|c| spread(*c)).unwrap_or(0);
        regions.sort_by_key(|region| centre(region, column));
        let right = regions.split_off(regions.len() / 2);
        let (left, right) = (Box::new(Node::new(regions)), Box::new(Node::new(right)));
        Node { bounds, content: Content::Inner(left, right) }
    }

    fn visit(&self, tuple: &[u32], found: &mut impl FnMut(&Region)) {
        let inside = |intervals: &[(u32, u32)]| {
            intervals.iter().zip(tuple).all(|((lo, hi), code)| lo <= code && code < hi)
        };
        if !inside(&self.bounds) {
            return;
        }
        match &self.content {
            Content::Leaf(regions) => regions.iter().filter(|r| inside(&r.intervals)).for_each(found),
            Content::Inner(left, right) => {
                left.visit(tuple, found);
                right.visit(tuple, found);
            }
        }
    }
}
