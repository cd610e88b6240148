//! Flags of commands that read a file without knowing its columns: how its bytes are meant.

use clap::Args;
use sfumato::Job;
use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};
use sfumato_table::job::InputSpec;

use super::YesOrNo;
use super::data_flags::delimiter;

#[derive(Args)]
pub struct InputFlags {
    /// Texts that mean a missing value, besides the empty text.
    #[arg(long, value_name = "TEXT")]
    pub missing: Vec<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed; \t for tab.
    #[arg(long, value_name = "C")]
    delimiter: Option<String>,
    /// Whether the first line of a CSV file names the columns, if it can't be guessed.
    #[arg(long, value_name = "WHICH")]
    header: Option<YesOrNo>,
    /// The format of the input, if its name doesn't say: csv, parquet, arrow, jsonl.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

impl InputFlags {
    /// Describe how a file is read.
    pub fn spec(&self, path: &str) -> Result<InputSpec> {
        Ok(InputSpec {
            path: path.to_string(),
            format: self.format.clone(),
            delimiter: self.delimiter.as_deref().map(delimiter).transpose()?,
            header: self.header.map(YesOrNo::is_yes),
            missing: self.missing.clone(),
        })
    }

    /// Make a job that reads a file.
    pub fn job(&self, path: &str) -> Result<Job> {
        let mut job = Job::default();
        job.set("input", "path", path);
        self.add_to(&mut job)?;
        Ok(job)
    }

    /// Put the flags that were given into a job.
    pub fn add_to(&self, job: &mut Job) -> Result<()> {
        let spec = self.spec("")?;
        if let Some(format) = spec.format {
            job.set("input", "format", format);
        }
        if let Some(delimiter) = spec.delimiter {
            job.set("input", "delimiter", delimiter.to_string());
        }
        if let Some(header) = spec.header {
            job.set("input", "header", header);
        }
        if !spec.missing.is_empty() {
            job.set("input", "missing", spec.missing);
        }
        Ok(())
    }
}

/// Set a key of a column of a job. A column without a role becomes quasi.
pub fn set_column(job: &mut Job, name: &str, key: &str, value: toml::Value) {
    let known = job.get("columns", name).and_then(|column| column.as_table()).cloned();
    let mut column = known.unwrap_or_default();
    column.insert(key.to_string(), value);
    if !column.contains_key("role") {
        column.insert("role".to_string(), "quasi".into());
    }
    job.set("columns", name, column);
}

/// Give a column of a job its role; a second one is an error.
pub fn set_role(job: &mut Job, name: &str, role: &str) -> Result<()> {
    if job.get("columns", name).is_some() {
        return Err(Error::params(format!("column '{name}' has two roles"))
            .hint("give each column one role"));
    }
    set_column(job, name, "role", role.into());
    Ok(())
}

/// Set the hierarchy of a column of a job.
pub fn set_hierarchy(job: &mut Job, name: &str, call: &Call) {
    let argument = |argument: &Argument| -> toml::Value {
        match argument {
            Argument::Word(word) => word.clone().into(),
            Argument::List(items) => items.clone().into(),
        }
    };
    let arguments: toml::Table =
        call.args.iter().map(|(name, given)| (name.clone(), argument(given))).collect();
    let builder: toml::Table = [(call.name.clone(), arguments.into())].into_iter().collect();
    set_column(job, name, "hierarchy", builder.into());
}
