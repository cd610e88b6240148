//! Runs the algorithm. What comes back is a decision, not yet a release.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::recoding::Recoding;
use sfumato_core::traits::{Algorithm, Task};

use crate::stage::make_plan::Plan;

/// Find a recoding by the plan, with the algorithm given: the plan's own, or a stand-in of a test that lies.
pub fn anonymize(
    algorithm: &dyn Algorithm,
    plan: &Plan,
    table: &Table,
    observer: &dyn Observer,
) -> Result<Box<dyn Recoding>> {
    let task =
        Task { table, requirements: &plan.requirements, max_suppressed: plan.max_suppressed, observer };
    algorithm.anonymize(&plan.params, &task)
}
