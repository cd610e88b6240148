//! Figure 6: matrices of baskets before and after the band order.

use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Result, with_sets};
use sfumato_report::matrix::Matrix;
use sfumato_sets::algorithms::buckets::band;

use crate::bench::RandomStream;
use crate::bench::baskets::quest;
use crate::claims::gauge::tau;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Figure 6 of the paper.
pub struct Fig6;

static INFO: FigureInfo = FigureInfo {
    name: "fig6",
    caption: "What the band order makes of sparse matrices",
    paper: "Baskets of the Quest generator, 1000 transactions by 1000 items with 20 items on \
        average, correlation 0.1, 0.5 and 0.9; drawn as they come and after reverse Cuthill-McKee \
        on A x A^T. The \
larger the correlation, the more the bandwidth is reduced. With high correlation items cluster \
into vertical lines in the original.",
    data: "Generated: `quest`, with patterns of 4 items on average, 2000 of them; the paper says \
        no more than stands above.",
    files: &[],
};

const CORRELATIONS: [&str; 3] = ["0.1", "0.5", "0.9"];

const CLOSER: Statement = Statement::new(
    Origin::Line(281),
    "the band order brings transactions with common items close to each other",
    Gauge::Custom {
        measure: "their mean distance after over before, the largest of the three correlations",
        control: "the same after rows were put in random order",
    },
    Rule::Below(0.95),
);
const MORE: Statement = Statement::new(
    Origin::Line(281),
    "the larger the correlation, the more the bandwidth is reduced",
    Gauge::Custom {
        measure: "Kendall's tau of 1 minus bandwidth after over before, by correlation",
        control: "the same with rows in random order instead of the band order",
    },
    Rule::AtLeast(1.0),
);
const LINES: Statement = Statement::new(
    Origin::Line(279),
    "with high correlation the original has vertical lines: items that many transactions have",
    Gauge::Custom {
        measure: "share of all instances in the twentieth part of the items that is most frequent, \
            correlation 0.9 over 0.1",
        control: "instances of both put under one another and dealt out at random",
    },
    Rule::Above(1.05),
);

