//! A promise about the join, kept up to date while the new release is specialised (Tree2 and the
//! X-tree).

use sfumato_core::joined::{JoinAsked, Joined};
use sfumato_core::{FastMap, FastSet, Result};
use sfumato_kernels::lossy_join::{LossyJoin, Measured, Part};

use super::records::{Records, Source};
use crate::algorithms::global::shared::taxonomy::Node;

/// Records that have one value in all columns of X.
struct Group {
    bases: Vec<u32>,
    measured: Measured,
    /// What would be measured if a node of a column were specialised.
    would: FastMap<(usize, Node), Measured>,
}

/// One question about the join, with the groups of the new release.
pub(super) struct Watch<'a> {
    join: LossyJoin<'a>,
    /// The places, in the last release of the join, by which it is joined, of X and of Y.
    places: [Vec<usize>; 3],
    groups: Vec<Group>,
}

/// A node that is looked at as if it were specialised.
type Split = Option<(usize, Node)>;

impl<'a> Watch<'a> {
    pub(super) fn new(
        joined: &'a Joined,
        asked: &'a JoinAsked,
        records: &Records<'_>,
        at: &[Vec<Node>],
    ) -> Result<Self> {
        let join = LossyJoin::new(joined, asked)?;
        let places = join.places();
        let mut watch = Watch { join, places, groups: Vec::new() };
        let all: Vec<u32> = (0..records.bases.len() as u32).collect();
        watch.groups = watch.grouped(records, at, &all, None)?;
        Ok(watch)
    }

    /// What the join says now.
    pub(super) fn whole(&self) -> Measured {
        let all = self.groups.iter().map(|group| group.measured);
        all.fold(Measured::NONE, Measured::and)
    }

    /// What the join would say if a node were specialised.
    pub(super) fn would(
        &mut self,
        records: &Records<'_>,
        at: &[Vec<Node>],
        split: (usize, Node),
    ) -> Result<Measured> {
        let mut all = Measured::NONE;
        for group in 0..self.groups.len() {
            let known = self.groups[group].would.get(&split).copied();
            let found = match known {
                Some(found) => found,
                None => {
                    let found = self.group_would(group, records, at, split)?;
                    self.groups[group].would.insert(split, found);
                    found
                }
            };
            all = all.and(found);
        }
        Ok(all)
    }

    fn group_would(
        &mut self,
        group: usize,
        records: &Records<'_>,
        at: &[Vec<Node>],
        (column, node): (usize, Node),
    ) -> Result<Measured> {
        let own = &self.groups[group];
        let is_there =
            |base: &u32| at[column][records.bases[*base as usize].0[column] as usize] == node;
        if !own.bases.iter().any(is_there) {
            return Ok(own.measured);
        }
        let bases = own.bases.clone();
        let parts = self.grouped(records, at, &bases, Some((column, node)))?;
        Ok(parts.iter().map(|part| part.measured).fold(Measured::NONE, Measured::and))
    }

    /// Specialise a node for good; `refined` has the nodes after it.
    pub(super) fn perform(
        &mut self,
        records: &Records<'_>,
        refined: &[Vec<Node>],
        (column, node): (usize, Node),
    ) -> Result<()> {
        let tree = &records.trees[column];
        let (lo, hi) = (tree.lo(node), tree.hi(node));
        let mut kept = Vec::with_capacity(self.groups.len());
        for group in std::mem::take(&mut self.groups) {
            let is_there = |base: &u32| (lo..hi).contains(&records.bases[*base as usize].0[column]);
            match group.bases.iter().any(is_there) {
                true => kept.extend(self.grouped(records, refined, &group.bases, None)?),
                false => kept.push(group),
            }
        }
        self.groups = kept;
        Ok(())
    }

    /// How many records of each earlier release would match none of this one.
    pub(super) fn unmatched(
        &mut self,
        records: &Records<'_>,
        at: &[Vec<Node>],
        split: Split,
    ) -> Result<Vec<u64>> {
        let cells = |base: usize| self.cells(records, at, base, split, &self.places[0]);
        let all: FastSet<Vec<u32>> = (0..records.bases.len()).map(cells).collect();
        self.join.unmatched(all.iter().map(Vec::as_slice))
    }

    /// The texts of a record in some places of the last release.
    fn cells(
        &self,
        records: &Records<'_>,
        at: &[Vec<Node>],
        base: usize,
        split: Split,
        places: &[usize],
    ) -> Vec<u32> {
        let (codes, texts, _) = &records.bases[base];
        let cell = |place: &usize| match records.sources[*place] {
            Source::Other(other) => texts[other],
            Source::Quasi(column) => {
                let code = codes[column];
                let node = match at[column][code as usize] {
                    node if split == Some((column, node)) => records.child(column, node, code),
                    node => node,
                };
                records.text_of_node[column][node as usize]
            }
        };
        places.iter().map(cell).collect()
    }

    /// Records by their values of X, and what the join says of each.
    fn grouped(
        &mut self,
        records: &Records<'_>,
        at: &[Vec<Node>],
        bases: &[u32],
        split: Split,
    ) -> Result<Vec<Group>> {
        let mut number: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut of_group: Vec<Vec<u32>> = Vec::new();
        for base in bases {
            let x = self.cells(records, at, *base as usize, split, &self.places[1]);
            let group = *number.entry(x).or_insert_with(|| {
                of_group.push(Vec::new());
                of_group.len() - 1
            });
            of_group[group].push(*base);
        }
        let mut found = Vec::with_capacity(of_group.len());
        for bases in of_group {
            let mut parts: FastMap<(Vec<u32>, Vec<u32>), u64> = FastMap::default();
            for base in &bases {
                let cells =
                    |places: &[usize]| self.cells(records, at, *base as usize, split, places);
                let part = (cells(&self.places[0]), cells(&self.places[2]));
                *parts.entry(part).or_default() += records.bases[*base as usize].2;
            }
            let parts: Vec<Part> = parts.into_iter().map(|((join, y), n)| (join, y, n)).collect();
            let measured = self.join.measure(&parts)?;
            found.push(Group { bases, measured, would: FastMap::default() });
        }
        Ok(found)
    }
}
