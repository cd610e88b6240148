//! Releases with different columns: from files to what is judged, and what `tds4sa` publishes.

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::facts::Promises as _;
use sfumato_core::group::Guarantee;
use sfumato_core::joined::Sheet;
use sfumato_core::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::ledger::Ledger;

use super::sheet::sheet_of;
use crate::Job;
use crate::audit::TableAuditRequest;
use crate::job::{InputSpec, LedgerSpec};

const PLACES: &str = "UK;Europe;*\nFR;Europe;*\nUS;US;*\n";
const JOBS: &str = "Banker;Office;*\nClerk;Office;*\nDriver;Outside;*\nEngineer;Outside;*\n";
/// The patients of example 9.4, and their tests.
const PATIENTS: &str =
    "PoB,Sex,Zip\nUK,M,Z3\nUK,M,Z3\nUK,F,Z5\nFR,F,Z5\nFR,M,Z3\nFR,M,Z3\nUS,M,Z3\n";
const TESTS: &str = "Test,Job,PoB,Sex,Class\nHIV,Banker,UK,M,Yes\nHIV,Banker,UK,M,Yes\n\
    Eye,Banker,UK,F,Yes\nEye,Clerk,FR,F,Yes\nAllergy,Driver,US,M,No\nAllergy,Engineer,US,M,No\n\
    Allergy,Engineer,FR,M,Yes\nAllergy,Engineer,FR,M,Yes\n";
const LINKED: &str = "sequential-xy-privacy(x=[Job, PoB, Zip], y=[Test], values=[HIV], k=1, h=0.9)";

fn write(folder: &Path, files: &[(&str, &str)]) {
    let trees = [("place.csv", PLACES), ("job.csv", JOBS)];
    for (name, text) in trees.iter().chain(files) {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

fn job(folder: &Path, model: &str, algorithm: &str, before: &str) -> Job {
    let text = format!(
        r#"
        [input]
        path = "tests.csv"
        [columns]
        Job = {{ role = "quasi", hierarchy = {{ file = "job.csv" }} }}
        PoB = {{ role = "quasi", hierarchy = {{ file = "place.csv" }} }}
        Sex = {{ role = "quasi" }}
        Test = {{ role = "sensitive", accept = true }}
        Class = {{ role = "target", accept = true }}
        [privacy]
        models = ["{model}"]
        [recode]
        algorithm = "{algorithm}"
        [output]
        path = "release.csv"
        [ledger]
        {before}
        [run]
        seed = 5
        "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// What an audit finds of the last of some files.
fn audited(folder: &Path, files: &[&str], qi: &[&str], model: &str) -> Result<Vec<Guarantee>> {
    let path = |name: &&str| folder.join(name).display().to_string();
    let (last, before) = files.split_last().unwrap();
    let tree = |column: &str, file: &str| {
        (column.to_string(), format!("file(path=\"{}\")", path(&file)).parse().unwrap())
    };
    let request = TableAuditRequest {
        input: InputSpec { path: path(last), ..InputSpec::default() },
        quasi: qi.iter().map(|name| (*name).to_string()).collect(),
        models: vec![model.into()],
        hierarchies: vec![tree("PoB", "place.csv"), tree("Job", "job.csv")],
        ledger: Some(LedgerSpec { path: None, before: before.iter().map(path).collect() }),
        ..TableAuditRequest::default()
    };
    let opened = crate::audit::open(request, &Unobserved)?;
    let bind = opened.bind();
    crate::forms::generalized::make_plan::bind_models(&[model.into()], &bind)?.judge(&opened)
}

fn figures(found: &[Guarantee]) -> Vec<(&'static str, f64)> {
    found.iter().map(|found| (found.measure.name, found.achieved)).collect()
}

#[test]
fn example_9_1_is_judged_from_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let first =
        "Job,Disease\nBanker,Cancer\nBanker,Cancer\nClerk,HIV\nDriver,Cancer\nEngineer,HIV\n";
    let second = "Name,Job,Class\nAlice,Banker,c1\nAlice,Banker,c1\nBob,Clerk,c2\nBob,Driver,c3\n\
        Cathy,Engineer,c4\n";
    write(folder.path(), &[("t1.csv", first), ("t2.csv", second)]);
    let model = "sequential-xy-privacy(x=[Name], y=[Disease], k=2, h=0.9)";
    let found = audited(folder.path(), &["t1.csv", "t2.csv"], &["Name", "Job"], model).unwrap();
    // Alice has nothing but Cancer; nobody is missing from either.
    let expected = [("A_Y(X)", 1.0), ("L_Y(X)", 1.0), ("dangling records", 0.0)];
    assert_eq!(figures(&found), expected);
    assert!(!found[0].holds && !found[1].holds && found[2].holds);
    assert_eq!((found[0].violations, found[1].violations), (2, 2), "Alice and Cathy");
    // A column that no release has is named, and nothing holds.
    let wrong = "sequential-xy-privacy(x=[Nam], y=[Disease], k=1)";
    let error = audited(folder.path(), &["t1.csv", "t2.csv"], &["Name", "Job"], wrong);
    assert!(error.unwrap_err().message.contains("'Nam'"));
    // Releases of one table with others' columns aren't judged by models about the same columns.
    let same = "bcf-anonymity(k=2)";
    assert!(audited(folder.path(), &["t1.csv", "t2.csv"], &["Name", "Job"], same).is_err());
}

#[test]
fn records_that_match_nobody_are_told() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[("t1.csv", "Job,Ill\nBanker,a\nClerk,b\n"), ("t2.csv", "Job\nBanker\n")],
    );
    let model = "sequential-xy-privacy(x=[Job], y=[Ill], k=1)";
    let found = audited(folder.path(), &["t1.csv", "t2.csv"], &["Job"], model).unwrap();
    assert_eq!(figures(&found), [("A_Y(X)", 1.0), ("dangling records", 1.0)]);
    assert!(found[0].holds && !found[1].holds);
}

#[test]
fn numbers_rule_out_matches_unless_they_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let first = "age,Ill\n20-29,a\n30-39,b\n";
    write(folder.path(), &[("t1.csv", first), ("t2.csv", "age,Name\n25,Alice\n[30..35],Bob\n")]);
    let a_y = |numbers: &str| {
        let model = format!("sequential-xy-privacy(x=[Name], y=[Ill], k=2, numbers={numbers})");
        let found = audited(folder.path(), &["t1.csv", "t2.csv"], &["Name", "age"], &model);
        found.unwrap()[0].achieved
    };
    assert_eq!((a_y("compared"), a_y("ignored")), (1.0, 2.0));
}

