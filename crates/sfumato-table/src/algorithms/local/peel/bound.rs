//! Lower bounds of the loss of any release by classes, and the value of each record in the best
//! one.
//!
//! A release opens some cells and publishes every record in one that covers it; an open cell needs
//! k rows. Give every row a value that it may pay. What all rows pay, less what cells could earn by
//! taking those rows that pay more than the cell's price (at least k of them), is never more than
//! what the release must cost: it is the dual of the linear program behind the choice. Subgradient
//! steps make the bound high. The values are as useful as the bound: a cell that can't earn with
//! them is hardly ever in a good release.

use rayon::prelude::*;

use super::cells::Cells;
use super::records::Records;

/// The number of parts in which cells are processed. It is fixed, so that sums are added in the
/// same order.
const PARTS: usize = 32;

/// The result of the steps.
pub struct Values {
    /// What a row of each record pays.
    pub value: Vec<f64>,
    /// The bound on the whole release, or negative if none was found.
    pub bound: f64,
}

/// The bound by single records: each at the cheapest cell that covers it, or at the price below
/// which all cells are known.
pub fn by_record(records: &Records, cells: &Cells) -> f64 {
    let mut cheapest = vec![cells.complete_below; records.len()];
    for cell in 0..cells.len() as u32 {
        for &record in cells.members(cell) {
            let known = &mut cheapest[record as usize];
            *known = known.min(cells.price[cell as usize]);
        }
    }
    cheapest.iter().zip(&records.weight).map(|(price, &weight)| price * f64::from(weight)).sum()
}

/// Find values by subgradient steps, starting from what each record pays in a release that costs
/// `upper`. No value exceeds the price below which all cells are known: unknown cells can't earn
/// then, so the bound holds for them too.
pub fn find(
    records: &Records,
    cells: &Cells,
    k: u64,
    start: Vec<f64>,
    upper: f64,
    steps: usize,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Values {
    let most = cells.complete_below;
    let mut value: Vec<f64> = start.into_iter().map(|value| value.min(most)).collect();
    let mut best = Values { value: value.clone(), bound: f64::MIN };
    let (mut pace, mut fruitless) = (0.5, 0);
    for _ in 0..steps {
        if cancelled() {
            break;
        }
        let (bound, slope) = price_out(records, cells, k, &value);
        if bound > best.bound {
            best = Values { value: value.clone(), bound };
            fruitless = 0;
        } else {
            fruitless += 1;
            if fruitless == 5 {
                fruitless = 0;
                pace *= 0.7;
                value.clone_from(&best.value);
                continue;
            }
        }
        let norm: f64 = slope.iter().map(|&slope| slope as f64 * slope as f64).sum();
        if norm == 0.0 {
            break;
        }
        let step = pace * (upper - bound).max(upper * 1e-4) / norm;
        for (value, &slope) in value.iter_mut().zip(&slope) {
            *value = (*value + step * slope as f64).clamp(0.0, most);
        }
    }
    best
}

/// The bound of some values, and for each record how many of its rows no earning cell takes
/// (negative: taken too often).
fn price_out(records: &Records, cells: &Cells, k: u64, value: &[f64]) -> (f64, Vec<i64>) {
    let per_part = cells.len().div_ceil(PARTS).max(1);
    let parts: Vec<(f64, Vec<(u32, u32)>)> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            let mut earned = 0.0;
            let mut taken: Vec<(u32, u32)> = Vec::new();
            let mut sorted: Vec<(f64, u32)> = Vec::new();
            for cell in (part * per_part).min(cells.len())..((part + 1) * per_part).min(cells.len())
            {
                let (earns, from) =
                    (earnings(records, cells, cell as u32, k, value, &mut sorted), taken.len());
                if earns > 0.0 {
                    earned += earns;
                    let mut need = k as i64;
                    for &(gain, record) in &sorted {
                        let weight = records.weight[record as usize];
                        let rows =
                            if gain > 0.0 { weight } else { (need.max(0) as u32).min(weight) };
                        if rows == 0 {
                            break;
                        }
                        need -= i64::from(rows);
                        taken.push((record, rows));
                    }
                } else {
                    taken.truncate(from);
                }
            }
            (earned, taken)
        })
        .collect();
    let mut slope: Vec<i64> = records.weight.iter().map(|&weight| i64::from(weight)).collect();
    let mut bound: f64 =
        value.iter().zip(&records.weight).map(|(value, &weight)| value * f64::from(weight)).sum();
    for (earned, taken) in parts {
        bound -= earned;
        taken.iter().for_each(|&(record, rows)| slope[record as usize] -= i64::from(rows));
    }
    (bound, slope)
}

/// The most that a cell can earn: by all rows that pay more than its price and, if they are fewer
/// than k, by those that pay the least too little. If it earns, the records are left in `sorted`,
/// those that pay most first.
fn earnings(
    records: &Records,
    cells: &Cells,
    cell: u32,
    k: u64,
    value: &[f64],
    sorted: &mut Vec<(f64, u32)>,
) -> f64 {
    let price = cells.price[cell as usize];
    let members = cells.members(cell);
    let gain = |record: u32| value[record as usize] - price;
    let (mut earned, mut rows) = (0.0, 0u64);
    for &record in members {
        if gain(record) > 0.0 {
            earned += gain(record) * f64::from(records.weight[record as usize]);
            rows += u64::from(records.weight[record as usize]);
        }
    }
    if earned <= 0.0 {
        return 0.0;
    }
    sorted.clear();
    if rows >= k {
        sorted.extend(
            members.iter().map(|&record| (gain(record), record)).filter(|(gain, _)| *gain > 0.0),
        );
        return earned;
    }
    sorted.extend(members.iter().map(|&record| (gain(record), record)));
    sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut need = k;
    let mut earned = 0.0;
    for &(gain, record) in sorted.iter() {
        let weight = u64::from(records.weight[record as usize]);
        let rows = if gain > 0.0 { weight } else { need.min(weight) };
        earned += gain * rows as f64;
        need = need.saturating_sub(rows);
        if need == 0 && gain <= 0.0 {
            break;
        }
    }
    earned.max(0.0)
}

/// How much a cell lacks to break even at these values: what its k best rows lack, or 0.
pub fn shortfall(records: &Records, cells: &Cells, cell: u32, k: u64, value: &[f64]) -> f64 {
    let price = cells.price[cell as usize];
    let mut gains: Vec<(f64, u32)> = cells
        .members(cell)
        .iter()
        .map(|&record| (value[record as usize] - price, records.weight[record as usize]))
        .collect();
    gains.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let (mut need, mut sum) = (k, 0.0);
    for (gain, weight) in gains {
        let rows = need.min(u64::from(weight));
        sum += gain * rows as f64;
        need -= rows;
        if need == 0 {
            break;
        }
    }
    (-sum).max(0.0)
}
