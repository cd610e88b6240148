//! Turns groups of rows into classes: checks whether they may be published, handles those that may
//! not, and makes the recoding.
//!
//! It is for algorithms whose classes are lists of rows. It ensures the promise: whatever the
//! clusters, the result satisfies the requirements against the release that is really published, or
//! there is an error.

use rayon::prelude::*;
use sfumato_core::group::{Summary, Tally};
use sfumato_core::recoding::{Boxes, BoxesBuilder, SUPPRESSED, Value};
use sfumato_core::traits::Task;
use sfumato_core::{ErrorKind, FastMap, Result};

use super::infeasible::infeasible;
use super::space::{Bounds, Space};

/// Checks the requirements for groups of rows, in the cheapest way that decides them.
pub struct Judge<'a> {
    task: &'a Task<'a>,
    tally: Tally<'a>,
    /// Whether the number of rows decides all requirements.
    by_rows: bool,
    /// The smallest number of rows of a group that can be published.
    pub min_rows: usize,
    /// The summary with which classes are compared while nothing is suppressed.
    whole: Summary,
}

impl<'a> Judge<'a> {
    /// The judge of a task.
    pub fn new(task: &'a Task<'a>) -> Self {
        let by_rows = task.requirements.is_count_only() && task.table.subject.is_none();
        let min_rows = task.requirements.min_people().max(1) as usize;
        let whole =
            if by_rows { Summary::of_count(task.table.n_rows as u64) } else { task.whole() };
        Judge { task, tally: task.tally(), by_rows, min_rows, whole }
    }

    /// Whether the number of rows decides all requirements.
    pub fn by_rows(&self) -> bool {
        self.by_rows
    }

    /// Whether two groups that may be published may always be published as one.
    pub fn merges(&self) -> bool {
        self.by_rows || (self.task.requirements.is_monotone() && self.task.table.subject.is_none())
    }

    /// How many people a group has.
    pub fn people(&self, rows: &[u32]) -> u64 {
        match self.task.table.subject {
            None => rows.len() as u64,
            Some(_) => self.tally.of_rows(rows).people,
        }
    }

    /// The summary of the whole table.
    pub fn whole(&self) -> &Summary {
        &self.whole
    }

    /// The summary of a group.
    pub fn summary(&self, rows: &[u32]) -> Summary {
        if self.by_rows { Summary::of_count(rows.len() as u64) } else { self.tally.of_rows(rows) }
    }

    /// Whether a group of this summary may be published while nothing is suppressed.
    pub fn allows(&self, summary: &Summary) -> bool {
        self.task.requirements.holds(summary, &self.whole)
    }

    /// Whether a group may be published while nothing is suppressed.
    pub fn holds(&self, rows: &[u32]) -> bool {
        self.holds_in(rows, &self.whole)
    }

    fn holds_in(&self, rows: &[u32], release: &Summary) -> bool {
        if rows.len() < self.min_rows {
            return false;
        }
        self.by_rows || self.task.requirements.holds(&self.tally.of_rows(rows), release)
    }
}

/// Make classes of clusters. Those that fail are suppressed as long as that is allowed (the
/// smallest first, since they cost least), then joined to the class that grows least. Classes that
/// are published alike become one. Rows in no cluster count as a cluster that fails.
pub fn publish(task: &Task<'_>, space: &Space<'_>, clusters: Vec<Vec<u32>>) -> Result<Boxes> {
    if task.max_suppressed == 0 {
        return settle(task, space, clusters);
    }
    match settle(task, space, clusters.clone()) {
        // Suppression changed the release that classes are compared with, and too much failed;
        // without it nothing can.
        Err(error) if error.kind == ErrorKind::Infeasible => {
            settle(&Task { max_suppressed: 0, ..*task }, space, clusters).map_err(|_| error)
        }
        result => result,
    }
}

fn settle(task: &Task<'_>, space: &Space<'_>, mut clusters: Vec<Vec<u32>>) -> Result<Boxes> {
    let judge = Judge::new(task);
    let mut seen = vec![false; task.table.n_rows];
    clusters.iter().flatten().for_each(|&row| seen[row as usize] = true);
    let left: Vec<u32> = (0..task.table.n_rows as u32).filter(|&row| !seen[row as usize]).collect();
    clusters.retain(|rows| !rows.is_empty());
    if !left.is_empty() {
        clusters.push(left);
    }

    let mut suppressed = 0u64;
    let mut release = judge.whole.clone();
    let mut placed = false;
    loop {
        let mut clusters_alike = join_alike(space, clusters);
        let holds: Vec<bool> =
            clusters_alike.par_iter().map(|rows| judge.holds_in(rows, &release)).collect();
        let mut good: Vec<Vec<u32>> = Vec::with_capacity(clusters_alike.len());
        let mut bad: Vec<Vec<u32>> = Vec::new();
        for (rows, holds) in clusters_alike.drain(..).zip(holds) {
            if holds { good.push(rows) } else { bad.push(rows) }
        }
        if bad.is_empty() {
            return boxes(task, space, &good);
        }
        let lonely: usize = bad.iter().map(Vec::len).sum();
        if !judge.by_rows && !placed && lonely.saturating_mul(good.len()) <= MOST_PAIRS {
            // Rows that fail together may each be welcome somewhere.
            placed = true;
            let left = place_rows(&judge, space, &release, &mut good, bad.concat());
            bad = left.into_iter().map(|row| vec![row]).collect();
            if bad.is_empty() {
                clusters = good;
                continue;
            }
        }
        bad.sort_by_key(|rows| (rows.len(), rows[0]));
        let mut changed_release = false;
        let mut homeless = Vec::new();
        for rows in bad {
            if suppressed + rows.len() as u64 <= task.max_suppressed {
                suppressed += rows.len() as u64;
                changed_release = true;
            } else {
                homeless.push(rows);
            }
        }
        if good.is_empty() && homeless.len() <= 1 {
            // Nothing to join, and alone it fails.
            return Err(infeasible(task));
        }
        clusters = join_nearest(space, good, homeless);
        if changed_release && !judge.by_rows {
            let kept: Vec<u32> = clusters.iter().flatten().copied().collect();
            release = judge.tally.of_rows(&kept);
        }
    }
}

