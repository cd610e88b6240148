//! Combines the values that a metric has on parts of a table into the value of the whole, where
//! that is possible.
//!
//! Parts are whole classes: no class of the release may lie in two of them. A value that doesn't
//! follow from the parts is left out, never guessed.

use crate::traits::Measurement;

/// How the values of a metric on parts give its value on the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The mean, with parts weighted by their records, for metrics that are means over records.
    Mean,
    /// The sum, for metrics to which every record contributes its own value.
    Sum,
    /// The harmonic mean, with parts weighted by their published records, for the number of
    /// published records per class.
    Harmonic,
    /// The sum, except that each suppressed record costs the number of records of the whole instead
    /// of its part.
    Penalties,
    /// The sum with penalties for suppressed records, for metrics that are divided by the square of
    /// the number of records.
    Squares,
    /// The value doesn't follow from the parts: it counts distinct values or frequencies of whole
    /// columns, which a part doesn't know.
    Whole,
}

/// A part of a table, and the value of a metric on it. Parts without a value are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredPart {
    /// The value of the metric on the part.
    pub value: Measurement,
    /// The number of records of the part, suppressed ones included.
    pub records: u64,
    /// The number of suppressed records of the part.
    pub suppressed: u64,
}

/// The value of the whole. `None` without parts, and if the value doesn't follow from them.
pub fn combined(how: Combine, parts: &[MeasuredPart]) -> Option<Measurement> {
    let first = parts.first()?;
    let records: u64 = parts.iter().map(|part| part.records).sum();
    let suppressed: u64 = parts.iter().map(|part| part.suppressed).sum();
    let n = records as f64;
    // Each part's value times a weight, over a number.
    let weighted = |weight: &dyn Fn(&MeasuredPart) -> f64, over: f64| {
        let sum = |of: &dyn Fn(&MeasuredPart) -> f64| -> f64 {
            parts.iter().map(|part| weight(part) * of(part) / over).sum()
        };
        let column = |column: usize| {
            sum(&|part: &MeasuredPart| {
                part.value.by_column.get(column).copied().unwrap_or(f64::NAN)
            })
        };
        let by_column = (0..first.value.by_column.len()).map(column).collect();
        Measurement { overall: sum(&|part: &MeasuredPart| part.value.overall), by_column }
    };
    // What suppressed records pay for: records of their own part or of the whole. Whole numbers,
    // and large ones.
    let own: u128 =
        parts.iter().map(|part| u128::from(part.suppressed) * u128::from(part.records)).sum();
    let all = u128::from(suppressed) * u128::from(records);
    let more = all.saturating_sub(own) as f64;
    match how {
        Combine::Whole => None,
        Combine::Sum => Some(weighted(&|_| 1.0, 1.0)),
        Combine::Mean if records == 0 => None,
        Combine::Mean => Some(weighted(&|part| part.records as f64, n)),
        Combine::Penalties => {
            let sum = weighted(&|_| 1.0, 1.0);
            Some(Measurement { overall: sum.overall + more, by_column: Vec::new() })
        }
        Combine::Squares if records == 0 => None,
        Combine::Squares => {
            let mean = weighted(&|part| (part.records as f64 / n).powi(2), 1.0);
            Some(Measurement { overall: mean.overall + more / n / n, by_column: Vec::new() })
        }
        Combine::Harmonic => {
            let published =
                |part: &MeasuredPart| part.records.saturating_sub(part.suppressed) as f64;
            let classes: f64 = parts.iter().map(|part| published(part) / part.value.overall).sum();
            let overall = parts.iter().map(published).sum::<f64>() / classes;
            overall.is_finite().then_some(Measurement { overall, by_column: Vec::new() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(overall: f64, records: u64, suppressed: u64) -> MeasuredPart {
        MeasuredPart {
            value: Measurement { overall, by_column: vec![overall, 1.0] },
            records,
            suppressed,
        }
    }

    #[test]
    fn parts_make_the_whole() {
        let parts = [part(0.5, 10, 0), part(1.0, 30, 10)];
        let overall = |how| combined(how, &parts).map(|value| value.overall);
        assert_eq!(combined(Combine::Mean, &parts).unwrap().by_column, [0.875, 1.0]);
        assert_eq!(combined(Combine::Sum, &parts).unwrap().by_column, [1.5, 2.0]);
        assert_eq!(overall(Combine::Penalties), Some(1.5 + 100.0));
        assert_eq!(overall(Combine::Squares), Some((50.0 + 900.0 + 100.0) / 1600.0));
        assert_eq!(overall(Combine::Harmonic), Some(30.0 / (20.0 + 20.0)));
        assert_eq!(overall(Combine::Whole), None);
        for how in
            [Combine::Mean, Combine::Sum, Combine::Harmonic, Combine::Penalties, Combine::Squares]
        {
            assert_eq!(combined(how, &[]), None);
        }
        assert_eq!(combined(Combine::Harmonic, &[part(0.0, 0, 0)]), None);
    }
}
