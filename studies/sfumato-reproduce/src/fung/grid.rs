//! Code that the figures share: runs over L and another parameter, and texts about them.

use sfumato_core::{Error, Result};

use super::adult::adult;
use super::measure::{Data, FOR_ALL, FOR_CLASSES, FOR_CLASSES_BY_LOSS, Measure, TDR};
use crate::bench::trials;
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
        ls: settings.pick(&LS[..2], &LS[..], &LS[..]),
    }
}

/// The scores by which specializations are chosen for classes, and what tables call them.
pub const SCORES: [(&str, &str); 2] = [("InfoGain", FOR_CLASSES), ("IGPL", FOR_CLASSES_BY_LOSS)];

/// Classification errors on Adult: a table with a column for each L, then BE and UE.
pub fn errors(
    settings: &Settings<'_>,
    rows_are: &str,
    lines: &[Line],
    part: u64,
    score: (&str, &str),
) -> Result<Ran> {
    let scale = scale(settings);
    errors_of(&adult(settings, scale.rows)?, settings, rows_are, lines, (part, scale.ls), score)
}

/// Classification errors on other data.
pub fn errors_of(
    data: &Data,
    settings: &Settings<'_>,
    rows_are: &str,
    lines: &[Line],
    (part, ls): (u64, &[u64]),
    (name, algorithm): (&str, &str),
) -> Result<Ran> {
    let splits = scale(settings).splits;
    let measure = Measure::new(&data.study, &data.truth, splits, settings.seed_of(&[part]))?;
    let cells = grid(settings, lines, (data, ls), |model| {
        let found = measure.anonymize(&model, algorithm)?;
        found.map_or(Ok(None), |found| Ok(Number::of(&measure.errors(&found)?)))
    })?;
    let (be, ue) = (Number::of(&measure.baseline()?), Number::of(&measure.upper_bound()?));
    let title = format!("{}, {name}", data.name);
    let shape = Shape { title: &title, rows_are, measure: "classification error, %" };
    let table = table(&shape, ls, &["BE", "UE"], lines, cells, |_| vec![be, ue]).digits(2);
    Ok(Ran { why_empty: why_empty(data, &table, lines)?, table })
}

/// Discernibility ratios on Adult: a table with a column for each L, then k-anonymity over all
/// quasi columns by the same algorithm, and by TDR.
pub fn ratios(settings: &Settings<'_>, rows_are: &str, lines: &[Line], part: u64) -> Result<Ran> {
    let scale = scale(settings);
    ratios_of(&adult(settings, scale.rows)?, settings, rows_are, lines, (part, scale.ls))
}

/// Discernibility ratios on other data.
pub fn ratios_of(
    data: &Data,
    settings: &Settings<'_>,
    rows_are: &str,
    lines: &[Line],
    (part, ls): (u64, &[u64]),
) -> Result<Ran> {
    let measure = Measure::new(&data.study, &data.truth, 1, settings.seed_of(&[part]))?;
    let ratio = |model: &str, algorithm: &str| -> Result<Cell> {
        let found = measure.anonymize(model, algorithm)?;
        found.map_or(Ok(None), |found| Ok(measure.ratio(&found)?.and_then(Number::exact)))
    };
    let cells = grid(settings, lines, (data, ls), |model| ratio(&model, FOR_ALL))?;
    let mut known: Vec<(u64, Vec<Cell>)> = Vec::new();
    for (_, k, _) in lines {
        if known.iter().all(|(of, _)| of != k) {
            let model = format!("k-anonymity(k={k})");
            known.push((*k, vec![ratio(&model, FOR_ALL)?, ratio(&model, TDR)?]));
        }
    }
    let traditional = |line: &Line| {
        known.iter().find(|(k, _)| *k == line.1).map_or(vec![None; 2], |(_, cells)| cells.clone())
    };
    let shape = Shape { title: data.name, rows_are, measure: "discernibility ratio" };
    let columns = ["k-anonymity", "k-anonymity by TDR"];
    let table = table(&shape, ls, &columns, lines, cells, traditional).digits(4);
    Ok(Ran { why_empty: why_empty(data, &table, lines)?, table })
}

/// Every line with every L, at once.
fn grid(
    settings: &Settings<'_>,
    lines: &[Line],
    (data, ls): (&Data, &[u64]),
    run: impl Fn(String) -> Result<Cell> + Sync,
) -> Result<Vec<Cell>> {
    trials(data.name, lines.len() * ls.len(), 1, settings.observer, |number| {
        let (_, k, percent) = lines[number / ls.len()];
        let found = run(data.lkc(ls[number % ls.len()], k, percent));
        settings.observer.advance(1);
        found
    })
}

/// What a table is called.
struct Shape<'a> {
    title: &'a str,
    rows_are: &'a str,
    measure: &'a str,
}

fn table(
    shape: &Shape<'_>,
    ls: &[u64],
    more: &[&str],
    lines: &[Line],
    cells: Vec<Cell>,
    rest: impl Fn(&Line) -> Vec<Cell>,
) -> Table {
    let mut columns: Vec<String> = ls.iter().map(|l| format!("L = {l}")).collect();
    columns.extend(more.iter().map(ToString::to_string));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(shape.title, shape.rows_are, shape.measure, &columns);
    for (line, cells) in lines.iter().zip(cells.chunks(ls.len())) {
        table.push(line.0, cells.iter().copied().chain(rest(line)).collect());
    }
    table
}

/// The columns for each L that have any number, with L.
pub fn by_l(table: &Table, ls: &[u64]) -> Vec<(u64, Vec<f64>)> {
    let all = ls.iter().enumerate().map(|(place, l)| (*l, table.means(place)));
    all.filter(|(_, values)| !values.is_empty()).collect()
}

/// How far apart the smallest and the largest number are, the most of some lists.
pub fn widest(lists: &[Vec<f64>]) -> f64 {
    let width = |values: &Vec<f64>| ends(values).1 - ends(values).0;
    lists.iter().map(width).fold(f64::NAN, f64::max)
}

/// The lists the other way round: at each line what all columns have.
pub fn turned(lists: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = lists.iter().map(Vec::len).min().unwrap_or(0);
    (0..n).map(|line| lists.iter().map(|list| list[line]).collect()).collect()
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
fn why_empty(data: &Data, table: &Table, lines: &[Line]) -> Result<Option<String>> {
    let raw = data.study.dataset.raw.column(data.sensitive);
    let raw = raw.ok_or_else(|| Error::internal("the sensitive column isn't in the dataset"))?;
    let counts = raw.codes.counts(raw.values.len());
    let of = |value: &str| {
        raw.values.iter().position(|text| text == value).map_or(0, |code| counts[code])
    };
    let most = data.guarded.iter().map(|value| (of(value), value.as_str()));
    let most = most.max().unwrap_or((0, ""));
    let share = 100.0 * most.0 as f64 / data.study.n_rows().max(1) as f64;
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
             the sensitive column is left shows it with that confidence. The book shows values \
             there \
             and doesn't say how.",
            empty.join(", "),
            most.0,
            data.study.n_rows(),
            most.1
        )
    }))
}
