//! The leaves of the tree in depth-first order, and how they become a recoding.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::recoding::{Boxes, BoxesBuilder, SUPPRESSED, Value};

use super::record::Entry;
use super::shape::{Bounds, Shape};

/// Consecutive rows of the working copy that are published, or suppressed, together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// The number of rows.
    pub rows: u32,
    /// Whether they are a class. Otherwise they are suppressed.
    pub published: bool,
}

/// The leaves of a subtree.
#[derive(Debug)]
pub struct Leaves {
    segments: Vec<Segment>,
    /// One interval per segment and quasi column.
    bounds: Intervals,
    /// The nodes of the subtree, if they are recorded.
    pub entries: Vec<Entry>,
}

/// Many intervals. With millions of classes they would take more memory than the table if they were
/// all wide.
#[derive(Debug)]
enum Intervals {
    /// Codes of one byte, missing too.
    Narrow(Vec<[u8; 2]>),
    /// Codes of any width.
    Wide(Vec<Bounds>),
}

impl Intervals {
    fn get(&self, i: usize) -> Bounds {
        match self {
            Intervals::Narrow(list) => {
                Bounds { min: u32::from(list[i][0]), max: u32::from(list[i][1]) }
            }
            Intervals::Wide(list) => list[i],
        }
    }
}

impl Leaves {
    /// An empty list of leaves with regions of these columns.
    pub fn new(shapes: &[Shape<'_>]) -> Self {
        let narrow = shapes.iter().all(|shape| shape.missing <= u32::from(u8::MAX));
        let bounds =
            if narrow { Intervals::Narrow(Vec::new()) } else { Intervals::Wide(Vec::new()) };
        Leaves { segments: Vec::new(), bounds, entries: Vec::new() }
    }
    /// Add a leaf.
    pub fn push(&mut self, rows: usize, published: bool, bounds: &[Bounds]) {
        self.segments.push(Segment { rows: rows as u32, published });
        match &mut self.bounds {
            Intervals::Narrow(list) => {
                list.extend(bounds.iter().map(|b| [b.min as u8, b.max as u8]))
            }
            Intervals::Wide(list) => list.extend_from_slice(bounds),
        }
    }
    /// Free memory that no further leaf will need.
    pub fn finish(mut self) -> Self {
        self.segments.shrink_to_fit();
        match &mut self.bounds {
            Intervals::Narrow(list) => list.shrink_to_fit(),
            Intervals::Wide(list) => list.shrink_to_fit(),
        }
        self
    }
    /// All leaves.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }
    /// All leaves, to change whether they are published.
    pub fn segments_mut(&mut self) -> &mut [Segment] {
        &mut self.segments
    }
    /// How many rows are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.segments.iter().filter(|s| !s.published).map(|s| u64::from(s.rows)).sum()
    }
    fn rows(&self) -> usize {
        self.segments.iter().map(|s| s.rows as usize).sum()
    }
    fn classes(&self) -> usize {
        self.segments.iter().filter(|s| s.published).count()
    }
}

/// The recoding of the leaves: `rows[place]` is the row of the table at each place of the working
/// copy.
pub fn publish(shapes: &[Shape<'_>], leaves: &[Leaves], rows: &[u32]) -> Result<Boxes> {
    let (builder, class_of_row) =
        rayon::join(|| regions(shapes, leaves), || classes_of_rows(leaves, rows));
    Ok(builder?.finish(class_of_row))
}

fn regions(shapes: &[Shape<'_>], leaves: &[Leaves]) -> Result<BoxesBuilder> {
    let mut builder = BoxesBuilder::new(shapes.len());
    let mut region: Vec<Value> = Vec::with_capacity(shapes.len());
    for leaves in leaves {
        for (i, _) in leaves.segments.iter().enumerate().filter(|(_, segment)| segment.published) {
            let bounds = |column: usize| leaves.bounds.get(i * shapes.len() + column);
            region.clear();
            region.extend(
                shapes.iter().enumerate().map(|(column, shape)| shape.value(bounds(column))),
            );
            builder.push(&region)?;
        }
    }
    Ok(builder)
}

/// The class of each row. Every place writes to another row, so threads may write at once, with
/// atomics.
fn classes_of_rows(leaves: &[Leaves], rows: &[u32]) -> Vec<u32> {
    let classes: Vec<AtomicU32> = (0..rows.len()).map(|_| AtomicU32::new(SUPPRESSED)).collect();
    let (mut place, mut class) = (0, 0);
    let mut starts = Vec::with_capacity(leaves.len());
    for leaves in leaves {
        starts.push((place, class));
        place += leaves.rows();
        class += leaves.classes();
    }
    leaves.par_iter().zip(starts).for_each(|(leaves, (mut place, mut class))| {
        for segment in &leaves.segments {
            let end = place + segment.rows as usize;
            if segment.published {
                for &row in &rows[place..end] {
                    classes[row as usize].store(class as u32, Ordering::Relaxed);
                }
                class += 1;
            }
            place = end;
        }
    });
    classes.into_iter().map(AtomicU32::into_inner).collect()
}
