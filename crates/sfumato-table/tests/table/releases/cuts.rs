//! Cuts through the whole engine: saved, applied to new rows, and run as SQL in a real database.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::dataset::{Column, Hierarchy, Missing, NodeId};
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Cut, Cuts, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, ErrorKind, FastMap, Result};
use sfumato_table::Job;
use sfumato_table::apply_saved;
use sfumato_table::data::encode::SavedLevels;
use sfumato_table::recoding_file::{self, Dialect, SavedFile, Shape, Unseen, to_sql};
use sfumato_table::run_with;

/// Random choices that proptest can shrink: when they are used up, all are the same.
struct Choices<'a>(std::cell::RefCell<std::slice::Iter<'a, u8>>);

impl Choices<'_> {
    fn below(&self, n: u32) -> u32 {
        u32::from(self.0.borrow_mut().next().copied().unwrap_or(0)) % n
    }
}

/// Publishes by the cuts that it is given. Groups that are too small are suppressed.
struct StandIn<F>(F);

static INFO: Info = Info {
    name: "stand-in",
    summary: "",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl<F: Fn(&[&Column]) -> Vec<Cut> + Sync> Algorithm for StandIn<F> {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let quasi = task.table.quasi();
        let cuts: Vec<Cut> = (self.0)(&quasi);
        let mut classes: FastMap<Vec<u32>, u32> = FastMap::default();
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut of_class: Vec<Vec<u32>> = vec![Vec::new(); cuts.len()];
        for row in 0..task.table.n_rows {
            let code =
                |(column, cut): (&&Column, &Cut)| cut.of_code()[column.codes.get(row) as usize];
            let key: Vec<u32> = quasi.iter().zip(&cuts).map(code).collect();
            let class = *classes.entry(key).or_insert_with_key(|key| {
                of_class.iter_mut().zip(key).for_each(|(of_class, value)| of_class.push(*value));
                members.push(Vec::new());
                members.len() as u32 - 1
            });
            members[class as usize].push(row as u32);
        }
        let tally = task.tally();
        let mut class_of_row = vec![SUPPRESSED; task.table.n_rows];
        for (class, rows) in members.iter().enumerate() {
            if task.requirements.holds(&tally.of_rows(rows), &task.whole()) {
                rows.iter().for_each(|row| class_of_row[*row as usize] = class as u32);
            }
        }
        if class_of_row.iter().all(|class| *class == SUPPRESSED) {
            return Err(Error::infeasible("nothing is left"));
        }
        Ok(Box::new(Cuts::new(cuts, of_class, class_of_row)?))
    }
}

/// A cut of a tree or of ranges, sometimes with a node or range inside another that is published
/// too.
fn random_cut(column: &Column, choices: &Choices<'_>) -> Cut {
    let missing = column.domain.missing();
    let mut values = vec![match column.missing {
        Missing::Value => Value::Missing,
        Missing::Suppressed => Value::Any,
    }];
    if choices.below(12) == 11 {
        values = vec![Value::Any];
    } else if let Some(tree) = &column.hierarchy {
        pick(tree, Hierarchy::ROOT, choices, &mut values);
    } else {
        let mut lo = 0;
        while lo < missing {
            let hi = (lo + 1 + choices.below(9)).min(missing);
            values.push(Value::Range { lo, hi });
            if hi - lo > 2 && choices.below(3) == 2 {
                values.push(Value::Range { lo: lo + 1, hi: hi - 1 });
            }
            lo = hi;
        }
    }
    let cover = |value: Option<Value>| value.unwrap_or(Value::Any);
    Cut::new(Cut::smallest_of(column, &values).into_iter().map(cover))
}

fn pick(tree: &Hierarchy, node: NodeId, choices: &Choices<'_>, values: &mut Vec<Value>) {
    let children = tree.children(node);
    if children.is_empty() || choices.below(3) == 0 {
        values.push(Value::Node(node));
        // Sibling recoding: some of what lies below is published by itself.
        for child in children.filter(|_| choices.below(4) == 3) {
            pick(tree, child, choices, values);
        }
    } else {
        children.for_each(|child| pick(tree, child, choices, values));
    }
}

