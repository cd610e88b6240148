//! Fits the weights of classes by limited-memory BFGS (Nocedal, Mathematics of Computation 1980).
//!
//! Words become columns that are the same in nearly all rows. Such a column is kept as what most
//! rows have, and a list of the others: what it costs grows with the list, not with the rows.

use super::linear::softmax;

/// The steps that are remembered.
const HISTORY: usize = 10;
/// After so many steps the fit is taken as it is.
const MOST_STEPS: usize = 500;
/// The fit ends where no part of the gradient, for each row, is steeper than this.
const FLAT: f64 = 1e-7;

/// A column: what most rows have, and how far the others are from it.
struct Column {
    usual: f64,
    others: Vec<(u32, f64)>,
    /// All rows, where a list would be as long.
    dense: Vec<f64>,
}

impl Column {
    fn new(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let runs = sorted.chunk_by(|a, b| a == b);
        let (usual, n) =
            runs.map(|run| (run[0], run.len())).max_by_key(|(_, n)| *n).unwrap_or((0.0, 0));
        if n * 2 < values.len() {
            return Column { usual: 0.0, others: Vec::new(), dense: values.to_vec() };
        }
        let others = (0..).zip(values).filter(|(_, value)| **value != usual);
        let others = others.map(|(row, value)| (row, value - usual)).collect();
        Column { usual, others, dense: Vec::new() }
    }

    /// Add the column, weighed, to a sum for each row. What all rows get is returned.
    fn add_to(&self, weight: f64, sums: &mut [f64]) -> f64 {
        for (sum, value) in sums.iter_mut().zip(&self.dense) {
            *sum += weight * value;
        }
        for (row, value) in &self.others {
            sums[*row as usize] += weight * value;
        }
        weight * self.usual
    }

    /// The sum over all rows of the column times something of which the total is known.
    fn times(&self, of_rows: &[f64], total: f64) -> f64 {
        let dense: f64 = self.dense.iter().zip(of_rows).map(|(value, of)| value * of).sum();
        let others: f64 =
            self.others.iter().map(|(row, value)| value * of_rows[*row as usize]).sum();
        dense + others + self.usual * total
    }
}

/// A task: rows, their classes, and the penalty on squared weights.
pub(super) struct Fit<'a> {
    columns: Vec<Column>,
    classes: &'a [usize],
    n_classes: usize,
    /// Classes from this one on have weights; those before have sums of 0.
    first: usize,
    ridge: f64,
}

impl<'a> Fit<'a> {
    /// A task over columns that lie one after the other. With two classes only the second has
    /// weights; with more, all have.
    pub(super) fn new(columns: &[f64], classes: &'a [usize], n_classes: usize, ridge: f64) -> Self {
        let columns = columns.chunks_exact(classes.len().max(1)).map(Column::new).collect();
        let first = usize::from(n_classes == 2);
        Fit { columns, classes, n_classes, first, ridge }
    }

    /// The number of weights of a class, with its intercept, which comes last.
    fn width(&self) -> usize {
        self.columns.len() + 1
    }

    /// The loss at some weights, and its gradient.
    fn loss(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let (n, width) = (self.classes.len(), self.width());
        let mut scores = vec![0.0; n * self.n_classes];
        let mut sums = vec![0.0; n];
        for (class, of_class) in (self.first..).zip(weights.chunks_exact(width)) {
            sums.fill(0.0);
            let mut everywhere = of_class[width - 1];
            for (weight, column) in of_class.iter().zip(&self.columns) {
                everywhere += column.add_to(*weight, &mut sums);
            }
            for (row, sum) in sums.iter().enumerate() {
                scores[row * self.n_classes + class] = sum + everywhere;
            }
        }
        let mut loss = 0.0;
        for (row, class) in scores.chunks_exact_mut(self.n_classes).zip(self.classes) {
            softmax(row);
            loss -= row[*class].max(f64::MIN_POSITIVE).ln();
        }
        for (class, (of_class, slope)) in
            (self.first..).zip(weights.chunks_exact(width).zip(gradient.chunks_exact_mut(width)))
        {
            for (row, sum) in sums.iter_mut().enumerate() {
                let is_it = f64::from(u8::from(self.classes[row] == class));
                *sum = scores[row * self.n_classes + class] - is_it;
            }
            let total: f64 = sums.iter().sum();
            slope[width - 1] = total;
            for ((slope, weight), column) in slope.iter_mut().zip(of_class).zip(&self.columns) {
                *slope = column.times(&sums, total) + self.ridge * weight;
                loss += self.ridge / 2.0 * weight * weight;
            }
        }
        loss
    }

