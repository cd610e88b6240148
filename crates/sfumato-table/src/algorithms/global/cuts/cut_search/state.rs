//! The records under a set of splits, as classes. A further split changes only the classes that it
//! divides.

use std::sync::Arc;

use super::choices::Split;
use super::class::{Class, SplitsOutcome};
use super::items::{Item, Items};
use super::reach::{Reach, published};
use super::records::Records;

/// A set of splits and the classes they make.
#[derive(Clone)]
pub struct State {
    /// The splits.
    pub on: Items,
    /// How many distinct records were visited to get here from the state before.
    pub touched: u64,
    columns: Vec<Arc<Reach>>,
    /// The classes, each with the price of a record's cells.
    classes: Vec<(Arc<Class>, f64)>,
}

impl State {
    /// The state of a set of splits, computed from scratch.
    pub fn new(records: &Records<'_>, on: &Items) -> Self {
        let columns: Vec<Arc<Reach>> = records.columns(on).into_iter().map(Arc::new).collect();
        let borrowed: Vec<&Reach> = columns.iter().map(Arc::as_ref).collect();
        let (of_point, n) = records.partition(&borrowed);
        let class = |points: Vec<u32>| {
            let cells = records.cells(&borrowed, points[0]);
            (Arc::new(records.class(points)), cells)
        };
        let classes = records.members(&of_point, n).into_iter().map(class).collect();
        State { on: on.clone(), touched: records.len() as u64 + 1, columns, classes }
    }

    /// The state with one more split. All that the split needs must be made already.
    pub fn with(&self, records: &Records<'_>, item: Item) -> Self {
        let choice = records.choices.choice(item);
        let place = choice.column;
        let column = &records.choices.columns[place];
        let old = &self.columns[place];
        let (lo, hi) = match choice.split {
            Split::Node(node) => {
                column.tree.as_ref().expect("nodes are of trees").range[node as usize]
            }
            Split::Missing => (0, column.codes.len() as u32),
            Split::Behind(value) => old.ranges[old.of[value as usize] as usize],
        };
        let mut on = self.on.clone();
        on.insert(item);
        let new = Arc::new(published(place, column, &on, records.task.objective));
        let mut columns = self.columns.clone();
        columns[place] = Arc::clone(&new);
        let borrowed: Vec<&Reach> = columns.iter().map(Arc::as_ref).collect();
        let values = &records.values[place];
        let mut classes = Vec::with_capacity(self.classes.len() + 1);
        // Long lists of classes and values take time too.
        let mut touched = 1 + (self.classes.len() + column.codes.len()) as u64 / 8;
        for (class, cells) in &self.classes {
            let value = values[class.points[0] as usize];
            if value < lo || value >= hi {
                classes.push((Arc::clone(class), *cells));
                continue;
            }
            touched += class.points.len() as u64;
            let part = |point: u32| new.of[values[point as usize] as usize];
            let first = part(class.points[0]);
            if class.points.iter().all(|&point| part(point) == first) {
                classes.push((Arc::clone(class), records.cells(&borrowed, class.points[0])));
                continue;
            }
            let mut points: Vec<(u32, u32)> =
                class.points.iter().map(|&point| (part(point), point)).collect();
            points.sort_unstable();
            for same in points.chunk_by(|a, b| a.0 == b.0) {
                let points: Vec<u32> = same.iter().map(|(_, point)| *point).collect();
                let cells = records.cells(&borrowed, points[0]);
                classes.push((Arc::new(records.class(points)), cells));
            }
        }
        State { on, touched, columns, classes }
    }

    /// The outcome of the state.
    pub fn outcome(&self, records: &Records<'_>) -> SplitsOutcome {
        records.outcome(self.classes.iter().map(|(class, cells)| (class.as_ref(), *cells)))
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// The classes that can't be published whatever is split below them. If a class that fails may
    /// have parts that hold, these are only the classes with too few people.
    pub fn doomed<'s>(&'s self, records: &'s Records<'_>) -> impl Iterator<Item = &'s Class> + 's {
        let doomed = |class: &Class| class.small || (records.absorbing && !class.holds);
        self.classes.iter().map(|(class, _)| class.as_ref()).filter(move |class| doomed(class))
    }

    /// Whether neither this state nor any below it can be published. Without suppression all
    /// classes must hold: since requirements are monotone, classes that fail have parts that fail.
    pub fn is_hopeless(&self, records: &Records<'_>) -> bool {
        match records.task.max_suppressed {
            0 => self.classes.iter().any(|(class, _)| !class.holds),
            limit => {
                let rows: u64 = self.doomed(records).map(|class| class.rows).sum();
                rows > limit || rows == records.task.table.n_rows as u64
            }
        }
    }
}
