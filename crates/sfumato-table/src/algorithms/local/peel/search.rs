//! The search: simulated annealing over the open cells and the cell of each record.
//!
//! A step opens a cell that is cheaper than where some record is now: it takes the rows that gain
//! most, first from classes that can spare them. A class that falls below k then fills up again
//! from classes that can spare rows, or closes and its rows go to the cheapest open cells that
//! cover them, whichever costs less. Another step closes a class outright. Steps that lose are
//! taken now and then, less and less often.

use super::cells::Cells;
use super::improve::Choice;
use super::records::Records;
use crate::algorithms::shared::mix::{Stream, mix};

/// How a search runs.
pub struct Schedule {
    /// The number of steps that are tried.
    pub steps: u64,
    /// The loss that a step may have at the beginning, in prices times rows.
    pub hot: f64,
    /// The loss that a step may have at the end, in prices times rows.
    pub cold: f64,
    /// The seed of random choices.
    pub seed: u64,
}

/// One in this many steps closes a class.
const CLOSE: usize = 8;
/// The largest number of rows of tight classes that a cell may claim.
const MOST_CLAIMED: usize = 200;
/// The largest number of rows of a cell that a step opens: examining more costs more than it gains.
const MOST_ROWS: usize = 4000;
const NOWHERE: u32 = u32::MAX;

struct State<'a> {
    records: &'a Records,
    cells: &'a Cells,
    k: usize,
    /// For each record the cells that cover it, from cheap to expensive: all of them, and those
    /// that are worth opening.
    homes: (Vec<u32>, Vec<u32>),
    worth: (Vec<u32>, Vec<u32>),
    cell_of: Vec<u32>,
    place_of: Vec<u32>,
    rows_in: Vec<Vec<u32>>,
    total: f64,
    /// Where rows were before the current step.
    undo: Vec<(u32, u32)>,
}

