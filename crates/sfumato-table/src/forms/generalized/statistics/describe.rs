//! Computes the statistics of classes as a recipient will see them.
//!
//! Classes that are published alike are one class to a recipient, so a statistic is about all their
//! records. If the generalized text of a column isn't written, classes may be alike in everything
//! else: they are joined, and described again, until no more classes can be joined.

use rayon::prelude::*;
use sfumato_core::column::{Code, Dictionary};
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::{Error, FastMap, Result, with_codes};

use super::disclosure::{LEAST_PEOPLE, Values, Withheld};
use super::grid::Grid;
use super::{ColumnForms, RegionStatistic};
use crate::forms::generalized::make_plan::Plan;

/// The statistics of a release.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// In the order of their columns.
    pub columns: Vec<StatisticColumn>,
}

/// A column of statistics, ready to be written.
#[derive(Debug, Clone)]
pub struct StatisticColumn {
    /// The place of the column that it is about.
    pub column: usize,
    /// Which statistic.
    pub part: RegionStatistic,
    /// The type where a format has types.
    pub native_type: String,
    /// The distinct texts; the last one is empty and stands for withheld.
    pub values: Dictionary,
    /// For each class of the recoding, an index into `values`.
    pub of_class: Vec<u32>,
    /// The counts of withheld statistics.
    pub tallied: Tallied,
}

/// How many classes have a statistic, and why others have none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tallied {
    /// Classes of the release.
    pub classes: u64,
    /// Classes without a value to describe.
    pub empty: u64,
    /// The number of statistics withheld because the class is too small.
    pub small: u64,
    /// The number of statistics withheld because one person dominates.
    pub dominated: u64,
    /// The records of the classes whose statistic was withheld.
    pub records: u64,
}

/// Compute the statistics that a plan asks for.
pub fn describe(plan: &Plan, table: &Table, recoding: &dyn Recoding) -> Result<Statistics> {
    let forms = &plan.forms;
    if forms.is_plain() {
        return Ok(Statistics::default());
    }
    let quasi = table.quasi();
    let texts: Vec<Vec<u32>> = quasi
        .iter()
        .enumerate()
        .map(|(index, column)| texts_of_classes(recoding, index, column))
        .collect();
    let least_people = plan.k.unwrap_or(LEAST_PEOPLE);
    let mut groups = Groups::new(recoding, texts.iter().map(Vec::as_slice));
    let finest = groups.rows.len();
    loop {
        let columns: Vec<StatisticColumn> = forms
            .columns
            .iter()
            .flat_map(|asked| of_column(asked, table, &groups, least_people))
            .collect();
        if !forms.has_all_intervals() {
            let is_written =
                |quasi: &usize| !forms.columns.iter().any(|f| f.quasi == *quasi && !f.interval);
            let written = (0..quasi.len()).filter(is_written).map(|quasi| texts[quasi].as_slice());
            let seen =
                Groups::new(recoding, written.chain(columns.iter().map(|c| c.of_class.as_slice())));
            if seen.rows.len() < groups.rows.len() {
                groups = seen;
                continue;
            }
        }
        if groups.rows.len() < finest {
            check_joined(plan, table, &groups)?;
        }
        return Ok(Statistics { columns });
    }
}

/// The number of each class's published text in a column.
fn texts_of_classes(recoding: &dyn Recoding, quasi: usize, column: &Column) -> Vec<u32> {
    let recoded = recoding.column(quasi);
    let mut numbers: FastMap<String, u32> = FastMap::default();
    let mut number = |text: String| {
        let next = numbers.len() as u32;
        *numbers.entry(text).or_insert(next)
    };
    let of_value: Vec<u32> =
        recoded.values.iter().map(|value| number(value.render(column))).collect();
    recoded.of_class.iter().map(|value| of_value[*value as usize]).collect()
}

/// Classes that agree in some columns, joined.
struct Groups {
    /// For each class its group.
    of_class: Vec<u32>,
    /// The published rows of each group.
    rows: Vec<Vec<u32>>,
}

impl Groups {
    fn new<'a>(recoding: &dyn Recoding, columns: impl Iterator<Item = &'a [u32]>) -> Self {
        let columns: Vec<&[u32]> = columns.collect();
        let mut numbers: FastMap<Vec<u32>, u32> = FastMap::default();
        let of_class: Vec<u32> = (0..recoding.n_classes())
            .map(|class| {
                let next = numbers.len() as u32;
                *numbers.entry(columns.iter().map(|column| column[class]).collect()).or_insert(next)
            })
            .collect();
        let mut rows = vec![Vec::new(); numbers.len()];
        for (row, class) in
            recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
        {
            rows[of_class[*class as usize] as usize].push(row as u32);
        }
        Groups { of_class, rows }
    }
}

