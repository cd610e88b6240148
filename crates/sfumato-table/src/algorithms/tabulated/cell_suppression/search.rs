//! Which cells are left out besides the sensitive ones: cheapest cycles first, and on small tables
//! branch and bound.

use super::network::{Grid, way};
use super::sensitive::Sensitive;

/// What is to be as little as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// The number of cells.
    Cells,
    /// The sum of their values.
    Values,
}

/// The cells that are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    /// For each cell whether it is left out.
    pub hidden: Vec<bool>,
    /// Whether less was proved not to be enough.
    pub is_best: bool,
}

/// No more cells are branched on.
const MOST_CELLS: usize = 24;
/// No more branches are looked at.
const MOST_STEPS: u32 = 20_000;

/// Leave out the sensitive cells, and others until all are open far enough. None if no others can
/// open them.
pub fn search(grid: &Grid, sensitive: &[Sensitive], cost: Cost) -> Option<Searched> {
    let mut first = vec![false; grid.values.len()];
    sensitive.iter().for_each(|of| first[of.cell] = true);
    let weights: Vec<i64> =
        grid.values.iter().map(|value| if cost == Cost::Cells { 1 } else { *value }).collect();
    let hidden = clean(grid, sensitive, &weights, cycles(grid, sensitive, &weights, &first)?);
    // A cell of nobody is known to be 0.
    let mut open: Vec<usize> =
        (0..first.len()).filter(|cell| !first[*cell] && grid.values[*cell] > 0).collect();
    open.sort_by_key(|cell| (std::cmp::Reverse(weights[*cell]), *cell));
    if open.len() > MOST_CELLS {
        return Some(Searched { is_best: is_least(&hidden, &first), hidden });
    }
    let best = spent(&weights, &hidden, &first);
    let mut branching =
        Branching { grid, sensitive, weights: &weights, open, best, hidden, steps: 0 };
    branching.branch(0, 0, &mut first);
    let is_best = branching.steps < MOST_STEPS;
    Some(Searched { is_best, hidden: branching.hidden })
}

/// Whether nothing was left out but the sensitive cells.
fn is_least(hidden: &[bool], first: &[bool]) -> bool {
    hidden == first
}

fn spent(weights: &[i64], hidden: &[bool], first: &[bool]) -> i64 {
    (0..hidden.len()).filter(|cell| hidden[*cell] && !first[*cell]).map(|cell| weights[cell]).sum()
}

struct Branching<'a> {
    grid: &'a Grid,
    sensitive: &'a [Sensitive],
    weights: &'a [i64],
    /// The cells that may be left out or not, the dearest first.
    open: Vec<usize>,
    best: i64,
    hidden: Vec<bool>,
    steps: u32,
}

impl Branching<'_> {
    fn is_enough(&self, hidden: &[bool]) -> bool {
        self.sensitive.iter().all(|of| self.grid.protects(hidden, of))
    }

    /// Decide about the open cells from `at` on; `now` is what is left out so far.
    fn branch(&mut self, at: usize, spent: i64, now: &mut Vec<bool>) {
        if self.steps >= MOST_STEPS || spent >= self.best {
            return;
        }
        self.steps += 1;
        if self.is_enough(now) {
            self.best = spent;
            self.hidden = now.clone();
            return;
        }
        // More cells left out never tell more: if all of them aren't enough, fewer aren't.
        let mut most = now.clone();
        self.open[at..].iter().for_each(|cell| most[*cell] = true);
        if at == self.open.len() || !self.is_enough(&most) {
            return;
        }
        let cell = self.open[at];
        self.branch(at + 1, spent, now);
        now[cell] = true;
        self.branch(at + 1, spent + self.weights[cell], now);
        now[cell] = false;
    }
}

