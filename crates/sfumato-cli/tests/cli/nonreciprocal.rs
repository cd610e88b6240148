//! Tables recoded nonreciprocally: `anonymize --model nonreciprocal-k-anonymity(k=..)`, and `audit`
//! of what it writes.

use crate::support::{Folder, people, rows};

const ROLES: &str = "--identifier name,person,pay,sex --qi age,zip --sensitive disease";
const MODEL: &str = "nonreciprocal-k-anonymity(k=4)";

fn released() -> Folder {
    let folder = Folder::with_people();
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} --model {MODEL}"));
    folder
}

/// Whether a published cell, a number or a range, covers a number.
fn covers(cell: &str, number: &str) -> bool {
    let number: u32 = number.parse().unwrap();
    match cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']')) {
        Some(range) => {
            let (low, high) = range.split_once("..").unwrap();
            (low.parse().unwrap()..=high.parse().unwrap()).contains(&number)
        }
        None => cell.parse() == Ok(number),
    }
}

#[test]
fn everybody_matches_k_rows_and_rows_k_people() {
    let folder = released();
    let (text, original) = (folder.text("out.csv"), people(80));
    let published = rows(&text);
    let original = rows(&original);
    assert_eq!(published[0], ["age", "zip", "disease"]);
    let matches =
        |person: &[&str], row: &[&str]| covers(row[0], person[2]) && covers(row[1], person[4]);
    let (people, published) = (&original[1..], &published[1..]);
    assert_eq!(published.len(), 80);
    for person in people {
        assert!(published.iter().filter(|row| matches(person, row)).count() >= 4);
    }
    for row in published {
        assert!(people.iter().filter(|person| matches(person, row)).count() >= 4);
    }
    // No row needs a twin: classes would.
    let audited = folder
        .run("audit out.csv --qi age,zip --model k-anonymity(k=4) --original people.csv")
        .stdout;
    assert!(
        audited.contains("k-anonymity k at least 4") && audited.contains("DOES NOT HOLD"),
        "{audited}"
    );
}

#[test]
fn a_seed_repeats_it_and_the_report_tells_who_hides_where() {
    let folder = Folder::with_people();
    let run = |out: &str, threads: usize| {
        folder.report(&format!(
            "anonymize people.csv -o {out} {ROLES} --model {MODEL} --seed 3 --threads {threads}"
        ))
    };
    let report = run("one.csv", 1);
    run("two.csv", 2);
    assert_eq!(folder.text("one.csv"), folder.text("two.csv"));
    assert_eq!(report["algorithm"], "nonreciprocal-boxes");
    assert_eq!(report["guarantees"][0]["achieved"], 4);
    assert_eq!(report["guarantees"][0]["scope"], "linked");
    assert_eq!(report["risks"]["prosecutor_max"]["after"], 0.25);
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("records hide in no classes") && warnings.contains("a seed was given")
    );
    // Classes serve the model too.
    let report = folder.report(&format!(
        "anonymize people.csv -o three.csv {ROLES} --model {MODEL} --algorithm mondrian"
    ));
    assert!(
        report["guarantees"][0]["achieved"].as_u64() >= Some(4)
            && report["classes"]["min"].as_u64() >= Some(4)
    );
}

