//! Audits a file of tracks, whoever made it: how it is read, and what is shown.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_report::numbers::count;

use super::NAME;
use super::facts::Stated;
use super::groups::Together;
use crate::data::tracks::TrackData;
use crate::forms::release_file::ReleaseFile;
use crate::forms::{beside, check_audit};
use crate::job::Job;

/// A file of tracks as it was read.
pub struct Opened {
    path: String,
    sha256: String,
    data: TrackData,
    /// The class of each track by what stands beside it.
    alike: Vec<u32>,
    /// The columns beside tracks that an attacker may know.
    quasi: Vec<String>,
}

/// Read a file.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let file = ReleaseFile::of(NAME, &request.job, false, request.manifest.as_ref())?;
    let release = file.load(observer)?;
    let data = release.tracks.ok_or_else(|| {
        Error::unsupported("this file has no tracks of coordinates")
            .in_file(&request.job.input.path)
            .hint("say --paths 'track(id=A, lat=B, lon=C, time=D)'")
    })?;
    let (path, sha256) = (request.job.input.path.clone(), release.source.sha256);
    let quasi = &release.data.quasi;
    let alike = beside::alike(quasi, data.tracks.len());
    Ok(Opened { path, sha256, data, alike, quasi: beside::names(quasi) })
}

impl Opened {
    /// The facts that the file states.
    pub fn state(&self) -> Stated<'_> {
        let together = Together {
            plane: self.data.plane,
            tracks: &self.data.tracks,
            told: &[],
            alike: &self.alike,
        };
        Stated { together }
    }

    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let (tracks, positions) = (self.data.tracks.len() as u64, self.data.n_fixes() as u64);
        let head = format!(
            "file       {} ({} tracks, {} positions)\n",
            self.path,
            count(tracks),
            count(positions)
        );
        let tail = match &self.quasi[..] {
            [] => String::new(),
            names => format!(
                "beside     judged for whoever also knows {}: {} classes\n",
                names.join(", "),
                count(beside::members(&self.alike).len() as u64)
            ),
        };
        let json = [
            ("sha256".to_string(), self.sha256.clone().into()),
            ("tracks".to_string(), tracks.into()),
            ("positions".to_string(), positions.into()),
        ];
        Ok(Figures { rows: tracks, is_true: None, json: json.into_iter().collect(), head, tail })
    }
}
