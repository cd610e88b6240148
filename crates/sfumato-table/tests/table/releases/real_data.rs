//! Adult with its nine hierarchies: real data through the whole pipeline. Skipped, and said so,
//! without the data folder.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use sfumato_core::observer::Unobserved;
use sfumato_table::Job;

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
    let folder = std::env::var_os("SFUMATO_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
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
    let status =
        Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder.path()).status().unwrap();
    assert!(status.success());
    std::fs::copy(data.join("relational/adult_arx.csv.gz"), folder.path().join("adult.csv.gz"))
        .unwrap();
    folder
}

fn job(folder: &Path, sensitive: Option<&str>, models: &[&str]) -> Job {
    let mut text = String::from(
        "[input]\npath = \"adult.csv.gz\"\n[output]\npath = \"release.csv\"\n[run]\nseed = 3\n\
            [columns]\n",
    );
    for column in QUASI {
        let role = if Some(column) == sensitive { "sensitive" } else { "quasi" };
        text += &format!(
            "\"{column}\" = {{ role = \"{role}\", hierarchy = {{ file \
                = \"arx_hierarchies/adult_hierarchy_{column}.csv\" }} }}\n"
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
        let report = sfumato_table::run(
            &job(folder.path(), None, &[&format!("k-anonymity(k={k})")]),
            &Unobserved,
        )
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
        let report = sfumato_table::run(&job, &Unobserved)
            .unwrap_or_else(|error| panic!("{model}: {error}"));
        assert!(
            report.guarantees.len() >= 2
                && report.guarantees.iter().all(|guarantee| guarantee.holds),
            "{model}"
        );
    }
}

/// The optima that another tool proves for the same file, levels in the order of `QUASI`, under the
/// metric it minimizes.
#[test]
fn full_domain_finds_the_known_optima_of_adult() {
    let Some(data) = data_folder() else { return };
    let folder = adult(&data);
    let known = [
        (5, "0", [0, 4, 1, 1, 3, 2, 2, 1, 0], 0, 24),
        (10, "0", [0, 4, 1, 1, 3, 2, 2, 1, 0], 0, 24),
        (5, "5%", [0, 3, 0, 0, 2, 1, 1, 2, 0], 1_346, 397),
    ];
    for (k, suppression, levels, suppressed, classes) in known {
        for (algorithm, metric) in
            [("full-domain", "loss"), ("full-domain", "ncp"), ("incognito", "loss")]
        {
            let mut job = job(folder.path(), None, &[&format!("k-anonymity(k={k})")]);
            job.recode.algorithm = algorithm.into();
            job.recode.metric = metric.into();
            job.privacy.max_suppression = suppression.parse().unwrap();
            let report = sfumato_table::run(&job, &Unobserved).unwrap();
            let cuts = report.algorithm.details["cuts"].as_array().unwrap();
            let found: Vec<u64> = cuts.iter().map(|cut| cut["level"].as_u64().unwrap()).collect();
            assert_eq!(found, levels, "{algorithm} {metric} k = {k}, {suppression} suppressed");
            assert_eq!(
                (report.suppressed.records, report.classes.unwrap().count),
                (suppressed, classes)
            );
        }
    }
}

#[test]
fn mu_argus_is_refused_where_it_fails() {
    let Some(data) = data_folder() else { return };
    let folder = adult(&data);
    let mut job = job(folder.path(), None, &["k-anonymity(k=5)"]);
    job.recode.algorithm = "mu-argus".into();
    let error = sfumato_table::run(&job, &Unobserved).unwrap_err();
    assert_eq!(error.kind, sfumato_core::ErrorKind::Infeasible, "{error}");
    assert!(error.message.contains("was checked, failed, and was not written"), "{error}");
    assert!(!folder.path().join("release.csv").exists());
}
