//! Measures how long each learner takes on 1,000 and 45,000 rows of 18 columns, and how good it is
//! on a noisy task.
//!
//! `cargo run --release -p sfumato-learn --example learner_speed`

use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::registry::Params;
use sfumato_learn::Matrix;
use sfumato_learn::learner::{ALL, Goal};
use sfumato_learn::score::{accuracy, auc_of_classes, mae};

const COLUMNS: usize = 18;

/// Half of the columns have few values, as regions do. The target is a sum of products with noise
/// of a normal kind.
fn task(n: usize, seed: u64) -> (Matrix, Vec<f64>) {
    let mut words = ChaCha8Rng::seed_from_u64(seed);
    let mut unit = || f64::from(words.next_u32()) / 4_294_967_296.0;
    let mut columns = vec![Vec::new(); COLUMNS];
    let mut target = Vec::with_capacity(n);
    for _ in 0..n {
        let row: Vec<f64> = (0..COLUMNS)
            .map(|j| if j % 2 == 0 { unit() } else { (unit() * 20.0).floor() / 20.0 })
            .collect();
        let noise = (0..12).map(|_| unit()).sum::<f64>() - 6.0;
        target.push(row[0] + row[1] * row[2] - row[3] - 0.2 + 0.15 * noise);
        columns.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
    }
    (Matrix::from_columns(n, &columns).expect("all cells lie in 0..1"), target)
}

fn main() -> sfumato_core::Result<()> {
    let (test, truth) = task(10_000, 99);
    let classes = |y: &[f64]| y.iter().map(|y| u32::from(*y > 0.0)).collect::<Vec<u32>>();
    println!("{:<20} {:>7} {:>9}  score on 10,000 other rows", "learner", "rows", "fit s");
    for n in [1_000, 45_000] {
        let (x, y) = task(n, 1);
        for learner in ALL {
            let params = Params::check(learner.info(), &Default::default())?;
            let start = Instant::now();
            let (seconds, score) = match learner.goal() {
                Goal::Classes => {
                    let fitted = learner.fit_classes(&params, &x, &classes(&y), 2, 1)?;
                    let seconds = start.elapsed().as_secs_f64();
                    let (scores, truth) = (fitted.scores(&test)?, classes(&truth));
                    let right = accuracy(&truth, &scores.best()).unwrap_or(f64::NAN);
                    let area = auc_of_classes(&scores, &truth).unwrap_or(f64::NAN);
                    (seconds, format!("accuracy {right:.4}, AUC {area:.4}"))
                }
                Goal::Numbers => {
                    let fitted = learner.fit_numbers(&params, &x, &y, 1)?;
                    let seconds = start.elapsed().as_secs_f64();
                    let error = mae(&truth, &fitted.predict(&test)?).unwrap_or(f64::NAN);
                    (seconds, format!("MAE {error:.4}"))
                }
            };
            println!("{:<20} {n:>7} {seconds:>9.3}  {score}", learner.info().name);
        }
    }
    Ok(())
}
