//! `sfumato ledger`, audits of several releases, and views, as a user meets them.

use crate::support::{Folder, Outcome};

/// The columns of what `sfumato generate patients` makes.
const ROLES: &str = "--qi age,zip,sex --sensitive diagnosis \
    --identifier name,person,birth,job,admission,cost";

/// A registry that grew three times.
fn registry() -> Folder {
    let folder = Folder::new();
    folder.succeed("generate patients --rows 900 --seed 3 -o all.csv");
    let text = folder.text("all.csv");
    let lines: Vec<&str> = text.lines().collect();
    for (name, rows) in [("january.csv", 300), ("february.csv", 600), ("march.csv", 900)] {
        folder.write(name, lines[..=rows].join("\n") + "\n");
    }
    folder
}

fn publish(folder: &Folder, month: &str, more: &str) -> Outcome {
    folder.run(&format!(
        "anonymize {month}.csv -o {month}-release.csv {ROLES} --ledger r.ledger --seed 1 {more}"
    ))
}

#[test]
fn a_registry_is_published_month_by_month() {
    let folder = registry();
    const K: &str = "--model bcf-anonymity(k=5)";
    folder.succeed(&format!("ledger init r.ledger {K}"));
    for month in ["january", "february", "march"] {
        let outcome = publish(&folder, month, K);
        assert_eq!(outcome.code, 0, "{month}: {}", outcome.stderr);
    }
    let shown: serde_json::Value =
        serde_json::from_str(&folder.succeed("ledger show r.ledger --json").stdout).unwrap();
    let releases = shown["releases"].as_array().unwrap();
    assert_eq!(releases.len(), 3);
    assert!(releases.iter().all(|release| release["files"] == "there"), "{shown}");
    let checked = folder.succeed("ledger check r.ledger");
    assert!(checked.stdout.contains("FA at least 5"), "{}", checked.stdout);
    assert!(!checked.stdout.contains("DOES NOT HOLD"), "{}", checked.stdout);
    assert!(folder.succeed("ledger verify r.ledger").stdout.contains("7 lines"));
    // Whoever has the files alone finds the same.
    let audit = "audit january-release.csv february-release.csv --qi age,zip,sex --sensitive \
        diagnosis --model bcf-anonymity(k=5)";
    folder.succeed(audit);
    assert_eq!(folder.run(&audit.replace("k=5", "k=301")).code, 3);
    // A job that doesn't ask what the ledger asks is refused, and so is one that can't be met.
    let refused = publish(&folder, "march", "-k 5 --force");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("say --model 'bcf-anonymity(k=5"), "{}", refused.stderr);
    let refused = publish(&folder, "march", &format!("{K} --model bcf-anonymity(k=400) --force"));
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert_eq!(folder.succeed("ledger show r.ledger --json").stdout, shown_again(&shown, &folder));
    let before = folder.bytes("r.ledger");
    folder.succeed(&format!("ledger propose r.ledger march.csv {ROLES} {K}"));
    assert_eq!(folder.bytes("r.ledger"), before);
    folder.succeed("ledger new-chain r.ledger");
    assert!(folder.succeed("ledger show r.ledger").stdout.contains("none in this chain"));
}

/// What `ledger show --json` prints, unless something changed.
fn shown_again(shown: &serde_json::Value, folder: &Folder) -> String {
    let again = folder.succeed("ledger show r.ledger --json").stdout;
    let value: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(&value, shown);
    again
}

#[test]
fn releases_that_were_made_elsewhere_are_recorded_with_what_their_labels_mean() {
    let folder = Folder::new();
    folder.write("place.csv", "UK;Europe;*\nFrance;Europe;*\nCanada;America;*\n");
    let rows = |text: &str, n: usize| text.repeat(n);
    let header = "place,disease\n";
    folder
        .write("r1.csv", header.to_string() + &rows("Europe,Flu\n", 3) + &rows("Europe,HIV\n", 2));
    folder.write(
        "r2.csv",
        header.to_string()
            + &rows("UK,Flu\n", 3)
            + &rows("UK,HIV\n", 2)
            + &rows("France,HIV\n", 3)
            + &rows("France,Flu\n", 2),
    );
    folder.succeed("ledger init plain.ledger");
    for release in ["r1.csv", "r2.csv"] {
        folder
            .succeed(&format!("ledger add plain.ledger {release} --qi place --sensitive disease"));
    }
    // Nobody said what Europe means: it can't be judged, and the hint is true.
    let model = "--model bcf-anonymity(k=4)";
    let refused = folder.run(&format!("ledger check plain.ledger {model}"));
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("--hierarchy place=FILE"), "{}", refused.stderr);
    let checked =
        folder.succeed(&format!("ledger check plain.ledger {model} --hierarchy place=place.csv"));
    assert!(checked.stdout.contains("FA at least 4: achieved 4"), "{}", checked.stdout);
    // Recorded with the labels it needs no hierarchy any more.
    folder.succeed("ledger init told.ledger");
    for release in ["r1.csv", "r2.csv"] {
        folder.succeed(&format!(
            "ledger add told.ledger {release} --qi place --sensitive disease --hierarchy \
             place=place.csv"
        ));
    }
    let again = folder.succeed(&format!("ledger check told.ledger {model}"));
    assert!(again.stdout.contains("FA at least 4: achieved 4"), "{}", again.stdout);
    assert_eq!(folder.run("ledger check told.ledger --model bcf-anonymity(k=5)").code, 3);
    let wrong = folder.run("ledger add told.ledger r1.csv --qi place --hierarchy town=place.csv");
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    assert_eq!(folder.run("ledger check told.ledger --hierarchy place").code, 2);
}

