//! Buckets of baskets: `anonymize --model privacy-degree(p=..)`, `audit` and `query` of the folder
//! it writes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Folder, rows};

/// The example of the paper, with a few more harmless customers.
const LINES: &str = "\
wine,meat,viagra
wine,meat
wine,meat,cream
meat,strawberries
cream,strawberries,pregnancy test
wine,cream

viagra
";
const MAKE: &str = "anonymize log.csv --baskets lines(separator=comma) --model privacy-degree(p=2)";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("log.csv", LINES);
    folder
}

fn make(folder: &Folder, more: &str) -> Value {
    let sensitive = ["--sensitive-items", "viagra,pregnancy test"];
    let mut words: Vec<&str> = MAKE.split(' ').chain(sensitive).collect();
    words.extend(more.split_whitespace());
    words.push("--force");
    let outcome = folder.run_arguments(&words, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// What a command prints to standard error. It must end with the given exit code.
fn fail(folder: &Folder, words: &str, code: i32) -> String {
    let outcome = folder.run(words);
    assert_eq!(outcome.code, code, "{words}: {}", outcome.stderr);
    outcome.stderr
}

#[test]
fn harmless_items_leave_as_they_are_and_sensitive_ones_as_counts() {
    let folder = folder();
    let report = make(&folder, "-o release --seed 1 --json");
    assert_eq!(report["guarantees"][0]["model"], "privacy-degree");
    assert_eq!(report["guarantees"][0]["holds"], true);
    let (quasi, sensitive) =
        (folder.text("release/quasi.csv"), folder.text("release/sensitive.csv"));
    assert!(!quasi.contains("viagra") && !quasi.contains("pregnancy"), "{quasi}");
    // Every harmless set is there, with a group before it.
    let mut published: Vec<String> = rows(&quasi).iter().map(|row| row[1..].join(",")).collect();
    let mut expected: Vec<String> = LINES
        .lines()
        .map(|line| {
            let mut items: Vec<&str> =
                line.split(',').filter(|i| !["viagra", "pregnancy test", ""].contains(i)).collect();
            items.sort_unstable();
            items.join(",")
        })
        .collect();
    published.sort();
    expected.sort();
    assert_eq!(published, expected);
    // Counts are those of the data, and no more than one in two records of a group has an item.
    let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
    rows(&quasi).iter().for_each(|row| *sizes.entry(row[0]).or_default() += 1);
    let counted = rows(&sensitive);
    assert_eq!(counted[0], ["group", "records", "item", "count"]);
    let mut totals: BTreeMap<&str, u32> = BTreeMap::new();
    for row in &counted[1..] {
        let (size, n): (u32, u32) = (row[1].parse().unwrap(), row[3].parse().unwrap());
        assert_eq!(sizes[row[0]], size);
        assert!(n * 2 <= size);
        *totals.entry(row[2]).or_default() += n;
    }
    assert_eq!(totals, BTreeMap::from([("pregnancy test", 1), ("viagra", 2)]));
    assert!(folder.text("release/release.json").contains("\"kind\": \"sets\""));
    // The same seed gives the same bytes, also where a release is replaced.
    make(&folder, "-o release --seed 1 --json --threads 1");
    assert_eq!(
        (folder.text("release/quasi.csv"), folder.text("release/sensitive.csv")),
        (quasi, sensitive)
    );
}

#[test]
fn an_audit_needs_the_files_alone_and_refuses_changed_ones() {
    let folder = folder();
    make(&folder, "-o release --seed 1 --json");
    let audited = folder.succeed("audit release --model privacy-degree(p=2)");
    assert!(audited.stdout.contains("achieved 2: holds"), "{}", audited.stdout);
    folder.succeed("audit release --original log.csv --baskets lines(separator=comma)");
    fail(&folder, "audit release --model privacy-degree(p=3)", 3);
    let (quasi, sensitive) =
        (folder.text("release/quasi.csv"), folder.text("release/sensitive.csv"));
    let refuse = |quasi: &str, sensitive: &str, why: &str| {
        folder.write("release/quasi.csv", quasi);
        folder.write("release/sensitive.csv", sensitive);
        let said = fail(&folder, "audit release", 2);
        assert!(said.contains(why), "{why}: {said}");
    };
    // A count changed: structure alone can't tell, the hash can; beyond the group's size structure
    // can.
    let row = rows(&sensitive)[1].join(",");
    let (head, n) = row.rsplit_once(',').unwrap();
    assert_eq!(n, "1");
    refuse(
        &quasi,
        &sensitive.replace(&row, &format!("{head},2")),
        "sensitive.csv isn't the file that the release was made with",
    );
    refuse(
        &quasi,
        &sensitive.replace(&row, &format!("{head},9")),
        "the count isn't a number from 1 to",
    );
    // A row moved to another group.
    let group = rows(&sensitive)[1][0];
    let other = rows(&quasi).iter().map(|row| row[0]).find(|id| *id != group).unwrap().to_string();
    let line = quasi.lines().find(|line| line.split(',').next() == Some(group)).unwrap();
    let moved = line.replacen(group, &other, 1);
    refuse(&quasi.replacen(line, &moved, 1), &sensitive, "is said to have other than its");
    // A count given twice.
    refuse(&quasi, &format!("{sensitive}{row}\n"), "has a second count of the same item");
    // A group that isn't there.
    refuse(
        &quasi,
        &sensitive.replacen(&row, &row.replacen(group, "777", 1), 1),
        "group '777' has counts and no records",
    );
    // Without the manifest it is no release.
    folder.write("release/quasi.csv", &quasi);
    folder.write("release/sensitive.csv", &sensitive);
    folder.succeed("audit release");
    let another = LINES.replacen("wine,meat\n", "wine,meat,beer\n", 1);
    folder.write("another.csv", &another);
    let said =
        fail(&folder, "audit release --original another.csv --baskets lines(separator=comma)", 2);
    assert!(said.contains("aren't those of the original's records"), "{said}");
}

#[test]
fn counts_are_reconstructed() {
    let folder = folder();
    make(&folder, "-o release --seed 1 --json");
    let words = [
        "query",
        "release",
        "count where cream and strawberries and 'pregnancy test'",
        "count where wine",
        "--original",
        "log.csv",
        "--baskets",
        "lines(separator=comma)",
        "--json",
    ];
    let outcome = folder.run_arguments(&words, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let answers: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let [test, wine] = [0, 1].map(|i| &answers["answers"][i]);
    assert_eq!((&test["truth"], &wine["truth"]), (&1.into(), &4.into()));
    assert_eq!(
        (&wine["estimate"], &wine["lower"], &wine["upper"]),
        (&4.0.into(), &4.into(), &4.into())
    );
    let estimate = test["estimate"].as_f64().unwrap();
    assert!(estimate > 0.0 && estimate <= 0.5, "{estimate}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder();
    let words = |more: &[&str]| {
        let mut words: Vec<&str> =
            "anonymize log.csv --baskets lines(separator=comma) -o release".split(' ').collect();
        words.extend(more);
        folder.run_arguments(&words, &[])
    };
    // Two of eight have viagra: not one in five.
    let outcome =
        words(&["--model", "privacy-degree(p=5)", "--sensitive-items", "viagra,pregnancy test"]);
    assert_eq!(outcome.code, 3);
    assert!(
        outcome.stderr.contains("1 sensitive item is too frequent for p = 5"),
        "{}",
        outcome.stderr
    );
    let outcome = words(&["--model", "privacy-degree(p=2)"]);
    assert!(outcome.stderr.contains("none are named"), "{}", outcome.stderr);
    let outcome =
        words(&["--model", "privacy-degree(p=2)", "-k", "2", "--sensitive-items", "viagra"]);
    assert!(outcome.stderr.contains("can't be asked for together"), "{}", outcome.stderr);
    let outcome = words(&[
        "--model",
        "privacy-degree(p=2)",
        "--sensitive-items",
        "viagra",
        "--algorithm",
        "two-phase",
    ]);
    assert!(
        outcome.stderr.contains("two-phase publishes baskets as subsets"),
        "{}",
        outcome.stderr
    );
    folder.write("release", "mine");
    let outcome = words(&["--model", "privacy-degree(p=2)", "--sensitive-items", "viagra"]);
    assert!(outcome.code != 0 && folder.text("release") == "mine", "{}", outcome.stderr);
}
