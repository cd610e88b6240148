//! Releases of graphs: what is promised holds in the file, and nothing else of the original shows.

use std::collections::BTreeSet;

use sfumato_core::ErrorKind;

use crate::support::{BOOK, audit, hubs, job, run};

#[test]
fn a_release_has_random_numbers_and_no_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("book.txt"), BOOK).unwrap();
    let mut job = job(folder.path(), "book.txt", "edges", &["k-degree(k=2)"], "out.txt");
    job.set("output", "mapping", at("map.csv").display().to_string());
    let report = run(&job).unwrap();
    assert_eq!((report.input.rows, report.guarantees[0].holds), (7, true));
    let text = std::fs::read_to_string(at("out.txt")).unwrap();
    assert!(!text.contains('x'), "{text}");
    let names: BTreeSet<u32> =
        text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(names.iter().all(|name| *name < 7), "{text}");
    let map = std::fs::read_to_string(at("map.csv")).unwrap();
    assert_eq!(map.lines().count(), 8);
    assert!(map.starts_with("original,published,set_h1,set_h2\nx1,"));
    // Another seed gives other numbers.
    job.set("run", "seed", 2i64);
    run(&job).unwrap();
    assert_ne!(std::fs::read_to_string(at("map.csv")).unwrap(), map);
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(200, 900)).unwrap();
    let mut bytes = BTreeSet::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let job = job(folder.path(), "g.txt", "edges", &["k-degree(k=5)"], "out.txt");
        let report = pool.install(|| run(&job)).unwrap();
        let metrics = format!("{:?}", report.metrics);
        bytes.insert((std::fs::read(at("out.txt")).unwrap(), metrics));
    }
    assert_eq!(bytes.len(), 1);
}

#[test]
fn what_is_left_out_is_counted_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), "1 2\n2 1\n1 1\n2 3 0.5\n3 4\n4 1\n5 5\n").unwrap();
    let report = run(&job(folder.path(), "g.txt", "edges", &["k-degree(k=2)"], "out.txt")).unwrap();
    let said = report.warnings.join("\n");
    for what in
        ["2 edges of the input lead from", "1 edges of the input were", "1 edges of the input say"]
    {
        assert!(said.contains(what), "{said}");
    }
    // Node 5 has no edge but counts: it may not be alone with the degree 0.
    let audited = audit(&at("out.txt"), None, &["k-degree(k=2)"]).unwrap();
    assert!(audited.holds && audited.rows == 5);
}

#[test]
fn an_audit_finds_what_a_file_does_not_promise() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("book.txt"), BOOK).unwrap();
    let audited = |model: &str| audit(&at("book.txt"), Some("edges"), &[model]);
    let degree = audited("k-degree(k=2)").unwrap();
    assert!(!degree.holds);
    assert!(degree.words.contains("node x2: degree 4, candidates 1"), "{}", degree.words);
    assert_eq!(degree.figures["at_risk"][0]["nodes"], 3);
    assert!(audited("k-degree(k=1)").unwrap().holds);
    assert!(!audited("candidates(k=2, knowledge=h2)").unwrap().holds);
    assert!(audited("candidates(k=7, knowledge=h0)").unwrap().holds);
    assert!(!audited("k-neighbourhood(k=2)").unwrap().holds);
    let triangle = "1 2\n2 3\n3 1\n";
    std::fs::write(at("t.txt"), triangle).unwrap();
    for model in ["k-degree(k=3)", "candidates(k=3, knowledge=h4)", "k-neighbourhood(k=3)"] {
        assert!(audit(&at("t.txt"), Some("edges"), &[model]).unwrap().holds, "{model}");
    }
}

#[test]
fn more_than_there_are_nodes_can_not_be_met() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.txt"), BOOK).unwrap();
    let error = run(&job(folder.path(), "book.txt", "edges", &["k-degree(k=8)"], "out.txt"));
    assert_eq!(error.unwrap_err().kind, ErrorKind::Infeasible);
    let error = run(&job(folder.path(), "book.txt", "edges", &[], "out.txt")).unwrap_err();
    assert!(error.message.contains("no privacy model"), "{error}");
    assert!(!folder.path().join("out.txt").exists());
}
