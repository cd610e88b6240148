//! Columns that an attacker may know beside tracks: whole runs, judged by trying.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::pipeline::Tamper;
use sfumato_paths::RELEASES;
use sfumato_paths::data::plane::Position;
use sfumato_paths::data::region::{Region, RegionFix};
use sfumato_paths::forms::regions::people::{Alike, attack_graph};

use crate::support::Random;

const TRACK: &str = "track(id=ID, x=X, y=Y, time=T)";

/// Tracks of `n` people at the same ticks, of whom each has an age, in two places so far apart.
fn csv(n: u64, apart: u64, numbers: &mut Random) -> String {
    let mut text = String::from("ID,X,Y,T,AGE\n");
    for who in 0..n {
        let (x, y) = (numbers.below(500) + who / 2 % 2 * apart, numbers.below(500));
        let age = 30 + 10 * (who % 2);
        for tick in 0..6 {
            let (x, y) = (x + numbers.below(20), y + numbers.below(20));
            text += &format!("p{who},{x},{y},{tick},{age}\n");
        }
    }
    text
}

fn job(folder: &Path, model: &str, algorithm: &str) -> Job {
    let mut job = Job::default();
    job.set_base(folder);
    job.set("input", "path", "in.csv");
    job.set("paths", "layout", TRACK);
    job.set("paths", "quasi", vec!["AGE".to_string()]);
    job.set("privacy", "models", vec![model.to_string()]);
    job.set("privacy", "max_suppression", "60%");
    job.set("recode", "algorithm", algorithm);
    job.set("output", "path", "out.csv");
    job.set("run", "seed", 1i64);
    job
}

fn audit(
    form: usize,
    file: &Path,
    layout: &str,
    quasi: &[&str],
    model: &str,
) -> sfumato_core::Result<sfumato_engine::audit::Audit> {
    let mut job = Job::default();
    job.set("input", "path", file.display().to_string());
    job.set("paths", "layout", layout);
    if !quasi.is_empty() {
        job.set("paths", "quasi", quasi.iter().map(|one| one.to_string()).collect::<Vec<_>>());
    }
    job.set("privacy", "models", vec![model.to_string()]);
    RELEASES[form].audit(&Request { job, ..Request::default() }, &Unobserved)
}

/// A published track: its age and its lines, without ids.
type Published = (String, Vec<(String, f64, f64)>);

fn published(text: &str) -> Vec<Published> {
    let mut header = text.lines().next().unwrap().split(',');
    let at = ["X", "Y", "T", "AGE"].map(|name| header.clone().position(|one| one == name).unwrap());
    assert_eq!(header.next(), Some("ID"));
    let mut tracks: BTreeMap<String, Published> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        let track = tracks.entry(cells[0].into()).or_default();
        track.0 = cells[at[3]].into();
        track.1.push((cells[at[2]].into(), number(at[0]), number(at[1])));
    }
    tracks.into_values().collect()
}

/// Whether every track has k - 1 others of the same age and times, all pairwise within delta, by
/// trying all sets.
fn holds(tracks: &[Published], k: usize, delta: f64) -> bool {
    let is_near = |a: &Published, b: &Published| {
        a.0 == b.0
            && a.1.len() == b.1.len()
            && a.1.iter().zip(&b.1).all(|(a, b)| {
                a.0 == b.0 && (a.1 - b.1).hypot(a.2 - b.2) <= delta * (1.0 + 1e-9) + 1e-9
            })
    };
    (0..tracks.len()).all(|own| {
        (0u32..1 << tracks.len()).any(|set| {
            let members: Vec<&Published> =
                (0..tracks.len()).filter(|at| set >> at & 1 == 1).map(|at| &tracks[at]).collect();
            set >> own & 1 == 1
                && members.len() >= k
                && members.iter().all(|a| members.iter().all(|b| is_near(a, b)))
        })
    })
}

