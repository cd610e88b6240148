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
    /// What stands beside each published track that an attacker may know, and beside each of the
    /// original.
    pub beside: (Vec<Vec<String>>, Vec<Vec<String>>),
}

impl TrackStage {
    /// Whether a published track has the same beside it as somebody's, or whether that can't be
    /// told: values that were generalized are like nobody's, and exclude nobody.
    pub fn may_be_of(&self, published: u32, person: u32) -> bool {
        let (release, original) = &self.beside;
        let pair = release.get(published as usize).zip(original.get(person as usize));
        let Some((told, own)) = pair.filter(|(_, own)| !own.is_empty()) else { return true };
        told == own || !original.contains(told)
    }
}
