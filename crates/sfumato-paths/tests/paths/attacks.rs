//! Attackers of paths and of tracks: what they are right about before and after.

use sfumato_core::registry::{Call, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};
use sfumato_paths::attacks::{paths, tracks};
use sfumato_paths::attacks::{paths::PathStage, tracks::TrackStage};
use sfumato_paths::data::PathData;
use sfumato_paths::data::plane::{Plane, Position};
use sfumato_paths::data::tracks::Fix;

use crate::support::{BOOK, data};

fn play<S>(all: &[&dyn Attack<S>], call: &str, stage: &S) -> Outcome {
    let call: Call = call.parse().unwrap();
    let attack = all.iter().find(|attack| attack.info().name == call.name).unwrap();
    let params = Params::check(attack.info(), &call.args).unwrap();
    assert_eq!(attack.lacks(&params, stage), None);
    attack.play(&params, stage, &mut Chance::new(1)).unwrap()
}

fn book() -> PathData {
    data(&BOOK.iter().map(|(_, path, value)| (*path, *value)).collect::<Vec<_>>())
}

/// Table 14.3: the book's release, with its own codes.
fn released() -> PathData {
    data(&[
        ("d3 f6 c7", "AIDS"),
        ("f6 c7 e8", "Flu"),
        ("d3 f6 e8", "Fever"),
        ("c5 c7 e8", "Flu"),
        ("d3 c7 e8", "Fever"),
        ("c5 f6 e8", "Diabetes"),
        ("f6 c7 e8", "Diabetes"),
        ("c5 f6 c7", "AIDS"),
    ])
}

#[test]
fn whoever_knows_a_path_finds_it_before_and_not_after() {
    let before = PathStage::new(book(), &book());
    let after = PathStage::new(book(), &released());
    // All points of somebody: in the original seven of eight paths are part of no other.
    let all = "unicity(points=9)";
    assert_eq!(play(paths::ALL, all, &before).score.rate(), Some(0.875));
    // In the release <f6 c7 e8> is there twice, and four paths have all of their own points.
    let unique = play(paths::ALL, all, &after);
    assert!(unique.everybody && unique.score.rate().unwrap() < 1.0);
    // LKC-privacy for two points: nobody is found with one or two, in any order.
    for call in ["unicity(points=1)", "unicity(points=2)", "unicity(points=2, ordered=false)"] {
        assert_eq!(play(paths::ALL, call, &after).score.rate(), Some(0.0), "{call}");
    }
    for call in ["known-points(points=2)", "known-points(points=1, knows=places)"] {
        let rate = play(paths::ALL, call, &after).score.rate().unwrap();
        assert!(rate > 0.0 && rate <= 0.5, "{call}: {rate}");
    }
    let linked = play(paths::ALL, "attribute-linkage(points=9)", &before);
    assert_eq!((linked.score.rate(), linked.baseline), (Some(0.875), 0.25));
    let top = play(paths::ALL, "top-places(places=2)", &before);
    assert!(top.score.rate().unwrap() > 0.0);
}

#[test]
fn two_releases_tell_more_than_each() {
    let original = data(&[("a1 b2", "x"), ("a1 c2", "y"), ("a1 b2", "y"), ("a1 d2", "x")]);
    let first = data(&[("a1 b2", "x"), ("a1", "y"), ("a1 b2", "y"), ("a1", "x")]);
    let second = data(&[("a1 c2", "y"), ("a1 d2", "x")]);
    let stage = || PathStage::new(original.clone(), &first);
    let call: Call = "two-releases(points=1)".parse().unwrap();
    let attack = paths::ALL.iter().find(|attack| attack.info().name == call.name).unwrap();
    let params = Params::check(attack.info(), &call.args).unwrap();
    assert!(attack.lacks(&params, &stage()).unwrap().contains("--other"));
    let all = "two-releases(points=9)";
    let outcome = play(paths::ALL, all, &stage().with_other(&second));
    // Of the second and the last person c2 and d2 aren't in the first release: four paths have a1.
    // In the other they have one path each, with whose value and place only the own path goes
    // together. The first and the third stay with two: the other release doesn't have them.
    assert_eq!((outcome.score.rate(), outcome.baseline), (Some(0.75), 0.375));
    let alone = play(paths::ALL, "known-points(points=9)", &stage());
    assert_eq!(alone.score.rate(), Some(outcome.baseline));
    let said = "of 2 people is certain by both releases, of 0 by the first alone";
    assert!(outcome.remarks[0].contains(said), "{:?}", outcome.remarks);
    // The same release again tells nothing new.
    let same = play(paths::ALL, all, &stage().with_other(&first));
    assert_eq!(same.score.rate().unwrap(), same.baseline);
}

