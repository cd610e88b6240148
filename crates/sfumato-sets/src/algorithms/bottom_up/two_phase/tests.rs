//! Compares two-phase with its pseudo-code, implemented step by step without any shortcuts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use sfumato_core::registry::Params;
use sfumato_core::transactions::Transactions;

use super::{INFO, TwoPhase};
use crate::traits::{SetAlgorithm, SetTask};

type Set = BTreeSet<usize>;

/// A naive implementation, with items as ranks.
struct Naive {
    words: Vec<Vec<usize>>,
    weights: Vec<u64>,
    utilities: Vec<f64>,
    k: u64,
}

impl Naive {
    fn size(&self, members: &[usize]) -> u64 {
        members.iter().map(|word| self.weights[*word]).sum()
    }
    fn worth(&self, set: &[usize]) -> f64 {
        set.iter().map(|rank| self.utilities[*rank]).sum()
    }

    /// Algorithm 7: the smallest class is popped first, then the longest, then the first in the
    /// dictionary.
    fn merge(&self) -> Vec<(usize, Vec<usize>)> {
        let numbered = self.words.iter().cloned().enumerate();
        let mut classes: BTreeMap<Vec<usize>, (usize, Vec<usize>)> =
            numbered.map(|(i, word)| (word, (i, vec![i]))).collect();
        loop {
            let small = classes
                .iter()
                .filter(|(set, (_, members))| !set.is_empty() && self.size(members) < self.k);
            let smallest = small
                .min_by_key(|(set, (_, members))| (self.size(members), Reverse(set.len()), *set));
            let Some((set, (id, members))) =
                smallest.map(|(set, class)| (set.clone(), class.clone()))
            else {
                break;
            };
            classes.remove(&set);
            let without = |place: usize| [&set[..place], &set[place + 1..]].concat();
            let mut best: Option<(f64, Vec<usize>)> = None;
            for smaller in (0..set.len()).map(without) {
                if let Some((_, others)) = classes.get(&smaller) {
                    let value =
                        (self.size(&members) + self.size(others)) as f64 * self.worth(&smaller);
                    if best.as_ref().is_none_or(|(most, _)| value >= *most) {
                        best = Some((value, smaller));
                    }
                }
            }
            let target = best.map_or_else(|| without(set.len() - 1), |(_, smaller)| smaller);
            classes.entry(target).or_insert((id, Vec::new())).1.extend(members);
        }
        let empty = classes.get(&Vec::new()).map_or(self.k, |(_, members)| self.size(members));
        if empty < self.k {
            let worth =
                |set: &[usize], members: &[usize]| self.worth(set) * self.size(members) as f64;
            let others = classes.iter().filter(|(set, _)| !set.is_empty());
            let least = others.min_by(|(a, (i, m)), (b, (j, n))| {
                worth(a, m).total_cmp(&worth(b, n)).then(i.cmp(j))
            });
            let least = least.map(|(set, _)| set.clone()).expect("there are k records");
            let (_, members) = classes.remove(&least).expect("it is there");
            classes.get_mut(&Vec::new()).expect("it is there").1.extend(members);
        }
        let mut classes: Vec<(usize, Vec<usize>)> = classes.into_values().collect();
        classes.sort();
        classes.iter_mut().for_each(|(_, members)| members.sort_unstable());
        classes
    }

    fn closure(&self, members: &[usize]) -> Set {
        let sets = members.iter().map(|word| self.words[*word].iter().copied().collect::<Set>());
        sets.reduce(|a, b| a.intersection(&b).copied().collect()).expect("it has members")
    }