impl State<'_> {
    fn price(&self, cell: u32) -> f64 {
        self.cells.price[cell as usize]
    }
    fn size(&self, cell: u32) -> usize {
        self.rows_in[cell as usize].len()
    }
    /// Move a row to a cell, and remember where it was.
    fn bring(&mut self, row: u32, cell: u32) {
        let before = self.cell_of[row as usize];
        if before != cell {
            self.undo.push((row, before));
            self.put(row, cell);
        }
    }
    fn put(&mut self, row: u32, cell: u32) {
        let before = self.cell_of[row as usize];
        if before != NOWHERE {
            let place = self.place_of[row as usize] as usize;
            let rows = &mut self.rows_in[before as usize];
            rows.swap_remove(place);
            if let Some(&moved) = rows.get(place) {
                self.place_of[moved as usize] = place as u32;
            }
            self.total -= self.cells.price[before as usize];
        }
        let rows = &mut self.rows_in[cell as usize];
        self.place_of[row as usize] = rows.len() as u32;
        rows.push(row);
        self.cell_of[row as usize] = cell;
        self.total += self.cells.price[cell as usize];
    }
    /// The cheapest open cell that covers a row, other than the given one.
    fn home(&self, row: u32, other_than: u32) -> Option<u32> {
        let record = self.records.of_row[row as usize] as usize;
        let (starts, cells) = &self.homes;
        let cells = &cells[starts[record] as usize..starts[record + 1] as usize];
        cells.iter().copied().find(|&cell| cell != other_than && self.size(cell) > 0)
    }

    /// Close a class: its rows go to the cheapest open cells. Returns `false` if a row has no other
    /// cell.
    fn close(&mut self, cell: u32) -> bool {
        while let Some(&row) = self.rows_in[cell as usize].last() {
            let Some(home) = self.home(row, cell) else { return false };
            self.bring(row, home);
        }
        true
    }

    /// The additional cost of closing a class, if it can be closed.
    fn cost_to_close(&self, cell: u32) -> Option<f64> {
        let rows = &self.rows_in[cell as usize];
        rows.iter()
            .map(|&row| self.home(row, cell).map(|home| self.price(home) - self.price(cell)))
            .sum()
    }

    /// As many rows of other classes that can spare them as a class lacks, and the additional cost
    /// of taking them.
    fn cost_to_fill(
        &self,
        cell: u32,
        opened: u32,
        claimed: &mut Vec<(f64, u32)>,
    ) -> Option<(f64, Vec<u32>)> {
        let lacking = self.k - self.size(cell);
        claimed.clear();
        for &record in self.cells.members(cell) {
            for &row in self.records.rows(record) {
                let from = self.cell_of[row as usize];
                if from != cell && from != opened && self.size(from) > self.k {
                    claimed.push((self.price(cell) - self.price(from), row));
                }
            }
        }
        claimed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut chosen, mut cost) = (Vec::with_capacity(lacking), 0.0);
        let mut spared: Vec<(u32, usize)> = Vec::new();
        for &(more, row) in claimed.iter() {
            let from = self.cell_of[row as usize];
            let known = spared.iter().position(|(cell, _)| *cell == from);
            let gone = known.map_or(0, |place| spared[place].1);
            if self.size(from) <= self.k + gone {
                continue;
            }
            match known {
                Some(place) => spared[place].1 += 1,
                None => spared.push((from, 1)),
            }
            cost += more;
            chosen.push(row);
            if chosen.len() == lacking {
                return Some((cost, chosen));
            }
        }
        None
    }

    /// Open a cell, or enlarge it. Returns `false` if that isn't possible.
    fn open(&mut self, cell: u32, random: &mut Stream, claimed: &mut Vec<(f64, u32)>) -> bool {
        let (k, price) = (self.k, self.price(cell));
        claimed.clear();
        for &record in self.cells.members(cell) {
            for &row in self.records.rows(record) {
                let from = self.cell_of[row as usize];
                if from != cell {
                    claimed.push((self.price(from) - price, row));
                }
            }
        }
        if self.size(cell) + claimed.len() < k || claimed.len() > MOST_ROWS {
            return false;
        }
        // Classes that gain alike are taken from in any order, but one after the other: a class of
        // which little is left closes cheaply.
        let luck = price.max(1e-9) * 1e-4;
        let salt = random.draw();
        for (gain, row) in claimed.iter_mut() {
            let chance = mix(salt ^ u64::from(self.cell_of[*row as usize])) >> 40;
            *gain += chance as f64 * (luck / (1u64 << 24) as f64);
        }
        claimed.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        // A closed cell needs k rows wherever they come from; an open one may also claim some rows
        // that gain from classes that can't spare them.
        let wanted = match self.size(cell) {
            0 => k,
            size => size + 1 + random.below(k),
        };
        let mut tight: Vec<u32> = Vec::new();
        for &(gain, row) in claimed.iter() {
            if gain <= 0.0 && (self.size(cell) >= k || self.size(cell) + tight.len() >= wanted) {
                break;
            }
            if gain > 0.0 && self.size(self.cell_of[row as usize]) > k {
                self.bring(row, cell);
            } else {
                tight.push(row);
                if tight.len() > MOST_CLAIMED {
                    break;
                }
            }
        }
        let mut short: Vec<u32> = Vec::new();
        for row in tight {
            if self.size(cell) >= wanted {
                break;
            }
            let from = self.cell_of[row as usize];
            self.bring(row, cell);
            if self.size(from) < k && !short.contains(&from) {
                short.push(from);
            }
        }
        if self.size(cell) < k {
            return false;
        }
        for class in short {
            if self.size(class) == 0 || self.size(class) >= k {
                continue;
            }
            let close = self.cost_to_close(class);
            match (close, self.cost_to_fill(class, cell, claimed)) {
                (Some(close), Some((fill, _))) if close <= fill => {
                    self.close(class);
                }
                (_, Some((_, rows))) => rows.into_iter().for_each(|row| self.bring(row, class)),
                (Some(_), None) => {
                    self.close(class);
                }
                (None, None) => return false,
            }
        }
        true
    }

    fn take_back(&mut self) {
        while let Some((row, cell)) = self.undo.pop() {
            self.put(row, cell);
        }
    }
}

/// Search from a release whose `classes` are lists of records. Returns classes as lists of rows.
pub fn search(
    records: &Records,
    choice: &Choice,
    k: usize,
    classes: &[Vec<u32>],
    schedule: &Schedule,
    cancelled: &dyn Fn() -> bool,
) -> Vec<Vec<u32>> {
    let Choice { cells, worth_opening, of_class } = choice;
    let n_rows = records.of_row.len();
    let homes = cells.by_record(records.len());
    let worth = only(&homes, worth_opening);
    let mut state = State {
        records,
        cells,
        k,
        homes,
        worth,
        cell_of: vec![NOWHERE; n_rows],
        place_of: vec![0; n_rows],
        rows_in: vec![Vec::new(); cells.len()],
        total: 0.0,
        undo: Vec::new(),
    };
    for (class, &cell) in classes.iter().zip(of_class) {
        for &record in class {
            records.rows(record).iter().for_each(|&row| state.put(row, cell));
        }
    }
    let mut random = Stream::new(schedule.seed);
    let mut claimed: Vec<(f64, u32)> = Vec::new();
    let mut heat = schedule.hot;
    let cooling = (schedule.cold / schedule.hot).powf(1024.0 / schedule.steps.max(1024) as f64);
    let (mut best, mut best_cells) = (state.total, state.cell_of.clone());
    for step in 0..schedule.steps {
        if step % 1024 == 1023 {
            heat *= cooling;
            if cancelled() {
                break;
            }
            // The state is hardly ever worse at the end than before; keeping the best now and then
            // costs little.
            if step % (1 << 20) == (1 << 20) - 1 && state.total < best {
                best = state.total;
                best_cells.clone_from(&state.cell_of);
            }
        }
        let row = random.below(n_rows) as u32;
        let cell = state.cell_of[row as usize];
        let allowed = -heat * (1.0 - random.unit()).ln();
        let before = state.total;
        state.undo.clear();
        let done = if random.below(CLOSE) == 0 {
            state.price(cell) > 0.0 && state.size(cell) < 4 * k && state.close(cell)
        } else {
            let record = records.of_row[row as usize] as usize;
            let (starts, cells) = &state.worth;
            let cheaper = &cells[starts[record] as usize..starts[record + 1] as usize];
            let n =
                cheaper.partition_point(|&other| state.price(other) < state.price(cell) - 1e-12);
            if n == 0 {
                continue;
            }
            // Those just below are likelier to work than those far below.
            let other = cheaper[n - 1 - (random.unit() * random.unit() * n as f64) as usize];
            state.open(other, &mut random, &mut claimed)
        };
        if !done || state.total - before > allowed {
            state.take_back();
            // Adding and taking away rounds; what was must be what is.
            state.total = before;
        }
    }
    if state.total < best {
        best_cells.clone_from(&state.cell_of);
    }
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
    best_cells.iter().enumerate().for_each(|(row, &cell)| found[cell as usize].push(row as u32));
    found.retain(|rows| !rows.is_empty());
    found
}

