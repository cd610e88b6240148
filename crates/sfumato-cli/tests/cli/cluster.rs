//! `sfumato cluster` and `sfumato reduce`: comparisons in memory, one release without labels, one
//! table that promises nothing.

use crate::support::Folder;

/// Three groups of people that differ in age and pay.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("age,pay,job,note\n");
    for i in 0..120u32 {
        let group = i % 3;
        let (age, pay) = (20 + 20 * group + i / 3 % 8, 1000 * (1 + group) + i * 7 % 90);
        text += &format!("{age},{pay},{},{}\n", ["cook", "smith"][(i / 3 % 2) as usize], i % 5);
    }
    folder.write("people.csv", text);
    folder
}

const ROLES: &str = "--qi age,pay,job --keep note -k 5";

#[test]
fn one_command_compares_and_releases() {
    let folder = folder();
    let command = format!(
        "cluster people.csv {ROLES} --clusters 3 --algorithm mondrian --out found -o release.csv \
            --report report.json"
    );
    let outcome = folder.succeed(&command);
    for expected in [
        "data       people.csv (120 records)\n",
        "cluster    k-means on the quasi columns, seed 0\n",
        "\n3 clusters of 40, 40, 40 records;",
        "original, another seed",
        "\nmondrian                labels  1.000",
        "\nmondrian                 blind  ",
    ] {
        assert!(outcome.stdout.contains(expected), "{expected}\n{}", outcome.stdout);
    }
    assert!(outcome.stderr.contains("releasing  mondrian (labels)"), "{}", outcome.stderr);
    assert_eq!(folder.names(), ["found", "people.csv", "release.csv", "report.json"]);
    let release = folder.text("release.csv");
    assert_eq!(release.lines().next(), Some("age,pay,job,note"), "labels never leave");
    assert_eq!(release.lines().count(), 121);
    assert!(folder.text("found/clusters.svg").starts_with("<svg "));
    assert_eq!(folder.text("found/clusters.csv").lines().count(), 3);
    let found: serde_json::Value =
        serde_json::from_str(&folder.text("found/clusters.json")).unwrap();
    assert_eq!(found["numbers"][0]["arms"][0]["figures"]["f_measure"], 1.0);
    assert!(!folder.text("found/clusters.json").contains("smith"));
    folder.succeed("audit release.csv --qi age,pay,job -k 5");
    let again = folder.succeed(&format!(
        "cluster people.csv {ROLES} --clusters 3 --algorithm mondrian --threads 1"
    ));
    assert_eq!(again.stdout, outcome.stdout);
}

