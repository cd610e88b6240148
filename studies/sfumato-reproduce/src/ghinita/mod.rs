//! G. Ghinita, Y. Tao, P. Kalnis, 2008: sparse data with sensitive items, tables I and II and
//! figures 6 and 9 to 13.

use crate::claims::Untested;
use crate::figure::{Figure, Paper, PaperInfo, Settings};

mod compared;
mod data;
mod timed;

use compared::{Arm, CAHD, OURS, PM};

sfumato_core::registry! {
    /// The tables and figures of the paper, and one of how the time of the ordering grows.
    dyn Figure:
    table1::Table1,
    table2::Table2,
    fig6::Fig6,
    fig9::Fig9,
    fig10::Fig10,
    fig11::Fig11,
    fig12::Fig12,
    fig13::Fig13,
    growth::Growth,
}

/// The paper.
pub struct Ghinita;

static INFO: PaperInfo = PaperInfo {
    name: "ghinita",
    citation: "G. Ghinita, Y. Tao, P. Kalnis: *On the Anonymization of Sparse High-Dimensional \
        Data*, ICDE 2008.",
    untested: &[
        Untested {
            line: 374,
            sentence: "CAHD takes at most 5 and 15 s, its ordering 158 and 457 s and PM 300 and \
                1500 s",
            why: "seconds of a machine of 2008; figure 12 tests their proportions",
        },
        Untested {
            line: 376,
            sentence: "values of alpha of 2 or 3 are a good compromise",
            why: "it is a judgement, not a measurement; similar trends on BMS1 are said to be left \
                out",
        },
    ],
    about: "\
The paper's plots can't be read off: what it says of them in words stands beside our numbers. \
Tables I and II are printed as numbers.

| name | what runs |
|---|---|
| CAHD | `cahd(alpha=3, similarity=common)`: the candidates with most items in common, as in the \
paper |
| PM | `perm-mondrian`: the paper's Mondrian that publishes items as they are |
| ours | `cahd(alpha=3, similarity=jaccard)`: the candidates with the largest share of all their \
items in common |

**Sensitive items.** A trial draws m of them evenly among the items that at most n / 20 \
transactions have: four items of BMS1 are in more than 5 % of its transactions, and with one of \
them sensitive \
p = 20 can't be had by any grouping. The paper draws from all items. All curves of a trial have \
the same sensitive items and queries; those for a smaller m are among those for a larger one.

**Error.** The divergence of Kullback and Leibler between the actual and the estimated \
distribution of a sensitive item s over the 2^r cells of r other items, natural logarithm, mean of \
100 queries. s is \
drawn evenly among the m sensitive items. The r items are drawn evenly among all others (the plain \
reading of the paper), or in proportion to how many transactions have them: evenly drawn items are \
mostly \
rare, almost all transactions lie in the cell that has none of them, and there is little to go \
wrong. Both are shown. Numbers are means over trials.

Every grouping is checked for its degree before it is measured. Algorithms run in memory, without \
reading, writing or verifying files.",
};

impl Paper for Ghinita {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}

/// How many draws of sensitive items.
fn n_trials(settings: &Settings<'_>) -> usize {
    settings.pick(1, 2, 10)
}

/// How large an experiment about the real data is, in words.
fn scale(settings: &Settings<'_>, fixed: &str) -> String {
    let records = settings.pick("1,500 records at most", "20,000 records at most", "all records");
    let trials = n_trials(settings);
    format!(
        "{fixed}; {records}; {trials} draws of sensitive items, 100 queries each; natural \
            logarithm; seed {}",
        settings.seed
    )
}

/// The curves of figures 10 and 11.
const CURVES: [&str; 6] =
    ["CAHD, p = 10", "CAHD, p = 20", "PM, p = 10", "PM, p = 20", "ours, p = 10", "ours, p = 20"];

/// What the curves of figures 10 and 11 run.
fn at_10_and_20() -> Vec<(Arm, u64)> {
    [CAHD, PM, OURS].into_iter().flat_map(|arm| [(arm, 10), (arm, 20)]).collect()
}
