//! Releases of the other forms: supernodes, automorphisms, edges changed at random.

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::entry::Request;

use crate::support::{ALL, BOOK, audit, hubs, job, run};

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
        // Only what was estimated from graphs that fit has a spread.
        assert!(answers.warnings.len() == 1 && answers.warnings[0].contains("10 random graphs"));
        // Such a graph is drawn by its number: the same one again, and another.
        let world = |number: u32| {
            let layout = format!("supernodes(world={number})");
            let mut job = self::job(folder.path(), &name, &layout, &["k-degree(k=1)"], "world.txt");
            job.set("run", "seed", 1i64);
            let report = run(&job).unwrap();
            assert_eq!(report.input.rows, answers.rows);
            std::fs::read_to_string(at("world.txt")).unwrap()
        };
        assert!(world(1) == world(1) && world(1) != world(2));
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

/// Answers with noise: near the truth, and no graph is published.
#[test]
fn answers_are_noisy_and_near() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(400, 3_000)).unwrap();
    let mut job = job(folder.path(), "g.txt", "edges", &[], "out.csv");
    job.set("recode", "algorithm", "noisy-answers(epsilon=2)");
    let report = run(&job).unwrap();
    assert_eq!(format!("{:?}", report.evidence.kind), "ByConstruction");
    let of =
        |name: &str| report.metrics.iter().find(|(metric, _)| *metric == name).unwrap().1.unwrap();
    assert!(of("edges-error") < 0.05 && of("degrees-error") < 4.0);
    let mut asked = Job::default();
    asked.set("input", "path", at("out.csv").display().to_string());
    let mut original = Job::default();
    original.set("input", "path", at("g.txt").display().to_string());
    original.set("graph", "layout", "edges");
    let queries = ["count edges", "count triangles", "count nodes where degree >= 10"];
    let request = Request {
        job: asked.clone(),
        original: Some(original),
        queries: queries.map(String::from).to_vec(),
        ..Request::default()
    };
    let answers = ALL.of_release(&request).unwrap().query(&request, &Unobserved).unwrap();
    assert!(answers.answers.iter().all(|answer| answer.truth.is_some()));
    let words = audit(&at("out.csv"), None, &[]).unwrap().words;
    assert!(words.contains("noisy-answers"), "{words}");
    let error = audit(&at("out.csv"), None, &["k-degree(k=2)"]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    // A seed repeats the noise, and another draws another.
    let first = std::fs::read(at("out.csv")).unwrap();
    run(&job).unwrap();
    assert_eq!(first, std::fs::read(at("out.csv")).unwrap());
    job.set("run", "seed", 2i64);
    run(&job).unwrap();
    assert_ne!(first, std::fs::read(at("out.csv")).unwrap());
    job.set("privacy", "models", vec!["k-degree(k=2)"]);
    assert_eq!(run(&job).unwrap_err().kind, ErrorKind::Unsupported);
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

#[test]
fn labels_are_generalized_until_labelled_neighbourhoods_are_alike() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(40, 90)).unwrap();
    let label = |i: u32| ["nurse", "doctor", "porter"][i as usize % 3];
    let text: String = (0..40).map(|i| format!("{i},{}\n", label(i))).collect();
    let nodes = std::fs::read_to_string(at("g.txt")).unwrap();
    let is_there = |i: u32| nodes.split_whitespace().any(|node| node == i.to_string());
    let text: String = text
        .lines()
        .enumerate()
        .filter(|(i, _)| is_there(*i as u32))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    std::fs::write(at("l.csv"), format!("node,job\n{text}")).unwrap();
    std::fs::write(at("h.csv"), "nurse;care;*\ndoctor;care;*\nporter;house;*\n").unwrap();
    let mut job = job(folder.path(), "g.txt", "edges", &["k-neighbourhood(k=2)"], "out.gml");
    job.set("graph", "labels", at("l.csv").display().to_string());
    job.set("graph", "label_hierarchy", at("h.csv").display().to_string());
    run(&job).unwrap();
    let text = std::fs::read_to_string(at("out.gml")).unwrap();
    assert!(text.contains("care"), "{text}");
    let audited = audit(&at("out.gml"), None, &["k-neighbourhood(k=2)"]).unwrap();
    assert!(audited.holds, "{}", audited.words);
}

