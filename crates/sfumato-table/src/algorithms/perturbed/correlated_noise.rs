//! Correlated noise: what is added to the columns goes together as the columns do.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::matrix::{cholesky, covariance, times};
use super::values::{missing_elsewhere, numbers, spelled, spread};
use super::{Draws, Perturbing, PerturbingAlgorithm, noise};

/// The algorithm `correlated-noise`, an entry of the registry.
pub struct CorrelatedNoise;

static INFO: Info = Info {
    name: "correlated-noise",
    summary: "add noise whose covariances are a share of the columns' own; promises nothing",
    papers: &[Paper {
        authors: "J. J. Kim",
        title: "A method for limiting disclosure in microdata based on random noise and \
            transformation",
        venue: "Proceedings of the Section on Survey Research Methods, American Statistical \
            Association",
        year: 1986,
    }],
    params: &[
        ParamSpec::with_default(
            "share",
            ParamKind::Number { min: 0.0, above: true, max: 100.0 },
            "0.1",
            "the standard deviation of the noise, as a share of the column's own",
        ),
        ParamSpec::with_default(
            "rescaled",
            ParamKind::Flag,
            "false",
            "whether numbers are drawn to their mean afterwards, so that variances are kept too",
        ),
    ],
    doc: "Normal noise is added to all quasi columns at once, with the covariances of the columns \
          times the square of `share`. So all correlations are kept on average, which independent \
          noise makes smaller. With `rescaled` every number is then drawn towards its mean, and \
          means, variances and covariances are kept on average.\n\n\
          Nothing is promised. Noise that goes along with the columns can't be filtered out by \
          how they go together, but whoever knows somebody's values finds the nearest record. \
          Covariances are those of records without missing values; missing values stay missing.",
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for CorrelatedNoise {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let share = params.number("share");
        let shrink = if params.flag("rescaled") { 1.0 / (1.0 + share * share).sqrt() } else { 1.0 };
        let all: Vec<Vec<Option<f64>>> =
            task.columns.iter().map(|column| numbers(column)).collect();
        let spreads = task.columns.iter().zip(&all).map(|(column, all)| spread(column, all));
        let means: Vec<f64> =
            spreads.map(|spread| spread.map(|(mean, _)| mean)).collect::<Result<_>>()?;
        let row = |row: usize| all.iter().map(|column| column[row]).collect::<Option<Vec<f64>>>();
        let whole: Vec<Vec<f64>> = (0..task.table.n_rows).filter_map(row).collect();
        let lower = cholesky(&covariance(&whole).1);
        let mut published = all.clone();
        for row in 0..task.table.n_rows {
            let drawn: Vec<f64> = task.columns.iter().map(|_| draws.normal()).collect();
            let columns = published.iter_mut().zip(&means).zip(times(&lower, &drawn));
            for ((column, mean), added) in columns {
                let moved = |x: f64| mean + shrink * (x - mean + share * added);
                column[row] = column[row].map(moved);
            }
        }
        let columns = task.columns.iter().zip(&published);
        Ok(columns.map(|(column, numbers)| spelled(column, numbers, 0)).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        let before: Vec<Vec<Option<f64>>> =
            task.columns.iter().map(|column| numbers(column)).collect();
        let has_missing = before.iter().flatten().any(Option::is_none);
        // With missing values the covariances are those of some of the records, and rescaled
        // numbers move towards their mean: of these only the places of missing values are known.
        match has_missing || params.flag("rescaled") {
            true => missing_elsewhere(&task.columns, after),
            false => noise::fault(&task.columns, after, params.number("share")),
        }
    }
}
