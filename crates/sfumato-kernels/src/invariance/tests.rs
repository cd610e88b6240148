//! Groups over several releases, against an enumeration of all possible worlds.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{Bucket, Fault, Group, assign, split};

/// Who has which value, and where each is.
type Person = (u32, u32, u32);

/// A release as somebody sees it who knows where everybody is: each group's people, with its values
/// and how many of them are made up.
type Seen = Vec<(Vec<u32>, Vec<u32>)>;

/// Publish the people of each time one after the other, each time with the signatures of the last.
fn publish(times: &[Vec<Person>], n_values: usize, m: usize) -> Vec<(Seen, usize)> {
    let mut signatures: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut releases = Vec::new();
    for people in times {
        let values: Vec<u32> = people.iter().map(|(_, value, _)| *value).collect();
        let kept: Vec<Option<&[u32]>> =
            people.iter().map(|(who, ..)| signatures.get(who).map(Vec::as_slice)).collect();
        let buckets = assign(&values, &kept, n_values, m).unwrap();
        buckets.iter().for_each(check_balance);
        let at = vec![people.iter().map(|(.., at)| *at).collect::<Vec<u32>>()];
        let groups: Vec<Group> =
            buckets.into_iter().flat_map(|bucket| split(bucket, &at, &[100.0])).collect();
        check_groups(&groups, &values, m);
        let made_up = groups.iter().map(|group| group.made_up.len()).sum();
        let who = |row: &u32| people[*row as usize].0;
        signatures.extend(
            groups
                .iter()
                .flat_map(|group| group.rows.iter().map(|row| (who(row), group.signature.clone()))),
        );
        let seen = groups
            .iter()
            .map(|group| (group.rows.iter().map(who).collect(), group.signature.clone()));
        releases.push((seen.collect(), made_up));
    }
    releases
}

fn check_balance(bucket: &Bucket) {
    let sizes: BTreeSet<usize> =
        bucket.rows.iter().zip(&bucket.made_up).map(|(rows, n)| rows.len() + n).collect();
    assert_eq!(sizes.len(), 1, "{bucket:?}");
}

/// Everybody is in one group, whose values are different and at least `m`.
fn check_groups(groups: &[Group], values: &[u32], m: usize) {
    let mut rows: Vec<u32> = groups.iter().flat_map(|group| group.rows.clone()).collect();
    rows.sort_unstable();
    assert_eq!(rows, (0..values.len() as u32).collect::<Vec<_>>());
    for group in groups {
        let own = group.rows.iter().map(|row| values[*row as usize]);
        let mut all: Vec<u32> = own.chain(group.made_up.iter().copied()).collect();
        all.sort_unstable();
        assert_eq!(all, group.signature, "each value once");
        assert!(group.signature.len() >= m);
    }
}

/// For each person, in how many worlds the person has each value. A world gives everybody one
/// value, so that in no group two have the same, and all have values of their group.
fn worlds(releases: &[&Seen]) -> BTreeMap<u32, BTreeMap<u32, u64>> {
    let mut groups_of: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for (time, release) in releases.iter().enumerate() {
        for (at, (people, _)) in release.iter().enumerate() {
            people.iter().for_each(|who| groups_of.entry(*who).or_default().push((time, at)));
        }
    }
    let people: Vec<u32> = groups_of.keys().copied().collect();
    let mut found: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut world: Vec<u32> = Vec::new();
    fn go(
        people: &[u32],
        groups_of: &BTreeMap<u32, Vec<(usize, usize)>>,
        releases: &[&Seen],
        world: &mut Vec<u32>,
        taken: &mut BTreeSet<(usize, usize, u32)>,
        found: &mut BTreeMap<u32, BTreeMap<u32, u64>>,
    ) {
        let Some(who) = people.get(world.len()) else {
            for (who, value) in people.iter().zip(world) {
                *found.entry(*who).or_default().entry(*value).or_default() += 1;
            }
            return;
        };
        let groups = &groups_of[who];
        let (time, at) = groups[0];
        for value in releases[time][at].1.clone() {
            let is_free = groups.iter().all(|(time, at)| {
                releases[*time][*at].1.contains(&value) && !taken.contains(&(*time, *at, value))
            });
            if is_free {
                taken.extend(groups.iter().map(|(time, at)| (*time, *at, value)));
                world.push(value);
                go(people, groups_of, releases, world, taken, found);
                world.pop();
                groups.iter().for_each(|(time, at)| {
                    taken.remove(&(*time, *at, value));
                });
            }
        }
    }
    go(&people, &groups_of, releases, &mut world, &mut BTreeSet::new(), &mut found);
    found
}

/// The largest share of worlds in which somebody has one value.
fn most_certain(releases: &[&Seen]) -> f64 {
    let share = |counts: &BTreeMap<u32, u64>| {
        let all: u64 = counts.values().sum();
        counts.values().map(|n| *n as f64 / all as f64).fold(0.0, f64::max)
    };
    worlds(releases).values().map(share).fold(0.0, f64::max)
}

const TRANSGENDER: u32 = 0;
const PLASTIC: u32 = 1;
const VASCULAR: u32 = 2;
const UROLOGY: u32 = 3;