#[test]
fn the_recipient_may_have_another_clusterer_and_get_a_supplement() {
    let folder = folder();
    let command = format!(
        "cluster people.csv {ROLES} --clusters 3 --algorithm mondrian --recipient k-medoids \
            --supplement beside.json"
    );
    let outcome = folder.succeed(&command);
    let expected = "k-means on the quasi columns, k-medoids on the releases, seed 0";
    assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
    let beside: serde_json::Value = serde_json::from_str(&folder.text("beside.json")).unwrap();
    assert_eq!(
        (&beside["clusterer"], &beside["recipient"]),
        (&"k-means".into(), &"k-medoids".into())
    );
    assert!(beside["similarity"]["f_measure"].as_f64().unwrap() > 0.5, "{beside}");
    let records: u64 = beside["classes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|class| class["records_of_cluster"].as_array().unwrap())
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(records, 120);
    // A file that is there isn't written over, and several numbers have no release to go with.
    assert_eq!(folder.run(&command).code, 2);
    let several = format!("cluster people.csv {ROLES} --clusters 3,4 --supplement other.json");
    assert_eq!(folder.run(&several).code, 2);
    let wrong = format!("cluster people.csv {ROLES} --clusters 3 --recipient k-meanies");
    assert_eq!(folder.run(&wrong).code, 2);
}

#[test]
fn several_numbers_are_compared_and_warned_about() {
    let folder = folder();
    let outcome =
        folder.succeed(&format!("cluster people.csv {ROLES} --clusters 2,3 --clusterer k-medoids"));
    assert!(outcome.stdout.contains("release one of these at most"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("\n2 clusters of ") && outcome.stdout.contains("\n3 clusters of ")
    );
    for (words, code, message) in [
        ("--clusters 2,3 -o release.csv", 2, "a release is made for one number of clusters"),
        ("--clusters 1", 2, "1"),
        ("--clusters 3 --clusterer k-means(k=2)", 2, "the number of clusters is given apart"),
        ("--clusters 3 --algorithm mondrain", 2, "there is no algorithm 'mondrain'"),
        ("--clusters 3 -o people.csv", 2, "an output has the path of the input"),
        ("--clusters 3 -o release.xyz", 2, "release.xyz"),
        ("--clusters 3 --report report.json", 2, "--output"),
        ("--clusters 3 --model k-anonymity(k=121)", 3, "no algorithm can meet the requirements"),
    ] {
        let outcome = folder.run(&format!("cluster people.csv {ROLES} {words}"));
        assert_eq!(outcome.code, code, "{words}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
    }
    assert_eq!(folder.names(), ["people.csv"], "nothing is written by a command that fails");
}

#[test]
fn reduced_tables_say_that_nothing_is_promised() {
    let folder = folder();
    let outcome =
        folder.succeed("reduce people.csv --columns age,pay,note --dimensions 2 -o out.csv");
    for expected in
        ["evidence   nothing is promised", "stress     ", "2 dimensions in place of 3 columns"]
    {
        assert!(outcome.stderr.contains(expected), "{expected}\n{}", outcome.stderr);
    }
    assert!(!outcome.stderr.contains("a seed was given"));
    let first = folder.text("out.csv");
    assert_eq!((first.lines().next(), first.lines().count()), (Some("d1,d2"), 121));
    folder.succeed("reduce people.csv --columns age,pay,note --dimensions 2 -o out.csv");
    assert_ne!(folder.text("out.csv"), first, "the matrix is drawn anew");
    let seeded = "reduce people.csv --columns age,pay,note --dimensions 2 --entries sparse --seed \
        4 --json -o";
    let found: serde_json::Value =
        serde_json::from_str(&folder.succeed(&format!("{seeded} a.csv")).stdout).unwrap();
    assert_eq!((&found["is_seeded"], &found["evidence"]), (&true.into(), &"no-promise".into()));
    assert!(found["stress"]["is_exact"].as_bool().unwrap());
    folder.succeed(&format!("{seeded} b.csv"));
    assert_eq!(folder.text("a.csv"), folder.text("b.csv"));
}

#[test]
fn only_complete_numbers_are_reduced() {
    let folder = Folder::new();
    folder.write("t.csv", "a,b,c,d\n1,2,x,4\n2,3,y,5\n3,,z,?\n");
    for (words, code, message) in [
        ("--columns a,c --dimensions 1", 2, "column 'c' isn't a number in every record"),
        ("--columns a,b --dimensions 1", 2, "column 'b' is missing in 1 records"),
        ("--columns a,d --dimensions 1 --missing ?", 2, "column 'd' is missing in 1 records"),
        ("--columns a,e --dimensions 1", 2, "the file has no column 'e'"),
        ("--columns a,a --dimensions 1", 2, "given twice"),
        ("--columns a,b --dimensions 2", 2, "can be reduced to 1 to 1 dimensions, not to 2"),
        ("--columns a --dimensions 1", 2, "at least two columns"),
    ] {
        let outcome = folder.run(&format!("reduce t.csv {words} -o out.csv"));
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
        assert_eq!(outcome.code, code, "{words}: {}", outcome.stderr);
    }
    assert_eq!(folder.names(), ["t.csv"]);
}
