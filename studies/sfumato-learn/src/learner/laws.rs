//! Laws that hold for every learner of the list.

use proptest::prelude::*;
use sfumato_core::registry::{Call, Params};

use super::*;
use crate::testing::{noisy_classes, noisy_numbers};

/// A learner's parameters from what a user would write between the brackets.
pub(crate) fn params(learner: &dyn Learner, text: &str) -> Params {
    let call: Call = match text {
        "" => learner.info().name.parse().unwrap(),
        text => format!("{}({text})", learner.info().name).parse().unwrap(),
    };
    Params::check(learner.info(), &call.args).unwrap()
}

pub(crate) fn accuracy_of(fitted: &Classifier, (x, y): &(Matrix, Vec<u32>)) -> f64 {
    crate::score::accuracy(y, &fitted.predict(x).unwrap()).unwrap()
}

fn of(goal: Goal) -> impl Iterator<Item = &'static dyn Learner> {
    ALL.iter().copied().filter(move |learner| learner.goal() == goal)
}

#[test]
fn names_are_found_and_unique_and_defaults_are_valid() {
    for learner in ALL {
        assert_eq!(find(learner.info().name).unwrap().info().name, learner.info().name);
        params(*learner, "");
        assert!(!learner.info().doc.is_empty() && !learner.info().papers.is_empty());
    }
    let names: std::collections::BTreeSet<_> =
        ALL.iter().map(|learner| learner.info().name).collect();
    assert_eq!(names.len(), ALL.len());
    assert!(find("decision-treee").err().unwrap().hint.unwrap().contains("decision-tree"));
}

#[test]
fn each_beats_the_majority_and_repeats_itself() {
    for n_classes in [2u32, 4] {
        let (x, y) = noisy_classes(600, 5, n_classes, 1);
        let test = noisy_classes(500, 5, n_classes, 2);
        let majority =
            (0..n_classes).map(|c| test.1.iter().filter(|y| **y == c).count()).max().unwrap();
        for learner in of(Goal::Classes) {
            let name = learner.info().name;
            let fit = |seed| {
                learner.fit_classes(&params(learner, ""), &x, &y, n_classes as usize, seed).unwrap()
            };
            let fitted = fit(5);
            let accuracy = accuracy_of(&fitted, &test);
            assert!(
                accuracy > majority as f64 / 500.0 + 0.1,
                "{name}: {accuracy}, majority {majority}"
            );
            let scores = fitted.scores(&test.0).unwrap();
            assert_eq!((scores.n_rows(), scores.n_classes()), (500, n_classes as usize));
            assert_eq!(scores, fit(5).scores(&test.0).unwrap(), "{name}");
            let auc = crate::score::auc_of_classes(&scores, &test.1).unwrap();
            assert!(auc > 0.7, "{name}: {auc}");
        }
    }
}

#[test]
fn each_beats_the_mean_and_repeats_itself() {
    let (x, y) = noisy_numbers(600, 5, 1);
    let (test, truth) = noisy_numbers(500, 5, 2);
    let mean = y.iter().sum::<f64>() / 600.0;
    let baseline = crate::score::mae(&truth, &[mean; 500]).unwrap();
    for learner in of(Goal::Numbers) {
        let fit = |seed| {
            learner.fit_numbers(&params(learner, ""), &x, &y, seed).unwrap().predict(&test).unwrap()
        };
        let predicted = fit(5);
        let error = crate::score::mae(&truth, &predicted).unwrap();
        assert!(error < 0.6 * baseline, "{}: {error}, mean {baseline}", learner.info().name);
        assert_eq!(predicted, fit(5));
    }
}

#[test]
fn threads_dont_matter() {
    let (x, y) = noisy_classes(300, 5, 3, 1);
    for learner in of(Goal::Classes) {
        let fit =
            || learner.fit_classes(&params(learner, ""), &x, &y, 3, 9).unwrap().scores(&x).unwrap();
        let on = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(fit);
        assert_eq!(on(1), on(3), "{}", learner.info().name);
    }
}

/// Tables that break careless learners.
fn degenerate() -> Vec<Matrix> {
    let column = |n: usize, f: fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
    vec![
        Matrix::from_columns(1, &[vec![3.0]]).unwrap(),
        Matrix::from_columns(1, &[vec![3.0], vec![0.0]]).unwrap(),
        Matrix::from_columns(2, &[vec![1.0, 2.0]]).unwrap(),
        Matrix::from_columns(3, &[]).unwrap(),
        Matrix::from_columns(12, &[vec![7.0; 12], vec![-0.1; 12]]).unwrap(),
        Matrix::from_columns(
            12,
            &[vec![7.0; 12], column(12, |i| i as f64), column(12, |i| i as f64)],
        )
        .unwrap(),
        Matrix::from_columns(
            12,
            &[column(12, |i| (i % 2) as f64 * 1e150), column(12, |i| i as f64 * 1e-300)],
        )
        .unwrap(),
        Matrix::from_columns(
            12,
            &[column(12, |i| 1e15 + i as f64), column(12, |i| -0.0 * i as f64)],
        )
        .unwrap(),
        Matrix::from_columns(3, &vec![vec![1.0, 5.0, 2.0]; 30]).unwrap(),
    ]
}

