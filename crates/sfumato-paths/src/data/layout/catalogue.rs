//! The layouts of files of paths that the catalogue shows, and their parameters.

use sfumato_core::registry::{Info, ParamKind, ParamSpec};

/// All layouts, as the catalogue shows them.
pub static ALL: &[&Info] = &[&POINTS, &TRACK, &LINES, &GPX, &GEOJSON, &POLYLINE, &REGIONS];

const ID: ParamSpec = ParamSpec::required(
    "id",
    ParamKind::Text,
    "the column that says whose point it is; the release has numbers instead",
);
const TIME: ParamSpec = ParamSpec::required(
    "time",
    ParamKind::Text,
    "the column that says when: numbers, or dates with a time of day",
);
const ZONE: ParamSpec = ParamSpec::optional(
    "zone",
    ParamKind::Text,
    "times are put into the local time of this zone before they are binned, and published as such: \
     Europe/Vienna or +02:00; they must say their distance from UTC, or be seconds since 1970",
);
const EVERY: ParamSpec = ParamSpec::optional(
    "every",
    ParamKind::Text,
    "positions are taken at multiples of this length of time, interpolated on a straight line; \
     with grid, geohash or h3, times are put into bins of it",
);
const CUT: ParamSpec = ParamSpec::optional(
    "cut",
    ParamKind::Text,
    "tracks are cut at multiples of this length of time, and each piece is a track",
);
const GAP: ParamSpec = ParamSpec::optional(
    "gap",
    ParamKind::Text,
    "tracks are cut where no position is known for longer than this",
);
const FOLD: ParamSpec = ParamSpec::optional(
    "fold",
    ParamKind::Text,
    "tracks are moved in time by multiples of this, so that they begin between 0 and it",
);
const LEAST: ParamSpec = ParamSpec::with_default(
    "least",
    ParamKind::Integer { min: 1, max: 1_000_000_000 },
    "1",
    "tracks of fewer positions are left out, and counted",
);
const GRID: ParamSpec = ParamSpec::optional(
    "grid",
    ParamKind::Number { min: 0.0, above: true, max: 1e9 },
    "places are the cells of a square grid of this width, in metres or in the unit of x",
);
const H3: ParamSpec = ParamSpec::optional(
    "h3",
    ParamKind::Integer { min: 0, max: 15 },
    "places are the hexagons of H3 of this resolution, as 7 for some 5 km2 and 9 for a tenth",
);
const GEOHASH: ParamSpec = ParamSpec::optional(
    "geohash",
    ParamKind::Integer { min: 1, max: 12 },
    "places are geohashes of so many letters, as 5 for cells of some 5 km and 7 for 150 m",
);
const DROP: ParamSpec = ParamSpec::optional("drop", ParamKind::List, "columns that are left out");

