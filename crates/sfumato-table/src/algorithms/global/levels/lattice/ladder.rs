//! The levels of one quasi column for full-domain recoding: at a level every value is generalized
//! to the same height of its tree.

use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Cut, Value};
use sfumato_core::traits::Objective;

use crate::algorithms::global::shared::taxonomy::everything;
use crate::algorithms::shared::intervals::intervals;

/// How many intervals of a level make one of the next, in ordered columns without a hierarchy.
const FAN_IN: usize = 2;

/// One level: the value of each code, and the price of a cell that is published as that value.
pub struct Level {
    /// For each code, missing last, an index into the values.
    pub of_code: Vec<u32>,
    /// The values, in the order of their first codes.
    pub values: Vec<Value>,
    /// The price of each value.
    pub price: Vec<f64>,
    /// A code of each value.
    pub example: Vec<u32>,
    cut: Cut,
}

/// The levels of a column, from exact to everything.
pub struct Ladder {
    /// The levels, at least one.
    pub levels: Vec<Level>,
}

impl Ladder {
    /// The levels of a quasi column at a place among the quasi columns. Ordered columns without a
    /// hierarchy get intervals with about equally many records.
    pub fn new(column: &Column, place: usize, objective: &Objective<'_>) -> Self {
        let missing = column.domain.missing();
        let mut counts = vec![0u64; missing as usize + 1];
        column.codes.iter().for_each(|code| counts[code as usize] += 1);
        let missing_occurs = counts[missing as usize] > 0;
        let absent = Value::covering(column, 0, 0, true);
        let mut rows: Vec<Vec<Value>> = Vec::new();
        match &column.hierarchy {
            Some(tree) => {
                let mut nodes: Vec<u32> = (0..missing).map(|code| tree.leaf(code)).collect();
                for level in 0..tree.n_levels() - 1 {
                    for node in &mut nodes {
                        while tree.level(*node) < level {
                            *node = tree.parent(*node);
                        }
                    }
                    rows.push(
                        nodes.iter().map(|&node| Value::Node(node)).chain([absent]).collect(),
                    );
                }
            }
            None => {
                for groups in intervals(&counts[..missing as usize], FAN_IN) {
                    let range = |group: u32| {
                        let lo = groups.partition_point(|&other| other < group) as u32;
                        let hi = groups.partition_point(|&other| other <= group) as u32;
                        Value::Range { lo, hi }
                    };
                    rows.push(groups.iter().map(|&group| range(group)).chain([absent]).collect());
                }
                // Everything as one range is the top, unless missing values have to be in it too.
                if !missing_occurs && rows.len() > 1 {
                    rows.pop();
                }
            }
        }
        let all = everything(column, missing_occurs);
        let top = |code| if code < missing || missing_occurs { all } else { absent };
        rows.push((0..=missing).map(top).collect());
        rows.dedup();
        Ladder { levels: rows.into_iter().map(|row| Level::new(row, place, objective)).collect() }
    }
}

impl Level {
    fn new(of_code: Vec<Value>, place: usize, objective: &Objective<'_>) -> Self {
        let cut = Cut::new(of_code);
        let (values, of_code) = (cut.values().to_vec(), cut.of_code().to_vec());
        let mut example = vec![u32::MAX; values.len()];
        for (code, &value) in of_code.iter().enumerate() {
            let example = &mut example[value as usize];
            *example = (*example).min(code as u32);
        }
        let price = values.iter().map(|&value| objective.cell(place, value)).collect();
        Level { of_code, values, price, example, cut }
    }

    /// The level as a cut.
    pub fn cut(&self) -> Cut {
        self.cut.clone()
    }
}
