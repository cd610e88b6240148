//! Checks whether a published statistic is true of its class, and whether it may be published at
//! all, from the text alone.
//!
//! This is deliberately not the code that computed the statistics: it asks what must be true of a
//! minimum, a maximum and a mean on a grid, and when they must be withheld (see `docs/regions.md`),
//! and compares with the originals of the class's rows.

use rayon::prelude::*;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::dataset::{Column, Table, ValueKind};
use sfumato_core::{FastMap, FastSet};

use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::statistics::{ColumnForms, LEAST_PEOPLE, RegionStatistic, Snap};

/// A tolerance for sums of floats that are added in different orders.
const SLACK: f64 = 1e-9;

/// Checks the cells of one column of statistics.
pub struct StatisticCheck<'a> {
    column: &'a Column,
    part: RegionStatistic,
    snap: Option<Snap>,
    /// The distinct texts so far. `None` is withheld.
    texts: Vec<Option<String>>,
}

/// The records of a class that have a value, by value: the key, and the person.
type Records = Vec<(i64, u32)>;

impl<'a> StatisticCheck<'a> {
    /// A check for a statistic of a column of the original.
    pub fn new(column: &'a Column, forms: &ColumnForms, part: RegionStatistic) -> Self {
        StatisticCheck { column, part, snap: forms.snap, texts: Vec::new() }
    }

    /// The name of the statistic's column.
    pub fn name(&self) -> String {
        self.part.name(&self.column.name)
    }

    /// Read the texts that are new in the dictionary.
    pub fn learn(&mut self, dictionary: &Dictionary, null: Option<u32>) {
        for code in self.texts.len() as u32..dictionary.len() as u32 {
            let text = dictionary.get(code);
            self.texts.push((Some(code) != null && !text.is_empty()).then(|| text.to_string()));
        }
    }

