//! Mondrian that stops at random, too: that a region isn't split doesn't say for certain that a
//! part of it would have broken a model.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{BoxesBuilder, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{FastMap, Result};

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::{Bounds, Space};
use crate::forms::generalized::make_plan::looks_at_values;

/// The algorithm `veiled-mondrian`, an entry of the registry.
pub struct VeiledMondrian;

static INFO: Info = Info {
    name: "veiled-mondrian",
    summary: "splits by counts alone, and stops where a part would break a model or at random, \
        which doesn't show",
    papers: &[
        Paper {
            authors: "R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei",
            title: "Minimality attack in privacy preserving data publishing",
            venue: "International Conference on Very Large Data Bases",
            year: 2007,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Mondrian Multidimensional K-Anonymity",
            venue: "ICDE",
            year: 2006,
        },
    ],
    params: &[
        ParamSpec::optional(
            "size",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "how many people each part of a split has at least; by default as many as the models \
             ask for",
        ),
        ParamSpec::with_default(
            "veil",
            ParamKind::Number { min: 0.0, above: false, max: 10.0 },
            "1",
            "how often it stops at random: at n records with the chance veil * size / n; 0 never",
        ),
    ],
    doc: include_str!("veiled_mondrian.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        cuts_blindly: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for VeiledMondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        // A metric may be about sensitive values.
        let objective = Objective::ncp(task.table);
        let task = &Task { objective: &objective, max_suppressed: 0, ..*task };
        let space = Space::new(task, INFO.name)?;
        let mut builder = BoxesBuilder::new(space.n_columns());
        if task.table.n_rows == 0 {
            return Ok(Box::new(builder.finish(Vec::new())));
        }
        let least = task.requirements.min_people().max(1);
        let said = params.optional_integer("size").map_or(least, |size| size.unsigned_abs());
        let splitter = Splitter {
            judge: Judge::new(task),
            space: &space,
            size: said.max(least) as usize,
            veil: match looks_at_values(task.requirements) {
                true => params.number("veil"),
                false => 0.0,
            },
        };
        let mut progress = Progress::begin(task);
        let regions = splitter.split_all(task, &mut progress)?;
        let mut class_of_row = vec![0; task.table.n_rows];
        for region in &regions {
            let class = builder.push(&space.values(&region.bounds))?;
            region.rows.iter().for_each(|row| class_of_row[*row as usize] = class);
        }
        Ok(Box::new(builder.finish(class_of_row)))
    }
}

/// Records that fall into a part of the space.
struct Region {
    bounds: Vec<Bounds>,
    rows: Vec<u32>,
}

struct Splitter<'a> {
    judge: Judge<'a>,
    space: &'a Space<'a>,
    size: usize,
    veil: f64,
}

