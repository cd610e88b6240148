//! A compact binary format of summaries that wait on disk: small numbers take one byte, and sorted
//! numbers are stored as differences.
//!
//! Bytes that were read are never trusted: what can't be a summary is `None`, and nothing is
//! allocated for a length that the bytes don't have.

use crate::group::{Histogram, Summary};

/// The flag of a summary that has subjects.
const HAS_SUBJECTS: u8 = 1;
/// The flag of a summary with as many people as rows.
const ONE_EACH: u8 = 2;

/// Append a number: seven bits per byte, the lowest first.
pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Take a number off the front of some bytes.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Take a length off the front, of a list whose entries take at least one byte each.
fn take_length(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(take_number(bytes)?).ok().filter(|length| *length <= bytes.len())
}

/// Append different numbers in ascending order.
fn put_sorted(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u64>) {
    put_number(out, numbers.len() as u64);
    let mut next = 0;
    for number in numbers {
        put_number(out, number.wrapping_sub(next));
        next = number.wrapping_add(1);
    }
}

fn take_sorted(bytes: &mut &[u8], mut found: impl FnMut(u64) -> Option<()>) -> Option<()> {
    let mut next = 0u64;
    for place in 0..take_length(bytes)? {
        let number = next.checked_add(take_number(bytes)?)?;
        // Behind the largest number there is none; zero is what comes after it only in a list that
        // is broken.
        if place > 0 && next == 0 {
            return None;
        }
        found(number)?;
        next = number.wrapping_add(1);
    }
    Some(())
}

impl Summary {
    /// Append the summary to some bytes.
    pub fn pack(&self, out: &mut Vec<u8>) {
        let subjects = self.subjects();
        let one_each = self.people == self.rows;
        let flags = u8::from(subjects.is_some()) * HAS_SUBJECTS + u8::from(one_each) * ONE_EACH;
        out.push(flags);
        put_number(out, self.rows);
        match subjects {
            Some(subjects) => put_sorted(out, subjects.iter().copied()),
            None if one_each => {}
            None => put_number(out, self.people),
        }
        put_number(out, self.histograms.len() as u64);
        self.histograms.iter().for_each(|histogram| histogram.pack(out));
    }

    /// Take a summary off the front of some bytes. `None` if they can't be one.
    pub fn unpack(bytes: &mut &[u8]) -> Option<Summary> {
        let (flags, rest) = bytes.split_first()?;
        *bytes = rest;
        let rows = take_number(bytes)?;
        let mut people = rows;
        let mut subjects = None;
        if flags & HAS_SUBJECTS != 0 {
            let mut list: Vec<u64> = Vec::new();
            take_sorted(bytes, |person| {
                list.push(person);
                Some(())
            })?;
            subjects = Some(list);
        } else if flags & ONE_EACH == 0 {
            people = take_number(bytes)?;
        }
        let n_histograms = take_length(bytes)?;
        let histograms =
            (0..n_histograms).map(|_| Histogram::unpack(bytes)).collect::<Option<Vec<_>>>()?;
        Some(match subjects {
            Some(subjects) => Summary::of_subjects(rows, histograms, subjects),
            None => Summary::estimated(rows, people, histograms),
        })
    }

    /// The summary of the same group with other codes for its sensitive values:
    /// `code_of[column][code]`. Counts of codes that become one are added, or a person is counted
    /// once.
    pub fn recode(&self, code_of: &[Vec<u32>]) -> Summary {
        let recode = |(histogram, code_of): (&Histogram, &Vec<u32>)| histogram.recode(code_of);
        let histograms = self.histograms.iter().zip(code_of).map(recode).collect();
        match self.subjects() {
            Some(subjects) => Summary::of_subjects(self.rows, histograms, subjects.to_vec()),
            None => Summary::estimated(self.rows, self.people, histograms),
        }
    }
}

