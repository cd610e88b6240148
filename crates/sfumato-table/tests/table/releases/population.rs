//! Models about a population: what SPALM and MPALM publish hides presence by a definition that
//! shares nothing with the engine, and what doesn't is refused.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::facts::{Fact, Promises as _};
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, Recoding, Value};
use sfumato_core::registry::{Argument, Call, Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_report::{Guarantee, Report};
use sfumato_table::Job;
use sfumato_table::audit::{TableAuditRequest, open};
use sfumato_table::data::encode::SavedLevels;
use sfumato_table::forms::generalized::make_plan::bind_models;
use sfumato_table::job::InputSpec;
use sfumato_table::{run, run_with};

const TOWNS: [&str; 6] = ["aa", "ab", "ba", "bb", "bc", ""];

/// Age and town of a person.
type Person = (u8, u8);

fn cells(person: &Person) -> String {
    format!("{},{}", person.0, TOWNS[person.1 as usize])
}

/// Write a population, of which some are in the data.
fn write(folder: &Path, people: &[(Person, bool)]) {
    let (mut data, mut all) = (String::from("age,town,ill\n"), String::from("town,name,age\n"));
    for (at, (person, is_in)) in people.iter().enumerate() {
        all += &format!("{},p{at},{}\n", TOWNS[person.1 as usize], person.0);
        if *is_in {
            data += &format!("{},{}\n", cells(person), ["flu", "hiv"][at % 2]);
        }
    }
    std::fs::write(folder.join("data.csv"), data).unwrap();
    std::fs::write(folder.join("people.csv"), all).unwrap();
    std::fs::write(folder.join("town.csv"), "aa;a*;*\nab;a*;*\nba;b*;*\nbb;b*;*\nbc;b*;*\n")
        .unwrap();
}

fn job(folder: &Path, models: &[&str], algorithm: &str) -> Job {
    let models: Vec<String> = models.iter().map(|model| format!("{model:?}")).collect();
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        [columns]
        age = {{ role = "quasi", type = "integer" }}
        town = {{ role = "quasi", hierarchy = {{ file = "town.csv" }} }}
        ill = {{ role = "sensitive" }}
        [privacy]
        models = [{}]
        [recode]
        algorithm = "{algorithm}"
        [population]
        path = "people.csv"
        [output]
        path = "release.csv"
        [run]
        seed = 5
        "#,
        models.join(", ")
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// Whether a published text may be about a value, read off the text.
fn may_be(text: &str, value: &str) -> bool {
    if text == "*" || text == value {
        return true;
    }
    if let Some((from, to)) =
        text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).and_then(|t| t.split_once(".."))
    {
        let number = |text: &str| text.parse::<i64>().unwrap();
        return (number(from)..=number(to)).contains(&number(value));
    }
    text.strip_suffix('*').is_some_and(|start| !value.is_empty() && value.starts_with(start))
}

/// The naive definition: the least and the largest chance of anybody, and the fewest people whom a
/// row may be about.
fn naive(release: &str, people: &[(Person, bool)]) -> (f64, f64, u64) {
    let rows: Vec<Vec<&str>> =
        release.lines().skip(1).map(|line| line.split(',').take(2).collect()).collect();
    let fits = |row: &[&str], person: &Person| {
        may_be(row[0], &person.0.to_string()) && may_be(row[1], TOWNS[person.1 as usize])
    };
    let of_row =
        |row: &Vec<&str>| people.iter().filter(|(person, _)| fits(row, person)).count() as u64;
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for (person, _) in people {
        let fitting = rows.iter().filter(|row| fits(row, person));
        let chance: f64 = fitting.map(|row| 1.0 / of_row(row) as f64).sum();
        (least, most) = (least.min(chance), most.max(chance));
    }
    (least, most, rows.iter().map(of_row).min().unwrap())
}

fn input(folder: &Path, name: &str) -> InputSpec {
    InputSpec { path: folder.join(name).display().to_string(), ..InputSpec::default() }
}

fn request(folder: &Path, release: &str, model: &str) -> TableAuditRequest {
    let path = folder.join("town.csv").display().to_string();
    let args = [("path".to_string(), Argument::Word(path))].into();
    TableAuditRequest {
        input: input(folder, release),
        quasi: ["age", "town"].map(String::from).to_vec(),
        sensitive: vec!["ill".into()],
        hierarchies: vec![("town".into(), Call { name: "file".into(), args })],
        models: vec![model.into()],
        population_table: Some(folder.join("people.csv").display().to_string()),
        ..TableAuditRequest::default()
    }
}

/// Whether an audit finds that a model holds.
fn audited(request: TableAuditRequest) -> Result<bool> {
    let models = request.models.clone();
    let opened = open(request, &Unobserved)?;
    let found = bind_models(&models, &opened.bind())?.judge(&opened)?;
    assert!(!found.is_empty());
    Ok(found.iter().all(|guarantee| guarantee.holds))
}

fn achieved(report: &Report, measure: &str) -> f64 {
    let is_it = |found: &&Guarantee| found.measure == measure && found.scope == "population";
    let found = report.guarantees.iter().find(is_it).unwrap();
    found.achieved.as_ref().and_then(|number| number.as_f64()).unwrap()
}

fn population() -> impl Strategy<Value = Vec<(Person, bool)>> {
    let person = ((20u8..30, 0u8..6), prop::bool::weighted(0.5));
    prop::collection::vec(person, 8..60)
        .prop_filter("somebody is in the data", |all| all.iter().any(|(_, is_in)| *is_in))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both algorithms keep both models by the naive definition, the report says what is achieved,
    /// and an audit without the original says the same; what is weaker holds, what is stronger not.
    #[test]
    fn what_hides_presence_does_so_by_the_naive_definition(
        people in population(), slack in 0u32..40, k in 1u64..12, with_k: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write(folder, &people);
        let rows = people.iter().filter(|(_, is_in)| *is_in).count() as f64;
        let share = rows / people.len() as f64;
        let max = (((share + f64::from(slack) / 100.0).min(1.0)) * 1000.0).ceil() / 1000.0;
        let min = ((share - f64::from(slack) / 60.0).max(0.0) * 1000.0).floor() / 1000.0;
        for model in [format!("delta-presence(min={min}, max={max})"), format!("k-map(k={k})")] {
            let asked: &[&str] = if with_k { &[&model, "k-anonymity(k=2)"] } else { &[&model] };
            for algorithm in ["spalm", "mpalm", "auto"] {
                let report = match run(&job(folder, asked, algorithm), &Unobserved) {
                    Ok(report) => report,
                    Err(error) => {
                        prop_assert_eq!(error.kind, ErrorKind::Infeasible, "{}", error);
                        let too_small = k > people.len() as u64 || (with_k && rows < 2.0);
                        prop_assert!(too_small, "{} {}: {}", algorithm, model, error);
                        continue;
                    }
                };
                let release = std::fs::read_to_string(folder.join("release.csv")).unwrap();
                let (least, most, fewest) = naive(&release, &people);
                if model.starts_with("delta") {
                    prop_assert!((achieved(&report, "delta_min") - least).abs() < 1e-9);
                    prop_assert!((achieved(&report, "delta_max") - most).abs() < 1e-9);
                    prop_assert!(least >= min - 1e-9 && most <= max + 1e-9);
                    let closer = format!("delta-presence(min={min}, max={})", most * 0.99);
                    let strict = audited(request(folder, "release.csv", &closer));
                    prop_assert!(matches!(strict, Ok(false)) || most * 0.99 < min, "{closer}");
                } else {
                    prop_assert_eq!(achieved(&report, "k"), fewest as f64);
                    prop_assert!(fewest >= k);
                    let closer = format!("k-map(k={})", fewest + 1);
                    prop_assert!(!audited(request(folder, "release.csv", &closer)).unwrap());
                }
                prop_assert!(audited(request(folder, "release.csv", &model)).unwrap());
                std::fs::remove_file(folder.join("release.csv")).unwrap();
            }
        }
    }
}

#[test]
fn alice_is_present_with_four_fifths_and_bob_with_three_quarters() {
    // Example 2.8 of the textbook: Tables 2.4 and 2.3, as an audit sees them.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let released = "job,sex,age,disease\n".to_string()
        + &"Professional,Male,[35-40),Hepatitis\n".repeat(3)
        + &"Artist,Female,[30-35),HIV\n".repeat(4);
    write("released.csv", &released);
    write(
        "external.csv",
        "job,sex,age\nWriter,Female,30\nEngineer,Male,35\nWriter,Female,30\nLawyer,Male,38\n\
         Dancer,Female,30\nEngineer,Male,38\nDancer,Female,30\nLawyer,Male,39\nDancer,Female,32\n",
    );
    write(
        "job.csv",
        "Engineer;Professional;*\nLawyer;Professional;*\nDancer;Artist;*\nWriter;Artist;*\n",
    );
    let path = |name: &str| folder.path().join(name).display().to_string();
    let args = [("path".to_string(), Argument::Word(path("job.csv")))].into();
    let holds = |model: &str| {
        audited(TableAuditRequest {
            input: input(folder.path(), "released.csv"),
            quasi: ["job", "sex", "age"].map(String::from).to_vec(),
            sensitive: vec!["disease".into()],
            hierarchies: vec![(
                "job".into(),
                Call { name: "file".into(), args: Clone::clone(&args) },
            )],
            models: vec![model.into()],
            population_table: Some(path("external.csv")),
            ..TableAuditRequest::default()
        })
        .unwrap()
    };
    assert!(holds("delta-presence(min=0.75, max=0.8)"));
    assert!(!holds("delta-presence(min=0.76, max=0.8)"));
    assert!(!holds("delta-presence(min=0.75, max=0.79)"));
    // Every row may be about four people, and some about no fifth.
    assert!(holds("k-map(k=4)") && !holds("k-map(k=5)"));
}

/// Publishes every record as it is.
struct Plainly;

static INFO: Info = Info {
    name: "plainly",
    summary: "",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for Plainly {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let quasi = task.table.quasi();
        let region = |row: usize| -> Vec<Value> {
            let cell = |column: &&sfumato_core::dataset::Column| {
                let code = column.codes.get(row);
                let is_missing = code == column.domain.missing();
                let hi = if is_missing { code } else { code + 1 };
                Value::covering(column, code, hi, is_missing)
            };
            quasi.iter().map(cell).collect()
        };
        let regions: Vec<Vec<Value>> = (0..task.table.n_rows).map(region).collect();
        let classes = (0..task.table.n_rows as u32).collect();
        Ok(Box::new(Boxes::new(quasi.len(), regions.into_iter(), classes)?))
    }
}

fn some_people() -> Vec<(Person, bool)> {
    (0..40u8).map(|at| ((20 + at % 10, at % 5), at % 2 == 0)).collect()
}

#[test]
fn the_verifier_refuses_what_shows_presence() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &some_people());
    for model in ["delta-presence(max=0.6)", "k-map(k=5)"] {
        let job = job(folder.path(), &[model], "mpalm");
        let error = run_with(&job, Some(&Plainly), &SavedLevels::default(), &Unobserved);
        let error = error.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{error}");
        assert!(error.message.contains("doesn't hold"), "{error}");
        assert!(!folder.path().join("release.csv").exists());
        run(&job, &Unobserved).unwrap();
        std::fs::remove_file(folder.path().join("release.csv")).unwrap();
    }
}

