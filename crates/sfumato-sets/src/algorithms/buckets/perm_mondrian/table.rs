//! The counts that a group needs to split: how many of its records have each item, and how many of
//! those have each sensitive item.

use sfumato_core::column::Code;
use sfumato_core::transactions::Sets;

use super::super::facts::Facts;

/// The counts of one group. Only items and facts that occur in it have places.
#[derive(Default)]
pub struct Table {
    /// The place of each item, if it has one.
    place_of: Vec<u32>,
    /// The place of each fact, if it has one.
    place_of_fact: Vec<u32>,
    /// The item of each place.
    items: Vec<u32>,
    /// How many records have the item of each place.
    supports: Vec<u32>,
    /// The fact of each place.
    facts: Vec<u32>,
    /// How many records have the fact of each place.
    totals: Vec<u32>,
    /// For each item and each fact, how many records have both.
    together: Vec<u32>,
    /// The number of records.
    size: u32,
}

/// The number that stands for no place.
const NONE: u32 = u32::MAX;

/// An item that a group could be split on.
pub struct Split<'a> {
    /// The item.
    pub item: u32,
    /// How many records have the item.
    pub with: u32,
    /// The number of records in the group.
    pub size: u32,
    /// For each fact, how many records have it and the item.
    pub facts_with: &'a [u32],
    /// How many records have each fact.
    pub facts: &'a [u32],
}

impl Table {
    /// A table for groups of records with `n_items` items and `n_facts` facts.
    pub fn new(n_items: usize, n_facts: usize) -> Self {
        Table {
            place_of: vec![NONE; n_items],
            place_of_fact: vec![NONE; n_facts],
            ..Table::default()
        }
    }
    /// The number of records.
    pub fn size(&self) -> u32 {
        self.size
    }
    /// Whether no record has a sensitive item. Such a group loses nothing, whatever its size.
    pub fn is_harmless(&self) -> bool {
        self.totals.iter().all(|total| *total == 0)
    }
    /// The number of counts, as a measure of its memory.
    pub fn cells(&self) -> usize {
        self.items.len().saturating_mul(self.facts.len())
    }

    /// Count the items and facts of a group, and give places to those that occur;
    /// [`count_together`](Table::count_together) does the rest.
    pub fn count<C: Code>(&mut self, rows: Sets<'_, C>, facts: &Facts, records: &[u32]) {
        self.items.drain(..).for_each(|item| self.place_of[item as usize] = NONE);
        self.facts.drain(..).for_each(|fact| self.place_of_fact[fact as usize] = NONE);
        self.supports.clear();
        self.totals.clear();
        self.size = records.len() as u32;
        for record in records {
            for code in rows.get(*record as usize) {
                count_one(code.widen(), &mut self.place_of, &mut self.items, &mut self.supports);
            }
            for fact in facts.set(facts.of_record(*record)) {
                count_one(*fact, &mut self.place_of_fact, &mut self.facts, &mut self.totals);
            }
        }
    }
    /// Count the records that have both an item and a fact.
    pub fn count_together<C: Code>(&mut self, rows: Sets<'_, C>, facts: &Facts, records: &[u32]) {
        self.together.clear();
        self.together.resize(self.cells(), 0);
        for record in records {
            self.change_together(rows, facts, *record, |count| *count += 1);
        }
    }
    /// Remove records of the group from the counts.
    pub fn subtract<C: Code>(&mut self, rows: Sets<'_, C>, facts: &Facts, records: &[u32]) {
        self.size -= records.len() as u32;
        for record in records {
            for code in rows.get(*record as usize) {
                self.supports[self.place_of[code.widen() as usize] as usize] -= 1;
            }
            for fact in facts.set(facts.of_record(*record)) {
                self.totals[self.place_of_fact[*fact as usize] as usize] -= 1;
            }
            self.change_together(rows, facts, *record, |count| *count -= 1);
        }
    }
    fn change_together<C: Code>(
        &mut self,
        rows: Sets<'_, C>,
        facts: &Facts,
        record: u32,
        change: impl Fn(&mut u32),
    ) {
        let width = self.facts.len();
        let set = facts.set(facts.of_record(record));
        if set.is_empty() {
            return;
        }
        for code in rows.get(record as usize) {
            let begin = self.place_of[code.widen() as usize] as usize * width;
            let counts = &mut self.together[begin..begin + width];
            set.iter()
                .for_each(|fact| change(&mut counts[self.place_of_fact[*fact as usize] as usize]));
        }
    }

    /// Visit every item that some records have and others don't. Items that no record has any more
    /// lose their places.
    pub fn splits(&mut self, mut see: impl FnMut(Split<'_>)) {
        let width = self.facts.len();
        let mut place = 0;
        while place < self.items.len() {
            let (item, with) = (self.items[place], self.supports[place]);
            if with == 0 {
                self.drop_place(place);
                continue;
            }
            if with < self.size {
                let facts_with = &self.together[place * width..(place + 1) * width];
                see(Split { item, with, size: self.size, facts_with, facts: &self.totals });
            }
            place += 1;
        }
    }
    /// Remove a place by moving the last item to it.
    fn drop_place(&mut self, place: usize) {
        let width = self.facts.len();
        self.place_of[self.items[place] as usize] = NONE;
        self.items.swap_remove(place);
        self.supports.swap_remove(place);
        let last = self.items.len();
        if place < last {
            self.place_of[self.items[place] as usize] = place as u32;
            self.together.copy_within(last * width..(last + 1) * width, place * width);
        }
        self.together.truncate(last * width);
    }
}

#[inline]
fn count_one(name: u32, place_of: &mut [u32], names: &mut Vec<u32>, counts: &mut Vec<u32>) {
    let place = &mut place_of[name as usize];
    if *place == NONE {
        *place = names.len() as u32;
        names.push(name);
        counts.push(0);
    }
    counts[*place as usize] += 1;
}
