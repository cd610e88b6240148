//! Tracks as paths over the cells of a grid.

use sfumato_core::FastMap;
use sfumato_core::column::RawTable;

use super::clock;
use super::geohash::geohash;
use super::hexagon::hexagon;
use super::layout::{Layout, Track, TrackFile};
use super::points::by_name;
use super::read::{Loaded, ReleaseLayout};
use super::tracks::TrackData;
use super::{PathData, Paths, SensitiveColumn, Step};

/// The name of the column of cells in a release.
const CELL: &str = "cell";

/// What is read of tracks: as they are, and over the cells of their grid if they have one.
/// `quasi` is what stands beside them that an attacker may know.
pub fn of_tracks(
    tracks: TrackData,
    quasi: Vec<SensitiveColumn>,
    layout: &Track,
    table: &RawTable,
) -> Loaded {
    let plain = layout.release();
    let (id, time) = (plain.id.clone(), plain.time.clone());
    let (data, release) = match layout.has_cells() {
        false => {
            let names = match layout.file {
                TrackFile::Table => {
                    table.columns.iter().map(|column| column.name.clone()).collect()
                }
                _ => vec![id, plain.x.clone(), plain.y.clone(), time],
            };
            let names = names.into_iter().map(|name| (name, None)).collect();
            let data = PathData { quasi, ..PathData::default() };
            (data, ReleaseLayout { layout: Layout::Track(plain), columns: names })
        }
        true => {
            // A column of the file may be called as the cells are.
            let mut place = CELL.to_string();
            let is_taken = |place: &String| quasi.iter().any(|column| column.name == *place);
            while place == id || place == time || is_taken(&place) {
                place.push('_');
            }
            let mut columns = [&id, &place, &time].map(|name| (name.clone(), None)).to_vec();
            columns.extend(quasi.iter().map(|column| (column.name.clone(), None)));
            let data = PathData { quasi, ..over_cells(&tracks, layout) };
            let several = data.is_at_several();
            let points = Layout::Points {
                id,
                place,
                time,
                every: None,
                several,
                hierarchy: None,
                zone: None,
            };
            (data, ReleaseLayout { layout: points, columns })
        }
    };
    Loaded {
        data,
        release,
        generalized: Vec::new(),
        repeated: tracks.repeated,
        in_order: tracks.in_order,
        is_numbered: tracks.is_numbered,
        source: table.source.clone(),
        tracks: Some(tracks),
        regions: None,
    }
}

/// The cells that each track goes through, at the times or in the bins in which it is there.
fn over_cells(tracks: &TrackData, layout: &Track) -> PathData {
    let every = layout.every;
    let cell = |position| match (layout.geohash, layout.h3, layout.grid) {
        (Some(letters), ..) => geohash(position, letters),
        (None, Some(resolution), _) => hexagon(position, resolution),
        (None, None, width) => {
            let cell = tracks.plane.cell(position, width.unwrap_or(1.0));
            format!("{}:{}", cell.0, cell.1)
        }
    };
    let time_of = |time: f64| every.map_or(time, |every| clock::bin(time, every));
    let mut times: Vec<f64> = tracks.tracks.iter().flatten().map(|fix| time_of(fix.time)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut places: Vec<String> = Vec::new();
    let mut code_of: FastMap<String, u32> = FastMap::default();
    let mut rows: Vec<Vec<Step>> = Vec::with_capacity(tracks.tracks.len());
    for track in &tracks.tracks {
        let mut row = Vec::with_capacity(track.len());
        for fix in track {
            let place = *code_of.entry(cell(fix.position)).or_insert_with_key(|cell| {
                places.push(cell.clone());
                places.len() as u32 - 1
            });
            let time = times.partition_point(|time| *time < time_of(fix.time)) as u32;
            row.push(Step { time, place });
        }
        row.sort_unstable();
        row.dedup();
        rows.push(row);
    }
    // Places in the order of their names, as they are read again.
    let (place_of, places) = by_name(places.iter().map(String::as_str));
    for row in &mut rows {
        row.iter_mut().for_each(|step| step.place = place_of[step.place as usize]);
        row.sort_unstable();
    }
    let mut steps: Vec<Step> = rows.iter().flatten().copied().collect();
    steps.sort_unstable();
    steps.dedup();
    let codes: FastMap<Step, u32> = steps.iter().copied().zip(0..).collect();
    let paths: Paths = rows.iter().map(|row| row.iter().map(|step| codes[step])).collect();
    let times = times.iter().map(|time| clock::spell(*time, tracks.written)).collect();
    PathData { places, times, steps, paths, sensitive: Vec::new(), quasi: Vec::new() }
}
