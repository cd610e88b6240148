//! The syntax for layouts of files of paths: `points(id=who, place=where, time=when)`,
//! `track(id=who, lat=a, lon=b, time=when)`, `lines`.

mod catalogue;

use sfumato_core::registry::{self, Argument, Call, Info, Params};
use sfumato_core::{Error, Result};

use super::clock;
use catalogue::POINTS;

pub use catalogue::ALL;

/// How paths lie in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Layout {
    /// A row for each point.
    Points {
        /// The column of ids.
        id: String,
        /// The column of places.
        place: String,
        /// The column of times.
        time: String,
        /// The length of the bins of times.
        every: Option<f64>,
        /// Whether somebody may be at several places at one time.
        several: bool,
        /// The file of a hierarchy of places, and the level that is published.
        hierarchy: Option<(String, usize)>,
        /// The zone whose local time is published.
        zone: Option<String>,
    },
    /// A row for each position.
    Track(Track),
    /// A row for each region.
    Regions(RegionColumns),
    /// A line for each path.
    Lines {
        /// What stands between steps; `None` for blanks.
        separator: Option<char>,
        /// Whether the first or the last word is a sensitive value.
        label: Option<Label>,
    },
}

/// A word of a line that is no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// The first.
    First,
    /// The last.
    Last,
}

/// How tracks lie in a file, and how they are cut and read.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The column of ids.
    pub id: String,
    /// The column of longitudes, or of x.
    pub x: String,
    /// The column of latitudes, or of y.
    pub y: String,
    /// Whether x and y are degrees.
    pub is_degrees: bool,
    /// The column of times.
    pub time: String,
    /// The length of time between positions.
    pub every: Option<f64>,
    /// The length of time at whose multiples tracks are cut.
    pub cut: Option<f64>,
    /// The length of time without positions at which tracks are cut.
    pub gap: Option<f64>,
    /// The length of time onto which tracks are folded.
    pub fold: Option<f64>,
    /// The least number of positions.
    pub least: usize,
    /// The width of cells.
    pub grid: Option<f64>,
    /// The letters of geohashes.
    pub geohash: Option<usize>,
    /// The resolution of hexagons of H3.
    pub h3: Option<u8>,
    /// The zone whose local time is published.
    pub zone: Option<String>,
    /// In which kind of file they lie.
    pub file: TrackFile,
}

/// The kinds of files that tracks lie in.
#[derive(Debug, Clone, PartialEq)]
pub enum TrackFile {
    /// A table with a row for each position.
    Table,
    /// GPX.
    Gpx,
    /// GeoJSON.
    GeoJson,
    /// A table with a row for each track.
    Polylines(Polyline),
}

/// How positions lie in one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline {
    /// The column of positions.
    pub line: String,
    /// The length of time between them.
    pub step: f64,
}

impl Track {
    /// The names of the columns of a release of coordinates: those of the file, if it is a table of
    /// positions.
    pub fn release(&self) -> Track {
        let plain = Track {
            every: None,
            cut: None,
            gap: None,
            fold: None,
            least: 1,
            zone: None,
            file: TrackFile::Table,
            ..self.clone()
        };
        match self.file {
            TrackFile::Table => plain,
            _ => Track { id: "id".into(), time: "time".into(), ..plain },
        }
    }
    /// Whether tracks become paths over cells.
    pub fn has_cells(&self) -> bool {
        self.grid.is_some() || self.geohash.is_some() || self.h3.is_some()
    }
}

/// The columns of a file of regions.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionColumns {
    /// The column of ids.
    pub id: String,
    /// The column of the smallest x.
    pub x_from: String,
    /// The column of the largest x.
    pub x_to: String,
    /// The column of the smallest y.
    pub y_from: String,
    /// The column of the largest y.
    pub y_to: String,
    /// The column of times.
    pub time: String,
    /// Whether x and y are degrees.
    pub is_degrees: bool,
}

impl RegionColumns {
    /// The columns of a release of tracks as regions.
    pub fn of(track: &Track) -> RegionColumns {
        let column = |name: &str, end: &str| format!("{name}_{end}");
        RegionColumns {
            id: track.id.clone(),
            x_from: column(&track.x, "from"),
            x_to: column(&track.x, "to"),
            y_from: column(&track.y, "from"),
            y_to: column(&track.y, "to"),
            time: track.time.clone(),
            is_degrees: track.is_degrees,
        }
    }
    /// The names of the columns, in the order of a release.
    pub fn names(&self) -> [&str; 6] {
        [&self.id, &self.x_from, &self.x_to, &self.y_from, &self.y_to, &self.time]
    }
}

/// A layout with the columns that are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The layout.
    pub layout: Layout,
    /// The columns that are left out.
    pub dropped: Vec<String>,
}

