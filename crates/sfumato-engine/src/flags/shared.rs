//! Flags that several kinds have and that mean the same to each. A kind that has one lists it.

use sfumato_core::Result;
use sfumato_core::registry::Call;

use super::{Command, Flag, Sets, Takes};
use crate::job::Job;

use Command::{Anonymize, Audit, Explain, Explore, Run, Study};

/// Commands that know the output.
const WRITING: &[Command] = &[Anonymize, Explain];

/// Every record is published like k - 1 others, as the first of the models.
pub const K: Flag = Flag::new(
    "k",
    Takes::Whole("K"),
    "k-anonymity: every record is published like at least k - 1 others.",
    &[Anonymize, Explain, Run, Study],
    Sets::By("models in [privacy]", |job, values| model_first(job, "k-anonymity", values)),
)
.goal();

/// The same in an audit, as the last of the models.
pub const K_AUDITED: Flag = Flag::new(
    "k",
    Takes::Whole("K"),
    "k-anonymity that must hold, or the command ends with exit code 3.",
    &[Audit],
    Sets::By("models in [privacy]", |job, values| model_last(job, "k-anonymity", values)),
)
.goal();

/// Rows in the order of the input.
pub const KEEP_ORDER: Flag = Flag::new(
    "keep-order",
    Takes::Nothing,
    "Leave rows in the order of the input; the report says so.",
    WRITING,
    Sets::Yes("output", "keep_order"),
);

/// The flag that asks for a bucket release.
pub const BUCKETS: Flag = Flag::new(
    "buckets",
    Takes::OneOf("FORM", &["linked", "permuted"]),
    "Publish classes as buckets: quasi values as they are, sensitive values as those of a group; \
     OUT is a folder of two tables (linked) or one table with values permuted within groups \
     (permuted).",
    &[Anonymize, Explain, Explore],
    Sets::Text("output", "buckets"),
);

/// The column of a bucket release that links its tables.
pub const GROUP_COLUMN: Flag = Flag::new(
    "group-column",
    Takes::One("NAME"),
    "The column that says the group of a record, where 'group' is taken.",
    WRITING,
    Sets::Text("output", "group"),
);

/// Put `name(k=K)` before the other models of a job.
pub fn model_first(job: &mut Job, name: &str, values: &[String]) -> Result<()> {
    put_model(job, name, values, true);
    Ok(())
}

/// Put `name(k=K)` after the other models of a job.
pub fn model_last(job: &mut Job, name: &str, values: &[String]) -> Result<()> {
    put_model(job, name, values, false);
    Ok(())
}

fn put_model(job: &mut Job, name: &str, values: &[String], is_first: bool) {
    let Some(k) = values.last() else { return };
    let mut models = job.list("privacy", "models");
    if is_first {
        // A k on the command line takes the place of the k of a release.toml, and of nothing that
        // the command line says itself.
        let is_named = |model: &String| model.parse::<Call>().is_ok_and(|call| call.name == name);
        for written in job.written_list("privacy", "models").iter().filter(|one| is_named(one)) {
            if let Some(place) = models.iter().position(|model| model == written) {
                models.remove(place);
            }
        }
    }
    let place = if is_first { 0 } else { models.len() };
    models.insert(place, format!("{name}(k={k})"));
    job.set("privacy", "models", models);
}
