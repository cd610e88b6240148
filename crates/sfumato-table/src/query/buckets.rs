//! Queries over a bucket release: exact if they are only about quasi values, and reconstructed if
//! they are about sensitive values too.
//!
//! In a group of n records, a satisfy the conditions on quasi columns and b those on a sensitive
//! one. The release doesn't say which records satisfy both: the estimate is a b / n (Xiao and Tao
//! 2006), the lower bound is the larger of 0 and (a + b) - n, and the upper bound is the smaller of
//! a and b.

use sfumato_core::dataset::{Role, ValueKind};
use sfumato_core::observer::Observer;
use sfumato_core::workload::Condition;
use sfumato_core::{Error, FastMap, Result};

use super::TableQueryRequest;
use super::answer::{Bounds, Group, Value, answer};
use super::axis::Axis;
use super::cell::Cell;
use super::column::Column;
use super::parse::{Aggregate, Query};
use super::table::{Answered, unknown_column, values};
use super::tree::Tree;
use crate::data::class_index::rows_by_class;
use crate::forms::buckets::read::{BucketTable, is_linked, read_linked, read_permuted};

/// A bucket release that is queried.
pub struct BucketQueries<'a> {
    request: &'a TableQueryRequest,
    trees: &'a FastMap<String, Tree>,
    table: BucketTable,
    members: Vec<Vec<u32>>,
}

/// One column of a query: which of its codes are selected, and the value of each if it is
/// aggregated.
struct Asked {
    /// The place of the column in the table.
    place: usize,
    /// The part of the release to which it belongs: 0 for quasi columns, then one for each
    /// sensitive column.
    part: usize,
    selects: Vec<bool>,
    has_conditions: bool,
    values: Option<Vec<Option<f64>>>,
}

impl<'a> BucketQueries<'a> {
    /// Read the release of a request, if it is one of buckets.
    pub fn read(
        request: &'a TableQueryRequest,
        trees: &'a FastMap<String, Tree>,
        observer: &dyn Observer,
    ) -> Result<Option<Self>> {
        let path = &request.release.path;
        let table = match (is_linked(path), &request.group) {
            (true, _) => read_linked(path, observer)?,
            (false, None) => return Ok(None),
            (false, Some(group)) => {
                let sensitive =
                    request.job.columns.0.iter().filter(|(_, spec)| spec.role == Role::Sensitive);
                let sensitive: Vec<String> = sensitive.map(|(name, _)| name.clone()).collect();
                if sensitive.is_empty() {
                    return Err(Error::params("no sensitive column was named").hint(
                        "say which are permuted with --sensitive a,b or --job release.toml",
                    ));
                }
                read_permuted(&request.release, group, &sensitive, observer)?
            }
        };
        let members = rows_by_class(&table.group_of_row, &table.sizes);
        Ok(Some(BucketQueries { request, trees, table, members }))
    }

    /// The number of records.
    pub fn n_rows(&self) -> usize {
        self.table.raw.n_rows
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
        let mut asked = Vec::with_capacity(names.len());
        let mut axis = None;
        for name in names {
            let of_column: Vec<&Condition> =
                conditions.iter().filter(|c| c.column == name).collect();
            let is_aggregated = query.column.as_deref() == Some(name);
            let (column, its_axis) =
                self.asked(name, &of_column, is_aggregated.then_some(query.aggregate))?;
            axis = axis.or(its_axis.filter(|_| is_aggregated));
            asked.push(column);
        }
        let parts = self.parts(&asked);
        Ok(Answered { bounds: self.bounds(query.aggregate, &asked, &parts), axis })
    }

    fn asked(
        &self,
        name: &str,
        conditions: &[&Condition],
        aggregate: Option<Aggregate>,
    ) -> Result<(Asked, Option<Axis>)> {
        let raw = &self.table.raw;
        let Some(place) = raw.columns.iter().position(|column| column.name == name) else {
            let names: Vec<String> = raw.columns.iter().map(|column| column.name.clone()).collect();
            return Err(unknown_column(name, &names).in_file(&self.request.release.path));
        };
        let compared: Vec<&str> =
            conditions.iter().flat_map(|condition| values(condition)).collect();
        // Every cell is a value, as in an original.
        let column = Column::new(self.request, raw, name, self.trees.get(name), true, &compared)?;
        let tests = if conditions.is_empty() { Vec::new() } else { column.tests(conditions)? };
        match aggregate {
            Some(_) if column.axis.is_none() => return Err(column.no_order()),
            Some(Aggregate::Sum) if !column.is_number() => return Err(column.no_sum()),
            _ => {}
        }
        let words = Axis::new(ValueKind::Text, std::iter::empty());
        let axis = column.axis.unwrap_or(words);
        let cells: Vec<Cell> = (0..raw.columns[place].values.len() as u32)
            .map(|code| column.cell_of(&|_| code))
            .collect();
        let selects = cells
            .iter()
            .map(|cell| tests.iter().all(|test| cell.chance(test, &axis, &column.spread).can));
        let value = |cell: &Cell| match cell {
            Cell::Span(span) => Some(axis.units(span.lo)),
            _ => None,
        };
        let part = self
            .table
            .sensitive
            .iter()
            .position(|sensitive| sensitive == name)
            .map_or(0, |place| place + 1);
        let asked = Asked {
            place,
            part,
            selects: selects.collect(),
            has_conditions: !tests.is_empty(),
            values: aggregate.map(|_| cells.iter().map(value).collect()),
        };
        Ok((asked, column.axis))
    }

