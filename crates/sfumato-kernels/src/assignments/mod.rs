//! Whether all records can be assigned to published records that they match, in several disjoint
//! ways.
//!
//! Audits need this: they know which matches are possible, but not which ones were meant. A graph
//! in which every record has k edges consists of k disjoint assignments (Koenig), so it is enough
//! to choose k matches of each record such that each published record is chosen k times, which is a
//! flow.

mod capacities;
mod flow;

use sfumato_core::{Error, Result};

pub use capacities::most_units;
pub use flow::{Choices, most_pairs};

/// How many matches of a record are looked for at first, per required match. Nearly always these
/// are enough.
pub const AT_FIRST: usize = 4;

/// In how many disjoint assignments all of `n` records match one of `n` published records each, up
/// to a maximum; and how many records have too few matches, or 1 if only the assignments are
/// missing. `lists` gives at most a maximal number of matches of each record.
pub fn most_assignments(
    n: usize,
    k: u64,
    lists: impl Fn(usize) -> Vec<Vec<u32>>,
) -> Result<(u64, u64)> {
    let is_possible = |lists: &[Vec<u32>], k: u64| -> Result<bool> {
        // Matches are numbered in 32 bits.
        if lists.iter().map(Vec::len).sum::<usize>() > u32::MAX as usize {
            return Err(Error::resources("there are more matches than can be looked at")
                .hint("ask for a smaller k, or audit a sample of the records"));
        }
        Ok(most_pairs(&Choices::new(lists), n, k as u32) == k * n as u64)
    };
    if is_possible(&lists(AT_FIRST * k as usize), k)? {
        return Ok((k, 0));
    }
    let all = lists(usize::MAX);
    if is_possible(&all, k)? {
        return Ok((k, 0));
    }
    let least = all.iter().map(Vec::len).min().unwrap_or(0) as u64;
    let too_few = all.iter().filter(|rows| (rows.len() as u64) < k).count() as u64;
    // Fewer assignments are possible wherever more are.
    let (mut possible, mut not) = (0, k.min(least + 1));
    while possible + 1 < not {
        let middle = possible.midpoint(not);
        *(if is_possible(&all, middle)? { &mut possible } else { &mut not }) = middle;
    }
    Ok((possible, too_few.max(1)))
}

#[cfg(test)]
mod tests {
    use super::most_assignments;

    #[test]
    fn as_many_assignments_as_there_are() {
        let ring = |n: u32, k: u32| -> Vec<Vec<u32>> {
            (0..n).map(|record| (0..k).map(|step| (record + step) % n).collect()).collect()
        };
        let few = |lists: &[Vec<u32>], most: usize| -> Vec<Vec<u32>> {
            lists.iter().map(|list| list.iter().copied().take(most).collect()).collect()
        };
        let lists = ring(12, 5);
        assert_eq!(most_assignments(12, 5, |most| few(&lists, most)).unwrap(), (5, 0));
        assert_eq!(most_assignments(12, 7, |most| few(&lists, most)).unwrap(), (5, 12));
        // Everybody has three matches, but of the last row nobody's is missed: two records must
        // share it.
        let lists = vec![vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2], vec![2, 3, 4]];
        assert_eq!(most_assignments(5, 3, |most| few(&lists, most)).unwrap(), (0, 1));
    }
}
