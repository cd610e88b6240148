//! How often each value of a column occurs in the original, summed up so that any interval of codes
//! is two look-ups.

use sfumato_core::dataset::Column;
use sfumato_core::recoding::Value;

/// Running sums over the codes of a column, missing last.
pub(crate) struct Frequencies {
    /// `records[c]` records have a code below c.
    records: Vec<u64>,
    /// Running sums of count * log2(count).
    count_logs: Vec<f64>,
}

impl Frequencies {
    /// Compute the sums in one pass over the column.
    pub fn of(column: &Column) -> Self {
        let counts = column.codes.counts(column.domain.len() + 1);
        let (mut records, mut count_logs) = (vec![0], vec![0.0]);
        let (mut total, mut total_log) = (0u64, 0.0);
        for count in counts {
            total += count;
            if count > 0 {
                total_log += count as f64 * (count as f64).log2();
            }
            records.push(total);
            count_logs.push(total_log);
        }
        Frequencies { records, count_logs }
    }

    /// How many records of the original have a value that this one covers. Missing counts as a
    /// value.
    pub fn covered(&self, value: Value, column: &Column) -> f64 {
        let codes = codes(value, column);
        (self.records[codes.end] - self.records[codes.start]) as f64
    }

    /// The uncertainty in bits about the value of a record that is drawn from those covered.
    pub fn uncertainty(&self, value: Value, column: &Column) -> f64 {
        let codes = codes(value, column);
        let records = self.covered(value, column);
        // A single value, or none at all, leaves nothing open; rounding must not say otherwise.
        if codes.len() < 2 || records == 0.0 {
            return 0.0;
        }
        let count_logs = self.count_logs[codes.end] - self.count_logs[codes.start];
        (records.log2() - count_logs / records).max(0.0)
    }
}

/// The codes of a value. Unlike [`Value::codes`], with the code of missing if the value covers it.
fn codes(value: Value, column: &Column) -> std::ops::Range<usize> {
    let missing = column.domain.len();
    match value {
        Value::Any => 0..missing + 1,
        Value::Missing => missing..missing + 1,
        value => {
            let codes = value.codes(column);
            codes.start as usize..codes.end as usize
        }
    }
}
