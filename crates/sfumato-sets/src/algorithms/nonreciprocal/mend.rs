//! Makes labels differ in the release: a random assignment moves labels, and a record may then
//! match two published records with the same label.
//!
//! The draw stays as it is. A record that has such a pair gives one of the two, not its true match,
//! to another record, and takes one of that record's in return, also not its true match, such that
//! both then have different labels. Everybody keeps as many matches as before, and every published
//! record too; the nearest record along the order with which that can be done is taken.

use sfumato_core::matches::Matches;
use sfumato_core::{Error, Result};

use sfumato_kernels::nonreciprocal::RandomStream;

/// The result of the exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The matches, with different labels.
    pub matches: Matches,
    /// The number of records that matched two published records with the same label after the
    /// assignment was drawn.
    pub alike: usize,
    /// The number of matches that were exchanged.
    pub exchanged: u64,
}

/// Exchange matches until the published records that each original record matches have different
/// labels. `order` is the cyclic order of records, `assignment` the published record that stands
/// for each.
pub fn mend(
    matches: &Matches,
    labels: &[u32],
    order: &[u32],
    assignment: &[u32],
    random: &mut RandomStream,
) -> Result<Mended> {
    let n = matches.len();
    let mut label_at = vec![0; n];
    assignment
        .iter()
        .zip(labels)
        .for_each(|(published, label)| label_at[*published as usize] = *label);
    let mut place = vec![0; n];
    order.iter().zip(0..).for_each(|(record, at)| place[*record as usize] = at);
    let mut state =
        State { m: matches.m(), post: matches.all().to_vec(), label_at, order, place, assignment };
    // In random order: who is first takes what others could have used.
    let (mut alike, mut exchanged, mut left) = (0, 0, 0);
    for record in random.permutation(n) {
        let mut is_alike = false;
        while let Some(slot) = state.one_of_a_pair(record) {
            is_alike = true;
            if !state.exchange(record, slot) {
                left += 1;
                break;
            }
            exchanged += 2;
        }
        alike += usize::from(is_alike);
    }
    if left > 0 {
        return Err(Error::infeasible(format!(
            "{left} records match two published ones with the same sensitive item, and nobody can \
                take one of them"
        ))
        .hint(
            "ask for a smaller l, or leave the most frequent sensitive items out with \
            --drop-items",
        ));
    }
    Ok(Mended { matches: Matches::new(state.m, state.post)?, alike, exchanged })
}

struct State<'a> {
    m: usize,
    post: Vec<u32>,
    /// The label of each published record.
    label_at: Vec<u32>,
    order: &'a [u32],
    /// The place of each record in the order.
    place: Vec<u32>,
    assignment: &'a [u32],
}

impl State<'_> {
    fn of(&self, record: u32) -> &[u32] {
        &self.post[record as usize * self.m..][..self.m]
    }

    fn is_true(&self, record: u32, published: u32) -> bool {
        self.assignment[record as usize] == published
    }

    /// The slot of a match, other than the true one, with the label of another match.
    fn one_of_a_pair(&self, record: u32) -> Option<usize> {
        let row = self.of(record);
        (0..self.m).find(|slot| {
            let label = self.label_at[row[*slot] as usize];
            !self.is_true(record, row[*slot])
                && (0..self.m)
                    .any(|other| other != *slot && self.label_at[row[other] as usize] == label)
        })
    }

    /// Whether a published record could replace the match of a slot, with another label than all
    /// other matches.
    fn suits(&self, record: u32, slot: usize, published: u32) -> bool {
        let label = self.label_at[published as usize];
        let row = self.of(record);
        row.iter().all(|other| *other != published)
            && (0..self.m).all(|other| other == slot || self.label_at[row[other] as usize] != label)
    }

    /// Exchange the match of a slot with the nearest record along the order for which this is
    /// possible. Returns whether there is one.
    fn exchange(&mut self, record: u32, slot: usize) -> bool {
        let n = self.order.len();
        let given = self.of(record)[slot];
        let at = self.place[record as usize] as usize;
        for step in 1..=n / 2 {
            for other in [self.order[(at + step) % n], self.order[(at + n - step) % n]] {
                let taken = (0..self.m).find(|other_slot| {
                    let taken = self.of(other)[*other_slot];
                    !self.is_true(other, taken)
                        && self.suits(record, slot, taken)
                        && self.suits(other, *other_slot, given)
                });
                if let Some(other_slot) = taken {
                    self.post.swap(
                        record as usize * self.m + slot,
                        other as usize * self.m + other_slot,
                    );
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::ErrorKind;
    use sfumato_kernels::nonreciprocal::extraction;
    use sfumato_kernels::nonreciprocal::ring::ring;

    fn records_alike(matches: &Matches, labels: &[u32], assignment: &[u32]) -> usize {
        let mut label_at = vec![0; labels.len()];
        assignment
            .iter()
            .zip(labels)
            .for_each(|(published, label)| label_at[*published as usize] = *label);
        let is_alike = |record: &usize| {
            let mut met: Vec<u32> =
                matches.of(*record).iter().map(|place| label_at[*place as usize]).collect();
            met.sort_unstable();
            met.windows(2).any(|two| two[0] == two[1])
        };
        (0..labels.len()).filter(is_alike).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn labels_differ_and_the_true_matches_stay(
            labels in prop::collection::vec(0u32..20, 6..60),
            m in 2usize..5,
            seed in 0u64..1000,
        ) {
            let mut random = RandomStream::from_seed(seed);
            let order = random.permutation(labels.len());
            let matches = ring(&order, m).unwrap();
            let assignment = extraction::draw(&matches, &mut random);
            match mend(&matches, &labels, &order, &assignment, &mut random) {
                Ok(mended) => {
                    prop_assert_eq!(records_alike(&mended.matches, &labels, &assignment), 0);
                    prop_assert_eq!(mended.matches.m(), m);
                    for (record, published) in assignment.iter().enumerate() {
                        prop_assert!(mended.matches.of(record).contains(published));
                    }
                    // Without the true matches it is still a regular graph: there are assignments
                    // that share no pair with the true one.
                    let others = (0..labels.len()).flat_map(|record| {
                        let truth = assignment[record];
                        mended.matches.of(record).iter().copied().filter(move |row| *row != truth)
                            .collect::<Vec<_>>()
                    });
                    prop_assert!(Matches::new(m - 1, others.collect()).is_ok());
                    if mended.exchanged == 0 {
                        prop_assert_eq!((mended.matches, mended.alike), (matches, 0));
                    }
                }
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Infeasible),
            }
        }
    }

    #[test]
    fn many_labels_are_put_apart() {
        let mut random = RandomStream::from_seed(2);
        let n = 2000;
        let order = random.permutation(n);
        let matches = ring(&order, 4).unwrap();
        let labels: Vec<u32> = (0..n).map(|_| random.below(40) as u32).collect();
        let assignment = extraction::draw(&matches, &mut random);
        let before = records_alike(&matches, &labels, &assignment);
        let mended = mend(&matches, &labels, &order, &assignment, &mut random).unwrap();
        assert!(before > 200 && mended.exchanged > 400, "{before} {}", mended.exchanged);
        assert_eq!(records_alike(&mended.matches, &labels, &assignment), 0);
        // Labels can't differ if all records have the same one.
        assert!(mend(&matches, &vec![7; n], &order, &assignment, &mut random).is_err());
    }
}
