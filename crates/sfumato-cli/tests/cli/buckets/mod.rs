//! Bucket releases: exact quasi values, sensitive values by group.

mod audit;
mod guards;
mod query;
mod refusals;

use std::collections::BTreeMap;

use crate::support::{Folder, people, rows, sorted_lines};

/// The roles of made-up people, without a column that is kept.
pub const ROLES: &str = "--identifier name,person,pay --qi age,sex,zip --sensitive disease";

/// A folder with people and a linked release of them.
pub fn released() -> Folder {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out {ROLES} --algorithm anatomize --model \
            l-diversity-distinct(l=3)"
    ));
    folder
}

/// How often each group has each value, of `group,value,count` lines.
fn counts(text: &str) -> BTreeMap<(String, String), u64> {
    let entry =
        |row: Vec<&str>| ((row[0].to_string(), row[1].to_string()), row[2].parse().unwrap());
    rows(text).into_iter().skip(1).map(entry).collect()
}

#[test]
fn linked_tables_have_every_record_exactly_and_every_value_by_group() {
    let folder = released();
    assert_eq!(folder.names(), ["out", "people.csv"]);
    let (quasi, sensitive) = (folder.text("out/quasi.csv"), folder.text("out/sensitive.csv"));
    assert!(
        quasi.starts_with("age,sex,zip,group\n") && sensitive.starts_with("group,disease,count\n")
    );
    let published: Vec<String> =
        rows(&quasi).iter().skip(1).map(|row| row[..3].join(",")).collect();
    let original: Vec<String> =
        rows(&people(80)).iter().skip(1).map(|row| row[2..5].join(",")).collect();
    assert_eq!(sorted_lines(&published.join("\n")), sorted_lines(&original.join("\n")));
    assert_ne!(published, original, "the order is another");
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    rows(&quasi).iter().skip(1).for_each(|row| *sizes.entry(row[3].to_string()).or_default() += 1);
    let counts = counts(&sensitive);
    for (group, size) in &sizes {
        let values: Vec<u64> =
            counts.iter().filter(|((of, _), _)| of == group).map(|(_, n)| *n).collect();
        assert!(values.len() >= 3 && values.iter().all(|n| *n == 1), "{group}: {values:?}");
        assert_eq!(values.iter().sum::<u64>(), *size);
    }
    let mut numbers: Vec<usize> = sizes.keys().map(|group| group.parse().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=sizes.len()).collect::<Vec<_>>());
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("out/release.json")).unwrap();
    assert_eq!(
        (manifest["rows"].as_u64(), manifest["details"]["groups"].as_u64()),
        (Some(80), Some(sizes.len() as u64))
    );
    assert_eq!(manifest["details"]["sensitive"][0], "disease");
}

#[test]
fn a_release_replaces_an_earlier_one_and_a_seed_repeats_it() {
    let folder = Folder::with_people();
    let run = |out: &str, seed: u64| {
        folder.succeed(&format!(
            "anonymize people.csv -o {out} {ROLES} --algorithm anatomize(l=2) --model \
                l-diversity-distinct(l=2) --seed {seed}"
        ));
        folder.text(&format!("{out}/quasi.csv")) + &folder.text(&format!("{out}/sensitive.csv"))
    };
    let (first, other) = (run("a", 1), run("a", 2));
    assert_ne!(first, other);
    assert_eq!(run("b", 1), first);
    assert_eq!(folder.names(), ["a", "b", "people.csv"]);
}

#[test]
fn permuted_values_stay_in_their_group() {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} --algorithm anatomize --buckets permuted --model \
            l-diversity-distinct(l=3) --seed 4"
    ));
    let text = folder.text("out.csv");
    assert!(text.starts_with("age,sex,zip,disease,group\n"));
    let diseases = |text: &str, place: usize| {
        let mut all: Vec<String> =
            rows(text).iter().skip(1).map(|row| row[place].to_string()).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(diseases(&text, 3), diseases(&people(80), 5));
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows(&text).iter().skip(1) {
        groups.entry(row[4]).or_default().push(row[3]);
    }
    for values in groups.values_mut() {
        let n = values.len();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() == n && n >= 3, "all values of a group differ");
    }
    folder.succeed(
        "audit out.csv --group group --sensitive disease --model l-diversity-distinct(l=3)",
    );
}