#[test]
fn tracks_are_together_only_with_those_of_their_age() {
    let mut numbers = Random(23);
    let algorithms = ["never-walk-alone", "track-microaggregation", "aligned-microaggregation"];
    for round in 0..9 {
        let folder = tempfile::tempdir().unwrap();
        let text = csv(8 + round as u64 % 3, 0, &mut numbers);
        std::fs::write(folder.path().join("in.csv"), &text).unwrap();
        let (k, delta) = (2 + round / 3, 40.0);
        let model = format!("k-delta-anonymity(k={k}, delta={delta})");
        let run = job(folder.path(), &model, algorithms[round % 3]);
        let report = RELEASES[1].run(&run, &Unobserved).unwrap();
        assert!(report.guarantees.iter().all(|one| one.holds));
        let file = folder.path().join("out.csv");
        let tracks = published(&std::fs::read_to_string(&file).unwrap());
        assert!(tracks.len() >= k && holds(&tracks, k, delta), "{tracks:?}");
        assert!(audit(1, &file, TRACK, &["AGE"], &model).unwrap().holds);
        // Every age is that of as many people as published tracks say at most.
        for age in ["30", "40"] {
            let n = tracks.iter().filter(|track| track.0 == age).count();
            assert!(n == 0 || n >= k);
        }
    }
    // All of one age in one place, and one of another among them: only together they are three.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    let mut text = String::from("ID,X,Y,T,AGE\n");
    for (who, age) in [(1, 30), (2, 30), (3, 40)] {
        (0..3).for_each(|tick| text += &format!("{who},5,5,{tick},{age}\n"));
    }
    std::fs::write(&file, &text).unwrap();
    let model = "k-delta-anonymity(k=3, delta=0)";
    assert!(!holds(&published(&text), 3, 0.0));
    assert!(!audit(1, &file, TRACK, &["AGE"], model).unwrap().holds);
    let without = audit(1, &file, "track(id=ID, x=X, y=Y, time=T, drop=[AGE])", &[], model);
    assert!(without.unwrap().holds);
}

#[test]
fn lies_about_tracks_of_other_times_are_seen() {
    let mut numbers = Random(7);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv(12, 50_000, &mut numbers)).unwrap();
    let run = job(folder.path(), "k-delta-anonymity(k=3, delta=1)", "aligned-microaggregation");
    for (lie, _) in RELEASES[1].lies() {
        let error = RELEASES[1].run_tampered(&run, Tamper::Lie(lie), &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{lie}: {error}");
        assert!(!folder.path().join("out.csv").exists());
    }
    RELEASES[1].run(&run, &Unobserved).unwrap();
    // Too few have the same age for k, whatever is left out.
    let alone = job(folder.path(), "k-delta-anonymity(k=7, delta=1)", "track-microaggregation");
    let mut alone = alone;
    alone.set("output", "path", "other.csv");
    let error = RELEASES[1].run(&alone, &Unobserved).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
}

#[test]
fn sensitive_columns_beside_tracks_are_refused() {
    let mut numbers = Random(7);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv(12, 0, &mut numbers)).unwrap();
    let mut run = job(folder.path(), "k-delta-anonymity(k=3, delta=1)", "auto");
    run.set("paths", "quasi", Vec::<String>::new());
    run.set("paths", "sensitive", vec!["AGE".to_string()]);
    assert_eq!(RELEASES[1].run(&run, &Unobserved).unwrap_err().kind, ErrorKind::Unsupported);
}

