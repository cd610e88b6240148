//! Records as points of standardized numbers.

use sfumato_core::dataset::Column;

use crate::algorithms::perturbed::values::{moments, numbers};

/// Points in the order of records.
#[derive(Debug, Clone)]
pub struct Points {
    /// How many numbers a point has.
    pub d: usize,
    /// The numbers of all points, one point after the other.
    pub at: Vec<f64>,
}

impl Points {
    /// The records of some columns, each column divided by its standard deviation. A missing number
    /// counts as the mean.
    pub fn of(columns: &[&Column]) -> Self {
        let d = columns.len();
        let n = columns.first().map_or(0, |column| column.codes.len());
        let mut at = vec![0.0; n * d];
        for (place, column) in columns.iter().enumerate() {
            let numbers = numbers(column);
            let known: Vec<f64> = numbers.iter().copied().flatten().collect();
            let (mean, deviation) = moments(&known);
            if deviation <= 0.0 {
                continue;
            }
            for (row, number) in numbers.iter().enumerate() {
                at[row * d + place] = number.map_or(0.0, |number| (number - mean) / deviation);
            }
        }
        Points { d, at }
    }

    /// How many points there are.
    pub fn n(&self) -> usize {
        self.at.len() / self.d.max(1)
    }

    /// The numbers of a point.
    pub fn get(&self, point: u32) -> &[f64] {
        &self.at[point as usize * self.d..(point as usize + 1) * self.d]
    }
}

/// The square of the distance of two points. Terms are added in one order everywhere, so that
/// comparing distances gives the same answer wherever they are computed.
#[inline]
pub fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// The sum of some points, kept while points go.
#[derive(Debug, Clone)]
pub struct Sum {
    /// The sum of each number.
    pub sum: Vec<f64>,
    /// How many points there are.
    pub n: usize,
}

impl Sum {
    /// The sum of all points.
    pub fn of_all(points: &Points) -> Self {
        let mut sum = Sum { sum: vec![0.0; points.d], n: 0 };
        (0..points.n() as u32).for_each(|point| sum.add(points.get(point)));
        sum
    }
    /// A point comes.
    pub fn add(&mut self, point: &[f64]) {
        self.sum.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
        self.n += 1;
    }
    /// A point goes.
    pub fn take(&mut self, point: &[f64]) {
        self.sum.iter_mut().zip(point).for_each(|(sum, x)| *sum -= x);
        self.n -= 1;
    }
    /// The mean of those that are there.
    pub fn mean(&self) -> Vec<f64> {
        self.sum.iter().map(|sum| sum / self.n.max(1) as f64).collect()
    }
}