/// Read a layout.
pub fn parse(text: &str) -> Result<Said> {
    let call: Call = text.parse()?;
    let info = registry::find("path-layout", ALL, entry, &call.name)?;
    let params = Params::check(info, &call.args)?;
    let column = |name: &str| params.text(name).unwrap_or_default().to_string();
    let time = |name: &str| params.text(name).map(clock::duration).transpose();
    let layout = match info.name {
        "points" => Layout::Points {
            id: column("id"),
            place: column("place"),
            time: column("time"),
            every: time("every")?,
            several: params.flag("several"),
            hierarchy: params.text("hierarchy").map(|file| {
                let level = usize::try_from(params.count("level")).unwrap_or(usize::MAX);
                (file.to_string(), level)
            }),
            zone: params.text("zone").map(String::from),
        },
        "track" => Layout::Track(track(&params, &column, &time)?),
        "gpx" => Layout::Track(in_degrees(&params, ("id", "time"), TrackFile::Gpx, &time)?),
        "geojson" => {
            let (id, when) = (column("id"), column("time"));
            Layout::Track(in_degrees(&params, (&id, &when), TrackFile::GeoJson, &time)?)
        }
        "polyline" => {
            let step = time("step")?.unwrap_or(1.0);
            let file = TrackFile::Polylines(Polyline { line: column("line"), step });
            let (id, when) = (column("id"), column("start"));
            Layout::Track(in_degrees(&params, (&id, &when), file, &time)?)
        }
        "regions" => Layout::Regions(RegionColumns {
            id: column("id"),
            x_from: column("x_from"),
            x_to: column("x_to"),
            y_from: column("y_from"),
            y_to: column("y_to"),
            time: column("time"),
            is_degrees: params.flag("degrees"),
        }),
        _ => Layout::Lines {
            separator: separator(params.text("separator").unwrap_or("blank"))?,
            label: params.text("label").map(|word| match word {
                "first" => Label::First,
                _ => Label::Last,
            }),
        },
    };
    Ok(Said { layout, dropped: params.list("drop").unwrap_or_default() })
}

fn track(
    params: &Params,
    column: &dyn Fn(&str) -> String,
    time: &dyn Fn(&str) -> Result<Option<f64>>,
) -> Result<Track> {
    let has = |name: &str| params.text(name).is_some();
    let (x, y, is_degrees) = match (has("lat") && has("lon"), has("x") && has("y")) {
        (true, false) if !has("x") && !has("y") => ("lon", "lat", true),
        (false, true) if !has("lat") && !has("lon") => ("x", "y", false),
        _ => {
            return Err(Error::params("track needs either lat and lon, or x and y")
                .hint("write it as track(id=who, lat=a, lon=b, time=when)"));
        }
    };
    let (id, when) = (column("id"), column("time"));
    let rest = in_degrees(params, (&id, &when), TrackFile::Table, time)?;
    if (rest.geohash.is_some() || rest.h3.is_some()) && !is_degrees {
        return Err(Error::params("geohash and h3 are of degrees, and these are x and y")
            .hint("say grid=.. instead"));
    }
    Ok(Track { x: column(x), y: column(y), is_degrees, ..rest })
}

/// What is said of tracks beside their columns. The columns of coordinates are lon and lat.
fn in_degrees(
    params: &Params,
    (id, when): (&str, &str),
    file: TrackFile,
    time: &dyn Fn(&str) -> Result<Option<f64>>,
) -> Result<Track> {
    let geohash = params.optional_integer("geohash").and_then(|n| usize::try_from(n).ok());
    let grid = params.optional_number("grid");
    let h3 = params.optional_integer("h3").and_then(|n| u8::try_from(n).ok());
    if [geohash.is_some(), grid.is_some(), h3.is_some()].iter().filter(|said| **said).count() > 1 {
        return Err(Error::params("of grid, geohash and h3 several are said, and places are one"));
    }
    Ok(Track {
        id: id.into(),
        x: "lon".into(),
        y: "lat".into(),
        is_degrees: true,
        time: when.into(),
        every: time("every")?,
        cut: time("cut")?,
        gap: time("gap")?,
        fold: time("fold")?,
        least: usize::try_from(params.count("least")).unwrap_or(usize::MAX),
        grid,
        geohash,
        h3,
        zone: params.text("zone").map(String::from),
        file,
    })
}

fn entry(info: &Info) -> &'static Info {
    ALL.iter().find(|entry| entry.name == info.name).copied().unwrap_or(&POINTS)
}

fn separator(word: &str) -> Result<Option<char>> {
    let mut chars = word.chars();
    match (word, chars.next(), chars.next()) {
        ("blank", _, _) => Ok(None),
        ("comma", _, _) => Ok(Some(',')),
        ("semicolon", _, _) => Ok(Some(';')),
        ("tab" | "\\t", _, _) => Ok(Some('\t')),
        (_, Some(c), None) if c != '"' => Ok(Some(c)),
        _ => Err(Error::params(format!(
            "lines: separator must be blank, comma, semicolon, tab or one character, not '{word}'"
        ))),
    }
}

