//! Condensation: groups of near records are known by their moments alone, and as many records are
//! drawn that have them.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::matrix::{cholesky, covariance, times};
use super::microaggregation::aggregate::{K, size_of};
use super::microaggregation::mdav::groups;
use super::microaggregation::points::Points;
use super::values::{digits, missing_elsewhere, moments, numbers, spelled};
use super::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `condensation`, an entry of the registry.
pub struct Condensation;

static INFO: Info = Info {
    name: "condensation",
    summary: "publish numbers drawn by the means and covariances of groups of at least k records",
    papers: &[Paper {
        authors: "Charu C. Aggarwal, Philip S. Yu",
        title: "A condensation approach to privacy preserving data mining",
        venue: "EDBT",
        year: 2004,
    }],
    params: &[K],
    doc: "Near records are put into groups of at least k, as `mdav` does. Of each group only the \
          number of records, their means and their covariances are kept, and as many records are \
          drawn that have these moments on average: evenly spread numbers, turned and stretched by \
          the group's covariances. How columns go together stays, within groups as well as among \
          them. Missing values count as the mean while groups are formed, stay missing, and the \
          rest of such a record is drawn like that of others.\n\n\
          In the file is checked that no number is farther from the original's range than draws \
          can be, and that means and spreads of columns are near the original's, as far as chance \
          allows. Nothing is promised: no record is published as it was, but a group of records \
          that are alike is drawn as it was, and moments of k records say something of each.",
    capabilities: Capabilities { draws: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for Condensation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let all: Vec<Vec<Option<f64>>> =
            task.columns.iter().map(|column| numbers(column)).collect();
        let means: Vec<f64> = all
            .iter()
            .map(|column| moments(&column.iter().copied().flatten().collect::<Vec<f64>>()).0)
            .collect();
        let mut published = all.clone();
        for group in groups(&Points::of(&task.columns), size_of(params, task)?) {
            let row = |row: &u32| -> Vec<f64> {
                let both = all.iter().zip(&means);
                both.map(|(column, mean)| column[*row as usize].unwrap_or(*mean)).collect()
            };
            let rows: Vec<Vec<f64>> = group.iter().map(row).collect();
            let (centre, matrix) = covariance(&rows);
            let lower = cholesky(&matrix);
            for row in group {
                // Evenly spread between -sqrt 3 and sqrt 3: variance 1.
                let drawn: Vec<f64> =
                    centre.iter().map(|_| (draws.uniform() - 0.5) * 12f64.sqrt()).collect();
                let cells = published.iter_mut().zip(&centre).zip(times(&lower, &drawn));
                for ((column, centre), off) in cells {
                    let cell = &mut column[row as usize];
                    *cell = cell.map(|_| centre + off);
                }
            }
        }
        let columns = task.columns.iter().zip(&published);
        Ok(columns.map(|(column, numbers)| spelled(column, numbers, 0)).collect())
    }

    fn fault(&self, _: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        if let Some(fault) = missing_elsewhere(&task.columns, after) {
            return Some(fault);
        }
        // A number is a mean and at most d terms of sqrt 3 deviations of a group, whose deviation
        // is at most half the range.
        let reach = 3f64.sqrt() * (task.columns.len() as f64).sqrt() / 2.0;
        task.columns.iter().zip(after).find_map(|(before, after)| {
            let old: Vec<f64> = numbers(before).into_iter().flatten().collect();
            let new: Vec<f64> = numbers(after).into_iter().flatten().collect();
            if old.is_empty() {
                return None;
            }
            if new.len() != old.len() {
                return Some(format!("column '{}' has values that are no numbers", before.name));
            }
            let step = 10f64.powi(-(digits(before) as i32));
            let low = old.iter().copied().fold(f64::INFINITY, f64::min);
            let high = old.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let out = reach * (high - low) + step;
            if new.iter().any(|x| *x < low - out || *x > high + out) {
                return Some(format!("a number of column '{}' is too far out", before.name));
            }
            let ((mean, spread), (found, found_spread)) = (moments(&old), moments(&new));
            // Eight standard errors, if all spread were within the groups.
            let n = old.len() as f64;
            let error = 8.0 * spread / n.sqrt() + step;
            let has_moved =
                (mean - found).abs() > error || (spread - found_spread).abs() > 2.0 * error;
            // Where values are missing, a group's mean isn't that of those that are there.
            (has_moved && n > 100.0 && old.len() == before.codes.len())
                .then(|| format!("the moments of column '{}' moved too far", before.name))
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;
    use sfumato_core::dataset::Table;
    use sfumato_core::registry::Call;

    use super::*;
    use crate::algorithms::tabulated::cells::table;

    fn sample() -> Table {
        let of = |f: &dyn Fn(usize) -> usize| (0..600).map(|row| f(row).to_string()).collect();
        table(vec![
            ("a".into(), of(&|row| 1000 + row * 37 % 600)),
            ("b".into(), of(&|row| 5000 + 3 * (row * 37 % 600) + row * 11 % 40)),
        ])
    }

    #[test]
    fn moments_stay_and_records_do_not() {
        let (table, call): (Table, Call) = (sample(), "condensation(k=20)".parse().unwrap());
        let params = Params::check(&INFO, &call.args).unwrap();
        let task = Perturbing::of(&table, None);
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(6));
        let made = Condensation.perturb(&params, &task, &mut draws).unwrap();
        let after: Vec<&Column> = made.iter().collect();
        assert_eq!(Condensation.fault(&params, &task, &after), None);
        let rows = |columns: &[&Column]| -> Vec<Vec<f64>> {
            let all: Vec<Vec<Option<f64>>> = columns.iter().map(|c| numbers(c)).collect();
            (0..600).map(|row| all.iter().map(|c| c[row].unwrap()).collect()).collect()
        };
        let (one, other) = (covariance(&rows(&task.columns)).1, covariance(&rows(&after)).1);
        let correlation = |m: &Vec<Vec<f64>>| m[0][1] / (m[0][0] * m[1][1]).sqrt();
        assert!((correlation(&one) - correlation(&other)).abs() < 0.01);
        let before = rows(&task.columns);
        let same = rows(&after).iter().filter(|row| before.contains(row)).count();
        assert!(same < 60, "{same}");
        // Another column's numbers, and numbers moved by a tenth of the spread's double.
        let moved: Vec<Option<f64>> =
            numbers(after[0]).into_iter().map(|x| x.map(|x| x + 90.0)).collect();
        let moved = spelled(task.columns[0], &moved, 0);
        assert!(Condensation.fault(&params, &task, &[&moved, after[1]]).is_some());
        assert!(Condensation.fault(&params, &task, &[after[1], after[1]]).is_some());
    }
}
