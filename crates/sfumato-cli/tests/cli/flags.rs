//! Flags as kinds state them: grouped in help, refused by name where they don't belong, and one
//! meaning for every command that takes them.

use crate::support::{Folder, ROLES};

#[test]
fn help_groups_flags_by_kind() {
    let folder = Folder::new();
    let help = folder.succeed("anonymize --help").stdout;
    let groups: Vec<&str> =
        help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let ours = ["Tables:", "Tables and baskets:", "Baskets:", "Graphs:"];
    for group in ours {
        assert!(groups.contains(&group), "{group} in {groups:?}");
    }
    let part = |group: &str| help.split(group).nth(1).unwrap_or("").to_string();
    let of_tables = part("\nTables:\n");
    let until = of_tables.find("\nBaskets:\n").unwrap_or(of_tables.len());
    assert!(of_tables[..until].contains("--qi <A,B>"), "{help}");
    assert!(part("\nBaskets:\n").contains("--sensitive-items <A,B>"), "{help}");
    // Every kind has a k: it stands under the heading of all of them.
    let before = help.split("-k <K>").next().unwrap_or("");
    let heading = before.lines().rfind(|line| groups.contains(line)).unwrap_or("");
    assert!(heading.starts_with("Tables") && heading.contains("baskets"), "{heading}: {help}");
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.succeed(&format!("completions {shell}")).stdout;
        for flag in ["qi", "sensitive-items", "max-suppression"] {
            assert!(script.contains(flag), "{flag} in completions for {shell}");
        }
    }
}

#[test]
fn what_belongs_to_another_kind_is_refused_before_anything_is_read() {
    let folder = Folder::new();
    let cases = [
        (
            "anonymize gone.csv --qi age --baskets lines -k 2 -o out.csv",
            "beside columns, items are in a cell of each row",
        ),
        (
            "anonymize gone.csv --baskets lines --save-recoding r.json -k 2 -o out.csv",
            "--save-recoding is for tables, and with --baskets these are baskets",
        ),
        (
            "anonymize gone.csv --baskets lines --workload correlation -k 2 -o out.csv",
            "--workload is for tables, and with --baskets these are baskets",
        ),
        (
            "anonymize gone.csv --qi age --set baskets.layout=lines -k 2 -o out.csv",
            "beside columns, items are in a cell of each row",
        ),
        (
            "explore gone.csv --baskets lines --hierarchy a=mask",
            "--hierarchy is for tables, and with --baskets these are baskets",
        ),
        (
            "query gone.csv count --original gone.csv --original-baskets lines",
            "--original-baskets is for baskets, and these are tables",
        ),
        ("explain release.toml --qi age", "--qi doesn't go with a release.toml"),
        ("explain release.toml -o out.csv", "--output doesn't go with a release.toml"),
    ];
    for (command, message) in cases {
        let outcome = folder.run(command);
        assert_eq!(outcome.code, 2, "{command}\n{}", outcome.stderr);
        let first = outcome.stderr.lines().next().unwrap_or("");
        assert_eq!(first, format!("error: {message}"), "{command}");
        assert!(outcome.stderr.contains("\nhint: "), "{command}\n{}", outcome.stderr);
    }
}

/// What `anonymize` takes, `explain` takes, and both mean the same release.toml.
#[test]
fn a_plan_is_explained_from_flags_as_from_a_job() {
    let folder = Folder::with_people();
    let flags = format!("people.csv {ROLES} -k 3 --max-suppression 5% --hierarchy zip=mask");
    let job = folder.succeed(&format!("anonymize {flags} -o out.csv --print-job")).stdout;
    folder.write("release.toml", job);
    let explained = |words: &str| -> serde_json::Value {
        let mut plan: serde_json::Value =
            serde_json::from_str(&folder.succeed(words).stdout).unwrap();
        plan["time"] = serde_json::Value::Null;
        plan
    };
    let from_flags = explained(&format!("explain {flags} -o out.csv --json"));
    assert_eq!(from_flags, explained("explain release.toml --json"));
    assert_eq!(from_flags["plan"]["kind"], "table");
    assert_eq!(from_flags["read"]["records"], 80);
    assert_eq!(from_flags["writes"][0]["path"], "out.csv");
    assert_eq!(folder.names(), ["people.csv", "release.toml"]);
}

/// Every form says the same things in the same order.
#[test]
fn plans_of_all_forms_have_the_same_lines() {
    let folder = Folder::with_people();
    folder.write("baskets.dat", "1 2 3\n1 2 3\n1 2\n4 5\n4 5\n4 5 6\n1 2\n4 5\n");
    let baskets = "baskets.dat --baskets lines";
    let cases = [
        (format!("people.csv {ROLES} -k 3 -o out.csv"), "table, published as generalized"),
        (
            format!("people.csv {ROLES} --model l-diversity-distinct(l=2) --buckets linked -o out"),
            "table, published as buckets",
        ),
        (
            "people.csv --identifier name,person,zip,sex --qi age --sensitive disease --keep pay \
             --algorithm additive-noise -o out.csv"
                .to_string(),
            "table, published as perturbed",
        ),
        (format!("{baskets} -k 2 -o out.dat"), "sets, published as subsets"),
        (
            format!("{baskets} --model privacy-degree(p=2) --sensitive-items 3,6 -o out"),
            "sets, published as buckets",
        ),
        (
            format!("{baskets} --model nonreciprocal-k-anonymity(k=2) -o out"),
            "sets, published as bitmaps",
        ),
    ];
    let labels =
        ["read", "kind", "require", "anonymize", "suppress", "passes", "memory", "time", "write"];
    for (flags, kind) in cases {
        let plan = folder.succeed(&format!("explain {flags}")).stdout;
        let mut found: Vec<&str> = plan
            .lines()
            .map(|line| line.split(' ').next().unwrap_or(""))
            .filter(|label| labels.contains(label))
            .collect();
        found.dedup();
        assert_eq!(found, labels, "{flags}\n{plan}");
        assert!(plan.contains(&format!("kind       {kind}\n")), "{plan}");
    }
}
