//! Writes the reports of a run, and formats parameters for them.

use std::path::Path;

use sfumato_core::group::Guarantee;
use sfumato_core::registry::{Argument, Params};
use sfumato_core::traits::Direction;
use sfumato_core::{Error, Result};
use sfumato_io::{AtomicFile, write_text_unnamed};
use sfumato_report as shown;

use crate::kind::Common;
use crate::paths::resolve;

/// Write the reports that the job asks for. They have no names yet: they get them with the
/// release. The private one is for the steward's eyes only.
pub fn write_reports(job: &Common<'_>, report: &shown::Report) -> Result<Vec<AtomicFile>> {
    let mut written = Vec::new();
    if let Some(path) = job.report {
        let path = resolve(job.base, path);
        let text = if is_json(&path)? { report.to_json() } else { shown::render_private(report) };
        written.push(write_text_unnamed(Path::new(&path), &text, true)?);
    }
    if let Some(path) = job.public_report {
        let path = resolve(job.base, path);
        let public = shown::PublicReport::from(report);
        let text = if is_json(&path)? { public.to_json() } else { shown::render_public(&public) };
        written.push(write_text_unnamed(Path::new(&path), &text, false)?);
    }
    Ok(written)
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
pub fn job_json<J: serde::Serialize>(job: &J) -> serde_json::Value {
    serde_json::to_value(job).expect("a job has only strings, numbers, lists and tables")
}

/// Parameters as JSON.
pub fn args_json<'a, K: ToString>(
    args: impl Iterator<Item = (K, &'a Argument)>,
) -> serde_json::Value {
    let word = |text: &str| match text.parse::<f64>() {
        Ok(number) => shown::figure(number).map_or(text.into(), serde_json::Value::Number),
        Err(_) => serde_json::Value::String(text.into()),
    };
    let value = |argument: &Argument| match argument {
        Argument::Word(text) => word(text),
        Argument::List(items) => items.iter().map(|item| word(item)).collect(),
    };
    serde_json::Value::Object(
        args.map(|(name, argument)| (name.to_string(), value(argument))).collect(),
    )
}

/// Checked parameters as JSON.
pub fn params_json(params: &Params) -> serde_json::Value {
    args_json(params.values().iter())
}

/// A guarantee as the report shows it.
pub fn shown_guarantee(guarantee: &Guarantee, evidence: &str) -> shown::Guarantee {
    let call = guarantee.requirement.parse::<sfumato_core::registry::Call>();
    shown::Guarantee {
        model: guarantee.model.into(),
        params: call.map_or(serde_json::Value::Null, |call| args_json(call.args.iter())),
        measure: guarantee.measure.name.into(),
        bound: match guarantee.measure.direction {
            Direction::AtLeast => shown::Bound::AtLeast,
            Direction::AtMost | Direction::Below => shown::Bound::AtMost,
        },
        required: shown::figure(guarantee.measure.required),
        achieved: shown::figure(guarantee.achieved),
        holds: guarantee.holds,
        scope: guarantee.scope.into(),
        evidence: evidence.into(),
    }
}

/// What was required and what was achieved, one line for each guarantee, for the terminal.
pub fn guarantee_words(guarantees: &[shown::Guarantee]) -> String {
    let line = |guarantee: &shown::Guarantee| {
        let verdict = if guarantee.holds { "holds" } else { "DOES NOT HOLD" };
        let figure =
            |n: &Option<serde_json::Number>| n.as_ref().map_or("none".into(), figure_words);
        format!(
            "required   {} {} {} {}: achieved {}: {verdict}\n",
            guarantee.model,
            guarantee.measure,
            guarantee.bound.words(),
            figure(&guarantee.required),
            figure(&guarantee.achieved)
        )
    };
    guarantees.iter().map(line).collect()
}

/// A number for people: a whole number, or a few digits.
pub fn figure_words(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => shown::numbers::count(whole),
        (None, Some(value)) => shown::numbers::quantity(value),
        _ => number.to_string(),
    }
}
