//! Which statistics a job asks for: by `publish` of a column, or by an aggregation of its workload.
//! All errors about them are found here, before anything is anonymized.

use sfumato_core::dataset::{Column, Role, Table, ValueKind};
use sfumato_core::traits::{Requirements, Scope};
use sfumato_core::workload::{Statistic, Workload};
use sfumato_core::{Error, Result};

use super::RegionStatistic;
use crate::job::{Job, ShownAs};

/// The published columns of one quasi column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnForms {
    /// Its place among the table's columns.
    pub column: usize,
    /// Its place among the quasi columns.
    pub quasi: usize,
    /// Whether the generalized text is written.
    pub interval: bool,
    /// Whether minimum and maximum are written.
    pub range: bool,
    /// Whether the mean is written.
    pub mean: bool,
    /// The grid that statistics are rounded to.
    pub snap: Option<Snap>,
}

impl ColumnForms {
    /// The statistics that are written, in the order of their columns.
    pub fn parts(&self) -> impl Iterator<Item = RegionStatistic> + '_ {
        RegionStatistic::ALL
            .into_iter()
            .filter(|part| if *part == RegionStatistic::Mean { self.mean } else { self.range })
    }
}

/// A grid: the multiples of a decimal number, in the unit of the column (days for dates, seconds
/// for times).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snap {
    /// The number without its decimal point.
    pub units: i128,
    /// The number of digits after the point.
    pub digits: u8,
    /// The number.
    pub number: f64,
}

/// The largest number of digits after the point of a grid: sums of four billion values times this
/// still fit 128 bits.
const MOST_DIGITS: usize = 9;

impl Snap {
    /// Make a grid from the number in a job.
    pub fn new(number: f64) -> Option<Self> {
        if !(number.is_finite() && number > 0.0 && number <= 1e15) {
            return None;
        }
        let text = number.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let units = format!("{whole}{fraction}").parse().ok()?;
        (fraction.len() <= MOST_DIGITS).then_some(Snap {
            units,
            digits: fraction.len() as u8,
            number,
        })
    }
}

/// A column of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileColumn {
    /// The cells of a column of the table, generalized or not.
    Cells(usize),
    /// A statistic of a column of the table.
    Statistic(usize, RegionStatistic),
}

impl FileColumn {
    /// Its name in the release.
    pub fn name(self, table: &Table) -> String {
        match self {
            FileColumn::Cells(column) => table.columns[column].name.clone(),
            FileColumn::Statistic(column, part) => part.name(&table.columns[column].name),
        }
    }
    /// Its column of the table.
    pub fn column(self) -> usize {
        match self {
            FileColumn::Cells(column) | FileColumn::Statistic(column, _) => column,
        }
    }
}

/// The published columns of all quasi columns that aren't published as the generalized text alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forms {
    /// In the order of the table.
    pub columns: Vec<ColumnForms>,
}

impl Forms {
    /// Whether no statistic is asked for.
    pub fn is_plain(&self) -> bool {
        self.columns.is_empty()
    }
    /// Whether the generalized text of every quasi column is written.
    pub fn has_all_intervals(&self) -> bool {
        self.columns.iter().all(|forms| forms.interval)
    }
    /// The published columns of a column of the table, if it has statistics.
    pub fn of(&self, column: usize) -> Option<&ColumnForms> {
        self.columns.iter().find(|forms| forms.column == column)
    }
    /// The columns of the release, in their order: statistics directly follow their column.
    pub fn file_columns(&self, table: &Table) -> Vec<FileColumn> {
        let mut all = Vec::new();
        for column in
            (0..table.columns.len()).filter(|column| table.columns[*column].role.is_published())
        {
            let forms = self.of(column);
            if forms.is_none_or(|forms| forms.interval) {
                all.push(FileColumn::Cells(column));
            }
            let parts = forms.into_iter().flat_map(ColumnForms::parts);
            all.extend(parts.map(|part| FileColumn::Statistic(column, part)));
        }
        all
    }
}

