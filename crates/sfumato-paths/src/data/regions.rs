//! Reads tracks of regions: where somebody was at a time, as a box.

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::{Error, Result};

use super::PathData;
use super::clock::{self, Written};
use super::layout::{Layout, RegionColumns};
use super::plane::{Plane, Position};
use super::points::{records_of, sensitive_of};
use super::read::{Loaded, ReleaseLayout, column, missing_of, refuse_missing, row_of};
use super::region::{Region, RegionFix};

/// All tracks of regions.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionData {
    /// The regions of each track, by ascending time.
    pub tracks: Vec<Vec<RegionFix>>,
    /// What coordinates mean.
    pub plane: Plane,
    /// How times are written.
    pub written: Written,
}

/// The tracks of a table.
/// `known` are columns beside them that an attacker may know.
pub fn of_table(
    table: RawTable,
    layout: &RegionColumns,
    known: &[String],
    missing: &[String],
) -> Result<Loaded> {
    let (ids, times) = (column(&table, &layout.id)?, column(&table, &layout.time)?);
    refuse_missing(ids, &missing_of(ids, missing))?;
    refuse_missing(times, &missing_of(times, missing))?;
    let plane = if layout.is_degrees { Plane::Degrees } else { Plane::Flat };
    let (written, keys) = clock::read_all(times.values.iter()).map_err(|code| {
        let row = row_of(times, code as u32);
        Error::input(format!("row {row} has no time in column '{}'", times.name))
    })?;
    let names = [&layout.x_from, &layout.y_from, &layout.x_to, &layout.y_to];
    let numbers = names
        .iter()
        .enumerate()
        .map(|(at, name)| numbers(column(&table, name)?, plane, at % 2 == 1))
        .collect::<Result<Vec<_>>>()?;
    let codes =
        names.iter().map(|name| Ok(&column(&table, name)?.codes)).collect::<Result<Vec<_>>>()?;
    let (record_of, n_records) = records_of(ids);
    let mut tracks: Vec<Vec<RegionFix>> = vec![Vec::new(); n_records];
    let mut last = (0u32, f64::NEG_INFINITY);
    let mut in_order = true;
    for row in 0..table.n_rows {
        let who = record_of[ids.codes.get(row) as usize];
        let time = keys[times.codes.get(row) as usize];
        let at = |corner: usize| numbers[corner][codes[corner].get(row) as usize];
        let region =
            Region { from: Position { x: at(0), y: at(1) }, to: Position { x: at(2), y: at(3) } };
        if region.from.x > region.to.x || region.from.y > region.to.y {
            return Err(Error::input(format!(
                "row {} has a region that ends before it begins",
                row + 1
            )));
        }
        in_order &= who > last.0 || (who == last.0 && time > last.1);
        last = (who, time);
        tracks[who as usize].push(RegionFix { time, region });
    }
    for track in &mut tracks {
        track.sort_by(|a, b| a.time.total_cmp(&b.time));
        if track.windows(2).any(|two| two[0].time == two[1].time) {
            return Err(Error::input("somebody has two regions at one time"));
        }
    }
    let is_number = |(code, text): (usize, &str)| text == (code + 1).to_string();
    let is_numbered = ids.values.iter().enumerate().all(is_number);
    let columns = table.columns.iter().map(|column| (column.name.clone(), None)).collect();
    let of_row = || ids.codes.iter().map(|code| record_of[code as usize]);
    let quasi = known
        .iter()
        .map(|name| sensitive_of(column(&table, name)?, of_row(), n_records, missing))
        .collect::<Result<Vec<_>>>()?;
    Ok(Loaded {
        data: PathData { quasi, ..PathData::default() },
        tracks: None,
        regions: Some(RegionData { tracks, plane, written }),
        release: ReleaseLayout { layout: Layout::Regions(layout.clone()), columns },
        generalized: Vec::new(),
        repeated: 0,
        in_order,
        is_numbered,
        source: table.source,
    })
}

/// The number that each text of a column says.
pub fn numbers(column: &RawColumn, plane: Plane, is_y: bool) -> Result<Vec<f64>> {
    let used = column.codes.counts(column.values.len());
    let number = |(code, text): (usize, &str)| {
        let number = text.trim().parse::<f64>().unwrap_or(f64::NAN);
        match used[code] == 0 || plane.is_valid(number, is_y) {
            true => Ok(number),
            false => {
                let row = row_of(column, code as u32);
                let message = format!("row {row} has no coordinate in column '{}'", column.name);
                Err(Error::input(message)
                    .hint("a latitude is from -90 to 90, a longitude from -180 to 180"))
            }
        }
    };
    column.values.iter().enumerate().map(number).collect()
}
