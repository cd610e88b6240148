//! Writes a table of levels as the text of a hierarchy file.

use sfumato_core::dataset::LevelTable;

use crate::csv::push_field;

/// The text of a table, which the `file` builder reads as the same table: one line per leaf, from
/// the leaf to the root.
pub fn to_csv(table: &LevelTable, separator: char) -> String {
    let mut out = String::new();
    for leaf in 0..table.n_leaves() {
        for (level, label) in table.row(leaf).enumerate() {
            if level > 0 {
                out.push(separator);
            }
            push_field(&mut out, label, separator);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::SEPARATORS;
    use crate::file::parse;
    use proptest::prelude::*;
    use sfumato_core::FastSet;

    #[test]
    fn writes_plain_labels_plainly() {
        let table = LevelTable::from_rows(&[vec!["a;b", "x y", "*"], vec!["", "\"", "*"]]);
        assert_eq!(to_csv(&table, ';'), "\"a;b\";x y;*\n\"\";\"\"\"\";*\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn round_trips(
            depth in 1usize..4,
            cells in prop::collection::vec("[ab;,|\t\"\r\n \u{feff}ü]{0,4}", 1..40),
            separator in prop::sample::select(SEPARATORS.to_vec()),
        ) {
            let mut seen = FastSet::default();
            let rows: Vec<Vec<String>> = cells
                .chunks_exact(depth)
                .filter(|row| seen.insert(row[0].clone()))
                .map(<[String]>::to_vec)
                .collect();
            prop_assume!(!rows.is_empty());
            let table = LevelTable::from_rows(&rows);
            prop_assert_eq!(&parse(&to_csv(&table, separator), Some(separator)).unwrap(), &table);
            prop_assert_eq!(&parse(&to_csv(&table, separator), None).unwrap(), &table);
        }
    }
}
