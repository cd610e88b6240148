//! Releases of the other forms: supernodes, automorphisms, edges changed at random.

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::entry::Request;

use crate::support::{ALL, audit, hubs, job, run};

#[test]
fn supernodes_hold_and_are_audited_and_queried() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(80, 300)).unwrap();
    for (place, algorithm) in
        ["supernode-annealing(steps=3000)", "supernode-moves"].iter().enumerate()
    {
        let name = format!("release{place}");
        let mut job = job(folder.path(), "g.txt", "edges", &["supernode-size(k=5)"], &name);
        job.set("recode", "algorithm", *algorithm);
        let report = run(&job).unwrap();
        assert!(report.guarantees[0].holds && report.classes.as_ref().unwrap().min >= 5);
        let uncertainty = report.metrics.iter().find(|(name, _)| *name == "uncertainty").unwrap().1;
        // Less is unknown than about a graph of which only the size is known.
        assert!(uncertainty.unwrap() < 1.0, "{algorithm}: {uncertainty:?}");
        let models =
            ["supernode-size(k=5)", "candidates(k=5, knowledge=h4)", "k-neighbourhood(k=5)"];
        let audited = audit(&at(&name), None, &models).unwrap();
        assert!(audited.holds, "{}", audited.words);
        assert!(!audit(&at(&name), None, &["supernode-size(k=79)"]).unwrap().holds);
        let refused = audit(&at(&name), None, &["k-automorphism(k=2)"]).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Unsupported);
        let mut asked = Job::default();
        asked.set("input", "path", at(&name).display().to_string());
        let mut original = Job::default();
        original.set("input", "path", at("g.txt").display().to_string());
        original.set("graph", "layout", "edges");
        let request = Request {
            job: asked,
            original: Some(original),
            queries: vec!["count edges".into(), "count nodes where degree >= 10".into()],
            ..Request::default()
        };
        let answers = ALL.of_release(&request).unwrap().query(&request, &Unobserved).unwrap();
        assert_eq!(answers.answers[0].error, Some(0.0));
        assert!(answers.answers[1].truth.is_some() && answers.answers[1].lower.is_none());
    }
}

#[test]
fn automorphisms_serve_every_structure() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(50, 120)).unwrap();
    // What degrees alone can't serve is served by automorphisms.
    for model in ["candidates(k=3, knowledge=h2)", "k-neighbourhood(k=3)", "k-automorphism(k=3)"] {
        let report = run(&job(folder.path(), "g.txt", "edges", &[model], "out.txt")).unwrap();
        assert_eq!(report.algorithm.name, "block-alignment");
        let all = [
            "k-automorphism(k=3)",
            "k-degree(k=3)",
            "candidates(k=3, knowledge=h4)",
            "k-neighbourhood(k=3)",
        ];
        let audited = audit(&at("out.txt"), None, &all).unwrap();
        assert!(audited.holds, "{}", audited.words);
    }
    // Another numbering hides the functions, and then nobody can judge.
    std::fs::write(at("t.txt"), "0 3\n1 4\n2 5\n0 1\n").unwrap();
    let error = audit(&at("t.txt"), Some("edges"), &["k-automorphism(k=2)"]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
}

#[test]
fn random_edges_promise_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(80, 300)).unwrap();
    for algorithm in
        ["random-edges(share=0.1)", "random-switch(share=0.1)", "spectrum-switch(share=0.1)"]
    {
        let mut job = job(folder.path(), "g.txt", "edges", &[], "out.txt");
        job.set("recode", "algorithm", algorithm);
        let report = run(&job).unwrap();
        assert!(report.guarantees.is_empty());
        assert!(report.warnings[0].contains("nothing is promised"), "{:?}", report.warnings);
        assert_eq!(format!("{:?}", report.evidence.kind), "NoPromise");
        let words = audit(&at("out.txt"), None, &[]).unwrap().words;
        assert!(words.contains("not judged"), "{words}");
        let error = audit(&at("out.txt"), None, &["k-degree(k=2)"]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        job.set("privacy", "models", vec!["k-degree(k=2)"]);
        assert_eq!(run(&job).unwrap_err().kind, ErrorKind::Unsupported);
    }
}

#[test]
fn labels_are_published_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), "a b\nb c\nc d\nd a\na c\ne f\n").unwrap();
    std::fs::write(at("l.csv"), "node,team\na,red\nb,red\nc,blue\nd,red\ne,blue\nf,blue\n")
        .unwrap();
    let mut job = job(folder.path(), "g.txt", "edges", &["k-degree(k=2)"], "out.txt");
    job.set("graph", "labels", at("l.csv").display().to_string());
    assert!(run(&job).unwrap_err().hint.unwrap().contains(".graphml"));
    for name in ["out.gml", "out.graphml"] {
        job.set("output", "path", at(name).display().to_string());
        run(&job).unwrap();
        let text = std::fs::read_to_string(at(name)).unwrap();
        assert!(text.matches("red").count() == 3 && text.matches("blue").count() == 3, "{text}");
        let audited = |model: &str| audit(&at(name), None, &[model]).unwrap().holds;
        assert!(audited("label-diversity(l=1)"));
        assert!(!audited("label-diversity(l=3)"));
        assert!(audited("candidates(k=3, knowledge=h0)"));
        assert!(!audited("candidates(k=4, knowledge=h0)"));
    }
    let error = audit(&at("g.txt"), Some("edges"), &["label-diversity(l=2)"]).unwrap_err();
    assert!(error.message.starts_with("label-diversity needs a label"), "{error}");
}
