//! Figure 24: how many splits that a sample allowed are wrong, with and without tests.

use sfumato_core::dataset::Role;
use sfumato_core::{ErrorKind, Result};
use sfumato_learn::compare::Split;
use statrs::distribution::{ContinuousCDF, Normal};

use super::arms::MEDIAN;
use super::printed::{DRAWN, Entry, K_ANONYMITY, L_DIVERSITY, NORMAL, UNIFORM};
use super::top::Top;
use crate::bench::{QUASI, Sheet, Study, TrainingSplit, column, generated, trials};
use crate::claims::{Gauge, Measured, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Cell, FigureResult, Number, Plot, Table};

/// Figure 24 of the paper.
pub struct Fig24;

static INFO: FigureInfo = FigureInfo {
    name: "fig24",
    caption: "Nodes pruned by Rothko-S by records drawn, with tests and without",
    paper: "100,000 generated records, Median; each requirement alone: k-anonymity; recursive \
        l-diversity of zipcode with c = 1; variance diversity of a uniform \
(variance 1.4e9) and a normal (1.1e8) salary. Data is divided when the tree has height 8. Even \
small samples lead to little pruning, tests to less than \
the naive approach; pruning and results that may not be minimal (x) get rarer with larger samples.",
    data: "Generated: `agrawal`. The normal salary has mean 85,000 and variance 1.1e8, in the \
        order of the uniform one, so that it goes with the other columns as that does.",
    files: &[],
};

/// Room for the counts of all partitions: height, not memory, says when data is divided.
const BYTES: u64 = 4 << 30;

/// One of the four tables.
struct Panel {
    title: &'static str,
    sensitive: Option<&'static str>,
    /// What columns are called, and the models.
    models: Vec<(String, String)>,
    printed: Vec<Vec<Entry>>,
    normal: bool,
}

fn panels() -> [Panel; 4] {
    let rows = |printed: &[&[Entry]]| printed.iter().map(|row| row.to_vec()).collect();
    let k = |k: u64| (format!("k = {k}"), format!("k-anonymity(k={k})"));
    let l = |l: u64| (format!("l = {l}"), format!("l-diversity-recursive(c=1, l={l}, on=zipcode)"));
    let v = |v: &str| (format!("v = {v}"), format!("variance-diversity(v={v}, on=salary)"));
    [
        Panel {
            title: "(a) k-anonymity",
            sensitive: None,
            models: [10, 100, 1000, 10_000].map(k).to_vec(),
            printed: rows(&K_ANONYMITY.each_ref().map(|row| row.as_slice())),
            normal: false,
        },
        Panel {
            title: "(b) l-diversity",
            sensitive: Some("zipcode"),
            models: [2, 4, 6, 8].map(l).to_vec(),
            printed: rows(&L_DIVERSITY.each_ref().map(|row| row.as_slice())),
            normal: false,
        },
        Panel {
            title: "(c) Variance diversity, uniform salary",
            sensitive: Some("salary"),
            models: ["1.1e9", "1.2e9", "1.3e9"].map(v).to_vec(),
            printed: rows(&UNIFORM.each_ref().map(|row| row.as_slice())),
            normal: false,
        },
        Panel {
            title: "(d) Variance diversity, normal salary",
            sensitive: Some("salary"),
            models: ["7e7", "8e7", "9e7"].map(v).to_vec(),
            printed: rows(&NORMAL.each_ref().map(|row| row.as_slice())),
            normal: true,
        },
    ]
}

/// What a run pruned; `None` if it may not be minimal.
type Pruned = Option<u64>;

