//! Jobs about tables stay the same after writing and reading, and errors name their place.

use super::*;

const SAMPLE: &str = r#"
[input]
path = "patients.csv"
[columns]
name     = { role = "identifier" }
age.role = "quasi"
age.hierarchy = { interval = { width = 5, levels = 4 } }
age.publish = ["interval", "mean"]
age.snap = 0.5
zip      = { role = "quasi", hierarchy = { mask = { from = "right" } }, weight = 2.0 }
job      = { role = "quasi", hierarchy = { file = "job.csv" }, missing = "suppressed" }
"odd name" = { role = "keep" }
disease  = { role = "sensitive" }
[privacy]
models = ["k-anonymity(k=10)", "l-diversity-entropy(l=3, on=disease)"]
max_suppression = "2%"
[workload]
tasks = ["aggregation(column=age)"]
[output]
path = "release.csv"
"#;

fn parse(text: &str) -> Result<Job> {
    Job::parse(text, "release.toml", Path::new(""))
}

#[test]
fn a_job_survives_being_written_and_read() {
    let job = parse(SAMPLE).unwrap();
    let names: Vec<_> = job.columns.0.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["name", "age", "zip", "job", "odd name", "disease"]);
    assert_eq!(
        job.columns.get("age").unwrap().hierarchy.as_ref().unwrap().to_string(),
        "interval(levels=4, width=5)"
    );
    let again = parse(&job.to_toml()).unwrap();
    assert_eq!(again, job, "{}", job.to_toml());
}

#[test]
fn errors_name_line_and_column() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        message("[input]\npath = \"a\"\nfromat = 1\n"),
        "release.toml:3:1: unknown field `fromat`, expected one of `path`, `format`, `delimiter`, \
            `header`, `encoding`, `missing`"
    );
    assert!(message("[input]\npath = \n").starts_with("release.toml:2:"));
    assert_eq!(message("[input]\npath = \"a\"\n"), "release.toml: the job names no output");
    assert_eq!(
        message(
            "[input]\npath = \"a\"\n[output]\npath = \"b\"\n[run]\nseed = 9223372036854775808\n"
        ),
        "release.toml:6:8: u64 value was too large"
    );
    assert!(message("[columns]\na = { role = \"quazi\" }\n").contains("unknown variant `quazi`"));
    assert!(
        message("[columns]\na = { role = \"quasi\", hierarchy = { mask = {}, date = {} } }")
            .contains("exactly one builder")
    );
}
