//! Reads what queries need from a file, and groups its records by their cells.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::{Role, ValueKind};
use sfumato_core::observer::Observer;
use sfumato_core::registry::edit_distance;
use sfumato_core::workload::{Bound, Condition};
use sfumato_core::{Error, FastMap, Result};

use super::TableQueryRequest;
use super::answer::{Bounds, Group, Value, answer};
use super::axis::Axis;
use super::cell::{Cell, Chance, Span, Test, Wanted};
use super::column::Column;
use super::parse::{Aggregate, Query};
use super::tree::Tree;
use crate::data::class_index::ClassIndex;
use crate::forms::generalized::statistics::RegionStatistic;
use crate::job::InputSpec;
use sfumato_engine::input::read_options;

/// A file that is queried.
pub struct QueryTable<'a> {
    request: &'a TableQueryRequest,
    trees: &'a FastMap<String, Tree>,
    raw: RawTable,
    is_original: bool,
}

/// An answer, and how its figures are shown: as counts if there is no axis.
pub struct Answered {
    /// The figures.
    pub bounds: Bounds,
    /// The order of the aggregated column.
    pub axis: Option<Axis>,
}

impl<'a> QueryTable<'a> {
    /// Read the columns that some queries name, with their statistics, and the columns that make a
    /// class if roles are known.
    pub fn read(
        request: &'a TableQueryRequest,
        trees: &'a FastMap<String, Tree>,
        input: &InputSpec,
        names: &[String],
        is_original: bool,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let quasi = request.job.columns.0.iter().filter(|(_, spec)| spec.role == Role::Quasi);
        let quasi: Vec<&String> = quasi.map(|(name, _)| name).filter(|_| !is_original).collect();
        let parts = |name: &str| RegionStatistic::ALL.map(|part| part.name(name));
        let mut select = |header: &[String]| -> Result<Vec<bool>> {
            for name in names {
                let is_there = header.contains(name)
                    || (!is_original && parts(name).iter().any(|part| header.contains(part)));
                if !is_there {
                    return Err(unknown_column(name, header).in_file(&input.path));
                }
            }
            let wanted = |column: &String| {
                let is_of = |name: &String| {
                    name == column || (!is_original && parts(name).contains(column))
                };
                names.iter().any(is_of) || quasi.iter().any(|name| is_of(name))
            };
            let mut wanted: Vec<bool> = header.iter().map(wanted).collect();
            // Records are counted even where no column is looked at.
            if !wanted.contains(&true) {
                wanted.iter_mut().take(1).for_each(|first| *first = true);
            }
            Ok(wanted)
        };
        let mut options = read_options(input)?;
        if is_original {
            // The release has dates and numbers in their plain form.
            for (name, spec) in &request.job.columns.0 {
                if let Some(written) = &spec.written {
                    options.written.push((name.clone(), written.parse()?));
                }
            }
        }
        let raw = sfumato_io::read(&input.path, &options, &mut select, observer)?;
        Ok(QueryTable { request, trees, raw, is_original })
    }

    /// How many records the file has.
    pub fn n_rows(&self) -> usize {
        self.raw.n_rows
    }

    /// Answer a query.
    pub fn answer(&self, query: &Query) -> Result<Answered> {
        let conditions: &[Condition] =
            query.predicate.as_ref().map_or(&[], |predicate| &predicate.conditions);
        let mut names: Vec<&str> =
            conditions.iter().map(|condition| condition.column.as_str()).collect();
        names.extend(query.column.as_deref());
        names.sort_unstable();
        names.dedup();
        let mut columns = Vec::with_capacity(names.len());
        for name in names {
            let of_column: Vec<&Condition> =
                conditions.iter().filter(|c| c.column == name).collect();
            let values: Vec<&str> =
                of_column.iter().flat_map(|condition| values(condition)).collect();
            let tree = self.trees.get(name);
            let column =
                Column::new(self.request, &self.raw, name, tree, self.is_original, &values)?;
            let tests = if of_column.is_empty() { Vec::new() } else { column.tests(&of_column)? };
            columns.push(Asked {
                is_aggregated: query.column.as_deref() == Some(name),
                column,
                tests,
            });
        }
        let target = columns.iter().find(|asked| asked.is_aggregated).map(|asked| &asked.column);
        if let Some(target) = target {
            if target.axis.is_none() {
                return Err(target.no_order());
            }
            if query.aggregate == Aggregate::Sum && !target.is_number() {
                return Err(target.no_sum());
            }
        }
        let axis = target.and_then(|column| column.axis);
        Ok(Answered { bounds: answer(query.aggregate, &self.groups(&columns)), axis })
    }