impl Figure for Fig24 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let rows = settings.pick(1000, 20_000, 100_000);
        let drawn = &DRAWN[..settings.pick(4, 5, DRAWN.len())];
        let mut result =
            FigureResult::new(&INFO, format!("{rows} records, one run for each number"));
        let sheet = generated("none", rows, settings.seed_of(&[24]), None)?;
        // (tests, naive) of all panels.
        let mut all: Vec<(Pruned, Pruned)> = Vec::new();
        let (mut agreeing, mut entries) = (0, 0);
        for panel in panels() {
            let found = panel.run(&sheet, drawn, settings)?;
            let pairs = found.iter().flatten().zip(panel.printed.iter().flatten());
            entries += pairs.clone().count();
            agreeing +=
                pairs.filter(|(ours, printed)| ours.0.is_some() == printed.0.is_some()).count();
            panel.tables(drawn, &found, &mut result);
            all.extend(found.into_iter().flatten());
        }
        let mut nulls = settings.nulls();
        claims(&all, drawn, &mut result, &mut nulls);
        // The same with the printed entries of each panel in random order.
        let mut by_chance = 0;
        let mut from = 0;
        for panel in panels() {
            let printed: Vec<bool> = panel.printed[..drawn.len()]
                .iter()
                .flatten()
                .map(|entry| entry.0.is_some())
                .collect();
            let shuffled = nulls.shuffled(&printed);
            let ours = all[from..from + printed.len()].iter().map(|pair| pair.0.is_some());
            by_chance += ours.zip(shuffled).filter(|(ours, printed)| ours == printed).count();
            from += printed.len();
        }
        let percent = |n: usize| 100.0 * n as f64 / entries as f64;
        result
            .claims
            .push(AS_PRINTED.claim("", Measured::new(percent(agreeing), percent(by_chance))));
        result.notes.push(
            "A dash is the paper's x: a partition may not be minimal, because a sample of this \
                size says nothing about one that is larger than \
memory. Samples grow the tree as in the paper (`growth=confidence`): as long as a split is \
allowed with high confidence, also where parts fit into memory already. Memory holds as many \
records as are drawn, which is what the x in the paper's table (a) \
agree with. Here frequency groups would go on with such \
partitions; what they do isn't counted. Data is divided into at most 256 partitions at once, the \
leaves of a full tree of height 8; the largest nodes are \
the ones that stay open."
                .into(),
        );
        Ok(result)
    }
}

impl Panel {
    /// By records drawn and model.
    fn run(
        &self,
        sheet: &Sheet,
        drawn: &[u64],
        settings: &Settings<'_>,
    ) -> Result<Vec<Vec<(Pruned, Pruned)>>> {
        let columns = QUASI.iter().map(|name| {
            column(name, if Some(*name) == self.sensitive { Role::Sensitive } else { Role::Quasi })
        });
        let study = match self.normal {
            true => Study::new(&normal_salary(sheet.clone())?, columns.collect())?,
            false => Study::new(sheet, columns.collect())?,
        };
        let part = TrainingSplit::new(
            &study,
            Split { train: (0..study.n_rows() as u32).collect(), test: vec![] },
        )?;
        let n = self.models.len();
        let found = trials(self.title, drawn.len() * n, 2, settings.observer, |place| {
            let (drawn, (_, model)) = (drawn[place / n], &self.models[place % n]);
            let job = study.job(&[model], &[]);
            let pruned = |tests: bool| -> Result<Pruned> {
                let algorithm = format!(
                    "rothko-sample({MEDIAN}, sample={drawn}, partition_rows={drawn}, \
                        growth=confidence, tests={tests})"
                );
                let top = Top::new(
                    &part.training.table,
                    &job,
                    &algorithm,
                    settings.seed_of(&[24, drawn]),
                )?;
                settings.observer.advance(1);
                match top.work(Some(BYTES)) {
                    Ok(work) => {
                        Ok((work.handed_over == 0 && work.nonminimal == 0).then_some(work.pruned))
                    }
                    // Of too few records nothing is published, and nothing is minimal.
                    Err(error) if error.kind == ErrorKind::Infeasible => Ok(None),
                    Err(error) => Err(error),
                }
            };
            Ok((pruned(true)?, pruned(false)?))
        })?;
        Ok(found.chunks(n).map(<[(Pruned, Pruned)]>::to_vec).collect())
    }

