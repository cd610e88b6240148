//! The classes while they are polished.

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Builder, Sets};

use crate::data::PublishedSets;
use crate::traits::SetTask;

/// Records that are published alike.
#[derive(Default)]
pub struct Class {
    /// The set that is published for them.
    pub set: Vec<u32>,
    /// The utility of one instance of the set.
    pub worth: f64,
    /// The records.
    pub members: Vec<u32>,
    /// How many records the members stand for.
    pub size: u64,
}

/// All classes.
pub struct State<'a, C> {
    /// The task of the algorithm.
    pub task: &'a SetTask<'a>,
    /// The records.
    pub rows: Sets<'a, C>,
    /// The classes. No two have the same set after [`State::close`].
    pub classes: Vec<Class>,
    /// The class of each record.
    pub of_record: Vec<u32>,
}

impl<'a, C: Code> State<'a, C> {
    /// The classes of a release.
    pub fn new(task: &'a SetTask<'a>, rows: Sets<'a, C>, published: PublishedSets) -> Self {
        let mut classes: Vec<Class> = Vec::new();
        classes.resize_with(published.sets.len(), Class::default);
        for (record, class) in published.of_record.iter().enumerate() {
            classes[*class as usize].members.push(record as u32);
        }
        State { task, rows, classes, of_record: published.of_record }
    }

    /// How many records a record stands for.
    pub fn weight(&self, record: u32) -> u64 {
        self.task.weights.map_or(1, |weights| u64::from(weights[record as usize]))
    }

    /// The class of a record.
    pub fn own(&self, record: u32) -> &Class {
        &self.classes[self.of_record[record as usize] as usize]
    }

    /// Whether a record has an item.
    pub fn has(&self, record: u32, item: u32) -> bool {
        self.rows.get(record as usize).binary_search(&C::narrow(item)).is_ok()
    }

    /// Add a class of records that were in another.
    pub fn add(&mut self, members: Vec<u32>) {
        self.classes.push(Class { members, ..Class::default() });
    }

    /// Let every class publish all that its records have in common, and merge classes that then
    /// publish the same.
    pub fn close(&mut self) {
        let rows = self.rows;
        self.classes.par_iter_mut().with_min_len(64).for_each(|class| {
            let Some(first) = class.members.first() else { return };
            let mut set: Vec<u32> =
                rows.get(*first as usize).iter().map(|code| code.widen()).collect();
            for record in &class.members[1..] {
                let row = rows.get(*record as usize);
                set.retain(|item| row.binary_search(&C::narrow(*item)).is_ok());
            }
            class.set = set;
        });
        let mut with_set: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut classes: Vec<Class> = Vec::with_capacity(self.classes.len());
        for class in self.classes.drain(..).filter(|class| !class.members.is_empty()) {
            match with_set.get(&class.set) {
                Some(same) => classes[*same].members.extend(class.members),
                None => {
                    with_set.insert(class.set.clone(), classes.len());
                    classes.push(class);
                }
            }
        }
        self.classes = classes;
        for (number, class) in self.classes.iter_mut().enumerate() {
            class.members.sort_unstable();
            class.worth = class.set.iter().map(|item| self.task.utilities[*item as usize]).sum();
            class.size = match self.task.weights {
                Some(weights) => {
                    class.members.iter().map(|record| u64::from(weights[*record as usize])).sum()
                }
                None => class.members.len() as u64,
            };
            class
                .members
                .iter()
                .for_each(|record| self.of_record[*record as usize] = number as u32);
        }
    }

    /// The total utility of what is published.
    pub fn worth(&self) -> f64 {
        self.classes.iter().map(|class| class.worth * class.size as f64).sum()
    }

    /// The release.
    pub fn publish(self) -> PublishedSets {
        let mut sets = Builder::new(self.task.sets.n_items());
        self.classes.iter().for_each(|class| sets.push(&class.set));
        PublishedSets { of_record: self.of_record, sets: sets.finish(), witnesses: None }
    }
}
