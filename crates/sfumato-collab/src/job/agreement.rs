//! JOB.toml: what is released, by whom, and what must hold. All holders see its text, and its hash
//! is the first thing that they compare.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};
use sfumato_engine::job::TimeLimit;
use sha2::{Digest, Sha256};

/// How the table is divided among the holders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partitioned {
    /// Each holder has other columns of the same people.
    Vertical,
    /// Each holder has other people with the same columns.
    Horizontal,
}

/// Which specialisation is best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// The information gain per lost anonymity, plus one.
    #[default]
    GainPerLoss,
    /// The information gain.
    Gain,
    /// The information gain per information of the split.
    GainRatio,
}

/// How holders find what to publish. Without a word holders of other columns take PPMashup, and
/// holders of other people the distributed Mondrian.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Together, one specialisation after the other.
    #[default]
    Ppmashup,
    /// Each alone, until their classes fit: the baseline.
    DoubleEncryption,
    /// Holders of other people, one value for all records after the other.
    TopDownSpecialization,
}

/// Whether scores are exchanged in clear.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scores {
    /// They are compared without being shown.
    #[default]
    Secret,
    /// They are shown to all holders.
    Clear,
}

/// What an identifier stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Join {
    /// One record of each holder.
    #[default]
    One,
    /// Any number: every combination becomes a record with a fresh identifier.
    Many,
}

/// What is done about a holder who takes its own rows out of the release.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Insider {
    /// The report says in how many classes it would see fewer than k rows of others.
    #[default]
    Warn,
    /// No class is split where that would happen.
    Enforce,
}

/// The contribution ledger of holders who might report less than they have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fairness {
    /// How much more than the others a holder contributes before it stops.
    pub generosity: f64,
}

/// A holder, as the agreement names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// The name, which its certificate is filed under.
    pub name: String,
    /// Where its daemon listens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Its own holder.toml, for a dry run in which everything is local.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// The section `[requester]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Requester {
    /// The folder with the key, the certificate and those of the holders.
    pub folder: Option<String>,
}

/// The section `[collaboration]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collaboration {
    /// How the table is divided.
    pub partitioned: Partitioned,
    /// The column that names a record, of holders with other columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What an identifier stands for.
    #[serde(default)]
    pub join: Join,
    /// The column that recipients shall predict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The order of the columns; by default holder after holder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// How holders with other columns find what to publish.
    #[serde(default)]
    pub method: Method,
    /// Which specialisation is best.
    #[serde(default)]
    pub scoring: Scoring,
    /// Whether scores are exchanged in clear.
    #[serde(default)]
    pub scores: Scores,
    /// Whether a value is specialised only if its records have more than one class.
    #[serde(default = "yes")]
    pub beneficial_only: bool,
    /// The contribution ledger, for holders who might report less than they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// The values of sensitive columns, of holders of other people: sums are counted for each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Vec<String>>,
    /// Of how many holders every class must have rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sites: Option<u64>,
    /// What is done about a holder who takes its own rows out.
    #[serde(default)]
    pub insider: Insider,
    /// How long a holder waits for another, such as `30s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<TimeLimit>,
}

fn yes() -> bool {
    true
}

/// The section `[privacy]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Privacy {
    /// The models, as in a release.toml.
    pub models: Vec<String>,
}

/// The section `[output]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// The release.
    pub path: String,
    /// The report about the collaboration, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

/// The section `[run]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// Makes a dry run repeatable. Not for release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A whole JOB.toml.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// What is done.
    pub collaboration: Collaboration,
    /// Who takes part, in the order of their seats.
    pub holder: Vec<Peer>,
    /// What must hold.
    pub privacy: Privacy,
    /// What is written.
    pub output: Output,
    /// Who asks.
    #[serde(default)]
    pub requester: Requester,
    /// How to run.
    #[serde(default)]
    pub run: Run,
    /// The folder from which paths start.
    #[serde(skip)]
    pub base: PathBuf,
}

/// How long a holder waits for another unless the job says.
const PATIENCE: Duration = Duration::from_secs(30);

