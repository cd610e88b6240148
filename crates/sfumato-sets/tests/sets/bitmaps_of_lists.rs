//! Bitmaps of baskets that lie in list columns: the release is list columns too.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::sets::Transactions;
use sfumato_engine::Job;
use sfumato_engine::job::{BasketSpec, InputSpec};
use sfumato_io::{AtomicFile, BasketForm, BasketOptions, BasketWriteOptions, read_baskets, write_baskets};
use sfumato_sets::forms::bitmaps::{BitmapAuditRequest, audit};

const FORM: &str = "list(column=bought)";

fn list() -> BasketForm {
    BasketForm::List { column: "bought".into(), key: None }
}

/// Four baskets of a, b and c, one of them empty.
fn write(path: &Path) {
    let names = ["a", "b", "c"].map(String::from);
    let sets = Transactions::from_sets(3, [vec![0, 1], vec![0], vec![], vec![0, 2]]);
    let rows = |row: usize, codes: &mut Vec<u32>| codes.extend(sets.set(row));
    let options = BasketWriteOptions::for_destination(&path.display().to_string(), &list()).unwrap();
    let file = AtomicFile::create(path, false).unwrap();
    write_baskets(file, &list(), &names, 4, &rows, &options, &Unobserved).unwrap().commit().unwrap();
}

#[test]
fn lists_stay_lists() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["parquet", "arrow"] {
        let path = folder.path().join(format!("log.{extension}"));
        write(&path);
        let text = format!(
            "[input]\npath = \"log.{extension}\"\n[baskets]\nform = \"{FORM}\"\n[privacy]\nmodels = [\"nonreciprocal-k-anonymity(k=2)\"]\n[output]\npath = \"{extension}\"\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        let report =
            sfumato_sets::forms::subsets::run(&job, job.baskets.as_ref().unwrap(), &Unobserved).unwrap();
        assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
        let release = folder.path().join(extension);
        let base = release.join(format!("base.{extension}")).display().to_string();
        let read = read_baskets(&base, &list(), &BasketOptions::default(), &Unobserved).unwrap();
        assert_eq!(read.sets.len(), 4);
        let audited = audit(
            &BitmapAuditRequest {
                input: InputSpec { path: release.display().to_string(), ..InputSpec::default() },
                models: vec!["nonreciprocal-k-anonymity(k=2)".into()],
                original: Some((
                    InputSpec { path: path.display().to_string(), ..InputSpec::default() },
                    BasketSpec { form: FORM.into(), ..BasketSpec::default() },
                )),
            },
            &Unobserved,
        )
        .unwrap();
        assert!(audited.holds && audited.is_true == Some(true));
    }
}
