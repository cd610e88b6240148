//! Statistics of regions: a written statistic is that of its class, nothing is published about too
//! few people or about one, and the verifier catches every wrong statistic.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, Recoding, Value};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::context::Context;
use sfumato_engine::pipeline::{self, Tamper};
use sfumato_table::Job;
use sfumato_table::data::encode::{SavedLevels, encode};
use sfumato_table::data::read::read;
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::forms::generalized::make_plan::make_plan;
use sfumato_table::kind::Tables;
use sfumato_table::run_with;

/// One person per row of three, ages that spread, and one very high income.
fn data() -> String {
    let mut text = String::from("person,age,income,born,ward\n");
    for i in 0i64..60 {
        let income = if i == 17 { 900_000 } else { 1000 + (i * i * 37) % 900 };
        let age = if i % 20 == 7 { String::new() } else { (20 + (i * 13) % 50).to_string() };
        text += &format!(
            "{},{age},{income}.5,19{}-0{}-11,{}\n",
            i / 2,
            50 + i % 40,
            1 + i % 9,
            ["flu", "hiv", "cough"][i as usize % 3]
        );
    }
    text
}

fn job(folder: &Path, age: &str, rest: &str, models: &str) -> Job {
    if !folder.join("data.csv").exists() {
        std::fs::write(folder.join("data.csv"), data()).unwrap();
    }
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        [columns]
        person = {{ role = "identifier" }}
        age = {{ role = "quasi"{age} }}
        {rest}
        ward = {{ role = "sensitive" }}
        [privacy]
        models = [{models}]
        [output]
        path = "release.csv"
        [run]
        seed = 1
    "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

const REST: &str = r#"income = { role = "quasi", publish = ["range", "mean"] }
        born = { role = "quasi", publish = ["interval", "mean", "range"], snap = 30 }"#;

/// Run a job whose draft is changed before it is read back.
fn tampered(job: &Job, change: impl Fn(&mut Vec<Vec<String>>)) -> Result<()> {
    let tamper = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let cells = |line: &str| line.split(',').map(String::from).collect();
        let mut lines: Vec<Vec<String>> = text.lines().map(cells).collect();
        change(&mut lines);
        let text: String = lines.iter().map(|line| line.join(",") + "\n").collect();
        std::fs::write(path, text).unwrap();
        Ok(())
    };
    let context = Context::new(&Unobserved);
    let (tables, form) = (Tables { saved: None }, Generalized::default());
    pipeline::run(&tables, &form, job, Some(Tamper::Draft(&tamper)), &context).map(|_| ())
}

#[test]
fn every_changed_statistic_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let age = r#", publish = ["interval", "range", "mean"], snap = 5"#;
    let job = job(folder.path(), age, REST, r#""k-anonymity(k=5)""#);
    tampered(&job, |lines| {
        let header = lines[0].join(",");
        assert_eq!(
            header,
            "age,age.min,age.max,age.mean,income.min,income.max,income.mean,born,born.min,born.max,born.mean,ward"
        );
    })
    .unwrap();
    // A cell of one row: its class falls apart. All equal cells of a column: the class stays, the
    // figure is wrong.
    for (name, other) in [
        ("age.min", "10"),
        ("age.min", "21"),
        ("age.max", "95"),
        ("age.max", "40"),
        ("age.mean", "5"),
        ("age.mean", "x"),
        ("income.min", "0.5"),
        ("income.max", "2000"),
        ("income.mean", "1000.25"),
        ("born.min", "1949-12-30"),
        ("born.mean", "1971-01-01"),
        ("born.max", "2030-01-01"),
    ] {
        for whole_class in [false, true] {
            let error = tampered(&job, |lines| {
                let place = lines[0].iter().position(|column| column == name).unwrap();
                let row =
                    lines.iter().skip(1).position(|line| !line[place].is_empty()).unwrap() + 1;
                let class: Vec<String> = lines[row][..11].to_vec();
                for line in lines.iter_mut().skip(row) {
                    if line[..11] == class[..] {
                        line[place] = other.into();
                        if !whole_class {
                            break;
                        }
                    }
                }
            })
            .expect_err(name);
            assert_eq!(error.kind, ErrorKind::Internal, "{name}: {error}");
        }
    }
    // Withheld without need, and told without leave.
    let error =
        tampered(&job, |lines| lines.iter_mut().skip(1).for_each(|line| line[1] = String::new()))
            .unwrap_err();
    assert!(error.message.contains("is withheld without need"), "{error}");
    let error = tampered(&job, |lines| {
        let lines = lines.iter_mut().skip(1).filter(|line| line[6].is_empty());
        lines.for_each(|line| line[6] = "151000.5".into());
    })
    .unwrap_err();
    assert!(
        error.message.contains("is dominated by one person") || error.message.contains("too few"),
        "{error}"
    );
}