    fn tables(&self, drawn: &[u64], found: &[Vec<(Pruned, Pruned)>], result: &mut FigureResult) {
        let columns: Vec<String> =
            self.models.iter().flat_map(|(name, _)| [name.clone(), "paper".to_string()]).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let cell = |pruned: Option<f64>| -> Cell { pruned.and_then(Number::exact) };
        for (naive, how) in [(false, "with tests"), (true, "without")] {
            let title = format!("{}, {how}", self.title);
            let mut table = Table::new(&title, "records drawn", "nodes pruned", &columns)
                .digits(0)
                .plotted(Plot::None);
            for (place, drawn) in drawn.iter().enumerate() {
                let line =
                    found[place].iter().zip(&self.printed[place]).flat_map(|(ours, printed)| {
                        let (ours, printed) =
                            if naive { (ours.1, printed.1) } else { (ours.0, printed.0) };
                        [cell(ours.map(|n| n as f64)), cell(printed.map(f64::from))]
                    });
                table.push(drawn, line.collect());
            }
            result.tables.push(table);
        }
    }
}

/// A salary of variance 1.1e8 in the order of the uniform one.
fn normal_salary(mut sheet: Sheet) -> Result<Sheet> {
    let normal = Normal::standard();
    let (mean, deviation) = (85_000.0, 1.1e8f64.sqrt());
    sheet.change("salary", |text| {
        let share = text.parse::<f64>().map_or(0.5, |salary| (salary - 19_999.5) / 130_001.0);
        let salary = mean + deviation * normal.inverse_cdf(share.clamp(1e-6, 1.0 - 1e-6));
        format!("{salary:.0}")
    })?;
    Ok(sheet)
}

const FEWER: Statement = Statement::new(
    Origin::Line(945),
    "tests lead to less pruning than the naive approach",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const NOT_EXCESSIVE: Statement = Statement::new(
    Origin::Line(945),
    "estimates don't lead to excessive pruning even for small samples (here: at most 112 nodes, \
    the \
        paper's largest number)",
    Gauge::Custom {
        measure: "nodes pruned with tests, the most of all entries that are minimal",
        control: "without tests",
    },
    Rule::AtMost(112.0),
);
const RARER: Statement = Statement::new(
    Origin::Line(947),
    "results that may not be minimal, and pruning, get rarer with larger samples",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const AS_PRINTED: Statement = Statement::new(
    Origin::Line(943),
    "results with tests may not be minimal where figure 24 prints x, and only there",
    Gauge::Custom {
        measure: "percent of the entries that agree",
        control: "each printed table in random order",
    },
    Rule::AtLeast(90.0),
);

fn claims(all: &[(Pruned, Pruned)], drawn: &[u64], result: &mut FigureResult, nulls: &mut Nulls) {
    let minimal: Vec<(f64, f64)> = all
        .iter()
        .filter_map(|(tests, naive)| Some(((*naive)? as f64, (*tests)? as f64)))
        .collect();
    let sum = |pick: fn(&(f64, f64)) -> f64| minimal.iter().map(pick).sum::<f64>();
    let worse = minimal.iter().filter(|(naive, tests)| tests > naive).count();
    let words = format!(
        "{} nodes against {} where both are minimal; in {worse} of {} entries tests prune more",
        sum(|pair| pair.1),
        sum(|pair| pair.0),
        minimal.len()
    );
    let most = |pick: fn(&(Pruned, Pruned)) -> Pruned| {
        all.iter().filter_map(pick).max().map_or(f64::NAN, |n| n as f64)
    };
    // Panels have different numbers of models, all for the same samples.
    let widths = [4, 4, 3, 3];
    let mut nonminimal = vec![0.0; drawn.len()];
    let mut pruned = vec![0.0; drawn.len()];
    let mut before = 0;
    for width in widths {
        for (place, entry) in all[before..before + width * drawn.len()].iter().enumerate() {
            match entry.0 {
                None => nonminimal[place / width] += 1.0,
                Some(n) => pruned[place / width] += n as f64,
            }
        }
        before += width * drawn.len();
    }
    let list = |all: &[f64]| all.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let (x, nodes) = (list(&nonminimal), list(&pruned));
    result.claims.extend([
        FEWER.claim("", nulls.pairs(FEWER.gauge(), &minimal).told(words)),
        NOT_EXCESSIVE.claim("", Measured::new(most(|pair| pair.0), most(|pair| pair.1))),
        RARER.claim("may not be minimal", nulls.falling(&[nonminimal]).told(x)),
        RARER.claim("pruned", nulls.falling(&[pruned]).told(nodes)),
    ]);
}
