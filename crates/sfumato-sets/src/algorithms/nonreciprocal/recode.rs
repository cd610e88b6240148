//! Makes a release from matches: each published record is the majority vote of its preimages, and
//! one random assignment says which record's label it gets.
//!
//! An item is in the base set if more than half of the preimages have it. In a tie it isn't: that
//! depends only on the preimages, all of which are equally likely to be the true record, and not on
//! which of them is.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Builder, Sets, Transactions};
use sfumato_core::{Error, Result, with_sets};

use crate::data::Bitmaps;

use sfumato_core::matches::Matches;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::extraction;

/// The number of records that a thread votes for at a time.
const ROWS: usize = 4096;

/// A release and its matches. The custodian needs the matches to check the release; nobody else may
/// see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoded {
    /// The published records, in random order.
    pub bitmaps: Bitmaps,
    /// Which published records each original record matches, by their numbers in that order.
    pub matches: Matches,
}

/// The base set, distance set and threshold of each published record before an assignment is drawn,
/// when record i has the label of record i.
pub fn vote(transactions: &Transactions, matches: &Matches) -> Result<Bitmaps> {
    let identity: Vec<u32> = (0..matches.len() as u32).collect();
    publish(transactions, matches, &identity, identity.clone())
}

/// Make a release: a random assignment gives the labels, and the records are in random order, never
/// along the ring.
pub fn recode(
    transactions: &Transactions,
    matches: &Matches,
    random: &mut RandomStream,
) -> Result<Recoded> {
    let assignment = extraction::draw(matches, random);
    recode_as(transactions, matches, &assignment, random)
}

/// Make the release of an assignment, which gives each original record a published record that it
/// matches.
pub fn recode_as(
    transactions: &Transactions,
    matches: &Matches,
    assignment: &[u32],
    random: &mut RandomStream,
) -> Result<Recoded> {
    // Which published record comes at each place.
    let order = random.permutation(matches.len());
    let mut place = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(published, at)| place[*published as usize] = at);
    let mut label_of = vec![0; order.len()];
    assignment
        .iter()
        .zip(0..)
        .for_each(|(published, record)| label_of[place[*published as usize] as usize] = record);
    let bitmaps = publish(transactions, matches, &order, label_of)?;
    Ok(Recoded { bitmaps, matches: matches.renumbered(&place) })
}

fn publish(
    transactions: &Transactions,
    matches: &Matches,
    order: &[u32],
    label_of: Vec<u32>,
) -> Result<Bitmaps> {
    let (n, n_items) = (matches.len(), transactions.n_items());
    if n != transactions.len() {
        return Err(Error::params(format!(
            "there are matches for {n} records, and {} records",
            transactions.len()
        )));
    }
    let preimages = matches.preimages();
    let starts: Vec<usize> = (0..n).step_by(ROWS).collect();
    let parts: Vec<Votes> = with_sets!(transactions, sets => starts
        .into_par_iter()
        .map(|start| Votes::of(sets, &preimages, &order[start..n.min(start + ROWS)], n_items))
        .collect());
    let (mut base, mut distance) = (Builder::new(n_items), Builder::new(n_items));
    let mut threshold = Vec::with_capacity(n);
    for part in parts {
        part.base.ranges().for_each(|range| base.push(&part.base.items[range]));
        part.distance.ranges().for_each(|range| distance.push(&part.distance.items[range]));
        threshold.extend(part.threshold);
    }
    Ok(Bitmaps { base: base.finish(), distance: distance.finish(), threshold, label_of })
}

/// Several lists in one vector.
#[derive(Default)]
struct Lists {
    items: Vec<u32>,
    ends: Vec<usize>,
}

impl Lists {
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| start..*end)
    }
}

/// The votes for some published records.
#[derive(Default)]
struct Votes {
    base: Lists,
    distance: Lists,
    threshold: Vec<u32>,
}

impl Votes {
    fn of<C: Code>(
        sets: Sets<'_, C>,
        preimages: &Matches,
        published: &[u32],
        n_items: usize,
    ) -> Votes {
        let m = preimages.m() as u32;
        let mut part = Votes::default();
        // How many preimages have each item; all 0 between records.
        let mut votes = vec![0u32; n_items];
        let mut items: Vec<u32> = Vec::new();
        for record in published {
            let voters =
                || preimages.of(*record as usize).iter().map(|voter| sets.get(*voter as usize));
            for code in voters().flatten() {
                let votes = &mut votes[code.widen() as usize];
                if *votes == 0 {
                    items.push(code.widen());
                }
                *votes += 1;
            }
            items.sort_unstable();
            let is_base = |item: u32| 2 * votes[item as usize] > m;
            let before = part.base.items.len();
            part.base.items.extend(items.iter().copied().filter(|item| is_base(*item)));
            part.distance
                .items
                .extend(items.iter().copied().filter(|item| votes[*item as usize] < m));
            let base = part.base.items.len() - before;
            let errors = voters().map(|set| {
                let common = set.iter().filter(|code| is_base(code.widen())).count();
                base + set.len() - 2 * common
            });
            part.threshold.push(errors.max().unwrap_or(0) as u32);
            part.base.ends.push(part.base.items.len());
            part.distance.ends.push(part.distance.items.len());
            items.drain(..).for_each(|item| votes[item as usize] = 0);
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_published_as_absent() {
        let sets = Transactions::from_sets(3, [vec![0, 1], vec![0, 2]]);
        let matches = Matches::new(2, vec![0, 1, 1, 0]).unwrap();
        let bitmaps = vote(&sets, &matches).unwrap();
        for row in 0..2 {
            assert_eq!((bitmaps.base.set(row), bitmaps.distance.set(row)), (vec![0], vec![1, 2]));
        }
        assert_eq!((bitmaps.threshold, bitmaps.label_of), (vec![1, 1], vec![0, 1]));
        let fewer = Matches::new(1, vec![0]).unwrap();
        assert!(vote(&sets, &fewer).is_err());
    }

    #[test]
    fn many_records_are_put_together_in_order() {
        let n = 3 * ROWS + 5;
        let sets = Transactions::from_sets(n, (0..n as u32).map(|i| vec![i]));
        let alone = Matches::new(1, (0..n as u32).collect()).unwrap();
        let bitmaps = vote(&sets, &alone).unwrap();
        assert_eq!((bitmaps.base.clone(), bitmaps.distance.n_instances()), (sets.clone(), 0));
        let recoded = recode(&sets, &alone, &mut RandomStream::from_seed(1)).unwrap();
        // Each record bears its own label, at a random place.
        assert!(
            recoded.bitmaps.label_of.iter().enumerate().all(|(row, label)| recoded
                .bitmaps
                .base
                .set(row)
                == [*label])
        );
        assert_ne!(recoded.bitmaps.label_of, bitmaps.label_of);
        assert!(
            (0..n).all(|record| recoded.bitmaps.label_of[recoded.matches.of(record)[0] as usize]
                == record as u32)
        );
    }
}
