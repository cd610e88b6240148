//! `sfumato reproduce`: papers are listed, data that isn't there is said, results are written.

use crate::support::Folder;

#[test]
fn papers_and_figures_are_listed() {
    let outcome = Folder::new().succeed("reproduce --list");
    assert!(outcome.stdout.starts_with("lefevre  K. LeFevre"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n  fig6     Classifying synthetic data"), "{}", outcome.stdout);
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
