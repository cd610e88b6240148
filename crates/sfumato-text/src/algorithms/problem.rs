//! What is to be solved for a document: its terms, who has which of them, and who is protected.
//!
//! For a protected entity e let S be the terms of its context that stay. Others cover e if their
//! contexts have S. Since e has S itself, e is safe if and only if at least K + 1 entities have S:
//! how many cover it depends on S alone, and entities with the same terms are counted as one.

use sfumato_core::FastMap;

use super::bits::Bits;
use crate::data::Entities;

/// The problem of one document, or of several that are read together.
#[derive(Debug, Clone)]
pub struct Problem {
    /// How many others each protected entity must hide among.
    pub k: u64,
    /// The number of terms.
    pub terms: usize,
    /// The number of entities.
    pub entities: u64,
    /// The different sets of terms that entities have, with the number of entities.
    pub rows: Vec<(Bits, u64)>,
    /// For each term the places of the rows that have it.
    having_term: Vec<Vec<u32>>,
    /// The different sets of terms that protected entities have, with the number of these, none of
    /// them empty.
    pub protected: Vec<(Bits, u64)>,
    /// Those of them that are in no other: a set of terms is safe if it is safe for these.
    pub largest: Vec<Bits>,
    /// How many protected entities have none of the terms.
    pub silent: u64,
}

impl Problem {
    /// Whether a document without any term would be safe.
    pub fn is_feasible(&self) -> bool {
        (self.silent == 0 && self.protected.is_empty()) || self.entities > self.k
    }

    /// How many entities have all these terms, counted up to `most`.
    pub fn having(&self, terms: &Bits, most: u64) -> u64 {
        // The rarest term first: the others only thin its rows out.
        let Some(rarest) = terms.iter().min_by_key(|term| self.having_term[*term].len()) else {
            return self.entities.min(most);
        };
        let mut count = 0;
        for (row, n) in self.rows_with(rarest) {
            if terms.is_within(row) {
                count += n;
                if count >= most {
                    return most;
                }
            }
        }
        count
    }

    /// The rows that have a term, with their numbers of entities.
    pub fn rows_with(&self, term: usize) -> impl Iterator<Item = &(Bits, u64)> {
        self.having_term[term].iter().map(|row| &self.rows[*row as usize])
    }

    /// How many rows have a term.
    pub fn n_rows_with(&self, term: usize) -> usize {
        self.having_term[term].len()
    }

    /// Whether a set of terms may stay.
    pub fn is_safe(&self, terms: &Bits) -> bool {
        let enough = self.k.saturating_add(1);
        self.is_feasible()
            && self.largest.iter().all(|one| self.having(&one.and(terms), enough) >= enough)
    }

    /// Whether a set of terms may stay that was safe without one of them.
    pub fn is_still_safe(&self, terms: &Bits, with: usize) -> bool {
        let enough = self.k.saturating_add(1);
        let mut speaking = self.largest.iter().filter(|one| one.has(with));
        speaking.all(|one| self.having(&one.and(terms), enough) >= enough)
    }

    /// How many others cover the protected entity that is covered least, counted up to `most`, and
    /// how many protected entities are covered by less than `k` others.
    pub fn least_covers(&self, terms: &Bits, most: u64) -> (u64, u64) {
        // Those of which nothing is said hide among all others.
        let others = self.entities.saturating_sub(1);
        let mut least = if self.silent > 0 { others.min(most) } else { most };
        let mut below = if others < self.k { self.silent } else { 0 };
        for (one, n) in &self.protected {
            let others = self.having(&one.and(terms), most.saturating_add(1)) - 1;
            least = least.min(others);
            below += if others < self.k { *n } else { 0 };
        }
        (least, below)
    }
}

/// Makes problems of one collection of entities.
pub struct Problems<'a> {
    entities: &'a Entities,
    /// For each entity the place of its terms among those that were touched, plus one.
    place: Vec<u32>,
    n_protected: u64,
}

impl<'a> Problems<'a> {
    /// For these entities.
    pub fn new(entities: &'a Entities) -> Self {
        let n_protected = entities.n_protected();
        Problems { entities, place: vec![0; entities.names.len()], n_protected }
    }

    /// The problem of a document with these terms, each in the context of a protected entity.
    pub fn of(&mut self, terms: &[u32], k: u64) -> Problem {
        let width = terms.len().div_ceil(64).max(1);
        let mut touched: Vec<u32> = Vec::new();
        let mut words: Vec<u64> = Vec::new();
        for (bit, term) in terms.iter().enumerate() {
            for entity in &self.entities.having[*term as usize] {
                let place = &mut self.place[*entity as usize];
                if *place == 0 {
                    touched.push(*entity);
                    words.resize(words.len() + width, 0);
                    *place = touched.len() as u32;
                }
                words[(*place as usize - 1) * width + bit / 64] |= 1 << (bit % 64);
            }
        }
        touched.iter().for_each(|entity| self.place[*entity as usize] = 0);
        let sets = || words.chunks_exact(width);
        let mut rows = counted(sets());
        let entities = self.entities.names.len() as u64;
        if entities > touched.len() as u64 {
            rows.push((Bits::empty(terms.len()), entities - touched.len() as u64));
        }
        let mut having_term = vec![Vec::new(); terms.len()];
        for (place, (row, _)) in rows.iter().enumerate() {
            row.iter().for_each(|term| having_term[term].push(place as u32));
        }
        let is_protected = |entity: &u32| self.entities.protected[*entity as usize];
        let protected = sets().zip(&touched).filter(|(_, entity)| is_protected(entity));
        let protected = counted(protected.map(|(set, _)| set));
        let largest = largest(&protected, terms.len());
        let said: u64 = protected.iter().map(|(_, n)| n).sum();
        let silent = self.n_protected - said;
        Problem { k, terms: terms.len(), entities, rows, having_term, protected, largest, silent }
    }
}

/// Different sets with their numbers, each given by its words.
fn counted<'a>(sets: impl Iterator<Item = &'a [u64]>) -> Vec<(Bits, u64)> {
    // Most documents have fewer than 65 terms: then a set is one word, which is hashed faster.
    let mut short: FastMap<u64, u64> = FastMap::default();
    let mut long: FastMap<&[u64], u64> = FastMap::default();
    for set in sets {
        match set {
            [word] => *short.entry(*word).or_insert(0) += 1,
            words => *long.entry(words).or_insert(0) += 1,
        }
    }
    let short = short.into_iter().map(|(word, n)| (Bits::of_words(&[word]), n));
    short.chain(long.into_iter().map(|(words, n)| (Bits::of_words(words), n))).collect()
}

/// The sets that are in no other. None of them is empty.
fn largest(sets: &[(Bits, u64)], n_terms: usize) -> Vec<Bits> {
    let mut by_size: Vec<&Bits> = sets.iter().map(|(set, _)| set).collect();
    by_size.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
    let mut found: Vec<Bits> = Vec::new();
    // For each term the places of the found sets that have it.
    let mut having = vec![Vec::new(); n_terms];
    for set in by_size {
        let rarest = set.iter().min_by_key(|term| having[*term].len());
        let mut larger = rarest.into_iter().flat_map(|term| having[term].iter());
        if !larger.any(|place: &usize| set.is_within(&found[*place])) {
            set.iter().for_each(|term| having[term].push(found.len()));
            found.push(set.clone());
        }
    }
    found
}
