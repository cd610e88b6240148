//! Sensitive labels: drawn at random from a histogram of occupations.

use sfumato_core::Result;
use sfumato_core::transactions::Transactions;
use sfumato_io::{BasketLayout, BasketOptions, ItemColumn, ItemKind, read_baskets};
use sfumato_sets::algorithms::nonreciprocal::greedy_pick::check_eligible;

use crate::bench::RandomStream;
use crate::figure::Settings;

/// People with their occupations, in the data folder.
pub const OCCUPATIONS: &str = "relational/gss_wages_61697.csv.gz";

/// The columns beside the occupation.
const OTHERS: [&str; 10] = [
    "year",
    "realrinc",
    "age",
    "occrecode",
    "prestg10",
    "childs",
    "wrkstat",
    "gender",
    "educcat",
    "maritalcat",
];

/// How many people have each occupation.
pub struct Histogram {
    /// For each occupation, how many people have it or one before it.
    up_to: Vec<usize>,
}

impl Histogram {
    /// Read the labels of the survey. People whose occupation isn't known are left out.
    pub fn read(settings: &Settings<'_>) -> Result<Self> {
        let occupation = ItemColumn { name: "occ10".into(), kind: ItemKind::Categorical };
        let layout = BasketLayout::Table { columns: vec![occupation], rest: None, key: None };
        let options = BasketOptions {
            dropped: OTHERS.map(String::from).to_vec(),
            ..BasketOptions::default()
        };
        let path = settings.data.join(OCCUPATIONS).display().to_string();
        let people = read_baskets(&path, &layout, &options, settings.observer)?.sets;
        Ok(Histogram::of(&people.counts()))
    }

    fn of(counts: &[u64]) -> Self {
        let add = |sum: &mut usize, count: &u64| {
            *sum += *count as usize;
            Some(*sum)
        };
        Histogram { up_to: counts.iter().scan(0, add).collect() }
    }

    /// A label for each of `records` records. Returns an error if these don't allow the largest l
    /// of an experiment.
    pub fn draw(&self, records: usize, largest_l: usize, seed: u64) -> Result<Vec<u32>> {
        let mut random = RandomStream::new(seed);
        let people = self.up_to.last().copied().unwrap_or(0).max(1);
        let mut one = || {
            let person = random.below(people);
            self.up_to.partition_point(|up_to| *up_to <= person) as u32
        };
        let labels: Vec<u32> = (0..records).map(|_| one()).collect();
        check_eligible(&labels, largest_l)?;
        Ok(labels)
    }

    /// Labels as sets of one sensitive item each.
    pub fn as_items(&self, labels: &[u32]) -> Transactions {
        Transactions::from_sets(self.up_to.len(), labels.iter().map(|label| vec![*label]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_as_often_as_in_the_histogram() {
        let histogram = Histogram::of(&[10, 0, 30, 60]);
        let labels = histogram.draw(10_000, 1, 1).unwrap();
        let counts = histogram.as_items(&labels).counts();
        assert_eq!(counts[1], 0);
        for (count, expected) in counts.iter().zip([1000u64, 0, 3000, 6000]) {
            assert!(count.abs_diff(expected) < 250, "{counts:?}");
        }
        assert_ne!(labels, histogram.draw(10_000, 1, 2).unwrap());
        assert!(
            histogram.draw(10_000, 2, 1).is_err(),
            "six in ten records can't have two labels each"
        );
    }
}
