//! Measures whether small sets of columns that are published as they are reveal a quasi column
//! together: two columns with the digits of an age, or a first and a last letter.
//!
//! Sets are examined from small to large, on a sample of rows and within a stated budget of work;
//! what is left out is counted, never passed over in silence. A record is guessed from the *other*
//! records with its values, so that sets whose values are all rare don't seem to tell anything.

use sfumato_core::FastMap;
use sfumato_core::dataset::Column;

/// The largest number of columns in a set.
const LARGEST: usize = 3;
/// The number of rows that are looked at.
const ROWS: usize = 10_000;
/// The smallest number of rows that say something about a set.
const ENOUGH: usize = 100;
/// The work that may be done: cells that are looked at. That's about a second.
pub const BUDGET: u64 = 30_000_000;

/// What was found about sets of columns.
#[derive(Debug, Default, PartialEq)]
pub struct FoundSets {
    /// Sets that predict a quasi column: places among the columns and of the quasi column, and
    /// Goodman and Kruskal's lambda.
    pub telling: Vec<(Vec<usize>, usize, f64)>,
    /// How many sets weren't examined, because the budget was used up.
    pub unexamined: u64,
}

/// Find sets of at least two columns that predict a quasi column with a lambda of at least
/// `determines`. A set isn't looked at for a quasi column that some of its columns predict already;
/// `known` says which single columns do.
pub fn sets_that_predict(
    columns: &[&Column],
    quasi: &[&Column],
    rows: &[usize],
    determines: f64,
    known: &dyn Fn(usize, usize) -> bool,
    budget: u64,
) -> FoundSets {
    let mut found = FoundSets::default();
    if rows.len() < ENOUGH || columns.len() < 2 || quasi.is_empty() {
        return found;
    }
    let rows: Vec<usize> = rows.iter().step_by(rows.len().div_ceil(ROWS)).copied().collect();
    let mut left = budget;
    // Sets of one size, with the group of each row; those of the next size are made from them.
    let singles = columns.iter().enumerate().map(|(at, column)| {
        (vec![at], rows.iter().map(|row| column.codes.get(*row)).collect::<Vec<u32>>())
    });
    let mut sets: Vec<(Vec<usize>, Vec<u32>)> = singles.collect();
    for size in 2..=LARGEST.min(columns.len()) {
        let mut larger = Vec::new();
        for (set, groups) in &sets {
            let last = set.last().map_or(0, |last| last + 1);
            for (next, column) in columns.iter().enumerate().skip(last) {
                let work = (rows.len() * (1 + quasi.len())) as u64;
                if left < work {
                    found.unexamined += 1;
                    continue;
                }
                left -= work;
                let set: Vec<usize> = set.iter().copied().chain([next]).collect();
                let groups = split(groups, column, &rows);
                for (place, quasi) in quasi.iter().enumerate() {
                    let is_told = set.iter().any(|at| known(*at, place))
                        || found.telling.iter().any(|(told, of, _)| {
                            *of == place && told.iter().all(|at| set.contains(at))
                        });
                    let lambda = if is_told { 0.0 } else { lambda(&groups, quasi, &rows) };
                    if lambda >= determines {
                        found.telling.push((set.clone(), place, lambda));
                    }
                }
                if size < LARGEST {
                    larger.push((set, groups));
                }
            }
        }
        sets = larger;
    }
    found
}

/// Groups of rows, divided further by a column.
fn split(groups: &[u32], column: &Column, rows: &[usize]) -> Vec<u32> {
    let mut numbers: FastMap<(u32, u32), u32> = FastMap::default();
    let mut number = |(group, row): (&u32, &usize)| {
        let next = numbers.len() as u32;
        *numbers.entry((*group, column.codes.get(*row))).or_insert(next)
    };
    groups.iter().zip(rows).map(&mut number).collect()
}