pub(super) static POINTS: Info = Info {
    name: "points",
    summary: "a table with a row for each point of each path: who, where, when",
    params: &[
        ID,
        ParamSpec::required("place", ParamKind::Text, "the column that says where"),
        TIME,
        ParamSpec::optional(
            "every",
            ParamKind::Text,
            "times are published as the beginning of a bin of this length: 10, 15min, 1h, 1d",
        ),
        ParamSpec::with_default(
            "several",
            ParamKind::Flag,
            "false",
            "somebody may be at several places at one time, as where times were put into bins",
        ),
        ParamSpec::optional(
            "hierarchy",
            ParamKind::Text,
            "a file of places with what they are parts of, one column for each level",
        ),
        ParamSpec::with_default(
            "level",
            ParamKind::Integer { min: 1, max: 1000 },
            "1",
            "which level of the hierarchy is published instead of the place",
        ),
        ZONE,
        DROP,
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines; rows in any order. Somebody is at one place at a time: two \
places at one time are refused, unless times are put into bins or `several` says so, and then \
steps of one time count as if they were in the order of the places' names. The same point twice \
counts once.

A file of a hierarchy has a line for each place, from the place to the whole: \
`ward 3;second floor;hospital`. Its first column must have every place.

Paths get the numbers from 1 on in the random order of the release. A path that comes to nothing \
has no row. Sensitive columns have the same value in all rows of a path.
",
    ..Info::DEFAULT
};

static TRACK: Info = Info {
    name: "track",
    summary: "a table with a row for each position of each track: who, coordinates, when",
    params: &[
        ID,
        ParamSpec::optional("lat", ParamKind::Text, "the column of latitudes, in degrees"),
        ParamSpec::optional("lon", ParamKind::Text, "the column of longitudes, in degrees"),
        ParamSpec::optional("x", ParamKind::Text, "the column of x, in any unit, instead of lon"),
        ParamSpec::optional("y", ParamKind::Text, "the column of y, in the unit of x"),
        TIME,
        EVERY,
        CUT,
        GAP,
        FOLD,
        LEAST,
        GRID,
        GEOHASH,
        H3,
        ZONE,
        DROP,
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines; rows in any order. Positions of one track at one time count \
as their mean.

With `grid`, `geohash` or `h3` a track becomes a path over cells, to which models about sequences \
apply; without it \
it stays a track of coordinates. Cells are counted from longitude and latitude 0, with a width in \
degrees that is the same for a whole row of cells: a cell is never narrower than it says.

A track that is cut is several records, and whoever hides among them hides among pieces, of which \
several may be of one person. Say `cut` and `gap` only where a record is not a person.
",
    ..Info::DEFAULT
};

static LINES: Info = Info {
    name: "lines",
    summary: "a path per line, its steps one after the other, without times",
    params: &[
        ParamSpec::with_default(
            "separator",
            ParamKind::Text,
            "blank",
            "what stands between steps: blank, comma, semicolon, tab or a character",
        ),
        ParamSpec::optional(
            "label",
            ParamKind::Choice(&["first", "last"]),
            "which word of a line is no step but a sensitive value",
        ),
    ],
    doc: "\
Web paths are of this layout: the pages that somebody visited, in their order. A page may come \
again. A path that comes to nothing has no line.
",
    ..Info::DEFAULT
};

static GPX: Info = Info {
    name: "gpx",
    summary: "a GPX file: every trk is a track, called by its name",
    params: &[EVERY, CUT, GAP, FOLD, LEAST, GRID, GEOHASH, H3, ZONE],
    doc: "\
Points of tracks need a time; waypoints and routes are left out, and so is everything else that a \
file says, such as heights. A track without a name, or with that of another, is one of its own. \
The \
release is a table with the columns id, lon, lat and time.
",
    ..Info::DEFAULT
};

static GEOJSON: Info = Info {
    name: "geojson",
    summary: "a GeoJSON file: lines with a list of times, or points with a time each",
    params: &[
        ParamSpec::with_default("id", ParamKind::Text, "id", "the property that says whose it is"),
        ParamSpec::with_default(
            "time",
            ParamKind::Text,
            "time",
            "the property that says when: one time of a Point, a list of times of a LineString",
        ),
        EVERY,
        CUT,
        GAP,
        FOLD,
        LEAST,
        GRID,
        GEOHASH,
        H3,
        ZONE,
    ],
    doc: "\
A FeatureCollection. Features of one id are one track. Other properties are left out. The release \
is \
a table with the columns id, lon, lat and time.
",
    ..Info::DEFAULT
};

static POLYLINE: Info = Info {
    name: "polyline",
    summary: "a table with a row for each track: who, positions in one cell, when they begin",
    params: &[
        ID,
        ParamSpec::required("line", ParamKind::Text, "the column of positions"),
        ParamSpec::required("start", ParamKind::Text, "the column that says when a track begins"),
        ParamSpec::required("step", ParamKind::Text, "the length of time between positions: 15s"),
        EVERY,
        CUT,
        GAP,
        FOLD,
        LEAST,
        GRID,
        GEOHASH,
        H3,
        ZONE,
        DROP,
    ],
    doc: "\
CSV, Parquet, Arrow IPC or JSON lines. A cell is a list such as `[[-8.61, 41.14], [-8.62, \
41.15]]`, \
longitude first, or an encoded polyline with five digits. Rows of one id are one track. The \
release \
is a table with the columns id, lon, lat and time.
",
    ..Info::DEFAULT
};

static REGIONS: Info = Info {
    name: "regions",
    summary: "a table with a row for each region of each track: who, from where to where, when",
    params: &[
        ID,
        ParamSpec::required("x_from", ParamKind::Text, "the column of the smallest x or longitude"),
        ParamSpec::required("x_to", ParamKind::Text, "the column of the largest x or longitude"),
        ParamSpec::required("y_from", ParamKind::Text, "the column of the smallest y or latitude"),
        ParamSpec::required("y_to", ParamKind::Text, "the column of the largest y or latitude"),
        TIME,
        ParamSpec::with_default(
            "degrees",
            ParamKind::Flag,
            "false",
            "whether x and y are longitudes and latitudes in degrees",
        ),
        DROP,
    ],
    doc: "\
What `mob-k-anonymity` publishes: somebody was anywhere in the box, its edges included. Where all \
four say one position, that is where they were.
",
    ..Info::DEFAULT
};
