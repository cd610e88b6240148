//! The lossy join of releases with different columns, and (X,Y)-privacy on it.
//!
//! The join is never made. Records of the earlier releases that are joined alike are one node of a
//! tree each (Tree1); a group of records of the last release that have one value of X is matched
//! with these nodes, and what is counted for each value of X of the join is kept until the next
//! group (the X-tree).

#[cfg(test)]
mod tests;
mod tree1;

use std::rc::Rc;

use sfumato_core::joined::{JoinAsked, Joined};
use sfumato_core::{Error, FastMap, FastSet, Result};

use tree1::{Numbered, Tree1, cells, places_of};

/// How many pairs of counted parts are looked at before it is refused.
const MOST_WORK: u64 = 2_000_000_000;

/// What the join says of the values of X.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// A_Y(X): the fewest different values of Y that a value of X is joined with.
    pub least: u64,
    /// How many values of X are joined with too few.
    pub few: u64,
    /// L_Y(X): the largest share of one value of Y among the records of a value of X.
    pub share: f64,
    /// How many values of X have a share above the one allowed.
    pub above: u64,
    /// How many different values X has in the join.
    pub groups: u64,
    /// How many records of the last release match none of the others.
    pub dangling: u64,
}

impl Measured {
    /// Nothing was joined yet.
    pub const NONE: Measured =
        Measured { least: u64::MAX, few: 0, share: 0.0, above: 0, groups: 0, dangling: 0 };

    /// What two disjoint sets of values of X say together.
    pub fn and(self, other: Measured) -> Measured {
        Measured {
            least: self.least.min(other.least),
            few: self.few + other.few,
            share: self.share.max(other.share),
            above: self.above + other.above,
            groups: self.groups + other.groups,
            dangling: self.dangling + other.dangling,
        }
    }
    /// Whether everything that was asked holds.
    pub fn holds(&self) -> bool {
        self.few == 0 && self.above == 0 && self.dangling == 0
    }
}

/// What the join of all releases says.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Of the values of X.
    pub measured: Measured,
    /// How many records of each release match none of the others: then the releases aren't about
    /// the same people.
    pub dangling: Vec<u64>,
}

/// A record of the last release with others that are counted alike: its cells in the places by
/// which it is joined, those in the columns of Y, and how many they are.
pub type Part = (Vec<u32>, Vec<u32>, u64);

/// Parts by their cells, while they are counted.
type Parts = FastMap<(Vec<u32>, Vec<u32>), u64>;

/// Counts of one value of X: records of the join, and those with each value of Y.
#[derive(Default)]
struct Counts {
    rows: u128,
    of: FastMap<(u32, u32), u128>,
}

/// What matches cells of the last release.
#[derive(Clone)]
struct Matching {
    /// Numbers of X and Y of the earlier releases, and how many records have them.
    of: Rc<[(u32, u32, u128)]>,
    /// The earlier releases with the nodes that match.
    nodes: Rc<[(u32, u32)]>,
}

/// What was found to match so far.
#[derive(Default)]
struct Matched {
    of: FastMap<(u32, u32), u128>,
    nodes: FastSet<(u32, u32)>,
}

/// The join of releases, of which the last may be changed.
pub struct LossyJoin<'a> {
    joined: &'a Joined,
    asked: &'a JoinAsked,
    x: Vec<usize>,
    y: Vec<usize>,
    trees: Vec<Tree1>,
    /// Values of X and Y of all earlier releases together.
    xs: Numbered,
    ys: Numbered,
    last_ys: Numbered,
    /// Texts of values that are guarded, by the attribute.
    guarded: Option<Vec<(usize, u32)>>,
    known: FastMap<Vec<u32>, Matching>,
    work: u64,
}

impl<'a> LossyJoin<'a> {
    /// Prepare the join for a question. Columns of X and Y that no release has yet are left out.
    pub fn new(joined: &'a Joined, asked: &'a JoinAsked) -> Result<Self> {
        let there = |names: &[String]| -> Vec<usize> {
            let names = names.iter().filter_map(|name| joined.attribute(name).ok());
            names.collect()
        };
        let (x, y) = (there(&asked.x), there(&asked.y));
        let earlier = 0..joined.releases.len().saturating_sub(1);
        let trees: Vec<Tree1> = earlier.map(|at| Tree1::new(joined, at, (&x, &y))).collect();
        let guarded = asked.values.as_ref().map(|values| {
            let of = |attribute: &usize| {
                let texts = (0u32..).zip(&joined.attributes[*attribute].texts);
                let own = texts.filter(|(_, text)| values.contains(*text));
                own.map(|(text, _)| (*attribute, text)).collect::<Vec<_>>()
            };
            y.iter().flat_map(of).collect()
        });
        let (xs, ys) = (Numbered::default(), Numbered::default());
        let (known, last_ys) = (FastMap::default(), Numbered::default());
        Ok(LossyJoin { joined, asked, x, y, trees, xs, ys, last_ys, guarded, known, work: 0 })
    }

