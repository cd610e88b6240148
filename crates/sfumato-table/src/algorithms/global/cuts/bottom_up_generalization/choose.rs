//! The state of a bottom-up search, which chooses the next generalization.

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::dataset::Column;
use sfumato_core::group::Summary;
use sfumato_core::recoding::Cut;
use sfumato_core::traits::Task;

use super::tea::Tea;
use crate::algorithms::global::shared::groups::Groups;
use crate::algorithms::global::shared::publish::summaries;
use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// The values that are published so far, and the groups that they make.
pub struct State<'a> {
    task: &'a Task<'a>,
    trees: &'a [Taxonomy],
    losses: &'a [Vec<f64>],
    tea: Tea<'a>,
    /// The groups by number. Groups that were merged into others are `None`.
    groups: Vec<Option<Group>>,
    /// For each column and node whether records lie below it, and whether it is published.
    occupied: Vec<Vec<bool>>,
    published: Vec<Vec<bool>>,
    release: Summary,
}

struct Group {
    summary: Summary,
    fails: bool,
    /// A row of the group.
    example: u32,
}

/// The value of a generalization: its loss per unit of privacy, infinite if it gains no privacy,
/// and then its loss.
type Worth = (f64, f64);

impl<'a> State<'a> {
    /// The state in which all values are exact.
    pub fn new(
        task: &'a Task<'a>,
        quasi: &[&Column],
        trees: &'a [Taxonomy],
        losses: &'a [Vec<f64>],
        exact: &Groups,
    ) -> Self {
        let release = task.whole();
        let mut occupied: Vec<Vec<bool>> = Vec::new();
        let mut published: Vec<Vec<bool>> = Vec::new();
        let leaves: Vec<Vec<Option<Node>>> = trees.iter().map(Taxonomy::leaves).collect();
        for ((column, tree), leaves) in quasi.iter().zip(trees).zip(&leaves) {
            let mut has_records = vec![false; tree.len()];
            let counts = column.codes.counts(tree.n_codes());
            for (leaf, _) in leaves.iter().zip(counts).filter(|(_, count)| *count > 0) {
                let mut node = leaf.unwrap_or(Taxonomy::ROOT);
                has_records[node as usize] = true;
                while node != Taxonomy::ROOT {
                    node = tree.parent(node);
                    has_records[node as usize] = true;
                }
            }
            occupied.push(has_records);
            published
                .push((0..tree.len() as Node).map(|node| tree.children(node).is_empty()).collect());
        }
        let value = |group: usize, column: usize| {
            let code = quasi[column].codes.get(exact.example[group] as usize);
            leaves[column][code as usize].unwrap_or(Taxonomy::ROOT)
        };
        let mut paths: Vec<(Vec<Node>, u32)> = (0..exact.len())
            .map(|group| {
                ((0..quasi.len()).map(|column| value(group, column)).collect(), group as u32)
            })
            .collect();
        paths.par_sort_unstable();
        let tea = Tea::new(trees, paths.iter().map(|(path, group)| (*group, path.as_slice())));
        let made = summaries(task, exact).into_iter().zip(&exact.example);
        let groups = made
            .map(|(summary, &example)| {
                let fails = !task.requirements.holds(&summary, &release);
                Some(Group { summary, fails, example })
            })
            .collect();
        State { task, trees, losses, tea, groups, occupied, published, release }
    }

    fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().flatten()
    }

    /// The number of rows in groups that may not be published.
    pub fn failing_rows(&self) -> u64 {
        self.groups().filter(|group| group.fails).map(|group| group.summary.rows).sum()
    }

    /// The cuts that are published now. Values without records are published like the nearest value
    /// with records.
    pub fn cuts(&self) -> Vec<Cut> {
        let cut = |(tree, published): (&Taxonomy, &Vec<bool>)| {
            let nodes: Vec<Node> =
                (0..tree.len() as Node).filter(|&node| published[node as usize]).collect();
            tree.cut(&nodes)
        };
        self.trees.iter().zip(&self.published).map(cut).collect()
    }

    /// The generalizations that may come next: all children that records have are published.
    fn applicable(&self) -> Vec<(usize, Node)> {
        let mut found = Vec::new();
        for (column, tree) in self.trees.iter().enumerate() {
            let ready = |&child: &Node| {
                !self.occupied[column][child as usize] || self.published[column][child as usize]
            };
            let fits = |&node: &Node| {
                self.occupied[column][node as usize]
                    && !self.published[column][node as usize]
                    && !tree.children(node).is_empty()
                    && tree.children(node).iter().all(ready)
            };
            found.extend((0..tree.len() as Node).filter(fits).map(|node| (column, node)));
        }
        found
    }

    /// The best generalization: the least loss per unit of privacy among those that gain some, or
    /// else the least loss.
    pub fn best(&self) -> Option<(usize, Node)> {
        let counts_only = self.task.requirements.is_count_only();
        let candidates = self.applicable();
        let worth: Vec<Worth> = match counts_only {
            true => self.worth_by_count(&candidates),
            false => self.worth_by_rows(&candidates),
        };
        let order = |a: &usize, b: &usize| {
            let (x, y) = (worth[*a], worth[*b]);
            x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(b))
        };
        (0..candidates.len()).min_by(order).map(|place| candidates[place])
    }

    fn worth(&self, (column, to): (usize, Node), gain: f64) -> Worth {
        let loss = self.losses[column][to as usize];
        if gain > 0.0 { (loss / gain, loss) } else { (f64::INFINITY, loss) }
    }

    /// The values of generalizations if the privacy of a table is the size of its smallest group.
    /// Only a generalization that changes every smallest group is critical, so all but one of each
    /// column are ruled out at once.
    fn worth_by_count(&self, candidates: &[(usize, Node)]) -> Vec<Worth> {
        let mut sizes: FastMap<u64, usize> = FastMap::default();
        self.groups().for_each(|group| *sizes.entry(group.summary.people).or_default() += 1);
        let Some(least) = sizes.keys().copied().min() else {
            return vec![(f64::INFINITY, 0.0); candidates.len()];
        };
        let mut sorted: Vec<(u64, usize)> = sizes.into_iter().collect();
        sorted.sort_unstable();
        let smallest =
            self.groups().find(|group| group.summary.people == least).map(|group| group.example);
        let quasi = self.task.table.quasi();
        let gain = |&(column, to): &(usize, Node)| {
            let tree = &self.trees[column];
            let code = smallest.map_or(0, |row| quasi[column].codes.get(row as usize));
            if !(tree.lo(to)..tree.hi(to)).contains(&code) {
                return 0.0;
            }
            // What is left of each size when the groups that merge are taken away, and the smallest
            // that comes of them.
            let mut taken: FastMap<u64, usize> = FastMap::default();
            let mut merged = u64::MAX;
            for segment in self.tea.segments(column, to) {
                self.tea.merges(&segment, &mut |groups| {
                    let people = groups.iter().map(|&group| self.people(group));
                    people.for_each(|people| *taken.entry(people).or_default() += 1);
                    merged = merged.min(self.merged_people(groups));
                });
            }
            let left = |(size, n): &&(u64, usize)| taken.get(size).copied().unwrap_or(0) < *n;
            let after = sorted.iter().find(left).map_or(merged, |(size, _)| merged.min(*size));
            after.saturating_sub(least) as f64
        };
        candidates.par_iter().map(|candidate| self.worth(*candidate, gain(candidate))).collect()
    }

    /// The values of generalizations if the privacy of a table is measured by the number of rows in
    /// groups that fail.
    fn worth_by_rows(&self, candidates: &[(usize, Node)]) -> Vec<Worth> {
        let gain = |&(column, to): &(usize, Node)| {
            let mut gain = 0.0;
            for segment in self.tea.segments(column, to) {
                self.tea.merges(&segment, &mut |groups| {
                    let fails = |&group: &u32| self.group(group).is_some_and(|group| group.fails);
                    let before: u64 = groups
                        .iter()
                        .filter(|group| fails(group))
                        .map(|&group| self.rows(group))
                        .sum();
                    // Groups that hold do so together.
                    if before > 0 {
                        let all: u64 = groups.iter().map(|&group| self.rows(group)).sum();
                        let after = if self.holds_together(groups) { 0 } else { all };
                        gain += before as f64 - after as f64;
                    }
                });
            }
            gain
        };
        candidates.par_iter().map(|candidate| self.worth(*candidate, gain(candidate))).collect()
    }

    fn group(&self, group: u32) -> Option<&Group> {
        self.groups[group as usize].as_ref()
    }
    fn rows(&self, group: u32) -> u64 {
        self.group(group).map_or(0, |group| group.summary.rows)
    }
    fn people(&self, group: u32) -> u64 {
        self.group(group).map_or(0, |group| group.summary.people)
    }

    fn merged(&self, groups: &[u32]) -> Summary {
        let mut summaries =
            groups.iter().filter_map(|&group| self.group(group)).map(|group| &group.summary);
        let mut first = summaries.next().cloned().unwrap_or_default();
        summaries.for_each(|summary| first.merge(summary));
        first
    }

    fn merged_people(&self, groups: &[u32]) -> u64 {
        match self.task.table.subject.is_some() {
            true => self.merged(groups).people,
            false => groups.iter().map(|&group| self.people(group)).sum(),
        }
    }

    fn holds_together(&self, groups: &[u32]) -> bool {
        let most: u64 = groups.iter().map(|&group| self.people(group)).sum();
        most >= self.task.requirements.min_people()
            && self.task.requirements.holds(&self.merged(groups), &self.release)
    }

    /// Publish a node in place of its children.
    pub fn generalize(&mut self, column: usize, to: Node) {
        let mut merges: Vec<Vec<u32>> = Vec::new();
        self.tea.apply(column, to, &mut |groups| merges.push(groups.to_vec()));
        for groups in merges {
            let summary = self.merged(&groups);
            let fails = !self.task.requirements.holds(&summary, &self.release);
            let example = self.group(groups[0]).map_or(0, |group| group.example);
            groups.iter().for_each(|&group| self.groups[group as usize] = None);
            self.groups[groups[0] as usize] = Some(Group { summary, fails, example });
        }
        let (tree, published) = (&self.trees[column], &mut self.published[column]);
        for node in 0..tree.len() as Node {
            if tree.lo(to) <= tree.lo(node) && tree.hi(node) <= tree.hi(to) {
                published[node as usize] = false;
            }
        }
        published[to as usize] = true;
    }
}