    /// For each part with conditions, or with the aggregated column, how many records of each group
    /// satisfy them.
    fn parts(&self, asked: &[Asked]) -> Vec<(usize, Vec<u64>)> {
        let mut parts: Vec<usize> = asked
            .iter()
            .filter(|column| column.has_conditions || column.values.is_some())
            .map(|c| c.part)
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let count = |part: usize| {
            let selected = |row: &&u32| self.is_selected(asked, part, **row as usize);
            self.members.iter().map(|rows| rows.iter().filter(selected).count() as u64).collect()
        };
        parts.into_iter().map(|part| (part, count(part))).collect()
    }

    /// Whether a row satisfies the conditions on one part.
    fn is_selected(&self, asked: &[Asked], part: usize, row: usize) -> bool {
        let mut of_part = asked.iter().filter(|column| column.part == part);
        of_part.all(|column| {
            column.selects[self.table.raw.columns[column.place].codes.get(row) as usize]
        })
    }

    fn bounds(&self, aggregate: Aggregate, asked: &[Asked], parts: &[(usize, Vec<u64>)]) -> Bounds {
        let target = asked.iter().find_map(|column| Some((column, column.values.as_ref()?)));
        let (mut guess, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for (group, rows) in self.members.iter().enumerate() {
            let n = rows.len() as u64;
            // The part whose records are summed up, or any, and what the others leave of it.
            let own = target.map_or_else(
                || parts.first().map(|(part, _)| *part),
                |(column, _)| Some(column.part),
            );
            let of = |part: usize| {
                parts.iter().find(|(p, _)| *p == part).map_or(n, |(_, counts)| counts[group])
            };
            let pool = own.map_or(n, of);
            let others: Vec<u64> = parts
                .iter()
                .filter(|(part, _)| Some(*part) != own)
                .map(|(_, counts)| counts[group])
                .collect();
            let share = others.iter().fold(1.0, |share, other| share * *other as f64 / n as f64);
            let most = others.iter().copied().fold(pool, u64::min);
            let least = others.iter().fold(pool, |least, other| (least + other).saturating_sub(n));
            let Some((column, values)) = target else {
                guess.push(Group { share, ..one(pool, None, true, share > 0.0) });
                low.push(one(least, None, true, least > 0));
                high.push(one(most, None, true, most > 0));
                continue;
            };
            let codes = &self.table.raw.columns[column.place].codes;
            let selected =
                rows.iter().filter(|row| self.is_selected(asked, column.part, **row as usize));
            let mut valued: Vec<f64> =
                selected.filter_map(|row| values[codes.get(*row as usize) as usize]).collect();
            valued.sort_by(f64::total_cmp);
            let without = pool - valued.len() as u64;
            let (least, most) =
                (least.saturating_sub(without) as usize, (most as usize).min(valued.len()));
            guess.extend(
                valued
                    .iter()
                    .map(|x| Group { share, ..one(1, Some(*x), share >= 1.0, share > 0.0) }),
            );
            let certainly = |place: usize| place < least;
            low.extend(
                valued
                    .iter()
                    .take(most)
                    .enumerate()
                    .map(|(place, x)| one(1, Some(*x), certainly(place), true)),
            );
            let largest = valued.iter().rev().take(most).enumerate();
            high.extend(largest.map(|(place, x)| one(1, Some(*x), certainly(place), true)));
        }
        Bounds {
            estimate: answer(aggregate, &guess).estimate,
            lower: answer(aggregate, &low).lower,
            upper: answer(aggregate, &high).upper,
        }
    }
}

/// A group of `n` records with an exact value, or only counted.
fn one(n: u64, value: Option<f64>, must: bool, can: bool) -> Group {
    let value = value.map_or(Value::NONE, |x| Value {
        lo: x,
        hi: x,
        may_miss: false,
        mean: (x, x),
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        centre: x,
    });
    Group { n: n as f64, can, must, share: 1.0, value }
}
