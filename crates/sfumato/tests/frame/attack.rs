//! Attacks over every kind and form of the list: each gives figures that make sense, the same for
//! the same seed; a job that asks for them is refused with the attack named, and writes nothing.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_engine::attack::{AttackAsked, Attacks};
use sfumato_engine::entry::Request;
use sfumato_engine::{AnyRelease, Job};

use crate::samples::{self, Sample};

/// Run a sample and attack what it wrote.
fn attacked(entry: &dyn AnyRelease, sample: &Sample, asked: AttackAsked) -> Attacks {
    entry.run(&sample.job, &Unobserved).unwrap();
    entry.attack(&request(sample, asked), &Unobserved).unwrap()
}

fn request(sample: &Sample, asked: AttackAsked) -> Request {
    let mut release = sample.job.clone();
    let output = sample.job.get("output", "path").unwrap().as_str().unwrap().to_string();
    release.set("input", "path", output);
    let absolute = |job: &mut Job| {
        let path = job.input_path();
        job.set("input", "path", path);
    };
    let mut original = sample.job.clone();
    absolute(&mut release);
    absolute(&mut original);
    Request { job: release, original: Some(original), attack: asked, ..Request::default() }
}

/// Every sample of every form that offers attacks.
fn each(play: impl Fn(&'static dyn AnyRelease, &Sample, &Path)) {
    let mut forms = 0;
    for entry in samples::all() {
        if entry.attacks().is_empty() {
            continue;
        }
        forms += 1;
        let folder = tempfile::tempdir().unwrap();
        for sample in samples::of(entry, folder.path()) {
            play(entry, &sample, folder.path());
        }
    }
    assert!(forms >= 2, "few forms offer attacks");
}

#[test]
fn every_attack_gives_figures_that_make_sense_and_that_a_seed_repeats() {
    each(|entry, sample, _| {
        let learnt = attacked(entry, sample, AttackAsked::default());
        let all = learnt.attacks.len() + learnt.skipped.len();
        assert_eq!(all, entry.attacks().len(), "{}: an attack was forgotten", sample.name);
        for played in &learnt.attacks {
            let name = format!("{} {}", sample.name, played.attack);
            assert!((0.0..=1.0).contains(&played.baseline), "{name}: guessing {played:?}");
            assert!(played.queries <= played.sought, "{name}");
            let Some(rate) = played.rate else {
                assert!(played.queries == 0 && played.too_few, "{name}");
                continue;
            };
            let (low, high) = (played.low.unwrap(), played.high.unwrap());
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{name}: {played:?}");
            let is_named = |worst: &sfumato_engine::attack::Worst| {
                worst.record >= 1 && worst.chance > 0.0 && worst.chance <= 1.0
            };
            assert!(played.worst.iter().all(is_named), "{name}: {:?}", played.worst);
        }
        let again = entry.attack(&request(sample, AttackAsked::default()), &Unobserved).unwrap();
        assert_eq!(learnt.attacks, again.attacks, "{}", sample.name);
        assert!(learnt.words().contains(&learnt.path), "{}", sample.name);
    });
}

#[test]
fn a_rate_that_is_allowed_passes_and_one_that_is_not_does_not() {
    each(|entry, sample, _| {
        let any = AttackAsked { max_rate: Some(1.0), ..AttackAsked::default() };
        let learnt = attacked(entry, sample, any);
        assert!(learnt.holds, "{}: {}", sample.name, learnt.words());
        let none = AttackAsked { max_rate: Some(0.0), ..AttackAsked::default() };
        let strict = entry.attack(&request(sample, none), &Unobserved).unwrap();
        let is_fault = |played: &&sfumato_engine::attack::Played| {
            played.rate.is_none_or(|rate| rate > 0.0) || played.too_few
        };
        let faults = strict.attacks.iter().filter(is_fault).count();
        assert_eq!(strict.holds, faults == 0, "{}: {}", sample.name, strict.words());
    });
}

#[test]
fn a_job_that_asks_for_attacks_is_refused_with_the_attack_named_and_writes_nothing() {
    each(|entry, sample, folder| {
        if sample.name.contains("on disk") {
            // Attackers read all records at once.
            let mut job = sample.job.clone();
            job.set("attack", "max_rate", 1.0);
            let error = entry.run(&job, &Unobserved).unwrap_err();
            assert!(error.message.contains("attacks need all records in memory"), "{error}");
            return;
        }
        let output = folder.join(sample.job.get("output", "path").unwrap().as_str().unwrap());
        let mut job = sample.job.clone();
        job.set("attack", "max_rate", 1.0);
        let report = entry.run(&job, &Unobserved).unwrap();
        let section = report.sections.iter().find(|section| section.key == "attacks").unwrap();
        assert!(section.public.is_some() && !section.blocks.is_empty(), "{}", sample.name);
        let public = section.public.as_ref().unwrap().to_string();
        assert!(!public.contains("\"worst\""), "{}: records are public", sample.name);

        let learnt = attacked(entry, sample, AttackAsked::default());
        let above = learnt.attacks.iter().find(|played| played.rate.is_some_and(|r| r > 0.0));
        let Some(above) = above else { return };
        match output.is_dir() {
            true => std::fs::remove_dir_all(&output).unwrap(),
            false => std::fs::remove_file(&output).unwrap(),
        }
        job.set("attack", "max_rate", 0.0);
        job.set("attack", "attacks", vec![above.attack]);
        let error = entry.run(&job, &Unobserved).unwrap_err();
        assert_eq!(error.kind.exit_code(), 3, "{}: {error}", sample.name);
        assert!(error.message.contains(above.attack), "{}: {error}", sample.name);
        assert!(!output.exists(), "{}: something was written", sample.name);

        job.set("attack", "attacks", vec!["no-such-attack"]);
        let error = entry.run(&job, &Unobserved).unwrap_err();
        assert_eq!(error.kind.exit_code(), 2, "{}: {error}", sample.name);
        job.remove("attack");
        job.set("attack", "attacks", vec![above.attack]);
        let error = entry.run(&job, &Unobserved).unwrap_err();
        assert!(error.message.contains("the highest rate allowed"), "{}: {error}", sample.name);
    });
}

#[test]
fn an_attack_is_judged_by_the_original() {
    each(|entry, sample, _| {
        entry.run(&sample.job, &Unobserved).unwrap();
        let alone = Request { original: None, ..request(sample, AttackAsked::default()) };
        let error = entry.attack(&alone, &Unobserved).unwrap_err();
        assert!(error.message.contains("original"), "{}: {error}", sample.name);
    });
}