    /// Algorithm 8, with the interpretation of its condition and the order that the reference page
    /// states.
    fn split(&self, merged: Vec<(usize, Vec<usize>)>) -> Vec<Set> {
        let mut classes: Vec<(Set, Vec<usize>, bool)> = Vec::new();
        let find = |classes: &Vec<(Set, Vec<usize>, bool)>, set: &Set| {
            classes.iter().position(|class| class.0 == *set && !class.1.is_empty())
        };
        let give = |classes: &mut Vec<(Set, Vec<usize>, bool)>,
                    set: Set,
                    members: &[usize],
                    closed: bool| {
            let place = find(classes, &set).unwrap_or_else(|| {
                classes.push((set, Vec::new(), closed));
                classes.len() - 1
            });
            classes[place].1.extend(members);
            place
        };
        for (_, members) in merged {
            give(&mut classes, self.closure(&members), &members, true);
        }
        let mut queue: VecDeque<usize> = (0..classes.len()).collect();
        while let Some(mut at) = queue.pop_front() {
            if classes[at].1.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut classes[at].2, true) {
                let closure = self.closure(&classes[at].1);
                if closure != classes[at].0 {
                    let members = std::mem::take(&mut classes[at].1);
                    at = give(&mut classes, closure, &members, true);
                }
            }
            // What is populated is what was when the class was popped.
            let populated: Vec<bool> = (0..self.utilities.len())
                .map(|rank| {
                    let larger: Set = classes[at].0.iter().copied().chain([rank]).collect();
                    !classes[at].0.contains(&rank) && find(&classes, &larger).is_some()
                })
                .collect();
            let may = |size: u64, members: &[usize], rank: usize| {
                let (mut room, mut moved) = (size - self.k, Vec::new());
                for word in members.iter().copied().filter(|word| self.words[*word].contains(&rank))
                {
                    if self.weights[word] <= room {
                        room -= self.weights[word];
                        moved.push(word);
                    }
                }
                let enough = size - self.k - room >= if populated[rank] { 1 } else { self.k };
                enough.then_some(moved)
            };
            loop {
                let (set, members, _) = classes[at].clone();
                let size = self.size(&members);
                let with = |rank: usize| {
                    members.iter().filter(move |word| self.words[**word].contains(&rank))
                };
                let gain = |rank: usize| {
                    let count: u64 = with(rank).map(|word| self.weights[*word]).sum();
                    self.utilities[rank] * count.min(size - self.k) as f64
                };
                let mut ranks: Vec<usize> =
                    (0..self.utilities.len()).filter(|rank| !set.contains(rank)).collect();
                ranks.sort_by(|a, b| gain(*b).total_cmp(&gain(*a)).then(a.cmp(b)));
                let Some((rank, moved)) = ranks
                    .into_iter()
                    .find_map(|rank| may(size, &members, rank).map(|moved| (rank, moved)))
                else {
                    break;
                };
                classes[at].1.retain(|word| !moved.contains(word));
                let larger: Set = set.into_iter().chain([rank]).collect();
                let other = give(&mut classes, larger, &moved, false);
                if !queue.contains(&other) {
                    queue.push_back(other);
                }
            }
            let closure = self.closure(&classes[at].1);
            if closure != classes[at].0 {
                let members = std::mem::take(&mut classes[at].1);
                let other = give(&mut classes, closure, &members, true);
                if !queue.contains(&other) {
                    queue.push_back(other);
                }
            }
        }
        let mut of_word = vec![Set::new(); self.words.len()];
        for (set, members, _) in classes {
            members.into_iter().for_each(|word| of_word[word] = set.clone());
        }
        of_word
    }
}

/// The published set of each record, by the pseudo-code.
fn naive(records: &[Vec<u32>], weights: &[u32], utilities: &[f64], k: u64) -> Vec<Vec<u32>> {
    let sets: Vec<Set> =
        records.iter().map(|set| set.iter().map(|item| *item as usize).collect()).collect();
    let worth = |item: usize| {
        let with = sets.iter().zip(weights).filter(|(set, _)| set.contains(&item));
        with.map(|(_, weight)| u64::from(*weight)).sum::<u64>() as f64 * utilities[item]
    };
    let mut items: Vec<usize> = (0..utilities.len()).collect();
    items.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)).then(a.cmp(b)));
    let rank_of =
        |item: usize| items.iter().position(|other| *other == item).expect("it is an item");
    let mut different: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    let word = |set: &Set| {
        let mut word: Vec<usize> = set.iter().map(|item| rank_of(*item)).collect();
        word.sort_unstable();
        word
    };
    sets.iter()
        .zip(weights)
        .for_each(|(set, weight)| *different.entry(word(set)).or_default() += u64::from(*weight));
    let (words, weights): (Vec<_>, Vec<_>) = different.into_iter().unzip();
    let utilities = items.iter().map(|item| utilities[*item]).collect();
    let naive = Naive { words, weights, utilities, k };
    let published = naive.split(naive.merge());
    let of_set = |set: &Set| {
        let place = naive.words.binary_search(&word(set)).expect("it is a word");
        let mut items: Vec<u32> = published[place].iter().map(|rank| items[*rank] as u32).collect();
        items.sort_unstable();
        items
    };
    sets.iter().map(of_set).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]
    #[test]
    fn it_is_the_pseudo_code(
        records in prop::collection::vec((prop::collection::btree_set(0u32..9, 0..8), 1u32..4),
            1..40),
        utilities in prop::collection::vec(0u8..4, 9),
        weighted in any::<bool>(),
        k in 1u64..8,
    ) {
        let (records, weights): (Vec<Vec<u32>>, Vec<u32>) =
            records.into_iter().map(|(set, weight)| (set.into_iter().collect(),
                if weighted { weight } else { 1 })).unzip();
        let utilities: Vec<f64> = utilities.into_iter().map(f64::from).collect();
        let sets = Transactions::from_sets(9, records.clone());
        let k = k.min(weights.iter().map(|weight| u64::from(*weight)).sum());
        let task =
            SetTask { weights: weighted.then_some(&weights), ..SetTask::new(&sets, &utilities, k) };
        let params = Params::check(&INFO, &BTreeMap::new()).unwrap();
        let published = TwoPhase.anonymize(&params, &task).unwrap();
        let expected = naive(&records, &weights, &utilities, k);
        for (record, expected) in expected.iter().enumerate() {
            prop_assert_eq!(&published.sets.set(published.of_record[record] as usize), expected,
                "record {}", record);
        }
    }
}