const JOBS: [&str; 6] = ["cook", "it's \"me\"", "a,b", "clerk", "typist", "?"];

/// Numbers, decimals, dates, words with quotes in them, missing values in two forms, and names that
/// need quoting.
fn rows(n: usize) -> Vec<[String; 8]> {
    let row = |i: usize| {
        let or_missing = |missing: bool, text: String| if missing { String::new() } else { text };
        [
            format!("P{}", i / 2),
            or_missing(i % 11 == 3, (20 + (i * 7) % 40).to_string()),
            format!("{}", 1.5 + ((i * 5) % 9) as f64 / 4.0),
            or_missing(i % 13 == 5, format!("19{}-0{}-1{}", 70 + i % 5, 1 + i % 9, i % 3)),
            JOBS[(i * i + i / 3) % 6].to_string(),
            (10_000 + (i % 4) * 100 + i % 3).to_string(),
            ["flu", "o'clock", "gout"][i % 3].to_string(),
            format!("note {}", i % 2),
        ]
    };
    (0..n).map(row).collect()
}

const NAMES: [&str; 8] = ["person", "age", "size \"m\"", "born", "the job", "zip", "ill's", "note"];

fn csv(rows: &[[String; 8]]) -> String {
    let line = |cells: Vec<&str>| {
        let quoted: Vec<String> =
            cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        quoted.join(",") + "\n"
    };
    let body = rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
    line(NAMES.to_vec()) + &body.collect::<String>()
}

fn job(folder: &Path, subject: bool, suppressed: bool, k: u64) -> Job {
    std::fs::write(folder.join("data.csv"), csv(&rows(120))).unwrap();
    let tree = "cook;trade;all\n\"it's \"\"me\"\"\";trade;all\n\"a,b\";office;all\n\
        clerk;office;all\ntypist;office;all\n";
    std::fs::write(folder.join("job.csv"), tree).unwrap();
    let person = if subject { "subject" } else { "identifier" };
    let missing = if suppressed { "suppressed" } else { "value" };
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        missing = ["?"]
        [columns]
        person = {{ role = "{person}" }}
        age = {{ role = "quasi", missing = "{missing}" }}
        'size "m"' = {{ role = "quasi" }}
        born = {{ role = "quasi" }}
        "the job" = {{ role = "quasi", hierarchy = "file(path=job.csv)", missing = "{missing}" }}
        zip = {{ role = "quasi", hierarchy = "mask(from=right)" }}
        "ill's" = {{ role = "sensitive" }}
        note = {{ role = "keep", accept = true }}
        [privacy]
        models = ["k-anonymity(k={k})"]
        max_suppression = "99%"
        [output]
        path = "release.jsonl"
        recoding = "recoding.json"
        [run]
        seed = 5
        "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// Release with a stand-in; `None` if its cuts leave nothing to publish.
fn release(job: &Job, cuts: impl Fn(&[&Column]) -> Vec<Cut> + Sync) -> Option<SavedFile> {
    let stand_in = StandIn(cuts);
    match run_with(job, Some(&stand_in), &SavedLevels::default(), &Unobserved) {
        Ok(report) => {
            assert_eq!(report.algorithm.details["shape"], "cuts");
            Some(
                recoding_file::load(&job.base.join("recoding.json").display().to_string()).unwrap(),
            )
        }
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
            None
        }
    }
}

/// The rows of a release, column by column, sorted.
fn published(path: &Path, columns: &[&str]) -> Vec<Vec<Option<String>>> {
    let row = |line: &str| {
        let cells: serde_json::Value = serde_json::from_str(line).unwrap();
        columns.iter().map(|name| cells[*name].as_str().map(String::from)).collect()
    };
    let mut rows: Vec<Vec<Option<String>>> =
        std::fs::read_to_string(path).unwrap().lines().map(row).collect();
    rows.sort();
    rows
}

