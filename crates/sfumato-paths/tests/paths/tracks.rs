//! Tracks: the example for Never Walk Alone, groups against their definition, and whole runs.

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::facts::TrackFacts as _;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Call, Params};
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::pipeline::Tamper;
use sfumato_paths::RELEASES;
use sfumato_paths::algorithms::moving::{self, MovedTracks, MovingTask};
use sfumato_paths::data::plane::{Plane, Position};
use sfumato_paths::data::synchronous::Synchronous;
use sfumato_paths::data::tracks::Fix;
use sfumato_paths::forms::moved::groups::{Together, are_near};
use sfumato_paths::models::AskedTracks;

use crate::support::Random;

fn track(positions: &[(f64, f64)]) -> Synchronous {
    let positions = positions.iter().map(|(x, y)| Position { x: *x, y: *y }).collect();
    Synchronous { start: 0, positions }
}

fn run(
    call: &str,
    tracks: &[Synchronous],
    k: u64,
    delta: f64,
    trash: usize,
) -> sfumato_core::Result<MovedTracks> {
    let call: Call = call.parse().unwrap();
    let algorithm = moving::find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let asked = AskedTracks { k, delta };
    let all: Vec<Vec<Fix>> = tracks.iter().map(fixes).collect();
    let task = MovingTask {
        tracks,
        fixes: &all,
        plane: Plane::Flat,
        asked,
        trash,
        seed: Some(1),
        observer: &Unobserved,
    };
    algorithm.anonymize(&params, &task)
}

#[test]
fn three_tracks_are_moved_as_the_example_says() {
    let tracks = [
        track(&[(0.0, 0.0), (10.0, 0.0)]),
        track(&[(0.0, 3.0), (10.0, 0.0)]),
        track(&[(0.0, 0.0), (10.0, 6.0)]),
    ];
    let moved = run("never-walk-alone", &tracks, 3, 2.0, 0).unwrap();
    let expected = [
        track(&[(0.0, 0.0), (10.0, 1.0)]),
        track(&[(0.0, 2.0), (10.0, 1.0)]),
        track(&[(0.0, 0.0), (10.0, 3.0)]),
    ];
    let published: Vec<Synchronous> = moved.tracks.into_iter().flatten().collect();
    assert_eq!(published, expected);
    let mut total = 0.0;
    for (before, after) in tracks.iter().zip(&published) {
        let pairs = before.positions.iter().zip(&after.positions);
        total += pairs.map(|(a, b)| Plane::Flat.distance(*a, *b)).sum::<f64>();
    }
    assert_eq!((total, moved.farthest), (6.0, 3.0));
}

fn fixes(track: &Synchronous) -> Vec<Fix> {
    let times = (track.start..).map(|tick| tick as f64);
    times.zip(&track.positions).map(|(time, position)| Fix { time, position: *position }).collect()
}

/// The largest set of tracks with one of them that are pairwise near, by trying all sets.
fn largest(tracks: &[Vec<Fix>], alike: &[u32], own: usize, delta: f64) -> usize {
    (0u32..1 << tracks.len())
        .filter(|set| set >> own & 1 == 1)
        .filter(|set| {
            let members: Vec<usize> = (0..tracks.len()).filter(|at| set >> at & 1 == 1).collect();
            members.iter().all(|a| {
                members.iter().all(|b| {
                    let is_alike = alike.is_empty() || alike[*a] == alike[*b];
                    is_alike && are_near(Plane::Flat, &tracks[*a], &tracks[*b], delta)
                })
            })
        })
        .map(|set| set.count_ones() as usize)
        .max()
        .unwrap()
}

