//! The Hilbert curve: a number for each cell of a square grid, such that cells of near numbers are
//! near each other.

/// The number of the cell `(x, y)` on the curve through a grid of `2^order` cells a side. The curve
/// begins in the cell (0, 0). Orders up to 31 are possible.
pub fn index(order: u32, x: u32, y: u32) -> u64 {
    let (mut x, mut y) = (u64::from(x), u64::from(y));
    let side = 1u64 << order;
    let mut number = 0;
    let mut half = side / 2;
    while half > 0 {
        let (right, upper) = (u64::from(x & half > 0), u64::from(y & half > 0));
        number += half * half * ((3 * right) ^ upper);
        // The curve inside this quarter is turned.
        if upper == 0 {
            if right == 1 {
                x = side - 1 - x;
                y = side - 1 - y;
            }
            std::mem::swap(&mut x, &mut y);
        }
        half /= 2;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indices_of_table_14_7() {
        let all = |cells: [(u32, u32); 4]| cells.map(|(x, y)| index(4, x, y));
        assert_eq!(all([(2, 1), (3, 6), (2, 2), (4, 5)]), [13, 51, 8, 33]);
        assert_eq!(all([(6, 2), (6, 6), (7, 7), (8, 4)]), [24, 40, 42, 218]);
    }

    #[test]
    fn the_curve_goes_through_every_cell_and_never_jumps() {
        let side = 16;
        let mut cells: Vec<(u64, u32, u32)> = (0..side * side)
            .map(|at| (index(4, at % side, at / side), at % side, at / side))
            .collect();
        cells.sort_unstable();
        assert!(cells.iter().enumerate().all(|(at, cell)| cell.0 == at as u64));
        let step =
            |two: &[(u64, u32, u32)]| two[0].1.abs_diff(two[1].1) + two[0].2.abs_diff(two[1].2);
        assert!(cells.windows(2).all(|two| step(two) == 1));
    }
}
