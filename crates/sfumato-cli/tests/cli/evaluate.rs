//! `sfumato evaluate`: what can be learnt from releases in memory. It reads, prints and draws, and
//! never publishes.

use crate::support::Folder;

/// A class that the age decides, with a little noise.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("age,job,pay,class\n");
    for i in 0..150u32 {
        let (age, job) = (20 + i * 7 % 41, ["cook", "smith", "nurse"][(i * i % 3) as usize]);
        let class = if (age > 40) ^ (i % 19 == 0) { "old" } else { "young" };
        text += &format!("{age},{job},{},{class}\n", 1000 + i * 37 % 23);
    }
    folder.write("people.csv", text);
    folder
}

const ROLES: &str = "--qi age,job --keep pay --target class -k 5";
const QUICK: &str = "--learner decision-tree --folds 3 --queries 50";

#[test]
fn tables_and_files_say_what_can_be_learnt() {
    let folder = folder();
    let command = format!(
        "evaluate people.csv {ROLES} {QUICK} --algorithm mondrian --algorithm full-domain --out \
            found"
    );
    let outcome = folder.succeed(&command);
    for expected in [
        "data       people.csv (150 records)\n",
        "require    k-anonymity(k=5); at most 0 suppressed\n",
        "protocol   3 folds, stratified by class; on average 100 rows to train on and 50 to test \
            on, seed 0\n",
        "by its type this is classification(target=class)\n",
        "class: accuracy in percent, mean +- standard deviation (higher is better), from age, \
            job\n",
        "\noriginal ",
        "\nwithout quasi columns ",
        "\nmondrian ",
        "\nfull-domain ",
        "H(class)",
    ] {
        assert!(outcome.stdout.contains(expected), "{expected}\n{}", outcome.stdout);
    }
    assert!(outcome.stderr.starts_with("time       read "), "{}", outcome.stderr);
    assert!(
        !outcome.stdout.contains("young") && !outcome.stdout.contains("smith"),
        "{}",
        outcome.stdout
    );
    assert_eq!(folder.names(), ["found", "people.csv"]);
    let text = |name: &str| folder.text(&format!("found/{name}"));
    assert!(text("scores.svg").starts_with("<svg "));
    assert_eq!(text("scores.csv").lines().count(), 1 + 4 * 3);
    assert!(text("measures.csv").contains("\nmondrian,,conditional-entropy,class,"));
    let found: serde_json::Value = serde_json::from_str(&text("evaluation.json")).unwrap();
    assert_eq!(found["tasks"][0]["scores"].as_array().unwrap().len(), 4);
    let tables: Vec<String> = ["scores.csv", "measures.csv", "scores.svg"].map(text).to_vec();
    assert_eq!(folder.succeed(&format!("{command} --threads 1")).stdout, outcome.stdout);
    assert_eq!(["scores.csv", "measures.csv", "scores.svg"].map(text).to_vec(), tables);
}

#[test]
fn jobs_splits_and_other_files_are_taken() {
    let folder = folder();
    folder.write("test.csv", "class,job,pay,age\nold,cook,1,58\nyoung,pope,2,30\nold,smith,3,99\n");
    folder.write(
        "release.toml",
        "[input]\npath = \"people.csv\"\n[output]\npath = \"never.csv\"\n[columns]\nage = { role \
            = \"quasi\" }\njob = { role = \"quasi\" }\n\
         pay = { role = \"target\" }\nclass = { role = \"keep\" }\n[privacy]\nmodels = \
         [\"k-anonymity(k=4)\"]\n\
         [workload]\ntasks = [\"regression(target=pay)\", \"classification(target=class)\"]\n",
    );
    let found =
        folder.report("evaluate release.toml --test test.csv --queries 10 --algorithm mondrian");
    assert_eq!((&found["rows"], &found["protocol"]["test_rows"]), (&153.into(), &3.0.into()));
    assert_eq!(found["tasks"][0]["is_classes"], false);
    assert_eq!(found["tasks"][1]["target"], "class");
    let found = folder
        .report(&format!("evaluate people.csv {ROLES} --learner naive-bayes --test-share 1/3"));
    assert_eq!(found["protocol"]["train_rows"], 100.0);
    let chosen: Vec<&str> = found["algorithms"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|a| a["algorithm"].as_str())
        .collect();
    assert_eq!(chosen, ["auto", "auto(workload=false)", "top-down-specialization"]);
    assert_eq!(
        folder.names(),
        ["people.csv", "release.toml", "test.csv"],
        "without --out nothing is written"
    );
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    for (words, code, message) in [
        ("--qi age,job --keep pay --target class", 2, "no privacy model was asked for"),
        (&format!("{ROLES} --algorithm mondrain"), 2, "there is no algorithm 'mondrain'"),
        (&format!("{ROLES} --learner oracle"), 2, "there is no learner 'oracle'"),
        (&format!("{ROLES} --learner decision-tree(depth=3)"), 2, "depth"),
        (
            &format!("{ROLES} --algorithm auto --algorithm auto"),
            2,
            "the algorithm auto is given twice",
        ),
        (&format!("{ROLES} --test-share 2"), 2, "--test-share must be a share between 0 and 1"),
        (&format!("{ROLES} --workload classification(target=age)"), 2, "is a quasi column"),
        (&format!("{ROLES} --workload regression(target=class)"), 2, "isn't a number"),
        (&format!("{ROLES} --out people.csv"), 2, "a file is in the place of the folder"),
        (&format!("{ROLES} --learner oracle --out found"), 2, "there is no learner 'oracle'"),
        (
            "--qi age,job --keep pay --target class -k 101 --folds 3 --learner decision-tree",
            3,
            "no algorithm can meet",
        ),
    ] {
        let outcome = folder.run(&format!("evaluate people.csv {words}"));
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
        assert_eq!(outcome.code, code, "{words}: {}", outcome.stderr);
    }
    assert_eq!(folder.names(), ["people.csv"], "what fails leaves no folder behind");
}
