//! Additive noise: every number is published with a random number added.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::values::{numbers, spelled, spread};
use super::{Draws, Perturbing, PerturbingAlgorithm, noise};

/// The algorithm `additive-noise`, an entry of the registry.
pub struct AdditiveNoise;

static INFO: Info = Info {
    name: "additive-noise",
    summary: "publish every number with independent noise added; promises nothing by itself",
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
            "distribution",
            ParamKind::Choice(&["normal", "laplace"]),
            "normal",
            "what the noise is drawn from",
        ),
    ],
    doc: include_str!("additive_noise.md"),
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for AdditiveNoise {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let is_laplace = params.text("distribution") == Some("laplace");
        let mut published = Vec::with_capacity(task.columns.len());
        for column in &task.columns {
            let numbers = numbers(column);
            let deviation = params.number("share") * spread(column, &numbers)?.1;
            let mut noise = || if is_laplace { draws.laplace() } else { draws.normal() };
            let noisy: Vec<Option<f64>> =
                numbers.into_iter().map(|number| number.map(|x| x + deviation * noise())).collect();
            published.push(spelled(column, &noisy, 0));
        }
        Ok(published)
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        noise::fault(&task.columns, after, params.number("share"))
    }
}
