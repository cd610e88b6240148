//! How the time of the ring grows up to a million records: not in the paper.

use sfumato_core::Result;
use sfumato_recode::nonreciprocal::ring::ring;
use sfumato_recode::nonreciprocal::{Random, extraction};
use sfumato_recode::sets::nonreciprocal::recode_as;

use super::{gray_tsp_order, growth_of};
use crate::bench::baskets::quest;
use crate::bench::clock::timed;
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Plot, Table};

/// The growth.
pub struct Growth;

const K: usize = 10;

static INFO: FigureInfo = FigureInfo {
    name: "growth",
    caption: "Time of the ring against the number of records, k = 10",
    paper: "Not a figure of the paper, whose largest data have 51,136 records.",
    data: "Generated: `quest` with 500 items and 10 items in a record on average.",
    files: &[],
};

impl Figure for Growth {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let rows = settings.scale_up(
            &[300, 600],
            &[10_000, 20_000, 40_000],
            &[62_500, 125_000, 250_000, 500_000, 1_000_000],
        );
        let mut result = FigureResult::new(
            &INFO,
            format!("k = {K}, in memory, without reading, writing and verifying; one run, all threads together"),
        );
        let parts = ["all", "order", "ring and draw", "votes"];
        let mut times = Table::new("Processor time", "records", "processor time, s", &parts)
            .digits(2)
            .plotted(Plot::LogLog);
        let mut clock = Table::new("By the clock", "records", "seconds", &parts[..1]).digits(2).plotted(Plot::LogLog);
        for n in &rows {
            let sets = quest("items=500, size=10", *n, settings.seed_of(&[8]))?;
            let mut random = Random::from_seed(settings.seed_of(&[9]));
            let (order, ordering) = timed(|| Ok(gray_tsp_order(&sets)))?;
            let ((matches, assignment), drawing) = timed(|| {
                let matches = ring(&order, K)?;
                let assignment = extraction::draw(&matches, &mut random);
                Ok((matches, assignment))
            })?;
            let (_, voting) = timed(|| recode_as(&sets, &matches, &assignment, &mut random))?;
            let all = [&ordering, &drawing, &voting];
            let sum = all.iter().fold(0.0, |sum, took| sum + took.time());
            times.push(n, [&[sum], &all.map(|took| took.time())[..]].concat().into_iter().map(Number::exact).collect());
            clock.push(n, vec![Number::exact(all.iter().fold(0.0, |sum, took| sum + took.clock))]);
        }
        let power = growth_of(&times, 0);
        let seconds = times.means(0);
        result.claims.push(Claim::new(
            "ours: time grows nearly in proportion to the records (here: with a power of at most 1.15)",
            power <= 1.15,
            format!("with the power {power:.2}, {:.2} s at the largest size", seconds[seconds.len() - 1]),
        ));
        result.tables.extend([times, clock]);
        Ok(result)
    }
}