impl Figure for Fig6 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let side: u64 = settings.pick(60, 400, 1_000);
        let size = settings.pick(4, 12, 20);
        let mut result = FigureResult::new(
            &INFO,
            format!("{side} transactions, {side} items, {size} on average, seed {}", settings.seed),
        );
        let columns = ["before", "after, items as numbered", "after, items along the band"];
        let mut bands =
            Table::new("Bandwidth U + L + 1 of A", "correlation", "diagonals", &columns)
                .digits(0)
                .plotted(Plot::None);
        let mut apart = Table::new(
            "Transactions that share an item: how far apart they are",
            "correlation",
            "rows",
            &["before, mean", "after, mean", "before, most", "after, most"],
        )
        .digits(1)
        .plotted(Plot::None);
        let (mut reduced, mut by_chance) = (Vec::new(), Vec::new());
        let (mut nearer, mut nearer_by_chance) = (Vec::new(), Vec::new());
        let mut instances: Vec<Vec<u32>> = Vec::new();
        for (number, correlation) in (0u64..).zip(CORRELATIONS) {
            let parameters = format!("items={side}, size={size}, correlation={correlation}");
            let sets = quest(&parameters, side, settings.seed_of(&[6]))?;
            let given: Vec<u32> = (0..sets.len() as u32).collect();
            let order = band::order(&sets);
            let (numbered, along) = (band::columns_as_coded(&sets), band::columns(&sets, &order));
            let total =
                |order: &[u32], columns: &[u32]| band::bandwidth(&sets, order, columns).total();
            let widths =
                [total(&given, &numbered), total(&order, &numbered), total(&order, &along)];
            bands.push(
                correlation,
                widths.iter().map(|width| Number::exact(*width as f64)).collect(),
            );
            let means = [mean_distance(&sets, &given), mean_distance(&sets, &order)];
            let most = [&given, &order].map(|order| band::record_bandwidth(&sets, order) as f64);
            apart.push(
                correlation,
                [means[0], means[1], most[0], most[1]].map(Number::exact).to_vec(),
            );
            let any = RandomStream::new(settings.seed_of(&[66, number])).order(sets.len());
            let any: Vec<u32> = any.into_iter().map(|record| record as u32).collect();
            let of_any = total(&any, &band::columns(&sets, &any));
            reduced.push(1.0 - widths[2] as f64 / widths[0] as f64);
            by_chance.push(1.0 - of_any as f64 / widths[0] as f64);
            nearer.push(means[1] / means[0]);
            nearer_by_chance.push(mean_distance(&sets, &any) / means[0]);
            instances.push(items_of(&sets));
            let picture = |when: &str, order: &[u32], columns: &[u32], width: u64| Matrix {
                title: format!("correlation {correlation}, {when}"),
                caption: format!("bandwidth {width}"),
                rows: sets.len() as u32,
                columns: columns.len() as u32,
                dots: dots(&sets, order, columns),
            };
            result.matrices.push(picture("as generated", &given, &numbered, widths[0]));
            result.matrices.push(picture("in band order", &order, &along, widths[2]));
        }
        let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
        let share = |lists: &[Vec<u32>]| top_share(&lists[2], side) / top_share(&lists[0], side);
        let mut pooled = instances.concat();
        pooled = settings.nulls().shuffled(&pooled);
        let dealt: Vec<Vec<u32>> = instances
            .iter()
            .scan(0, |from, list| {
                let part = pooled[*from..*from + list.len()].to_vec();
                *from += list.len();
                Some(part)
            })
            .collect();
        let words =
            |all: &[f64]| all.iter().map(|x| format!("{x:.3}")).collect::<Vec<String>>().join(", ");
        result.claims.extend([
            CLOSER.claim(
                "",
                Measured::new(largest(&nearer), largest(&nearer_by_chance)).told(format!(
                    "{} of what it was for correlation 0.1, 0.5 and 0.9",
                    words(&nearer)
                )),
            ),
            MORE.claim(
                "",
                Measured::new(tau(&reduced), tau(&by_chance)).told(format!(
                    "reduced by shares of {}, and by {} with rows in random order",
                    words(&reduced),
                    words(&by_chance)
                )),
            ),
            LINES.claim("", Measured::new(share(&instances), share(&dealt))),
        ]);
        result.tables.extend([bands, apart]);
        Ok(result)
    }
}

/// All instances of items, record by record.
fn items_of(sets: &Transactions) -> Vec<u32> {
    (0..sets.len()).flat_map(|record| sets.set(record)).collect()
}

/// The share of instances that are of the most frequent twentieth part of `n` items.
fn top_share(instances: &[u32], n: u64) -> f64 {
    let mut counts = vec![0u64; n as usize];
    instances.iter().for_each(|item| counts[*item as usize] += 1);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let top: u64 = counts.iter().take((n as usize / 20).max(1)).sum();
    top as f64 / instances.len().max(1) as f64
}

/// Row and column of every item of every record.
fn dots(sets: &Transactions, order: &[u32], columns: &[u32]) -> Vec<(u32, u32)> {
    let mut column_of = vec![u32::MAX; sets.n_items()];
    (0u32..).zip(columns).for_each(|(place, item)| column_of[*item as usize] = place);
    let mut dots = Vec::new();
    with_sets!(sets, sets => for (row, record) in (0u32..).zip(order) {
        dots.extend(sets.get(*record as usize).iter()
            .map(|item| (row, column_of[item.widen() as usize])));
    });
    dots
}

/// How far apart two records that share an item are on average, over all such pairs of an item.
fn mean_distance(sets: &Transactions, order: &[u32]) -> f64 {
    let mut rows_of: Vec<Vec<u64>> = vec![Vec::new(); sets.n_items()];
    with_sets!(sets, sets => for (row, record) in (0u64..).zip(order) {
        sets.get(*record as usize).iter().for_each(|item| rows_of[item.widen() as usize].push(row));
    });
    let (mut sum, mut pairs) = (0u64, 0u64);
    for rows in &rows_of {
        // In ascending order a row is the larger one of all pairs with those before it.
        let mut before = 0;
        for (n, row) in (0u64..).zip(rows) {
            sum += n * row - before;
            pairs += n;
            before += row;
        }
    }
    sum as f64 / pairs.max(1) as f64
}