#[test]
fn degenerate_tables_are_learnt_without_panic() {
    for x in degenerate() {
        let n = x.n_rows();
        let far = Matrix::new(2, x.n_columns(), [-1e150, 1e150].repeat(x.n_columns())).unwrap();
        let none = x.take(&[]);
        for classes in [1usize, 2, 3, 5] {
            // All classes in turn, the first only, the last only, and one row apart.
            let targets: [Vec<u32>; 4] = [
                (0..n).map(|i| (i % classes) as u32).collect(),
                vec![0; n],
                vec![classes as u32 - 1; n],
                (0..n).map(|i| if i == 0 { classes as u32 - 1 } else { 0 }).collect(),
            ];
            for (learner, y) in of(Goal::Classes).flat_map(|l| targets.iter().map(move |y| (l, y)))
            {
                let fitted = learner.fit_classes(&params(learner, ""), &x, y, classes, 1).unwrap();
                for x in [&x, &far, &none] {
                    let scores = fitted.scores(x).unwrap();
                    assert_eq!(scores.n_rows(), x.n_rows());
                    for row in 0..x.n_rows() {
                        assert!(
                            scores.row(row).iter().all(|s| s.is_finite()),
                            "{}",
                            learner.info().name
                        );
                    }
                    // Nobody predicts a class that wasn't there.
                    assert!(fitted.predict(x).unwrap().iter().all(|class| y.contains(class)));
                }
            }
        }
        let targets: [Vec<f64>; 4] = [
            vec![4.0; n],
            (0..n).map(|i| i as f64).collect(),
            (0..n).map(|i| i as f64 * 8e148).collect(),
            (0..n).map(|i| 1e9 + i as f64).collect(),
        ];
        for (learner, y) in of(Goal::Numbers).flat_map(|l| targets.iter().map(move |y| (l, y))) {
            let fitted = learner.fit_numbers(&params(learner, ""), &x, y, 1).unwrap();
            for x in [&x, &far, &none] {
                let predicted = fitted.predict(x).unwrap();
                assert_eq!(predicted.len(), x.n_rows());
                assert!(
                    predicted.iter().all(|y| y.is_finite()),
                    "{} {predicted:?}",
                    learner.info().name
                );
            }
        }
    }
}

#[test]
fn wrong_tasks_are_errors() {
    let x = Matrix::from_columns(2, &[vec![1.0, 2.0]]).unwrap();
    for learner in ALL {
        let p = params(*learner, "");
        assert!(learner.fit_classes(&p, &x, &[0], 2, 0).is_err());
        assert!(learner.fit_classes(&p, &x, &[0, 2], 2, 0).is_err());
        assert!(learner.fit_classes(&p, &x.take(&[]), &[], 2, 0).is_err());
        assert!(learner.fit_numbers(&p, &x, &[0.0], 0).is_err());
        assert!(learner.fit_numbers(&p, &x, &[0.0, f64::NAN], 0).is_err());
        let wide = Matrix::from_columns(1, &[vec![1.0], vec![1.0]]).unwrap();
        match learner.goal() {
            Goal::Classes => {
                assert!(learner.fit_numbers(&p, &x, &[0.0, 1.0], 0).is_err());
                assert!(
                    learner.fit_classes(&p, &x, &[0, 1], 2, 0).unwrap().predict(&wide).is_err()
                );
            }
            Goal::Numbers => {
                assert!(learner.fit_classes(&p, &x, &[0, 1], 2, 0).is_err());
                assert!(
                    learner.fit_numbers(&p, &x, &[0.0, 1.0], 0).unwrap().predict(&wide).is_err()
                );
            }
        }
    }
}

/// Few rows of few different cells, some of them extreme: duplicates, constants and clashes come by
/// themselves.
fn small_tables() -> impl Strategy<Value = (Matrix, Vec<u32>)> {
    let cell =
        prop::sample::select(vec![0.0, -0.0, 1.0, 1.0 + f64::EPSILON, -3.5, 1e-310, 1e20, -1e150]);
    (1usize..20, 0usize..5).prop_flat_map(move |(n, columns)| {
        let cells = prop::collection::vec(cell.clone(), n * columns);
        let matrix = cells.prop_map(move |cells| Matrix::new(n, columns, cells).unwrap());
        (matrix, prop::collection::vec(0u32..4, n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn small_tables_are_learnt_without_panic((x, y) in small_tables(), seed: u64) {
        for learner in of(Goal::Classes) {
            let fitted = learner.fit_classes(&params(learner, ""), &x, &y, 4, seed).unwrap();
            let scores = fitted.scores(&x).unwrap();
            for row in 0..x.n_rows() {
                prop_assert!(scores.row(row).iter().all(|score| score.is_finite()), "{}",
                    learner.info().name);
            }
            prop_assert!(scores.best().iter().all(|class| y.contains(class)), "{}",
                learner.info().name);
        }
        let targets: Vec<f64> =
            y.iter().map(|class| [0.0, 1.0, -1e-300, 1e150][*class as usize]).collect();
        for learner in of(Goal::Numbers) {
            let fitted = learner.fit_numbers(&params(learner, ""), &x, &targets, seed).unwrap();
            prop_assert!(fitted.predict(&x).unwrap().iter().all(|y| y.is_finite()), "{}",
                learner.info().name);
        }
    }
}