/// The first release of the book, and the second without made-up records.
fn book() -> (Seen, Seen) {
    let (t, p, v, u) = (TRANSGENDER, PLASTIC, VASCULAR, UROLOGY);
    let first = vec![
        (vec![1, 2], vec![t, p]),
        (vec![3, 4], vec![v, u]),
        (vec![5, 6], vec![v, u]),
        (vec![7, 8, 9], vec![t, v, u]),
        (vec![10, 11], vec![t, u]),
    ];
    let naive = vec![
        (vec![1, 4], vec![t, u]),
        (vec![12, 7, 9], vec![v, t, u]),
        (vec![5, 13], vec![v, u]),
        (vec![14, 11], vec![t, u]),
        (vec![15, 16], vec![u, v]),
    ];
    (first, naive)
}

#[test]
fn the_naive_release_of_the_book_gives_people_away_and_ours_nobody() {
    let (first, naive) = book();
    let found = worlds(&[&first, &naive]);
    assert_eq!(found[&1].keys().collect::<Vec<_>>(), [&TRANSGENDER]);
    assert_eq!(found[&4].keys().collect::<Vec<_>>(), [&UROLOGY]);
    let (t, v, u) = (TRANSGENDER, VASCULAR, UROLOGY);
    let now: [Person; 11] = [
        (1, t, 31),
        (4, u, 33),
        (5, v, 51),
        (7, t, 47),
        (9, u, 53),
        (11, u, 66),
        (12, v, 35),
        (13, u, 56),
        (14, t, 64),
        (15, u, 70),
        (16, v, 75),
    ];
    let values = now.map(|(_, value, _)| value);
    let signature = |who: u32| {
        let group = first.iter().find(|(people, _)| people.contains(&who));
        group.map(|(_, values)| {
            let mut values = values.clone();
            values.sort_unstable();
            values
        })
    };
    let kept = now.map(|(who, ..)| signature(who));
    let kept: Vec<Option<&[u32]>> = kept.iter().map(Option::as_deref).collect();
    let buckets = assign(&values, &kept, 4, 2).unwrap();
    let made_up: usize = buckets.iter().flat_map(|bucket| &bucket.made_up).sum();
    assert_eq!(made_up, 2, "as many as in the book: {buckets:?}");
    let at = vec![now.map(|(.., at)| at).to_vec()];
    let groups: Vec<Group> =
        buckets.into_iter().flat_map(|bucket| split(bucket, &at, &[44.0])).collect();
    check_groups(&groups, &values, 2);
    let who = |row: &u32| now[*row as usize].0;
    let ours: Seen = groups
        .iter()
        .map(|group| (group.rows.iter().map(who).collect(), group.signature.clone()))
        .collect();
    assert!(most_certain(&[&first, &ours]) <= 0.5);
}

#[test]
fn what_no_groups_can_keep_is_said() {
    assert_eq!(assign(&[0, 0], &[None, None], 1, 2), Err(Fault::FewValues(1)));
    assert_eq!(assign(&[2], &[Some(&[0, 1])], 3, 2), Err(Fault::Changed(1)));
    assert_eq!(assign(&[0], &[Some(&[0, 1])], 3, 3), Err(Fault::Weak(1)));
    assert_eq!(assign(&[], &[], 0, 2), Ok(Vec::new()));
    // One value too frequent: made-up records stand beside it.
    let found = assign(&[0, 0, 0, 1], &[None; 4], 3, 2).unwrap();
    assert_eq!(found.iter().flat_map(|bucket| &bucket.made_up).sum::<usize>(), 2);
}

/// People who come and go over three times: who is there when.
fn coming_and_going() -> impl Strategy<Value = Vec<Vec<Person>>> {
    let person = (0u32..4, 0u32..100, 0usize..3, 1usize..4);
    prop::collection::vec(person, 1..8).prop_map(|people| {
        let is_there = |time: usize, from: usize, long: usize| (from..from + long).contains(&time);
        let at = |time: usize| {
            let people = (0u32..).zip(&people);
            people
                .filter(|(_, (.., from, long))| is_there(time, *from, *long))
                .map(|(who, (value, at, ..))| (who, *value, *at))
                .collect()
        };
        (0..3).map(at).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whoever knows everybody's group in each release finds each value of a person in one world of
    /// `m` at most.
    #[test]
    fn no_value_is_more_certain_than_one_in_m(times in coming_and_going(), m in 2usize..4) {
        let releases = publish(&times, 4, m);
        let seen: Vec<&Seen> = releases.iter().map(|(seen, _)| seen).collect();
        let most = most_certain(&seen);
        prop_assert!(most <= 1.0 / m as f64 + 1e-12, "{most} for {releases:?}");
    }

    /// Without deletions nobody is made up as long as no value has too large a share.
    #[test]
    fn nobody_is_made_up_where_new_records_suffice(
        values in prop::collection::vec(0u32..6, 1..60), m in 2usize..4,
    ) {
        let mut counts = [0; 6];
        values.iter().for_each(|value| counts[*value as usize] += 1);
        let lack = (counts.iter().max().unwrap() * m).saturating_sub(values.len());
        let found = assign(&values, &vec![None; values.len()], 6, m).unwrap();
        let made_up: usize = found.iter().flat_map(|bucket| &bucket.made_up).sum();
        prop_assert_eq!(made_up, lack);
    }
}
