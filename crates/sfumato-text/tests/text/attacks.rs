//! Attacks on documents: what they learn before and after.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_engine::attack::{AttackAsked, Attacks};
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};

static RELEASES: Releases = Releases(&[sfumato_text::RELEASES]);

fn job(folder: &Path, path: &str, keys: &[(&str, &str)]) -> Job {
    let mut job = Job::default();
    job.set_base(folder);
    job.set("input", "path", folder.join(path).display().to_string());
    keys.iter().for_each(|(key, value)| job.set("text", key, *value));
    job
}

fn attack(release: Job, original: Job, attack: &str) -> Attacks {
    let attacks = vec![attack.to_string()];
    let asked = AttackAsked { attacks, ..AttackAsked::default() };
    let request =
        Request { job: release, original: Some(original), attack: asked, ..Request::default() };
    RELEASES.attack(&request, &Unobserved).unwrap()
}

#[test]
fn a_safe_document_is_linked_with_a_smaller_chance() {
    let folder = tempfile::tempdir().unwrap();
    let entities = "entity,terms\ne1,a b c\ne2,b d e f\ne3,a d g\ne4,a b d g\ne5,c e f\ne6,b g\n\
                    e7,a b c e f g\n";
    std::fs::write(folder.path().join("entities.csv"), entities).unwrap();
    std::fs::write(folder.path().join("protected.txt"), "e1\ne2\ne3\n").unwrap();
    std::fs::write(folder.path().join("before.jsonl"), "{\"t\":\"a b d e f g\"}\n").unwrap();
    std::fs::write(folder.path().join("after.jsonl"), "{\"t\":\"a e f g\"}\n").unwrap();
    let keys =
        [("layout", "field=t"), ("entities", "entities.csv"), ("protected", "protected.txt")];
    let of = |path: &str| job(folder.path(), path, &keys);
    let rate = |release: &str| {
        attack(of(release), of("before.jsonl"), "context-linkage").attacks[0].rate.unwrap()
    };
    // Of the original e1 is one of three (a b), e2 alone (b d e f), e3 one of two (a d g); then e1
    // is one of four, e2 and e3 of three.
    let before = (1.0 / 3.0 + 1.0 + 1.0 / 2.0) / 3.0;
    let after = (1.0 / 4.0 + 1.0 / 3.0 + 1.0 / 3.0) / 3.0;
    assert!((rate("before.jsonl") - before).abs() < 1e-12);
    assert!((rate("after.jsonl") - after).abs() < 1e-12);
}

#[test]
fn what_is_overlooked_once_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("before.jsonl", "{\"t\":\"mail ann@x.org\"}\n{\"t\":\"ask ann@x.org or bob@x.org\"}\n");
    write("after.jsonl", "{\"t\":\"mail [X]\"}\n{\"t\":\"ask ann@x.org or [X]\"}\n");
    write("clean.jsonl", "{\"t\":\"mail [X]\"}\n{\"t\":\"ask [X] or [X]\"}\n");
    let of = |path: &str| job(folder.path(), path, &[("layout", "field=t")]);
    let found = |release: &str| attack(of(release), of("before.jsonl"), "residual-identifiers");
    // Detectors may take other words for names too: those are left in all three.
    let left = |release: &str| {
        let played = &found(release).attacks[0];
        (played.rate.unwrap() * played.queries as f64).round() as u64
    };
    assert_eq!(left("after.jsonl") - left("clean.jsonl"), 1);
    assert_eq!(left("before.jsonl") - left("clean.jsonl"), 2);
    let found = found("after.jsonl");
    let played = &found.attacks[0];
    assert_eq!(played.worst[0].record, 1);
    assert!(!played.remarks.is_empty());
}

#[test]
fn a_document_is_found_by_its_rare_words() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "before.jsonl",
        "{\"t\":\"red fox ran\"}\n{\"t\":\"red dog ran\"}\n{\"t\":\"red ran\"}\n",
    );
    write("after.jsonl", "{\"t\":\"red [X] ran\"}\n{\"t\":\"red dog ran\"}\n{\"t\":\"red ran\"}\n");
    let of = |path: &str| job(folder.path(), path, &[("layout", "field=t")]);
    let found = |release: &str| {
        attack(of(release), of("before.jsonl"), "rare-word-linkage(words=1)").attacks[0].rate
    };
    // fox and dog are unique, and the third is one of three; then the fox is gone.
    let rate = |chances: [f64; 3]| Some(chances.iter().sum::<f64>() / 3.0);
    assert_eq!(found("before.jsonl"), rate([1.0, 1.0, 1.0 / 3.0]));
    assert_eq!(found("after.jsonl"), rate([0.0, 1.0, 1.0 / 3.0]));
}
