//! The band order of baskets: records that share items come close to each other, by reverse
//! Cuthill-McKee on A x A^T.
//!
//! A is the matrix of records and items. Two records are neighbours if they share an item. A x A^T,
//! which has an entry for each such pair, is never built: the neighbours of a record are found
//! through its items, and an item needs to be followed only once, since all records that have it
//! are reached then. So the cost of a search is the number of items of all records.
//!
//! Nothing here knows what is sensitive: the caller passes only items that are published as they
//! are.

mod bandwidth;
mod graph;
mod search;
#[cfg(test)]
mod tests;

use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{column::Code, with_sets};

pub use bandwidth::{
    Bandwidth, bandwidth, columns, columns_as_coded, record_bandwidth, shared_by_neighbours,
};
use graph::Graph;
use search::Search;

/// The records in band order: which record each position has.
///
/// - The degree of a record is the bound sum(support - 1) over its items, which counts a neighbour
///   once for every item that is shared.
/// - Every connected part is searched from a record that is far from some other one (George and
///   Liu: from the record of least degree to the one of least degree among the farthest, as long as
///   that leads farther). The children of a record come in ascending order of their degrees.
/// - Parts come in the order of the degrees of their records of least degree.
/// - All of that is reversed. Records without items come last, in their own order.
///
/// Equal degrees go by the number of the record. The result depends on nothing else.
pub fn order(rows: &Transactions) -> Vec<u32> {
    with_sets!(rows, sets => order_of(sets, rows.n_items()))
}

fn order_of<C: Code>(rows: Sets<'_, C>, n_items: usize) -> Vec<u32> {
    let graph = Graph::build(rows, n_items);
    let mut order = Search::new(&graph).run();
    order.reverse();
    order.iter_mut().for_each(|rank| *rank = graph.record_of(*rank));
    drop(graph);
    order.extend((0..rows.len() as u32).filter(|record| rows.get(*record as usize).is_empty()));
    order
}