impl Histogram {
    fn recode(&self, code_of: &[u32]) -> Histogram {
        let code = |code: &u32| code_of.get(*code as usize).copied().unwrap_or(*code);
        match self.people() {
            None => Histogram::from_counts(
                self.entries().iter().map(|(old, count)| (code(old), *count)),
            ),
            Some(pairs) => Histogram::of_people(
                pairs.iter().map(|(old, person)| (code(old), *person)).collect(),
            ),
        }
    }

    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.people().is_some()));
        put_number(out, self.entries().len() as u64);
        let mut rest = self.people().unwrap_or_default();
        let mut next = 0;
        for (code, count) in self.entries() {
            put_number(out, u64::from(code - next));
            next = code.wrapping_add(1);
            match self.people() {
                None => put_number(out, *count),
                Some(_) => {
                    // A count of people is as many pairs.
                    let (mine, others) = rest.split_at(rest.len().min(*count as usize));
                    put_sorted(out, mine.iter().map(|(_, person)| *person));
                    rest = others;
                }
            }
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Histogram> {
        let (of_people, rest) = bytes.split_first()?;
        *bytes = rest;
        let n_entries = take_length(bytes)?;
        let mut entries: Vec<(u32, u64)> = Vec::new();
        let mut pairs: Vec<(u32, u64)> = Vec::new();
        let mut next = 0u32;
        for _ in 0..n_entries {
            let code = next.checked_add(u32::try_from(take_number(bytes)?).ok()?)?;
            next = code.wrapping_add(1);
            match of_people {
                0 => entries.push((code, take_number(bytes)?)),
                _ => take_sorted(bytes, |person| {
                    pairs.push((code, person));
                    Some(())
                })?,
            }
        }
        Some(match of_people {
            0 => Histogram::from_counts(entries),
            _ => Histogram::of_people(pairs),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn summary(rows: &[(u32, u32, u64)], with_subject: bool) -> Summary {
        let mut people: Vec<u64> = rows.iter().map(|row| row.2).collect();
        people.sort_unstable();
        people.dedup();
        let column = |of: &dyn Fn(&(u32, u32, u64)) -> u32| match with_subject {
            true => Histogram::of_people(rows.iter().map(|row| (of(row), row.2)).collect()),
            false => Histogram::from_counts(rows.iter().map(|row| (of(row), 1))),
        };
        let histograms = vec![column(&|row| row.0), Histogram::default(), column(&|row| row.1)];
        match with_subject {
            true => Summary::of_subjects(rows.len() as u64, histograms, people),
            false => Summary::of_histograms(rows.len() as u64, histograms),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn summaries_come_back(
            rows in prop::collection::vec((any::<u32>(), 0u32..5, any::<u64>()), 0..40),
                with_subject: bool, people in 0u64..9,
            cut in 0usize..400, broken in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let some = [summary(&rows, with_subject), Summary::estimated(7, people, Vec::new()),
                summary(&rows, false)];
            let mut bytes = Vec::new();
            some.iter().for_each(|summary| summary.pack(&mut bytes));
            let mut rest = bytes.as_slice();
            for summary in &some {
                prop_assert_eq!(Summary::unpack(&mut rest), Some(summary.clone()));
            }
            prop_assert!(rest.is_empty());
            // Whatever the bytes are: no panic, and no more memory than they are long.
            let mut rest = &bytes[..cut.min(bytes.len())];
            while !rest.is_empty() && Summary::unpack(&mut rest).is_some() {}
            let mut rest = broken.as_slice();
            while !rest.is_empty() && Summary::unpack(&mut rest).is_some() {}
        }

        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..20),
            shift in 0u32..64) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| put_number(&mut bytes, number >> shift));
            let mut rest = bytes.as_slice();
            for number in numbers {
                prop_assert_eq!(take_number(&mut rest), Some(number >> shift));
            }
            prop_assert_eq!(take_number(&mut rest), None);
        }

        #[test]
        fn other_codes_say_the_same(rows in prop::collection::vec((0u32..6, 0u32..5, 0u64..9),
            0..40), with_subject: bool) {
            let code_of = vec![vec![3, 3, 0, 1, 0, 7], Vec::new(), vec![4, 3, 2, 1, 0]];
            let recoded: Vec<(u32, u32, u64)> =
                rows.iter().map(|row| (code_of[0][row.0 as usize], code_of[2][row.1 as usize],
                    row.2)).collect();
            prop_assert_eq!(summary(&rows, with_subject).recode(&code_of),
                summary(&recoded, with_subject));
        }
    }
}
