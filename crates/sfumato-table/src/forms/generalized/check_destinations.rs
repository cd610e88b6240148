//! Refuses outputs that can't be written, before anything is read.

use sfumato_core::Result;
use sfumato_engine::destinations::check_places;
use sfumato_engine::kind::KindJob as _;
use sfumato_io::{Sink, format_of_destination};

use crate::job::Job;

/// Refuse unknown formats, and folders that don't exist.
pub fn check_destinations(job: &Job) -> Result<()> {
    if Sink::of(&job.output.path).path().is_some() {
        format_of_destination(&job.output.path)?;
    }
    let pseudonyms = crate::pseudonyms::are_asked(job)
        .then(|| job.output.pseudonyms.as_deref().unwrap_or(crate::pseudonyms::DEFAULT_FILE));
    let files = [job.output.recoding.as_deref(), job.output.made_up.as_deref(), pseudonyms];
    let beside: Vec<&str> = files.into_iter().flatten().collect();
    check_places(&job.common(), &beside)
}
