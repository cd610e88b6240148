//! How the time of the ring grows up to a million records: not in the paper.

use sfumato_core::Result;
use sfumato_recode::nonreciprocal::ring::ring;
use sfumato_recode::nonreciprocal::{Closing, Extraction, Random, Walk};
use sfumato_recode::sets::nonreciprocal::recode_as;

use super::walks::range;
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
        let parts = ["all", "order", "ring and walks", "votes"];
        let mut times = Table::new("Processor time", "records", "processor time, s", &parts)
            .digits(2)
            .plotted(Plot::LogLog);
        let mut clock = Table::new("By the clock", "records", "seconds", &parts[..1]).digits(2).plotted(Plot::LogLog);
        let walked = ["steps for each edge", "nanoseconds for each step"];
        let mut walks = Table::new("Walks", "records", "", &walked).digits(2).plotted(Plot::None);
        for n in &rows {
            let sets = quest("items=500, size=10", *n, settings.seed_of(&[8]))?;
            let mut random = Random::from_seed(settings.seed_of(&[9]));
            let (order, ordering) = timed(|| Ok(gray_tsp_order(&sets)))?;
            let ((matches, assignment, steps), walking) = timed(|| {
                let matches = ring(&order, K)?;
                let mut extraction = Extraction::new(&matches, Walk::Closed, Closing::Any, &mut random);
                let last = extraction.by_ref().last().unwrap_or_default();
                let steps = extraction.steps() as f64;
                Ok((matches, last, steps))
            })?;
            let (_, voting) = timed(|| recode_as(&sets, &matches, &assignment, &mut random))?;
            let all = [ordering, walking, voting];
            let sum = all.iter().fold(0.0, |sum, took| sum + took.time());
            let [order, ring, votes] = all.map(|took| took.time());
            times.push(n, [sum, order, ring, votes].map(Number::exact).to_vec());
            clock.push(n, vec![Number::exact(all.iter().fold(0.0, |sum, took| sum + took.clock))]);
            let per_edge = steps / (*n as f64 * K as f64);
            walks.push(n, [per_edge, 1e9 * ring / steps.max(1.0)].map(Number::exact).to_vec());
        }
        let power = growth_of(&times, 0);
        let seconds = times.means(0);
        result.claims.push(Claim::new(
            "ours: time grows nearly in proportion to the records (here: with a power of at most 1.15)",
            power <= 1.15,
            format!("with the power {power:.2}, {:.2} s at the largest size", seconds[seconds.len() - 1]),
        ));
        let steps = walks.means(0);
        result.claims.push(Claim::new(
            "ours: a round of walks takes no more than n ln n steps",
            rows.iter().zip(&steps).all(|(n, steps)| *steps <= (*n as f64).ln()),
            format!("{} steps for each edge", range(&steps)),
        ));
        result.tables.extend([times, clock, walks]);
        result.notes.push(format!(
            "Walks extract all {K} assignments. A release needs as many rounds as the number of the drawn one, half of them on average."
        ));
        result.note_of_full_run(
            settings,
            "The order and the votes grow with the records. Walks take few more steps for each edge, but each step takes several times as long: it goes anywhere along the ring, and the matches of a million records are \
larger than what a processor keeps at hand.",
        );
        Ok(result)
    }
}
