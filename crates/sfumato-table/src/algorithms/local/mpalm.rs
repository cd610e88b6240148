//! MPALM: a multidimensional recoding that hides who of a population is in the data, from the top
//! down.

use std::borrow::Cow;

use rayon::prelude::*;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::population::{Among, Population};
use sfumato_core::recoding::{BoxesBuilder, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{FastMap, Result};

use crate::algorithms::shared::among::{
    check_columns, holds_among, infeasible as too_few, population_of,
};
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::{Axis, Bounds, Space};

/// The algorithm `mpalm`, an entry of the registry.
pub struct Mpalm;

static INFO: Info = Info {
    name: "mpalm",
    summary: "splits data and population together as long as nobody's presence shows",
    papers: &[Paper {
        authors: "M. E. Nergiz, M. Atzori, C. Clifton",
        title: "Hiding the presence of individuals from shared databases",
        venue: "SIGMOD",
        year: 2007,
    }],
    params: &[],
    doc: "\
Local recoding of data together with the table of a population (`--population-table`), for \
`delta-presence` and `k-map`. It begins with one region around
everybody and splits regions in two at a number, or into the children of a node of a hierarchy, as \
long as each part may be published: records and people of
the population fall on the same side, so that each part knows how many of its people are in the \
data. A part without records needs no region; whoever is in it is known not to be in the data, \
which `delta-presence` with `min` above 0 forbids.

Of all columns the one whose split costs least under `--metric` is taken. A column of numbers is \
split at the median of the people, or
where that isn't allowed at the median of the records. Regions are as small as the people and \
records in them allow; they are disjoint, so that everybody is in one.

**Cost** about columns * people * log2(people), as the book says.

**Limits** No record is suppressed. Without a population table the people of the data are the \
population. It gives up a column of a
hierarchy where one child alone is too few; that isn't the best split there may be.

**Deviations** The book gives the scheme (from the top down, multidimensional, by heuristics) and \
its cost; the steps are ours.
",
    capabilities: Capabilities {
        serves: &[
            Fact::Classes,
            Fact::SensitiveValues,
            Fact::Hiding(Hiding::Matches),
            Fact::Population,
        ],
        ignores: &["max_suppression"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Mpalm {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_columns(task, INFO.name)?;
        let ncp = Objective::ncp(task.table);
        let task = &match task.objective.ignores_cells() {
            true => Task { objective: &ncp, max_suppressed: 0, ..*task },
            false => Task { max_suppressed: 0, ..*task },
        };
        let space = Space::new(task, INFO.name)?;
        if task.table.n_rows == 0 {
            return Ok(Box::new(BoxesBuilder::new(space.n_columns()).finish(Vec::new())));
        }
        let splitter = Splitter {
            task,
            population: population_of(task),
            judge: Judge::new(task),
            space: &space,
        };
        let mut progress = Progress::begin(task);
        let (regions, rounds) = splitter.split_all(&mut progress)?;
        let mut builder = BoxesBuilder::new(space.n_columns());
        let mut class_of_row = vec![0; task.table.n_rows];
        for region in &regions {
            let class = builder.push(&space.values(&region.bounds))?;
            region.rows.iter().for_each(|row| class_of_row[*row as usize] = class);
        }
        let findings = vec![Finding { name: "rounds_of_splits", value: rounds as f64 }];
        Ok(Box::new(builder.finish(class_of_row).with_findings(findings)))
    }
}

/// Records and people of the population who fall into a part of the space.
struct Region {
    bounds: Vec<Bounds>,
    rows: Vec<u32>,
    people: Vec<u32>,
}

struct Splitter<'a> {
    task: &'a Task<'a>,
    population: Cow<'a, Population>,
    judge: Judge<'a>,
    space: &'a Space<'a>,
}

impl Splitter<'_> {
    /// Split until nothing may be split, in rounds: the regions of a round don't depend on each
    /// other.
    fn split_all(&self, progress: &mut Progress<'_>) -> Result<(Vec<Region>, usize)> {
        let rows: Vec<u32> = (0..self.task.table.n_rows as u32).collect();
        let people: Vec<u32> = (0..self.population.n as u32).collect();
        let whole = Among { rows: rows.len() as u64, people: people.len() as u64 };
        let first = self.region(rows, people);
        if !holds_among(self.task.requirements, whole) {
            return Err(too_few(self.task.requirements, whole));
        }
        if !self.judge.holds(&first.rows) {
            return Err(infeasible(self.task));
        }
        let (mut open, mut done, mut rounds, mut reached) = (vec![first], Vec::new(), 0, 0);
        while !open.is_empty() {
            progress.reach(reached)?;
            rounds += 1;
            let parts: Vec<(Region, Option<Vec<Region>>)> = open
                .into_par_iter()
                .map(|region| {
                    let parts = self.best_split(&region);
                    (region, parts)
                })
                .collect();
            open = Vec::new();
            for (region, parts) in parts {
                match parts {
                    // Nobody publishes a region without records.
                    Some(parts) => open.extend(parts.into_iter().filter(|p| !p.rows.is_empty())),
                    None => {
                        reached += region.rows.len();
                        done.push(region);
                    }
                }
            }
        }
        progress.reach(reached)?;
        Ok((done, rounds))
    }

    /// The region around records and people.
    fn region(&self, rows: Vec<u32>, people: Vec<u32>) -> Region {
        let bounds = (0..self.space.n_columns()).map(|place| {
            let codes = self.codes(place, &rows, &people);
            codes.map(Bounds::of).reduce(Bounds::hull).unwrap_or(Bounds::of(0))
        });
        Region { bounds: bounds.collect(), rows, people }
    }

    /// The codes of records and people in a column.
    fn codes<'s>(
        &'s self,
        place: usize,
        rows: &'s [u32],
        people: &'s [u32],
    ) -> impl Iterator<Item = u32> + 's {
        let of_row = &self.space.axes[place].column.codes;
        let of_person = &self.population.codes[place];
        let rows = rows.iter().map(|row| of_row.get(*row as usize));
        rows.chain(people.iter().map(|person| of_person.get(*person as usize)))
    }

    /// The split that costs least of those that are allowed.
    fn best_split(&self, region: &Region) -> Option<Vec<Region>> {
        let mut best: Option<(f64, Vec<Region>)> = None;
        for place in 0..self.space.n_columns() {
            let Some(parts) = self.split(region, place) else { continue };
            let price = |part: &Region| match part.rows.len() {
                0 => 0.0,
                n => n as f64 * self.space.price(&part.bounds),
            };
            let cost: f64 = parts.iter().map(price).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, parts));
            }
        }
        best.map(|(_, parts)| parts)
    }

    /// A split in one column that is allowed.
    fn split(&self, region: &Region, place: usize) -> Option<Vec<Region>> {
        let axis = &self.space.axes[place];
        let bounds = region.bounds[place];
        if bounds.min == bounds.max {
            return None;
        }
        let Some(tree) = axis.tree else {
            let medians = [
                self.median(place, &[], &region.people, axis),
                self.median(place, &region.rows, &[], axis),
            ];
            let at = |median: u32| move |code: u32| u32::from(code > median);
            return medians
                .into_iter()
                .flatten()
                .find_map(|median| self.allowed(self.parts(region, place, &at(median))));
        };
        // The lowest node around the values; missing has no place in a tree.
        let last = bounds.max.min(axis.missing.saturating_sub(1));
        let node = tree.smallest_cover(bounds.min, last + 1);
        let children = tree.children(node);
        let child =
            |code: u32| children.clone().take_while(|child| tree.hi(*child) <= code).count();
        self.allowed(self.parts(region, place, &|code| child(code) as u32))
    }

    /// The largest code of the lower half of records or people that have a value, if anybody has
    /// more.
    fn median(&self, place: usize, rows: &[u32], people: &[u32], axis: &Axis<'_>) -> Option<u32> {
        let codes = self.codes(place, rows, people).filter(|code| *code < axis.missing);
        let mut codes: Vec<u32> = codes.collect();
        if codes.is_empty() {
            return None;
        }
        let half = (codes.len() - 1) / 2;
        let (below, median, above) = codes.select_nth_unstable(half);
        let median = *median;
        // Where the median is the largest value, the next smaller one is the border.
        match above.iter().any(|code| *code > median) {
            true => Some(median),
            false => below.iter().copied().filter(|code| *code < median).max(),
        }
    }

    /// Records and people by what a function says of their codes; those without a value apart.
    fn parts(&self, region: &Region, place: usize, side: &dyn Fn(u32) -> u32) -> Vec<Region> {
        let axis = &self.space.axes[place];
        let side = |code: u32| if code < axis.missing { side(code) } else { u32::MAX };
        let mut parts: FastMap<u32, (Vec<u32>, Vec<u32>)> = FastMap::default();
        for row in &region.rows {
            let code = axis.column.codes.get(*row as usize);
            parts.entry(side(code)).or_default().0.push(*row);
        }
        for person in &region.people {
            let code = self.population.codes[place].get(*person as usize);
            parts.entry(side(code)).or_default().1.push(*person);
        }
        let mut parts: Vec<(u32, _)> = parts.into_iter().collect();
        parts.sort_unstable_by_key(|(side, _)| *side);
        parts.into_iter().map(|(_, (rows, people))| self.region(rows, people)).collect()
    }

    /// Parts, if there are several and each of them may be published.
    fn allowed(&self, parts: Vec<Region>) -> Option<Vec<Region>> {
        let may = |part: &Region| {
            let among = Among { rows: part.rows.len() as u64, people: part.people.len() as u64 };
            holds_among(self.task.requirements, among)
                && (part.rows.is_empty() || self.judge.holds(&part.rows))
        };
        (parts.len() > 1 && parts.iter().all(may)).then_some(parts)
    }
}
