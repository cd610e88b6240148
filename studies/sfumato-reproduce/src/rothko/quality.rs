//! The loss of quality by a sample: the entropy of a class or the squared error of a number, by
//! sample size and k.

use sfumato_core::Result;
use sfumato_core::workload::TargetKind;
use sfumato_evaluate::evaluate::Truth;
use sfumato_learn::compare::Split;

use super::arms::{GUIDED, k_anonymity, sample};
use super::top::Top;
use crate::bench::{Study, TrainingSplit, trials};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::Settings;
use crate::found::{FigureResult, Number, Plot, Table};

/// What is drawn and asked for.
pub struct Quality<'a> {
    /// What the data is called.
    pub name: &'a str,
    /// What is predicted.
    pub target: &'a str,
    /// Classes or numbers.
    pub kind: TargetKind,
    /// Records drawn.
    pub drawn: &'a [u64],
    /// The least classes.
    pub ks: &'a [u64],
}

/// What a data set gave, by k: by records drawn and then of Mondrian itself.
struct QualityFigures {
    impurity: Vec<Vec<f64>>,
    /// Partitions that may not be minimal.
    nonminimal: Vec<Vec<f64>>,
}

impl Quality<'_> {
    /// Run all data sets; tables and claims go to the result.
    pub fn run(
        &self,
        settings: &Settings<'_>,
        n_sets: usize,
        set: impl Fn(usize) -> Result<Study> + Sync,
        result: &mut FigureResult,
    ) -> Result<()> {
        let steps = self.ks.len() * (self.drawn.len() + 1);
        let found = trials(self.name, n_sets, steps, settings.observer, |number| {
            self.set(&set(number)?, settings.seed_of(&[22, number as u64]), settings)
        })?;
        let columns: Vec<String> = self.ks.iter().map(|k| format!("k = {k}")).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let measure = match self.kind {
            TargetKind::Classes => "conditional entropy, bits",
            TargetKind::Numbers => "weighted mean squared error, millions",
        };
        let mut table = Table::new(self.name, "records drawn", measure, &columns)
            .digits(if self.kind == TargetKind::Classes { 4 } else { 2 });
        let mut circled = Table::new(
            &format!("{}: circled", self.name),
            "records drawn",
            "partitions that may not be minimal",
            &columns,
        )
        .plotted(Plot::None);
        for place in 0..=self.drawn.len() {
            let label = self.drawn.get(place).map_or("all".to_string(), u64::to_string);
            let of = |pick: &dyn Fn(&QualityFigures, usize) -> f64| {
                let cell =
                    |k| Number::of(&found.iter().map(|set| pick(set, k)).collect::<Vec<f64>>());
                (0..self.ks.len()).map(cell).collect()
            };
            table.push(&label, of(&|set, k| set.impurity[k][place]));
            if place < self.drawn.len() {
                circled.push(label, of(&|set, k| set.nonminimal[k][place]));
            }
        }
        self.claims(&table, settings, result);
        result.tables.extend([table, circled]);
        Ok(())
    }

    fn set(&self, study: &Study, seed: u64, settings: &Settings<'_>) -> Result<QualityFigures> {
        let truth: Truth = study.truth(self.target, self.kind)?;
        let task = match self.kind {
            TargetKind::Classes => format!("classification(target={})", self.target),
            TargetKind::Numbers => format!("regression(target={})", self.target),
        };
        let unit = if self.kind == TargetKind::Numbers { 1e-6 } else { 1.0 };
        let part = TrainingSplit::new(
            study,
            Split { train: (0..study.n_rows() as u32).collect(), test: vec![] },
        )?;
        let mut found = QualityFigures { impurity: Vec::new(), nonminimal: Vec::new() };
        for k in self.ks {
            let job = study.job(&[&k_anonymity(*k)], &[&task]);
            let (mut impurity, mut nonminimal) = (Vec::new(), Vec::new());
            let algorithms = self.drawn.iter().map(|drawn| sample(GUIDED, *drawn, *drawn));
            for algorithm in algorithms.chain([format!("mondrian({GUIDED})")]) {
                let release = part.release(&job, &algorithm, seed)?;
                impurity.push(unit * part.impurity(&release, &truth).unwrap_or(0.0));
                if impurity.len() <= self.drawn.len() {
                    let work =
                        Top::new(&part.training.table, &job, &algorithm, seed)?.work(None)?;
                    nonminimal.push((work.handed_over.max(work.nonminimal)) as f64);
                }
                settings.observer.advance(1);
            }
            found.impurity.push(impurity);
            found.nonminimal.push(nonminimal);
        }
        Ok(found)
    }

    fn claims(&self, table: &Table, settings: &Settings<'_>, result: &mut FigureResult) {
        let last = self.drawn.len() - 1;
        let by_k: Vec<Vec<f64>> = (0..self.ks.len()).map(|k| table.means(k)).collect();
        let ends: Vec<(f64, f64)> = by_k.iter().map(|means| (means[last], means[0])).collect();
        let mut nulls = settings.nulls();
        let changes: Vec<String> = ends
            .iter()
            .zip(self.ks)
            .map(|((large, small), k)| format!("k = {k}: {:+.2} %", 100.0 * (large / small - 1.0)))
            .collect();
        let words = format!(
            "change of the measure from {} to {} records drawn: {}",
            self.drawn[0],
            self.drawn[last],
            changes.join(", ")
        );
        let improves = nulls.pairs(IMPROVES.gauge(), &ends).told(words);
        // From the second largest sample to the largest, and from a k to the next.
        let percent = |from: f64, to: f64| 100.0 * (to / from - 1.0).abs();
        let step = by_k.iter().map(|means| percent(means[last.saturating_sub(1)], means[last]));
        let step = step.fold(0.0, f64::max);
        let of_k = by_k.windows(2).map(|two| percent(two[0][last], two[1][last]));
        let of_k = of_k.fold(0.0, f64::max);
        let cells: Vec<f64> = by_k.iter().flat_map(|means| means[..=last].to_vec()).collect();
        let shuffled = nulls.shuffled(&cells);
        let share = |cells: &[f64]| {
            let lines: Vec<&[f64]> = cells.chunks(last + 1).collect();
            let by_sample = lines.iter().map(|line| spread(line)).fold(0.0, f64::max);
            let at_last: Vec<f64> = lines.iter().map(|line| line[last]).collect();
            by_sample / spread(&at_last)
        };
        result.claims.extend([
            IMPROVES.claim(self.name, improves),
            SMALL.claim(self.name, Measured::new(step, of_k)),
            MUCH_LESS.claim(self.name, Measured::new(share(&cells), share(&shuffled))),
        ]);
    }
}

fn spread(numbers: &[f64]) -> f64 {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

const IMPROVES: Statement = Statement::new(
    Origin::Line(919),
    "a larger sample improves quality (the largest against the smallest)",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);
const SMALL: Statement = Statement::new(
    Origin::Line(919),
    "for large samples the difference is very small (here: at most 2 % from the second largest to \
        the largest)",
    Gauge::Custom {
        measure: "change of the measure in percent, the most of all k",
        control: "the change from one k to the next, at the largest sample",
    },
    Rule::AtMost(2.0),
);
const MUCH_LESS: Statement = Statement::new(
    Origin::Line(919),
    "the sample matters much less than k (here: a third at most)",
    Gauge::Custom {
        measure: "change by the sample over change by k, the most of all k",
        control: "all cells of the table dealt out at random",
    },
    Rule::AtMost(1.0 / 3.0),
);

/// What both figures say.
pub const NOTE: &str = "\
Memory holds as many records as are drawn. Where the paper stops with a partition that a sample of \
this size says nothing about, and circles the point, frequency \
groups go on here: circled points are counted in the tables, and yet cost less quality than they \
would in the paper. Frequency groups can't decide \
regression, so there such partitions stay as they are. `all` is Mondrian in memory.";
