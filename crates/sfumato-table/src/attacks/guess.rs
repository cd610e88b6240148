//! What attacks about sensitive values share: which column, who is asked about, and how often the
//! attacker is right.

use rayon::prelude::*;
use sfumato_core::registry::{ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{Outcome, Score};

use super::TableStage;

/// The parameter that names the sensitive column.
pub const ON: ParamSpec = ParamSpec::optional(
    "on",
    ParamKind::Text,
    "the sensitive column; the first of the release without it",
);

/// The parameter that says how sure an attacker must be to speak.
pub const CERTAINTY: ParamSpec = ParamSpec::with_default(
    "certainty",
    ParamKind::Number { min: 0.0, above: true, max: 1.0 },
    "1",
    "how sure the attacker must be of a value to take it for the person's",
);

/// What is as sure as a certainty asks for, up to rounding.
pub fn is_sure(chance: f64, certainty: f64) -> bool {
    chance >= certainty - 1e-9
}

/// The sensitive column that an attack is about.
pub fn sensitive(params: &Params, stage: &TableStage) -> Result<usize> {
    let Some(name) = params.text("on") else { return Ok(0) };
    stage.sensitive.iter().position(|column| column.name == name).ok_or_else(|| {
        let names: Vec<&str> = stage.sensitive.iter().map(|column| column.name.as_str()).collect();
        Error::params(format!("there is no sensitive column '{name}'"))
            .hint(format!("these are {}", names.join(", ")))
    })
}

/// Ask about everybody in the original, and about everybody in the control group: how likely the
/// attacker is right about a person, given by a function.
pub fn everybody(
    stage: &TableStage,
    baseline: f64,
    chance: impl Fn(usize) -> f64 + Sync,
) -> Outcome {
    let chances: Vec<f64> = (0..stage.n).into_par_iter().map(&chance).collect();
    let mut outcome = Outcome::of_everybody(&chances, baseline);
    let control: Vec<f64> = stage.control.clone().into_par_iter().map(&chance).collect();
    if !control.is_empty() {
        outcome.control = Some(Score::new(control.iter().sum(), control.len() as u64));
    }
    outcome
}

/// The mean over the people of the original of how likely a guess without the release is right.
pub fn without_release(stage: &TableStage, right: impl Fn(usize) -> f64) -> f64 {
    (0..stage.n).map(right).sum::<f64>() / stage.n.max(1) as f64
}

/// 1 if something is so, or else 0.
pub fn one_if(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}
