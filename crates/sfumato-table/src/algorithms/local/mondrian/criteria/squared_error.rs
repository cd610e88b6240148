//! Regression: the squared error of a number within the parts. If other features are published as
//! they are, it is the error within the parts and the values of these features. Records whose
//! number is missing don't count.

use std::ops::Range;

use sfumato_core::column::Codes;

use super::super::cells::Cells;
use super::super::store::{Slice, with_cells};
use super::{Counts, Criterion, Parts, View};

/// How many numbers, their sum and the sum of their squares.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, number: f64) {
        self.n += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    fn join(&mut self, other: Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn without(self, other: Moments) -> Moments {
        Moments {
            n: self.n - other.n,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }

    fn error(self) -> f64 {
        // Never below 0, whatever rounding does.
        if self.n > 0.0 { (self.squares - self.sum * self.sum / self.n).max(0.0) } else { 0.0 }
    }
}

/// One column of numbers.
pub struct SquaredError {
    codes: Codes,
    /// The number of each code minus the mean of all; NaN for missing.
    numbers: Vec<f64>,
    /// The cell of each row's other features, if there are any.
    cells: Option<Codes>,
    n_cells: usize,
    /// The value of a unit of squared error.
    scale: f64,
}

impl SquaredError {
    /// Make it from codes with a number for each, and cells of other features.
    pub fn new(codes: Codes, numbers: Vec<f64>, cells: Option<(Codes, usize)>, scale: f64) -> Self {
        let (cells, n_cells) = cells.map_or((None, 1), |(cells, n)| (Some(cells), n));
        SquaredError { codes, numbers, cells, n_cells, scale }
    }

    /// Call a function with the place, the cell and the number of each row of a node.
    fn each(
        &self,
        own: &[Slice<'_>],
        range: Range<usize>,
        mut tell: impl FnMut(usize, usize, f64),
    ) {
        with_cells!(&own[0], 0, range.clone(), codes =>
            match own.get(1).filter(|_| self.cells.is_some()) {
            None => codes.codes().enumerate()
                .for_each(|(place, code)| tell(place, 0, self.numbers[code as usize])),
            Some(cells) => with_cells!(cells, 0, range, cells => {
                for (place, (code, cell)) in codes.codes().zip(cells.codes()).enumerate() {
                    tell(place, cell as usize, self.numbers[code as usize]);
                }
            }),
        });
    }

    fn error(sums: &[Moments]) -> f64 {
        sums.iter().map(|sum| sum.error()).sum()
    }

    /// Sums by group and cell. `group` returns the group of a place by its slot.
    fn by_group(
        &self,
        view: &View<'_>,
        n_groups: usize,
        group: impl Fn(usize) -> usize,
        sums: &mut Vec<Moments>,
    ) {
        let (slots, width) = (view.slots, self.n_cells);
        sums.clear();
        sums.resize(n_groups * width, Moments::default());
        if slots.dense {
            with_cells!(&view.block.stores[view.by.store], view.by.lane, view.range.clone(),
                cells => {
                self.each(view.own, view.range.clone(), |place, cell, number| {
                    if !number.is_nan() {
                        let slot = (cells.at(place) - slots.min) as usize;
                        sums[group(slot) * width + cell].add(number);
                    }
                });
            });
            return;
        }
        let mut slot_of = vec![0u32; view.range.len()];
        for slot in 0..slots.len() {
            for &place in &slots.order[slots.rows_before(slot) as usize..slots.ends[slot] as usize]
            {
                slot_of[place as usize] = slot as u32;
            }
        }
        self.each(view.own, view.range.clone(), |place, cell, number| {
            if !number.is_nan() {
                sums[group(slot_of[place] as usize) * width + cell].add(number);
            }
        });
    }
}

impl Criterion for SquaredError {
    fn columns(&self) -> Vec<&Codes> {
        std::iter::once(&self.codes).chain(&self.cells).collect()
    }

    fn width(&self) -> usize {
        self.n_cells
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn whole(&self, own: &[Slice<'_>], range: Range<usize>, whole: &mut Counts) -> f64 {
        whole.sums.clear();
        whole.sums.resize(self.n_cells, Moments::default());
        self.each(own, range, |_, cell, number| {
            if !number.is_nan() {
                whole.sums[cell].add(number);
            }
        });
        whole.impurity = Self::error(&whole.sums);
        whole.impurity
    }

    fn add_cuts(&self, view: &View<'_>, cuts: Range<usize>, room: &mut Counts, gains: &mut [f64]) {
        let (slots, width) = (view.slots, self.n_cells);
        let mut table = std::mem::take(&mut room.sums);
        self.by_group(view, slots.len(), |slot| slot, &mut table);
        let (left, right) = (&mut room.left_sums, &mut room.right_sums);
        left.clear();
        left.resize(width, Moments::default());
        right.clone_from(&view.whole.sums);
        let before = view.whole.impurity;
        for slot in 0..cuts.end {
            if slot >= cuts.start && slots.rows_before(slot) != slots.ends[slot] {
                for ((right, left), whole) in
                    right.iter_mut().zip(left.iter()).zip(&view.whole.sums)
                {
                    *right = whole.without(*left);
                }
                gains[slot - cuts.start] +=
                    self.scale * (before - Self::error(left) - Self::error(right));
            }
            for (left, sum) in left.iter_mut().zip(&table[slot * width..]) {
                left.join(*sum);
            }
        }
        room.sums = table;
    }

    fn beyond_chance(&self, whole: &Counts, _: usize, nats: f64, parts: usize) -> f64 {
        // The errors of n numbers take n / 2 ln(variance) nats; a mean takes half the logarithm of
        // its numbers.
        let n: f64 = whole.sums.iter().map(|sum| sum.n).sum();
        let means = whole.sums.iter().filter(|sum| sum.n > 1.0).count() * parts.saturating_sub(1);
        1.0 - (-2.0 * (nats + 0.5 * means as f64 * n.max(1.0).ln()) / n.max(1.0)).exp()
    }

    fn of_parts(&self, view: &View<'_>, parts: &Parts<'_>, room: &mut Counts) -> f64 {
        let mut sums = std::mem::take(&mut room.sums);
        self.by_group(view, parts.n, |slot| parts.of_slot[slot] as usize, &mut sums);
        let after = Self::error(&sums);
        room.sums = sums;
        self.scale * (view.whole.impurity - after)
    }
}
