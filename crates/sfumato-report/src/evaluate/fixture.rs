//! An evaluation of two tasks with two learners each, and one algorithm that couldn't meet the
//! requirements.

use super::*;

pub(crate) fn evaluation() -> Evaluation {
    let spread = |mean: f64| Spread { mean, sd: 0.01, values: vec![mean - 0.01, mean + 0.01] };
    let score = |data: Data, learner: &str, mean: f64, is_classes: bool| Score {
        data,
        learner: learner.into(),
        encoding: "ends".into(),
        score: spread(mean),
        error: is_classes.then_some(1.0 - mean),
        auc: is_classes.then(|| spread(mean)),
        against_first: matches!(data, Data::Original).then_some(Test { difference: 0.1, p: 0.003 }),
    };
    let task = |target: &str, is_classes: bool, learners: [&str; 2]| Task {
        target: target.into(),
        is_classes,
        features: vec!["age".into(), "sex".into()],
        without_target: 3,
        class_counts: if is_classes { vec![700, 297] } else { Vec::new() },
        baseline: spread(0.7),
        scores: [(Data::Original, 0.9), (Data::WithoutQuasi, 0.71), (Data::Release(0), 0.85)]
            .into_iter()
            .flat_map(|(data, mean)| learners.map(|learner| score(data, learner, mean, is_classes)))
            .collect(),
    };
    Evaluation {
        version: "0.1.0".into(),
        input: "people & <more>.csv".into(),
        rows: 1000,
        quasi: vec!["age".into(), "sex".into()],
        models: vec!["k-anonymity(k=5)".into()],
        max_suppression: "0".into(),
        protocol: Protocol {
            text: "2 folds".into(),
            parts: 2,
            train_rows: 500.0,
            test_rows: 500.0,
            seed: 7,
        },
        queries: Queries { count: 100, columns: 2, selectivity: 0.05 },
        tasks: vec![
            task("class", true, ["decision-tree", "naive-bayes"]),
            task("pay", false, ["regression-tree", "linear-regression"]),
        ],
        algorithms: vec![
            Algorithm {
                algorithm: "auto".into(),
                chosen: Some("mondrian".into()),
                measures: Some(Measures {
                    classes: 80.0,
                    average_class_size: 6.25,
                    suppressed: 0.0,
                    ncp: Some(0.2),
                    purity: vec![Some(0.5), Some(12.0)],
                    query_error_median: Some(0.1),
                    query_error_mean: Some(0.3),
                    imprecision: None,
                    divergences: vec![0.1, 0.3],
                }),
                infeasible: None,
            },
            Algorithm {
                algorithm: "full-domain".into(),
                infeasible: Some("it can't, \"really\" <so>".into()),
                ..Algorithm::default()
            },
        ],
        notes: vec!["a note".into()],
        timings: Timings::default(),
    }
}
