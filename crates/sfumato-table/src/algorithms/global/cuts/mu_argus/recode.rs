//! Global recoding: the column in most unsafe combinations is generalized at its worst value, until
//! few records are unsafe.

use rayon::prelude::*;
use sfumato_core::{FastMap, Result};

use super::cells::Cells;
use super::count::{Unsafe, count, subsets};
use crate::algorithms::global::shared::taxonomy::Node;
use crate::algorithms::shared::progress::Progress;

/// In columns with more codes than this, values that are half as bad as the worst are generalized
/// with it, since one at a time would take very long.
const MANY_CODES: usize = 200;

/// The result of the recoding.
pub struct Recoded {
    /// The number of unsafe combinations in the original table.
    pub unsafe_combinations: u64,
    /// The number of generalizations.
    pub steps: u64,
}

/// Generalize until at most `outliers` records are unsafe.
pub fn recode(
    cells: &mut Cells<'_>,
    outliers: u64,
    progress: &mut Progress<'_>,
) -> Result<Recoded> {
    let mut found: Vec<Unsafe> =
        subsets(cells).into_par_iter().map(|subset| count(cells, subset)).collect();
    let unsafe_combinations = found.iter().map(|unsafe_| unsafe_.examples.len() as u64).sum();
    let mut steps = 0;
    while unsafe_rows(cells.n_rows(), &found) > outliers {
        progress.reach(0)?;
        let Some((column, nodes)) = worst(cells, &found) else { break };
        cells.columns[column].raise(&nodes);
        steps += 1;
        // Nothing changes for combinations without the column.
        let (again, same): (Vec<Unsafe>, Vec<Unsafe>) =
            found.into_iter().partition(|unsafe_| unsafe_.subset.contains(&column));
        let again = again.into_iter().map(|unsafe_| unsafe_.subset);
        let again: Vec<Vec<usize>> = again
            .filter(|subset| subset.iter().all(|&column| cells.columns[column].varies))
            .collect();
        found = same;
        found.par_extend(again.into_par_iter().map(|subset| count(cells, subset)));
    }
    Ok(Recoded { unsafe_combinations, steps })
}

fn unsafe_rows(n_rows: usize, found: &[Unsafe]) -> u64 {
    let mut is_unsafe = vec![false; n_rows];
    found.iter().flat_map(|unsafe_| &unsafe_.rows).for_each(|&row| is_unsafe[row as usize] = true);
    is_unsafe.into_iter().filter(|&row| row).count() as u64
}

/// The column in most unsafe combinations among those that can be generalized, and its nodes to
/// generalize.
fn worst(cells: &Cells<'_>, found: &[Unsafe]) -> Option<(usize, Vec<Node>)> {
    let counted = |column: usize| {
        let mut of_node: FastMap<Node, u64> = FastMap::default();
        let with_column = found.iter().filter(|unsafe_| unsafe_.subset.contains(&column));
        for &row in with_column.flat_map(|unsafe_| &unsafe_.examples) {
            if cells.columns[column].can_rise(row as usize) {
                *of_node.entry(cells.columns[column].node(row as usize)).or_default() += 1;
            }
        }
        let mut of_node: Vec<(u64, Node)> =
            of_node.into_iter().map(|(node, n)| (n, node)).collect();
        of_node.sort_unstable_by_key(|&(n, node)| (std::cmp::Reverse(n), node));
        of_node
    };
    let (column, of_node) = (0..cells.columns.len())
        .map(|column| (column, counted(column)))
        .filter(|(_, of_node)| !of_node.is_empty())
        .max_by_key(|(column, of_node)| {
            (of_node.iter().map(|(n, _)| n).sum::<u64>(), std::cmp::Reverse(*column))
        })?;
    let most = of_node[0].0;
    let along = match cells.columns[column].n_codes() > MANY_CODES {
        true => of_node.iter().take_while(|(n, _)| 2 * n >= most).count(),
        false => 1,
    };
    Some((column, of_node[..along].iter().map(|(_, node)| *node).collect()))
}
