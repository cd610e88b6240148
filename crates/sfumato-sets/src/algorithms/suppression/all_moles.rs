//! All failing combinations, not only the smallest: what the variant of the algorithm for nuggets
//! scores items by.
//!
//! A combination that contains a failing one needn't fail where private items are counted, and one
//! that fails needn't contain a smaller one that does. So every combination that a record has is
//! looked at, which is much more work than finding the smallest.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::{Error, FastMap, Result};

use crate::traits::SetTask;

/// How many combinations of records may be visited.
const MOST: u64 = 200_000_000;

/// How often a combination occurs: its number, and how many records have it.
type Counted = FastMap<Vec<u32>, (u32, u64)>;

/// Every failing combination of at least two items of those that are left.
pub(super) fn all_moles(
    task: &SetTask<'_>,
    asked: &AskedCombinations,
    is_suppressed: &[bool],
) -> Result<Vec<Vec<u32>>> {
    let mut counted: Counted = FastMap::default();
    // How many records have a combination and a private item.
    let mut private: FastMap<(u32, u32), u64> = FastMap::default();
    let mut visited = 0u64;
    for record in 0..task.sets.len() {
        task.check_cancelled()?;
        let weight = task.weights.map_or(1, |weights| u64::from(weights[record]));
        let items: Vec<u32> = task.sets.set(record);
        let items: Vec<u32> =
            items.into_iter().filter(|item| !is_suppressed[*item as usize]).collect();
        let own = match (asked.most, task.private) {
            (Some(_), Some(private)) => private.set(record),
            _ => Vec::new(),
        };
        let mut count = |combination: &[u32]| {
            visited += 1 + own.len() as u64;
            let next = counted.len() as u32;
            let entry = counted.entry(combination.to_vec()).or_insert((next, 0));
            entry.1 += weight;
            own.iter().for_each(|item| *private.entry((entry.0, *item)).or_default() += weight);
            visited <= MOST
        };
        if !subsets(&items, asked.size, &mut Vec::new(), &mut count) {
            return Err(Error::resources(
                "there are too many combinations to score items by all that fail",
            )
            .hint("leave moles=all out: the smallest failing ones are enough to be rid of all"));
        }
    }
    let mut most: Vec<u64> = vec![0; counted.len()];
    for ((which, _), n) in private {
        most[which as usize] = most[which as usize].max(n);
    }
    let fails = |which: u32, support: u64| {
        let breaches = |share: sfumato_core::combinations::Share| {
            share.is_exceeded(most[which as usize], support)
        };
        support < asked.required || asked.most.is_some_and(breaches)
    };
    let mut failing: Vec<Vec<u32>> = counted
        .into_iter()
        .filter(|(items, (which, support))| items.len() > 1 && fails(*which, *support))
        .map(|(items, _)| items)
        .collect();
    failing.sort_unstable();
    Ok(failing)
}

/// Visit every part of some items that has from one to `most` of them. False if it was told to
/// stop.
fn subsets(
    items: &[u32],
    most: usize,
    chosen: &mut Vec<u32>,
    visit: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    for (at, item) in items.iter().enumerate() {
        chosen.push(*item);
        let goes_on = visit(chosen)
            && (chosen.len() >= most || subsets(&items[at + 1..], most, chosen, visit));
        chosen.pop();
        if !goes_on {
            return false;
        }
    }
    true
}
