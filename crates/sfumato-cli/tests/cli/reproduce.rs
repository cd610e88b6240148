//! `sfumato reproduce`: papers are listed, missing data are reported, results are written.

use crate::support::Folder;

#[test]
fn papers_and_figures_are_listed() {
    let outcome = Folder::new().succeed("reproduce --list");
    assert!(outcome.stdout.starts_with("lefevre  K. LeFevre"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("\n  fig6     Classifying synthetic data"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    for (words, message) in [
        ("reproduce", "PAPER"),
        ("reproduce lefevbre", "there is no paper 'lefevbre' to reproduce"),
        ("reproduce lefevre fig99", "'lefevre' has no figure 'fig99'"),
    ] {
        let outcome = folder.run(words);
        assert_eq!(outcome.code, 2, "{words}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn figures_without_their_data_are_skipped_and_said() {
    let folder = Folder::new();
    let outcome = folder.succeed("reproduce lefevre fig8 --data nowhere --out found --docs pages");
    assert!(
        outcome
            .stdout
            .contains("skipped: relational/gss_wages_61697.csv.gz isn't in the data folder")
    );
    assert!(folder.text("pages/lefevre.md").contains("## fig8\n"));
    let found: serde_json::Value =
        serde_json::from_str(&folder.text("found/results.json")).unwrap();
    assert!(found["figures"][0]["skipped"].is_string(), "{found}");
    let printed = folder.report("reproduce lefevre fig8 --data nowhere");
    assert_eq!(printed, found);
}
