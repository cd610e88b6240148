//! The attack graph: people on one side, published records on the other, and an edge where a record
//! fits everything that is known of a person.
//!
//! An attacker who knows that every record is somebody's can do more than look at edges: those that
//! are in no assignment of all records to people are out of the question. Which these are is told
//! by one assignment: an edge is possible if it is in the assignment, or on an alternating cycle,
//! or
//! on an alternating path that ends at a person without a record.

use std::collections::VecDeque;

use sfumato_core::facts::{CountedMatches, Least};
use sfumato_core::{Error, Result};

/// Which records fit each person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackGraph {
    /// The records that fit each person, ascending.
    pub fitting: Vec<Vec<u32>>,
    /// How many records there are.
    pub n_records: usize,
}

/// Nobody, or no record.
const NONE: u32 = u32::MAX;

impl AttackGraph {
    /// The records that are a person's in at least one assignment of all records to people whom
    /// they
    /// fit, for each person. `None` if there is no such assignment. `known` is the person of each
    /// record where that is known, as a beginning.
    pub fn possible(&self, known: &[Option<u32>]) -> Option<Vec<Vec<u32>>> {
        let assigned = self.assign(known)?;
        let n_people = self.fitting.len();
        // From a person go to another person who could have their record: whoever fits it.
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); n_people];
        for (person, records) in (0..).zip(&self.fitting) {
            for record in records {
                let owner = assigned.person_of[*record as usize];
                if owner != person {
                    next[owner as usize].push(person);
                }
            }
        }
        let component = components(&next);
        // Whoever reaches a person without a record can give theirs away along the path.
        let mut gives = vec![false; n_people];
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); n_people];
        for (from, others) in (0..).zip(&next) {
            others.iter().for_each(|to| back[*to as usize].push(from));
        }
        let mut queue: VecDeque<u32> =
            (0..n_people as u32).filter(|one| assigned.record_of[*one as usize] == NONE).collect();
        queue.iter().for_each(|one| gives[*one as usize] = true);
        while let Some(one) = queue.pop_front() {
            for from in &back[one as usize] {
                if !gives[*from as usize] {
                    gives[*from as usize] = true;
                    queue.push_back(*from);
                }
            }
        }
        let possible = (0..n_people).map(|person| {
            let is_possible = |record: &&u32| {
                let owner = assigned.person_of[**record as usize] as usize;
                owner == person
                    || component[owner] == component[person]
                    // The person gets the record of the owner, and gives their own away.
                    || gives[person]
            };
            self.fitting[person].iter().filter(is_possible).copied().collect()
        });
        Some(possible.collect())
    }

    /// Assign all records to people whom they fit.
    fn assign(&self, known: &[Option<u32>]) -> Option<Assigned> {
        let n_people = self.fitting.len();
        let mut fits: Vec<Vec<u32>> = vec![Vec::new(); self.n_records];
        for (person, records) in (0..).zip(&self.fitting) {
            records.iter().for_each(|record| fits[*record as usize].push(person));
        }
        let mut all =
            Assigned { person_of: vec![NONE; self.n_records], record_of: vec![NONE; n_people] };
        for (record, person) in (0..).zip(known).filter_map(|(record, one)| Some((record, (*one)?)))
        {
            let is_free = all.record_of[person as usize] == NONE;
            if is_free && fits[record as usize].contains(&person) {
                all.set(record, person);
            }
        }
        for record in 0..self.n_records as u32 {
            if all.person_of[record as usize] == NONE && !all.augment(record, &fits) {
                return None;
            }
        }
        Some(all)
    }

    /// What the graph says where each person should have at least so many records. `known` is the
    /// person of each record where that is known.
    pub fn count(&self, required: u64, known: &[Option<u32>]) -> Result<CountedMatches> {
        let possible = self.possible(known).ok_or_else(|| {
            Error::input(
                "the published records can't be those of these people: not every record \
                          fits somebody of their own",
            )
            .hint("name the data that the release was made from with --original")
        })?;
        let least = |lists: &[Vec<u32>]| Least {
            least: lists.iter().map(Vec::len).min().unwrap_or(0) as u64,
            violations: lists.iter().filter(|list| (list.len() as u64) < required).count() as u64,
        };
        Ok(CountedMatches {
            fitting: least(&self.fitting),
            possible: least(&possible),
            unmirrored: self.unmirrored(known),
        })
    }

    /// How many edges have no mirror. `None` if it isn't known which record is whose.
    fn unmirrored(&self, known: &[Option<u32>]) -> Option<u64> {
        let mut record_of: Vec<Option<u32>> = vec![None; self.fitting.len()];
        if known.len() != self.n_records {
            return None;
        }
        for (record, person) in (0..).zip(known) {
            record_of[(*person)? as usize] = Some(record);
        }
        let mut unmirrored = 0;
        for (person, records) in self.fitting.iter().enumerate() {
            for record in records {
                let other = known[*record as usize]? as usize;
                let mirror = record_of[person];
                let is_mirrored =
                    mirror.is_some_and(|own| self.fitting[other].binary_search(&own).is_ok());
                unmirrored += u64::from(!is_mirrored);
            }
        }
        Some(unmirrored)
    }
}

