//! The verifier trusts nobody: wrong answers of algorithms and changed files never become a
//! release.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::facts::Fact;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::context::Context;
use sfumato_engine::pipeline::{self, Tamper};
use sfumato_table::Job;
use sfumato_table::data::encode::SavedLevels;
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::kind::Tables;
use sfumato_table::run_with;

/// 40 rows: age is ordered, town is flat, ward is sensitive, note is kept.
fn data() -> String {
    let mut text = String::from("age,town,ward,note\n");
    for i in 0..40 {
        let town = ["north", "south", "east", "west"][i % 4];
        text += &format!(
            "{},{town},{},{}\n",
            20 + i / 2,
            ["flu", "hiv", "cough"][i % 3],
            ["a", "b"][i / 20]
        );
    }
    text
}

fn job(folder: &Path) -> Job {
    std::fs::write(folder.join("data.csv"), data()).unwrap();
    let text = r#"
        [input]
        path = "data.csv"
        [columns]
        age = { role = "quasi" }
        town = { role = "quasi" }
        ward = { role = "sensitive" }
        note = { role = "keep", accept = true }
        [privacy]
        models = ["k-anonymity(k=4)", "l-diversity-distinct(l=2)"]
        [output]
        path = "release.csv"
        [run]
        seed = 1
    "#;
    Job::parse(text, "release.toml", folder).unwrap()
}

/// An algorithm that says whatever a test wants.
struct Liar<F>(F);

static INFO: Info = Info {
    name: "liar",
    summary: "",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl<F: Fn(&Task<'_>) -> Boxes + Sync> Algorithm for Liar<F> {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        Ok(Box::new((self.0)(task)))
    }
}

fn boxes(regions: Vec<Vec<Value>>, classes: Vec<u32>) -> Boxes {
    Boxes::new(2, regions.into_iter(), classes).unwrap()
}

/// Run with a liar; nothing may be left but the input. Gives the message.
fn caught(lie: impl Fn(&Task<'_>) -> Boxes + Sync) -> String {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let error = run_with(&job, Some(&Liar(lie)), &SavedLevels::default(), &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Internal, "{error}");
    assert_eq!(error.kind.exit_code(), 70);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["data.csv"], "nothing but the input is left");
    error.to_string()
}

#[test]
fn a_truthful_stand_in_passes() {
    let folder = tempfile::tempdir().unwrap();
    let truth = Liar(|task: &Task<'_>| {
        boxes(vec![vec![Value::Any, Value::Any]], vec![0; task.table.n_rows])
    });
    let report =
        run_with(&job(folder.path()), Some(&truth), &SavedLevels::default(), &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
    assert!(folder.path().join("release.csv").exists());
}

#[test]
fn a_lie_about_privacy() {
    let message = caught(|task| {
        let quasi = task.table.quasi();
        let exact = |row: usize| -> Vec<Value> {
            quasi
                .iter()
                .map(|c| Value::covering(c, c.codes.get(row), c.codes.get(row) + 1, false))
                .collect()
        };
        let n = task.table.n_rows;
        boxes((0..n).map(exact).collect(), (0..n as u32).collect())
    });
    assert!(
        message.contains("k-anonymity(k=4) doesn't hold in 40 groups of the written file"),
        "{message}"
    );
}

#[test]
fn a_lie_about_diversity_alone() {
    let message = caught(|task| {
        // Classes by ward: large enough, and all alike.
        let ward = task.table.sensitive()[0];
        let classes: Vec<u32> = ward.codes.iter().collect();
        let range = |lo, hi| Value::Range { lo, hi };
        boxes(
            vec![
                vec![Value::Any, Value::Any],
                vec![range(0, 20), Value::Any],
                vec![range(0, 20), Value::Node(0)],
            ],
            classes,
        )
    });
    assert!(message.contains("l-diversity-distinct"), "{message}");
}

#[test]
fn a_lie_about_a_cell() {
    let message = caught(|task| {
        boxes(vec![vec![Value::Range { lo: 0, hi: 3 }, Value::Any]], vec![0; task.table.n_rows])
    });
    assert!(message.contains("in column 'age' doesn't cover its original"), "{message}");
}

