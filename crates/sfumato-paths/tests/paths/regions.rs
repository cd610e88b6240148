//! Tracks as regions: the book's example, permutations on random small data, and whole runs.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Call, Params};
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::pipeline::Tamper;
use sfumato_paths::RELEASES;
use sfumato_paths::algorithms::regions::symmetric_anonymization::hiding_sets;
use sfumato_paths::algorithms::regions::{self, Classes, PublishedRegions, RegionTask, publish};
use sfumato_paths::data::attack_graph::AttackGraph;
use sfumato_paths::data::plane::{Plane, Position};
use sfumato_paths::data::region::RegionFix;
use sfumato_paths::data::synchronous::Synchronous;
use sfumato_paths::forms::regions::people::{Alike, attack_graph};
use sfumato_paths::metrics::regions::{ALL as METRICS, RegionsView};

use crate::support::Random;

fn at(x: f64, y: f64) -> Position {
    Position { x, y }
}

fn track(positions: &[(f64, f64)]) -> Synchronous {
    Synchronous { start: 1, positions: positions.iter().map(|(x, y)| at(*x, *y)).collect() }
}

/// Table 14.7: four objects at two times; the first and the last are known at the first time, the
/// others at the second.
fn book() -> (Vec<Synchronous>, Vec<Vec<i64>>) {
    let tracks = vec![
        track(&[(2.0, 1.0), (6.0, 2.0)]),
        track(&[(3.0, 6.0), (6.0, 6.0)]),
        track(&[(2.0, 2.0), (7.0, 7.0)]),
        track(&[(4.0, 5.0), (8.0, 4.0)]),
    ];
    (tracks, vec![vec![1], vec![2], vec![2], vec![1]])
}

fn task<'a>(tracks: &'a [Synchronous], known: &'a [Vec<i64>], k: u64) -> RegionTask<'a> {
    RegionTask { tracks, plane: Plane::Flat, known, k, observer: &Unobserved }
}

fn params(call: &str) -> (Params, &'static dyn regions::RegionAlgorithm) {
    let call: Call = call.parse().unwrap();
    let algorithm = regions::find(&call.name).unwrap();
    (Params::check(algorithm.info(), &call.args).unwrap(), algorithm)
}

fn fixes(published: &PublishedRegions, tracks: &[Synchronous]) -> Vec<Vec<RegionFix>> {
    let fix = |(tick, region): (i64, &_)| RegionFix { time: tick as f64, region: *region };
    let all = published.regions.iter().zip(tracks);
    all.map(|(regions, track)| (track.start..).zip(regions).map(fix).collect()).collect()
}

fn graph(tracks: &[Synchronous], known: &[Vec<i64>], published: &PublishedRegions) -> AttackGraph {
    let position = |track: &Synchronous, tick: i64| track.positions[(tick - track.start) as usize];
    let known: Vec<Vec<(f64, Position)>> = tracks
        .iter()
        .zip(known)
        .map(|(track, ticks)| ticks.iter().map(|t| (*t as f64, position(track, *t))).collect())
        .collect();
    attack_graph(&known, &fixes(published, tracks), Alike::default())
}

fn identity(n: usize) -> Vec<Option<u32>> {
    (0..n as u32).map(Some).collect()
}

fn loss(published: &PublishedRegions, tracks: &[Synchronous]) -> f64 {
    let view = RegionsView { plane: Plane::Flat, cell: 1.0, tracks: &fixes(published, tracks) };
    let metric = METRICS.iter().find(|metric| metric.info().name == "region-loss").unwrap();
    metric.measure(&view).unwrap()
}

#[test]
fn the_unsafe_release_of_table_14_8_gives_two_people_away() {
    let (tracks, known) = book();
    let classes: Classes =
        BTreeMap::from([(1, vec![vec![0, 2], vec![1, 3]]), (2, vec![vec![1, 2]])]);
    let published = publish(&task(&tracks, &known, 2), classes, None);
    let found = graph(&tracks, &known, &published);
    assert_eq!(found.fitting, [vec![0, 2], vec![1, 2], vec![1, 2], vec![1, 3]]);
    assert_eq!(found.possible(&[]).unwrap(), [vec![0], vec![1, 2], vec![1, 2], vec![3]]);
    let counted = found.count(2, &identity(4)).unwrap();
    assert_eq!((counted.fitting.violations, counted.possible.violations), (0, 2));
    assert_eq!(loss(&published, &tracks), 4.0);
}

