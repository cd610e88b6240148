//! Figure 18: how often the data are read and written, by frequency groups, by samples, and for
//! growing inputs.

use sfumato_core::Result;
use sfumato_learn::compare::Split;
use sfumato_table::algorithms::rothko::{Forecast, Scale, Work, predict};

use super::arms::{ALPHA, MEDIAN, k_anonymity, sample, tree};
use super::scaled::{Scaled, numeric, sheet};
use super::top::Top;
use crate::bench::{Study, TrainingSplit, trials};
use crate::claims::{Gauge, Measured, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Cell, FigureResult, Number, Table};

/// Figure 18 of the paper.
pub struct Fig18;

static INFO: FigureInfo = FigureInfo {
    name: "fig18",
    caption: "Input and output of both algorithms, Median, k-anonymity",
    paper: "50 million records, k = 1000, TM = 2 million. With more frequency groups in memory \
        (F_CACHE) Rothko-T reads and writes less, and each \
further group saves less than the one before. Rothko-S reads the data three times and writes it \
once for a wide range of sample sizes, \
which is substantially less than Rothko-T; so it is for growing inputs.",
    data: "Generated: `agrawal`, everything smaller by the same factor (see above). What is \
        counted is records read and written as multiples of the input, \
loading the partitions included: the unit of the paper's analysis (5.3), where its plots show disk \
blocks.",
    files: &[],
};

/// The paper's input, and the frequency groups that it holds in its largest Rothko-T run.
const PAPER_ROWS: u64 = 50_000_000;
const GROUPS: [u64; 5] = [1, 2, 4, 8, 16];
/// Frequency groups of the scale-up.
const F_CACHE: u64 = 8;

/// What a run read and wrote, the last read included.
fn io(work: &Work) -> (f64, f64) {
    (work.reads() + 1.0, work.writes())
}

impl Figure for Fig18 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let rows = settings.pick(3000, 50_000, 200_000);
        let Scaled { partition_rows, k, unit } = Scaled::of(rows, PAPER_ROWS);
        let sizes = [rows / 4, rows / 2, rows, rows * 2];
        let drawn: Vec<u64> =
            [16, 8, 4, 2, 1].iter().map(|part| (partition_rows / part).max(2)).collect();
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{rows} records in (a) and (b), TM = {partition_rows}, k = {k}, amounts in units \
                    of {unit}; {} to {} records in (c)",
                sizes[0], sizes[3]
            ),
        );
        let run = |rows: u64, algorithms: &[String]| -> Result<Vec<Work>> {
            let study =
                Study::new(&sheet("none", rows, settings.seed_of(&[18]), unit)?, numeric(&[]))?;
            let part = TrainingSplit::new(
                &study,
                Split { train: (0..rows as u32).collect(), test: vec![] },
            )?;
            let job = study.job(&[&k_anonymity(k)], &[]);
            trials("fig18", algorithms.len(), 1, settings.observer, |place| {
                settings.observer.advance(1);
                Top::new(&part.training.table, &job, &algorithms[place], settings.seed)?
                    .work(Some(u64::MAX))
            })
        };
        let predicted = |rows: u64, groups: u64| -> Forecast {
            predict(&Scale { rows, partition_rows, groups, k, alpha: ALPHA })
        };

        let mut algorithms: Vec<String> =
            GROUPS.iter().map(|groups| tree(MEDIAN, *groups, partition_rows)).collect();
        algorithms.extend(drawn.iter().map(|drawn| sample(MEDIAN, *drawn, partition_rows)));
        let found = run(rows, &algorithms)?;
        let (by_groups, by_sample) = found.split_at(GROUPS.len());
        let columns = ["reads", "writes", "reads, model", "writes, model"];
        let cells = |work: &Work, reads: u64, writes: u64| -> Vec<Cell> {
            let (r, w) = io(work);
            vec![
                Number::exact(r),
                Number::exact(w),
                Number::exact(reads as f64),
                Number::exact(writes as f64),
            ]
        };
        let mut a = Table::new(
            "(a) Rothko-T by frequency groups",
            "F_CACHE",
            "multiples of the input",
            &columns,
        )
        .digits(2);
        for (groups, work) in GROUPS.iter().zip(by_groups) {
            let model = predicted(rows, *groups);
            a.push(groups, cells(work, model.reads_tree, model.writes_tree));
        }
        let mut b = Table::new(
            "(b) Rothko-S by sample",
            "records drawn",
            "multiples of the input",
            &columns,
        )
        .digits(2);
        for (drawn, work) in drawn.iter().zip(by_sample) {
            let model = predicted(rows, 1);
            b.push(drawn, cells(work, model.reads_sample, model.writes_sample));
        }
        let both =
            ["T reads", "T writes", "S reads", "S writes", "T reads, model", "S reads, model"];
        let mut c =
            Table::new("(c) Scale-up", "records", "multiples of the input", &both).digits(2);
        for rows in sizes {
            let arms = [
                tree(MEDIAN, F_CACHE, partition_rows),
                sample(MEDIAN, partition_rows, partition_rows),
            ];
            let works = run(rows, &arms)?;
            let ((tr, tw), (sr, sw)) = (io(&works[0]), io(&works[1]));
            let model = predicted(rows, F_CACHE);
            let numbers = [tr, tw, sr, sw, model.reads_tree as f64, model.reads_sample as f64];
            c.push(rows, numbers.into_iter().map(Number::exact).collect());
        }
        claims(&mut result, &a, &b, &c, &mut settings.nulls());
        result.tables.extend([a, b, c]);
        result.notes.push(
            "The model is the paper's (5.3), for balanced trees of halves; that of Rothko-S draws \
                TM records. Where a sample is small some partitions turn out \
larger than memory and are divided again, which adds a part of a read and a write."
                .into(),
        );
        Ok(result)
    }
}

