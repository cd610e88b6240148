//! How often each sensitive value occurs in a group.

use crate::column::Code;

/// Counts per code, sorted by code, without zeros. With a subject column, a count is the number of
/// people who have the value.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Histogram {
    entries: Vec<(u32, u64)>,
    total: u64,
    /// Which person has which value, as sorted pairs `(code, person)`. Only with a subject column,
    /// where counts don't add up when groups merge, because a person may be in both.
    people: Option<Vec<(u32, u64)>>,
}

impl Histogram {
    /// Make a histogram from `(code, count)` pairs in any order. Counts of equal codes are added.
    pub fn from_counts(pairs: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let mut pairs: Vec<_> = pairs.into_iter().filter(|(_, count)| *count > 0).collect();
        pairs.sort_unstable_by_key(|(code, _)| *code);
        let mut entries: Vec<(u32, u64)> = Vec::with_capacity(pairs.len());
        for (code, count) in pairs {
            match entries.last_mut() {
                Some((last, sum)) if *last == code => *sum += count,
                _ => entries.push((code, count)),
            }
        }
        let total = entries.iter().map(|(_, count)| count).sum();
        Histogram { entries, total, people: None }
    }

    /// Count a slice of codes: with an array if the group is large compared with the number of
    /// codes, by sorting if it is small.
    pub fn of_codes<C: Code>(codes: &[C], n_codes: usize) -> Self {
        if codes.len() * 4 >= n_codes {
            let mut counts = vec![0u64; n_codes];
            codes.iter().for_each(|code| counts[code.widen() as usize] += 1);
            let entries: Vec<(u32, u64)> = counts
                .iter()
                .enumerate()
                .filter(|(_, n)| **n > 0)
                .map(|(c, n)| (c as u32, *n))
                .collect();
            Histogram { entries, total: codes.len() as u64, people: None }
        } else {
            Self::from_counts(codes.iter().map(|code| (code.widen(), 1)))
        }
    }

    /// Count people per code: `pairs` are `(code, person)`.
    pub fn of_people(mut pairs: Vec<(u32, u64)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let counted = Self::from_counts(pairs.iter().map(|(code, _)| (*code, 1)));
        Histogram { people: Some(pairs), ..counted }
    }

    /// The `(code, count)` pairs, by code, without zeros.
    pub fn entries(&self) -> &[(u32, u64)] {
        &self.entries
    }
    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.total
    }
    /// The number of different values.
    pub fn distinct(&self) -> usize {
        self.entries.len()
    }
    /// The count of a code.
    pub fn count(&self, code: u32) -> u64 {
        self.entries.binary_search_by_key(&code, |(c, _)| *c).map_or(0, |i| self.entries[i].1)
    }
    /// The largest count.
    pub fn max_count(&self) -> u64 {
        self.entries.iter().map(|(_, count)| *count).max().unwrap_or(0)
    }

    /// Which person has which value, if people are counted.
    pub(super) fn people(&self) -> Option<&[(u32, u64)]> {
        self.people.as_deref()
    }

    /// Rename people. Different people must stay different.
    pub(super) fn rename_people(&mut self, name: &dyn Fn(u64) -> u64) {
        if let Some(people) = &mut self.people {
            people.iter_mut().for_each(|(_, person)| *person = name(*person));
            people.sort_unstable();
        }
    }

    /// Replace these counts by the counts of another group, given by code, without a new
    /// allocation. Counts of people are stored without the people.
    pub(super) fn refill(&mut self, counts: impl Iterator<Item = (u32, u64)>) {
        self.entries.clear();
        self.entries.extend(counts.filter(|(_, count)| *count > 0));
        self.total = self.entries.iter().map(|(_, count)| count).sum();
        self.people = None;
    }

    /// Add the counts of another group.
    pub fn merge(&mut self, other: &Histogram) {
        if self.total == 0 && self.people.is_none() {
            *self = other.clone();
        } else if self.people.is_some() || other.people.is_some() {
            let mut pairs = self.people.take().unwrap_or_default();
            pairs.extend(other.people.iter().flatten().copied());
            *self = Self::of_people(pairs);
        } else if other.total > 0 {
            *self = Self::from_counts(self.entries.iter().chain(&other.entries).copied());
        }
    }

    /// This group without a part of it. `None` if people are counted, since counts of people can't
    /// be subtracted.
    pub fn subtract(&self, part: &Histogram) -> Option<Histogram> {
        if self.people.is_some() || part.people.is_some() {
            return None;
        }
        let left = |(code, count): &(u32, u64)| (*code, count - part.count(*code));
        Some(Self::from_counts(self.entries.iter().map(left)))
    }
}