    /// The places by which the last release is joined, and those of its columns of X and Y.
    pub fn places(&self) -> [Vec<usize>; 3] {
        let last = self.joined.releases.len() - 1;
        [
            self.joined.join_places(last),
            places_of(self.joined, last, &self.x),
            places_of(self.joined, last, &self.y),
        ]
    }

    /// What all releases say together.
    pub fn judge(&mut self) -> Result<Found> {
        let Some(last) = self.joined.releases.last() else {
            return Ok(Found { measured: Measured::NONE, dangling: Vec::new() });
        };
        let [of_join, of_x, of_y] = self.places();
        let mut groups: FastMap<Vec<u32>, Parts> = FastMap::default();
        for (row, n) in &last.rows {
            let part = (cells(row, &of_join), cells(row, &of_y));
            *groups.entry(cells(row, &of_x)).or_default().entry(part).or_default() += n;
        }
        let mut measured = Measured::NONE;
        for (_, parts) in groups {
            let parts: Vec<Part> = parts.into_iter().map(|((join, y), n)| (join, y, n)).collect();
            measured = measured.and(self.measure(&parts)?);
        }
        let all: FastSet<Vec<u32>> =
            last.rows.iter().map(|(row, _)| cells(row, &of_join)).collect();
        let mut dangling = self.unmatched(all.iter().map(Vec::as_slice))?;
        dangling.push(measured.dangling);
        Ok(Found { measured, dangling })
    }

