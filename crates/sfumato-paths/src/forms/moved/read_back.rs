//! Reads a release of moved tracks back from the bytes of its draft, and checks that each is near
//! its original: track i of the file is that of record `order[i]`, at times at which the record is
//! known, and no position is further from the record's own than the report says.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::ReadOptions;

use super::Moved;
use super::aligned;
use super::decide::{Decided, tracks_of};
use super::groups::TOLERANCE;
use super::own::Own;
use crate::data::layout::Said;
use crate::data::plane::Plane;
use crate::data::read::{Beside, load_as};
use crate::data::tracks::Fix;
use crate::forms::beside;
use crate::kind;

/// What the bytes of a draft say, after it was compared with the original.
pub struct Read {
    /// The published tracks.
    pub tracks: Vec<Vec<Fix>>,
    /// What coordinates mean.
    pub plane: Plane,
    /// The class of each by what stands beside it.
    pub alike: Vec<u32>,
    /// The groups that tracks are said to be in, by their places in the file.
    pub told: Vec<Vec<u32>>,
    /// How far positions were moved, one after the other.
    pub moved: Vec<f64>,
    /// How far they were moved in time; empty where tracks keep the clock.
    pub shifted: Vec<f64>,
    /// How many positions of the original were on the common clock, of tracks that are published.
    pub on_clock: u64,
    /// The number of tracks that were left out.
    pub left_out: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, kind::Paths, Moved>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<Read> {
    let original = tracks_of(written.data)?;
    let (witness, decided) = (written.witness, written.decision());
    let options = ReadOptions {
        format: Some(witness.options.format),
        delimiter: Some(witness.options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let said = Said { layout: written.data.release.layout.clone(), dropped: Vec::new() };
    let quasi = &written.data.data.quasi;
    let known = Beside { quasi: beside::names(quasi), ..Beside::default() };
    let loaded = load_as(&path, &said, &known, &options, &observer).map_err(cant_read_back)?;
    let (sha256, bytes) = (loaded.source.sha256.clone(), loaded.source.bytes);
    let read = loaded.tracks.ok_or_else(|| failed_verification("the file has no tracks in it"))?;
    let order = &witness.order;
    if read.tracks.len() != order.len() {
        return Err(failed_verification(&format!(
            "{} tracks were published and {} are in the file",
            order.len(),
            read.tracks.len()
        )));
    }
    if !read.in_order || !read.is_numbered || read.repeated > 0 {
        return Err(failed_verification("rows aren't in the order in which they were written"));
    }
    beside::check(quasi, &loaded.data.quasi, order)?;
    let alike = beside::alike(&loaded.data.quasi, order.len());
    let all = Own::of(written.plan, original);
    if all.ticks != decided.ticks || all.synchronous.is_empty() != decided.moved.moments.is_some() {
        return Err(failed_verification("tracks were published on another clock"));
    }
    let (mut moved, mut shifted) = (Vec::new(), Vec::new());
    let mut on_clock = 0;
    for (row, (record, track)) in order.iter().zip(&read.tracks).enumerate() {
        on_clock += all.n_positions(*record) as u64;
        if let Some(moments) = &decided.moved.moments {
            let (at, plane) = (*record as usize, original.plane);
            let found = aligned::check(&decided.moved, &moments[at], &all.fixes[at], track, plane)
                .map_err(|what| failed_verification(&format!("track {} {what}", row + 1)))?;
            moved.extend(found.moved);
            shifted.extend(found.shifted);
            continue;
        }
        let own = &all.synchronous[*record as usize];
        check_ticks(decided, *record, track)
            .map_err(|what| failed_verification(&format!("track {} {what}", row + 1)))?;
        let start = decided.moved.tracks[*record as usize].as_ref().map_or(0, |track| track.start);
        for (tick, fix) in (start..).zip(track) {
            let at = usize::try_from(tick - own.start).ok();
            let Some(position) = at.and_then(|at| own.positions.get(at)) else {
                let what = format!("track {} is there when its record isn't", row + 1);
                return Err(failed_verification(&what));
            };
            moved.push(original.plane.distance(*position, fix.position));
        }
    }
    let most = decided.moved.farthest * (1.0 + TOLERANCE) + original.plane.slack(0.0) + TOLERANCE;
    if moved.iter().any(|distance| *distance > most) {
        return Err(failed_verification("a position was moved further than the report says"));
    }
    let left_out = (original.tracks.len() - order.len()) as u64;
    if left_out > written.plan.trash {
        let message =
            format!("{left_out} tracks would be left out, and {} may be", written.plan.trash);
        return Err(Error::infeasible(message).hint("allow more with --max-suppression"));
    }
    let row_of: FastMap<u32, u32> = order.iter().copied().zip(0..).collect();
    let told = decided.moved.groups.iter();
    let told = told.map(|group| group.iter().filter_map(|one| row_of.get(one).copied()).collect());
    let told = told.collect();
    let (tracks, plane) = (read.tracks, original.plane);
    Ok(Read { tracks, plane, alike, told, moved, shifted, on_clock, left_out, sha256, bytes })
}

/// Whether a track is at the ticks that were decided.
fn check_ticks(
    decided: &Decided,
    record: u32,
    track: &[Fix],
) -> std::result::Result<(), &'static str> {
    let Some(new) = &decided.moved.tracks[record as usize] else {
        return Err("was to be left out");
    };
    if new.positions.len() != track.len() {
        return Err("hasn't as many positions as were decided");
    }
    let is_other = |(tick, fix): (i64, &Fix)| {
        let time = decided.ticks.time(tick);
        (time - fix.time).abs() > 1e-6 * (1.0 + time.abs() * 1e-6)
    };
    match (new.start..).zip(track).any(is_other) {
        true => Err("is at other times than were decided"),
        false => Ok(()),
    }
}
