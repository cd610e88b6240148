//! CAHD as the paper compares it: groups along a given order, published like our records by the
//! majority vote of each group.

use sfumato_core::column::Code;
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_sets::data::Groups;

use super::labels::Histogram;
use super::published::BaseSets;
use crate::bench::baskets::in_order;
use crate::bench::buckets::group;
use crate::figure::Settings;

/// CAHD with the range of its own paper, among records that are in order already.
const ALGORITHM: &str = "cahd(alpha=3, similarity=common, order=input)";

/// Groups, of records in an order.
pub struct Grouped {
    sets: Transactions,
    groups: Groups,
    /// How many records are in no group around a record, but in the one of all that are left over.
    pub leftover: f64,
}

/// Groups of which each label has at most one in l records.
pub fn grouped(
    sets: &Transactions,
    order: &[u32],
    labels: &[u32],
    histogram: &Histogram,
    l: usize,
    settings: &Settings<'_>,
) -> Result<Grouped> {
    let along: Vec<u32> = order.iter().map(|record| labels[*record as usize]).collect();
    let sets = in_order(sets, order);
    let (groups, findings) =
        group(ALGORITHM, &sets, &histogram.as_items(&along), l as u64, settings)?;
    let leftover = findings.iter().find(|finding| finding.name == "leftover_records");
    Ok(Grouped { leftover: leftover.map_or(0.0, |finding| finding.value), sets, groups })
}

impl Grouped {
    /// The published records. All records of a group are published alike, so it doesn't matter
    /// which row belongs to which record.
    pub fn published(&self, order: &[u32]) -> BaseSets {
        BaseSets { base: by_vote(&self.sets, &self.groups), record_of: order.to_vec() }
    }
}

/// The base set of each record: the items that more than half of its group have. As in the
/// nonreciprocal release, a tie publishes the absence.
fn by_vote(sets: &Transactions, groups: &Groups) -> Transactions {
    let (offsets, members) = groups.members();
    let mut votes = vec![0usize; sets.n_items()];
    let elected = offsets.windows(2).map(|ends| {
        let members = &members[ends[0]..ends[1]];
        let mut items: Vec<u32> = Vec::new();
        with_sets!(sets, sets => for member in members {
            for code in sets.get(*member as usize) {
                let item = code.widen();
                if votes[item as usize] == 0 {
                    items.push(item);
                }
                votes[item as usize] += 1;
            }
        });
        items.sort_unstable();
        let base: Vec<u32> = items
            .iter()
            .copied()
            .filter(|item| 2 * votes[*item as usize] > members.len())
            .collect();
        items.iter().for_each(|item| votes[*item as usize] = 0);
        base
    });
    let elected: Vec<Vec<u32>> = elected.collect();
    let mut builder = Builder::new(sets.n_items());
    groups.of_record().iter().for_each(|group| builder.push(&elected[*group as usize]));
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_published_as_their_votes() {
        let sets = Transactions::from_sets(
            4,
            [vec![0, 1], vec![3], vec![0, 2], vec![0, 1, 3], vec![2, 3]],
        );
        let groups = Groups::from_labels(&[7, 5, 7, 7, 5]);
        let base = by_vote(&sets, &groups);
        // Items 0 and 1 have more than half of three votes; item 2 one of two in the other group,
        // which is a tie.
        let expected = [vec![0, 1], vec![3], vec![0, 1], vec![0, 1], vec![3]];
        assert_eq!(base, Transactions::from_sets(4, expected));
    }
}
