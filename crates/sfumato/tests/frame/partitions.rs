//! Plans and partitions. A plan is plain data that binds late. Memory is one partition: forms that
//! need all records at once say so and refuse a budget, and the others publish the same whether
//! their records are in memory or on disk.

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::exec::Records;

use crate::samples;

#[test]
fn a_form_that_needs_all_records_at_once_refuses_a_small_budget() {
    let mut refused = 0;
    for entry in samples::all().into_iter().filter(|entry| entry.needs() == Records::AtOnce) {
        let folder = tempfile::tempdir().unwrap();
        for mut sample in samples::of(entry, folder.path()) {
            sample.job.set("run", "memory", "64MiB");
            for error in [
                entry.run(&sample.job, &Unobserved).map(|_| ()).unwrap_err(),
                entry.explain(&sample.job, &Unobserved).map(|_| ()).unwrap_err(),
            ] {
                assert_eq!(error.kind, ErrorKind::Unsupported, "{}: {error}", sample.name);
                let named = format!("'{}' of {}", entry.form(), entry.plural());
                assert!(error.message.contains(&named), "{}: {error}", sample.name);
                assert!(error.hint.is_some_and(|hint| hint.contains("--memory")));
            }
            refused += 1;
        }
    }
    assert!(refused > 3, "only {refused} samples need all records at once");
}

#[test]
fn a_form_that_works_by_partitions_publishes_the_same_rows_from_disk() {
    let mut compared = 0;
    for entry in samples::all().into_iter().filter(|entry| entry.needs() == Records::ByPartition) {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let algorithm = sample.job.get("recode", "algorithm").and_then(|name| name.as_str());
            // It goes on where memory ends, and one partition on disk is all of the table.
            if algorithm != Some("mondrian") || sample.job.get("run", "engine").is_some() {
                continue;
            }
            let rows = |job: &sfumato_engine::Job| {
                let report = entry.run(job, &Unobserved).unwrap();
                let text = std::fs::read_to_string(report.output.as_ref().unwrap().path.clone());
                let mut rows: Vec<String> = text.unwrap().lines().map(String::from).collect();
                rows.sort();
                (rows, report)
            };
            let (in_memory, held) = rows(&sample.job);
            let mut job = sample.job.clone();
            job.set("run", "memory", "64MiB");
            job.set("run", "engine", "tree");
            let (on_disk, spilled) = rows(&job);
            assert_eq!(spilled.algorithm.details["engine"]["partitions"], 1, "{}", sample.name);
            assert!(held.algorithm.details["engine"].is_null());
            assert_eq!(in_memory, on_disk, "{}", sample.name);
            let figures = |report: &sfumato_report::Report| {
                let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
                ["guarantees", "classes", "classes_before", "suppressed", "risks", "evidence"]
                    .map(|name| json[name].clone())
            };
            assert_eq!(figures(&held), figures(&spilled), "{}", sample.name);
            compared += 1;
        }
    }
    assert!(compared > 0, "no sample could be compared");
}

#[test]
fn a_plan_is_saved_and_bound_to_a_job_that_says_nothing_itself() {
    for entry in samples::all() {
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            let plan = entry.explain(&sample.job, &Unobserved).unwrap().plan;
            assert_eq!((plan.kind.as_str(), plan.form.as_str()), (entry.kind(), entry.form()));
            assert_ne!(plan.algorithm, "auto", "{}", sample.name);
            let text = serde_json::to_string(&plan).unwrap();
            let read: sfumato_engine::plan::Plan = serde_json::from_str(&text).unwrap();
            assert_eq!(read, plan, "{}", sample.name);
            let hash = |job: &sfumato_engine::Job| {
                let report = entry.run(job, &Unobserved).unwrap();
                let output = report.output.unwrap();
                let path = std::path::Path::new(&output.path);
                match path.is_dir() {
                    true => std::fs::remove_dir_all(path).unwrap(),
                    false => std::fs::remove_file(path).unwrap(),
                }
                output.sha256
            };
            let expected = hash(&sample.job);
            let mut job = sample.job.clone();
            for (section, key) in
                [("recode", "algorithm"), ("privacy", "models"), ("run", "seed"), ("run", "engine")]
            {
                job.unset(section, key);
            }
            read.bind(&mut job);
            assert_eq!(hash(&job), expected, "{}", sample.name);
        }
    }
}
