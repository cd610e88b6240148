//! Decides when a statistic of a class is withheld: it is made from real cells, so it may not be
//! about too few people, nor in effect about one.
//!
//! A mean of numbers follows the (1, 50)-dominance rule of magnitude tables: nobody may hold more
//! than half of the sum of absolute values. Minimum and maximum, and the mean of dates and times
//! (which have no natural zero), ask that without any one person the class would still be at least
//! half as wide.

use sfumato_core::dataset::ValueKind;

use super::RegionStatistic;

/// The number of people that a class needs if no model says how many.
pub const LEAST_PEOPLE: u64 = 3;

/// A tolerance: floats are added in some order, so shares this near to one half count as more.
const SLACK: f64 = 1e-9;

/// Why a statistic is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withheld {
    /// No record of the class has a value.
    Empty,
    /// Fewer people than asked for have a value.
    Small,
    /// One person dominates the class.
    Dominated,
}

/// The values of a class: the key of each record, and its person.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// Records that have a value, by key.
    pub records: Vec<(i64, u32)>,
    /// The number of people with a value.
    pub people: u64,
}

impl Values {
    /// Make the values from the records of a class, in any order. Without a subject column, each
    /// row is a person.
    pub fn new(mut records: Vec<(i64, u32)>, has_subject: bool) -> Self {
        records.sort_unstable();
        let people = if has_subject {
            let mut people: Vec<u32> = records.iter().map(|(_, person)| *person).collect();
            people.sort_unstable();
            people.dedup();
            people.len()
        } else {
            records.len()
        };
        Values { records, people: people as u64 }
    }

    /// Whether a statistic must be withheld, and why.
    pub fn withheld(
        &self,
        kind: ValueKind,
        part: RegionStatistic,
        least_people: u64,
    ) -> Option<Withheld> {
        if self.records.is_empty() {
            return Some(Withheld::Empty);
        }
        if self.people < least_people {
            return Some(Withheld::Small);
        }
        let dominated = match part {
            RegionStatistic::Mean if kind.is_number() => self.is_sum_dominated(kind),
            _ => self.is_range_dominated(kind),
        };
        (dominated || self.people < 2).then_some(Withheld::Dominated)
    }

    fn is_sum_dominated(&self, kind: ValueKind) -> bool {
        let mut by_person: Vec<(u32, i64)> =
            self.records.iter().map(|(key, person)| (*person, *key)).collect();
        if self.people < self.records.len() as u64 {
            by_person.sort_unstable();
        }
        let of_one = by_person.chunk_by(|a, b| a.0 == b.0);
        if kind == ValueKind::Float {
            // Divided before they are added: the largest floats must not become infinite.
            let n = self.records.len() as f64;
            let sums = of_one
                .map(|rows| rows.iter().map(|(_, key)| (kind.number(*key) / n).abs()).sum::<f64>());
            let (most, total) =
                sums.fold((0.0f64, 0.0), |(most, total), sum| (most.max(sum), total + sum));
            return total > 0.0 && most > total * (0.5 - SLACK);
        }
        let sums =
            of_one.map(|rows| rows.iter().map(|(_, key)| i128::from(*key).abs()).sum::<i128>());
        let (most, total) = sums.fold((0, 0), |(most, total), sum| (sum.max(most), total + sum));
        2 * most > total
    }

    fn is_range_dominated(&self, kind: ValueKind) -> bool {
        // Only who stands alone at an end can make the range narrower by leaving.
        let all = (self.records[0], self.records[self.records.len() - 1]);
        [all.0.1, all.1.1].into_iter().any(|person| {
            let others = || self.records.iter().filter(|record| record.1 != person);
            match (others().next(), others().next_back()) {
                (Some(first), Some(last)) => {
                    is_less_than_half((first.0, last.0), (all.0.0, all.1.0), kind)
                }
                _ => true,
            }
        })
    }
}

/// Whether one range is less than half as wide as another.
fn is_less_than_half(range: (i64, i64), of: (i64, i64), kind: ValueKind) -> bool {
    if kind == ValueKind::Float {
        // Halves: the width of the largest floats isn't a number.
        let half_width =
            |(first, last): (i64, i64)| kind.number(last) / 2.0 - kind.number(first) / 2.0;
        return 2.0 * half_width(range) < half_width(of);
    }
    let width = |(first, last): (i64, i64)| i128::from(last) - i128::from(first);
    2 * width(range) < width(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn withheld(
        part: RegionStatistic,
        records: &[(i64, u32)],
        has_subject: bool,
    ) -> Option<Withheld> {
        Values::new(records.to_vec(), has_subject).withheld(ValueKind::Integer, part, 3)
    }

    #[test]
    fn too_few_people() {
        assert_eq!(withheld(RegionStatistic::Min, &[], false), Some(Withheld::Empty));
        assert_eq!(withheld(RegionStatistic::Min, &[(1, 0), (2, 1)], false), Some(Withheld::Small));
        // Four records of two people are two people.
        let rows = [(1, 0), (2, 1), (1, 0), (2, 1)];
        assert_eq!(withheld(RegionStatistic::Mean, &rows, true), Some(Withheld::Small));
        assert_eq!(withheld(RegionStatistic::Mean, &[(1, 0), (2, 1), (1, 2), (2, 3)], false), None);
    }

    #[test]
    fn one_record_has_more_than_half_of_the_sum() {
        assert_eq!(withheld(RegionStatistic::Mean, &[(10, 0), (5, 1), (5, 2)], false), None);
        assert_eq!(
            withheld(RegionStatistic::Mean, &[(11, 0), (5, 1), (5, 2)], false),
            Some(Withheld::Dominated)
        );
        assert_eq!(
            withheld(RegionStatistic::Mean, &[(-11, 0), (5, 1), (5, 2)], false),
            Some(Withheld::Dominated)
        );
        assert_eq!(withheld(RegionStatistic::Mean, &[(0, 0), (0, 1), (0, 2)], false), None);
        // Neither of a person's records alone, but both.
        let rows = [(6, 7), (5, 1), (5, 2), (6, 7)];
        assert_eq!(withheld(RegionStatistic::Mean, &[(6, 0), (5, 1), (5, 2), (6, 3)], false), None);
        assert_eq!(withheld(RegionStatistic::Mean, &rows, true), Some(Withheld::Dominated));
    }

    #[test]
    fn one_record_makes_most_of_the_width() {
        assert_eq!(withheld(RegionStatistic::Max, &[(0, 0), (5, 1), (10, 2)], false), None);
        assert_eq!(
            withheld(RegionStatistic::Max, &[(0, 0), (4, 1), (10, 2)], false),
            Some(Withheld::Dominated)
        );
        assert_eq!(
            withheld(RegionStatistic::Min, &[(0, 0), (6, 1), (10, 2)], false),
            Some(Withheld::Dominated)
        );
        assert_eq!(withheld(RegionStatistic::Min, &[(7, 0), (7, 1), (7, 2)], false), None);
        // Two people at each end.
        assert_eq!(
            withheld(RegionStatistic::Min, &[(0, 0), (0, 1), (10, 2), (10, 3)], false),
            None
        );
        // The same records, the upper two of one person.
        assert_eq!(
            withheld(RegionStatistic::Min, &[(0, 0), (0, 1), (10, 2), (10, 2)], true),
            Some(Withheld::Dominated)
        );
    }
}
