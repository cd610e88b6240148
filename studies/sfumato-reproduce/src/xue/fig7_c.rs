//! Figure 7 (c): time of l-diversification against the number of records.

use sfumato_core::Result;
use sfumato_kernels::nonreciprocal::{Closing, Extraction, RandomStream, Walk};
use sfumato_sets::algorithms::nonreciprocal::gray;
use sfumato_sets::algorithms::nonreciprocal::greedy_pick::greedy_matches;

use super::cahd::grouped;
use super::compared::{pairs, told};
use super::data::{CHESS, multiplied};
use super::labels::{Histogram, OCCUPATIONS};
use super::{gray_tsp_order, growth_of, times_chess};
use crate::bench::clock::single_thread_seconds;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Figure 7 (c).
pub struct Fig7C;

/// The l of the paper.
const L: usize = 6;

static INFO: FigureInfo = FigureInfo {
    name: "fig7_c",
    caption: "Time of l-diversification against the number of records, l = 6",
    paper: "Figure 7 (c): the data of figure 7 (b), l = 6. Time of nonreciprocal recoding is that \
        of the order, of the greedy matches and of random assignments. It takes more time than \
        CAHD, and grows alike.",
    data: "As in fig7_b, with labels as in fig6_l.",
    files: &[CHESS.file, OCCUPATIONS],
};

const SLOWER: Statement = Statement::new(
    Origin::Line(394),
    "NR takes more time than CAHD at every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const ALIKE: Statement = Statement::new(
    Origin::Line(394),
    "the time of both grows alike (here: with powers of the records that differ by at most 0.25)",
    Gauge::Custom {
        measure: "how much the powers of the records differ",
        control: "CAHD's times fall to the sizes at random",
    },
    Rule::AtMost(0.25),
);

impl Figure for Fig7C {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let chess = CHESS.read(settings)?;
        let histogram = Histogram::read(settings)?;
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "l = {L}, all {L} assignments, CAHD with its Gray order; processor time of one \
                    thread"
            ),
        );
        let curves = ["NR", "CAHD", "NR: order", "NR: matches", "NR: assignments"];
        let mut table = Table::new("Chess: time", "records", "processor time, s", &curves)
            .digits(4)
            .plotted(Plot::LogLog);
        for times in times_chess(settings) {
            let sets = multiplied(&chess, times, settings.seed_of(&[6]));
            let labels = histogram.draw(sets.len(), L, settings.seed_of(&[4, 0]))?;
            let mut random = RandomStream::from_seed(settings.seed_of(&[7]));
            let at_least = settings.pick(0.0, 0.05, 0.5);
            let order = gray_tsp_order(&sets);
            let matches = greedy_matches(&sets, &order, &labels, L, &mut random)?;
            let ordering = single_thread_seconds(at_least, || {
                gray_tsp_order(&sets);
                Ok(())
            })?;
            let matching = single_thread_seconds(at_least, || {
                greedy_matches(&sets, &order, &labels, L, &mut random).map(drop)
            })?;
            let assigning = single_thread_seconds(at_least, || {
                Extraction::new(&matches, Walk::Closed, Closing::Any, &mut random).for_each(drop);
                Ok(())
            })?;
            let unobserved = settings.unobserved();
            let cahd = single_thread_seconds(at_least, || {
                grouped(&sets, &gray::order(&sets), &labels, &histogram, L, &unobserved).map(drop)
            })?;
            let nr = ordering + matching + assigning;
            table.push(
                sets.len(),
                [nr, cahd, ordering, matching, assigning].map(Number::exact).to_vec(),
            );
        }
        let mut nulls = settings.nulls();
        let apart = |table: &Table| (growth_of(table, 0) - growth_of(table, 1)).abs();
        let mut dealt = table.clone();
        let order = nulls.shuffled(&(0..dealt.rows.len()).collect::<Vec<usize>>());
        for (row, from) in order.into_iter().enumerate() {
            dealt.rows[row].cells[1] = table.rows[from].cells[1];
        }
        let words = format!(
            "time grows with the power {:.2} of the records for NR and {:.2} for CAHD",
            growth_of(&table, 0),
            growth_of(&table, 1)
        );
        result.claims.extend([
            SLOWER.claim(
                "",
                nulls.pairs(SLOWER.gauge(), &pairs(&table, 1, 0)).told(told(&table, 1, 0)),
            ),
            ALIKE.claim("", Measured::new(apart(&table), apart(&dealt)).told(words)),
        ]);
        result.tables.push(table);
        Ok(result)
    }
}
