//! Finds the published records that cover an original one, without comparing all pairs: with a tree
//! of nested boxes.

use crate::forms::generalized::cover::Cover;

/// A column of the release, with that of the original.
pub struct Column {
    /// What each published text may stand for.
    pub covers: Vec<Cover>,
    /// The text of each published record.
    pub published: Vec<u32>,
    /// The code of each original record.
    pub original: Vec<u32>,
}

/// The number of published records in a leaf.
const LEAF: usize = 16;

/// All published records in a tree. A node has, for each column, the least and the greatest code
/// that any record below it may stand for.
pub struct Covering {
    n: usize,
    columns: Vec<Column>,
    /// The published records, leaf by leaf.
    rows: Vec<u32>,
    nodes: Vec<Node>,
    /// For each node the bounds of all columns.
    bounds: Vec<(u32, u32)>,
}

struct Node {
    first: u32,
    end: u32,
    /// The number of the second child; the first comes right after its parent. 0 for leaves.
    second: u32,
}

impl Covering {
    /// A tree for equally many published and original records.
    pub fn new(n: usize, columns: Vec<Column>) -> Self {
        let mut covering = Covering {
            n,
            columns,
            rows: (0..n as u32).collect(),
            nodes: Vec::new(),
            bounds: Vec::new(),
        };
        let spans: Vec<Vec<(u32, u32)>> = covering
            .columns
            .iter()
            .map(|column| {
                let of_text: Vec<(u32, u32)> = column.covers.iter().map(Cover::span).collect();
                column.published.iter().map(|text| of_text[*text as usize]).collect()
            })
            .collect();
        let mut rows = std::mem::take(&mut covering.rows);
        if n > 0 {
            covering.build(&spans, &mut rows, 0);
        }
        covering.rows = rows;
        covering
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.n
    }

    fn build(&mut self, spans: &[Vec<(u32, u32)>], rows: &mut [u32], first: usize) {
        let number = self.nodes.len();
        self.nodes.push(Node { first: first as u32, end: (first + rows.len()) as u32, second: 0 });
        let around = |spans: &Vec<(u32, u32)>| {
            let spans = rows.iter().map(|row| spans[*row as usize]);
            spans.fold((u32::MAX, 0), |all, span| (all.0.min(span.0), all.1.max(span.1)))
        };
        self.bounds.extend(spans.iter().map(around));
        if rows.len() <= LEAF {
            return;
        }
        // Where middles lie furthest apart, counted in middles that differ: widths of columns can't
        // be compared.
        let spread = |spans: &Vec<(u32, u32)>| {
            let mut middles: Vec<u64> = rows
                .iter()
                .step_by((rows.len() / 64).max(1))
                .map(|row| u64::from(spans[*row as usize].0) + u64::from(spans[*row as usize].1))
                .collect();
            middles.sort_unstable();
            middles.dedup();
            middles.len()
        };
        let Some(widest) = (0..spans.len()).max_by_key(|column| spread(&spans[*column])) else {
            return;
        };
        let middle = rows.len() / 2;
        rows.select_nth_unstable_by_key(middle, |row| {
            let (low, high) = spans[widest][*row as usize];
            (u64::from(low) + u64::from(high), *row)
        });
        let (one, two) = rows.split_at_mut(middle);
        self.build(spans, one, first);
        self.nodes[number].second = self.nodes.len() as u32;
        self.build(spans, two, first + middle);
    }

    /// The published records that cover an original one, at most `most`, ascending.
    pub fn of(&self, record: usize, most: usize) -> Vec<u32> {
        let mut found = Vec::new();
        let mut stack: Vec<u32> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(number) = stack.pop() {
            let bounds = &self.bounds[number as usize * self.columns.len()..][..self.columns.len()];
            let is_inside = |(column, (low, high)): (&Column, &(u32, u32))| {
                (*low..=*high).contains(&column.original[record])
            };
            if !self.columns.iter().zip(bounds).all(is_inside) {
                continue;
            }
            let node = &self.nodes[number as usize];
            if node.second > 0 {
                stack.extend([node.second, number + 1]);
                continue;
            }
            for row in &self.rows[node.first as usize..node.end as usize] {
                let covers = |column: &Column| {
                    column.covers[column.published[*row as usize] as usize]
                        .has(column.original[record])
                };
                if self.columns.iter().all(covers) {
                    found.push(*row);
                    if found.len() >= most {
                        stack.clear();
                        break;
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Low end and width of a published cell of two columns, and the originals of both.
    type Row = ((u32, u32), (u32, u32), u32, u32);

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn those_found_are_all_there_are(
            cells in prop::collection::vec(((0u32..12, 0u32..5), (0u32..12, 0u32..5), 0u32..14,
                0u32..14), 0..90),
        ) {
            let column = |cell: fn(&Row) -> ((u32, u32), u32)| Column {
                covers: cells
                    .iter()
                    .map(|row| {
                        let ((low, width), _) = cell(row);
                        let mut cover = Cover::nothing();
                        cover.add(low, low + width);
                        // Some cover missing too, whose code is above all others, and some nothing
                        // else.
                        if low % 3 == 0 { cover.or_missing(13) } else { cover }
                    })
                    .collect(),
                published: (0..cells.len() as u32).collect(),
                original: cells.iter().map(|row| cell(row).1).collect(),
            };
            let columns = vec![column(|row| (row.0, row.2)), column(|row| (row.1, row.3))];
            let expected: Vec<Vec<u32>> = (0..cells.len())
                .map(|record| {
                    let covers = |row: &u32| columns.iter()
                        .all(|column| column.covers[*row as usize].has(column.original[record]));
                    (0..cells.len() as u32).filter(covers).collect()
                })
                .collect();
            let covering = Covering::new(cells.len(), columns);
            for (record, expected) in expected.iter().enumerate() {
                prop_assert_eq!(&covering.of(record, usize::MAX), expected);
                prop_assert_eq!(covering.of(record, 3).len(), expected.len().min(3));
            }
        }
    }
}
