//! The section of a report about buckets of baskets.

use crate::job::Job;
use sfumato_engine::section_of_buckets::Buckets;
use sfumato_report::{Report, Words};

use crate::forms::subsets::section::{BasketSection, words};

/// What recipients may rely on.
const TRUTHFUL: &str = "Records are truthful in their harmless items, which are those of real \
                        records; which of a group's sensitive items is whose isn't said.";

/// Add items and groups to a report.
pub(super) fn tell(report: &mut Report, job: &Job, baskets: &BasketSection, buckets: &Buckets) {
    // The lines about groups say in words what metrics say.
    report.words = Words { cost_shown: 0, truthful: TRUTHFUL, ..words() };
    report.audit = baskets.audit(job, buckets.layout == "linked");
    report.input.holds = Some(baskets.holds());
    report.sections = vec![baskets.section(), buckets.section(report.words.counted)];
}
