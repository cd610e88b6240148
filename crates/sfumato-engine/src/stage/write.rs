//! Gives the verified file its name. The only stage that makes a release visible.

use sfumato_core::Result;
use sfumato_core::recoding::Recoding;

use crate::job::Job;
use crate::paths::resolve;
use crate::stage::verify::Verified;

/// Rename the file into place, or copy it to standard output.
pub fn write(verified: Verified) -> Result<()> {
    let candidate = verified.into_candidate();
    if candidate.to_stdout { candidate.file.copy_to_stdout() } else { candidate.file.commit() }
}

/// Where the release goes, for messages.
pub fn destination(job: &Job) -> String {
    resolve(&job.base, &job.output.path)
}

/// How many cells are suppressed: published as anything, in records that are published.
pub fn suppressed_cells(recoding: &dyn Recoding, class_sizes: &[u64]) -> u64 {
    use sfumato_core::recoding::Value;
    let column = |quasi: usize| -> u64 {
        let column = recoding.column(quasi);
        let any: Vec<bool> = column.values.iter().map(|value| *value == Value::Any).collect();
        column.of_class.iter().zip(class_sizes).filter(|(v, _)| any[**v as usize]).map(|(_, size)| size).sum()
    };
    (0..recoding.n_columns()).map(column).sum()
}
