//! Compares curves: tables of what was measured in every trial, and whether one curve is below
//! another.

use super::published::Loss;
use crate::found::{Number, Row, Table};

/// A row for each label; in each cell the mean of what trials found there, row by row, without the
/// trials that found nothing, which is not a number.
pub fn filled<T>(
    mut table: Table,
    labels: &[usize],
    trials: &[Vec<T>],
    cells: impl Fn(&T) -> Vec<f64>,
) -> Table {
    for (row, label) in labels.iter().enumerate() {
        let found: Vec<Vec<f64>> = trials.iter().map(|trial| cells(&trial[row])).collect();
        let column = |place: usize| {
            let values: Vec<f64> =
                found.iter().filter_map(|cells| cells.get(place).copied()).collect();
            let values: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
            Number::of(&values)
        };
        let cells = (0..table.columns.len()).map(column).collect();
        table.push(label, cells);
    }
    table
}

/// The three tables of a data set: error rate, queries of type I, queries of type II.
pub fn loss_tables<T>(
    data: &str,
    rows_are: &str,
    curves: &[&str],
    labels: &[usize],
    trials: &[Vec<T>],
    losses: impl Fn(&T) -> Vec<Loss>,
) -> Vec<Table> {
    let table = |what: &str, measure: &str, of: fn(&Loss) -> f64| {
        let table = Table::new(&format!("{data}: {what}"), rows_are, measure, curves).digits(3);
        filled(table, labels, trials, |row| losses(row).iter().map(of).collect())
    };
    vec![
        table("error rate", "ER, %", |loss| loss.error_rate),
        table("queries of type I", "QE, % of the records", |loss| loss.query_errors[0]),
        table("queries of type II", "QE, % of the records", |loss| loss.query_errors[1]),
    ]
}

/// Two columns at every row at which both were measured.
pub fn pairs(table: &Table, first: usize, second: usize) -> Vec<(f64, f64)> {
    let cell = |row: &Row, column: usize| row.cells.get(column).copied().flatten();
    let pair = |row: &Row| Some((cell(row, first)?.mean, cell(row, second)?.mean));
    table.rows.iter().filter_map(pair).collect()
}

/// How the second column is to the first, and where it isn't above it, in words.
pub fn told(table: &Table, first: usize, second: usize) -> String {
    let pairs = pairs(table, first, second);
    let ratios = pairs.iter().map(|(first, second)| second / first.max(1e-12));
    let (least, most) =
        ratios.fold((f64::MAX, 0f64), |(least, most), ratio| (least.min(ratio), most.max(ratio)));
    let failing = table.rows.iter().zip(&pairs).filter(|(_, (first, second))| first >= second);
    let failing: Vec<&str> = failing.map(|(row, _)| row.label.as_str()).collect();
    let but = match (pairs.len() == table.rows.len(), failing.is_empty()) {
        (false, _) => ", not measured at every row".into(),
        (true, true) => String::new(),
        (true, false) => format!(", not below at {} = {}", table.rows_are, failing.join(", ")),
    };
    let [first, second] = [first, second].map(|column| &table.columns[column]);
    format!("{second} is {least:.2} to {most:.2} times {first}{but}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_become_means_and_curves_are_compared_row_by_row() {
        let trials = [vec![[1.0, 2.0], [3.0, 3.0]], vec![[3.0, 6.0], [3.0, 3.0]]];
        let table =
            filled(Table::new("", "k", "", &["a", "b"]), &[5, 7], &trials, |row: &[f64; 2]| {
                row.to_vec()
            });
        assert_eq!((table.means(0), table.means(1)), (vec![2.0, 3.0], vec![4.0, 3.0]));
        assert_eq!(pairs(&table, 0, 1), [(2.0, 4.0), (3.0, 3.0)]);
        assert_eq!(told(&table, 0, 1), "b is 1.00 to 2.00 times a, not below at k = 7");
        let trials = [vec![[1.0, f64::NAN], [3.0, 3.0]]];
        let table =
            filled(Table::new("", "k", "", &["a", "b"]), &[5, 7], &trials, |row: &[f64; 2]| {
                row.to_vec()
            });
        assert_eq!(pairs(&table, 0, 1), [(3.0, 3.0)]);
        assert!(told(&table, 0, 1).ends_with("not measured at every row"));
    }
}
