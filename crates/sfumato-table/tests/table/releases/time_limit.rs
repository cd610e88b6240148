//! A run that is told to end early publishes what it has, verified as always, or says that it has
//! nothing.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sfumato_core::ErrorKind;
use sfumato_core::observer::{Observer, Unit, Unobserved};
use sfumato_report::Report;
use sfumato_table::{Job, run};

fn job(folder: &Path, algorithm: &str, section: &str) -> Job {
    let rows = (0..200).map(|i| format!("{},{}\n", 20 + i * 7 % 60, ["n", "s", "e"][i % 3]));
    std::fs::write(folder.join("data.csv"), format!("age,town\n{}", rows.collect::<String>()))
        .unwrap();
    let text = format!(
        r#"
        [input]
        path = "data.csv"
        [columns]
        age = {{ role = "quasi", hierarchy = {{ interval = {{ width = 5, levels = 3 }} }} }}
        town = {{ role = "quasi" }}
        [privacy]
        models = ["k-anonymity(k=4)"]
        [recode]
        algorithm = "{algorithm}"
        [output]
        path = "release.csv"
        [run]
        seed = 1
        {section}
    "#
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

fn n_classes(report: &Report) -> u64 {
    report.classes.as_ref().unwrap().count
}

fn remark(report: &Report) -> Option<&String> {
    report.warnings.iter().find(|warning| warning.contains("the search stopped"))
}

#[test]
fn at_the_limit_what_there_is_is_published() {
    for algorithm in ["mondrian", "top-down-specialization", "peel", "genetic"] {
        let folder = tempfile::tempdir().unwrap();
        let usual = run(&job(folder.path(), algorithm, ""), &Unobserved).unwrap();
        assert_eq!(remark(&usual), None, "{algorithm}");
        let release = std::fs::read(folder.path().join("release.csv")).unwrap();
        // A limit that isn't reached changes nothing.
        let long = run(&job(folder.path(), algorithm, "time_limit = \"9h\""), &Unobserved).unwrap();
        assert_eq!(remark(&long), None, "{algorithm}");
        assert_eq!(release, std::fs::read(folder.path().join("release.csv")).unwrap());
        let short =
            run(&job(folder.path(), algorithm, "time_limit = \"0s\""), &Unobserved).unwrap();
        let remark = remark(&short).unwrap();
        assert!(remark.contains("its time limit of 0s"), "{remark}");
        assert!(remark.contains("depends on the clock"), "{remark}");
        assert!(short.guarantees.iter().all(|guarantee| guarantee.holds), "{algorithm}");
        assert_eq!(short.evidence.models, usual.evidence.models, "{algorithm}");
        assert!(n_classes(&short) <= n_classes(&usual), "{algorithm}");
    }
}

#[test]
fn who_has_nothing_before_the_end_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), "bottom-up", "time_limit = \"0s\"");
    let error = run(&job, &Unobserved).unwrap_err();
    assert_eq!((error.kind, error.kind.exit_code()), (ErrorKind::Resources, 4));
    assert!(error.message.contains("time limit of 0s"), "{error}");
    assert!(error.message.contains("'bottom-up'"), "{error}");
    assert!(error.hint.is_some());
    assert!(!folder.path().join("release.csv").exists());
}

/// Somebody who interrupts at once.
#[derive(Default)]
struct Interrupting {
    is_held: AtomicBool,
}

impl Observer for Interrupting {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn interrupted(&self) -> bool {
        assert!(self.is_held.load(Ordering::Relaxed), "nobody asks who doesn't hold interrupts");
        true
    }
    fn holds_interrupts(&self, holds: bool) {
        self.is_held.store(holds, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupt_publishes_where_the_job_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let publish = "on_interrupt = \"publish\"";
    let observer = Interrupting::default();
    let report = run(&job(folder.path(), "mondrian", publish), &observer).unwrap();
    assert!(remark(&report).unwrap().contains("an interrupt"));
    assert_eq!(n_classes(&report), 1);
    assert!(!observer.is_held.into_inner(), "interrupts end runs again");
    for (algorithm, section) in [("mondrian", ""), ("bottom-up", publish)] {
        let observer = Interrupting::default();
        let report = run(&job(folder.path(), algorithm, section), &observer).unwrap();
        assert_eq!(remark(&report), None, "{algorithm}");
    }
}