impl Splitter<'_> {
    /// Split in rounds: the regions of a round don't depend on each other.
    fn split_all(&self, task: &Task<'_>, progress: &mut Progress<'_>) -> Result<Vec<Region>> {
        let mut random = ChaCha20Rng::from_seed(task.key);
        let first = self.region((0..task.table.n_rows as u32).collect());
        if !self.judge.holds(&first.rows) {
            return Err(infeasible(task));
        }
        let (mut open, mut done, mut reached) = (vec![first], Vec::new(), 0);
        while !open.is_empty() {
            progress.reach(reached)?;
            // Drawn for each region, split or not, before anybody looks at sensitive values.
            let drawn: Vec<(Region, bool)> = open
                .into_iter()
                .map(|region| {
                    let stops = self.stops(region.rows.len(), random.next_u64());
                    (region, stops)
                })
                .collect();
            let parts: Vec<(Region, Option<Vec<Region>>)> = drawn
                .into_par_iter()
                .map(|(region, stops)| {
                    let parts = if stops { None } else { self.parts(&region) };
                    (region, parts)
                })
                .collect();
            open = Vec::new();
            for (region, parts) in parts {
                match parts {
                    Some(parts) => open.extend(parts),
                    None => {
                        reached += region.rows.len();
                        done.push(region);
                    }
                }
            }
        }
        progress.reach(reached)?;
        Ok(done)
    }

    /// Whether a region of so many records is left as it is, whatever is in it.
    fn stops(&self, rows: usize, drawn: u64) -> bool {
        // 53 bits make every fraction that a float between 0 and 1 can be.
        let fraction = (drawn >> 11) as f64 / (1u64 << 53) as f64;
        fraction < self.veil * self.size as f64 / rows as f64
    }

    fn region(&self, rows: Vec<u32>) -> Region {
        Region { bounds: self.space.around(&rows), rows }
    }

    /// The parts of the one split that counts choose, if each of them may be published. No other is
    /// tried: which was taken would tell that the first one broke a model.
    fn parts(&self, region: &Region) -> Option<Vec<Region>> {
        if region.rows.len() < 2 * self.size {
            return None;
        }
        let price = |part: &Region| part.rows.len() as f64 * self.space.price(&part.bounds);
        let mut best: Option<(f64, Vec<Region>)> = None;
        for place in 0..self.space.n_columns() {
            let Some(parts) = self.split(region, place) else { continue };
            let cost: f64 = parts.iter().map(price).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, parts));
            }
        }
        let (_, parts) = best?;
        parts.iter().all(|part| self.judge.holds(&part.rows)).then_some(parts)
    }

    /// A split in one column into parts of at least `size` people.
    fn split(&self, region: &Region, place: usize) -> Option<Vec<Region>> {
        let (axis, bounds) = (&self.space.axes[place], region.bounds[place]);
        if bounds.min == bounds.max {
            return None;
        }
        let code = |row: &u32| axis.column.codes.get(*row as usize);
        let sides: FastMap<u32, Vec<u32>> = match axis.tree {
            Some(tree) => {
                // The lowest node around the values; missing has no place in a tree.
                let last = bounds.max.min(axis.missing.saturating_sub(1));
                let children = tree.children(tree.smallest_cover(bounds.min, last + 1));
                self.sides(&region.rows, |row| match code(row) {
                    missing if missing == axis.missing => u32::MAX,
                    code => {
                        children.clone().take_while(|child| tree.hi(*child) <= code).count() as u32
                    }
                })
            }
            None => {
                let median = median(region.rows.iter().map(code).filter(|c| *c < axis.missing))?;
                self.sides(&region.rows, |row| match code(row) {
                    missing if missing == axis.missing => u32::MAX,
                    code => u32::from(code > median),
                })
            }
        };
        self.large_enough(sides)
    }

    fn sides(&self, rows: &[u32], side: impl Fn(&u32) -> u32) -> FastMap<u32, Vec<u32>> {
        let mut sides: FastMap<u32, Vec<u32>> = FastMap::default();
        rows.iter().for_each(|row| sides.entry(side(row)).or_default().push(*row));
        sides
    }

    /// The sides that have enough people, and one of all others together. Where that is too few,
    /// the smallest of the others join it.
    fn large_enough(&self, sides: FastMap<u32, Vec<u32>>) -> Option<Vec<Region>> {
        let people = |rows: &Vec<u32>| self.judge.people(rows) as usize;
        let mut sides: Vec<(u32, Vec<u32>)> = sides.into_iter().collect();
        // By number of people, and by place where these are equal.
        sides.sort_by_key(|(side, rows)| (people(rows), *side));
        let small = sides.iter().take_while(|(_, rows)| people(rows) < self.size).count();
        let mut large = sides.split_off(small).into_iter();
        let mut rest: Vec<u32> = sides.into_iter().flat_map(|(_, rows)| rows).collect();
        while !rest.is_empty() && people(&rest) < self.size {
            rest.extend(large.next()?.1);
        }
        rest.sort_unstable();
        let mut parts: Vec<(u32, Vec<u32>)> = large.collect();
        parts.sort_by_key(|(side, _)| *side);
        let mut parts: Vec<Region> = parts.into_iter().map(|(_, rows)| self.region(rows)).collect();
        if !rest.is_empty() {
            parts.push(self.region(rest));
        }
        (parts.len() > 1).then_some(parts)
    }
}

/// The largest code of the lower half, if there are larger ones, else the largest below it.
fn median(codes: impl Iterator<Item = u32>) -> Option<u32> {
    let mut codes: Vec<u32> = codes.collect();
    if codes.is_empty() {
        return None;
    }
    let half = (codes.len() - 1) / 2;
    let (below, median, above) = codes.select_nth_unstable(half);
    let median = *median;
    match above.iter().any(|code| *code > median) {
        true => Some(median),
        false => below.iter().copied().filter(|code| *code < median).max(),
    }
}
