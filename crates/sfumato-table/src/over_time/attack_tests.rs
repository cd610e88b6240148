//! The attack on releases of a growing table: naive ones are broken, and those beside each other
//! aren't.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::observer::Unobserved;
use sfumato_engine::attack::{AttackAsked, Played};
use sfumato_engine::entry::Request;
use sfumato_engine::{AnyRelease, Job};

use crate::RELEASES;

fn write(folder: &Path, name: &str, header: &str, rows: &[(&str, usize)]) {
    let mut text = format!("{header}\n");
    rows.iter().for_each(|(row, n)| text += &format!("{row}\n").repeat(*n));
    std::fs::write(folder.join(name), text).unwrap();
}

fn job(folder: &Path, name: &str) -> Job {
    let path = folder.join(name).display().to_string();
    let text = format!(
        r#"
        [input]
        path = "{path}"
        [columns]
        place = {{ role = "quasi", hierarchy = {{ file = "place.csv" }} }}
        job = {{ role = "quasi", hierarchy = {{ file = "job.csv" }} }}
        ill = {{ role = "sensitive" }}
        "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

fn attacked(folder: &Path, release: &str, other: Option<&str>, attack: &str) -> Result<Played> {
    let asked = AttackAsked {
        attacks: vec![attack.into()],
        other: other.map(|name| job(folder, name)),
        ..AttackAsked::default()
    };
    let own = job(folder, release);
    let request = Request {
        original: Some(job(folder, "original.csv")),
        attack: asked,
        job: own.clone(),
        ..Request::default()
    };
    let takes = |entry: &&&'static dyn AnyRelease| entry.takes(&own).unwrap();
    let entry = RELEASES.iter().find(takes).unwrap();
    Ok(entry.attack(&request, &Unobserved)?.attacks.into_iter().next().unwrap())
}

#[test]
fn releases_of_a_growing_table_are_caught_and_those_beside_each_other_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, header) = (folder.path(), "place,job,ill");
    std::fs::write(folder.join("place.csv"), "UK;Europe;*\nFrance;Europe;*\n").unwrap();
    std::fs::write(folder.join("job.csv"), "Lawyer;Professional;*\nDoctor;Professional;*\n")
        .unwrap();
    // The people of the book: the first five were there before.
    let people = [
        ("UK,Lawyer,Flu", 3),
        ("France,Lawyer,HIV", 2),
        ("France,Lawyer,HIV", 1),
        ("France,Doctor,Flu", 2),
        ("UK,Doctor,HIV", 1),
        ("UK,Lawyer,HIV", 1),
    ];
    write(folder, "original.csv", header, &people);
    write(folder, "one.csv", header, &[("Europe,Lawyer,Flu", 3), ("Europe,Lawyer,HIV", 2)]);
    // Each is 5-anonymous.
    let naive = [
        ("UK,Professional,Flu", 3),
        ("UK,Professional,HIV", 2),
        ("France,Professional,HIV", 3),
        ("France,Professional,Flu", 2),
    ];
    write(folder, "naive.csv", header, &naive);
    let safe = [("Europe,Professional,Flu", 5), ("Europe,Professional,HIV", 5)];
    write(folder, "safe.csv", header, &safe);
    let rate = |release: &str, attack: &str| {
        let played = attacked(folder, release, Some("one.csv"), attack).unwrap();
        assert_eq!(played.baseline, 0.0);
        played.rate
    };
    // By hand: of the two of France who were there before, four records are left in both releases,
    // and four of the two of the UK who came later. Of the other six, five are left.
    assert_eq!(rate("naive.csv", "correspondence"), Some(0.4));
    assert_eq!(rate("naive.csv", "correspondence(k=4)"), Some(0.0));
    assert_eq!(rate("safe.csv", "correspondence"), Some(0.0));
    assert_eq!(rate("safe.csv", "correspondence(l=3)"), Some(1.0));
    let error = attacked(folder, "naive.csv", None, "correspondence").unwrap_err();
    assert!(error.hint.unwrap().contains("--other"));
}
