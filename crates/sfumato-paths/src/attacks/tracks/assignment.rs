//! Which published track is made from which original: the assignment with the smallest total
//! distance (the Hungarian method).

/// The most tracks that are assigned to each other.
pub const MOST: usize = 4000;

/// For each row the column that it is assigned to, such that the sum of costs is smallest. There
/// must be at least as many columns as rows.
pub fn cheapest(rows: usize, columns: usize, cost: &dyn Fn(usize, usize) -> f64) -> Vec<usize> {
    // Numbers from 1: 0 is nobody. Potentials of rows and columns, and the row of each column.
    let (mut of_row, mut of_column) = (vec![0.0; rows + 1], vec![0.0; columns + 1]);
    let mut row_at = vec![0usize; columns + 1];
    for row in 1..=rows {
        row_at[0] = row;
        let mut column = 0;
        let mut least = vec![f64::INFINITY; columns + 1];
        let mut came_from = vec![0usize; columns + 1];
        let mut is_done = vec![false; columns + 1];
        while row_at[column] != 0 {
            is_done[column] = true;
            let (own, mut step, mut next) = (row_at[column], f64::INFINITY, 0);
            for other in 1..=columns {
                if is_done[other] {
                    continue;
                }
                let reduced = cost(own - 1, other - 1) - of_row[own] - of_column[other];
                if reduced < least[other] {
                    least[other] = reduced;
                    came_from[other] = column;
                }
                if least[other] < step {
                    step = least[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                match is_done[other] {
                    true => {
                        of_row[row_at[other]] += step;
                        of_column[other] -= step;
                    }
                    false => least[other] -= step,
                }
            }
            column = next;
        }
        while column != 0 {
            let before = came_from[column];
            row_at[column] = row_at[before];
            column = before;
        }
    }
    let mut column_of = vec![0; rows];
    for (column, row) in row_at.iter().enumerate().skip(1).filter(|(_, row)| **row != 0) {
        column_of[row - 1] = column - 1;
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assignment_is_the_cheapest_of_all() {
        // All assignments of 3 rows to 4 columns.
        let mut seed = 9u64;
        for _ in 0..200 {
            let costs: Vec<f64> = (0..12)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 33) as f64 % 20.0
                })
                .collect();
            let cost = |row: usize, column: usize| costs[row * 4 + column];
            let sum = |columns: [usize; 3]| (0..3).map(|row| cost(row, columns[row])).sum::<f64>();
            let mut best = f64::INFINITY;
            for a in 0..4 {
                for b in (0..4).filter(|b| *b != a) {
                    for c in (0..4).filter(|c| *c != a && *c != b) {
                        best = best.min(sum([a, b, c]));
                    }
                }
            }
            let found = cheapest(3, 4, &cost);
            assert_eq!(sum([found[0], found[1], found[2]]), best);
        }
    }
}
