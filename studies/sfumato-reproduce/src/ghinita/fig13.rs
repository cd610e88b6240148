//! Figure 13: the gain and the cost of a larger search range.

use sfumato_core::Result;

use super::compared::{Arm, DRAWS, Setting, measure};
use super::data::{BMS, FILES, divided};
use super::timed::{ordered, seconds_of};
use super::{n_trials, scale};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

/// Figure 13 of the paper.
pub struct Fig13;

static INFO: FigureInfo = FigureInfo {
    name: "fig13",
    caption: "Reconstruction error and execution time against alpha, BMS2, m = 10",
    paper: "BMS2, m = 10. The error falls slightly as alpha grows, time grows linearly; alpha of 2 \
        or 3 is a good compromise. p and r aren't said.",
    data: "BMS-WebView-2, r = 4.",
    files: FILES,
};

/// Values of alpha, with groups looked for in band order, and among records that are in that order
/// already.
const ALPHAS: [(u64, &str, &str); 6] = [
    (1, "cahd(alpha=1, similarity=common)", "cahd(alpha=1, similarity=common, order=input)"),
    (2, "cahd(alpha=2, similarity=common)", "cahd(alpha=2, similarity=common, order=input)"),
    (3, "cahd(alpha=3, similarity=common)", "cahd(alpha=3, similarity=common, order=input)"),
    (4, "cahd(alpha=4, similarity=common)", "cahd(alpha=4, similarity=common, order=input)"),
    (5, "cahd(alpha=5, similarity=common)", "cahd(alpha=5, similarity=common, order=input)"),
    (10, "cahd(alpha=10, similarity=common)", "cahd(alpha=10, similarity=common, order=input)"),
];

const FALLS: Statement = Statement::new(
    Origin::Line(376),
    "the error falls as alpha grows",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const SLIGHTLY: Statement = Statement::new(
    Origin::Line(376),
    "and it falls slightly only (here: by up to 15 % from the least to the largest alpha)",
    Gauge::Custom {
        measure: "percent by which the error falls from the least to the largest alpha, p = 10",
        control: "the same with the two ends swapped at random",
    },
    Rule::Within(0.0, 15.0),
);
const LINEAR: Statement = Statement::new(
    Origin::Line(376),
    "time grows linearly with alpha",
    Gauge::Custom {
        measure: "share of the variance of time that a rising line over alpha explains, the least \
            of p = 10 and 20",
        control: "alphas in random order",
    },
    Rule::AtLeast(0.9),
);

impl Figure for Fig13 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let alphas = settings.pick(&ALPHAS[..2], &ALPHAS[..3], &ALPHAS[..]);
        let runs = settings.pick(1, 2, 3);
        let sets = BMS[1].sample(settings)?;
        let setting = |(alpha, algorithm, _): &(u64, &'static str, &'static str)| {
            let arm = Arm { algorithm };
            Setting { label: *alpha, m: 10, r: 4, curves: vec![(arm, 10), (arm, 20)] }
        };
        let rows: Vec<Setting> = alphas.iter().map(setting).collect();
        let mut result = FigureResult::new(&INFO, scale(settings, "m = 10, r = 4"));
        let measured = measure((BMS[1].name, &sets), &rows, n_trials(settings), settings)?;
        let curves = ["p = 10", "p = 20"];
        result.tables = measured.tables("Figure 13", "alpha", &curves);
        let (data, _) = ordered(&divided(&sets, 10, settings.seed_of(&[1, 0]))?, 1)?;
        let mut times = Table::new(
            "Figure 13: time without the ordering",
            "alpha",
            "seconds by the clock",
            &curves,
        )
        .digits(4);
        for (alpha, _, algorithm) in alphas {
            let seconds = |p| seconds_of(algorithm, &data, p, runs, settings);
            times.push(alpha, vec![Number::exact(seconds(10)?), Number::exact(seconds(20)?)]);
        }
        let last = alphas.len() - 1;
        let mut nulls = settings.nulls();
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            let curve = |curve: usize| -> Vec<f64> {
                (0..alphas.len()).map(|row| measured.mean(place, row, curve)).collect()
            };
            let (ten, twenty) = (curve(0), curve(1));
            let fall = 100.0 * (1.0 - ten[last] / ten[0]);
            result.claims.extend([
                FALLS.claim(words, nulls.falling(&[ten, twenty])),
                SLIGHTLY.claim(words, nulls.signed(fall)),
            ]);
        }
        let xs: Vec<f64> = alphas.iter().map(|(alpha, ..)| *alpha as f64).collect();
        let rising = |xs: &[f64], curve: usize| {
            let points: Vec<(f64, f64)> = xs.iter().copied().zip(times.means(curve)).collect();
            straightness(&points)
        };
        let at_random = nulls.shuffled(&xs);
        let least = |xs: &[f64]| rising(xs, 0).min(rising(xs, 1));
        result.claims.push(LINEAR.claim("", Measured::new(least(&xs), least(&at_random))));
        result.tables.push(times);
        Ok(result)
    }
}

/// The share of the variance of y that a straight line over x explains; 0 where it doesn't rise.
fn straightness(points: &[(f64, f64)]) -> f64 {
    let n = points.len().max(1) as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let (dx, dy) = (point.0 - x, point.1 - y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    if xy > 0.0 { xy * xy / (xx * yy) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::straightness;

    #[test]
    fn lines_are_straight() {
        assert!((straightness(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]) - 1.0).abs() < 1e-12);
        assert!(straightness(&[(1.0, 1.0), (2.0, 0.0), (3.0, 1.0)]) < 1e-12);
        assert_eq!(straightness(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), 0.0);
        assert_eq!(straightness(&[(1.0, 3.0)]), 0.0);
    }
}
