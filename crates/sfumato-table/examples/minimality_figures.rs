//! What algorithms lose and what attackers learn on Adult, where a model looks at sensitive values:
//! `cargo run --release -p sfumato-table --example minimality_figures -- FOLDER`, a folder with
//! `adult.csv` and `arx_hierarchies/adult_hierarchy_COLUMN.csv`.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::AttackAsked;
use sfumato_engine::entry::Request;
use sfumato_engine::{AnyRelease, Job};
use sfumato_table::RELEASES;

const COLUMNS: [&str; 9] = [
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
const ATTACKS: [&str; 5] = [
    "record-linkage",
    "homogeneity(certainty=0.9)",
    "background-knowledge(excluded=2)",
    "skewness",
    "minimality",
];

/// The sensitive column, and models about it.
const ASKED: [(&str, &[&str]); 5] = [
    ("occupation", &["k-anonymity(k=10)", "l-diversity-distinct(l=3)"]),
    ("occupation", &["k-anonymity(k=10)", "t-closeness(t=0.2)"]),
    ("education", &["k-anonymity(k=5)", "confidence-bounding(h=0.35)"]),
    ("education", &["k-anonymity(k=5)", "confidence-bounding(h=0.40)"]),
    ("education", &["k-anonymity(k=5)", "confidence-bounding(h=0.50)"]),
];

fn job(folder: &Path, file: &str, sensitive: &str, models: &[&str]) -> Result<Job> {
    let path = folder.join(file).display().to_string();
    let mut text = format!("[input]\npath = {path:?}\n[privacy]\nmodels = {models:?}\n[columns]\n");
    for column in COLUMNS {
        let role = if column == sensitive { "sensitive" } else { "quasi" };
        text += &format!(
            "\"{column}\" = {{ role = \"{role}\", hierarchy = {{ file = \
             \"arx_hierarchies/adult_hierarchy_{column}.csv\" }} }}\n"
        );
    }
    Job::parse(&text, "release.toml", folder)
}

fn entry(job: &Job) -> Result<&'static dyn AnyRelease> {
    let found = RELEASES.iter().find(|entry| entry.takes(job).unwrap_or(false));
    found.copied().ok_or_else(|| Error::internal("no form takes the job"))
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).ok_or_else(|| Error::params("name a folder"))?;
    let folder = Path::new(&folder);
    for (sensitive, models) in ASKED {
        for algorithm in ["auto", "mondrian", "veiled-mondrian(veil=2)", "blind-mondrian"] {
            let mut making = job(folder, "adult.csv", sensitive, models)?;
            making.set("recode", "algorithm", algorithm);
            making.set("output", "path", folder.join("figures.csv").display().to_string());
            making.set("run", "seed", 1);
            let report = match entry(&making)?.run(&making, &Unobserved) {
                Ok(report) => report,
                Err(error) => {
                    println!("{models:?} {algorithm}: {error}");
                    continue;
                }
            };
            let (ncp, made) =
                (report.metrics.get("ncp").copied().flatten(), &report.algorithm.name);
            let released = job(folder, "figures.csv", sensitive, models)?;
            let request = Request {
                original: Some(job(folder, "adult.csv", sensitive, models)?),
                attack: AttackAsked {
                    attacks: ATTACKS.map(String::from).to_vec(),
                    ..AttackAsked::default()
                },
                job: released.clone(),
                ..Request::default()
            };
            let learnt = entry(&released)?.attack(&request, &Unobserved)?;
            let told = learnt.attacks.iter().map(|played| {
                format!(
                    "{} {:.3} ({:.3}-{:.3}, guessing {:.3}, {})",
                    played.attack,
                    played.rate.unwrap_or(f64::NAN),
                    played.low.unwrap_or(f64::NAN),
                    played.high.unwrap_or(f64::NAN),
                    played.baseline,
                    played.queries
                )
            });
            println!("{models:?} {algorithm} ({made}): NCP {ncp:?}");
            told.for_each(|line| println!("    {line}"));
        }
    }
    Ok(())
}
