//! M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan, 2012: sets of items by nonreciprocal
//! recoding, figures 6 and 7.

use sfumato_core::transactions::Transactions;
use sfumato_kernels::nonreciprocal::SegmentSizes;
use sfumato_sets::algorithms::nonreciprocal::order::KICKS;
use sfumato_sets::algorithms::nonreciprocal::{gray, gray_tsp};

use crate::claims::Untested;
use crate::figure::{Figure, Paper, PaperInfo, Settings};
use crate::found::Table;

mod cahd;
mod compared;
mod data;
mod genetic;
mod labels;
mod printed_pick;
mod published;
mod queries;
mod walks;

sfumato_core::registry! {
    /// The figures of the paper, and one of how the time of the ring grows.
    dyn Figure:
    fig6_k::Fig6K,
    fig6_l::Fig6L,
    fig7_a::Fig7A,
    fig7_b::Fig7B,
    fig7_c::Fig7C,
    equal::Equal,
    growth::Growth,
}

/// The paper.
pub struct Xue;

static INFO: PaperInfo = PaperInfo {
    name: "xue",
    citation: "M. Xue, P. Karras, C. Raïssi, J. Vaidya, K.-L. Tan: *Anonymizing Set-Valued Data by \
        Nonreciprocal Recoding*, KDD 2012.",
    untested: &[Untested {
        line: 394,
        sentence: "the extra time is a reasonable cost for the benefits in utility",
        why: "it is a judgement, not a measurement",
    }],
    about: "\
The paper's plots can't be read off: what it says of them in words stands beside our numbers.

| name | what runs |
|---|---|
| Gray, Gray-TSP | the ring over records in Gray order, and with shorter tours inside segments of \
300 to 350 records by a genetic algorithm, as in the paper, which cites one and doesn't describe \
it |
| ours: Gray-TSP | the same with tours by local search |
| NR | matches by the paper's closed walk with `greedyPick`, as printed, over its Gray-TSP order, \
and \
a drawn assignment |
| ours: NR | greedy matches whose rounds can't get stuck, over our order and before labels are put \
apart |
| ours: NR as released | the same as `nonreciprocal-greedy` publishes it: after the draw, matches \
are \
exchanged until labels differ in the release |
| CAHD | the groups of `cahd(alpha=3, similarity=common)` over the Gray order, each published by \
the vote of its records |
| closed walk, backtracking | the paper's algorithm for assignments and the one it is compared \
with; walks end at their own start |
| any end | the same, but walks end at any row that nobody holds yet: what our releases are drawn \
with |

CAHD by itself publishes items as they are and has no error of these kinds; voting makes it \
comparable, as in the paper. It isn't protected the same way: its groups hide who has which label, \
and \
votes hide items besides.

**Measures.** ER: the items of a record that its base set lacks, and those it has too many, over \
the items of the record; the mean. QE: the difference between the number of records and of base \
sets \
that satisfy a query, over the number of records; the mean of 500 queries. Type I asks for all of \
some items, type II for none of some; they have 1 and 5 items on Pumsb and what stands in for it, \
3 and 4 on Chess, \
evenly drawn among the items that occur. Ties of a vote publish the absence of an item, with all \
methods: even k and l have more of them, and their base sets fewer items.

Algorithms run in memory, without reading, writing or verifying files.",
};

impl Paper for Xue {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}

/// The two orders of the paper, and ours.
struct Orders {
    gray: Vec<u32>,
    /// Gray-TSP as in the paper: tours by a genetic algorithm.
    genetic: Vec<u32>,
    /// Tours by local search.
    gray_tsp: Vec<u32>,
}

fn orders(sets: &Transactions, seed: u64) -> Orders {
    Orders {
        gray: gray::order(sets),
        genetic: genetic::order(sets, seed),
        gray_tsp: gray_tsp_order(sets),
    }
}

/// The Gray-TSP order with the paper's segments.
fn gray_tsp_order(sets: &Transactions) -> Vec<u32> {
    gray_tsp(sets, Some(SegmentSizes::default()), KICKS).order
}

/// How many draws of assignments, labels and queries.
fn n_trials(settings: &Settings<'_>) -> usize {
    settings.pick(1, 2, 5)
}

/// How large an experiment of figure 6 is, in words.
fn loss_scale(settings: &Settings<'_>) -> String {
    let records = settings.pick("240 records at most", "10,000 records at most", "all records");
    format!(
        "{records}; {} draws of assignments, labels and queries, {} queries of each type; seed {}",
        n_trials(settings),
        queries::QUERIES,
        settings.seed
    )
}

/// How many times Chess is taken, in the figures about its growth.
fn times_chess(settings: &Settings<'_>) -> Vec<usize> {
    settings.pick(vec![1, 2], vec![1, 2, 4], vec![1, 2, 4, 8, 16])
}

/// The exponent with which a column grows with the rows' labels, from the first row to the last; 0
/// if that isn't known.
fn growth_of(table: &Table, column: usize) -> f64 {
    let labels = table.rows.iter().filter_map(|row| row.label.parse::<f64>().ok());
    let points: Vec<(f64, f64)> = labels.zip(table.means(column)).collect();
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if first.0 < last.0 && first.1 > 0.0 && last.1 > 0.0 => {
            (last.1 / first.1).ln() / (last.0 / first.0).ln()
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::found::Number;

    #[test]
    fn powers_of_growth_are_found() {
        let mut table = Table::new("", "records", "", &["square", "none"]);
        for n in [10.0, 40.0, 100.0] {
            table.push(n, vec![Number::exact(n * n), Number::exact(0.0)]);
        }
        assert!((growth_of(&table, 0) - 2.0).abs() < 1e-9);
        assert_eq!(growth_of(&table, 1), 0.0);
    }
}