/// Open every sensitive cell by the cheapest cycles through it.
fn cycles(
    grid: &Grid,
    sensitive: &[Sensitive],
    weights: &[i64],
    first: &[bool],
) -> Option<Vec<bool>> {
    let mut hidden = first.to_vec();
    for of in sensitive {
        let (from, to) = grid.edge(of.cell);
        let down = of.by.min(grid.values[of.cell]);
        for (ends, wanted) in [((to, from), of.by), ((from, to), down)] {
            let (mut values, mut found) = (grid.values.clone(), 0);
            while found < wanted {
                let way = cheapest(grid, &values, &hidden, weights, (of.cell, ends));
                if way.is_empty() {
                    return None;
                }
                let room = way.iter().filter(|(_, more)| !more).map(|(cell, _)| values[*cell]);
                let step = room.min().unwrap_or(wanted).min(wanted - found);
                for (cell, is_more) in way {
                    values[cell] += if is_more { step } else { -step };
                    hidden[cell] = true;
                }
                found += step;
            }
        }
    }
    Some(hidden)
}

/// The cheapest way between two nodes, where cells that are left out already cost nothing.
fn cheapest(
    grid: &Grid,
    values: &[i64],
    hidden: &[bool],
    weights: &[i64],
    (but, (from, to)): (usize, (usize, usize)),
) -> Vec<(usize, bool)> {
    let n = grid.nodes();
    let mut cost = vec![i64::MAX; n];
    let mut by: Vec<Option<(usize, usize, bool)>> = vec![None; n];
    let mut is_done = vec![false; n];
    cost[from] = 0;
    let edges: Vec<(usize, (usize, usize))> = (0..hidden.len())
        .filter(|cell| *cell != but && (hidden[*cell] || grid.values[*cell] > 0))
        .map(|cell| (cell, grid.edge(cell)))
        .collect();
    let mut of_node: Vec<Vec<(usize, usize, bool)>> = vec![Vec::new(); n];
    for (cell, (a, b)) in edges {
        of_node[a].push((cell, b, true));
        of_node[b].push((cell, a, false));
    }
    while let Some(node) =
        (0..n).filter(|node| !is_done[*node] && cost[*node] < i64::MAX).min_by_key(|at| cost[*at])
    {
        is_done[node] = true;
        for (cell, next, is_more) in &of_node[node] {
            let step = if hidden[*cell] { 0 } else { weights[*cell] };
            if (*is_more || values[*cell] > 0) && cost[node] + step < cost[*next] {
                cost[*next] = cost[node] + step;
                by[*next] = Some((*cell, node, *is_more));
            }
        }
    }
    way(&by, from, to)
}

