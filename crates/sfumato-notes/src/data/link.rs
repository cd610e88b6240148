//! Which notes are about one person: records are merged by the numbers and names in them.
//!
//! Blocking keeps it quick: only records that share a number, or a last name, are compared. What is
//! merged wrongly costs nobody any privacy, since fewer people are then counted than there are.

use std::collections::BTreeMap;

use super::similarity::jaro_winkler;

/// What a record says by which it may be known again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identifiers {
    /// Numbers and addresses of one person, with their class.
    pub numbers: Vec<(String, String)>,
    /// Names of several words, folded, the last name last.
    pub names: Vec<Vec<String>>,
    /// Values of attributes, by their place in the view.
    pub values: Vec<(usize, String)>,
}

/// What came of linking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linked {
    /// The person of each record.
    pub person: Vec<u32>,
    /// How many people there are.
    pub people: u64,
    /// How often two groups of records were merged because they share a number.
    pub by_number: u64,
    /// How often because they share a name and something else.
    pub by_name: u64,
}

/// A number that more records have is not one person's: a ward's telephone, a default.
const MOST: usize = 50;
/// From which similarity on two names are one.
const ALIKE: f64 = 0.93;

struct Groups(Vec<u32>);

impl Groups {
    fn of(&mut self, record: u32) -> u32 {
        let mut root = record;
        while self.0[root as usize] != root {
            root = self.0[root as usize];
        }
        let mut at = record;
        while self.0[at as usize] != root {
            (at, self.0[at as usize]) = (self.0[at as usize], root);
        }
        root
    }
    fn merge(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.of(one), self.of(other));
        // The smaller number is the root, so that the order of merging makes no difference.
        self.0[one.max(other) as usize] = one.min(other);
        one != other
    }
}

/// Merge records of one person.
pub fn link(records: &[Identifiers]) -> Linked {
    let mut groups = Groups((0..records.len() as u32).collect());
    let mut linked = Linked::default();
    let mut by_number: BTreeMap<&(String, String), Vec<u32>> = BTreeMap::new();
    let mut by_name: BTreeMap<&str, Vec<(u32, &[String])>> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        record
            .numbers
            .iter()
            .for_each(|number| by_number.entry(number).or_default().push(at as u32));
        for name in record.names.iter().filter(|name| name.len() > 1) {
            by_name.entry(&name[name.len() - 1]).or_default().push((at as u32, name));
        }
    }
    for block in by_number.values().filter(|block| block.len() <= MOST) {
        for pair in block.windows(2) {
            linked.by_number += u64::from(groups.merge(pair[0], pair[1]));
        }
    }
    for block in by_name.values().filter(|block| block.len() <= MOST) {
        for (at, (one, name)) in block.iter().enumerate() {
            for (other, other_name) in &block[at + 1..] {
                let pair = (&records[*one as usize], &records[*other as usize]);
                if one != other && are_one(name, other_name, pair) {
                    linked.by_name += u64::from(groups.merge(*one, *other));
                }
            }
        }
    }
    linked.person = (0..records.len() as u32).map(|record| groups.of(record)).collect();
    let mut people = linked.person.clone();
    people.sort_unstable();
    people.dedup();
    linked.people = people.len() as u64;
    linked
}

/// Whether two records with like names are about one person: nothing may contradict, and where the
/// names differ something else must agree.
fn are_one(
    name: &[String],
    other_name: &[String],
    (one, other): (&Identifiers, &Identifiers),
) -> bool {
    let own = |record: &Identifiers, class: &str| -> Vec<String> {
        let numbers = record.numbers.iter().filter(|(known, _)| known == class);
        numbers.map(|(_, value)| value.clone()).collect()
    };
    let is_contradicted = ["MEDICAL_RECORD_NUMBER", "US_SSN"].into_iter().any(|class| {
        let (a, b) = (own(one, class), own(other, class));
        !a.is_empty() && !b.is_empty() && !a.iter().any(|value| b.contains(value))
    });
    if is_contradicted {
        return false;
    }
    let (mut agree, mut contradict) = (0, 0);
    for (attribute, value) in &one.values {
        let same: Vec<&String> =
            other.values.iter().filter(|(at, _)| at == attribute).map(|(_, value)| value).collect();
        if same.iter().any(|other| is_near(value, other)) {
            agree += 1;
        } else if !same.is_empty() {
            contradict += 1;
        }
    }
    let same_name = name == other_name;
    let alike = same_name
        || is_abbreviated(name, other_name)
        || jaro_winkler(&name.join(" "), &other_name.join(" ")) >= ALIKE;
    alike && agree >= contradict && (same_name || agree > 0)
}

