//! A frequency set: the different records of a table at some node of the lattice, with how many rows each stands for. The set of
//! any node above comes from it without another look at the rows (roll-up).

use sfumato_core::column::{Code, Codes};
use sfumato_core::dataset::Column;
use sfumato_core::with_codes;

use super::ladder::Ladder;
use crate::table::global::shared::groups::Groups;

/// One level per column.
pub type Node = Vec<u8>;

/// The different records at a node.
pub struct Frequencies {
    /// The node.
    pub levels: Node,
    /// For each column the value of each record, as a number of the level's values.
    pub columns: Vec<Codes>,
    /// How many rows each record stands for.
    pub rows: Vec<u32>,
    /// For each column that is counted, how often its codes occur in each record.
    pub pairs: Vec<Pairs>,
}

/// How often codes occur in records: `count[i]` rows of the record `record[i]` have `code[i]`.
#[derive(Default)]
pub struct Pairs {
    /// How many codes the column has.
    pub n_codes: usize,
    /// The record.
    pub record: Vec<u32>,
    /// The code.
    pub code: Vec<u32>,
    /// How many rows.
    pub count: Vec<u32>,
}

/// Tables of records times codes up to this size count without sorting.
const MOST_DENSE: usize = 1 << 22;

impl Frequencies {
    /// The records of a table as they are, with the codes of some columns counted.
    pub fn of_table(quasi: &[&Column], ladders: &[Ladder], n_rows: usize, counted: &[&Column]) -> Self {
        let tables = || {
            quasi.iter().zip(ladders).map(|(column, ladder)| {
                let level = &ladder.levels[0];
                (&column.codes, level.of_code.as_slice(), level.values.len())
            })
        };
        let groups = Groups::of_columns(n_rows, tables());
        let columns = tables().map(|(codes, table, n)| {
            Codes::from_iter(n, groups.example.iter().map(|&row| table[codes.get(row as usize) as usize]))
        });
        let pairs = counted.iter().map(|column| {
            let n_codes = column.domain.len() + 1;
            let code: Vec<u32> = column.codes.iter().collect();
            let ones = vec![1u32; n_rows];
            Pairs::add_up(n_codes, groups.len(), &groups.of_row, &code, &ones)
        });
        Frequencies {
            levels: vec![0; quasi.len()],
            columns: columns.collect(),
            rows: groups.rows.iter().map(|&rows| rows as u32).collect(),
            pairs: pairs.collect(),
        }
    }

    /// How many different records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a node lies above this one or is the same.
    pub fn is_below(&self, node: &[u8]) -> bool {
        self.levels.iter().zip(node).all(|(mine, other)| mine <= other)
    }

    /// The set of a node above: `group[record]` is the number of each record there.
    pub fn roll_up(&self, ladders: &[Ladder], node: &[u8], group: &[u32], n_groups: usize) -> Self {
        let mut rows = vec![0u32; n_groups];
        let mut example = vec![0u32; n_groups];
        for (record, (&group, &n)) in group.iter().zip(&self.rows).enumerate() {
            rows[group as usize] += n;
            example[group as usize] = record as u32;
        }
        let columns = self.columns.iter().enumerate().map(|(column, codes)| {
            let up = raise(&ladders[column], self.levels[column], node[column]);
            let n = ladders[column].levels[node[column] as usize].values.len();
            with_codes!(codes, codes => Codes::from_iter(
                n,
                example.iter().map(|&record| up[codes[record as usize].widen() as usize]),
            ))
        });
        let pairs = self.pairs.iter().map(|pairs| {
            let record: Vec<u32> = pairs.record.iter().map(|&record| group[record as usize]).collect();
            Pairs::add_up(pairs.n_codes, n_groups, &record, &pairs.code, &pairs.count)
        });
        Frequencies { levels: node.to_vec(), columns: columns.collect(), rows, pairs: pairs.collect() }
    }
}

impl Pairs {
    /// Add up counts of equal pairs of record and code.
    fn add_up(n_codes: usize, n_records: usize, record: &[u32], code: &[u32], count: &[u32]) -> Self {
        let mut pairs = Pairs { n_codes, ..Pairs::default() };
        let mut push = |key: usize, count: u32| {
            pairs.record.push((key / n_codes) as u32);
            pairs.code.push((key % n_codes) as u32);
            pairs.count.push(count);
        };
        let key = |i: usize| record[i] as usize * n_codes + code[i] as usize;
        if n_records * n_codes <= MOST_DENSE.min(16 * record.len()) {
            let mut counts = vec![0u32; n_records * n_codes];
            (0..record.len()).for_each(|i| counts[key(i)] += count[i]);
            counts.iter().enumerate().filter(|(_, n)| **n > 0).for_each(|(key, &n)| push(key, n));
        } else {
            let mut order: Vec<(usize, u32)> = (0..record.len()).map(|i| (key(i), count[i])).collect();
            order.sort_unstable();
            for same in order.chunk_by(|a, b| a.0 == b.0) {
                push(same[0].0, same.iter().map(|(_, n)| n).sum());
            }
        }
        pairs
    }
}

/// What the values of one level become at a higher one.
pub fn raise(ladder: &Ladder, from: u8, to: u8) -> Vec<u32> {
    let to = &ladder.levels[to as usize];
    ladder.levels[from as usize].example.iter().map(|&code| to.of_code[code as usize]).collect()
}