#[test]
fn what_nobody_has_together_is_said_of_values_above() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = ("Job,Name\nBanker,Alice\nDriver,Bob\n", "Test\nx\ny\n");
    write(folder.path(), &[("t1.csv", first), ("t2.csv", second)]);
    let judged = |more: &str| {
        let model = format!("sequential-xy-privacy(x=[Name], y=[Test], k=2{more})");
        audited(folder.path(), &["t1.csv", "t2.csv"], &["Test"], &model)
    };
    // Everybody may have either test; then bankers, and whoever works in an office, can't have y.
    assert_eq!(judged("").unwrap()[0].achieved, 2.0);
    assert_eq!(judged(", apart=[\"Job=Office & Test=y\"]").unwrap()[0].achieved, 1.0);
    assert!(judged(", apart=[\"Job=Office\"]").is_err());
}

/// The cuts of the trees of jobs and places, as texts of the values in their order.
fn cuts() -> Vec<([&'static str; 4], [&'static str; 3])> {
    let jobs = [
        ["*"; 4],
        ["Office", "Office", "Outside", "Outside"],
        ["Banker", "Clerk", "Outside", "Outside"],
        ["Office", "Office", "Driver", "Engineer"],
        ["Banker", "Clerk", "Driver", "Engineer"],
    ];
    let places = [["*"; 3], ["Europe", "Europe", "US"], ["UK", "FR", "US"]];
    jobs.iter().flat_map(|job| places.map(|place| (*job, place))).collect()
}

/// Whether a cut says as much as another, or more.
fn is_finer(one: &([&str; 4], [&str; 3]), other: &([&str; 4], [&str; 3])) -> bool {
    let rank = |text: &str| match text {
        "*" => 0,
        "Office" | "Outside" | "Europe" => 1,
        _ => 2,
    };
    let pairs = one.0.iter().zip(&other.0).chain(one.1.iter().zip(&other.1));
    pairs.into_iter().all(|(a, b)| rank(a) >= rank(b))
}

fn generalized(cut: &([&str; 4], [&str; 3])) -> String {
    let (jobs, places) = (["Banker", "Clerk", "Driver", "Engineer"], ["UK", "FR", "US"]);
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let job = cut.0[jobs.iter().position(|job| *job == cells[1]).unwrap()];
        let place = cut.1[places.iter().position(|place| *place == cells[2]).unwrap()];
        format!("{},{job},{place},{},{}\n", cells[0], cells[3], cells[4])
    };
    let rows: String = TESTS.lines().skip(1).map(line).collect();
    "Test,Job,PoB,Sex,Class\n".to_string() + &rows
}

