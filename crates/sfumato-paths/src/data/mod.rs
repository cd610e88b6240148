//! Paths as they are read: how they lie in files, what times and places are, and sequences of
//! their steps.

pub mod cells;
pub mod clock;
pub mod layout;
pub mod lines;
pub mod plane;
pub mod points;
pub mod read;
pub mod sequences;
pub mod synchronous;
pub mod tracks;

mod paths;
mod sensitive;

pub use paths::{PathData, Paths, Step, View};
pub use sensitive::{Labels, SensitiveColumn};
