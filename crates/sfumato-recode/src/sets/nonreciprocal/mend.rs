//! Labels that differ in the release: a drawn assignment moves labels, and exchanges along the matches put apart those that came together.
//!
//! An exchange is a cycle of two or three published records each of whose holders matches the next: each takes over the next one's place. Among
//! those that take one of two equal labels away from a record, the one that leaves fewest pairs alike is made. Where none
//! leaves fewer, one that leaves as many may be, so that the search gets off a plateau.

use sfumato_core::matches::Matches;

use crate::nonreciprocal::Random;

/// What came of it: records that matched two published ones of the same label, before and after, and the exchanges made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mended {
    /// Records with such a pair as the assignment was drawn.
    pub before: usize,
    /// Records with such a pair now.
    pub after: usize,
    /// How many exchanges were made.
    pub exchanges: u64,
}

/// Looks at a record per record with a pair at the start, and some more.
const LOOKS_EACH: u64 = 200;
const LOOKS_MORE: u64 = 10_000;
/// One in so many exchanges that would leave more pairs is made nevertheless.
const NOISE: usize = 64;

/// Exchange along the matches, in an assignment of a published record to each original one, until the published records that each
/// original one matches have different labels, or nothing more comes of it.
pub fn mend(matches: &Matches, labels: &[u32], assignment: &mut [u32], random: &mut Random) -> Mended {
    let mut state = State::new(matches, labels, assignment);
    let mut queue: Vec<u32> = (0..matches.len() as u32).filter(|record| state.pairs(*record) > 0).collect();
    let before = queue.len();
    let mut exchanges = 0;
    let mut looks = LOOKS_EACH * before as u64 + LOOKS_MORE;
    while looks > 0 && !queue.is_empty() {
        looks -= 1;
        let record = queue.swap_remove(random.below(queue.len()));
        let Some(published) = state.one_of_a_pair(record, random) else { continue };
        let (cycle, gain) = state.best_exchange(published, random);
        let is_made = match gain {
            _ if cycle.is_empty() => false,
            1.. => true,
            0 => random.below(2) == 0,
            _ => random.below(NOISE) == 0,
        };
        if is_made {
            state.exchange(&cycle);
            exchanges += 1;
            let touched: Vec<u32> =
                cycle.iter().flat_map(|place| state.preimages.of(*place as usize)).copied().collect();
            queue.extend(touched.into_iter().filter(|record| state.pairs(*record) > 0));
        }
        if state.pairs(record) > 0 {
            queue.push(record);
        }
    }
    let after = (0..matches.len() as u32).filter(|record| state.pairs(*record) > 0).count();
    Mended { before, after, exchanges }
}

struct State<'a> {
    matches: &'a Matches,
    preimages: Matches,
    labels: &'a [u32],
    assignment: &'a mut [u32],
    /// Who holds each published record.
    holder: Vec<u32>,
}

impl<'a> State<'a> {
    fn new(matches: &'a Matches, labels: &'a [u32], assignment: &'a mut [u32]) -> Self {
        let mut holder = vec![0; assignment.len()];
        assignment.iter().zip(0..).for_each(|(published, record)| holder[*published as usize] = record);
        State { matches, preimages: matches.preimages(), labels, assignment, holder }
    }

    fn label(&self, published: u32) -> u32 {
        self.labels[self.holder[published as usize] as usize]
    }

    /// How many pairs of the published records that a record matches have the same label.
    fn pairs(&self, record: u32) -> i64 {
        let row = self.matches.of(record as usize);
        let alike = |(i, published): (usize, &u32)| {
            let label = self.label(*published);
            row[..i].iter().filter(|other| self.label(**other) == label).count() as i64
        };
        row.iter().enumerate().map(alike).sum()
    }

    /// One of two published records of the same label that a record matches.
    fn one_of_a_pair(&self, record: u32, random: &mut Random) -> Option<u32> {
        let row = self.matches.of(record as usize);
        let is_alike = |published: &&u32| {
            let label = self.label(**published);
            row.iter().any(|other| other != *published && self.label(*other) == label)
        };
        let alike: Vec<u32> = row.iter().filter(is_alike).copied().collect();
        (!alike.is_empty()).then(|| alike[random.below(alike.len())])
    }

