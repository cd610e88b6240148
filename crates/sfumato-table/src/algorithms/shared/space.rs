//! The space of the quasi columns: regions as intervals of codes, and their prices under the
//! objective.

use sfumato_core::dataset::{Column, Hierarchy};
use sfumato_core::recoding::Value;
use sfumato_core::traits::{Join, Objective, Task};
use sfumato_core::{Error, Result};

/// The largest domain with a table of the price of every interval.
const TABLE_CODES: usize = 160;

/// An interval of codes, both ends included. Missing is the code after the domain's last: `max ==
/// missing` says that missing is inside, `min == missing` that nothing else is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The first code.
    pub min: u32,
    /// The last code.
    pub max: u32,
}

impl Bounds {
    /// The range of one code.
    pub fn of(code: u32) -> Self {
        Bounds { min: code, max: code }
    }
    /// The smallest interval around both.
    #[inline]
    pub fn hull(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// One quasi column and what its intervals cost.
pub struct Axis<'a> {
    /// The column.
    pub column: &'a Column,
    /// The tree of the column.
    pub tree: Option<&'a Hierarchy>,
    /// The code of missing.
    pub missing: u32,
    place: usize,
    objective: &'a Objective<'a>,
    /// `table[min * n + max]` for small domains, else empty.
    table: Vec<f64>,
    n_codes: usize,
    /// The price of each node of a large tree.
    nodes: Vec<f64>,
}

impl<'a> Axis<'a> {
    fn new(place: usize, column: &'a Column, objective: &'a Objective<'a>) -> Self {
        let missing = column.domain.missing();
        let tree = column.hierarchy.as_ref();
        let n_codes = missing as usize + 1;
        let mut axis = Axis {
            column,
            tree,
            missing,
            place,
            objective,
            table: Vec::new(),
            n_codes,
            nodes: Vec::new(),
        };
        if n_codes <= TABLE_CODES {
            let pairs =
                (0..n_codes as u32).flat_map(|min| (0..n_codes as u32).map(move |max| (min, max)));
            let price = |(min, max): (u32, u32)| match min <= max {
                true => axis.look_up(Bounds { min, max }),
                false => f64::NAN,
            };
            axis.table = pairs.map(price).collect();
        } else if let Some(tree) = tree {
            axis.nodes = (0..tree.n_nodes() as u32)
                .map(|node| objective.cell(place, Value::Node(node)))
                .collect();
        }
        axis
    }

    /// The published value of an interval.
    pub fn value(&self, bounds: Bounds) -> Value {
        let with_missing = bounds.max == self.missing;
        let end = if with_missing { self.missing } else { bounds.max + 1 };
        Value::covering(self.column, bounds.min, end, with_missing)
    }

    fn look_up(&self, bounds: Bounds) -> f64 {
        self.objective.cell(self.place, self.value(bounds))
    }

    /// The price of a cell that is published as an interval.
    #[inline]
    pub fn price(&self, bounds: Bounds) -> f64 {
        if !self.table.is_empty() {
            return self.table[bounds.min as usize * self.n_codes + bounds.max as usize];
        }
        match self.tree {
            Some(tree) if bounds.max < self.missing => {
                self.nodes[tree.smallest_cover(bounds.min, bounds.max + 1) as usize]
            }
            _ => self.look_up(bounds),
        }
    }
}

/// All quasi columns.
pub struct Space<'a> {
    /// The axes, one per quasi column.
    pub axes: Vec<Axis<'a>>,
    join: Join,
}

impl<'a> Space<'a> {
    /// The space of a task's table and objective. Words without a hierarchy have no order that a
    /// range could mean.
    pub fn new(task: &Task<'a>, algorithm: &str) -> Result<Self> {
        let quasi = task.table.quasi();
        for column in &quasi {
            if column.hierarchy.is_none() && !column.domain.kind.is_ordered() {
                return Err(Error::unsupported(format!(
                    "{algorithm} needs a hierarchy for the quasi column '{}': its values have no \
                        order",
                    column.name
                ))
                .hint("give the column a hierarchy; a flat one has every value below one root"));
            }
        }
        let axis = |(place, column)| Axis::new(place, column, task.objective);
        Ok(Space {
            axes: quasi.into_iter().enumerate().map(axis).collect(),
            join: task.objective.join(),
        })
    }

    /// The number of quasi columns.
    pub fn n_columns(&self) -> usize {
        self.axes.len()
    }

    /// How the prices of cells are combined into that of a record.
    pub fn join(&self) -> Join {
        self.join
    }

    /// The price of a record that is published as a region.
    #[inline]
    pub fn price(&self, region: &[Bounds]) -> f64 {
        self.join.all(self.axes.iter().zip(region).map(|(axis, &bounds)| axis.price(bounds)))
    }

    /// The price of a record that is published as a region, given as an iterator of bounds.
    #[inline]
    pub fn price_of(&self, region: impl Iterator<Item = Bounds>) -> f64 {
        self.join.all(self.axes.iter().zip(region).map(|(axis, bounds)| axis.price(bounds)))
    }

    /// The region of one row.
    pub fn of_row(&self, row: u32) -> Vec<Bounds> {
        self.axes.iter().map(|axis| Bounds::of(axis.column.codes.get(row as usize))).collect()
    }

    /// The smallest region around rows (at least one).
    pub fn around(&self, rows: &[u32]) -> Vec<Bounds> {
        let bounds = |axis: &Axis<'_>| {
            let codes = rows.iter().map(|&row| Bounds::of(axis.column.codes.get(row as usize)));
            codes.reduce(Bounds::hull).expect("a class has rows")
        };
        self.axes.iter().map(bounds).collect()
    }

    /// The published values of a region.
    pub fn values(&self, region: &[Bounds]) -> Vec<Value> {
        self.axes.iter().zip(region).map(|(axis, &bounds)| axis.value(bounds)).collect()
    }
}
