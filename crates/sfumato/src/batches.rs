//! Arrow batches in and out: the same pipeline, the same verification, no file of the user's.

use std::fs::File;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::Loan;
use sfumato_report::Report;

use crate::{Audit, Job, RELEASES, Request};

/// A release as batches, with its private report.
#[derive(Debug)]
pub struct Anonymized {
    /// The records, in random order.
    pub batches: Vec<RecordBatch>,
    /// The private report of the run, which is for the steward's eyes only.
    pub report: Report,
}

/// Anonymize batches by a job. The input and output that the job names are not used; its release
/// must be one file, so buckets that are linked tables and bitmaps are refused.
///
/// What comes back was written to a temporary file for its owner only, read back and checked, like
/// any release; the file is removed.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{Int64Array, RecordBatch, StringArray};
/// use sfumato::observer::Unobserved;
///
/// # fn main() -> sfumato::Result<()> {
/// let batch = RecordBatch::try_from_iter([
///     ("age", Arc::new(Int64Array::from(vec![31, 33, 52, 58])) as arrow_array::ArrayRef),
///     ("ill", Arc::new(StringArray::from(vec!["flu", "flu", "cough", "flu"])) as _),
/// ])
/// .unwrap();
/// let mut job = sfumato::Job::default();
/// job.set("columns", "age", toml::toml! { role = "quasi" });
/// job.set("columns", "ill", toml::toml! { role = "sensitive" });
/// job.set("privacy", "models", vec!["k-anonymity(k=2)"]);
/// let release = sfumato::anonymize(vec![batch], &job, &Unobserved)?;
/// assert_eq!(release.batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 4);
/// assert!(release.report.guarantees.iter().all(|guarantee| guarantee.holds));
/// # Ok(())
/// # }
/// ```
pub fn anonymize(
    batches: Vec<RecordBatch>,
    job: &Job,
    observer: &dyn Observer,
) -> Result<Anonymized> {
    let loan = Loan::new(batches)?;
    let folder = tempfile::tempdir()
        .map_err(|error| Error::io(&std::env::temp_dir(), "make a folder", &error))?;
    let path = folder.path().join("release.arrow");
    let mut job = job.clone();
    job.set("input", "path", loan.name());
    job.set("output", "path", path.display().to_string());
    let report = RELEASES.run(&job, observer)?;
    if !path.is_file() {
        return Err(Error::unsupported("a release of several files can't be given as batches")
            .hint("run the job with a folder as its output"));
    }
    let broken = |error: &dyn std::fmt::Display| {
        Error::internal(format!("the release can't be read: {error}"))
    };
    let file = File::open(&path).map_err(|error| Error::io(&path, "open", &error))?;
    let reader = FileReader::try_new(file, None).map_err(|error| broken(&error))?;
    let batches = reader.collect::<std::result::Result<Vec<_>, _>>();
    Ok(Anonymized { batches: batches.map_err(|error| broken(&error))?, report })
}

/// Measure what a release in batches really promises, whoever made it. The job of the request says
/// what the columns or items are.
pub fn audit_batches(
    batches: Vec<RecordBatch>,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Audit> {
    let loan = Loan::new(batches)?;
    let mut request = request.clone();
    request.job.set("input", "path", loan.name());
    RELEASES.audit(&request, observer)
}
