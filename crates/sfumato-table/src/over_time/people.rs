//! Who is who in releases over time. A ledger names people by a hash with a secret of its own, so
//! that nobody finds a person in it by guessing.

use std::path::Path;

use sfumato_core::chain::Published;
use sfumato_core::dataset::{Canonical, Role};
use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_engine::ledger::Ledger;
use sfumato_engine::paths::resolve;
use sfumato_io::sha256_hex;

use super::past::Past;
use crate::data::encode::Encoded;
use crate::data::read::Dataset;
use crate::job::Job;

/// How many characters of a hash name a person: 128 bits.
const NAME: usize = 32;

/// The people of a table, by their codes.
#[derive(Debug, Clone, Default)]
pub struct People {
    /// What the ledger calls each; none where nobody asks.
    pub names: Vec<String>,
    /// The sensitive values among which each was published last.
    pub signatures: Vec<Option<Vec<u32>>>,
}

/// What a ledger calls a person.
fn name_of(salt: &str, person: &str) -> String {
    let person = Canonical::default().of(person).into_owned();
    let mut name = sha256_hex(format!("{salt}\n{person}").as_bytes());
    name.truncate(NAME);
    name
}

/// Call the people of a file what the ledger calls them.
pub fn name_people(release: &mut Published, salt: &str) {
    for (person, _) in release.people.iter_mut().flatten() {
        *person = name_of(salt, person);
    }
}

impl Past {
    /// Find out who of a table was published among which sensitive values.
    pub fn know(&mut self, encoded: &Encoded) -> Result<()> {
        let Some(salt) = &self.salt else { return Ok(()) };
        self.people.names = encoded.people.iter().map(|name| name_of(salt, name)).collect();
        let &[column] = encoded.table.sensitive().as_slice() else { return Ok(()) };
        let code_of = |text: &String| match text.is_empty() {
            true => Ok(column.domain.missing()),
            false => column.domain.find(text).ok_or_else(|| unknown(&column.name)),
        };
        // The last release that somebody is in counts.
        let mut last: FastMap<&str, (usize, u32)> = FastMap::default();
        for (at, release) in self.releases.iter().enumerate() {
            let people = release.people.iter().flatten();
            last.extend(people.map(|(person, class)| (person.as_str(), (at, *class))));
        }
        let mut codes: Vec<Vec<u32>> = Vec::with_capacity(self.releases.len());
        for release in &self.releases {
            let is_asked = release.people.is_some();
            let values = release.values.iter().filter(|_| is_asked);
            codes.push(values.map(code_of).collect::<Result<_>>()?);
        }
        let signature = |name: &String| {
            let (at, class) = last.get(name.as_str())?;
            let values = &self.releases[*at].classes.get(*class as usize)?.values;
            let mut signature: Vec<u32> =
                values.iter().map(|(value, _)| codes[*at][*value as usize]).collect();
            signature.sort_unstable();
            Some(signature)
        };
        self.people.signatures = self.people.names.iter().map(signature).collect();
        Ok(())
    }
}

fn unknown(column: &str) -> Error {
    Error::input(format!(
        "column '{column}': an earlier release has a value that this table's column can't have"
    ))
    .hint("read the column as the earlier releases did, or begin another chain")
}

/// Let a table know the sensitive values of earlier releases that nobody has any more: made-up
/// records may have them.
pub fn recall_values(job: &Job, dataset: &mut Dataset) -> Result<()> {
    let Some(path) = job.ledger.as_ref().and_then(|spec| spec.path.as_ref()) else { return Ok(()) };
    let is_sensitive =
        |name: &str| job.columns.get(name).is_some_and(|spec| spec.role == Role::Sensitive);
    let mut sensitive = dataset.raw.columns.iter_mut().filter(|column| is_sensitive(&column.name));
    let (Some(column), None) = (sensitive.next(), sensitive.next()) else { return Ok(()) };
    let ledger = Ledger::open(Path::new(&resolve(&job.base, path)))?;
    let mut known: FastSet<String> = column.values.iter().map(String::from).collect();
    for recorded in ledger.releases() {
        let Ok(found) = serde_json::from_value::<Published>(recorded.facts.clone()) else {
            // What can't be read is said where releases are compared.
            continue;
        };
        for value in found.values.into_iter().filter(|_| found.people.is_some()) {
            if !value.is_empty() && known.insert(value.clone()) {
                column.values.push(&value);
            }
        }
    }
    Ok(())
}