/// Publish again what needn't be left out, the dearest first.
fn clean(
    grid: &Grid,
    sensitive: &[Sensitive],
    weights: &[i64],
    mut hidden: Vec<bool>,
) -> Vec<bool> {
    let mut besides: Vec<usize> = (0..hidden.len())
        .filter(|cell| hidden[*cell] && !sensitive.iter().any(|of| of.cell == *cell))
        .collect();
    besides.sort_by_key(|cell| (std::cmp::Reverse(weights[*cell]), *cell));
    for cell in besides {
        hidden[cell] = false;
        if !sensitive.iter().all(|of| grid.protects(&hidden, of)) {
            hidden[cell] = true;
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    /// A table with random cells.
    fn grid(random: &mut Seeded, (rows, columns): (usize, usize), most: usize) -> Grid {
        let mut grid = Grid { rows, columns, values: vec![0; (rows + 1) * (columns + 1)] };
        for row in 0..rows {
            for column in 0..columns {
                let value = random.below(most) as i64;
                for (row, column) in
                    [(row, column), (row, columns), (rows, column), (rows, columns)]
                {
                    let cell = grid.cell(row, column);
                    grid.values[cell] += value;
                }
            }
        }
        grid
    }

    /// Whether all rows and columns add up.
    fn adds_up(grid: &Grid, values: &[i64]) -> bool {
        let at = |row: usize, column: usize| values[grid.cell(row, column)];
        (0..=grid.rows)
            .all(|row| (0..grid.columns).map(|c| at(row, c)).sum::<i64>() == at(row, grid.columns))
            && (0..=grid.columns).all(|column| {
                (0..grid.rows).map(|r| at(r, column)).sum::<i64>() == at(grid.rows, column)
            })
    }

    /// All values of the hidden cells, up to a bound, with which everything adds up: no network.
    fn range(grid: &Grid, hidden: &[bool], cell: usize, most: i64) -> (i64, i64) {
        let cells: Vec<usize> = (0..hidden.len()).filter(|cell| hidden[*cell]).collect();
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let mut values = grid.values.clone();
        cells.iter().for_each(|cell| values[*cell] = 0);
        loop {
            if adds_up(grid, &values) {
                low = low.min(values[cell]);
                high = high.max(values[cell]);
            }
            let Some(at) = cells.iter().find(|cell| values[**cell] < most) else { break };
            cells.iter().take_while(|cell| *cell != at).for_each(|cell| values[*cell] = 0);
            values[*at] += 1;
        }
        (low, high)
    }

    #[test]
    fn ranges_are_those_of_all_tables_that_add_up() {
        let mut random = Seeded::new(14);
        for _ in 0..60 {
            let grid = grid(&mut random, (2, 3), 4);
            let mut hidden = vec![false; grid.values.len()];
            for _ in 0..5 {
                hidden[random.below(grid.values.len())] = true;
            }
            let most = grid.values.iter().copied().max().unwrap_or(0) + 2;
            let hidden_cells = (0..hidden.len()).filter(|cell| hidden[*cell]);
            for cell in hidden_cells {
                let (low, high) = range(&grid, &hidden, cell, most);
                let value = grid.values[cell];
                // What may grow without end is only seen to grow to the bound or near it.
                let above = grid.above(&hidden, cell, 1000);
                assert!(above == high - value || above == 1000 && high > value, "{grid:?} {cell}");
                assert_eq!(grid.below(&hidden, cell, 1000), value - low, "{grid:?} {cell}");
            }
        }
    }

    #[test]
    fn small_tables_get_the_best_of_all_choices() {
        let mut random = Seeded::new(15);
        let (mut tried, mut besides) = (0, 0);
        for round in 0..40 {
            let grid = grid(&mut random, (2, 2), 6);
            let cost = if round % 2 == 0 { Cost::Cells } else { Cost::Values };
            let cell = [0, 1, 3, 4][random.below(4)];
            let sensitive = [Sensitive { cell, by: 1 + random.below(3) as i64 }];
            let weight = |cell: usize| match cost {
                Cost::Cells => 1,
                Cost::Values => grid.values[cell],
            };
            let least = (0u32..1 << grid.values.len())
                .map(|set| (0..grid.values.len()).map(|at| set >> at & 1 == 1).collect())
                .filter(|hidden: &Vec<bool>| {
                    // A cell of nobody is published, but for the sensitive one.
                    (0..hidden.len()).all(|at| !hidden[at] || at == cell || grid.values[at] > 0)
                        && grid.protects(hidden, &sensitive[0])
                })
                .map(|hidden| {
                    (0..hidden.len()).filter(|at| hidden[*at] && *at != cell).map(weight).sum()
                })
                .min();
            let found = search(&grid, &sensitive, cost);
            let spent: Option<i64> = found.as_ref().map(|found| {
                assert!(found.is_best);
                let hidden = &found.hidden;
                (0..hidden.len()).filter(|at| hidden[*at] && *at != cell).map(weight).sum()
            });
            assert_eq!(spent, least, "{grid:?} {sensitive:?}");
            tried += u32::from(spent.is_some());
            besides += spent.unwrap_or(0);
        }
        assert!(tried > 20 && besides > 40, "{tried} {besides}");
    }

    #[test]
    fn larger_tables_are_protected_too() {
        let mut random = Seeded::new(16);
        let grid = grid(&mut random, (8, 9), 50);
        let sensitive: Vec<Sensitive> = (0..6)
            .map(|_| Sensitive { cell: grid.cell(random.below(8), random.below(9)), by: 7 })
            .collect();
        let found = search(&grid, &sensitive, Cost::Cells).unwrap();
        assert!(sensitive.iter().all(|of| grid.protects(&found.hidden, of)));
        let first: Vec<bool> =
            (0..grid.values.len()).map(|at| sensitive.iter().any(|of| of.cell == at)).collect();
        assert!(!sensitive.iter().all(|of| grid.protects(&first, of)), "they alone are told");
    }
}
