//! The classes of the second phase: their sets, their members, and which classes with records have
//! one item more.

use hashbrown::HashTable;
use rayon::prelude::*;
use sfumato_core::column::Code;

use super::ranked::Ranked;
use super::words::Words;

const NONE: u32 = u32::MAX;

/// A class of records that are published alike.
pub struct Class {
    /// The set of the class: ranks, ascending.
    pub set: Box<[u32]>,
    /// The fingerprint of the set.
    pub print: u64,
    /// The number of records in the class; 0 after they moved to a class with a larger set.
    pub size: u64,
    /// The words of its records.
    pub members: Vec<u32>,
    /// Whether its set is known to be everything that its members have in common.
    pub closed: bool,
    /// Whether it is queued.
    pub waits: bool,
}

/// All classes.
pub struct Store<'a, C> {
    pub ranked: &'a Ranked<C>,
    words: &'a Words,
    pub classes: Vec<Class>,
    /// Classes with records, by their set.
    table: HashTable<(u64, u32)>,
    /// For the fingerprint of a set, the first link to classes that have one item more.
    heads: HashTable<(u64, u32)>,
    /// The links: a class, its additional item, and the next link.
    links: Vec<(u32, u32, u32)>,
}

impl<'a, C: Code> Store<'a, C> {
    /// Make the classes of words, each with the set that its members have in common. Classes with
    /// the same set become one.
    pub fn new(ranked: &'a Ranked<C>, words: &'a Words, of_word: &[u32]) -> Self {
        let mut starts = vec![0u32; of_word.len() + 1];
        of_word.iter().for_each(|class| starts[*class as usize + 1] += 1);
        (0..of_word.len()).for_each(|i| starts[i + 1] += starts[i]);
        let (mut members, mut next) = (vec![0u32; of_word.len()], starts.clone());
        for (word, class) in of_word.iter().enumerate() {
            let place = &mut next[*class as usize];
            members[*place as usize] = word as u32;
            *place += 1;
        }
        drop(next);
        let of = |class: &u32| {
            &members[starts[*class as usize] as usize..starts[*class as usize + 1] as usize]
        };
        let found: Vec<u32> =
            (0..of_word.len() as u32).filter(|class| !of(class).is_empty()).collect();
        let closures: Vec<Box<[u32]>> =
            found.par_iter().map(|class| closure(ranked, of(class), &[])).collect();
        let (table, heads) = (HashTable::new(), HashTable::new());
        let mut store =
            Store { ranked, words, classes: Vec::new(), table, heads, links: Vec::new() };
        for (class, set) in found.iter().zip(closures) {
            let print = words.print(set.iter().copied());
            let class_of_set = store.find_or_make(print, set, true);
            store.add(class_of_set, of(class));
        }
        store
    }

    /// The class with a set.
    pub fn find(&self, print: u64, set: &[u32]) -> Option<u32> {
        let same =
            |entry: &(u64, u32)| entry.0 == print && *self.classes[entry.1 as usize].set == *set;
        self.table.find(print, same).map(|entry| entry.1)
    }

    /// The class with a set. It is made if there is none.
    pub fn find_or_make(&mut self, print: u64, set: Box<[u32]>, closed: bool) -> u32 {
        if let Some(class) = self.find(print, &set) {
            return class;
        }
        let class = self.classes.len() as u32;
        self.table.insert_unique(print, (print, class), |entry| entry.0);
        for rank in set.iter().copied() {
            let print = print.wrapping_sub(self.words.of(rank));
            let head = self.heads.entry(print, |entry| entry.0 == print, |entry| entry.0);
            let head = head.or_insert((print, NONE)).into_mut();
            self.links.push((class, rank, std::mem::replace(&mut head.1, self.links.len() as u32)));
        }
        self.classes.push(Class { set, print, size: 0, members: Vec::new(), closed, waits: false });
        class
    }

    /// Add records to a class.
    pub fn add(&mut self, class: u32, members: &[u32]) {
        let size: u64 = members.iter().map(|word| self.ranked.sizes[*word as usize]).sum();
        let class = &mut self.classes[class as usize];
        class.size += size;
        class.members.extend_from_slice(members);
    }

    /// Move a class whose members have more in common to the class of the larger set, and return
    /// that class.
    pub fn enlarge(&mut self, class: u32, set: Box<[u32]>) -> u32 {
        let old = &mut self.classes[class as usize];
        let (print, members) = (old.print, std::mem::take(&mut old.members));
        old.size = 0;
        if let Ok(entry) = self.table.find_entry(print, |entry| entry.1 == class) {
            entry.remove();
        }
        let new = self.find_or_make(self.words.print(set.iter().copied()), set, true);
        self.add(new, &members);
        new
    }

    /// The classes with records that have one item more, each with that item.
    pub fn above(&self, class: u32, into: &mut Vec<(u32, u32)>) {
        into.clear();
        let Class { set, print, .. } = &self.classes[class as usize];
        let mut at =
            self.heads.find(*print, |entry| entry.0 == *print).map_or(NONE, |entry| entry.1);
        while at != NONE {
            let (other, rank, next) = self.links[at as usize];
            let larger = &self.classes[other as usize];
            let without = larger.set.iter().filter(|item| **item != rank);
            if larger.size > 0 && larger.set.len() == set.len() + 1 && without.eq(set.iter()) {
                into.push((rank, other));
            }
            at = next;
        }
        into.sort_unstable();
    }

    /// The class with the set of a class and one item more. It is made if there is none.
    pub fn make_above(&mut self, class: u32, rank: u32) -> u32 {
        let Class { set, print, .. } = &self.classes[class as usize];
        let place = set.partition_point(|item| *item < rank);
        let larger = [&set[..place], &[rank], &set[place..]].concat();
        let print = print.wrapping_add(self.words.of(rank));
        self.find_or_make(print, larger.into_boxed_slice(), false)
    }
}

/// What words have in common, which includes `least`.
pub fn closure<C: Code>(ranked: &Ranked<C>, members: &[u32], least: &[u32]) -> Box<[u32]> {
    let Some((first, others)) = members.split_first() else { return Box::default() };
    let mut common: Vec<C> = ranked.word(*first as usize).to_vec();
    for other in others {
        if common.len() == least.len() {
            break;
        }
        let mut other = ranked.word(*other as usize).iter().peekable();
        common.retain(|rank| {
            while other.next_if(|next| *next < rank).is_some() {}
            other.next_if_eq(&rank).is_some()
        });
    }
    common.into_iter().map(|rank| rank.widen()).collect()
}
