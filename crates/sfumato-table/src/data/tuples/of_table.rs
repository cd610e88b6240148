//! The rows of a table in memory as tuples.

use sfumato_core::dataset::Table;
use sfumato_io::spill::InMemory;

use super::{Cells, Frame, TupleColumn};

/// The rows of a table as tuples, and the frame that describes them. Ordered columns without a
/// hierarchy become keys.
pub fn of_table(table: &Table) -> (Frame, InMemory) {
    let mut frame = Frame::default();
    let mut columns = Vec::new();
    for column in &table.columns {
        let keys = &column.domain.keys;
        let by_key = column.hierarchy.is_none()
            && column.role == sfumato_core::dataset::Role::Quasi
            && keys.len() == column.domain.len();
        let mut template = sfumato_core::dataset::Column {
            codes: sfumato_core::column::Codes::U8(Vec::new()),
            ..column.clone()
        };
        match by_key {
            true => {
                let least = keys.first().copied().unwrap_or(0);
                let word = |key: &i64| key.wrapping_sub(least) as u64;
                let n_words = keys.last().map_or(0, |last| word(last) + 1);
                let missing = column.domain.missing();
                let of_code = |code: u32| {
                    if code == missing { n_words } else { word(&keys[code as usize]) }
                };
                columns.push(column.codes.iter().map(of_code).collect());
                template.domain.labels = sfumato_core::dataset::Labels::Spelled { digits: None };
                template.domain.keys = Vec::new();
                frame
                    .columns
                    .push(TupleColumn { column: template, cells: Cells::Keys { least, n_words } });
            }
            false => {
                columns.push(column.codes.iter().map(u64::from).collect());
                frame.columns.push(TupleColumn { column: template, cells: Cells::Codes });
            }
        }
    }
    if let Some(subject) = &table.subject {
        frame.subject = Some(columns.len());
        columns.push(subject.iter().map(u64::from).collect());
        let column = sfumato_core::dataset::Column {
            name: "subject".into(),
            role: sfumato_core::dataset::Role::Subject,
            codes: sfumato_core::column::Codes::U8(Vec::new()),
            domain: sfumato_core::dataset::Domain::of_texts(std::iter::empty::<&str>()),
            hierarchy: None,
            weight: 1.0,
            missing: sfumato_core::dataset::Missing::Value,
            missing_text: String::new(),
            native_type: None,
        };
        frame.columns.push(TupleColumn { column, cells: Cells::Subject });
    }
    (frame, InMemory { columns, n_rows: table.n_rows })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sfumato_io::spill::{Batch, Divide, divide_in_memory};

    use super::*;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Column, Domain, Missing, Role, ValueKind};

    fn table(codes: &[u32], keys: &[i64]) -> Table {
        let domain = Domain {
            kind: ValueKind::Integer,
            labels: keys.iter().map(i64::to_string).collect(),
            keys: keys.to_vec(),
        };
        let column = Column {
            name: "x".into(),
            role: Role::Quasi,
            codes: Codes::from_iter(keys.len() + 1, codes.iter().copied()),
            domain,
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        };
        Table { n_rows: codes.len(), columns: vec![column], subject: None }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn partitions_hold_the_rows_with_their_values(
            keys in prop::collection::btree_set(any::<i32>(), 1..40),
                picks in prop::collection::vec(any::<u32>(), 0..200),
            n_parts in 1usize..4,
        ) {
            let keys: Vec<i64> = keys.into_iter().map(i64::from).collect();
            let codes: Vec<u32> = picks.iter().map(|pick| pick % (keys.len() as u32 + 1)).collect();
            let original = table(&codes, &keys);
            let (frame, tuples) = of_table(&original);
            let mut route = |batch: &Batch<'_>, parts: &mut Vec<u32>| {
                parts.extend((0..batch.n_rows)
                    .map(|row| ((batch.first_row as usize + row) % n_parts) as u32));
                Ok(())
            };
            let parts = divide_in_memory(1).divide(&tuples, n_parts, &mut route).unwrap();
            for (p, part) in parts.iter().enumerate() {
                let part = frame.load(part.as_ref()).unwrap();
                let column = &part.columns[0];
                let found: Vec<Option<i64>> =
                    column.codes.iter().map(|code| column.domain.key(code)).collect();
                let expected: Vec<Option<i64>> =
                    codes.iter().skip(p).step_by(n_parts)
                        .map(|code| keys.get(*code as usize).copied()).collect();
                prop_assert_eq!(found, expected);
                prop_assert_eq!(column.domain.keys.first(), keys.first());
                prop_assert_eq!(column.domain.keys.last(), keys.last());
                prop_assert!(column.domain.keys.is_sorted());
            }
        }
    }
}
