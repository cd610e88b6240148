//! Audits a file of regions, whoever made it: how it is read, and what is shown.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::paths::resolve;
use sfumato_report::numbers::count;

use super::NAME;
use super::decide::tracks_of;
use super::facts::Stated;
use super::people::{Graph, People, attack_graph};
use super::plan::every_of;
use crate::data::regions::RegionData;
use crate::forms::release_file::{ReleaseFile, load_original, original_layout};
use crate::forms::{check_audit, requirements_of};
use crate::job::Job;

/// A file of regions as it was read, and the attack graph if there is an original.
pub struct Opened {
    path: String,
    sha256: String,
    data: RegionData,
    graph: Option<Graph>,
}

/// Read a file, and its original if one is named.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let job = &request.job;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let release = file.load(observer)?;
    let data = regions_of(release.regions, job)?;
    let graph = match &request.original {
        None => None,
        Some(original) => {
            let known = requirements_of(job)?.regions()?.and_then(|asked| asked.known);
            let known = known.map(|file| resolve(&job.base, &file));
            Some(graph_of(original, job, &data, known.as_deref(), observer)?)
        }
    };
    Ok(Opened { path: job.input.path.clone(), sha256: release.source.sha256, data, graph })
}

/// The regions of what was read.
pub fn regions_of(regions: Option<RegionData>, job: &Job) -> Result<RegionData> {
    regions.ok_or_else(|| {
        Error::unsupported("this file has no regions")
            .in_file(&job.input.path)
            .hint("say --paths 'regions(id=A, x_from=B, x_to=C, y_from=D, y_to=E, time=F)'")
    })
}

/// The attack graph of a release beside its original.
pub fn graph_of(
    original: &Job,
    release: &Job,
    data: &RegionData,
    known: Option<&str>,
    observer: &dyn Observer,
) -> Result<Graph> {
    let every = every_of(&original_layout(original, release)?)?;
    let loaded = load_original(original, release, observer)?;
    let people = People::of(tracks_of(&loaded)?, every, known, observer)?;
    let known: Vec<_> =
        people.taking_part.iter().map(|track| people.known_positions(*track)).collect();
    Ok(Graph { graph: attack_graph(&known, &data.tracks), whose: Vec::new() })
}

impl Opened {
    /// The facts that the file states.
    pub fn state(&self) -> Stated<'_> {
        Stated { graph: self.graph.as_ref() }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let tracks = self.data.tracks.len() as u64;
        let regions = self.data.tracks.iter().map(|track| track.len() as u64).sum::<u64>();
        let is_box = |track: &Vec<crate::data::region::RegionFix>| {
            track.iter().filter(|fix| !fix.region.is_point()).count() as u64
        };
        let boxes = self.data.tracks.iter().map(is_box).sum::<u64>();
        let head = format!(
            "file       {} ({} tracks, {} times of which {} are boxes)\n",
            self.path,
            count(tracks),
            count(regions),
            count(boxes)
        );
        let json = [
            ("sha256".to_string(), self.sha256.clone().into()),
            ("tracks".to_string(), tracks.into()),
            ("regions".to_string(), regions.into()),
            ("boxes".to_string(), boxes.into()),
        ];
        Ok(Figures {
            rows: tracks,
            is_true: None,
            json: json.into_iter().collect(),
            head,
            tail: String::new(),
        })
    }
}
