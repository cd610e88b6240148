//! Exchange: simulated annealing over single rows. A row moves to a neighbour's class, two rows are
//! swapped, two classes are merged and cut again, or a large class is cut in two.
//!
//! A class is given by its rows: its region is the smallest around them. Neighbours are rows that
//! share a cell, so this search needs no index of its own.

use super::cells::Cells;
use super::records::Records;
use super::search::Schedule;
use crate::algorithms::shared::mix::Stream;
use crate::algorithms::shared::space::{Bounds, Space};

/// Of this many steps the first moves or swaps, and the others merge two classes.
const KINDS: usize = 8;
const SINGLE: usize = 6;
/// Of this many neighbours in the same class, one gives a chance to cut the class.
const LONE: usize = 16;
/// Of this many chances to cut a class, one is taken.
const CUT: usize = 4;
/// The largest number of rows of classes that are merged or cut.
const MOST_ROWS: usize = 512;

/// How many of the cheapest cells around a record are considered.
const MOST_CELLS: usize = 64;

struct State<'a> {
    records: &'a Records,
    space: &'a Space<'a>,
    classes: Vec<Vec<u32>>,
    class_of: Vec<u32>,
    cost: Vec<f64>,
    /// A buffer for a region.
    region: Vec<Bounds>,
}

impl State<'_> {
    #[inline]
    fn codes(&self, row: u32) -> &[u32] {
        self.records.codes(self.records.of_row[row as usize])
    }

    /// The cost of some rows as one class.
    fn cost(&mut self, rows: impl Iterator<Item = u32>) -> f64 {
        let mut region = std::mem::take(&mut self.region);
        region.clear();
        let mut n = 0;
        for row in rows {
            let codes = self.codes(row);
            if n == 0 {
                region.extend(codes.iter().map(|&code| Bounds::of(code)));
            } else {
                region.iter_mut().zip(codes).for_each(|(bounds, &code)| {
                    bounds.min = bounds.min.min(code);
                    bounds.max = bounds.max.max(code);
                });
            }
            n += 1;
        }
        let cost = if n == 0 { 0.0 } else { self.space.price(&region) * f64::from(n) };
        self.region = region;
        cost
    }

    /// The cost of each of two rows if they are published alike.
    fn apart(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (self.codes(a), self.codes(b));
        let bounds = a.iter().zip(b).map(|(&a, &b)| Bounds { min: a.min(b), max: a.max(b) });
        self.space.price_of(bounds)
    }

    fn set(&mut self, class: usize, rows: Vec<u32>, cost: f64) {
        rows.iter().for_each(|&row| self.class_of[row as usize] = class as u32);
        self.cost[class] = cost;
        self.classes[class] = rows;
    }

    /// The farthest of three rows from a row: two distant rows are the poles of a cut.
    fn far_from(&self, row: u32, rows: &[u32], random: &mut Stream) -> u32 {
        let mut pole = rows[random.below(rows.len())];
        for _ in 0..2 {
            let further = rows[random.below(rows.len())];
            if self.apart(row, further) > self.apart(row, pole) {
                pole = further;
            }
        }
        pole
    }

    /// Rows ordered from those nearest to `u` to those nearest to `v`.
    fn between(&self, rows: &[u32], u: u32, v: u32, random: &mut Stream) -> Vec<u32> {
        let near = |row: u32| self.apart(u, row) - self.apart(v, row);
        let mut sorted: Vec<(f64, u32)> =
            rows.iter().map(|&row| (near(row) + 1e-5 * random.unit(), row)).collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        sorted.into_iter().map(|(_, row)| row).collect()
    }

    /// The cheapest cut of a sequence of rows into two parts of at least k: where, and the cost of
    /// both parts.
    fn best_cut(&mut self, rows: &[u32], k: usize) -> (usize, f64, f64) {
        let n = rows.len();
        let first = self.running_cost(rows.iter().copied());
        let second = self.running_cost(rows.iter().rev().copied());
        let cuts = (k..=n - k).map(|cut| (cut, first[cut - 1], second[n - cut - 1]));
        cuts.min_by(|a, b| (a.1 + a.2).total_cmp(&(b.1 + b.2))).expect("there are at least 2k rows")
    }

    fn running_cost(&mut self, rows: impl Iterator<Item = u32>) -> Vec<f64> {
        let mut region: Vec<Bounds> = Vec::new();
        let mut costs = Vec::new();
        for row in rows {
            let codes = self.codes(row);
            if region.is_empty() {
                region.extend(codes.iter().map(|&code| Bounds::of(code)));
            } else {
                region
                    .iter_mut()
                    .zip(codes)
                    .for_each(|(bounds, &code)| *bounds = bounds.hull(Bounds::of(code)));
            }
            costs.push(self.space.price(&region) * (costs.len() + 1) as f64);
        }
        costs
    }

    /// Sometimes cut a class in two, if that costs no more than allowed.
    fn cut(&mut self, class: usize, k: usize, allowed: f64, random: &mut Stream) {
        if self.cost[class] <= 0.0 {
            return;
        }
        let size = self.classes[class].len();
        if size < 2 * k || random.below(CUT) > 0 {
            return;
        }
        let rows = self.classes[class].clone();
        let u = rows[random.below(size)];
        let v = self.far_from(u, &rows, random);
        if u == v {
            return;
        }
        let sorted = self.between(&rows, u, v, random);
        let (cut, first, second) = self.best_cut(&sorted, k);
        if first + second - self.cost[class] <= allowed {
            let rest = sorted[cut..].to_vec();
            self.set(class, sorted[..cut].to_vec(), first);
            self.classes.push(Vec::new());
            self.cost.push(0.0);
            self.set(self.classes.len() - 1, rest, second);
        }
    }

    fn remove(&mut self, class: usize) {
        self.classes.swap_remove(class);
        self.cost.swap_remove(class);
        if let Some(moved) = self.classes.get(class) {
            moved.iter().for_each(|&row| self.class_of[row as usize] = class as u32);
        }
    }
}

