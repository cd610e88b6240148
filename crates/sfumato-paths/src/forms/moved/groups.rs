//! Finds tracks that stay together: groups of k of which no two are ever further apart than delta.
//!
//! Tracks of the same times are the nodes of a graph, with an edge where two are never further
//! apart; a group is k nodes that are all joined. Groups that are known are checked and not
//! trusted; for tracks that are in none a group is searched by trying, and where that takes too
//! long the search says so.

use sfumato_core::facts::{Least, TrackFacts};
use sfumato_core::{Error, FastMap, Result};

use crate::data::plane::Plane;
use crate::data::tracks::Fix;

/// How many nodes of the search for one group are tried.
const TRIES: u64 = 2_000_000;
/// One part in a billion: what distances may be off by, for rounding.
pub const TOLERANCE: f64 = 1e-9;

/// Published tracks, and the groups that they are said to be in.
pub struct Together<'a> {
    /// What coordinates mean.
    pub plane: Plane,
    /// The tracks, by ascending time.
    pub tracks: &'a [Vec<Fix>],
    /// Groups that somebody says there are.
    pub told: &'a [Vec<u32>],
    /// The class of each track by what stands beside it: whoever may know that looks only at the
    /// tracks of one. Nothing stands beside tracks where it is empty.
    pub alike: &'a [u32],
}

/// Whether two tracks are at the same times and never further apart.
pub fn are_near(plane: Plane, a: &[Fix], b: &[Fix], delta: f64) -> bool {
    let most = delta * (1.0 + TOLERANCE) + TOLERANCE;
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.time == b.time && plane.distance(a.position, b.position) <= most)
}

impl TrackFacts for Together<'_> {
    fn together(&self, required: u64, delta: f64) -> Result<Least> {
        let k = usize::try_from(required).unwrap_or(usize::MAX);
        let mut size: Vec<usize> = vec![1; self.tracks.len()];
        for group in self.told.iter().filter(|group| group.len() >= k) {
            if self.is_group(group, delta) {
                group.iter().for_each(|track| size[*track as usize] = k);
            }
        }
        let mut near: FastMap<u32, Vec<u32>> = FastMap::default();
        let classes = self.classes();
        for track in 0..self.tracks.len() as u32 {
            if size[track as usize] >= k {
                continue;
            }
            let class = &classes.members[classes.of_track[track as usize]];
            let group = self.search(track, class, k, delta, &mut near)?;
            for member in &group {
                size[*member as usize] = size[*member as usize].max(group.len());
            }
        }
        let violations = size.iter().filter(|size| **size < k).count() as u64;
        Ok(Least { least: size.iter().copied().min().unwrap_or(0) as u64, violations })
    }
}

/// Tracks by their times.
struct Classes {
    members: Vec<Vec<u32>>,
    of_track: Vec<usize>,
}

impl Together<'_> {
    fn classes(&self) -> Classes {
        let mut known: FastMap<(u32, Vec<u64>), usize> = FastMap::default();
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut of_track = Vec::with_capacity(self.tracks.len());
        for (at, track) in (0..).zip(self.tracks) {
            let times = track.iter().map(|fix| fix.time.to_bits()).collect();
            let class = *known.entry((self.class_of(at), times)).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[class].push(at);
            of_track.push(class);
        }
        Classes { members, of_track }
    }

    fn class_of(&self, track: u32) -> u32 {
        self.alike.get(track as usize).copied().unwrap_or(0)
    }

    fn are_near(&self, a: u32, b: u32, delta: f64) -> bool {
        self.class_of(a) == self.class_of(b)
            && are_near(self.plane, &self.tracks[a as usize], &self.tracks[b as usize], delta)
    }

    /// Whether all tracks of a group are different and pairwise near.
    fn is_group(&self, group: &[u32], delta: f64) -> bool {
        let is_track = |track: &u32| (*track as usize) < self.tracks.len();
        group.iter().all(is_track)
            && (0..group.len()).all(|one| {
                let others = &group[one + 1..];
                others
                    .iter()
                    .all(|other| *other != group[one] && self.are_near(group[one], *other, delta))
            })
    }

    /// The largest group with a track, up to k.
    fn search(
        &self,
        track: u32,
        class: &[u32],
        k: usize,
        delta: f64,
        near: &mut FastMap<u32, Vec<u32>>,
    ) -> Result<Vec<u32>> {
        let mut neighbours = |of: u32| -> Vec<u32> {
            near.entry(of)
                .or_insert_with(|| {
                    let others = class.iter().filter(|other| **other != of);
                    others.filter(|other| self.are_near(of, **other, delta)).copied().collect()
                })
                .clone()
        };
        let candidates = neighbours(track);
        let mut best = vec![track];
        let mut tries = 0;
        grow(&mut vec![track], &candidates, k, &mut best, &mut tries, &mut neighbours)?;
        Ok(best)
    }
}

/// Try all groups that begin with some tracks and go on with candidates, which are near to all of
/// them.
fn grow(
    group: &mut Vec<u32>,
    candidates: &[u32],
    k: usize,
    best: &mut Vec<u32>,
    tries: &mut u64,
    neighbours: &mut dyn FnMut(u32) -> Vec<u32>,
) -> Result<()> {
    *tries += 1;
    if *tries > TRIES {
        return Err(Error::resources(
            "k-delta-anonymity can't be judged here: too many groups would have to be tried",
        )
        .hint("audit with a smaller k or delta, or fewer tracks"));
    }
    if group.len() > best.len() {
        best.clone_from(group);
    }
    for (at, next) in candidates.iter().enumerate() {
        // Not even with all that are left would it be larger.
        if best.len() >= k || group.len() + candidates.len() - at <= best.len() {
            return Ok(());
        }
        let near = neighbours(*next);
        let rest: Vec<u32> =
            candidates[at + 1..].iter().filter(|other| near.contains(other)).copied().collect();
        group.push(*next);
        grow(group, &rest, k, best, tries, neighbours)?;
        group.pop();
    }
    Ok(())
}
