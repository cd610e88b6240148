//! Adult with its nine hierarchies: real data through the whole pipeline. Skipped, and said so, without the data folder.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;

const QUASI: [&str; 9] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
];

fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SFUMATO_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    if folder.join("relational/adult_arx.csv.gz").exists() {
        return Some(folder);
    }
    eprintln!("skipped: the data folder isn't there (set SFUMATO_DATA)");
    None
}

/// Adult and its hierarchies in a folder of their own.
fn adult(data: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let archive = data.join("relational/arx_hierarchies.tar.gz");
    let status = Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder.path()).status().unwrap();
    assert!(status.success());
    std::fs::copy(data.join("relational/adult_arx.csv.gz"), folder.path().join("adult.csv.gz")).unwrap();
    folder
}

fn job(folder: &Path, sensitive: Option<&str>, models: &[&str]) -> Job {
    let mut text = String::from(
        "[input]\npath = \"adult.csv.gz\"\n[output]\npath = \"release.csv\"\n[run]\nseed = 3\n[columns]\n",
    );
    for column in QUASI {
        let role = if Some(column) == sensitive { "sensitive" } else { "quasi" };
        text += &format!(
            "\"{column}\" = {{ role = \"{role}\", hierarchy = {{ file = \"arx_hierarchies/adult_hierarchy_{column}.csv\" }} }}\n"
        );
    }
    text += &format!("[privacy]\nmodels = {models:?}\n");
    Job::parse(&text, "release.toml", folder).unwrap()
}

#[test]
fn adult_is_k_anonymous_for_several_k() {
    let Some(data) = data_folder() else { return };
    let folder = adult(&data);
    let mut losses = Vec::new();
    for k in [2, 5, 10, 50] {
        let report =
            sfumato_engine::run(&job(folder.path(), None, &[&format!("k-anonymity(k={k})")]), &Unobserved)
                .unwrap();
        let classes = report.classes.unwrap();
        assert!(classes.min >= k, "{k}");
        assert_eq!(report.input.rows, 30_162);
        assert_eq!(report.output.unwrap().rows, 30_162);
        losses.push(report.metrics.get("ncp").unwrap().unwrap());
    }
    assert!(losses.is_sorted(), "loss grows with k: {losses:?}");
    assert!(losses[1] < 0.13, "k = 5 lost more than list-based Mondrians do: {losses:?}");
}

#[test]
fn adult_serves_the_models_of_attribute_disclosure() {
    let Some(data) = data_folder() else { return };
    let folder = adult(&data);
    for model in [
        "l-diversity-distinct(l=3, on=occupation)",
        "l-diversity-entropy(l=3, on=occupation)",
        "l-diversity-recursive(c=3, l=3, on=occupation)",
        "t-closeness(t=0.2, distance=equal, on=occupation)",
        "t-closeness(t=0.2, distance=hierarchical, on=occupation)",
        "alpha-k-anonymity(alpha=0.5, k=5, on=occupation)",
        "beta-likeness-enhanced(beta=2, on=occupation)",
        "p-sensitive-k-anonymity(p=2, k=5, on=occupation)",
    ] {
        let job = job(folder.path(), Some("occupation"), &["k-anonymity(k=5)", model]);
        let report =
            sfumato_engine::run(&job, &Unobserved).unwrap_or_else(|error| panic!("{model}: {error}"));
        assert!(
            report.guarantees.len() >= 2 && report.guarantees.iter().all(|guarantee| guarantee.holds),
            "{model}"
        );
    }
}
