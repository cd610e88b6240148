//! What a log says after it was read: how many rows and people it has, and what can be read of it.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Hiding, Least};

/// What the bytes of a log say.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// What is published, for messages: `a log of shares`.
    pub release: &'static str,
    /// The number of rows.
    pub rows: u64,
    /// The number of pseudonyms.
    pub pseudonyms: u64,
    /// The number of different queries, as far as the log tells them apart.
    pub queries: u64,
    /// The queries that can be read and how many people asked each, if only some can be.
    pub readable: Option<Vec<(String, u64)>>,
    /// The number of rows with a query that can be read.
    pub readable_rows: u64,
    /// The largest number of people who asked a query that can't be read.
    pub unreadable_most: u64,
    /// What the log says besides, for the audit: a name and a sentence each.
    pub notes: Vec<(&'static str, String)>,
}

impl Facts for Told {
    fn release(&self) -> &'static str {
        self.release
    }
    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        match (hiding, &self.readable) {
            (Hiding::Askers, Some(readable)) => {
                let askers = readable.iter().map(|(_, askers)| *askers);
                // Where nothing can be read, everybody would have to come together.
                let all = self.pseudonyms.max(required);
                let violations = askers.clone().filter(|askers| *askers < required).count() as u64;
                Ok(Some(Least { least: askers.min().unwrap_or(all), violations }))
            }
            // A log whose queries nobody shares says nothing of who else asked.
            (Hiding::Askers, None) => Ok(None),
            (Hiding::Copies | Hiding::Supporters | Hiding::Images, _) => Ok(None),
            (Hiding::Bystanders | Hiding::Matches | Hiding::Labels, _) => Ok(None),
        }
    }
}
