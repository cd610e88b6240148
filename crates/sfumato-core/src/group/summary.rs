//! The summary of a group, which is all that models know about it. Summaries can be merged.

use crate::column::Codes;
use crate::group::Histogram;
use crate::with_codes;

/// The summary of a group. Summaries of disjoint parts merge to the summary of the whole, so the
/// same model runs on slices in memory, on classes of a finished file and on partial results of
/// workers.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// The number of records.
    pub rows: u64,
    /// The number of people: distinct subjects, or the number of records if there is no subject
    /// column.
    pub people: u64,
    /// One histogram per sensitive column, in file order. Histograms that no model needs are empty.
    pub histograms: Vec<Histogram>,
    /// The distinct subjects, sorted, if there is a subject column.
    subjects: Option<Vec<u64>>,
}

impl Summary {
    /// The summary of a group without sensitive columns.
    pub fn of_count(rows: u64) -> Self {
        Summary { rows, people: rows, ..Summary::default() }
    }

    /// The summary of a group from its size and histograms.
    pub fn of_histograms(rows: u64, histograms: Vec<Histogram>) -> Self {
        Summary { rows, people: rows, histograms, subjects: None }
    }

    /// The summary of a group from its size, its histograms (of people: [`Histogram::of_people`])
    /// and the subjects of its records, in any order.
    pub fn of_subjects(rows: u64, histograms: Vec<Histogram>, mut subjects: Vec<u64>) -> Self {
        subjects.sort_unstable();
        subjects.dedup();
        Summary { rows, people: subjects.len() as u64, histograms, subjects: Some(subjects) }
    }

    /// A summary with estimated numbers of records and people. It doesn't know who they are, so it
    /// can't be merged.
    pub fn estimated(rows: u64, people: u64, histograms: Vec<Histogram>) -> Self {
        Summary { rows, people, histograms, subjects: None }
    }

    /// The distinct subjects, sorted, if there is a subject column.
    pub(super) fn subjects(&self) -> Option<&[u64]> {
        self.subjects.as_deref()
    }

    /// Rename people. Different people must stay different.
    pub fn rename_people(&mut self, name: &dyn Fn(u64) -> u64) {
        if let Some(subjects) = &mut self.subjects {
            subjects.iter_mut().for_each(|person| *person = name(*person));
            subjects.sort_unstable();
        }
        self.histograms.iter_mut().for_each(|histogram| histogram.rename_people(name));
    }

    /// Merge another, disjoint group into this one.
    pub fn merge(&mut self, other: &Summary) {
        self.rows += other.rows;
        if self.histograms.is_empty() {
            self.histograms = other.histograms.clone();
        } else {
            self.histograms.iter_mut().zip(&other.histograms).for_each(|(a, b)| a.merge(b));
        }
        match (&mut self.subjects, &other.subjects) {
            (Some(mine), Some(theirs)) => {
                mine.extend(theirs);
                mine.sort_unstable();
                mine.dedup();
                self.people = mine.len() as u64;
            }
            (None, Some(theirs)) => {
                self.people = theirs.len() as u64;
                self.subjects = Some(theirs.clone());
            }
            _ => self.people += other.people,
        }
    }

    /// This group without a part of it. `None` with a subject column, since a person may be in
    /// both.
    pub fn subtract(&self, part: &Summary) -> Option<Summary> {
        if self.subjects.is_some() {
            return None;
        }
        let histograms = self
            .histograms
            .iter()
            .zip(&part.histograms)
            .map(|(a, b)| a.subtract(b))
            .collect::<Option<_>>()?;
        Some(Summary {
            rows: self.rows - part.rows,
            people: self.people - part.people,
            histograms,
            subjects: None,
        })
    }
}

/// The columns from which summaries are made. It is made once per run and used for every group.
#[derive(Debug, Clone)]
pub struct Tally<'a> {
    /// One entry per sensitive column, with its number of codes. `None` if no model needs the
    /// histogram.
    pub sensitive: Vec<Option<(&'a Codes, usize)>>,
    /// The column that says which rows belong to one person.
    pub subject: Option<&'a Codes>,
}