const LESS: Statement = Statement::new(
    Origin::Line(871),
    "with more frequency groups Rothko-T reads and writes less",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const DIMINISHING: Statement = Statement::new(
    Origin::Line(871),
    "the more frequency groups there are, the less a further one saves (on average: passes are \
        whole)",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const THREE_AND_ONE: Statement = Statement::new(
    Origin::Line(873),
    "for this wide range of samples Rothko-S reads the data three times and writes it once (here: \
        4 in all, and up to one more for partitions that turn out larger than memory)",
    Gauge::Custom {
        measure: "reads and writes together, the most of all samples",
        control: "Rothko-T with as many frequency groups as it does least with",
    },
    Rule::Within(4.0, 5.0),
);
const SUBSTANTIALLY: Statement = Statement::new(
    Origin::Line(873),
    "Rothko-S does substantially less input and output than Rothko-T (here: at most three \
        quarters)",
    Gauge::LeastRatio,
    Rule::AtLeast(4.0 / 3.0),
);
const GROWING: Statement = Statement::new(
    Origin::Line(881),
    "and so for growing inputs, at every size",
    Gauge::LeastRatio,
    Rule::AtLeast(4.0 / 3.0),
);
const MODEL: Statement = Statement::new(
    Origin::Line(869),
    "reads are those that the analysis of section 5.3 predicts (here: within a quarter, in all \
        rows)",
    Gauge::Custom {
        measure: "reads over predicted reads or the reverse, the most of all rows",
        control: "predictions in random order",
    },
    Rule::AtMost(1.25),
);

fn claims(result: &mut FigureResult, a: &Table, b: &Table, c: &Table, nulls: &mut Nulls) {
    let total = |table: &Table| -> Vec<f64> {
        table.means(0).iter().zip(table.means(1)).map(|(reads, writes)| reads + writes).collect()
    };
    let tree = total(a);
    let list = |numbers: &[f64]| {
        numbers.iter().map(|x| format!("{x:.2}")).collect::<Vec<String>>().join(", ")
    };
    let saved: Vec<f64> = (1..tree.len())
        .map(|place| (tree[0] - tree[place]) / (GROUPS[place] - GROUPS[0]) as f64)
        .collect();
    let sample = total(b);
    let best = tree.iter().copied().fold(f64::INFINITY, f64::min);
    let most = sample.iter().copied().fold(0.0, f64::max);
    let against: Vec<(f64, f64)> = sample.iter().map(|sample| (*sample, best)).collect();
    let growing: Vec<(f64, f64)> = (0..c.rows.len())
        .map(|row| (c.means(2)[row] + c.means(3)[row], c.means(0)[row] + c.means(1)[row]))
        .collect();
    let reads = [a.means(0), b.means(0)].concat();
    let model = [a.means(2), b.means(2)].concat();
    let off = |model: &[f64]| {
        let ratios = reads.iter().zip(model).map(|(here, model)| here / model);
        ratios.map(|ratio| ratio.max(1.0 / ratio)).fold(0.0, f64::max)
    };
    let at_random = nulls.shuffled(&model);
    result.claims = vec![
        LESS.claim("", nulls.falling(std::slice::from_ref(&tree)).told(list(&tree))),
        DIMINISHING.claim("", nulls.falling(std::slice::from_ref(&saved)).told(list(&saved))),
        THREE_AND_ONE.claim("", Measured::new(most, best).told(list(&sample))),
        SUBSTANTIALLY.claim("", nulls.pairs(SUBSTANTIALLY.gauge(), &against)),
        GROWING.claim("", nulls.pairs(GROWING.gauge(), &growing)),
        MODEL.claim("", Measured::new(off(&model), off(&at_random))),
    ];
}
