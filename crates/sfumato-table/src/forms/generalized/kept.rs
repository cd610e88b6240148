//! What can still be told from each quasi column of a release: how much is exact, how wide the rest
//! is, whether values are exclusive, and how the distribution moved.

use sfumato_core::dataset::{Column, Hierarchy};
use sfumato_core::recoding::Value;
use sfumato_core::traits::View;
use sfumato_report::numbers::quantity;
use sfumato_report::{Bar, Kept, kept};

/// How many bars a distribution of numbers or dates has at most.
const BINS: usize = 10;

/// How many values of a column of words have a bar; the others share one.
const VALUES: usize = 9;

/// The share of records in one bin above which bins of equal width show nothing.
const CROWDED: f64 = 0.8;

/// What is kept of each quasi column.
pub fn kept(view: &View<'_>) -> Vec<Kept> {
    view.quasi.iter().enumerate().map(|(quasi, column)| of_column(view, quasi, column)).collect()
}

fn of_column(view: &View<'_>, quasi: usize, column: &Column) -> Kept {
    let values = &view.recoding.column(quasi).values;
    let published: Vec<(Value, u64)> = values
        .iter()
        .copied()
        .zip(view.records_per_value(quasi))
        .filter(|(_, records)| *records > 0)
        .collect();
    let n = view.table.n_rows.max(1) as f64;
    let suppressed = view.suppressed as f64;
    let share = |is: &dyn Fn(&Value) -> bool| -> f64 {
        let records = published.iter().filter(|(value, _)| is(value));
        records.map(|(_, records)| *records as f64).sum::<f64>() / n
    };
    let is_exact = |value: &Value| is_exact(*value, column);
    let is_blank = |value: &Value| {
        !is_exact(value) && matches!(value, Value::Any | Value::Node(Hierarchy::ROOT))
    };
    let (exact, blank) = (share(&is_exact), share(&is_blank) + suppressed / n);
    let lost: f64 =
        published.iter().map(|(value, records)| value.ncp(column) * *records as f64).sum();
    let blurred =
        published.iter().filter(|(value, _)| !is_exact(value) && !is_blank(value)).copied();
    let distribution = distribution(column, &published, n);
    Kept {
        part: column.name.clone(),
        lost: ((lost + suppressed) / n).clamp(0.0, 1.0),
        told: kept::told(exact, blank, &blur(column, blurred.collect())),
        exclusive: is_exclusive(column, &published),
        moved: Some(Kept::distance(&distribution)),
        distribution,
    }
}

/// Whether a value tells all there was.
fn is_exact(value: Value, column: &Column) -> bool {
    match value {
        Value::Missing => true,
        Value::Any => false,
        value => value.leaves(column) <= 1,
    }
}

/// How wide blurred cells are, in words.
fn blur(column: &Column, blurred: Vec<(Value, u64)>) -> String {
    let records: f64 = blurred.iter().map(|(_, records)| *records as f64).sum();
    let mean = |width: &dyn Fn(Value) -> f64| {
        let sum: f64 = blurred.iter().map(|(value, n)| width(*value) * *n as f64).sum();
        sum / records.max(1.0)
    };
    let last = column.domain.len().saturating_sub(1) as u32;
    let number = |code: u32| column.domain.number(code).unwrap_or(f64::NAN);
    // Numbers have a width that people know; dates and words are counted.
    if column.hierarchy.is_none() && column.domain.kind.is_number() {
        let width = mean(&|value| {
            let codes = value.codes(column);
            number(codes.end.saturating_sub(1)) - number(codes.start)
        });
        let all = number(last) - number(0);
        if width.is_finite() && all.is_finite() {
            return format!("a range about {} wide (of {})", figure(width), figure(all));
        }
    }
    let leaves = mean(&|value| f64::from(value.leaves(column)));
    format!("one of about {} values (of {})", figure(leaves), figure(f64::from(last) + 1.0))
}

fn figure(x: f64) -> String {
    quantity(if x >= 10.0 { x.round() } else { (10.0 * x).round() / 10.0 })
}

/// Whether no two published values cover the same code.
fn is_exclusive(column: &Column, published: &[(Value, u64)]) -> bool {
    let mut spans: Vec<(u32, u32)> = published
        .iter()
        .map(|(value, _)| value.codes(column))
        .map(|codes| (codes.start, codes.end))
        .filter(|(lo, hi)| lo < hi)
        .collect();
    spans.sort_unstable();
    // Two nodes of a chain cover the same and may have one label.
    spans.dedup();
    spans.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}

