//! The tree of sets: each node is a set with records that contain it, some of which still look for
//! their set.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Sets;
use sfumato_core::{Error, ErrorKind, Result};

use super::copies::Copies;
use super::groups::{Groups, NONE};
use crate::algorithms::shared::classes::Classes;

/// The number of an item that isn't in the records of a node. Other numbers are those of items plus
/// one.
const GONE: u32 = 0;
/// The number of owners from which on several threads grow a node.
const PARALLEL: usize = 1 << 12;

/// What stays the same in the whole tree.
pub struct Run<'a> {
    /// The records of each row.
    pub copies: &'a Copies,
    /// The utility of an instance of each item.
    pub utilities: &'a [f64],
    /// The smallest number of supporters of a set.
    pub k: u32,
    /// The smallest number of owners of a node.
    pub least: u32,
    /// How many supporters a node keeps for each owner.
    pub per_owner: f64,
    /// How many supporters a node keeps in any case.
    pub at_least: usize,
    /// Logarithms of small numbers.
    pub logs: Vec<f32>,
    /// The observer.
    pub observer: &'a dyn Observer,
}

/// A set and records that contain it: first its owners, which look for their set at this node or
/// below, then others that only support it.
#[derive(Clone, Copy)]
pub struct Node<'a, C> {
    /// The items of each row that may matter below, with numbers local to the node.
    pub rows: Sets<'a, C>,
    /// How many records each row stands for.
    pub weights: &'a [u32],
    /// How many records all rows stand for.
    pub total: u32,
    /// How many of the rows are owners.
    pub n_owners: usize,
    /// The numbers of the rows among all rows.
    pub ids: &'a [u32],
    /// The codes of the items in the input.
    pub names: &'a [u32],
    /// How many of the records have each item.
    pub counts: &'a [u32],
    /// The set, as codes of the input.
    pub set: &'a [u32],
}

/// Sets that were found, with the records for which they are published.
#[derive(Default)]
pub struct GrownSets {
    /// The sets and their records.
    pub classes: Classes,
    /// The witnesses of each set, the same number for each.
    pub witnesses: Vec<u32>,
}

/// Buffers for one level of the tree, which are reused.
struct Level<C> {
    offsets: Vec<u64>,
    codes: Vec<C>,
    weights: Vec<u32>,
    ids: Vec<u32>,
    names: Vec<u32>,
    counts: Vec<u32>,
    set: Vec<u32>,
    /// For each item of the node above, its number here plus one; `GONE` between nodes.
    renamed: Vec<u32>,
    supporters: Vec<u32>,
    work: Work,
}

/// Buffers to find the groups of one node.
#[derive(Default)]
struct Work {
    scores: Vec<f32>,
    set: Vec<u32>,
    groups: Groups,
    /// For each item, its number among the groups.
    group_of: Vec<u32>,
    lists: Vec<Vec<u32>>,
}

impl<C> Default for Level<C> {
    fn default() -> Self {
        Level {
            offsets: Vec::new(),
            codes: Vec::new(),
            weights: Vec::new(),
            ids: Vec::new(),
            names: Vec::new(),
            counts: Vec::new(),
            set: Vec::new(),
            renamed: Vec::new(),
            supporters: Vec::new(),
            work: Work::default(),
        }
    }
}