impl Agreement {
    /// Read a JOB.toml.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Self> {
        let mut job: Agreement = toml::from_str(text).map_err(|error| {
            Error::params(error.message().replace('\n', "; ")).in_file(file).hint(
                "docs/collaborate.md shows a whole JOB.toml: [collaboration], [[holder]], \
                 [privacy], [output]",
            )
        })?;
        job.base = base.to_path_buf();
        job.check().map_err(|error| error.in_file(file))?;
        Ok(job)
    }

    /// Read the file of a JOB.toml; paths in it start from its folder.
    pub fn read(path: &str) -> Result<Self> {
        let text = sfumato_io::read_text(path)?;
        Self::parse(&text, path, Path::new(path).parent().unwrap_or(Path::new("")))
    }

    fn check(&self) -> Result<()> {
        let (n, c) = (self.holder.len(), &self.collaboration);
        let names: std::collections::BTreeSet<&str> =
            self.holder.iter().map(|peer| peer.name.as_str()).collect();
        if names.len() < n {
            return Err(Error::params("two holders have the same name"));
        }
        if self.privacy.models.is_empty() {
            return Err(Error::params("no privacy model was asked for")
                .hint("say models = [\"k-anonymity(k=10)\"] in [privacy]"));
        }
        match c.partitioned {
            Partitioned::Vertical => self.check_vertical(n),
            Partitioned::Horizontal if n < 3 => Err(Error::unsupported(format!(
                "{n} holders of different people can't release together: whoever learns a sum \
                 over both subtracts its own number and has the other's"
            ))
            .hint("let at least three holders take part")),
            Partitioned::Horizontal if c.method == Method::DoubleEncryption => Err(Error::params(
                "double encryption of classes is for holders with other columns of the same people",
            )),
            Partitioned::Horizontal => match (&c.id, &c.fairness) {
                (None, None) => Ok(()),
                _ => Err(Error::params(
                    "'id' and 'fairness' are for holders with other columns of the same people",
                )),
            },
        }
    }

    fn check_vertical(&self, n: usize) -> Result<()> {
        let c = &self.collaboration;
        if n < 2 {
            return Err(Error::params("one holder alone needs no collaboration")
                .hint("'sfumato run' publishes a table of one holder"));
        }
        if c.id.is_none() {
            return Err(Error::params("[collaboration] says no 'id'")
                .hint("name the column by which holders know the same people"));
        }
        if c.target.is_none() {
            return Err(Error::params("[collaboration] says no 'target'").hint(
                "specialisations are chosen by what they tell about a class: name its column",
            ));
        }
        if c.method == Method::TopDownSpecialization {
            return Err(Error::params(
                "top-down-specialization is the method of holders of different people",
            )
            .hint("leave 'method' out: PPMashup specialises the columns of several holders"));
        }
        if c.sites.is_some() {
            return Err(Error::params("'sites' is for holders of different people"));
        }
        match &c.fairness {
            Some(Fairness { generosity }) if !(*generosity >= 0.0 && generosity.is_finite()) => {
                Err(Error::params("'generosity' must be a number from 0 on"))
            }
            Some(_) if c.scores == Scores::Secret => {
                Err(Error::params("contributions can't be counted while scores are secret")
                    .hint("say scores = \"clear\": the score of each winner must be known to all"))
            }
            Some(_) if c.scoring != Scoring::GainRatio => {
                Err(Error::params("contributions are counted by scoring = \"gain-ratio\""))
            }
            _ => Ok(()),
        }
    }

    /// How long a holder waits for another.
    pub fn patience(&self) -> Duration {
        self.collaboration.timeout.as_ref().map_or(PATIENCE, TimeLimit::duration)
    }

    /// What all holders must agree on: everything but where things are and who asks.
    pub fn hash(&self) -> Result<[u8; 32]> {
        let names: Vec<&str> = self.holder.iter().map(|peer| peer.name.as_str()).collect();
        let agreed = (&self.collaboration, names, &self.privacy);
        let text = serde_json::to_vec(&agreed)
            .map_err(|error| Error::internal(format!("a job can't be written: {error}")))?;
        Ok(Sha256::digest(text).into())
    }

    /// The job as a text.
    pub fn to_toml(&self) -> Result<String> {
        toml::to_string(self)
            .map_err(|error| Error::internal(format!("a job can't be written: {error}")))
    }
}
