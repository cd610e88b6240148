//! The attacks against every generator, one by one.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sfumato_core::chain::{Chain, ChainRelease, Meets, PublishedClass};

use super::*;

/// A record of a small release: its region in each of two columns, and its sensitive value.
type Row = ([Vec<u32>; 2], u32);

/// A release with classes of equal regions, and the class of each record.
fn release(
    name: &str,
    rows: &[Row],
    regions: &mut [Vec<Vec<u32>>; 2],
) -> (ChainRelease, Vec<usize>) {
    let mut classes: Vec<PublishedClass> = Vec::new();
    let mut class_of = Vec::new();
    for (cells, value) in rows {
        let number = |column: usize, region: &Vec<u32>, all: &mut [Vec<Vec<u32>>; 2]| {
            let known = all[column].iter().position(|other| other == region);
            known.unwrap_or_else(|| {
                all[column].push(region.clone());
                all[column].len() - 1
            }) as u32
        };
        let cells: Vec<u32> =
            (0..2).map(|column| number(column, &cells[column], regions)).collect();
        let at = classes.iter().position(|class| class.cells == cells).unwrap_or_else(|| {
            classes.push(PublishedClass { cells, values: Vec::new() });
            classes.len() - 1
        });
        match classes[at].values.iter_mut().find(|(known, _)| known == value) {
            Some((_, rows)) => *rows += 1,
            None => classes[at].values.push((*value, 1)),
        }
        classes[at].values.sort_unstable();
        class_of.push(at);
    }
    (ChainRelease { name: name.into(), classes, people: None }, class_of)
}

/// All assignments of records of the first release to different records of the second.
fn generators(fits: &[Vec<usize>], taken: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if taken.len() == fits.len() {
        found.push(taken.clone());
        return;
    }
    for &buddy in &fits[taken.len()] {
        if !taken.contains(&buddy) {
            taken.push(buddy);
            generators(fits, taken, found);
            taken.pop();
        }
    }
}

/// What every generator together says; `None` if there is none.
fn oracle(first: &[Row], second: &[Row], of: (&[usize], &[usize])) -> Option<[Option<u64>; 3]> {
    let meet = |a: &Vec<u32>, b: &Vec<u32>| a.iter().any(|leaf| b.contains(leaf));
    let classes = |a: &Row, b: &Row| (0..2).all(|column| meet(&a.0[column], &b.0[column]));
    let fits: Vec<Vec<usize>> = first
        .iter()
        .map(|a| {
            (0..second.len()).filter(|b| classes(a, &second[*b]) && a.1 == second[*b].1).collect()
        })
        .collect();
    let mut all = Vec::new();
    generators(&fits, &mut Vec::new(), &mut all);
    if all.is_empty() {
        return None;
    }
    let (of_first, of_second) = of;
    let n = |of: &[usize]| of.iter().max().map_or(0, |most| most + 1);
    let values: Vec<u32> = (0..3).collect();
    let mut least = [vec![u64::MAX; n(of_first)], vec![u64::MAX; n(of_second)]];
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second.iter().enumerate() {
            if !classes(a, b) {
                continue;
            }
            let (qid1, qid2) = (of_first[i], of_second[j]);
            // Crack sizes group by group: in every generator so many can't be the target's.
            let (mut left1, mut left2) = (0, 0);
            for value in &values {
                let most = all
                    .iter()
                    .map(|buddies| {
                        let is_pair = |(x, y): (usize, &usize)| {
                            of_first[x] == qid1 && first[x].1 == *value && of_second[*y] == qid2
                        };
                        buddies.iter().enumerate().filter(|pair| is_pair(*pair)).count() as u64
                    })
                    .max()
                    .unwrap_or(0);
                let g1 = (0..first.len()).filter(|x| of_first[*x] == qid1 && first[*x].1 == *value);
                let g2 =
                    (0..second.len()).filter(|y| of_second[*y] == qid2 && second[*y].1 == *value);
                let (g1, g2) = (g1.count() as u64, g2.count() as u64);
                left1 += g1 - (g1 - most);
                left2 += g2 - (g2 - most);
            }
            least[0][qid1] = least[0][qid1].min(left1);
            least[1][qid2] = least[1][qid2].min(left2);
        }
    }
    let mut backward = u64::MAX;
    for qid2 in 0..n(of_second) {
        let size = of_second.iter().filter(|class| **class == qid2).count() as u64;
        let cracked: u64 = values
            .iter()
            .map(|value| {
                let hit = |buddies: &Vec<usize>| {
                    let is_hit = |y: &&usize| of_second[**y] == qid2 && second[**y].1 == *value;
                    buddies.iter().filter(is_hit).count() as u64
                };
                all.iter().map(hit).min().unwrap_or(0)
            })
            .sum();
        backward = backward.min(size - cracked);
    }
    let min = |list: &[u64]| list.iter().copied().filter(|n| *n != u64::MAX).min();
    Some([min(&least[0]), min(&least[1]), (second.len() > first.len()).then_some(backward)])
}