    /// The cycle through a published record that leaves fewest pairs, and how many fewer; of equals one at random. Empty where there is none.
    fn best_exchange(&mut self, published: u32, random: &mut Random) -> (Vec<u32>, i64) {
        let mut cycles: Vec<Vec<u32>> = Vec::new();
        let first = self.holder[published as usize];
        let matches_it = |record: u32| self.preimages.of(published as usize).contains(&record);
        for second_place in self.matches.of(first as usize).iter().filter(|place| **place != published) {
            let second = self.holder[*second_place as usize];
            if matches_it(second) {
                cycles.push(vec![published, *second_place]);
            }
            for third_place in self.matches.of(second as usize) {
                let is_new = *third_place != published && third_place != second_place;
                if is_new && matches_it(self.holder[*third_place as usize]) {
                    cycles.push(vec![published, *second_place, *third_place]);
                }
            }
        }
        let mut best: (Vec<u32>, i64, usize) = (Vec::new(), i64::MIN, 0);
        for cycle in cycles {
            let gain = self.gain(&cycle);
            if gain > best.1 {
                best = (cycle, gain, 1);
            } else if gain == best.1 {
                best.2 += 1;
                if random.below(best.2) == 0 {
                    best.0 = cycle;
                }
            }
        }
        (best.0, best.1)
    }

    fn gain(&mut self, cycle: &[u32]) -> i64 {
        let mut touched: Vec<u32> =
            cycle.iter().flat_map(|place| self.preimages.of(*place as usize)).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        let count = |state: &Self| touched.iter().map(|record| state.pairs(*record)).sum::<i64>();
        let before = count(self);
        self.exchange(cycle);
        let after = count(self);
        let back: Vec<u32> = cycle.iter().rev().copied().collect();
        self.exchange(&back);
        before - after
    }

    /// The holder of each place of a cycle goes to the next place.
    fn exchange(&mut self, cycle: &[u32]) {
        let holders: Vec<u32> = cycle.iter().map(|place| self.holder[*place as usize]).collect();
        for (i, holder) in holders.iter().enumerate() {
            let place = cycle[(i + 1) % cycle.len()];
            self.holder[place as usize] = *holder;
            self.assignment[*holder as usize] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonreciprocal::extraction;
    use crate::nonreciprocal::ring::ring;
    use proptest::prelude::*;

    fn records_alike(matches: &Matches, labels: &[u32], assignment: &[u32]) -> usize {
        let mut label_at = vec![0; labels.len()];
        assignment.iter().zip(labels).for_each(|(published, label)| label_at[*published as usize] = *label);
        let is_alike = |record: &usize| {
            let mut met: Vec<u32> =
                matches.of(*record).iter().map(|place| label_at[*place as usize]).collect();
            met.sort_unstable();
            met.windows(2).any(|two| two[0] == two[1])
        };
        (0..labels.len()).filter(is_alike).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_is_left_is_an_assignment_along_matches_with_fewer_alike(
            labels in prop::collection::vec(0u32..9, 6..60),
            m in 2usize..5,
            seed in 0u64..1000,
        ) {
            let mut random = Random::from_seed(seed);
            let matches = ring(&random.permutation(labels.len()), m).unwrap();
            let mut assignment = extraction::draw(&matches, &mut random);
            let before = records_alike(&matches, &labels, &assignment);
            let mended = mend(&matches, &labels, &mut assignment, &mut random);
            prop_assert_eq!((mended.before, mended.after), (before, records_alike(&matches, &labels, &assignment)));
            for (record, published) in assignment.iter().enumerate() {
                prop_assert!(matches.of(record).contains(published));
            }
            let mut places = assignment.clone();
            places.sort_unstable();
            prop_assert_eq!(places, (0..labels.len() as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_labels_are_put_apart() {
        let mut random = Random::from_seed(2);
        let n = 2000;
        let order = random.permutation(n);
        let matches = ring(&order, 4).unwrap();
        let labels: Vec<u32> = (0..n).map(|_| random.below(40) as u32).collect();
        let mut assignment = extraction::draw(&matches, &mut random);
        let mended = mend(&matches, &labels, &mut assignment, &mut random);
        // Along a ring that knows nothing of labels, some can't be put apart: those of neighbours with the same one.
        assert!(mended.before > 200 && mended.after * 4 < mended.before, "{mended:?}");
    }
}
