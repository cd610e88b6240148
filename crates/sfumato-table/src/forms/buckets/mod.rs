//! Bucket releases of tables: quasi values are published as they are, beside the number of a group;
//! sensitive values only as those of the group, in a table of their own or permuted within groups.

mod check;
mod form;
mod lies;
mod publish;
pub mod read;
mod report;
mod section;
mod verify;

pub use check::{check, check_requirements};
pub use form::Buckets;
pub(crate) use verify::CellCheck;

use sfumato_core::registry::Call;
use sfumato_core::traits::Algorithm;
use sfumato_core::{Error, Result};

use crate::forms::generalized::make_plan::needs_classes;
use crate::job::{BucketLayout, Job};

/// The name of the column with the number of records of a group that have a value.
pub const COUNT: &str = "count";

/// The layout of the bucket release that a job or its algorithm asks for. `None` if values are
/// generalized.
pub fn layout_of(job: &Job) -> Result<Option<BucketLayout>> {
    if job.output.buckets.is_some() || job.recode.algorithm == "auto" {
        return Ok(job.output.buckets);
    }
    let call: Call = job.recode.algorithm.parse()?;
    let is_other = crate::algorithms::perturbed::is_one(&call.name)
        || crate::algorithms::synthetic::is_one(&call.name)
        || crate::algorithms::tabulated::is_one(&call.name);
    if is_other {
        return Ok(None);
    }
    let algorithm = crate::algorithms::find(&call.name)?;
    Ok(algorithm.info().capabilities.makes_buckets.then_some(BucketLayout::default()))
}

/// Find an algorithm that generalizes by its name. Those that make buckets have no loss that a
/// metric could measure.
pub fn find_generalizing(name: &str) -> Result<&'static dyn Algorithm> {
    let algorithm = crate::algorithms::find(name)?;
    needs_classes(algorithm)?;
    match algorithm.info().capabilities.makes_buckets {
        false => Ok(algorithm),
        true => Err(Error::unsupported(format!(
            "{name} publishes quasi values as they are, in buckets: it generalizes nothing"
        ))
        .hint("take another algorithm here, such as mondrian")),
    }
}