/// The values of a group in a column. Rows without a value are left out.
fn values_of(column: &Column, table: &Table, rows: &[u32]) -> Values {
    let person = |row: u32| table.subject.as_ref().map_or(row, |subject| subject.get(row as usize));
    let records = with_codes!(&column.codes, codes => rows
        .iter()
        .filter_map(|row| Some((column.domain.key(codes[*row as usize].widen())?, person(*row))))
        .collect());
    Values::new(records, table.subject.is_some())
}

/// All statistics of one column.
fn of_column(
    asked: &ColumnForms,
    table: &Table,
    groups: &Groups,
    least_people: u64,
) -> Vec<StatisticColumn> {
    let column = &table.columns[asked.column];
    let kind = column.domain.kind;
    let parts: Vec<RegionStatistic> = asked.parts().collect();
    let grids: Vec<Grid> = parts.iter().map(|part| Grid::new(kind, *part, asked.snap)).collect();
    let described: Vec<Vec<Result<String, Withheld>>> = groups
        .rows
        .par_iter()
        .map(|rows| {
            let values = values_of(column, table, rows);
            let keys: Vec<i64> = values.records.iter().map(|(key, _)| *key).collect();
            let statistic = |(part, grid): (&RegionStatistic, &Grid)| match values.withheld(
                kind,
                *part,
                least_people,
            ) {
                Some(why) => Err(why),
                None => Ok(grid.text(&keys)),
            };
            parts.iter().zip(&grids).map(statistic).collect()
        })
        .collect();
    let collected = parts.iter().zip(&grids).enumerate().map(|(place, (part, grid))| {
        let of_group = described.iter().map(|statistics| &statistics[place]);
        let (values, codes, tallied) = collect(of_group, &groups.rows);
        StatisticColumn {
            column: asked.column,
            part: *part,
            native_type: grid.native_type(&column.domain),
            values,
            of_class: groups.of_class.iter().map(|group| codes[*group as usize]).collect(),
            tallied,
        }
    });
    collected.collect()
}

/// The distinct texts of a statistic, and which of them each group has; withheld is the last one.
fn collect<'a>(
    of_group: impl Iterator<Item = &'a Result<String, Withheld>>,
    rows: &[Vec<u32>],
) -> (Dictionary, Vec<u32>, Tallied) {
    let mut values = Dictionary::new();
    let mut numbers: FastMap<&str, u32> = FastMap::default();
    let mut tallied = Tallied::default();
    let mut codes: Vec<Option<u32>> = Vec::with_capacity(rows.len());
    for (statistic, rows) in of_group.zip(rows) {
        tallied.classes += u64::from(!rows.is_empty());
        codes.push(match statistic {
            Ok(text) => Some(*numbers.entry(text).or_insert_with(|| values.push(text))),
            Err(why) => {
                match why {
                    Withheld::Empty => tallied.empty += u64::from(!rows.is_empty()),
                    Withheld::Small => tallied.small += 1,
                    Withheld::Dominated => tallied.dominated += 1,
                }
                tallied.records += if *why == Withheld::Empty { 0 } else { rows.len() as u64 };
                None
            }
        });
    }
    let null = values.push("");
    (values, codes.into_iter().map(|code| code.unwrap_or(null)).collect(), tallied)
}

/// Check classes that were joined: they are one class to the recipient, and models that aren't
/// monotone must be checked on the union. If it fails, the requirement can't be met with these
/// statistics; this is no bug.
fn check_joined(plan: &Plan, table: &Table, groups: &Groups) -> Result<()> {
    let tally = plan.requirements.tally(table);
    let kept: Vec<u32> = groups.rows.iter().flatten().copied().collect();
    let release = tally.of_rows(&kept);
    let fails = |rows: &&Vec<u32>| {
        !rows.is_empty() && !plan.requirements.holds(&tally.of_rows(rows), &release)
    };
    match groups.rows.par_iter().filter(fails).count() {
        0 => Ok(()),
        failing => Err(Error::infeasible(format!(
            "{failing} groups of classes have the same statistics and don't satisfy the models \
                together"
        ))
        .hint("publish the interval of every column too: it tells these classes apart")),
    }
}