    /// What is wrong with a published statistic of a class, if anything, given the rows of the
    /// original in it.
    pub fn fault(
        &self,
        published: u32,
        rows: &[u32],
        subject: Option<&Codes>,
        least_people: u64,
    ) -> Option<&'static str> {
        let person = |row: u32| subject.map_or(row, |subject| subject.get(row as usize));
        let key = |row: u32| self.column.domain.key(self.column.codes.get(row as usize));
        let mut records: Records =
            rows.iter().filter_map(|row| Some((key(*row)?, person(*row)))).collect();
        records.sort_unstable();
        let people =
            records.iter().map(|(_, person)| *person).collect::<FastSet<u32>>().len() as u64;
        let few = people < least_people.max(2);
        match &self.texts[published as usize] {
            None if few || self.dominated(&records, -2.0 * SLACK) => None,
            None => Some("is withheld without need"),
            Some(_) if records.is_empty() => Some("describes a class without values"),
            Some(_) if few => Some("describes too few people"),
            Some(_) if self.dominated(&records, SLACK) => Some("is dominated by one person"),
            Some(text) if self.is_true(text, &records) => None,
            Some(_) => Some("isn't that of its class"),
        }
    }

    fn kind(&self) -> ValueKind {
        self.column.domain.kind
    }

    /// Whether one person dominates. The tolerance is added to the half with which floats are
    /// compared.
    fn dominated(&self, records: &Records, slack: f64) -> bool {
        let kind = self.kind();
        if self.part == RegionStatistic::Mean && kind.is_number() {
            if kind == ValueKind::Float {
                let mut of: FastMap<u32, f64> = FastMap::default();
                let n = records.len() as f64;
                records
                    .iter()
                    .for_each(|(key, p)| *of.entry(*p).or_default() += kind.number(*key).abs() / n);
                let total: f64 = records.iter().map(|(key, _)| kind.number(*key).abs() / n).sum();
                return total > 0.0 && of.values().any(|sum| *sum > total * (0.5 + slack));
            }
            let mut of: FastMap<u32, u128> = FastMap::default();
            records
                .iter()
                .for_each(|(key, p)| *of.entry(*p).or_default() += u128::from(key.unsigned_abs()));
            let total: u128 = records.iter().map(|(key, _)| u128::from(key.unsigned_abs())).sum();
            return of.values().any(|sum| *sum > total - sum);
        }
        // The end of the range, whose it is, and where the range would end without that person.
        let end = |from_top: bool| {
            let mut order: Box<dyn Iterator<Item = &(i64, u32)>> =
                if from_top { Box::new(records.iter().rev()) } else { Box::new(records.iter()) };
            let first = order.next()?;
            Some((first.0, first.1, order.find(|record| record.1 != first.1)?.0))
        };
        let (Some((low, of_low, next_low)), Some((high, of_high, next_high))) =
            (end(false), end(true))
        else {
            return true;
        };
        let both = of_low == of_high;
        let without_low = (next_low, if both { next_high } else { high });
        let without_high = (if both { next_low } else { low }, next_high);
        let width = |range: (i64, i64)| match kind {
            ValueKind::Float => kind.number(range.1) / 2.0 - kind.number(range.0) / 2.0,
            _ => 0.0,
        };
        [without_low, without_high].into_iter().any(|rest| match kind {
            ValueKind::Float => width((low, high)) > 2.0 * width(rest),
            _ => i128::from(high) - i128::from(low) > 2 * (i128::from(rest.1) - i128::from(rest.0)),
        })
    }

    fn is_true(&self, text: &str, records: &Records) -> bool {
        match self.kind() {
            ValueKind::Text => false,
            ValueKind::Float => self.is_true_float(text, records),
            ValueKind::Integer => self.is_true_decimal(text, records, 0),
            ValueKind::Decimal { scale } => self.is_true_decimal(text, records, scale),
            ValueKind::Date => {
                self.is_true_day(text, records, 1, self.snap.map_or(1, |snap| snap.units))
            }
            ValueKind::DateTime | ValueKind::Time => {
                let second = 1_000_000;
                let step = self
                    .snap
                    .map_or(second, |s| s.units * second / 10i128.pow(u32::from(s.digits)));
                self.is_true_day(text, records, second, step)
            }
        }
    }

    fn is_true_decimal(&self, text: &str, records: &Records, scale: u8) -> bool {
        let digits = self.snap.map_or(scale + 2, |snap| snap.digits.max(scale));
        let Some(published) = exact(text, digits) else { return false };
        let unit = 10i128.pow(u32::from(digits - scale));
        match self.snap {
            Some(snap) => {
                let step = snap.units * 10i128.pow(u32::from(digits - snap.digits));
                published % step == 0 && self.is_near(published, records, unit, step)
            }
            None if self.part == RegionStatistic::Mean => self.is_near(published, records, unit, 1),
            None => self.is_near(published, records, unit, 0),
        }
    }

    /// Check dates and times. If the calendar ends before the next point of the grid, its end
    /// stands for that point.
    fn is_true_day(&self, text: &str, records: &Records, default: i128, step: i128) -> bool {
        let Some(published) = self.kind().parse(text).map(i128::from) else { return false };
        let (rounds, exact) = (self.part == RegionStatistic::Mean, self.snap.is_none());
        let step = if exact && rounds { default } else { step };
        if exact && !rounds {
            return self.is_near(published, records, 1, 0);
        }
        let is_day = |key: i128| {
            i64::try_from(key)
                .is_ok_and(|key| self.kind().parse(&self.kind().format(key)) == Some(key))
        };
        let on_grid = published % step == 0;
        let (above, below) =
            (published - published.rem_euclid(step) + step, published - published.rem_euclid(step));
        match self.part {
            RegionStatistic::Min => {
                self.is_near(published, records, 1, step) && (on_grid || !is_day(below))
            }
            RegionStatistic::Max => {
                self.is_near(published, records, 1, step) && (on_grid || !is_day(above))
            }
            RegionStatistic::Mean => {
                let is_last = !is_day(published + step) || !is_day(published - step);
                on_grid
                    && self.is_near(published, records, 1, if is_last { 2 * step } else { step })
            }
        }
    }

    /// Whether a minimum lies less than a step below the smallest value, a maximum less than a step
    /// above the largest, and a mean at most half a step from that of the class. A step of 0
    /// requires the value itself.
    fn is_near(&self, published: i128, records: &Records, unit: i128, step: i128) -> bool {
        let value =
            |record: Option<&(i64, u32)>| record.map_or(0, |(key, _)| i128::from(*key) * unit);
        let within = |gap: i128| gap == 0 || (0 < gap && gap < step);
        match self.part {
            RegionStatistic::Min => within(value(records.first()) - published),
            RegionStatistic::Max => within(published - value(records.last())),
            RegionStatistic::Mean => {
                let n = records.len() as i128;
                let sum: i128 = records.iter().map(|record| value(Some(record))).sum();
                2 * (published * n - sum).abs() <= n * step
            }
        }
    }

    fn is_true_float(&self, text: &str, records: &Records) -> bool {
        let Ok(published) = text.parse::<f64>() else { return false };
        let number = |record: &(i64, u32)| self.kind().number(record.0);
        let (Some(low), Some(high)) = (records.first().map(number), records.last().map(number))
        else {
            return false;
        };
        let n = records.len() as f64;
        let mean: f64 = records.iter().map(|record| number(record) / n).sum();
        let size: f64 = records.iter().map(|record| (number(record) / n).abs()).sum();
        let Some(snap) = self.snap.map(|snap| snap.number) else {
            return match self.part {
                RegionStatistic::Min => published == low,
                RegionStatistic::Max => published == high,
                RegionStatistic::Mean => (published - mean).abs() <= SLACK * size,
            };
        };
        let point = (published / snap).round() * snap;
        if (published - point).abs() > 8.0 * f64::EPSILON * published.abs() {
            return false;
        }
        let step = snap * (1.0 + SLACK) + 8.0 * f64::EPSILON * size;
        match self.part {
            RegionStatistic::Min => published <= low && low - published < step,
            RegionStatistic::Max => published >= high && published - high < step,
            RegionStatistic::Mean => (published - mean).abs() <= step / 2.0 + SLACK * size,
        }
    }
}

