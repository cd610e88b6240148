//! Combines the figures of all parts.

use sfumato_core::dataset::Table;
use sfumato_learn::compare::{Split, paired_t_test};
use sfumato_report::evaluate as shown;
use sfumato_report::evaluate::Data;

use super::features::Encoding;
use super::part::{ArmFound, DataFound, PartFound, Shared};
use super::settings::Protocol;
use super::trial::LearnerScore;
use super::truth::Truth;

/// The evaluation, notes and some timings aside.
pub fn summarize(
    shared: &Shared<'_>,
    parts: &[Split],
    found: &[PartFound],
    whole: &Table,
) -> shown::Evaluation {
    let job = shared.experiment.job;
    let queries = &shared.settings.queries;
    shown::Evaluation {
        version: env!("CARGO_PKG_VERSION").into(),
        input: job.input.path.clone(),
        rows: shared.experiment.n_rows() as u64,
        quasi: whole.quasi().iter().map(|column| column.name.clone()).collect(),
        models: job.privacy.models.clone(),
        max_suppression: job.privacy.max_suppression.to_string(),
        protocol: shown::Protocol {
            text: protocol_words(shared),
            parts: parts.len() as u64,
            train_rows: mean(parts.iter().map(|part| part.train.len() as f64)),
            test_rows: mean(parts.iter().map(|part| part.test.len() as f64)),
            seed: shared.settings.seed,
        },
        queries: shown::Queries {
            count: queries.count as u64,
            columns: queries.columns.min(whole.quasi().len()) as u64,
            selectivity: queries.selectivity,
        },
        tasks: (0..shared.goals.len()).map(|goal| task(shared, found, goal)).collect(),
        algorithms: (0..shared.arms.len()).map(|arm| algorithm(shared, found, arm)).collect(),
        notes: Vec::new(),
        timings: timings(shared, found),
    }
}

fn protocol_words(shared: &Shared<'_>) -> String {
    let stratified = shared.goals.iter().find(|goal| matches!(goal.truth, Truth::Classes { .. }));
    match (&shared.settings.protocol, stratified) {
        (Protocol::Folds(n), Some(goal)) => format!("{n} folds, stratified by {}", goal.target),
        (Protocol::Folds(n), None) => format!("{n} folds"),
        (Protocol::Share(share), _) => format!("one split, {:.1} % held out", share * 100.0),
        (Protocol::Separate(_), _) => "the rows of another file held out".into(),
    }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count().max(1);
    values.sum::<f64>() / n as f64
}

fn spread(values: Vec<f64>) -> shown::Spread {
    let spread = sfumato_learn::score::Spread::of(&values);
    shown::Spread {
        mean: spread.map_or(f64::NAN, |s| s.mean),
        sd: spread.map_or(0.0, |s| s.sd),
        values,
    }
}

fn task(shared: &Shared<'_>, found: &[PartFound], goal: usize) -> shown::Task {
    let of = &shared.goals[goal];
    let is_classes = matches!(of.truth, Truth::Classes { .. });
    let mut kinds = vec![Data::Original, Data::WithoutQuasi];
    kinds.extend((0..shared.arms.len()).map(Data::Release));
    let mut scores = Vec::new();
    for data in kinds {
        for (number, call) in shared.learners[goal].iter().enumerate() {
            let Some(outcomes) = outcomes(found, data, goal, number) else { continue };
            let values: Vec<f64> = outcomes.iter().map(|outcome| outcome.score).collect();
            let aucs: Option<Vec<f64>> = outcomes.iter().map(|outcome| outcome.auc).collect();
            let first = match data {
                Data::Release(0) => None,
                _ => self::outcomes(found, Data::Release(0), goal, number),
            };
            let test = first.and_then(|first| {
                let first: Vec<f64> = first.iter().map(|outcome| outcome.score).collect();
                paired_t_test(&values, &first)
            });
            let score = spread(values);
            scores.push(shown::Score {
                data,
                learner: call.text.clone(),
                encoding: match call.encoding {
                    Encoding::Ends => "ends".into(),
                    Encoding::OneHot => "one-hot".into(),
                },
                error: is_classes.then_some(1.0 - score.mean),
                score,
                auc: aucs.map(spread),
                against_first: test.map(|test| shown::Test {
                    difference: test.difference.mean,
                    p: test.p_two_tailed,
                }),
            });
        }
    }
    shown::Task {
        target: of.target.clone(),
        is_classes,
        features: of.features.clone(),
        without_target: of.truth.n_missing(),
        class_counts: of.truth.class_counts(),
        baseline: spread(found.iter().map(|part| part.baselines[goal]).collect()),
        scores,
    }
}

