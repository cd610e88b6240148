//! Metrics of two tracks, counted by hand.

use super::*;

fn at(x: f64, y: f64) -> Position {
    Position { x, y }
}

#[test]
fn two_tracks_are_measured() {
    // One is moved up by 3 units, the other stays and loses its last position.
    let fix = |time: f64, position| Fix { time, position };
    let before = [
        Cow::Owned(vec![fix(0.0, at(0.0, 0.0)), fix(1.0, at(4.0, 0.0))]),
        Cow::Owned(vec![fix(0.0, at(0.0, 0.0)), fix(1.0, at(0.0, 2.0)), fix(2.0, at(0.0, 4.0))]),
    ];
    let after = [
        vec![fix(0.0, at(0.0, 3.0)), fix(1.0, at(4.0, 3.0))],
        vec![fix(0.0, at(0.0, 0.0)), fix(1.0, at(0.0, 2.0))],
    ];
    let view = MovedView {
        plane: Plane::Flat,
        before: &before,
        after: &after,
        ticks: &Ticks::Every(1.0),
        moved: &[3.0, 3.0, 0.0, 0.0],
        shifted: &[0.0, 0.0, 2.0, 6.0],
        cut: 1,
        tracks: 3,
        on_clock: 5,
    };
    let measured = |name: &str| {
        let metric = ALL.iter().find(|metric| metric.info().name == name).unwrap();
        metric.measure(&view).unwrap()
    };
    assert_eq!((measured("mean-distortion"), measured("total-distortion")), (1.5, 6.0));
    assert_eq!(measured("rms-distortion"), 4.5f64.sqrt());
    assert!((measured("tracks-left-out") - 1.0 / 3.0).abs() < 1e-12);
    assert!((measured("positions-cut") - 0.2).abs() < 1e-12);
    // 3 and 2, on average.
    assert_eq!(measured("hausdorff-distance"), 2.5);
    // 6 over 2 positions, and 2 over 3.
    assert_eq!(measured("dtw-distance"), (3.0 + 2.0 / 3.0) / 2.0);
    // A leash of 3, and one of 2 to the position that was cut off.
    assert_eq!(measured("frechet-distance"), 2.5);
    // Everybody is in one cell all the time.
    assert_eq!((measured("entropy-error"), measured("query-error")), (0.0, 0.0));
    // All are in one cell; the third is nowhere.
    assert!((measured("od-error") - 1.0 / 3.0).abs() < 1e-12);
    // The second has a radius of sqrt(8 / 3) before and of 1 after.
    assert!((measured("gyration-error") - ((8.0f64 / 3.0).sqrt() - 1.0) / 2.0).abs() < 1e-12);
    // 3 and 3; then 0, 1 and 2 along the way, with half a unit of time and one.
    let half = 0.5f64.hypot(1.0);
    let second = (half + 1.0f64.hypot(2.0)) / 3.0;
    let expected = ((9.0 + second * second) / 2.0).sqrt();
    assert!((measured("paired-distortion") - expected).abs() < 1e-12);
    assert_eq!(measured("time-shift"), 2.0);
    // 4 and 4 before, 4 and 2 after.
    assert_eq!(measured("length-error"), 0.25);
}
