//! `sfumato apply`: new rows in the regions of an earlier release.

use crate::support::{Folder, ROLES, people, sorted_lines};

/// A recoding with two regions: ages 20 to 22 and 40 to 42, all f.
fn saved() -> Folder {
    let folder = Folder::new();
    folder.write("old.csv", "age,sex\n20,f\n21,f\n22,f\n40,f\n41,f\n42,f\n");
    folder.succeed(
        "anonymize old.csv -o release.csv --qi age,sex -k 3 --save-recoding recoding.json",
    );
    folder
}

#[test]
fn rows_inside_are_published_in_their_regions() {
    let folder = saved();
    folder.write("new.csv", "age,sex\n22,f\n40,f\n20,f\n42,f\n20,f\n41,f\n");
    let report = folder.report("apply recoding.json new.csv -o out.csv");
    assert_eq!(
        sorted_lines(&folder.text("out.csv")),
        [
            "[20..22],f",
            "[20..22],f",
            "[20..22],f",
            "[40..42],f",
            "[40..42],f",
            "[40..42],f",
            "age,sex"
        ]
    );
    assert_eq!(report["algorithm"], "saved-recoding");
    assert!(report["warnings"].to_string().contains("regions of an earlier release"));
    assert_eq!(
        report["guarantees"][0]["holds"], true,
        "the models of the release are asked of the new \
         rows"
    );
}

#[test]
fn the_same_rows_give_the_same_release() {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 4 --seed 3 --save-recoding recoding.json \
         --hierarchy age=interval(width=5,levels=4) --hierarchy zip=mask(from=right) \
         --algorithm mondrian(leftovers=none)"
    ));
    folder.succeed("apply recoding.json people.csv -o again.csv --seed 3");
    assert_eq!(folder.text("again.csv"), folder.text("out.csv"));
}

#[test]
fn regions_that_overlap_take_the_rows_they_need() {
    // In a local recoding a row lies in several regions; that of the fewest values needn't be the
    // one it was published in.
    for (algorithm, seed) in
        [("peel", 1), ("peel", 2), ("peel", 3), ("mondrian", 4), ("top-down", 5)]
    {
        let folder = Folder::with_people();
        folder.succeed(&format!(
            "anonymize people.csv -o out.csv {ROLES} -k 4 --seed {seed} --save-recoding \
                recoding.json \
             --hierarchy age=interval(width=5,levels=4) --hierarchy zip=mask(from=right) \
             --algorithm {algorithm}"
        ));
        folder.succeed("apply recoding.json people.csv -o again.csv --seed 3");
        assert_eq!(
            folder.text("again.csv").lines().count(),
            folder.text("out.csv").lines().count()
        );
    }
}

#[test]
fn rows_outside_are_refused() {
    let folder = saved();
    folder.write("new.csv", "age,sex\n20,f\n22,f\n21,f\n60,f\n61,f\n");
    let outcome = folder.run("apply recoding.json new.csv -o out.csv");
    assert_eq!(outcome.code, 3);
    assert_eq!(
        outcome.stderr,
        "error: 2 rows lie in no region of the recoding, the first is row 4\n\
         hint: --unseen extend puts them into the region that grows least, --unseen drop \
         suppresses them\n"
    );
    // A value that a hierarchy of the release doesn't know is unseen like any other.
    folder.write("new.csv", "age,sex\n20,f\n22,f\n21,x\n");
    let outcome = folder.run("apply recoding.json new.csv -o out.csv");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--unseen extend"), "{}", outcome.stderr);
    assert_eq!(folder.names(), ["new.csv", "old.csv", "recoding.json", "release.csv"]);
}

#[test]
fn rows_outside_extend_the_nearest_region() {
    let folder = saved();
    folder.write("new.csv", "age,sex\n20,f\n22,f\n21,f\n41,f\n40,f\n42,f\n25,f\n50,f\n");
    folder.succeed("apply recoding.json new.csv -o out.csv --unseen extend");
    let text = folder.text("out.csv");
    assert_eq!(text.matches("[20..25],f").count(), 4, "{text}");
    assert_eq!(text.matches("[40..50],f").count(), 4, "{text}");
    // A value without a place in the hierarchy makes its region as wide as can be.
    folder.write("new.csv", "age,sex\n20,f\n22,f\n21,x\n");
    folder.succeed("apply recoding.json new.csv -o out.csv --unseen extend");
    assert_eq!(folder.text("out.csv"), "age,sex\n[20..22],*\n[20..22],*\n[20..22],*\n");
}

#[test]
fn rows_outside_are_dropped_within_the_limit() {
    let folder = saved();
    folder.write("new.csv", "age,sex\n20,f\n22,f\n21,f\n60,f\n");
    let outcome = folder.run("apply recoding.json new.csv -o out.csv --unseen drop");
    assert_eq!(outcome.code, 3);
    assert!(!folder.path("out.csv").exists());
    let report = folder.report(
        "apply recoding.json new.csv -o out.csv --unseen drop --max-suppression \
         25%",
    );
    assert_eq!(folder.text("out.csv"), "age,sex\n[20..22],f\n[20..22],f\n[20..22],f\n");
    assert_eq!(report["suppressed"]["records"], 1);
}