#[test]
fn sensitive_edges_are_hidden_alone_and_beside_other_models() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), BOOK).unwrap();
    std::fs::write(at("s.txt"), "x2 x6\nx4 x5\n").unwrap();
    let asked = |models: &[&str], output: &str| {
        let mut job = job(folder.path(), "g.txt", "edges", models, output);
        job.set("graph", "sensitive_edges", at("s.txt").display().to_string());
        job
    };
    let edges = |name: &str| {
        let text = std::fs::read_to_string(at(name)).unwrap();
        text.lines().filter(|line| !line.starts_with('#')).count()
    };
    let report = run(&asked(&["hidden-edges"], "a.txt")).unwrap();
    assert!(edges("a.txt") == 6 && report.guarantees[0].holds);
    let mut replaced = asked(&["hidden-edges"], "b.txt");
    replaced.set("recode", "algorithm", "hide-edges(method=replace)");
    run(&replaced).unwrap();
    assert_eq!(edges("b.txt"), 8);
    let report = run(&asked(&["hidden-edges", "k-degree(k=2)"], "c.txt")).unwrap();
    assert!(report.guarantees.len() == 2 && report.guarantees.iter().all(|one| one.holds));
    let both = asked(&["hidden-edges", "supernode-size(k=2)"], "d");
    assert!(run(&both).unwrap().guarantees.iter().all(|one| one.holds));
    let counted = std::fs::read_to_string(at("d/supernodes.csv")).unwrap()
        + &std::fs::read_to_string(at("d/superedges.csv")).unwrap();
    let numbers = counted.lines().filter_map(|line| line.split(',').nth(2)?.parse::<u64>().ok());
    assert_eq!(numbers.sum::<u64>(), 6);
    // Who names sensitive edges must say what becomes of them, and the other way round.
    assert_eq!(run(&asked(&["k-degree(k=2)"], "e.txt")).unwrap_err().kind, ErrorKind::Params);
    let unnamed = job(folder.path(), "g.txt", "edges", &["hidden-edges"], "e.txt");
    assert_eq!(run(&unnamed).unwrap_err().kind, ErrorKind::Params);
    std::fs::write(at("s.txt"), "x1 x7\n").unwrap();
    assert_eq!(run(&asked(&["hidden-edges"], "e.txt")).unwrap_err().kind, ErrorKind::Input);
    // Where edges say their kinds, those of some kinds are hidden, in either direction.
    let kinds = "x1 x2 friend\nx1 x3 debt\nx2 x4 friend\nx4 x2 debt\nx3 x4 friend\n";
    std::fs::write(at("kinds.txt"), kinds).unwrap();
    std::fs::write(at("kinds.csv"), format!("a,b,kind\n{}", kinds.replace(' ', ","))).unwrap();
    for (file, layout) in [
        ("kinds.txt", "edges(sensitive=debt)"),
        ("kinds.csv", "table(from=a, to=b, kind=kind, sensitive=[debt])"),
    ] {
        let report = run(&job(folder.path(), file, layout, &["hidden-edges"], file_out(file)));
        assert!(report.unwrap().guarantees[0].holds);
        let text = std::fs::read_to_string(at(file_out(file))).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with(['#', 'a']));
        assert_eq!(rows.count(), 2, "{text}");
        let unhidden = run(&job(folder.path(), file, layout, &["k-degree(k=1)"], "e.txt"));
        assert_eq!(unhidden.unwrap_err().kind, ErrorKind::Params);
        let none = layout.replace("debt", "love");
        let nothing = run(&job(folder.path(), file, &none, &["hidden-edges"], "e.txt"));
        assert_eq!(nothing.unwrap_err().kind, ErrorKind::Input);
    }
    // An audit can't tell which nodes are whose.
    let refused = audit(&at("a.txt"), Some("edges"), &["hidden-edges"]).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unsupported);
}

/// The release of a file.
fn file_out(file: &str) -> &'static str {
    if file.ends_with(".csv") { "out.csv" } else { "out.txt" }
}

