//! Columns as numbers, and numbers as columns again.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, ValueKind};
use sfumato_core::{Error, FastMap, Result};

/// The number of every row: by its key, or by its text where a column was made of texts. None where
/// it is missing.
pub fn numbers(column: &Column) -> Vec<Option<f64>> {
    let domain = &column.domain;
    let of_code =
        |code: u32| domain.number(code).or_else(|| domain.label(code).trim().parse().ok());
    let of_code: Vec<Option<f64>> = (0..domain.len() as u32).map(of_code).collect();
    column.codes.iter().map(|code| of_code.get(code as usize).copied().flatten()).collect()
}

/// How many digits a column has after the point.
pub fn digits(column: &Column) -> usize {
    match column.domain.kind {
        ValueKind::Integer => 0,
        ValueKind::Decimal { scale } => usize::from(scale),
        _ => 6,
    }
}

/// A number with so many digits after the point. Minus nothing is nothing.
fn text(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.') {
        true => text.trim_start_matches('-').to_string(),
        false => text,
    }
}

/// A column with other numbers, with `more` digits than it had.
pub fn spelled(column: &Column, numbers: &[Option<f64>], more: usize) -> Column {
    let digits = digits(column) + more;
    let mut texts: Vec<String> = Vec::new();
    let mut code_of: FastMap<String, u32> = FastMap::default();
    // Most numbers are there often, and spelling one takes longer than finding it.
    let mut known: FastMap<u64, u32> = FastMap::default();
    let mut codes = Vec::with_capacity(numbers.len());
    for number in numbers {
        codes.push(number.map(|number| {
            *known.entry(number.to_bits()).or_insert_with(|| {
                *code_of.entry(text(number, digits)).or_insert_with_key(|text| {
                    texts.push(text.clone());
                    texts.len() as u32 - 1
                })
            })
        }));
    }
    let domain = Domain::of_texts(&texts);
    let missing = domain.missing();
    let codes = codes.into_iter().map(|code| code.unwrap_or(missing)).collect();
    Column { codes: Codes::U32(codes), domain, hierarchy: None, ..column.clone() }
}

/// A column with other codes of the same values.
pub fn recoded(column: &Column, codes: impl Iterator<Item = u32>) -> Column {
    let codes = Codes::from_iter(column.domain.len() + 1, codes);
    Column { codes, ..column.clone() }
}

/// The mean and the standard deviation of some numbers.
pub fn moments(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
    (mean, variance.sqrt())
}

/// The mean and the standard deviation of a column, which must have a spread.
pub fn spread(column: &Column, numbers: &[Option<f64>]) -> Result<(f64, f64)> {
    let known: Vec<f64> = numbers.iter().copied().flatten().collect();
    let (mean, deviation) = moments(&known);
    match deviation.is_finite() && deviation > 0.0 {
        true => Ok((mean, deviation)),
        false => Err(Error::input(format!(
            "column '{}' has no spread that noise could be a share of",
            column.name
        ))
        .hint("give it the role keep, or identifier")),
    }
}

/// The first column in which another cell is missing than in the original.
pub fn missing_elsewhere(before: &[&Column], after: &[&Column]) -> Option<String> {
    let is_other = |(before, after): &(&&Column, &&Column)| {
        let (none, gone) = (before.domain.missing(), after.domain.missing());
        before.codes.iter().zip(after.codes.iter()).any(|(b, a)| (b == none) != (a == gone))
    };
    let found = before.iter().zip(after).find(is_other);
    found.map(|(column, _)| format!("other cells of column '{}' are missing", column.name))
}

/// The first column whose values aren't those of the original in another order.
pub fn other_values(before: &[&Column], after: &[&Column]) -> Option<String> {
    let counts = |column: &Column| {
        let n = column.codes.counts(column.domain.len() + 1);
        let labels = column.domain.labels().map(|label| label.into_owned());
        let mut counts: Vec<(String, u64)> = labels.zip(n).filter(|(_, n)| *n > 0).collect();
        counts.sort_unstable();
        counts
    };
    let found = before.iter().zip(after).find(|(before, after)| counts(before) != counts(after));
    found.map(|(column, _)| {
        format!("the values of column '{}' aren't those of the original", column.name)
    })
}

/// The first and the last place that values take that are equal to one; none of a missing value.
pub type Rank = Option<(u32, u32)>;

/// For every row its rank among those that aren't missing.
pub fn ranks(numbers: &[Option<f64>]) -> Vec<Rank> {
    let mut order: Vec<u32> =
        (0..numbers.len() as u32).filter(|row| numbers[*row as usize].is_some()).collect();
    let of = |row: u32| numbers[row as usize].unwrap_or(f64::NAN);
    order.sort_by(|a, b| of(*a).total_cmp(&of(*b)).then(a.cmp(b)));
    let mut ranks = vec![None; numbers.len()];
    let mut first = 0;
    for same in order.chunk_by(|a, b| of(*a) == of(*b)) {
        let last = first + same.len() as u32 - 1;
        same.iter().for_each(|row| ranks[*row as usize] = Some((first, last)));
        first = last + 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_their_ranks() {
        let numbers = [Some(3.0), None, Some(1.0), Some(3.0)];
        assert_eq!(ranks(&numbers), [Some((1, 2)), None, Some((0, 0)), Some((1, 2))]);
        assert_eq!(text(-0.001, 2), "0.00");
        assert_eq!(text(-0.01, 2), "-0.01");
    }
}
