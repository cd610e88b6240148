//! The naive twin's choice of a column by gain, and what becomes of leftovers.

use crate::algorithms::mondrian::naive::{Leftovers, Naive, Parts, interval, value};

/// Rows of a sample, and columns looked at twice.
const SAMPLE: usize = 64;
const AGAIN: usize = 3;
/// Rows of a lender that are looked at, and children that are pulled in at most.
const POOL: usize = 64;
const PULLED: usize = 4;

fn min_rows(naive: &Naive<'_>) -> usize {
    (naive.task.requirements.min_people() as usize).max(1)
}

fn price(naive: &Naive<'_>, column: usize, rows: &[u32]) -> f64 {
    let interval = interval(naive.quasi[column], rows);
    naive.task.objective.cell(column, value(naive.quasi[column], interval))
}

fn record(naive: &Naive<'_>, live: &[usize], rows: &[u32]) -> f64 {
    naive.task.objective.join().all(live.iter().map(|&column| price(naive, column, rows)))
}

fn root_of_entropy(n: usize, parts: &[Vec<u32>]) -> f64 {
    let m_ln_m = |m: usize| m as f64 * (m as f64).ln();
    let inner: f64 = parts.iter().map(|part| m_ln_m(part.len())).fold(0.0, |sum, x| sum + x);
    ((m_ln_m(n) - inner) / n as f64).sqrt()
}

/// The live columns with their scores: those looked at twice are above the others, and those
/// without a split below.
pub fn scores(naive: &Naive<'_>, rows: &[u32], live: &[usize]) -> Vec<(f64, usize)> {
    let n = rows.len().min(SAMPLE);
    let sample: Vec<u32> = if rows.len() <= SAMPLE {
        rows.to_vec()
    } else {
        (0..n).map(|i| rows[i * rows.len() / n]).collect()
    };
    let enough = |part: &[u32]| part.len() * rows.len() >= min_rows(naive) * n;
    let leftovers = naive.settings.leftovers != Leftovers::None;

    let mut scores = Vec::new();
    let mut splits: Vec<(f64, usize, Vec<Vec<u32>>)> = Vec::new();
    for &place in live {
        let column = naive.quasi[place];
        let missing = column.domain.missing();
        let (min, max) = interval(column, &sample);
        let code = |row: &u32| column.codes.get(*row as usize);
        let before = price(naive, place, &sample);
        let mut found: Option<(f64, Vec<Vec<u32>>)> = None;
        match &column.hierarchy {
            _ if min == max => {}
            Some(tree) if max < missing => {
                let (mut parts, mut rest, mut gain) = (Vec::new(), Vec::new(), 0.0);
                for child in tree.children(tree.smallest_cover(min, max + 1)) {
                    let below = |row: &u32| (tree.lo(child)..tree.hi(child)).contains(&code(row));
                    let part: Vec<u32> = sample.iter().copied().filter(below).collect();
                    if part.is_empty() {
                    } else if enough(&part) {
                        let node = naive
                            .task
                            .objective
                            .cell(place, sfumato_core::recoding::Value::Node(child));
                        gain += part.len() as f64 * (before - node);
                        parts.push(part);
                    } else {
                        rest.extend(part);
                    }
                }
                if !parts.is_empty() && (rest.is_empty() || leftovers) {
                    if !rest.is_empty() {
                        parts.push(rest);
                    }
                    found = Some((gain / root_of_entropy(n, &parts), parts));
                }
            }
            _ => {
                let mut codes: Vec<u32> = sample.iter().map(code).collect();
                codes.sort_unstable();
                let median = codes[n / 2];
                let count = |first: u32| codes.iter().filter(|&&c| c < first).count();
                let even = n.abs_diff(2 * count(median)) <= n.abs_diff(2 * count(median + 1));
                let first = if max == missing {
                    missing
                } else if even {
                    median
                } else {
                    median + 1
                };
                let (left, right): (Vec<u32>, Vec<u32>) =
                    sample.iter().partition(|row| code(row) < first);
                if (enough(&left) && enough(&right)) || (leftovers && max == missing) {
                    let gain = left.len() as f64 * (before - price(naive, place, &left))
                        + right.len() as f64 * (before - price(naive, place, &right));
                    let parts = vec![left, right];
                    found = Some((gain / root_of_entropy(n, &parts), parts));
                }
            }
        }
        match found {
            Some((own, parts)) => {
                splits.push((own, place, parts));
                scores.push((own, place));
            }
            None => {
                let width = column.weight * value(column, (min, max)).ncp(column);
                // A class of missing cells alone isn't wide, whatever is published for it.
                let width = if min == max { 0.0 } else { width };
                scores.push((-1.0 / (1.0 + width), place));
            }
        }
    }
    splits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if splits.len() > 1 {
        let most = splits[0].0;
        for (_, place, parts) in splits.iter().take(AGAIN) {
            let before = record(naive, live, &sample);
            let gain = parts
                .iter()
                .map(|part| part.len() as f64 * (before - record(naive, live, part)))
                .fold(0.0, |sum, x| sum + x);
            let score = most + gain / root_of_entropy(n, parts);
            scores
                .iter_mut()
                .filter(|(_, column)| column == place)
                .for_each(|entry| entry.0 = score);
        }
    }
    scores
}