#[test]
fn lies_about_rows() {
    let everything = || vec![vec![Value::Any, Value::Any]];
    let short = caught(|task| boxes(everything(), vec![0; task.table.n_rows - 1]));
    assert!(short.contains("hasn't one class per record"), "{short}");
    let dropped = caught(|task| {
        let mut classes = vec![0; task.table.n_rows];
        classes[7] = SUPPRESSED;
        boxes(everything(), classes)
    });
    assert!(dropped.contains("1 records are missing, 0 may be suppressed"), "{dropped}");
    let nowhere = caught(|task| boxes(everything(), vec![1; task.table.n_rows]));
    assert!(nowhere.contains("a class that isn't there"), "{nowhere}");
}

/// Run a job whose draft is changed before it is read back. A changed draft gets no name.
fn tampered(change: impl Fn(&mut Vec<String>)) -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let tamper = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        change(&mut lines);
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
        Ok(())
    };
    let context = Context::new(&Unobserved);
    let (tables, form, job) = (Tables { saved: None }, Generalized::default(), job(folder.path()));
    let ran =
        pipeline::run(&tables, &form, &job, Some(Tamper::Draft(&tamper)), &context).map(|_| ());
    assert_eq!(folder.path().join("release.csv").exists(), ran.is_ok());
    ran
}

fn cell(line: &mut String, column: usize, text: &str) {
    let mut cells: Vec<&str> = line.split(',').collect();
    cells[column] = text;
    *line = cells.join(",");
}

#[test]
fn an_untouched_file_passes() {
    tampered(|_| {}).unwrap();
}

#[test]
fn changed_files_are_caught() {
    type Change = fn(&mut Vec<String>);
    let changes: [(&str, Change); 10] = [
        ("a row is gone", |lines| drop(lines.remove(5))),
        ("a row is there twice", |lines| lines.insert(5, lines[5].clone())),
        ("a row took the place of another", |lines| {
            lines[5] = lines.iter().skip(6).find(|l| **l != lines[5]).unwrap().clone()
        }),
        ("a column has another name", |lines| lines[0] = lines[0].replace("ward", "word")),
        ("a kept cell changed", |lines| cell(&mut lines[9], 3, "z")),
        ("a sensitive cell changed", |lines| cell(&mut lines[9], 2, "plague")),
        ("a sensitive cell became another real one", |lines| {
            let other = if lines[9].contains(",flu,") { "hiv" } else { "flu" };
            cell(&mut lines[9], 2, other);
        }),
        ("a range moved away", |lines| cell(&mut lines[9], 0, "[90..95]")),
        ("a range is no range", |lines| cell(&mut lines[9], 0, "[a..b]")),
        ("a label nobody knows", |lines| cell(&mut lines[9], 1, "centre")),
    ];
    for (name, change) in changes {
        let error = tampered(change).expect_err(name);
        assert_eq!(error.kind, ErrorKind::Internal, "{name}: {error}");
    }
}

#[test]
fn a_truthful_but_smaller_class_is_caught() {
    // Every cell still covers its original, but one record is published exactly: alone in its
    // class.
    let error = tampered(|lines| {
        let exact = data();
        let original = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
        let published = original(&lines[3]);
        let inside = |row: &Vec<String>| {
            let age: i32 = row[0].parse().unwrap();
            let range = published[0].trim_matches(['[', ']']);
            let (lo, hi) = range.split_once("..").unwrap_or((range, range));
            (lo.parse::<i32>().unwrap()..=hi.parse().unwrap()).contains(&age)
                && (published[1] == "*" || published[1] == row[1])
                && row[2..] == published[2..]
        };
        let row = exact
            .lines()
            .skip(1)
            .map(original)
            .find(inside)
            .expect("some record is behind every published row");
        cell(&mut lines[3], 0, &row[0]);
        cell(&mut lines[3], 1, &row[1]);
    });
    // Which of several fitting records it was, the test can't know: either the cell or the class
    // gives it away.
    assert_eq!(error.unwrap_err().kind, ErrorKind::Internal);
}
