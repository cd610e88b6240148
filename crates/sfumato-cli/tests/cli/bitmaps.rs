//! Bitmaps of baskets: `anonymize --model nonreciprocal-k-anonymity(k=..)`, `audit` and `query` of
//! the folder it writes.

use serde_json::Value;

use crate::support::{Folder, Outcome};

/// Table 1 of the paper, a few times over with small changes.
const LINES: &str = "\
jogging,swimming,Christian
swimming,tennis,Christian
jogging,swimming,soccer,Muslim
swimming,tennis,soccer,Buddhist
jogging,swimming,tennis,Buddhist
jogging,tennis,soccer,Muslim
chess,Christian
chess,swimming

jogging,chess
";
const LABELS: [&str; 2] = ["--sensitive-items", "Christian,Muslim,Buddhist"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("log.csv", LINES);
    folder
}

fn make(folder: &Folder, model: &str, more: &str) -> Outcome {
    let mut words =
        vec!["anonymize", "log.csv", "--baskets", "lines(separator=comma)", "--model", model];
    words.extend(LABELS);
    words.extend(more.split_whitespace());
    words.push("--force");
    folder.run_arguments(&words, &[])
}

fn made(folder: &Folder, model: &str, more: &str) -> Value {
    let outcome = make(folder, model, more);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn fail(folder: &Folder, words: &str, code: i32) -> String {
    let outcome = folder.run(words);
    assert_eq!(outcome.code, code, "{words}: {}{}", outcome.stdout, outcome.stderr);
    outcome.stderr
}

const AUDIT: &str = "audit release --original log.csv --baskets lines(separator=comma)";

/// The items of a line.
fn items(line: &str) -> Vec<&str> {
    line.split(',').filter(|item| !item.is_empty()).collect()
}

/// Whether a set is a possible world of a row, item by item.
fn admits(base: &str, distance: &str, set: &[&str]) -> bool {
    let (base, distance) = (items(base), items(distance));
    let threshold: usize = distance[0].parse().unwrap();
    let differing: Vec<&&str> = base
        .iter()
        .filter(|item| !set.contains(item))
        .chain(set.iter().filter(|item| !base.contains(item)))
        .collect();
    differing.iter().all(|item| distance[1..].contains(item)) && differing.len() <= threshold
}

#[test]
fn every_record_is_a_possible_world_of_k_rows() {
    let folder = folder();
    let report = made(&folder, "nonreciprocal-k-anonymity(k=3)", "-o release --seed 1 --json");
    assert_eq!(report["guarantees"][0]["measure"], "matches");
    assert_eq!(
        (&report["guarantees"][0]["achieved"], &report["bitmaps"]["rows"]),
        (&3.into(), &10.into())
    );
    let findings = &report["algorithm_details"]["findings"];
    let sum = |name: &str| findings[name].as_f64().unwrap();
    assert!(
        sum("cyclic_sum") <= sum("cyclic_sum_gray") && sum("cyclic_sum_given") > 0.0,
        "{findings}"
    );
    let (base, distance) = (folder.text("release/base.csv"), folder.text("release/distance.csv"));
    let labels = items(LABELS[1]);
    let is_label = |item: &&str| labels.contains(item);
    let rows: Vec<(String, &str)> = base
        .lines()
        .zip(distance.lines())
        .map(|(base, distance)| {
            (
                items(base).into_iter().filter(|i| !is_label(i)).collect::<Vec<_>>().join(","),
                distance,
            )
        })
        .collect();
    assert_eq!(rows.len(), 10);
    for line in LINES.lines() {
        let set: Vec<&str> = items(line).into_iter().filter(|item| !is_label(item)).collect();
        let matching = rows.iter().filter(|(base, distance)| admits(base, distance, &set)).count();
        assert!(matching >= 3, "{line}: {matching}");
    }
    // Labels are all there, each once.
    let count = |text: &str| text.lines().flat_map(items).filter(is_label).count();
    assert_eq!(count(&base), count(LINES));
    // The same seed gives the same bytes for any number of threads; another seed gives others.
    made(&folder, "nonreciprocal-k-anonymity(k=3)", "-o release --seed 1 --json --threads 1");
    assert_eq!(
        (folder.text("release/base.csv"), folder.text("release/distance.csv")),
        (base.clone(), distance)
    );
    made(&folder, "nonreciprocal-k-anonymity(k=3)", "-o other --seed 2 --json");
    assert_ne!(folder.text("other/base.csv"), base);
}

#[test]
fn an_audit_finds_the_assignments_and_refuses_changed_files() {
    let folder = folder();
    made(&folder, "nonreciprocal-k-anonymity(k=3)", "-o release --seed 1 --json");
    let audited = folder.succeed(&format!("{AUDIT} --model nonreciprocal-k-anonymity(k=3)"));
    assert!(audited.stdout.contains("achieved 3: holds"), "{}", audited.stdout);
    assert!(
        audited.stdout.contains("each record can be given a row of its own"),
        "{}",
        audited.stdout
    );
    let alone = folder.succeed("audit release");
    assert!(alone.stdout.contains("truth      not checked"), "{}", alone.stdout);
    assert!(
        fail(&folder, "audit release --model nonreciprocal-k-anonymity(k=3)", 2)
            .contains("--original")
    );
    assert!(
        fail(&folder, &format!("{AUDIT} --model k-anonymity(k=2)"), 2)
            .contains("promises nothing about")
    );
    let outcome = folder.run(&format!("{AUDIT} --model nonreciprocal-k-anonymity(k=10)"));
    assert_eq!(outcome.code, 3, "{}", outcome.stdout);
    // A changed file is another than the manifest says; with its hash mended, what it says is still
    // judged.
    let base = folder.text("release/base.csv");
    folder.write("release/base.csv", base.replacen("swimming", "chess", 1));
    assert!(fail(&folder, AUDIT, 2).contains("isn't the file that the release was made with"));
    folder.write("release/base.csv", &base);
    let distance = folder.text("release/distance.csv");
    let exact: String = distance.lines().map(|_| "0\n").collect();
    let manifest = folder.text("release/release.json");
    folder.write("release/distance.csv", &exact);
    let hash = |text: &str| -> String {
        use sha2::Digest as _;
        sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    folder.write("release/release.json", manifest.replace(&hash(&distance), &hash(&exact)));
    let outcome = folder.run(&format!("{AUDIT} --model nonreciprocal-k-anonymity(k=3)"));
    assert_eq!(outcome.code, 3, "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("NOT TRUE") && outcome.stdout.contains("DOES NOT HOLD"),
        "{}",
        outcome.stdout
    );
    folder.write("release/distance.csv", exact.replacen('0', "9", 1));
    assert!(fail(&folder, AUDIT, 2).contains("the threshold of row 1 isn't a number from 0 to 0"));
}

#[test]
fn labels_of_matches_differ_in_the_release() {
    let folder = folder();
    let report = made(&folder, "nonreciprocal-l-diversity(l=3)", "-o release --seed 4 --json");
    assert_eq!(report["algorithm"], "nonreciprocal-greedy");
    assert!(
        report["guarantees"]
            .as_array()
            .unwrap()
            .iter()
            .all(|g| g["holds"] == true && g["achieved"] == 3)
    );
    let audited = folder.succeed(&format!("{AUDIT} --model nonreciprocal-l-diversity(l=3)"));
    assert_eq!(audited.stdout.matches(": holds").count(), 2, "{}", audited.stdout);
    let outcome = make(&folder, "nonreciprocal-l-diversity(l=4)", "-o none");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("l may be at most 3"), "{}", outcome.stderr);
    let outcome =
        make(&folder, "nonreciprocal-l-diversity(l=2)", "-o none --algorithm nonreciprocal-ring");
    assert!(
        outcome.code == 2 && outcome.stderr.contains("knows nothing of sensitive items"),
        "{}",
        outcome.stderr
    );
    folder.write("two.csv", "a,flu,hiv\nb,flu\n");
    let words = "anonymize two.csv --baskets lines(separator=comma) --sensitive-items flu,hiv \
        --model nonreciprocal-l-diversity(l=2) -o none";
    assert!(fail(&folder, words, 2).contains("record 1 has 2 sensitive items"));
    assert!(!folder.path("none").exists());
}

#[test]
fn queries_have_bounds_over_all_worlds() {
    let folder = folder();
    made(&folder, "nonreciprocal-k-anonymity(k=3)", "-o release --seed 1 --json");
    let ask = |query: &str| -> Value {
        let words = [
            "query",
            "release",
            query,
            "--original",
            "log.csv",
            "--baskets",
            "lines(separator=comma)",
            "--json",
        ];
        let outcome = folder.run_arguments(&words, &[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        serde_json::from_str::<Value>(&outcome.stdout).unwrap()["answers"][0].clone()
    };
    for query in [
        "count where jogging",
        "count where not swimming and chess",
        "count where Muslim and not tennis",
        "count",
    ] {
        let answer = ask(query);
        let number = |name: &str| answer[name].as_f64().unwrap();
        assert!(
            number("lower") <= number("truth") && number("truth") <= number("upper"),
            "{answer}"
        );
        assert!(
            number("lower") <= number("estimate") && number("estimate") <= number("upper"),
            "{answer}"
        );
    }
    // Labels are published as they are.
    let answer = ask("count where Christian");
    assert_eq!(
        (&answer["lower"], &answer["upper"], &answer["truth"]),
        (&3.into(), &3.into(), &3.into())
    );
    let outcome = folder.run_arguments(&["query", "release", "count where golf"], &[]);
    assert!(
        outcome.code == 2 && outcome.stderr.contains("no row has the item 'golf'"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn long_tables_become_lines() {
    let folder = folder();
    folder.write("long.csv", "id,item\n1,a\n1,b\n2,a\n3,c\n");
    let form = "--baskets long(id=id,item=item) --model nonreciprocal-k-anonymity(k=2)";
    folder.succeed(&format!("anonymize long.csv {form} -o long"));
    folder.succeed(&format!("audit long --original long.csv {form}"));
    assert_eq!(folder.text("long/base.csv").lines().count(), 3);
}

#[test]
fn what_bitmaps_cannot_do_is_refused_before_anything_is_read() {
    let folder = folder();
    let k = "nonreciprocal-k-anonymity(k=3)";
    for (more, said) in [
        ("-o release --keep-order", "can't leave in the order of the input"),
        ("-o release --buckets linked", "bitmaps are no buckets"),
        ("-o release --max-suppression 10%", "nothing is suppressed"),
        ("-o release.csv", "a folder"),
        ("-o release --algorithm set-mondrian", "publishes baskets as subsets"),
        ("-o release --model k-anonymity(k=2)", "can't be asked for together"),
        ("-o release --model privacy-degree(p=2)", "can't be asked for together"),
    ] {
        let outcome = make(&folder, k, more);
        assert!(
            outcome.code == 2 && outcome.stderr.contains(said),
            "{more}: {} {}",
            outcome.code,
            outcome.stderr
        );
    }
    let outcome = make(&folder, "nonreciprocal-k-anonymity(k=11)", "-o release");
    assert!(
        outcome.code == 3 && outcome.stderr.contains("there are 10 records"),
        "{}",
        outcome.stderr
    );
    assert!(!folder.path("release").exists());
    let job =
        made(&folder, k, "-o release --seed 1 --json")["job_toml"].as_str().unwrap().to_string();
    folder.write("job.toml", job);
    let explained = folder.succeed("explain job.toml");
    assert!(
        explained.stdout.contains("a possible world of 3 published records"),
        "{}",
        explained.stdout
    );
}