/// The distribution of a column before and after, in a few bars.
fn distribution(column: &Column, published: &[(Value, u64)], n: f64) -> Vec<Bar> {
    let len = column.domain.len();
    let counts = column.codes.counts(len + 1);
    // Each value adds an even share to all codes that it covers: as differences, summed up below.
    let mut steps = vec![0.0; len + 1];
    let mut missing = 0.0;
    for (value, records) in published {
        let codes = value.codes(column);
        match (value, codes.is_empty()) {
            (Value::Missing, _) => missing += *records as f64,
            (_, true) => {}
            (_, false) => {
                let share = *records as f64 / codes.len() as f64;
                steps[codes.start as usize] += share;
                steps[codes.end as usize] -= share;
            }
        }
    }
    let mut sum = 0.0;
    let after: Vec<f64> = steps[..len]
        .iter()
        .map(|step| {
            sum += step;
            f64::max(sum, 0.0)
        })
        .collect();
    let bar = |label: String, codes: &mut dyn Iterator<Item = usize>| {
        let (mut was, mut is) = (0.0, 0.0);
        for code in codes {
            was += counts[code] as f64;
            is += after[code];
        }
        Bar { label, before: was / n, after: is / n }
    };
    let label = |code: usize| column.domain.label(code as u32).to_string();
    let mut bars: Vec<Bar> = match column.domain.kind.is_ordered() && len > BINS {
        true => bins(column, &counts[..len], n)
            .into_iter()
            .map(|(lo, hi)| bar(format!("{} to {}", label(lo), label(hi - 1)), &mut (lo..hi)))
            .collect(),
        false if len <= VALUES + 1 => {
            (0..len).map(|code| bar(label(code), &mut std::iter::once(code))).collect()
        }
        false => {
            let mut order: Vec<usize> = (0..len).collect();
            order.sort_by_key(|code| (std::cmp::Reverse(counts[*code]), *code));
            let (frequent, others) = order.split_at(VALUES);
            let frequent =
                frequent.iter().map(|code| bar(label(*code), &mut std::iter::once(*code)));
            let rest = format!("{} others", others.len());
            frequent.chain([bar(rest, &mut others.iter().copied())]).collect()
        }
    };
    if counts[len] > 0 || missing > 0.0 {
        let before = counts[len] as f64 / n;
        bars.push(Bar { label: "missing".into(), before, after: missing / n });
    }
    bars
}

/// Bins of codes: of equal width, or of equally many records where nearly all would be in one.
fn bins(column: &Column, counts: &[u64], n: f64) -> Vec<(usize, usize)> {
    let len = counts.len();
    let number = |code: usize| column.domain.number(code as u32).unwrap_or(code as f64);
    let (low, high) = (number(0), number(len - 1));
    let place = |code: usize| {
        let share = (number(code) - low) / (high - low);
        ((share * BINS as f64) as usize).min(BINS - 1)
    };
    let equal = cut(len, place);
    let crowd = |bin: &(usize, usize)| counts[bin.0..bin.1].iter().sum::<u64>() as f64 / n;
    if (high - low).is_finite() && high > low && equal.iter().all(|bin| crowd(bin) < CROWDED) {
        return equal;
    }
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let mut before = 0;
    let ranks: Vec<usize> = counts
        .iter()
        .map(|count| {
            let rank = (before as f64 / total * BINS as f64) as usize;
            before += count;
            rank.min(BINS - 1)
        })
        .collect();
    cut(len, |code| ranks[code])
}

/// Neighbouring codes with the same place.
fn cut(len: usize, place: impl Fn(usize) -> usize) -> Vec<(usize, usize)> {
    let mut bins: Vec<(usize, usize)> = Vec::new();
    for code in 0..len {
        match bins.last_mut().filter(|bin| place(bin.0) == place(code)) {
            Some(bin) => bin.1 = code + 1,
            None => bins.push((code, code + 1)),
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        /// Bars are a distribution before, and after one of the records that are published and
        /// don't say only that a value may be missing; exclusive is what comparing all pairs says.
        #[test]
        fn bars_sum_up_and_exclusive_is_what_pairs_say(sample in testing::samples()) {
            let view = sample.view(None);
            prop_assume!(view.table.n_rows > 0);
            for (quasi, kept) in kept(&view).iter().enumerate() {
                let column = view.quasi[quasi];
                let sum = |side: fn(&Bar) -> f64| kept.distribution.iter().map(side).sum::<f64>();
                prop_assert!((sum(|bar| bar.before) - 1.0).abs() < 1e-9);
                let n = view.table.n_rows as f64;
                let published = (n - view.suppressed as f64) / n;
                if !column.domain.is_empty() {
                    prop_assert!((sum(|bar| bar.after) - published).abs() < 1e-9, "{kept:?}");
                }
                prop_assert!((0.0..=1.0).contains(&kept.lost));
                let values = &view.recoding.column(quasi).values;
                let records = view.records_per_value(quasi);
                let spans: Vec<_> = values.iter().zip(records).filter(|(_, n)| *n > 0)
                    .map(|(value, _)| value.codes(column)).filter(|codes| !codes.is_empty())
                    .collect();
                let overlap = |a: &std::ops::Range<u32>, b: &std::ops::Range<u32>| {
                    a != b && a.start < b.end && b.start < a.end
                };
                let pairs = spans.iter().any(|a| spans.iter().any(|b| overlap(a, b)));
                prop_assert_eq!(kept.exclusive, !pairs);
            }
        }
    }
}