/// The statistics that a job asks for, checked against its table and its models.
pub fn resolve(
    job: &Job,
    table: &Table,
    workload: &Workload,
    requirements: &Requirements,
) -> Result<Forms> {
    if let Some((name, spec)) = job.columns.0.iter().find(|(_, spec)| {
        spec.role != Role::Quasi
            && (spec.snap.is_some() || !ShownAs::is_only_interval(&spec.publish))
    }) {
        return Err(Error::params(format!(
            "column '{name}' is {}: only the regions of quasi columns have statistics",
            spec.role.name()
        )));
    }
    let mut forms = Forms::default();
    let quasi =
        (0..table.columns.len()).filter(|column| table.columns[*column].role == Role::Quasi);
    for (quasi, place) in quasi.enumerate() {
        let column = &table.columns[place];
        let Some(spec) = job.columns.get(&column.name) else { continue };
        let tasked = |statistic| {
            workload.statistics.iter().any(|s| s.column == place && s.statistic == statistic)
        };
        if spec.publish.is_empty() {
            return Err(Error::params(format!(
                "column '{}' is to be published as nothing",
                column.name
            ))
            .hint(
                "name at least one of interval, range and mean, or make the column an identifier",
            ));
        }
        let asked = ColumnForms {
            column: place,
            quasi,
            interval: spec.publish.contains(&ShownAs::Interval),
            range: spec.publish.contains(&ShownAs::Range) || tasked(Statistic::Range),
            mean: spec.publish.contains(&ShownAs::Mean) || tasked(Statistic::Mean),
            snap: spec.snap.map(|number| snap(number, column)).transpose()?,
        };
        if asked.range || asked.mean {
            check_column(&asked, column)?;
            forms.columns.push(asked);
        } else if asked.snap.is_some() {
            return Err(Error::params(format!(
                "column '{}' has a snap and no statistic",
                column.name
            ))
            .hint("publish its range or its mean too, or leave the snap out"));
        }
    }
    check_names(&forms, table)?;
    let projected = requirements.iter().find(|requirement| requirement.scope() != Scope::Class);
    match projected.filter(|_| !forms.is_plain()) {
        None => Ok(forms),
        Some(requirement) if requirement.scope() == Scope::Matches => Err(Error::params(format!(
            "{} is about the regions that a record matches, and statistics would say more of a \
                region than that it covers the record",
            requirement.describe()
        ))
        .hint("publish the interval alone with this model")),
        Some(requirement) => Err(Error::params(format!(
            "{} is about groups that agree on some of the columns, and statistics are of whole \
                classes: they would tell the \
             classes of such a group apart",
            requirement.describe()
        ))
        .hint("publish the interval alone with this model")),
    }
}

fn snap(number: f64, column: &Column) -> Result<Snap> {
    Snap::new(number).ok_or_else(|| {
        Error::params(format!("the snap of column '{}' can't be {number}", column.name)).hint(
            format!(
                "it is a number above 0, at most 1e15, with at most {MOST_DIGITS} digits after the \
                point"
            ),
        )
    })
}

fn check_column(asked: &ColumnForms, column: &Column) -> Result<()> {
    let domain = &column.domain;
    if !domain.kind.is_ordered() && !domain.is_empty() {
        return Err(Error::params(format!(
            "column '{}' is {}: only numbers, dates and times have a range or a mean",
            column.name,
            domain.kind.name()
        ))
        .hint(match column.hierarchy {
            Some(_) => "a column is text too if its hierarchy has leaves that are no numbers",
            None => "leave its values as they are, or correct those that aren't numbers",
        }));
    }
    let Some(snap) = asked.snap else { return Ok(()) };
    let finest = match domain.kind {
        ValueKind::Date if snap.digits > 0 => Some("whole days"),
        ValueKind::DateTime | ValueKind::Time if snap.digits > 6 => Some("microseconds"),
        _ => None,
    };
    if let Some(unit) = finest {
        return Err(Error::params(format!(
            "the snap of column '{}' can't be {}: nothing is finer than {unit}",
            column.name, snap.number
        )));
    }
    if domain.kind == ValueKind::Time && snap.number > 86_400.0 {
        return Err(Error::params(format!(
            "the snap of column '{}' is longer than a day",
            column.name
        )));
    }
    let largest = domain.keys.iter().map(|key| domain.kind.number(*key).abs()).fold(0.0, f64::max);
    if domain.kind == ValueKind::Float && largest / snap.number >= 1e15 {
        return Err(Error::params(format!(
            "the snap of column '{}' is too fine for its values, which have 15 digits",
            column.name
        )));
    }
    Ok(())
}

/// Check that no statistic takes the name of an existing column.
fn check_names(forms: &Forms, table: &Table) -> Result<()> {
    for asked in &forms.columns {
        for part in asked.parts() {
            let name = part.name(&table.columns[asked.column].name);
            if table.columns.iter().any(|column| column.name == name) {
                return Err(Error::params(format!(
                    "the data has a column '{name}' already, which is the name of a statistic of \
                        column '{}'",
                    table.columns[asked.column].name
                ))
                .hint("rename it in the data, drop it, or publish another form"));
            }
        }
    }
    Ok(())
}
