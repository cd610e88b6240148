//! The facts of a plan about mixed records, without running it.

use sfumato_core::Result;
use sfumato_core::registry::{Call, Params};
use sfumato_engine::context::Context;
use sfumato_engine::explain::{PlanFacts, ReadFacts};
use sfumato_engine::form::Form;
use sfumato_engine::paths::resolve;
use sfumato_report::numbers::{count, counted};
use sfumato_table::kind::Tables;
use sfumato_table::sealed::lend;

use super::decide::column_models;
use super::judged::GENERALIZED;
use super::promises::{bind_both, largest};
use crate::algorithms;
use crate::data::{MixedData, read};
use crate::job::Job;

/// Explain a job. Reads the records, because sizes depend on them, and writes nothing.
pub fn explain(job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
    let data = read(job, &resolve(&job.base, &job.input.path), context.observer)?;
    let both = bind_both(&job.models()?.1)?;
    let call: Call = match job.recode.algorithm.as_str() {
        "auto" => "class-merging".parse()?,
        other => other.parse()?,
    };
    let algorithm = algorithms::find(&call.name)?;
    let params = Params::check(algorithm.info(), &call.args)?;
    let columns: Vec<_> = data.table.columns.iter().collect();
    let loan = lend(&columns, data.len())?;
    let mut of_table = job.of_table(loan.name(), column_models(job, largest(&both)?)?);
    of_table.recode.algorithm = algorithm.first(&params);
    let mut facts = Form::<Tables<'static>>::explain(&GENERALIZED, &of_table, context)?;
    facts.read = ReadFacts {
        records: data.len() as u64,
        called: "mixed records",
        bytes: data.table.source.bytes,
        about: about(&data),
        ..ReadFacts::default()
    };
    facts.requires = both.all.iter().map(|requirement| requirement.describe()).collect();
    facts.requires.extend(job.models()?.0);
    facts.publishes.push("the items of each class, generalized or left out within it".into());
    facts.algorithm.call = call.to_string();
    facts.algorithm.summary =
        format!("{}; then {}", facts.algorithm.summary, algorithm.info().summary);
    Ok(facts)
}

/// What is known of items, a line each.
pub fn about(data: &MixedData) -> Vec<String> {
    let counts = data.quasi.counts();
    let n = counts.iter().filter(|n| **n > 0).count() as u64;
    let how = match &data.tree {
        Some(_) => "generalized by their hierarchy or left out, within each class",
        None => "left out of all rows of a class",
    };
    let mut lines = vec![format!(
        "{}: {} different items, {} in all ({how})",
        data.items_name,
        count(n),
        count(data.quasi.n_instances())
    )];
    let secret = data.units.sensitive_names().len() as u64;
    if secret > 0 {
        lines.push(format!("{}, published as they are", counted(secret, "sensitive item")));
    }
    lines
}
