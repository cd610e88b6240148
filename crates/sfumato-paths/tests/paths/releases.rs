//! Whole runs over files: release, verification, audit and answers.

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::pipeline::Tamper;
use sfumato_paths::RELEASES;

use crate::support::{BOOK, csv};

fn job(folder: &Path, file: &str, paths: &str, model: &str, out: &str) -> Job {
    let text = format!(
        "[input]\npath = \"{file}\"\n[paths]\n{paths}\n[privacy]\nmodels = [\"{model}\"]\n\
         [output]\npath = \"{out}\"\n[run]\nseed = 1\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

const POINTS: &str = "layout = \"points(id=ID, place=LOC, time=T)\"\nsensitive = [\"diagnosis\"]";
const MODEL: &str = "lkc-privacy(l=2, k=2, c=0.5, values=[AIDS])";

fn book() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv(BOOK)).unwrap();
    folder
}

fn audit(folder: &Path, file: &str, model: &str) -> sfumato_engine::audit::Audit {
    let mut job = Job::default();
    job.set("input", "path", folder.join(file).display().to_string());
    job.set("privacy", "models", vec![model.to_string()]);
    RELEASES[0].audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
}

#[test]
fn the_book_s_table_becomes_a_release_in_every_format() {
    for out in ["out.csv", "out.jsonl", "out.parquet"] {
        let folder = book();
        let job = job(folder.path(), "in.csv", POINTS, MODEL, out);
        let report = RELEASES[0].run(&job, &Unobserved).unwrap();
        assert!(report.guarantees.len() == 2 && report.guarantees.iter().all(|one| one.holds));
        assert_eq!(report.suppressed.records, 0);
        let audited = audit(folder.path(), out, MODEL);
        assert!(audited.holds && audited.rows == 8, "{}", audited.words);
        let more = audit(folder.path(), out, "lkc-privacy(l=3, k=2, c=0.5, values=[AIDS])");
        assert!(!more.holds && more.words.contains("fails"), "{}", more.words);
        if out == "out.csv" {
            let text = std::fs::read_to_string(folder.path().join(out)).unwrap();
            let mut paths: Vec<String> = vec![String::new(); 8];
            for line in text.lines().skip(1) {
                let cells: Vec<&str> = line.split(',').collect();
                let path = &mut paths[cells[0].parse::<usize>().unwrap() - 1];
                *path += &format!("{}{} ", cells[1], cells[2]);
                if !path.contains(cells[3]) {
                    *path = format!("{} {path}", cells[3]);
                }
            }
            paths.sort();
            let printed = [
                "AIDS c5 f6 c7 ",
                "AIDS d3 f6 c7 ",
                "Diabetes c5 f6 e8 ",
                "Diabetes f6 c7 e8 ",
                "Fever d3 c7 e8 ",
                "Fever d3 f6 e8 ",
                "Flu c5 c7 e8 ",
                "Flu f6 c7 e8 ",
            ];
            assert_eq!(paths, printed);
        }
    }
}

#[test]
fn answers_are_exact_where_suppression_is_global() {
    let folder = book();
    let run = job(folder.path(), "in.csv", POINTS, MODEL, "out.csv");
    RELEASES[0].run(&run, &Unobserved).unwrap();
    let mut about = Job::default();
    about.set("input", "path", folder.path().join("out.csv").display().to_string());
    let mut original = Job::default();
    original.set("input", "path", folder.path().join("in.csv").display().to_string());
    original.set("paths", "layout", "points(id=ID, place=LOC, time=T)");
    original.set("paths", "sensitive", vec!["diagnosis".to_string()]);
    let queries =
        ["count where f@6 -> c@7", "count where b@2", "count where c and diagnosis = Flu"];
    let request = Request {
        job: about,
        original: Some(original),
        queries: queries.map(String::from).to_vec(),
        ..Request::default()
    };
    let answers = RELEASES[0].query(&request, &Unobserved).unwrap().answers;
    let said: Vec<_> = answers
        .iter()
        .map(|one| (one.lower.clone().unwrap(), one.upper.clone(), one.truth.clone().unwrap()))
        .collect();
    let json = |n: u64| serde_json::Value::from(n);
    assert_eq!(said[0], (json(4), Some(json(4)), json(4)));
    // Nobody knows how often a point was that is left out.
    assert_eq!(said[1], (json(0), None, json(4)));
    assert_eq!((said[2].0.clone(), said[2].2.clone()), (json(2), json(2)));
}

