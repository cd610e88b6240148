//! How the time of the ring grows up to a million records, which isn't in the paper.

use sfumato_core::Result;
use sfumato_kernels::nonreciprocal::ring::ring;
use sfumato_kernels::nonreciprocal::{Closing, Extraction, RandomStream, Walk};
use sfumato_sets::algorithms::nonreciprocal::recode_as;

use super::walks::range;
use super::{gray_tsp_order, growth_of};
use crate::bench::baskets::quest;
use crate::bench::clock::timed;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

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

const STEADY: Statement = Statement::new(
    Origin::Ours,
    "time grows nearly in proportion to the records (here: with a power of at most 1.15)",
    Gauge::Custom {
        measure: "power of the records with which time grows",
        control: "the same time for as many records squared",
    },
    Rule::AtMost(1.15),
);
const STEPS: Statement = Statement::new(
    Origin::Ours,
    "a round of walks takes no more than n ln n steps",
    Gauge::Custom {
        measure: "steps for each edge over ln n, the most of all sizes",
        control: "steps for each edge over 1: a bound that doesn't grow",
    },
    Rule::AtMost(1.0),
);

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
            format!(
                "k = {K}, in memory, without reading, writing and verifying; one run, all threads \
                    together"
            ),
        );
        let parts = ["all", "order", "ring and walks", "votes"];
        let mut times = Table::new("Processor time", "records", "processor time, s", &parts)
            .digits(2)
            .plotted(Plot::LogLog);
        let mut clock = Table::new("By the clock", "records", "seconds", &parts[..1])
            .digits(2)
            .plotted(Plot::LogLog);
        let walked = ["steps for each edge", "nanoseconds for each step"];
        let mut walks = Table::new("Walks", "records", "", &walked).digits(2).plotted(Plot::None);
        for n in &rows {
            let sets = quest("items=500, size=10", *n, settings.seed_of(&[8]))?;
            let mut random = RandomStream::from_seed(settings.seed_of(&[9]));
            let (order, ordering) = timed(|| Ok(gray_tsp_order(&sets)))?;
            let ((matches, assignment, steps), walking) = timed(|| {
                // Numbered along the ring, as releases are drawn: a walk then stays where memory
                // was just read.
                let places: Vec<u32> = (0..order.len() as u32).collect();
                let along = ring(&places, K)?;
                let mut extraction =
                    Extraction::new(&along, Walk::Closed, Closing::Any, &mut random);
                let last = extraction.by_ref().last().unwrap_or_default();
                let steps = extraction.steps() as f64;
                let mut assignment = vec![0; order.len()];
                let pairs = order.iter().zip(last);
                pairs.for_each(|(record, at)| assignment[*record as usize] = order[at as usize]);
                Ok((ring(&order, K)?, assignment, steps))
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
        let steps = walks.means(0);
        let over = |bound: fn(f64) -> f64| {
            let over = rows.iter().zip(&steps).map(|(n, steps)| steps / bound(*n as f64));
            over.fold(0.0, f64::max)
        };
        let words = format!("{:.2} s at the largest size", seconds[seconds.len() - 1]);
        result.claims.extend([
            STEADY.claim("", Measured::new(power, 2.0 * power).told(words)),
            STEPS.claim(
                "",
                Measured::new(over(f64::ln), over(|_| 1.0))
                    .told(format!("{} steps for each edge", range(&steps))),
            ),
        ]);
        result.tables.extend([times, clock, walks]);
        result.notes.push(format!(
            "Walks extract all {K} assignments. A release needs as many rounds as the number of \
                the drawn one, half of them on average."
        ));
        result.notes.push(
            "Records are numbered along the ring while walks are gone. By their numbers in the \
                file each step of a walk took 89 ns at 62,500 records and 390 ns at a million, and \
                all together grew with the power 1.30: \
the matches of a million records are larger than what a processor keeps at hand. That run was on a \
busy machine and this one on a quieter one, so not all of the difference is the numbering: steps \
at 62,500 records got twice as fast too."
                .into(),
        );
        Ok(result)
    }
}
