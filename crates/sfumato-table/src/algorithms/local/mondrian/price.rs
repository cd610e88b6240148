//! The prices of the cells of a group: the task's objective by intervals of codes, in tables where
//! possible.

use sfumato_core::recoding::Value;
use sfumato_core::traits::{Join, Objective};

use super::shape::{Bounds, Shape};

/// The prices of the quasi columns.
pub struct Prices<'a> {
    objective: &'a Objective<'a>,
    columns: Vec<Column<'a>>,
}

/// The prices of one column.
struct Column<'a> {
    shape: &'a Shape<'a>,
    /// The price of a cell that may be anything.
    any: f64,
    /// The price of a missing cell.
    missing: f64,
    /// The price of each node, if there is a hierarchy.
    nodes: Vec<f64>,
}

impl<'a> Prices<'a> {
    /// Make tables of the prices of nodes of hierarchies. The objective must be one that depends on
    /// cells.
    pub fn new(objective: &'a Objective<'a>, shapes: &'a [Shape<'a>]) -> Self {
        let column = |(i, shape): (usize, &'a Shape<'a>)| {
            let n_nodes = shape.tree.map_or(0, |tree| tree.n_nodes() as u32);
            let missing = Bounds { min: shape.missing, max: shape.missing };
            Column {
                shape,
                any: objective.cell(i, Value::Any),
                missing: objective.cell(i, shape.value(missing)),
                nodes: (0..n_nodes).map(|node| objective.cell(i, Value::Node(node))).collect(),
            }
        };
        Prices { objective, columns: shapes.iter().enumerate().map(column).collect() }
    }

    /// How the prices of cells are combined.
    pub fn join(&self) -> Join {
        self.objective.join()
    }

    /// The price of a cell of a group whose cells lie in an interval.
    #[inline]
    pub fn cell(&self, column: usize, bounds: Bounds) -> f64 {
        let Column { shape, any, missing, nodes } = &self.columns[column];
        if bounds.max == shape.missing {
            return if bounds.min == bounds.max { *missing } else { *any };
        }
        match shape.tree {
            Some(tree) => nodes[tree.smallest_cover(bounds.min, bounds.max + 1) as usize],
            // The certainty penalty of a range is its share of the domain, which the shape has at
            // hand.
            None if self.objective.metric == "ncp" => any * shape.spread(bounds),
            None => self.objective.cell(column, shape.value(bounds)),
        }
    }

    /// The price of a node of a column's hierarchy.
    #[inline]
    pub fn node(&self, column: usize, node: u32) -> f64 {
        self.columns[column].nodes[node as usize]
    }
}