/// The largest number of pairs of rows and classes that are compared to find a place for each row.
const MOST_PAIRS: usize = 1 << 30;
/// The number of classes up to which they are compared on one thread.
const FEW_CLASSES: usize = 10_000;
/// The number of classes that are tried for a row, nearest first.
const MOST_ASKED: usize = 64;

/// Add each row to the class that grows least among those that stay publishable with it. Returns
/// the rows that no near class takes.
fn place_rows(
    judge: &Judge<'_>,
    space: &Space<'_>,
    release: &Summary,
    good: &mut [Vec<u32>],
    rows: Vec<u32>,
) -> Vec<u32> {
    let mut regions: Vec<Vec<Bounds>> = good.par_iter().map(|rows| space.around(rows)).collect();
    let mut prices: Vec<f64> = regions.par_iter().map(|region| space.price(region)).collect();
    let mut left = Vec::new();
    for row in rows {
        let own = space.of_row(row);
        let growth = |place: usize| {
            let hull = regions[place].iter().zip(&own).map(|(a, b)| a.hull(*b));
            let size = good[place].len() as f64;
            space.price_of(hull) * (size + 1.0) - prices[place] * size
        };
        let mut near: Vec<(f64, usize)> = match good.len() < FEW_CLASSES {
            true => (0..good.len()).map(|place| (growth(place), place)).collect(),
            false => (0..good.len()).into_par_iter().map(|place| (growth(place), place)).collect(),
        };
        let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if near.len() > MOST_ASKED {
            near.select_nth_unstable_by(MOST_ASKED, order);
            near.truncate(MOST_ASKED);
        }
        near.sort_unstable_by(order);
        let taker = near.iter().map(|(_, place)| *place).find(|&place| {
            good[place].push(row);
            let holds = judge.holds_in(&good[place], release);
            good[place].pop();
            holds
        });
        match taker {
            Some(place) => {
                good[place].push(row);
                regions[place] = regions[place].iter().zip(&own).map(|(a, b)| a.hull(*b)).collect();
                prices[place] = space.price(&regions[place]);
            }
            None => left.push(row),
        }
    }
    left
}

/// Join clusters that would be published as the same region, since a recipient sees them as one
/// class.
fn join_alike(space: &Space<'_>, clusters: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let regions: Vec<Vec<Value>> =
        clusters.par_iter().map(|rows| space.values(&space.around(rows))).collect();
    let mut first: FastMap<Vec<Value>, usize> = FastMap::default();
    let mut joined: Vec<Vec<u32>> = Vec::with_capacity(clusters.len());
    for (rows, region) in clusters.into_iter().zip(regions) {
        match first.get(&region) {
            Some(&place) => joined[place].extend(rows),
            None => {
                first.insert(region, joined.len());
                joined.push(rows);
            }
        }
    }
    joined
}

/// Join each remaining cluster to the one for which the additional cost is least.
fn join_nearest(
    space: &Space<'_>,
    mut good: Vec<Vec<u32>>,
    mut homeless: Vec<Vec<u32>>,
) -> Vec<Vec<u32>> {
    if good.is_empty() {
        // Two that fail may hold together; without a good class there is nothing better to join.
        let all = homeless.concat();
        return vec![all];
    }
    let mut regions: Vec<Vec<Bounds>> = good.par_iter().map(|rows| space.around(rows)).collect();
    for rows in homeless.drain(..) {
        let region = space.around(&rows);
        let own = space.price(&region) * rows.len() as f64;
        let growth = |place: usize| {
            let union: Vec<Bounds> =
                regions[place].iter().zip(&region).map(|(a, b)| a.hull(*b)).collect();
            let size = good[place].len() as f64;
            let before = space.price(&regions[place]) * size + own;
            space.price(&union) * (size + rows.len() as f64) - before
        };
        let nearest = (0..good.len())
            .into_par_iter()
            .map(|place| (growth(place), place))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map_or(0, |(_, place)| place);
        regions[nearest] = regions[nearest].iter().zip(&region).map(|(a, b)| a.hull(*b)).collect();
        good[nearest].extend(rows);
    }
    good
}

fn boxes(task: &Task<'_>, space: &Space<'_>, clusters: &[Vec<u32>]) -> Result<Boxes> {
    let regions: Vec<Vec<Value>> =
        clusters.par_iter().map(|rows| space.values(&space.around(rows))).collect();
    let mut builder = BoxesBuilder::new(space.n_columns());
    let mut class_of_row = vec![SUPPRESSED; task.table.n_rows];
    for (rows, region) in clusters.iter().zip(regions) {
        let class = builder.push(&region)?;
        rows.iter().for_each(|&row| class_of_row[row as usize] = class);
    }
    Ok(builder.finish(class_of_row))
}
