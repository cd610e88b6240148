//! Lattices that are too large to be searched completely: finds a good node by small steps from a
//! first one, and a bound from blocks of columns.

use sfumato_core::Result;
use sfumato_core::traits::Effort;

use crate::algorithms::global::levels::lattice::{Known, Lattice, Node};

use super::search::cheaper;
use crate::algorithms::shared::progress::Progress;

/// The largest number of nodes of a block of columns: larger blocks give better bounds.
fn most_in_block(effort: Effort) -> usize {
    match effort {
        Effort::Low => 1_000,
        Effort::Normal => 4_000,
        Effort::High => 64_000,
    }
}

/// From a node that may be published, take steps to cheaper ones as long as there are any: one
/// column down a level, or one down and another up. Stops when the budget of records is spent.
pub fn descend(
    lattice: &Lattice<'_>,
    start: (f64, Node),
    budget: u64,
    progress: &mut Progress<'_>,
) -> Result<(f64, Node)> {
    let (mut cost, mut node) = start;
    let top = lattice.top();
    let mut seen: sfumato_core::FastSet<Node> = sfumato_core::FastSet::from_iter([node.clone()]);
    loop {
        let mut steps: Vec<Node> = Vec::new();
        for down in (0..node.len()).filter(|&column| node[column] > 0) {
            let mut lower = node.clone();
            lower[down] -= 1;
            for up in (0..node.len()).filter(|&column| column != down && node[column] < top[column])
            {
                let mut swapped = lower.clone();
                swapped[up] += 1;
                steps.push(swapped);
            }
            steps.push(lower);
        }
        // What promises most first; what costs more with nothing suppressed can't be better.
        let mut steps: Vec<(f64, Node)> =
            steps.into_iter().map(|node| (lattice.cells(&node), node)).collect();
        steps.retain(|(cells, node)| {
            (lattice.task().objective.ignores_cells() || cheaper(*cells, cost))
                && !seen.contains(node)
        });
        steps.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let mut better = None;
        for (_, step) in steps {
            if lattice.records_read() > budget {
                return Ok((cost, node));
            }
            progress.reach(0)?;
            let outcome = lattice.look(&step);
            seen.insert(step.clone());
            if outcome.feasible && cheaper(outcome.cost, cost) {
                better = Some((outcome.cost, step));
                break;
            }
        }
        match better {
            Some(better) => (cost, node) = better,
            None => return Ok((cost, node)),
        }
    }
}

/// A lower bound of the cost of any node that may be published, for objectives that add prices of
/// cells and requirements that hold on some columns if they hold on all. Columns are divided into
/// blocks, and for each block the least cost of its own cells is found at a node at which it holds
/// by itself.
pub fn bound(lattice: &Lattice<'_>, budget: u64, progress: &mut Progress<'_>) -> Result<f64> {
    let n_levels = lattice.n_levels();
    let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
    let most = most_in_block(lattice.task().effort);
    let mut size = 1;
    // Columns that tell records apart go together: there a block fails by itself.
    for column in lattice.telling_columns() {
        if size * n_levels[column] > most {
            blocks.push(Vec::new());
            size = 1;
        }
        size *= n_levels[column];
        blocks.last_mut().expect("there is one").push(column);
    }
    blocks.iter().map(|block| least_of_block(lattice, block, budget, progress)).sum()
}

fn least_of_block(
    lattice: &Lattice<'_>,
    block: &[usize],
    budget: u64,
    progress: &mut Progress<'_>,
) -> Result<f64> {
    let n_levels: Vec<usize> = block.iter().map(|&column| lattice.n_levels()[column]).collect();
    let price = |part: &[u8]| -> f64 {
        block.iter().zip(part).map(|(&column, &level)| lattice.cells_of(column, level)).sum()
    };
    let whole = |part: &[u8]| {
        let mut node = lattice.top();
        block.iter().zip(part).for_each(|(&column, &level)| node[column] = level);
        node
    };
    let mut nodes: Vec<Node> = vec![Vec::new()];
    for &levels in &n_levels {
        nodes = nodes
            .iter()
            .flat_map(|node| {
                (0..levels as u8).map(move |level| [node.as_slice(), &[level]].concat())
            })
            .collect();
    }
    let mut order: Vec<(f64, Node)> = nodes.into_iter().map(|part| (price(&part), part)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let mut known = Known::new(n_levels.clone());
    for (least, part) in order {
        if known.fails(&part) {
            continue;
        }
        progress.reach(0)?;
        // Without more work all that is known is that what is cheaper fails.
        if lattice.records_read() > budget || lattice.look(&whole(&part)).feasible {
            return Ok(least);
        }
        let mut at = part;
        loop {
            known.fail(&at);
            let above = (0..at.len()).filter(|&place| usize::from(at[place]) + 1 < n_levels[place]);
            let next = above
                .map(|place| {
                    let mut above = at.clone();
                    above[place] += 1;
                    above
                })
                .filter(|above| !known.fails(above))
                .min_by(|a, b| price(a).total_cmp(&price(b)).then_with(|| a.cmp(b)));
            match next {
                Some(above) if !lattice.look(&whole(&above)).feasible => at = above,
                _ => break,
            }
        }
    }
    Ok(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::search::Search;
    use super::*;
    use crate::algorithms::shared::testing::Numbers;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn the_bound_is_below_and_the_descent_above_the_optimum(
            rows in prop::collection::vec(prop::array::uniform3(0u32..40), 6..60), k in 2u64..6,
                suppressed in 0u64..6,
        ) {
            let columns: Vec<Vec<u32>> =
                (0..3).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
            let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
            Numbers::new(&columns).with(k, suppressed, |task, _, _, progress| {
                let lattice = Lattice::new(task, "test").expect("numbers have levels");
                let best = Search::new(&lattice, u64::MAX).run(progress).expect(
                    "nobody stops it").expect("the top holds");
                prop_assert!(best.bound >= best.cost);
                let top = lattice.top();
                let start = (lattice.look(&top).cost, top);
                let found = descend(&lattice, start, u64::MAX, progress).expect("nobody stops it");
                prop_assert!(!cheaper(found.0, best.cost),
                    "{} below the optimum {}", found.0, best.cost);
                prop_assert!(lattice.look(&found.1).feasible);
                let bound = bound(&lattice, u64::MAX, progress).expect("nobody stops it");
                prop_assert!(!cheaper(best.cost, bound),
                    "bound {bound} above the optimum {}", best.cost);
                // Without work to spend it still bounds.
                prop_assert!(!cheaper(best.cost,
                    super::bound(&lattice, 0, progress).expect("nobody stops it")));
                Ok(())
            })?;
        }
    }
}
