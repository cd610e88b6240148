//! Noise filtering: what is known of how columns go together takes part of the noise off perturbed
//! numbers.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;
use super::guess::one_if;

/// The attack `noise-filtering`, an entry of the registry.
pub struct NoiseFiltering;

static INFO: Info = Info {
    name: "noise-filtering",
    summary: "takes part of the noise off perturbed numbers by how columns go together",
    papers: &[Paper {
        authors: "Hillol Kargupta, Souptik Datta, Qi Wang, Krishnamoorthy Sivakumar",
        title: "On the privacy preserving properties of random data perturbation techniques",
        venue: "IEEE International Conference on Data Mining",
        year: 2003,
    }],
    params: &[ParamSpec::with_default(
        "share",
        ParamKind::Number { min: 0.0, above: true, max: 100.0 },
        "0.1",
        "the standard deviation of the noise as a share of the column's own: the attacker knows it",
    )],
    doc: "\
Noise that is independent from column to column stands out where columns go together. The attacker \
knows how strong the noise is
(`share`, as `additive-noise` says it), takes its variance off the covariances of the published \
numbers, and estimates the originals by
the best linear filter, `mean + (S - D) S^-1 (published - mean)` with the published covariances S \
and the variances D of the noise. The
rate is how often an estimate is nearer to the original number than the published one; guessing is \
a half. The remark gives the errors
of both.

A kept column must say whose a row is, to judge by.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for NoiseFiltering {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["perturbed"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        if stage.person_of_row().is_none() {
            return Some("a column kept as it is that says whose a row is, to judge by".into());
        }
        let n = stage.quasi.iter().filter(|column| column.numbers.is_some()).count();
        (n < 2).then(|| "two columns of perturbed numbers".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let columns: Vec<&super::stage::Quasi> =
            stage.quasi.iter().filter(|column| column.numbers.is_some()).collect();
        let owners = stage.person_of_row().unwrap_or_default();
        let (mut published, mut original) = (Vec::new(), Vec::new());
        for (row, person) in owners.iter().enumerate() {
            let class = stage.class_of_row[row] as usize;
            let seen: Option<Vec<f64>> = columns
                .iter()
                .map(|column| column.number_of_text[column.text_of_class[class] as usize])
                .collect();
            let own: Option<Vec<f64>> = columns
                .iter()
                .map(|column| {
                    let code = column.people[*person as usize] as usize;
                    column.numbers.as_ref()?.get(code).copied()
                })
                .collect();
            if let (Some(seen), Some(own)) = (seen, own) {
                published.push(seen);
                original.push(own);
            }
        }
        let share = params.number("share");
        let filtered = filter(&published, share * share / (1.0 + share * share));
        let (mut score, mut before, mut after) = (Score::default(), 0.0, 0.0);
        // Errors in standard deviations of the published column, so that columns can be added up.
        let scales = variances(&published);
        for ((seen, guess), own) in published.iter().zip(&filtered).zip(&original) {
            for at in 0..columns.len() {
                let (far, near) = ((seen[at] - own[at]).abs(), (guess[at] - own[at]).abs());
                score.add(one_if(near < far));
                before += far * far / scales[at];
                after += near * near / scales[at];
            }
        }
        let cells = score.queries.max(1) as f64;
        Ok(Outcome {
            score,
            baseline: 0.5,
            everybody: true,
            remarks: vec![format!(
                "the error, in standard deviations, falls from {:.4} to {:.4}",
                (before / cells).sqrt(),
                (after / cells).sqrt()
            )],
            ..Outcome::default()
        })
    }
}

fn means(rows: &[Vec<f64>]) -> Vec<f64> {
    let n = rows.len().max(1) as f64;
    let d = rows.first().map_or(0, Vec::len);
    (0..d).map(|at| rows.iter().map(|row| row[at]).sum::<f64>() / n).collect()
}

fn variances(rows: &[Vec<f64>]) -> Vec<f64> {
    let (means, n) = (means(rows), rows.len().max(1) as f64);
    let of = |at: usize| {
        let sum: f64 = rows.iter().map(|row| (row[at] - means[at]) * (row[at] - means[at])).sum();
        (sum / n).max(f64::MIN_POSITIVE)
    };
    (0..means.len()).map(of).collect()
}

/// The best linear estimate of the originals, where `noise` of each column's variance is noise.
fn filter(rows: &[Vec<f64>], noise: f64) -> Vec<Vec<f64>> {
    let (means, n) = (means(rows), rows.len().max(1) as f64);
    let d = means.len();
    let mut s = vec![vec![0.0; d]; d];
    for row in rows {
        for a in 0..d {
            for b in 0..d {
                s[a][b] += (row[a] - means[a]) * (row[b] - means[b]) / n;
            }
        }
    }
    let Some(inverse) = invert(&s) else { return rows.to_vec() };
    // What is left of each deviation: (S - D) S^-1.
    let mut gain = vec![vec![0.0; d]; d];
    for a in 0..d {
        for b in 0..d {
            let own = f64::from(u8::from(a == b));
            gain[a][b] = own - noise * s[a][a] * inverse[a][b];
        }
    }
    let estimate = |row: &Vec<f64>| -> Vec<f64> {
        let part = |a: usize| (0..d).map(|b| gain[a][b] * (row[b] - means[b])).sum::<f64>();
        (0..d).map(|a| means[a] + part(a)).collect()
    };
    rows.iter().map(estimate).collect()
}

/// The inverse of a matrix by Gauss and Jordan. `None` if it has none.
fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let d = matrix.len();
    let one = |a: usize, b: usize| f64::from(u8::from(a == b));
    let mut rows: Vec<Vec<f64>> = (0..d)
        .map(|a| matrix[a].iter().copied().chain((0..d).map(|b| one(a, b))).collect())
        .collect();
    for at in 0..d {
        let pivot = (at..d).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        let lead = rows[at][at];
        if lead.abs() < 1e-300 {
            return None;
        }
        rows[at].iter_mut().for_each(|x| *x /= lead);
        let own = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(rows.into_iter().map(|row| row[d..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverses() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, 0.2], vec![0.5, 0.2, 2.0]];
        let inverse = invert(&matrix).unwrap();
        for (a, row) in matrix.iter().enumerate() {
            for b in 0..3 {
                let x: f64 = row.iter().zip(&inverse).map(|(x, other)| x * other[b]).sum();
                assert!((x - f64::from(u8::from(a == b))).abs() < 1e-12);
            }
        }
        assert!(invert(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
    }

    #[test]
    fn noise_on_columns_that_go_together_is_taken_off() {
        // Five columns that are nearly the same, with noise as strong as they are.
        let mut state = 7u64;
        let mut draw = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        let (mut own, mut seen) = (Vec::new(), Vec::new());
        for _ in 0..2000 {
            let x = draw();
            own.push(vec![x; 5]);
            seen.push((0..5).map(|_| x + draw()).collect::<Vec<f64>>());
        }
        let error = |rows: &[Vec<f64>]| -> f64 {
            let all = rows.iter().zip(&own).flat_map(|(a, b)| a.iter().zip(b));
            all.map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let (before, after) = (error(&seen), error(&filter(&seen, 0.5)));
        // The mean of five noises has a fifth of the variance.
        assert!(after < 0.25 * before, "{before} {after}");
    }
}
