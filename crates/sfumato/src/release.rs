//! A release in memory.

use std::path::Path;

use arrow_array::RecordBatch;
use sfumato_core::observer::Unobserved;

use crate::{Data, Error, Manifest, Report, Result};

/// Records that were published and checked, as batches, with what can be said of them.
#[derive(Debug, Clone)]
pub struct Release {
    pub(crate) batches: Vec<RecordBatch>,
    pub(crate) report: Report,
    pub(crate) manifest: Manifest,
}

impl Release {
    /// The records, in random order.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// The records, to have them.
    pub fn into_batches(self) -> Vec<RecordBatch> {
        self.batches
    }

    /// Write the records of a table to a file, as CSV, Parquet, Arrow or JSON lines by its name,
    /// with a manifest beside it. The file is read back and compared with the release cell by cell
    /// before it gets its name. A file that was there is replaced.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    /// use sfumato::{Job, Manifest};
    ///
    /// # fn main() -> sfumato::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("sfumato-save-{}.csv", std::process::id()));
    /// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 33, 52, 58]));
    /// let people = RecordBatch::try_from_iter([("age", ages)]).unwrap();
    /// let release = sfumato::anonymize(people, &Job::table().quasi("age").k(2))?;
    /// release.save(&path)?;
    /// assert!(std::fs::read_to_string(&path).unwrap().starts_with("age\n["));
    /// assert_eq!(Manifest::find(&path)?.unwrap().records(), 4);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let save = || {
            if self.manifest.kind() != "table" {
                return Err(sfumato_core::Error::unsupported(
                    "only a table in memory can be saved to a file",
                )
                .hint("run the job from file to file instead"));
            }
            let lent = Data::from(self.batches()).lend(Path::new(""))?;
            let manifest = &self.manifest.inner;
            sfumato_engine::copy::save(&lent.name, manifest, path.as_ref(), &Unobserved)
        };
        save().map(drop).map_err(Error::of)
    }

    /// What the run can say; for the steward's eyes only.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the release says of itself; may be handed out with it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}
