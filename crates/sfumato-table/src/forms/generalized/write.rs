//! Gives the verified file its name. The only stage that makes a release visible.

use sfumato_core::Result;
use sfumato_engine::destinations::check_places;
use sfumato_engine::job::Job;
use sfumato_io::format_of_destination;

use crate::forms::generalized::verify::Verified;

/// Rename the file into place, or copy it to standard output.
pub fn write(verified: Verified) -> Result<()> {
    let candidate = verified.into_candidate();
    if candidate.to_stdout { candidate.file.copy_to_stdout() } else { candidate.file.commit() }
}

/// Refuse what can't be written before anything is read: unknown formats, folders that aren't there.
pub fn check_destinations(job: &Job) -> Result<()> {
    if job.output.path != "-" {
        format_of_destination(&job.output.path)?;
    }
    check_places(job)
}