#[test]
fn both_algorithms_give_the_corrected_tables_14_10_and_14_11() {
    let (tracks, known) = book();
    let task = task(&tracks, &known, 2);
    let (of_sets, _) = params("symmetric-anonymization");
    let mut sets = hiding_sets(&of_sets, &task).unwrap();
    sets.iter_mut().for_each(|set| set.sort_unstable());
    assert_eq!(sets, [vec![0, 2], vec![1, 2, 3], vec![0, 1, 2], vec![1, 3]]);
    for call in ["extreme-union", "symmetric-anonymization"] {
        let (params, algorithm) = params(call);
        let classes = algorithm.classes(&params, &task).unwrap();
        assert_eq!(classes[&1], [vec![0, 2], vec![1, 3]], "{call}");
        assert_eq!(classes[&2], [vec![0, 1, 2, 3]], "{call}");
        let published = publish(&task, classes, None);
        let found = graph(&tracks, &known, &published);
        let degrees: Vec<usize> = found.fitting.iter().map(Vec::len).collect();
        assert_eq!(degrees, [2, 4, 4, 2]);
        let possible = found.possible(&identity(4)).unwrap();
        assert_eq!(possible.iter().map(Vec::len).collect::<Vec<_>>(), [2, 4, 4, 2]);
        // Two edges have no mirror: the strict definition fails on the book's own release.
        let counted = found.count(2, &identity(4)).unwrap();
        assert_eq!((counted.possible.least, counted.unmirrored), (2, Some(2)));
        assert!((loss(&published, &tracks) - 6.2778).abs() < 1e-4);
    }
}

/// The records that are each person's in some permutation.
fn by_permutations(graph: &AttackGraph) -> (usize, Vec<Vec<u32>>) {
    fn go(graph: &AttackGraph, given: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) -> usize {
        let person = given.len();
        if person == graph.fitting.len() {
            for (person, record) in given.iter().enumerate() {
                if !found[person].contains(record) {
                    found[person].push(*record);
                }
            }
            return 1;
        }
        let mut n = 0;
        for record in &graph.fitting[person] {
            if !given.contains(record) {
                given.push(*record);
                n += go(graph, given, found);
                given.pop();
            }
        }
        n
    }
    let mut found = vec![Vec::new(); graph.fitting.len()];
    let n = go(graph, &mut Vec::new(), &mut found);
    found.iter_mut().for_each(|records| records.sort_unstable());
    (n, found)
}

#[test]
fn the_book_s_release_has_eight_permutations() {
    let (tracks, known) = book();
    let task = task(&tracks, &known, 2);
    let (params, algorithm) = params("extreme-union");
    let published = publish(&task, algorithm.classes(&params, &task).unwrap(), None);
    assert_eq!(by_permutations(&graph(&tracks, &known, &published)).0, 8);
}

#[test]
fn everybody_has_k_tracks_in_some_permutation() {
    let mut random = Random(31);
    for round in 0..400 {
        let n = 2 + random.below(5) as usize;
        let ticks = 1 + random.below(3) as i64;
        let mut number = || random.below(9) as f64;
        let tracks: Vec<Synchronous> = (0..n)
            .map(|_| track(&(0..ticks).map(|_| (number(), number())).collect::<Vec<_>>()))
            .collect();
        let known: Vec<Vec<i64>> = (0..n)
            .map(|_| {
                let all = 1..=ticks;
                let mut some: Vec<i64> = all.filter(|_| random.below(2) == 0).collect();
                if some.is_empty() {
                    some.push(1 + random.below(ticks as u64) as i64);
                }
                some
            })
            .collect();
        let k = 1 + random.below(n as u64);
        let task = task(&tracks, &known, k);
        for call in ["extreme-union(order=6)", "symmetric-anonymization", "track-merging"] {
            let (params, algorithm) = params(call);
            let snap = (round % 2 == 0).then_some(2.5);
            let published = publish(&task, algorithm.classes(&params, &task).unwrap(), snap);
            for (regions, track) in published.regions.iter().zip(&tracks) {
                assert!(regions.iter().zip(&track.positions).all(|(r, p)| r.has(*p)));
            }
            let found = graph(&tracks, &known, &published);
            let (_, by_permutations) = by_permutations(&found);
            assert!(by_permutations.iter().all(|records| records.len() as u64 >= k), "{call}");
            assert_eq!(found.possible(&identity(n)).unwrap(), by_permutations);
        }
    }
}

