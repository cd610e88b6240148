//! The file of the key and the mappings of pseudonyms, for its owner only (mode 0600).
//!
//! One file serves several data files and releases: what was called once keeps its pseudonym. It
//! lies apart from the release, and nothing of it is in a report.

use std::collections::BTreeMap;
use std::path::Path;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use serde::{Deserialize, Serialize};
use sfumato_core::dataset::Canonical;
use sfumato_core::{Error, ErrorKind, FastMap, FastSet, Result};
use sfumato_engine::random::generator;

use super::format_kept;
use super::keyed::{hex, keyed_hash};
use super::method::Method;

const FORMAT: &str = "sfumato-pseudonyms";
const VERSION: u32 = 1;

/// The bytes of a pseudonym: too many for two values to share one by chance.
const BYTES: usize = 16;

/// The key, and the names that are known.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secrets {
    format: String,
    version: u32,
    /// The key, in hexadecimal.
    key: String,
    /// The spaces of names.
    spaces: BTreeMap<String, Space>,
    /// Where random pseudonyms come from.
    #[serde(skip)]
    random: Option<ChaCha20Rng>,
}

/// Names among which a value is the same in every file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// How pseudonyms are made.
    pub method: Method,
    /// The values that have random pseudonyms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

impl Secrets {
    /// Read the file, or begin a new one. A seed makes its key repeatable, which is not for
    /// release.
    pub fn open(path: &str, seed: Option<u64>) -> Result<Self> {
        match Path::new(path).exists() {
            true => Ok(Secrets { random: Some(drawing(seed)?), ..Self::read(path)? }),
            false => {
                let mut random = generator(seed)?;
                let mut key = [0_u8; 32];
                random.fill_bytes(&mut key);
                Ok(Secrets {
                    format: FORMAT.into(),
                    version: VERSION,
                    key: hex(&key),
                    spaces: BTreeMap::new(),
                    random: Some(drawing(seed)?),
                })
            }
        }
    }

    /// Read the file. One that others may read is refused: it would be no secret.
    pub fn read(path: &str) -> Result<Self> {
        let place = Path::new(path);
        let found = std::fs::metadata(place).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Error::new(ErrorKind::Io, "no such file").in_file(path).hint(
                    "name the file with the key of the pseudonyms, which the release was made with",
                )
            }
            _ => Error::io(place, "read", &error),
        })?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            if found.permissions().mode() & 0o077 != 0 {
                return Err(Error::params("others can read the key of the pseudonyms")
                    .in_file(path)
                    .hint("chmod 600 keeps it to its owner; if others have seen it, begin anew"));
            }
        }
        #[cfg(not(unix))]
        let _ = found;
        let text =
            std::fs::read_to_string(place).map_err(|error| Error::io(place, "read", &error))?;
        let wrong = |what: &str| {
            Error::input(format!("this isn't a file of pseudonyms: {what}")).in_file(path)
        };
        let secrets: Secrets = serde_json::from_str(&text).map_err(|error| {
            // What stands there is a secret, and the message of the parser may quote it.
            wrong("it can't be read").at_line(error.line() as u64).at_column(error.column() as u64)
        })?;
        if secrets.format != FORMAT || secrets.version != VERSION {
            return Err(wrong("another program or version wrote it"));
        }
        secrets.key().ok_or_else(|| wrong("its key has no 32 bytes"))?;
        Ok(secrets)
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("secrets are texts and numbers") + "\n"
    }

    /// A space of names, if it is known.
    pub fn space(&self, name: &str) -> Option<&Space> {
        self.spaces.get(name)
    }

    /// The names of the known spaces.
    pub fn spaces(&self) -> Vec<&str> {
        self.spaces.keys().map(String::as_str).collect()
    }

    fn key(&self) -> Option<[u8; 32]> {
        let pair = |at: usize| u8::from_str_radix(self.key.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..self.key.len()).step_by(2).map(pair).collect();
        bytes?.try_into().ok()
    }

    /// Make pseudonyms of a space. One that was made otherwise before is refused: the same person
    /// would have two.
    pub fn maker(&mut self, space: &str, method: Method) -> Result<Maker<'_>> {
        let key = self.key().ok_or_else(|| Error::internal("the key has no 32 bytes"))?;
        let fresh = Space { method, values: BTreeMap::new() };
        let known = self.spaces.entry(space.to_string()).or_insert(fresh);
        if known.method != method {
            return Err(Error::params(format!(
                "pseudonyms of '{space}' were made by method {} before",
                known.method.name()
            ))
            .hint("keep the method, or name another space or another file"));
        }
        let taken = known.values.values().cloned().collect();
        let random = self.random.as_mut();
        let space = space.to_string();
        Ok(Maker { key, space, method, known, taken, random })
    }

    /// Undo pseudonyms of a space. Those of a keyed hash are looked up among values of the data.
    pub fn undo<'t>(&self, space: &str, values: impl Iterator<Item = &'t str>) -> Result<Undo> {
        let known = self.space(space).ok_or_else(|| {
            Error::params(format!("there are no pseudonyms of '{space}'"))
                .hint(format!("known are {}", self.spaces().join(", ")))
        })?;
        let key = self.key().ok_or_else(|| Error::internal("the key has no 32 bytes"))?;
        let values = match known.method {
            Method::Format => FastMap::default(),
            Method::Random => {
                known.values.iter().map(|(value, drawn)| (drawn.clone(), value.clone())).collect()
            }
            Method::Hash => {
                values.map(|value| (hash(&key, space, value), value.to_string())).collect()
            }
        };
        Ok(Undo { method: known.method, key, space: space.into(), values })
    }
}

