//! Figure 7 (b): time of assignment extraction against the number of records.

use sfumato_core::Result;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::ring::ring;

use super::data::{CHESS, multiplied};
use super::walks::{ANY_CLOSED, ANY_END, BACKTRACKING, FORGETFUL, READINGS, Walks};
use super::{gray_tsp_order, growth_of, times_chess};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Plot};

/// Figure 7 (b).
pub struct Fig7B;

/// The k of the paper.
const K: usize = 16;

static INFO: FigureInfo = FigureInfo {
    name: "fig7_b",
    caption: "Time of assignment extraction against the number of records, k = 16",
    paper: "Figure 7 (b): Chess, 1 to 16 times by duplication and random perturbation, k = 16, \
        logarithmic axes. The closed walk keeps an advantage of almost one order of magnitude as \
        data grow.",
    data: "Chess. How the paper perturbs copies isn't said: here each item of a copy gives way to \
        another one with a probability of 1 in 20.",
    files: &[CHESS.file],
};

const FASTER: Statement = Statement::new(
    Origin::Line(383),
    "the closed walk is faster than backtracking at every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const MAGNITUDE: Statement = Statement::new(
    Origin::Line(383),
    "by almost one order of magnitude (here: 7 to 13 times, mean of all sizes)",
    Gauge::MeanRatio,
    Rule::Within(7.0, 13.0),
);
const MAINTAINED: Statement = Statement::new(
    Origin::Line(383),
    "and the advantage is maintained as data grow (here: backtracking's time grows with no lower a \
        power of the records, but for 0.05)",
    Gauge::Custom {
        measure: "power of backtracking's time minus that of the closed walk's",
        control: "the closed walk's times fall to the sizes at random",
    },
    Rule::AtLeast(-0.05),
);
const ANY_IS_FASTER: Statement = Statement::new(
    Origin::Ours,
    "where walks end at any free row, the closed walk is faster than backtracking at every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const ANY_IS_BETTER: Statement = Statement::new(
    Origin::Ours,
    "closed walks that end at any free row are faster than the paper's at every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const NOT_THE_RING: Statement = Statement::new(
    Origin::Ours,
    "it isn't the ring's doing: with rows renumbered at random backtracking takes fewer steps at \
        every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig7B {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let chess = CHESS.read(settings)?;
        let mut result = FigureResult::new(
            &INFO,
            format!("k = {K}, all assignments of the ring; processor time of one thread"),
        );
        let mut walks = Walks::new("Chess", "records", Plot::LogLog);
        // The same graph with rows renumbered at random, so that neighbours in the ring are no
        // longer neighbours in memory: it shows how much of the result is due to the ring's order.
        let mut renumbered =
            Walks::new("Chess, rows renumbered at random", "records", Plot::LogLog);
        for times in times_chess(settings) {
            let sets = multiplied(&chess, times, settings.seed_of(&[6]));
            let matches = ring(&gray_tsp_order(&sets), K)?;
            walks.measure(sets.len(), &matches, settings.seed_of(&[7]), settings)?;
            let numbers = RandomStream::from_seed(settings.seed_of(&[10])).permutation(sets.len());
            renumbered.measure(
                sets.len(),
                &matches.renumbered(&numbers),
                settings.seed_of(&[7]),
                settings,
            )?;
        }
        let mut nulls = settings.nulls();
        for (other, about) in [(BACKTRACKING, ""), (FORGETFUL, "backtracking that forgets")] {
            let beside = walks.beside(other, false);
            let power = growth_of(&walks.times, other) - growth_of(&walks.times, 0);
            // The same power if the closed walk's times were those of other sizes.
            let mut dealt = walks.times.clone();
            let order = nulls.shuffled(&(0..dealt.rows.len()).collect::<Vec<usize>>());
            for (row, from) in order.into_iter().enumerate() {
                dealt.rows[row].cells[0] = walks.times.rows[from].cells[0];
            }
            let by_chance = growth_of(&dealt, other) - growth_of(&dealt, 0);
            result.claims.extend([
                FASTER.claim(about, nulls.pairs(FASTER.gauge(), &beside)),
                MAGNITUDE.claim(about, nulls.pairs(MAGNITUDE.gauge(), &beside)),
                MAINTAINED.claim(about, Measured::new(power, by_chance)),
            ]);
        }
        let any = walks.beside(ANY_END, false);
        let own: Vec<(f64, f64)> =
            walks.times.means(ANY_CLOSED).into_iter().zip(walks.times.means(0)).collect();
        let steps: Vec<(f64, f64)> =
            renumbered.beside(BACKTRACKING, true).into_iter().map(|(a, b)| (b, a)).collect();
        result.claims.extend([
            ANY_IS_FASTER.claim("", nulls.pairs(ANY_IS_FASTER.gauge(), &any)),
            ANY_IS_BETTER.claim("", nulls.pairs(ANY_IS_BETTER.gauge(), &own)),
            NOT_THE_RING.claim("", nulls.pairs(NOT_THE_RING.gauge(), &steps)),
        ]);
        result.tables.extend([walks.times, walks.steps, renumbered.times, renumbered.steps]);
        result.notes.push(READINGS.into());
        Ok(result)
    }
}
