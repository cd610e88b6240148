//! What a release of moved tracks keeps of its original: how many tracks and positions, how long
//! they are, and where people are. Which track is whose isn't known, so that how far single
//! positions were moved isn't measured.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::numbers::{count, quantity};
use sfumato_report::{Bar, Kept};

use super::NAME;
use crate::data::plane::Position;
use crate::data::tracks::{Fix, TrackData};
use crate::forms::release_file::{ReleaseFile, load_original, with_columns};
use crate::job::Job;

/// The region of the original is divided into so many cells in each direction.
const CELLS: usize = 20;

/// How many cells are shown.
const SHOWN: usize = 12;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let job = &request.job;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let no_tracks = || {
        Error::unsupported("this file has no tracks of coordinates")
            .hint("say --paths 'track(id=A, lat=B, lon=C, time=D)'")
    };
    let after = file.load(observer)?.tracks.ok_or_else(no_tracks)?;
    let mut utility = Utility { rows: Some(after.tracks.len() as u64), ..Utility::default() };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let before = load_original(original, &with_columns(job, request.manifest.as_ref()), observer)?
        .tracks
        .ok_or_else(no_tracks)?;
    let share = |after: f64, before: f64| (before > 0.0).then(|| after / before);
    let (was, is) = (before.tracks.len() as f64, after.tracks.len() as f64);
    utility.metrics.insert("tracks-kept", share(is, was));
    let (was, is) = (before.n_fixes() as f64, after.n_fixes() as f64);
    utility.metrics.insert("positions-kept", share(is, was));
    utility.kept = vec![places(&before, &after), lengths(&before, &after)];
    utility.remarks.push(
        "how far positions were moved isn't measured: nothing says which track is whose".into(),
    );
    Ok(utility)
}

fn positions(data: &TrackData) -> impl Iterator<Item = Position> + '_ {
    data.tracks.iter().flatten().map(|fix| fix.position)
}

/// Where people are: the share of positions in each cell of the original's region.
fn places(before: &TrackData, after: &TrackData) -> Kept {
    let bounds = |of: fn(Position) -> f64| {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        positions(before).for_each(|position| {
            least = least.min(of(position));
            most = most.max(of(position));
        });
        (least, (most - least).max(f64::MIN_POSITIVE))
    };
    let (of_x, of_y) = (bounds(|position| position.x), bounds(|position| position.y));
    let place = |value: f64, (least, width): (f64, f64)| {
        (((value - least) / width * CELLS as f64) as usize).min(CELLS - 1)
    };
    let shares = |data: &TrackData| -> FastMap<(usize, usize), f64> {
        let mut shares = FastMap::default();
        let each = 1.0 / data.n_fixes().max(1) as f64;
        positions(data).for_each(|position| {
            *shares.entry((place(position.x, of_x), place(position.y, of_y))).or_default() += each;
        });
        shares
    };
    let (was, is) = (shares(before), shares(after));
    let mut cells: Vec<(usize, usize)> = was.keys().chain(is.keys()).copied().collect();
    cells.sort_unstable();
    cells.dedup();
    let of = |shares: &FastMap<(usize, usize), f64>, cell: &(usize, usize)| {
        shares.get(cell).copied().unwrap_or(0.0)
    };
    let bar = |cell: &(usize, usize)| Bar {
        label: format!("cell {}, {}", cell.0 + 1, cell.1 + 1),
        before: of(&was, cell),
        after: of(&is, cell),
    };
    let mut bars: Vec<Bar> = cells.iter().map(bar).collect();
    let moved = Kept::distance(&bars);
    bars.sort_by(|a, b| b.before.total_cmp(&a.before));
    bars.truncate(SHOWN);
    Kept {
        part: "where people are".into(),
        lost: moved,
        told: format!(
            "the share of positions in each of {CELLS} x {CELLS} cells; {} positions (before {})",
            count(after.n_fixes() as u64),
            count(before.n_fixes() as u64)
        ),
        exclusive: true,
        moved: Some(moved),
        distribution: bars,
    }
}

/// How long tracks are on average.
fn lengths(before: &TrackData, after: &TrackData) -> Kept {
    let mean = |data: &TrackData| {
        let steps = |track: &Vec<Fix>| -> f64 {
            let pairs = track.windows(2);
            pairs.map(|pair| data.plane.distance(pair[0].position, pair[1].position)).sum()
        };
        data.tracks.iter().map(steps).sum::<f64>() / data.tracks.len().max(1) as f64
    };
    let (was, is) = (mean(before), mean(after));
    Kept {
        part: "length of tracks".into(),
        lost: if was > 0.0 { ((is - was).abs() / was).min(1.0) } else { 0.0 },
        told: format!("{} on average (before {})", quantity(is), quantity(was)),
        exclusive: true,
        ..Kept::default()
    }
}
