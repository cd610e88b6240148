//! Additive noise: every number is published with a random number added.

use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use super::{Draws, PerturbingAlgorithm};

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
        column: &Column,
        draws: &mut Draws,
    ) -> Result<Vec<Option<f64>>> {
        let numbers: Vec<Option<f64>> =
            column.codes.iter().map(|code| column.domain.number(code)).collect();
        let known: Vec<f64> = numbers.iter().copied().flatten().collect();
        let n = known.len() as f64;
        let mean = known.iter().sum::<f64>() / n;
        let variance = known.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        let deviation = params.number("share") * variance.sqrt();
        if !(deviation.is_finite() && deviation > 0.0) {
            return Err(Error::input(format!(
                "column '{}' has no spread that noise could be a share of",
                column.name
            ))
            .hint("give it the role keep, or identifier"));
        }
        let is_laplace = params.text("distribution") == Some("laplace");
        let mut noise = || if is_laplace { draws.laplace() } else { draws.normal() };
        Ok(numbers.into_iter().map(|number| number.map(|x| x + deviation * noise())).collect())
    }
}