/// The wanted ones of each record's cells.
fn only((starts, cells): &(Vec<u32>, Vec<u32>), wanted: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let mut kept = (vec![0u32], Vec::new());
    for window in starts.windows(2) {
        let of_record = &cells[window[0] as usize..window[1] as usize];
        kept.1.extend(of_record.iter().copied().filter(|&cell| wanted[cell as usize]));
        kept.0.push(kept.1.len() as u32);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::cells;
    use super::super::tests::{ALL, Sample, about};
    use super::*;

    /// Check that rows, places and the total agree, and that classes are large enough.
    fn check(state: &State<'_>, seed: u64) {
        for (cell, rows) in state.rows_in.iter().enumerate() {
            assert!(
                rows.is_empty() || rows.len() >= state.k,
                "seed {seed}: a class of {}",
                rows.len()
            );
            for (place, &row) in rows.iter().enumerate() {
                let known = (state.cell_of[row as usize], state.place_of[row as usize]);
                assert_eq!(known, (cell as u32, place as u32), "seed {seed}");
                assert!(
                    state.cells.members(cell as u32).contains(&state.records.of_row[row as usize])
                );
            }
        }
        assert_eq!(state.rows_in.iter().map(Vec::len).sum::<usize>(), state.cell_of.len());
        let total: f64 = state.cell_of.iter().map(|&cell| state.price(cell)).sum();
        assert!(about(total, state.total), "seed {seed}: {} instead of {total}", state.total);
    }

    #[test]
    fn steps_keep_the_books_and_can_be_taken_back() {
        let (mut opened, mut closed) = (0, 0);
        for seed in 0..40 {
            let k = 2 + seed as usize % 4;
            Sample::new(seed, 10..60, 1..4, ALL).with(k, |setting| {
                let (records, classes) = (setting.records, setting.start());
                let (cells, of_class) =
                    cells::find(records, setting.lattice, k as u64, 100_000, u64::MAX, &classes);
                let n_rows = records.of_row.len();
                let mut state = State {
                    records,
                    cells: &cells,
                    k,
                    homes: cells.by_record(records.len()),
                    worth: (Vec::new(), Vec::new()),
                    cell_of: vec![NOWHERE; n_rows],
                    place_of: vec![0; n_rows],
                    rows_in: vec![Vec::new(); cells.len()],
                    total: 0.0,
                    undo: Vec::new(),
                };
                for (class, &cell) in classes.iter().zip(&of_class) {
                    records.rows_of(class).into_iter().for_each(|row| state.put(row, cell));
                }
                check(&state, seed);
                let (mut random, mut claimed) = (Stream::new(seed), Vec::new());
                for _ in 0..300 {
                    let before = state.cell_of.clone();
                    state.undo.clear();
                    let done = if random.below(3) == 0 {
                        let done = state.close(state.cell_of[random.below(n_rows)]);
                        closed += u32::from(done);
                        done
                    } else {
                        let done =
                            state.open(random.below(cells.len()) as u32, &mut random, &mut claimed);
                        opened += u32::from(done);
                        done
                    };
                    if !done || random.below(4) == 0 {
                        state.take_back();
                        assert_eq!(state.cell_of, before, "seed {seed}");
                    }
                    check(&state, seed);
                }
            });
        }
        assert!(opened > 1000 && closed > 100, "{opened} opened, {closed} closed");
    }
}