#[test]
fn models_about_projections_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), "", REST, r#""lkc-privacy(l=2, k=3, c=0.9)""#);
    let encoded = encode(&job, read(&job, &Unobserved).unwrap()).unwrap();
    let error = make_plan(&job, &encoded.table).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Params, "{error}");
    assert!(error.message.contains("statistics are of whole classes"), "{error}");
}

/// Two classes, by age up to 4 or above.
struct Halves;

static HALVES: Info = Info {
    name: "halves",
    summary: "",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for Halves {
    fn info(&self) -> &'static Info {
        &HALVES
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let age = task.table.quasi()[0];
        let n = age.domain.len() as u32;
        let classes =
            (0..task.table.n_rows).map(|row| u32::from(age.codes.get(row) * 2 >= n)).collect();
        let regions =
            [vec![Value::Range { lo: 0, hi: n / 2 }], vec![Value::Range { lo: n / 2, hi: n }]];
        Ok(Box::new(Boxes::new(1, regions.into_iter(), classes)?))
    }
}

/// Without their intervals, classes with equal statistics are one class to a recipient: what holds
/// for each may not hold for both.
#[test]
fn classes_that_look_alike_are_judged_together() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["1,10", "1,30", "4,50", "4,70", "5,9", "5,11", "9,90", "9,110"];
    std::fs::write(folder.path().join("data.csv"), format!("age,pay\n{}\n", rows.join("\n")))
        .unwrap();
    let outcome = |forms: &str| {
        let text = format!(
            "[input]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\", publish = \
                [{forms}], snap = 10 }}\n\
             pay = {{ role = \"sensitive\", accept = true }}\n[privacy]\n\
             models = [\"eps-m-anonymity(eps=1, m=3, on=pay)\"]\n[output]\npath = \"release.csv\"\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        run_with(&job, Some(&Halves), &SavedLevels::default(), &Unobserved)
    };
    let error = outcome("\"range\"").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
    assert!(error.message.contains("1 groups of classes have the same statistics"), "{error}");
    assert!(!folder.path().join("release.csv").exists());
    // The interval tells them apart, and so does the mean.
    assert_eq!(outcome("\"interval\", \"range\"").unwrap().classes.unwrap().count, 2);
    assert_eq!(outcome("\"range\", \"mean\"").unwrap().classes.unwrap().count, 2);
}

