//! Attacks on published tracks: whoever knows some positions of somebody looks for their track.

mod assignment;

use sfumato_engine::attack::Attack;

use crate::data::plane::Plane;
use crate::data::tracks::Fix;

sfumato_core::registry! {
    /// Every attack on published tracks.
    dyn Attack<TrackStage>:
    nearest_track::NearestTrack,
    home_and_work::HomeAndWork,
}

/// Published tracks beside their original.
pub struct TrackStage {
    /// What coordinates mean.
    pub plane: Plane,
    /// The tracks of the original, as they were cut.
    pub original: Vec<Vec<Fix>>,
    /// The published tracks.
    pub published: Vec<Vec<Fix>>,
}
