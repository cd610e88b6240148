//! New records: some fill gaps of old groups, the others make groups of their own, of which each
//! has `m` different values.

use std::collections::BinaryHeap;

/// A value with one of its records; a made-up record has no number.
pub(super) type Member = (u32, Option<u32>);

/// The new records of each value, and how many made-up ones stand beside them.
pub(super) struct NewRecords {
    rows: Vec<Vec<u32>>,
    made_up: Vec<usize>,
    total: usize,
    /// How many values have so many records, so that the largest count is known at once.
    with_count: Vec<usize>,
    most: usize,
}

impl NewRecords {
    pub fn new(values: &[u32], new: impl Iterator<Item = u32>, n_values: usize) -> Self {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n_values];
        new.for_each(|row| rows[values[row as usize] as usize].push(row));
        let most = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut with_count = vec![0; most + 1];
        rows.iter().for_each(|rows| with_count[rows.len()] += 1);
        let total = rows.iter().map(Vec::len).sum();
        NewRecords { rows, made_up: vec![0; n_values], total, with_count, most }
    }

    pub fn count(&self, value: u32) -> usize {
        self.rows[value as usize].len()
    }

    /// How many records are too few for groups of `m` values: nothing where no value has more than
    /// a share of 1/`m`.
    fn lack(&self, most: usize, total: usize, m: usize) -> usize {
        (most * m).saturating_sub(total)
    }

    /// Take a record of a value away, if the others can then make groups as well as before.
    pub fn spare(&mut self, value: u32, m: usize) -> Option<u32> {
        let count = self.count(value);
        let row = self.rows[value as usize].pop()?;
        let is_alone = count == self.most && self.with_count[count] == 1;
        let most = if is_alone { self.most - 1 } else { self.most };
        if self.lack(most, self.total - 1, m) > self.lack(self.most, self.total, m) {
            self.rows[value as usize].push(row);
            return None;
        }
        self.with_count[count] -= 1;
        self.with_count[count - 1] += 1;
        (self.most, self.total) = (most, self.total - 1);
        Some(row)
    }

    /// Make up records where a value has too large a share, of the values that have fewest.
    pub fn top_up(&mut self, m: usize) {
        let lack = self.lack(self.most, self.total, m);
        let counts = self.rows.iter().enumerate();
        let mut fewest: BinaryHeap<_> =
            counts.map(|(value, rows)| std::cmp::Reverse((rows.len(), value))).collect();
        for _ in 0..lack {
            if let Some(std::cmp::Reverse((count, value))) = fewest.pop() {
                self.made_up[value] += 1;
                fewest.push(std::cmp::Reverse((count + 1, value)));
            }
        }
        self.total += lack;
    }

    /// Assignment: groups of one record of each of the `m` values that have most. The last few
    /// records join groups that lack their value. Members are in the order of their values.
    pub fn groups(mut self, m: usize) -> Vec<Vec<Member>> {
        let left = |new: &Self, value: usize| new.rows[value].len() + new.made_up[value];
        let values = 0..self.rows.len();
        let mut heap: BinaryHeap<(usize, usize)> =
            values.map(|value| (left(&self, value), value)).filter(|(n, _)| *n > 0).collect();
        let mut groups: Vec<Vec<Member>> = Vec::new();
        while heap.len() >= m {
            let most: Vec<usize> = (0..m).filter_map(|_| heap.pop()).map(|(_, at)| at).collect();
            groups.push(most.iter().filter_map(|value| self.take(*value)).collect());
            let rest = most.into_iter().map(|value| (left(&self, value), value));
            heap.extend(rest.filter(|(n, _)| *n > 0));
        }
        for (n, value) in heap.into_sorted_vec() {
            for _ in 0..n {
                let Some(member) = self.take(value) else { continue };
                let lacks = |group: &&mut Vec<Member>| group.iter().all(|(v, _)| *v != member.0);
                match groups.iter_mut().rev().find(lacks) {
                    Some(group) => group.push(member),
                    None => unreachable!("a value has at most as many records as there are groups"),
                }
            }
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    fn take(&mut self, value: usize) -> Option<Member> {
        if let Some(row) = self.rows[value].pop() {
            return Some((value as u32, Some(row)));
        }
        let left = self.made_up[value].checked_sub(1)?;
        self.made_up[value] = left;
        Some((value as u32, None))
    }
}
