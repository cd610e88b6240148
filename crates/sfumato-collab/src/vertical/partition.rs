//! The partition of the common records by what is published of them, T_g: every holder has the same
//! one. It knows records by their place in the common order, values by numbers, and no raw value.

use sfumato_core::{Error, FastMap, Result};
use sha2::{Digest, Sha256};

use super::classes::Classes;

/// Records that are published alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The number of the published value in each quasi column.
    pub values: Vec<u32>,
    /// The records, ascending.
    pub records: Vec<u32>,
}

/// The partition.
#[derive(Debug, Clone)]
pub struct Partition {
    leaves: Vec<Leaf>,
    /// For each quasi column what is published for each number; a number of a value that was taken
    /// apart is now that of its first child.
    labels: Vec<Vec<String>>,
    n_classes: usize,
    class_of: Vec<u32>,
}

/// A split of a published value: the part of each of its records, leaf after leaf.
pub struct SubLeaves {
    /// The leaf, the part, and how many records.
    pub rows: Vec<(u32, u32, u32)>,
}

impl Partition {
    /// Everything in one leaf. `tops` is what is published of each column.
    pub fn new(tops: Vec<String>, classes: &Classes) -> Self {
        let n = classes.of_record.len() as u32;
        let values = vec![0; tops.len()];
        Partition {
            leaves: vec![Leaf { values, records: (0..n).collect() }],
            labels: tops.into_iter().map(|top| vec![top]).collect(),
            n_classes: classes.labels.len(),
            class_of: classes.of_record.clone(),
        }
    }

    /// The leaves.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }
    /// What is published for a value.
    pub fn label(&self, column: usize, value: u32) -> &str {
        self.labels[column].get(value as usize).map_or("", String::as_str)
    }
    /// How many values of a column were numbered.
    pub fn n_values(&self, column: usize) -> usize {
        self.labels[column].len()
    }

    /// The leaves with a value.
    pub fn linked(&self, column: usize, value: u32) -> impl Iterator<Item = (u32, &Leaf)> {
        let leaves = self.leaves.iter().enumerate();
        leaves
            .filter(move |(_, leaf)| leaf.values[column] == value)
            .map(|(number, leaf)| (number as u32, leaf))
    }

    /// The records with a value, ascending.
    pub fn records(&self, column: usize, value: u32) -> Vec<u32> {
        let mut records: Vec<u32> =
            self.linked(column, value).flat_map(|(_, leaf)| leaf.records.iter().copied()).collect();
        records.sort_unstable();
        records
    }

    /// Whether records with a value have more than one class.
    pub fn is_beneficial(&self, column: usize, value: u32) -> bool {
        let mut seen = vec![false; self.n_classes];
        for (_, leaf) in self.linked(column, value) {
            leaf.records
                .iter()
                .for_each(|&record| seen[self.class_of[record as usize] as usize] = true);
        }
        seen.iter().filter(|seen| **seen).count() > 1
    }

    /// How the leaves with a value would fall apart.
    pub fn sub_leaves(
        &self,
        column: usize,
        value: u32,
        n_parts: usize,
        part_of: &dyn Fn(u32) -> u32,
    ) -> SubLeaves {
        let mut rows = Vec::new();
        let mut counts = vec![0u32; n_parts];
        for (number, leaf) in self.linked(column, value) {
            counts.fill(0);
            leaf.records.iter().for_each(|&record| counts[part_of(record) as usize] += 1);
            let parts = counts.iter().enumerate().filter(|(_, rows)| **rows > 0);
            rows.extend(parts.map(|(part, &count)| (number, part as u32, count)));
        }
        SubLeaves { rows }
    }