impl Tally<'_> {
    /// Summarize a contiguous range of rows.
    pub fn of_range(&self, rows: std::ops::Range<usize>) -> Summary {
        let histogram = |column: &Option<(&Codes, usize)>| match (column, self.subject) {
            (None, _) => Histogram::default(),
            (Some((codes, n_codes)), None) => {
                with_codes!(codes, v => Histogram::of_codes(&v[rows.clone()], *n_codes))
            }
            (Some((codes, _)), Some(subject)) => Histogram::of_people(
                rows.clone().map(|row| (codes.get(row), u64::from(subject.get(row)))).collect(),
            ),
        };
        self.finish(rows.len(), self.sensitive.iter().map(histogram).collect(), rows.clone())
    }

    /// Summarize rows in any order.
    pub fn of_rows(&self, rows: &[u32]) -> Summary {
        let histogram = |column: &Option<(&Codes, usize)>| match (column, self.subject) {
            (None, _) => Histogram::default(),
            (Some((codes, n_codes)), None) => {
                with_codes!(codes.gather(rows), v => Histogram::of_codes(&v, *n_codes))
            }
            (Some((codes, _)), Some(subject)) => Histogram::of_people(
                rows.iter()
                    .map(|&row| row as usize)
                    .map(|row| (codes.get(row), u64::from(subject.get(row))))
                    .collect(),
            ),
        };
        self.finish(
            rows.len(),
            self.sensitive.iter().map(histogram).collect(),
            rows.iter().map(|&row| row as usize),
        )
    }

    fn finish(
        &self,
        n: usize,
        histograms: Vec<Histogram>,
        rows: impl Iterator<Item = usize>,
    ) -> Summary {
        let subjects = self.subject.map(|subject| {
            let mut subjects: Vec<u64> = rows.map(|row| u64::from(subject.get(row))).collect();
            subjects.sort_unstable();
            subjects.dedup();
            subjects
        });
        let people = subjects.as_ref().map_or(n as u64, |s| s.len() as u64);
        Summary { rows: n as u64, people, histograms, subjects }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_merge_to_the_whole(
            rows in prop::collection::vec((0u8..6, 0u8..5), 1..60), cut in 0usize..60,
                with_subject: bool,
        ) {
            let cut = cut.min(rows.len());
            let codes = Codes::U8(rows.iter().map(|r| r.0).collect());
            let subject = Codes::U8(rows.iter().map(|r| r.1).collect());
            let tally =
                Tally { sensitive: vec![Some((&codes, 6)), None],
                    subject: with_subject.then_some(&subject) };
            let whole = tally.of_range(0..rows.len());
            let ids: Vec<u32> = (cut as u32..rows.len() as u32).rev().collect();
            let (left, right) = (tally.of_range(0..cut), tally.of_rows(&ids));
            let mut merged = left.clone();
            merged.merge(&right);
            prop_assert_eq!(&merged, &whole);
            let people: crate::FastSet<u8> = rows.iter().map(|r| r.1).collect();
            prop_assert_eq!(whole.people,
                if with_subject { people.len() } else { rows.len() } as u64);
            match whole.subtract(&left) {
                Some(rest) => prop_assert_eq!(rest, right),
                None => prop_assert!(with_subject),
            }
            if with_subject {
                let people = rows.iter().map(|r| u64::from(r.1));
                let pairs = rows.iter().map(|r| (u32::from(r.0), u64::from(r.1))).collect();
                let histograms = vec![Histogram::of_people(pairs), Histogram::default()];
                prop_assert_eq!(&Summary::of_subjects(rows.len() as u64, histograms,
                    people.collect()), &whole);
            }
            let stored = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<Summary>(&stored).unwrap(), whole);
        }
    }
}