    /// How many records of each earlier release match none of the last, if this has these cells in
    /// the places by which it is joined.
    pub fn unmatched<'b>(&mut self, all: impl Iterator<Item = &'b [u32]>) -> Result<Vec<u64>> {
        let mut used: Vec<Vec<bool>> =
            self.trees.iter().map(|tree| vec![false; tree.nodes.len()]).collect();
        for join in all {
            for (at, node) in self.matching(join)?.nodes.iter() {
                used[*at as usize][*node as usize] = true;
            }
        }
        let unused = |(tree, used): (&Tree1, &Vec<bool>)| {
            let nodes = tree.nodes.iter().zip(used).filter(|(_, used)| !**used);
            nodes.map(|(node, _)| node.rows).sum::<u64>()
        };
        Ok(self.trees.iter().zip(&used).map(unused).collect())
    }

    /// What the join says of the records of the last release that have one value of its own
    /// columns of X.
    pub fn measure(&mut self, parts: &[Part]) -> Result<Measured> {
        let mut x_tree: FastMap<u32, Counts> = FastMap::default();
        let mut found = Measured::NONE;
        for (join, y, n) in parts {
            let matching = self.matching(join)?;
            if matching.of.is_empty() {
                found.dangling += n;
            }
            let own = self.last_ys.of(y);
            self.worked(matching.of.len())?;
            for (x, y, others) in matching.of.iter() {
                let counts = x_tree.entry(*x).or_default();
                let rows = others.checked_mul(u128::from(*n)).ok_or_else(too_many)?;
                counts.rows = counts.rows.checked_add(rows).ok_or_else(too_many)?;
                *counts.of.entry((*y, own)).or_default() += rows;
            }
        }
        for counts in x_tree.into_values() {
            found = found.and(self.measure_value(&counts)?);
        }
        Ok(found)
    }

    fn measure_value(&self, counts: &Counts) -> Result<Measured> {
        let different = counts.of.len() as u64;
        let most = match &self.guarded {
            None => counts.of.values().copied().max().unwrap_or(0),
            Some(guarded) => {
                let last = self.joined.releases.len() - 1;
                let places = places_of(self.joined, last, &self.y);
                let attributes = &self.joined.releases[last].attributes;
                let mut of_value: FastMap<&str, u128> = FastMap::default();
                for ((y, own), n) in &counts.of {
                    // Values of Y of the earlier releases have their attributes beside them.
                    let earlier = self.ys.all[*y as usize].chunks_exact(2);
                    let earlier = earlier.map(|pair| (pair[0] as usize, pair[1]));
                    let own = places.iter().zip(&self.last_ys.all[*own as usize]);
                    let own = own.map(|(place, text)| (attributes[*place], *text));
                    let texts: FastSet<&str> = earlier
                        .chain(own)
                        .filter(|value| guarded.contains(value))
                        .map(|(at, text)| self.joined.attributes[at].texts[text as usize].as_str())
                        .collect();
                    texts.into_iter().for_each(|text| *of_value.entry(text).or_default() += n);
                }
                of_value.into_values().max().unwrap_or(0)
            }
        };
        let within = match self.asked.most {
            None => true,
            Some(share) => share.is_at_least(most, counts.rows)?,
        };
        Ok(Measured {
            least: different,
            few: u64::from(different < self.asked.k),
            share: most as f64 / counts.rows as f64,
            above: u64::from(!within),
            groups: 1,
            dangling: 0,
        })
    }

    /// The records of the earlier releases that match cells of the last, with each other too.
    fn matching(&mut self, join: &[u32]) -> Result<Matching> {
        if let Some(known) = self.known.get(join) {
            return Ok(known.clone());
        }
        let last = self.joined.join_places(self.joined.releases.len() - 1);
        let mut found = Matched::default();
        let mut chosen = Vec::with_capacity(self.trees.len());
        self.descend(&mut chosen, (&last, join), &mut found)?;
        let mut of: Vec<(u32, u32, u128)> =
            found.of.into_iter().map(|((x, y), n)| (x, y, n)).collect();
        of.sort_unstable();
        let nodes: Vec<(u32, u32)> = found.nodes.into_iter().collect();
        let found = Matching { of: of.into(), nodes: nodes.into() };
        self.known.insert(join.to_vec(), found.clone());
        Ok(found)
    }

    fn descend(
        &mut self,
        chosen: &mut Vec<u32>,
        own: (&[usize], &[u32]),
        found: &mut Matched,
    ) -> Result<()> {
        let at = chosen.len();
        if at == self.trees.len() {
            return self.combine(chosen, found);
        }
        let last = self.joined.releases.len() - 1;
        let candidates = self.trees[at].candidates(self.joined, own);
        self.worked(candidates.len())?;
        for node in candidates {
            let tree = &self.trees[at];
            let mine = (at, tree.places.as_slice(), tree.nodes[node as usize].cells.as_slice());
            let fits = |(other, node): (usize, &u32)| {
                let tree = &self.trees[other];
                let theirs = tree.nodes[*node as usize].cells.as_slice();
                self.joined.is_match(mine, (other, tree.places.as_slice(), theirs))
            };
            let matches = self.joined.is_match(mine, (last, own.0, own.1))
                && chosen.iter().enumerate().all(fits);
            if matches {
                chosen.push(node);
                self.descend(chosen, own, found)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    /// Count the records of matching nodes, one of each earlier release.
    fn combine(&mut self, chosen: &[u32], found: &mut Matched) -> Result<()> {
        let mut all: Vec<(Vec<u32>, Vec<u32>, u128)> = vec![(Vec::new(), Vec::new(), 1)];
        for (at, node) in chosen.iter().enumerate() {
            found.nodes.insert((at as u32, *node));
            let tree = &self.trees[at];
            let parts = &tree.nodes[*node as usize].parts;
            let attributes = &self.joined.releases[at].attributes;
            let of_y = places_of(self.joined, at, &self.y);
            let mut next = Vec::with_capacity(all.len() * parts.len());
            for (xs, ys, n) in &all {
                for (x, y, rows) in parts {
                    let (mut xs, mut ys) = (xs.clone(), ys.clone());
                    xs.push(*x);
                    for (place, text) in of_y.iter().zip(&tree.ys.all[*y as usize]) {
                        ys.extend([attributes[*place] as u32, *text]);
                    }
                    let n = n.checked_mul(u128::from(*rows)).ok_or_else(too_many)?;
                    next.push((xs, ys, n));
                }
            }
            all = next;
            self.worked(all.len())?;
        }
        for (xs, ys, n) in all {
            let key = (self.xs.of(&xs), self.ys.of(&ys));
            let count = found.of.entry(key).or_default();
            *count = count.checked_add(n).ok_or_else(too_many)?;
        }
        Ok(())
    }

    fn worked(&mut self, steps: usize) -> Result<()> {
        self.work += steps as u64;
        match self.work > MOST_WORK {
            true => Err(too_many()),
            false => Ok(()),
        }
    }
}

fn too_many() -> Error {
    Error::resources("the releases match in too many ways to be counted")
        .hint("join fewer releases, or columns with fewer values")
}
