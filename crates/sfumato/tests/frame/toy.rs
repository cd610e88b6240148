//! The gate: a kind of data in one crate and one line goes through run, verify, audit, query and
//! both reports like any other.

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};

/// The list with the line of the new kind.
static RELEASES: Releases =
    Releases(&[sfumato_table::RELEASES, sfumato_sets::RELEASES, sfumato_toy::RELEASES]);

const NUMBERS: &str = "3\n5\n8\n21\n22\n24\n40\n41\n47\n";

fn job(folder: &std::path::Path, model: &str) -> Job {
    std::fs::write(folder.join("numbers.txt"), NUMBERS).unwrap();
    let text = format!(
        "[input]\npath = \"numbers.txt\"\n[toy]\nunit = \"years\"\n[privacy]\nmodels = \
            [\"{model}\"]\n\
         [output]\npath = \"release.txt\"\nreport = \"private.json\"\npublic_report \
         = \"public.html\"\n\
         [run]\nseed = 1\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

#[test]
fn a_new_kind_goes_the_whole_way() {
    let folder = tempfile::tempdir().unwrap();
    let report = RELEASES.run(&job(folder.path(), "crowd(k=3)"), &Unobserved).unwrap();
    // Steps of 1, 2, 4 and 8 leave somebody alone; of 16 they don't: 0 to 15, 16 to 31, 32 to 47.
    assert_eq!(report.algorithm.details["step"], 16);
    assert_eq!(report.guarantees[0].achieved, Some(3.into()));
    let published = std::fs::read_to_string(folder.path().join("release.txt")).unwrap();
    let mut lines: Vec<&str> = published.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["0", "0", "0", "16", "16", "16", "32", "32", "32"]);
    let private = std::fs::read_to_string(folder.path().join("private.json")).unwrap();
    assert!(private.contains("mean-shift"));
    let public = std::fs::read_to_string(folder.path().join("public.html")).unwrap();
    assert!(public.contains("crowd") && !public.contains(&report.input.sha256));

    let mut audited = Job::default();
    audited.set("input", "path", folder.path().join("release.txt").display().to_string());
    let ask = |k: u64| {
        let mut job = audited.clone();
        job.set("privacy", "models", vec![format!("crowd(k={k})")]);
        RELEASES.audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
    };
    assert!(ask(3).holds && !ask(4).holds);
    assert!(ask(3).words.contains("required   crowd k at least 3: achieved 3: holds"));
    let request =
        Request { job: audited, queries: vec!["count where >= 24".into()], ..Request::default() };
    let answers = RELEASES.query(&request, &Unobserved).unwrap();
    let answer = &answers.answers[0];
    // In truth four: the bounds hold it.
    assert_eq!((answer.lower.clone(), answer.upper.clone()), (Some(3.into()), Some(6.into())));
}

#[test]
fn what_is_of_another_kind_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |job: &Job| RELEASES.run(job, &Unobserved).unwrap_err();
    let error = refused(&job(folder.path(), "k-anonymity(k=3)"));
    assert_eq!(error.kind, ErrorKind::Params);
    assert!(error.message.contains("is a model for tables, and these are numbers"), "{error}");
    let mut two = job(folder.path(), "crowd(k=3)");
    two.set("baskets", "layout", "lines");
    assert!(refused(&two).message.contains("[toy] is for numbers"), "{}", refused(&two));
    let mut unknown = job(folder.path(), "crowd(k=3)");
    unknown.set("toy", "colour", "red");
    assert!(refused(&unknown).message.contains("unknown field `colour`"), "{}", refused(&unknown));
    let infeasible = refused(&job(folder.path(), "crowd(k=100)"));
    assert_eq!(infeasible.kind, ErrorKind::Infeasible);
    assert!(!folder.path().join("release.txt").exists());
}
