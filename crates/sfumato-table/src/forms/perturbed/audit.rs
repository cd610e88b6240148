//! Audits a table of perturbed values: whether the file is the one that its manifest describes, and
//! whether it is built as such a table is. What it can't say is whether anybody is protected.

use sfumato_core::facts::Facts;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::input::read_options;
use sfumato_io::{Block, scan};
use sfumato_report::numbers::count;

use crate::job::Job;

/// What no audit of such a file can say.
const NOT_JUDGED: &str = "whether anybody can be found: perturbed values needn't cover their \
                          originals, so the file alone shows no promise";

/// The key of a manifest that names the perturbed columns of numbers.
pub const NUMBERS: &str = "numbers";

/// A table of perturbed values that was read to be audited.
pub struct OpenedValues {
    path: String,
    rows: u64,
    n_columns: usize,
    perturbed: Vec<String>,
    sha256: String,
}

impl Facts for OpenedValues {
    fn release(&self) -> &'static str {
        "a table of perturbed values"
    }
}

/// Refuse models by name: none can be judged.
pub fn refuse_models(models: &[String]) -> Result<()> {
    match models.is_empty() {
        true => Ok(()),
        false => {
            let message = format!("{} can't be judged on perturbed values", models.join(", "));
            Err(Error::unsupported(message)
                .hint("leave models out: the audit then checks that the file is whole"))
        }
    }
}

/// Read a file and compare it with its manifest.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<OpenedValues> {
    let input = &request.job.input;
    refuse_models(&request.job.privacy.models)?;
    if request.original.is_some() {
        return Err(Error::unsupported(
            "perturbed values needn't cover their originals, so there is nothing to compare",
        )
        .hint("leave the original out: the audit then checks that the file is whole"));
    }
    let wrong = |message: &str| Error::input(message).in_file(&input.path);
    let Some(manifest) = &request.manifest else {
        return Err(wrong("without its manifest nothing tells perturbed values from others"));
    };
    let file = manifest.holding("rows").map_err(|error| error.in_file(&input.path))?;
    let perturbed = manifest.details_of("quasi");
    if perturbed.is_empty() && manifest.form == "perturbed" {
        return Err(wrong("the manifest doesn't say which columns are perturbed"));
    }
    let numbers = manifest.details_of(NUMBERS);
    let sensitive = manifest.details_of("sensitive");
    let mut select = |header: &[String]| {
        let lacks = |name: &&String| !header.contains(name);
        if let Some(name) = perturbed.iter().chain(&sensitive).find(lacks) {
            let message = format!("the file has no column '{name}', which its manifest names");
            return Err(wrong(&message));
        }
        Ok(header.iter().map(|name| perturbed.contains(name)).collect())
    };
    let mut look = |_: &Block<'_>| Ok(());
    let scanned = scan(&input.path, &read_options(input)?, &mut select, &mut look, observer)?;
    if scanned.source.sha256 != file.sha256 {
        return Err(wrong("this isn't the file that the manifest beside it describes")
            .hint("it was changed after it was published: get it again from where it came from"));
    }
    let rows = scanned.n_rows as u64;
    if rows != file.rows || rows != manifest.rows {
        return Err(wrong(&format!(
            "the file has {} records, and its manifest says {}",
            count(rows),
            count(file.rows)
        )));
    }
    // One text may stand for a missing value; every other one of these columns is a number.
    for ((place, texts), null) in
        scanned.selected.iter().zip(&scanned.dictionaries).zip(&scanned.nulls)
    {
        let is_text = |(code, text): (u32, &str)| {
            Some(code) != *null && !text.is_empty() && text.trim().parse::<f64>().is_err()
        };
        let name = &scanned.header[*place];
        if numbers.contains(name)
            && (0u32..).zip(texts.iter()).filter(|of_code| is_text(*of_code)).count() > 1
        {
            return Err(wrong(&format!(
                "column '{name}' is said to be perturbed, and has values that are no numbers"
            )));
        }
    }
    Ok(OpenedValues {
        path: input.path.clone(),
        rows,
        n_columns: scanned.header.len(),
        perturbed,
        sha256: scanned.source.sha256,
    })
}

impl OpenedValues {
    /// What was checked, and what wasn't judged.
    pub fn figures(&self) -> Figures {
        let OpenedValues { path, rows, n_columns, perturbed, sha256 } = self;
        let checked = [
            "the file has the hash, the number of records and the columns of its manifest",
            "the columns that the manifest names are there, and numbers where it says so",
        ];
        let json = serde_json::json!({
            "sha256": sha256,
            "perturbed": perturbed,
            "checked": checked,
            "not_judged": NOT_JUDGED,
        });
        let head = format!(
            "file       {path} ({} rows, {n_columns} columns)\nperturbed  {}\nchecked    {}\n\
             \x20          {}\nnot judged {NOT_JUDGED}\n",
            count(*rows),
            perturbed.join(", "),
            checked[0],
            checked[1],
        );
        let json = json.as_object().cloned().unwrap_or_default();
        Figures { rows: *rows, is_true: None, json, head, tail: String::new() }
    }
}
