//! `sfumato audit FILE`: what a release really promises.

mod words;

use std::path::PathBuf;

use clap::Args;
use sfumato::audit::{AuditRequest, audit};
use sfumato::job::{BasketSpec, InputSpec};
use sfumato::memory::parse_bytes;
use sfumato::sets::forms::bitmaps::{self, BitmapAuditRequest};
use sfumato::sets::forms::buckets::{self, BucketAuditRequest};
use sfumato::sets::forms::subsets::{self as sets, SetAuditRequest};
use sfumato::{Error, ErrorKind, Result};

use self::words::{bitmap_words, bucket_words, set_words, table_words};
use super::basket_flags::BasketFlags;
use super::data_flags::hierarchy;
use super::input_flags::InputFlags;
use super::{Context, names, pair, print, set_threads};

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
    /// How the original's baskets lie in their file, where that is another form than the release's.
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
    /// A column's hierarchy: column=FILE. Of sensitive columns for hierarchical t-closeness, of quasi columns for models about matches, with --original.
    #[arg(long, value_name = "COLUMN=HOW")]
    hierarchy: Vec<String>,
    /// The data that the release was made from: shows the risk before.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    /// Memory to do with, such as 512MiB: files may be larger, classes that don't fit wait on disk.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// Where they wait; otherwise where the system has its temporary files.
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    spill: Option<PathBuf>,
    #[command(flatten)]
    reading: InputFlags,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        if bitmaps::is_release(&self.file) {
            return self.run_bitmaps(context);
        }
        if buckets::is_release(&self.file) {
            return self.run_set_buckets(context);
        }
        if let Some(baskets) = self.baskets.spec() {
            let is_about_buckets = self.model.iter().any(|model| model.starts_with("privacy-degree"));
            return if is_about_buckets {
                self.run_set_buckets(context)
            } else {
                self.run_sets(baskets, context)
            };
        }
        let audited = audit(&self.request()?, &context.progress)?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&table_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn run_sets(self, baskets: BasketSpec, context: &Context) -> Result<u8> {
        let table_flags = [
            ("qi", !self.qi.is_empty()),
            ("sensitive", !self.sensitive.is_empty()),
            ("subject", self.subject.is_some()),
            ("group", self.group.is_some()),
            ("hierarchy", !self.hierarchy.is_empty()),
            ("memory", self.memory.is_some()),
        ];
        if let Some((flag, _)) = table_flags.into_iter().find(|(_, given)| *given) {
            return Err(Error::unsupported(format!("--{flag} is for tables, and these are baskets")));
        }
        let of_original = |path: &String| {
            let form = self.original_baskets.clone().unwrap_or_else(|| baskets.form.clone());
            Ok((self.reading.spec(path)?, BasketSpec { form, ..baskets.clone() }))
        };
        let audited = sets::audit(
            &SetAuditRequest {
                input: self.reading.spec(&self.file)?,
                models: self.models(),
                original: self.original.as_ref().map(of_original).transpose()?,
                baskets: baskets.clone(),
            },
            &context.progress,
        )?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&set_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    /// A bitmap release of baskets: a folder.
    fn run_bitmaps(self, context: &Context) -> Result<u8> {
        let original = self.original.as_ref().map(|path| self.original_sets(path)).transpose()?;
        let request =
            BitmapAuditRequest { input: self.reading.spec(&self.file)?, models: self.models(), original };
        let audited = bitmaps::audit(&request, &context.progress)?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&bitmap_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    /// The original of a release that is a folder, which doesn't say how its original lies.
    fn original_sets(&self, path: &str) -> Result<(InputSpec, BasketSpec)> {
        let spec = self.baskets.spec();
        let form = self.original_baskets.clone().or_else(|| spec.clone().map(|spec| spec.form));
        let form = form.ok_or_else(|| {
            Error::params("how the original's baskets lie in their file isn't said")
                .hint("say it with --baskets FORM")
        })?;
        Ok((self.reading.spec(path)?, BasketSpec { form, ..spec.unwrap_or_default() }))
    }

    /// A bucket release of baskets: a folder, or a file whose keys are groups.
    fn run_set_buckets(self, context: &Context) -> Result<u8> {
        let spec = self.baskets.spec();
        let audited = buckets::audit(
            &BucketAuditRequest {
                input: self.reading.spec(&self.file)?,
                models: self.models(),
                original: self.original.as_ref().map(|path| self.original_sets(path)).transpose()?,
                baskets: spec.clone(),
            },
            &context.progress,
        )?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&bucket_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn models(&self) -> Vec<String> {
        let mut models = self.model.clone();
        models.extend(self.k.map(|k| format!("k-anonymity(k={k})")));
        models
    }

    fn request(&self) -> Result<AuditRequest> {
        if self.original_baskets.is_some() {
            return Err(Error::params("--original-baskets is for baskets, and this is a table")
                .hint("say with --baskets how they lie in the release"));
        }
        let input = |path: &String| self.reading.spec(path);
        let hierarchies = self.hierarchy.iter().map(|given| {
            let (column, how) = pair("hierarchy", given)?;
            Ok((column.to_string(), hierarchy(how)?))
        });
        Ok(AuditRequest {
            input: input(&self.file)?,
            quasi: names(&self.qi),
            sensitive: names(&self.sensitive),
            subject: self.subject.clone(),
            group: self.group.clone(),
            models: self.models(),
            hierarchies: hierarchies.collect::<Result<_>>()?,
            original: self.original.as_ref().map(input).transpose()?,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
        })
    }
}
