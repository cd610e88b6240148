//! `sfumato init`: guesses a job from a file. The job says what a person must look at, and runs
//! when a person has, or when somebody accepts the guesses.

use crate::support::{Folder, people};

fn patients() -> Folder {
    let folder = Folder::new();
    folder.succeed("generate patients(visits=2) --rows 400 -o patients.csv");
    folder
}

#[test]
fn what_is_guessed_runs_if_it_is_accepted() {
    let folder = patients();
    let outcome = folder.succeed("init patients.csv -o release.toml");
    assert_eq!(
        outcome.stderr,
        "wrote release.toml: 3 lines are marked CHECK. Look at each, delete the word, then: \
            sfumato run release.toml\n"
    );
    assert_eq!(outcome.stdout, "");
    folder.succeed("run release.toml --accept-guesses");
    assert_eq!(
        folder.names(),
        ["patients.csv", "release.toml", "released-patients.csv", "released-patients.html"]
    );
    let header = folder.text("released-patients.csv").lines().next().unwrap().to_string();
    assert_eq!(
        header, "birth,age,sex,zip,job,admission,diagnosis,cost",
        "name and person are gone, and the nearly unique cost is blurred"
    );
}

#[test]
fn every_guess_has_its_reason() {
    let folder = patients();
    let job = folder.succeed("init patients.csv").stdout;
    assert_eq!(folder.names(), ["patients.csv"], "without -o nothing is written");
    let lines: Vec<&str> = job.lines().collect();
    for (column, role, reason) in [
        ("name", "identifier", "# identifier: text with"),
        ("person", "subject", "# CHECK: subject: text with"),
        ("birth", "quasi", "# quasi: date with"),
        ("age", "quasi", "# quasi: integer with"),
        ("zip", "quasi", "# quasi: integer with"),
        ("diagnosis", "sensitive", "# CHECK: sensitive: text with"),
        ("cost", "quasi", "# CHECK: quasi: decimal with"),
    ] {
        let at = lines
            .iter()
            .position(|line| line.starts_with(&format!("{column} = {{ role = \"{role}\"")));
        let at = at.unwrap_or_else(|| panic!("{column} is no {role} in {job}"));
        assert!(lines[at - 1].starts_with(reason), "{}", lines[at - 1]);
    }
    assert!(job.contains("# 3 lines are marked CHECK"), "{job}");
    assert!(
        job.contains("zip = { role = \"quasi\", hierarchy = { mask = { from = \"right\" } } }"),
        "{job}"
    );
    assert!(job.contains("l-diversity-distinct(l=2, on=diagnosis)"), "{job}");
}

#[test]
fn a_job_elsewhere_finds_its_data() {
    let folder = patients();
    std::fs::create_dir(folder.path("jobs")).unwrap();
    folder.succeed("init patients.csv -o jobs/release.toml");
    folder.succeed("run jobs/release.toml --accept-guesses");
    assert!(folder.path("jobs/released-patients.csv").exists());
    std::fs::rename(folder.path("patients.csv"), folder.path("jobs/patients.csv")).unwrap();
    folder.succeed("init jobs/patients.csv -o jobs/release.toml --force");
    folder.succeed("run jobs/release.toml --accept-guesses --force");
}

#[test]
fn a_job_is_replaced_only_by_force() {
    let folder = Folder::with_people();
    folder.write("release.toml", "mine\n");
    assert_eq!(folder.run("init people.csv -o release.toml").code, 2);
    assert_eq!(folder.text("release.toml"), "mine\n");
    folder.succeed("init people.csv -o release.toml --force");
    assert!(
        folder
            .text("release.toml")
            .starts_with("# A guess by 'sfumato init' from people.csv (80 rows).")
    );
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::with_people();
    let outcome = folder.succeed("init people.csv -o -");
    assert_eq!(outcome.stdout, folder.succeed("init people.csv").stdout);
    assert_eq!(folder.names(), ["people.csv"]);
}

#[test]
fn delimiter_and_missing_go_into_the_job() {
    let folder = Folder::new();
    folder.write("data.csv", people(40).replace(',', "|").replace("|f|", "|NA|"));
    folder.succeed("init data.csv -o release.toml --delimiter | --missing NA");
    let job = folder.text("release.toml");
    assert!(job.contains("delimiter = \"|\"") && job.contains("missing = [\"NA\"]"), "{job}");
    folder.succeed("run release.toml --accept-guesses");
    assert!(folder.text("released-data.csv").lines().next().unwrap().contains('|'));
}

#[test]
fn odd_column_names_are_quoted() {
    let folder = Folder::new();
    folder.write(
        "data.csv",
        "Postal code,\"a \"\"b\"\"\",größe\n10115,1,2\n10115,1,2\n10115,3,4\n10117,3,4\n\
            10117,1,4\n",
    );
    folder.succeed("init data.csv -o release.toml");
    folder.succeed("run release.toml --accept-guesses");
    assert!(folder.text("released-data.csv").starts_with("Postal code,\"a \"\"b\"\"\",größe\n"));
}
