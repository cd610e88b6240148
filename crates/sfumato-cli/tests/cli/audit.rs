//! `sfumato audit`: what a file promises, whoever made it.

use crate::support::{Folder, ROLES};

/// Six rows in two classes of three; the second has one disease only.
const RELEASE: &str = "age,sex,disease\n20-29,f,flu\n20-29,f,gout\n20-29,f,gout\n30-39,*,flu\n\
    30-39,*,flu\n30-39,*,flu\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("release.csv", RELEASE);
    folder
}

#[test]
fn what_holds_ends_well() {
    let folder = folder();
    let outcome = folder.succeed("audit release.csv --qi age,sex -k 3");
    let expected = "required   k-anonymity k at least 3: achieved 3: holds\n";
    assert!(outcome.stdout.ends_with(expected), "{}", outcome.stdout);
    assert!(
        outcome.stdout.starts_with("file       release.csv (6 rows)\nquasi      age, sex\n"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains("classes    2, smallest 3, mean 3, largest 3; 0 uniques\n"),
        "{}",
        outcome.stdout
    );
    assert_eq!(outcome.stderr, "");
    assert_eq!(folder.names(), ["release.csv"], "an audit writes nothing");
}

#[test]
fn what_does_not_hold_is_reported_and_ends_with_3() {
    let folder = folder();
    let outcome = folder.run(
        "audit release.csv --qi age,sex --sensitive disease -k 3 --model \
         l-diversity-distinct(l=2,on=disease)",
    );
    assert_eq!(outcome.code, 3);
    assert!(
        outcome.stdout.contains(
            "required   l-diversity-distinct l at least 2: achieved 1: DOES NOT \
             HOLD\n"
        ),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains("required   k-anonymity k at least 3: achieved 3: holds\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn the_figures_are_those_of_the_definitions() {
    let folder = folder();
    let audit = folder.report("audit release.csv --qi age,sex --sensitive disease");
    assert_eq!(audit["rows"], 6);
    assert_eq!(audit["holds"], true, "nothing was asked");
    let achieved = |model: &str| {
        let all = audit["achieved"].as_array().unwrap();
        all.iter()
            .find(|entry| entry["model"] == model)
            .unwrap_or_else(|| panic!("{model} in {all:?}"))["value"]
            .clone()
    };
    assert_eq!(achieved("k-anonymity"), 3);
    assert_eq!(achieved("l-diversity-distinct"), 1);
    assert_eq!(achieved("l-diversity-entropy").as_f64(), Some(1.0));
    assert_eq!(achieved("alpha-k-anonymity").as_f64(), Some(1.0));
    // Flu is 4 of 6 in the file, 1 of 3 in the first class: |1/3 - 4/6| is the farther of the two
    // classes.
    assert!((achieved("t-closeness (equal)").as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!((audit["risks"]["prosecutor_max"]["after"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!(audit["risks"]["prosecutor_max"]["before"].is_null());
    assert_eq!(audit["classes"]["uniques"], 0);
}

#[test]
fn the_original_shows_the_risk_before() {
    let folder = Folder::with_people();
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 5"));
    let audit = folder.report("audit out.csv --qi age,sex,zip --original people.csv -k 5");
    let risk = &audit["risks"]["prosecutor_max"];
    assert_eq!(risk["before"].as_f64(), Some(0.5), "two rows of each person are alike");
    assert!(risk["after"].as_f64() <= Some(0.2));
}

#[test]
fn subjects_are_counted_once() {
    let folder = Folder::new();
    folder.write("release.csv", "person,age\nA,30\nA,30\nA,30\nB,30\n");
    assert_eq!(folder.run("audit release.csv --qi age -k 4").code, 0);
    let outcome = folder.run("audit release.csv --qi age --subject person -k 3");
    assert_eq!(outcome.code, 3);
    assert!(
        outcome.stdout.contains("k-anonymity k at least 3: achieved 2: DOES NOT HOLD"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn models_of_every_scope_can_be_audited() {
    let folder = folder();
    for (model, code) in [
        ("lkc-privacy(l=1,k=3,c=1,on=disease)", 0),
        ("lkc-privacy(l=1,k=4,c=1,on=disease)", 3),
        ("lkc-privacy(l=1,k=3,c=0.9,on=disease)", 3),
        ("multi-k-anonymity(qids=[age,sex],k=3)", 0),
        ("t-closeness(t=0.34,on=disease)", 0),
        ("t-closeness(t=0.3,on=disease)", 3),
    ] {
        let outcome = folder
            .run(&format!("audit release.csv --qi age,sex --sensitive disease --model {model}"));
        assert_eq!(outcome.code, code, "{model}: {}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn a_part_that_holds_is_not_called_broken() {
    let folder = folder();
    let outcome = folder.run(
        "audit release.csv --qi age,sex --sensitive disease --model \
            lkc-privacy(l=2,k=3,c=0.9,on=disease)",
    );
    assert_eq!(outcome.code, 3);
    assert!(
        outcome.stdout.contains("lkc-privacy k at least 3: achieved 3: holds"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains("lkc-privacy c at most 0.9: achieved 1: DOES NOT HOLD"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn rows_that_are_all_suppressed_are_counted() {
    let folder = Folder::new();
    folder.write("release.csv", "age,sex\n30,f\n30,f\n*,*\n*,*\n*,*\n");
    let outcome = folder.succeed("audit release.csv --qi age,sex");
    assert!(outcome.stdout.contains("3 rows are * in every quasi column"), "{}", outcome.stdout);
}

#[test]
fn any_format_is_audited() {
    let folder = Folder::with_people();
    let classes: Vec<_> = ["out.csv", "out.parquet", "out.arrow", "out.jsonl", "out.csv.gz"]
        .iter()
        .map(|name| {
            folder.succeed(&format!("anonymize people.csv -o {name} {ROLES} -k 4"));
            let audit =
                folder.report(&format!("audit {name} --qi age,sex,zip --sensitive disease -k 4"));
            assert_eq!((&audit["holds"], &audit["rows"]), (&true.into(), &80.into()), "{name}");
            audit["classes"].clone()
        })
        .collect();
    assert!(classes.windows(2).all(|pair| pair[0] == pair[1]), "the same classes in every format");
}

#[test]
fn little_memory_gives_the_same_answer() {
    let folder = folder();
    let command =
        "audit release.csv --qi age,sex --sensitive disease --original release.csv -k 3 --json";
    let answer = |more: &str| -> serde_json::Value {
        let text = folder.succeed(&format!("{command} {more}")).stdout;
        let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Rows are compared with the original in memory only, and nothing is said without that.
        let truth = answer.as_object_mut().unwrap().remove("truth");
        assert_eq!(truth.is_some(), more.is_empty());
        answer
    };
    let expected = answer("");
    assert_eq!(answer("--memory 64MiB --spill ."), expected);
    assert_eq!(answer("--memory 1GiB"), expected);
    assert_eq!(folder.names(), ["release.csv"], "nothing is left behind");
    for (flags, message) in [
        ("--memory 1MiB", "--memory must be at least 64.0 MiB"),
        ("--memory much", "`much` isn't a size"),
        ("--spill .", "--memory"),
    ] {
        let outcome = folder.run(&format!("{command} {flags}"));
        assert_eq!(outcome.code, 2, "{flags}");
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

#[test]
fn hierarchies_of_a_job_are_found_from_its_own_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inner")).unwrap();
    let rows: String = (0..40).map(|n| format!("t{},{}\n", n % 4, n % 3)).collect();
    folder.write("inner/data.csv", format!("town,ill\n{rows}"));
    folder.write("inner/town.csv", "t0;north;*\nt1;north;*\nt2;south;*\nt3;south;*\n");
    folder.write(
        "inner/release.toml",
        "[input]\npath = \"data.csv\"\n[columns]\n\
         town = { role = \"quasi\", hierarchy = { file = \"town.csv\" } }\n\
         ill = { role = \"sensitive\" }\n[privacy]\nmodels = [\"k-anonymity(k=15)\"]\n\
         [output]\npath = \"out.csv\"\n",
    );
    assert_eq!(folder.run("run inner/release.toml").code, 0);
    let audit =
        folder.run("audit inner/out.csv --job inner/release.toml --original inner/data.csv --json");
    assert_eq!(audit.code, 0, "{}", audit.stderr);
    let told: serde_json::Value = serde_json::from_str(&audit.stdout).unwrap();
    assert_eq!(told["guarantees"][0]["holds"], true, "{told}");
}