#[test]
fn tds4sa_finds_a_safe_cut_that_no_other_safe_cut_refines() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("patients.csv", PATIENTS), ("tests.csv", TESTS)]);
    let qi = ["Job", "PoB", "Sex"];
    let is_safe = |cut: &([&str; 4], [&str; 3])| {
        std::fs::write(folder.path().join("cut.csv"), generalized(cut)).unwrap();
        let found = audited(folder.path(), &["patients.csv", "cut.csv"], &qi, LINKED).unwrap();
        found.iter().all(|found| found.holds)
    };
    let safe: Vec<_> = cuts().into_iter().filter(is_safe).collect();
    assert!(safe.len() > 1 && safe.len() < cuts().len(), "{}", safe.len());
    for algorithm in ["auto", "tds4sa(gain=distortion)", "tds4sa(gain=discernibility, loss=none)"] {
        let job = job(folder.path(), LINKED, algorithm, "before = [\"patients.csv\"]");
        let report = crate::run(&job, &Unobserved).unwrap();
        assert_eq!(report.algorithm.name, "tds4sa");
        let l = report.guarantees.iter().find(|found| found.measure == "L_Y(X)").unwrap();
        let achieved = l.achieved.as_ref().and_then(|number| number.as_f64()).unwrap();
        assert!(l.holds && achieved <= 0.9, "{achieved}");
        let published = std::fs::read_to_string(folder.path().join("release.csv")).unwrap();
        let mut rows: Vec<&str> = published.lines().skip(1).collect();
        rows.sort_unstable();
        let same = |cut: &&([&str; 4], [&str; 3])| {
            let text = reordered(&generalized(cut), published.lines().next().unwrap());
            let mut own: Vec<&str> = text.lines().collect();
            own.sort_unstable();
            own == rows
        };
        let found = safe.iter().find(same).expect("a safe cut is published");
        let finer = safe.iter().find(|other| is_finer(other, found) && *other != found);
        assert_eq!(finer, None, "{algorithm}");
    }
}

/// Rows with their cells in the order of another header.
fn reordered(text: &str, header: &str) -> String {
    let own: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let order: Vec<usize> = header
        .split(',')
        .map(|name| own.iter().position(|other| *other == name).unwrap())
        .collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        order.iter().map(|at| cells[*at]).collect::<Vec<_>>().join(",") + "\n"
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn what_the_join_cannot_keep_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("patients.csv", PATIENTS), ("tests.csv", TESTS)]);
    let run = |model: &str, algorithm: &str| {
        let job = job(folder.path(), model, algorithm, "before = [\"patients.csv\"]");
        crate::run(&job, &Unobserved).unwrap_err()
    };
    let most = "sequential-xy-privacy(x=[Job, PoB, Zip], y=[Test], k=4)";
    assert_eq!(run(most, "auto").kind, ErrorKind::Infeasible);
    // An algorithm that doesn't look at the join is judged by it.
    let error = run(LINKED, "mondrian");
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
    assert!(!folder.path().join("release.csv").exists());
    std::fs::write(folder.path().join("patients.csv"), format!("{PATIENTS}CA,M,Z9\n")).unwrap();
    assert_ne!(run(LINKED, "auto").kind, ErrorKind::Internal, "a label that nobody knows");
    std::fs::write(folder.path().join("patients.csv"), "PoB,Sex,Zip\nUK,M,Z3\n").unwrap();
    let error = run(LINKED, "auto");
    assert!(error.message.contains("match nobody"), "{error}");
}

#[test]
fn baselines_publish_less() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("patients.csv", PATIENTS), ("tests.csv", TESTS)]);
    let cells = |baseline: &str| {
        let algorithm = format!("tds4sa(baseline={baseline})");
        let job = job(folder.path(), LINKED, &algorithm, "before = [\"patients.csv\"]");
        crate::run(&job, &Unobserved).unwrap();
        let text = std::fs::read_to_string(folder.path().join("release.csv")).unwrap();
        text.matches('*').count()
    };
    let (best, no_finer, dropped) = (cells("none"), cells("no-finer"), cells("drop-join"));
    assert!(best <= no_finer && best < dropped, "{best}, {no_finer}, {dropped}");
}

