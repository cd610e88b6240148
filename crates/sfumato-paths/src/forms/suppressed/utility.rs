//! What a release of suppressed paths keeps of its original: points, paths and frequent sequences.
//! None of it asks whose path is whose.

use sfumato_core::observer::Observer;
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::numbers::count;
use sfumato_report::{Classes, Kept};

use super::NAME;
use super::alike::classes;
use super::read_back::codes;
use crate::algorithms::suppression::MOST_FREQUENT;
use crate::data::PathData;
use crate::data::sequences::maximal_frequent;
use crate::forms::release_file::{ReleaseFile, load_original, with_columns};
use crate::job::Job;
use crate::metrics::suppressed::{ALL, SuppressedView};

/// How many points are told one by one: those that most paths of the original have.
const TOLD: usize = 40;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let job = &request.job;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let read = file.load(observer)?.data;
    let sizes: ClassSizes = classes(&read);
    let mut utility = Utility {
        rows: Some(read.paths.len() as u64),
        classes: Some(Classes::from_sizes(sizes.iter())),
        ..Utility::default()
    };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let told = with_columns(job, request.manifest.as_ref());
    let before = load_original(original, &told, observer)?.data;
    let of_original = codes(&before, &read).map_err(|_| {
        Error::input("the release has a point that no path of the original has")
            .in_file(&job.input.path)
            .hint("is this the data that the release was made from?")
    })?;
    let paths = read.paths.mapped(&of_original);
    let after = PathData { paths, sensitive: Vec::new(), quasi: Vec::new(), ..before.clone() };
    // As a run does that isn't told otherwise.
    let support = (before.paths.len() as u64).div_ceil(100).max(2);
    let frequent =
        |data: &PathData| maximal_frequent(&data.paths, data.steps.len(), support, MOST_FREQUENT);
    let (was, is) = (frequent(&before), frequent(&after));
    let view =
        SuppressedView { before: &before, after: &after, frequent: was.as_ref().zip(is.as_ref()) };
    utility.metrics =
        ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect();
    utility.remarks.push(format!("sequences count as frequent that {} paths have", count(support)));
    utility.kept = kept(&before, &after);
    Ok(utility)
}

/// What is left of the points that most paths have.
fn kept(before: &PathData, after: &PathData) -> Vec<Kept> {
    let counts = |data: &PathData| data.paths.counts(before.steps.len());
    let (was, is) = (counts(before), counts(after));
    let mut frequent: Vec<usize> = (0..was.len()).filter(|step| was[*step] > 0).collect();
    frequent.sort_by_key(|step| (std::cmp::Reverse(was[*step]), *step));
    let kept = |step: usize| Kept {
        part: before.step_name(step as u32),
        lost: (1.0 - is[step] as f64 / was[step] as f64).clamp(0.0, 1.0),
        told: format!("in {} of {} paths", count(is[step]), count(was[step])),
        exclusive: true,
        ..Kept::default()
    };
    frequent.into_iter().take(TOLD).map(kept).collect()
}