/// Leads from pseudonyms of a space back to values.
pub struct Undo {
    /// How the pseudonyms were made.
    pub method: Method,
    key: [u8; 32],
    space: String,
    values: FastMap<String, String>,
}

impl Undo {
    /// The value of a pseudonym. `None` if it isn't known.
    pub fn value(&self, pseudonym: &str) -> Option<String> {
        match self.method {
            Method::Format => format_kept::undone(&self.key, &self.space, pseudonym).ok(),
            Method::Hash | Method::Random => self.values.get(pseudonym).cloned(),
        }
    }
}

/// The numbers that pseudonyms are drawn by: another stream than that of the key, which a seed
/// would otherwise give away.
fn drawing(seed: Option<u64>) -> Result<ChaCha20Rng> {
    let mut random = generator(seed)?;
    random.set_stream(1);
    Ok(random)
}

/// The value as it is compared between files: without space around it, composed.
pub(super) fn plain(text: &str) -> String {
    let canonical = Canonical { numbers: false, ..Canonical::default() };
    canonical.of(text).into_owned()
}

fn hash(key: &[u8; 32], space: &str, text: &str) -> String {
    hex(&keyed_hash(key, &[b"pseudonym", space.as_bytes(), plain(text).as_bytes()])[..BYTES])
}

/// Makes pseudonyms of one space.
pub struct Maker<'a> {
    key: [u8; 32],
    space: String,
    method: Method,
    known: &'a mut Space,
    taken: FastSet<String>,
    random: Option<&'a mut ChaCha20Rng>,
}

impl Maker<'_> {
    /// The pseudonym of a text.
    pub fn pseudonym(&mut self, text: &str) -> Result<String> {
        match self.method {
            Method::Hash => Ok(hash(&self.key, &self.space, text)),
            Method::Format => format_kept::kept(&self.key, &self.space, plain(text).as_str()),
            Method::Random => {
                let value = plain(text);
                if let Some(known) = self.known.values.get(&value) {
                    return Ok(known.clone());
                }
                let random = self.random.as_mut().ok_or_else(|| {
                    Error::internal("new pseudonyms can't be drawn where none are made")
                })?;
                let drawn = loop {
                    let mut bytes = [0_u8; BYTES];
                    random.fill_bytes(&mut bytes);
                    let drawn = hex(&bytes);
                    if self.taken.insert(drawn.clone()) {
                        break drawn;
                    }
                };
                self.known.values.insert(value, drawn.clone());
                Ok(drawn)
            }
        }
    }
}
