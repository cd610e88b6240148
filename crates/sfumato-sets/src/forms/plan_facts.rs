//! What plans of every form of baskets have in common, for whoever asks what would be done.

use crate::traits::SetRequirement;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_report::numbers::{bytes, count};

use crate::data::read::Loaded;

/// The facts of a plan that is made of these records and this algorithm; the form says the rest.
pub(crate) fn plan_facts(
    loaded: &Loaded,
    read_ms: f64,
    (info, params, is_auto): (&Info, &Params, bool),
) -> PlanFacts {
    let sets = &loaded.baskets.quasi;
    let used = sets.counts().iter().filter(|n| **n > 0).count() as u64;
    let mean = sets.n_instances() as f64 / sets.len() as f64;
    PlanFacts {
        read: ReadFacts {
            records: sets.len() as u64,
            called: "records",
            bytes: loaded.source.bytes,
            besides: format!("{} different items, {mean:.1} items on average", count(used)),
            about: Vec::new(),
        },
        algorithm: AlgorithmFacts {
            call: params.describe(),
            why: if is_auto { "chosen by auto".into() } else { String::new() },
            summary: info.summary.into(),
            notes: Vec::new(),
        },
        suppresses: "no records".into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::unknown(format!(
            "{} for the records; algorithms hold one to four times that beside them",
            bytes(sets.bytes())
        )),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    }
}

/// A requirement with what it counts.
pub(crate) fn required(requirement: &dyn SetRequirement) -> String {
    let counted: Vec<String> = requirement
        .asks()
        .into_iter()
        .map(|(hiding, k)| format!("{} {}", count(k), hiding.describe()))
        .collect();
    match (counted.is_empty(), requirement.combinations()) {
        (true, Ok(Some(asked))) => format!(
            "{}: at least {} published records with every combination of items",
            requirement.describe(),
            count(asked.required)
        ),
        _ => format!("{}: at least {}", requirement.describe(), counted.join(", at least ")),
    }
}
