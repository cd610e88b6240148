//! Paths as they are read: how they lie in files, what times and places are, and sequences of
//! their steps.

pub mod attack_graph;
pub mod cells;
pub mod clock;
pub mod flows;
pub mod generalize;
pub mod geohash;
pub mod geojson;
pub mod gpx;
pub mod hexagon;
pub mod hilbert;
pub mod known_times;
pub mod layout;
pub mod lines;
pub mod plane;
pub mod points;
pub mod polylines;
pub mod read;
pub mod region;
pub mod regions;
pub(crate) mod room;
pub mod sequences;
pub mod stays;
pub mod synchronous;
pub mod text_file;
pub mod tracks;

mod paths;
mod sensitive;

pub use paths::{PathData, Paths, Step, View};
pub use sensitive::{Labels, SensitiveColumn};
