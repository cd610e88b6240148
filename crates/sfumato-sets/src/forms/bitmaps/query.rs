//! Answers counting queries about items of a bitmap release: an estimate from the base sets, and
//! bounds over all possible worlds.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::RecordSource as _;

use sfumato_engine::query::{Answers, QueryRequest};

use super::NAME;
use super::read::{Release, open};
use crate::data::read::input_of;
use crate::forms::buckets::{Asked, ItemCondition, ItemQuery, answer_all};
use crate::forms::release_file::manifest_of_folder;
use crate::job::Job;

/// Answer the queries of a request.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let asked = Asked::of(request)?;
    let path = input_of(&request.job).path;
    let manifest = manifest_of_folder(request.manifest.as_ref(), NAME, &path)?;
    let release = open(&path, &manifest, None, observer)?;
    answer_all(&asked, release.bitmaps.len(), &|query| release.count(query, &path), observer)
}

impl Release {
    /// How many rows satisfy a query in their base sets, in every possible world, and in at least
    /// one possible world.
    fn count(&self, query: &ItemQuery, folder: &str) -> Result<(f64, u64, u64)> {
        let mut conditions: Vec<(u32, bool)> = Vec::new();
        for ItemCondition { item, present } in &query.conditions {
            let code = self.names.iter().position(|name| name == item).ok_or_else(|| {
                Error::params(format!("no row has the item '{item}', for sure or in doubt"))
                    .in_file(folder)
            })?;
            conditions.push((code as u32, *present));
        }
        conditions.sort_unstable();
        conditions.dedup();
        if conditions.windows(2).any(|two| two[0].0 == two[1].0) {
            // An item that must be there and must not: no world has that.
            return Ok((0.0, 0, 0));
        }
        let (mut estimate, mut lower, mut upper) = (0u64, 0, 0);
        let (mut base, mut distance) = (Vec::new(), Vec::new());
        for row in 0..self.bitmaps.len() {
            base.clear();
            distance.clear();
            self.bitmaps.base.append(row, &mut base);
            self.bitmaps.distance.append(row, &mut distance);
            if let Some(sensitive) = &self.sensitive {
                sensitive.append(row, &mut base);
                base.sort_unstable();
            }
            // Conditions in doubt, and those that the base set breaks: for sure, or so that an
            // error may mend it.
            let (mut in_doubt, mut to_mend, mut is_out) = (0u32, 0u32, false);
            for (item, present) in &conditions {
                let is_met = base.binary_search(item).is_ok() == *present;
                let doubted = distance.binary_search(item).is_ok();
                in_doubt += u32::from(doubted);
                to_mend += u32::from(doubted && !is_met);
                is_out |= !doubted && !is_met;
            }
            let threshold = self.bitmaps.threshold[row];
            if is_out {
                continue;
            }
            estimate += u64::from(to_mend == 0);
            lower += u64::from(to_mend == 0 && (in_doubt == 0 || threshold == 0));
            upper += u64::from(to_mend <= threshold);
        }
        Ok((estimate as f64, lower, upper))
    }
}

#[cfg(test)]
mod tests {
    use crate::data::Bitmaps;
    use sfumato_core::transactions::Transactions;

    use super::*;

    /// Table 3 of the paper, without its labels.
    fn example() -> Release {
        let sets = |bits: [&str; 6]| {
            let set = |bits: &str| {
                (0u32..).zip(bits.chars()).filter(|(_, bit)| *bit == '1').map(|(i, _)| i).collect()
            };
            Transactions::from_sets(4, bits.map(set))
        };
        Release {
            names: ["jogging", "swimming", "tennis", "soccer"].map(String::from).to_vec(),
            bitmaps: Bitmaps {
                base: sets(["1101", "1110", "0111", "0111", "1100", "1110"]),
                distance: sets(["1011", "1101", "1011", "1101", "0011", "0111"]),
                threshold: vec![2, 2, 2, 2, 1, 2],
                label_of: Vec::new(),
            },
            sensitive: None,
            sources: Default::default(),
        }
    }

    /// The possible worlds of a row, by trying all sets.
    fn worlds(release: &Release, row: usize) -> Vec<u32> {
        let set = |bits: u32| (0..4).filter(|item| bits >> item & 1 == 1).collect::<Vec<u32>>();
        (0..16).filter(|bits| release.bitmaps.admits(row, &set(*bits))).collect()
    }

    #[test]
    fn bounds_are_those_over_all_worlds() {
        let release = example();
        for present in 0..16u32 {
            for absent in 0..16u32 {
                let item = |i: u32| release.names[i as usize].clone();
                let conditions: Vec<ItemCondition> = (0..4)
                    .filter(|i| present >> i & 1 == 1)
                    .map(|i| ItemCondition { item: item(i), present: true })
                    .chain(
                        (0..4)
                            .filter(|i| absent >> i & 1 == 1)
                            .map(|i| ItemCondition { item: item(i), present: false }),
                    )
                    .collect();
                let holds = |world: &u32| world & present == present && world & absent == 0;
                let (mut least, mut most) = (0, 0);
                for row in 0..6 {
                    let worlds = worlds(&release, row);
                    least += u64::from(worlds.iter().all(holds));
                    most += u64::from(worlds.iter().any(holds));
                }
                let (estimate, lower, upper) =
                    release.count(&ItemQuery { conditions }, "r").unwrap();
                assert_eq!((lower, upper), (least, most), "{present:b} {absent:b}");
                assert!((lower as f64..=upper as f64).contains(&estimate));
            }
        }
        let ask = |text: &str| release.count(&text.parse().unwrap(), "r").unwrap();
        // Four of the six records jog, four of the base sets do.
        assert_eq!(ask("count where jogging"), (4.0, 2, 6));
        assert_eq!(ask("count"), (6.0, 6, 6));
        assert!(release.count(&"count where chess".parse().unwrap(), "r").is_err());
    }
}
