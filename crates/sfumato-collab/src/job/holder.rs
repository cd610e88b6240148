//! holder.toml: a holder's private table, what its columns are, and what it lets others ask. Nobody
//! else sees it.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use sfumato_core::dataset::Role;
use sfumato_core::registry::Call;
use sfumato_core::{Error, Result};
use sfumato_engine::job::InputSpec;
use sfumato_table::Job as TableJob;
use sfumato_table::job::Columns;

use super::{Agreement, Scores};

/// The section `[holder]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The name that the others know it by.
    pub name: String,
    /// Where the daemon listens.
    #[serde(default)]
    pub listen: Option<String>,
}

/// The section `[policy]`: what a holder refuses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The smallest k that it takes part for.
    pub min_k: u64,
    /// The fewest holders that it takes part with.
    pub min_holders: usize,
    /// Whether it shows the scores of its candidates.
    pub clear_scores: bool,
    /// Who may ask it to take part, by the names of their certificates; anybody it knows if empty.
    pub requesters: Vec<String>,
    /// How many sessions it takes part in at a time; others wait.
    pub sessions: usize,
}

impl Default for Policy {
    fn default() -> Self {
        let requesters = Vec::new();
        Policy { min_k: 2, min_holders: 2, clear_scores: true, requesters, sessions: 1 }
    }
}

/// A whole holder.toml.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HolderJob {
    /// Who it is.
    pub holder: Section,
    /// Its table.
    pub input: InputSpec,
    /// What its columns are, as in a release.toml.
    pub columns: Columns,
    /// What it refuses.
    #[serde(default)]
    pub policy: Policy,
    /// The folder from which paths start.
    #[serde(skip)]
    pub base: PathBuf,
}

impl HolderJob {
    /// Read a holder.toml.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Self> {
        let mut job: HolderJob = toml::from_str(text).map_err(|error| {
            Error::params(error.message().replace('\n', "; ")).in_file(file).hint(
                "'sfumato collaborate init' writes a holder.toml: [holder], [input], [columns], \
                 [policy]",
            )
        })?;
        job.base = base.to_path_buf();
        Ok(job)
    }

    /// Read the file of a holder.toml; paths in it start from its folder.
    pub fn read(path: &str) -> Result<Self> {
        let text = sfumato_io::read_text(path)?;
        Self::parse(&text, path, Path::new(path).parent().unwrap_or(Path::new("")))
    }

    /// The job about its table: the columns of some roles, and models that its part must meet.
    pub fn table_job(
        &self,
        is_asked: impl Fn(&str, Role) -> bool,
        models: Vec<String>,
    ) -> TableJob {
        let mut job = TableJob { base: self.base.clone(), ..TableJob::default() };
        // Cells are lent as they were read; only what means missing is still to be said.
        job.input.missing.clone_from(&self.input.missing);
        let columns = self.columns.0.iter();
        job.columns.0 = columns.filter(|(name, spec)| is_asked(name, spec.role)).cloned().collect();
        job.privacy.models = models;
        job
    }

    /// Refuse an agreement that breaks the policy, and say which line of it.
    pub fn accept(&self, agreement: &Agreement) -> Result<()> {
        let name = &self.holder.name;
        let refuse = |why: String, hint: &str| Err(Error::unsupported(why).hint(hint));
        let Policy { min_k, min_holders, clear_scores, .. } = self.policy;
        let n = agreement.holder.len();
        if n < min_holders {
            return refuse(
                format!("{name} takes part with at least {min_holders} holders, and these are {n}"),
                "'min_holders' in the [policy] of its holder.toml says so",
            );
        }
        if !clear_scores && agreement.collaboration.scores == Scores::Clear {
            return refuse(
                format!("{name} doesn't show scores"),
                "say scores = \"secret\" in the job, or let its owner set clear_scores",
            );
        }
        let mut asked = None;
        for text in &agreement.privacy.models {
            let call: Call = text.parse()?;
            let model = sfumato_table::models::find(&call.name)?;
            let params = sfumato_core::registry::Params::check(model.info(), &call.args)?;
            let numbers = params.list("k").into_iter().flatten();
            let least = numbers.filter_map(|k| k.parse::<u64>().ok()).min();
            asked = asked.max(least);
        }
        match asked {
            Some(k) if k >= min_k => Ok(()),
            _ => refuse(
                format!(
                    "{name} takes part for k of at least {min_k}, and the job asks for {}",
                    asked.map_or("none".into(), |k| k.to_string())
                ),
                "'min_k' in the [policy] of its holder.toml says so",
            ),
        }
    }
}
