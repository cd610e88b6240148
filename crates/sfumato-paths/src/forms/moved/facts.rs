//! The facts of moved tracks: which of them stay together, from the file alone.

use sfumato_core::facts::{Facts, TrackFacts};

use super::groups::Together;

/// Published tracks.
pub struct Stated<'a> {
    /// The tracks, and the groups that they are said to be in.
    pub together: Together<'a>,
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a release of moved tracks"
    }
    fn tracks(&self) -> Option<&dyn TrackFacts> {
        Some(&self.together)
    }
}