fn csv(folder: &Path) {
    let (mut rows, mut known) = (String::from("ID,LAT,LON,T\n"), String::from("who,when\n"));
    for who in 0..12 {
        for tick in 0..6 {
            let lat = 48.2 + f64::from((who * 7) % 12) * 0.001 + f64::from(tick) * 0.0005;
            let lon = 16.3 + f64::from((who * 5) % 12) * 0.001 - f64::from(tick) * 0.0002;
            rows += &format!("p{who},{lat:.6},{lon:.6},{}\n", tick * 60);
        }
        known += &format!("p{who},{}\n", (who % 3) * 120);
    }
    std::fs::write(folder.join("in.csv"), rows).unwrap();
    std::fs::write(folder.join("known.csv"), known).unwrap();
}

fn job(folder: &Path, model: &str, algorithm: &str) -> Job {
    let text = format!(
        "[input]\npath = \"in.csv\"\n[paths]\nlayout = \"track(id=ID, lat=LAT, lon=LON, time=T)\"\n\
         [privacy]\nmodels = [\"{model}\"]\n[recode]\nalgorithm = \"{algorithm}\"\n\
         [output]\npath = \"out.csv\"\n[run]\nseed = 1\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

#[test]
fn a_file_becomes_a_release_that_is_audited_and_attacked() {
    let folder = tempfile::tempdir().unwrap();
    csv(folder.path());
    let release = RELEASES[2];
    let known = folder.path().join("known.csv").display().to_string();
    let model = format!("mob-k-anonymity(k=3, known={known})");
    for algorithm in ["extreme-union(snap=0.01)", "auto"] {
        let report = release.run(&job(folder.path(), &model, algorithm), &Unobserved).unwrap();
        assert!(report.guarantees.len() == 1 && report.guarantees[0].holds);
        let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
        assert!(text.starts_with("ID,LON_from,LON_to,LAT_from,LAT_to,T\n"), "{text}");
        assert_eq!(text.lines().count(), 73);
        let audit = |model: &str| {
            let mut job = Job::default();
            job.set("input", "path", folder.path().join("out.csv").display().to_string());
            job.set("privacy", "models", vec![model.to_string()]);
            let mut original = Job::default();
            original.set("input", "path", folder.path().join("in.csv").display().to_string());
            original.set("paths", "layout", "track(id=ID, lat=LAT, lon=LON, time=T)");
            let request = Request { job, original: Some(original), ..Request::default() };
            release.audit(&request, &Unobserved)
        };
        assert!(audit(&model).unwrap().holds);
        let more = audit(&model.replace("k=3", "k=13")).unwrap();
        assert!(!more.holds, "{}", more.words);
        // Whoever knows all times finds whoever is published as a point somewhere.
        assert!(!audit("mob-k-anonymity(k=2)").unwrap().holds);
        let strict = audit(&model.replace("k=3", "k=3, checker=strict")).err().unwrap();
        assert_eq!(strict.kind, ErrorKind::Unsupported);
    }
    // Without a file everything is known, and boxes are everywhere.
    let report = release.run(&job(folder.path(), "mob-k-anonymity(k=3)", "auto"), &Unobserved);
    assert!(report.unwrap().guarantees[0].holds);
    for (lie, _) in release.lies() {
        let run = job(folder.path(), &model, "auto");
        let error = release.run_tampered(&run, Tamper::Lie(lie), &Unobserved).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal, "{lie}: {error}");
    }
    // The strict definition is checked, and what doesn't keep it isn't written.
    let strict = format!("mob-k-anonymity(k=3, known={known}, checker=strict)");
    match release.run(&job(folder.path(), &strict, "auto"), &Unobserved) {
        Ok(report) => assert!(report.guarantees.iter().all(|one| one.holds)),
        Err(error) => assert_eq!(error.kind, ErrorKind::Infeasible, "{error}"),
    }
}

#[test]
fn files_of_known_times_that_are_wrong_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    csv(folder.path());
    let file = folder.path().join("wrong.csv");
    let model = format!("mob-k-anonymity(k=2, known={})", file.display());
    let run = || RELEASES[2].run(&job(folder.path(), &model, "auto"), &Unobserved).unwrap_err();
    for (text, said) in [
        ("who,when\nnobody,0\n", "an id that the data don't have"),
        ("who,when\np1,7\n", "a time that the data don't have"),
        ("who,when\np1,0\n", "nothing is known of person"),
        ("who\np1\n", "two are needed"),
        ("who,when\np1,noon\n", "no time"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = run();
        assert!(error.kind == ErrorKind::Input && error.message.contains(said), "{error}");
    }
}
