//! Tracks: where somebody was at many times, by coordinates. Reads, cuts and folds them.

use sfumato_core::column::RawTable;
use sfumato_core::{Error, Result};

use super::SensitiveColumn;
use super::clock::{self, Written};
use super::layout::Track;
use super::plane::{Plane, Position};
use super::points::{records_of, sensitive_of};
use super::read::{column, missing_of, refuse_missing, row_of};
use super::regions::numbers;

/// A position at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fix {
    /// The time.
    pub time: f64,
    /// The position.
    pub position: Position,
}

/// All tracks, as they were cut.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackData {
    /// The positions of each track, by ascending time.
    pub tracks: Vec<Vec<Fix>>,
    /// Whose track each is, as a number.
    pub of_whom: Vec<u32>,
    /// How many people there are.
    pub people: usize,
    /// The id of each of them, as in the file.
    pub names: Vec<String>,
    /// What coordinates mean.
    pub plane: Plane,
    /// How times are written.
    pub written: Written,
    /// Whether tracks were cut: a record isn't a person then.
    pub is_cut: bool,
    /// How many tracks were left out because they are too short.
    pub short: u64,
    /// How many positions count as one because they are of one track at one time.
    pub repeated: u64,
    /// Whether rows of each track follow each other by time.
    pub in_order: bool,
    /// Whether ids are the numbers from 1 on, in their order.
    pub is_numbered: bool,
}

impl TrackData {
    /// The number of positions of all tracks.
    pub fn n_fixes(&self) -> usize {
        self.tracks.iter().map(Vec::len).sum()
    }
}

/// The tracks of a table.
pub fn of_table(table: &RawTable, layout: &Track, missing: &[String]) -> Result<TrackData> {
    let ids = column(table, &layout.id)?;
    let times = column(table, &layout.time)?;
    refuse_missing(ids, &missing_of(ids, missing))?;
    refuse_missing(times, &missing_of(times, missing))?;
    let plane = if layout.is_degrees { Plane::Degrees } else { Plane::Flat };
    let xs = numbers(column(table, &layout.x)?, plane, false)?;
    let ys = numbers(column(table, &layout.y)?, plane, true)?;
    let (written, keys) = clock::read_all(times.values.iter()).map_err(|code| {
        let row = row_of(times, code as u32);
        Error::input(format!("row {row} has no time in column '{}'", times.name)).hint(
            "times are numbers, or all written as 2008-10-23 05:53:05, with or without a zone",
        )
    })?;
    let (written, keys) = clock::in_zone(layout.zone.as_deref(), written, keys)?;
    let (record_of, people) = records_of(ids);
    let mut names: Vec<String> = vec![String::new(); people];
    // Of several spellings of an id the first stays.
    for (code, text) in ids.values.iter().enumerate() {
        let name = &mut names[record_of[code] as usize];
        if name.is_empty() {
            *name = text.trim().to_string();
        }
    }
    let mut all: Vec<Vec<Fix>> = vec![Vec::new(); people];
    let (x_codes, y_codes) = (&column(table, &layout.x)?.codes, &column(table, &layout.y)?.codes);
    let mut last = (0u32, f64::NEG_INFINITY);
    let mut in_order = true;
    for row in 0..table.n_rows {
        let who = record_of[ids.codes.get(row) as usize];
        let time = keys[times.codes.get(row) as usize];
        let position =
            Position { x: xs[x_codes.get(row) as usize], y: ys[y_codes.get(row) as usize] };
        in_order &= who > last.0 || (who == last.0 && time > last.1);
        last = (who, time);
        all[who as usize].push(Fix { time, position });
    }
    let mut repeated = 0;
    for track in &mut all {
        track.sort_by(|a, b| a.time.total_cmp(&b.time));
        repeated += merge_same_times(track);
    }
    let is_number = |(code, text): (usize, &str)| text == (code + 1).to_string();
    let mut data = TrackData {
        tracks: Vec::new(),
        of_whom: Vec::new(),
        people,
        names,
        plane,
        written,
        is_cut: layout.cut.is_some() || layout.gap.is_some(),
        short: 0,
        repeated,
        in_order,
        is_numbered: ids.values.iter().enumerate().all(is_number),
    };
    for (who, track) in (0..).zip(all) {
        for mut piece in cut(&track, layout.cut, layout.gap) {
            if piece.len() < layout.least {
                data.short += 1;
                continue;
            }
            if let (Some(fold), Some(first)) = (layout.fold, piece.first().map(|fix| fix.time)) {
                let shift = clock::bin(first, fold);
                piece.iter_mut().for_each(|fix| fix.time -= shift);
            }
            data.tracks.push(piece);
            data.of_whom.push(who);
        }
    }
    Ok(data)
}

/// What stands beside each track that an attacker may know: the value of the person whose it is.
pub fn beside(
    table: &RawTable,
    layout: &Track,
    data: &TrackData,
    names: &[String],
    missing: &[String],
) -> Result<Vec<SensitiveColumn>> {
    let ids = column(table, &layout.id)?;
    let (record_of, people) = records_of(ids);
    let of_row = || ids.codes.iter().map(|code| record_of[code as usize]);
    let of_track = |name: &String| {
        let of_person = sensitive_of(column(table, name)?, of_row(), people, missing)?;
        Ok(of_person.part(&data.of_whom))
    };
    names.iter().map(of_track).collect()
}

/// Positions at one time become their mean. Returns how many are gone.
fn merge_same_times(track: &mut Vec<Fix>) -> u64 {
    let before = track.len();
    let mut merged: Vec<Fix> = Vec::with_capacity(before);
    let mut start = 0;
    for end in 1..=before {
        if end == before || track[end].time != track[start].time {
            let same = &track[start..end];
            let position = super::plane::mean(same.iter().map(|fix| fix.position));
            merged.push(Fix { time: same[0].time, position });
            start = end;
        }
    }
    *track = merged;
    (before - track.len()) as u64
}

/// Cut a track at multiples of a length of time, and where nothing is known for long.
fn cut(track: &[Fix], every: Option<f64>, gap: Option<f64>) -> Vec<Vec<Fix>> {
    let is_cut = |a: &Fix, b: &Fix| {
        let is_far = gap.is_some_and(|gap| b.time - a.time > gap);
        let is_other =
            every.is_some_and(|every| clock::bin(a.time, every) != clock::bin(b.time, every));
        is_far || is_other
    };
    track.chunk_by(|a, b| !is_cut(a, b)).map(<[Fix]>::to_vec).collect()
}

/// Where a track is after a share of its positions, and when: between two of them on the straight
/// line that joins them. It has one position at least.
pub fn along(track: &[Fix], part: f64) -> Fix {
    let place = part * (track.len() - 1) as f64;
    let (before, after) = (place.floor() as usize, place.ceil() as usize);
    let (before, after, rest) = (track[before], track[after], place.fract());
    let between = |a: f64, b: f64| a + (b - a) * rest;
    Fix {
        time: between(before.time, after.time),
        position: Position {
            x: between(before.position.x, after.position.x),
            y: between(before.position.y, after.position.y),
        },
    }
}
