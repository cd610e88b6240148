//! The catalogue, made-up data, the demo, completions and help.

use crate::support::Folder;

const FAMILIES: [&str; 6] =
    ["models", "algorithms", "metrics", "risks", "hierarchies", "generators"];

#[test]
fn every_family_and_every_entry_has_its_page() {
    let folder = Folder::new();
    let all = folder.report("list");
    for family in FAMILIES {
        let listed = folder.succeed(&format!("list {family}")).stdout;
        assert!(listed.starts_with(&format!("{family}\n")), "{listed}");
        let entries = all[family].as_array().unwrap();
        assert!(!entries.is_empty());
        for entry in entries {
            let (name, summary) =
                (entry["name"].as_str().unwrap(), entry["summary"].as_str().unwrap());
            assert!(listed.contains(name) && listed.contains(summary), "{name} in {listed}");
        }
        // One page of each family here; that every entry has a good page is tested beside the
        // entries.
        let name = entries[0]["name"].as_str().unwrap();
        let page = folder.succeed(&format!("list {family} {name}")).stdout;
        assert!(page.starts_with(&format!("# {name}\n\n")), "{page}");
        for param in entries[0]["params"].as_array().unwrap() {
            assert!(page.contains(&format!("- `{}` (", param["name"].as_str().unwrap())), "{page}");
        }
    }
    let whole = folder.succeed("list").stdout;
    assert!(FAMILIES.iter().all(|family| whole.contains(&format!("{family}\n"))), "{whole}");
}

#[test]
fn a_page_names_parameters_and_papers() {
    let page = Folder::new().succeed("list models l-diversity-entropy").stdout;
    for part in ["## Parameters", "- `l` (", "- `on` (", "## What it promises", "## Papers", "2006"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn generated_data_is_repeatable() {
    let folder = Folder::new();
    for (kind, header) in [
        ("patients", "name,person,birth,age,sex,zip,job,admission,diagnosis,cost"),
        ("census", "age,workclass,education,marital,occupation,relationship,race,sex,country"),
        ("agrawal", "salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan"),
    ] {
        let made = |extra: &str| {
            folder.succeed(&format!("generate {kind} --rows 500 -o - {extra}")).stdout
        };
        let data = made("");
        assert_eq!(data.lines().next(), Some(header));
        assert_eq!(data.lines().count(), 501, "{kind}");
        assert_eq!(made("--seed 1"), data, "the default seed is 1");
        assert_eq!(made("--threads 1"), data);
        assert_ne!(made("--seed 2"), data);
        folder.succeed(&format!("generate {kind} --rows 500 -o {kind}.csv"));
        assert_eq!(folder.text(&format!("{kind}.csv")), data);
    }
}

#[test]
fn generated_baskets_have_no_header_and_come_with_utilities() {
    let folder = Folder::new();
    let made =
        |extra: &str| folder.succeed(&format!("generate longtail --rows 300 -o - {extra}")).stdout;
    let data = made("");
    assert_eq!(data.lines().count(), 300);
    assert!(data.chars().all(|c| c.is_ascii_digit() || c == ' ' || c == '\n'));
    assert_eq!(made("--threads 1"), data);
    assert_ne!(made("--seed 2"), data);
    folder.succeed(
        "generate longtail(preset=targeting,correlation=0.5) --rows 300 -o b.dat --companions with",
    );
    assert_eq!(folder.text("b.dat").lines().count(), 300);
    assert_eq!(folder.text("with/longtail_utilities.csv").lines().count(), 1988);
}

#[test]
fn companions_are_hierarchies_of_the_data() {
    let folder = Folder::new();
    folder.succeed("generate patients --rows 500 -o patients.csv --companions with");
    for column in ["job", "diagnosis"] {
        folder.succeed(&format!(
            "hierarchy check with/{column}.csv --data patients.csv --column {column}"
        ));
    }
}

#[test]
fn the_demo_leaves_a_release_and_its_reports() {
    let folder = Folder::new();
    let outcome = folder.succeed("demo --rows 1500");
    assert_eq!(folder.names(), ["sfumato-demo"]);
    for name in [
        "patients.csv",
        "job.csv",
        "release.toml",
        "release.csv",
        "report.html",
        "public-report.html",
        "recoding.json",
    ] {
        assert!(folder.path(&format!("sfumato-demo/{name}")).exists(), "{name}");
    }
    assert_eq!(outcome.stdout, "");
    assert!(
        outcome.stderr.contains("1. Made up 1,500 rows of patients (nobody real)"),
        "{}",
        outcome.stderr
    );
    // What the demo tells to try works as it is written.
    for line in outcome.stderr.lines().filter_map(|line| line.trim().strip_prefix("sfumato ")) {
        let command = line.split("  (").next().unwrap();
        folder.succeed(command);
    }
    let again = folder.succeed("demo --rows 1500 -o sfumato-demo");
    assert_eq!(again.code, 0, "a second demo replaces the first");
}

#[test]
fn help_says_what_it_is_for() {
    let folder = Folder::new();
    let help = folder.succeed("--help").stdout;
    assert!(
        help.starts_with("Publish personal data so that nobody in it can be singled out"),
        "{help}"
    );
    for command in [
        "demo",
        "init",
        "run",
        "anonymize",
        "explain",
        "audit",
        "apply",
        "hierarchy",
        "list",
        "generate",
        "completions",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} in {help}");
        let page = folder.succeed(&format!("{command} --help")).stdout;
        assert!(page.contains("Usage: sfumato "), "{page}");
    }
    assert!(folder.succeed("--version").stdout.starts_with("sfumato "));
}

#[test]
fn completions_for_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            folder.succeed(&format!("completions {shell}")).stdout.contains("anonymize"),
            "{shell}"
        );
    }
}