#[test]
fn groups_are_those_of_the_definition() {
    let mut numbers = Random(5);
    let mut seen = [0; 2];
    for _ in 0..1000 {
        let n = 1 + numbers.below(7) as usize;
        let tracks: Vec<Vec<Fix>> = (0..n)
            .map(|_| {
                let positions: Vec<(f64, f64)> = (0..1 + numbers.below(2))
                    .map(|_| (numbers.below(4) as f64, numbers.below(2) as f64))
                    .collect();
                fixes(&track(&positions))
            })
            .collect();
        let (k, delta) = (1 + numbers.below(4), numbers.below(4) as f64);
        // In every other round two things stand beside tracks: whoever is together has the same.
        let alike: Vec<u32> = match numbers.below(2) {
            0 => Vec::new(),
            _ => (0..n).map(|_| numbers.below(2) as u32).collect(),
        };
        let sizes: Vec<usize> = (0..n).map(|own| largest(&tracks, &alike, own, delta)).collect();
        let below = sizes.iter().filter(|size| (**size as u64) < k).count() as u64;
        // Whoever says that all are together isn't believed.
        let lie = [(0..n as u32).collect::<Vec<u32>>(), vec![0; k as usize]];
        for told in [&lie[..], &[]] {
            let together = Together { plane: Plane::Flat, tracks: &tracks, told, alike: &alike };
            let found = together.together(k, delta).unwrap();
            assert_eq!(found.violations, below, "{tracks:?} {k} {delta}");
            let least = sizes.iter().copied().min().unwrap() as u64;
            assert_eq!(found.least.min(k), least.min(k));
        }
        seen[usize::from(below > 0)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

#[test]
fn what_every_algorithm_moves_is_together_and_no_further_than_needed() {
    let mut numbers = Random(17);
    let mut done = 0;
    for round in 0..60 {
        let n = 6 + numbers.below(20) as usize;
        let tracks: Vec<Synchronous> = (0..n)
            .map(|_| {
                let (start, length) = (numbers.below(3) as i64, 4 + numbers.below(5));
                let mut at = (numbers.below(100) as f64, numbers.below(100) as f64);
                let mut step = || {
                    at = (at.0 + numbers.below(9) as f64, at.1 + numbers.below(9) as f64 - 4.0);
                    at
                };
                let positions: Vec<(f64, f64)> = (0..length).map(|_| step()).collect();
                Synchronous { start, ..track(&positions) }
            })
            .collect();
        let (k, delta) = (2 + numbers.below(3), [0.0, 5.0, 40.0][round % 3]);
        for call in ["never-walk-alone", "never-walk-alone(distance=edr)", "track-microaggregation"]
        {
            let moved = match run(call, &tracks, k, delta, n / 3) {
                Ok(moved) => moved,
                // Too few have the same interval.
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Infeasible, "{error}");
                    continue;
                }
            };
            done += 1;
            let left: Vec<Vec<Fix>> = moved.tracks.iter().flatten().map(fixes).collect();
            assert!(left.len() >= n - n / 3, "{call}");
            let together = Together { plane: Plane::Flat, tracks: &left, told: &[], alike: &[] };
            assert_eq!(together.together(k, delta).unwrap().violations, 0, "{call}");
            if call == "track-microaggregation" {
                assert_eq!(together.together(k, 0.0).unwrap().violations, 0);
            }
            // Every position is a part of its own track, at the same tick.
            let mut farthest: f64 = 0.0;
            for (own, new) in tracks.iter().zip(&moved.tracks) {
                let Some(new) = new else { continue };
                assert!(new.start >= own.start && new.end() <= own.end());
                let same = own.part(new.start, new.end());
                let pairs = same.positions.iter().zip(&new.positions);
                let far = pairs.map(|(a, b)| Plane::Flat.distance(*a, *b));
                farthest = farthest.max(far.fold(0.0, f64::max));
            }
            assert_eq!(farthest, moved.farthest);
            let mut members: Vec<u32> = moved.groups.concat();
            members.sort_unstable();
            members.dedup();
            assert_eq!(members.len(), left.len());
            assert!(moved.groups.iter().all(|group| group.len() as u64 >= k));
        }
    }
    assert!(done > 60, "{done}");
}

/// Twelve people who walk beside each other in three places, in degrees, at uneven times.
fn csv() -> String {
    let mut text = String::from("ID,LAT,LON,T\n");
    for who in 0..12 {
        let (lat, lon) = (37.7 + (who % 3) as f64 * 0.05, -122.4 + (who / 3) as f64 * 0.0004);
        for tick in 0..15 {
            let time = tick * 60 + (who * 7 + tick * 3) % 20;
            let (lat, lon) = (lat + tick as f64 * 0.0003, lon + tick as f64 * 0.0002);
            text += &format!("p{who},{lat:.6},{lon:.6},{time}\n");
        }
    }
    text
}

fn job(folder: &Path, layout: &str, model: &str) -> Job {
    let text = format!(
        "[input]\npath = \"in.csv\"\n[paths]\nlayout = \"{layout}\"\n[privacy]\n\
         models = [\"{model}\"]\n[output]\npath = \"out.csv\"\n[run]\nseed = 1\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

const TRACK: &str = "track(id=ID, lat=LAT, lon=LON, time=T, every=60)";

#[test]
fn tracks_in_degrees_become_a_release_that_every_formula_finds_close() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv()).unwrap();
    let model = "k-delta-anonymity(k=3, delta=60)";
    let report = RELEASES[1].run(&job(folder.path(), TRACK, model), &Unobserved).unwrap();
    assert!(report.guarantees.len() == 1 && report.guarantees[0].holds);
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let mut by_time: std::collections::BTreeMap<String, Vec<(f64, f64)>> = Default::default();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        by_time.entry(cells[3].into()).or_default().push((number(1), number(2)));
    }
    // At each time everybody has two others within 60 metres, by the usual formula on a sphere.
    let haversine = |a: (f64, f64), b: (f64, f64)| {
        let (dlat, dlon) = ((b.0 - a.0).to_radians(), (b.1 - a.1).to_radians());
        let h = (dlat / 2.0).sin().powi(2)
            + a.0.to_radians().cos() * b.0.to_radians().cos() * (dlon / 2.0).sin().powi(2);
        2.0 * 6_378_137.0 * h.sqrt().asin()
    };
    for positions in by_time.values() {
        for one in positions {
            let near = positions.iter().filter(|other| haversine(*one, **other) <= 60.0).count();
            assert!(near >= 3, "{near}");
        }
    }
    let audit = |model: &str| {
        let mut job = Job::default();
        job.set("input", "path", folder.path().join("out.csv").display().to_string());
        job.set("privacy", "models", vec![model.to_string()]);
        RELEASES[1].audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
    };
    assert!(audit(model).holds && audit("k-delta-anonymity(k=2, delta=60)").holds);
    assert!(!audit("k-delta-anonymity(k=3, delta=20)").holds);
    assert!(!audit("k-delta-anonymity(k=5, delta=60)").holds);
    for (lie, _) in RELEASES[1].lies() {
        let run = job(folder.path(), TRACK, "k-delta-anonymity(k=3, delta=20)");
        let error = RELEASES[1].run_tampered(&run, Tamper::Lie(lie), &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{lie}: {error}");
    }
}

#[test]
fn tracks_that_meet_go_on_as_each_other() {
    let folder = tempfile::tempdir().unwrap();
    // Two pairs cross in the middle of their ways, and one walks alone.
    let mut text = String::from("ID,X,Y,T\n");
    for tick in 0..11 {
        let along = f64::from(tick) * 10.0;
        for (who, y) in [("a", along), ("b", 100.0 - along), ("c", 9000.0)] {
            text += &format!("{who},{along},{y},{tick}\n");
        }
    }
    std::fs::write(folder.path().join("in.csv"), &text).unwrap();
    let run = |seed: u64| {
        let text = format!(
            "[input]\npath = \"in.csv\"\n[paths]\nlayout = \"track(id=ID, x=X, y=Y, time=T)\"\n\
             [recode]\nalgorithm = \"swapping(radius=1)\"\n[output]\npath = \"out.csv\"\n[run]\n\
             seed = {seed}\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        assert!(RELEASES[1].takes(&job).unwrap() && !RELEASES[0].takes(&job).unwrap());
        let report = RELEASES[1].run(&job, &Unobserved).unwrap();
        assert!(report.guarantees.is_empty());
        std::fs::read_to_string(folder.path().join("out.csv")).unwrap()
    };
    let out = run(3);
    assert_eq!(out, run(3));
    // Every published position is one that was there at that time, and c is left out.
    let cell = |line: &str| line.split_once(',').unwrap().1.to_string();
    let mut was: Vec<String> =
        text.lines().skip(1).filter(|line| !line.starts_with('c')).map(cell).collect();
    let mut is: Vec<String> = out.lines().skip(1).map(cell).collect();
    was.sort();
    is.sort();
    assert_eq!(is, was);
    // Who began at the bottom ends at the bottom: a went on as b.
    let ys = |id: &str| -> Vec<f64> {
        let own = out.lines().filter(|line| line.starts_with(id));
        own.map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
    };
    for id in ["1,", "2,"] {
        assert_eq!(ys(id).first(), ys(id).last(), "{out}");
    }
    // A model can't be asked for with it.
    let text = "[input]\npath = \"in.csv\"\n[paths]\nlayout = \"track(id=ID, x=X, y=Y, time=T)\"\n\
         [privacy]\nmodels = [\"k-delta-anonymity(k=2, delta=5)\"]\n[recode]\nalgorithm = \
         \"swapping\"\n\
         [output]\npath = \"out.csv\"\n";
    let job = Job::parse(text, "release.toml", folder.path()).unwrap();
    assert_eq!(RELEASES[1].run(&job, &Unobserved).unwrap_err().kind, ErrorKind::Unsupported);
}

#[test]
fn tracks_over_a_grid_are_paths() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv()).unwrap();
    let layout = "track(id=ID, lat=LAT, lon=LON, time=T, grid=500, every=5min)";
    let run = job(folder.path(), layout, "lkc-privacy(l=2, k=3)");
    let report = RELEASES[0].run(&run, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(text.starts_with("ID,cell,T\n"), "{text}");
    // Without a grid there are no places.
    let run = job(folder.path(), TRACK, "lkc-privacy(l=2, k=3)");
    let error = RELEASES[0].run(&run, &Unobserved).unwrap_err();
    assert!(error.kind == ErrorKind::Unsupported && error.hint.unwrap().contains("grid=500"));
    let layout = "points(id=ID, place=LAT, time=T, drop=[LON])";
    let run = job(folder.path(), layout, "k-delta-anonymity(k=2, delta=5)");
    let error = RELEASES[1].run(&run, &Unobserved).unwrap_err();
    assert!(error.kind == ErrorKind::Unsupported && error.hint.unwrap().contains("track("));
}

#[test]
fn tracks_are_cut_and_folded_as_the_layout_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("ID,X,Y,T\n");
    for day in 0..4 {
        for minute in 0..30 {
            let time = f64::from(day) * 86400.0 + 3600.0 + f64::from(minute) * 60.0;
            text += &format!("a,{},{day},{time}\n", minute * 10);
        }
    }
    std::fs::write(folder.path().join("in.csv"), text).unwrap();
    let layout = "track(id=ID, x=X, y=Y, time=T, every=60, gap=1h, fold=1d, least=5)";
    let run = job(folder.path(), layout, "k-delta-anonymity(k=4, delta=1)");
    let report = RELEASES[1].run(&run, &Unobserved).unwrap();
    assert_eq!(report.output.unwrap().rows, 4);
    assert!(report.warnings.iter().any(|warning| warning.contains("4 tracks are of 1 people")));
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(text.contains(",3600\n") && !text.contains(",90000\n"), "{text}");
}