#[test]
fn web_paths_are_lines() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "a b a c\na b a c\nb a\na b a\nb c a\n\na b d\n";
    std::fs::write(folder.path().join("in.txt"), lines).unwrap();
    for algorithm in ["global-suppression", "local-suppression"] {
        let mut job =
            job(folder.path(), "in.txt", "layout = \"lines\"", "lkc-privacy(l=3, k=2)", "out.txt");
        job.set("recode", "algorithm", algorithm);
        let report = RELEASES[0].run(&job, &Unobserved).unwrap();
        assert!(report.guarantees.iter().all(|one| one.holds));
        let audited = audit(folder.path(), "out.txt", "lkc-privacy(l=3, k=2)");
        assert!(audited.holds, "{}", audited.words);
        let text = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
        assert!(!text.contains('d') && text.contains("a b a"), "{algorithm}: {text}");
    }
    // A label at the end of each line is no step.
    std::fs::write(folder.path().join("in.txt"), "a b x\na b y\na x\nb y\n").unwrap();
    let layout = "layout = \"lines(label=last)\"";
    let model = "lkc-privacy(l=2, k=2, c=0.67)";
    let job = job(folder.path(), "in.txt", layout, model, "out.txt");
    let report = RELEASES[0].run(&job, &Unobserved).unwrap();
    assert_eq!(report.guarantees.len(), 2);
}

#[test]
fn times_can_be_binned_and_are_refused_where_somebody_is_at_two_places() {
    let folder = tempfile::tempdir().unwrap();
    let text = "who,where,when\n1,a,2020-01-01 08:05:00\n1,b,2020-01-01 08:55:00\n\
                2,a,2020-01-01 08:07:00\n2,b,2020-01-01 09:01:00\n\
                3,b,2020-01-01 08:10:00\n3,a,2020-01-01 08:20:00\n3,a,2020-01-01 08:20:30\n";
    std::fs::write(folder.path().join("in.csv"), text).unwrap();
    let binned = "layout = \"points(id=who, place=where, time=when, every=1h)\"";
    let run = job(folder.path(), "in.csv", binned, "lkc-privacy(l=2, k=2)", "out.csv");
    RELEASES[0].run(&run, &Unobserved).unwrap();
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(text.contains("2020-01-01 08:00:00") && !text.contains("08:05"), "{text}");
    assert!(!text.contains("09:00:00"), "{text}");
    let two = "who,where,when\n1,a,5\n2,b,5\n1,b,5\n";
    std::fs::write(folder.path().join("two.csv"), two).unwrap();
    let layout = "layout = \"points(id=who, place=where, time=when)\"";
    let run = job(folder.path(), "two.csv", layout, "lkc-privacy(l=1, k=1)", "out.csv");
    let error = RELEASES[0].run(&run, &Unobserved).unwrap_err();
    assert_eq!((error.kind, error.message.contains("rows 1 and 3")), (ErrorKind::Input, true));
}

#[test]
fn wrong_input_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, paths: &str, model: &str| {
        std::fs::write(folder.path().join("in.csv"), text).unwrap();
        let run = job(folder.path(), "in.csv", paths, model, "out.csv");
        RELEASES[0].run(&run, &Unobserved).unwrap_err()
    };
    let layout = "layout = \"points(id=a, place=b, time=c)\"";
    let model = "lkc-privacy(l=1, k=1)";
    let cases = [
        ("a,b,c\n1,x,2\n1,y,noon\n", "row 2 has no time", ErrorKind::Input),
        ("a,b,c\n1,x,2\n,y,3\n", "row 2 has nothing in column 'a'", ErrorKind::Input),
        ("a,b,c,d\n1,x,2,3\n", "nothing is said about column 'd'", ErrorKind::Input),
        ("a,b,d\n1,x,2\n", "there is no column 'c'", ErrorKind::Params),
    ];
    for (text, message, kind) in cases {
        let error = refused(text, layout, model);
        assert!(error.message.contains(message) && error.kind == kind, "{error}");
    }
    let sensitive = format!("{layout}\nsensitive = [\"d\"]");
    let error = refused("a,b,c,d\n1,x,2,3\n1,x,3,4\n", &sensitive, model);
    assert!(error.message.contains("row 2: a path has another value"), "{error}");
    let error = refused("a,b,c\n1,x,2\n", layout, "lkc-privacy(l=1, k=2)");
    assert_eq!(error.kind, ErrorKind::Infeasible);
    let error = refused("a,b,c\n1,x,2\n", layout, "lkc-privacy(l=1, k=1, values=[q])");
    assert_eq!(error.kind, ErrorKind::Params);
}