/// What is wrong with the statistics of a release, if anything. `keys` are what makes a class: for
/// each column its code in each class, and its check if it is a statistic; `rows` are the rows of
/// each class.
pub fn first_fault(
    plan: &Plan,
    table: &Table,
    keys: &[(Option<&StatisticCheck<'_>>, &Vec<u32>)],
    rows: &[Vec<u32>],
) -> Option<String> {
    if plan.forms.has_all_intervals() {
        // Where all texts are written, statistics must not tell records apart that the texts don't.
        let texts: Vec<&Vec<u32>> =
            keys.iter().filter(|(check, _)| check.is_none()).map(|(_, codes)| *codes).collect();
        let distinct: FastSet<Vec<u32>> =
            (0..rows.len()).map(|class| texts.iter().map(|codes| codes[class]).collect()).collect();
        if distinct.len() < rows.len() {
            return Some("rows of one class carry different statistics".into());
        }
    }
    let least_people = plan.k.unwrap_or(LEAST_PEOPLE);
    keys.iter().filter_map(|(check, codes)| Some(((*check)?, *codes))).find_map(|(check, codes)| {
        let fault = |(class, rows): (usize, &Vec<u32>)| {
            Some((rows[0], check.fault(codes[class], rows, table.subject.as_ref(), least_people)?))
        };
        let (row, what) = rows.par_iter().enumerate().filter_map(fault).min()?;
        Some(format!("the statistic of row {} in column '{}' {what}", row + 1, check.name()))
    })
}

/// A decimal number, with or without an exponent, as a whole number with `digits` digits after the
/// point. `None` if it has more.
fn exact(text: &str, digits: u8) -> Option<i128> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
    let shift = i32::from(digits) + exponent - i32::try_from(fraction.len()).ok()?;
    match u32::try_from(shift) {
        Ok(up) => mantissa.checked_mul(10i128.checked_pow(up)?),
        Err(_) => {
            let down = 10i128.checked_pow(shift.unsigned_abs())?;
            (mantissa % down == 0).then_some(mantissa / down)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(exact("37.5", 2), Some(3750));
        assert_eq!(exact("40.0", 0), Some(40));
        assert_eq!(exact("-4e1", 1), Some(-400));
        assert_eq!(exact("1.25e-1", 3), Some(125));
        assert_eq!(exact("37.555", 2), None);
        assert_eq!(exact("x", 2), None);
        assert_eq!(exact("1e99", 2), None);
    }
}