#[test]
fn functions_are_verified_and_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // A ring of four, whose numbers give no functions by blocks of two.
    std::fs::write(at("ring.txt"), "a b\nb c\nc d\nd a\n").unwrap();
    let audited = |functions: &str, k: u64| {
        std::fs::write(at("f.csv"), functions).unwrap();
        let model = format!("k-automorphism(k={k}, functions={})", at("f.csv").display());
        audit(&at("ring.txt"), Some("edges"), &[&model])
    };
    let turned = "node,once,twice,thrice\na,b,c,d\nb,c,d,a\nc,d,a,b\nd,a,b,c\n";
    assert!(audited(turned, 4).unwrap().holds);
    assert!(!audited(turned, 5).unwrap().holds);
    // It maps a side to a diagonal.
    let wrong = "node,f\na,b\nb,a\nc,c\nd,d\n";
    assert!(!audited(wrong, 2).unwrap().holds);
    for (text, said) in [
        ("node,f\na,b\n", "a node has no row"),
        ("node,f\na,b\na,c\nc,d\nd,a\n", "two rows"),
        ("node,f\na,x\n", "no node"),
        ("node\na\n", "two columns"),
    ] {
        let error = audited(text, 2).unwrap_err();
        assert!(error.message.contains(said) && error.kind == ErrorKind::Input, "{error}");
    }
    let model = format!("k-automorphism(k=2, functions={})", at("f.csv").display());
    let error = run(&job(folder.path(), "ring.txt", "edges", &[&model], "out.txt")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Params);
}

#[test]
fn attributes_stand_beside_candidate_sets() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), BOOK).unwrap();
    let rows: String = (1..=6).map(|i| format!("x{i},{},\"a, b\"\n", 20 + i)).collect();
    std::fs::write(at("nodes.csv"), format!("who,age,illness\n{rows}")).unwrap();
    let mut job = job(folder.path(), "g.txt", "edges", &["k-degree(k=2)"], "out.txt");
    job.set("graph", "attributes", at("nodes.csv").display().to_string());
    assert_eq!(run(&job).unwrap_err().kind, ErrorKind::Params);
    job.set("output", "mapping", at("map.csv").display().to_string());
    run(&job).unwrap();
    let map = std::fs::read_to_string(at("map.csv")).unwrap();
    assert!(map.starts_with("original,published,set_h1,set_h2,age,illness\nx1,"), "{map}");
    // Of a node without a row nothing is known.
    assert!(map.contains(",21,\"a, b\"\n") && map.trim_end().ends_with(",,"), "{map}");
    assert!(!std::fs::read_to_string(at("out.txt")).unwrap().contains("21 "));
    for (text, said) in [
        ("who,age\nx9,1\n", "no node"),
        ("who,age\nx1,1\nx1,2\n", "two rows"),
        ("who\nx1\n", "two columns"),
        ("who,label\nx1,1\n", "can't be called"),
    ] {
        std::fs::write(at("nodes.csv"), text).unwrap();
        let error = run(&job).unwrap_err();
        assert!(error.message.contains(said), "{error}");
    }
}

#[test]
fn links_are_private_and_patterns_have_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(60, 160)).unwrap();
    let models = ["link-privacy(most=0.4)", "link-privacy(most=0.6, length=2)"];
    for model in models {
        assert!(!audit(&at("g.txt"), Some("edges"), &[model]).unwrap().holds, "{model}");
        let report = run(&job(folder.path(), "g.txt", "edges", &[model], "out.txt")).unwrap();
        assert_eq!(report.algorithm.name, "edge-removal");
        assert!(audit(&at("out.txt"), None, &[model]).unwrap().holds, "{model}");
    }
    // Two people in the middle of seven whom nobody else knows.
    let star: String = (0..7).map(|i| format!("m{} p{i}\n", i % 2)).collect();
    std::fs::write(at("g.txt"), star).unwrap();
    let model = "subgraph-candidates(k=3, edges=3)";
    assert!(!audit(&at("g.txt"), Some("edges"), &[model]).unwrap().holds);
    let report = run(&job(folder.path(), "g.txt", "edges", &[model], "out.txt")).unwrap();
    assert_eq!(report.algorithm.name, "block-alignment");
    assert!(audit(&at("out.txt"), None, &[model]).unwrap().holds);
    // Supernodes say how sure somebody can be about pairs in two of them.
    let grouped = job(folder.path(), "g.txt", "edges", &["supernode-size(k=3)"], "groups");
    run(&grouped).unwrap();
    assert!(audit(&at("groups"), None, &["link-privacy(most=1)"]).unwrap().holds);
    assert!(!audit(&at("groups"), None, &["link-privacy(most=0)"]).unwrap().holds);
    let refused = audit(&at("groups"), None, &["link-privacy(length=2)"]).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unsupported);
}
