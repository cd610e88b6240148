//! Writes the reports of a run, and spells parameters for them.

use std::path::Path;

use sfumato_core::registry::{Argument, Params};
use sfumato_core::{Error, Result};
use sfumato_io::write_text_atomically;
use sfumato_report as shown;

use crate::job::Job;
use crate::paths::resolve;

/// Write the reports that the job asks for. The private one is for the steward's eyes only.
pub fn write_reports(job: &Job, report: &shown::Report) -> Result<()> {
    if let Some(path) = &job.output.report {
        let path = resolve(&job.base, path);
        let text = if is_json(&path)? { report.to_json() } else { shown::render_private(report) };
        write_text_atomically(Path::new(&path), &text, true)?;
    }
    if let Some(path) = &job.output.public_report {
        let path = resolve(&job.base, path);
        let public = shown::PublicReport::from(report);
        let text = if is_json(&path)? { public.to_json() } else { shown::render_public(&public) };
        write_text_atomically(Path::new(&path), &text, false)?;
    }
    Ok(())
}

/// Whether a report is JSON; otherwise it is HTML.
pub fn is_json(path: &str) -> Result<bool> {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(true),
        Some("html" | "htm") => Ok(false),
        _ => Err(Error::params(format!("a report is .html or .json, not '{path}'"))),
    }
}

/// The job as a report shows it.
pub fn job_json(job: &Job) -> serde_json::Value {
    serde_json::to_value(job).expect("a job has only strings, numbers, lists and tables")
}

/// Parameters as JSON.
pub fn args_json<'a, K: ToString>(args: impl Iterator<Item = (K, &'a Argument)>) -> serde_json::Value {
    let word = |text: &str| match text.parse::<f64>() {
        Ok(number) => shown::figure(number).map_or(text.into(), serde_json::Value::Number),
        Err(_) => serde_json::Value::String(text.into()),
    };
    let value = |argument: &Argument| match argument {
        Argument::Word(text) => word(text),
        Argument::List(items) => items.iter().map(|item| word(item)).collect(),
    };
    serde_json::Value::Object(args.map(|(name, argument)| (name.to_string(), value(argument))).collect())
}

/// Checked parameters as JSON.
pub fn params_json(params: &Params) -> serde_json::Value {
    args_json(params.values().iter())
}
