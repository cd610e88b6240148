//! Tuples in memory, for tests and for algorithms that were written for larger data.

use crate::dataset::Table;
use crate::error::{Error, Result};
use crate::tuples::{Batch, Cells, Divide, Frame, Route, TupleColumn, Tuples};

/// The number of tuples in a batch.
const ROWS: usize = 1 << 12;

/// Tuples in memory.
#[derive(Debug, Clone, Default)]
pub struct InMemory {
    /// One list per column.
    pub columns: Vec<Vec<u64>>,
    /// The number of tuples.
    pub n_rows: usize,
}

impl InMemory {
    /// The rows of a table, and the frame that describes them. Ordered columns without a hierarchy
    /// become keys.
    pub fn of(table: &Table) -> (Frame, InMemory) {
        let mut frame = Frame::default();
        let mut columns = Vec::new();
        for column in &table.columns {
            let keys = &column.domain.keys;
            let by_key = column.hierarchy.is_none()
                && column.role == crate::dataset::Role::Quasi
                && keys.len() == column.domain.len();
            let mut template = crate::dataset::Column {
                codes: crate::column::Codes::U8(Vec::new()),
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
                    template.domain.labels = crate::dataset::Labels::Spelled { digits: None };
                    template.domain.keys = Vec::new();
                    frame.columns.push(TupleColumn {
                        column: template,
                        cells: Cells::Keys { least, n_words },
                    });
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
            let column = crate::dataset::Column {
                name: "subject".into(),
                role: crate::dataset::Role::Subject,
                codes: crate::column::Codes::U8(Vec::new()),
                domain: crate::dataset::Domain::of_texts(std::iter::empty::<&str>()),
                hierarchy: None,
                weight: 1.0,
                missing: crate::dataset::Missing::Value,
                missing_text: String::new(),
                native_type: None,
            };
            frame.columns.push(TupleColumn { column, cells: Cells::Subject });
        }
        (frame, InMemory { columns, n_rows: table.n_rows })
    }
}

impl Tuples for InMemory {
    fn n_rows(&self) -> u64 {
        self.n_rows as u64
    }

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        for first in (0..self.n_rows).step_by(ROWS) {
            let rows = first..(first + ROWS).min(self.n_rows);
            let column = |(place, words): (usize, &Vec<u64>)| match wanted.contains(&place) {
                true => words[rows.clone()].to_vec(),
                false => Vec::new(),
            };
            let columns: Vec<Vec<u64>> = self.columns.iter().enumerate().map(column).collect();
            visit(&Batch { first_row: first as u64, n_rows: rows.len(), columns: &columns })?;
        }
        Ok(())
    }
}

/// Partitions in memory.
#[derive(Debug, Clone, Copy)]
pub struct DivideInMemory {
    n_columns: usize,
}

/// Makes partitions in memory of tuples with `n_columns` columns.
pub fn divide_in_memory(n_columns: usize) -> DivideInMemory {
    DivideInMemory { n_columns }
}

impl Divide for DivideInMemory {
    fn divide(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
    ) -> Result<Vec<Box<dyn Tuples>>> {
        let empty = InMemory { columns: vec![Vec::new(); self.n_columns], n_rows: 0 };
        let mut parts = vec![empty; n_parts];
        let mut part_of_row = Vec::new();
        let wanted: Vec<usize> = (0..self.n_columns).collect();
        tuples.scan(&wanted, &mut |batch| {
            part_of_row.clear();
            route(batch, &mut part_of_row)?;
            if part_of_row.len() != batch.n_rows
                || part_of_row.iter().any(|part| *part as usize >= n_parts)
            {
                return Err(Error::internal("a tuple has no partition to go to"));
            }
            for (row, part) in part_of_row.iter().enumerate() {
                let part = &mut parts[*part as usize];
                part.n_rows += 1;
                part.columns
                    .iter_mut()
                    .zip(batch.columns)
                    .for_each(|(to, from)| to.push(from[row]));
            }
            Ok(())
        })?;
        Ok(parts.into_iter().map(|part| Box::new(part) as Box<dyn Tuples>).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::column::Codes;
    use crate::dataset::{Column, Domain, Missing, Role, ValueKind};

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
            let (frame, tuples) = InMemory::of(&original);
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
