//! The published graphs of co-authors and friends: releases hold, and few edges are changed.

use crate::support::{audit, job, run};

/// The folder of data sets, if it is there.
fn data() -> Option<std::path::PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var("SFUMATO_DATA").unwrap_or_else(|_| beside.into());
    let folder = std::path::Path::new(&folder).join("graph");
    match folder.is_dir() {
        true => Some(folder),
        false => {
            eprintln!("skipped: {} isn't there (see SFUMATO_DATA)", folder.display());
            None
        }
    }
}

/// The peer that was measured changes 122 edges of the co-authors for k = 5.
#[test]
fn co_authors_change_few_edges() {
    let Some(data) = data() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data.join("ca-GrQc.txt.gz"), folder.path().join("g.txt.gz")).unwrap();
    let job = job(folder.path(), "g.txt.gz", "edges", &["k-degree(k=5)"], "out.txt");
    let report = run(&job).unwrap();
    assert_eq!(report.input.rows, 5_242);
    let changed = report.metrics.iter().find(|(name, _)| *name == "edges-changed").unwrap().1;
    assert!(changed.unwrap() <= 60.0, "{changed:?}");
    let said = report.warnings.join("\n");
    assert!(said.contains("12 edges of the input lead"), "{said}");
    let audited = audit(&folder.path().join("out.txt"), None, &["k-degree(k=5)"]).unwrap();
    assert!(audited.holds, "{}", audited.words);
}
