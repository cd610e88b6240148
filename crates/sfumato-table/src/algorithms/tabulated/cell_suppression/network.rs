//! What the published cells of a table with totals leave open of those that are left out: flows in
//! a network whose nodes are the rows and columns, exact in whole numbers.
//!
//! Every row and every column adds up. With signs each cell is in one equation with plus and in one
//! with minus, an edge from a node to another, and its value is a flow that is conserved. A cell
//! can be larger by as much as can flow back from the end of its edge to the beginning.

use super::sensitive::Sensitive;

/// A table with totals: the last row and the last column.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The number of rows without that of totals.
    pub rows: usize,
    /// The number of columns without that of totals.
    pub columns: usize,
    /// The cells, row by row, totals among them.
    pub values: Vec<i64>,
}

impl Grid {
    /// The number of a cell.
    pub fn cell(&self, row: usize, column: usize) -> usize {
        row * (self.columns + 1) + column
    }

    /// How many nodes the network has.
    pub fn nodes(&self) -> usize {
        self.rows + self.columns + 2
    }

    /// The nodes at which the edge of a cell begins and ends.
    pub fn edge(&self, cell: usize) -> (usize, usize) {
        let (row, column) = (cell / (self.columns + 1), cell % (self.columns + 1));
        let (from, to) = (self.rows + 1 + column, row);
        match (row == self.rows) == (column == self.columns) {
            true => (from, to),
            false => (to, from),
        }
    }

    /// How much larger a cell can be, up to `most`, if only the hidden ones aren't known.
    pub fn above(&self, hidden: &[bool], cell: usize, most: i64) -> i64 {
        let (from, to) = self.edge(cell);
        self.flow(hidden, cell, (to, from), most)
    }

    /// How much smaller a cell can be, up to `most`. Nothing is below 0.
    pub fn below(&self, hidden: &[bool], cell: usize, most: i64) -> i64 {
        self.flow(hidden, cell, self.edge(cell), most.min(self.values[cell]))
    }

    /// Whether a sensitive cell is left out and open far enough to both sides.
    pub fn protects(&self, hidden: &[bool], of: &Sensitive) -> bool {
        let down = of.by.min(self.values[of.cell]);
        hidden[of.cell]
            && self.above(hidden, of.cell, of.by) >= of.by
            && self.below(hidden, of.cell, down) >= down
    }

    /// The largest flow between two nodes through hidden cells but one, up to `most`.
    fn flow(&self, hidden: &[bool], but: usize, (from, to): (usize, usize), most: i64) -> i64 {
        let cells: Vec<usize> = (0..hidden.len()).filter(|c| hidden[*c] && *c != but).collect();
        let mut of_node: Vec<Vec<(usize, usize, bool)>> = vec![Vec::new(); self.nodes()];
        for cell in cells {
            let (a, b) = self.edge(cell);
            of_node[a].push((cell, b, true));
            of_node[b].push((cell, a, false));
        }
        let (mut values, mut found) = (self.values.clone(), 0);
        while found < most {
            // The shortest way along which something can flow.
            let mut by: Vec<Option<(usize, usize, bool)>> = vec![None; self.nodes()];
            let mut reached = std::collections::VecDeque::from([from]);
            while let Some(node) = reached.pop_front() {
                for (cell, next, is_more) in &of_node[node] {
                    let is_new = *next != from && by[*next].is_none();
                    if is_new && (*is_more || values[*cell] > 0) {
                        by[*next] = Some((*cell, node, *is_more));
                        reached.push_back(*next);
                    }
                }
            }
            let way = way(&by, from, to);
            if way.is_empty() {
                break;
            }
            let room = way.iter().filter(|(_, is_more)| !is_more).map(|(cell, _)| values[*cell]);
            let step = room.min().unwrap_or(most).min(most - found);
            way.iter().for_each(|(cell, is_more)| {
                values[*cell] += if *is_more { step } else { -step };
            });
            found += step;
        }
        found
    }
}

/// The cells on the way that was found, and whether each becomes larger. None if there is no way.
pub fn way(by: &[Option<(usize, usize, bool)>], from: usize, to: usize) -> Vec<(usize, bool)> {
    let (mut way, mut node) = (Vec::new(), to);
    while let Some((cell, before, is_more)) = by[node] {
        way.push((cell, is_more));
        node = before;
        if node == from {
            return way;
        }
    }
    Vec::new()
}