/// Load the data into a database, with the types that it has, and run a statement.
fn in_database(
    data: &[[String; 8]],
    table: &str,
    sql: &str,
    typed: bool,
) -> Vec<Vec<Option<String>>> {
    let database = rusqlite::Connection::open_in_memory().unwrap();
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    // Databases filled from a file often hold numbers as text.
    let types = match typed {
        true => ["TEXT", "INTEGER", "REAL", "TEXT", "TEXT", "INTEGER", "TEXT", "TEXT"],
        false => ["TEXT"; 8],
    };
    let columns: Vec<String> =
        NAMES.iter().zip(types).map(|(name, kind)| format!("{} {kind}", quoted(name))).collect();
    database
        .execute(&format!("CREATE TABLE {} ({})", quoted(table), columns.join(", ")), [])
        .unwrap();
    let insert = format!("INSERT INTO {} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", quoted(table));
    for row in data {
        // A number that is missing is a null; a date that is missing stays an empty text.
        let cells = row
            .iter()
            .enumerate()
            .map(|(i, cell)| (i != 1 || !cell.is_empty()).then_some(cell.as_str()));
        database.execute(&insert, rusqlite::params_from_iter(cells)).unwrap();
    }
    let mut statement = database.prepare(sql).unwrap();
    let n = statement.column_count();
    let rows = statement
        .query_map([], |row| (0..n).map(|i| row.get::<_, Option<String>>(i)).collect())
        .unwrap();
    rows.collect::<std::result::Result<Vec<Vec<Option<String>>>, _>>().unwrap()
}

const PUBLISHED: [&str; 7] = ["age", "size \"m\"", "born", "the job", "zip", "ill's", "note"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_saved_cut_gives_the_same_bytes_and_sql_the_same_rows(
        choices in prop::collection::vec(any::<u8>(), 0..120),
        subject: bool, suppressed: bool, k in 1u64..5,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), subject, suppressed, k);
        let random = |quasi: &[&Column]| -> Vec<Cut> {
            let choices = Choices(choices.iter().into());
            quasi.iter().map(|column| random_cut(column, &choices)).collect()
        };
        if let Some(file) = release(&job, random) {
            prop_assert_eq!((file.shape, file.regions.len()), (Shape::Cuts, 0));
            let text = serde_json::to_string(&file).unwrap();
            prop_assert_eq!(&SavedFile::parse(&text).unwrap(), &file);
            let mut again = file.job.clone();
            again.base = folder.path().into();
            again.output = Default::default();
            again.output.path = "again.jsonl".into();
            let report = apply_saved(&file, Unseen::Refuse, &again, &Unobserved).unwrap();
            prop_assert_eq!(&report.algorithm.details["shape"], "cuts");
            let (first, second) =
                (folder.path().join("release.jsonl"), folder.path().join("again.jsonl"));
            prop_assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(second).unwrap());

            let sql = to_sql(&file, "\"my table\"", Dialect::Ansi).unwrap();
            for typed in [true, false] {
                let mut found = in_database(&rows(120), "my table", &sql, typed);
                prop_assert!(found.is_sorted(), "the order tells nothing");
                found.sort();
                prop_assert_eq!(found, published(&first, &PUBLISHED), "{}", sql);
            }
        }
    }
}

