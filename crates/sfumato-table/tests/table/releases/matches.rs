//! Releases without classes: the matches that an algorithm states are checked in the written file,
//! one by one.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::facts::Fact;
use sfumato_core::matches::Matches;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, MatchedBoxes, Recoding, Value};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{ErrorKind, Result};
use sfumato_report::Report;
use sfumato_table::Job;
use sfumato_table::data::encode::SavedLevels;
use sfumato_table::run_with;

const ROWS: usize = 12;

/// Twelve records whose ages are 20 to 31.
fn job(folder: &Path) -> Job {
    let rows: String =
        (0..ROWS).map(|i| format!("{},{}\n", 20 + i, ["flu", "hiv"][i % 2])).collect();
    std::fs::write(folder.join("data.csv"), format!("age,ward\n{rows}")).unwrap();
    let text = r#"
        [input]
        path = "data.csv"
        [columns]
        age = { role = "quasi" }
        ward = { role = "sensitive" }
        [privacy]
        models = ["nonreciprocal-k-anonymity(k=3)"]
        [output]
        path = "release.csv"
        [run]
        seed = 1
    "#;
    Job::parse(text, "release.toml", folder).unwrap()
}

struct Says<F>(F);

static INFO: Info = Info {
    name: "says",
    summary: "",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl<F: Fn() -> MatchedBoxes + Sync> Algorithm for Says<F> {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, _: &Task<'_>) -> Result<Box<dyn Recoding>> {
        Ok(Box::new((self.0)()))
    }
}

/// A ring: record i matches the regions i to i + m - 1, and region i is around `around` records
/// that end at i.
fn ring(m: usize, around: usize, class_of_row: impl Fn(usize) -> usize) -> MatchedBoxes {
    let post = (0..ROWS).flat_map(|row| (0..m).map(move |step| ((row + step) % ROWS) as u32));
    let region = |class: usize| match class + 1 >= around {
        true => vec![Value::Range { lo: (class + 1 - around) as u32, hi: class as u32 + 1 }],
        // The first regions are around the last records too.
        false => vec![Value::Any],
    };
    let classes = (0..ROWS).map(|row| class_of_row(row) as u32).collect();
    let boxes = Boxes::new(1, (0..ROWS).map(region), classes).unwrap();
    MatchedBoxes::new(boxes, Matches::new(m, post.collect()).unwrap()).unwrap()
}

fn run(says: impl Fn() -> MatchedBoxes + Sync) -> Result<Report> {
    let folder = tempfile::tempdir().unwrap();
    let report =
        run_with(&job(folder.path()), Some(&Says(says)), &SavedLevels::default(), &Unobserved);
    assert_eq!(folder.path().join("release.csv").exists(), report.is_ok());
    report
}

#[test]
fn matches_that_are_there_pass() {
    for shift in 0..3 {
        let report = run(|| ring(3, 3, |row| (row + shift) % ROWS)).unwrap();
        let guarantee = &report.guarantees[0];
        assert!(guarantee.holds && guarantee.scope == "linked");
        assert_eq!(guarantee.achieved.as_ref().and_then(|k| k.as_u64()), Some(3));
    }
}

#[test]
fn matches_that_are_not_there_are_caught() {
    let caught = |says: &(dyn Fn() -> MatchedBoxes + Sync)| {
        let error = run(says).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{error}");
        error.to_string()
    };
    let narrow = caught(&|| ring(3, 2, |row| row));
    assert!(narrow.contains("should match doesn't cover it"), "{narrow}");
    let few = caught(&|| ring(2, 3, |row| row));
    assert!(few.contains("nonreciprocal-k-anonymity(k=3) doesn't hold in 12 groups"), "{few}");
    // The true region covers the record, but isn't among its matches.
    let stranger = caught(&|| ring(3, 5, |row| (row + 3) % ROWS));
    assert!(stranger.contains("doesn't match it"), "{stranger}");
    let untrue = caught(&|| ring(3, 3, |row| (row + ROWS - 1) % ROWS));
    assert!(
        untrue.contains("doesn't cover its original") || untrue.contains("doesn't match it"),
        "{untrue}"
    );
}