/// What a recipient may compute: group a release by everything that is published of quasi columns,
/// and look up the originals.
fn recompute(
    lines: &[Vec<String>],
    originals: &[Option<i64>],
    quasi: usize,
) -> Vec<(Vec<String>, Vec<i64>, usize)> {
    let mut classes: BTreeMap<Vec<String>, (Vec<i64>, usize)> = BTreeMap::new();
    for (line, original) in lines.iter().skip(1).zip(originals) {
        let class = classes.entry(line[..quasi].to_vec()).or_default();
        class.0.extend(original);
        class.1 += 1;
    }
    classes.into_iter().map(|(key, (values, rows))| (key, values, rows)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// For all data, statistics and grids, the run verifies, and published statistics are true and
    /// about enough people.
    #[test]
    fn what_is_told_is_true(
        rows in prop::collection::vec((prop::option::weighted(0.9, -50i64..200), 0u8..3), 12..60),
        interval: bool,
        snap in prop::option::of(1u32..20),
        k in 2u64..5,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let text: String = rows.iter().map(|(age, town)| format!("{},{town}x,w\n",
            age.map_or(String::new(), |a| a.to_string()))).collect();
        std::fs::write(folder.path().join("data.csv"), format!("age,town,note\n{text}")).unwrap();
        let forms = if interval { r#""interval", "range", "mean""# } else { r#""range", "mean""# };
        let snapped = snap.map_or(String::new(), |snap| format!(", snap = {snap}"));
        let text = format!(
            "[input]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\", type \
                = \"integer\", publish = [{forms}]{snapped} }}\n\
             town = {{ role = \"quasi\" }}\nnote = {{ role = \"keep\" }}\n[privacy]\nmodels = \
             [\"k-anonymity(k={k})\"]\n\
             [output]\npath = \"release.csv\"\nkeep_order = true\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        sfumato_table::run(&job, &Unobserved).unwrap();
        let release = std::fs::read_to_string(folder.path().join("release.csv")).unwrap();
        let lines: Vec<Vec<String>> =
            release.lines().map(|l| l.split(',').map(String::from).collect()).collect();
        let originals: Vec<Option<i64>> = rows.iter().map(|(age, _)| *age).collect();
        let at = usize::from(interval);
        let step = snap.map_or(1.0, f64::from);
        for (key, mut values, rows) in recompute(&lines, &originals, at + 4) {
            prop_assert!(rows as u64 >= k);
            values.sort_unstable();
            let number = |place: usize| key[place].parse::<f64>().ok();
            if let (Some(min), Some(max)) = (number(at), number(at + 1)) {
                prop_assert!(values.len() as u64 >= k);
                let (first, last) = (values[0] as f64, values[values.len() - 1] as f64);
                prop_assert!(min <= first && first < min + step.max(1e-9) && last <= max
                    && max < last + step.max(1e-9));
                let inner = |skip: usize,
                    drop: usize| (values[values.len() - 1 - drop] - values[skip]) as f64;
                prop_assert!(2.0 * inner(1, 0) >= inner(0, 0) && 2.0 * inner(0, 1) >= inner(0, 0));
            }
            if let Some(mean) = number(at + 2) {
                prop_assert!(values.len() as u64 >= k);
                let true_mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
                let half = if snap.is_some() { step / 2.0 } else { 0.005 };
                prop_assert!((mean - true_mean).abs() <= half + 1e-9, "{mean} {true_mean}");
                let total: i64 = values.iter().map(|v| v.abs()).sum();
                prop_assert!(values.iter().all(|v| 2 * v.abs() <= total));
            }
        }
    }
}

/// Values of every kind, extreme ones too.
fn cells() -> impl Strategy<Value = (Vec<&'static str>, Option<f64>)> {
    let kinds: Vec<(Vec<&'static str>, Option<f64>)> = vec![
        (vec!["1", "-7", "0", "250", "9223372036854775807", "-9223372036854775807"], Some(7.0)),
        (vec!["0.25", "-3.5", "100.01", "99999999999.99", "0", "2"], Some(0.1)),
        (vec!["0.25", "1", "1.5", "1.75", "2", "3"], None),
        (vec!["1e3", "0.3", "-2.5e2", "17", "1e-5", "0.1"], Some(0.3)),
        (vec!["1e300", "-1e300", "1e-300", "3.5e299", "0", "7e7"], None),
        (vec!["1.1e1", "0.1", "0.2", "0.30", "0.7", "2.2"], None),
        (vec!["9999-12-31", "0001-01-01", "1970-01-01", "2024-02-29", "2000-06-15"], Some(30.0)),
        (vec!["31.12.2024", "01.02.1999", "15.06.2000", "28.02.2001"], None),
        (vec!["00:00:00", "23:59:59.999", "12:30:00.5", "06:15:00", "23:10:00"], Some(3600.0)),
        (vec!["2024-02-29T10:00:00.25", "1969-12-31T23:59:59", "2000-01-01T00:00:00"], Some(0.5)),
        (vec!["2024-02-29T10:00:00Z", "1999-12-31T23:59:59+02:00", "2000-01-01T00:00:00Z"], None),
    ];
    prop::sample::select(kinds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    /// The code that computes and the code that verifies agree, for all kinds of values and all
    /// people: a run never fails its own verification.
    #[test]
    fn nobody_disagrees(
        (texts, snap) in cells(),
        rows in prop::collection::vec((prop::option::weighted(0.9, 0usize..6), 0u8..3, 0u8..12),
            10..50),
        interval: bool,
        snapped: bool,
        by_person: bool,
        model in prop::sample::select(vec!["k-anonymity(k=2)", "k-anonymity(k=3)",
            "t-closeness(t=0.4)", "l-diversity-distinct(l=2)",
                "alpha-k-anonymity(alpha=0.7, k=2)"]),
        format in prop::sample::select(vec!["csv", "parquet", "jsonl", "arrow"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let cell = |place: &Option<usize>| place.map_or("", |place| texts[place % texts.len()]);
        let text: String = rows.iter().map(|(value, town,
            person)| format!("p{person},{},t{town},w{}\n", cell(value), person % 3)).collect();
        std::fs::write(folder.path().join("data.csv"), format!(
            "person,x,town,ward\n{text}")).unwrap();
        let forms =
            if interval { "\"interval\", \"range\", \"mean\"" } else { "\"range\", \"mean\"" };
        let snap = snap.filter(|_| snapped).map_or(String::new(), |snap| format!(
            ", snap = {snap}"));
        let person = if by_person { "subject" } else { "identifier" };
        let text = format!(
            "[input]\npath = \"data.csv\"\n[columns]\nperson = {{ role = \"{person}\" }}\n\
             x = {{ role = \"quasi\", publish = [{forms}]{snap} }}\ntown = {{ role = \"quasi\" }}\n\
             ward = {{ role = \"sensitive\", accept = true }}\n[privacy]\nmodels = [\"{model}\"]\n\
             max_suppression = \"50%\"\n\
             [output]\npath = \"release.{format}\"\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        if let Err(error) = sfumato_table::run(&job, &Unobserved) {
            let all_missing = rows.iter().all(|(value, ..)| value.is_none());
            prop_assert!(error.kind == ErrorKind::Infeasible || all_missing, "{error}\n{text}");
        }
    }
}