#[test]
fn audits_find_the_matches_without_being_told() {
    let folder = released();
    let audit = |more: &str| folder.run(&format!("audit out.csv --qi age,zip {more}"));
    let outcome = audit(&format!("--model {MODEL} --original people.csv"));
    assert!(
        outcome.code == 0 && outcome.stdout.contains("achieved 4: holds"),
        "{}",
        outcome.stdout
    );
    let outcome = audit("--model nonreciprocal-k-anonymity(k=40) --original people.csv");
    assert!(outcome.code == 3 && outcome.stdout.contains("DOES NOT HOLD"), "{}", outcome.stdout);
    let outcome = audit(&format!("--model {MODEL}"));
    assert!(outcome.code == 2 && outcome.stderr.contains("--original DATA"), "{}", outcome.stderr);
    let outcome = audit(&format!("--model {MODEL} --original people.csv --memory 1GiB"));
    assert!(
        outcome.code == 2 && outcome.stderr.contains("must be in memory"),
        "{}",
        outcome.stderr
    );
    // One cell that covers nobody, and the assignments are gone.
    let text = folder.text("out.csv");
    let (head, rest) = text.split_once('\n').unwrap();
    let (first, rest) = rest.split_once('\n').unwrap();
    let changed = first.split_once(',').unwrap().1;
    folder.write("out.csv", format!("{head}\n99,{changed}\n{rest}"));
    let outcome = audit(&format!("--model {MODEL} --original people.csv"));
    assert!(outcome.code == 3 && outcome.stdout.contains("DOES NOT HOLD"), "{}", outcome.stdout);
    folder.write("out.csv", format!("{head}\n{rest}"));
    let outcome = audit(&format!("--model {MODEL} --original people.csv"));
    assert!(outcome.code == 2 && outcome.stderr.contains("79 rows"), "{}", outcome.stderr);
}

#[test]
fn labels_are_looked_up_in_their_hierarchies() {
    let folder = Folder::with_people();
    folder.write("sex.csv", "f;*\nm;*\n");
    let hierarchies = "--hierarchy zip=mask(from=right) --hierarchy age=interval(width=5,levels=3) \
        --hierarchy sex=sex.csv";
    let roles = "--identifier name,person,pay --qi age,sex,zip --sensitive disease";
    let outcome = folder
        .succeed(&format!("anonymize people.csv -o out.csv {roles} {hierarchies} --model {MODEL}"));
    assert!(outcome.stderr.contains("--hierarchy 'zip=mask(from=right)'"), "{}", outcome.stderr);
    let audit = format!("audit out.csv --qi age,sex,zip --model {MODEL} --original people.csv");
    folder.succeed(&format!("{audit} {hierarchies}"));
    // Without them labels mean nothing.
    let outcome = folder.run(&audit);
    assert!(outcome.code == 3 && outcome.stdout.contains("DOES NOT HOLD"), "{}", outcome.stdout);
}

#[test]
fn what_it_cannot_do_is_refused() {
    let folder = Folder::with_people();
    let refused = |more: &str, code: i32, said: &str| {
        let outcome = folder.run(&format!("anonymize people.csv -o out.csv {more}"));
        assert!(
            outcome.code == code && outcome.stderr.contains(said),
            "{more}: {}",
            outcome.stderr
        );
        assert!(!folder.path("out.csv").exists());
    };
    let boxes = format!("{ROLES} --model {MODEL} --algorithm nonreciprocal-boxes");
    refused(&format!("{boxes} --keep-order"), 2, "which published record is whose");
    refused(&format!("{boxes} --save-recoding r.json"), 2, "no recoding to save");
    refused(&format!("{boxes} -k 2"), 2, "publishes no classes");
    refused(&format!("{boxes} --model l-diversity-distinct(l=2)"), 2, "publishes no classes");
    refused(&format!("{boxes} --buckets permuted"), 2, "publishes tables as generalized");
    let people = "--identifier name,pay,sex --subject person --qi age,zip --sensitive disease";
    refused(
        &format!("{people} --model {MODEL} --algorithm nonreciprocal-boxes"),
        2,
        "a subject column asks for people",
    );
    refused(
        &format!("{ROLES} --model nonreciprocal-k-anonymity(k=81)"),
        3,
        "k is 80 and must be at least 81",
    );
    for (command, flag) in [("explore", "--algorithms"), ("evaluate", "--algorithm")] {
        let words =
            format!("{command} people.csv {ROLES} --model {MODEL} {flag} nonreciprocal-boxes");
        let outcome = folder.run(&words);
        assert!(
            outcome.code == 2 && outcome.stderr.contains("makes no classes"),
            "{words}: {}",
            outcome.stderr
        );
    }
    // With people to count, or values to guard, auto takes classes.
    folder.succeed(&format!("anonymize people.csv -o out.csv {people} --model {MODEL}"));
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} --model {MODEL} --model l-diversity-distinct(l=2)"
    ));
}