/// Exchange rows between classes that are lists of rows, each of at least k.
pub fn exchange(
    records: &Records,
    space: &Space<'_>,
    cells: &Cells,
    k: usize,
    classes: Vec<Vec<u32>>,
    schedule: &Schedule,
    cancelled: &dyn Fn() -> bool,
) -> Vec<Vec<u32>> {
    let n_rows = records.of_row.len();
    let (starts, cells_of) = cells.by_record(records.len());
    let mut state = State {
        records,
        space,
        class_of: vec![0; n_rows],
        cost: vec![0.0; classes.len()],
        classes: vec![Vec::new(); classes.len()],
        region: Vec::new(),
    };
    for (class, rows) in classes.into_iter().enumerate() {
        let cost = state.cost(rows.iter().copied());
        state.set(class, rows, cost);
    }
    let mut random = Stream::new(schedule.seed ^ 0x0065_7863_6861_6e67);
    let mut heat = schedule.hot;
    let cooling = (schedule.cold / schedule.hot).powf(1024.0 / schedule.steps.max(1024) as f64);
    for step in 0..schedule.steps {
        if step % 1024 == 1023 {
            heat *= cooling;
            if cancelled() {
                break;
            }
        }
        let row = random.below(n_rows) as u32;
        // A neighbour: a row of one of the cheaper cells around it.
        let record = records.of_row[row as usize] as usize;
        let around = &cells_of[starts[record] as usize..starts[record + 1] as usize];
        let around = &around[..around.len().min(MOST_CELLS)];
        if around.is_empty() {
            continue;
        }
        let cell = around[(random.unit() * random.unit() * around.len() as f64) as usize];
        let members = cells.members(cell);
        let rows = records.rows(members[random.below(members.len())]);
        let other = rows[random.below(rows.len())];
        let (a, b) =
            (state.class_of[row as usize] as usize, state.class_of[other as usize] as usize);
        if a == b {
            // Where all neighbours are together, cutting is all that can be done.
            if random.below(LONE) == 0 && (2 * k..=MOST_ROWS).contains(&state.classes[a].len()) {
                let allowed = -heat * (1.0 - random.unit()).ln();
                state.cut(a, k, allowed, &mut random);
            }
            continue;
        }
        let (size_a, size_b) = (state.classes[a].len(), state.classes[b].len());
        if size_a + size_b > MOST_ROWS {
            continue;
        }
        let allowed = -heat * (1.0 - random.unit()).ln();
        let before = state.cost[a] + state.cost[b];
        if random.below(KINDS) < SINGLE {
            let back = if size_a > k {
                None
            } else {
                let back = state.classes[b][random.below(size_b)];
                if back == other && size_b > 1 {
                    continue;
                }
                Some(back)
            };
            let (first, second) =
                (std::mem::take(&mut state.classes[a]), std::mem::take(&mut state.classes[b]));
            let cost_a = state.cost(first.iter().copied().filter(|&r| r != row).chain(back));
            // The other class needn't be looked at if this one alone costs too much.
            let cost_b = match cost_a - before <= allowed {
                true => {
                    state.cost(second.iter().copied().filter(|&r| Some(r) != back).chain([row]))
                }
                false => f64::INFINITY,
            };
            state.classes[a] = first;
            state.classes[b] = second;
            if cost_a + cost_b - before <= allowed {
                let (mut rows_a, mut rows_b) =
                    (std::mem::take(&mut state.classes[a]), std::mem::take(&mut state.classes[b]));
                rows_a.retain(|&r| r != row);
                rows_a.extend(back);
                rows_b.retain(|&r| Some(r) != back);
                rows_b.push(row);
                state.set(a, rows_a, cost_a);
                state.set(b, rows_b, cost_b);
            }
        } else if size_a + size_b >= 2 * k {
            let all: Vec<u32> = state.classes[a].iter().chain(&state.classes[b]).copied().collect();
            let pole = state.far_from(row, &all, &mut random);
            if pole == row {
                continue;
            }
            let sorted = state.between(&all, row, pole, &mut random);
            let (cut, cost_a, cost_b) = state.best_cut(&sorted, k);
            let whole = state.cost(sorted.iter().copied());
            if whole < cost_a + cost_b {
                if whole - before <= allowed {
                    state.set(a, sorted, whole);
                    state.classes[b].clear();
                    state.remove(b);
                }
            } else if cost_a + cost_b - before <= allowed {
                let second = sorted[cut..].to_vec();
                let mut first = sorted;
                first.truncate(cut);
                state.set(a, first, cost_a);
                state.set(b, second, cost_b);
            }
            continue;
        }
        state.cut(b, k, allowed, &mut random);
    }
    state.classes
}