/// The parts with those that don't hold as one last part; one part if nobody can leave.
pub fn keep_leftovers(
    naive: &Naive<'_>,
    live: &[usize],
    parts: Parts,
    parent: (u32, u32),
) -> Parts {
    let min_rows = min_rows(naive);
    let sorted = |mut rows: Vec<u32>| {
        rows.sort_unstable();
        rows
    };
    let (mut leave, stay): (Parts, Parts) =
        parts.into_iter().partition(|(rows, _)| naive.holds(rows));
    let mut stay = sorted(stay.into_iter().flat_map(|(rows, _)| rows).collect());
    if stay.is_empty() {
        return leave;
    }
    let requirements = naive.task.requirements;
    let merges = requirements.is_count_only()
        || (requirements.is_monotone() && naive.task.table.subject.is_none());
    if naive.settings.leftovers == Leftovers::Lend && merges && stay.len() < min_rows {
        let needed = min_rows - stay.len();
        let most = leave.iter().map(|(rows, _)| rows.len()).max().unwrap_or(0);
        let lender = leave.iter_mut().find(|(rows, _)| rows.len() == most);
        if let Some((lender, _)) = lender.filter(|_| most >= min_rows + needed) {
            let size = most.min(POOL.max(needed));
            let mut pool: Vec<(f64, u32)> = (0..size)
                .map(|i| lender[(i * most).div_euclid(size)])
                .map(|row| (record_with(naive, live, &stay, row), row))
                .collect();
            pool.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let lent: Vec<u32> = pool[..needed].iter().map(|(_, row)| *row).collect();
            let together = sorted(stay.iter().chain(&lent).copied().collect());
            let remain: Vec<u32> =
                lender.iter().copied().filter(|row| !lent.contains(row)).collect();
            if naive.holds(&together) && naive.holds(&remain) {
                *lender = remain;
                leave.push((together, parent));
                return leave;
            }
        }
    }
    for _ in 0..=PULLED {
        if stay.len() >= min_rows && naive.holds(&stay) {
            if !leave.is_empty() {
                leave.push((stay, parent));
            }
            return leave;
        }
        let Some(least) = leave.iter().map(|(rows, _)| rows.len()).min() else { return Vec::new() };
        let smallest = leave.iter().position(|(rows, _)| rows.len() == least).unwrap();
        stay = sorted(stay.into_iter().chain(leave.remove(smallest).0).collect());
    }
    Vec::new()
}

fn record_with(naive: &Naive<'_>, live: &[usize], rows: &[u32], row: u32) -> f64 {
    let mut rows = rows.to_vec();
    rows.push(row);
    record(naive, live, &rows)
}
