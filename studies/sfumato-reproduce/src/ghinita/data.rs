//! The paper's data sets, and which of their items are sensitive.

use sfumato_core::column::Code;
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Error, Result, with_sets};

use crate::bench::RandomStream;
use crate::bench::baskets::{at_most, read};
use crate::figure::Settings;

/// The two data sets in the data folder.
pub const FILES: &[&str] = &[BMS[0].file, BMS[1].file];

/// The largest p of the paper: at most one in this many records may have the same sensitive item.
pub const LARGEST_P: u64 = 20;

/// A data set of the paper.
#[derive(Debug, Clone, Copy)]
pub struct Bms {
    /// What the paper calls it.
    pub name: &'static str,
    file: &'static str,
    /// The printed line of table I: transactions, items, largest and mean length.
    pub printed: [f64; 4],
    /// The printed line of table II, for 1 to 4 known items, in percent.
    pub identified: [f64; 4],
    /// Seconds that the paper's CAHD took at most, its ordering took, and its PermMondrian took
    /// about.
    pub seconds: [f64; 3],
}

/// Both.
pub const BMS: [Bms; 2] = [
    Bms {
        name: "BMS1",
        file: "setvalued/BMS-WebView-1.dat.gz",
        printed: [59_602.0, 497.0, 267.0, 2.5],
        identified: [0.3, 9.5, 24.3, 50.0],
        seconds: [5.0, 158.0, 300.0],
    },
    Bms {
        name: "BMS2",
        file: "setvalued/BMS-WebView-2.dat.gz",
        printed: [77_512.0, 3_340.0, 161.0, 5.0],
        identified: [0.8, 18.8, 41.6, 91.1],
        seconds: [15.0, 457.0, 1500.0],
    },
];

impl Bms {
    /// All records.
    pub fn read(&self, settings: &Settings<'_>) -> Result<Transactions> {
        read(self.file, settings)
    }

    /// As many records as an experiment of this size uses, evenly spaced.
    pub fn sample(&self, settings: &Settings<'_>) -> Result<Transactions> {
        Ok(at_most(&self.read(settings)?, settings.pick(1_500, 20_000, usize::MAX)))
    }
}

/// Records divided by which items are sensitive.
pub struct Divided {
    /// The items that are published as they are.
    pub quasi: Transactions,
    /// What isn't.
    pub sensitive: Transactions,
}

/// `m` sensitive items at random, evenly among the items that at most one in [`LARGEST_P`] records
/// has. Equal seeds draw the same items first, so those for a smaller m are among those for a
/// larger one.
pub fn divided(sets: &Transactions, m: usize, seed: u64) -> Result<Divided> {
    let most = sets.len() as u64 / LARGEST_P;
    let counts = sets.counts();
    let allowed = (0u32..).zip(&counts).filter(|(_, count)| (1..=most).contains(*count));
    let allowed: Vec<u32> = allowed.map(|(item, _)| item).collect();
    if allowed.len() < m {
        return Err(Error::internal(format!(
            "there are {} items for {m} sensitive ones",
            allowed.len()
        )));
    }
    let mut is_sensitive = vec![false; sets.n_items()];
    for place in RandomStream::new(seed).order(allowed.len()).into_iter().take(m) {
        is_sensitive[allowed[place] as usize] = true;
    }
    let part = |sensitive: bool| {
        let mut builder = Builder::new(sets.n_items());
        let mut kept: Vec<u32> = Vec::new();
        with_sets!(sets, sets => for set in sets.iter() {
            kept.clear();
            kept.extend(set.iter().map(|item| item.widen())
                .filter(|item| is_sensitive[*item as usize] == sensitive));
            builder.push(&kept);
        });
        builder.finish()
    };
    Ok(Divided { quasi: part(false), sensitive: part(true) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_items_are_rare_and_nested() {
        // Item 0 is in every record and can't be sensitive; the others are in one in forty.
        let sets = Transactions::from_sets(41, (0..400).map(|i| vec![0, 1 + i % 40]));
        let small = divided(&sets, 5, 3).unwrap();
        let large = divided(&sets, 10, 3).unwrap();
        let drawn = |part: &Divided| -> Vec<usize> {
            (0..41).filter(|item| part.sensitive.counts()[*item] > 0).collect()
        };
        assert_eq!((drawn(&small).len(), drawn(&large).len()), (5, 10));
        assert!(drawn(&small).iter().all(|item| *item > 0 && drawn(&large).contains(item)));
        assert_eq!(small.quasi.n_instances() + small.sensitive.n_instances(), sets.n_instances());
        assert_ne!(drawn(&small), drawn(&divided(&sets, 5, 4).unwrap()));
        assert!(divided(&sets, 41, 3).is_err());
    }
}
