//! Audits of bucket releases from their files alone.

use super::released;
use crate::support::{Folder, rows};

#[test]
fn what_was_released_holds() {
    let folder = released();
    let audit = folder.report("audit out --model l-diversity-distinct(l=3)");
    assert_eq!((audit["rows"].as_u64(), audit["holds"].as_bool()), (Some(80), Some(true)));
    assert_eq!(audit["buckets"], "linked");
    assert_eq!(audit["quasi"].as_array().unwrap().len(), 3);
    let models: Vec<&str> = audit["achieved"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["model"].as_str().unwrap())
        .collect();
    assert!(
        models.contains(&"l-diversity-distinct") && !models.contains(&"k-anonymity"),
        "{models:?}"
    );
    let outcome = folder.run("audit out --model l-diversity-distinct(l=5)");
    assert_eq!(outcome.code, 3);
    assert!(outcome.stdout.contains("DOES NOT HOLD"), "{}", outcome.stdout);
    let outcome = folder.run("audit out -k 2");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("k-anonymity promises nothing about buckets"),
        "{}",
        outcome.stderr
    );
}

/// Change the lines of a table of a release, header aside, and return what the audit prints.
fn tampered(file: &str, change: impl Fn(&mut Vec<Vec<String>>)) -> String {
    let folder = released();
    let text = folder.text(file);
    let mut all: Vec<Vec<String>> =
        rows(&text).iter().map(|row| row.iter().map(|cell| cell.to_string()).collect()).collect();
    let mut body = all.split_off(1);
    change(&mut body);
    all.extend(body);
    let lines: Vec<String> = all.iter().map(|row| row.join(",")).collect();
    folder.write(file, lines.join("\n") + "\n");
    let outcome = folder.run("audit out --model l-diversity-distinct(l=3)");
    assert_eq!(outcome.code, 2, "{}{}", outcome.stdout, outcome.stderr);
    outcome.stderr
}

#[test]
fn tampered_files_are_refused_with_the_reason() {
    let said = tampered("out/sensitive.csv", |rows| rows[0][2] = "2".into());
    assert!(said.contains("add up to") && said.contains("and it has"), "{said}");
    let said = tampered("out/sensitive.csv", |rows| rows[0][2] = "0".into());
    assert!(said.contains("a count must be a whole number from 1"), "{said}");
    let said = tampered("out/sensitive.csv", |rows| rows.push(rows[0].clone()));
    assert!(said.contains("has the same value in two rows"), "{said}");
    let said = tampered("out/sensitive.csv", |rows| {
        let group = rows[0][0].clone();
        rows.retain(|row| row[0] != group);
    });
    assert!(said.contains("it has no values of group"), "{said}");
    let said = tampered("out/sensitive.csv", |rows| rows[0][0] = "99".into());
    assert!(
        said.contains("it counts values of group 99, and no row is of it")
            || said.contains("add up to"),
        "{said}"
    );
    // A record moved to another group: the counts of both don't fit any more.
    let said = tampered("out/quasi.csv", |rows| {
        let other = rows.iter().find(|row| row[3] != rows[0][3]).unwrap()[3].clone();
        rows[0][3] = other;
    });
    assert!(said.contains("add up to"), "{said}");
    let said = tampered("out/quasi.csv", |rows| rows.push(rows[0].clone()));
    assert!(said.contains("add up to"), "{said}");
    let said = tampered("out/quasi.csv", |rows| rows[0][3] = "x".into());
    assert!(
        said.contains("a group's number must be a whole number from 1 (column 'group', row 1)"),
        "{said}"
    );
    // Two records exchanged between groups fit in every other way.
    let said = tampered("out/quasi.csv", |rows| {
        let other = rows.iter().position(|row| row[3] != rows[0][3]).unwrap();
        let group = rows[0][3].clone();
        rows[0][3] = rows[other][3].clone();
        rows[other][3] = group;
    });
    assert!(said.contains("quasi.csv isn't the file that the manifest names"), "{said}");
    let said = tampered("out/quasi.csv", |rows| rows[0][0] = "99".into());
    assert!(said.contains("its SHA-256 is another"), "{said}");
}

#[test]
fn manifests_and_files_that_are_not_there_are_refused() {
    let folder = released();
    let manifest = folder.text("out/release.json");
    folder.write("out/release.json", manifest.replace("\"groups\": ", "\"groups\": 1"));
    let outcome = folder.run("audit out");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("the manifest speaks of 80 records in"), "{}", outcome.stderr);
    folder.write("out/release.json", &manifest);
    std::fs::remove_file(folder.path("out/sensitive.csv")).unwrap();
    assert_eq!(folder.run("audit out").code, 5);
    std::fs::remove_file(folder.path("out/release.json")).unwrap();
    assert_ne!(folder.run("audit out").code, 0, "a folder without a manifest is no release");
}

#[test]
fn permuted_files_are_audited_by_their_group() {
    let folder = Folder::new();
    folder.write("release.csv", "age,disease,bucket\n20,flu,1\n30,gout,1\n40,flu,2\n50,flu,2\n");
    let outcome = folder.run(
        "audit release.csv --group bucket --sensitive disease --model l-diversity-distinct(l=2)",
    );
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("permuted: 2 groups, smallest 2, mean 2, largest 2"),
        "{}",
        outcome.stdout
    );
    let outcome = folder.run("audit release.csv --group group --sensitive disease");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("the file has no column 'group'"), "{}", outcome.stderr);
    folder.write("release.csv", "age,disease,bucket\n20,flu,1\n30,gout,1\n40,flu,3\n50,flu,3\n");
    let outcome = folder.run("audit release.csv --group bucket --sensitive disease");
    assert!(
        outcome.stderr.contains("no row is of group 2, though groups are numbered beyond"),
        "{}",
        outcome.stderr
    );
}
