//! Global recodings whose points lie on disk publish what they publish in memory.

use super::{COLUMNS, patients};
use crate::support::Folder;

fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A tree for jobs: height and age grow theirs by splits.
const JOBS: &str = "clerk,office,*\nnurse,care,*\nsmith,craft,*\ntutor,office,*\ncook,craft,*\n";

fn folder(n: usize) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", patients(n));
    folder.write("job.csv", JOBS);
    folder
}

#[test]
fn cuts_from_disk_publish_what_memory_does() {
    let folder = folder(1200);
    let target = COLUMNS.replace("--keep ward", "--target ward");
    let asks = [
        (COLUMNS, "-k 5 --algorithm top-down-specialization"),
        (COLUMNS, "-k 5 --algorithm top-down-specialization(score=igpl)"),
        (&target, "-k 8 --algorithm top-down-specialization"),
        (COLUMNS, "-k 10 --algorithm top-down-refinement --model l-diversity-distinct(l=3)"),
        (&target, "-k 20 --algorithm top-down-disclosure --model t-closeness(t=0.4)"),
        (COLUMNS, "--model lkc-privacy(l=2,k=20,c=0.6) --algorithm top-down-specialization"),
    ];
    for (i, (columns, ask)) in asks.into_iter().enumerate() {
        let ask = format!("anonymize in.csv {columns} {ask} --hierarchy job=job.csv --seed 7");
        let memory = folder.report(&format!("{ask} -o m{i}.csv"));
        let disk = folder.report(&format!("{ask} -o d{i}.csv --memory 64MiB"));
        let engine = &disk["algorithm_details"]["engine"];
        assert_eq!(engine["name"], "cuts", "{ask}");
        for name in ["specializations", "refused"] {
            assert_eq!(engine["work"][name], memory["algorithm_details"][name], "{ask}");
        }
        let (a, b) = (folder.text(&format!("m{i}.csv")), folder.text(&format!("d{i}.csv")));
        assert_eq!(sorted_lines(&a), sorted_lines(&b), "{ask}");
        assert!(sorted_lines(&a).windows(2).any(|pair| pair[0] != pair[1]), "{ask}");
        for part in ["classes", "classes_before", "suppressed", "guarantees", "evidence"] {
            assert_eq!(memory[part], disk[part], "{ask}: {part}");
        }
        for (name, value) in disk["metrics"].as_object().unwrap() {
            let (a, b) = (memory["metrics"][name].as_f64().unwrap(), value.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{ask}: {name}: {a} {b}");
        }
    }
    let left: Vec<String> =
        folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn people_with_several_records_are_counted_on_disk() {
    let folder = folder(1200);
    // Forty people with thirty records each.
    let mut text = String::new();
    for (i, line) in patients(1200).lines().enumerate() {
        let rest = line.split_once(',').map_or("", |(_, rest)| rest);
        let person = if i == 0 { "person".into() } else { format!("P{}", i % 40) };
        text += &format!("{person},{rest}\n");
    }
    folder.write("in.csv", text);
    let columns = COLUMNS.replace("--identifier person", "--subject person");
    let ask = format!(
        "anonymize in.csv {columns} -k 25 --algorithm top-down-specialization --hierarchy \
            job=job.csv --seed 7"
    );
    let memory = folder.report(&format!("{ask} -o m.csv"));
    let disk = folder.report(&format!("{ask} -o d.csv --memory 64MiB --engine cuts"));
    assert_eq!(disk["algorithm_details"]["engine"]["name"], "cuts");
    assert_eq!(sorted_lines(&folder.text("m.csv")), sorted_lines(&folder.text("d.csv")));
    for part in ["classes", "suppressed", "guarantees"] {
        assert_eq!(memory[part], disk[part], "{part}");
    }
    // Rows would allow more than people do.
    let rows = ask.replace("--subject", "--identifier");
    folder.succeed(&format!("{rows} -o r.csv --memory 64MiB --engine cuts"));
    assert_ne!(sorted_lines(&folder.text("r.csv")), sorted_lines(&folder.text("d.csv")));
}

#[test]
fn cuts_are_published_in_several_partitions() {
    let folder = Folder::new();
    // Long texts that are published as they are make records large, and partitions small.
    let words = "so many words ".repeat(25);
    let mut lines = vec!["age,height,note".to_string()];
    for i in 0..20_000u64 {
        lines.push(format!("{},{},{words}{i}", 18 + i * i % 71, 150 + i * 7 % 45));
    }
    folder.write("in.csv", lines.join("\n") + "\n");
    let ask = "anonymize in.csv --qi age,height --keep note --accept note -k 50 --seed 7 \
        --algorithm top-down-specialization";
    let memory = folder.report(&format!("{ask} -o m.csv"));
    let disk = folder.report(&format!("{ask} -o d.csv --memory 64MiB --engine cuts"));
    let partitions = disk["algorithm_details"]["engine"]["partitions"].as_u64().unwrap();
    assert!(partitions > 1, "{partitions}");
    assert_eq!(sorted_lines(&folder.text("m.csv")), sorted_lines(&folder.text("d.csv")));
    for part in ["classes", "classes_before", "suppressed", "guarantees", "evidence"] {
        assert_eq!(memory[part], disk[part], "{part}");
    }
}

#[test]
fn a_saved_recoding_from_disk_can_be_applied() {
    let folder = folder(600);
    let ask = format!(
        "anonymize in.csv {COLUMNS} -k 5 --algorithm top-down-specialization --hierarchy \
            job=job.csv --seed 7 --memory 64MiB"
    );
    folder.succeed(&format!("{ask} -o d.csv --save-recoding r.json"));
    let applied = folder.report("apply r.json in.csv -o a.csv --seed 1");
    assert_eq!(applied["output"]["rows"], 600);
    assert_eq!(sorted_lines(&folder.text("a.csv")), sorted_lines(&folder.text("d.csv")));
}

#[test]
fn what_cuts_on_disk_cant_serve_is_refused_by_name() {
    let folder = folder(300);
    let ask = "anonymize in.csv -o o.csv --memory 64MiB --algorithm";
    let refused = |flags: &str, says: &str| {
        let refused = folder.run(&format!("{ask} {flags}"));
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
        assert!(refused.stderr.contains("hint: "), "{}", refused.stderr);
    };
    let people = COLUMNS.replace("--identifier person", "--subject person");
    refused(
        &format!("top-down-specialization {people} -k 5 --model l-diversity-distinct(l=2)"),
        "top-down-specialization checks l-diversity-distinct of people with several records in",
    );
    refused(
        &format!("top-down-refinement {COLUMNS} -k 5 --metric entropy"),
        "top-down-refinement prices cells by entropy in memory only",
    );
    refused(
        &format!("mondrian {COLUMNS} -k 5 --engine cuts"),
        "mondrian finds no cuts that are for all records",
    );
    refused(
        &format!("top-down-specialization {COLUMNS} -k 5 --engine tree"),
        "top-down-specialization finds cuts that are for all records",
    );
    let hopeless = folder
        .run(&format!("{ask} top-down-specialization {COLUMNS} -k 301 --hierarchy job=job.csv"));
    assert_eq!(hopeless.code, 3, "{}", hopeless.stderr);
    assert_eq!(folder.names(), ["in.csv", "job.csv"]);
}
