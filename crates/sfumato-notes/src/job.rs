//! A job about notes: the sections of every job, what columns are, where the text is, and what it
//! may give away.

use serde::{Deserialize, Serialize};
use sfumato_core::dataset::Role;
use sfumato_core::{Error, Result};
use sfumato_engine::job::{Engine, InputSpec};
use sfumato_table::job::{ColumnSpec, Columns};
use sfumato_text::job::{Layout, Level, TextSpec};

/// How notes of one person are found.
pub const LINKS: &[&str] = &["similarity", "none"];

sfumato_engine::job_of_kind! {
    /// A whole job about notes.
    pub struct Job {
        /// The section `[columns]`: what each column is.
        pub columns: Columns,
        /// The section `[text]`: where the text is, and what to look for in it.
        pub text: TextSpec,
        /// The section `[view]`: what of a person the text may give away.
        pub view: ViewSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Where it is written what was replaced. It is private.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub spans: Option<String>,
    }
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            self.text.check()?;
            let is_known = |link: &&String| LINKS.contains(&link.as_str());
            if let Some(link) = self.view.link.as_ref().filter(|link| !is_known(link)) {
                let known = LINKS.join(" or ");
                return Err(Error::params(format!("link is {known}, not '{link}'")));
            }
            if self.text.entities.is_some() || self.text.protected.is_some() {
                return Err(Error::unsupported("entities are for documents without columns")
                    .hint("leave --entities and --protected out, or the columns"));
            }
            match self.text.replace.as_deref() {
                Some("generalize") => Err(Error::params(
                    "values of the view are generalized as their columns are, and nothing else is",
                )
                .hint("leave --replace out, or say tag, redact, remove or surrogate")),
                _ => Ok(()),
            }
        }
    }
}

/// The section `[view]`: the identifier view, one row for each person.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ViewSpec {
    /// Columns and the classes of parts that say them: `age=AGE`. Guessed where none is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// How notes of one person are found: `similarity` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl Job {
    /// The column with the text, and the one that says whom a note is about.
    pub fn text_column(&self) -> Result<(String, Option<String>)> {
        match self.text.layout.parse()? {
            Layout::Field { name, subject, .. } => {
                let own = self.columns.0.iter().find(|(_, spec)| spec.role == Role::Subject);
                Ok((name, own.map(|(name, _)| name.clone()).or(subject)))
            }
            Layout::Folder | Layout::Mailbox => Err(Error::unsupported(
                "files of a folder have no columns",
            )
            .hint(
                "put the documents into a file of JSON lines or CSV, or leave out what columns are",
            )),
        }
    }
    /// How much is taken out.
    pub fn level(&self) -> Level {
        self.text.level.unwrap_or(Level::Statistical)
    }
    /// The job of a table with these columns, which reads and writes elsewhere.
    pub fn of_table(&self, input: &str, output: &str, columns: Columns) -> sfumato_table::Job {
        let mut run = self.run.clone();
        run.engine = Engine::Memory;
        (run.memory, run.spill, run.resume) = (None, None, false);
        sfumato_table::Job {
            input: InputSpec { path: input.into(), ..InputSpec::default() },
            columns,
            privacy: self.privacy.clone(),
            recode: self.recode.clone(),
            output: sfumato_table::job::OutputSpec { path: output.into(), ..Default::default() },
            run,
            base: self.base.clone(),
            ..sfumato_table::Job::default()
        }
    }
    /// What a column is; a quasi column where nothing is said of it.
    pub fn spec_of(&self, name: &str) -> ColumnSpec {
        self.columns.get(name).cloned().unwrap_or_else(|| ColumnSpec::of_role(Role::Quasi))
    }
}
