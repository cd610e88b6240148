//! What a release says about itself.

use std::path::Path;

use sfumato_core as core;
use sfumato_engine::manifest as engine;

use crate::{Error, Result};

/// What a release says about itself: its kind, its form, its files with their hashes. It holds
/// nothing that the files don't, and may be handed out with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub(crate) inner: engine::Manifest,
}

impl Manifest {
    /// The manifest of a file or folder, if it has one.
    pub fn find(release: impl AsRef<Path>) -> Result<Option<Self>> {
        let found = engine::Manifest::find(release.as_ref()).map_err(Error::of)?;
        Ok(found.map(|inner| Manifest { inner }))
    }

    pub(crate) fn parse(text: &str) -> core::Result<Self> {
        let inner = serde_json::from_str(text);
        let inner = inner.map_err(|error| {
            core::Error::internal(format!("a manifest can't be written: {error}"))
        })?;
        Ok(Manifest { inner })
    }

    /// The kind of its records: `table`, `sets`.
    pub fn kind(&self) -> &str {
        &self.inner.kind
    }

    /// What is published of them: `generalized`, `buckets`.
    pub fn form(&self) -> &str {
        &self.inner.form
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.inner.rows
    }

    /// The files with the SHA-256 of their bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.inner.files.iter().map(|file| (file.path.as_str(), file.sha256.as_str()))
    }

    /// As it lies beside a release.
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }
}
