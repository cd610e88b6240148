//! Figure 24: how many splits that a sample allowed are wrong, with and without tests.

use sfumato_core::dataset::Role;
use sfumato_core::{ErrorKind, Result};
use sfumato_learn::compare::Split;
use statrs::distribution::{ContinuousCDF, Normal};

use super::arms::MEDIAN;
use super::printed::{DRAWN, Entry, K_ANONYMITY, L_DIVERSITY, NORMAL, UNIFORM};
use super::top::Top;
use crate::bench::{QUASI, Sheet, Study, TrainingSplit, column, generated, trials};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Cell, Claim, FigureResult, Number, Plot, Table};

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
        claims(&all, drawn, &mut result);
        result.notes.push(format!(
            "With tests, {agreeing} of {entries} results are possibly not minimal where the \
                paper's are, and minimal where the paper's are."
        ));
        result.notes.push(
            "A dash is the paper's x: a partition may not be minimal, because a sample of this \
                size says nothing about one that is larger than \
memory. Memory holds as many records as are drawn, which is what the x in the paper's table (a) \
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
                    "rothko-sample({MEDIAN}, sample={drawn}, partition_rows={drawn}, tests={tests})"
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

fn claims(all: &[(Pruned, Pruned)], drawn: &[u64], result: &mut FigureResult) {
    let minimal: Vec<(u64, u64)> =
        all.iter().filter_map(|(tests, naive)| Some(((*tests)?, (*naive)?))).collect();
    let sum = |pick: fn(&(u64, u64)) -> u64| minimal.iter().map(pick).sum::<u64>();
    let (tests, naive) = (sum(|pair| pair.0), sum(|pair| pair.1));
    let worse = minimal.iter().filter(|(tests, naive)| tests > naive).count();
    result.claims.push(Claim::new(
        "tests lead to less pruning than the naive approach",
        tests < naive || (tests == 0 && naive == 0),
        format!(
            "{tests} nodes against {naive} where both are minimal; in {worse} of {} entries tests \
                prune more",
            minimal.len()
        ),
    ));
    let most = minimal.iter().map(|pair| pair.0).max().unwrap_or(0);
    result.claims.push(Claim::new(
        "estimates don't lead to excessive pruning even for small samples (at most 112 nodes, the \
            paper's largest number)",
        most <= 112,
        format!("at most {most} nodes"),
    ));
    // Panels have different numbers of models, all for the same samples: halves of each are
    // compared by their place in the whole.
    let is_small = |entry: usize| {
        let widths = [4, 4, 3, 3];
        let mut before = 0;
        for width in widths {
            let size = width * drawn.len();
            if entry < before + size {
                return (entry - before) / width < drawn.len() / 2;
            }
            before += size;
        }
        false
    };
    let count = |small: bool| {
        let entries = all.iter().enumerate().filter(|(place, _)| is_small(*place) == small);
        entries.fold((0, 0), |(x, pruned), (_, (tests, _))| match tests {
            None => (x + 1, pruned),
            Some(n) => (x, pruned + n),
        })
    };
    let (small, large) = (count(true), count(false));
    result.claims.push(Claim::new(
        "results that may not be minimal, and pruning, get rarer with larger samples",
        large.0 <= small.0 && large.1 <= small.1,
        format!(
            "the smaller half of the samples: {} such results and {} nodes pruned; the larger \
                half: {} and {}",
            small.0, small.1, large.0, large.1
        ),
    ));
}