/// The outcomes of one learner on one kind of data in all parts; none if an algorithm couldn't do
/// one of them.
fn outcomes(
    found: &[PartFound],
    data: Data,
    goal: usize,
    learner: usize,
) -> Option<Vec<LearnerScore>> {
    let of_part = |part: &PartFound| {
        let of: &DataFound = match data {
            Data::Original => &part.original,
            Data::WithoutQuasi => &part.without_quasi,
            Data::Release(arm) => &part.arms[arm].as_ref().ok()?.data,
        };
        Some(of.outcomes[goal][learner])
    };
    found.iter().map(of_part).collect()
}

fn algorithm(shared: &Shared<'_>, found: &[PartFound], arm: usize) -> shown::Algorithm {
    let text = &shared.arms[arm].text;
    let infeasible = found.iter().enumerate().find_map(|(part, found)| {
        let reason = found.arms[arm].as_ref().err()?;
        Some(format!("in part {}: {reason}", part + 1))
    });
    let of: Vec<&ArmFound> = found.iter().filter_map(|part| part.arms[arm].as_ref().ok()).collect();
    let chosen = of.first().filter(|first| *text != first.ran && shared.arms[arm].is_auto());
    let chosen = chosen.map(|first| match of.iter().all(|one| one.ran == first.ran) {
        true => first.ran.clone(),
        false => "differs by part".into(),
    });
    let measures = infeasible.is_none().then(|| measures(shared, &of));
    shown::Algorithm { algorithm: text.clone(), chosen, measures, infeasible }
}

fn measures(shared: &Shared<'_>, of: &[&ArmFound]) -> shown::Measures {
    let mean_of = |get: &dyn Fn(&ArmFound) -> Option<f64>| -> Option<f64> {
        let values: Option<Vec<f64>> = of.iter().map(|one| get(one)).collect();
        values.filter(|values| !values.is_empty()).map(|values| mean(values.into_iter()))
    };
    let plain = |get: &dyn Fn(&ArmFound) -> f64| mean(of.iter().map(|one| get(one)));
    let n_columns = of.first().map_or(0, |one| one.divergences.len());
    shown::Measures {
        classes: plain(&|one| one.classes),
        average_class_size: plain(&|one| one.average_class_size),
        suppressed: plain(&|one| one.suppressed),
        ncp: mean_of(&|one| one.ncp),
        purity: (0..shared.goals.len()).map(|goal| mean_of(&|one| one.purity[goal])).collect(),
        query_error_median: mean_of(&|one| median(&one.query_errors)),
        query_error_mean: mean_of(&|one| {
            (!one.query_errors.is_empty()).then(|| mean(one.query_errors.iter().copied()))
        }),
        imprecision: mean_of(&|one| one.imprecision),
        divergences: (0..n_columns).map(|column| plain(&|one| one.divergences[column])).collect(),
    }
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    (n > 0)
        .then(|| if n % 2 == 1 { sorted[n / 2] } else { (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0 })
}

fn timings(shared: &Shared<'_>, found: &[PartFound]) -> shown::Timings {
    let of_arm = |arm: usize, get: &dyn Fn(&ArmFound) -> f64| {
        let of: Vec<f64> =
            found.iter().filter_map(|part| part.arms[arm].as_ref().ok()).map(get).collect();
        mean(of.into_iter()) / 1e3
    };
    shown::Timings {
        encode_seconds: mean(found.iter().map(|part| part.encode_ms)) / 1e3,
        anonymize_seconds: (0..shared.arms.len())
            .map(|arm| of_arm(arm, &|one| one.anonymize_ms))
            .collect(),
        learn_seconds: (0..shared.arms.len())
            .map(|arm| of_arm(arm, &|one| one.data.learn_ms))
            .collect(),
        learn_original_seconds: mean(found.iter().map(|part| part.original.learn_ms)) / 1e3,
        ..shown::Timings::default()
    }
}
