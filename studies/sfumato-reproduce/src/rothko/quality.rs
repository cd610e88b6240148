//! The loss of quality by a sample: the entropy of a class or the squared error of a number, by
//! sample size and k.

use sfumato_core::Result;
use sfumato_core::workload::TargetKind;
use sfumato_evaluate::evaluate::Truth;
use sfumato_learn::compare::Split;

use super::arms::{GUIDED, k_anonymity, sample};
use super::top::Top;
use crate::bench::{Study, TrainingSplit, trials};
use crate::figure::Settings;
use crate::found::{Claim, FigureResult, Number, Plot, Table};

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
        self.claims(&table, result);
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

    fn claims(&self, table: &Table, result: &mut FigureResult) {
        let last = self.drawn.len() - 1;
        let by_k: Vec<Vec<f64>> = (0..self.ks.len()).map(|k| table.means(k)).collect();
        let changes: Vec<String> = by_k
            .iter()
            .zip(self.ks)
            .map(|(means, k)| format!("k = {k}: {:+.2} %", 100.0 * (means[last] / means[0] - 1.0)))
            .collect();
        result.claims.push(Claim::new(
            format!("{}: the largest sample gives no worse quality than the smallest", self.name),
            by_k.iter().all(|means| means[last] <= means[0] * 1.005),
            format!(
                "change of the measure from {} to {} records drawn: {}",
                self.drawn[0],
                self.drawn[last],
                changes.join(", ")
            ),
        ));
        let spread = |numbers: &[f64]| {
            let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            most - numbers.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let by_sample = by_k.iter().map(|means| spread(&means[..=last])).fold(0.0, f64::max);
        let at_last: Vec<f64> = by_k.iter().map(|means| means[last]).collect();
        let by_k = spread(&at_last);
        let digits = table.digits;
        result.claims.push(Claim::new(
            format!("{}: the sample matters much less than k (a third at most)", self.name),
            by_sample <= by_k / 3.0,
            format!(
                "the sample changes the measure by {by_sample:.digits$} at most, k by \
                {by_k:.digits$}"
            ),
        ));
    }
}

/// What both figures say.
pub const NOTE: &str = "\
Memory holds as many records as are drawn. Where the paper stops with a partition that a sample of \
this size says nothing about, and circles the point, frequency \
groups go on here: circled points are counted in the tables, and yet cost less quality than they \
would in the paper. Frequency groups can't decide \
regression, so there such partitions stay as they are. `all` is Mondrian in memory.";
