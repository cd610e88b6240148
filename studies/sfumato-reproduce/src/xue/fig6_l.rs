//! Figure 6 (b, d, f, h): the loss of l-diversity, nonreciprocal and in groups.

use sfumato_core::Result;
use sfumato_core::transactions::Transactions;
use sfumato_kernels::nonreciprocal::RandomStream;

use super::cahd::grouped;
use super::compared::{filled, loss_tables, pairs, told};
use super::data::{CENSUS, CHESS, PUMSB, Source, sources};
use super::labels::{Histogram, OCCUPATIONS};
use super::printed_pick;
use super::published::{BaseSets, Loss, diverse};
use super::queries::Queries;
use super::{loss_scale, n_trials, orders};
use crate::bench::trials;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Plot, Table};

/// The half of figure 6 about l.
pub struct Fig6L;

static INFO: FigureInfo = FigureInfo {
    name: "fig6_l",
    caption: "Error rate and query error against l, nonreciprocal recoding and CAHD",
    paper: "Figure 6 (b, f) and the halves of (c, d, g, h) about l. CAHD forms groups along a Gray \
        order; their records are published by the vote of the group. Nonreciprocal recoding (NR) \
        has a clear advantage in \
error rate, thanks to both nonreciprocal recoding and the Gray-TSP order, and in query error. The \
values of l aren't in the text.",
    data: "Records as in fig6_k. Labels are drawn from the 538 occupations (2010 codes) of 58,136 \
        people of the General Social Survey; the paper's 470 occupations of the census of 1990 \
        can't be had.",
    files: &[CHESS.file, PUMSB.file, CENSUS.file, OCCUPATIONS],
};

const CURVES: [&str; 6] =
    ["NR", "CAHD", "NR over Gray", "CAHD over Gray-TSP", "ours: NR", "ours: NR as released"];
const NR: usize = 0;
const CAHD: usize = 1;
const NR_GRAY: usize = 2;
const CAHD_TSP: usize = 3;
const OURS: usize = 4;
const RELEASED: usize = 5;