#[test]
fn the_verifier_sees_through_lies_about_paths() {
    let folder = book();
    let run = job(folder.path(), "in.csv", POINTS, MODEL, "out.csv");
    for (lie, _) in RELEASES[0].lies() {
        let error = RELEASES[0].run_tampered(&run, Tamper::Lie(lie), &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{lie}: {error}");
        assert!(!folder.path().join("out.csv").exists());
    }
}

#[test]
fn columns_that_an_attacker_may_know_are_published_and_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("ID,LOC,T,age,ward\n");
    for who in 0..40 {
        let (age, ward) = (["old", "young"][who % 2], ["heart", "skin", "bones"][who % 3]);
        for time in 0..4 {
            let place = ["a", "b", "c"][(who / 4 + time * who) % 3];
            text += &format!("p{who},{place},{time},{age},{ward}\n");
        }
    }
    std::fs::write(folder.path().join("in.csv"), text).unwrap();
    let paths =
        "layout = \"points(id=ID, place=LOC, time=T)\"\nsensitive = [\"ward\"]\nquasi = [\"age\"]";
    let model = "lkc-privacy(l=2, k=3, c=0.7)";
    let run = job(folder.path(), "in.csv", paths, model, "out.csv");
    let report = RELEASES[0].run(&run, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|one| one.holds));
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(text.starts_with("ID,LOC,T,age,ward\n") && text.contains("young"), "{text}");
    let audited = audit(folder.path(), "out.csv", model);
    assert!(audited.holds && audited.words.contains("known      age"), "{}", audited.words);
    // The file keeps the promise among the young and among the old, each by themselves.
    for age in ["old", "young"] {
        let some: Vec<&str> =
            text.lines().filter(|line| line.starts_with("ID") || line.contains(age)).collect();
        std::fs::write(folder.path().join("part.csv"), some.join("\n") + "\n").unwrap();
        let mut job = Job::default();
        job.set("input", "path", folder.path().join("part.csv").display().to_string());
        job.set("paths", "layout", "points(id=ID, place=LOC, time=T, drop=[age])");
        job.set("paths", "sensitive", vec!["ward".to_string()]);
        job.set("privacy", "models", vec![model.to_string()]);
        let audited =
            RELEASES[0].audit(&Request { job, ..Request::default() }, &Unobserved).unwrap();
        assert!(audited.holds, "{age}: {}", audited.words);
    }
    // Somebody with two ages is refused.
    std::fs::write(
        folder.path().join("two.csv"),
        "ID,LOC,T,age,ward\na,x,1,old,s\na,x,2,young,s\n",
    )
    .unwrap();
    let run = job(folder.path(), "two.csv", paths, model, "out.csv");
    assert_eq!(RELEASES[0].run(&run, &Unobserved).unwrap_err().kind, ErrorKind::Input);
}

#[test]
fn flows_are_counted_and_small_counts_are_left_out_or_noisy() {
    let folder = book();
    let paths = "layout = \"points(id=ID, place=LOC, time=T)\"\nsensitive = [\"diagnosis\"]";
    let run = job(folder.path(), "in.csv", paths, "flow-size(k=2)", "out.csv");
    let flows = RELEASES[3];
    let report = flows.run(&run, &Unobserved).unwrap();
    assert!(report.guarantees.len() == 1 && report.guarantees[0].holds);
    // Of eight people two go from b to c, two from b to e and two from d to e.
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(text, "origin,destination,people\nb,c,2\nb,e,2\nd,e,2\n");
    let audit = |model: &str| {
        let mut job = Job::default();
        job.set("input", "path", folder.path().join("out.csv").display().to_string());
        job.set("privacy", "models", vec![model.to_string()]);
        flows.audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
    };
    assert!(audit("flow-size(k=2)").holds && !audit("flow-size(k=3)").holds);
    for (lie, _) in flows.lies() {
        let error = flows.run_tampered(&run, Tamper::Lie(lie), &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{lie}: {error}");
    }
    // With noise, pairs of places of a list that everybody knows.
    std::fs::write(folder.path().join("places.txt"), "b\nc\nd\ne\nnowhere\n").unwrap();
    let noisy = |epsilon: &str, seed: u64| {
        let text = format!(
            "[input]\npath = \"in.csv\"\n[paths]\n{paths}\n[recode]\nalgorithm = \
             \"geometric-flows(epsilon={epsilon}, places=places.txt, least=2)\"\n[output]\npath = \
             \"noisy.csv\"\n[run]\nseed = {seed}\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        assert!(flows.takes(&job).unwrap() && !RELEASES[0].takes(&job).unwrap());
        flows.run(&job, &Unobserved).unwrap();
        std::fs::read_to_string(folder.path().join("noisy.csv")).unwrap()
    };
    // Nearly without noise the counts are those of the file, of people between known places.
    assert_eq!(noisy("50", 1), text);
    assert_ne!(noisy("0.2", 1), text);
    assert_eq!(noisy("0.2", 1), noisy("0.2", 1));
    assert_ne!(noisy("0.2", 1), noisy("0.2", 2));
}
