//! Worlds beside an enumeration of everything, and the example of the book.

use proptest::prelude::*;

use super::{Group, Likely, likely, likely_within};

fn group(members: &[u32], holders: u64) -> Group {
    Group { members: members.to_vec(), holders, made_up: 0 }
}

/// All worlds by trying every choice of every person: in how many each has the value, and how many
/// there are.
fn naive(n: usize, releases: &[Vec<Group>]) -> (Vec<u128>, u128) {
    let groups: Vec<&Group> = releases.iter().flatten().collect();
    let of = |person: u32| -> Vec<usize> {
        (0..groups.len()).filter(|at| groups[*at].members.contains(&person)).collect()
    };
    let of_person: Vec<Vec<usize>> = (0..n as u32).map(of).collect();
    let mut choice = vec![0; n];
    let (mut with, mut all) = (vec![0; n], 0);
    loop {
        let mut having = vec![0; groups.len()];
        for (person, since) in choice.iter().enumerate() {
            of_person[person][*since..].iter().for_each(|at| having[*at] += 1);
        }
        let fits = groups.iter().zip(&having).all(|(group, having)| {
            *having <= group.holders && *having + group.made_up >= group.holders
        });
        if fits {
            all += 1;
            for (person, since) in choice.iter().enumerate() {
                with[person] += u128::from(*since < of_person[person].len());
            }
        }
        let next = (0..n).find(|person| choice[*person] < of_person[*person].len());
        let Some(next) = next else { return (with, all) };
        choice[next] += 1;
        choice[..next].fill(0);
    }
}

#[test]
fn two_worlds_are_left_of_the_example_and_one_person_is_known() {
    // Three releases in which every group has HIV once: p4 has it, and one of p2 and p3.
    let releases = [
        vec![group(&[0, 1, 2], 1), group(&[3, 4, 5], 1)],
        vec![group(&[1, 2, 5], 1), group(&[0, 3, 4], 1)],
        vec![group(&[1, 2, 4], 1), group(&[0, 3, 5], 1)],
    ];
    let found = likely(6, &releases, 1).unwrap();
    let with = [0, 1, 1, 2, 0, 0];
    for (likely, with) in found.iter().zip(with) {
        assert_eq!(*likely, Some(Likely::Counted { with, of: 2 }));
    }
    assert!(found[3].unwrap().is_at_most_one_of(1) && !found[3].unwrap().is_at_most_one_of(3));
    assert!(found[1].unwrap().is_at_most_one_of(2) && !found[1].unwrap().is_at_most_one_of(3));
}

#[test]
fn who_is_absent_and_comes_back_without_it_exposes_another() {
    // p1 and p3 are away from the second release, and back among people without HIV.
    let releases = [
        vec![group(&[0, 1, 2], 1)],
        vec![group(&[1, 3, 4], 1)],
        vec![group(&[0, 2, 5], 0), group(&[1, 3, 4], 1)],
    ];
    let found = likely(6, &releases, 1).unwrap();
    assert_eq!(found[1].map(|one| one.most()), Some(1.0));
    assert_eq!(found[0].map(|one| one.most()), Some(0.0));
}

#[test]
fn what_contradicts_itself_is_said() {
    let releases = [vec![group(&[0, 1], 1)], vec![group(&[0, 1], 0)]];
    assert!(likely(2, &releases, 1).unwrap_err().message.contains("contradicts"));
    assert_eq!(likely(3, &[vec![group(&[0], 1)]], 1).unwrap()[1..], [None, None]);
}

#[test]
fn made_up_records_may_be_the_holders() {
    let members = Group { members: vec![0], holders: 1, made_up: 1 };
    let found = likely(1, &[vec![members]], 1).unwrap();
    assert_eq!(found[0], Some(Likely::Counted { with: 1, of: 2 }));
}

/// Six people in releases of groups; who has the value is drawn first, so that a world fits.
fn instance() -> impl Strategy<Value = Vec<Vec<Group>>> {
    let release = (prop::collection::vec(0usize..3, 6), 0u64..2);
    let since = prop::collection::vec(0usize..5, 6);
    (prop::collection::vec(release, 1..4), since).prop_map(|(releases, since)| {
        let of = |(at, (places, made_up)): (usize, &(Vec<usize>, u64))| {
            let group = |number: usize| {
                let members: Vec<u32> =
                    (0..6u32).filter(|person| places[*person as usize] == number).collect();
                let has = |person: &&u32| since[**person as usize] <= at;
                let holders = members.iter().filter(has).count() as u64;
                Group { holders, made_up: *made_up, members }
            };
            (0..3).map(group).filter(|group| !group.members.is_empty()).collect()
        };
        releases.iter().enumerate().map(of).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn counts_are_those_of_all_worlds(releases in instance()) {
        let (with, of) = naive(6, &releases);
        let found = likely(6, &releases, 1).unwrap();
        for (likely, with) in found.iter().zip(with) {
            let Some(Likely::Counted { with: own, of: all }) = *likely else {
                return Err(TestCaseError::fail("not counted"));
            };
            // Components are counted on their own: shares are the same.
            prop_assert_eq!(own * of, with * all);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn intervals_of_drawn_worlds_hold_the_share(releases in instance()) {
        let (with, of) = naive(6, &releases);
        // Too few steps to count, so that worlds are drawn.
        let Ok(found) = likely_within(6, &releases, 7, 0) else { return Ok(()) };
        for (likely, with) in found.iter().zip(with) {
            let Some(Likely::Drawn { low, high, estimate }) = *likely else {
                return Err(TestCaseError::fail("counted"));
            };
            let share = with as f64 / of as f64;
            // Intervals of 99 % miss now and then, but never by much.
            prop_assert!((low - 0.03..=high + 0.03).contains(&share), "{share}: {low}..{high}");
            prop_assert!((estimate - share).abs() < 0.12);
        }
    }
}