#[test]
fn parquet_goes_the_same_way() {
    let folder = Folder::with_people();
    // A release that generalizes nothing is the same table in another format.
    folder.succeed(
        "anonymize people.csv -o people.parquet --identifier name,person --qi age --keep \
            sex,zip,disease,pay --accept sex,zip,disease,pay -k 1",
    );
    for (form, out) in [("linked", "out"), ("permuted", "out.parquet")] {
        folder.succeed(&format!(
            "anonymize people.parquet -o {out} --qi age,sex,zip --sensitive disease --keep pay \
                --algorithm anatomize --buckets {form} \
             --model l-diversity-distinct(l=2)"
        ));
    }
    let names: Vec<String> = {
        let entries = std::fs::read_dir(folder.path("out")).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names, ["quasi.parquet", "release.json", "sensitive.parquet"]);
    folder.succeed("audit out --model l-diversity-distinct(l=2)");
    folder.succeed(
        "audit out.parquet --group group --sensitive disease --model l-diversity-distinct(l=2)",
    );
    // Another format than the input's.
    folder.succeed(&format!(
        "anonymize people.csv -o lines {ROLES} --table-format jsonl --algorithm anatomize --model \
            l-diversity-distinct(l=2)"
    ));
    assert!(folder.text("lines/quasi.jsonl").starts_with("{\"age\""));
}

#[test]
fn every_local_recoding_can_be_published_as_buckets() {
    let folder = Folder::with_people();
    for algorithm in ["auto", "mondrian", "k-member", "full-domain"] {
        let report = folder.report(&format!(
            "anonymize people.csv -o out-{algorithm} {ROLES} --algorithm {algorithm} --buckets \
                linked --model l-diversity-entropy(l=2) \
             --max-suppression 10%"
        ));
        let suppressed = report["suppressed"]["records"].as_u64().unwrap();
        let text = folder.text(&format!("out-{algorithm}/quasi.csv"));
        assert_eq!(text.lines().count() as u64, 81 - suppressed);
        assert!(!text.contains('*') && !text.contains(".."), "{text}");
        assert!(report["classes"].is_null() && report["buckets"]["layout"] == "linked");
        folder.succeed(&format!("audit out-{algorithm} --model l-diversity-entropy(l=2)"));
    }
}

#[test]
fn numbers_are_grouped_by_their_order() {
    let folder = Folder::with_people();
    let report = folder.report(
        "anonymize people.csv -o out --identifier name,person --qi age,sex,zip --sensitive pay \
            --keep disease --algorithm ke-permutation \
         --model k-e-anonymity(k=3,e=250)",
    );
    assert!(report["algorithm_details"]["sum_of_ranges"].as_f64().unwrap() >= 250.0);
    let mut ranges: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (group, pay) in counts(&folder.text("out/sensitive.csv")).into_keys() {
        ranges.entry(group).or_default().push(pay.parse().unwrap());
    }
    for numbers in ranges.values() {
        assert!(
            numbers.len() >= 3
                && numbers.iter().max().unwrap() - numbers.iter().min().unwrap() >= 250
        );
    }
    assert!(ranges.len() > 1);
    assert!(folder.text("out/quasi.csv").starts_with("age,sex,zip,disease,group\n"));
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("published exactly beside the quasi columns: disease"), "{warnings}");
}

#[test]
fn several_sensitive_columns_have_a_table_each() {
    let folder = Folder::with_people();
    let roles = "--identifier name,person --qi age,sex,zip --sensitive disease,pay";
    let model = "--model l-diversity-distinct(l=2,on=disease)";
    let outcome =
        folder.run(&format!("anonymize people.csv -o out {roles} --algorithm anatomize {model}"));
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("makes groups by one sensitive column, and there are 2"),
        "{}",
        outcome.stderr
    );
    folder.succeed(&format!(
        "anonymize people.csv -o out {roles} --algorithm anatomize(on=disease) {model}"
    ));
    assert!(folder.text("out/sensitive-1.csv").starts_with("group,disease,count\n"));
    assert!(folder.text("out/sensitive-2.csv").starts_with("group,pay,count\n"));
    folder.succeed(&format!("audit out {model}"));
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {roles} --algorithm anatomize(on=disease) --buckets \
            permuted {model}"
    ));
    folder.succeed(&format!("audit out.csv --group group --sensitive disease,pay {model}"));
}

#[test]
fn reports_say_what_it_is() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(&format!(
        "anonymize people.csv -o out {ROLES} --algorithm anatomize --model \
            l-diversity-distinct(l=2) --report r.html --public-report p.html"
    ));
    for text in [outcome.stderr, folder.text("r.html"), folder.text("p.html")] {
        assert!(text.contains("whoever knows somebody finds the record"), "{text}");
        assert!(!text.contains("published like at least"), "{text}");
    }
}

#[test]
fn a_job_file_says_it_too() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(&format!(
        "anonymize people.csv -o out {ROLES} --algorithm mondrian --buckets linked --group-column \
            bucket --table-format csv \
         --model l-diversity-distinct(l=2) --print-job"
    ));
    assert!(
        outcome.stdout.contains("buckets = \"linked\"\ngroup = \"bucket\"\nformat = \"csv\"\n"),
        "{}",
        outcome.stdout
    );
    folder.write("release.toml", outcome.stdout);
    folder.succeed("explain release.toml");
    folder.succeed("run release.toml");
    assert!(folder.text("out/quasi.csv").starts_with("age,sex,zip,bucket\n"));
    folder.succeed("audit out --model l-diversity-distinct(l=2)");
}