#[test]
fn a_ledger_judges_three_releases_with_other_columns() {
    let folder = tempfile::tempdir().unwrap();
    let zips = "Zip,Sex\nZ3,M\nZ5,F\n";
    write(folder.path(), &[("patients.csv", PATIENTS), ("tests.csv", TESTS), ("t0.csv", zips)]);
    drop(Ledger::create(&folder.path().join("ledger"), Vec::new()).unwrap());
    let before = "path = \"ledger\"\nbefore = [\"t0.csv\", \"patients.csv\"]";
    let job = job(folder.path(), LINKED, "auto", before);
    let report = crate::run(&job, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|found| found.holds));
    let files = ["t0.csv", "patients.csv", "release.csv"];
    let found = audited(folder.path(), &files, &["Job", "PoB", "Sex"], LINKED).unwrap();
    assert!(found.iter().all(|found| found.holds), "{:?}", figures(&found));
    // What is recorded has all columns, so that later releases are joined with it.
    let ledger = Ledger::open(&folder.path().join("ledger")).unwrap();
    let facts = &ledger.releases()[0].facts;
    let found: sfumato_core::chain::Published = serde_json::from_value(facts.clone()).unwrap();
    let mut columns = found.sheet.unwrap().columns;
    columns.sort();
    assert_eq!(columns, ["Class", "Job", "PoB", "Sex", "Test"]);
}

#[test]
fn what_is_recorded_of_a_file_is_joined_by_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Job,Ill,Town\nBanker,a,x\nBanker,a,y\nClerk,b,x\n";
    write(folder.path(), &[("t1.csv", text)]);
    let path = folder.path().join("t1.csv").display().to_string();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>();
    let recorded = |quasi: &[&str], sensitive: &[&str]| {
        let columns = (&names(quasi)[..], &names(sensitive)[..]);
        super::recall::of_release(&path, columns, &[]).unwrap()
    };
    let rows = |sheet: &Sheet| {
        let cells = |(row, n): &(Vec<u32>, u64)| {
            let cells = row.iter().zip(&sheet.texts).map(|(at, texts)| texts[*at as usize].clone());
            (cells.collect::<Vec<_>>().join(","), *n)
        };
        let mut rows: Vec<(String, u64)> = sheet.rows.iter().map(cells).collect();
        rows.sort();
        rows
    };
    let both = sheet_of(&recorded(&["Job"], &["Ill", "Town"])).unwrap();
    assert_eq!(both.columns, ["Job", "Ill", "Town"]);
    let expected = [("Banker,a,x", 1), ("Banker,a,y", 1), ("Clerk,b,x", 1)];
    assert_eq!(rows(&both), expected.map(|(row, n)| (row.to_string(), n)));
    let alone = sheet_of(&recorded(&["Job"], &[])).unwrap();
    assert_eq!(rows(&alone), [("Banker".to_string(), 2), ("Clerk".to_string(), 1)]);
    // A record of old, which says nothing of the names of its sensitive columns.
    let mut old = recorded(&["Job"], &["Ill"]);
    old.sensitive.clear();
    assert_eq!(sheet_of(&old).unwrap_err().kind.exit_code(), 2);
}

/// Somebody's job, place, sex, test and zip.
fn row() -> impl Strategy<Value = (usize, usize, bool, usize, usize)> {
    (0usize..4, 0usize..3, any::<bool>(), 0usize..3, 0usize..2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Whatever the table, what is published holds by an audit of the files alone.
    #[test]
    fn what_tds4sa_publishes_is_safe_by_the_files(
        rows in prop::collection::vec(row(), 4..30),
        k in 1u64..4, h in 1u32..10,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (mut first, mut second) = (String::from("PoB,Sex,Zip\n"), String::new());
        second += "Test,Job,PoB,Sex,Class\n";
        for (job, place, sex, test, zip) in &rows {
            let (place, sex) = (["UK", "FR", "US"][*place], if *sex { "M" } else { "F" });
            first += &format!("{place},{sex},{}\n", ["Z3", "Z5"][*zip]);
            let test = ["HIV", "Eye", "Allergy"][*test];
            let job = ["Banker", "Clerk", "Driver", "Engineer"][*job];
            second += &format!("{test},{job},{place},{sex},{}\n", ["Yes", "No"][*zip]);
        }
        write(folder.path(), &[("patients.csv", &first), ("tests.csv", &second)]);
        let model = format!(
            "sequential-xy-privacy(x=[Job, PoB, Zip, Sex], y=[Test], k={k}, h=0.{h})"
        );
        let job = job(folder.path(), &model, "auto", "before = [\"patients.csv\"]");
        match crate::run(&job, &Unobserved) {
            Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible, "{}", error),
            Ok(_) => {
                let files = ["patients.csv", "release.csv"];
                let found = audited(folder.path(), &files, &["Job", "PoB", "Sex"], &model).unwrap();
                prop_assert!(found.iter().all(|found| found.holds), "{:?}", figures(&found));
            }
        }
    }
}