fn compare(first: &[Row], second: &[Row]) -> std::result::Result<(), TestCaseError> {
    let mut regions = [Vec::new(), Vec::new()];
    let (one, of_first) = release("the first", first, &mut regions);
    let (two, of_second) = release("the second", second, &mut regions);
    let columns = regions
        .iter()
        .map(|all| Meets::new(all.len(), |a, b| all[a].iter().any(|leaf| all[b].contains(leaf))));
    let chain = Chain { columns: columns.collect(), ..Chain::default() };
    let found = attack(&chain, (&one, &two), Targets::Any, 2);
    match oracle(first, second, (&of_first, &of_second)) {
        None => prop_assert!(found.is_err()),
        Some([forward, cross, backward]) => {
            let found = found.expect("there is a generator");
            let plain = |least: Least| Some(least.least);
            prop_assert_eq!(plain(found.forward), forward);
            prop_assert_eq!(plain(found.cross), cross);
            prop_assert_eq!(found.forward.least, found.cross.least, "FA and CA are one number");
            prop_assert_eq!(found.backward.and_then(plain), backward);
        }
    }
    Ok(())
}

/// Two exact values below 4 and a sensitive one.
type Person = (u32, u32, u32);

/// The records of T1 and T2.
fn people() -> impl Strategy<Value = (Vec<Person>, Vec<Person>)> {
    let row = || (0u32..4, 0u32..4, 0u32..3);
    (prop::collection::vec(row(), 1..5), prop::collection::vec(row(), 0..4))
}

