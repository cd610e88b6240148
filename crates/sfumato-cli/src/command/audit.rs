//! `sfumato audit FILE`: what a release really promises.

use std::path::PathBuf;

use clap::Args;
use sfumato::{Job, Request};
use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::manifest::Manifest;

use super::basket_flags::BasketFlags;
use super::data_flags::hierarchy;
use super::input_flags::{InputFlags, set_hierarchy, set_role};
use super::run::set_keys;
use super::{Context, names, pair, print, set_threads, to_json};

#[derive(Args)]
pub struct Audit {
    /// The release: CSV, Parquet, Arrow IPC or JSON lines, or the folder of a bucket release.
    #[arg(value_name = "FILE")]
    file: String,
    /// Columns that an attacker may know.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    #[command(flatten)]
    baskets: BasketFlags,
    /// The layout of the original's file of baskets, if it isn't the layout of the release.
    #[arg(long, value_name = "FORM", requires = "original")]
    original_baskets: Option<String>,
    /// Columns that an attacker wants to learn.
    #[arg(long, value_name = "A,B")]
    sensitive: Vec<String>,
    /// The column that says which rows belong to one person.
    #[arg(long, value_name = "COLUMN")]
    subject: Option<String>,
    /// The column of a permuted bucket release that says the group of a record.
    #[arg(long, value_name = "COLUMN", requires = "sensitive")]
    group: Option<String>,
    /// A model that must hold, or the command ends with exit code 3. May be given again.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// k-anonymity that must hold.
    #[arg(short, value_name = "K")]
    k: Option<u64>,
    /// A column's hierarchy: column=FILE. Of sensitive columns for hierarchical t-closeness, of
    /// quasi columns for models about matches, with --original.
    #[arg(long, value_name = "COLUMN=HOW")]
    hierarchy: Vec<String>,
    /// The data that the release was made from: shows the risk before.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    /// How much memory the audit may use, such as 512MiB. Files may be larger: classes that don't
    /// fit wait on disk.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// The folder for classes that don't fit into memory [default: the system's temporary folder]
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    spill: Option<PathBuf>,
    #[command(flatten)]
    reading: InputFlags,
    /// Set a key of a section, as in a job: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the audit to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let audited = sfumato::audit(&self.request()?, &context.progress)?;
        if self.json {
            print(&(to_json(&audited)? + "\n"))?;
        } else {
            print(&audited.words)?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn request(&self) -> Result<Request> {
        if self.original_baskets.is_some() && !self.is_of_baskets() {
            return Err(Error::params("--original-baskets is for baskets, and this is a table")
                .hint("say with --baskets how they lie in the release"));
        }
        let mut job = self.described(&self.file)?;
        let mut models = self.model.clone();
        models.extend(self.k.map(|k| format!("k-anonymity(k={k})")));
        job.set("privacy", "models", models);
        set_keys(&mut job, &self.set)?;
        let original = self.original.as_ref().map(|path| {
            let mut original = self.described(path)?;
            if let Some(form) = &self.original_baskets {
                original.set("baskets", "form", form.clone());
            }
            set_keys(&mut original, &self.set)?;
            Ok::<_, Error>(original)
        });
        Ok(Request {
            job,
            original: original.transpose()?,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
            ..Request::default()
        })
    }

    /// Whether the manifest of the release or the flags say that its records are baskets.
    fn is_of_baskets(&self) -> bool {
        let manifest = Manifest::find(std::path::Path::new(&self.file)).ok().flatten();
        self.baskets.spec().is_some() || manifest.is_some_and(|manifest| manifest.kind == "sets")
    }

    /// A job that reads a file as the flags describe it.
    fn described(&self, path: &str) -> Result<Job> {
        let mut job = self.reading.job(path)?;
        self.baskets.add_to(&mut job);
        let roles = [("quasi", &self.qi), ("sensitive", &self.sensitive)];
        for (role, given) in roles {
            names(given).iter().try_for_each(|name| set_role(&mut job, name, role))?;
        }
        if let Some(subject) = &self.subject {
            set_role(&mut job, subject, "subject")?;
        }
        for given in &self.hierarchy {
            let (column, how) = pair("hierarchy", given)?;
            let how = hierarchy(how)?;
            // A tree of a column that has no role says nothing.
            if job.get("columns", column).is_some() {
                set_hierarchy(&mut job, column, &how);
            }
        }
        if let Some(group) = &self.group {
            job.set("output", "group", group.clone());
            job.set("output", "buckets", "permuted");
        }
        Ok(job)
    }
}