impl Run<'_> {
    /// Find a set for every record.
    pub fn all<C: Code>(&self, root: Node<'_, C>) -> Result<GrownSets> {
        let mut found = GrownSets::default();
        self.grow(root, &mut Work::default(), &mut Vec::new(), &mut found)?;
        Ok(found)
    }

    fn log(&self, x: u32) -> f32 {
        self.logs.get(x as usize).copied().unwrap_or_else(|| (x as f32).log2())
    }

    /// Grow a node: owners continue with the item that costs the fewest supporters for its utility.
    fn grow<C: Code>(
        &self,
        node: Node<'_, C>,
        work: &mut Work,
        levels: &mut Vec<Level<C>>,
        found: &mut GrownSets,
    ) -> Result<()> {
        let total = node.total;
        work.set.clear();
        work.set.extend_from_slice(node.set);
        work.scores.clear();
        let log_total = self.log(total);
        for (item, count) in node.counts.iter().enumerate() {
            let name = node.names[item];
            if *count == total {
                work.set.push(name);
            }
            // A little is added where an item is worth nothing: it may still be published.
            let may = *count >= self.k && *count < total;
            let worth = (self.utilities[name as usize] as f32).max(f32::MIN_POSITIVE * 1e10);
            work.scores.push(if may { worth / (log_total - self.log(*count)) } else { 0.0 });
        }
        // Owners may stay wherever they are.
        if self.observer.enough() {
            work.scores.fill(0.0);
        }
        work.groups.find(node.rows, &node.weights[..node.n_owners], &work.scores, self.least);
        let choice = &work.groups.choice;
        let stay = || (0..node.n_owners).filter(|owner| choice[*owner] == NONE);
        if stay().next().is_some() {
            let records = |row: &u32| self.copies.records(*row).iter().copied();
            found
                .classes
                .push(stay().flat_map(|owner| records(&node.ids[owner])), work.set.iter().copied());
            found.witnesses.extend(node.ids.iter().flat_map(records).take(self.k as usize));
        }
        if work.groups.items.is_empty() {
            return Ok(());
        }
        work.find_supporters(node);
        let Work { groups, lists, set, .. } = work;
        if node.n_owners < PARALLEL {
            let mut level = levels.pop().unwrap_or_default();
            for (item, list) in groups.items.iter().zip(lists.iter()) {
                self.descend(node, set, *item, list, &groups.choice, &mut level, levels, found)?;
            }
            levels.push(level);
            return Ok(());
        }
        if self.observer.cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
        }
        let all = groups.items.par_iter().zip(lists.par_iter()).with_max_len(1);
        let parts: Result<Vec<GrownSets>> = all
            .map_init(
                || (Level::default(), Vec::new()),
                |(level, levels), (item, list)| {
                    let mut found = GrownSets::default();
                    self.descend(
                        node,
                        set,
                        *item,
                        list,
                        &groups.choice,
                        level,
                        levels,
                        &mut found,
                    )?;
                    Ok(found)
                },
            )
            .collect();
        let mut classes = vec![std::mem::take(&mut found.classes)];
        for part in parts? {
            classes.push(part.classes);
            found.witnesses.extend(part.witnesses);
        }
        found.classes = Classes::concat(classes);
        Ok(())
    }

    /// Make a node of a group: its owners, and as many other supporters as it may keep.
    #[allow(clippy::too_many_arguments)]
    fn descend<C: Code>(
        &self,
        above: Node<'_, C>,
        set: &[u32],
        item: u32,
        list: &[u32],
        choice: &[u32],
        level: &mut Level<C>,
        levels: &mut Vec<Level<C>>,
        found: &mut GrownSets,
    ) -> Result<()> {
        let Level {
            offsets,
            codes,
            weights,
            ids,
            names,
            counts,
            set: own_set,
            renamed,
            supporters,
            work,
        } = level;
        let is_owner = |record: u32| choice.get(record as usize) == Some(&item);
        supporters.clear();
        supporters.extend(list.iter().copied().filter(|record| is_owner(*record)));
        let n_owners = supporters.len();
        let keep = (self.per_owner * n_owners as f64) as usize + self.at_least.max(self.k as usize);
        let others = list.len() - n_owners;
        let wanted = others.min(keep.saturating_sub(n_owners));
        // As many as wanted, evenly spread over all there are.
        let mut debt = 0;
        for record in list.iter().copied().filter(|record| !is_owner(*record)) {
            debt += wanted;
            if debt >= others {
                debt -= others;
                supporters.push(record);
            }
        }
        own_set.clear();
        own_set.extend_from_slice(set);
        own_set.push(above.names[item as usize]);
        // Only items of owners matter below, and of those only what k records have.
        let total = above.total;
        renamed.resize(renamed.len().max(above.names.len()), GONE);
        names.clear();
        let own_items =
            || supporters[..n_owners].iter().flat_map(|owner| above.rows.get(*owner as usize));
        if n_owners * (above.rows.codes.len() / above.rows.len().max(1)) < above.names.len() {
            names.extend(own_items().map(|code| code.widen()));
            names.sort_unstable();
            names.dedup();
        } else {
            own_items().for_each(|code| renamed[code.widen() as usize] = 1);
            names.extend(
                (0..above.names.len() as u32).filter(|item| renamed[*item as usize] != GONE),
            );
        }
        names.iter().for_each(|item| renamed[*item as usize] = GONE);
        names.retain(|own| (self.k..total).contains(&above.counts[*own as usize]) && *own != item);
        names.iter().enumerate().for_each(|(own, item)| renamed[*item as usize] = own as u32 + 1);
        counts.clear();
        counts.resize(names.len() + 1, 0);
        offsets.clear();
        offsets.push(0);
        codes.clear();
        ids.clear();
        weights.clear();
        let (mut end, mut total) = (0, 0);
        for record in supporters.iter() {
            ids.push(above.ids[*record as usize]);
            let weight = above.weights[*record as usize];
            weights.push(weight);
            total += weight;
            let row = above.rows.get(*record as usize);
            // Every item is written and counted, and what is gone is overwritten by the next: a
            // branch would be a coin toss.
            codes.resize(end + row.len(), C::default());
            for code in row {
                let own = renamed[code.widen() as usize];
                counts[own as usize] += weight;
                codes[end] = C::narrow(own.wrapping_sub(1));
                end += usize::from(own != GONE);
            }
            offsets.push(end as u64);
        }
        codes.truncate(end);
        counts.remove(0);
        for item in names.iter_mut() {
            renamed[*item as usize] = GONE;
            *item = above.names[*item as usize];
        }
        let rows = Sets { offsets, codes };
        let node = Node { rows, weights, total, n_owners, ids, names, counts, set: own_set };
        self.grow(node, work, levels, found)
    }
}

impl Work {
    /// Find the records with each item with which a group continues.
    fn find_supporters<C: Code>(&mut self, node: Node<'_, C>) {
        self.group_of.clear();
        self.group_of.resize(node.names.len(), NONE);
        for (group, item) in self.groups.items.iter().enumerate() {
            self.group_of[*item as usize] = group as u32;
        }
        self.lists.iter_mut().for_each(Vec::clear);
        self.lists.resize_with(self.groups.items.len().max(self.lists.len()), Vec::new);
        for (list, item) in self.lists.iter_mut().zip(&self.groups.items) {
            list.reserve(node.counts[*item as usize] as usize);
        }
        for (record, row) in node.rows.iter().enumerate() {
            for code in row {
                let group = self.group_of[code.widen() as usize];
                if group != NONE {
                    self.lists[group as usize].push(record as u32);
                }
            }
        }
    }
}
