//! A cyclic order in which similar records are mostly close: the records are repeatedly halved
//! along the most varied column, and every second half is reversed, so that it begins where the
//! first one ended.

use sfumato_core::column::Code;
use sfumato_core::with_codes;

use crate::algorithms::shared::space::{Bounds, Space};

/// The number of records up to which parts are sorted on one thread.
const SMALL: usize = 1 << 13;

/// The rows in that order.
pub fn order(space: &Space<'_>, n_rows: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n_rows as u32).collect();
    halve(space, &mut rows, false);
    rows
}

fn halve(space: &Space<'_>, rows: &mut [u32], is_backwards: bool) {
    let widest = space.axes.iter().enumerate().map(|(place, axis)| {
        let bounds = with_codes!(&axis.column.codes, codes => {
            let codes = rows.iter().map(|row| codes[*row as usize].widen());
            codes.map(Bounds::of).reduce(Bounds::hull)
        });
        // By the share of the domain, not by price: of a tree nearly everything above the leaves
        // may cost the same.
        let share =
            |bounds: Bounds| f64::from(bounds.max - bounds.min) / f64::from(axis.missing.max(1));
        (bounds.filter(|bounds| bounds.min < bounds.max).map(share), place)
    });
    let widest = widest.filter_map(|(share, place)| Some((share?, place)));
    // The first of equals: nothing depends on more than the data.
    let widest = widest.reduce(|best, other| if other.0 > best.0 { other } else { best });
    let Some((_, axis)) = widest else {
        return rows.sort_unstable();
    };
    let codes = &space.axes[axis].column.codes;
    let middle = rows.len() / 2;
    with_codes!(codes, codes => {
        rows.select_nth_unstable_by_key(middle, |row| (codes[*row as usize], *row));
    });
    // Forwards it is the first half forwards and the second backwards. All of that backwards is the
    // second half forwards and the first backwards.
    let cut = if is_backwards { rows.len() - middle } else { middle };
    if is_backwards {
        rows.rotate_left(middle);
    }
    let (first, second) = rows.split_at_mut(cut);
    match first.len() + second.len() < SMALL {
        true => {
            halve(space, first, false);
            halve(space, second, true);
        }
        false => {
            rayon::join(|| halve(space, first, false), || halve(space, second, true));
        }
    }
}
