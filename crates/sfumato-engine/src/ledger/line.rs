//! A line of a ledger: a hash, and an entry as JSON.

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_io::sha256_hex;

/// What a line says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Entry {
    /// The ledger begins.
    Begin(Begun),
    /// A release is about to get its name.
    Intent(Recorded),
    /// The release that was announced last has its name.
    Done {
        /// When.
        at: String,
        /// Whether a later run found it there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recovered: bool,
    },
    /// The release that was announced last was never given its name.
    Void {
        /// When.
        at: String,
        /// Whether a later run found it missing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recovered: bool,
    },
    /// What follows is about other records: releases before it aren't looked at any more.
    NewChain {
        /// When.
        at: String,
    },
}

/// What a ledger says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// The version of the format.
    pub version: u32,
    /// When it began.
    pub at: String,
    /// A secret with which names of people are hashed, so that nobody finds a person by guessing.
    pub salt: String,
    /// The models that every release of it must hold beside those before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
}

/// What is recorded of a release.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// When it was announced.
    pub at: String,
    /// Where it was written: a file or a folder.
    pub path: String,
    /// The kind of its records.
    pub kind: String,
    /// The form in which they are published.
    pub form: String,
    /// How many there are.
    pub rows: u64,
    /// The models that were judged.
    pub models: Vec<String>,
    /// Who got it, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Its files with their hashes.
    pub files: Vec<RecordedFile>,
    /// What later releases are judged beside: of the form, and no more of the data than that takes.
    pub facts: serde_json::Value,
}

/// A file of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFile {
    /// Its name.
    pub path: String,
    /// Its SHA-256 hash.
    pub sha256: String,
}

/// The hash before the first line.
pub(super) const START: &str = "sfumato-ledger";
/// How many characters a hash has.
const HASH: usize = 64;

/// The text of a line without its end, and its hash.
pub(super) fn write(before: &str, entry: &Entry) -> Result<(String, String)> {
    let json = serde_json::to_string(entry)
        .map_err(|error| Error::internal(format!("an entry can't be written: {error}")))?;
    let hash = hash_of(before, &json);
    Ok((format!("{hash} {json}"), hash))
}

fn hash_of(before: &str, json: &str) -> String {
    sha256_hex(format!("{before}\n{json}").as_bytes())
}

/// Read a line. `None` if it isn't one that this program wrote behind the line before.
pub(super) fn read(before: &str, line: &[u8]) -> Option<(Entry, String)> {
    let text = std::str::from_utf8(line).ok()?;
    let (hash, json) = (text.get(..HASH)?, text.get(HASH + 1..)?);
    let is_own = text.as_bytes()[HASH] == b' ' && hash == hash_of(before, json);
    let entry = is_own.then(|| serde_json::from_str(json).ok()).flatten()?;
    Some((entry, hash.to_string()))
}