    /// The weights of each class: those of the columns, and then the intercept.
    pub(super) fn weights(&self) -> Vec<Vec<f64>> {
        let width = self.width();
        let mut weights = vec![0.0; (self.n_classes - self.first) * width];
        let mut gradient = weights.clone();
        let mut loss = self.loss(&weights, &mut gradient);
        let flat = FLAT * self.classes.len() as f64;
        // Steps, how much the gradient changed over each, and the inverse of their product.
        let mut history: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
        for _ in 0..MOST_STEPS {
            if gradient.iter().all(|slope| slope.abs() <= flat) {
                break;
            }
            let mut direction = downhill(&gradient, &history);
            let mut slope = dot(&direction, &gradient);
            if slope >= 0.0 {
                history.clear();
                direction = gradient.iter().map(|slope| -slope).collect();
                slope = dot(&direction, &gradient);
            }
            let mut length = if history.is_empty() { 1.0 / (-slope).sqrt().max(1.0) } else { 1.0 };
            let mut next_gradient = gradient.clone();
            let (next, next_loss) = loop {
                let next: Vec<f64> =
                    weights.iter().zip(&direction).map(|(at, to)| at + length * to).collect();
                let next_loss = self.loss(&next, &mut next_gradient);
                // Steps that gain less than this are too long.
                if next_loss <= loss + 1e-4 * length * slope || length < 1e-12 {
                    break (next, next_loss);
                }
                length /= 2.0;
            };
            if next_loss > loss {
                break;
            }
            let step: Vec<f64> = next.iter().zip(&weights).map(|(new, old)| new - old).collect();
            let change: Vec<f64> =
                next_gradient.iter().zip(&gradient).map(|(new, old)| new - old).collect();
            let product = dot(&step, &change);
            if product > 1e-12 {
                if history.len() == HISTORY {
                    history.remove(0);
                }
                history.push((step, change, 1.0 / product));
            }
            (weights, loss) = (next, next_loss);
            gradient.copy_from_slice(&next_gradient);
        }
        let mut all = vec![vec![0.0; width]; self.first];
        all.extend(weights.chunks_exact(width).map(<[f64]>::to_vec));
        all
    }
}

/// The direction in which to go: the gradient, bent by what the last steps showed.
fn downhill(gradient: &[f64], history: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut along = Vec::with_capacity(history.len());
    for (step, change, inverse) in history.iter().rev() {
        let much = inverse * dot(step, &direction);
        direction.iter_mut().zip(change).for_each(|(to, change)| *to -= much * change);
        along.push(much);
    }
    if let Some((step, change, _)) = history.last() {
        let scale = dot(step, change) / dot(change, change);
        direction.iter_mut().for_each(|to| *to *= scale);
    }
    for ((step, change, inverse), much) in history.iter().zip(along.into_iter().rev()) {
        let back = much - inverse * dot(change, &direction);
        direction.iter_mut().zip(step).for_each(|(to, step)| *to += back * step);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_rows_are_the_same_column() {
        let values = [2.0, 2.0, 5.0, 2.0, 2.0, -1.0];
        let (list, rows) = (
            Column::new(&values),
            Column { usual: 0.0, others: Vec::new(), dense: values.to_vec() },
        );
        assert_eq!((list.usual, list.others.len(), list.dense.len()), (2.0, 2, 0));
        let of_rows = [1.0, -2.0, 3.0, 0.5, 0.25, 4.0];
        let total: f64 = of_rows.iter().sum();
        assert!((list.times(&of_rows, total) - rows.times(&of_rows, total)).abs() < 1e-12);
        let (mut one, mut other) = (vec![0.0; 6], vec![0.0; 6]);
        let everywhere = list.add_to(3.0, &mut one);
        rows.add_to(3.0, &mut other);
        one.iter_mut().for_each(|sum| *sum += everywhere);
        assert_eq!(one, other);
        assert_eq!(Column::new(&[1.0, 2.0, 3.0, 4.0]).dense.len(), 4);
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let columns = [1.0, 0.0, 0.0, 0.0, 0.3, -0.2, 0.9, 0.1];
        for (classes, n) in [([0, 1, 1, 0], 2), ([0, 1, 2, 2], 3)] {
            let fit = Fit::new(&columns, &classes, n, 0.5);
            let size = (n - fit.first) * fit.width();
            let weights: Vec<f64> = (0..size).map(|at| 0.1 * at as f64 - 0.2).collect();
            let mut gradient = vec![0.0; size];
            fit.loss(&weights, &mut gradient);
            for at in 0..size {
                let moved = |by: f64| {
                    let mut weights = weights.clone();
                    weights[at] += by;
                    fit.loss(&weights, &mut vec![0.0; size])
                };
                let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((slope - gradient[at]).abs() < 1e-6, "{slope} {}", gradient[at]);
            }
        }
    }
}