#[test]
fn boxes_are_shared_with_those_of_the_same_age() {
    let mut numbers = Random(31);
    for round in 0..6u64 {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in.csv"), csv(8, 0, &mut numbers)).unwrap();
        let algorithm = ["symmetric-anonymization", "extreme-union", "track-merging"];
        let model = "mob-k-anonymity(k=2)";
        let run = job(folder.path(), model, algorithm[(round % 3) as usize]);
        let report = RELEASES[2].run(&run, &Unobserved).unwrap();
        assert!(report.guarantees.iter().all(|one| one.holds));
        let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
        assert!(text.lines().next().unwrap().ends_with(",AGE"), "{text}");
        // Of each person two tracks of their age have them inside at all ticks.
        let original = published(&std::fs::read_to_string(folder.path().join("in.csv")).unwrap());
        let mut boxes: BTreeMap<u32, (String, Vec<[f64; 4]>)> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let track = boxes.entry(cells[0].parse().unwrap()).or_default();
            track.0 = cells[6].into();
            track.1.push([1, 2, 3, 4].map(|at| cells[at].parse().unwrap()));
        }
        for (age, way) in &original {
            let fits = |(other, boxes): &&(String, Vec<[f64; 4]>)| {
                other == age
                    && way.iter().zip(boxes).all(|((_, x, y), corners)| {
                        corners[0] <= *x && *x <= corners[1] && corners[2] <= *y && *y <= corners[3]
                    })
            };
            assert!(boxes.values().filter(fits).count() >= 2);
        }
        // Beside the original the audit finds the same, and more than four of an age aren't there.
        let regions = "regions(id=ID, x_from=X_from, x_to=X_to, y_from=Y_from, y_to=Y_to, time=T)";
        let audit = |file: &str, model: &str| {
            let mut job = Job::default();
            job.set("input", "path", folder.path().join(file).display().to_string());
            job.set("paths", "layout", regions);
            job.set("paths", "quasi", vec!["AGE".to_string()]);
            job.set("privacy", "models", vec![model.to_string()]);
            let mut original = Job::default();
            original.set("input", "path", folder.path().join("in.csv").display().to_string());
            original.set("paths", "layout", TRACK);
            let request = Request { job, original: Some(original), ..Request::default() };
            RELEASES[2].audit(&request, &Unobserved)
        };
        assert!(audit("out.csv", model).unwrap().holds);
        assert!(!audit("out.csv", "mob-k-anonymity(k=5)").unwrap().holds);
        // Ages that were generalized can't be compared: that isn't passed.
        let coarse = text.replace(",30\n", ",30-40\n").replace(",40\n", ",30-40\n");
        std::fs::write(folder.path().join("coarse.csv"), coarse).unwrap();
        let error = audit("coarse.csv", model).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
    }
}

#[test]
fn an_edge_needs_the_same_class() {
    let mut numbers = Random(41);
    for _ in 0..200 {
        let n = 2 + numbers.below(5) as usize;
        let place = |numbers: &mut Random| numbers.below(6) as f64;
        let known: Vec<Vec<(f64, Position)>> = (0..n)
            .map(|_| vec![(1.0, Position { x: place(&mut numbers), y: place(&mut numbers) })])
            .collect();
        let boxes: Vec<Vec<RegionFix>> = (0..n)
            .map(|_| {
                let from = Position { x: place(&mut numbers), y: place(&mut numbers) };
                let to = Position { x: from.x + 4.0, y: from.y + 4.0 };
                vec![RegionFix { time: 1.0, region: Region { from, to } }]
            })
            .collect();
        let mut classes = || (0..n).map(|_| numbers.below(2) as u32).collect::<Vec<u32>>();
        let (people, records) = (classes(), classes());
        let alike = Alike { people: &people, records: &records };
        let graph = attack_graph(&known, &boxes, alike);
        for person in 0..n {
            let at = known[person][0].1;
            let fits = |record: &u32| {
                let Region { from, to } = boxes[*record as usize][0].region;
                people[person] == records[*record as usize]
                    && (from.x..=to.x).contains(&at.x)
                    && (from.y..=to.y).contains(&at.y)
            };
            let expected: Vec<u32> = (0..n as u32).filter(fits).collect();
            assert_eq!(graph.fitting[person], expected);
        }
    }
}
