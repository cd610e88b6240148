//! Reconstruction: estimates from a bucket release how many records of a kind have a sensitive
//! item.
//!
//! Within a group, all assignments of its sensitive items are equally likely. Of a group of |G|
//! records, `a` of them with the item and `b` of the kind asked for, a b / |G| are expected to be
//! both.

use sfumato_core::column::Code;
use sfumato_core::with_sets;

use crate::traits::BucketView;

/// The largest number of quasi items for [`Reconstruction::cells`], which gives 2^16 cells.
pub const MOST_ITEMS: usize = 16;

/// A release, prepared for fast queries: the records of each group, and the groups of each
/// sensitive item.
pub struct Reconstruction<'a> {
    view: BucketView<'a>,
    members_of: Vec<usize>,
    members: Vec<u32>,
    groups_of: Vec<usize>,
    /// For one item after the other, the groups that have it, with how often.
    groups: Vec<(u32, u32)>,
}

/// The distribution of a sensitive item over the cells that quasi items make: bit i of a cell's
/// number says whether item i is present.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The number of records of each cell that have the sensitive item.
    pub actual: Vec<u64>,
    /// The estimated number of records of each cell that have it. It is above 0 wherever such a
    /// record exists, since its own group expects some of it.
    pub estimated: Vec<f64>,
}

/// A record that may have a sensitive item, because its group has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suspect {
    pub(super) record: u32,
    pub(super) has_it: bool,
    /// The expected number of instances per record of the group.
    pub(super) share: f64,
}

impl<'a> Reconstruction<'a> {
    /// Prepare a release.
    pub fn new(view: &BucketView<'a>) -> Self {
        let (members_of, members) = view.groups.members();
        let n_items = view.sensitive.n_items();
        let pairs = |group: usize| {
            view.counts.of_group(group).iter().map(move |pair| (group as u32, *pair))
        };
        let mut groups_of = vec![0usize; n_items + 1];
        for (_, (fact, _)) in (0..view.groups.len()).flat_map(pairs) {
            groups_of[fact as usize + 1] += 1;
        }
        for fact in 0..n_items {
            groups_of[fact + 1] += groups_of[fact];
        }
        let mut next = groups_of.clone();
        let mut groups = vec![(0, 0); view.counts.len()];
        for (group, (fact, count)) in (0..view.groups.len()).flat_map(pairs) {
            groups[next[fact as usize]] = (group, count);
            next[fact as usize] += 1;
        }
        Reconstruction { view: *view, members_of, members, groups_of, groups }
    }

    /// The release.
    pub fn view(&self) -> &BucketView<'a> {
        &self.view
    }

    /// The distribution of a sensitive item over the cells of some quasi items. Only groups that
    /// have it are read.
    ///
    /// # Panics
    /// If there are more than [`MOST_ITEMS`] quasi items.
    pub fn cells(&self, fact: u32, items: &[u32]) -> Cells {
        assert!(items.len() <= MOST_ITEMS, "so many cells aren't kept");
        let mut marks = vec![0u32; self.view.quasi.n_items()];
        for (bit, item) in items.iter().enumerate() {
            marks[*item as usize] |= 1 << bit;
        }
        let mut cells =
            Cells { actual: vec![0; 1 << items.len()], estimated: vec![0.0; 1 << items.len()] };
        with_sets!(self.view.quasi, quasi => self.suspects(fact, |suspect| {
            let set = quasi.get(suspect.record as usize);
            let cell =
                set.iter().fold(0, |cell, item| cell | marks[item.widen() as usize]) as usize;
            cells.actual[cell] += u64::from(suspect.has_it);
            cells.estimated[cell] += suspect.share;
        }));
        cells
    }

    /// All records of the groups that have a sensitive item, group after group.
    pub(super) fn suspects(&self, fact: u32, mut visit: impl FnMut(Suspect)) {
        let of_fact = self.groups_of[fact as usize]..self.groups_of[fact as usize + 1];
        with_sets!(self.view.sensitive, sensitive => for (group, count) in &self.groups[of_fact] {
            let records = self.members_of[*group as usize]..self.members_of[*group as usize + 1];
            let share = f64::from(*count) / records.len() as f64;
            for record in &self.members[records] {
                let own = sensitive.get(*record as usize);
                let has_it = own.binary_search_by(|item| item.widen().cmp(&fact)).is_ok();
                visit(Suspect { record: *record, has_it, share });
            }
        });
    }
}