/// By how much the groups reduce the error of guessing a quasi value, where each record is guessed
/// from the others of its group.
fn lambda(groups: &[u32], quasi: &Column, rows: &[usize]) -> f64 {
    let mut pairs: FastMap<(u32, u32), u64> = FastMap::default();
    let mut of_quasi: FastMap<u32, u64> = FastMap::default();
    for (group, row) in groups.iter().zip(rows) {
        let guessed = quasi.codes.get(*row);
        *pairs.entry((*group, guessed)).or_default() += 1;
        *of_quasi.entry(guessed).or_default() += 1;
    }
    let n = rows.len() as f64;
    let blind = of_quasi.values().max().copied().unwrap_or(0) as f64 / n;
    if blind >= 1.0 {
        return 0.0;
    }
    // The two most frequent values of each group, and its records.
    let mut best: FastMap<u32, (u64, u64, u64)> = FastMap::default();
    for ((group, _), count) in pairs {
        let (most, second, total) = best.entry(group).or_default();
        *total += count;
        if count > *most {
            (*most, *second) = (count, *most);
        } else {
            *second = (*second).max(count);
        }
    }
    let right = |(most, second, total): &(u64, u64, u64)| match (most - 1).cmp(second) {
        _ if *total == 1 => blind,
        std::cmp::Ordering::Greater => *most as f64,
        std::cmp::Ordering::Equal => *most as f64 / 2.0,
        std::cmp::Ordering::Less => 0.0,
    };
    let known = best.values().map(right).sum::<f64>() / n;
    (known - blind) / (1.0 - blind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Domain, Missing, Role};

    fn column(role: Role, codes: Vec<u8>) -> Column {
        let n = codes.iter().max().map_or(0, |max| usize::from(*max) + 1);
        Column {
            name: String::new(),
            role,
            codes: Codes::U8(codes),
            domain: Domain::of_texts((0..n).map(|i| i.to_string())),
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        }
    }

    fn numbers(below: u64, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u8
        };
        (0..4_000).map(|_| next()).collect()
    }

    fn find(columns: &[&Column], quasi: &Column, budget: u64) -> FoundSets {
        let rows: Vec<usize> = (0..4_000).collect();
        sets_that_predict(columns, &[quasi], &rows, 0.9, &|_, _| false, budget)
    }

    #[test]
    fn digits_of_an_age_give_it_away_together() {
        let age = numbers(80, 1);
        let tens = column(Role::Keep, age.iter().map(|age| age / 10).collect());
        let units = column(Role::Keep, age.iter().map(|age| age % 10).collect());
        let noise = column(Role::Sensitive, numbers(5, 2));
        let age = column(Role::Quasi, age);
        let found = find(&[&tens, &noise, &units], &age, BUDGET);
        // The pair, and not the three with the noise beside it.
        assert_eq!(found.telling.len(), 1, "{found:?}");
        assert_eq!((&found.telling[0].0[..], found.unexamined), (&[0, 2][..], 0));
        assert!(found.telling[0].2 > 0.99);
    }

    #[test]
    fn three_columns_give_away_what_two_do_not() {
        let bits: [Vec<u8>; 3] = [numbers(2, 3), numbers(2, 4), numbers(2, 5)];
        let parity = (0..4_000).map(|row| bits.iter().map(|b| b[row]).sum::<u8>() % 2).collect();
        let columns = bits.map(|bits| column(Role::Keep, bits));
        let columns: Vec<&Column> = columns.iter().collect();
        let found = find(&columns, &column(Role::Quasi, parity), BUDGET);
        assert_eq!(found.telling.len(), 1);
        assert_eq!(found.telling[0].0, [0, 1, 2]);
    }

    #[test]
    fn rare_values_are_no_evidence() {
        // Nearly every pair of values occurs once: they tell records apart, not quasi values.
        let (left, right) =
            (column(Role::Keep, numbers(200, 6)), column(Role::Keep, numbers(200, 7)));
        let found = find(&[&left, &right], &column(Role::Quasi, numbers(9, 8)), BUDGET);
        assert_eq!(found, FoundSets::default());
    }

    #[test]
    fn what_the_budget_leaves_out_is_counted() {
        let columns: Vec<Column> =
            (0..4).map(|seed| column(Role::Keep, numbers(3, seed))).collect();
        let columns: Vec<&Column> = columns.iter().collect();
        let quasi = column(Role::Quasi, numbers(9, 9));
        // Six pairs of 4,000 rows, two columns each; three of them fit, and no set of three.
        let found = find(&columns, &quasi, 24_000);
        assert_eq!((found.telling.len(), found.unexamined), (0, 3 + 3));
        assert_eq!(find(&columns, &quasi, BUDGET).unexamined, 0);
    }
}