/// Whether two values say the same, or numbers that are next to each other: people have birthdays.
fn is_near(one: &str, other: &str) -> bool {
    match (one.parse::<i64>(), other.parse::<i64>()) {
        (Ok(a), Ok(b)) if one.len() < 4 => (a - b).abs() <= 1,
        _ => one == other,
    }
}

/// Whether one name is the other with an initial: J. Smith and John Smith.
fn is_abbreviated(one: &[String], other: &[String]) -> bool {
    let (Some(a), Some(b)) = (one.first(), other.first()) else { return false };
    let is_initial =
        |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    one.last() == other.last() && (is_initial(a, b) || is_initial(b, a))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(number: &str, name: &str, values: &[(usize, &str)]) -> Identifiers {
        let words = |name: &str| name.split(' ').map(String::from).collect::<Vec<_>>();
        Identifiers {
            numbers: (!number.is_empty())
                .then(|| ("MEDICAL_RECORD_NUMBER".to_string(), number.to_string()))
                .into_iter()
                .collect(),
            names: (!name.is_empty()).then(|| words(name)).into_iter().collect(),
            values: values.iter().map(|(at, value)| (*at, value.to_string())).collect(),
        }
    }

    #[test]
    fn records_are_merged_by_numbers_and_by_names_with_something_else() {
        let records = [
            record("1", "john smith", &[(0, "37")]),
            record("1", "", &[]),
            record("", "j smith", &[(0, "38")]),
            record("", "jon smith", &[(0, "37")]),
            record("2", "john smith", &[(0, "37")]),
            record("", "j smith", &[(0, "80")]),
            record("", "mary smith", &[(0, "37")]),
        ];
        let linked = link(&records);
        let person = |at: usize| linked.person[at];
        assert_eq!((person(0), person(1), person(2), person(3)), (0, 0, 0, 0));
        // Another record number, another age, another name.
        assert_ne!(person(4), 0);
        assert_ne!(person(5), 0);
        assert_ne!(person(6), 0);
        assert_eq!(linked.by_number, 1);
        assert!(linked.by_name >= 2 && linked.people == 4, "{linked:?}");
    }

    #[test]
    fn a_number_that_everybody_has_links_nobody() {
        let records = vec![record("0", "", &[]); MOST + 1];
        assert_eq!(link(&records).people, MOST as u64 + 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Numbers alone: the people are the connected parts of the graph of shared numbers.
        #[test]
        fn people_are_connected_parts(numbers in prop::collection::vec(prop::collection::vec(0u8..6, 0..3), 1..12)) {
            let records: Vec<Identifiers> = numbers
                .iter()
                .map(|own| Identifiers {
                    numbers: own.iter().map(|n| ("PHONE_NUMBER".to_string(), n.to_string())).collect(),
                    ..Identifiers::default()
                })
                .collect();
            let mut naive: Vec<usize> = (0..records.len()).collect();
            for _ in 0..records.len() {
                for a in 0..records.len() {
                    for b in 0..records.len() {
                        if numbers[a].iter().any(|n| numbers[b].contains(n)) {
                            let least = naive[a].min(naive[b]);
                            (naive[a], naive[b]) = (least, least);
                        }
                    }
                }
            }
            let linked = link(&records);
            for a in 0..records.len() {
                for b in 0..records.len() {
                    prop_assert_eq!(linked.person[a] == linked.person[b], naive[a] == naive[b]);
                }
            }
        }
    }
}
