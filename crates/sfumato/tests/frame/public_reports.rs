//! What public reports must not say, over every kind and form.

use sfumato_core::observer::Unobserved;
use sfumato_report::{EvidenceKind, PublicReport};

use crate::samples;

#[test]
fn where_noise_is_the_promise_nothing_measured_beside_the_original_is_public() {
    let mut seen = 0;
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let report = entry.run(&sample.job, &Unobserved).unwrap();
            if report.evidence.kind != EvidenceKind::ByConstruction {
                continue;
            }
            seen += 1;
            let public = PublicReport::from(&report);
            assert!(public.metrics.is_empty(), "{}", sample.name);
            assert!(public.suppressed.is_none() && public.classes.is_none(), "{}", sample.name);
        }
    }
    assert!(seen > 0, "no sample has a mechanism that promises privacy");
}
