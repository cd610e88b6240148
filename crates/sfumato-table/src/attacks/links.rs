//! Whom a published class may stand for, and what an attacker concludes about a person's value.

use crate::audit::matches::{Covering, CoveringColumn};

use super::stage::{Sensitive, TableStage};

/// Finds the classes that may hold a person, for an attacker who knows some columns.
pub struct Links {
    covering: Covering,
}

impl TableStage {
    /// Links by some of the quasi columns, by their places.
    pub fn links(&self, known: &[usize]) -> Links {
        let column = |place: &usize| {
            let quasi = &self.quasi[*place];
            CoveringColumn {
                covers: quasi.covers.clone(),
                published: quasi.text_of_class.clone(),
                original: quasi.people.clone(),
            }
        };
        Links { covering: Covering::new(self.classes.len(), known.iter().map(column).collect()) }
    }

    /// Links by all quasi columns.
    pub fn links_by_all(&self) -> Links {
        self.links(&(0..self.quasi.len()).collect::<Vec<usize>>())
    }

    /// How many rows some classes have.
    pub fn rows_of(&self, classes: &[u32]) -> u64 {
        classes.iter().map(|class| self.classes[*class as usize].rows.len() as u64).sum()
    }

    /// What an attacker believes who takes each row of some classes to be the person's with the
    /// same chance: the chance of each code of a sensitive column, by code, without those of none.
    /// Empty if there is no such row.
    pub fn belief(&self, column: usize, classes: &[u32]) -> Vec<(u32, f64)> {
        let rows = self.rows_of(classes) as f64;
        let mut belief: Vec<(u32, f64)> = Vec::new();
        for class in classes {
            let class = &self.classes[*class as usize];
            let group = &self.groups[class.group as usize];
            let weight = class.rows.len() as f64 / (rows * group.n as f64);
            let counts = group.counts[column].iter();
            belief.extend(counts.map(|(code, count)| (*code, weight * *count as f64)));
        }
        merged(belief)
    }
}

/// A belief with each code once, ascending.
pub fn merged(mut belief: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    // In one order, so that sums are the same for any number of threads.
    belief.sort_by_key(|(code, _)| *code);
    belief.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    belief
}

/// How likely a code is in a belief.
pub fn chance_of(belief: &[(u32, f64)], code: u32) -> f64 {
    belief.binary_search_by_key(&code, |(known, _)| *known).map_or(0.0, |at| belief[at].1)
}

/// How likely the most likely code of a belief is right, if the truth is known: 1, or the share of
/// those that are equally likely, or 0.
pub fn right_guess(belief: &[(u32, f64)], truth: u32) -> f64 {
    let most = belief.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let is_most = |chance: f64| chance >= most - 1e-12;
    let ties = belief.iter().filter(|(_, chance)| is_most(*chance)).count();
    match most > 0.0 && is_most(chance_of(belief, truth)) {
        true => 1.0 / ties as f64,
        false => 0.0,
    }
}

impl Sensitive {
    /// The share of each code among all published rows.
    pub fn overall_belief(&self) -> Vec<(u32, f64)> {
        let rows = self.rows.len().max(1) as f64;
        let counts = self.overall.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(code, count)| (code as u32, *count as f64 / rows)).collect()
    }
}

impl Links {
    /// The classes that may hold a person.
    pub fn of(&self, person: usize) -> Vec<u32> {
        self.covering.of(person, usize::MAX)
    }
}
