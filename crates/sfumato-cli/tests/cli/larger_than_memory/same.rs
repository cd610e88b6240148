//! Out of core or not, frequency groups give the same release up to the order of its rows.

use super::{COLUMNS, patients};
use crate::support::Folder;

fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn frequency_groups_publish_what_memory_does() {
    let folder = Folder::new();
    folder.write("in.csv", patients(3000));
    let models = [
        "-k 5",
        "-k 5 --max-suppression 3%",
        "-k 4 --model l-diversity-distinct(l=3)",
        "-k 10 --model l-diversity-entropy(l=2)",
        "-k 10 --model t-closeness(t=0.4)",
    ];
    for (i, models) in models.iter().enumerate() {
        let ask = format!("anonymize in.csv {COLUMNS} {models} --seed 7");
        folder.succeed(&format!("{ask} -o m{i}.csv --algorithm mondrian"));
        let report = folder.report(&format!(
            "{ask} -o t{i}.csv --algorithm rothko-tree(partition_rows=200) --engine tree --memory \
                96MiB"
        ));
        assert_eq!(report["algorithm_details"]["engine"]["name"], "tree", "{models}");
        assert!(
            report["algorithm_details"]["engine"]["partitions"].as_u64().unwrap() > 5,
            "{models}"
        );
        let (memory, tree) = (folder.text(&format!("m{i}.csv")), folder.text(&format!("t{i}.csv")));
        assert_eq!(sorted_lines(&memory), sorted_lines(&tree), "{models}");
        assert_ne!(memory, tree, "rows leave in another order");
    }
    let left: Vec<String> =
        folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn reports_say_the_same_of_both() {
    let folder = Folder::new();
    folder.write("in.csv", patients(2000));
    let ask = format!("anonymize in.csv {COLUMNS} -k 5 --model l-diversity-distinct(l=2) --seed 1");
    let memory = folder.report(&format!("{ask} -o m.csv --algorithm mondrian"));
    let tree = folder.report(&format!(
        "{ask} -o t.csv --algorithm rothko-tree(partition_rows=150) --engine tree --memory 96MiB"
    ));
    for part in ["classes", "classes_before", "suppressed", "guarantees", "evidence"] {
        assert_eq!(memory[part], tree[part], "{part}");
    }
    assert_eq!(memory["input"]["sha256"], tree["input"]["sha256"]);
    for (name, value) in tree["metrics"].as_object().unwrap() {
        let (a, b) = (memory["metrics"][name].as_f64().unwrap(), value.as_f64().unwrap());
        assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{name}: {a} {b}");
    }
    assert!(tree["metrics"].as_object().unwrap().len() >= 5);
    for (name, value) in tree["risks"].as_object().unwrap() {
        for when in ["before", "after"] {
            let (a, b) = (memory["risks"][name][when].as_f64(), value[when].as_f64());
            let same = a.zip(b).is_none_or(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0));
            assert!(same && a.is_some() == b.is_some(), "{name} {when}: {a:?} {b:?}");
        }
    }
}

#[test]
fn a_sample_gives_a_release_that_holds() {
    let folder = Folder::new();
    folder.write("in.csv", patients(4000));
    for models in
        ["-k 5", "-k 6 --model l-diversity-recursive(c=3,l=2)", "-k 5 --max-suppression 2%"]
    {
        let ask =
            format!("anonymize in.csv {COLUMNS} {models} --seed 3 --engine sample --memory 96MiB");
        let algorithm = "rothko-sample(partition_rows=400,sample=1000)";
        let report = folder.report(&format!("{ask} -o s.csv --algorithm {algorithm}"));
        assert_eq!(report["algorithm_details"]["engine"]["name"], "sample");
        let guarantees = report["guarantees"].as_array().unwrap();
        assert!(
            !guarantees.is_empty() && guarantees.iter().all(|guarantee| guarantee["holds"] == true)
        );
        let rows = 4000 - report["suppressed"]["records"].as_u64().unwrap();
        assert_eq!(folder.text("s.csv").lines().count() as u64, rows + 1, "{models}");
        let first = folder.bytes("s.csv");
        folder.report(&format!("{ask} -o s.csv --algorithm {algorithm} --threads 1"));
        assert_eq!(first, folder.bytes("s.csv"), "a seed repeats a run, whatever the threads");
    }
}

#[test]
fn standard_input_and_saved_recodings_work_too() {
    let folder = Folder::new();
    let data = patients(1500);
    folder.write("in.csv", &data);
    let flags = format!(
        "{COLUMNS} -k 5 --seed 5 --engine tree --memory 96MiB --algorithm \
            rothko-tree(partition_rows=200)"
    );
    folder.succeed(&format!("anonymize in.csv -o a.csv {flags} --save-recoding r.json"));
    let piped = folder.run_with_input(&format!("anonymize - -o b.csv {flags}"), data.as_bytes());
    assert_eq!(piped.code, 0, "{}", piped.stderr);
    assert_eq!(folder.bytes("a.csv"), folder.bytes("b.csv"));
    // Where it fits, standard input is read once all the same.
    let small = format!("anonymize - -o d.csv {COLUMNS} -k 5 --seed 5 --memory 1GiB --json");
    let small = folder.run_with_input(&small, data.as_bytes());
    assert_eq!(small.code, 0, "{}", small.stderr);
    let report: serde_json::Value = serde_json::from_str(&small.stdout).unwrap();
    assert_eq!(
        (report["input"]["path"].as_str(), report["input"]["rows"].as_u64()),
        (Some("-"), Some(1500))
    );
    assert!(report["algorithm_details"]["engine"].is_null());
    let applied = folder.report("apply r.json in.csv -o c.csv --seed 1");
    assert_eq!(applied["output"]["rows"], 1500);
}