#[test]
fn a_table_with_deletions_is_published_m_invariant() {
    let folder = Folder::new();
    folder.succeed("generate patients --rows 600 --seed 4 -o all.csv");
    let text = folder.text("all.csv");
    let lines: Vec<&str> = text.lines().collect();
    let month =
        |from: usize, to: usize| format!("{}\n{}\n", lines[0], lines[1 + from..1 + to].join("\n"));
    for (name, from) in [("january", 0), ("february", 60), ("march", 120)] {
        folder.write(&format!("{name}.csv"), month(from, from + 400));
    }
    folder.succeed("ledger init r.ledger --model m-invariance(m=3,on=diagnosis)");
    let roles = "--subject person --qi age,zip --sensitive diagnosis \
        --identifier name,birth,sex,job,admission,cost --model m-invariance(m=3,on=diagnosis)";
    let mut made_up = 0;
    for name in ["january", "february", "march"] {
        let report = folder.report(&format!(
            "anonymize {name}.csv -o {name}-release.csv {roles} --ledger r.ledger --seed 1 \
             --made-up {name}-made-up.csv"
        ));
        assert_eq!(report["input"]["rows"], 400);
        assert_eq!(report["algorithm"], "m-invariant");
        let guarantees = report["guarantees"].as_array().unwrap();
        assert!(guarantees.len() > 1 && guarantees.iter().all(|found| found["holds"] == true));
        let rows = folder.text(&format!("{name}-release.csv")).lines().count() - 1;
        assert_eq!(report["output"]["rows"], rows);
        made_up += rows - 400;
        let beside = folder.text(&format!("{name}-made-up.csv"));
        let counts = beside.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().1);
        let counted: usize = counts.map(|count| count.parse::<usize>().unwrap()).sum();
        assert_eq!(counted, rows - 400, "{beside}");
        // What the report says to type judges the release.
        let audit = format!(
            "audit {name}-release.csv --qi age,zip --sensitive diagnosis --ledger r.ledger --model \
             m-invariance(m=3,on=diagnosis)"
        );
        assert!(folder.succeed(&audit).stdout.contains("broken signatures"), "{name}");
    }
    assert!(made_up > 0, "deletions leave gaps");
    let checked = folder.succeed("ledger check r.ledger");
    assert!(checked.stdout.contains("broken signatures"), "{}", checked.stdout);
    assert!(!folder.text("r.ledger").contains("P000001"), "nobody is named in the ledger");
    // Published by itself, the table of March breaks what January and February promised.
    folder.succeed("ledger init alone.ledger");
    folder.succeed(&format!(
        "anonymize march.csv -o alone.csv {roles} --ledger alone.ledger --seed 1"
    ));
    let audit = |file: &str| {
        folder.run(&format!(
            "audit january-release.csv {file} --qi age,zip --sensitive diagnosis --model \
             m-invariance(m=3,on=diagnosis)"
        ))
    };
    let unknown = audit("alone.csv");
    assert_eq!(unknown.code, 2, "the files don't say who is who: {}", unknown.stdout);
    assert!(unknown.stderr.contains("--subject COLUMN"), "{}", unknown.stderr);
    let refused = folder.run(&format!(
        "anonymize march.csv -o m.csv {} --ledger r.ledger",
        roles.replace("--subject person", "").replace("--identifier ", "--identifier person,")
    ));
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("--subject COLUMN"), "{}", refused.stderr);
}

#[test]
fn views_of_one_table_are_put_together() {
    let folder = Folder::new();
    folder.write(
        "people.csv",
        "Name,Job,Age,Disease\nAlice,Cook,40,Flu\nBob,Cook,50,Diabetes\nCalvin,Lawyer,60,HIV\n",
    );
    folder.write("jobs.sql", "SELECT Name, Job FROM t; SELECT Job, Disease FROM t;");
    let found = folder.run("views check jobs.sql --data people.csv");
    assert_eq!(found.code, 3, "{}{}", found.stdout, found.stderr);
    assert!(found.stdout.contains("Calvin") && found.stdout.contains("HIV"), "{}", found.stdout);
    folder.write("one.sql", "SELECT Job, Disease FROM t;");
    assert_eq!(folder.run("views check one.sql --data people.csv").code, 0);
    folder.write("wrong.sql", "SELECT Job FROM t WHERE Age LIKE 5;");
    assert_eq!(folder.run("views check wrong.sql --data people.csv").code, 2);
}
