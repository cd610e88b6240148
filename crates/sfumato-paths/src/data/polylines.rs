//! Reads tracks of a table with a row for each: its positions in one cell, at equal lengths of time
//! from a beginning.
//!
//! A cell is a list of JSON such as `[[-8.61, 41.14], [-8.62, 41.15]]`, longitude first, or an
//! encoded polyline: differences of latitude and longitude in units of a hundred thousandth of a
//! degree, in characters of five bits each.

use sfumato_core::column::RawTable;
use sfumato_core::{Error, Result};

use super::clock::{self, Written};
use super::layout::Polyline;
use super::read::{column, row_of};
use super::text_file::Rows;

/// The positions of a table.
pub fn rows(table: &RawTable, id: &str, time: &str, layout: &Polyline) -> Result<(Rows, Written)> {
    let (ids, lines) = (column(table, id)?, column(table, &layout.line)?);
    let starts = column(table, time)?;
    let (written, keys) = clock::read_all(starts.values.iter()).map_err(|code| {
        let row = row_of(starts, code as u32);
        Error::input(format!("row {row} has no time in column '{}'", starts.name))
    })?;
    let mut rows = Rows::default();
    for row in 0..table.n_rows {
        let line = lines.values.get(lines.codes.get(row));
        let positions = positions(line.trim()).ok_or_else(|| {
            Error::input(format!("row {} has no polyline in column '{}'", row + 1, lines.name))
                .hint("write it as [[lon, lat], ..] or as an encoded polyline")
        })?;
        let who = ids.values.get(ids.codes.get(row));
        let start = keys[starts.codes.get(row) as usize];
        for (at, (x, y)) in positions.into_iter().enumerate() {
            let time = clock::spell(start + at as f64 * layout.step, written);
            rows.push(who, x, y, &time);
        }
    }
    Ok((rows, written))
}

fn positions(line: &str) -> Option<Vec<(f64, f64)>> {
    match line.starts_with('[') {
        true => serde_json::from_str::<Vec<(f64, f64)>>(line).ok(),
        false => decoded(line),
    }
}

/// The positions of an encoded polyline.
fn decoded(line: &str) -> Option<Vec<(f64, f64)>> {
    let mut numbers = Vec::new();
    let (mut number, mut shift) = (0i64, 0u32);
    for byte in line.bytes() {
        let bits = i64::from(byte.checked_sub(63)?);
        if bits > 63 || shift > 40 {
            return None;
        }
        number |= (bits & 31) << shift;
        shift += 5;
        if bits < 32 {
            numbers.push(if number & 1 == 1 { !(number >> 1) } else { number >> 1 });
            (number, shift) = (0, 0);
        }
    }
    if shift != 0 || numbers.len() % 2 != 0 {
        return None;
    }
    let (mut x, mut y) = (0, 0);
    let step = |pair: &[i64]| {
        y += pair[0];
        x += pair[1];
        (x as f64 / 1e5, y as f64 / 1e5)
    };
    Some(numbers.chunks_exact(2).map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polylines_are_lists_or_encoded() {
        // The example of the format's description.
        let found = positions("_p~iF~ps|U_ulLnnqC_mqNvxq`@").unwrap();
        assert_eq!(found, [(-120.2, 38.5), (-120.95, 40.7), (-126.453, 43.252)]);
        assert_eq!(positions("[[-8.61, 41.14], [-8.62, 41.15]]").unwrap().len(), 2);
        for wrong in ["[[1]]", "_p~iF", "abc def", "_p~iF~ps|"] {
            assert_eq!(positions(wrong), None, "{wrong}");
        }
        assert_eq!(positions("[]"), Some(Vec::new()));
    }
}