const CLEAR: Statement = Statement::new(
    Origin::Line(369),
    "NR has a clear advantage over CAHD in error rate (here: CAHD's is at least 1.1 times as high \
    at \
        every l)",
    Gauge::LeastRatio,
    Rule::AtLeast(1.1),
);
const RECODING: Statement = Statement::new(
    Origin::Line(369),
    "nonreciprocal recoding contributes to it: NR over the Gray order alone is below CAHD at \
        every l",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const TOURS: Statement = Statement::new(
    Origin::Line(369),
    "the Gray-TSP order contributes to it: NR is below NR over the Gray order at every l",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const QUERIES: Statement = Statement::new(
    Origin::Line(381),
    "NR clearly outperforms CAHD in query error (here: CAHD's is at least 1.1 times as high at \
        every l)",
    Gauge::LeastRatio,
    Rule::AtLeast(1.1),
);
const SAME_ORDER: Statement = Statement::new(
    Origin::Ours,
    "NR has a lower error rate than CAHD along the same Gray-TSP order at every l",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const OURS_BELOW: Statement = Statement::new(
    Origin::Ours,
    "what we release has a lower error rate than CAHD at every l",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const CHEAP: Statement = Statement::new(
    Origin::Ours,
    "putting labels apart after the draw adds at most 2 % to the error rate at every l",
    Gauge::Custom {
        measure: "percent added, the most of every l",
        control: "CAHD in place of what we release",
    },
    Rule::AtMost(2.0),
);

/// What is found at an l.
struct FiguresOfL {
    losses: [Loss; 6],
    /// Records that match two rows of the same label after the draw, records left over by CAHD, and
    /// whether the matches as printed got stuck, in percent.
    shares: [f64; 3],
}

impl Figure for Fig6L {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ls = settings.pick(&[2, 4][..], &[2, 4, 6, 10], &[2, 3, 4, 5, 6, 8, 10]);
        let histogram = Histogram::read(settings)?;
        let mut result = FigureResult::new(&INFO, loss_scale(settings));
        let mut nulls = settings.nulls();
        for source in sources(settings) {
            let sets = source.read(settings)?;
            let found = measured(&source, &sets, &histogram, ls, settings)?;
            let tables =
                loss_tables(source.name, "l", &CURVES, ls, &found, |found| found.losses.to_vec());
            let shares = Table::new(
                &format!("{}: what the promises cost", source.name),
                "l",
                "% of the records",
                &["alike after the draw", "left over by CAHD", "trials stuck as printed"],
            );
            let shares = filled(shares.digits(1).plotted(Plot::None), ls, &found, |found| {
                found.shares.to_vec()
            });
            let mut add = |statement: Statement, about: &str, table: &Table, arm: usize, than| {
                let found = nulls
                    .pairs(statement.gauge(), &pairs(table, arm, than))
                    .told(told(table, arm, than));
                let about = format!("{}{about}", source.name);
                result.claims.push(statement.claim(&about, found));
            };
            add(CLEAR, "", &tables[0], NR, CAHD);
            add(RECODING, "", &tables[0], NR_GRAY, CAHD);
            add(TOURS, "", &tables[0], NR, NR_GRAY);
            add(QUERIES, ", type I", &tables[1], NR, CAHD);
            add(QUERIES, ", type II", &tables[2], NR, CAHD);
            add(SAME_ORDER, "", &tables[0], NR, CAHD_TSP);
            add(OURS_BELOW, "", &tables[0], RELEASED, CAHD);
            let added = |arm: usize| {
                let costs = pairs(&tables[0], OURS, arm);
                let added = costs.iter().map(|(ours, other)| 100.0 * (other / ours - 1.0));
                added.fold(f64::NEG_INFINITY, f64::max)
            };
            result
                .claims
                .push(CHEAP.claim(source.name, Measured::new(added(RELEASED), added(CAHD))));
            result.tables.extend(tables);
            result.tables.push(shares);
        }
        result.notes.push(
            "**As printed, and ours.** NR picks matches by the paper's algorithms 1 and 2 as they \
                are printed, along the order of the genetic algorithm. Such rounds can get stuck: \
                a record may need two labels in its last round, or no walk closes; trials that do \
                are counted in the last table, and have no NR. Ours exchanges matches then, and \
                walks along tours by local search. `ours: NR as released` has matches exchanged \
                after the draw, too, until labels differ in the release (see `equal`)."
                .into(),
        );
        Ok(result)
    }
}

/// For each trial, what is found at each l. Labels, assignments and queries are drawn anew in each;
/// all curves have the same labels.
fn measured(
    source: &Source,
    sets: &Transactions,
    histogram: &Histogram,
    ls: &[usize],
    settings: &Settings<'_>,
) -> Result<Vec<Vec<FiguresOfL>>> {
    let orders = orders(sets, settings.seed_of(&[30]));
    let largest = ls.iter().copied().max().unwrap_or(1);
    trials(source.name, n_trials(settings), 1, settings.observer, |trial| {
        let trial = trial as u64;
        let queries = Queries::draw(sets, source.query_items, settings.seed_of(&[2, trial]));
        let labels = histogram.draw(sets.len(), largest, settings.seed_of(&[4, trial]))?;
        let percent = |records: f64| 100.0 * records / sets.len().max(1) as f64;
        let at = |l: &usize| -> Result<FiguresOfL> {
            let seed = settings.seed_of(&[3, trial, *l as u64]);
            let ours = diverse(sets, &orders.gray_tsp, &labels, *l, seed)?;
            let printed = |order: &[u32]| -> Result<Option<Loss>> {
                let matches = printed_pick::matches(sets, order, &labels, *l, seed)?;
                let Some(matches) = matches else { return Ok(None) };
                let drawn = BaseSets::drawn(sets, &matches, &mut RandomStream::from_seed(seed))?;
                Ok(Some(drawn.loss(sets, &queries)?))
            };
            let (nr, nr_gray) = (printed(&orders.genetic)?, printed(&orders.gray)?);
            let groups = |order: &[u32]| {
                grouped(sets, order, &labels, histogram, *l, &settings.unobserved())
            };
            let (cahd, cahd_tsp) = (groups(&orders.gray)?, groups(&orders.genetic)?);
            let losses = [
                nr.unwrap_or(Loss::NONE),
                cahd.published(&orders.gray).loss(sets, &queries)?,
                nr_gray.unwrap_or(Loss::NONE),
                cahd_tsp.published(&orders.genetic).loss(sets, &queries)?,
                ours.paper.loss(sets, &queries)?,
                ours.released.loss(sets, &queries)?,
            ];
            let stuck = if nr.is_none() { 100.0 } else { 0.0 };
            let shares = [percent(ours.alike as f64), percent(cahd.leftover), stuck];
            Ok(FiguresOfL { losses, shares })
        };
        let found = ls.iter().map(at).collect();
        settings.observer.advance(1);
        found
    })
}
