//! Reads a release of regions back from the bytes of its draft, and checks that it is true: track i
//! of the file is there whenever its person is, and each of its regions has the person's position.

use sfumato_core::Result;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::ReadOptions;

use super::Regions;
use super::decide::tracks_of;
use super::people::{Alike, Graph, People, attack_graph};
use super::publish::columns_of;
use crate::data::layout::{Layout, Said};
use crate::data::plane::Plane;
use crate::data::read::{Beside, load_as};
use crate::data::region::RegionFix;
use crate::forms::beside;
use crate::kind;

/// What the bytes of a draft say, after it was compared with the original.
pub struct Read {
    /// The published tracks.
    pub tracks: Vec<Vec<RegionFix>>,
    /// What coordinates mean.
    pub plane: Plane,
    /// Which track of the original each is.
    pub of_track: Vec<u32>,
    /// Everybody, as the original says.
    pub people: People,
    /// The attack graph.
    pub graph: Graph,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, kind::Paths, Regions>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<Read> {
    let original = tracks_of(written.data)?;
    let witness = written.witness;
    let options = ReadOptions {
        format: Some(witness.options.format),
        delimiter: Some(witness.options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let layout = Layout::Regions(columns_of(written.data)?);
    let said = Said { layout, dropped: Vec::new() };
    let quasi = &written.data.data.quasi;
    let beside_them = Beside { quasi: beside::names(quasi), ..Beside::default() };
    let loaded =
        load_as(&path, &said, &beside_them, &options, &observer).map_err(cant_read_back)?;
    let (sha256, bytes) = (loaded.source.sha256.clone(), loaded.source.bytes);
    let (in_order, is_numbered) = (loaded.in_order, loaded.is_numbered);
    let read =
        loaded.regions.ok_or_else(|| failed_verification("the file has no regions in it"))?;
    let plan = written.plan;
    // Nothing of the decision is believed: who takes part and what is known is read again.
    let people = People::of(original, plan.every, plan.known.as_deref(), &observer)?;
    let order = &witness.order;
    if read.tracks.len() != order.len() || order.len() != people.taking_part.len() {
        return Err(failed_verification(&format!(
            "{} tracks take part and {} are in the file",
            people.taking_part.len(),
            read.tracks.len()
        )));
    }
    if !in_order || !is_numbered {
        return Err(failed_verification("rows aren't in the order in which they were written"));
    }
    let mut of_track = Vec::with_capacity(order.len());
    for (row, (who, track)) in order.iter().zip(&read.tracks).enumerate() {
        let own = people.taking_part[*who as usize];
        of_track.push(own);
        let own = &people.tracks[own as usize];
        let times = (own.start..own.end()).map(|tick| people.ticks.time(tick));
        let is_same = |(time, fix): (f64, &RegionFix)| {
            (time - fix.time).abs() <= 1e-6 * (1.0 + time.abs() * 1e-6)
        };
        if track.len() != own.positions.len() || !times.zip(track).all(is_same) {
            let what = format!("track {} is at other times than its person", row + 1);
            return Err(failed_verification(&what));
        }
        if !own.positions.iter().zip(track).all(|(own, fix)| fix.region.has(*own)) {
            let what = format!("a region of track {} hasn't its person in it", row + 1);
            return Err(failed_verification(&what));
        }
    }
    let known: Vec<_> =
        people.taking_part.iter().map(|track| people.known_positions(*track)).collect();
    beside::check(quasi, &loaded.data.quasi, &of_track)?;
    // What the file says beside a track is what its record has: both are in the same class.
    let all = beside::alike(quasi, original.tracks.len());
    let classes =
        |tracks: &[u32]| -> Vec<u32> { tracks.iter().map(|track| all[*track as usize]).collect() };
    let (of_people, of_records) = (classes(&people.taking_part), classes(&of_track));
    let alike = Alike { people: &of_people, records: &of_records };
    let graph = Graph {
        graph: attack_graph(&known, &read.tracks, alike),
        whose: order.iter().map(|who| Some(*who)).collect(),
    };
    Ok(Read { tracks: read.tracks, plane: original.plane, of_track, people, graph, sha256, bytes })
}