/// A layout as `--paths` takes it.
pub fn spell(layout: &Layout) -> String {
    let mut args: Vec<(&str, String)> = Vec::new();
    let (name, seconds) = match layout {
        Layout::Points { id, place, time, every, several, hierarchy, zone } => {
            args.extend([("id", id.clone()), ("place", place.clone()), ("time", time.clone())]);
            if let Some((file, level)) = hierarchy {
                args.extend([("hierarchy", file.clone()), ("level", level.to_string())]);
            }
            args.extend(zone.clone().map(|zone| ("zone", zone)));
            if *several {
                args.push(("several", "true".into()));
            }
            ("points", vec![("every", *every)])
        }
        Layout::Track(track) => {
            let names = if track.is_degrees { ["lon", "lat"] } else { ["x", "y"] };
            let called = match &track.file {
                TrackFile::Table => {
                    args.extend([("id", track.id.clone()), (names[0], track.x.clone())]);
                    args.extend([(names[1], track.y.clone()), ("time", track.time.clone())]);
                    "track"
                }
                TrackFile::Gpx => "gpx",
                TrackFile::GeoJson => {
                    args.extend([("id", track.id.clone()), ("time", track.time.clone())]);
                    "geojson"
                }
                TrackFile::Polylines(Polyline { line, step }) => {
                    args.extend([("id", track.id.clone()), ("start", track.time.clone())]);
                    args.extend([("line", line.clone()), ("step", step.to_string())]);
                    "polyline"
                }
            };
            args.extend(track.geohash.map(|letters| ("geohash", letters.to_string())));
            args.extend(track.h3.map(|resolution| ("h3", resolution.to_string())));
            args.extend(track.zone.clone().map(|zone| ("zone", zone)));
            if track.least > 1 {
                args.push(("least", track.least.to_string()));
            }
            let times = [("every", track.every), ("cut", track.cut), ("gap", track.gap)];
            let more = [("fold", track.fold), ("grid", track.grid)];
            (called, times.into_iter().chain(more).collect())
        }
        Layout::Regions(columns) => {
            let keys = ["id", "x_from", "x_to", "y_from", "y_to", "time"];
            args.extend(keys.into_iter().zip(columns.names().map(String::from)));
            if columns.is_degrees {
                args.push(("degrees", "true".into()));
            }
            ("regions", Vec::new())
        }
        Layout::Lines { separator, label } => {
            match separator {
                None => {}
                Some(',') => args.push(("separator", "comma".into())),
                Some('\t') => args.push(("separator", "tab".into())),
                Some(c) => args.push(("separator", c.to_string())),
            }
            if let Some(label) = label {
                let word = if *label == Label::First { "first" } else { "last" };
                args.push(("label", word.into()));
            }
            ("lines", Vec::new())
        }
    };
    let numbers =
        seconds.into_iter().filter_map(|(name, number)| Some((name, number?.to_string())));
    let args = args.into_iter().chain(numbers);
    let args = args.map(|(name, value)| (name.to_string(), Argument::Word(value))).collect();
    Call { name: name.into(), args }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_spelled_as_they_are_read() {
        for text in [
            "points(id=who, place=where, time=when)",
            "points(every=900, id=who, place=\"a, b\", several=true, time=when)",
            "track(id=who, lat=a, lon=b, time=t)",
            "track(every=60, grid=500, id=who, least=5, time=t, x=a, y=b)",
            "lines",
            "lines(label=last, separator=comma)",
            "gpx(every=60, geohash=7, zone=Europe/Vienna)",
            "gpx(every=3600, h3=9)",
            "geojson(gap=3600, id=id, time=times)",
            "polyline(id=TRIP, line=POLYLINE, start=T, step=15)",
            "points(hierarchy=wards.csv, id=who, level=2, place=where, time=when, zone=+02:00)",
            "regions(degrees=true, id=who, time=t, x_from=a, x_to=b, y_from=c, y_to=d)",
        ] {
            assert_eq!(spell(&parse(text).unwrap().layout), text);
        }
        let said = parse("points(id=who, place=p, time=t, every=1h, drop=[a, b])").unwrap();
        assert_eq!(said.dropped, ["a", "b"]);
        assert!(matches!(said.layout, Layout::Points { every: Some(3600.0), .. }));
    }

    #[test]
    fn wrong_words_are_refused() {
        for wrong in [
            "point",
            "points(id=a, place=b)",
            "track(id=a, time=t)",
            "track(id=a, time=t, lat=b, y=c)",
            "track(id=a, time=t, lat=b, lon=c, x=d, y=e)",
            "points(id=a, place=b, time=c, every=soon)",
            "lines(separator=two)",
            "track(id=a, time=t, lat=b, lon=c, grid=5, geohash=5)",
            "track(id=a, time=t, x=b, y=c, geohash=5)",
            "track(id=a, time=t, x=b, y=c, h3=5)",
            "track(id=a, time=t, lat=b, lon=c, h3=5, geohash=5)",
            "track(id=a, time=t, lat=b, lon=c, h3=16)",
            "gpx(lat=a)",
            "polyline(id=a, line=b, start=c)",
        ] {
            assert_eq!(parse(wrong).unwrap_err().kind, sfumato_core::ErrorKind::Params, "{wrong}");
        }
        assert!(parse("point").unwrap_err().hint.unwrap().contains("points"));
    }
}
