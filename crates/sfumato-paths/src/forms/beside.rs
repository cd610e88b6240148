//! What an attacker may know beside tracks: who is alike there, and whether a release says the
//! values of its records.

use sfumato_core::{FastMap, Result};
use sfumato_engine::verify::failed_verification;

use crate::data::SensitiveColumn;
use crate::forms::texts::Texts;

/// The number of the class of each of `n` records: those with the same values in all columns are in
/// one. Without columns all are.
pub(crate) fn alike(columns: &[SensitiveColumn], n: usize) -> Vec<u32> {
    let mut known: FastMap<Vec<&str>, u32> = FastMap::default();
    (0..n)
        .map(|record| {
            let values = columns.iter().map(|column| value(column, record)).collect();
            let next = known.len() as u32;
            *known.entry(values).or_insert(next)
        })
        .collect()
}

/// The records of each class, from the number of the class of each.
pub(crate) fn members(alike: &[u32]) -> Vec<Vec<u32>> {
    let n = alike.iter().max().map_or(0, |most| *most as usize + 1);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); n];
    (0..).zip(alike).for_each(|(record, class)| members[*class as usize].push(record));
    members
}

/// The value of a record as it is written.
pub(crate) fn value(column: &SensitiveColumn, record: usize) -> &str {
    &column.values[column.of_record[record] as usize]
}

/// The values of every record in words, one after the other.
pub(crate) fn words(columns: &[SensitiveColumn], n: usize) -> Vec<Vec<String>> {
    let of = |record| columns.iter().map(|column| value(column, record).to_string()).collect();
    (0..n).map(of).collect()
}

/// The names of columns.
pub(crate) fn names(columns: &[SensitiveColumn]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

/// Check that record `i` of a file has the values of record `order[i]` beside it.
pub(crate) fn check(
    original: &[SensitiveColumn],
    read: &[SensitiveColumn],
    order: &[u32],
) -> Result<()> {
    if names(original) != names(read) {
        return Err(failed_verification("a column beside the tracks is missing"));
    }
    for (own, read) in original.iter().zip(read) {
        let is_other =
            |(row, record): (usize, &u32)| value(read, row) != value(own, *record as usize);
        if let Some(row) = order.iter().enumerate().position(is_other) {
            return Err(failed_verification(&format!(
                "a value beside track {} isn't that of its record",
                row + 1
            )));
        }
    }
    Ok(())
}

/// The texts of a column for a release with so many rows of each record, in their order.
pub(crate) fn texts(column: &SensitiveColumn, rows: impl Iterator<Item = (u32, usize)>) -> Texts {
    let mut texts = Texts::default();
    for (record, n) in rows {
        (0..n).for_each(|_| texts.push(value(column, record as usize).to_string()));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str], of_record: &[u32]) -> SensitiveColumn {
        SensitiveColumn {
            name: "age".into(),
            values: values.iter().map(|value| value.to_string()).collect(),
            of_record: of_record.to_vec(),
            is_missing: vec![false; values.len()],
            native_type: None,
        }
    }

    #[test]
    fn whoever_has_the_same_texts_is_alike() {
        // Two codes of one text are the same to whoever reads the file.
        let one = column(&["30", "40", "30"], &[0, 1, 2, 0]);
        let other = column(&["a", "b"], &[0, 0, 0, 1]);
        assert_eq!(alike(std::slice::from_ref(&one), 4), [0, 1, 0, 0]);
        assert_eq!(alike(&[one.clone(), other], 4), [0, 1, 0, 2]);
        assert_eq!(alike(&[], 3), [0, 0, 0]);
        assert_eq!(members(&[0, 1, 0, 2]), [vec![0, 2], vec![1], vec![3]]);
        let read = column(&["40", "30"], &[0, 1]);
        check(std::slice::from_ref(&one), std::slice::from_ref(&read), &[1, 3]).unwrap();
        assert!(check(std::slice::from_ref(&one), &[read], &[0, 3]).is_err());
        assert!(check(&[one], &[], &[0]).is_err());
    }
}
