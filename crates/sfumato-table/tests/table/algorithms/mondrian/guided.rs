//! The split that a workload asks for, as one would write it on a whiteboard: every split of every
//! column, scored by counting.

use crate::algorithms::mondrian::naive::{Naive, Parts, interval};
use sfumato_core::FastMap;
use sfumato_core::workload::{Target, TargetKind, Workload};

/// A split with its score.
struct Scored {
    gain: f64,
    unevenness: usize,
    column: usize,
    parts: Parts,
}

/// What the workload says about a node.
pub enum Answer {
    Split(usize, Parts),
    Nothing { below_too: bool },
}

pub fn split(
    naive: &Naive<'_>,
    workload: &Workload,
    min_gain: f64,
    rows: &[u32],
    region: &[(u32, u32)],
) -> Answer {
    let cells: Vec<(u32, u32)> = naive.quasi.iter().map(|column| interval(column, rows)).collect();
    let boxed = if naive.settings.tighten { &cells[..] } else { region };
    let overlapping: Vec<_> =
        workload
            .selections
            .iter()
            .filter(|selection| {
                selection.intervals.iter().zip(boxed).all(|(i, (min, max))| {
                    i.as_ref().is_none_or(|i| i.start <= *max && *min < i.end)
                })
            })
            .collect();
    if !overlapping.is_empty() {
        let gain = |column: usize, parts: &Parts| {
            let out = |part: &Vec<u32>| -> f64 {
                let (min, max) = interval(naive.quasi[column], part);
                let misses = |i: &std::ops::Range<u32>| i.start > max || min >= i.end;
                overlapping
                    .iter()
                    .filter(|s| s.intervals[column].as_ref().is_some_and(misses))
                    .map(|s| s.weight * part.len() as f64)
                    .sum()
            };
            parts.iter().map(|(part, _)| out(part)).sum::<f64>()
        };
        if let Some((column, parts)) = best(naive, rows, region, &cells, |_, _| 0.0, |_| true, gain)
        {
            return Answer::Split(column, parts);
        }
    }
    let relative = workload.targets.iter().any(|target| target.kind == TargetKind::Numbers);
    let all: Vec<u32> = (0..naive.task.table.n_rows as u32).collect();
    let impurity = |target: &Target, rows: &[u32]| {
        let raw = raw_impurity(naive, target, rows);
        let at_first = raw_impurity(naive, target, &all) / all.len() as f64;
        let scale = match relative {
            false => 1.0 / std::f64::consts::LN_2,
            true if at_first > 0.0 => 1.0 / at_first,
            true => 1.0,
        };
        target.weight * scale * raw
    };
    let before: f64 = workload.targets.iter().map(|target| impurity(target, rows)).sum();
    if workload.targets.is_empty() || before <= 0.0 {
        return Answer::Nothing { below_too: overlapping.is_empty() };
    }
    let gain = |column: usize, parts: &Parts| {
        workload
            .targets
            .iter()
            .filter(|target| target.uses_quasi(naive.task.table, column))
            .map(|target| {
                impurity(target, rows)
                    - parts.iter().map(|(part, _)| impurity(target, part)).sum::<f64>()
            })
            .sum::<f64>()
    };
    // The share of a target's impurity that must go, if one of so many splits is to be more than
    // chance.
    let share = |target: &Target, tried: f64, n_parts: usize| {
        let raw = raw_impurity(naive, target, rows);
        let (groups, n) = groups(naive, target, rows);
        let nats = tried.max(1.0).ln() + 0.5 * ((n_parts - 1) * groups) as f64 * n.ln();
        match target.kind {
            TargetKind::Classes => nats / raw,
            TargetKind::Numbers => 1.0 - (-2.0 * nats / n).exp(),
        }
    };
    let least = |tried: f64, n_parts: usize| {
        let floor = min_gain * rows.len() as f64;
        if !naive.significant {
            return floor;
        }
        let impure =
            workload.targets.iter().filter(|target| raw_impurity(naive, target, rows) > 0.0);
        let share =
            impure.map(|target| share(target, tried, n_parts)).fold(f64::INFINITY, f64::min);
        floor.max(share * before)
    };
    let used =
        |column: usize| workload.targets.iter().any(|t| t.uses_quasi(naive.task.table, column));
    match best(naive, rows, region, &cells, least, used, gain) {
        Some((column, parts)) => Answer::Split(column, parts),
        None => Answer::Nothing { below_too: overlapping.is_empty() && min_gain > 0.0 },
    }
}

