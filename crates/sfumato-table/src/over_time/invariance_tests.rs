//! Releases of a table with insertions and deletions, from jobs with one ledger.

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::chain::Published;
use sfumato_core::observer::Unobserved;
use sfumato_engine::ledger::Ledger;
use sfumato_report::Report;

use super::Past;
use super::recall::{bind_about_earlier, meanings, of_ledger};
use crate::Job;

/// A person: who, age, pay and what the person has.
type Person = (u32, u32, u32, &'static str);

const FIRST: [Person; 11] = [
    (1, 31, 22, "Transgender"),
    (2, 32, 24, "Plastic"),
    (3, 34, 28, "Vascular"),
    (4, 33, 35, "Urology"),
    (5, 51, 30, "Vascular"),
    (6, 46, 37, "Urology"),
    (7, 47, 43, "Transgender"),
    (8, 50, 45, "Vascular"),
    (9, 53, 36, "Urology"),
    (10, 62, 43, "Transgender"),
    (11, 66, 44, "Urology"),
];
const NEW: [Person; 5] = [
    (12, 35, 31, "Vascular"),
    (13, 56, 40, "Urology"),
    (14, 64, 41, "Transgender"),
    (15, 70, 54, "Urology"),
    (16, 75, 46, "Vascular"),
];

fn run(
    folder: &Path,
    people: &[Person],
    (name, m): (&str, u32),
    keys: &str,
) -> sfumato_core::Result<Report> {
    let mut text = "person,age,pay,surgery\n".to_string();
    for (who, age, pay, surgery) in people {
        text += &format!("p{who},{age},{pay},{surgery}\n");
    }
    std::fs::write(folder.join("now.csv"), text).unwrap();
    let ledger = folder.join("ledger");
    if !ledger.exists() {
        drop(Ledger::create(&ledger, Vec::new()).unwrap());
    }
    let job = format!(
        r#"
        [input]
        path = "now.csv"
        [columns]
        person = {{ role = "subject" }}
        age = {{ role = "quasi" }}
        pay = {{ role = "quasi" }}
        surgery = {{ role = "sensitive", accept = true }}
        [privacy]
        models = ["m-invariance(m={m})"]
        [recode]
        algorithm = "m-invariant(max_made_up=1)"
        [output]
        path = "{name}"
        {keys}
        [ledger]
        path = "ledger"
        [run]
        seed = 5
        "#
    );
    crate::run(&Job::parse(&job, "release.toml", folder).unwrap(), &Unobserved)
}

/// What the ledger recorded.
fn recorded(folder: &Path) -> Vec<Published> {
    let ledger = Ledger::open(&folder.join("ledger")).unwrap();
    of_ledger(&ledger, &["age".into(), "pay".into()]).unwrap()
}

/// The guarantees of everything that was recorded, as `ledger check` judges it.
fn judged(folder: &Path, m: u32) -> Vec<(bool, f64)> {
    let releases = recorded(folder);
    let meanings = meanings(&releases, &[]).unwrap();
    let chain = Past { releases, meanings, ..Past::default() }.chain().unwrap();
    let bound = bind_about_earlier(&format!("m-invariance(m={m}, on=surgery)")).unwrap();
    let last = bound.last().unwrap();
    last.judge_chain(&chain).unwrap().iter().map(|found| (found.holds, found.achieved)).collect()
}

fn finding(report: &Report, name: &str) -> f64 {
    let json = serde_json::to_value(report).unwrap().to_string();
    let key = format!("\"{name}\":");
    let at = json.find(&key).unwrap_or_else(|| panic!("{name} isn't in {json}")) + key.len();
    let number: String =
        json[at..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    number.parse().unwrap()
}

#[test]
fn the_table_of_the_book_is_published_twice_with_made_up_records() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(folder.path(), &FIRST, ("r1.csv", 2), "").unwrap();
    assert!(report.guarantees.iter().all(|found| found.holds));
    let stays = |person: &&Person| ![2, 3, 6, 8, 10].contains(&person.0);
    let now: Vec<Person> = FIRST.iter().filter(stays).chain(&NEW).copied().collect();
    let report = run(folder.path(), &now, ("r2.csv", 2), "").unwrap();
    assert!(report.guarantees.iter().all(|found| found.holds));
    assert_eq!(report.input.rows, 11, "made-up records aren't of the input");
    let text = std::fs::read_to_string(folder.path().join("r2.csv")).unwrap();
    let made_up = text.lines().count() - 1 - 11;
    assert_eq!(finding(&report, "made-up records"), made_up as f64);
    assert!((1..=4).contains(&made_up), "{text}");
    assert!(!text.contains("p1"), "{text}");
    assert_eq!(judged(folder.path(), 2), [(true, 2.0), (true, 0.0)]);
    let releases = recorded(folder.path());
    let people = releases[1].people.as_ref().unwrap();
    assert_eq!((releases[1].rows(), people.len()), (11 + made_up as u64, 11));
    // Nobody finds a person in the ledger by guessing.
    let ledger = std::fs::read_to_string(folder.path().join("ledger")).unwrap();
    assert!(people.iter().all(|(name, _)| name.len() == 32) && !ledger.contains("\"p1\""));
    // Record 1 alone has no region of its own.
    assert!(!text.contains("\n31,22,"), "{text}");
}

#[test]
fn what_would_break_a_signature_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &FIRST, ("r1.csv", 2), "").unwrap();
    let before = std::fs::read(folder.path().join("ledger")).unwrap();
    let refused = |people: &[Person], m: u32, keys: &str| {
        run(folder.path(), people, ("r2.csv", m), keys).unwrap_err()
    };
    let mut changed = FIRST;
    changed[0].3 = "Vascular";
    let error = refused(&changed, 2, "");
    // The value may be in the signature by chance, and then another value of it is missing.
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
    assert!(error.message.contains("another sensitive value"), "{error}");
    assert!(refused(&FIRST, 4, "").message.contains("fewer than 4"));
    let error = refused(&FIRST[..6], 2, "keep_order = true");
    assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
    assert!(!folder.path().join("r2.csv").exists());
    assert_eq!(std::fs::read(folder.path().join("ledger")).unwrap(), before);
    // Two records of one person.
    let twice: Vec<Person> = FIRST.iter().chain(&FIRST[..1]).copied().collect();
    assert_eq!(refused(&twice, 2, "").kind, ErrorKind::Unsupported);
}

