//! Greedy matches exactly as the paper prints them: its algorithm 1, with `greedyPick`
//! (algorithm 2) for the next hop. Rounds can get stuck, which the paper doesn't say.

use sfumato_core::column::Code;
use sfumato_core::matches::Matches;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{FastSet, Result, with_sets};
use sfumato_sets::algorithms::nonreciprocal::hamming::hamming;

use crate::bench::RandomStream;

/// Picks of a round, for each record, after which it is taken to be stuck.
const PATIENCE: usize = 400;

/// The union of `l` assignments, each extracted by closed walks that pick greedily along an order;
/// `None` where a walk finds no next hop, or none that closes it within [`PATIENCE`].
pub fn matches(
    transactions: &Transactions,
    order: &[u32],
    labels: &[u32],
    l: usize,
    seed: u64,
) -> Result<Option<Matches>> {
    let n = order.len();
    let mut random = RandomStream::new(seed);
    let found = with_sets!(transactions, sets => {
        let mut rounds = Rounds {
            sets,
            order,
            label: order.iter().map(|record| labels[*record as usize]).collect(),
            earlier: vec![Vec::new(); n],
        };
        (0..l).all(|_| rounds.extract(&mut random)).then_some(rounds.earlier)
    });
    let Some(earlier) = found else { return Ok(None) };
    let mut post = vec![0; n * l];
    for (place, row) in earlier.iter().enumerate() {
        let record = order[place] as usize;
        let to = post[record * l..][..l].iter_mut();
        to.zip(row).for_each(|(to, place)| *to = order[*place as usize]);
    }
    Ok(Some(Matches::new(l, post)?))
}

/// The rounds so far. Records are numbered by their places in the order.
struct Rounds<'a, C> {
    sets: Sets<'a, C>,
    order: &'a [u32],
    label: Vec<u32>,
    /// The published records that each record was given in earlier rounds.
    earlier: Vec<Vec<u32>>,
}

impl<C: Code> Rounds<'_, C> {
    /// Algorithm 1: one more assignment. Whether it was found.
    fn extract(&mut self, random: &mut RandomStream) -> bool {
        let n = self.order.len();
        // A_r and its inverse: whom each record holds, and who holds each published record.
        let mut held: Vec<u32> = (0..n as u32).collect();
        let mut holder = held.clone();
        let mut open = vec![true; n];
        let mut picks = PATIENCE * n;
        for start in random.order(n) {
            let start = start as u32;
            if !open[start as usize] {
                continue;
            }
            let mut visited: FastSet<(u32, u32)> = FastSet::default();
            let mut rows: FastSet<u32> = FastSet::default();
            // The last row that each record picked: the child of line 11.
            let mut child: sfumato_core::FastMap<u32, u32> = Default::default();
            let mut at = start;
            loop {
                let Some(next) = (picks > 0).then(|| self.pick(at, &visited, &rows)).flatten()
                else {
                    return false;
                };
                picks -= 1;
                visited.insert((at, next));
                rows.insert(next);
                child.insert(at, next);
                if next == start {
                    break;
                }
                at = holder[next as usize];
            }
            // The walk from its start along the last picks: what went round in between is ignored.
            let mut at = start;
            loop {
                let next = child[&at];
                let before = std::mem::replace(&mut holder[next as usize], at);
                held[at as usize] = next;
                open[at as usize] = false;
                if next == start {
                    break;
                }
                at = before;
            }
        }
        let is_new = |(record, row): (usize, &u32)| {
            let lacks = |other: &u32| {
                other != row && self.label[*other as usize] != self.label[*row as usize]
            };
            self.earlier[record].iter().all(lacks)
        };
        if !held.iter().enumerate().all(is_new) {
            return false;
        }
        self.earlier.iter_mut().zip(held).for_each(|(earlier, row)| earlier.push(row));
        true
    }

    /// Algorithm 2: the nearest row along the order that wasn't matched before, wasn't picked from
    /// here in this walk, and has a label that is missing; a row that the walk has been at only as
    /// a last resort.
    fn pick(&self, record: u32, visited: &FastSet<(u32, u32)>, rows: &FastSet<u32>) -> Option<u32> {
        let n = self.order.len() as u32;
        let earlier = &self.earlier[record as usize];
        let suits = |row: u32| {
            let label = self.label[row as usize];
            !visited.contains(&(record, row))
                && earlier.iter().all(|other| *other != row && self.label[*other as usize] != label)
        };
        let mut last_resort = None;
        for step in 0..=n / 2 {
            let (ahead, behind) = ((record + step) % n, (record + n - step) % n);
            let row = match (suits(ahead), suits(behind)) {
                (false, false) => continue,
                (true, false) => ahead,
                (false, true) => behind,
                (true, true) => match self.far(record, behind) < self.far(record, ahead) {
                    true => behind,
                    false => ahead,
                },
            };
            if !rows.contains(&row) {
                return Some(row);
            }
            last_resort.get_or_insert(row);
        }
        last_resort
    }

    fn far(&self, a: u32, b: u32) -> u32 {
        let set = |place: u32| self.sets.get(self.order[place as usize] as usize);
        hamming(set(a), set(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(matches: &Matches, labels: &[u32], l: usize) {
        let mut held = vec![0; labels.len()];
        for record in 0..labels.len() {
            let mut of: Vec<u32> =
                matches.of(record).iter().map(|row| labels[*row as usize]).collect();
            matches.of(record).iter().for_each(|row| held[*row as usize] += 1);
            of.sort_unstable();
            of.dedup();
            assert_eq!(of.len(), l, "record {record}");
        }
        assert!(held.iter().all(|n| *n == l));
    }

    #[test]
    fn every_record_gets_different_labels_and_every_row_as_many_records() {
        let mut random = RandomStream::new(5);
        let mut set = || (0..15u32).filter(|_| random.below(3) == 0).collect::<Vec<u32>>();
        let sets = Transactions::from_sets(15, (0..120).map(|_| set()));
        let labels: Vec<u32> = (0..120).map(|_| random.below(30) as u32).collect();
        let order: Vec<u32> = (0..120).collect();
        let found = (0..6).filter_map(|seed| matches(&sets, &order, &labels, 3, seed).unwrap());
        let found: Vec<Matches> = found.collect();
        assert!(!found.is_empty());
        found.iter().for_each(|matches| check(matches, &labels, 3));
    }

    #[test]
    fn the_first_round_is_the_records_themselves_and_stuck_rounds_are_said() {
        let sets = Transactions::from_sets(2, [vec![0], vec![1], vec![0, 1]]);
        let found = matches(&sets, &[2, 0, 1], &[7, 8, 9], 1, 1).unwrap().unwrap();
        assert_eq!(found.all(), [0, 1, 2]);
        // Two records of three share a label: there is nothing else to give for l = 3.
        assert_eq!(matches(&sets, &[2, 0, 1], &[7, 7, 9], 3, 1).unwrap(), None);
    }
}