fn refused(job: &Job) -> Error {
    let error = run(job, &Unobserved).unwrap_err();
    assert!(!job.base.join("release.csv").exists());
    error
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, &some_people());
    let model = "delta-presence(max=0.6)";
    // An algorithm that doesn't look at the population, and a job without one.
    let error = refused(&job(folder, &[model], "mondrian"));
    assert!(error.message.starts_with("mondrian can't serve delta-presence"), "{error}");
    let nobody = Job { population: None, ..job(folder, &[model], "mpalm") };
    let error = refused(&nobody);
    assert!(error.hint.as_ref().unwrap().contains("--population-table"), "{error}");
    // An audit without the table can't say, and one with it can.
    run(&job(folder, &[model], "auto"), &Unobserved).unwrap();
    let asked = request(folder, "release.csv", model);
    let without = TableAuditRequest { population_table: None, ..asked.clone() };
    let error = audited(without).unwrap_err();
    assert!(error.message.contains("can't be judged here"), "{error}");
    assert!(audited(asked.clone()).unwrap());
    // Masks explain themselves, and other labels need their hierarchy.
    let unexplained = TableAuditRequest { hierarchies: Vec::new(), ..asked };
    assert!(audited(unexplained.clone()).unwrap());
    let text = std::fs::read_to_string(folder.join("release.csv")).unwrap();
    let row = text.lines().last().unwrap().to_string();
    let cells: Vec<&str> = row.split(',').collect();
    let odd = format!("{text}{},somewhere,{}\n", cells[0], cells[2]);
    std::fs::write(folder.join("release.csv"), odd).unwrap();
    let error = audited(unexplained).unwrap_err();
    assert!(error.message.contains("isn't known"), "{error}");
    std::fs::remove_file(folder.join("release.csv")).unwrap();
    // Records that aren't in the population, a column that it lacks, an impossible bound.
    let people = std::fs::read_to_string(folder.join("people.csv")).unwrap();
    let fewer: Vec<&str> = people.lines().take(20).collect();
    std::fs::write(folder.join("people.csv"), fewer.join("\n") + "\n").unwrap();
    let error = refused(&job(folder, &["delta-presence(max=1)"], "mpalm"));
    assert!(matches!(error.kind, ErrorKind::Input | ErrorKind::Infeasible), "{error}");
    std::fs::write(folder.join("people.csv"), people.replace("town,", "place,")).unwrap();
    let error = refused(&job(folder, &[model], "mpalm"));
    assert!(error.message.contains("no column 'town'"), "{error}");
    std::fs::write(folder.join("people.csv"), &people).unwrap();
    for algorithm in ["mpalm", "spalm"] {
        let error = refused(&job(folder, &["delta-presence(max=0.4)"], algorithm));
        assert_eq!(error.kind, ErrorKind::Infeasible);
        assert!(error.message.contains("20 records are among 40 people"), "{error}");
    }
    assert_eq!(refused(&job(folder, &["k-map(k=41)"], "mpalm")).kind, ErrorKind::Infeasible);
}

#[test]
fn both_generalize_and_mpalm_loses_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let people = some_people();
    write(folder, &people);
    let model = "delta-presence(min=0.2, max=0.7)";
    let report = run(&job(folder, &[model], "spalm"), &Unobserved).unwrap();
    let release = std::fs::read_to_string(folder.join("release.csv")).unwrap();
    let (least, most, _) = naive(&release, &people);
    assert!(least >= 0.2 && most <= 0.7, "{least} {most}");
    let ncp = |report: &Report| report.metrics.get("ncp").unwrap().unwrap();
    assert!(ncp(&report) > 0.0, "something is generalized");
    std::fs::remove_file(folder.join("release.csv")).unwrap();
    // MPALM loses no more here: its regions needn't be the same everywhere.
    let local = run(&job(folder, &[model], "mpalm"), &Unobserved).unwrap();
    assert!(ncp(&local) <= ncp(&report));
}
