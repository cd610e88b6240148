//! Figure 7 (b): time of assignment extraction against the number of records.

use sfumato_core::Result;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::ring::ring;

use super::data::{CHESS, multiplied};
use super::walks::{WHY_NOT_FASTER, Walks, range};
use super::{gray_tsp_order, growth_of, times_chess};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Plot};

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
        let (seconds, steps) = walks.ratios(false);
        let words = |seconds: &[f64], steps: &[f64]| {
            format!(
                "backtracking takes {} times the time and {} times the steps",
                range(seconds),
                range(steps)
            )
        };
        result.claims.push(Claim::new(
            "the closed walk is faster at every size",
            seconds.iter().all(|ratio| *ratio > 1.0),
            words(&seconds, &steps),
        ));
        result.claims.push(Claim::new(
            "by almost one order of magnitude (here: at least 7 times)",
            seconds.iter().all(|ratio| *ratio >= 7.0),
            words(&seconds, &steps),
        ));
        let grows = |column: usize| growth_of(&walks.times, column);
        result.claims.push(Claim::new(
            "the advantage is kept as data grow (here: there is one, and backtracking's time grows \
                with no lower a power of the records)",
            seconds.iter().all(|ratio| *ratio > 1.0) && grows(1) >= grows(0) - 0.05,
            format!(
                "time grows with the power {:.2} of the records for the closed walk and {:.2} \
                for backtracking",
                grows(0),
                grows(1)
            ),
        ));
        let (seconds, steps) = walks.ratios(true);
        result.claims.push(Claim::new(
            "ours: where walks end at any free row, the closed walk is faster at every size",
            seconds.iter().all(|ratio| *ratio > 1.0),
            words(&seconds, &steps),
        ));
        result.claims.push(Claim::new(
            "ours: closed walks that end at any free row are faster than the paper's at every size",
            walks.times.means(2).iter().zip(walks.times.means(0)).all(|(any, own)| *any < own),
            format!(
                "time grows with the power {:.2} of the records, not {:.2}",
                grows(2),
                grows(0)
            ),
        ));
        let (seconds, steps) = renumbered.ratios(false);
        result.claims.push(Claim::new(
            "ours: it isn't the ring's doing: with rows renumbered at random the closed walk is \
                slower at every size",
            seconds.iter().all(|ratio| *ratio < 1.0),
            words(&seconds, &steps),
        ));
        result.tables.extend([walks.times, walks.steps, renumbered.times, renumbered.steps]);
        result.note_of_full_run(settings, WHY_NOT_FASTER);
        Ok(result)
    }
}
