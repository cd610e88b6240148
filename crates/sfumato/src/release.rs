//! A release in memory.

use arrow_array::RecordBatch;

use crate::{Manifest, Report};

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

    /// What the run can say; for the steward's eyes only.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the release says of itself; may be handed out with it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}
