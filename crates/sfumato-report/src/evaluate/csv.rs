//! Writes all figures as CSV: scores by task, data, learner and part, and measures by algorithm.

use super::{Algorithm, Data, Evaluation};
use crate::csv::push_line;

/// One line for each task, kind of data, learner and part.
pub fn scores_csv(evaluation: &Evaluation) -> String {
    let mut text = String::from("target,measure,data,learner,encoding,part,score,auc,baseline\n");
    for task in &evaluation.tasks {
        for score in &task.scores {
            for (part, value) in score.score.values.iter().enumerate() {
                let auc = score.auc.as_ref().and_then(|auc| auc.values.get(part));
                push_line(
                    &mut text,
                    &[
                        task.target.clone(),
                        if task.is_classes { "accuracy" } else { "mean-absolute-error" }.into(),
                        name(evaluation, score.data),
                        score.learner.clone(),
                        score.encoding.clone(),
                        (part + 1).to_string(),
                        value.to_string(),
                        auc.map_or(String::new(), ToString::to_string),
                        task.baseline.values.get(part).map_or(String::new(), ToString::to_string),
                    ],
                );
            }
        }
    }
    text
}

/// One line for each algorithm and measure.
pub fn measures_csv(evaluation: &Evaluation) -> String {
    let mut text = String::from("algorithm,chosen,measure,of,value\n");
    for algorithm in &evaluation.algorithms {
        for (measure, of, value) in measures(evaluation, algorithm) {
            let chosen = algorithm.chosen.clone().unwrap_or_default();
            push_line(
                &mut text,
                &[algorithm.algorithm.clone(), chosen, measure.into(), of, value.to_string()],
            );
        }
    }
    text
}

fn measures(evaluation: &Evaluation, algorithm: &Algorithm) -> Vec<(&'static str, String, f64)> {
    let Some(measures) = &algorithm.measures else { return Vec::new() };
    let single = [
        ("classes", Some(measures.classes)),
        ("average-class-size", Some(measures.average_class_size)),
        ("suppressed", Some(measures.suppressed)),
        ("ncp", measures.ncp),
        ("query-error-median", measures.query_error_median),
        ("query-error-mean", measures.query_error_mean),
        ("imprecision", measures.imprecision),
    ];
    let mut all: Vec<(&'static str, String, f64)> = single
        .into_iter()
        .filter_map(|(name, value)| Some((name, String::new(), value?)))
        .collect();
    for (task, purity) in evaluation.tasks.iter().zip(&measures.purity) {
        let name =
            if task.is_classes { "conditional-entropy" } else { "squared-error-within-classes" };
        all.extend(purity.map(|value| (name, task.target.clone(), value)));
    }
    let divergences = evaluation.quasi.iter().zip(&measures.divergences);
    all.extend(divergences.map(|(column, value)| ("marginal-divergence", column.clone(), *value)));
    all
}

/// The name of a kind of data.
pub(super) fn name(evaluation: &Evaluation, data: Data) -> String {
    match data {
        Data::Original => "original".into(),
        Data::WithoutQuasi => "without quasi columns".into(),
        Data::Release(place) => evaluation
            .algorithms
            .get(place)
            .map_or(String::new(), |algorithm| algorithm.algorithm.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::fixture::evaluation;

    #[test]
    fn every_figure_has_its_line() {
        let scores = scores_csv(&evaluation());
        let lines: Vec<&str> = scores.lines().collect();
        assert_eq!(lines.len(), 1 + 2 * 3 * 2 * 2);
        assert_eq!(lines[1], "class,accuracy,original,decision-tree,ends,1,0.89,0.89,0.69");
        assert!(
            lines[13].starts_with("pay,mean-absolute-error,original,regression-tree,ends,1,0.89,,")
        );
        let measures = measures_csv(&evaluation());
        assert!(measures.contains("auto,mondrian,conditional-entropy,class,0.5\n"), "{measures}");
        assert!(measures.contains("auto,mondrian,marginal-divergence,sex,0.3\n"));
        assert!(!measures.contains("full-domain"));
    }
}