    /// The size of the smallest group that agrees on some columns, now or with a split: of the
    /// split value's records those of a part are a group of their own.
    pub fn least(&self, set: &[usize], split: Option<(usize, u32, &SubLeaves)>) -> u64 {
        let mut sizes: FastMap<Vec<u32>, u64> = FastMap::default();
        let key = |leaf: &Leaf| set.iter().map(|&column| leaf.values[column]).collect::<Vec<u32>>();
        for leaf in &self.leaves {
            let is_split = split.is_some_and(|(column, value, _)| leaf.values[column] == value);
            if !is_split {
                *sizes.entry(key(leaf)).or_default() += leaf.records.len() as u64;
            }
        }
        if let Some((column, _, sub)) = split {
            let place = set.iter().position(|&other| other == column);
            let next = self.n_values(column) as u32;
            for &(leaf, part, rows) in &sub.rows {
                let mut key = key(&self.leaves[leaf as usize]);
                if let Some(place) = place {
                    key[place] = next + part;
                }
                *sizes.entry(key).or_default() += u64::from(rows);
            }
        }
        sizes.values().copied().min().unwrap_or(0)
    }

    /// Take a value apart. `part_of` gives the part of each of its records, in ascending order. The
    /// first part keeps the number of the value, the others get the next.
    pub fn split(
        &mut self,
        column: usize,
        value: u32,
        labels: &[String],
        parts: &[u32],
    ) -> Result<()> {
        if column >= self.labels.len() || value as usize >= self.labels[column].len() {
            return Err(Error::input("an instruction is about a value that isn't published"));
        }
        let records = self.records(column, value);
        if records.is_empty() || records.len() != parts.len() || labels.len() < 2 {
            return Err(Error::input(
                "an instruction doesn't say of each record which child it has",
            ));
        }
        let mut part_of = vec![0u32; self.class_of.len()];
        records.iter().zip(parts).for_each(|(&record, &part)| part_of[record as usize] = part);
        let next = self.n_values(column) as u32;
        let number = |part: usize| if part == 0 { value } else { next + part as u32 - 1 };
        let mut leaves = Vec::with_capacity(self.leaves.len() + labels.len());
        for leaf in std::mem::take(&mut self.leaves) {
            if leaf.values[column] != value {
                leaves.push(leaf);
                continue;
            }
            let mut of_part: Vec<Vec<u32>> = vec![Vec::new(); labels.len()];
            let of = |record: u32| part_of[record as usize] as usize;
            leaf.records.iter().for_each(|&record| of_part[of(record)].push(record));
            for (part, records) in of_part.into_iter().enumerate().filter(|(_, r)| !r.is_empty()) {
                let mut values = leaf.values.clone();
                values[column] = number(part);
                leaves.push(Leaf { values, records });
            }
        }
        self.leaves = leaves;
        self.labels[column][value as usize].clone_from(&labels[0]);
        self.labels[column].extend_from_slice(&labels[1..]);
        Ok(())
    }

    /// The hash of the partition with its labels.
    pub fn hash(&self) -> [u8; 32] {
        let mut leaf_of = vec![0u32; self.class_of.len()];
        // Leaves are named by their first record, so that their order doesn't matter.
        for leaf in &self.leaves {
            let name = leaf.records.first().copied().unwrap_or(0);
            leaf.records.iter().for_each(|&record| leaf_of[record as usize] = name);
        }
        let mut hash = Sha256::new();
        leaf_of.iter().chain(&self.class_of).for_each(|n| hash.update(n.to_le_bytes()));
        let mut published: Vec<String> = Vec::new();
        for leaf in &self.leaves {
            // What is published of a column that nobody took apart is known to its owner alone.
            let label = |(column, value): (usize, &u32)| match self.n_values(column) {
                1 => String::new(),
                _ => self.label(column, *value).to_string(),
            };
            let labels: Vec<String> = leaf.values.iter().enumerate().map(label).collect();
            published.push(format!("{:?} {:?}", leaf.records.first(), labels));
        }
        published.sort();
        published.iter().for_each(|text| hash.update(text.as_bytes()));
        hash.finalize().into()
    }
}