/// Which record is whose.
struct Assigned {
    person_of: Vec<u32>,
    record_of: Vec<u32>,
}

impl Assigned {
    fn set(&mut self, record: u32, person: u32) {
        self.person_of[record as usize] = person;
        self.record_of[person as usize] = record;
    }

    /// Give a record to somebody, along the shortest path on which others change theirs.
    fn augment(&mut self, record: u32, fits: &[Vec<u32>]) -> bool {
        let mut came_from: Vec<u32> = vec![NONE; self.record_of.len()];
        let mut queue = VecDeque::from([record]);
        while let Some(at) = queue.pop_front() {
            for person in &fits[at as usize] {
                if came_from[*person as usize] != NONE {
                    continue;
                }
                came_from[*person as usize] = at;
                match self.record_of[*person as usize] {
                    NONE => {
                        let mut person = *person;
                        loop {
                            let given = came_from[person as usize];
                            let before = self.person_of[given as usize];
                            self.set(given, person);
                            if given == record {
                                return true;
                            }
                            person = before;
                        }
                    }
                    other => queue.push_back(other),
                }
            }
        }
        false
    }
}

/// The strongly connected component of each node (Tarjan), without recursion.
fn components(next: &[Vec<u32>]) -> Vec<u32> {
    let n = next.len();
    let (mut number, mut low) = (vec![NONE; n], vec![0u32; n]);
    let (mut component, mut found, mut seen) = (vec![NONE; n], 0u32, 0u32);
    let mut stack: Vec<u32> = Vec::new();
    for root in 0..n {
        if number[root] != NONE {
            continue;
        }
        let mut work: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                number[node] = seen;
                low[node] = seen;
                seen += 1;
                stack.push(node as u32);
            } else {
                let child = next[node][edge - 1] as usize;
                low[node] = low[node].min(low[child]);
            }
            let mut at = edge;
            let mut went_down = false;
            while let Some(child) = next[node].get(at).map(|child| *child as usize) {
                at += 1;
                if number[child] == NONE {
                    work.push((node, at));
                    work.push((child, 0));
                    went_down = true;
                    break;
                }
                if component[child] == NONE {
                    low[node] = low[node].min(number[child]);
                }
            }
            if !went_down && low[node] == number[node] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = found;
                    if member as usize == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random and are always the same.
    fn below(state: &mut u64, n: u64) -> u64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % n
    }

    /// All ways to give each record to a person of its own whom it fits.
    fn permutations(graph: &AttackGraph) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for record in 0..graph.n_records as u32 {
            let mut longer = Vec::new();
            for given in all {
                for (person, records) in (0..).zip(&graph.fitting) {
                    if records.contains(&record) && !given.contains(&person) {
                        longer.push([given.as_slice(), &[person]].concat());
                    }
                }
            }
            all = longer;
        }
        all
    }

    #[test]
    fn what_is_possible_is_so_in_some_permutation() {
        let mut state = 5;
        let mut seen = [0; 2];
        for _ in 0..800 {
            let n_people = 1 + below(&mut state, 6) as usize;
            let n_records = 1 + below(&mut state, n_people as u64) as usize;
            let fitting: Vec<Vec<u32>> = (0..n_people)
                .map(|_| (0..n_records as u32).filter(|_| below(&mut state, 5) < 3).collect())
                .collect();
            let graph = AttackGraph { fitting, n_records };
            let all = permutations(&graph);
            let possible = graph.possible(&[]);
            assert_eq!(possible.is_some(), !all.is_empty(), "{graph:?}");
            seen[usize::from(possible.is_some())] += 1;
            let Some(possible) = possible else { continue };
            for person in 0..n_people as u32 {
                let of_person: Vec<u32> = (0..n_records as u32)
                    .filter(|record| all.iter().any(|given| given[*record as usize] == person))
                    .collect();
                assert_eq!(possible[person as usize], of_person, "{graph:?}");
            }
        }
        assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
    }

    #[test]
    fn a_long_chain_is_one_component_and_needs_no_stack() {
        let n = 100_000u32;
        let next: Vec<Vec<u32>> = (0..n).map(|at| vec![(at + 1) % n]).collect();
        let found = components(&next);
        assert!(found.iter().all(|one| *one == found[0]));
        let open: Vec<Vec<u32>> =
            (0..n).map(|at| if at + 1 < n { vec![at + 1] } else { vec![] }).collect();
        let mut found = components(&open);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), n as usize);
    }
}
