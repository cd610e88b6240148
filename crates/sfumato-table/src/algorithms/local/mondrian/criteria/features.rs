//! Features other than the quasi columns. They are published as they are, so a recipient can
//! already tell their values apart. A target need only be pure among records with equal region and
//! features, and entropy or error is computed there.

use sfumato_core::FastMap;
use sfumato_core::dataset::{Column, Table};

/// The number of bands of about equal frequency into which numbers are divided.
const BANDS: u64 = 8;
/// The largest number of values of a column that is used value by value.
const FEW_VALUES: usize = 16;
/// The largest number of combinations: more would leave too few records in each to say anything.
const MOST_CELLS: u32 = 1 << 12;

/// The cell of each row, and the number of cells. `None` without such features.
pub fn cells(table: &Table, features: &[usize]) -> Option<(Vec<u32>, usize)> {
    let mut cells = vec![0u32; table.n_rows];
    let mut n_cells = 1u32;
    for &feature in features {
        let column = &table.columns[feature];
        let bands = bands(column);
        let mut numbers: FastMap<u64, u32> = FastMap::default();
        let joined: Vec<u32> = cells
            .iter()
            .zip(column.codes.iter())
            .map(|(cell, code)| {
                let next = numbers.len() as u32;
                *numbers
                    .entry(u64::from(*cell) << 32 | u64::from(bands[code as usize]))
                    .or_insert(next)
            })
            .collect();
        // A column too many: the others are what is looked at.
        if numbers.len() as u32 > MOST_CELLS {
            continue;
        }
        cells = joined;
        n_cells = numbers.len() as u32;
    }
    (n_cells > 1).then_some((cells, n_cells as usize))
}

/// The band of each code, missing included.
fn bands(column: &Column) -> Vec<u32> {
    let n_codes = column.domain.len() + 1;
    if column.domain.len() <= FEW_VALUES || !column.domain.kind.is_ordered() {
        return (0..n_codes as u32).collect();
    }
    let mut counts = vec![0u64; n_codes];
    column.codes.iter().for_each(|code| counts[code as usize] += 1);
    let present: u64 = counts[..n_codes - 1].iter().sum();
    let mut before = 0;
    let mut bands: Vec<u32> = counts[..n_codes - 1]
        .iter()
        .map(|count| {
            // The band of a value's middle record.
            let band = (before + count / 2) * BANDS / present.max(1);
            before += count;
            band.min(BANDS - 1) as u32
        })
        .collect();
    bands.push(BANDS as u32);
    bands
}
