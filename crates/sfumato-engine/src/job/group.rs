//! The column of a bucket release that says which group a row belongs to.

use super::Job;

/// Its name, where the job names no other.
pub const GROUP: &str = "group";

/// The name of the group column of a job.
pub fn group_column(job: &Job) -> &str {
    job.output.group.as_deref().unwrap_or(GROUP)
}
