//! Aligned microaggregation against its definition.

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::Call;

use super::*;
use crate::data::plane::Plane;
use crate::models::AskedTracks;

fn run(call: &str, tracks: &[Vec<Fix>], k: u64, trash: usize) -> Result<MovedTracks> {
    let call: Call = call.parse().unwrap();
    let params = Params::check(&INFO, &call.args).unwrap();
    let task = MovingTask {
        tracks: &[],
        fixes: tracks,
        plane: Plane::Flat,
        asked: AskedTracks { k, delta: 0.0 },
        trash,
        seed: Some(1),
        observer: &Unobserved,
    };
    AlignedMicroaggregation.anonymize(&params, &task)
}

fn track(fixes: &[(f64, f64, f64)]) -> Vec<Fix> {
    let fix =
        |(time, x, y): &(f64, f64, f64)| Fix { time: *time, position: Position { x: *x, y: *y } };
    fixes.iter().map(fix).collect()
}

const NAME: &str = "aligned-microaggregation";

#[test]
fn two_tracks_of_other_lengths_and_times_become_their_mean() {
    // One has three positions from 0 to 20, the other five from 10 to 50: four on average.
    let a = track(&[(0.0, 0.0, 0.0), (10.0, 3.0, 0.0), (20.0, 6.0, 0.0)]);
    let b = track(&[
        (10.0, 0.0, 2.0),
        (20.0, 3.0, 2.0),
        (30.0, 6.0, 2.0),
        (40.0, 9.0, 2.0),
        (50.0, 12.0, 2.0),
    ]);
    let moved = run(NAME, &[a, b], 2, 0).unwrap();
    let [Some(one), Some(other)] = &moved.tracks[..] else { panic!("both are published") };
    assert_eq!(one.positions, other.positions);
    // After 0, 1/3, 2/3 and 1 of their positions: x is 0, 2, 4, 6 and 0, 4, 8, 12.
    let xs: Vec<f64> = one.positions.iter().map(|at| (at.x * 1e9).round() / 1e9).collect();
    assert_eq!(xs, [0.0, 3.0, 6.0, 9.0]);
    assert!(one.positions.iter().all(|at| (at.y - 1.0).abs() < 1e-9));
    let moments = moved.moments.unwrap();
    let times: Vec<f64> = moments[0].iter().map(|moment| moment.published).collect();
    // The means of 0, 6.67, 13.33, 20 and 10, 23.33, 36.67, 50, as whole as the file's.
    assert_eq!(times, [5.0, 15.0, 25.0, 35.0]);
    assert_eq!(moments[1].first().unwrap().own, 10.0);
    assert_eq!(moments[1].last().unwrap().own, 50.0);
    assert_eq!((moved.latest, moved.groups.len()), (15.0, 1));
}

#[test]
fn whoever_has_nobody_near_is_left_out_only_where_a_radius_is_said() {
    let mut tracks: Vec<Vec<Fix>> =
        (0..6).map(|at| track(&[(0.0, f64::from(at), 0.0), (10.0, f64::from(at), 9.0)])).collect();
    tracks.push(track(&[(0.0, 5000.0, 0.0), (10.0, 5000.0, 9.0)]));
    let moved = run(NAME, &tracks, 3, 0).unwrap();
    assert!(moved.tracks.iter().all(Option::is_some) && moved.farthest > 1000.0);
    let moved = run(&format!("{NAME}(radius=50)"), &tracks, 3, 1).unwrap();
    assert!(moved.tracks[6].is_none() && moved.farthest < 10.0);
    let error = run(&format!("{NAME}(radius=50)"), &tracks, 3, 0).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    let error = run(&format!("{NAME}(radius=0.1)"), &tracks, 3, 7).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
}

#[test]
fn whoever_is_joined_by_no_chain_is_never_together() {
    // Two places of 4 and 7 in which everybody has others near; groups of 3 leave some over.
    let place = |far: f64, n: u32| {
        (0..n).map(move |at| {
            let x = far + 3.0 * f64::from(at);
            track(&[(0.0, x, 0.0), (10.0, x, 9.0)])
        })
    };
    let tracks: Vec<Vec<Fix>> = place(0.0, 4).chain(place(9000.0, 7)).collect();
    let moved = run(&format!("{NAME}(radius=10, exchange=false)"), &tracks, 3, 0).unwrap();
    let is_mixed =
        |group: &Vec<u32>| group.iter().any(|at| *at < 4) && group.iter().any(|at| *at >= 4);
    assert!(moved.tracks.iter().all(Option::is_some) && !moved.groups.iter().any(is_mixed));
    let moved = run(&format!("{NAME}(exchange=false)"), &tracks, 3, 0).unwrap();
    assert!(moved.groups.iter().any(is_mixed));
}

#[test]
fn times_that_fall_together_by_rounding_are_one() {
    let quick = |x: f64| track(&[(7.0, x, 0.0), (8.0, x, 1.0), (9.0, x, 2.0)]);
    let one = |x: f64| track(&[(8.0, x, 0.0)]);
    // Three positions between 8 and 8.5 have two whole times between them.
    let moved = run(NAME, &[quick(0.0), quick(1.0), one(2.0), one(3.0)], 4, 0).unwrap();
    let moments = moved.moments.unwrap();
    for (track, own) in moments.iter().zip(&moved.tracks) {
        assert_eq!(track.len(), own.as_ref().unwrap().positions.len());
        assert!(track.windows(2).all(|pair| pair[0].published < pair[1].published), "{track:?}");
    }
}

/// Which tracks have k - 1 others within a radius, by trying all sets that could stay.
#[test]
fn a_radius_keeps_the_largest_set_in_which_everybody_has_neighbours() {
    let mut seed = 11u64;
    let mut below = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % bound
    };
    let mut seen = [0; 2];
    for _ in 0..200 {
        let n = 2 + below(7) as usize;
        let (k, radius) = (2 + below(2) as usize, 5.0 + below(20) as f64);
        let tracks: Vec<Vec<Fix>> = (0..n)
            .map(|_| {
                let (x, y) = (below(60) as f64, below(60) as f64);
                track(&[(0.0, x, y), (10.0, x, y)])
            })
            .collect();
        let is_near = |a: usize, b: usize| {
            Plane::Flat.distance(tracks[a][0].position, tracks[b][0].position) <= radius
        };
        let is_fine = |set: u32| {
            let members: Vec<usize> = (0..n).filter(|at| set >> at & 1 == 1).collect();
            members
                .iter()
                .all(|a| members.iter().filter(|b| *b != a && is_near(*a, **b)).count() + 1 >= k)
        };
        // Sets that are fine have a fine union: the largest holds all others.
        let largest = (0..1u32 << n).filter(|set| is_fine(*set)).max_by_key(|set| set.count_ones());
        let largest = largest.unwrap();
        let found = run(&format!("{NAME}(radius={radius}, speed=0)"), &tracks, k as u64, n);
        match found {
            Ok(moved) => {
                let kept = (0..n).filter(|at| moved.tracks[*at].is_some());
                assert_eq!(kept.fold(0, |set, at| set | 1 << at), largest);
                seen[0] += 1;
            }
            Err(error) => {
                assert_eq!((error.kind, largest), (ErrorKind::Infeasible, 0));
                seen[1] += 1;
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}
