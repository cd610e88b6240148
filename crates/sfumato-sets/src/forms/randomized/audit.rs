//! Audits randomized baskets: what their operator promises, and whether the file may have been
//! drawn by it. What no audit can say is that it was.

use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_report::numbers::{count, quantity};

use super::NAME;
use super::drawn::sizes_agree;
use super::manifest::operator_of;
use crate::algorithms::randomization::operator::{Operator, SizeOperator};
use crate::forms::check_audit;
use crate::forms::release_file::ReleaseFile;
use crate::job::Job;

/// A file of randomized baskets as it was read.
pub struct Opened {
    path: String,
    sha256: String,
    /// The operator that the manifest tells.
    pub operator: Operator,
    /// The names of items.
    pub names: Vec<String>,
    /// The random sets.
    pub rows: Transactions,
    /// The sizes of the original sets.
    pub sizes: Vec<u32>,
}

/// Read a file and its manifest, and compare them.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Opened> {
    check_audit(request)?;
    let (job, manifest) = (&request.job, request.manifest.as_ref());
    if request.original.is_some() {
        // Models of other facts are refused by name where they are judged.
        let names_other = crate::forms::requirements_of(job)?;
        if let Some(other) = names_other.all.iter().find(|all| all.amplification().is_none()) {
            return Err(Error::unsupported(format!(
                "{} can't be judged here: random sets needn't be true of anybody",
                other.model()
            )));
        }
    }
    open_file(job, false, manifest, observer)
}

/// Read a file and its manifest.
pub(super) fn open_file(
    job: &Job,
    is_own_job: bool,
    manifest: Option<&sfumato_engine::manifest::Manifest>,
    observer: &dyn Observer,
) -> Result<Opened> {
    let path = job.input.path.clone();
    let Some(manifest) = manifest else {
        return Err(Error::input("without its manifest nothing says how sets were randomized")
            .in_file(path));
    };
    let operator = operator_of(manifest).map_err(|error| error.in_file(&path))?;
    let loaded = ReleaseFile::of(NAME, job, is_own_job, Some(manifest))?.load(true, observer)?;
    let wrong = |what: &str| Error::input(what).in_file(&path);
    let lost = || wrong("a row doesn't say the size of its record");
    let keys = loaded.keys.as_ref().ok_or_else(lost)?;
    let sizes: Vec<u32> =
        keys.iter().map(|key| key.parse().map_err(|_| lost())).collect::<Result<_>>()?;
    let rows = loaded.baskets.quasi;
    if rows.len() as u64 != manifest.rows || sizes.len() != rows.len() {
        return Err(wrong("the file has another number of records than its manifest says"));
    }
    if loaded.baskets.items.names.len() > operator.n_items as usize {
        return Err(wrong("the file has more items than its manifest says"));
    }
    if !sizes_agree(&operator, &sizes, &rows).map_err(|error| error.in_file(&path))? {
        return Err(wrong("the operator of the manifest can't have drawn these sets"));
    }
    let (sha256, names) = (loaded.source.sha256, loaded.baskets.items.names);
    Ok(Opened { path, sha256, operator, names, rows, sizes })
}

impl Opened {
    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Figures {
        let rows = self.rows.len() as u64;
        let amplification = self.operator.amplification();
        let json = serde_json::json!({
            "sha256": self.sha256,
            "amplification": amplification,
            "operator": self.operator.by_size.iter().map(figures_of).collect::<Vec<_>>(),
        });
        let head = format!(
            "file       {} ({} records, {} items)\noperator   amplification {}\n\
             not judged whether the sets were drawn as the manifest says; their sizes agree with \
             it\n",
            self.path,
            count(rows),
            count(u64::from(self.operator.n_items)),
            quantity(amplification)
        );
        let json = json.as_object().cloned().unwrap_or_default();
        Figures { rows, is_true: None, json, head, tail: String::new() }
    }
}

/// The figures of the operator for sets of one size.
fn figures_of(of: &SizeOperator) -> serde_json::Value {
    let mut figures = serde_json::Map::new();
    figures.insert("size".into(), of.size.into());
    figures.insert("rho".into(), of.rho.into());
    figures.insert("kept".into(), of.mean_kept().into());
    figures.into()
}
