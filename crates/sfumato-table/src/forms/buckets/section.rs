//! The section of a report about buckets of a table.

use sfumato_core::dataset::Role;
use sfumato_engine::section_of_buckets::Buckets;
use sfumato_report::{Audit, Report, Words, name_list};

use crate::forms::generalized::audit_arguments::of_role;

/// Add the groups to a report whose columns are known.
pub(super) fn tell(report: &mut Report, buckets: &Buckets) {
    report.words = Words {
        cost: "Kept",
        cost_note: "What the release still says about whose sensitive value is whose.",
        // The lines about groups say the same in words.
        cost_shown: 0,
        quasi: "and is published as it is",
        truthful: "Records are truthful in their quasi columns, which are those of real records; \
                   which of a group's sensitive values is whose isn't said.",
        ..report.words
    };
    report.audit = audit(report, buckets);
    report.sections = vec![buckets.section(report.words.counted)];
}

/// The arguments of an audit. Linked tables say themselves what they are; a permuted one looks like
/// any table.
fn audit(report: &Report, buckets: &Buckets) -> Audit {
    let mut audit = Audit::default();
    if buckets.layout == "permuted" {
        audit.add_public("--group", &buckets.group);
        audit.add_public("--sensitive", &name_list(&of_role(&report.columns, Role::Sensitive)));
    }
    audit
}
