//! Reads the paths of a job.

use sfumato_core::column::{Provenance, RawColumn, RawTable};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastSet, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::{Format, ReadOptions};

use super::layout::{self, Layout, Track, TrackFile};
use super::regions::{self, RegionData};
use super::tracks::TrackData;
use super::{
    PathData, cells, generalize, geojson, gpx, lines, points, polylines, text_file, tracks,
};
use crate::job::{InputSpec, Job, PathSpec};

/// Paths as a job sees them.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The records as sequences of steps. Of tracks without a grid there are none.
    pub data: PathData,
    /// The records as tracks of coordinates, if they are tracks.
    pub tracks: Option<TrackData>,
    /// The records as tracks of regions, if a release of regions was read.
    pub regions: Option<RegionData>,
    /// The layout of a release of these records, and the columns of its file in their order.
    pub release: ReleaseLayout,
    /// What the columns that an attacker may know keep since they were generalized, in words.
    pub generalized: Vec<String>,
    /// How many points were there more than once.
    pub repeated: u64,
    /// Whether the rows of each path follow each other, in the order of its steps.
    pub in_order: bool,
    /// Whether ids are the numbers from 1 on, in their order.
    pub is_numbered: bool,
    /// The file that they were read from.
    pub source: Provenance,
}

/// How a release lies in its file.
#[derive(Debug, Clone)]
pub struct ReleaseLayout {
    /// The layout.
    pub layout: Layout,
    /// The columns in the order of the file, with their types; none of lines.
    pub columns: Vec<(String, Option<String>)>,
}

/// Read the job's input.
pub fn read(job: &Job, observer: &dyn Observer) -> Result<Loaded> {
    if !job.paths.says_layout() {
        return Err(Error::params("nothing says how paths lie in their file")
            .hint("say it with --paths, as in --paths 'points(id=A, place=B, time=C)'"));
    }
    let mut loaded = load(&input_of(job), &spec_of(job), observer)?;
    generalize::generalize(job, &mut loaded, observer)?;
    Ok(loaded)
}

/// The input of a job, with a path that can be opened.
pub fn input_of(job: &Job) -> InputSpec {
    InputSpec { path: resolve(&job.base, &job.input.path), ..job.input.clone() }
}

/// What a job says of its paths, with the folder from which files start.
pub fn spec_of(job: &Job) -> PathSpec {
    PathSpec { base: job.base.clone(), ..job.paths.clone() }
}

/// Read paths of a layout.
pub fn load(input: &InputSpec, spec: &PathSpec, observer: &dyn Observer) -> Result<Loaded> {
    let mut said = layout::parse(&spec.layout)?;
    if let Layout::Points { hierarchy: Some((file, _)), .. } = &mut said.layout {
        *file = resolve(&spec.base, file);
    }
    let loaded = load_as(&input.path, &said, &Beside::of(spec), &read_options(input)?, observer)?;
    let n_paths = match (&loaded.tracks, &loaded.regions) {
        (Some(tracks), _) => tracks.tracks.len(),
        (None, Some(regions)) => regions.tracks.len(),
        (None, None) => loaded.data.paths.len(),
    };
    if n_paths == 0 {
        return Err(Error::input("the file has no records").in_file(&input.path));
    }
    if n_paths >= u32::MAX as usize || loaded.data.paths.n_steps() >= u32::MAX as usize {
        return Err(Error::resources("more than 4,294,967,294 points are not supported yet")
            .in_file(&input.path));
    }
    Ok(loaded)
}

/// The columns beside paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    /// Those that an attacker wants to learn.
    pub sensitive: Vec<String>,
    /// Those that an attacker may know.
    pub quasi: Vec<String>,
}

impl Beside {
    /// The columns that a job names.
    pub fn of(spec: &PathSpec) -> Beside {
        Beside { sensitive: spec.sensitive.clone(), quasi: spec.quasi.clone() }
    }
    /// The names of all of them.
    pub fn names(&self) -> impl Iterator<Item = &String> + Clone {
        self.sensitive.iter().chain(&self.quasi)
    }
}

