//! Cells with several items in them.

use sfumato_core::column::RawColumn;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_table::sealed::cell;

/// The items of the rows of a column of texts: their names in order, the set of each row, and how
/// often an item was in its row again.
pub fn sets_of(column: &RawColumn, rows: usize, between: char) -> (Vec<String>, Transactions, u64) {
    let mut known: FastMap<&str, u32> = FastMap::default();
    let mut sets: Vec<Vec<u32>> = Vec::with_capacity(rows);
    let mut instances = 0u64;
    for row in 0..rows {
        let text = cell(column, row).unwrap_or_default();
        let items = text.split(between).map(str::trim).filter(|item| !item.is_empty());
        let mut set = Vec::new();
        for item in items {
            let next = known.len() as u32;
            set.push(*known.entry(item).or_insert(next));
            instances += 1;
        }
        sets.push(set);
    }
    // Codes follow names, so that they don't depend on the order of rows.
    let mut names: Vec<(&str, u32)> = known.into_iter().collect();
    names.sort_unstable();
    let mut code_of = vec![0; names.len()];
    names.iter().zip(0..).for_each(|((_, old), code)| code_of[*old as usize] = code);
    sets.iter_mut().flatten().for_each(|item| *item = code_of[*item as usize]);
    let names: Vec<String> = names.into_iter().map(|(name, _)| name.to_string()).collect();
    let sets = Transactions::from_sets(names.len(), sets);
    let repeated = instances - sets.n_instances();
    (names, sets, repeated)
}

/// The text of a cell with some items. An error where one of them couldn't be told from two.
pub fn joined(names: &[&str], between: char) -> Result<String> {
    if let Some(name) = names.iter().find(|name| name.contains(between) || name.trim() != **name) {
        return Err(Error::params(
            "the name of an item has the separator in it, or space around it",
        )
        .about_values(format!("'{name}'"))
        .hint("say another character with --item-separator, or publish Parquet"));
    }
    Ok(names.join(&between.to_string()))
}

#[cfg(test)]
mod tests {
    use sfumato_core::column::Codes;

    use super::*;

    #[test]
    fn cells_are_sets_of_items_in_the_order_of_their_names() {
        let values = ["b; a;b", "", "c"].into_iter().collect();
        let codes = Codes::U8(vec![2, 0, 1]);
        let column =
            RawColumn { name: "items".into(), codes, values, null: Some(1), native_type: None };
        let (names, sets, repeated) = sets_of(&column, 3, ';');
        assert_eq!((names, repeated), (["a", "b", "c"].map(String::from).to_vec(), 1));
        assert_eq!([sets.set(0), sets.set(1), sets.set(2)], [vec![2], vec![0, 1], vec![]]);
        assert_eq!(joined(&["a", "b"], ';').unwrap(), "a;b");
        assert!(joined(&["a;b"], ';').is_err() && joined(&[" a"], ';').is_err());
    }
}