#[test]
fn what_is_not_published_tells_nothing() {
    let stage = PathStage::new(data(&[("a1", "x"), ("a1 b2", "y")]), &data(&[("a1", "x")]));
    // Nobody publishes b2: whoever knows both goes by a1, and one path has it.
    let outcome = play(paths::ALL, "known-points(points=2)", &stage);
    assert_eq!(outcome.score.rate(), Some(1.0));
    let stage = PathStage::new(data(&[("a1", "x"), ("b2", "y")]), &data(&[("a1", "x")]));
    let outcome = play(paths::ALL, "known-points(points=1)", &stage);
    assert_eq!(outcome.remarks.len(), 1);
    // Steps that the original hasn't are left aside. If a1 is known, two paths have it; if c3 is
    // known, nothing of it is published: either way the guess is right one time in two.
    let stage = PathStage::new(data(&[("a1 c3", "x")]), &data(&[("a1 b2", "x"), ("a1 b2", "y")]));
    assert_eq!(play(paths::ALL, "known-points(points=1)", &stage).score.rate(), Some(1.0 / 2.0));
}

#[test]
fn the_nearest_track_is_the_own_one_unless_all_are_alike() {
    let fix = |time: f64, x: f64, y: f64| Fix { time, position: Position { x, y } };
    let walk = |y: f64| (0..5).map(|t| fix(f64::from(t), f64::from(t), y)).collect::<Vec<_>>();
    let original: Vec<Vec<Fix>> = [0.0, 4.0, 10.0].map(walk).to_vec();
    let stage = |ys: [f64; 3]| TrackStage {
        plane: Plane::Flat,
        original: original.clone(),
        published: ys.map(walk).to_vec(),
        beside: Default::default(),
    };
    // Moved into a tube of width 2 around the mean, everybody is still nearest to their own.
    let rate = |ys: [f64; 3]| {
        play(tracks::ALL, "nearest-track(points=2)", &stage(ys)).score.rate().unwrap()
    };
    assert_eq!(rate([3.67, 4.67, 5.67]), 2.0 / 3.0);
    // Published alike, nobody can be told from the others.
    assert!((rate([4.67; 3]) - 1.0 / 3.0).abs() < 1e-12);
    // Whoever knows ages as well tells one of them, unless ages were generalized.
    let known = |ages: [&str; 3], call: &str| {
        let words = |ages: [&str; 3]| ages.map(|age| vec![age.to_string()]).to_vec();
        let beside = (words(ages), words(["30", "40", "40"]));
        play(tracks::ALL, call, &TrackStage { beside, ..stage([4.67; 3]) }).score.rate().unwrap()
    };
    let call = "nearest-track(points=2)";
    assert!((known(["30", "40", "40"], call) - 2.0 / 3.0).abs() < 1e-12);
    assert!((known(["30-40"; 3], call) - 1.0 / 3.0).abs() < 1e-12);
    let call = "nearest-track(points=2, beside=false)";
    assert!((known(["30", "40", "40"], call) - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn whoever_lives_and_works_alone_is_found_by_it() {
    let fix = |time: f64, x: f64, y: f64| Fix { time, position: Position { x, y } };
    // Half a day at home, half a day at work; three people live in one house.
    let day = |home: f64, work: f64| {
        let at = |hour: i32| if hour < 12 { home } else { work };
        (0..24).map(|hour| fix(f64::from(hour) * 3600.0, at(hour), 0.0)).collect::<Vec<_>>()
    };
    let original =
        vec![day(0.0, 5000.0), day(0.0, 9000.0), day(10.0, 9000.0), day(70_000.0, 80_000.0)];
    let stage = |published: Vec<Vec<Fix>>| TrackStage {
        plane: Plane::Flat,
        original: original.clone(),
        published,
        beside: Default::default(),
    };
    let rate = |published: Vec<Vec<Fix>>| {
        let outcome = play(tracks::ALL, "home-and-work", &stage(published));
        (outcome.score.rate().unwrap(), outcome.everybody)
    };
    // Two of the four share both places.
    assert_eq!(rate(original.clone()), (0.75, true));
    // All moved to one place: nobody is where they were.
    assert_eq!(rate(vec![day(30_000.0, 40_000.0); 4]).0, 0.0);
    // Who stays nowhere is guessed.
    let walk =
        |y: f64| (0..24).map(|h| fix(f64::from(h) * 60.0, f64::from(h) * 900.0, y)).collect();
    let walks: Vec<Vec<Fix>> = vec![walk(0.0), walk(1.0)];
    let (original, beside) = (walks.clone(), Default::default());
    let stage = TrackStage { plane: Plane::Flat, original, published: walks, beside };
    let outcome = play(tracks::ALL, "home-and-work", &stage);
    assert_eq!((outcome.score.rate(), outcome.remarks.len()), (Some(0.5), 1));
}
