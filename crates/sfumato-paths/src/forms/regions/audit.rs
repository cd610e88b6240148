//! Audits a file of regions, whoever made it: how it is read, and what is shown.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::paths::resolve;
use sfumato_report::numbers::count;

use super::NAME;
use super::decide::tracks_of;
use super::facts::Stated;
use super::people::{Alike, Graph, People, attack_graph};
use super::plan::every_of;
use crate::data::SensitiveColumn;
use crate::data::regions::RegionData;
use crate::forms::beside;
use crate::forms::release_file::{ReleaseFile, load_original, original_layout, with_columns};
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
    let quasi = release.data.quasi;
    let graph = match &request.original {
        None => None,
        Some(original) => {
            let known = requirements_of(job)?.regions()?.and_then(|asked| asked.known);
            let known = known.map(|file| resolve(&job.base, &file));
            let job = with_columns(job, request.manifest.as_ref());
            let release = PublishedTracks { data: &data, quasi: &quasi };
            Some(graph_of(original, &job, &release, known.as_deref(), observer)?)
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

/// Published regions, with what stands beside them that an attacker may know.
pub struct PublishedTracks<'a> {
    /// The regions.
    pub data: &'a RegionData,
    /// The columns.
    pub quasi: &'a [SensitiveColumn],
}

/// The class of each person and of each published track by what stands beside them. Values that
/// were generalized aren't compared with others: that ends the audit and doesn't pass it.
fn classes_of(people: &[Vec<String>], records: &[Vec<String>]) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut known: FastMap<&[String], u32> = FastMap::default();
    let of_people = people
        .iter()
        .map(|values| {
            let next = known.len() as u32;
            *known.entry(values).or_insert(next)
        })
        .collect();
    let of_record = |values: &Vec<String>| known.get(&values[..]).copied();
    let of_records: Option<Vec<u32>> = records.iter().map(of_record).collect();
    match of_records {
        Some(of_records) => Ok((of_people, of_records)),
        None => Err(Error::unsupported(
            "values beside regions aren't those of anybody in the original: they were generalized, \
             and what they stand for isn't known here",
        )
        .hint("the run that made the release judges it")),
    }
}

/// The attack graph of a release beside its original.
pub fn graph_of(
    original: &Job,
    release: &Job,
    published: &PublishedTracks<'_>,
    known: Option<&str>,
    observer: &dyn Observer,
) -> Result<Graph> {
    let every = every_of(&original_layout(original, release)?)?;
    let loaded = load_original(original, release, observer)?;
    let people = People::of(tracks_of(&loaded)?, every, known, observer)?;
    let known: Vec<_> =
        people.taking_part.iter().map(|track| people.known_positions(*track)).collect();
    let n = published.data.tracks.len();
    let records = beside::words(published.quasi, n);
    let everybody = beside::words(&loaded.data.quasi, people.tracks.len());
    let taking_part: Vec<Vec<String>> =
        people.taking_part.iter().map(|track| everybody[*track as usize].clone()).collect();
    let (of_people, of_records) = classes_of(&taking_part, &records)?;
    let alike = Alike { people: &of_people, records: &of_records };
    Ok(Graph { graph: attack_graph(&known, &published.data.tracks, alike), whose: Vec::new() })
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