/// A release in which ages are published in ranges of nine values, jobs by their parents, and the
/// rest as anything.
fn by_hand(folder: &Path) -> SavedFile {
    let cut = |column: &&Column| {
        let missing = column.domain.missing();
        let values: Vec<Value> = match (column.name.as_str(), &column.hierarchy) {
            ("age", _) => {
                let ranges = (0..missing)
                    .step_by(9)
                    .map(|lo| Value::Range { lo, hi: (lo + 9).min(missing) });
                ranges.chain([Value::Missing]).collect()
            }
            ("the job", Some(tree)) => {
                tree.children(Hierarchy::ROOT).map(Value::Node).chain([Value::Missing]).collect()
            }
            _ => vec![Value::Any],
        };
        Cut::new(Cut::smallest_of(column, &values).into_iter().flatten())
    };
    release(&job(folder, false, false, 3), |quasi| quasi.iter().map(cut).collect()).unwrap()
}

#[test]
fn unknown_values_never_leak_into_sql() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_hand(folder.path());
    let sql = to_sql(&file, "people", Dialect::Ansi).unwrap();
    assert!(sql.starts_with("-- Keep this statement private"), "{sql}");
    assert!(
        sql.contains("WHEN CAST(\"age\" AS DECIMAL(38, 18)) BETWEEN 20 AND 28 THEN '[20..28]'"),
        "{sql}"
    );
    assert!(sql.contains("COUNT(*) OVER (PARTITION BY") && sql.contains(">= 3"), "{sql}");
    let mut new = rows(120);
    for row in new.iter_mut().take(5) {
        row[1] = "9999".into();
        row[4] = "spy".into();
        row[3] = "31.12.1999".into();
    }
    // An age that isn't a number, and one between two that the data had.
    for row in new.iter_mut().skip(5).take(4) {
        row[1] = "secret".into();
    }
    let found = in_database(&new, "people", &sql, true);
    assert!(!found.is_empty());
    let texts: Vec<&String> = found.iter().flatten().flatten().collect();
    for secret in ["9999", "spy", "secret", "31.12.1999"] {
        assert!(!texts.iter().any(|text| text.contains(secret)), "{secret}");
    }
}

#[test]
fn new_values_are_refused_extended_or_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_hand(folder.path());
    let run = |unseen: Unseen, rows: &[[String; 8]], share: &str| {
        std::fs::write(folder.path().join("new.csv"), csv(rows)).unwrap();
        let mut job = file.job.clone();
        job.base = folder.path().into();
        job.input.path = "new.csv".into();
        job.output = Default::default();
        job.output.path = "new.jsonl".into();
        job.privacy.max_suppression = share.parse().unwrap();
        apply_saved(&file, unseen, &job, &Unobserved)
    };
    let mut new = rows(120);
    let same = run(Unseen::Refuse, &new, "99%").unwrap();
    let before = same.suppressed.records;
    new[0][1] = "70".into();
    new[7][1] = "3".into();
    let error = run(Unseen::Refuse, &new, "99%").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(
        error
            .to_string()
            .contains("2 rows have a value that the recoding doesn't cover, the first is row 1"),
        "{error}"
    );
    let dropped = run(Unseen::Drop, &new, "99%").unwrap();
    assert!(dropped.suppressed.records >= before + 2);
    let extended = run(Unseen::Extend, &new, "99%").unwrap();
    assert!(extended.guarantees.iter().all(|guarantee| guarantee.holds));
    let ages: Vec<Option<String>> = published(&folder.path().join("new.jsonl"), &["age"])
        .into_iter()
        .map(|mut row| row.remove(0))
        .collect();
    assert!(ages.contains(&Some("[3..28]".into())), "{ages:?}");
    assert!(
        !ages.contains(&Some("[20..28]".into())),
        "one value of a column is published in one way"
    );
    // A word that the tree doesn't have.
    new[0][4] = "pilot".into();
    let error = run(Unseen::Refuse, &new, "99%").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
    (4..40).for_each(|row| new[row][4] = "pilot".into());
    run(Unseen::Extend, &new, "99%").unwrap();
    let jobs = published(&folder.path().join("new.jsonl"), &["the job"]);
    assert!(jobs.contains(&vec![Some("*".into())]), "{jobs:?}");
    assert!(!jobs.contains(&vec![Some("pilot".into())]));
}