#[test]
fn independent_releases_of_the_same_people_break_signatures() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &FIRST, ("r1.csv", 2), "").unwrap();
    let ledger = std::fs::read_to_string(folder.path().join("ledger")).unwrap();
    let stays = |person: &&Person| ![2, 3, 6, 8, 10].contains(&person.0);
    let now: Vec<Person> = FIRST.iter().filter(stays).chain(&NEW).copied().collect();
    // Alone, the second table is published without looking at the first.
    let other = tempfile::tempdir().unwrap();
    run(other.path(), &now, ("r2.csv", 2), "").unwrap();
    let text = |path: &Path| std::fs::read_to_string(path.join("r2.csv")).unwrap();
    assert_eq!(text(other.path()).lines().count(), 12, "nobody need be made up");
    assert!(!ledger.is_empty());
    let mut releases = recorded(folder.path());
    releases.extend(recorded(other.path()));
    // The two ledgers name people differently; by class and value they are told alike here.
    let mut first = releases.remove(0);
    let mut second = releases.remove(0);
    let rename = |people: &[Person], published: &mut Published| {
        // The holder knows who is where: the class that covers age and pay.
        let class_of = |person: &Person| {
            let covers = |text: &str, number: u32| {
                let inner = text.trim_matches(['[', ']']);
                let (low, high) = inner.split_once("..").unwrap_or((inner, inner));
                (low.parse::<u32>().unwrap()..=high.parse::<u32>().unwrap()).contains(&number)
            };
            let value = published.values.iter().position(|value| value == person.3).unwrap() as u32;
            published.classes.iter().position(|class| {
                covers(&published.texts[0][class.cells[0] as usize], person.1)
                    && covers(&published.texts[1][class.cells[1] as usize], person.2)
                    && class.values.iter().any(|(other, _)| *other == value)
            })
        };
        let named = people.iter().map(|person| {
            (person.0.to_string(), class_of(person).expect("somebody is there") as u32)
        });
        published.people = Some(named.collect());
    };
    rename(&FIRST, &mut first);
    rename(&now, &mut second);
    let releases = vec![first, second];
    let meanings = meanings(&releases, &[]).unwrap();
    let chain = Past { releases, meanings, ..Past::default() }.chain().unwrap();
    let bound = bind_about_earlier("m-invariance(m=2, on=surgery)").unwrap();
    let found = bound.last().unwrap().judge_chain(&chain).unwrap();
    assert!(!found[1].holds && found[1].achieved > 0.0, "{found:?}");
}

#[test]
fn groups_with_different_values_are_never_published_alike() {
    let ill = ["Flu", "HIV", "Cold", "Gout"];
    let people: Vec<Person> = (0..8).map(|who| (who, 30, 20, ill[who as usize % 4])).collect();
    let folder = tempfile::tempdir().unwrap();
    // Two signatures at one place, and no other place to widen a region to.
    let error = run(folder.path(), &people, ("r1.csv", 2), "").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(error.message.contains("too few regions"), "{error}");
    assert!(!folder.path().join("r1.csv").exists());
    // With one signature they are one class, and with places around them they are told apart.
    run(folder.path(), &people, ("r1.csv", 4), "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let others = (8..16).map(|who| (who, 30 + who, 20 + who, ill[who as usize % 4]));
    let people: Vec<Person> = people.iter().copied().chain(others).collect();
    run(folder.path(), &people, ("r1.csv", 2), "").unwrap();
    assert_eq!(judged(folder.path(), 2), [(true, 2.0), (true, 0.0)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// People come and go over three releases: all that were published hold together, by the model
    /// that knows nothing of the algorithm.
    #[test]
    fn people_who_come_and_go_keep_their_signatures(
        people in prop::collection::vec(
            (20u32..80, 10u32..90, 0usize..5, 0usize..3, 1usize..4), 12..60,
        ),
        m in 2u32..4,
    ) {
        let values = ["Flu", "HIV", "Cold", "Gout", "Angina"];
        let folder = tempfile::tempdir().unwrap();
        for time in 0..3 {
            let there: Vec<Person> = (0u32..)
                .zip(&people)
                .filter(|(_, (.., from, long))| (*from..from + long).contains(&time))
                .map(|(who, (age, pay, value, ..))| (who, *age, *pay, values[*value]))
                .collect();
            if there.is_empty() {
                continue;
            }
            match run(folder.path(), &there, (&format!("r{time}.csv"), m), "") {
                Ok(report) => prop_assert!(report.guarantees.iter().all(|found| found.holds)),
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible, "{}", error),
            }
        }
        if !recorded(folder.path()).is_empty() {
            prop_assert!(judged(folder.path(), m).iter().all(|(holds, _)| *holds));
        }
    }
}