#[test]
fn one_partition_on_disk_is_measured_to_the_last_digit_as_in_memory() {
    let folder = Folder::new();
    folder.write("in.csv", patients(700));
    let ask = format!("anonymize in.csv {COLUMNS} -k 5 --seed 1 --algorithm mondrian");
    let memory = folder.report(&format!("{ask} -o m.csv"));
    let disk = folder.report(&format!("{ask} -o d.csv --engine tree --memory 96MiB"));
    assert_eq!(disk["algorithm_details"]["engine"]["partitions"], 1);
    let (m, d) = (folder.text("m.csv"), folder.text("d.csv"));
    assert_eq!(sorted_lines(&m), sorted_lines(&d));
    for (name, value) in disk["metrics"].as_object().unwrap() {
        assert_eq!(memory["metrics"][name], *value, "{name}");
    }
    for part in ["classes", "classes_before", "suppressed", "guarantees", "risks"] {
        assert_eq!(memory[part], disk[part], "{part}");
    }
    assert_eq!(memory["largest_losses"], disk["largest_losses"]);
}

#[test]
fn a_plan_is_shown_as_plain_data() {
    let folder = Folder::new();
    folder.write("in.csv", patients(500));
    let job = folder.succeed(&format!(
        "anonymize in.csv -o o.csv {COLUMNS} -k 5 --max-suppression 2% --seed 3 --print-job"
    ));
    folder.write("release.toml", job.stdout);
    for (flags, engine) in [("", "auto"), (" --engine tree --memory 96MiB", "tree")] {
        let text = folder.succeed(&format!("explain release.toml --json{flags}")).stdout;
        let explained: serde_json::Value = serde_json::from_str(&text).unwrap();
        let plan = &explained["plan"];
        assert_eq!((&plan["kind"], &plan["form"]), (&"table".into(), &"generalized".into()));
        assert!(plan["algorithm"].as_str().unwrap().starts_with("mondrian("), "{plan}");
        assert_eq!(plan["models"], serde_json::json!(["k-anonymity(k=5)"]));
        assert_eq!((&plan["engine"], &plan["seed"]), (&engine.into(), &3.into()));
        assert_eq!(plan["max_suppression"], "2%");
    }
    assert!(!folder.path("o.csv").exists());
}

#[test]
fn explain_says_which_engine_and_what_it_will_read() {
    let folder = Folder::new();
    folder.write("in.csv", patients(1000));
    folder.write(
        "release.toml",
        folder
            .succeed(&format!(
                "anonymize in.csv -o o.csv {COLUMNS} -k 5 --engine tree --memory 96MiB --print-job"
            ))
            .stdout,
    );
    let text = folder.succeed("explain release.toml").stdout;
    assert!(text.contains("engine tree: asked for"), "{text}");
    assert!(text.contains("reads"), "{text}");
    let text = folder.succeed("explain release.toml --engine auto").stdout;
    assert!(!text.contains("engine tree"), "{text}");
}

#[test]
fn what_cant_be_done_out_of_core_is_said() {
    let folder = Folder::new();
    folder.write("in.csv", patients(500));
    let flags = format!("anonymize in.csv -o o.csv {COLUMNS} -k 5 --engine tree --memory 96MiB");
    let refused = folder.run(&format!("{flags} --algorithm peel"));
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("peel works in memory only"), "{}", refused.stderr);
    let refused = folder.run(&format!("{flags} --keep-order"));
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    let refused = folder.run("anonymize in.csv -o o.csv --memory 10MiB -k 5 --qi age");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let refused = folder.run(&format!("{flags} --spill nowhere"));
    assert_eq!(refused.code, 5, "{}", refused.stderr);
    assert!(refused.stderr.contains("hint: create the folder first"), "{}", refused.stderr);
    let refused = folder.run("anonymize in.csv -o o.csv --memory lots -k 5 --qi age");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert_eq!(folder.names(), ["in.csv"]);
}

#[test]
fn what_fits_in_one_partition_is_read_and_written_as_often_as_predicted() {
    let folder = Folder::new();
    folder.write("in.csv", patients(500));
    for engine in ["sample", "tree"] {
        let report = folder.report(&format!(
            "anonymize in.csv -o o.csv -k 5 --seed 11 {COLUMNS} --engine {engine} --memory 64MiB"
        ));
        let engine = &report["algorithm_details"]["engine"];
        let times = |what: &str, how: &str| engine[what][how].as_f64().unwrap();
        assert_eq!(engine["partitions"], 1);
        for how in ["reads", "writes"] {
            assert_eq!(times("predicted", how), times("actual", how), "{how}: {engine}");
        }
    }
}
