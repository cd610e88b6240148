//! Figure 6 (a, c, e, g): the loss of k-anonymity with and without shorter tours.

use sfumato_core::Result;
use sfumato_core::transactions::Transactions;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::ring::ring;

use super::compared::{filled, loss_tables, pairs, told};
use super::data::{CENSUS, CHESS, PUMSB, Source, sources};
use super::published::{BaseSets, Loss};
use super::queries::Queries;
use super::{loss_scale, n_trials, orders};
use crate::bench::trials;
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Plot, Table};

/// The half of figure 6 about k.
pub struct Fig6K;

static INFO: FigureInfo = FigureInfo {
    name: "fig6_k",
    caption: "Error rate and query error of the ring against k, Gray order and Gray-TSP order",
    paper: "Figure 6 (a, e) and the halves of (c, d, g, h) about k. Both curves are nonreciprocal. \
        The error rate is lower with the Gray-TSP order, and so is the query error. The values of \
        k aren't in the text.",
    data: "Chess is the paper's. For Pumsb (49,046 records): its first 4,334 records, and as many \
        records as it has of Census-Income (KDD), each value of 41 columns an item.",
    files: &[CHESS.file, PUMSB.file, CENSUS.file],
};

/// What is found at a k: Gray order, Gray-TSP order, ours.
struct FiguresOfK {
    losses: [Loss; 3],
    /// The error rate of the rows of the records' own numbers.
    undrawn: [f64; 3],
}

const CURVES: [&str; 3] = ["Gray", "Gray-TSP", "ours: Gray-TSP"];

const LESS_ERROR: Statement = Statement::new(
    Origin::Line(369),
    "the error rate is lower with the Gray-TSP order than with the Gray order at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const LESS_QUERY_ERROR: Statement = Statement::new(
    Origin::Line(381),
    "the query error is lower with the Gray-TSP order than with the Gray order at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const OURS: Statement = Statement::new(
    Origin::Ours,
    "tours by local search have a lower error rate than those of a genetic algorithm at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig6K {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ks = settings.pick(&[2, 5][..], &[2, 5, 10, 20], &[2, 3, 4, 5, 6, 8, 10, 12, 16, 20]);
        let mut result = FigureResult::new(&INFO, loss_scale(settings));
        let mut nulls = settings.nulls();
        for source in sources(settings) {
            let sets = source.read(settings)?;
            let found = measured(&source, &sets, ks, settings)?;
            let tables =
                loss_tables(source.name, "k", &CURVES, ks, &found, |found| found.losses.to_vec());
            let undrawn = Table::new(
                &format!("{}: error rate of the rows of the same number", source.name),
                "k",
                "ER, %",
                &CURVES,
            );
            let undrawn = undrawn.digits(3).plotted(Plot::None);
            let undrawn = filled(undrawn, ks, &found, |found| found.undrawn.to_vec());
            let mut add = |statement: Statement, about: &str, table: &Table, order: usize, than| {
                let found = nulls
                    .pairs(statement.gauge(), &pairs(table, order, than))
                    .told(told(table, order, than));
                let about = format!("{}{about}", source.name);
                result.claims.push(statement.claim(&about, found));
            };
            add(LESS_ERROR, "", &tables[0], 1, 0);
            add(LESS_QUERY_ERROR, ", type I", &tables[1], 1, 0);
            add(LESS_QUERY_ERROR, ", type II", &tables[2], 1, 0);
            add(LESS_ERROR, ", rows of the same number", &undrawn, 1, 0);
            add(OURS, "", &tables[0], 2, 1);
            result.tables.extend(tables);
            result.tables.push(undrawn);
        }
        result.notes.push(
            "**Which row is a record's?** The paper's measure is of \"the published base bitmap of \
                an original record\". The first tables take the row that a drawn assignment gives \
                it, which is what a recipient \
gets; the tables of rows of the same number take the one that the record has before the draw, at \
an end of the window of its voters, where errors are larger. The query error is the same for both."
                .into(),
        );
        Ok(result)
    }
}

/// For each trial, what is found at each k. The orders are the same in all trials; assignments and
/// queries are drawn anew.
fn measured(
    source: &Source,
    sets: &Transactions,
    ks: &[usize],
    settings: &Settings<'_>,
) -> Result<Vec<Vec<FiguresOfK>>> {
    let orders = orders(sets, settings.seed_of(&[30]));
    trials(source.name, n_trials(settings), 1, settings.observer, |trial| {
        let queries = Queries::draw(sets, source.query_items, settings.seed_of(&[2, trial as u64]));
        let at = |k: &usize| -> Result<FiguresOfK> {
            let seed = settings.seed_of(&[3, trial as u64, *k as u64]);
            let publish = |order: &[u32]| -> Result<(Loss, f64)> {
                let published =
                    BaseSets::drawn(sets, &ring(order, *k)?, &mut RandomStream::from_seed(seed))?;
                Ok((published.loss(sets, &queries)?, published.undrawn_error_rate(sets)?))
            };
            let (gray, tsp) = (publish(&orders.gray)?, publish(&orders.genetic)?);
            let ours = publish(&orders.gray_tsp)?;
            Ok(FiguresOfK { losses: [gray.0, tsp.0, ours.0], undrawn: [gray.1, tsp.1, ours.1] })
        };
        let found = ks.iter().map(at).collect();
        settings.observer.advance(1);
        found
    })
}