/// Read paths of a layout with the options of a reader.
pub fn load_as(
    path: &str,
    said: &layout::Said,
    beside: &Beside,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let loaded = match &said.layout {
        Layout::Lines { separator, label } => {
            if let Some(name) = beside.names().find(|name| *name != lines::LABEL) {
                return Err(Error::params(format!("lines have no column '{name}'"))
                    .hint("say with lines(label=last) that the last word is sensitive"));
            }
            let options = ReadOptions {
                format: Some(Format::Csv),
                // One column: no line has this character.
                delimiter: Some(lines::NEVER),
                header: Some(false),
                ..options.clone()
            };
            let table = sfumato_io::read(path, &options, &mut sfumato_io::select_all, observer)?;
            lines::of_table(table, *separator, *label, &said.layout)
        }
        Layout::Points { id, place, time, hierarchy, .. } => {
            let wanted = [id, place, time].into_iter().chain(beside.names()).map(String::as_str);
            let table = read_columns(path, wanted, &said.dropped, options, observer)?;
            let parents = match hierarchy {
                Some((file, level)) => points::read_parents(file, *level, observer)?,
                None => points::Parents::default(),
            };
            points::of_table(table, &parents, &said.layout, beside, &options.missing)
        }
        Layout::Track(track) => {
            if let Some(name) = beside.sensitive.first() {
                return Err(Error::unsupported(format!(
                    "column '{name}' beside a track can't be sensitive: no model of tracks is \
                     about it"
                ))
                .hint("leave it out with drop=[..], or say --qi if an attacker may know it"));
            }
            if let (Some(name), false) = (beside.quasi.first(), track.file == TrackFile::Table) {
                return Err(Error::unsupported(format!(
                    "column '{name}' isn't read from such a file"
                ))
                .hint("only a table with a row for each position has columns beside tracks"));
            }
            let wanted = Wanted { beside, dropped: &said.dropped };
            let table = read_positions(path, track, &wanted, options, observer)?;
            let read = tracks::of_table(&table, track, &options.missing)?;
            let quasi = tracks::beside(&table, track, &read, &beside.quasi, &options.missing)?;
            Ok(cells::of_tracks(read, quasi, track, &table))
        }
        Layout::Regions(columns) => {
            if let Some(name) = beside.sensitive.first() {
                return Err(Error::unsupported(format!(
                    "column '{name}' beside regions can't be sensitive: no model of regions is \
                     about it"
                ))
                .hint("leave it out with drop=[..], or say --qi if an attacker may know it"));
            }
            let wanted = columns.names().into_iter().chain(beside.quasi.iter().map(String::as_str));
            let table = read_columns(path, wanted, &said.dropped, options, observer)?;
            regions::of_table(table, columns, &beside.quasi, &options.missing)
        }
    };
    loaded.map_err(|mut error| {
        error.place.file.get_or_insert_with(|| path.to_owned());
        error
    })
}

/// Columns of a file beside those that a layout names.
struct Wanted<'a> {
    /// Those that are read as well.
    beside: &'a Beside,
    /// Those that are left out.
    dropped: &'a [String],
}

/// Read positions of tracks as a table with a row for each.
fn read_positions(
    path: &str,
    track: &Track,
    Wanted { beside, dropped }: &Wanted<'_>,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<RawTable> {
    let names = [&track.id, &track.x, &track.y, &track.time].map(String::as_str);
    match &track.file {
        TrackFile::Table => {
            let wanted = names.into_iter().chain(beside.names().map(String::as_str));
            read_columns(path, wanted, dropped, options, observer)
        }
        TrackFile::Gpx => {
            let (text, source) = text_file::read(path, observer)?;
            Ok(gpx::rows(&text)?.table(names, source))
        }
        TrackFile::GeoJson => {
            let (text, source) = text_file::read(path, observer)?;
            Ok(geojson::rows(&text, &track.id, &track.time)?.table(names, source))
        }
        TrackFile::Polylines(line) => {
            let wanted = [&track.id, &line.line, &track.time].map(String::as_str);
            let table = read_columns(path, wanted.into_iter(), dropped, options, observer)?;
            let (rows, _) = polylines::rows(&table, &track.id, &track.time, line)?;
            Ok(rows.table(names, table.source))
        }
    }
}

/// Read some columns of a table. Every other column must be named as left out.
pub fn read_columns<'a>(
    path: &str,
    wanted: impl Iterator<Item = &'a str>,
    dropped: &[String],
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<RawTable> {
    let wanted: Vec<&str> = wanted.collect();
    let mut twice: FastSet<&str> = FastSet::default();
    if let Some(name) = wanted.iter().find(|name| !twice.insert(name)) {
        return Err(Error::params(format!("column '{name}' is named for two things")));
    }
    let mut select = |header: &[String]| {
        let missing = |name: &&str| !header.iter().any(|known| known == name);
        let named = wanted.iter().copied().chain(dropped.iter().map(String::as_str));
        if let Some(name) = named.clone().find(missing) {
            return Err(Error::params(format!("there is no column '{name}'"))
                .hint(format!("the columns are {}", header.join(", "))));
        }
        if let Some(name) = header.iter().find(|name| !named.clone().any(|other| other == *name)) {
            return Err(Error::input(format!("nothing is said about column '{name}'"))
                .hint("name it in --paths, as --sensitive or as left out with drop=[..]"));
        }
        Ok(header.iter().map(|name| wanted.contains(&name.as_str())).collect())
    };
    sfumato_io::read(path, options, &mut select, observer)
}

/// A column of a table that was read.
pub fn column<'a>(table: &'a RawTable, name: &str) -> Result<&'a RawColumn> {
    table.column(name).ok_or_else(|| Error::internal(format!("column '{name}' wasn't read")))
}

/// Whether each text of a column means missing.
pub fn missing_of(column: &RawColumn, missing: &[String]) -> Vec<bool> {
    let is_missing = |(code, text): (u32, &str)| {
        let is_word = |word: &String| word == text || word == text.trim();
        column.null == Some(code) || text.trim().is_empty() || missing.iter().any(is_word)
    };
    (0..).zip(column.values.iter()).map(is_missing).collect()
}

/// The first row that has a code, counted from 1.
pub fn row_of(column: &RawColumn, code: u32) -> usize {
    column.codes.iter().position(|other| other == code).unwrap_or(0) + 1
}

/// Refuse a column in which a value is missing.
pub fn refuse_missing(column: &RawColumn, is_missing: &[bool]) -> Result<()> {
    let used = column.codes.counts(column.values.len());
    match (0..).zip(is_missing).find(|(code, missing)| **missing && used[*code as usize] > 0) {
        None => Ok(()),
        Some((code, _)) => {
            let row = row_of(column, code);
            Err(Error::input(format!("row {row} has nothing in column '{}'", column.name))
                .hint("every point has an id, a place and a time: leave such rows out first"))
        }
    }
}
