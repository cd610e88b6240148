//! Which sums would tell a contribution, and how far from them an estimate must stay.

use super::network::Grid;

/// When a cell is sensitive.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// The second contributor could estimate the largest to within so many percent.
    PPercent {
        /// The percent.
        p: i64,
    },
    /// A few contributors have more than so many percent of the cell.
    Dominance {
        /// How many.
        n: i64,
        /// The percent.
        k: i64,
    },
}

/// A sensitive cell, and how wide open it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensitive {
    /// The cell.
    pub cell: usize,
    /// How far above its value the upper bound must be, and below it the lower one, if it can.
    pub by: i64,
}

impl Rule {
    /// How far an estimate of a cell must stay from it, by its contributions from the largest
    /// down. None if it isn't sensitive.
    pub fn lacks(self, given: &[i64]) -> Option<i64> {
        let sum: i128 = given.iter().map(|x| i128::from(*x)).sum();
        let top = |n: usize| given.iter().take(n).map(|x| i128::from(*x)).sum::<i128>();
        // Both are counted in hundredths, or in k-ths, of a unit, and rounded up to whole units.
        let (above, parts) = match self {
            Rule::PPercent { p } => (i128::from(p) * top(1) - 100 * (sum - top(2)), 100),
            Rule::Dominance { n, k } => {
                (100 * top(n.max(0) as usize) - i128::from(k) * sum, i128::from(k.max(1)))
            }
        };
        (above > 0).then(|| i64::try_from((above + parts - 1) / parts).unwrap_or(i64::MAX / 8))
    }
}

/// The sums of a table with totals, and its sensitive cells, from who gave how much to which cell.
pub fn sensitive(
    (rows, columns): (usize, usize),
    given: &[(usize, u32, i64)],
    rule: Rule,
) -> (Grid, Vec<Sensitive>) {
    let mut grid = Grid { rows, columns, values: vec![0; (rows + 1) * (columns + 1)] };
    let mut all: Vec<(usize, u32, i64)> = Vec::with_capacity(4 * given.len());
    for (cell, who, amount) in given.iter().filter(|(_, _, amount)| *amount > 0) {
        let (row, column) = (cell / columns, cell % columns);
        for (row, column) in [(row, column), (row, columns), (rows, column), (rows, columns)] {
            let cell = grid.cell(row, column);
            grid.values[cell] += amount;
            all.push((cell, *who, *amount));
        }
    }
    all.sort_unstable();
    let mut found = Vec::new();
    for of_cell in all.chunk_by(|a, b| a.0 == b.0) {
        let mut amounts: Vec<i64> = of_cell
            .chunk_by(|a, b| a.1 == b.1)
            .map(|of_one| of_one.iter().map(|(_, _, amount)| amount).sum())
            .collect();
        amounts.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(by) = rule.lacks(&amounts) {
            found.push(Sensitive { cell: of_cell[0].0, by });
        }
    }
    (grid, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_by_hand() {
        let p = Rule::PPercent { p: 10 };
        // The rest is 9, and a tenth of 100 is 10: one is lacking.
        assert_eq!(p.lacks(&[100, 50, 9]), Some(1));
        assert_eq!(p.lacks(&[100, 50, 10]), None);
        assert_eq!(p.lacks(&[100]), Some(10));
        assert_eq!(p.lacks(&[100, 90]), Some(10));
        let dominance = Rule::Dominance { n: 1, k: 75 };
        // 80 would be 75 % of 106.67: 6.67 more than 100.
        assert_eq!(dominance.lacks(&[80, 20]), Some(7));
        assert_eq!(dominance.lacks(&[75, 25]), None);
        // One contributor in two cells of a row is one.
        let given =
            [(0, 7, 50), (1, 7, 50), (0, 8, 40), (1, 9, 40), (2, 1, 5), (2, 2, 4), (2, 3, 3)];
        let (grid, found) = sensitive((2, 2), &given, p);
        assert_eq!(grid.values, [90, 90, 180, 12, 0, 12, 102, 90, 192]);
        let cells: Vec<usize> = found.iter().map(|of| of.cell).collect();
        assert_eq!(cells, [0, 1, 7], "the row has 100, 40 and 40 of three");
    }
}