/// The impurity of a target in some rows: nats of entropy, or squared error, within equal values of
/// the other features.
fn raw_impurity(naive: &Naive<'_>, target: &Target, rows: &[u32]) -> f64 {
    let table = naive.task.table;
    let others = target.other_features(table);
    let mut cells: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    for &row in rows {
        let cell = others.iter().map(|f| table.columns[*f].codes.get(row as usize)).collect();
        cells.entry(cell).or_default().push(table.columns[target.column].codes.get(row as usize));
    }
    let domain = &table.columns[target.column].domain;
    cells
        .values()
        .map(|codes| match target.kind {
            TargetKind::Classes => {
                let mut counts: FastMap<u32, f64> = FastMap::default();
                codes.iter().for_each(|code| *counts.entry(*code).or_default() += 1.0);
                let n = codes.len() as f64;
                counts.values().map(|count| -count * (count / n).ln()).sum::<f64>()
            }
            TargetKind::Numbers => {
                let numbers: Vec<f64> =
                    codes.iter().filter_map(|code| domain.number(*code)).collect();
                let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
                numbers.iter().map(|x| (x - mean) * (x - mean)).sum()
            }
        })
        .sum()
}

/// How many shares or means describe a target in a group, and how many records they are of.
fn groups(naive: &Naive<'_>, target: &Target, rows: &[u32]) -> (usize, f64) {
    let table = naive.task.table;
    let mut cells: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    let missing = table.columns[target.column].domain.missing();
    for &row in rows {
        let cell = target
            .other_features(table)
            .iter()
            .map(|f| table.columns[*f].codes.get(row as usize))
            .collect();
        let code = table.columns[target.column].codes.get(row as usize);
        if target.kind == TargetKind::Classes || code != missing {
            cells.entry(cell).or_default().push(code);
        }
    }
    let n: usize = cells.values().map(Vec::len).sum();
    let of_cell = |codes: &Vec<u32>| match target.kind {
        TargetKind::Classes => {
            let mut distinct = codes.clone();
            distinct.sort_unstable();
            distinct.dedup();
            distinct.len() - 1
        }
        TargetKind::Numbers => usize::from(codes.len() > 1),
    };
    (cells.values().map(of_cell).sum(), n.max(1) as f64)
}

/// The best allowed split.
fn best(
    naive: &Naive<'_>,
    rows: &[u32],
    region: &[(u32, u32)],
    cells: &[(u32, u32)],
    least: impl Fn(f64, usize) -> f64,
    used: impl Fn(usize) -> bool,
    gain: impl Fn(usize, &Parts) -> f64,
) -> Option<(usize, Parts)> {
    let (mut scored, mut tried): (Vec<Scored>, f64) = (Vec::new(), 0.0);
    let min_rows = naive.task.requirements.min_people().max(1) as usize;
    for column in (0..naive.quasi.len()).filter(|c| cells[*c].0 < cells[*c].1 && used(*c)) {
        let quasi = naive.quasi[column];
        let candidates =
            match quasi.hierarchy.is_some() || cells[column].1 == quasi.domain.missing() {
                true => naive.splits(column, rows, region[column]),
                false => all_cuts(naive, column, rows, region[column]),
            };
        let nested = quasi.hierarchy.is_some() || cells[column].1 == quasi.domain.missing();
        let most = (rows.len() + 1).saturating_sub(2 * min_rows);
        tried += match if nested { 1 } else { most.min(span(naive.quasi[column], cells[column])) } {
            0 => 0.0,
            possible => 1.0 + (possible as f64).log2(),
        };
        let large =
            |parts: &Parts| parts.len() > 1 && parts.iter().all(|(part, _)| part.len() >= min_rows);
        for parts in candidates.into_iter().filter(large) {
            let largest = parts.iter().map(|(part, _)| part.len()).max().unwrap();
            let unevenness = rows.len().abs_diff(2 * largest);
            scored.push(Scored { gain: gain(column, &parts), unevenness, column, parts });
        }
    }
    scored.retain(|scored| {
        scored.gain >= 1e-9
            && scored.gain >= least(tried, scored.parts.len()) - 1e-9
            && scored.parts.iter().all(|(part, _)| naive.holds(part))
    });
    let rounded = |gain: f64| (gain / 1e-9).round();
    let best = scored.into_iter().min_by(|a, b| {
        rounded(b.gain)
            .total_cmp(&rounded(a.gain))
            .then(a.unevenness.cmp(&b.unevenness))
            .then(a.column.cmp(&b.column))
            .then(a.parts[1].1.cmp(&b.parts[1].1))
    })?;
    Some((best.column, best.parts))
}

/// Every cut of an ordered column, halfway between the cells on both sides.
fn all_cuts(naive: &Naive<'_>, column: usize, rows: &[u32], region: (u32, u32)) -> Vec<Parts> {
    let code = |row: u32| naive.quasi[column].codes.get(row as usize);
    let mut codes: Vec<u32> = rows.iter().map(|&row| code(row)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
        .windows(2)
        .map(|pair| {
            let cut = pair[0] + (pair[1] - pair[0]).div_ceil(2);
            let (left, right) = rows.iter().partition(|&&row| code(row) < cut);
            vec![(left, (region.0, cut - 1)), (right, (cut, region.1))]
        })
        .collect()
}

/// How many values could lie between two codes of an ordered column.
fn span(column: &sfumato_core::dataset::Column, (min, max): (u32, u32)) -> usize {
    let key = |code| column.domain.key(code).unwrap_or(i64::from(code));
    (key(max) - key(min)) as usize
}
