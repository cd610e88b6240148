//! What a column publishes under a set of splits, and what it may publish under any set between
//! two.

use super::choices::ColumnChoices;
use super::items::Items;
use sfumato_core::recoding::Value;
use sfumato_core::traits::Objective;

use crate::algorithms::global::shared::taxonomy::Taxonomy;

/// The values that a column publishes, as intervals of the values that occur.
#[derive(Debug, Clone)]
pub struct Reach {
    /// For each value of the column, the number of its published value.
    pub of: Vec<u32>,
    /// The values that each published value stands for.
    pub ranges: Vec<(u32, u32)>,
    /// The least cost of a cell.
    pub least: Vec<f64>,
    /// The least cost of a cell if it isn't published as finely as possible; infinite if it must
    /// be.
    pub coarser: Vec<f64>,
}

impl Reach {
    fn push(&mut self, (lo, hi): (u32, u32), least: f64, coarser: f64) {
        self.of[lo as usize..hi as usize].fill(self.ranges.len() as u32);
        self.ranges.push((lo, hi));
        self.least.push(least);
        self.coarser.push(coarser);
    }
}

/// The finest values that a column may publish if the splits of `head` are made and only splits of
/// `finest` may be added, with the least costs of cells. If `head` and `finest` are equal, this is
/// what the column publishes.
pub fn reach(
    place: usize,
    choices: &ColumnChoices<'_>,
    head: &Items,
    finest: &Items,
    objective: &Objective<'_>,
) -> Reach {
    let n = choices.codes.len();
    let mut reach =
        Reach { of: vec![0; n], ranges: Vec::new(), least: Vec::new(), coarser: Vec::new() };
    if n == 0 {
        return reach;
    }
    if let Some(tree) = &choices.tree {
        // Of each node the least price of those above it that may be published in its place.
        let mut open = vec![(Taxonomy::ROOT, f64::INFINITY)];
        while let Some((node, above)) = open.pop() {
            let price = tree.price[node as usize];
            match tree.item[node as usize].filter(|&item| finest.contains(item)) {
                Some(item) => {
                    let above = if head.contains(item) { f64::INFINITY } else { above.min(price) };
                    let children = tree.taxonomy.children(node).iter().rev();
                    open.extend(
                        children.filter(|&&child| occurs(tree, child)).map(|&child| (child, above)),
                    );
                }
                None => reach.push(tree.range[node as usize], above.min(price), above),
            }
        }
        return reach;
    }
    let price = |value: Value| objective.cell(place, value);
    let everything = price(choices.everything());
    if choices.present == 0 || choices.parting.is_some_and(|parting| !finest.contains(parting)) {
        reach.push((0, n as u32), everything, f64::INFINITY);
        return reach;
    }
    let with_missing = match choices.parting {
        Some(parting) if !head.contains(parting) => everything,
        _ => f64::INFINITY,
    };
    let intervals = choices.intervals(finest);
    for (at, &(lo, hi)) in intervals.iter().enumerate() {
        let least = price(choices.interval(lo, hi));
        let mut coarser = with_missing;
        if at > 0 && !head.contains(choices.behind(lo - 1)) {
            coarser = coarser.min(price(choices.interval(intervals[at - 1].0, hi)));
        }
        if let Some(&(_, end)) =
            intervals.get(at + 1).filter(|_| !head.contains(choices.behind(hi - 1)))
        {
            coarser = coarser.min(price(choices.interval(lo, end)));
        }
        reach.push((lo, hi), least.min(coarser), coarser);
    }
    if choices.parting.is_some() {
        let missing = price(Value::covering(choices.column, 0, 0, true));
        reach.push((n as u32 - 1, n as u32), missing.min(with_missing), with_missing);
    }
    reach
}

fn occurs(tree: &super::choices::Tree, node: u32) -> bool {
    let (lo, hi) = tree.range[node as usize];
    lo < hi
}

/// What a column publishes if exactly these splits are made.
pub fn published(
    place: usize,
    choices: &ColumnChoices<'_>,
    on: &Items,
    objective: &Objective<'_>,
) -> Reach {
    reach(place, choices, on, on, objective)
}