#[test]
fn too_few_new_rows_are_no_release() {
    let folder = saved();
    folder.write("new.csv", "age,sex\n20,f\n22,f\n");
    let outcome = folder.run("apply recoding.json new.csv -o out.csv");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("the new rows don't satisfy the models"), "{}", outcome.stderr);
    // Suppressing all of them leaves nothing to publish, and a file without rows is no release.
    let outcome = folder.run("apply recoding.json new.csv -o out.csv --max-suppression 100%");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert_eq!(folder.names(), ["new.csv", "old.csv", "recoding.json", "release.csv"]);
}

#[test]
fn roles_come_with_the_recoding() {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 2 --save-recoding recoding.json"
    ));
    folder.write("new.csv", people(160));
    folder.succeed("apply recoding.json new.csv -o new-release.csv --unseen extend");
    let text = folder.text("new-release.csv");
    assert!(text.starts_with("age,sex,zip,disease,pay\n") && !text.contains("Name"), "{text}");
    assert_eq!(text.lines().count(), 161);
}

/// A recoding in which every column is recoded by itself.
fn saved_cuts() -> Folder {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 4 --seed 3 --save-recoding recoding.json \
            --max-suppression 10% \
         --hierarchy age=interval(width=5,levels=4) --hierarchy zip=mask(from=right) --algorithm \
         full-domain"
    ));
    folder
}

#[test]
fn columns_that_are_recoded_by_themselves_are_looked_up() {
    let folder = saved_cuts();
    let saved: serde_json::Value = serde_json::from_str(&folder.text("recoding.json")).unwrap();
    assert_eq!(
        (saved["shape"].as_str(), &saved["regions"]),
        (Some("cuts"), &serde_json::Value::Null)
    );
    let report =
        folder.report("apply recoding.json people.csv -o again.csv --seed 3 --max-suppression 10%");
    assert_eq!(folder.text("again.csv"), folder.text("out.csv"));
    let cuts = report["algorithm_details"]["cuts"].as_array().unwrap();
    assert_eq!(
        cuts.iter().map(|cut| cut["column"].as_str().unwrap()).collect::<Vec<_>>(),
        ["age", "sex", "zip"]
    );
    assert!(cuts.iter().all(|cut| cut["level"].is_u64() && cut["values"].is_u64()), "{cuts:?}");
    // Less rows, other ages: what the cut publishes stays what it was.
    folder.write("new.csv", people(60));
    folder.succeed("apply recoding.json new.csv -o new-release.csv --max-suppression 50%");
    let old: std::collections::BTreeSet<String> = folder
        .text("out.csv")
        .lines()
        .map(|line| line.split(',').next().unwrap().to_string())
        .collect();
    assert!(
        folder
            .text("new-release.csv")
            .lines()
            .all(|line| old.contains(line.split(',').next().unwrap()))
    );
}

#[test]
fn the_end_of_a_run_says_how_columns_are_cut() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 4 --hierarchy age=interval(width=5,levels=4) \
         --hierarchy zip=mask(from=right) --algorithm full-domain"
    ));
    assert!(outcome.stderr.contains("\n  cut         age "), "{}", outcome.stderr);
}

#[test]
fn cuts_are_printed_as_sql() {
    let folder = saved_cuts();
    let outcome = folder.succeed("apply recoding.json --sql --table clinic.people --dialect ansi");
    let sql = outcome.stdout;
    assert_eq!(outcome.stderr, "");
    assert!(sql.starts_with("-- Keep this statement private: "), "{sql}");
    assert!(sql.contains("FROM \"clinic\".\"people\"\n"), "{sql}");
    assert!(sql.contains("ELSE '*'\n    END AS \"age\""), "{sql}");
    assert!(
        sql.contains("COUNT(*) OVER (PARTITION BY \"age\", \"sex\", \"zip\")")
            && sql.contains(" >= 4\n"),
        "{sql}"
    );
    assert!(
        !sql.contains("\"name\"") && !sql.contains("\"person\""),
        "identifiers aren't read: {sql}"
    );
    assert!(sql.ends_with("ORDER BY \"age\", \"sex\", \"zip\", \"disease\", \"pay\";\n"), "{sql}");
    assert!(folder.succeed("apply recoding.json --sql").stdout.contains("FROM \"data\"\n"));
}

#[test]
fn regions_are_no_sql() {
    let folder = saved();
    let outcome = folder.run("apply recoding.json --sql");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(
        outcome
            .stderr
            .starts_with("error: this recoding can't be written as SQL: its regions overlap"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.contains("hint: take an algorithm that recodes each column by itself"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn sql_takes_no_data_and_data_no_table() {
    let folder = saved_cuts();
    for words in [
        "--sql people.csv",
        "--sql -o x.csv",
        "people.csv -o x.csv --table t",
        "people.csv",
        "-o x.csv",
        "--sql --table a..b",
    ] {
        let outcome = folder.run(&format!("apply recoding.json {words}"));
        assert_eq!(outcome.code, 2, "{words}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "{words}");
    }
    assert!(!folder.path("x.csv").exists());
}