/// The region of a leaf by a cut of a tree over 0..4 with {0,1} and {2,3} below the root.
fn by_tree(cut: usize, leaf: u32) -> Vec<u32> {
    let half = leaf / 2 * 2;
    match (cut, leaf / 2) {
        (0, _) | (1, 0) | (2, 1) => vec![leaf],
        (1, _) | (2, _) | (3, _) => vec![half, half + 1],
        _ => vec![0, 1, 2, 3],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    #[test]
    fn cuts_of_trees_agree_with_all_generators(
        (old, new) in people(), cuts in prop::array::uniform4(0usize..5),
    ) {
        let by = |cuts: [usize; 2], rows: &[(u32, u32, u32)]| -> Vec<Row> {
            let row = |&(x, y, s): &(u32, u32, u32)| {
                ([by_tree(cuts[0], x), by_tree(cuts[1], y)], s)
            };
            rows.iter().map(row).collect()
        };
        let all = [old.as_slice(), new.as_slice()].concat();
        compare(&by([cuts[0], cuts[1]], &old), &by([cuts[2], cuts[3]], &all))?;
    }

    #[test]
    fn regions_that_overlap_agree_with_all_generators(
        (old, new) in people(), widths in prop::collection::vec((0u32..4, 0u32..4), 12),
    ) {
        // Each record has regions of its own around its values, as in local recoding.
        let by = |rows: &[(u32, u32, u32)], from: usize| -> Vec<Row> {
            let region = |leaf: u32, (low, high): (u32, u32)| -> Vec<u32> {
                (leaf.saturating_sub(low / 2)..=(leaf + high / 2).min(3)).collect()
            };
            let row = |(at, &(x, y, s)): (usize, &(u32, u32, u32))| {
                ([region(x, widths[(from + at) % 12]), region(y, widths[(from + at + 5) % 12])], s)
            };
            rows.iter().enumerate().map(row).collect()
        };
        let all = [old.as_slice(), new.as_slice()].concat();
        compare(&by(&old, 0), &by(&all, 3))?;
    }

    #[test]
    fn releases_of_other_people_are_refused_or_judged_alike(
        old in prop::collection::vec((0u32..4, 0u32..4, 0u32..3), 1..4),
        all in prop::collection::vec((0u32..4, 0u32..4, 0u32..3), 1..6),
        cuts in prop::array::uniform4(0usize..5),
    ) {
        let by = |cuts: [usize; 2], rows: &[(u32, u32, u32)]| -> Vec<Row> {
            let row = |&(x, y, s): &(u32, u32, u32)| {
                ([by_tree(cuts[0], x), by_tree(cuts[1], y)], s)
            };
            rows.iter().map(row).collect()
        };
        compare(&by([cuts[0], cuts[1]], &old), &by([cuts[2], cuts[3]], &all))?;
    }
}

/// Every way in which records of three releases can be the same people: for each record of the
/// first two its record in the third.
fn chains(releases: &[Vec<Row>; 3]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let meet = |a: &Vec<u32>, b: &Vec<u32>| a.iter().any(|leaf| b.contains(leaf));
    let fits = |a: &Row, b: &Row| (0..2).all(|at| meet(&a.0[at], &b.0[at])) && a.1 == b.1;
    let all = |from: &[Row], to: &[Row]| {
        let fits: Vec<Vec<usize>> =
            from.iter().map(|a| (0..to.len()).filter(|b| fits(a, &to[*b])).collect()).collect();
        let mut found = Vec::new();
        generators(&fits, &mut Vec::new(), &mut found);
        found
    };
    let seconds = all(&releases[1], &releases[2]);
    let firsts = all(&releases[0], &releases[1]);
    let both = firsts.iter().flat_map(|one| seconds.iter().map(move |two| (one, two)));
    // Whoever is in the first and the third has values that both cover.
    let is_possible = |(one, two): &(&Vec<usize>, &Vec<usize>)| {
        (0..)
            .zip(*one)
            .all(|(at, middle): (usize, _)| fits(&releases[0][at], &releases[2][two[*middle]]))
    };
    both.filter(is_possible).map(|(one, two)| (one.clone(), two.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    /// Three releases together: nobody is ruled out who can be the target in some world, and what
    /// is left of any two releases isn't less.
    #[test]
    fn three_releases_together_rule_out_only_what_no_world_has(
        parts in prop::array::uniform3(prop::collection::vec((0u32..4, 0u32..4, 0u32..2), 1..3)),
        cuts in prop::array::uniform6(0usize..5),
    ) {
        let mut rows: Vec<Person> = Vec::new();
        let releases: [Vec<Row>; 3] = std::array::from_fn(|at| {
            rows.extend(&parts[at]);
            rows.iter()
                .map(|(x, y, s)| ([by_tree(cuts[2 * at], *x), by_tree(cuts[2 * at + 1], *y)], *s))
                .collect()
        });
        let mut regions = [Vec::new(), Vec::new()];
        let made: Vec<(ChainRelease, Vec<usize>)> =
            releases.iter().map(|rows| release("one", rows, &mut regions)).collect();
        let columns = regions.iter().map(|all| {
            Meets::new(all.len(), |a, b| all[a].iter().any(|leaf| all[b].contains(leaf)))
        });
        let chain = Chain {
            columns: columns.collect(),
            releases: made.iter().map(|(release, _)| release.clone()).collect(),
            ..Chain::default()
        };
        let mut found: BTreeMap<(Vec<u32>, u32), u64> = BTreeMap::new();
        let mut least = [u64::MAX; 3];
        together(&chain, &mut |left| {
            for (value, n) in left.values {
                found.insert((left.classes.to_vec(), *value), *n);
            }
            let sum = left.values.iter().map(|(_, n)| n).sum();
            least[left.since] = least[left.since].min(sum);
        }).unwrap();
        // By the last two releases alone nothing more is ruled out.
        let last = (&chain.releases[1], &chain.releases[2]);
        let two = attack(&chain, last, Targets::Any, 2).unwrap();
        prop_assert!(least[1] <= two.forward.least);
        prop_assert!(two.backward.is_none_or(|backward| least[2] <= backward.least));
        // In any world, those who are in the classes of a person from then on can be the person.
        let class = |release: usize, row: usize| made[release].1[row] as u32;
        for (one, two) in chains(&releases) {
            let mut counts: BTreeMap<(Vec<u32>, u32), u64> = BTreeMap::new();
            for (row, (_, value)) in releases[2].iter().enumerate() {
                let mut classes = vec![class(2, row)];
                if let Some(middle) = two.iter().position(|last| *last == row) {
                    classes.insert(0, class(1, middle));
                    if let Some(first) = one.iter().position(|last| *last == middle) {
                        classes.insert(0, class(0, first));
                    }
                }
                *counts.entry((classes, *value)).or_default() += 1;
            }
            for (key, n) in counts {
                let left = found.get(&key).copied().unwrap_or(0);
                prop_assert!(n <= left, "{key:?}: {n} can be the person, {left} are left");
            }
        }
    }
}
