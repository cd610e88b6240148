//! Code that the figures share: runs over L and another parameter, and texts about them.

use sfumato_core::{Error, Result};

use super::adult::{GUARDED, SENSITIVE, adult};
use super::measure::{FOR_ALL, FOR_CLASSES, Measure, lkc};
use crate::bench::{Study, trials};
use crate::figure::Settings;
use crate::found::{Cell, Number, Table};

/// What an attacker may know.
pub const LS: [u64; 3] = [2, 4, 6];

/// A line of a grid: its label, and K and C in percent.
pub type Line = (u64, u64, u64);

/// The lines of the figures over K at C = 20 %.
pub fn over_k(settings: &Settings<'_>) -> Vec<Line> {
    let ks: &[u64] = settings.pick(&[20], &[20, 60, 100], &[20, 40, 60, 80, 100]);
    ks.iter().map(|k| (*k, *k, 20)).collect()
}

/// The lines of the figures over C at K = 100.
pub fn over_c(settings: &Settings<'_>) -> Vec<Line> {
    let cs: &[u64] = settings.pick(&[5, 30], &[5, 15, 30], &[5, 10, 15, 20, 25, 30]);
    cs.iter().map(|c| (*c, 100, *c)).collect()
}

/// What a grid gave.
pub struct Ran {
    /// The numbers.
    pub table: Table,
    /// Why some lines are empty.
    pub why_empty: Option<String>,
}

/// How large a run is.
pub struct Scale {
    /// Records.
    pub rows: usize,
    /// Splits that errors are averaged over.
    pub splits: usize,
    /// What an attacker may know.
    pub ls: &'static [u64],
}

/// How large a run is by the settings.
pub fn scale(settings: &Settings<'_>) -> Scale {
    Scale {
        rows: settings.pick(600, 6000, 45_222),
        splits: settings.pick(1, 3, 5),
        ls: settings.pick(&LS[..1], &LS[..2], &LS[..]),
    }
}

/// Classification errors: a table with a column for each L, then BE and UE.
pub fn errors(settings: &Settings<'_>, rows_are: &str, lines: &[Line], part: u64) -> Result<Ran> {
    let scale = scale(settings);
    let (study, truth) = adult(settings, scale.rows)?;
    let measure = Measure::new(&study, &truth, scale.splits, settings.seed_of(&[part]))?;
    let cells = grid(settings, lines, scale.ls, |model| {
        let found = measure.anonymize(&model, FOR_CLASSES)?;
        found.map_or(Ok(None), |found| Ok(Number::of(&measure.errors(&found)?)))
    })?;
    let (be, ue) = (Number::of(&measure.baseline()?), Number::of(&measure.upper_bound()?));
    let table =
        table(rows_are, "classification error, %", scale.ls, &["BE", "UE"], lines, cells, |_| {
            vec![be, ue]
        })
        .digits(2);
    Ok(Ran { why_empty: why_empty(&study, &table, lines)?, table })
}

/// Discernibility ratios: a table with a column for each L, then k-anonymity over all quasi
/// columns.
pub fn ratios(settings: &Settings<'_>, rows_are: &str, lines: &[Line], part: u64) -> Result<Ran> {
    let scale = scale(settings);
    let (study, truth) = adult(settings, scale.rows)?;
    let measure = Measure::new(&study, &truth, 1, settings.seed_of(&[part]))?;
    let ratio = |model: String| -> Result<Cell> {
        let found = measure.anonymize(&model, FOR_ALL)?;
        found.map_or(Ok(None), |found| Ok(measure.ratio(&found)?.and_then(Number::exact)))
    };
    let cells = grid(settings, lines, scale.ls, ratio)?;
    let mut known: Vec<(u64, Cell)> = Vec::new();
    for (_, k, _) in lines {
        if known.iter().all(|(of, _)| of != k) {
            known.push((*k, ratio(format!("k-anonymity(k={k})"))?));
        }
    }
    let traditional =
        |line: &Line| vec![known.iter().find(|(k, _)| *k == line.1).and_then(|(_, cell)| *cell)];
    let table = table(
        rows_are,
        "discernibility ratio",
        scale.ls,
        &["k-anonymity"],
        lines,
        cells,
        traditional,
    )
    .digits(4);
    Ok(Ran { why_empty: why_empty(&study, &table, lines)?, table })
}

/// Every line with every L, at once.
fn grid(
    settings: &Settings<'_>,
    lines: &[Line],
    ls: &[u64],
    run: impl Fn(String) -> Result<Cell> + Sync,
) -> Result<Vec<Cell>> {
    trials("adult", lines.len() * ls.len(), 1, settings.observer, |number| {
        let (_, k, percent) = lines[number / ls.len()];
        let found = run(lkc(ls[number % ls.len()], k, percent));
        settings.observer.advance(1);
        found
    })
}

fn table(
    rows_are: &str,
    measure: &str,
    ls: &[u64],
    more: &[&str],
    lines: &[Line],
    cells: Vec<Cell>,
    rest: impl Fn(&Line) -> Vec<Cell>,
) -> Table {
    let mut columns: Vec<String> = ls.iter().map(|l| format!("L = {l}")).collect();
    columns.extend(more.iter().map(ToString::to_string));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("Adult", rows_are, measure, &columns);
    for (line, cells) in lines.iter().zip(cells.chunks(ls.len())) {
        table.push(line.0, cells.iter().copied().chain(rest(line)).collect());
    }
    table
}

/// The smallest and the largest of some numbers.
pub fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(*x), hi.max(*x)))
}

/// Numbers between two ends, in words.
pub fn from_to(values: &[f64], digits: usize) -> String {
    let (lo, hi) = ends(values);
    match values.is_empty() {
        true => "nothing was measured".into(),
        false => format!("from {lo:.digits$} to {hi:.digits$}"),
    }
}

/// The numbers of records and splits, in words.
pub fn told(settings: &Settings<'_>) -> String {
    let Scale { rows, splits, .. } = scale(settings);
    format!("{rows} records; errors are means over {splits} random splits into two thirds and one")
}

/// Why lines can't be met, if the reason is what the whole table reveals.
fn why_empty(study: &Study, table: &Table, lines: &[Line]) -> Result<Option<String>> {
    let raw = study.dataset.raw.column(SENSITIVE);
    let raw = raw.ok_or_else(|| Error::internal("the sensitive column isn't in the dataset"))?;
    let counts = raw.codes.counts(raw.values.len());
    let of = |value: &str| {
        raw.values.iter().position(|text| text == value).map_or(0, |code| counts[code])
    };
    let most = GUARDED.iter().map(|value| (of(value), *value)).max().unwrap_or((0, ""));
    let share = 100.0 * most.0 as f64 / study.n_rows().max(1) as f64;
    let empty: Vec<String> = table
        .rows
        .iter()
        .zip(lines)
        .filter(|(row, line)| {
            row.cells.first().is_some_and(Option::is_none) && share > line.2 as f64
        })
        .map(|(_, line)| format!("{} %", line.2))
        .collect();
    Ok((!empty.is_empty()).then(|| {
        format!(
            "C = {} can't be met by any generalization: {} of the {} records are {}, which is \
                {share:.1} %, so that even a table of which only \
             the marital status is left shows it with that confidence. The book shows values there \
             and doesn't say how.",
            empty.join(", "),
            most.0,
            study.n_rows(),
            most.1
        )
    }))
}