    /// Conditions that nothing in the release fits but cells that may be anything: the value may be
    /// mistyped, or spelled otherwise there.
    pub fn doubts(&self, query: &Query) -> Result<Vec<String>> {
        let conditions = query.predicate.iter().flat_map(|predicate| &predicate.conditions);
        let mut doubts = Vec::new();
        for condition in conditions {
            let (name, tree) = (condition.column.as_str(), self.trees.get(&condition.column));
            let values = values(condition);
            let column =
                Column::new(self.request, &self.raw, name, tree, self.is_original, &values)?;
            let tests = column.tests(&[condition])?;
            let words = Axis::new(ValueKind::Text, std::iter::empty());
            let axis = column.axis.unwrap_or(words);
            let mut telling = column
                .cells
                .iter()
                .flat_map(|(_, cells)| cells)
                .filter(|cell| !cell.is_anything())
                .peekable();
            let is_met =
                |cell: &Cell| tests.iter().all(|test| cell.chance(test, &axis, &column.spread).can);
            if telling.peek().is_some() && !telling.any(is_met) {
                let shown =
                    sfumato_core::workload::Predicate { conditions: vec![condition.clone()] };
                doubts.push(format!(
                    "no value of column '{name}' in the release fits {shown}: is it spelled as \
                     there?"
                ));
            }
        }
        Ok(doubts)
    }

    /// Group the records by all columns of a query, and collect what is known about each group.
    fn groups(&self, columns: &[Asked<'_>]) -> Vec<Group> {
        let mut places: Vec<usize> =
            columns.iter().flat_map(|asked| asked.column.places()).collect();
        let classes = self.class_places(columns);
        places.extend(&classes);
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            let value = Value::NONE;
            return vec![Group {
                n: self.raw.n_rows as f64,
                can: true,
                must: true,
                share: 1.0,
                value,
            }];
        }
        let mut index = ClassIndex::new(places.len());
        const BLOCK: usize = 1 << 16;
        for first in (0..self.raw.n_rows).step_by(BLOCK) {
            let rows = first..(first + BLOCK).min(self.raw.n_rows);
            let codes: Vec<Vec<u32>> = places
                .iter()
                .map(|place| {
                    rows.clone().map(|row| self.raw.columns[*place].codes.get(row)).collect()
                })
                .collect();
            index.add(&codes.iter().map(Vec::as_slice).collect::<Vec<_>>(), rows.len(), None);
        }
        let sizes = index.sizes.clone();
        let keys = index.into_class_table(None).keys;
        let code =
            |group: usize, place: usize| keys[places.binary_search(&place).unwrap_or(0)][group];
        let chances: Vec<Chance> = (0..sizes.len())
            .map(|group| {
                let chance = |asked: &Asked<'_>| asked.chance(&|place| code(group, place));
                columns.iter().map(chance).fold(Chance::YES, Chance::and)
            })
            .collect();
        // Statistics are of whole classes, so they bound only what selects a class as a whole.
        let class_of = |group: usize| -> Vec<u32> {
            classes.iter().map(|place| code(group, *place)).collect()
        };
        let mut is_whole: FastMap<Vec<u32>, bool> = FastMap::default();
        for (group, chance) in chances.iter().enumerate() {
            *is_whole.entry(class_of(group)).or_insert(true) &= chance.must;
        }
        let target = columns.iter().find(|asked| asked.is_aggregated);
        (0..sizes.len())
            .map(|group| {
                let Chance { can, must, share } = chances[group];
                let whole = is_whole.get(&class_of(group)).copied().unwrap_or(false);
                let steps = |column: &Column<'_>| self.steps(column).filter(|_| whole);
                let value = target.map_or(Value::NONE, |asked| {
                    asked.value(&|place| code(group, place), steps(&asked.column), must)
                });
                Group { n: sizes[group] as f64, can, must, share, value }
            })
            .collect()
    }

