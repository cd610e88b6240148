//! The bounds of queries hold: for every table, recoding, published statistics and query, the truth
//! lies between them.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_table::Job;
use sfumato_table::job::InputSpec;
use sfumato_table::query::{Answer, TableQueryRequest, query};

/// A record: age in years, a town of six, pay in cents.
type Row = (Option<i64>, usize, Option<i64>);

#[derive(Debug, Clone)]
enum Condition {
    AgeFrom(i64),
    AgeBelowHalf(i64),
    AgeBetween(i64, i64),
    Town(usize),
    /// A node of the towns' hierarchy.
    Half(usize),
    PayUpTo(i64),
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::AgeFrom(age) => format!("age >= {age}"),
            Condition::AgeBelowHalf(age) => format!("age < {age}.5"),
            Condition::AgeBetween(from, to) => format!("age in {from}..{to}"),
            Condition::Town(town) => format!("town = t{town}"),
            Condition::Half(half) => format!("town = {}", ["North", "South"][*half]),
            Condition::PayUpTo(pay) => format!("pay <= {}.{:02}", pay / 100, pay % 100),
        }
    }
    fn has(&self, (age, town, pay): &Row) -> bool {
        match self {
            Condition::AgeFrom(from) => age.is_some_and(|age| age >= *from),
            Condition::AgeBelowHalf(limit) => age.is_some_and(|age| age <= *limit),
            Condition::AgeBetween(from, to) => age.is_some_and(|age| (*from..=*to).contains(&age)),
            Condition::Town(wanted) => town == wanted,
            Condition::Half(half) => town / 3 == *half,
            Condition::PayUpTo(limit) => pay.is_some_and(|pay| pay <= *limit),
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        (-5i64..90).prop_map(Condition::AgeFrom),
        (0i64..90).prop_map(Condition::AgeBelowHalf),
        (0i64..90, 0i64..30).prop_map(|(from, width)| Condition::AgeBetween(from, from + width)),
        (0usize..6).prop_map(Condition::Town),
        (0usize..2).prop_map(Condition::Half),
        (0i64..5000).prop_map(Condition::PayUpTo),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let age = prop::option::weighted(0.92, prop_oneof![4 => 0i64..80, 1 => Just(33)]);
    (age, 0usize..6, prop::option::weighted(0.9, 0i64..5000))
}

/// A job that publishes the rows in some way.
fn job(folder: &Path, rows: &[Row], how: (u8, u8, u8, u64)) -> Job {
    let (hierarchy, forms, algorithm, k) = how;
    let number = |value: &Option<i64>| value.map_or(String::new(), |v| v.to_string());
    let pay = |value: &Option<i64>| {
        value.map_or(String::new(), |v| format!("{}.{:02}", v / 100, v % 100))
    };
    let lines: String =
        rows.iter().map(|(age, town, p)| format!("{},t{town},{}\n", number(age), pay(p))).collect();
    std::fs::write(folder.join("data.csv"), format!("age,town,pay\n{lines}")).unwrap();
    let towns: String =
        (0..6).map(|town| format!("t{town};{};*\n", ["North", "South"][town / 3])).collect();
    std::fs::write(folder.join("towns.csv"), towns).unwrap();
    let age = match hierarchy % 3 {
        0 => "",
        1 => ", hierarchy = { interval = { width = 5, levels = 3 } }",
        _ => ", missing = \"suppressed\"",
    };
    let forms = match forms % 5 {
        0 => "",
        1 => ", publish = [\"interval\", \"range\", \"mean\"]",
        2 => ", publish = [\"interval\", \"range\", \"mean\"], snap = 5",
        3 => ", publish = [\"range\", \"mean\"]",
        _ => ", publish = [\"interval\", \"mean\"], snap = 0.5",
    };
    let algorithm = ["auto", "mondrian", "full-domain"][usize::from(algorithm % 3)];
    let text = format!(
        "[input]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\", type \
            = \"integer\"{age}{forms} }}\n\
         town = {{ role = \"quasi\", hierarchy = {{ file = \"towns.csv\" }} }}\n\
         pay = {{ role = \"keep\", accept = true }}\n[privacy]\nmodels = [\"k-anonymity(k={k})\"]\n\
         [recode]\nalgorithm = \"{algorithm}\"\n[output]\npath = \"release.csv\"\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// The truth, from the rows themselves; none where no record has a value.
fn truth(aggregate: &str, of: &str, rows: &[Row], conditions: &[Condition]) -> Option<f64> {
    let chosen: Vec<&Row> =
        rows.iter().filter(|row| conditions.iter().all(|c| c.has(row))).collect();
    if aggregate == "count" {
        return Some(chosen.len() as f64);
    }
    let value = |row: &&Row| {
        if of == "age" { row.0.map(|age| age as f64) } else { row.2.map(|pay| pay as f64 / 100.0) }
    };
    let values: Vec<f64> = chosen.iter().filter_map(value).collect();
    let total: f64 = values.iter().sum();
    match aggregate {
        "sum" => Some(total),
        _ if values.is_empty() => None,
        "avg" => Some(total / values.len() as f64),
        "min" => Some(values.iter().copied().fold(f64::INFINITY, f64::min)),
        _ => Some(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    }
}

fn number(value: &Option<serde_json::Value>) -> Option<f64> {
    value.as_ref().map(|value| value.as_f64().unwrap())
}

/// Whether a truth lies between the bounds, where there are any.
fn holds(answer: &Answer, truth: f64) -> bool {
    let slack = 1e-7 * (1.0 + truth.abs());
    number(&answer.lower).is_none_or(|lower| lower <= truth + slack)
        && number(&answer.upper).is_none_or(|upper| truth <= upper + slack)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_truth_lies_between(
        rows in prop::collection::vec(row(), 15..70),
        how in (any::<u8>(), any::<u8>(), any::<u8>(), 2u64..6),
        conditions in prop::collection::vec(condition(), 0..3),
        with_job: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut job = job(folder.path(), &rows, how);
        // Some forms join classes that can't be joined, and some tables can't be made k-anonymous
        // this way: no release, no query.
        if let Err(error) = sfumato_table::run(&job, &Unobserved) {
            prop_assert_eq!(error.kind, sfumato_core::ErrorKind::Infeasible, "{}", error);
            return Ok(());
        }
        let path = |name: &str| folder.path().join(name).display().to_string();
        if !with_job {
            // What a recipient has: the release, and the hierarchy file of the towns.
            job.columns.0.retain(|(name, _)| name == "town");
            job.input.path = String::new();
        }
        let asked = [("count", ""), ("sum", "age"), ("avg", "age"), ("min", "age"), ("max", "age"),
            ("sum", "pay"), ("avg", "pay"), ("min", "pay"), ("max", "pay")];
        let predicate: Vec<String> = conditions.iter().map(Condition::text).collect();
        let predicate = if predicate.is_empty() { String::new() } else { format!(
            " where {}", predicate.join(" and ")) };
        let call = |(aggregate, of): &(&str, &str)| {
            let of = if of.is_empty() { String::new() } else { format!("({of})") };
            format!("{aggregate}{of}{predicate}").parse().unwrap()
        };
        let request = |original: bool| TableQueryRequest {
            group: None,
            release: InputSpec { path: path("release.csv"), ..InputSpec::default() },
            queries: asked.iter().map(call).collect(),
            job: job.clone(),
            is_job: with_job,
            original: original.then(|| InputSpec { path: path("data.csv"),
                ..InputSpec::default() }),
        };
        for original in [false, true] {
            let answers = match query(&request(original), &Unobserved) {
                Ok(answers) => answers,
                // A column may be all missing or all *: then nobody knows that it holds numbers.
                Err(error) => {
                    prop_assert!(error.message.contains("no order that is known"), "{error}");
                    continue;
                }
            };
            for ((aggregate, of), answer) in asked.iter().zip(&answers.answers) {
                let Some(truth) = truth(aggregate, of, &rows, &conditions) else { continue };
                prop_assert!(holds(answer, truth), "{truth} {answer:?}");
                if original {
                    let told = number(&answer.truth).unwrap();
                    prop_assert!((told - truth).abs() <= 1e-7 * (1.0 + truth.abs()),
                        "{truth} {answer:?}");
                }
                if *aggregate == "count" {
                    let estimate = number(&answer.estimate).unwrap();
                    prop_assert!(number(&answer.lower).unwrap() <= estimate + 1e-9
                        && estimate <= number(&answer.upper).unwrap() + 1e-9);
                }
            }
        }
    }
}

/// An example like Figure 4 of the paper: four regions, a query that overlaps three of them.
#[test]
fn a_region_counts_if_it_overlaps() {
    let folder = tempfile::tempdir().unwrap();
    let mut release = String::from("x,y\n");
    for (x, y, n) in [
        ("[0..4]", "[0..4]", 3),
        ("[5..9]", "[0..4]", 4),
        ("[0..4]", "[5..9]", 2),
        ("[5..9]", "[5..9]", 4),
    ] {
        release += &format!("{x},{y}\n").repeat(n);
    }
    std::fs::write(folder.path().join("release.csv"), release).unwrap();
    let request = |text: &str| TableQueryRequest {
        release: InputSpec {
            path: folder.path().join("release.csv").display().to_string(),
            ..InputSpec::default()
        },
        queries: vec![text.parse().unwrap()],
        ..TableQueryRequest::default()
    };
    let ask = |text: &str| query(&request(text), &Unobserved).unwrap().answers.remove(0);
    let figures =
        |answer: &Answer| (number(&answer.estimate), number(&answer.lower), number(&answer.upper));
    // All of the upper right region, two fifths of its neighbours by x or y.
    let answer = ask("count where x >= 3 and y >= 5");
    assert_eq!(figures(&answer), (Some(4.8), Some(4.0), Some(6.0)));
    let answer = ask("count where x in 3..9 and y in 3..9");
    assert_eq!(number(&answer.upper), Some(13.0));
    assert_eq!(number(&answer.lower), Some(4.0));
    // Nothing lies between whole numbers for sure, but nobody says that they are whole.
    assert_eq!(number(&ask("count where x > 4.2 and x < 4.8").upper), Some(0.0));
    assert_eq!(number(&ask("count where x > 3.2 and x < 3.8").upper), Some(5.0));
    assert_eq!(figures(&ask("max(x) where y < 5")), (Some(9.0), Some(5.0), Some(9.0)));
    assert_eq!(
        figures(&ask("avg(y)")),
        (Some((7.0 * 2.0 + 6.0 * 7.0) / 13.0), Some(30.0 / 13.0), Some(82.0 / 13.0))
    );
}

/// Words that look like ranges are words. Ranges in a column of words can't be interpreted.
#[test]
fn words_are_told_from_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |cells: &str, text: &str| {
        std::fs::write(folder.path().join("release.csv"), format!("pay,n\n{cells}")).unwrap();
        let path = folder.path().join("release.csv").display().to_string();
        let request = TableQueryRequest {
            release: InputSpec { path, ..InputSpec::default() },
            queries: vec![text.parse().unwrap()],
            ..TableQueryRequest::default()
        };
        query(&request, &Unobserved).map(|answers| number(&answers.answers[0].upper))
    };
    assert_eq!(ask("<=50K,1\n>50K,2\n<=50K,3\n", "count where pay = '<=50K'").unwrap(), Some(2.0));
    assert_eq!(ask("<=50K,1\n*,2\n>50K,3\n", "count where pay = '<=50K'").unwrap(), Some(2.0));
    let error = ask("[1..5],1\nmuch,2\n", "count where pay = much").unwrap_err();
    assert!(error.message.contains("1 label of column 'pay' can't be interpreted"), "{error}");
    let error = ask("[1..5],1\nmuch,2\n", "avg(pay)").unwrap_err();
    assert!(error.message.contains("can't be interpreted"), "{error}");
    assert_eq!(ask("[1..5],1\n<9,2\n[2..4),1\n>=3,1\n", "count where pay > 4").unwrap(), Some(3.0));
}