#[test]
fn models_that_sql_does_not_check_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = by_hand(folder.path());
    file.job.privacy.models =
        vec!["l-diversity-entropy(l=2)".into(), "k-anonymity(k=4)\nDROP TABLE people".into()];
    let sql = to_sql(&file, "people", Dialect::Ansi).unwrap();
    assert!(sql.contains("NOT CHECKED by this statement: l-diversity-entropy(l=2)"), "{sql}");
    assert!(!sql.contains("\nDROP"), "{sql}");
    file.shape = Shape::Boxes;
    let error = to_sql(&file, "people", Dialect::Ansi).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
}

#[test]
fn files_without_a_shape_are_boxes_and_unknown_shapes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_hand(folder.path());
    let mut json = serde_json::to_value(&file).unwrap();
    json["shape"] = "bitmaps".into();
    let error = SavedFile::parse(&json.to_string()).unwrap_err();
    assert!(error.to_string().contains("bitmaps"), "{error}");
    json.as_object_mut().unwrap().remove("shape");
    assert_eq!(SavedFile::parse(&json.to_string()).unwrap().shape, Shape::Boxes);
}

#[test]
fn promises_about_projections_are_kept_for_new_rows() {
    for (algorithm, subject) in [("datafly", false), ("datafly", true), ("full-domain", false)] {
        let folder = tempfile::tempdir().unwrap();
        let mut job = job(folder.path(), subject, false, 3);
        job.recode.algorithm = algorithm.into();
        job.privacy.models = vec!["lkc-privacy(l=2, k=3, c=0.7)".into()];
        sfumato_table::run(&job, &Unobserved).unwrap();
        let file = recoding_file::load(&folder.path().join("recoding.json").display().to_string())
            .unwrap();
        let apply = |input: &str| {
            let mut job = Job { base: folder.path().into(), ..file.job.clone() };
            job.input.path = input.into();
            job.output = Default::default();
            job.output.path = "again.jsonl".into();
            apply_saved(&file, Unseen::Refuse, &job, &Unobserved)
        };
        apply("data.csv").unwrap();
        let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        assert_eq!(bytes("release.jsonl"), bytes("again.jsonl"), "{algorithm}");
        // Fewer rows: some groups fall below what was asked and go, others by what is left of them.
        for n in [90, 60, 40] {
            std::fs::write(folder.path().join("new.csv"), csv(&rows(n))).unwrap();
            match apply("new.csv") {
                Ok(report) => assert!(report.guarantees.iter().all(|guarantee| guarantee.holds)),
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Infeasible, "{algorithm} {n}: {error}")
                }
            }
        }
        let sql = to_sql(&file, "people", Dialect::Ansi).unwrap();
        assert!(
            sql.contains("NOT CHECKED by this statement: lkc-privacy(l=2, k=3, c=0.7)"),
            "{sql}"
        );
    }
}

#[test]
fn what_limits_the_algorithm_does_not_limit_its_saved_recoding() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job(folder.path(), false, false, 3);
    job.recode.algorithm = "incognito".into();
    job.privacy.models.push("t-closeness(t=0.6)".into());
    // Incognito can't suppress under t-closeness, and says so before it runs.
    let error = sfumato_table::run(&job, &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
    assert_eq!(
        sfumato_table::explain::explain(&job, &Unobserved).unwrap_err().message,
        error.message
    );
    job.privacy.max_suppression = "0".parse().unwrap();
    sfumato_table::run(&job, &Unobserved).unwrap();
    // What it found may be applied with a limit: groups of the new rows are left out by other code.
    let file =
        recoding_file::load(&folder.path().join("recoding.json").display().to_string()).unwrap();
    let mut again = Job { base: folder.path().into(), ..file.job.clone() };
    again.output = Default::default();
    again.output.path = "again.jsonl".into();
    again.privacy.max_suppression = "50%".parse().unwrap();
    let report = apply_saved(&file, Unseen::Refuse, &again, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
}