    /// The places of the columns that make a class: everything published of all columns that are
    /// known to be quasi, or else of the aggregated column. Records that are alike only in the
    /// latter belong to several whole classes, for which the same statistics are true.
    fn class_places(&self, columns: &[Asked<'_>]) -> Vec<usize> {
        let target = columns.iter().find(|asked| asked.is_aggregated);
        let Some(target) = target.filter(|asked| asked.column.parts.iter().any(Option::is_some))
        else {
            return Vec::new();
        };
        let mut places = target.column.places();
        let quasi = |name: &str| {
            self.request.job.columns.get(name).is_some_and(|spec| spec.role == Role::Quasi)
        };
        let base = |name: &str| {
            let word = RegionStatistic::ALL
                .iter()
                .find_map(|part| name.strip_suffix(part.word())?.strip_suffix('.'));
            word.is_some_and(quasi)
        };
        let is_class = |name: &str| quasi(name) || base(name);
        places.extend(
            (0..self.raw.columns.len()).filter(|place| is_class(&self.raw.columns[*place].name)),
        );
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How far statistics may lie from the exact values, if the grid is known.
    fn steps(&self, column: &Column<'_>) -> Option<Steps> {
        let axis = column.axis?;
        let spec = self.request.job.columns.get(&column.name)?;
        let is_number = column.is_number();
        match (spec.snap, self.request.is_job) {
            // At the end of the calendar a mean may lie a whole step off.
            (Some(snap), _) => {
                let half = if is_number { 0.5 } else { 1.0 };
                Some(Steps { range: axis.width(snap), mean: axis.width(snap * half) })
            }
            (None, false) => None,
            // Without a grid extremes are exact, and means are rounded: to two digits beyond the
            // column's, a day, a second.
            (None, true) => {
                Some(Steps { range: 0.0, mean: axis.width(if is_number { 0.005 } else { 1.0 }) })
            }
        }
    }
}

/// How far extremes and means may lie from the exact values, in the units of the column.
#[derive(Debug, Clone, Copy)]
struct Steps {
    range: f64,
    mean: f64,
}

/// A column of a query.
struct Asked<'a> {
    column: Column<'a>,
    tests: Vec<Test>,
    is_aggregated: bool,
}

impl Asked<'_> {
    fn chance(&self, code: &dyn Fn(usize) -> u32) -> Chance {
        if self.tests.is_empty() {
            return Chance::YES;
        }
        let words = Axis::new(ValueKind::Text, std::iter::empty());
        let (cell, axis) = (self.column.cell_of(code), self.column.axis.unwrap_or(words));
        let chance = |test: &Test| cell.chance(test, &axis, &self.column.spread);
        self.tests.iter().map(chance).fold(Chance::YES, Chance::and)
    }

    /// What is known about the selected values. `steps`: whole classes are selected, and their
    /// statistics are right up to these steps.
    fn value(&self, code: &dyn Fn(usize) -> u32, steps: Option<Steps>, must: bool) -> Value {
        let (Cell::Span(span), Some(axis)) = (self.column.cell_of(code), self.column.axis) else {
            return Value::NONE;
        };
        let wanted = self.tests.iter().find_map(|test| match test {
            Test::Range(wanted) => Some(*wanted),
            _ => None,
        });
        let Wanted { lo, hi, .. } = wanted.unwrap_or(Wanted::ALL);
        let part = |part: usize| {
            let (place, keys) = self.column.parts[part].as_ref()?;
            keys[code(*place) as usize].map(|key| axis.units(key))
        };
        let inside = span.within(Some(lo), Some(hi));
        if inside.lo > inside.hi {
            return Value::NONE;
        }
        let (low, high) = (axis.units(inside.lo), axis.units(inside.hi));
        let mut value = Value {
            lo: low,
            hi: high,
            may_miss: span.may_miss,
            mean: (low, high),
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            centre: self.centre(&inside, &axis, part(2).filter(|_| must || wanted.is_none())),
        };
        if let Some(steps) = steps {
            if let Some(mean) = part(2) {
                // Floats are rounded to ten digits.
                let slack = steps.mean.max(1e-9 * mean.abs());
                value.mean = (low.max(mean - slack), high.min(mean + slack));
            }
            value.least = part(0).map_or(f64::INFINITY, |least| least + steps.range);
            value.most = part(1).map_or(f64::NEG_INFINITY, |most| most - steps.range);
        }
        value
    }

    /// The estimated value of a region: the mean if the file has it, or else the middle.
    fn centre(&self, span: &Span, axis: &Axis, mean: Option<f64>) -> f64 {
        let spread = &self.column.spread;
        let known = span.keys.as_ref().map(|keys| {
            let inside: Vec<f64> = keys
                .iter()
                .filter(|key| (span.lo..=span.hi).contains(key))
                .map(|key| axis.units(*key))
                .collect();
            inside.iter().sum::<f64>() / inside.len() as f64
        });
        let (lo, hi) = (span.lo.max(spread.lo), span.hi.min(spread.hi));
        let middle = || axis.units(lo) / 2.0 + axis.units(hi) / 2.0;
        mean.or(known.filter(|known| known.is_finite())).unwrap_or_else(middle)
    }
}

/// The values that a condition names.
pub(super) fn values(condition: &Condition) -> Vec<&str> {
    match &condition.bound {
        Bound::Is(value) | Bound::Below(value, _) | Bound::Above(value, _) => vec![value],
        Bound::Between(from, to) => vec![from, to],
    }
}

pub(super) fn unknown_column(name: &str, header: &[String]) -> Error {
    let near = header.iter().min_by_key(|known| edit_distance(known, name));
    let near = near.filter(|near| edit_distance(near, name) <= 2.max(name.len() / 3));
    Error::params(format!("the file has no column '{name}'")).hint(match near {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("its columns are {}", header.join(", ")),
    })
}
